//! Properties are as strong as the contract: what the contract finds in co-simulation, the properties find in its
//! place.

mod support;

use support::{Scratch, needs, needs_verilator};
use warpsmith::flow::folder::Folder;
use warpsmith::flow::mutate::mutation::MutationKind;
use warpsmith::flow::mutate::parts::inside;
use warpsmith::flow::mutate::planting::{CHOOSER, Mutant, Selection, draw, flattened, plant};
use warpsmith::flow::mutate::proof_netlist::Memories;
use warpsmith::flow::parallel;
use warpsmith::flow::tool::Program;
use warpsmith::flow::users::Verilog;
use warpsmith::flow::yosys::YOSYS;
use warpsmith_blocks::block::{Block, Design, Part};
use warpsmith_blocks::channel::{Channel, Strap};
use warpsmith_blocks::exercise::Exercise;
use warpsmith_blocks::parameters::Settings;
use warpsmith_blocks::properties::{NoProperties, Properties};
use warpsmith_blocks::verification::{Contract, Outcome, Partner, Reference, Stimulus};
use warpsmith_rtl::Module;
use warpsmith_testbench::agents::Stalls;
use warpsmith_testbench::backend::{Variants, verilog_source};
use warpsmith_testbench::bench::Bench;
use warpsmith_testbench::cosim::{CosimError, Plan, first_mismatch};
use warpsmith_testbench::mismatch::Mismatch;

/// Mutants per model.
const BATCH: usize = 150;
/// Runs in which the properties may find what the contract finds in its first: in each episode they are about one key,
/// the contract is about all.
const RUNS: u64 = 32;

/// Rules that the contract alone states, by their first words: bounds of many clocks, which no proof reaches, and rules of
/// `relativistic_l2` that need every request that is not answered.
const ONLY_AT_RUN_TIME: &[(&str, &str)] = &[
    (
        "zbuffer_commit",
        "a request whose depths are in the Z-cache, or for which there must be a way",
    ),
    ("relativistic_l2", "a store's ver and a lease's end are not before the now"),
    ("relativistic_l2", "a GETS is refused as a second one only"),
    ("relativistic_l2", "a copy is renewed only if nothing was stored"),
    ("relativistic_l2", "each DATA and RESULT has one read or atomic of the array"),
];

/// A block without a reference, which would find most faults before either: what is left are the handshakes, and the
/// contract or, in its place, the properties.
struct Alone<'d> {
    design: &'d dyn Design,
    by_properties: bool,
}

/// Expects whatever comes.
struct Anything;

impl Reference for Anything {
    fn accept(&mut self, _: usize, _: &[u64], _: &mut Outcome<'_>) {}

    fn taken(&mut self, channel: usize, payload: &[u64], outcome: &mut Outcome<'_>) {
        outcome.sink.expect(channel, payload);
    }

    fn state(&self) -> Vec<String> {
        Vec::new()
    }
}

impl Settings for Alone<'_> {
    fn params(&self) -> toml::Table {
        self.design.params()
    }
}

impl Design for Alone<'_> {
    fn block(&self) -> &'static Block {
        self.design.block()
    }

    fn circuit(&self) -> Module {
        self.design.circuit()
    }

    fn channels(&self) -> Vec<Channel> {
        self.design.channels()
    }

    fn straps(&self) -> Vec<Strap> {
        self.design.straps()
    }

    fn reference(&self, _: &[u64]) -> Box<dyn Reference> {
        Box::new(Anything)
    }

    fn contract(&self, straps: &[u64]) -> Option<Box<dyn Contract>> {
        self.design.contract(straps).filter(|_| !self.by_properties)
    }

    fn stimulus(&self, straps: &[u64], stream: usize) -> Box<dyn Stimulus> {
        self.design.stimulus(straps, stream)
    }

    fn partner(&self) -> Option<Box<dyn Partner>> {
        self.design.partner()
    }

    fn exercise(&self) -> Exercise {
        self.design.exercise()
    }

    fn properties(&self, inside: bool) -> Result<Properties, NoProperties> {
        self.design.properties(inside)
    }
}

/// Counts of the faults that the contract finds.
#[derive(Default)]
struct Tally {
    found: usize,
    /// Faults that only a rule of the contract alone finds.
    excused: usize,
    /// The others that the properties do not find.
    lost: Vec<String>,
}

/// Judges faults of a block at `tiny` by its contract, and those that it finds by its properties.
fn judge(block: &str, count: u32) -> Tally {
    let block = warpsmith_blocks::find(block).expect("the block");
    let design = block.configure("tiny", &[]).expect("a preset");
    let (circuit, scratch) = (design.circuit(), Scratch::new());
    let folder = Folder::empty(&scratch.path("work")).expect("a folder");
    let yosys = YOSYS.find().expect("yosys");
    let source = Verilog::plain(verilog_source(&circuit).expect("Verilog"));
    let mutants = drawn(&yosys, &folder, &source, &*design, count);
    let alone = [false, true].map(|by_properties| Alone { design: &*design, by_properties });
    let [contract, properties] = [&alone[0], &alone[1]].map(|alone| Bench::new(alone, &circuit));
    let mut tally = Tally::default();
    for batch in mutants.chunks(BATCH) {
        let planted = plant(&yosys, &folder, &source.top, batch, "mutants", Memories::CutOut);
        let planted = planted.expect("mutants");
        let (layout, width) = (circuit.port_layout(), planted.width);
        let variants = Variants::of_verilog(&planted.verilog, &layout, CHOOSER, width);
        let variants = variants.expect("a model");
        let run = |bench, choice, seed| {
            let stalls = Stalls::Random;
            let plan = Plan { requests: 100_000, seed, stream: 0, stalls, episodes: None };
            first_mismatch(bench, &variants.models(choice), &plan)
        };
        for bench in [&contract, &properties] {
            let mismatch = run(bench, 0, 1).expect("a run");
            assert!(mismatch.is_none(), "{} without a fault: {mismatch:?}", block.name);
        }
        let numbers: Vec<_> = (1..).zip(batch).collect();
        let judged = parallel::each(&numbers, |&(choice, mutant)| {
            let Some(mismatch) = run(&contract, choice, 1)? else { return Ok(Tally::default()) };
            let mut tally = Tally { found: 1, ..Tally::default() };
            let is_excused = is_excused(block.name, &mismatch);
            for seed in 1..=if is_excused { 1 } else { RUNS } {
                if run(&properties, choice, seed)?.is_some() {
                    return Ok(tally);
                }
            }
            match is_excused {
                true => tally.excused = 1,
                false => tally.lost.push(told(mutant, &mismatch)),
            }
            Ok::<_, CosimError>(tally)
        });
        for Tally { found, excused, lost } in judged.into_iter().map(|one| one.expect("a run")) {
            tally.found += found;
            tally.excused += excused;
            tally.lost.extend(lost);
        }
    }
    tally
}

/// Mutants of a block's own kinds, outside of parts whose own contract is assumed in its proof.
fn drawn(
    yosys: &Program,
    folder: &Folder,
    source: &Verilog,
    design: &dyn Design,
    count: u32,
) -> Vec<Mutant> {
    let kinds = MutationKind::OWN.to_vec();
    let selection = Selection { kinds, count: Some(count), seed: 1, only: None };
    let mut drawn = draw(yosys, folder, source, &selection, &design.hashing()).expect("mutants");
    let assumed = design.properties(true).expect("properties").parts;
    let is_assumed = |part: &Part| assumed.iter().any(|module| module.name == part.design.name());
    let parts: Vec<_> = design.parts().into_iter().filter(is_assumed).collect();
    let whole = flattened(folder, &source.top).expect("a netlist");
    let inside = inside(&parts, source, &whole, &drawn);
    drawn.retain(|mutant| !inside.contains(&mutant.number));
    drawn
}

fn is_excused(block: &str, mismatch: &Mismatch) -> bool {
    let rule = mismatch.rule.as_ref().map_or("", |broken| broken.rule);
    ONLY_AT_RUN_TIME.iter().any(|(of, words)| *of == block && rule.starts_with(words))
}

/// A mutant, and what the contract says of it.
fn told(mutant: &Mutant, mismatch: &Mismatch) -> String {
    let Mutant { number, change, signal, location, .. } = mutant;
    let line = location.as_ref().map_or("", |location| &location.text);
    let (signal, divergence) = (signal.as_deref().unwrap_or("?"), &mismatch.divergence);
    let rule = mismatch.rule.as_ref().map_or("", |broken| broken.rule);
    format!("mutant {number}, {signal}: {change}\n  {line}\n  {divergence}: {rule}\n")
}

#[track_caller]
fn are_as_strong(block: &str, count: u32) {
    let test = "properties_are_as_strong_as_the_contract";
    if !(needs_verilator(test) && needs(test, &YOSYS)) {
        return;
    }
    let Tally { found, excused, lost } = judge(block, count);
    let both = found - excused - lost.len();
    println!(
        "{block}: the contract finds {found} faults, the properties {both}; excused {excused}"
    );
    assert!(both > 0, "{block}");
    assert!(lost.is_empty(), "{block}: only the contract finds\n{}", lost.concat());
}

/// A test for each block.
macro_rules! blocks {
    ($($block:ident),* $(,)?) => {
        mod the_properties_find_what_the_contract_finds_of {
            $(
                #[test]
                #[ignore = "nightly: 300 faults, for minutes"]
                fn $block() {
                    super::are_as_strong(stringify!($block), 300);
                }
            )*
        }

        #[test]
        fn each_block_has_a_test() {
            let names: Vec<_> = warpsmith_blocks::all().iter().map(|block| block.name).collect();
            assert_eq!(names, [$(stringify!($block)),*]);
        }
    };
}

blocks! {
    bloom_filter,
    chopin_composition_scheduler,
    chopin_draw_scheduler,
    getm_commit,
    getm_metadata,
    getm_rollover_ring,
    getm_stall_buffer,
    getm_validation,
    hmg_directory,
    qr_write_cache,
    relativistic_l2,
    s_fifo,
    zbuffer_commit,
}
