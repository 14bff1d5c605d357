//! Bits of values: slices and concatenations are looked through to the words that hold the bits.

use std::collections::{BTreeMap, BTreeSet};

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value};

use super::super::wide::top_mask;
use super::lower::Lower;
use crate::ir::{BinaryOp, UnaryOp};
use crate::netlist::{NetId, NetOp};
use crate::ports::words;

/// Bits of a net that is neither a slice nor a concatenation.
#[derive(Clone, Copy)]
struct Piece {
    from: NetId,
    low: u32,
    /// Where the lowest bit goes.
    at: u32,
    width: u32,
    inverted: bool,
}

impl Piece {
    /// The parts of the piece within single words of its net: word, lowest bit, place, width.
    fn by_word(self) -> impl Iterator<Item = (usize, u32, u32, u32)> {
        let end = self.low + self.width;
        let first = self.low / 64;
        (first..end.div_ceil(64)).map(move |word| {
            let (low, high) = (self.low.max(64 * word), end.min(64 * (word + 1)));
            (word as usize, low % 64, self.at + low - self.low, high - low)
        })
    }
}

/// Fewer pieces are not worth the look.
const FEWEST_JOINED: usize = 3;

/// An operator that works bit by bit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Joint {
    And,
    Or,
    Xor,
    Mux,
}

impl Joint {
    fn of(op: &NetOp) -> Option<Self> {
        match op {
            NetOp::Binary(BinaryOp::And, ..) => Some(Self::And),
            NetOp::Binary(BinaryOp::Or, ..) => Some(Self::Or),
            NetOp::Binary(BinaryOp::Xor, ..) => Some(Self::Xor),
            NetOp::Mux { .. } => Some(Self::Mux),
            _ => None,
        }
    }
}

/// About how many shifts of words it takes to put the pieces side by side.
fn sources(pieces: &[Piece]) -> usize {
    let mut sources = BTreeSet::new();
    for piece in pieces {
        for (word, low, at, width) in piece.by_word() {
            let alone = width == 1;
            sources.insert((
                piece.from,
                word,
                if alone { low } else { at.wrapping_sub(low) },
                alone,
            ));
        }
    }
    let moved = |p: &&Piece| p.width == 1;
    let bits: BTreeSet<_> = pieces
        .iter()
        .filter(moved)
        .map(|p| (p.from, p.low / 64, p.at.wrapping_sub(p.low)))
        .collect();
    let wide = sources.iter().filter(|source| !source.3).count();
    wide + bits.len().min(sources.len() - wide)
}

impl Lower<'_> {
    pub fn slice(&mut self, from: NetId, low: u32, width: u32) -> Vec<Value> {
        let starts = (0..width).step_by(64);
        starts.map(|at| self.field(from, low + at, (width - at).min(64))).collect()
    }

    /// At most 64 bits of a net.
    pub fn field(&mut self, net: NetId, low: u32, width: u32) -> Value {
        let mut pieces = Vec::new();
        self.pieces(net, low, width, 0, false, &mut pieces);
        self.assemble(pieces)
    }

    /// A word of pieces side by side, with zeros elsewhere.
    fn assemble(&mut self, pieces: Vec<Piece>) -> Value {
        let (mut parts, pieces) = self.join(pieces);
        let (mut moved, mut spread) = (BTreeMap::new(), BTreeMap::new());
        let (mut constant, mut inverted) = (0, 0);
        for piece in pieces {
            let places = top_mask(piece.width) << piece.at;
            if piece.inverted {
                inverted |= places;
            }
            if let NetOp::Const(value) = self.op(piece.from) {
                for (word, low, at, width) in piece.by_word() {
                    constant |= (value.words()[word] >> low & top_mask(width)) << at;
                }
                continue;
            }
            for (word, low, at, width) in piece.by_word() {
                let mask = top_mask(width) << at;
                if width == 1 {
                    *spread.entry((piece.from, word, low)).or_insert(0) |= mask;
                } else {
                    *moved
                        .entry((piece.from, word, i64::from(at) - i64::from(low)))
                        .or_insert(0) |= mask;
                }
            }
        }
        // A bit that goes to one place only is moved like a longer piece.
        for ((from, word, low), mask) in spread {
            if u64::count_ones(mask) == 1 {
                let by = i64::from(mask.trailing_zeros()) - i64::from(low);
                *moved.entry((from, word, by)).or_insert(0) |= mask;
            } else {
                let bit = self.bits_of(from, word, low, 1);
                let all = self.b.ins().ineg(bit);
                parts.push(self.b.ins().band_imm(all, mask as i64));
            }
        }
        for ((from, word, by), mask) in moved {
            parts.push(self.moved(from, word, by, mask));
        }
        let mut whole = self.any_of(&parts);
        if constant != 0 {
            whole = self.b.ins().bor_imm(whole, constant as i64);
        }
        if inverted != 0 {
            whole = self.b.ins().bxor_imm(whole, inverted as i64);
        }
        whole
    }

    /// Computes pieces of one bitwise operator together, where that takes less than each alone: the operator
    /// on the pieces' operands side by side. Returns the words and the other pieces.
    fn join(&mut self, pieces: Vec<Piece>) -> (Vec<Value>, Vec<Piece>) {
        let mut groups: BTreeMap<Joint, Vec<Piece>> = BTreeMap::new();
        let mut rest = Vec::new();
        for piece in pieces {
            let from = piece.from.index();
            let may = self.uses[from] == 1 && !self.is_branch(piece.from);
            match Joint::of(self.op(piece.from)).filter(|_| may) {
                Some(joint) => groups.entry(joint).or_default().push(piece),
                None => rest.push(piece),
            }
        }
        let mut words = Vec::new();
        for (joint, group) in groups {
            let operands = self.operands(&group);
            let sources: usize = operands.iter().map(|pieces| sources(pieces)).sum();
            if group.len() < FEWEST_JOINED || 5 * sources > 7 * group.len() {
                rest.extend(group);
                continue;
            }
            let values: Vec<Value> = operands.into_iter().map(|o| self.assemble(o)).collect();
            let word = match (joint, &values[..]) {
                (Joint::And, [a, b]) => self.b.ins().band(*a, *b),
                (Joint::Or, [a, b]) => self.b.ins().bor(*a, *b),
                (Joint::Xor, [a, b]) => self.b.ins().bxor(*a, *b),
                (_, [condition, on_true, on_false]) => {
                    let difference = self.b.ins().bxor(*on_true, *on_false);
                    let change = self.b.ins().band(difference, *condition);
                    self.b.ins().bxor(*on_false, change)
                }
                _ => unreachable!("an operator has its number of operands"),
            };
            let places = |p: &Piece| top_mask(p.width) << p.at;
            let inverted = group.iter().filter(|p| p.inverted).fold(0, |all, p| all | places(p));
            words.push(match inverted {
                0 => word,
                _ => self.b.ins().bxor_imm(word, inverted as i64),
            });
        }
        (words, rest)
    }

    /// The pieces of each operand of pieces of one operator.
    fn operands(&self, group: &[Piece]) -> Vec<Vec<Piece>> {
        let mut operands = vec![Vec::new(); 3];
        for &Piece { from, low, at, width, .. } in group {
            let mut take = |this: &Self, number: usize, net, low, at, width| {
                this.pieces(net, low, width, at, false, &mut operands[number]);
            };
            match *self.op(from) {
                NetOp::Binary(_, a, b) => {
                    take(self, 0, a, low, at, width);
                    take(self, 1, b, low, at, width);
                }
                NetOp::Mux { condition, on_true, on_false } => {
                    (at..at + width).for_each(|at| take(self, 0, condition, 0, at, 1));
                    take(self, 1, on_true, low, at, width);
                    take(self, 2, on_false, low, at, width);
                }
                _ => unreachable!("only these operators are joined"),
            }
        }
        operands.retain(|pieces| !pieces.is_empty());
        operands
    }

    /// The bits `mask` of a word of a net shifted left by `by`, or right if that is negative.
    fn moved(&mut self, from: NetId, word: usize, by: i64, mask: u64) -> Value {
        let source = self.word_of(from, word);
        let shifted = match by {
            0 => source,
            1.. => self.b.ins().ishl_imm(source, by),
            _ => self.b.ins().ushr_imm(source, -by),
        };
        let held = top_mask((self.width(from) - 64 * word as u32).min(64));
        let reached = if by >= 0 { held << by } else { held >> -by };
        if reached & !mask == 0 { shifted } else { self.b.ins().band_imm(shifted, mask as i64) }
    }

    /// The bits from `low` on of one word of a net.
    fn bits_of(&mut self, from: NetId, word: usize, low: u32, width: u32) -> Value {
        let source = self.word_of(from, word);
        let shifted = if low == 0 { source } else { self.b.ins().ushr_imm(source, i64::from(low)) };
        let held = (self.width(from) - 64 * word as u32).min(64);
        if held == low + width { shifted } else { self.masked(shifted, width) }
    }

    /// Where the bits of a net come from.
    fn pieces(
        &self,
        net: NetId,
        low: u32,
        width: u32,
        at: u32,
        inverted: bool,
        pieces: &mut Vec<Piece>,
    ) {
        match self.op(net) {
            NetOp::Slice { from, low: inner } => {
                self.pieces(*from, inner + low, width, at, inverted, pieces);
            }
            NetOp::Concat(parts) => {
                let mut start = 0;
                for part in parts.iter().rev() {
                    let end = start + self.width(*part);
                    let (first, last) = (start.max(low), end.min(low + width));
                    if first < last {
                        let place = at + first - low;
                        self.pieces(*part, first - start, last - first, place, inverted, pieces);
                    }
                    start = end;
                }
            }
            NetOp::Unary(UnaryOp::Not, inner) => {
                self.pieces(*inner, low, width, at, !inverted, pieces);
            }
            _ => pieces.push(Piece { from: net, low, at, width, inverted }),
        }
    }

    /// A reduction of a net to one bit: a test of the words that hold its bits.
    pub fn reduction(&mut self, op: UnaryOp, net: NetId) -> Value {
        // The bits of each word that count, and those of them that are expected to be zero if all are to be
        // one, or one if any.
        let mut tests: BTreeMap<(NetId, usize), (u64, u64)> = BTreeMap::new();
        let (mut fixed, mut repeated) = (Vec::new(), false);
        for low in (0..self.width(net)).step_by(64) {
            let mut pieces = Vec::new();
            self.pieces(net, low, (self.width(net) - low).min(64), 0, false, &mut pieces);
            for piece in pieces {
                for (word, low, _, width) in piece.by_word() {
                    let mask = top_mask(width) << low;
                    if let NetOp::Const(value) = self.op(piece.from) {
                        let bits = value.words()[word] & mask;
                        fixed.push((if piece.inverted { bits ^ mask } else { bits }, mask));
                        continue;
                    }
                    let (bits, flipped) = tests.entry((piece.from, word)).or_default();
                    repeated |= *bits & mask != 0;
                    *bits |= mask;
                    *flipped |= if piece.inverted { mask } else { 0 };
                }
            }
        }
        if op == UnaryOp::ReduceXor || repeated {
            return self.reduction_of_words(op, net);
        }
        let all = op == UnaryOp::ReduceAnd;
        // Both are whether a bit differs: from one, negated, or from zero.
        let differs = fixed.iter().any(|(bits, mask)| *bits != if all { *mask } else { 0 });
        if differs {
            return self.constant(u64::from(!all));
        }
        let mut parts = Vec::new();
        for ((from, word), (bits, flipped)) in &tests {
            let expected = if all { bits & !flipped } else { *flipped };
            let source = self.word_of(*from, *word);
            let held = top_mask((self.width(*from) - 64 * *word as u32).min(64));
            let part =
                if held == *bits { source } else { self.b.ins().band_imm(source, *bits as i64) };
            parts.push((part, expected));
        }
        let code = if all { IntCC::Equal } else { IntCC::NotEqual };
        if let [(part, expected)] = parts[..] {
            let expected = self.constant(expected);
            return self.compare(code, part, expected);
        }
        let different = |(part, expected)| match expected {
            0 => part,
            _ => self.b.ins().bxor_imm(part, expected as i64),
        };
        let parts: Vec<Value> = parts.into_iter().map(different).collect();
        let any = self.any_of(&parts);
        let zero = self.constant(0);
        self.compare(code, any, zero)
    }

    fn reduction_of_words(&mut self, op: UnaryOp, net: NetId) -> Value {
        let value = self.value(net);
        if op == UnaryOp::ReduceXor {
            let whole = value[1..].iter().fold(value[0], |all, v| self.b.ins().bxor(all, *v));
            let ones = self.b.ins().popcnt(whole);
            return self.b.ins().band_imm(ones, 1);
        }
        let zero = self.constant(0);
        if op == UnaryOp::ReduceOr {
            let any = self.any_of(&value);
            return self.compare(IntCC::NotEqual, any, zero);
        }
        let last = words(self.width(net)) - 1;
        let mask = top_mask(self.width(net));
        let missing = |(i, v)| {
            let all = if i == last { mask } else { u64::MAX };
            self.b.ins().bxor_imm(v, all as i64)
        };
        let missing: Vec<Value> = value.into_iter().enumerate().map(missing).collect();
        let any = self.any_of(&missing);
        self.compare(IntCC::Equal, any, zero)
    }
}
