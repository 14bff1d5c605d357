//! Nets as values of the compiled function.
//!
//! A value is as many 64-bit words as its width needs, with zeros above the width, as in the arena. A net is
//! lowered when it is first asked for; Cranelift moves what has no effect to where it is used.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, BlockArg, InstBuilder, MemFlags, Value, types};
use cranelift_frontend::FunctionBuilder;

use super::super::compile::{Places, clean_words};
use super::super::wide::top_mask;
use super::binary::comparison;
use super::clusters::{Clusters, Notes};
use super::cones::{branches, uses};
use crate::ir::UnaryOp;
use crate::netlist::{NetId, NetOp, Netlist};
use crate::ports::words;

/// Most branches within each other.
const DEEPEST: u32 = 64;

/// Stands for the operator of a kept value.
static KEPT: NetOp = NetOp::Input(u32::MAX);

/// A function in the making, with the values that are known in its current block.
pub(super) struct Lower<'a> {
    pub b: FunctionBuilder<'a>,
    pub netlist: &'a Netlist,
    pub places: &'a Places,
    pub clusters: &'a Clusters,
    pub notes: Notes,
    /// The number of uses of each net by others and by what a clock stores.
    pub uses: Vec<u32>,
    /// Of each net, whether it is a multiplexer that is worth a branch.
    branches: Vec<bool>,
    /// The arena's address.
    arena: Value,
    /// The words of each net; none if the net is not known in this block.
    values: Vec<Vec<Value>>,
    /// Branches that the current block is within.
    depth: u32,
    /// The known nets in the order in which they became so.
    known: Vec<NetId>,
}

impl<'a> Lower<'a> {
    pub fn new(
        b: FunctionBuilder<'a>,
        netlist: &'a Netlist,
        places: &'a Places,
        clusters: &'a Clusters,
        branching: bool,
    ) -> Self {
        let block = b.current_block().expect("the function has begun");
        let [arena, notes] = *b.block_params(block) else {
            unreachable!("the function has two arguments")
        };
        let notes = Notes::new(notes, netlist);
        let values = vec![Vec::new(); netlist.nets.len()];
        let uses = uses(netlist);
        let branches = match branching {
            true => branches(netlist, &uses),
            false => vec![false; netlist.nets.len()],
        };
        let (known, depth) = (Vec::new(), 0);
        Self { b, netlist, places, clusters, notes, uses, branches, arena, values, known, depth }
    }

    /// The operator of a net. Nothing looks into a value that is kept.
    pub fn op(&self, net: NetId) -> &'a NetOp {
        if self.notes.keeps(net) { &KEPT } else { &self.netlist.net(net).op }
    }

    pub fn width(&self, net: NetId) -> u32 {
        self.netlist.net(net).width
    }

    /// The words of a net.
    pub fn value(&mut self, net: NetId) -> Vec<Value> {
        if self.is_loaded(net) {
            return self.lower(net);
        }
        self.demand(net);
        self.values[net.index()].clone()
    }

    /// Word `index` of a net.
    pub fn word_of(&mut self, net: NetId, index: usize) -> Value {
        match *self.op(net) {
            NetOp::Register(_) | NetOp::ReadData { .. } if self.is_loaded(net) => {
                self.load(self.places.slot(net) + index as u32)
            }
            _ => self.value(net)[index],
        }
    }

    /// Whether the net is loaded wherever it is used. To hold it would take a register of the machine, and there are
    /// few: most would be stored and loaded again.
    fn is_loaded(&self, net: NetId) -> bool {
        !self.op(net).computes() && self.values[net.index()].is_empty()
    }

    fn is_known(&self, net: NetId) -> bool {
        !self.op(net).computes() || !self.values[net.index()].is_empty()
    }

    /// Makes the net known before it is overwritten, or what it is computed from.
    pub fn hold(&mut self, net: NetId) {
        if self.is_loaded(net) {
            self.values[net.index()] = self.lower(net);
            self.known.push(net);
        }
        self.demand(net);
    }

    /// The value of a net of at most 64 bits.
    pub fn word(&mut self, net: NetId) -> Value {
        self.word_of(net, 0)
    }

    /// Makes the net known, operands first: a design is too deep to recurse.
    pub fn demand(&mut self, root: NetId) {
        let mut open = vec![(root, false)];
        while let Some((net, operands_known)) = open.pop() {
            if self.is_known(net) {
                continue;
            }
            if operands_known {
                let value = self.lower(net);
                self.values[net.index()] = value;
                self.known.push(net);
            } else {
                open.push((net, true));
                match self.op(net) {
                    NetOp::Mux { condition, .. } if self.is_branch(net) => {
                        self.push_sources(*condition, &mut open);
                    }
                    op => op.for_operands(|operand| self.push_sources(operand, &mut open)),
                }
            }
        }
    }

    /// What lowering a user of the operand asks for: it looks through slices and concatenations.
    fn push_sources(&self, net: NetId, open: &mut Vec<(NetId, bool)>) {
        match self.op(net) {
            NetOp::Slice { from, .. } => self.push_sources(*from, open),
            NetOp::Concat(parts) => parts.iter().for_each(|part| self.push_sources(*part, open)),
            _ if self.is_known(net) => {}
            _ => open.push((net, false)),
        }
    }

    /// Runs `body` in a block of its own, entered where the bit is `wanted`. What becomes known there is
    /// unknown afterwards.
    pub fn guarded(&mut self, bit: NetId, wanted: bool, body: impl FnOnce(&mut Self)) {
        let condition = self.condition(bit);
        self.guarded_by(condition, wanted, body);
    }

    /// The same, where the value is not zero, or is.
    pub fn guarded_by(&mut self, condition: Value, wanted: bool, body: impl FnOnce(&mut Self)) {
        let [inside, after] = [0; 2].map(|_| self.b.create_block());
        let (on_true, on_false) = if wanted { (inside, after) } else { (after, inside) };
        self.b.ins().brif(condition, on_true, &[], on_false, &[]);
        self.within(inside, body);
        self.b.ins().jump(after, &[]);
        self.b.seal_block(after);
        self.b.switch_to_block(after);
    }

    /// Runs `body` in a block that is entered from here only.
    fn within<T>(&mut self, block: Block, body: impl FnOnce(&mut Self) -> T) -> T {
        self.b.seal_block(block);
        self.b.switch_to_block(block);
        let mark = self.known.len();
        self.depth += 1;
        let result = body(self);
        self.depth -= 1;
        for net in self.known.drain(mark..) {
            self.values[net.index()].clear();
        }
        result
    }

    /// Whether the net is a multiplexer that branches. Deep within others none does, so that the stack suffices.
    pub fn is_branch(&self, net: NetId) -> bool {
        self.branches[net.index()] && self.depth < DEEPEST
    }

    /// One of two values, of which only that one is computed.
    fn branch(&mut self, condition: NetId, on_true: NetId, on_false: NetId) -> Vec<Value> {
        let condition = self.condition(condition);
        let [taken, other, after] = [0; 3].map(|_| self.b.create_block());
        self.b.ins().brif(condition, taken, &[], other, &[]);
        for (block, arm) in [(taken, on_true), (other, on_false)] {
            let value = self.within(block, |this| this.value(arm));
            let value: Vec<BlockArg> = value.into_iter().map(BlockArg::Value).collect();
            self.b.ins().jump(after, &value);
        }
        self.b.seal_block(after);
        let words = words(self.width(on_true));
        let result = (0..words).map(|_| self.b.append_block_param(after, types::I64)).collect();
        self.b.switch_to_block(after);
        result
    }

    pub fn constant(&mut self, value: u64) -> Value {
        self.b.ins().iconst(types::I64, value as i64)
    }

    /// A word of the arena at a fixed slot.
    pub fn load(&mut self, slot: u32) -> Value {
        self.b.ins().load(types::I64, MemFlags::trusted(), self.arena, offset(slot))
    }

    pub fn store(&mut self, value: Value, slot: u32) {
        self.b.ins().store(MemFlags::trusted(), value, self.arena, offset(slot));
    }

    /// The address of row `row` of rows of `stride` words, the first of which is at `slot`.
    pub fn row_address(&mut self, slot: u32, row: Value, stride: usize) -> Value {
        let bytes = self.b.ins().imul_imm(row, 8 * stride as i64);
        let first = self.b.ins().iadd(self.arena, bytes);
        self.b.ins().iadd_imm(first, i64::from(offset(slot)))
    }

    pub fn load_at(&mut self, address: Value, word: usize) -> Value {
        self.b.ins().load(types::I64, MemFlags::trusted(), address, 8 * word as i32)
    }

    pub fn store_at(&mut self, value: Value, address: Value, word: usize) {
        self.b.ins().store(MemFlags::trusted(), value, address, 8 * word as i32);
    }

    /// The value with zeros above `width`.
    pub fn masked(&mut self, value: Value, width: u32) -> Value {
        if width.is_multiple_of(64) {
            return value;
        }
        self.b.ins().band_imm(value, top_mask(width) as i64)
    }

    /// A comparison as a word.
    pub fn compare(&mut self, code: IntCC, a: Value, b: Value) -> Value {
        let bit = self.b.ins().icmp(code, a, b);
        self.b.ins().uextend(types::I64, bit)
    }

    fn lower(&mut self, net: NetId) -> Vec<Value> {
        let width = self.width(net);
        let op = self.op(net);
        match op {
            NetOp::Const(value) => {
                clean_words(value).into_iter().map(|word| self.constant(word)).collect()
            }
            // Clocks with reset are not compiled.
            NetOp::Input(0) => vec![self.constant(0)],
            NetOp::Input(_) if self.notes.keeps(net) => self.kept_value(net),
            NetOp::Input(_) => self.input(net, width),
            NetOp::Register(_) | NetOp::ReadData { .. } => {
                let slot = self.places.slot(net);
                (slot..slot + words(width) as u32).map(|slot| self.load(slot)).collect()
            }
            NetOp::Row { memory, address } => self.row(*memory, *address),
            NetOp::Slice { from, low } => self.slice(*from, *low, width),
            NetOp::Concat(_) => {
                let starts = (0..width).step_by(64);
                starts.map(|low| self.field(net, low, (width - low).min(64))).collect()
            }
            NetOp::Mux { condition, on_true, on_false } if self.is_branch(net) => {
                self.branch(*condition, *on_true, *on_false)
            }
            NetOp::Mux { condition, on_true, on_false } => {
                let (t, f) = (self.value(*on_true), self.value(*on_false));
                let condition = self.condition(*condition);
                let select = |(t, f)| self.b.ins().select(condition, t, f);
                t.into_iter().zip(f).map(select).collect()
            }
            NetOp::Select { subject, choices } => {
                let subject = self.word(*subject);
                let choices: Vec<_> = choices.iter().map(|choice| self.value(*choice)).collect();
                (0..words(width)).map(|word| self.choice(subject, &choices, 0, word)).collect()
            }
            NetOp::Unary(UnaryOp::Not, a) => {
                let last = words(width) - 1;
                let mask = |index| if index == last { top_mask(width) } else { u64::MAX };
                let value = self.value(*a).into_iter().enumerate();
                value.map(|(i, word)| self.b.ins().bxor_imm(word, mask(i) as i64)).collect()
            }
            NetOp::Unary(op, a) => vec![self.reduction(*op, *a)],
            NetOp::Binary(op, a, b) => self.binary(*op, *a, *b),
        }
    }

    /// An input has bits above its width, which do not count.
    fn input(&mut self, net: NetId, width: u32) -> Vec<Value> {
        let slot = self.places.slot(net);
        let slots = slot..slot + words(width) as u32;
        let mut value: Vec<Value> = slots.map(|slot| self.load(slot)).collect();
        if let Some(top) = value.last_mut() {
            *top = self.masked(*top, width);
        }
        value
    }

    /// A row of the content before the edge; the last one if the address is too large.
    fn row(&mut self, memory: u32, address: NetId) -> Vec<Value> {
        let address = self.word(address);
        let memory = memory as usize;
        let stride = words(self.netlist.memories[memory].width);
        let last = self.constant(u64::from(self.netlist.memories[memory].rows) - 1);
        let row = self.b.ins().umin(address, last);
        let address = self.row_address(self.places.contents[memory].0, row, stride);
        (0..stride).map(|word| self.load_at(address, word)).collect()
    }

    /// Word `word` of the choice with index `subject`, where the first is `first` and the last is for all
    /// larger ones.
    fn choice(&mut self, subject: Value, choices: &[Vec<Value>], first: u64, word: usize) -> Value {
        if let [only] = choices {
            return only[word];
        }
        let (low, high) = choices.split_at(choices.len() / 2);
        let middle = first + low.len() as u64;
        let below = self.b.ins().icmp_imm(IntCC::UnsignedLessThan, subject, middle as i64);
        let low = self.choice(subject, low, first, word);
        let high = self.choice(subject, high, middle, word);
        self.b.ins().select(below, low, high)
    }

    /// A value that is not zero where the one-bit net is one.
    pub fn condition(&mut self, net: NetId) -> Value {
        match *self.op(net) {
            NetOp::Binary(op, a, b) if self.width(a) > 1 && self.width(a) <= 64 => {
                match comparison(op) {
                    Some(code) => {
                        let (a, b) = (self.word(a), self.word(b));
                        self.b.ins().icmp(code, a, b)
                    }
                    None => self.word(net),
                }
            }
            NetOp::Unary(UnaryOp::ReduceOr, a) if self.width(a) <= 64 => self.word(a),
            NetOp::Slice { from, low } if low % 64 < 31 => {
                let word = self.word_of(from, low as usize / 64);
                self.b.ins().band_imm(word, 1 << (low % 64))
            }
            _ => self.word(net),
        }
    }
}

/// The byte offset of a slot; [`super::compile`] has refused arenas where it does not fit.
fn offset(slot: u32) -> i32 {
    slot as i32 * 8
}
