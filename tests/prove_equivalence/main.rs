//! `warpsmith prove --equiv`: two circuits in Verilog are equivalent, or differ in a clock that is told.

mod cases;
mod circuit;
mod judge;
#[path = "../support/mod.rs"]
mod support;

use std::collections::BTreeMap;
use std::fs;
use std::sync::Mutex;

use circuit::Circuit;
use judge::{judge, sites};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use support::prove::{json, provers};
use support::{Ended, Scratch, run};
use warpsmith::flow::parallel;
use warpsmith::flow::yosys::YOSYS;

const TWO_BITS: &str = "module m (input wire clk, input wire rst, input wire up, \
                        output wire [1:0] q);\n    reg [1:0] count;\n    always @(posedge clk)\n        \
                        if (rst) count <= 0; else if (up) count <= count + 2'd1;\n    assign q = count;\n\
                        endmodule\n";
/// The same counter in another encoding, so that no register has a counterpart.
const ONE_HOT: &str = "module m (input wire clk, input wire rst, input wire up, \
                       output wire [1:0] q);\n    reg [3:0] place;\n    always @(posedge clk)\n        \
                       if (rst) place <= 4'd1; else if (up) place <= {place[2:0], place[3]};\n    \
                       assign q = {place[3] | place[2], place[3] | place[1]};\nendmodule\n";

fn equivalence(a: &str, b: &str) -> Ended {
    let scratch = Scratch::new();
    fs::write(scratch.path("a.v"), a).expect("writable");
    fs::write(scratch.path("b.v"), b).expect("writable");
    run(&scratch, &["prove", "--equiv", "a.v", "b.v", "--top", "m", "--timeout", "60", "--json"])
}

#[test]
fn two_encodings_of_a_counter_are_equivalent() {
    if provers("two encodings") {
        let ended = equivalence(TWO_BITS, ONE_HOT);
        assert_eq!((ended.code, &json(&ended)["verdict"]), (0, &"proven".into()));
    }
}

#[test]
fn a_counter_that_skips_a_value_is_different_in_a_clock_that_is_told() {
    if provers("a counter that skips") {
        let skips = TWO_BITS.replace("count + 2'd1", "count + (count == 2'd2 ? 2'd2 : 2'd1)");
        let ended = equivalence(TWO_BITS, &skips);
        let record = json(&ended);
        assert_eq!((ended.code, &record["verdict"]), (1, &"different".into()));
        assert!(record["clock"].as_u64().expect("a clock") >= 3, "{record}");
    }
}

#[test]
fn ports_that_differ_are_refused_by_name() {
    if provers("ports that differ") {
        let ended = equivalence(TWO_BITS, &TWO_BITS.replace("up", "down"));
        assert_eq!(ended.code, 2);
        assert!(ended.stderr.contains("port up of m"), "{}", ended.stderr);
    }
}

#[test]
fn the_emitted_directory_is_equivalent_to_its_mapped_netlist() {
    if !provers("the mapped netlist") {
        return;
    }
    let scratch = Scratch::new();
    assert_eq!(run(&scratch, &["emit", "hmg_directory", "--out", "out"]).code, 0);
    let folder = scratch.path("out/hmg_directory/tiny");
    let mut rtl = String::new();
    for file in fs::read_dir(folder).expect("emitted") {
        let path = file.expect("a file").path();
        if path.extension().is_some_and(|extension| extension == "v") {
            rtl += &fs::read_to_string(path).expect("emitted");
        }
    }
    fs::write(scratch.path("rtl.v"), rtl).expect("writable");
    let script = "read_verilog rtl.v\nsynth -nofsm -flatten -top hmg_directory\nabc -g AND,XOR\nopt_clean\n\
                  write_verilog -noattr netlist.v\n";
    let yosys = YOSYS.find().expect("it is there");
    fs::write(scratch.path("map.ys"), script).expect("writable");
    let folder = scratch.path("");
    let limit = std::time::Duration::from_secs(600);
    yosys.run(&folder, &["-s", "map.ys"], "map.log", limit).expect("mapped");
    let arguments = ["prove", "--equiv", "rtl.v", "netlist.v", "--top", "hmg_directory", "--json"];
    let ended = run(&scratch, &arguments);
    assert_eq!(ended.code, 0, "{}{}", ended.stdout, ended.stderr);
}

/// The seed: `WARPSMITH_SEED`, or a fixed one.
fn seed(fixed: u64) -> u64 {
    let given = std::env::var("WARPSMITH_SEED").ok().and_then(|seed| seed.parse().ok());
    given.unwrap_or(fixed)
}

/// A pair of random circuits, and a verdict on it that the judge contradicts, if any.
fn contradiction(seed: u64, verdicts: &Mutex<BTreeMap<String, u32>>) -> Option<String> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let a = Circuit::random(&mut rng);
    // Each undefined bit of the second doubles what the judge has to look at.
    let b = std::iter::repeat_with(|| a.changed(&mut rng)).take(50).find(|b| sites(b) <= 6)?;
    let ended = equivalence(&a.verilog(), &b.verilog());
    let record = json(&ended);
    let from_reset = record["from"] != "power-up";
    let truth = judge(&a, &b, from_reset);
    let verdict = record["verdict"].as_str().unwrap_or("none").to_string();
    let notes = record["notes"].to_string();
    let is_right = match (verdict.as_str(), ended.code) {
        ("proven", 0) => {
            !truth.hardware
                && !truth.simulated
                && truth.undefined == notes.contains("a simulator shows")
        }
        ("different", 1) => truth.simulated || truth.undefined,
        // A simulator hides what is undefined.
        ("not_proven", 1) => truth.hardware && !(truth.simulated || truth.undefined),
        _ => false,
    };
    *verdicts.lock().expect("no panic").entry(verdict.clone()).or_default() += 1;
    let (a, b) = (a.verilog(), b.verilog());
    (!is_right).then(|| {
        format!(
            "seed {seed}: {verdict} from {}, but {truth:?}\n{}\n{a}\n{b}",
            record["from"], ended.stdout
        )
    })
}

/// As many random pairs as `WARPSMITH_PAIRS` says, or as given.
fn no_verdict_is_contradicted(first: u64, pairs: u64) {
    let given = std::env::var("WARPSMITH_PAIRS").ok().and_then(|pairs| pairs.parse().ok());
    let pairs = given.unwrap_or(pairs);
    if !provers("random pairs") {
        return;
    }
    println!("seeds {first} to {}", first + pairs - 1);
    let verdicts = Mutex::new(BTreeMap::new());
    let seeds: Vec<_> = (first..first + pairs).collect();
    let found = parallel::each(&seeds, |seed| Ok::<_, ()>(contradiction(*seed, &verdicts)));
    let found: Vec<_> = found.into_iter().filter_map(|found| found.expect("no error")).collect();
    let verdicts = verdicts.into_inner().expect("no panic");
    println!("{verdicts:?}");
    assert!(found.is_empty(), "{} of {pairs}:\n{}", found.len(), found.join("\n"));
    // Both verdicts are given often enough to mean something.
    assert!(verdicts["proven"] as u64 > pairs / 10 && verdicts["different"] as u64 > pairs / 10);
}

#[test]
fn verdicts_on_random_pairs_are_those_of_exhaustive_four_valued_simulation() {
    no_verdict_is_contradicted(seed(1), 300);
}

#[test]
#[ignore = "nightly: ten times as many"]
fn verdicts_on_many_random_pairs_are_those_of_exhaustive_four_valued_simulation() {
    let fresh =
        std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).expect("after 1970");
    no_verdict_is_contradicted(seed(fresh.as_secs()), 3000);
}
