//! Native simulation: a design compiled to a flat program over one array of words.
//!
//! To run a clock, write [`Simulator::inputs_mut`] and call [`Simulator::clock`]; [`Simulator::outputs`] are
//! then those just before the edge. To read signals, call [`Simulator::evaluate`] first; the clock that
//! follows computes nothing twice.

mod checks;
mod compile;
mod execute;
mod fuse;
mod gating;
mod instruction;
mod memory;
mod noise;
mod segments;
mod select;
mod wide;

pub use checks::{Cover, Violation};

use crate::bits::Bits;
use crate::ir::Module;
use crate::netlist::{NetOp, Netlist, NetlistError, SignalInfo};
use crate::ports::{PortLayout, PortSlot, words};
use checks::Checks;
use compile::{Compiled, State, clean_words, compile};
use execute::Program;
use gating::Gating;
pub use gating::GatingMode;
use memory::Ram;
use noise::Noise;
use segments::Segments;
use wide::top_mask;

/// Number of a signal: its index in [`Simulator::signals`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SignalId(u32);

impl SignalId {
    /// Index in [`Simulator::signals`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A design in simulation.
/// Registers without reset, memories and read data start as noise, the same in every run. Memory use does not
/// grow with the run, and a clock allocates nothing.
pub struct Simulator {
    netlist: Netlist,
    program: Program,
    /// All words: input image, current and next state, constants, computed values.
    arena: Vec<u64>,
    slots: Vec<Option<u32>>,
    state: State,
    /// Input words that a port does not fill, with the mask of its bits.
    input_masks: Vec<(usize, u64)>,
    /// The slot of each word of the output image.
    output_slots: Vec<u32>,
    /// Slot of the first word of the output image.
    first_output: usize,
    rams: Vec<Ram>,
    checks: Checks,
    gating: Gating,
    noise: Noise,
    /// Whether computed values match the current inputs and state.
    settled: bool,
    clocks: u64,
}

impl Simulator {
    /// Compiles a module, with every named signal visible.
    pub fn new(module: &Module) -> Result<Self, NetlistError> {
        Netlist::flatten(module).map(Self::from_netlist)
    }

    /// Compiles a netlist. One that keeps only what is observable may run faster, has fewer signals, and
    /// starts with other noise.
    pub fn from_netlist(netlist: Netlist) -> Self {
        let compiled = compile(&netlist);
        let Compiled { code, cones, slots, constants, state, read_data, contents, .. } = &compiled;
        let mut arena = vec![0; compiled.arena_words as usize];
        for (slot, value) in constants {
            let value = clean_words(value);
            arena[*slot as usize..][..value.len()].copy_from_slice(&value);
        }
        let slot = |net: crate::netlist::NetId| {
            slots[net.index()].expect("what is visible from outside has a slot")
        };
        let noise = Noise(compiled.noise);
        noise.start(&mut arena);
        for (net, slot) in netlist.nets.iter().zip(slots) {
            if let (NetOp::Register(_) | NetOp::ReadData { .. }, Some(slot)) = (&net.op, slot) {
                noise.fill(&mut arena, *slot as usize, net.width);
            }
        }
        state.next_from_present(&mut arena);
        let places = netlist.memories.iter().zip(read_data).zip(contents);
        let rams: Vec<Ram> = places
            .map(|((memory, data), content)| Ram::new(memory, data, *content, slot))
            .collect();
        rams.iter().for_each(|ram| ram.power_up(&mut arena, noise));
        let output_words = |(port, net): (&PortSlot, &crate::netlist::NetId)| {
            let first = slot(*net);
            first..first + port.words() as u32
        };
        let output_slots: Vec<u32> =
            netlist.layout.outputs.iter().zip(&netlist.outputs).flat_map(output_words).collect();
        let partial = netlist.layout.inputs.iter().filter(|port| port.width % 64 != 0);
        let input_masks = partial.map(|p| (p.range().end - 1, top_mask(p.width))).collect();
        let checks = Checks::new(&netlist.checks, compiled.counts, |check| slot(check.condition));
        let input_words = netlist.layout.input_words();
        let parts = Segments::new(code, cones, state, input_words, arena.len(), &rams);
        let ram_words = netlist.memories.iter().zip(read_data).zip(&rams);
        let ram_words = ram_words.map(|((memory, ports), ram)| {
            let data = ports.iter().flatten().flat_map(|&s| s..s + words(memory.width) as u32);
            data.chain(ram.next_rows()).map(|slot| slot - state.next).collect()
        });
        let gating = Gating::new(parts, input_words, &rams, ram_words.collect());
        Self {
            program: Program::new(compiled.code, arena.len()),
            netlist,
            arena,
            slots: compiled.slots,
            state: compiled.state,
            input_masks,
            output_slots,
            first_output: compiled.outputs as usize,
            rams,
            checks,
            gating,
            noise,
            settled: false,
            clocks: 0,
        }
    }

    /// The design.
    pub fn netlist(&self) -> &Netlist {
        &self.netlist
    }

    /// The layout of the ports in the images.
    pub fn layout(&self) -> &PortLayout {
        &self.netlist.layout
    }

    /// The input image, `rst` first. Bits above a port's width are ignored.
    pub fn inputs_mut(&mut self) -> &mut [u64] {
        self.settled = false;
        let words = self.netlist.layout.input_words();
        &mut self.arena[..words]
    }

    /// The output image as of the last [`clock`](Self::clock), just before its edge, or the last
    /// [`evaluate`](Self::evaluate).
    pub fn outputs(&self) -> &[u64] {
        &self.arena[self.first_output..][..self.output_slots.len()]
    }

    /// Settles, checks the properties, and makes a rising edge.
    pub fn clock(&mut self) {
        self.evaluate();
        let reset = self.arena[0] != 0;
        if !reset {
            self.checks.edge(&mut self.arena, self.clocks);
        }
        self.gating.memory_edges(&self.rams, &mut self.arena, self.noise);
        self.gating.state_edge(&self.state, reset, &mut self.arena);
        self.clocks += 1;
        self.settled = false;
    }

    /// Lets values settle and stores the outputs, without an edge.
    pub fn evaluate(&mut self) {
        if self.settled {
            return;
        }
        for (word, mask) in &self.input_masks {
            self.arena[*word] &= mask;
        }
        self.gating.settle(&self.program, &mut self.arena);
        for (output, slot) in (self.first_output..).zip(&self.output_slots) {
            self.arena[output] = self.arena[*slot as usize];
        }
        self.settled = true;
    }

    /// Number of instructions; fewer than computed nets, as one instruction often absorbs several.
    pub fn instructions(&self) -> usize {
        self.program.code().instructions.len()
    }

    /// Whether all values match the current inputs and state: nothing changed since the last
    /// [`evaluate`](Self::evaluate).
    pub fn is_settled(&self) -> bool {
        self.settled
    }

    /// Number of edges so far.
    pub fn clocks(&self) -> u64 {
        self.clocks
    }

    /// Sets how unchanged parts of the design are skipped; adaptive by default. It changes nothing but the
    /// speed.
    pub fn set_gating(&mut self, mode: GatingMode) {
        self.gating.set_mode(mode);
        self.settled = false;
    }

    /// Named signals, the top module's first.
    pub fn signals(&self) -> &[SignalInfo] {
        &self.netlist.signals
    }

    /// The numbers of all signals, in the order of [`signals`](Self::signals).
    pub fn signal_ids(&self) -> impl Iterator<Item = SignalId> + use<> {
        (0..self.netlist.signals.len() as u32).map(SignalId)
    }

    /// The signal of that hierarchical name.
    pub fn find(&self, name: &str) -> Option<SignalId> {
        let index = self.netlist.signals.iter().position(|signal| signal.name == name)?;
        Some(SignalId(index as u32))
    }

    /// The value of a signal when last settled. After a [`clock`](Self::clock) registers have their new
    /// values and other signals the old ones, so call [`evaluate`](Self::evaluate) first.
    pub fn value(&self, signal: SignalId) -> Bits {
        let width = self.netlist.signals[signal.index()].width;
        Bits::from_words(width, self.signal_words(signal))
    }

    /// The words of a signal's value.
    pub fn signal_words(&self, signal: SignalId) -> &[u64] {
        let signal = &self.netlist.signals[signal.index()];
        let slot = self.slots[signal.net.index()].expect("a signal has a slot");
        &self.arena[slot as usize..][..words(signal.width)]
    }

    /// Sets an input port.
    ///
    /// # Panics
    /// If no port has that name, or it has another width.
    #[track_caller]
    pub fn set(&mut self, port: &str, value: Bits) {
        let Some(slot) = self.layout().input(port) else {
            panic!("there is no input `{port}`; inputs are {}", names(&self.layout().inputs));
        };
        assert!(
            slot.width == value.width(),
            "input `{port}` is {} bits wide, the value {value} is {}",
            slot.width,
            value.width()
        );
        let range = slot.range();
        self.inputs_mut()[range].copy_from_slice(&clean_words(&value));
    }

    /// The value of an output port in the output image.
    ///
    /// # Panics
    /// If no port has that name.
    #[track_caller]
    pub fn get(&self, port: &str) -> Bits {
        let Some(slot) = self.layout().output(port) else {
            panic!("there is no output `{port}`; outputs are {}", names(&self.layout().outputs));
        };
        Bits::from_words(slot.width, &self.outputs()[slot.range()])
    }

    /// A row of a memory.
    ///
    /// # Panics
    /// If no memory has that hierarchical name, or it lacks the row.
    #[track_caller]
    pub fn memory_row(&self, name: &str, row: u32) -> Bits {
        let Some(index) = self.netlist.memories.iter().position(|m| m.name == name) else {
            panic!("there is no memory `{name}`");
        };
        let rows = self.netlist.memories[index].rows;
        assert!(row < rows, "memory `{name}` has {rows} rows, {row} is not one of them");
        self.rams[index].row(row, &self.arena)
    }

    /// Failed assertions and assumptions since the last call, earliest first: for each the first failure and
    /// the number of failures.
    pub fn violations(&mut self) -> Vec<Violation> {
        self.checks.take_violations(&self.netlist.checks)
    }

    /// The count of each cover.
    pub fn covers(&self) -> Vec<Cover> {
        self.checks.covers(&self.netlist.checks, &self.arena)
    }
}

fn names(ports: &[PortSlot]) -> String {
    ports.iter().map(|port| format!("`{}`", port.name)).collect::<Vec<_>>().join(", ")
}
