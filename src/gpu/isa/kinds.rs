//! Kinds of arithmetic, comparison and the like, named as in PTX.

#![allow(missing_docs, reason = "named as in PTX")]

use super::types::Rounding;

/// Integer operations of one operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Integer1 {
    Abs,
    Neg,
    Not,
    Cnot,
    Brev,
}

/// Integer operations of one operand whose result has 32 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Count {
    Popc,
    Clz,
    Bfind,
    BfindShift,
}

/// Integer operations of two operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Integer2 {
    Add,
    AddSat,
    Sub,
    SubSat,
    MulLo,
    MulHi,
    Mul24Lo,
    Mul24Hi,
    Div,
    Rem,
    Min,
    Max,
    And,
    Or,
    Xor,
}

/// Integer operations of three operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Integer3 {
    MadLo,
    MadHi,
    MadHiSat,
    Mad24Lo,
    Mad24Hi,
    Sad,
}

/// Operations that read or write the carry flag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Carry {
    Add,
    Sub,
    MadLo,
    MadHi,
}

/// Operations on 32-bit words of bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bits3 {
    /// `shf`: 64 bits shifted by `c`.
    Funnel { left: bool, wrap: bool },
    /// `lop3`: any function of three bits, by its table.
    Lop3(u8),
    /// `prmt`: bytes of two words, picked by the third operand.
    Permute(PermuteMode),
    /// `dp4a`: whether the bytes of each operand are signed.
    Dp4a { a_signed: bool, b_signed: bool },
    /// `dp2a`: halves of `a` and the lower or higher bytes of `b`.
    Dp2a { a_signed: bool, b_signed: bool, high: bool },
    /// `bmsk`: `b` ones from bit `a` on.
    Mask { wrap: bool },
    /// `szext`: the lower `b` bits of `a`.
    Extend { signed: bool, wrap: bool },
    /// `fns`: the `c`th bit that is set in `a`, from bit `b` on.
    FindSet,
    /// `vadd4` and the like.
    Video(Video),
}

/// Operations on the bytes or halves of two words. Their sum with `c`, or each in its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Video {
    pub op: VideoOp,
    /// Parts of a word: 2 or 4.
    pub parts: u8,
    pub d_signed: bool,
    pub a_signed: bool,
    pub b_signed: bool,
    pub saturate: bool,
    /// `.add`: the results are added to `c`.
    pub accumulate: bool,
}

/// What is done with each part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VideoOp {
    Add,
    Sub,
    Average,
    AbsDifference,
    Min,
    Max,
}

/// Modes of `prmt`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PermuteMode {
    Index,
    F4e,
    B4e,
    Rc8,
    Ecl,
    Ecr,
    Rc16,
}

/// How a floating-point operation rounds and what it does to subnormals and large results.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FloatMode {
    /// Direction of rounding.
    pub rounding: Rounding,
    /// `.ftz`: subnormal operands and results become zero.
    pub ftz: bool,
    /// `.sat`: the result is clamped to [0, 1].
    pub saturate: bool,
    /// `.relu`: a negative result becomes zero.
    pub relu: bool,
}

/// Floating-point operations of one operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Float1 {
    Abs,
    Neg,
    Rcp,
    Sqrt,
    Rsqrt,
    Sin,
    Cos,
    Lg2,
    Ex2,
    Tanh,
    /// Rounded to `.tf32`, ties away from zero.
    Tf32,
}

/// Floating-point operations of two operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Float2 {
    Add,
    Sub,
    Mul,
    Div,
    Min,
    Max,
    MinNan,
    MaxNan,
    Copysign,
}

/// Comparisons. The unordered ones of floats hold when an operand is NaN.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    Equ,
    Neu,
    Ltu,
    Leu,
    Gtu,
    Geu,
    Num,
    Nan,
}

/// Logic on predicates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Logic {
    And,
    Or,
    Xor,
}

/// Classes that `testp` tells apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FloatClass {
    Finite,
    Infinite,
    Number,
    NotANumber,
    Normal,
    Subnormal,
}

/// Special registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "named as in PTX; the index is the axis")]
pub enum Special {
    Tid(u8),
    Ntid(u8),
    Ctaid(u8),
    Nctaid(u8),
    ClusterId(u8),
    NClusterId(u8),
    ClusterCtaId(u8),
    ClusterNCtaId(u8),
    ClusterCtaRank,
    ClusterNCtaRank,
    IsExplicitCluster,
    LaneId,
    WarpId,
    NWarpId,
    SmId,
    NSmId,
    GridId,
    WarpSize,
    LaneMaskEq,
    LaneMaskLt,
    LaneMaskLe,
    LaneMaskGt,
    LaneMaskGe,
    Clock,
    Clock64,
    DynamicSharedSize,
    /// Counts clocks.
    GlobalTimer,
    GlobalTimerLow,
    GlobalTimerHigh,
    /// 1 and 2 are the address of the workspace of cooperative groups; the others are 0.
    EnvironmentRegister(u8),
}

/// Modes of `vote`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Vote {
    All,
    Any,
    Uni,
}

/// Modes of `shfl`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shuffle {
    Up,
    Down,
    Butterfly,
    Index,
}
