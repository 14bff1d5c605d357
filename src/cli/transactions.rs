//! `warpsmith transactions`

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use clap::{Args, ValueEnum};
use warpsmith_blocks::{getm_commit, getm_validation};

use super::cosim::BackendArg;
use super::design::from_setting;
use super::dut::DutArgs;
use super::gpu::Shadow;
use super::progress::while_waiting;
use super::{MISMATCH, Outcome, UserError, say, say_json};
use crate::gpu::config::Config;
use crate::gpu::machine::{LaunchError, Machine};
use crate::gpu::memory::{RtlError, RtlSettings};
use crate::gpu::systems::System;
use crate::gpu::systems::getm::GETM;
use crate::gpu::workloads::{ALL, Size, Workload, WorkloadError};
use crate::report::transactions::{TransactionsReport, WorkloadRow};

#[derive(Debug, Args)]
pub(super) struct TransactionsArgs {
    /// Workload, or `all` for the paper's
    #[arg(long, value_name = "NAME", default_value = "all")]
    workload: String,
    /// Memory system: getm, warptm, warptm-el or eapg with transactions, locks or another one with locks
    #[arg(long, value_name = "NAME", default_value = "getm")]
    system: String,
    /// Machine
    #[arg(long, value_name = "NAME", default_value = "getm_15")]
    preset: String,
    /// Value of the machine's [transactions] that overrides the preset
    #[arg(long = "set", value_name = "NAME=VALUE")]
    settings: Vec<String>,
    /// Size of the workloads
    #[arg(long, value_enum, default_value_t = SizeArg::Paper)]
    size: SizeArg,
    /// Warps of a core that run transactions at once; 0: no limit. Default: the workload's number in table 4.4
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=4096))]
    concurrency: Option<u32>,
    /// Shuffle arbitration and latencies; the same seed gives the same run
    #[arg(long, value_name = "SEED")]
    perturb: Option<u64>,
    /// The paper's rules as they stand: warps may have the same timestamp, so that write skew is possible, and none
    /// runs its transactions alone
    #[arg(long)]
    faithful: bool,
    /// Put the RTL of a block in its places, compared with the reference: getm_validation, getm_commit or
    /// getm_rollover_ring; repeat for more
    #[arg(long, value_name = "BLOCK[@PLACE]")]
    rtl: Vec<String>,
    /// Simulator of the RTL
    #[arg(long, value_enum, default_value_t = BackendArg::Native)]
    backend: BackendArg,
    /// Compare every transfer of RTL with the reference; without, only results, the oracle and the other units
    /// judge it
    #[arg(long, value_enum, default_value_t = Shadow::On)]
    shadow: Shadow,
    /// Send what validation units ask their tables through the table's circuit too, and count its clocks (figure
    /// 4.13); slow
    #[arg(long)]
    metadata_clocks: bool,
    /// Your own Verilog in the places of the validation unit: those of --rtl, or all
    #[arg(long, value_name = "FILE.v")]
    validation_dut: Vec<PathBuf>,
    /// Your own Verilog in the places of the commit unit: those of --rtl, or all
    #[arg(long, value_name = "FILE.v")]
    commit_dut: Vec<PathBuf>,
    /// A module of the emitted Verilog that yours may instantiate without a file of it, or `all`
    #[arg(long, value_name = "MODULE")]
    ours: Vec<String>,
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

pub(super) fn run(args: &TransactionsArgs, json: bool) -> Outcome {
    let system = System::named(&args.system).ok_or_else(|| {
        let known: Vec<_> = System::known().map(|system| system.name).collect();
        let known = known.join(", ");
        UserError::new(format!("no memory system {}; there are: {known}", args.system))
    })?;
    let workloads = workloads(&args.workload)?;
    let mut config = args.config(system)?;
    let rtl = args.rtl(&config, system)?;
    let mut rows = Vec::new();
    for workload in workloads {
        let best = args.concurrency.or(workload.best(system));
        let limit = best.unwrap_or(config.transactions.concurrency);
        config.transactions.concurrency = limit;
        let start = Instant::now();
        let run = || {
            let mut prepared = Ok(());
            let ran = workload.run(args.size.into(), &config, system, args.perturb, |machine| {
                prepared = prepare(machine, &rtl, args.metadata_clocks);
            });
            prepared.map(|()| ran)
        };
        let ran = match while_waiting(workload.name, json, run)? {
            Err(WorkloadError::Launch(error @ LaunchError::Mismatch { .. })) => {
                Err(error.to_string())
            }
            Err(error @ WorkloadError::Result { .. }) => Err(error.to_string()),
            other => Ok(other?),
        };
        let limit = is_transactional(system).then_some(limit);
        rows.push(WorkloadRow::new(workload, system, limit, ran, start.elapsed()));
    }
    let machine = match args.settings.is_empty() {
        true => args.preset.clone(),
        false => format!("{} with {}", args.preset, args.settings.join(", ")),
    };
    let report = TransactionsReport::new(machine, &config, system, args.perturb, rows);
    match json {
        true => say_json(&report)?,
        false => say(report.text()),
    }
    Ok(if report.correct { ExitCode::SUCCESS } else { ExitCode::from(MISMATCH) })
}

fn is_transactional(system: System) -> bool {
    System::TRANSACTIONAL.contains(&system)
}

/// RTL for some places, and the option of its files, if they are the user's.
struct Rtl {
    settings: RtlSettings,
    dut: DutArgs,
}

/// Puts RTL in its places in a machine, and counts the clocks of metadata tables if that is asked for.
fn prepare(machine: &mut Machine, rtl: &[Rtl], counts_clocks: bool) -> Result<(), UserError> {
    for Rtl { settings, dut } in rtl {
        let warnings = machine.use_rtl(settings).map_err(|error| match error {
            RtlError::Source(error) => dut.wrong(&error),
            error => error.into(),
        })?;
        dut.tell(&warnings)?;
    }
    if counts_clocks {
        machine.time_metadata(BackendArg::Native.chosen())?;
    }
    Ok(())
}

impl TransactionsArgs {
    /// The machine.
    fn config(&self, system: System) -> Result<Config, UserError> {
        let is_transactional = is_transactional(system);
        let options = [
            (self.concurrency.is_some(), "--concurrency"),
            (self.faithful, "--faithful"),
            (!self.settings.is_empty(), "--set"),
        ];
        if let Some((_, option)) = options.iter().find(|(given, _)| *given && !is_transactional) {
            return Err(UserError::new(format!(
                "{option} needs a memory system with transactions, and {} has none: getm, warptm, warptm-el and \
                 eapg have",
                system.name
            )));
        }
        if self.metadata_clocks && system != GETM {
            let name = system.name;
            return Err(UserError::new(format!(
                "--metadata-clocks needs metadata tables, and {name} has none: getm has"
            )));
        }
        let mut config = Config::preset(&self.preset)?;
        system.check(&config, &self.preset)?;
        for setting in &self.settings {
            let (name, value) = from_setting(setting)?;
            if name == "concurrency" {
                return Err(UserError::new(format!("`--set {setting}`: give it as --concurrency")));
            }
            let set = config.set_transactions(&name, value);
            set.map_err(|error| UserError::new(format!("`--set {setting}`: {error}")))?;
        }
        config.transactions.faithful |= self.faithful;
        Ok(config)
    }

    /// The RTL of blocks.
    fn rtl(&self, config: &Config, system: System) -> Result<Vec<Rtl>, UserError> {
        let units = [
            (getm_validation::BLOCK.name, &self.validation_dut, "--validation-dut"),
            (getm_commit::BLOCK.name, &self.commit_dut, "--commit-dut"),
        ];
        let mut places = self.rtl.clone();
        let mut all = Vec::new();
        for (block, files, option) in units {
            if files.is_empty() {
                continue;
            }
            let dut = DutArgs::of_files(files, &self.ours, option);
            let is_its = |place: &mut String| place.split('@').next() == Some(block);
            let mut its: Vec<_> = places.extract_if(.., is_its).collect();
            if its.is_empty() {
                its.push(block.to_string());
            }
            let settings = self.settings_of(its, dut.dut()?);
            all.push(Rtl { settings, dut });
        }
        if !places.is_empty() {
            all.push(Rtl { settings: self.settings_of(places, None), dut: DutArgs::default() });
        }
        for Rtl { settings, dut } in &all {
            let option = if dut.is_given() { dut.names() } else { "--rtl".to_string() };
            let chosen = settings.chosen(&(system.places)(config), system.name);
            chosen.map_err(|error| UserError::new(format!("{option}: {error}")))?;
        }
        Ok(all)
    }

    fn settings_of(
        &self,
        places: Vec<String>,
        dut: Option<warpsmith_testbench::dut::Dut>,
    ) -> RtlSettings {
        let shadow = self.shadow == Shadow::On;
        RtlSettings { places, backend: self.backend.chosen(), dut, shadow }
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
