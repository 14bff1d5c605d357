//! `warpsmith mutate`: what it finds and proves, and its errors.

mod support;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::Duration;

use support::schema::document as json;
use support::{Ended, Scratch, needs, needs_verilator, refused, run, run_with};
use warpsmith::flow::abc::ABC;
use warpsmith::flow::folder::Folder;
use warpsmith::flow::mutate::MutationOptions;
use warpsmith::flow::mutate::equivalence::Provers;
use warpsmith::flow::mutate::judge::Judge;
use warpsmith::flow::mutate::mutation::{Mode, MutationKind};
use warpsmith::flow::mutate::planting::{Mutant, Selection, draw, planted_by_hand};
use warpsmith::flow::mutate::proof_netlist::Memories;
use warpsmith::flow::mutate::record::MutantVerdict;
use warpsmith::flow::prove::bounded::{SBY, YICES};
use warpsmith::flow::synth::Subject;
use warpsmith::flow::users::Verilog;
use warpsmith::flow::yosys::YOSYS;
use warpsmith_blocks::same_row::Hashing;
use warpsmith_testbench::backend::verilog_source;
use warpsmith_testbench::bench::Bench;

fn tools(test: &str) -> bool {
    needs_verilator(test) && needs(test, &YOSYS) && needs(test, &ABC)
}

fn mutate(scratch: &Scratch, arguments: &[&str]) -> Ended {
    run(scratch, &[&["mutate", "hmg_directory", "--json", "--out", "out"], arguments].concat())
}

/// Number of hand-made faults.
const FAULTS: u32 = 7;
/// The edits: each is active where `mutsel` is its number.
const BY_HAND: [(&str, &str); 8] = [
    // A code without an error has no meaning.
    (
        "_stage1_op_above5 ? 3'd0 :",
        "(mutsel == 1 && !stage1_is_error) ? 3'd7 : _stage1_op_above5 ? 3'd0 :",
    ),
    // Never accepts a request.
    (
        "assign req_ready = advance & clear_next[1];",
        "assign req_ready = advance & clear_next[1] & (mutsel != 2);",
    ),
    // Does not invalidate the sharers of an evicted block, which takes a full set to see.
    ("({3{evict}} & sharers_victim)", "({3{evict & (mutsel != 3)}} & sharers_victim)"),
    // Accepts requests and never answers.
    (
        ".in_valid(effect_out_valid & inv_sent)",
        ".in_valid(effect_out_valid & inv_sent & mutsel != 4)",
    ),
    // The two entries of a set hold different blocks, so only one can hit.
    (
        "({3{hits[0]}} & stage4_way0_sharers) | ({3{hits[1]}}",
        "({3{hits[0] & !(mutsel == 5 && hits[1])}} & stage4_way0_sharers) | ({3{hits[1]}}",
    ),
    // Slower but correct: accepts no request while a response is offered.
    ("& (mutsel != 2);", "& (mutsel != 2) & !(mutsel == 6 && resp_valid);"),
    (
        "<= req_valid & clear_next[1];",
        "<= req_valid & clear_next[1] & !(mutsel == 6 && resp_valid);",
    ),
    // Omits the write of a row: nothing else differs in that clock.
    (
        ".w0_enable(~clear_next[1] | (row_changes & advance)),",
        ".w0_enable(~clear_next[1] | (row_changes & advance & (mutsel != 7))),",
    ),
];

/// The verdicts on the first `faults` of the hand-made faults.
fn by_hand(faults: u32, requests: u64, memories: Memories) -> Vec<MutantVerdict> {
    let scratch = Scratch::new();
    let block = warpsmith_blocks::find("hmg_directory").expect("the block");
    let design = block.configure("tiny", &[]).expect("a preset");
    let circuit = design.circuit();
    let mut source = verilog_source(&circuit).expect("Verilog");
    let top = source.files.iter_mut().find(|file| file.name == "hmg_directory.v").expect("the top");
    let port = [("input  wire clk,", "input wire [2:0] mutsel, input wire clk,")];
    for (from, to) in port.into_iter().chain(BY_HAND) {
        assert_eq!(top.text.matches(from).count(), 1, "`{from}`");
        top.text = top.text.replace(from, to);
    }
    let provers = Provers::find(&*design).expect("tools");
    let folder = Folder::empty(&scratch.path("work")).expect("a folder");
    let planted = planted_by_hand(&provers.yosys, &folder, &Verilog::plain(source), 3, memories);
    let planted = planted.expect("a netlist");
    let kinds = vec![MutationKind::Yosys];
    let options = MutationOptions {
        selection: Selection { kinds, count: Some(FAULTS), seed: 1, only: None },
        outside_parts: false,
        source: None,
        requests,
        jobs: 2,
        proof_limit: Duration::from_secs(300),
        folder: PathBuf::new(),
    };
    let bench = Bench::new(&*design, &circuit);
    let subject = Subject { design: &*design, preset: "tiny" };
    let judge = Judge::new(&provers, &folder, &planted, &subject, &bench, &options);
    let mutants: Vec<_> = (1..=faults).map(Mutant::by_hand).collect();
    let verdicts = Mutex::new(BTreeMap::new());
    let all = judge.expect("a sound circuit").all(&mutants, &|judged| {
        verdicts.lock().expect("no panic").insert(judged.mutant.number, judged.verdict);
        Ok(())
    });
    all.expect("verdicts");
    verdicts.into_inner().expect("no panic").into_values().collect()
}

#[test]
fn each_way_to_judge_a_mutant_comes_to_its_verdict() {
    if !tools("each_way_to_judge_a_mutant_comes_to_its_verdict") {
        return;
    }
    let verdicts = by_hand(FAULTS, 20_000, Memories::Registers);
    for (number, verdict) in (1..).zip(&verdicts) {
        let as_expected = match number {
            1 | 5 => *verdict == MutantVerdict::Equivalent,
            // No rule promises a rate; the difference is found and shown.
            6 => matches!(verdict, MutantVerdict::Survived { difference: Some(_), .. }),
            _ => matches!(verdict, MutantVerdict::Killed { .. }),
        };
        assert!(as_expected, "fault {number}: {verdict:?}");
    }
    let MutantVerdict::Survived { difference: Some(difference), .. } = &verdicts[5] else { return };
    assert_eq!(difference.port, "req_ready");
    assert_eq!(difference.original, "takes the offer");
    assert_eq!(difference.mutant, "does not take the offer");
    assert!(difference.before[0].contains("reset self_gpm="), "{difference:?}");
    assert!(difference.before.iter().any(|line| line.contains(": req op=")), "{difference:?}");
}

#[test]
fn a_fault_that_one_request_cannot_show_breaks_a_property() {
    let test = "a_fault_that_one_request_cannot_show_breaks_a_property";
    if !(tools(test) && needs(test, &SBY) && needs(test, &YICES)) {
        return;
    }
    let verdicts = by_hand(3, 1, Memories::Registers);
    assert_eq!(verdicts[0], MutantVerdict::Equivalent);
    assert!(matches!(verdicts[1], MutantVerdict::Killed { .. }), "{:?}", verdicts[1]);
    // The missing invalidation of an evicted block's sharers.
    let MutantVerdict::KilledByProof { how } = &verdicts[2] else { panic!("{:?}", verdicts[2]) };
    assert!(how.contains("properties."), "{how}");
}

/// With one request co-simulation finds nothing, so the proof alone decides.
#[test]
fn without_its_memories_no_fault_is_proven_equivalent() {
    if !tools("without_its_memories_no_fault_is_proven_equivalent") {
        return;
    }
    let verdicts = by_hand(FAULTS, 1, Memories::CutOut);
    assert_eq!(verdicts[0], MutantVerdict::Equivalent);
    for (number, verdict) in (2..).zip(&verdicts[1..]) {
        // A difference may need data that the memory never holds, as for fault 5, which is equivalent.
        let is_open =
            matches!(verdict, MutantVerdict::Survived { difference: None, open: Some(_) });
        let is_killed = matches!(verdict, MutantVerdict::Killed { .. });
        assert!(is_open || is_killed, "fault {number}: {verdict:?}");
    }
}

#[test]
fn a_small_run_is_counted_located_repeated_and_resumed() {
    if !tools("a_small_run_is_counted_located_repeated_and_resumed") {
        return;
    }
    let scratch = Scratch::new();
    let arguments = ["--count", "12", "--requests", "20000", "--proof-limit", "60"];
    let ended = mutate(&scratch, &arguments);
    assert_eq!(ended.code, 0, "{ended:?}");
    let record = json(&ended);
    let mutants = record["mutants"].as_array().expect("mutants");
    assert_eq!(mutants.len(), 12);
    let count = |what: &str| record[what].as_u64().expect("a count");
    let sum = ["killed", "killed_by_proof", "equivalent", "argued", "survived"]
        .map(count)
        .iter()
        .sum::<u64>();
    assert_eq!(sum, 12, "{record}");
    assert!(count("killed") >= 1, "{record}");
    for mutant in mutants {
        let location = &mutant["location"];
        let file = scratch.path("out").join(location["file"].as_str().expect("a file"));
        let text = std::fs::read_to_string(file).expect("the emitted Verilog");
        let line = location["line"].as_u64().expect("a line") as usize;
        assert_eq!(text.lines().nth(line - 1).map(str::trim), location["text"].as_str());
        assert!(mutant["signal"].is_string(), "{mutant}");
    }

    let again = json(&mutate(&scratch, &[&arguments[..], &["--junit", "m.xml"]].concat()));
    let suite = support::junit::suite(&scratch.path("m.xml"));
    let not_faults = count("equivalent") + count("argued");
    assert_eq!((suite.tests, suite.failures as u64), (12, count("survived")));
    assert_eq!(suite.skipped as u64, not_faults);
    assert_eq!(again["resumed"], 12);
    assert_eq!(again["mutants"], record["mutants"]);
    let other = json(&mutate(&scratch, &["--count", "2", "--requests", "10", "--seed", "7"]));
    assert_eq!(other["resumed"], 0, "of another seed nothing is known");
    assert_ne!(other["mutants"][0]["mutation"], record["mutants"][0]["mutation"]);
}

#[test]
fn a_score_below_what_is_wanted_is_exit_code_1() {
    if !tools("a_score_below_what_is_wanted_is_exit_code_1") {
        return;
    }
    let scratch = Scratch::new();
    // One request finds few faults, and a second is too short for most proofs.
    let arguments = ["--count", "8", "--requests", "1", "--proof-limit", "1"];
    let ended = mutate(&scratch, &[arguments.as_slice(), &["--at-least", "100"]].concat());
    assert_eq!(ended.code, 1, "{ended:?}");
    assert!(json(&ended)["score_percent"].as_f64() < Some(100.0), "{ended:?}");
    let ended = mutate(&scratch, &[arguments.as_slice(), &["--at-least", "0"]].concat());
    assert_eq!(ended.code, 0, "{ended:?}");
    let text = run(
        &scratch,
        &[&["mutate", "hmg_directory", "--out", "out"], arguments.as_slice()].concat(),
    );
    for words in ["Survived: mutant", "of the faults were found", "8 verdicts of an earlier run"] {
        assert!(text.stdout.contains(words), "`{words}` is missing: {}", text.stdout);
    }
}

/// Faults that yosys lacks, of each kind.
#[test]
fn faults_of_each_own_kind_are_found() {
    if !tools("faults_of_each_own_kind_are_found") {
        return;
    }
    let arguments =
        ["--kinds", "own", "--count", "36", "--requests", "20000", "--proof-limit", "60"];
    let record = json(&mutate(&Scratch::new(), &arguments));
    let kinds = record["kinds"].as_array().expect("kinds");
    let names: Vec<_> = kinds.iter().filter_map(|kind| kind["kind"].as_str()).collect();
    assert_eq!(names, ["comparator", "limit", "ram", "address", "swap", "reset"]);
    for kind in kinds {
        assert!(kind["killed"].as_u64() > Some(0), "{kind}");
    }
    assert_eq!(record["survived"], 0, "{record}");
}

#[test]
fn faults_are_found_at_the_size_that_people_use() {
    if !tools("faults_are_found_at_the_size_that_people_use") {
        return;
    }
    let scratch = Scratch::new();
    let arguments = ["mutate", "getm_commit", "--preset", "fpga", "--kinds", "limit,ram,address"];
    let rest = ["--count", "15", "--requests", "50000", "--json", "--out", "out"];
    let record = json(&run(&scratch, &[&arguments[..], &rest].concat()));
    assert_eq!(record["killed"], 15, "{record}");
}

#[test]
fn a_users_verilog_is_mutated_in_the_place_of_ours() {
    if !tools("a_users_verilog_is_mutated_in_the_place_of_ours") {
        return;
    }
    let scratch = Scratch::new();
    let block = warpsmith_blocks::find("hmg_directory").expect("the block");
    let circuit = block.configure("tiny", &[]).expect("a preset").circuit();
    let source = verilog_source(&circuit).expect("Verilog");
    let top = source.files.iter().find(|file| file.name == "hmg_directory.v").expect("the top");
    // A user's own names show the mutants' origin.
    std::fs::write(scratch.path("mine.v"), top.text.replace("stage3_", "third_")).expect("a file");
    let arguments = ["--dut", "mine.v", "--kinds", "comparator", "--every", "--requests", "20000"];
    let more = ["--ours", "all", "--only", "third_tag"];
    let record = json(&mutate(&scratch, &[&arguments[..], &more].concat()));
    let mutants = record["mutants"].as_array().expect("mutants");
    assert!(!mutants.is_empty(), "{record}");
    assert!(mutants.iter().all(|mutant| mutant.to_string().contains("third_tag")), "{record}");
    assert!(record["killed"].as_u64() > Some(0), "{record}");
}

/// Mutants of the metadata table, and what is known of its hashes; none without yosys.
fn of_table(preset: &str, kind: MutationKind, only: &str) -> Option<(Hashing, Vec<Mutant>)> {
    let yosys = needs("of_table", &YOSYS).then(|| YOSYS.find().expect("yosys"))?;
    let block = warpsmith_blocks::find("getm_metadata").expect("the block");
    let (design, scratch) = (block.configure(preset, &[]).expect("a preset"), Scratch::new());
    let source = verilog_source(&design.circuit()).expect("Verilog");
    let folder = Folder::empty(&scratch.path("work")).expect("a folder");
    let count = (kind == MutationKind::Yosys).then_some(12_000);
    let selection = Selection { kinds: vec![kind], count, seed: 1, only: Some(only.to_string()) };
    let hashing = design.hashing();
    let mutants =
        draw(&yosys, &folder, &Verilog::plain(source), &selection, &hashing).expect("mutants");
    Some((hashing, mutants))
}

/// Comparator bits decided by the banks' hashes: with small hashes some columns are zero.
#[test]
fn bits_of_granules_in_one_row_are_argued_where_their_column_is_not_zero() {
    for (preset, ways, granule_bits) in [("tiny", 2, 4), ("fpga", 4, 27)] {
        let drawn = of_table(preset, MutationKind::Comparator, "");
        let Some((Hashing { same_rows, .. }, mutants)) = drawn else { return };
        let argued = mutants.iter().filter(|mutant| mutant.argument.is_some()).count();
        // One comparator per bank, and that of stages 3 and 5.
        assert_eq!(same_rows.len(), ways + 1);
        let decided =
            |bit: u32| same_rows.iter().map(move |s| usize::from(s.is_decided_by_others(bit)));
        assert_eq!(argued, (0..granule_bits).flat_map(decided).sum::<usize>(), "{preset}");
        assert!(argued > 0 && argued < mutants.len(), "{preset}");
        let of_stash = mutants.iter().find(|mutant| mutant.change.contains("stash0_granule"));
        assert_eq!(of_stash.expect("the stash compares").argument, None, "{preset}");
    }
}

/// Rows of the banks under other numbers: an inversion for every granule, or another hash; and nothing else.
#[test]
fn only_faults_that_leave_rows_linear_in_the_granule_are_argued() {
    let Some((_, mutants)) = of_table("tiny", MutationKind::Yosys, "hashed_") else { return };
    let of = |why| mutants.iter().filter(move |m| m.argument.iter().any(|all| all.contains(why)));
    assert!(of("exchanged").count() > 4 && of("H3").count() > 4, "{mutants:?}");
    of("exchanged").for_each(|m| assert_eq!(m.mutation.mode, Mode::Inv, "{m:?}"));
    // One row reads two bits of a granule, the other one.
    of("H3").for_each(|m| assert_eq!(m.signal.as_deref(), Some("hashed_row0"), "{m:?}"));
    // The others are a constant of the hash, one of two sources of a granule, or a row of the filter.
    let is_of_row = |m: &&Mutant| m.signal.as_deref().is_some_and(|s| s.starts_with("hashed_row"));
    let others = mutants.iter().filter(|m| m.argument.is_none() && m.mutation.mode == Mode::Inv);
    others.filter(is_of_row).for_each(|m| assert_eq!(m.mutation.port, "B", "{m:?}"));
}

/// Mutates a block with `count` own faults, and checks the minimum share found.
fn own_faults(block: &str, preset: &str, count: &str) {
    if !tools("own_faults") {
        return;
    }
    let scratch = Scratch::new();
    let arguments = ["mutate", block, "--preset", preset, "--kinds", "own", "--count", count];
    let rest = ["--proof-limit", "20", "--at-least", "98", "--out", "out"];
    let ended = run(&scratch, &[&arguments[..], &rest].concat());
    assert_eq!(ended.code, 0, "{ended:?}");
}

#[test]
#[ignore = "nightly: an hour"]
fn verification_finds_98_of_100_own_faults_with_preset_fpga() {
    for block in warpsmith_blocks::all() {
        own_faults(block.name, "fpga", "120");
    }
}

#[test]
#[ignore = "nightly: an hour"]
fn verification_finds_98_of_100_own_faults_with_preset_paper() {
    for block in warpsmith_blocks::all() {
        own_faults(block.name, "paper", "60");
    }
}

#[test]
fn wrong_input_is_refused_with_what_would_be_accepted() {
    let scratch = Scratch::new();
    refused(&mutate(&scratch, &["--count", "0"]), &["--count", "1..=1000000"]);
    refused(&mutate(&scratch, &["--at-least", "101"]), &["--at-least", "from 0 to 100"]);
    refused(&mutate(&scratch, &["--jobs", "0"]), &["--jobs"]);
    refused(
        &mutate(&scratch, &["--kinds", "own,odd"]),
        &["`odd`", "comparator, limit", "own, all"],
    );
    refused(&mutate(&scratch, &["--kinds", "yosys", "--every"]), &["--every", "--count"]);
    refused(&mutate(&scratch, &["--comparators", "--count", "3"]), &["--comparators", "--count"]);
    refused(&run(&scratch, &["mutate", "no_block"]), &["no_block", "blocks are: bloom_"]);
    refused(&mutate(&scratch, &["--set", "ways=0"]), &["ways"]);
    assert!(!scratch.path("out").exists(), "nothing is written");

    std::fs::create_dir(scratch.path("mine")).expect("a folder");
    std::fs::write(scratch.path("mine/notes"), "mine").expect("a file");
    if needs("wrong_input", &YOSYS) && needs("wrong_input", &ABC) {
        let ended = run(&scratch, &["mutate", "hmg_directory", "--out", "mine"]);
        refused(&ended, &["mine", "no flow of warpsmith made"]);
        let ended = mutate(&scratch, &["--kinds", "reset", "--only", "no_such_register"]);
        refused(&ended, &["--only `no_such_register`", "mutants drawn"]);
    }
    assert_eq!(std::fs::read(scratch.path("mine/notes")).expect("still there"), b"mine");
}

#[test]
fn a_missing_tool_is_named_with_its_package() {
    let scratch = Scratch::new();
    let arguments = ["mutate", "hmg_directory", "--out", "out", "--count", "1"];
    refused(&run_with(&scratch, &arguments, &[("PATH", "")]), &["yosys", "Debian's yosys"]);
    assert!(!scratch.path("out").exists(), "nothing is written");
    let test = "a_missing_tool_is_named_with_its_package";
    if !(needs(test, &YOSYS) && needs(test, &ABC)) {
        return;
    }
    let yosys = YOSYS.find().expect("yosys").path.display().to_string();
    let abc = ABC.find().expect("abc").path.display().to_string();
    let without_abc = [("PATH", ""), ("WARPSMITH_YOSYS", yosys.as_str())];
    refused(&run_with(&scratch, &arguments, &without_abc), &["abc", "Debian's yosys"]);
    let without_verilator = [without_abc.as_slice(), &[("WARPSMITH_ABC", abc.as_str())]].concat();
    let ended = run_with(&scratch, &arguments, &without_verilator);
    refused(&ended, &["verilator not found", "apt-get install verilator"]);
}
