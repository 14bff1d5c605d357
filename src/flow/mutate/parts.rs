//! Mutants inside a part that is a block of its own: what the whole cannot cause is tested in the part alone,
//! where every channel is open.
//!
//! The part's cell is found in the netlist of the part alone by its [`CellKey`]; cells with the same key are
//! matched in the order in which yosys made them.

use std::collections::{HashMap, HashSet};
use std::sync::Mutex;

use warpsmith_blocks::block::Part;
use warpsmith_blocks::same_row::Hashing;
use warpsmith_testbench::bench::Bench;

use super::equivalence::{MOST_MEMORY_BITS, Provers};
use super::judge::Judge;
use super::location::{CellKey, Names};
use super::mutation::Mutation;
use super::planting::{Mutant, Selection, flattened, mutant, plant, prepare};
use super::proof_netlist::Memories;
use super::record::{Judged, MutantVerdict};
use super::smaller::{self, Site, Use};
use super::verdicts::Verdicts;
use super::{BATCH, MutationOptions, memory_bits};
use crate::flow::FlowError;
use crate::flow::folder::Folder;
use crate::flow::netlist::Module;
use crate::flow::synth::Subject;
use crate::flow::users::Verilog;

/// Numbers of the mutants in parts that the source defines: their proofs are left to [`judge_alone`].
pub fn inside(
    parts: &[Part],
    source: &Verilog,
    whole: &Module,
    mutants: &[Mutant],
) -> HashSet<u32> {
    let names = Names::new(whole, &source.files);
    let is_defined = |part: &&Part| source.defines(part.design.name());
    let parts: Vec<_> = parts.iter().filter(is_defined).collect();
    let is_inside = |mutant: &&Mutant| {
        parts.iter().any(|part| names.key_in(part.instance, &mutant.mutation.cell).is_some())
    };
    mutants.iter().filter(is_inside).map(|mutant| mutant.number).collect()
}

/// Judges the survivors in a part within the part alone.
///
/// # Errors
/// Returns [`FlowError`] if a tool is missing or fails.
pub fn judge_alone<'m>(
    part: &Part,
    source: &Verilog,
    options: &MutationOptions,
    provers: &Provers,
    folder: &Folder,
    verdicts: &Verdicts,
    mutants: impl Iterator<Item = &'m mut Judged>,
) -> Result<(), FlowError> {
    let block = part.design.name();
    // A user's design may lack the part.
    if !source.defines(block) {
        return Ok(());
    }
    let whole = flattened(folder, &source.top)?;
    let of_whole = Names::new(&whole, &source.files);
    let is_open = |judged: &&mut Judged| {
        matches!(judged.verdict, MutantVerdict::Survived { .. })
            && of_whole.key_in(part.instance, &judged.mutant.mutation.cell).is_some()
    };
    let open: Vec<_> = mutants.filter(is_open).collect();
    if open.is_empty() {
        return Ok(());
    }
    let folder = Folder::kept(&folder.file(part.instance))?;
    let source = source.below(block);
    let nothing = Selection { kinds: Vec::new(), count: None, seed: 0, only: None };
    prepare(&provers.yosys, &folder, &source, &nothing)?;
    let alone = flattened(&folder, block)?;
    let names = Names::new(&alone, &source.files);
    let cells = Cells::new(&of_whole, part.instance, &names);
    let hashing = match &options.source {
        None => part.design.hashing(),
        Some(_) => Hashing::default(),
    };
    let (mut open, alone_mutants): (Vec<_>, Vec<_>) = open
        .into_iter()
        .filter_map(|judged| {
            let mutation = &judged.mutant.mutation;
            let cell = cells.alone(&of_whole, &mutation.cell)?;
            let mutation = Mutation { cell, ..mutation.clone() };
            let alone = mutant(&names, judged.mutant.number, mutation, &hashing);
            Some((judged, alone))
        })
        .unzip();
    let memories = match memory_bits(&alone) {
        0..=MOST_MEMORY_BITS => Memories::Registers,
        _ => Memories::CutOut,
    };
    let circuit = part.design.circuit();
    let bench = Bench::new(&*part.design, &circuit);
    let subject = Subject { design: &*part.design, preset: "custom" };
    let mut undecided = Vec::new();
    let batches = open.chunks_mut(BATCH).zip(alone_mutants.chunks(BATCH));
    for (batch, (open, mutants)) in batches.enumerate() {
        let name = format!("mutants-{batch}");
        let planted = plant(&provers.yosys, &folder, block, mutants, &name, memories)?;
        let judge = Judge::new(provers, &folder, &planted, &subject, &bench, options)?
            .with_choices(mutants)?
            .for_any_use();
        let found = Mutex::new(HashMap::new());
        judge.all(mutants, &|judged: Judged| {
            let mut found = found.lock().expect("no panic while it is held");
            found.insert(judged.mutant.number, judged.verdict);
            Ok(())
        })?;
        let mut found = found.into_inner().expect("no panic while it is held");
        for (judged, mutant) in open.iter_mut().zip(mutants) {
            let alone = |how| format!("{block} alone: {how}");
            judged.verdict = match found.remove(&judged.mutant.number) {
                Some(MutantVerdict::Killed { how, requests }) => {
                    MutantVerdict::Killed { how: alone(how), requests }
                }
                Some(MutantVerdict::KilledByProof { how }) => {
                    MutantVerdict::KilledByProof { how: alone(how) }
                }
                Some(MutantVerdict::Argued { how }) => MutantVerdict::Argued { how: alone(how) },
                // Equivalent for any use of the part, so equivalent in the whole.
                Some(MutantVerdict::Equivalent) => MutantVerdict::Equivalent,
                Some(verdict) if verdict.is_undecided() => {
                    undecided.push((Site::all_of(&names, &mutant.mutation), &mut **judged));
                    continue;
                }
                Some(MutantVerdict::Survived { .. }) | None => continue,
            };
            verdicts.keep(judged)?;
        }
    }
    if options.source.is_some() {
        return Ok(());
    }
    let (design, limit) = (&*part.design, options.proof_limit);
    for judged in smaller::argue(provers, &folder, design, Use::Any, undecided, limit)? {
        if let MutantVerdict::Argued { how } = &mut judged.verdict {
            how.insert_str(0, &format!("{block} alone: "));
        }
        verdicts.keep(judged)?;
    }
    Ok(())
}

/// Matches the part's cells in the whole with those of the part alone.
struct Cells<'a> {
    instance: &'a str,
    /// Cells of each key in the order of their numbers: in the whole, and alone.
    of_key: HashMap<CellKey<'a>, [Vec<(u64, &'a str)>; 2]>,
}

impl<'a> Cells<'a> {
    fn new(whole: &Names<'a>, instance: &'a str, alone: &Names<'a>) -> Self {
        let mut of_key: HashMap<_, [Vec<_>; 2]> = HashMap::new();
        for (side, (names, instance)) in [(whole, instance), (alone, "")].into_iter().enumerate() {
            for cell in names.cells() {
                if let Some((key, number)) = names.key_in(instance, cell) {
                    of_key.entry(key).or_default()[side].push((number, cell));
                }
            }
        }
        of_key.values_mut().flatten().for_each(|cells| cells.sort_unstable());
        Self { instance, of_key }
    }

    /// The cell of the part alone; none if the two netlists have different numbers of cells with its key.
    fn alone(&self, whole: &Names<'a>, cell: &str) -> Option<String> {
        let (key, number) = whole.key_in(self.instance, cell)?;
        let [whole, alone] = self.of_key.get(&key)?;
        let index = whole.iter().position(|(other, _)| *other == number)?;
        (whole.len() == alone.len()).then(|| alone[index].1.to_string())
    }
}
