//! Placing and routing the harness: on the smallest device that has room, with several seeds.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

use super::family::{Device, Router};
use crate::flow::folder::Folder;
use crate::flow::nextpnr::{self, Resource, Timing};
use crate::flow::synth::SynthOptions;
use crate::flow::tool::{Program, ToolError};
use crate::flow::{FlowError, Tell};

/// What is placed: a design of the folder, by its top module.
pub struct Job<'a> {
    /// What messages call it.
    pub design: String,
    /// The folder.
    pub folder: &'a Folder,
    /// The mapped netlist.
    pub json: &'a str,
    /// The clock to ask for.
    pub clock_mhz: f64,
    /// Seeds and time limit.
    pub options: &'a SynthOptions,
}

/// A design on a device.
pub struct Placed {
    /// The device.
    pub device: &'static Device,
    /// What is used of it.
    pub resources: Vec<Resource>,
    /// Timing of each seed.
    pub seeds: Vec<Timing>,
    /// Smaller devices that it fits by count, where no placement was found.
    pub passed_over: Vec<&'static str>,
}

/// Places and routes on the smallest device that has room.
///
/// # Errors
/// [`FlowError::DoesNotFit`], [`FlowError::Unplaceable`], and those of nextpnr.
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
    let over = over(&resources);
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

/// What there is not enough of, in words; empty if it all fits.
fn over(resources: &[Resource]) -> String {
    let over = resources.iter().filter(|resource| resource.used > resource.available);
    let words = over.map(|r| format!("{} {} where there are {}", r.used, r.name, r.available));
    words.collect::<Vec<_>>().join(", ")
}

/// The report of each seed, made by as many processes at a time as the machine has cores. After a
/// failure none is started.
fn all_seeds(
    nextpnr: &Program,
    device: &Device,
    job: &Job<'_>,
    tell: Tell<'_>,
) -> Result<Vec<String>, ToolError> {
    let seeds = job.options.seeds.max(1);
    let next = AtomicU32::new(1);
    let done: Mutex<BTreeMap<u32, Result<String, ToolError>>> = Mutex::default();
    let work = || {
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed > seeds {
                return;
            }
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
            if report.is_err() {
                next.store(seeds + 1, Ordering::Relaxed);
            }
            let mut done = done.lock().expect("no worker panics");
            done.insert(seed, report);
            tell_progress(tell, device, done.len(), seeds);
        }
    };
    tell_progress(tell, device, 0, seeds);
    let workers = thread::available_parallelism().map_or(1, usize::from).min(seeds as usize);
    thread::scope(|scope| (0..workers).for_each(|_| drop(scope.spawn(work))));
    // The lowest seed that failed is the error, whichever failed first.
    done.into_inner().expect("no worker panics").into_values().collect()
}

fn tell_progress(tell: Tell<'_>, device: &Device, done: usize, seeds: u32) {
    tell(&format!("placing and routing on {}: {done} of {seeds} seeds done", device.name));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_over_is_named_with_both_figures() {
        let resource =
            |name: &str, used, available| Resource { name: name.to_string(), used, available };
        let resources = [resource("IO", 3, 3), resource("RAM", 9, 8), resource("LC", 20, 10)];
        assert_eq!(over(&resources), "9 RAM where there are 8, 20 LC where there are 10");
        assert_eq!(over(&resources[..1]), "");
    }
}
