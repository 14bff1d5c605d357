//! Kinds of arithmetic, comparison and the like, named as in PTX.

#![allow(missing_docs, reason = "named as in PTX")]

use super::types::{AtomicOp, Rounding, Type};
use super::video::{ScalarVideo, Video};

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
    Mad24HiSat,
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
    /// `cvt.pack`: `b` and `a` within the range of so many bits, and `c` above them.
    Pack { bits: u8, signed: bool },
    /// `vadd4` and the like.
    Video(Video),
    /// `vadd` and the like.
    ScalarVideo(ScalarVideo),
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
    /// `.satfinite`: a result beyond the greatest number is that number.
    pub finite: bool,
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
    /// Converted to `.tf32`.
    Tf32(ToTf32),
}

/// Rounding to `.tf32`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToTf32 {
    /// Ties go to even numbers.
    Even,
    /// Ties go away from zero.
    Away,
    /// Towards zero.
    Zero,
}

/// Floating-point operations of two operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Float2 {
    Add,
    Sub,
    Mul,
    Div,
    Extreme(Extreme),
    Copysign,
}

/// The least or the greatest of numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extreme {
    /// `max`
    pub greatest: bool,
    /// `.NaN`: the result is NaN if an operand is.
    pub keep_nan: bool,
    /// `.abs`: magnitudes are compared.
    pub magnitude: bool,
    /// `.xorsign`: the result is negative if one operand is.
    pub xor_sign: bool,
}

/// Operation of `redux`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reduction {
    Integer(AtomicOp, Type),
    Single(Extreme),
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
    /// 0: no graph launches anything.
    GraphExec,
    WarpSize,
    LaneMaskEq,
    LaneMaskLt,
    LaneMaskLe,
    LaneMaskGt,
    LaneMaskGe,
    Clock,
    Clock64,
    DynamicSharedSize,
    /// `%total_smem_size`: so many bytes, and those that the launch adds.
    SharedSize(u32),
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
