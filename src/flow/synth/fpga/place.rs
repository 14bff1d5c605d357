//! Places and routes the harness on the smallest device with room, with several seeds.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::family::{Device, Router};
use crate::flow::folder::Folder;
use crate::flow::nextpnr::{self, Resource, Timing};
use crate::flow::parallel;
use crate::flow::synth::SynthOptions;
use crate::flow::tool::{Program, ToolError};
use crate::flow::{FlowError, Tell};

/// The design to place.
pub struct Job<'a> {
    /// Name in messages.
    pub design: String,
    /// The folder.
    pub folder: &'a Folder,
    /// The mapped netlist.
    pub json: &'a str,
    /// The clock constraint.
    pub clock_mhz: f64,
    /// Seeds and time limit.
    pub options: &'a SynthOptions,
}

/// A design placed on a device.
pub struct Placed {
    /// The device.
    pub device: &'static Device,
    /// Utilisation of the device.
    pub resources: Vec<Resource>,
    /// Timing of each seed.
    pub seeds: Vec<Timing>,
    /// Smaller devices with enough resources, on which placement failed.
    pub passed_over: Vec<&'static str>,
}

/// Places and routes on the smallest device with room.
///
/// # Errors
/// [`FlowError::DoesNotFit`], [`FlowError::Unplaceable`], or an error of nextpnr.
pub fn place(
    nextpnr: &Program,
    router: &'static Router,
    job: &Job<'_>,
    tell: Tell<'_>,
) -> Result<Placed, FlowError> {
    let mut passed_over = Vec::new();
    let mut error = None;
    for device in router.devices {
        match on_device(nextpnr, device, job, tell) {
            Ok((resources, seeds)) => return Ok(Placed { device, resources, seeds, passed_over }),
            Err(FlowError::DoesNotFit { design, over, .. }) => {
                let device = device.name.to_string();
                error = Some(FlowError::DoesNotFit { design, device, over });
            }
            Err(unplaceable @ FlowError::Unplaceable { .. }) => {
                passed_over.push(device.name);
                error = Some(unplaceable);
            }
            Err(other) => return Err(other),
        }
    }
    Err(error.expect("every family has a device"))
}

fn on_device(
    nextpnr: &Program,
    device: &Device,
    job: &Job<'_>,
    tell: Tell<'_>,
) -> Result<(Vec<Resource>, Vec<Timing>), FlowError> {
    tell(&format!("packing {} for {}", job.design, device.name));
    let (folder, limit) = (job.folder, job.options.limit);
    let resources =
        nextpnr::utilisation(nextpnr, folder, device.arguments, job.json, "pack.log", limit)?;
    let (design, name) = (job.design.clone(), device.name.to_string());
    let over = nextpnr::over(&resources);
    if !over.is_empty() {
        return Err(FlowError::DoesNotFit { design, device: name, over });
    }
    let reports = all_seeds(nextpnr, device, job, tell).map_err(|error| match error {
        source @ ToolError::Failed { .. } => {
            FlowError::Unplaceable { design, device: name, source: Box::new(source) }
        }
        other => other.into(),
    })?;
    let timings = reports.iter().map(|report| nextpnr::timing(folder, report));
    Ok((resources, timings.collect::<Result<_, _>>()?))
}

/// The report of each seed; seeds run in parallel.
fn all_seeds(
    nextpnr: &Program,
    device: &Device,
    job: &Job<'_>,
    tell: Tell<'_>,
) -> Result<Vec<String>, ToolError> {
    let seeds: Vec<u32> = (1..=job.options.seeds.max(1)).collect();
    let done = AtomicUsize::new(0);
    let tell_progress = |done| {
        let seeds = seeds.len();
        tell(&format!("placing and routing on {}: {done} of {seeds} seeds done", device.name));
    };
    tell_progress(0);
    let reports = parallel::each(&seeds, |&seed| {
        let (clock, limit) = (job.clock_mhz, job.options.limit);
        let report = nextpnr::place_and_route(
            nextpnr,
            job.folder,
            device.arguments,
            job.json,
            clock,
            seed,
            limit,
        );
        tell_progress(done.fetch_add(1, Ordering::Relaxed) + 1);
        report
    });
    // Reports the error of the lowest failed seed, independent of the order of completion.
    reports.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flow::nextpnr::over;

    #[test]
    fn what_is_over_is_named_with_both_figures() {
        let resource =
            |name: &str, used, available| Resource { name: name.to_string(), used, available };
        let resources = [resource("IO", 3, 3), resource("RAM", 9, 8), resource("LC", 20, 10)];
        assert_eq!(over(&resources), "9 RAM where there are 8, 20 LC where there are 10");
        assert_eq!(over(&resources[..1]), "");
    }
}
