//! The simulator, interpreted and compiled, against a direct reading of the module, on random circuits.

mod circuit;
mod reading;

use std::collections::HashMap;

use circuit::{chain_of, circuit, genes};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use reading::Reading;
use warpsmith_rtl::netlist::SignalKind;
use warpsmith_rtl::simulator::{Execution, GatingMode, Violation, can_compile};
use warpsmith_rtl::{Bits, Module, Netlist, Simulator, netlist::Keep};

/// A cheap sequence of words from a seed.
fn words(seed: &mut u64) -> u64 {
    *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    *seed ^ (*seed >> 29)
}

fn check_against_reading(module: Module, mut seed: u64) -> Result<(), TestCaseError> {
    let mut compiled = Compiled::new(&module);
    let lean = Netlist::flatten_keeping(&module, Keep::Observable).unwrap();
    let mut simulators = vec![Simulator::new(&module).unwrap(), Simulator::from_netlist(lean)];
    let start = |r: &warpsmith_rtl::ir::Register| {
        let id = simulators[0].find(module.port_name(r.node)).unwrap();
        simulators[0].value(id)
    };
    let registers: Vec<Bits> = module.registers.iter().map(start).collect();
    let mut reading = Reading { module: module.clone(), inputs: HashMap::new(), registers };
    // The lean simulator starts with other noise, so both start from a known state where reset
    // reaches; the lean one is compared only where all registers have one.
    let comparable = if module.registers.iter().all(|r| r.reset.is_some()) { 2 } else { 1 };
    simulators.truncate(comparable);
    for clock in 0..12 {
        let reset = clock == 0 || words(&mut seed).is_multiple_of(8);
        for port in module.inputs() {
            let width = module.node(port).width;
            // Often the same value again, small values, and all ones.
            let raw: Vec<u64> = (0..4).map(|_| words(&mut seed)).collect();
            let value = match words(&mut seed) % 5 {
                0 if clock > 0 => reading.inputs[&port].clone(),
                1 => Bits::from_words(width, &[raw[0] % 4]),
                2 => Bits::from_words(width, &[u64::MAX; 4]),
                _ => Bits::from_words(width, &raw),
            };
            for simulator in simulators.iter_mut().chain([&mut compiled.simulator]) {
                simulator.set(module.port_name(port), value.clone());
            }
            reading.inputs.insert(port, value);
        }
        let mut known = HashMap::new();
        for simulator in &mut simulators {
            simulator.set("rst", Bits::new(1, reset.into()));
            if words(&mut seed).is_multiple_of(4) {
                simulator.evaluate();
            }
            simulator.clock();
            if clock > 0 || comparable == 1 {
                for port in module.outputs() {
                    let expected = reading.value(port, &mut known);
                    prop_assert_eq!(
                        simulator.get(module.port_name(port)),
                        expected,
                        "{} at clock {}",
                        module.port_name(port),
                        clock
                    );
                }
            }
        }
        reading.edge(reset, &mut known);
        compiled.simulator.set("rst", Bits::new(1, reset.into()));
        let evaluate = words(&mut seed).is_multiple_of(8);
        compiled.clock(&mut simulators[0], reset, evaluate)?;
    }
    compiled.ends_as(&mut simulators[0])
}

/// A compiled simulator, which is compared with an interpreted one.
struct Compiled {
    simulator: Simulator,
    /// Clocks that must have been run compiled.
    due: u64,
}

impl Compiled {
    fn new(module: &Module) -> Self {
        let mut simulator = Simulator::new(module).unwrap();
        simulator.set_execution(Execution::Compiled);
        Self { simulator, due: 0 }
    }

    /// A clock, which the interpreted simulator has just made. It is compiled unless there is a reset, or it was
    /// evaluated before, or a check fails.
    fn clock(
        &mut self,
        interpreted: &mut Simulator,
        reset: bool,
        evaluate: bool,
    ) -> Result<(), TestCaseError> {
        if evaluate {
            self.simulator.evaluate();
        }
        self.simulator.clock();
        let violations = facts(interpreted.violations());
        self.due += u64::from(!reset && !evaluate && violations.is_empty());
        prop_assert_eq!(self.simulator.outputs(), interpreted.outputs());
        prop_assert_eq!(facts(self.simulator.violations()), violations);
        if can_compile().is_ok() {
            prop_assert_eq!(self.simulator.compiled_clocks(), self.due, "compiled clocks");
        }
        Ok(())
    }

    /// Compares the state and the counts.
    fn ends_as(&mut self, interpreted: &mut Simulator) -> Result<(), TestCaseError> {
        for id in interpreted.signal_ids() {
            let signal = &interpreted.signals()[id.index()];
            if signal.kind == SignalKind::Register {
                let (own, other) = (self.simulator.value(id), interpreted.value(id));
                prop_assert_eq!(own, other, "{}", &signal.name);
            }
        }
        for memory in interpreted.netlist().memories.clone() {
            for row in 0..memory.rows {
                let own = self.simulator.memory_row(&memory.name, row);
                prop_assert_eq!(own, interpreted.memory_row(&memory.name, row), "{}", &memory.name);
            }
        }
        prop_assert_eq!(self.simulator.covers(), interpreted.covers());
        self.simulator.evaluate();
        interpreted.evaluate();
        for id in interpreted.signal_ids() {
            let name = &interpreted.signals()[id.index()].name;
            prop_assert_eq!(self.simulator.value(id), interpreted.value(id), "{}", name);
        }
        Ok(())
    }
}

fn facts(violations: Vec<Violation>) -> Vec<(u64, u64, String)> {
    violations.into_iter().map(|v| (v.clock, v.count, v.name)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn narrow_circuits_mean_what_they_say(
        widths in prop::collection::vec(1u32..=64, 1..6),
        expressions in genes(40), statements in genes(8), seed: u64,
    ) {
        check_against_reading(circuit(&widths, &expressions, &statements, 64), seed)?;
    }

    #[test]
    fn one_bit_logic_means_what_it_says(
        widths in prop::collection::vec(1u32..=4, 1..6),
        expressions in genes(60), statements in genes(8), seed: u64,
    ) {
        check_against_reading(circuit(&widths, &expressions, &statements, 4), seed)?;
    }

    #[test]
    fn wide_circuits_mean_what_they_say(
        widths in prop::collection::vec(1u32..=200, 1..6),
        expressions in genes(30), statements in genes(6), seed: u64,
    ) {
        check_against_reading(circuit(&widths, &expressions, &statements, 200), seed)?;
    }

    #[test]
    fn gating_and_compiling_change_nothing(
        widths in prop::collection::vec(1u32..=100, 2..5),
        expressions in genes(40), statements in genes(12), seed: u64,
    ) {
        let module = circuit(&widths, &expressions, &statements, 100);
        let chain = chain_of(&module);
        let modes = [GatingMode::Never, GatingMode::Always, GatingMode::Adaptive];
        let mut simulators = modes.map(|_| Simulator::new(&chain).unwrap());
        let mut compiled = Compiled::new(&chain);
        for (simulator, mode) in simulators.iter_mut().zip(modes) {
            simulator.set_gating(mode);
        }
        let mut seed = seed;
        // Clocks between changes of an input: idle parts are skipped.
        let rest = [1, 4, 32][(seed % 3) as usize];
        for clock in 0..400 {
            let change = words(&mut seed).is_multiple_of(rest);
            let (port, word) = (words(&mut seed), words(&mut seed));
            let reset = clock < 2 || clock % 97 == 0;
            if clock == 250 {
                compiled = Compiled { simulator: compiled.simulator.clone(), due: 0 };
            }
            for simulator in simulators.iter_mut().chain([&mut compiled.simulator]) {
                let inputs = simulator.inputs_mut();
                inputs[0] = reset.into();
                if change {
                    inputs[1 + port as usize % (inputs.len() - 1)] = word;
                }
            }
            for (simulator, mode) in simulators.iter_mut().zip(modes) {
                if clock % 5 == 0 {
                    simulator.evaluate();
                }
                if mode == GatingMode::Adaptive && clock % 50 == 7 {
                    simulator.set_gating(GatingMode::Never);
                } else if mode == GatingMode::Adaptive && clock % 50 == 20 {
                    simulator.set_gating(GatingMode::Always);
                }
                simulator.clock();
            }
            let [never, always, adaptive] = &mut simulators;
            prop_assert_eq!(never.outputs(), always.outputs(), "clock {}", clock);
            prop_assert_eq!(never.outputs(), adaptive.outputs(), "clock {}", clock);
            compiled.clock(never, reset, clock % 11 == 0)?;
        }
        compiled.ends_as(&mut simulators[0])?;
    }
}

#[test]
fn trials_of_what_is_fastest_change_nothing() {
    let mut runner = TestRunner::deterministic();
    let numbers = (prop::collection::vec(8u32..=100, 2..5), genes(40), genes(12));
    for _ in 0..6 {
        let (widths, expressions, statements) = numbers.new_tree(&mut runner).unwrap().current();
        let chain = chain_of(&circuit(&widths, &expressions, &statements, 100));
        let modes = [Execution::Interpreted, Execution::Adaptive];
        let mut simulators = modes.map(|_| Simulator::new(&chain).unwrap());
        for (simulator, mode) in simulators.iter_mut().zip(modes) {
            simulator.set_execution(mode);
        }
        let mut seed = u64::from(widths[0]);
        for clock in 0..6000 {
            let (reset, busy) = (words(&mut seed).is_multiple_of(500), clock % 1000 < 100);
            let inputs: Vec<u64> =
                simulators[0].inputs_mut().iter().map(|_| words(&mut seed)).collect();
            for simulator in &mut simulators {
                if busy {
                    simulator.inputs_mut().copy_from_slice(&inputs);
                }
                simulator.inputs_mut()[0] = reset.into();
                simulator.clock();
            }
            let [interpreted, adaptive] = &mut simulators;
            assert_eq!(interpreted.outputs(), adaptive.outputs(), "clock {clock}");
            assert_eq!(facts(interpreted.violations()), facts(adaptive.violations()));
        }
        assert_eq!(simulators[0].covers(), simulators[1].covers());
        assert!(can_compile().is_err() || simulators[1].compiled_clocks() > 0);
        // A copy need not wait for its code.
        let mut copy = simulators[1].clone();
        copy.inputs_mut()[0] = 0;
        (0..600).for_each(|_| copy.clock());
        assert!(can_compile().is_err() || copy.compiled_clocks() > 0);
    }
}

/// The tests above would say little about compiled clocks if most were left to the interpreter.
#[test]
fn nine_of_ten_clocks_without_reset_are_compiled() {
    if let Err(reason) = can_compile() {
        assert!(std::env::var_os("CI").is_none(), "circuits are not compiled here: {reason}");
        println!("skipped: {reason}");
        return;
    }
    let (mut all, mut compiled) = (0, 0);
    let mut runner = TestRunner::deterministic();
    let numbers = (prop::collection::vec(8u32..=100, 2..5), genes(40), genes(12));
    for _ in 0..40 {
        let (widths, expressions, statements) = numbers.new_tree(&mut runner).unwrap().current();
        let module = circuit(&widths, &expressions, &statements, 100);
        let mut simulator = Simulator::new(&chain_of(&module)).unwrap();
        simulator.set_execution(Execution::Compiled);
        let mut seed = u64::from(widths[0]);
        for _ in 0..200 {
            let inputs = simulator.inputs_mut();
            inputs[1..].iter_mut().for_each(|word| *word = words(&mut seed));
            simulator.clock();
        }
        (all, compiled) = (all + 200, compiled + simulator.compiled_clocks());
    }
    assert!(10 * compiled > 9 * all, "{compiled} of {all} clocks were compiled");
}
