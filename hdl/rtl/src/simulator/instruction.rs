//! The simulator's instructions.

use super::wide::WideOp;

/// The operation of an instruction. `a`, `b`, `c` and `d` are the words in the slots of the instruction's
/// fields; `c` and `d` share a field with `immediate`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Opcode {
    /// a
    Move,
    /// a ^ immediate
    Not,
    /// a & b
    And,
    /// a | b
    Or,
    /// a ^ b
    Xor,
    /// a & !b
    AndNot,
    /// (a | !b) & immediate
    OrNot,
    /// a & b & c
    And3,
    /// a | b | c
    Or3,
    /// a ^ b ^ c
    Xor3,
    /// The conjunction of the entries' words, each ^ its mask.
    AndList,
    /// The disjunction of the entries' words, each ^ its mask.
    OrList,
    /// The exclusive or of the entries' words, each ^ its mask.
    XorList,
    /// (a + b) & immediate
    Add,
    /// (a - b) & immediate
    Sub,
    /// (a * b) & immediate
    Mul,
    /// a == b
    Eq,
    /// a != b
    Ne,
    /// a < b
    Lt,
    /// a <= b
    Le,
    /// a << shift < b << shift, signed
    LtSigned,
    /// a << shift <= b << shift, signed
    LeSigned,
    /// (a << b) & immediate
    ShiftLeft,
    /// a >> b
    ShiftRight,
    /// (sign-extended a >> b) & immediate
    ShiftRightSigned,
    /// (a << shift) & immediate
    ShiftLeftBy,
    /// (a >> shift) & immediate
    Slice,
    /// The same over the words at `a` and after it; the shift is not 0.
    SliceAcross,
    /// ((a >> shift) & immediate) == b
    SliceEq,
    /// ((a >> shift) & immediate) != b
    SliceNe,
    /// (a & immediate) == immediate
    AllOf,
    /// (a & immediate) != 0
    AnyOf,
    /// parity of a & immediate
    ParityOf,
    /// if c then a else b
    Mux,
    /// if bit `shift` of c then a else b
    MuxBit,
    /// if a == b then c else d
    MuxEq,
    /// if a != b then c else d
    MuxNe,
    /// if a < b then c else d
    MuxLt,
    /// if a <= b then c else d
    MuxLe,
    /// (a << shift) | b
    Pair,
    /// The disjunction of the entries' ((word >> right) & mask) << left.
    Concat,
    /// The exclusive or of the entries' (parity of word & mask) << left.
    ParityConcat,
    /// The word at table entry `b` + min(a, immediate).
    Select,
    /// The word in slot `b` + min(a, immediate): a row of a memory.
    Row,
    /// The wide operator of index `a`.
    Wide,
}

/// One step of the program.
#[derive(Clone, Copy, Debug)]
pub(super) struct Instruction {
    pub op: Opcode,
    pub shift: u8,
    /// The slot that gets the result.
    pub dst: u32,
    /// A slot; for an instruction on a list, the index of its first entry.
    pub a: u32,
    /// A slot; for an instruction on a list, the number of its entries.
    pub b: u32,
    /// A mask, or two slots: `c` in the low half, `d` in the high half.
    pub immediate: u64,
}

/// An operand of an instruction on a list.
#[derive(Clone, Copy, Debug)]
pub(super) struct ListEntry {
    pub slot: u32,
    pub right: u8,
    pub left: u8,
    pub mask: u64,
}

/// The format of an instruction: its number of slots, or a special one.
enum Shape {
    One,
    Two,
    Three,
    Four,
    Across,
    List,
    Select,
    Row,
    Wide,
}

impl Opcode {
    fn shape(self) -> Shape {
        use Opcode::*;
        match self {
            Move | Not | ShiftLeftBy | Slice | AllOf | AnyOf | ParityOf => Shape::One,
            And | Or | Xor | AndNot | OrNot | Add | Sub | Mul | Eq | Ne | Lt | Le | LtSigned
            | LeSigned | ShiftLeft | ShiftRight | ShiftRightSigned | SliceEq | SliceNe | Pair => {
                Shape::Two
            }
            And3 | Or3 | Xor3 | Mux | MuxBit => Shape::Three,
            MuxEq | MuxNe | MuxLt | MuxLe => Shape::Four,
            SliceAcross => Shape::Across,
            AndList | OrList | XorList | Concat | ParityConcat => Shape::List,
            Select => Shape::Select,
            Row => Shape::Row,
            Wide => Shape::Wide,
        }
    }
}

/// A program with the lists that its instructions refer to.
#[derive(Clone, Debug, Default)]
pub(super) struct Code {
    pub instructions: Vec<Instruction>,
    pub entries: Vec<ListEntry>,
    pub tables: Vec<u32>,
    pub wide: Vec<WideOp>,
}

impl Code {
    /// Calls `f` with each slot that the instruction reads.
    ///
    /// # Panics
    /// If it points outside the lists.
    pub fn for_reads(&self, i: &Instruction, mut f: impl FnMut(u32)) {
        let (c, d) = (i.immediate as u32, (i.immediate >> 32) as u32);
        let (a, b) = (i.a as usize, i.b as usize);
        match i.op.shape() {
            Shape::One => f(i.a),
            Shape::Two => [i.a, i.b].into_iter().for_each(f),
            Shape::Three => [i.a, i.b, c].into_iter().for_each(f),
            Shape::Four => [i.a, i.b, c, d].into_iter().for_each(f),
            Shape::Across => [i.a, i.a + 1].into_iter().for_each(f),
            Shape::List => self.entries[a..a + b].iter().for_each(|e| f(e.slot)),
            Shape::Select => {
                f(i.a);
                let length = usize::try_from(i.immediate).expect("a table's length");
                self.tables[b..=b + length].iter().for_each(|&slot| f(slot));
            }
            Shape::Row => {
                f(i.a);
                let last = i.b + u32::try_from(i.immediate).expect("a memory's rows");
                (i.b..=last).for_each(f);
            }
            Shape::Wide => self.wide[a].for_reads(f),
        }
    }

    /// The slots that the instruction writes.
    pub fn writes(&self, i: &Instruction) -> std::ops::Range<u32> {
        let words = match i.op {
            Opcode::Wide => self.wide[i.a as usize].result_words(),
            _ => 1,
        };
        i.dst..i.dst + words
    }
}
