//! What `warpsmith cosim` does about a mismatch.

use std::path::PathBuf;

use warpsmith_rtl::Module;
use warpsmith_testbench::backend::{Backend, Models};
use warpsmith_testbench::bench::Bench;
use warpsmith_testbench::cosim::{Divergent, write_waves};
use warpsmith_testbench::lockstep::registers_at;
use warpsmith_testbench::mismatch::Divergence;
use warpsmith_testbench::verilator::NO_FILE;

use super::{CosimArgs, Subject};
use crate::cli::{UserError, replay};
use crate::emission::Emission;
use crate::report::cosim::MismatchReport;

/// A mismatch within so many clocks of a reset may come of a reset that was too short.
const SOON: u64 = 16;

/// Rejects a circuit that never transfers anything as wrong input.
pub(super) fn refuse_dead(
    divergent: &Divergent,
    subject: &Subject<'_>,
    reset_clocks: u64,
) -> Result<(), UserError> {
    let divergence = &divergent.mismatch.divergence;
    match (divergence, subject) {
        (Divergence::Stuck { never_alive: true, .. }, Subject::User { dut, .. }) => {
            Err(UserError::new(format!(
                "{} does nothing after reset: {divergence}. Is the reset connected? Our `rst` is active high; \
                 --reset active-low inverts it. {}",
                dut.names(),
                reset_hint(reset_clocks)
            )))
        }
        // A file that is missing is no fault of the circuit's.
        (Divergence::Complaint { message, .. }, Subject::User { dut, .. })
            if message.contains(NO_FILE) =>
        {
            Err(UserError::new(format!(
                "{}: {message}; it is looked for from the current folder",
                dut.names()
            )))
        }
        (Divergence::Complaint { never_alive: true, .. }, Subject::User { dut, .. })
            if divergent.episode == 0 =>
        {
            Err(UserError::new(format!("{} stops before any transfer: {divergence}", dut.names())))
        }
        _ => Ok(()),
    }
}

/// How long the reset was, and how it can be longer.
fn reset_hint(clocks: u64) -> String {
    let clocks = match clocks {
        1 => "one clock".to_string(),
        clocks => format!("{clocks} clocks"),
    };
    format!("It was reset for {clocks}; --reset-clocks N resets it for longer")
}

/// Writes the shrunk stream and its waves, and reports the next steps.
pub(super) fn report_mismatch(
    args: &CosimArgs,
    bench: &Bench<'_>,
    circuit: &Module,
    subject: &Subject<'_>,
    divergent: Divergent,
) -> Result<MismatchReport, UserError> {
    let mut report = MismatchReport {
        first: divergent.mismatch,
        episode: divergent.episode,
        small: None,
        small_requests: None,
        registers: Vec::new(),
        replay_file: None,
        waves: Vec::new(),
        replay: replay::command(args, &subject.as_arguments(), None),
        notes: Vec::new(),
    };
    if matches!(subject, Subject::User { .. }) && report.first.clock <= SOON {
        let hint = reset_hint(bench.reset_clocks());
        report.notes.push(format!("soon after a reset. {hint}"));
    }
    let Some((small, mismatch)) = divergent.small else {
        if args.replay.is_none() {
            report.notes.push("shrinking failed: only the whole run shows it".to_string());
        }
        report.waves.extend(args.waves.iter().map(|path| path.display().to_string()));
        return Ok(report);
    };
    report.small_requests = Some(small.offers.len());
    if subject.is_verilated() {
        let mut model = Models::of_circuit(circuit, Backend::Native, false)?.instance()?;
        report.registers = registers_at(bench, &mut *model, &small.episode(), mismatch.clock);
    } else {
        report.registers = mismatch.registers.clone();
    }
    report.small = Some(mismatch);

    let folder = args.out.clone().unwrap_or_else(|| {
        PathBuf::from("flow-out/cosim").join(args.design.folder_name(&bench.design().params()))
    });
    let file = folder.join("mismatch.json");
    let text = serde_json::to_string_pretty(&small)? + "\n";
    match (Emission { files: vec![(file.clone(), text)] }).write() {
        Ok(()) => {
            report.replay = replay::command(args, &subject.as_arguments(), Some(&file));
            report.replay_file = Some(file.display().to_string());
        }
        Err(error) => report.notes.push(error.to_string()),
    }

    if args.no_waves {
        return Ok(report);
    }
    // The waves of a window are of the run.
    let window = args.from.is_some() || args.to.is_some();
    let chosen = args.waves.clone().filter(|_| !window);
    report
        .waves
        .extend(args.waves.iter().filter(|_| window).map(|path| path.display().to_string()));
    let native = chosen.unwrap_or_else(|| folder.join("mismatch.fst"));
    let mut record = |subject: &Subject<'_>, path: PathBuf| {
        let written = subject
            .models(bench, circuit, true)
            .and_then(|models| write_waves(bench, &models, &small, &path).map_err(UserError::from));
        match written {
            Ok(_) => report.waves.push(path.display().to_string()),
            Err(UserError(message)) => {
                report.notes.push(format!("no waves in {}: {message}", path.display()));
            }
        }
    };
    if subject.is_verilated() {
        record(subject, native.with_extension("dut.fst"));
    }
    record(&Subject::Own(Backend::Native), native);
    Ok(report)
}
