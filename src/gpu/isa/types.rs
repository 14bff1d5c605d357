//! Types, state spaces and memory ordering of PTX.

/// How the bits of a value are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// `.u`: unsigned integer.
    Unsigned,
    /// `.s`: two's complement.
    Signed,
    /// `.f`: IEEE 754.
    Float,
    /// `.bf16`: the upper half of an `.f32`.
    Brain,
    /// `.f16x2`, `.f32x2`: two of them in a register.
    FloatPair,
    /// `.bf16x2`: two of them in a word.
    BrainPair,
    /// `.e4m3`: a byte with four bits of exponent.
    E4m3,
    /// `.e5m2`: the upper half of an `.f16`.
    E5m2,
    /// `.b`: untyped bits.
    Bits,
    /// `.pred`: one bit.
    Predicate,
}

/// A scalar type, such as `.s32`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Type {
    /// How the bits are read.
    pub kind: Kind,
    /// Size in bytes: 1, 2, 4 or 8; a predicate has 0, a register of `.b128` 16.
    pub bytes: u8,
}

impl Type {
    /// The type of a modifier such as `s32`; none for one that is not supported (`b128`).
    pub fn named(name: &str) -> Option<Self> {
        let (kind, bytes) = match name {
            "u8" => (Kind::Unsigned, 1),
            "u16" => (Kind::Unsigned, 2),
            "u32" => (Kind::Unsigned, 4),
            "u64" => (Kind::Unsigned, 8),
            "s8" => (Kind::Signed, 1),
            "s16" => (Kind::Signed, 2),
            "s32" => (Kind::Signed, 4),
            "s64" => (Kind::Signed, 8),
            "f16" => (Kind::Float, 2),
            "f16x2" => (Kind::FloatPair, 4),
            "f32x2" => (Kind::FloatPair, 8),
            "bf16" => (Kind::Brain, 2),
            "bf16x2" => (Kind::BrainPair, 4),
            "f32" => (Kind::Float, 4),
            "f64" => (Kind::Float, 8),
            "b8" => (Kind::Bits, 1),
            "b16" => (Kind::Bits, 2),
            "b32" => (Kind::Bits, 4),
            "b64" => (Kind::Bits, 8),
            "pred" => (Kind::Predicate, 0),
            _ => return None,
        };
        Some(Self { kind, bytes })
    }

    /// Whether it is a floating-point type.
    pub fn is_float(self) -> bool {
        !matches!(self.kind, Kind::Unsigned | Kind::Signed | Kind::Bits | Kind::Predicate)
    }

    /// The type of each half of a pair; none where it is no pair.
    pub fn half(self) -> Option<Self> {
        match self.kind {
            Kind::FloatPair => Some(Self { kind: Kind::Float, bytes: self.bytes / 2 }),
            Kind::BrainPair => Some(Self { kind: Kind::Brain, bytes: 2 }),
            _ => None,
        }
    }

    /// The type of each part of a pair such as `e4m3x2`.
    pub fn part_named(name: &str) -> Option<Self> {
        match name {
            "e4m3x2" => Some(Self { kind: Kind::E4m3, bytes: 1 }),
            "e5m2x2" => Some(Self { kind: Kind::E5m2, bytes: 1 }),
            _ => Self::named(name)?.half(),
        }
    }

    /// Whether it is `.s8` to `.s64`.
    pub fn is_signed(self) -> bool {
        self.kind == Kind::Signed
    }

    /// The registers that hold a value of this type.
    pub fn file(self) -> File {
        match self.bytes {
            0 => File::Predicate,
            8 | 16 => File::Wide,
            _ => File::Narrow,
        }
    }
}

/// The three register files of a warp.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum File {
    /// One bit a lane, 32 lanes in one word.
    Predicate,
    /// Up to 32 bits a lane; narrower values are kept zero-extended.
    Narrow,
    /// 64 bits a lane.
    Wide,
}

/// A state space that an instruction names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Space {
    /// No space named: the address decides.
    Generic,
    /// Memory of the machine.
    Global,
    /// Scratchpad of a CTA.
    Shared,
    /// Scratchpads of all CTAs of a cluster (`.shared::cluster`).
    Cluster,
    /// Memory of a thread: local arrays and parameters of device functions.
    Local,
    /// Read-only memory of the module.
    Const,
    /// Parameters of the kernel.
    Param,
}

impl Space {
    /// The name in PTX.
    pub fn name(self) -> &'static str {
        match self {
            Self::Generic => "generic",
            Self::Global => "global",
            Self::Shared => "shared",
            Self::Cluster => "shared::cluster",
            Self::Local => "local",
            Self::Const => "const",
            Self::Param => "param",
        }
    }

    /// Where the space begins among generic addresses. Global addresses are generic as they are.
    pub const fn window(self) -> u64 {
        match self {
            Self::Generic | Self::Global => 0,
            Self::Shared | Self::Cluster => 1 << 40,
            Self::Local => 2 << 40,
            Self::Const => 3 << 40,
            Self::Param => 4 << 40,
        }
    }

    /// Whether addresses of shared memory are among those of the space.
    pub fn may_be_shared(self) -> bool {
        matches!(self, Self::Generic | Self::Shared | Self::Cluster)
    }

    /// The space of a generic address.
    #[inline]
    pub fn of(generic: u64) -> Self {
        match generic >> 40 {
            1 => Self::Shared,
            2 => Self::Local,
            3 => Self::Const,
            4 => Self::Param,
            _ => Self::Global,
        }
    }
}

/// The threads among which an operation is ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Scope {
    /// Threads of the same CTA.
    Cta,
    /// Threads of the same cluster of CTAs.
    Cluster,
    /// Threads of the same GPU.
    Gpu,
    /// All threads.
    Sys,
}

/// How strongly an access is ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Order {
    /// No synchronisation intended.
    Weak,
    /// `.volatile`: as relaxed at system scope.
    Volatile,
    /// `.relaxed`
    Relaxed,
    /// `.acquire`
    Acquire,
    /// `.release`
    Release,
    /// `.acq_rel`
    AcquireRelease,
    /// `.sc`: fences only.
    SequentiallyConsistent,
}

/// What a read-modify-write does to the old value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AtomicOp {
    /// Sum; wraps for integers, rounds to nearest for floats.
    Add,
    /// Lesser of the two.
    Min,
    /// Greater of the two.
    Max,
    /// Bitwise.
    And,
    /// Bitwise.
    Or,
    /// Bitwise.
    Xor,
    /// Takes the operand.
    Exchange,
    /// Takes the second operand where the old value equals the first.
    CompareAndSwap,
    /// `old >= operand ? 0 : old + 1`.
    Increment,
    /// `old == 0 || old > operand ? operand : old - 1`.
    Decrement,
    /// What is done to an `mbarrier`, which lies in shared memory.
    Mbarrier(MbarrierOp),
}

/// The bits of an `mbarrier` and of its states that hold the arrivals that are pending.
pub const MBARRIER_PENDING: u32 = (1 << 20) - 1;

/// What is done to an `mbarrier`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MbarrierOp {
    /// It expects as many arrivals a phase as the operand says.
    Init,
    /// It is none any more.
    Invalidate,
    /// As many arrive as the operand says; the last one ends the phase.
    Arrive {
        /// Later phases expect as many fewer.
        drop: bool,
        /// `.noComplete`: the phase does not end with it.
        no_complete: bool,
    },
    /// One more is expected in this phase.
    Expect,
    /// `expect_tx`: as many bytes more are to arrive in this phase as the operand says.
    ExpectBytes,
    /// `complete_tx`: so many bytes have arrived; the last ones may end the phase.
    CompleteBytes,
    /// Whether the phase is over in which the operand was the state, or whose parity it is.
    Test {
        /// The operand is a parity.
        parity: bool,
    },
}

impl AtomicOp {
    /// The operation of that name in PTX.
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "add" => Self::Add,
            "min" => Self::Min,
            "max" => Self::Max,
            "and" => Self::And,
            "or" => Self::Or,
            "xor" => Self::Xor,
            "exch" => Self::Exchange,
            "cas" => Self::CompareAndSwap,
            "inc" => Self::Increment,
            "dec" => Self::Decrement,
            _ => return None,
        })
    }
}

/// Direction in which an inexact result is rounded.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Rounding {
    /// To nearest, ties to even.
    #[default]
    Nearest,
    /// Towards zero.
    Zero,
    /// Towards minus infinity.
    Down,
    /// Towards plus infinity.
    Up,
}
