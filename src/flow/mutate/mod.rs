//! Mutation: makes small faults in a circuit's netlist and tests whether verification finds them.
//!
//! Every mutant goes through co-simulation; those that pass go to proofs. A survivor is a fault that nothing
//! finds, or a mutant without a proof of equivalence.

pub mod cut;
pub mod edit;
pub mod equivalence;
pub mod free;
pub mod judge;
pub mod location;
pub mod miter;
pub mod mutation;
pub mod no_fault;
pub mod own;
pub mod parts;
pub mod planting;
pub mod proof_netlist;
pub mod properties;
pub mod reach;
pub mod record;
pub mod replay;
pub mod smaller;
pub mod verdicts;

use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use sha2::{Digest, Sha256};
use warpsmith_blocks::same_row::Hashing;
use warpsmith_testbench::backend::verilog_source;
use warpsmith_testbench::bench::Bench;

use self::equivalence::{MOST_MEMORY_BITS, Provers};
use self::judge::Judge;
use self::location::Names;
use self::own::Ram;
use self::planting::{Mutant, Selection, draw, flattened, plant};
use self::proof_netlist::Memories;
use self::record::{Counts, Judged, MutationRecord};
use self::smaller::{Site, Use};
use self::verdicts::Verdicts;
use super::folder::Folder;
use super::netlist::Module;
use super::synth::Subject;
use super::users::Verilog;
use super::{FlowError, Tell};

/// Mutants per model. The model evaluates all of them on every clock, so a large batch is slow; building it
/// takes seconds, so a small batch wastes time.
const BATCH: usize = 200;

/// How mutants are made and judged.
#[derive(Clone, Debug)]
pub struct MutationOptions {
    /// Mutants to make. The same seed is used for co-simulation.
    pub selection: Selection,
    /// Most requests for each mutant.
    pub requests: u64,
    /// Leave out mutants inside of parts that are blocks of their own.
    pub outside_parts: bool,
    /// A user's Verilog that replaces the circuit's own.
    pub source: Option<Verilog>,
    /// Mutants judged in parallel.
    pub jobs: usize,
    /// Time limit of the proofs of one mutant.
    pub proof_limit: Duration,
    /// The folder to work in; verdicts of an earlier run there are reused.
    pub folder: PathBuf,
}

/// Makes mutants of a design's circuit and judges them.
///
/// # Errors
/// Returns [`FlowError`] if a tool is missing or fails.
pub fn mutate(
    subject: &Subject<'_>,
    options: &MutationOptions,
    tell: Tell<'_>,
) -> Result<MutationRecord, FlowError> {
    let started = Instant::now();
    let provers = Provers::find(subject.design)?;
    let circuit = subject.design.circuit();
    let (source, hashing) = match &options.source {
        // Arguments hold for our circuit only.
        Some(source) => (source.clone(), Hashing::default()),
        None => (Verilog::plain(verilog_source(&circuit)?), subject.design.hashing()),
    };
    let folder = Folder::kept(&options.folder)?;
    let verdicts = Verdicts::open(&folder, &identity(subject, options, &provers))?;

    tell("drawing mutations");
    let mut drawn = draw(&provers.yosys, &folder, &source, &options.selection, &hashing)?;
    let (whole, parts) = (flattened(&folder, &source.top)?, subject.design.parts());
    let inside_parts = parts::inside(&parts, &source, &whole, &drawn);
    if options.outside_parts {
        keep_outside(&mut drawn, &inside_parts)?;
    }
    let bench = Bench::new(subject.design, &circuit);
    let (known, new): (Vec<_>, Vec<_>) =
        drawn.into_iter().partition(|mutant| verdicts.known(&mutant.mutation).is_some());
    let known = known.into_iter().filter_map(|mutant| {
        let verdict = verdicts.known(&mutant.mutation)?.clone();
        Some((mutant.number, Judged { mutant, ..verdict }))
    });
    let memories = match memory_bits(&whole) {
        0..=MOST_MEMORY_BITS => Memories::Registers,
        _ => Memories::CutOut,
    };
    let mut mutants: BTreeMap<_, _> = known.collect();
    let resumed = mutants.len() as u32;
    let count = mutants.len() + new.len();
    let judge = |batch: &[Mutant],
                 name: &str,
                 unproven: &HashSet<u32>,
                 mutants: &mut BTreeMap<u32, Judged>|
     -> Result<(), FlowError> {
        tell("building a model of mutants");
        let planted = plant(&provers.yosys, &folder, &source.top, batch, name, memories)?;
        let judge = Judge::new(&provers, &folder, &planted, subject, &bench, options)?
            .with_choices(batch)?
            .without_proofs_of(unproven);
        let done = Mutex::new(mutants);
        judge.all(batch, &|judged| {
            verdicts.keep(&judged)?;
            let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
            done.insert(judged.mutant.number, judged);
            tell(&progress(done.values(), count));
            Ok(())
        })
    };
    for (batch, batch_mutants) in new.chunks(BATCH).enumerate() {
        judge(batch_mutants, &format!("mutants-{batch}"), &inside_parts, &mut mutants)?;
    }
    for part in parts {
        tell(&format!("judging survivors in {} within that block alone", part.instance));
        let mutants = mutants.values_mut();
        parts::judge_alone(&part, &source, options, &provers, &folder, &verdicts, mutants)?;
    }
    // The whole may not use a part in every way.
    let is_left = |judged: &&Judged| {
        inside_parts.contains(&judged.mutant.number) && judged.verdict.is_undecided()
    };
    let left = mutants.values().filter(is_left).map(|judged| judged.mutant.clone());
    for (batch, batch_mutants) in left.collect::<Vec<_>>().chunks(BATCH).enumerate() {
        judge(batch_mutants, &format!("left-{batch}"), &HashSet::new(), &mut mutants)?;
    }
    let mut mutants: Vec<_> = mutants.into_values().collect();
    argue_open(subject, options, (&provers, &folder, &whole), &mut mutants, tell)?
        .into_iter()
        .try_for_each(|judged| verdicts.keep(judged))?;
    let counts = Counts::of(&mutants);
    Ok(MutationRecord {
        block: subject.design.name(),
        preset: subject.preset.to_string(),
        params: subject.design.params(),
        origin: source.origin.clone(),
        count: options.selection.count,
        seed: options.selection.seed,
        kinds: Counts::of_kinds(&mutants),
        requests: options.requests,
        score_percent: counts.score_percent(),
        counts,
        resumed,
        mutants,
        seconds: started.elapsed().as_secs_f64(),
        properties_not_searched: why_not_searched(&provers, memories),
        tools: provers.used(),
        folder: folder.path().to_owned(),
    })
}

/// Drops the mutants inside of parts.
fn keep_outside(drawn: &mut Vec<Mutant>, inside_parts: &HashSet<u32>) -> Result<(), FlowError> {
    let count = drawn.len();
    drawn.retain(|mutant| !inside_parts.contains(&mutant.number));
    match drawn.is_empty() {
        true => {
            let what = format!("--outside-parts: all {count} mutants drawn are inside of parts");
            Err(FlowError::Input(what))
        }
        false => Ok(()),
    }
}

/// The reason why no property is searched for a violation, if none is.
fn why_not_searched(provers: &Provers, memories: Memories) -> Option<String> {
    match (&provers.properties, memories) {
        (Err(why), _) => Some(why.clone()),
        (Ok(_), Memories::CutOut) => {
            Some(format!("there are more than {MOST_MEMORY_BITS} bits of memory"))
        }
        (Ok(_), Memories::Registers) => None,
    }
}

/// Proves survivors equivalent with smaller parameters, where they are of our own circuit; gives those.
fn argue_open<'j>(
    subject: &Subject<'_>,
    options: &MutationOptions,
    (provers, folder, whole): (&Provers, &Folder, &Module),
    mutants: &'j mut [Judged],
    tell: Tell<'_>,
) -> Result<Vec<&'j mut Judged>, FlowError> {
    if options.source.is_some() || subject.preset == smaller::PRESET {
        return Ok(Vec::new());
    }
    tell("proving survivors equivalent with smaller parameters");
    let names = Names::new(whole, &[]);
    let open = mutants.iter_mut().filter(|judged| judged.verdict.is_undecided());
    let open = open.map(|judged| (Site::all_of(&names, &judged.mutant.mutation), judged));
    let (design, limit) = (subject.design, options.proof_limit);
    smaller::argue(provers, folder, design, Use::Legal, open.collect(), limit)
}

/// Bits of all memories of a netlist.
fn memory_bits(module: &Module) -> u64 {
    let rams = module.cells.values().filter_map(Ram::of);
    rams.map(|ram| u64::from(ram.width) * u64::from(ram.rows)).sum()
}

/// Everything but the mutation that determines a verdict; verdicts of an earlier run are reused only if it is
/// the same. It includes this program, which contains stimulus, reference and contract.
fn identity(subject: &Subject<'_>, options: &MutationOptions, provers: &Provers) -> String {
    let program = std::env::current_exe().and_then(std::fs::read).unwrap_or_default();
    let mut hash = Sha256::new();
    hash.update(Sha256::digest(program));
    let MutationOptions { selection, requests, proof_limit, .. } = options;
    let seed = selection.seed;
    let versions: Vec<_> = provers.used().into_iter().map(|tool| tool.version).collect();
    let (name, params) = (subject.design.name(), subject.design.params());
    options.source.iter().for_each(|source| hash.update(format!("{source:?}")));
    hash.update(format!("{name} {params} {seed} {requests} {proof_limit:?} {versions:?}"));
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

fn progress<'a>(done: impl ExactSizeIterator<Item = &'a Judged>, of: usize) -> String {
    let judged = done.len();
    let Counts { killed, killed_by_proof, equivalent, argued, survived, .. } = Counts::of(done);
    let (killed, equivalent) = (killed + killed_by_proof, equivalent + argued);
    format!(
        "{judged} of {of} mutants: {killed} killed, {equivalent} equivalent, {survived} survived"
    )
}
