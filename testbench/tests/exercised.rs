//! Faults in one bit of what a circuit compares or keeps, in the emitted Verilog of preset `fpga`: the
//! default stream finds each. All faults of a block are in one model, in which an input chooses.

mod support {
    pub mod equal;
    pub mod tools;
}

use std::collections::BTreeMap;

use warpsmith_testbench::agents::Stalls;
use warpsmith_testbench::backend::{Variants, verilog_source};
use warpsmith_testbench::bench::Bench;
use warpsmith_testbench::cosim::{Plan, first_mismatch};
use warpsmith_testbench::verilator::VerilogSource;

use support::equal::design;
use support::tools;

/// An expression of a file with another in its place.
struct Fault {
    name: String,
    file: String,
    from: String,
    to: String,
}

/// A comparison that ignores one bit of its operands.
fn ignores(file: &str, [one, operator, other]: [&str; 3], width: u32, bit: u32) -> Fault {
    let kept = format!("~({width}'d1 << {bit})");
    Fault {
        name: format!("bit {bit} of {one} {operator} {other}"),
        file: file.to_string(),
        from: format!("{one} {operator} {other}"),
        to: format!("({one} & {kept}) {operator} ({other} & {kept})"),
    }
}

/// An equality that takes one key for none.
fn never(file: &str, [one, other]: [&str; 2], key: &str) -> Fault {
    let from = format!("{one} == {other}");
    let to = format!("({from}) & ({one} != {key})");
    Fault { name: format!("{one} == {other} but {key}"), file: file.to_string(), from, to }
}

/// A bit of a RAM that is stuck at 1 in one row.
fn stuck(file: &str, row: &str, width: u32, bit: u32) -> Fault {
    let from = "_rows[r0_address]".to_string();
    let to = format!("{from} | ((r0_address == {row}) ? ({width}'d1 << {bit}) : {width}'d0)");
    Fault { name: format!("bit {bit} of row {row} of {file}"), file: file.to_string(), from, to }
}

/// The Verilog with all faults; the input `fault` of `top` and of every module in `with_input` chooses
/// one by its number from 1.
fn planted(source: &mut VerilogSource, faults: &[Fault], with_input: &[&str]) {
    let mut places: BTreeMap<(&str, &str), Vec<(usize, &str)>> = BTreeMap::new();
    for (number, fault) in (1..).zip(faults) {
        places.entry((&fault.file, &fault.from)).or_default().push((number, &fault.to));
    }
    for file in &mut source.files {
        for ((_, from), faults) in places.iter().filter(|((name, _), _)| *name == file.name) {
            assert_eq!(file.text.matches(from).count(), 1, "{}: {from}", file.name);
            let chosen = faults.iter().fold(format!("({from})"), |otherwise, (number, to)| {
                format!("((fault == 16'd{number}) ? ({to}) : {otherwise})")
            });
            file.text = file.text.replace(from, &chosen);
        }
        for module in with_input {
            let header = format!("module {module} (");
            let with = format!("{header}\n    input wire [15:0] fault,");
            file.text = file.text.replace(&header, &with);
        }
        let instances = |line: &str| {
            let first = line.split_whitespace().next();
            let is_instance = line.ends_with('(') && first.is_some_and(|m| with_input.contains(&m));
            if is_instance { format!("{line} .fault(fault),\n") } else { format!("{line}\n") }
        };
        file.text = file.text.lines().map(instances).collect();
    }
}

/// Each fault is found in so many requests.
fn found(block: &str, faults: &[Fault], with_input: &[&str], requests: u64) {
    if !tools::verilator() {
        return;
    }
    let design = design(block, "fpga");
    let circuit = design.circuit();
    let bench = Bench::new(&*design, &circuit);
    let mut source = verilog_source(&circuit).expect("Verilog");
    planted(&mut source, faults, with_input);
    let variants = Variants::of_verilog(&source, bench.layout(), "fault", 16).expect("a model");
    let plan = Plan { requests, seed: 1, stream: 0, stalls: Stalls::Random, episodes: None };
    let first = |number: usize| {
        let models = variants.models(number as u64);
        first_mismatch(&bench, &models, &plan).expect("a run")
    };
    let missed: Vec<_> = (1..).zip(faults).filter(|(number, _)| first(*number).is_none()).collect();
    let missed: Vec<_> = missed.iter().map(|(_, fault)| &fault.name).collect();
    assert!(missed.is_empty(), "{block}: not found in {requests} requests: {missed:#?}");
    // Nor is anything found where there is no fault.
    let plan = Plan { requests: requests.min(20_000), ..plan };
    let unharmed = first_mismatch(&bench, &variants.models(0), &plan).expect("a run");
    assert!(unharmed.is_none(), "{block}: {unharmed:#?}");
}

const TABLE: &str = "getm_metadata.v";
const LINE: &str = "getm_stall_line.v";

/// Comparators of the table that the unit's accesses reach too, in these bits of granules, times and
/// warps.
fn of_table(granule_bits: &[u32], time_bits: &[u32], warp_bits: &[u32]) -> Vec<Fault> {
    let mut faults = Vec::new();
    for slot in 0..4 {
        let (slot, next) = (format!("stash{slot}_granule"), "stage3_address[31:5]");
        let ignored = granule_bits.iter();
        faults.extend(ignored.map(|&bit| ignores(TABLE, [&slot, "==", next], 27, bit)));
        faults.extend(["27'd0", "~27'd0"].map(|key| never(TABLE, [&slot, next], key)));
    }
    let consecutive = ["stage3_address[31:5]", "==", "stage4_address[31:5]"];
    faults.extend(granule_bits.iter().map(|&bit| ignores(TABLE, consecutive, 27, bit)));
    let times = [
        ["selected_wts", "==", "stage4_successor"],
        ["stage4_warpts", "<", "selected_wts"],
        ["stage4_warpts", "==", "stage5_warpts"],
    ];
    let of_times = times.iter().flat_map(|of| time_bits.iter().map(move |&bit| (*of, bit)));
    faults.extend(of_times.map(|(of, bit)| ignores(TABLE, of, 24, bit)));
    let warps = [["selected_owner", "==", "stage4_warp"], ["stage4_warp", "==", "stage5_warp"]];
    let of_warps = warps.iter().flat_map(|of| warp_bits.iter().map(move |&bit| (*of, bit)));
    faults.extend(of_warps.map(|(of, bit)| ignores(TABLE, of, 8, bit)));
    // In a bank, a bit that its hash does not see, and two that it does not tell apart.
    let bank0 = ["stage3_bank0_granule", "==", "stage3_address[31:5]"];
    faults.push(ignores(TABLE, bank0, 27, 12));
    faults
}

/// What the table alone meets: every comparison of times, and its RAM.
fn of_table_alone(time_bits: &[u32]) -> Vec<Fault> {
    let times = [
        ["before_wts", "==", "stage4_successor"],
        ["overflow_resp_wts", "==", "stage5_successor"],
        ["stage4_warpts", "<", "selected_rts"],
        ["stage4_warpts", "<", "before_wts"],
        ["stage4_warpts", "<", "before_rts"],
        ["stage4_warpts", "<=", "stage5_warpts"],
        ["stage4_warpts", "<", "stage5_warpts"],
    ];
    let of_times = times.iter().flat_map(|of| time_bits.iter().map(move |&bit| (*of, bit)));
    let mut faults: Vec<_> = of_times.map(|(of, bit)| ignores(TABLE, of, 24, bit)).collect();
    let two_apart = ["stage3_address[31:5]", "==", "stage5_address[31:5]"];
    faults.push(ignores(TABLE, two_apart, 27, 12));
    let bank = |bank: u32| format!("getm_metadata_bank{bank}.v");
    let rows = ["6'd0", "6'd11", "6'd37", "6'd63"];
    faults.extend((0..4).zip(rows).map(|(n, row)| stuck(&bank(n), row, 92, 23 * n + 3)));
    for (way, copy, row, bit) in [
        (0, "lookup", "4'd3", 40),
        (1, "insertion", "4'd7", 9),
        (2, "lookup", "4'd15", 47),
        (3, "insertion", "4'd0", 30),
    ] {
        faults.push(stuck(&format!("getm_metadata_bloom{way}_{copy}.v"), row, 48, bit));
    }
    faults
}

/// What each line of the stall buffer compares.
fn of_stall_lines(granule_bits: &[u32], time_bits: &[u32]) -> Vec<Fault> {
    let granules = [
        ["park_granule", "==", "waited_for"],
        ["release_granule", "==", "granule_now"],
        ["result_granule", "==", "waited_for"],
    ];
    let of_granules = granules.iter().flat_map(|of| granule_bits.iter().map(move |&b| (*of, b)));
    let mut faults: Vec<_> = of_granules.map(|(of, bit)| ignores(LINE, of, 27, bit)).collect();
    faults.extend(time_bits.iter().map(|&bit| {
        let fault = ignores(LINE, ["entry1_warpts", "<=", "park_warpts"], 24, bit);
        // Without its parentheses it would also be an assignment.
        Fault { from: format!("({})", fault.from), ..fault }
    }));
    faults
}

const BANKS: [&str; 9] = [
    "getm_metadata",
    "getm_metadata_bank0",
    "getm_metadata_bank1",
    "getm_metadata_bank2",
    "getm_metadata_bank3",
    "getm_metadata_bloom0_lookup",
    "getm_metadata_bloom1_insertion",
    "getm_metadata_bloom2_lookup",
    "getm_metadata_bloom3_insertion",
];
const UNIT: [&str; 4] =
    ["getm_validation", "getm_metadata", "getm_stall_buffer", "getm_stall_line"];

#[test]
fn a_metadata_table_that_ignores_a_bit_is_found() {
    let mut faults = of_table(&[13, 26], &[7, 23], &[7]);
    faults.extend(of_table_alone(&[15]));
    found("getm_metadata", &faults, &BANKS, 100_000);
}

#[test]
fn a_validation_unit_that_ignores_a_bit_is_found() {
    let mut faults = of_table(&[13], &[15], &[7]);
    faults.extend(of_stall_lines(&[13, 26], &[15]));
    found("getm_validation", &faults, &UNIT, 1_000_000);
}

#[test]
#[ignore = "nightly: minutes"]
fn a_metadata_table_that_ignores_any_bit_is_found() {
    let (granules, times, warps): (Vec<_>, Vec<_>, Vec<_>) =
        ((0..27).collect(), (0..24).collect(), (0..8).collect());
    let mut faults = of_table(&granules, &times, &warps);
    faults.extend(of_table_alone(&times));
    found("getm_metadata", &faults, &BANKS, 1_000_000);
}

#[test]
#[ignore = "nightly: minutes"]
fn a_validation_unit_that_ignores_any_bit_is_found() {
    let (granules, times, warps): (Vec<_>, Vec<_>, Vec<_>) =
        ((0..27).collect(), (0..24).collect(), (0..8).collect());
    let mut faults = of_table(&granules, &times, &warps);
    faults.extend(of_stall_lines(&granules, &times));
    found("getm_validation", &faults, &UNIT, 1_000_000);
}
