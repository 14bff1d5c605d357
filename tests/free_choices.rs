//! Choices that no rule fixes: circuits keep every rule whatever is chosen, and only such choices excuse a mutant.

mod support;

use std::path::PathBuf;
use std::time::Duration;

use support::{Scratch, needs, needs_verilator};
use warpsmith::flow::abc::ABC;
use warpsmith::flow::folder::Folder;
use warpsmith::flow::mutate::MutationOptions;
use warpsmith::flow::mutate::equivalence::Provers;
use warpsmith::flow::mutate::free::{cells, disturbed};
use warpsmith::flow::mutate::judge::Judge;
use warpsmith::flow::mutate::planting::{
    CHOOSER, Mutant, Selection, flattened, planted_by_hand, prepare,
};
use warpsmith::flow::mutate::proof_netlist::Memories;
use warpsmith::flow::mutate::reach::Changes;
use warpsmith::flow::mutate::record::MutantVerdict;
use warpsmith::flow::synth::Subject;
use warpsmith::flow::users::Verilog;
use warpsmith::flow::yosys::YOSYS;
use warpsmith_blocks::block::Design;
use warpsmith_blocks::free_choice::{FreeChoice, Freedom};
use warpsmith_testbench::agents::Stalls;
use warpsmith_testbench::backend::{Variants, verilog_source};
use warpsmith_testbench::bench::Bench;
use warpsmith_testbench::cosim::{Plan, first_mismatch};

fn tools(test: &str) -> bool {
    needs_verilator(test) && needs(test, &YOSYS) && needs(test, &ABC)
}

fn design(block: &str, preset: &str) -> Box<dyn Design> {
    let block = warpsmith_blocks::find(block).expect("the block");
    block.configure(preset, &[]).expect("a preset")
}

fn selection() -> Selection {
    Selection { kinds: Vec::new(), count: None, seed: 1, only: None }
}

/// The first mismatch of the circuit with its choices as they are, and at random.
fn with_choices_at_random(design: &dyn Design, choices: &[FreeChoice]) -> [Option<String>; 2] {
    let scratch = Scratch::new();
    let circuit = design.circuit();
    let (source, bench) =
        (Verilog::plain(verilog_source(&circuit).expect("Verilog")), Bench::new(design, &circuit));
    let folder = Folder::empty(&scratch.path("work")).expect("a folder");
    let yosys = YOSYS.find().expect("yosys");
    prepare(&yosys, &folder, &source, &selection()).expect("a netlist");
    // A name that is none would be left out in silence.
    let module = flattened(&folder, &source.top).expect("a netlist");
    for choice in choices {
        let found = cells(&module, std::slice::from_ref(choice));
        assert_eq!(found.len(), 1, "{}: {} is no register", source.top, choice.register);
    }
    let source = disturbed(&yosys, &folder, &source.top, bench.layout(), choices);
    let source = source.expect("a netlist with its choices released");
    let variants = Variants::of_verilog(&source, bench.layout(), CHOOSER, 1).expect("a model");
    let plan =
        Plan { requests: 50_000, seed: 1, stream: 0, stalls: Stalls::Random, episodes: None };
    [0, 1].map(|choice| {
        let mismatch = first_mismatch(&bench, &variants.models(choice), &plan).expect("a run");
        mismatch.map(|mismatch| mismatch.divergence.to_string())
    })
}

#[test]
fn circuits_keep_every_rule_whatever_is_chosen() {
    if !tools("circuits_keep_every_rule_whatever_is_chosen") {
        return;
    }
    let mut blocks = 0;
    for block in warpsmith_blocks::all() {
        for preset in ["tiny", "fpga"] {
            let design = design(block.name, preset);
            let choices = design.free_choices();
            if !choices.is_empty() {
                blocks += 1;
                let found = with_choices_at_random(&*design, &choices);
                assert_eq!(found, [None, None], "{} {preset}", block.name);
            }
        }
    }
    assert!(blocks > 0);
}

/// What is not free breaks a rule if it is chosen at random.
#[test]
fn a_choice_that_is_not_free_is_found() {
    if !tools("a_choice_that_is_not_free_is_found") {
        return;
    }
    let live = FreeChoice {
        register: "entry0_live".to_string(),
        may: Freedom::TakeAnyWhen("reserves".to_string()),
        because: "to be found",
    };
    let way = FreeChoice {
        register: "stage5_way".to_string(),
        may: Freedom::TakeAnyWhen("reserves".to_string()),
        ..live.clone()
    };
    let turn = FreeChoice::turn("turn");
    for (block, choice) in
        [("zbuffer_commit", live), ("zbuffer_commit", way), ("chopin_composition_scheduler", turn)]
    {
        let [as_it_is, at_random] =
            with_choices_at_random(&*design(block, "tiny"), std::slice::from_ref(&choice));
        assert_eq!(as_it_is, None, "{choice:?}");
        assert!(at_random.is_some(), "{choice:?}");
    }
}

/// Judges changes by hand of a block's Verilog at `tiny`, each of which is active where `mutsel` is its number. There
/// are so few requests that only a proof can tell.
fn judged_by_hand<T>(block: &str, changes: &[(&str, &str)], judge: impl Fn(Judge<'_>) -> T) -> T {
    let scratch = Scratch::new();
    let design = design(block, "tiny");
    let circuit = design.circuit();
    let mut source = verilog_source(&circuit).expect("Verilog");
    let name = format!("{block}.v");
    let top = source.files.iter_mut().find(|file| file.name == name).expect("the top");
    let port = ("input  wire clk,", "input wire [1:0] mutsel, input wire clk,");
    for (from, to) in changes.iter().chain([&port]) {
        assert!(top.text.contains(from), "`{from}`");
        top.text = top.text.replace(from, to);
    }
    let provers = Provers::find(&*design).expect("tools");
    let folder = Folder::empty(&scratch.path("work")).expect("a folder");
    let planted =
        planted_by_hand(&provers.yosys, &folder, &Verilog::plain(source), 2, Memories::Registers);
    let planted = planted.expect("a netlist");
    let options = MutationOptions {
        selection: selection(),
        outside_parts: false,
        source: None,
        requests: 200,
        jobs: 2,
        proof_limit: Duration::from_secs(2),
        folder: PathBuf::new(),
    };
    let bench = Bench::new(&*design, &circuit);
    let subject = Subject { design: &*design, preset: "tiny" };
    let made = Judge::new(&provers, &folder, &planted, &subject, &bench, &options);
    judge(made.and_then(|made| made.with_choices(&[])).expect("a sound circuit"))
}

#[test]
fn only_what_is_free_excuses_a_mutant() {
    if !tools("only_what_is_free_excuses_a_mutant") {
        return;
    }
    let changes = [
        // Requests without room try again at another clock after a reset.
        ("retry_clock <= 3'd0;", "retry_clock <= {3{mutsel == 1}};"),
        // They do not try again if another request comes at that clock.
        ("wire all_retry = ", "wire all_retry = !(mutsel == 2 && req_valid) && "),
        // Another way is evicted.
        ("above_last_way <= ", "above_last_way <= mutsel == 3 ? 2'd2 : "),
    ];
    let is_argued = judged_by_hand("zbuffer_commit", &changes, |judge| {
        [1, 2, 3].map(|number| {
            let verdict = judge.changes_choices(&Mutant::by_hand(number), number, Changes::Taken);
            let verdict = verdict.expect("a proof or none");
            matches!(verdict, Some(MutantVerdict::Argued { .. }))
        })
    });
    assert_eq!(is_argued, [true, false, true]);
}

#[test]
fn only_what_never_happens_is_the_same_in_every_state() {
    if !tools("only_what_never_happens_is_the_same_in_every_state") {
        return;
    }
    let (age, ready) = ("(place0_age == 3'd5)", "assign log_ready = ");
    let changes = [
        // An open region is never older, and is closed a clock earlier.
        (age, "(mutsel == 1 ? place0_age >= 3'd5 : place0_age == (mutsel == 2 ? 3'd4 : 3'd5))"),
        // The state is the same, but not the answer.
        (ready, "assign log_ready = !(mutsel == 3 && head == 3'd1) && "),
    ];
    let is_same = judged_by_hand("getm_commit", &changes, |judge| {
        [1, 2, 3].map(|number| {
            let same = judge.is_same_in_every_state(number, &format!("mutant-{number}"));
            same.expect("a proof or none")
        })
    });
    assert_eq!(is_same, [true, false, false]);
}
