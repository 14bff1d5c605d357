//! The simulator against a direct reading of the module, on random circuits.

mod circuit;
mod reading;

use std::collections::HashMap;

use circuit::{chain_of, circuit, genes};
use proptest::prelude::*;
use reading::Reading;
use warpsmith_rtl::simulator::GatingMode;
use warpsmith_rtl::{Bits, Module, Netlist, Simulator, netlist::Keep};

/// A cheap sequence of words from a seed.
fn words(seed: &mut u64) -> u64 {
    *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    *seed ^ (*seed >> 29)
}

fn check_against_reading(module: Module, mut seed: u64) -> Result<(), TestCaseError> {
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
            for simulator in &mut simulators {
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
    }
    Ok(())
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
    fn gating_changes_nothing(
        widths in prop::collection::vec(1u32..=100, 2..5),
        expressions in genes(40), statements in genes(12), seed: u64,
    ) {
        let module = circuit(&widths, &expressions, &statements, 100);
        let chain = chain_of(&module);
        let modes = [GatingMode::Never, GatingMode::Always, GatingMode::Adaptive];
        let mut simulators = modes.map(|_| Simulator::new(&chain).unwrap());
        for (simulator, mode) in simulators.iter_mut().zip(modes) {
            simulator.set_gating(mode);
        }
        let mut seed = seed;
        let busy = seed % 2 == 0;
        for clock in 0..400 {
            let change = busy || words(&mut seed).is_multiple_of(4);
            let (port, word) = (words(&mut seed), words(&mut seed));
            for (simulator, mode) in simulators.iter_mut().zip(modes) {
                let inputs = simulator.inputs_mut();
                inputs[0] = u64::from(clock < 2 || clock % 97 == 0);
                if change {
                    inputs[1 + port as usize % (inputs.len() - 1)] = word;
                }
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
            let [never, always, adaptive] = &simulators;
            prop_assert_eq!(never.outputs(), always.outputs(), "clock {}", clock);
            prop_assert_eq!(never.outputs(), adaptive.outputs(), "clock {}", clock);
        }
    }
}
