//! What a step of a warp comes to.

use super::bulk::Bulk;
use super::registers::Lanes;
use super::stage::TextureRequest;
use crate::isa::{Boundary, ClusterBarrier, Order, Scope};

/// A warp that has come to a barrier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Arrival {
    /// Number of the barrier.
    pub id: u32,
    /// Threads that the barrier waits for; all of the CTA if it does not say.
    pub threads: Option<u32>,
    /// Whether the warp waits.
    pub waits: bool,
    /// Lanes whose predicate holds.
    pub holds: u32,
    /// Lanes that have come.
    pub lanes: u32,
}

/// `vprintf`, in all lanes that call it.
#[derive(Debug, Clone, Copy)]
pub struct Print {
    /// Lanes that print.
    pub mask: u32,
    /// Generic address of the format.
    pub format: Lanes<u64>,
    /// Generic address of the arguments.
    pub arguments: Lanes<u64>,
    /// Where the result goes, in local memory.
    pub(super) returned: Option<u64>,
}

/// `malloc` or `free`, in all lanes that call it.
#[derive(Debug, Clone, Copy)]
pub struct Allocation {
    /// Lanes that call it.
    pub mask: u32,
    /// Bytes to allocate, or addresses to free.
    pub given: Lanes<u64>,
    /// Where the address goes, in local memory; none for `free`.
    pub(super) returned: Option<u64>,
}

impl Allocation {
    /// Whether memory is asked for, and not given back.
    pub fn allocates(&self) -> bool {
        self.returned.is_some()
    }
}

/// What a step comes to.
#[derive(Debug)]
pub enum Step {
    /// The instruction is done.
    Done,
    /// Memory must answer the request; then `Warp::complete` takes the answer.
    Access,
    /// As [`Step::Access`], but the warp has done it already, in memory that no other thread
    /// sees: local memory and parameters. Told for its timing.
    Private,
    /// Asynchronous copies are waited for, or named by an `mbarrier`: what is due is to be done, and
    /// the warp goes on when it awaits none.
    Copies,
    /// Something is moved beside the threads, or waited for.
    Bulk(Bulk),
    /// Lanes have come to the barrier of the cluster; those that wait go on when all have arrived.
    Cluster(ClusterBarrier, u32),
    /// A fence.
    Fence(Order, Scope),
    /// A barrier; a warp that waits goes on after `Warp::release`.
    Barrier(Arrival),
    /// A transaction begins or ends in these lanes. One that ends is over after
    /// `Warp::end_transaction`.
    Transaction(Boundary, u32),
    /// A texture unit must answer the request; then `Warp::textured` takes the colours.
    Texture(Box<TextureRequest>),
    /// Something to print.
    Print(Box<Print>),
    /// Memory is allocated or freed.
    Allocate(Box<Allocation>),
    /// An assertion failed in this lane; its message is at this generic address.
    Assertion(usize, u64),
    /// All lanes have left the kernel.
    Exited,
}
