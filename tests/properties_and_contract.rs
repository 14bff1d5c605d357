//! Properties are as strong as the contract: what the contract finds in co-simulation, the properties find in its
//! place.

mod support;

use support::{Scratch, needs, needs_verilator};
use warpsmith::flow::folder::Folder;
use warpsmith::flow::mutate::mutation::MutationKind;
use warpsmith::flow::mutate::planting::{CHOOSER, Mutant, Selection, draw, plant};
use warpsmith::flow::mutate::proof_netlist::Memories;
use warpsmith::flow::parallel;
use warpsmith::flow::yosys::YOSYS;
use warpsmith_blocks::block::{Block, Design};
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
/// Runs in which the properties may find what the contract finds in the first: in each episode they look at one key,
/// where the contract looks at all.
const RUNS: u64 = 8;

fn plan(run: u64) -> Plan {
    Plan { requests: 100_000, seed: run + 1, stream: 0, stalls: Stalls::Random, episodes: None }
}

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

    fn reference(&self, straps: &[u64]) -> Box<dyn Reference> {
        if std::env::var_os("BESIDE").is_some() {
            return self.design.reference(straps);
        }
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

/// The faults that the contract of a block at `tiny` finds in co-simulation, and of these the ones that its properties do
/// not find in its place.
fn found_and_lost(block: &str, count: u32) -> (usize, Vec<String>) {
    let block = warpsmith_blocks::find(block).expect("the block");
    let design = block.configure("tiny", &[]).expect("a preset");
    let circuit = design.circuit();
    let (yosys, scratch) = (YOSYS.find().expect("yosys"), Scratch::new());
    let folder = Folder::empty(&scratch.path("work")).expect("a folder");
    let source = verilog_source(&circuit).expect("Verilog");
    let kinds = MutationKind::OWN.to_vec();
    let selection = Selection { kinds, count: Some(count), seed: 1, only: None };
    let drawn = draw(&yosys, &folder, &source, &selection, &design.hashing()).expect("mutants");
    let alone = [false, true].map(|by_properties| Alone { design: &*design, by_properties });
    let [contract, properties] = [&alone[0], &alone[1]].map(|alone| Bench::new(alone, &circuit));
    let (mut found, mut lost) = (0, Vec::new());
    for batch in drawn.chunks(BATCH) {
        let planted = plant(&yosys, &folder, &source.top, batch, "mutants", Memories::CutOut)
            .expect("mutants");
        let (layout, width) = (circuit.port_layout(), planted.width);
        let variants = Variants::of_verilog(&planted.verilog, &layout, CHOOSER, width);
        let variants = variants.expect("a model");
        let first =
            |bench, choice, run| first_mismatch(bench, &variants.models(choice), &plan(run));
        for bench in [&contract, &properties] {
            let mismatch = first(bench, 0, 0).expect("a run");
            assert!(mismatch.is_none(), "{} without a fault: {mismatch:?}", block.name);
        }
        let numbers: Vec<_> = (1..).zip(batch).collect();
        let judged = parallel::each(&numbers, |&(choice, mutant)| {
            let Some(mismatch) = first(&contract, choice, 0)? else { return Ok(None) };
            for run in 0..RUNS {
                if first(&properties, choice, run)?.is_some() {
                    return Ok(Some(None));
                }
            }
            Ok::<_, CosimError>(Some(Some(told(mutant, &mismatch))))
        });
        for judged in judged.into_iter().filter_map(|judged| judged.expect("a run")) {
            found += 1;
            lost.extend(judged);
        }
    }
    (found, lost)
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
    let (found, lost) = found_and_lost(block, count);
    println!("{block}: the contract finds {found} faults, the properties {}", found - lost.len());
    assert!(found > 0, "{block}");
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
    chopin_composition_scheduler,
    chopin_draw_scheduler,
    getm_commit,
    getm_metadata,
    getm_rollover_ring,
    getm_stall_buffer,
    getm_validation,
    hmg_directory,
    qr_write_cache,
    s_fifo,
    zbuffer_commit,
}
