//! Expressions and statements mean the same natively, Verilated, and by their definition.

mod support {
    pub mod duel;
    pub mod random;
    pub mod recipe;
    pub mod tools;
    pub mod trees;
}

use std::process::Command;

use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use support::duel::Duel;
use support::random;
use support::recipe::{Act, Gene, Op, Recipe};
use support::tools;
use support::trees::Choices;
use warpsmith_rtl::ir::BinaryOp;
use warpsmith_rtl::verilog::emit;
use warpsmith_rtl::{Bits, ModuleBuilder, semantics};

/// Input vectors for each module.
const VECTORS: usize = 200;

/// A dozen modules, or `PROPTEST_CASES`. Shrinking a failing module takes a second per try.
fn config() -> ProptestConfig {
    let cases = std::env::var("PROPTEST_CASES").ok();
    ProptestConfig {
        cases: cases.map_or(12, |text| text.parse().expect("PROPTEST_CASES is a number")),
        max_shrink_iters: 60,
        // Circuits on which Verilator fails internally.
        max_global_rejects: 3,
        failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("regressions"))),
        ..ProptestConfig::default()
    }
}

fn expressions(inputs: &[u16], registers: &[u16], genes: &[Gene]) -> Recipe {
    let mut recipe = Recipe::new(inputs, registers);
    genes.iter().for_each(|gene| recipe.grow(*gene));
    let mut sets = Vec::new();
    for (i, reset) in recipe.reset_values() {
        let value = recipe.pick(i as u16 * 3);
        sets.push(Act::Set(i, recipe.fit(value, reset.width(), i as u16)));
    }
    recipe.trees.push(sets);
    recipe.expose();
    recipe
}

fn trees(inputs: &[u16], registers: &[u16], genes: &[Gene], choices: &[u16]) -> Recipe {
    let mut recipe = Recipe::new(inputs, registers);
    genes.iter().for_each(|gene| recipe.grow(*gene));
    let mut choices = Choices(choices);
    for _ in 0..6 {
        recipe.grow_tree(&mut choices);
    }
    recipe.expose();
    recipe
}

/// Runs random and corner vectors through the definition, the native simulator and Verilator.
fn check(recipe: &Recipe, seed: u64) -> Result<(), TestCaseError> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let module = recipe.module("random_circuit");
    let Some(mut duel) = Duel::once(&module) else {
        // Verilator 5.006 does so on the parity of a value most of whose bits it finds constant.
        return Err(TestCaseError::reject("an internal error of Verilator"));
    };
    duel.reset();
    let mut state = recipe.reset_values();
    for vector in 0..VECTORS {
        let mut given = state;
        for (i, width) in recipe.inputs() {
            let value = match vector {
                0 => Bits::zeros(width),
                1 => Bits::ones(width),
                2 => Bits::from_fn(width, |bit| bit > 0),
                _ => random::value(&mut rng, width),
            };
            duel.set_bits(&format!("in_{i}"), &value);
            given.push((i, value));
        }
        duel.clock();
        let values = recipe.values(&given);
        for &i in &recipe.outputs {
            let (native, verilated) = duel.both(&format!("out_{i}"));
            if native == values[i] && verilated == values[i] {
                continue;
            }
            let step = &recipe.steps[i];
            let operands: Vec<_> = step.op.operands().iter().map(|&k| &values[k]).collect();
            let file = &emit(&module, &Default::default()).expect("one module")[0];
            let lines: Vec<_> =
                file.text.lines().filter(|line| line.contains(&format!("out_{i}"))).collect();
            prop_assert!(
                false,
                "vector {vector}, step {i}: {step:?} of {operands:?} is {}, the native simulation \
                 says {native}, Verilator {verilated}; {lines:#?}",
                values[i]
            );
        }
        state = recipe.next(&values);
    }
    Ok(())
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn expressions_mean_what_their_operators_mean(
        inputs in prop::collection::vec(any::<u16>(), 2..6),
        registers in prop::collection::vec(any::<u16>(), 1..3),
        genes in prop::collection::vec(any::<Gene>(), 80),
        seed: u64,
    ) {
        if tools::verilator() {
            check(&expressions(&inputs, &registers, &genes), seed)?;
        }
    }

    #[test]
    fn the_last_assignment_on_the_path_taken_wins(
        inputs in prop::collection::vec(any::<u16>(), 2..6),
        registers in prop::collection::vec(any::<u16>(), 1..4),
        genes in prop::collection::vec(any::<Gene>(), 10),
        choices in prop::collection::vec(any::<u16>(), 500),
        seed: u64,
    ) {
        if tools::verilator() {
            check(&trees(&inputs, &registers, &genes, &choices), seed)?;
        }
    }
}

#[test]
fn a_comparison_masks_one_bit_only_where_it_is_repeated() {
    if !tools::verilator() {
        return;
    }
    let m = ModuleBuilder::new("masked");
    let (a, b, c) = (m.input("a", 1), m.input("b", 3), m.input("c", 3));
    let wide = m.input("wide", 3);
    m.output("narrow", a & b.eq(c));
    m.output("reversed", b.eq(c) & a);
    m.output("several", wide & b.eq(c).repeat(3));
    let mut duel = Duel::new(&m.finish());
    for i in 0..1 << 10 {
        let (a, b, c, wide) = (i & 1, i >> 1 & 7, i >> 4 & 7, i >> 7);
        for (port, value) in [("a", a), ("b", b), ("c", c), ("wide", wide)] {
            duel.set(port, value);
        }
        duel.clock();
        assert_eq!(duel.get("narrow"), a & u64::from(b == c));
        assert_eq!(duel.get("reversed"), a & u64::from(b == c));
        assert_eq!(duel.get("several"), if b == c { wide } else { 0 });
    }
}

#[test]
fn a_sum_of_extended_operands_keeps_its_carry_and_one_of_narrow_operands_loses_it() {
    if !tools::verilator() {
        return;
    }
    let m = ModuleBuilder::new("sums");
    let (a, b) = (m.input("a", 5), m.input("b", 5));
    m.output("kept", a.zero_extend(6) + b.zero_extend(6));
    m.output("with_carry", a.add_with_carry(b));
    m.output("lost", (a + b).zero_extend(6));
    m.output("average", a.add_with_carry(b).slice(1..6));
    let mut duel = Duel::new(&m.finish());
    for i in 0..1 << 10 {
        let (a, b) = (i & 31, i >> 5);
        duel.set("a", a);
        duel.set("b", b);
        duel.clock();
        assert_eq!(duel.get("kept"), a + b);
        assert_eq!(duel.get("with_carry"), a + b);
        assert_eq!(duel.get("lost"), (a + b) % 32);
        assert_eq!(duel.get("average"), (a + b) / 2);
    }
}

#[test]
fn a_sum_wraps_before_it_is_compared() {
    if !tools::verilator() {
        return;
    }
    let m = ModuleBuilder::new("wrapping");
    let (a, c) = (m.input("a", 4), m.input("c", 4));
    m.output("less", (a + 1).lt(c));
    m.output("less_or_equal", (a + 1).le(c));
    m.output("difference", (a - c).lt(c));
    m.output("shifted", (a + c).shift_right(m.lit(1, 1)));
    m.output("inverted", (!a).eq(c));
    let mut duel = Duel::new(&m.finish());
    for i in 0..256 {
        let (a, c) = (i & 15, i >> 4);
        duel.set("a", a);
        duel.set("c", c);
        duel.clock();
        // At a = 15 the sum is 0, which is less than every c but 0.
        assert_eq!(duel.get("less"), u64::from((a + 1) % 16 < c), "a = {a}, c = {c}");
        assert_eq!(duel.get("less_or_equal"), u64::from((a + 1) % 16 <= c));
        assert_eq!(duel.get("difference"), u64::from((a + 16 - c) % 16 < c));
        assert_eq!(duel.get("shifted"), (a + c) % 16 / 2);
        assert_eq!(duel.get("inverted"), u64::from(15 - a == c));
    }
}

#[test]
fn a_reduction_of_a_complement_is_not_an_operator_of_its_own() {
    if !tools::verilator() {
        return;
    }
    let m = ModuleBuilder::new("reductions");
    let (a, odd) = (m.input("a", 4), m.input("odd", 3));
    m.output("parity_of_complement", (!a).parity());
    m.output("parity_of_odd_complement", (!odd).parity());
    m.output("no_bit", (!a).all());
    m.output("not_all", (!a).any());
    m.output("complement_of_parity", !a.parity());
    m.output("twice", !!a);
    let mut duel = Duel::new(&m.finish());
    for i in 0..128 {
        let (a, odd) = (i & 15, i >> 4);
        duel.set("a", a);
        duel.set("odd", odd);
        duel.clock();
        let parity = u64::from(a.count_ones() % 2);
        assert_eq!(duel.get("parity_of_complement"), parity, "a = {a}");
        assert_eq!(duel.get("parity_of_odd_complement"), u64::from((7 - odd).count_ones() % 2));
        assert_eq!(duel.get("no_bit"), u64::from(a == 0));
        assert_eq!(duel.get("not_all"), u64::from(a != 15));
        assert_eq!(duel.get("complement_of_parity"), 1 - parity);
        assert_eq!(duel.get("twice"), a);
    }
}

#[test]
fn a_shift_by_more_than_there_is_leaves_nothing_however_wide_the_amount() {
    if !tools::verilator() {
        return;
    }
    let m = ModuleBuilder::new("far_shifts");
    let widths = [1, 3, 32, 33, 54, 64, 65, 130];
    let values: Vec<_> = widths.map(|w| m.input(&format!("a_{w}"), w)).into();
    let amounts: Vec<_> = [2, 7, 33, 64, 192].map(|w| m.input(&format!("by_{w}"), w)).into();
    for a in &values {
        for by in &amounts {
            let name = format!("{}_by_{}", a.width(), by.width());
            m.output(&format!("left_{name}"), a.shift_left(*by));
            m.output(&format!("right_{name}"), a.shift_right(*by));
            m.output(&format!("signed_{name}"), a.shift_right_signed(*by));
        }
    }
    let widths: Vec<u32> = values.iter().map(|a| a.width()).collect();
    let amounts: Vec<u32> = amounts.iter().map(|by| by.width()).collect();
    let mut duel = Duel::new(&m.finish());
    let mut rng = random::generator(9);
    for _ in 0..300 {
        let a: Vec<_> = widths.iter().map(|w| random::value(&mut rng, *w)).collect();
        // A single one at any position, or about the width of a value.
        let by = |rng: &mut Xoshiro256PlusPlus, w: u32| match rng.random_range(0..3) {
            0 => Bits::from_words(w, &[rng.random_range(0..140)]),
            _ => random::value(rng, w),
        };
        let by: Vec<_> = amounts.iter().map(|w| by(&mut rng, *w)).collect();
        a.iter().for_each(|a| duel.set_bits(&format!("a_{}", a.width()), a));
        by.iter().for_each(|by| duel.set_bits(&format!("by_{}", by.width()), by));
        duel.clock();
        for (a, by) in a.iter().flat_map(|a| by.iter().map(move |by| (a, by))) {
            for (kind, op) in [
                ("left", BinaryOp::ShiftLeft),
                ("right", BinaryOp::ShiftRight),
                ("signed", BinaryOp::ShiftRightSigned),
            ] {
                let got = duel.get_bits(&format!("{kind}_{}_by_{}", a.width(), by.width()));
                assert_eq!(got, semantics::binary(op, a, by), "{op:?} of {a} by {by}");
            }
        }
    }
}

#[test]
fn a_second_simulator_agrees_with_the_definition() {
    if !tools::there("iverilog", &["-V"], "apt-get install iverilog") {
        return;
    }
    let mut rng = random::generator(7);
    for _ in 0..3 {
        let genes: Vec<Gene> = (0..80).map(|_| rng.random()).collect();
        let inputs: Vec<u16> = (0..5).map(|_| rng.random()).collect();
        second_opinion(&expressions(&inputs, &[5, 900], &genes), &mut rng);
        let choices: Vec<u16> = (0..500).map(|_| rng.random()).collect();
        second_opinion(&trees(&inputs, &[1, 77, 4], &genes[..10], &choices), &mut rng);
    }
}

/// Runs vectors through Icarus Verilog with a test bench that prints every output.
fn second_opinion(recipe: &Recipe, rng: &mut Xoshiro256PlusPlus) {
    let module = recipe.module("random_circuit");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut bench = "module bench;\n  reg clk = 0, rst = 1;\n".to_string();
    let mut ports = ".clk(clk), .rst(rst)".to_string();
    for (i, width) in recipe.inputs() {
        bench += &format!("  reg [{}:0] in_{i} = 0;\n", width - 1);
        ports += &format!(", .in_{i}(in_{i})");
    }
    for &i in &recipe.outputs {
        bench += &format!("  wire [{}:0] out_{i};\n", recipe.steps[i].width - 1);
        ports += &format!(", .out_{i}(out_{i})");
    }
    bench += &format!("  random_circuit dut ({ports});\n  initial begin\n");
    bench += "    #1 clk = 1; #1 clk = 0; rst = 0;\n";
    let mut expected = Vec::new();
    let mut state = recipe.reset_values();
    for _ in 0..VECTORS {
        let mut given = state;
        for (i, width) in recipe.inputs() {
            let value = random::value(rng, width);
            bench += &format!("    in_{i} = {width}'h{value:x};\n");
            given.push((i, value));
        }
        bench += "    #1;\n";
        let values = recipe.values(&given);
        for &i in &recipe.outputs {
            bench += &format!("    $display(\"%h\", out_{i});\n");
            expected.push((i, values[i].clone()));
        }
        bench += "    #1 clk = 1; #1 clk = 0;\n";
        state = recipe.next(&values);
    }
    bench += "  end\nendmodule\n";
    let write = |name: &str, text: &str| {
        std::fs::write(folder.path().join(name), text).expect("a file in the temporary folder");
    };
    write("bench.v", &bench);
    let mut arguments = vec!["-g2005", "-s", "bench", "-o", "bench.vvp", "bench.v"];
    let files = emit(&module, &Default::default()).expect("one module");
    let names: Vec<_> = files.iter().map(|file| file.file_name()).collect();
    for (file, name) in files.iter().zip(&names) {
        write(name, &file.text);
        arguments.push(name);
    }
    let run = |program: &str, arguments: &[&str]| {
        let output = Command::new(program).args(arguments).current_dir(folder.path()).output();
        let output = output.unwrap_or_else(|error| panic!("{program}: {error}"));
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{program}: {errors}\n{}", files[0].text);
        String::from_utf8(output.stdout).expect("ASCII")
    };
    run("iverilog", &arguments);
    let printed = run("vvp", &["-n", "bench.vvp"]);
    assert_eq!(printed.lines().count(), expected.len());
    for ((i, value), line) in expected.iter().zip(printed.lines()) {
        let step = &recipe.steps[*i];
        assert_eq!(line, format!("{value:x}"), "out_{i}: {step:?}\n{}", files[0].text);
    }
}

/// Random circuits are not limited to a few operators.
#[test]
fn random_circuits_have_every_operator() {
    let mut rng = random::generator(1);
    let mut seen = std::collections::BTreeSet::new();
    for _ in 0..12 {
        let genes: Vec<Gene> = (0..80).map(|_| rng.random()).collect();
        for step in expressions(&[1, 2, 300], &[5], &genes).steps {
            let text = match step.op {
                Op::Unary(op, _) => format!("{op:?}"),
                Op::Binary(op, ..) => format!("{op:?}"),
                other => format!("{other:?}").split('(').next().unwrap_or_default().to_string(),
            };
            seen.insert(text);
        }
    }
    assert_eq!(seen.len(), 4 + 15 + 14, "{seen:?}");
}

/// Constants that only Verilator recognises: it evaluated `$signed(a) <= $signed(a)` as false.
#[test]
fn equal_signed_constants_are_not_less() {
    if !tools::verilator() {
        return;
    }
    let m = ModuleBuilder::new("equal_signed_constants");
    let input = m.input("in", 8);
    let zero = input.zero_extend(64).slice(40..42);
    let also_zero = zero & input.slice(0..2);
    m.output("not_more", zero.le_signed(also_zero));
    m.output("less", zero.lt_signed(also_zero));
    let named = m.constant(Bits::zeros(16)).named("zero");
    m.output("not_less", named.le_signed(input.zero_extend(40).slice(12..28)));
    let mut duel = Duel::once(&m.finish()).expect("a model");
    duel.reset();
    duel.set_bits("in", &Bits::ones(8));
    duel.clock();
    assert_eq!(duel.both("not_more"), (Bits::ones(1), Bits::ones(1)));
    assert_eq!(duel.both("less"), (Bits::zeros(1), Bits::zeros(1)));
    assert_eq!(duel.both("not_less"), (Bits::ones(1), Bits::ones(1)));
}
