//! The loop that runs a program. The only unsafe code of the simulator is here: without checks of
//! indices the loop is 5 to 15 per cent faster (`benches/simulator.rs`).

use std::hint::select_unpredictable;
use std::ops::Range;

use super::instruction::{Code, Instruction, ListEntry, Opcode};

/// A program with checked indices, and the arena length it was checked for.
///
/// # Safety argument
/// [`Program::new`] walks all instructions and panics unless every slot read or written is below
/// `arena_words` and every range of entries or table rows lies within its list. Neither the code
/// nor the length can change afterwards: the fields are private to this file and no method takes
/// them mutably. [`Program::run`] checks once that the arena is at least `arena_words` long, and
/// nothing in the loop resizes it. So each unchecked access below is to an index checked before.
#[derive(Clone, Debug)]
pub(super) struct Program {
    code: Code,
    arena_words: usize,
}

impl Program {
    /// Checks the code against an arena of that many words.
    ///
    /// # Panics
    /// If an instruction would leave the arena or a list, which is a mistake of the compiler.
    pub fn new(code: Code, arena_words: usize) -> Self {
        for instruction in &code.instructions {
            let inside = |slot: u32| assert!((slot as usize) < arena_words, "{instruction:?}");
            code.for_reads(instruction, inside);
            code.writes(instruction).for_each(inside);
        }
        Self { code, arena_words }
    }

    /// The code.
    pub fn code(&self) -> &Code {
        &self.code
    }

    /// Runs the instructions of that range.
    ///
    /// # Panics
    /// If the range is not within the program or the arena is too short.
    #[inline]
    pub fn run(&self, range: Range<usize>, arena: &mut [u64]) {
        assert!(arena.len() >= self.arena_words, "the arena has the program's size");
        for instruction in &self.code.instructions[range] {
            // SAFETY: the instruction is one of this program's and the arena has its size.
            unsafe { self.step(instruction, arena) };
        }
    }

    /// # Safety
    /// `i` is an instruction of this program and `arena` has at least `arena_words` words.
    #[inline(always)]
    unsafe fn step(&self, i: &Instruction, arena: &mut [u64]) {
        use Opcode::*;
        // SAFETY: `new` has checked every slot of every instruction; see the type.
        let at = |slot: u32| unsafe { *arena.get_unchecked(slot as usize) };
        let a = || at(i.a);
        let b = || at(i.b);
        let c = || at(i.immediate as u32);
        let d = || at((i.immediate >> 32) as u32);
        let list = || {
            let (first, count) = (i.a as usize, i.b as usize);
            // SAFETY: `new` has checked the ranges of entries.
            unsafe { self.code.entries.get_unchecked(first..first + count) }
        };
        let mask = i.immediate;
        let result = match i.op {
            Move => a(),
            Not => a() ^ mask,
            And => a() & b(),
            Or => a() | b(),
            Xor => a() ^ b(),
            AndNot => a() & !b(),
            OrNot => (a() | !b()) & mask,
            And3 => a() & b() & c(),
            Or3 => a() | b() | c(),
            Xor3 => a() ^ b() ^ c(),
            AndList => list().iter().fold(u64::MAX, |all, e| all & (at(e.slot) ^ e.mask)),
            OrList => list().iter().fold(0, |any, e| any | (at(e.slot) ^ e.mask)),
            XorList => list().iter().fold(0, |sum, e| sum ^ at(e.slot) ^ e.mask),
            Add => a().wrapping_add(b()) & mask,
            Sub => a().wrapping_sub(b()) & mask,
            Mul => a().wrapping_mul(b()) & mask,
            Eq => (a() == b()).into(),
            Ne => (a() != b()).into(),
            Lt => (a() < b()).into(),
            Le => (a() <= b()).into(),
            LtSigned => (signed(a(), i.shift) < signed(b(), i.shift)).into(),
            LeSigned => (signed(a(), i.shift) <= signed(b(), i.shift)).into(),
            ShiftLeft => {
                if b() < 64 {
                    (a() << b()) & mask
                } else {
                    0
                }
            }
            ShiftRight => {
                if b() < 64 {
                    a() >> b()
                } else {
                    0
                }
            }
            ShiftRightSigned => {
                let extended = signed(a(), i.shift) >> i.shift;
                (extended >> b().min(63)) as u64 & mask
            }
            ShiftLeftBy => (a() << (i.shift & 63)) & mask,
            Slice => (a() >> (i.shift & 63)) & mask,
            SliceAcross => {
                let above = at(i.a + 1) << ((64 - i.shift) & 63);
                (a() >> (i.shift & 63) | above) & mask
            }
            SliceEq => ((a() >> (i.shift & 63)) & mask == b()).into(),
            SliceNe => ((a() >> (i.shift & 63)) & mask != b()).into(),
            AllOf => (a() & mask == mask).into(),
            AnyOf => (a() & mask != 0).into(),
            ParityOf => parity(a() & mask),
            Mux => select_unpredictable(c() != 0, a(), b()),
            MuxBit => select_unpredictable((c() >> (i.shift & 63)) & 1 != 0, a(), b()),
            MuxEq => select_unpredictable(a() == b(), c(), d()),
            MuxNe => select_unpredictable(a() != b(), c(), d()),
            MuxLt => select_unpredictable(a() < b(), c(), d()),
            MuxLe => select_unpredictable(a() <= b(), c(), d()),
            Pair => (a() << (i.shift & 63)) | b(),
            Concat => {
                let part =
                    |e: &ListEntry| ((at(e.slot) >> (e.right & 63)) & e.mask) << (e.left & 63);
                list().iter().fold(0, |whole, e| whole | part(e))
            }
            ParityConcat => {
                let part = |e: &ListEntry| parity(at(e.slot) & e.mask) << (e.left & 63);
                list().iter().fold(0, |whole, e| whole ^ part(e))
            }
            Select => {
                let index = i.b as usize + a().min(mask) as usize;
                // SAFETY: `new` has checked the table up to its last index, `immediate`, and the
                // slots in it.
                at(unsafe { *self.code.tables.get_unchecked(index) })
            }
            // `new` has checked the slots of all rows.
            Row => at(i.b + a().min(mask) as u32),
            Wide => {
                self.code.wide[i.a as usize].run(i.dst as usize, arena);
                return;
            }
        };
        // SAFETY: `new` has checked the slot that each instruction writes.
        unsafe { *arena.get_unchecked_mut(i.dst as usize) = result };
    }
}

fn signed(word: u64, shift: u8) -> i64 {
    (word << (shift & 63)) as i64
}

fn parity(word: u64) -> u64 {
    u64::from(word.count_ones() & 1)
}
