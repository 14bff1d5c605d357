//! The hand-written part of every component: our native simulator behind rust_hdl's signals, and our Verilog
//! inside rust_hdl's.

use num_bigint::BigUint;
use rust_hdl::prelude::{Bits, Synth, Verilog, Wrapper};
use warpsmith_blocks::block::Design;
use warpsmith_rtl::verilog::{EmitOptions, emit};
use warpsmith_rtl::{Module, Simulator};

use crate::shape::{Part, Pin};

/// The preset of all components.
pub const PRESET: &str = "fpga";

/// The design of a block of the registry.
///
/// # Panics
/// If there is no such block.
pub fn design(block: &str) -> Box<dyn Design> {
    let block = warpsmith_blocks::find(block).expect("a block of the registry");
    block.configure(PRESET, &[]).expect("every block has the preset")
}

/// The Verilog of a circuit with all its modules.
///
/// # Panics
/// If it has none.
pub fn verilog(circuit: &Module) -> String {
    let files = emit(circuit, &EmitOptions::default()).expect("a block has Verilog");
    files.into_iter().map(|file| file.text).collect::<Vec<_>>().join("\n")
}

/// A type of signal, as words.
pub trait Value: Synth {
    /// Its words, the least significant first; a word at least.
    fn into_words(self) -> Vec<u64>;
    /// The value of these words; bits above its width are ignored.
    fn from_words(words: &[u64]) -> Self;
}

impl Value for bool {
    fn into_words(self) -> Vec<u64> {
        vec![u64::from(self)]
    }

    fn from_words(words: &[u64]) -> Self {
        words[0] & 1 == 1
    }
}

impl<const N: usize> Value for Bits<N> {
    fn into_words(self) -> Vec<u64> {
        if N <= 64 {
            return vec![self.into()];
        }
        let mut words = BigUint::from(self).to_u64_digits();
        words.resize(N.div_ceil(64), 0);
        words
    }

    fn from_words(words: &[u64]) -> Self {
        if N <= 64 {
            return (words[0] & (u64::MAX >> (64 - N.max(1)))).into();
        }
        let halves = words.iter().flat_map(|word| [*word as u32, (word >> 32) as u32]);
        let mask = (BigUint::from(1_u32) << N) - 1_u32;
        (BigUint::new(halves.collect()) & mask).into()
    }
}

/// A block in the native simulator, with the pins of a component.
pub struct Native {
    circuit: Module,
    simulator: Simulator,
    pins: Vec<Pin>,
    /// For each channel the words of valid and ready in inputs followed by outputs; none: always ready.
    handshakes: Vec<(usize, Option<usize>)>,
    inputs: Vec<u64>,
    outputs: Vec<u64>,
    has_settled: bool,
}

impl Native {
    /// A block after power-up with these pins, which are [`ports`](crate::shape::ports) or
    /// [`channels`](crate::shape::channels).
    ///
    /// # Panics
    /// If there is no such block.
    pub fn new(block: &str, pins: fn(&dyn Design, &Module) -> Vec<Pin>) -> Self {
        let design = design(block);
        let circuit = design.circuit();
        let layout = circuit.port_layout();
        let (inputs, outputs) = (layout.input_words(), layout.output_words());
        let word = |port: String| {
            let input = layout.input(&port).map(|slot| slot.offset);
            input.or_else(|| layout.output(&port).map(|slot| inputs + slot.offset))
        };
        let handshake = |name: &str| {
            let valid = word(format!("{name}_valid")).expect("every channel has a valid");
            (valid, word(format!("{name}_ready")))
        };
        let handshakes: Vec<_> = design.channels().iter().map(|c| handshake(c.name)).collect();
        let simulator = Simulator::new(&circuit).expect("a block can be simulated");
        Self {
            pins: pins(&*design, &circuit),
            circuit,
            simulator,
            inputs: vec![0; inputs],
            outputs: vec![0; outputs + handshakes.len() + 1],
            handshakes,
            has_settled: false,
        }
    }

    /// Sets an input pin.
    pub fn write<T: Value>(&mut self, pin: usize, value: T) {
        let words = value.into_words();
        let mut at = 0;
        for part in &self.pins[pin].parts {
            for (done, word) in chunks(part) {
                let new = bits_at(&words, at + done, (part.width - done).min(64));
                self.has_settled &= self.inputs[word] == new;
                self.inputs[word] = new;
            }
            at += part.width;
        }
    }

    /// Makes a rising edge, if it is one, and lets the outputs settle.
    pub fn settle(&mut self, edge: bool) {
        if self.has_settled && !edge {
            return;
        }
        self.simulator.inputs_mut().copy_from_slice(&self.inputs);
        if edge {
            self.simulator.clock();
        }
        self.simulator.evaluate();
        let outputs = self.simulator.outputs();
        self.outputs[..outputs.len()].copy_from_slice(outputs);
        let word = |index: usize| match index.checked_sub(self.inputs.len()) {
            Some(output) => outputs[output],
            None => self.inputs[index],
        };
        for ((valid, ready), fires) in
            self.handshakes.iter().zip(&mut self.outputs[outputs.len()..])
        {
            *fires = word(*valid) & ready.map_or(1, word);
        }
        if let [fires @ .., any] = &mut self.outputs[outputs.len()..] {
            *any = fires.iter().fold(0, |any, fires| any | *fires);
        }
        self.has_settled = true;
    }

    /// The value of an output pin.
    pub fn read<T: Value>(&self, pin: usize) -> T {
        let pin = &self.pins[pin];
        let mut words = vec![0; pin.width().div_ceil(64) as usize];
        let mut at = 0;
        for part in &pin.parts {
            for (done, word) in chunks(part) {
                let (index, shift) = ((at + done) as usize / 64, (at + done) % 64);
                words[index] |= self.outputs[word] << shift;
                if shift + (part.width - done).min(64) > 64 {
                    words[index + 1] |= self.outputs[word] >> (64 - shift);
                }
            }
            at += part.width;
        }
        T::from_words(&words)
    }

    /// Our Verilog of the block, instantiated with the component's ports.
    ///
    /// # Panics
    /// If the block has no Verilog.
    pub fn hdl(&self) -> Verilog {
        let layout = self.circuit.port_layout();
        let mut code = String::new();
        let mut connections = vec![".clk(clk)".to_string()];
        for pin in self.pins.iter().filter(|pin| pin.is_input) {
            connections.extend(bits_of(pin).map(|(part, bits)| format!(".{}({bits})", part.port)));
        }
        for slot in &layout.outputs {
            let wire = wire_of(&slot.name);
            match slot.width {
                1 => code += &format!("wire {wire};\n"),
                width => code += &format!("wire [{}:0] {wire};\n", width - 1),
            }
            connections.push(format!(".{}({wire})", slot.name));
        }
        let name = &self.circuit.name;
        code += &format!("{name} {name}_inside (\n  {}\n);\n", connections.join(",\n  "));
        for pin in self.pins.iter().filter(|pin| !pin.is_input) {
            let parts: Vec<_> = pin.parts.iter().rev().map(|part| self.verilog_of(part)).collect();
            code += &format!("assign {} = {{{}}};\n", pin.name, parts.join(", "));
        }
        Verilog::Wrapper(Wrapper { code, cores: verilog(&self.circuit) })
    }

    /// An output part in the wrapper's Verilog.
    fn verilog_of(&self, part: &Part) -> String {
        if !part.fires {
            return wire_of(&part.port);
        }
        if part.port.is_empty() {
            return format!("|transfers[{}:0]", self.handshakes.len() - 1);
        }
        let layout = self.circuit.port_layout();
        let role = |role: &str| {
            let port = format!("{}_{role}", part.port);
            let output = layout.output(&port).map(|_| wire_of(&port));
            output.or_else(|| layout.input(&port).map(|_| port))
        };
        let both: Vec<_> = ["valid", "ready"].into_iter().filter_map(role).collect();
        format!("({})", both.join(" & "))
    }
}

fn wire_of(port: &str) -> String {
    format!("{port}_inside")
}

/// The words of a part, each with the number of its lowest bit.
fn chunks(part: &Part) -> impl Iterator<Item = (u32, usize)> + use<> {
    (0..part.width).step_by(64).zip(part.word..)
}

/// The parts of an input pin with their bits of it.
fn bits_of(pin: &Pin) -> impl Iterator<Item = (&Part, String)> {
    let mut low = 0;
    pin.parts.iter().map(move |part| {
        let (bottom, top) = (low, low + part.width - 1);
        low += part.width;
        let bits = match (pin.parts.len(), part.width) {
            (1, _) => pin.name.clone(),
            (_, 1) => format!("{}[{bottom}]", pin.name),
            _ => format!("{}[{top}:{bottom}]", pin.name),
        };
        (part, bits)
    })
}

/// Up to 64 bits from that bit on.
fn bits_at(words: &[u64], from: u32, width: u32) -> u64 {
    let (index, shift) = (from as usize / 64, from % 64);
    let low = words[index] >> shift;
    let high = match shift {
        0 => 0,
        _ => words.get(index + 1).map_or(0, |word| word << (64 - shift)),
    };
    (low | high) & (u64::MAX >> (64 - width))
}
