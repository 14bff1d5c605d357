//! The RTL builder: a circuit that counts rising edges, as Verilog and in the native simulator.
//!
//! `cargo run --release --example builder`

use std::error::Error;

use warpsmith_rtl::{Module, ModuleBuilder, Simulator, verilog};

/// Counts the rising edges of `level`, up to the largest number of `bits` bits.
fn edge_counter(bits: u32) -> Module {
    let m = ModuleBuilder::new("edge_counter");
    m.describe("Counts the rising edges of an input.");
    let level = m.input("level", 1);
    let last = m.reg("last", 1, 0).doc("The input at the last edge of the clock.");
    last.set(level);
    // A name makes it a wire of that name in the Verilog and in the waves.
    let rises = (level & !*last).named("rises");
    let count = m.reg("count", bits, 0);
    // It stays at its largest value: a counter that wraps would say that nothing happened.
    m.when(rises & !count.all(), || count.set(*count + 1));
    m.output("value", *count);
    m.finish()
}

/// Emits and simulates the circuit.
pub fn main() -> Result<(), Box<dyn Error>> {
    let circuit = edge_counter(3);
    for file in verilog::emit(&circuit, &Default::default())? {
        println!("// {}\n{}", file.file_name(), file.text);
    }

    let mut simulator = Simulator::new(&circuit)?;
    // Ports are words; the layout says which word is which port.
    let layout = simulator.layout().clone();
    let word = |port: Option<&warpsmith_rtl::PortSlot>| port.expect("a port of ours").offset;
    let (rst, level) = (word(layout.input("rst")), word(layout.input("level")));
    let value = word(layout.output("value"));
    simulator.inputs_mut()[rst] = 1;
    simulator.clock();
    simulator.inputs_mut()[rst] = 0;
    for bit in [0, 1, 1, 0, 1, 0, 0, 1, 0] {
        simulator.inputs_mut()[level] = bit;
        simulator.clock();
    }
    // Outputs are those just before the edge.
    println!("{} rising edges", simulator.outputs()[value]);
    assert_eq!(simulator.outputs()[value], 3);
    Ok(())
}
