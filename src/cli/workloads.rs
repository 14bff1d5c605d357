//! `warpsmith transactions --system`: kernels on the GPU.

use std::process::ExitCode;
use std::time::Instant;

use clap::{Args, ValueEnum};

use super::progress::while_waiting;
use super::{MISMATCH, Outcome, UserError, say, say_json};
use crate::gpu::config::Config;
use crate::gpu::machine::LaunchError;
use crate::gpu::memory::RtlSettings;
use crate::gpu::systems::System;
use crate::gpu::workloads::{ALL, Size, Workload, WorkloadError};
use crate::report::workloads::{WorkloadRow, WorkloadsReport};
use warpsmith_testbench::backend::Backend;

/// The default machine.
const PRESET: &str = "getm_15";

#[derive(Debug, Args)]
pub(super) struct WorkloadArgs {
    /// Run kernels on the GPU with this memory system: getm, warptm, warptm-el or eapg with transactions,
    /// locks or another one with locks
    #[arg(long, value_name = "NAME", conflicts_with_all = [
        "settings", "cores", "warps", "lanes", "transactions", "partitions", "latency", "back_off", "begins",
        "commit_clock", "stalls", "validation_dut", "commit_dut", "seed",
    ])]
    pub system: Option<String>,
    /// Size of the workloads on the GPU
    #[arg(long, value_enum, default_value_t = SizeArg::Paper, requires = "system")]
    size: SizeArg,
    /// Shuffle arbitration and latencies of the GPU; the same seed gives the same run
    #[arg(long, value_name = "SEED", requires = "system")]
    perturb: Option<u64>,
    /// No warp of the GPU ever runs its transactions alone, as in the paper
    #[arg(long, requires = "system")]
    faithful: bool,
    /// Put the RTL of a block in its places in the GPU, compared with the reference; repeat for more
    #[arg(long, value_name = "BLOCK[@PLACE]", requires = "system")]
    rtl: Vec<String>,
}

/// Sizes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum SizeArg {
    /// That of table 4.3
    Paper,
    /// For a first look
    Small,
}

impl From<SizeArg> for Size {
    fn from(size: SizeArg) -> Self {
        match size {
            SizeArg::Paper => Self::Paper,
            SizeArg::Small => Self::Small,
        }
    }
}

impl WorkloadArgs {
    /// Runs workloads on a machine.
    pub(super) fn run(
        &self,
        system: &str,
        workload: &str,
        preset: Option<&str>,
        concurrency: Option<u64>,
        backend: Backend,
        json: bool,
    ) -> Outcome {
        let system = System::named(system).ok_or_else(|| {
            let known: Vec<_> = System::known().map(|system| system.name).collect();
            UserError::new(format!("no memory system {system}; there are: {}", known.join(", ")))
        })?;
        let is_transactional = System::TRANSACTIONAL.contains(&system);
        if !is_transactional && (self.faithful || concurrency.is_some()) {
            return Err(UserError::new(format!(
                "--faithful and --concurrency need a memory system with transactions; {} has none",
                system.name
            )));
        }
        let machine = preset.unwrap_or(PRESET);
        let mut config = Config::preset(machine)?;
        system.check(&config, machine)?;
        if self.faithful {
            config.transactions.alone_after = 0;
        }
        let rtl = (!self.rtl.is_empty()).then(|| RtlSettings {
            places: self.rtl.clone(),
            backend,
            dut: None,
            shadow: true,
        });
        if let Some(settings) = &rtl {
            settings.chosen(&(system.places)(&config), system.name)?;
        }
        let mut rows = Vec::new();
        for workload in workloads(workload)? {
            let best = workload.best(system);
            let limit = concurrency.map(|limit| limit as u32).or(best);
            let limit = limit.unwrap_or(config.transactions.concurrency);
            config.transactions.concurrency = limit;
            let start = Instant::now();
            let run = || {
                let mut refused = None;
                let ran =
                    workload.run(self.size.into(), &config, system, self.perturb, |machine| {
                        refused = rtl.as_ref().and_then(|settings| machine.use_rtl(settings).err());
                    });
                match refused {
                    Some(error) => Err(UserError::from(error)),
                    None => Ok(ran),
                }
            };
            let ran = match while_waiting(workload.name, json, run)? {
                Err(WorkloadError::Launch(error @ LaunchError::Mismatch { .. })) => {
                    Err(error.to_string())
                }
                Err(error @ WorkloadError::Result { .. }) => Err(error.to_string()),
                other => Ok(other?),
            };
            let limit = is_transactional.then_some(limit);
            rows.push(WorkloadRow::new(workload, system, limit, ran, start.elapsed()));
        }
        let perturb = self.perturb;
        let report = WorkloadsReport::new(machine.to_string(), system, perturb, rows);
        match json {
            true => say_json(&report)?,
            false => say(report.text()),
        }
        Ok(if report.correct { ExitCode::SUCCESS } else { ExitCode::from(MISMATCH) })
    }
}

fn workloads(name: &str) -> Result<Vec<Workload>, UserError> {
    let is_wanted = |it: &Workload| it.name == name || name == "all" && it.paper.is_some();
    let found: Vec<_> = ALL.into_iter().filter(is_wanted).collect();
    if found.is_empty() {
        let known: Vec<_> = ALL.iter().map(|workload| workload.name).collect();
        let known = known.join(", ");
        return Err(UserError::new(format!("no workload {name}; there are: all, {known}")));
    }
    Ok(found)
}
