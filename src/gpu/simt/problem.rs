//! What can go wrong while a kernel runs.

use crate::isa::Space;

/// Why a kernel was stopped.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// An address outside of what was allocated.
    #[error("{bytes} bytes at {address:#x} of {} memory are outside of {}", .space.name(), .nearest)]
    OutOfBounds {
        /// Space.
        space: Space,
        /// Address within the space.
        address: u64,
        /// Size of the access.
        bytes: u32,
        /// What is allocated nearby.
        nearest: String,
    },
    /// An address that the size of the access does not divide.
    #[error("address {address:#x} of {} memory is not aligned to {bytes} bytes", .space.name())]
    Misaligned {
        /// Space.
        space: Space,
        /// Address within the space.
        address: u64,
        /// Size of the access.
        bytes: u32,
    },
    /// A store to, or an atomic in, memory that is only read.
    #[error("a write to address {address:#x} of {} memory, which is read-only", .space.name())]
    ReadOnly {
        /// Space.
        space: Space,
        /// Address within the space.
        address: u64,
    },
    /// A barrier that only a part of the warp has come to.
    #[error("barrier in divergent code: lanes {here:#010x} of {live:#010x} have come to it")]
    DivergentBarrier {
        /// Lanes that execute it.
        here: u32,
        /// Lanes that have not left the kernel.
        live: u32,
    },
    /// Lanes that an instruction names run elsewhere.
    #[error(
        "names the lanes {members:#010x}, but {here:#010x} execute it: the others do not come to an instruction with the \
         same qualifiers and lanes"
    )]
    LanesElsewhere {
        /// Lanes that are named.
        members: u32,
        /// Lanes that execute it.
        here: u32,
    },
    /// A barrier number or count that does not exist.
    #[error("barrier {id} for {threads} threads: barriers 0 to 15 and multiples of 32 exist")]
    NoSuchBarrier {
        /// The barrier.
        id: u32,
        /// Threads.
        threads: u32,
    },
    /// Calls too deep, or too much local memory.
    #[error(
        "{depth} calls deep with {bytes} bytes of local memory a thread: the limit is \
             {most_depth} calls and {most_bytes} bytes"
    )]
    TooDeep {
        /// Calls.
        depth: u32,
        /// Local memory of a thread.
        bytes: u32,
        /// Limit of calls.
        most_depth: u32,
        /// Limit of local memory.
        most_bytes: u32,
    },
    /// A call through a register that holds no function of the prototype.
    #[error("a call of {address:#x}: no function of this prototype has that address")]
    NoFunction {
        /// The address.
        address: u64,
    },
    /// An index of `brx.idx` beyond its list.
    #[error("index {index} of a list of {targets} targets: 0 to {} are accepted", .targets - 1)]
    NoTarget {
        /// The index.
        index: u32,
        /// Targets.
        targets: u32,
    },
    /// Metadata of `mma.sp` that names no elements.
    #[error("metadata {found:#06b} in bits {bit} and above: {accepted} are accepted")]
    Metadata {
        /// Four bits of it.
        found: u32,
        /// The lowest of them in its register.
        bit: u32,
        /// Those that there are.
        accepted: &'static str,
    },
    /// `free` of what `malloc` has not given, or that was given back.
    #[error("free of {address:#x}, which malloc has not given, or which was given back")]
    NotAllocated {
        /// The address.
        address: u64,
    },
    /// A copy that is to read more than it copies.
    #[error("{read} bytes to be read of {bytes} that are copied: 0 to {bytes} are accepted")]
    CopySize {
        /// Bytes to be read.
        read: u32,
        /// Bytes that are copied.
        bytes: u32,
    },
    /// A bulk copy of a wrong size.
    #[error("a bulk copy of {bytes} bytes: multiples of 16 are accepted")]
    BulkSize {
        /// The size.
        bytes: u32,
    },
    /// A CTA that the cluster does not have.
    #[error("CTA {rank} of a cluster that has {ctas}: ranks from 0 on are accepted")]
    NoCta {
        /// The rank.
        rank: u32,
        /// CTAs of the cluster.
        ctas: u32,
    },
    /// An address beside the shared memory of the cluster.
    #[error("{address:#x} is not in the shared memory of the cluster")]
    NotShared {
        /// The generic address.
        address: u64,
    },
    /// The shared memory of a CTA that is over.
    #[error(
        "address {address:#x} of the shared memory of CTA {rank} of the cluster, which has ended: a barrier.cluster \
         before its end keeps it"
    )]
    CtaEnded {
        /// The rank.
        rank: u32,
        /// Address within its shared memory.
        address: u64,
    },
    /// `barrier.cluster` out of turn.
    #[error("{0}")]
    ClusterBarrier(&'static str),
    /// A handle that no texture or surface has.
    #[error(
        "{0} is no texture or surface: [[textures]] and [[surfaces]] of the launch file give them"
    )]
    NoObject(String),
    /// A texture or surface that cannot be used so.
    #[error("{name} {what}")]
    Object {
        /// Its name.
        name: String,
        /// The error.
        what: String,
    },
    /// An `mbarrier` that cannot be used so.
    #[error("mbarrier at {address:#x}: {what}")]
    Mbarrier {
        /// Address within its space.
        address: u64,
        /// What is wrong.
        what: String,
    },
    /// Something that cannot be done within a transaction.
    #[error("{0} within a transaction")]
    InTransaction(&'static str),
    /// A transaction ends that did not begin like that.
    #[error("__tx_commit of lanes that have not begun a transaction together in this function")]
    NotBegun,
    /// A transaction begins under a guard.
    #[error("__tx_begin of a part of the lanes that run together")]
    BegunByPart,
    /// The redo log of a transaction has no room.
    #[error("the transaction's log outgrows its {entries} entries a thread")]
    LogFull {
        /// The room for it.
        entries: u32,
    },
    /// A store of a part of a word.
    #[error(
        "a store of a part of a word, which is committed by word: set granularity = \"byte\" in [quanta], or \
             --set quanta.granularity=byte"
    )]
    PartOfWord,
    /// The machine or its memory system has no transactions.
    #[error("{0} has no transactions")]
    NoTransactions(String),
    /// A function of shaders in a kernel that is none.
    #[error(
        "{0} in a kernel that does not run as a shader: frames have shaders, see `warpsmith render`"
    )]
    NoStage(&'static str),
    /// An input or output that there is not.
    #[error("{name}({number}): there are {rows}, from 0 on")]
    NoRow {
        /// The function.
        name: &'static str,
        /// Which was asked for.
        number: u32,
        /// How many there are.
        rows: usize,
    },
    /// A CPU has come to an instruction that only the GPU has.
    #[error("a CPU runs only accesses to global memory, fences and arithmetic")]
    NotOnCpu,
    /// `trap`
    #[error("the kernel stopped itself with trap")]
    Trap,
    /// An assertion of the kernel.
    #[error("assertion failed: {0}")]
    Assertion(String),
    /// `printf` with something it cannot print.
    #[error(
        "printf: format at {format:#x} or arguments at {arguments:#x} are not in memory, or \
             a conversion is not one of c d i o u x X p e E f F g G a A s"
    )]
    Print {
        /// Generic address of the format.
        format: u64,
        /// Generic address of the arguments.
        arguments: u64,
    },
    /// No warp can go on, or none has come to an end for long.
    #[error("{reason}; stuck warps:\n{warps}")]
    Stuck {
        /// Why it was stopped.
        reason: String,
        /// State of the warps.
        warps: String,
    },
}
