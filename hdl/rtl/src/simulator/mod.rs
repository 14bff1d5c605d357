//! Native simulation: a design compiled to a flat program over one array of words.
//!
//! To run a clock, write [`Simulator::inputs_mut`] and call [`Simulator::clock`]; [`Simulator::outputs`] are
//! then those just before the edge. To read signals, call [`Simulator::evaluate`] first; the clock that
//! follows computes nothing twice.

mod checks;
mod compile;
#[cfg(all(feature = "compiled", target_arch = "x86_64"))]
mod compiled;
mod execute;
mod execution;
mod fuse;
mod gating;
mod instruction;
mod memory;
mod noise;
mod segments;
mod select;
#[cfg(not(all(feature = "compiled", target_arch = "x86_64")))]
mod uncompiled;
mod wide;

pub use checks::{Cover, Violation};
pub use execution::{Execution, can_compile};

use crate::bits::Bits;
use crate::ir::Module;
use crate::netlist::{NetId, NetOp, Netlist, NetlistError, SignalInfo};
use crate::ports::{PortLayout, PortSlot, words};
use checks::Checks;
use compile::{Places, clean_words, compile};
use execute::Program;
use execution::Engine;
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
/// grow with the run, and a clock allocates nothing. A clone is in the same state; it shares compiled code.
#[derive(Clone)]
pub struct Simulator {
    netlist: Netlist,
    program: Program,
    /// All words: input image, current and next state, constants, computed values.
    arena: Vec<u64>,
    places: Places,
    /// Input words that a port does not fill, with the mask of its bits.
    input_masks: Vec<(usize, u64)>,
    /// The slot of each word of the output image.
    output_slots: Vec<u32>,
    rams: Vec<Ram>,
    checks: Checks,
    gating: Gating,
    engine: Engine,
    /// Whether clocks were run compiled that the interpreter's values do not show.
    behind: bool,
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
        let compile::Program { code, cones, constants, read_data, places } = compile(&netlist);
        let state = &places.state;
        let mut arena = vec![0; places.arena_words as usize];
        for (slot, value) in constants {
            let value = clean_words(&value);
            arena[slot as usize..][..value.len()].copy_from_slice(&value);
        }
        let slot = |net: NetId| places.slot(net);
        let noise = Noise(places.noise);
        noise.start(&mut arena);
        for (net, number) in netlist.nets.iter().zip(0..) {
            if let (NetOp::Register(_) | NetOp::ReadData { .. }, Some(slot)) =
                (&net.op, places.find(NetId(number)))
            {
                noise.fill(&mut arena, slot as usize, net.width);
            }
        }
        state.next_from_present(&mut arena);
        let memories = netlist.memories.iter().zip(&read_data).zip(&places.contents);
        let rams: Vec<Ram> = memories
            .map(|((memory, data), content)| Ram::new(memory, data, *content, slot))
            .collect();
        rams.iter().for_each(|ram| ram.power_up(&mut arena, noise));
        let output_words = |(port, net): (&PortSlot, &NetId)| {
            let first = slot(*net);
            first..first + port.words() as u32
        };
        let output_slots: Vec<u32> =
            netlist.layout.outputs.iter().zip(&netlist.outputs).flat_map(output_words).collect();
        let partial = netlist.layout.inputs.iter().filter(|port| port.width % 64 != 0);
        let input_masks = partial.map(|p| (p.range().end - 1, top_mask(p.width))).collect();
        let checks = Checks::new(&netlist.checks, places.counts, |check| slot(check.condition));
        let input_words = netlist.layout.input_words();
        let parts = Segments::new(&code, &cones, state, input_words, arena.len(), &rams);
        let ram_words = netlist.memories.iter().zip(&read_data).zip(&rams);
        let ram_words = ram_words.map(|((memory, ports), ram)| {
            let data = ports.iter().flatten().flat_map(|&s| s..s + words(memory.width) as u32);
            data.chain(ram.next_rows()).map(|slot| slot - state.next).collect()
        });
        let gating = Gating::new(parts, input_words, &rams, ram_words.collect());
        Self {
            program: Program::new(code, arena.len()),
            netlist,
            arena,
            places,
            input_masks,
            output_slots,
            rams,
            checks,
            gating,
            engine: Engine::new(Execution::Adaptive),
            behind: false,
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
    #[inline]
    pub fn inputs_mut(&mut self) -> &mut [u64] {
        self.settled = false;
        let words = self.netlist.layout.input_words();
        &mut self.arena[..words]
    }

    /// The output image as of the last [`clock`](Self::clock), just before its edge, or the last
    /// [`evaluate`](Self::evaluate).
    #[inline]
    pub fn outputs(&self) -> &[u64] {
        &self.arena[self.places.outputs as usize..][..self.output_slots.len()]
    }

    /// Settles, checks the properties, and makes a rising edge.
    pub fn clock(&mut self) {
        let start = self.engine.start();
        if !self.clock_compiled() {
            self.clock_interpreted();
        }
        if let Some(start) = start {
            self.engine.end(start);
        }
        self.clocks += 1;
        self.settled = false;
    }

    /// Whether the clock was run by compiled code, which knows neither reset nor failing checks.
    #[inline]
    fn clock_compiled(&mut self) -> bool {
        if self.settled || self.arena[0] & 1 != 0 {
            return false;
        }
        let gated = self.gating.is_tracking();
        let code = self.engine.code(&self.netlist, &self.places, gated);
        let done = code.is_some_and(|code| code.clock(&mut self.arena, self.clocks));
        self.behind |= done;
        self.engine.clocks += u64::from(done);
        done
    }

    fn clock_interpreted(&mut self) {
        self.evaluate();
        let reset = self.arena[0] != 0;
        if !reset {
            self.checks.edge(&mut self.arena, self.clocks);
        }
        let noise = Noise(self.places.noise);
        self.gating.memory_edges(&self.rams, &mut self.arena, noise);
        self.gating.state_edge(&self.places.state, reset, &mut self.arena);
    }

    /// Lets values settle and stores the outputs, without an edge.
    pub fn evaluate(&mut self) {
        if self.settled {
            return;
        }
        if std::mem::take(&mut self.behind) {
            self.places.state.next_from_present(&mut self.arena);
            self.gating.everything_changed();
        }
        for (word, mask) in &self.input_masks {
            self.arena[*word] &= mask;
        }
        self.gating.settle(&self.program, &mut self.arena);
        for (output, slot) in (self.places.outputs as usize..).zip(&self.output_slots) {
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

    /// Sets how clocks are run; adaptive by default. It changes nothing but the speed.
    pub fn set_execution(&mut self, execution: Execution) {
        self.engine = Engine::new(execution);
    }

    /// Compiles the design now rather than after some clocks. Whether parts of it are idle, and may be skipped, is
    /// known only after some.
    ///
    /// # Errors
    /// Returns the reason if that is not possible; the design is interpreted then.
    pub fn compile(&mut self) -> Result<(), String> {
        let idle = self.clocks > 0 && self.gating.is_tracking();
        self.engine.compile(&self.netlist, &self.places, idle)
    }

    /// Number of clocks since [`set_execution`](Self::set_execution) that were run compiled. Clocks with
    /// reset, with a failing check, or after [`evaluate`](Self::evaluate) never are.
    pub fn compiled_clocks(&self) -> u64 {
        self.engine.clocks
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
    /// values and other signals any earlier ones, so call [`evaluate`](Self::evaluate) first.
    pub fn value(&self, signal: SignalId) -> Bits {
        let width = self.netlist.signals[signal.index()].width;
        Bits::from_words(width, self.signal_words(signal))
    }

    /// The words of a signal's value.
    pub fn signal_words(&self, signal: SignalId) -> &[u64] {
        let signal = &self.netlist.signals[signal.index()];
        let slot = self.places.slot(signal.net);
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

    /// Whether an assertion or an assumption has failed since the last call of [`violations`](Self::violations).
    #[inline]
    pub fn has_violations(&self) -> bool {
        self.checks.failed
    }

    /// Failed assertions and assumptions since the last call, earliest first: for each the first failure and
    /// the number of failures.
    pub fn violations(&mut self) -> Vec<Violation> {
        self.checks.take_violations(&self.netlist.checks)
    }

    /// The counts of all covers, in the order of [`covers`](Self::covers).
    pub fn cover_counts(&self) -> &[u64] {
        self.checks.cover_counts(&self.arena)
    }

    /// The count of each cover.
    pub fn covers(&self) -> Vec<Cover> {
        self.checks.covers(&self.netlist.checks, &self.arena)
    }
}

fn names(ports: &[PortSlot]) -> String {
    ports.iter().map(|port| format!("`{}`", port.name)).collect::<Vec<_>>().join(", ")
}
