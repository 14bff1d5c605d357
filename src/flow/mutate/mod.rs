//! Mutation: small faults in a circuit's netlist, and which of them its verification finds.
//!
//! Every mutant goes through co-simulation; those that pass it go to proofs. What is left is a fault
//! that nothing finds, or one that cannot be told from the circuit and for which no proof was found.

pub mod equivalence;
pub mod location;
pub mod miter;
pub mod mutation;
pub mod planting;
pub mod record;
pub mod replay;
pub mod verdicts;

use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use sha2::{Digest, Sha256};
use warpsmith_testbench::agents::Stalls;
use warpsmith_testbench::backend::{Variants, verilog_source};
use warpsmith_testbench::bench::Bench;
use warpsmith_testbench::cosim::{Plan, first_mismatch};

use self::equivalence::{Proof, Provers, equivalence};
use self::planting::{CHOOSER, Mutant, Planted, plant};
use self::record::{Counts, Judged, MutationRecord, Verdict};
use self::replay::replay;
use self::verdicts::Verdicts;
use super::abc::ABC;
use super::folder::Folder;
use super::synth::Subject;
use super::yosys::YOSYS;
use super::{FlowError, Tell};

/// How mutants are made and judged.
#[derive(Clone, Debug)]
pub struct MutationOptions {
    /// Mutants to make.
    pub count: u32,
    /// Seed of the choice of mutations and of co-simulation.
    pub seed: u32,
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
    let provers = Provers { yosys: YOSYS.find()?, abc: ABC.find()? };
    let circuit = subject.design.circuit();
    let source = verilog_source(&circuit)?;
    let folder = Folder::kept(&options.folder)?;
    let verdicts = Verdicts::open(&folder, &identity(subject, options, &provers))?;

    tell("making the mutants");
    let planted = plant(&provers.yosys, &folder, &source, options.count, options.seed)?;
    tell("building the model of all mutants");
    let bench = Bench::new(subject.design, &circuit);
    let judge = Judge::new(&provers, &folder, &planted, &bench, options)?;
    let mutants = judge.all(&verdicts, tell)?;

    let counts = Counts::of(&mutants);
    let is_known = |judged: &&Judged| verdicts.known(&judged.mutant.mutation).is_some();
    Ok(MutationRecord {
        block: subject.design.name(),
        preset: subject.preset.to_string(),
        params: subject.design.params(),
        count: options.count,
        seed: options.seed,
        requests: options.requests,
        score_percent: counts.score_percent(),
        counts,
        resumed: mutants.iter().filter(is_known).count() as u32,
        mutants,
        seconds: started.elapsed().as_secs_f64(),
        tools: [&provers.yosys, &provers.abc].map(Into::into).into(),
        folder: folder.path().to_owned(),
    })
}

/// All that decides verdicts beside the mutation: what an earlier run found holds for the same only.
/// This program is part of it, since it holds stimulus, reference and contract.
fn identity(subject: &Subject<'_>, options: &MutationOptions, provers: &Provers) -> String {
    let program = std::env::current_exe().and_then(std::fs::read).unwrap_or_default();
    let mut hash = Sha256::new();
    hash.update(Sha256::digest(program));
    let MutationOptions { seed, requests, proof_limit, .. } = options;
    let versions = [&provers.yosys, &provers.abc].map(|tool| &tool.version_text);
    let (name, params) = (subject.design.name(), subject.design.params());
    hash.update(format!("{name} {params} {seed} {requests} {proof_limit:?} {versions:?}"));
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Judges mutants of one netlist.
pub struct Judge<'a> {
    provers: &'a Provers,
    folder: &'a Folder,
    planted: &'a Planted,
    bench: &'a Bench<'a>,
    variants: Variants,
    plan: Plan,
    options: &'a MutationOptions,
}

impl<'a> Judge<'a> {
    /// Builds the model and makes sure that the circuit itself is not found faulty.
    ///
    /// # Errors
    /// See [`FlowError`].
    pub fn new(
        provers: &'a Provers,
        folder: &'a Folder,
        planted: &'a Planted,
        bench: &'a Bench<'a>,
        options: &'a MutationOptions,
    ) -> Result<Self, FlowError> {
        let layout = bench.layout();
        let variants = Variants::of_verilog(&planted.verilog, layout, CHOOSER, planted.width)?;
        let seed = u64::from(options.seed);
        let plan = Plan { requests: options.requests, seed, stream: 0, stalls: Stalls::Random };
        let judge = Self { provers, folder, planted, bench, variants, plan, options };
        match first_mismatch(bench, &judge.variants.models(0), &plan)? {
            None => Ok(judge),
            Some(mismatch) => Err(FlowError::Input(format!(
                "{} differs from its reference without any mutation: {}; see `warpsmith cosim`",
                planted.top, mismatch.divergence
            ))),
        }
    }

    /// Judges all mutants whose verdict is not known.
    ///
    /// # Errors
    /// See [`FlowError`].
    pub fn all(&self, verdicts: &Verdicts, tell: Tell<'_>) -> Result<Vec<Judged>, FlowError> {
        let mutants = &self.planted.mutants;
        let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
        let done = Mutex::new(Vec::with_capacity(mutants.len()));
        let worker = || -> Result<(), FlowError> {
            while let (false, Some(mutant)) =
                (stop.load(Ordering::Relaxed), mutants.get(next.fetch_add(1, Ordering::Relaxed)))
            {
                let judged = match verdicts.known(&mutant.mutation) {
                    Some(known) => Judged { mutant: mutant.clone(), ..known.clone() },
                    None => {
                        let judged = self
                            .one(mutant)
                            .inspect_err(|_| stop.store(true, Ordering::Relaxed))?;
                        verdicts.keep(&judged)?;
                        judged
                    }
                };
                let mut done = done.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                done.push(judged);
                tell(&progress(&done, mutants.len()));
            }
            Ok(())
        };
        thread::scope(|scope| {
            let workers: Vec<_> = (0..self.options.jobs).map(|_| scope.spawn(worker)).collect();
            let ends =
                workers.into_iter().map(|worker| worker.join().expect("a worker does not panic"));
            ends.collect::<Result<Vec<()>, _>>()
        })?;
        let mut done = done.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        done.sort_by_key(|judged| judged.mutant.number);
        Ok(done)
    }

    fn one(&self, mutant: &Mutant) -> Result<Judged, FlowError> {
        let started = Instant::now();
        let models = self.variants.models(u64::from(mutant.number));
        let mismatch = first_mismatch(self.bench, &models, &self.plan)?;
        let simulation = started.elapsed();
        let verdict = match mismatch {
            Some(mismatch) => Verdict::Killed {
                how: mismatch.divergence.to_string(),
                requests: mismatch.accepted,
            },
            None => self.prove(mutant)?,
        };
        Ok(Judged {
            mutant: mutant.clone(),
            verdict,
            simulation_seconds: simulation.as_secs_f64(),
            proof_seconds: (started.elapsed() - simulation).as_secs_f64(),
        })
    }

    fn prove(&self, mutant: &Mutant) -> Result<Verdict, FlowError> {
        let Self { provers, folder, planted, bench, .. } = *self;
        let limit = self.options.proof_limit;
        Ok(match equivalence(provers, folder, planted, bench, mutant.number, limit)? {
            Proof::Equivalent => Verdict::Equivalent,
            Proof::Different(trace) => {
                let difference = replay(bench, &self.variants, mutant.number, &trace)?;
                Verdict::Survived { difference: Some(difference), open: None }
            }
            Proof::Open(why) => Verdict::Survived { difference: None, open: Some(why) },
        })
    }
}

fn progress(done: &[Judged], of: usize) -> String {
    let Counts { killed, killed_by_proof, equivalent, survived, .. } = Counts::of(done);
    let killed = killed + killed_by_proof;
    format!(
        "{} of {of} mutants: {killed} killed, {equivalent} equivalent, {survived} survived",
        done.len()
    )
}
