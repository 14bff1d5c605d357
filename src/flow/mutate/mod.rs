//! Mutation: small faults in a circuit's netlist, and which of them its verification finds.
//!
//! Every mutant goes through co-simulation; those that pass it go to proofs. What is left is a fault
//! that nothing finds, or one that cannot be told from the circuit and for which no proof was found.

pub mod edit;
pub mod equivalence;
pub mod judge;
pub mod location;
pub mod miter;
pub mod mutation;
pub mod own;
pub mod planting;
pub mod properties;
pub mod record;
pub mod replay;
pub mod verdicts;

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use sha2::{Digest, Sha256};
use warpsmith_rtl::netlist::Netlist;
use warpsmith_testbench::backend::verilog_source;
use warpsmith_testbench::bench::Bench;

use self::equivalence::{MOST_MEMORY_BITS, Provers};
use self::judge::Judge;
use self::planting::{Selection, draw, plant};
use self::record::{Counts, Judged, MutationRecord};
use self::verdicts::Verdicts;
use super::folder::Folder;
use super::synth::Subject;
use super::{FlowError, Tell};

/// Mutants in one model: it evaluates all of them on every clock, so that many make it slow, and is
/// built for some seconds, so that few do not pay.
const BATCH: usize = 200;

/// How mutants are made and judged.
#[derive(Clone, Debug)]
pub struct MutationOptions {
    /// Mutants to make. The seed is that of co-simulation too.
    pub selection: Selection,
    /// Requests that each mutant is given at most.
    pub requests: u64,
    /// Mutants judged at the same time.
    pub jobs: usize,
    /// Time limit of the proofs about a mutant.
    pub proof_limit: Duration,
    /// The folder to work in; what an earlier run found there is used.
    pub folder: PathBuf,
}

/// Makes mutants of a design's circuit and judges them.
///
/// # Errors
/// See [`FlowError`].
pub fn mutate(
    subject: &Subject<'_>,
    options: &MutationOptions,
    tell: Tell<'_>,
) -> Result<MutationRecord, FlowError> {
    let started = Instant::now();
    let provers = Provers::find(subject.design)?;
    let circuit = subject.design.circuit();
    let source = verilog_source(&circuit)?;
    let folder = Folder::kept(&options.folder)?;
    let verdicts = Verdicts::open(&folder, &identity(subject, options, &provers))?;

    tell("drawing mutations");
    let drawn = draw(&provers.yosys, &folder, &source, &options.selection)?;
    let bench = Bench::new(subject.design, &circuit);
    let (known, new): (Vec<_>, Vec<_>) =
        drawn.into_iter().partition(|mutant| verdicts.known(&mutant.mutation).is_some());
    let known = known.into_iter().filter_map(|mutant| {
        let verdict = verdicts.known(&mutant.mutation)?.clone();
        Some(Judged { mutant, ..verdict })
    });
    let proofs = Netlist::flatten(&circuit)?.storage().memory_bits <= MOST_MEMORY_BITS;
    let mut mutants: Vec<_> = known.collect();
    let resumed = mutants.len() as u32;
    let count = mutants.len() + new.len();
    for (batch, batch_mutants) in new.chunks(BATCH).enumerate() {
        tell("building a model of mutants");
        let name = format!("mutants-{batch}");
        let planted = plant(&provers.yosys, &folder, &source.top, batch_mutants, &name, proofs)?;
        let judge = Judge::new(&provers, &folder, &planted, (subject, &bench), options)?;
        let done = Mutex::new(&mut mutants);
        judge.all(batch_mutants, &|judged| {
            verdicts.keep(&judged)?;
            let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
            done.push(judged);
            tell(&progress(&done, count));
            Ok(())
        })?;
    }
    mutants.sort_by_key(|judged| judged.mutant.number);

    let counts = Counts::of(&mutants);
    Ok(MutationRecord {
        block: subject.design.name(),
        preset: subject.preset.to_string(),
        params: subject.design.params(),
        count: options.selection.count,
        seed: options.selection.seed,
        kinds: Counts::of_kinds(&mutants),
        requests: options.requests,
        score_percent: counts.score_percent(),
        counts,
        resumed,
        mutants,
        seconds: started.elapsed().as_secs_f64(),
        properties_not_searched: provers.properties.as_ref().err().cloned(),
        tools: provers.used(),
        folder: folder.path().to_owned(),
    })
}

/// All that decides verdicts beside the mutation: what an earlier run found holds for the same only.
/// This program is part of it, since it holds stimulus, reference and contract.
fn identity(subject: &Subject<'_>, options: &MutationOptions, provers: &Provers) -> String {
    let program = std::env::current_exe().and_then(std::fs::read).unwrap_or_default();
    let mut hash = Sha256::new();
    hash.update(Sha256::digest(program));
    let MutationOptions { selection, requests, proof_limit, .. } = options;
    let seed = selection.seed;
    let versions: Vec<_> = provers.used().into_iter().map(|tool| tool.version).collect();
    let (name, params) = (subject.design.name(), subject.design.params());
    hash.update(format!("{name} {params} {seed} {requests} {proof_limit:?} {versions:?}"));
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

fn progress(done: &[Judged], of: usize) -> String {
    let Counts { killed, killed_by_proof, equivalent, survived, .. } = Counts::of(done);
    let killed = killed + killed_by_proof;
    format!(
        "{} of {of} mutants: {killed} killed, {equivalent} equivalent, {survived} survived",
        done.len()
    )
}
