//! Instructions with more to say than operands: accesses, barriers, calls.

use super::kinds::Logic;
use super::matrix::MatrixRows;
use super::operand::{Condition, Source, SourceIn, Target, TargetIn};
use super::texture::Lookup;
use super::types::{AtomicOp, File, Order, Scope, Space, Type};

/// What a barrier does beyond counting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BarrierKind {
    /// Waits.
    Sync,
    /// Is counted and goes on.
    Arrive,
    /// Waits; the number of threads whose predicate holds goes to a narrow register.
    Popc(Target, Condition),
    /// Waits; whether the predicate holds for all (`And`) or any (`Or`) goes to a predicate.
    Reduce(Logic, Target, Condition),
}

/// What an access does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AccessKind {
    /// Memory to registers.
    Load,
    /// Registers to memory.
    Store,
    /// Read, modify, write; the old value goes to a register unless nobody wants it (`red`).
    Atomic(AtomicOp),
}

/// Most elements that one access moves in a lane (`.v4`).
pub const MAX_ELEMENTS: usize = 4;

/// A load, store or atomic.
#[derive(Debug, Clone, Copy)]
pub struct AccessForm {
    /// What is done.
    pub kind: AccessKind,
    /// Space named by the instruction.
    pub space: Space,
    /// Ordering.
    pub order: Order,
    /// Threads among which it is ordered.
    pub scope: Scope,
    /// Type of an element.
    pub ty: Type,
    /// Elements in a lane: 1, 2 or 4. Atomics have one, or two halves of 128 bits.
    pub elements: u8,
    /// Register that holds the address.
    pub base: Option<Source>,
    /// Added to the address, or the address itself.
    pub offset: u64,
    /// Offset counts from the local frame of the function.
    pub in_frame: bool,
    /// Registers that take what is loaded; none where it is not wanted.
    pub targets: [Option<TargetIn>; MAX_ELEMENTS],
    /// The lanes load rows of matrices, which others hold afterwards.
    pub matrix: Option<MatrixRows>,
    /// A place in a texture or surface, whose handle is in `base`.
    pub lookup: Option<Lookup>,
    /// What is stored; for atomics the operand, and the second one of a compare-and-swap.
    pub sources: [SourceIn; MAX_ELEMENTS],
}

impl AccessForm {
    /// Operands, the first of the sources.
    pub fn operands(&self) -> usize {
        let elements = usize::from(self.elements);
        match self.kind {
            AccessKind::Load => 0,
            AccessKind::Atomic(AtomicOp::CompareAndSwap) => 2 * elements,
            AccessKind::Store | AccessKind::Atomic(_) => elements,
        }
    }

    /// A weak load of one element from address 0 to no register.
    pub(super) fn load(space: Space, ty: Type) -> Self {
        Self {
            kind: AccessKind::Load,
            space,
            order: Order::Weak,
            scope: Scope::Gpu,
            ty,
            elements: 1,
            base: None,
            offset: 0,
            in_frame: false,
            targets: [None; MAX_ELEMENTS],
            matrix: None,
            lookup: None,
            sources: [SourceIn { file: ty.file(), source: Source::register(0) }; MAX_ELEMENTS],
        }
    }
}

/// `cp.async`: bytes of global memory to shared memory.
#[derive(Debug, Clone, Copy)]
pub struct CopyForm {
    /// Where they come from.
    pub from: AccessForm,
    /// Where they go.
    pub to: AccessForm,
    /// How many: 4, 8 or 16.
    pub bytes: u32,
    /// How many are read; the others are zero.
    pub read: Option<Source>,
    /// Where it holds nothing is read.
    pub ignored: Option<Condition>,
}

/// `cp.async.bulk`, `cp.reduce.async.bulk`, `st.async` or `red.async`: bytes that arrive later.
#[derive(Debug, Clone, Copy)]
pub struct BulkForm {
    /// Where they come from; none where registers are sent.
    pub from: Option<AccessForm>,
    /// Where they go: a store, or an atomic for each element.
    pub to: AccessForm,
    /// Their number.
    pub bytes: Source,
    /// The `mbarrier` that is told of their arrival; without one the copy is in a bulk group of its thread.
    pub mbarrier: Option<AccessForm>,
    /// The CTAs of the cluster that they go to, a bit for each.
    pub ctas: Option<SourceIn>,
}

/// `barrier.cluster`
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClusterBarrier {
    /// Threads are counted and go on.
    Arrive {
        /// `.relaxed`: what they have written is not released.
        is_relaxed: bool,
    },
    /// Threads wait until all of the cluster have arrived.
    Wait,
}

/// A constant pattern of moved parts: `mov.b64 {a, b}, c`.
#[derive(Debug, Clone, Copy)]
pub struct Parts<T> {
    /// The parts, lowest first; of the file that `bits` implies.
    pub parts: [T; 4],
    /// How many there are.
    pub count: u8,
    /// Size of a part in bits: 8, 16 or 32.
    pub bits: u8,
    /// File of the whole.
    pub whole: File,
}

/// Bytes that a call or return copies within local memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ParameterCopy {
    /// Offset in the frame of the caller.
    pub outer: u32,
    /// Offset in the frame of the function called.
    pub inner: u32,
    /// Size.
    pub bytes: u32,
}

/// A call of a device function.
#[derive(Debug, Clone)]
pub struct Call {
    /// Index of the function.
    pub function: u32,
    /// Parameters.
    pub into: Vec<ParameterCopy>,
    /// The value returned.
    pub back: Option<ParameterCopy>,
}

/// A call through a register.
#[derive(Debug, Clone)]
pub struct IndirectCall {
    /// Register with the address of the function.
    pub address: Source,
    /// What is copied; its function is one of the targets.
    pub call: Call,
    /// Functions of this prototype: their addresses, in order, and their indices.
    pub targets: Vec<(u64, u32)>,
}

/// Where a transaction begins or ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Boundary {
    /// `__tx_begin()`
    Begin,
    /// `__tx_commit()`
    Commit,
}

/// A function of shaders. Operands are registers of 32 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShaderCall {
    /// `float __input(int number)`
    Input {
        /// Which input.
        number: Source,
        /// Takes it.
        d: Option<Target>,
    },
    /// `void __output(int number, float value)`
    Output {
        /// Which output.
        number: Source,
        /// The value.
        value: Source,
    },
    /// `void __discard()`
    Discard,
    /// `unsigned __texture(int unit, float u, float v, float bias)`
    Texture {
        /// Which texture.
        unit: Source,
        /// The place.
        u: Source,
        /// The same.
        v: Source,
        /// Added to the level.
        bias: Source,
        /// Takes the colour.
        d: Option<Target>,
    },
}

/// Functions that the machine provides. Offsets are those of parameters in the caller's frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Service {
    /// `__tx_begin()` and `__tx_commit()`
    Transaction(Boundary),
    /// `vprintf(format, arguments)`
    Print {
        /// Pointer to the format.
        format: u32,
        /// Pointer to the arguments.
        arguments: u32,
        /// The number of arguments printed.
        returned: Option<u32>,
    },
    /// `malloc(bytes)`
    Allocate {
        /// Bytes, of 64 bits.
        bytes: u32,
        /// The address.
        returned: u32,
    },
    /// `free(address)`
    Free {
        /// The address.
        address: u32,
    },
    /// `__assertfail(message, file, line, function, size)`
    AssertFail {
        /// Pointer to the message.
        message: u32,
    },
}
