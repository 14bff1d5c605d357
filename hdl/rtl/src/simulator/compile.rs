//! Compiles a netlist to a program: the slot of each value, and the instructions in order.

use super::instruction::{Code, Instruction, Opcode};
use super::wide::{WideKind, WideOp, WideValue};
use crate::bits::Bits;
use crate::netlist::{Memory, NetId, NetOp, Netlist};
use crate::ports::words;

/// Marks a slot that is not yet assigned.
const NONE: u32 = u32::MAX;

/// A netlist made executable.
pub(super) struct Program {
    pub code: Code,
    /// The instance of each instruction.
    pub cones: Vec<u32>,
    pub constants: Vec<(u32, Bits)>,
    /// First next-state slot of each read port's data, by memory and port.
    pub read_data: Vec<Vec<Option<u32>>>,
    pub places: Places,
}

/// Where in the arena everything is.
#[derive(Clone)]
pub(super) struct Places {
    pub arena_words: u32,
    /// First slot of each net that has one.
    slots: Vec<Option<u32>>,
    pub state: State,
    /// First slot of each memory's content before and after the edge; they differ if the memory is read
    /// asynchronously.
    pub contents: Vec<(u32, u32)>,
    /// The slot of the noise sequence.
    pub noise: u32,
    /// First slot of the output image.
    pub outputs: u32,
    /// First slot of the covers' counts.
    pub counts: u32,
}

impl Places {
    /// The first slot of a net that is stored or visible from outside.
    pub fn slot(&self, net: NetId) -> u32 {
        self.slots[net.index()].expect("what is stored or visible has a slot")
    }

    /// The first slot of a net, if it has one.
    pub fn find(&self, net: NetId) -> Option<u32> {
        self.slots[net.index()]
    }
}

/// The layout of registers, read data and the rows of asynchronously read memories: `words` words from
/// `present` on, and as many from `next` on, which the edge copies. Registers with a reset come first, then
/// the others, then read data, then rows.
#[derive(Clone, Debug, Default)]
pub(super) struct State {
    pub present: u32,
    pub next: u32,
    pub words: u32,
    /// Reset values of the first words.
    pub reset: Vec<u64>,
}

impl State {
    /// Copies the present state to the next one, which parts that are not computed keep.
    pub fn next_from_present(&self, arena: &mut [u64]) {
        let present = self.present as usize..(self.present + self.words) as usize;
        arena.copy_within(present, self.next as usize);
    }
}

pub(super) fn compile(netlist: &Netlist) -> Program {
    let mut compiler = Compiler {
        netlist,
        uses: count_uses(netlist),
        slots: vec![NONE; netlist.nets.len()],
        arena_words: netlist.layout.input_words() as u32,
        constants: Vec::new(),
        rows: vec![None; netlist.memories.len()],
        code: Code::default(),
        cones: Vec::new(),
    };
    for (index, net) in netlist.nets.iter().enumerate() {
        if let NetOp::Input(port) = net.op {
            compiler.slots[index] = netlist.layout.inputs[port as usize].offset as u32;
        }
    }
    let (state, moves) = compiler.place_state();
    let read_data = compiler.place_read_data(&state);
    // Users before operands, so that a user can absorb an operand's work.
    for &(source, dst) in moves.iter().rev() {
        compiler.move_value(source, dst);
    }
    for index in (0..netlist.nets.len()).rev() {
        let id = NetId(index as u32);
        if netlist.nets[index].op.computes() && compiler.uses[index] > 0 {
            compiler.select(id);
            compiler.cones.resize(compiler.code.instructions.len(), netlist.nets[index].cone);
        }
    }
    compiler.code.instructions.reverse();
    compiler.cones.reverse();
    // A visible value that is never an operand, such as a constant on a port, needs a slot too.
    netlist.for_roots(|net| {
        compiler.slot(net);
    });
    let noise = compiler.allocate(1);
    let outputs = compiler.allocate(netlist.layout.output_words());
    let counts = compiler.allocate(netlist.checks.len());
    let contents = (0..netlist.memories.len()).map(|memory| compiler.content(memory, &state));
    let contents = contents.collect();
    let Compiler { code, cones, slots, arena_words, constants, .. } = compiler;
    let slots = slots.into_iter().map(|slot| (slot != NONE).then_some(slot)).collect();
    let places = Places { arena_words, slots, state, contents, noise, outputs, counts };
    Program { code, cones, constants, read_data, places }
}

pub(super) struct Compiler<'a> {
    pub netlist: &'a Netlist,
    /// Uses of each net by instructions still to be selected; visible nets get two extra uses, so that they
    /// never count as used once.
    pub uses: Vec<u32>,
    slots: Vec<u32>,
    arena_words: u32,
    constants: Vec<(u32, Bits)>,
    /// First slot of the rows of each asynchronously read memory.
    rows: Vec<Option<u32>>,
    pub code: Code,
    cones: Vec<u32>,
}

impl Compiler<'_> {
    /// Assigns slots to registers, read data and asynchronously read rows. A next value that only its
    /// register uses is computed in place; the others are returned as moves.
    fn place_state(&mut self) -> (State, Vec<(NetId, u32)>) {
        let netlist = self.netlist;
        let (with, without): (Vec<_>, Vec<_>) =
            netlist.registers.iter().partition(|register| register.reset.is_some());
        let present = self.arena_words;
        for register in with.iter().chain(&without) {
            self.slot(register.present);
        }
        for net in netlist.memories.iter().flat_map(|m| m.reads.iter().filter_map(|r| r.data)) {
            self.slot(net);
        }
        for net in &netlist.nets {
            let NetOp::Row { memory, .. } = net.op else { continue };
            if self.rows[memory as usize].is_none() {
                self.rows[memory as usize] =
                    Some(self.allocate(netlist.memories[memory as usize].words()));
            }
        }
        let next = self.arena_words;
        let words = next - present;
        self.arena_words += words;
        let reset = with.iter().flat_map(|register| {
            let value = register.reset.as_ref().expect("partitioned by it");
            clean_words(value)
        });
        let reset = reset.collect();
        let mut moves = Vec::new();
        for register in &netlist.registers {
            let dst = self.slot(register.present) + words;
            let source = register.next;
            if self.slots[source.index()] == NONE && netlist.net(source).op.computes() {
                self.slots[source.index()] = dst;
            } else {
                moves.push((source, dst));
            }
        }
        (State { present, next, words, reset }, moves)
    }

    /// The first next-state slot of each read port's data.
    fn place_read_data(&self, state: &State) -> Vec<Vec<Option<u32>>> {
        let next = |net: NetId| self.slots[net.index()] - state.present + state.next;
        let ports = |m: &Memory| m.reads.iter().map(|r| r.data.map(next)).collect();
        self.netlist.memories.iter().map(ports).collect()
    }

    /// That many new slots; the first of them.
    fn allocate(&mut self, words: usize) -> u32 {
        let first = self.arena_words;
        let end = u32::try_from(words).ok().and_then(|words| first.checked_add(words));
        self.arena_words = end.expect("a design of less than 2^32 words");
        first
    }

    /// First slot of a memory's content before and after the edge.
    fn content(&mut self, memory: usize, state: &State) -> (u32, u32) {
        match self.rows[memory] {
            Some(present) => (present, present - state.present + state.next),
            None => {
                let first = self.allocate(self.netlist.memories[memory].words());
                (first, first)
            }
        }
    }

    /// The first slot and the number of a memory's rows.
    pub fn rows_of(&self, memory: u32) -> (u32, u32) {
        let first = self.rows[memory as usize].expect("it is read without a clock");
        (first, self.netlist.memories[memory as usize].rows)
    }

    /// The first slot of the net, allocated if necessary.
    pub fn slot(&mut self, id: NetId) -> u32 {
        if self.slots[id.index()] == NONE {
            let net = self.netlist.net(id);
            self.slots[id.index()] = self.allocate(words(net.width));
            if let NetOp::Const(value) = &net.op {
                self.constants.push((self.slots[id.index()], value.clone()));
            }
        }
        self.slots[id.index()]
    }

    pub fn place(&mut self, id: NetId) -> WideValue {
        WideValue { slot: self.slot(id), width: self.width(id) }
    }

    pub fn width(&self, id: NetId) -> u32 {
        self.netlist.net(id).width
    }

    pub fn op(&self, id: NetId) -> &NetOp {
        &self.netlist.net(id).op
    }

    /// Whether a single instruction uses the net, so that it may absorb its work.
    pub fn is_private(&self, id: NetId) -> bool {
        self.uses[id.index()] == 1
    }

    /// Notes that the current instruction computes `id` itself, from its operands. The net is not computed
    /// any more if nothing else uses it.
    pub fn absorb(&mut self, id: NetId) {
        self.uses[id.index()] -= 1;
        if self.uses[id.index()] > 0 {
            let netlist = self.netlist;
            netlist.net(id).op.for_operands(|operand| self.uses[operand.index()] += 1);
        }
    }

    pub fn push(&mut self, op: Opcode, shift: u32, dst: u32, a: u32, b: u32, immediate: u64) {
        let shift = shift as u8;
        self.code.instructions.push(Instruction { op, shift, dst, a, b, immediate });
    }

    pub fn push_wide(&mut self, kind: WideKind, width: u32, dst: u32) {
        let index = self.code.wide.len() as u32;
        self.code.wide.push(WideOp { kind, width });
        self.push(Opcode::Wide, 0, dst, index, 0, 0);
    }

    fn move_value(&mut self, source: NetId, dst: u32) {
        let from = self.place(source);
        match from.width {
            ..=64 => self.push(Opcode::Move, 0, dst, from.slot, 0, 0),
            width => self.push_wide(WideKind::Move(from), width, dst),
        }
        let cone = self.netlist.net(source).cone;
        self.cones.resize(self.code.instructions.len(), cone);
    }
}

fn count_uses(netlist: &Netlist) -> Vec<u32> {
    let mut uses = vec![0; netlist.nets.len()];
    for net in &netlist.nets {
        net.op.for_operands(|operand| uses[operand.index()] += 1);
    }
    netlist.for_roots(|net| uses[net.index()] += 2);
    uses
}

/// The words of a value, with zeros above its width.
pub(super) fn clean_words(value: &Bits) -> Vec<u64> {
    Bits::from_words(value.width(), value.words()).words().to_vec()
}
