//! A request to memory: what one instruction of a warp wants, in all its lanes.

use super::fetch::Texel;
use super::registers::{Lanes, Window};
use crate::isa::{
    AccessKind, File, MAX_ELEMENTS, MatrixRows, Order, Scope, Space, Target, TargetIn, Type,
};

/// A request of a warp to memory, and its answer.
#[derive(Debug, Clone)]
pub struct Access {
    /// What is done.
    pub kind: AccessKind,
    /// Where; never generic.
    pub space: Space,
    /// Ordering.
    pub order: Order,
    /// Threads among which it is ordered.
    pub scope: Scope,
    /// Type of an element.
    pub ty: Type,
    /// Elements in a lane, one after the other in memory.
    pub elements: u8,
    /// The CTA of the cluster whose shared memory it is, if it is not that of the warp.
    pub rank: Option<u32>,
    /// Lanes that take part.
    pub mask: u32,
    /// Address within the space, of each lane that takes part.
    pub addresses: Lanes<u64>,
    /// For each element what is stored, or what has been loaded. An atomic has its operands here
    /// (`b`, and the new value of a compare-and-swap), and the old value in the first.
    pub data: [Lanes<u64>; MAX_ELEMENTS],
    /// Index of the instruction.
    pub pc: u32,
    /// The lanes load rows of matrices, which others hold afterwards.
    pub(super) matrix: Option<MatrixRows>,
    /// The texel of a fetch that it reads.
    pub(super) texel: Option<Texel>,
    /// The asynchronous copy for which it reads.
    pub copy: Option<u32>,
    /// Where the registers of the lanes' frame begin.
    pub(super) window: Window,
    /// Registers that wait for the answer.
    pub(super) targets: [Option<TargetIn>; MAX_ELEMENTS],
}

impl Default for Access {
    fn default() -> Self {
        Self {
            kind: AccessKind::Load,
            space: Space::Global,
            order: Order::Weak,
            scope: Scope::Gpu,
            ty: Type { kind: crate::isa::Kind::Bits, bytes: 4 },
            elements: 1,
            rank: None,
            mask: 0,
            addresses: Default::default(),
            data: Default::default(),
            pc: 0,
            matrix: None,
            texel: None,
            copy: None,
            window: Window::default(),
            targets: [None; MAX_ELEMENTS],
        }
    }
}

impl Access {
    /// Whether it reads texels of a fetch.
    #[inline]
    pub fn reads_texels(&self) -> bool {
        self.texel.is_some()
    }

    /// Bytes of one lane.
    #[inline]
    pub fn bytes(&self) -> u32 {
        u32::from(self.ty.bytes) * u32::from(self.elements)
    }

    /// Whether memory changes.
    pub fn writes(&self) -> bool {
        self.kind != AccessKind::Load
    }

    /// As an access whose answer somebody wants.
    pub(crate) fn awaited(mut self) -> Self {
        let target = Target(0);
        self.targets[0] = Some(TargetIn { file: File::Narrow, target, bytes: 4 });
        self
    }

    /// Whether registers wait for the answer.
    pub fn has_targets(&self) -> bool {
        self.targets.iter().any(Option::is_some)
    }

    /// The registers that wait for the answer.
    pub fn targets(&self) -> impl Iterator<Item = TargetIn> {
        self.targets.into_iter().flatten()
    }

    /// The threads that are to see what it does: those of its CTA if it says nothing of others.
    pub fn scope_of_effect(&self) -> Scope {
        match (self.order, self.kind) {
            (Order::Weak, AccessKind::Load | AccessKind::Store) => Scope::Cta,
            _ => self.scope,
        }
    }

    /// Whether it must see what threads beyond its CTA have written.
    pub fn is_strong(&self) -> bool {
        self.scope_of_effect() > Scope::Cta
    }

    /// The lanes that take part, lowest first.
    #[inline]
    pub fn lanes(&self) -> impl Iterator<Item = usize> + use<> {
        lanes_of(self.mask)
    }
}

/// Accesses of a turn of a loop.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Accessed {
    /// By weak loads and stores of memory that others see.
    pub(super) weakly: bool,
    /// By atomics, and strong loads and stores.
    pub(super) strongly: bool,
}

impl Accessed {
    /// Whether a loop does nothing with memory but to ask for what others store, as one that waits for a lock does.
    pub(super) fn polls(self) -> bool {
        self.strongly && !self.weakly
    }
}

/// The lanes of a mask, lowest first.
#[inline]
pub fn lanes_of(mut mask: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lane = mask.trailing_zeros() as usize;
        mask &= mask.wrapping_sub(1);
        (lane < 32).then_some(lane)
    })
}
