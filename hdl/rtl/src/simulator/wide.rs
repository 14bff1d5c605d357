//! Operators on values of more than one word. They are slow, but rare in control logic.

use std::cmp::Ordering;

use crate::ir::{BinaryOp, UnaryOp};
use crate::ports::words;

/// A value in the arena.
#[derive(Clone, Copy, Debug)]
pub(super) struct WideValue {
    pub slot: u32,
    pub width: u32,
}

impl WideValue {
    fn words(self) -> usize {
        words(self.width)
    }

    /// Word `index` of the value, zero beyond it.
    fn word(self, arena: &[u64], index: usize) -> u64 {
        if index < self.words() { arena[self.slot as usize + index] } else { 0 }
    }

    /// 64 bits of the value from bit `low` on, zero beyond it.
    fn window(self, arena: &[u64], low: usize) -> u64 {
        let (index, shift) = (low / 64, low % 64);
        let below = self.word(arena, index) >> shift;
        match shift {
            0 => below,
            _ => below | self.word(arena, index + 1) << (64 - shift),
        }
    }

    /// 1 where the value, as two's complement, is negative.
    fn sign(self, arena: &[u64]) -> u64 {
        self.window(arena, self.width as usize - 1)
    }
}

#[derive(Clone, Debug)]
pub(super) enum WideKind {
    Move(WideValue),
    Unary(UnaryOp, WideValue),
    Binary(BinaryOp, WideValue, WideValue),
    Mux {
        condition: u32,
        on_true: WideValue,
        on_false: WideValue,
    },
    Select {
        subject: u32,
        choices: Vec<WideValue>,
    },
    Slice {
        from: WideValue,
        low: u32,
    },
    /// The least significant part first.
    Concat(Vec<WideValue>),
    /// A row of a memory whose rows are adjacent from `first` on.
    Row {
        address: u32,
        first: u32,
        rows: u32,
    },
}

/// An operator with a wide operand or a wide result.
#[derive(Clone, Debug)]
pub(super) struct WideOp {
    pub kind: WideKind,
    /// Width of the result.
    pub width: u32,
}

impl WideOp {
    pub fn result_words(&self) -> u32 {
        words(self.width) as u32
    }

    /// Calls `f` with each slot read.
    pub fn for_reads(&self, mut f: impl FnMut(u32)) {
        let mut place = |p: &WideValue| (p.slot..p.slot + p.words() as u32).for_each(&mut f);
        match &self.kind {
            WideKind::Move(a) | WideKind::Unary(_, a) | WideKind::Slice { from: a, .. } => place(a),
            WideKind::Binary(_, a, b) => [a, b].into_iter().for_each(place),
            WideKind::Mux { condition, on_true, on_false } => {
                [on_true, on_false].into_iter().for_each(&mut place);
                f(*condition);
            }
            WideKind::Select { subject, choices } => {
                choices.iter().for_each(place);
                f(*subject);
            }
            WideKind::Concat(parts) => parts.iter().for_each(place),
            WideKind::Row { address, first, rows } => {
                (*first..first + rows * self.result_words()).for_each(&mut f);
                f(*address);
            }
        }
    }

    /// Computes the result into the slots at `dst`, which no operand shares.
    pub fn run(&self, dst: usize, arena: &mut [u64]) {
        match &self.kind {
            WideKind::Move(a) => self.copy(*a, dst, arena),
            WideKind::Unary(UnaryOp::Not, a) => self.each(dst, arena, |m, i| !a.word(m, i)),
            WideKind::Unary(op, a) => arena[dst] = reduce(*op, *a, arena),
            WideKind::Binary(op, a, b) => self.binary(*op, *a, *b, dst, arena),
            WideKind::Mux { condition, on_true, on_false } => {
                let chosen = if arena[*condition as usize] != 0 { on_true } else { on_false };
                self.copy(*chosen, dst, arena);
            }
            WideKind::Select { subject, choices } => {
                let index = arena[*subject as usize].min(choices.len() as u64 - 1);
                self.copy(choices[index as usize], dst, arena);
            }
            WideKind::Slice { from, low } => {
                self.each(dst, arena, |m, i| from.window(m, *low as usize + 64 * i));
            }
            WideKind::Concat(parts) => self.concat(parts, dst, arena),
            WideKind::Row { address, first, rows } => {
                let row = arena[*address as usize].min(u64::from(*rows) - 1) as u32;
                let slot = first + row * self.result_words();
                self.copy(WideValue { slot, width: self.width }, dst, arena);
            }
        }
    }

    fn copy(&self, from: WideValue, dst: usize, arena: &mut [u64]) {
        let from = from.slot as usize;
        arena.copy_within(from..from + words(self.width), dst);
    }

    /// Fills the result word by word and clears the bits above its width.
    fn each(&self, dst: usize, arena: &mut [u64], mut word: impl FnMut(&[u64], usize) -> u64) {
        for index in 0..words(self.width) {
            arena[dst + index] = word(arena, index);
        }
        arena[dst + words(self.width) - 1] &= top_mask(self.width);
    }

    fn binary(&self, op: BinaryOp, a: WideValue, b: WideValue, dst: usize, arena: &mut [u64]) {
        use BinaryOp::*;
        match op {
            And => self.each(dst, arena, |m, i| a.word(m, i) & b.word(m, i)),
            Or => self.each(dst, arena, |m, i| a.word(m, i) | b.word(m, i)),
            Xor => self.each(dst, arena, |m, i| a.word(m, i) ^ b.word(m, i)),
            Add => self.add(a, b, 0, false, dst, arena),
            Sub => self.add(a, b, u64::MAX, true, dst, arena),
            Mul => self.multiply(a, b, dst, arena),
            Eq | Ne | Lt | Le | LtSigned | LeSigned => {
                let unsigned = || compare(a, b, arena);
                let signed = || b.sign(arena).cmp(&a.sign(arena)).then_with(unsigned);
                arena[dst] = u64::from(match op {
                    Eq => unsigned() == Ordering::Equal,
                    Ne => unsigned() != Ordering::Equal,
                    Lt => unsigned() == Ordering::Less,
                    Le => unsigned() != Ordering::Greater,
                    LtSigned => signed() == Ordering::Less,
                    _ => signed() != Ordering::Greater,
                });
            }
            ShiftLeft => {
                let by = distance(b, arena, self.width);
                self.each(dst, arena, |m, i| match (64 * i).checked_sub(by) {
                    Some(low) => a.window(m, low),
                    None if 64 * (i + 1) > by => a.word(m, 0) << (by - 64 * i),
                    None => 0,
                });
            }
            ShiftRight => {
                let by = distance(b, arena, self.width);
                self.each(dst, arena, |m, i| a.window(m, by + 64 * i));
            }
            ShiftRightSigned => {
                let by = distance(b, arena, self.width);
                let fill = 0u64.wrapping_sub(a.sign(arena));
                // Ones enter from bit `end`, the first bit that comes from above the sign.
                let end = self.width as usize - by;
                self.each(dst, arena, |m, i| {
                    let kept = end.saturating_sub(64 * i);
                    let entered = if kept < 64 { fill << kept } else { 0 };
                    a.window(m, by + 64 * i) | entered
                });
            }
        }
    }

    /// a + (b ^ invert) + carry
    fn add(
        &self,
        a: WideValue,
        b: WideValue,
        invert: u64,
        carry: bool,
        dst: usize,
        arena: &mut [u64],
    ) {
        let mut carry = carry;
        self.each(dst, arena, |m, i| {
            let (sum, over) = a.word(m, i).overflowing_add(b.word(m, i) ^ invert);
            let (sum, over_again) = sum.overflowing_add(carry.into());
            carry = over | over_again;
            sum
        });
    }

    fn multiply(&self, a: WideValue, b: WideValue, dst: usize, arena: &mut [u64]) {
        let n = words(self.width);
        arena[dst..dst + n].fill(0);
        for i in 0..n {
            let mut carry = 0u128;
            for j in 0..n - i {
                let product = u128::from(a.word(arena, i)) * u128::from(b.word(arena, j));
                let sum = product + u128::from(arena[dst + i + j]) + carry;
                arena[dst + i + j] = sum as u64;
                carry = sum >> 64;
            }
        }
        arena[dst + n - 1] &= top_mask(self.width);
    }

    fn concat(&self, parts: &[WideValue], dst: usize, arena: &mut [u64]) {
        arena[dst..dst + words(self.width)].fill(0);
        let mut low = 0usize;
        for part in parts {
            for i in 0..part.words() {
                let (word, at) = (part.word(arena, i), low + 64 * i);
                arena[dst + at / 64] |= word << (at % 64);
                // A carry-over into the next word exists only if that word does.
                let over = if at % 64 == 0 { 0 } else { word >> (64 - at % 64) };
                if over != 0 {
                    arena[dst + at / 64 + 1] |= over;
                }
            }
            low += part.width as usize;
        }
    }
}

fn reduce(op: UnaryOp, a: WideValue, arena: &[u64]) -> u64 {
    let mut all = (0..a.words()).map(|i| a.word(arena, i));
    match op {
        UnaryOp::ReduceOr => all.any(|w| w != 0).into(),
        UnaryOp::ReduceXor => u64::from(all.fold(0, |sum, w| sum ^ w).count_ones() & 1),
        _ => {
            let last = a.words() - 1;
            let full = |(i, w)| w == if i == last { top_mask(a.width) } else { u64::MAX };
            all.enumerate().all(full).into()
        }
    }
}

fn compare(a: WideValue, b: WideValue, arena: &[u64]) -> Ordering {
    let words = (0..a.words()).rev().map(|i| a.word(arena, i).cmp(&b.word(arena, i)));
    words.fold(Ordering::Equal, Ordering::then)
}

/// The shift distance, limited to the value's `width`.
fn distance(amount: WideValue, arena: &[u64], width: u32) -> usize {
    let huge = (1..amount.words()).any(|i| amount.word(arena, i) != 0);
    if huge { width as usize } else { amount.word(arena, 0).min(width.into()) as usize }
}

/// The mask of the highest word of a value of that width.
pub(super) fn top_mask(width: u32) -> u64 {
    u64::MAX >> ((64 - width % 64) % 64)
}
