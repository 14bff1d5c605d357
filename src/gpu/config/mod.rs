//! The configuration of the timed machine. All times are in clocks of the cores, all rates in bytes
//! a clock; the presets say where each value comes from.

mod check;
mod dram;
mod leases;
mod presets;
mod quanta;
mod set;
mod simulator;
mod transactions;

use serde::{Deserialize, Serialize};

pub use check::ImpossibleConfig;
pub use dram::{ChipsConfig, DramConfig, DramTiming};
pub use leases::LeasesConfig;
pub use presets::PRESETS;
pub use quanta::{BarrierRule, CommitBy, Granularity, QuantaConfig, Serialization, SharedOrder};
pub use simulator::{NetworkConfig, SimulatorConfig, SimulatorL1, SlicesConfig};
pub use transactions::TransactionConfig;

/// Bytes of a cache line, in all caches and in DRAM: what a warp's accesses are coalesced to.
pub const LINE: usize = 128;

/// A machine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// How much of everything.
    pub machine: MachineConfig,
    /// A SIMT core.
    pub core: CoreConfig,
    /// Functional units of a core.
    pub units: UnitsConfig,
    /// L1 data cache of a core.
    pub l1: L1Config,
    /// Crossbar between the cores of a GPM and its L2.
    pub crossbar: LinkConfig,
    /// L2 cache of a GPM.
    pub l2: L2Config,
    /// Coherence directory of a GPM; used by NHCC and HMG.
    pub directory: DirectoryConfig,
    /// Memory-side L3 cache behind the directory that GPU and CPUs share.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub l3: Option<L3Config>,
    /// Write caches of QuickRelease.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub write_caches: Option<WriteCachesConfig>,
    /// DRAM of a GPM.
    pub dram: DramConfig,
    /// Ports of a GPM to the other GPMs of its GPU.
    pub gpm_link: LinkConfig,
    /// Link of a GPU to the other GPUs.
    pub gpu_link: LinkConfig,
    /// Transactions.
    #[serde(default)]
    pub transactions: TransactionConfig,
    /// Quanta of GPUDet.
    #[serde(default, skip_serializing_if = "QuantaConfig::is_default")]
    pub quanta: QuantaConfig,
    /// Leases of relativistic coherence.
    #[serde(default, skip_serializing_if = "LeasesConfig::is_default")]
    pub leases: LeasesConfig,
    /// Longest random delays of a perturbed run.
    pub perturbation: PerturbationConfig,
    /// The memory of GPGPU-Sim in the place of L1, crossbar and L2 above: the memory system `gpgpusim`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub simulator: Option<SimulatorConfig>,
}

/// How much of everything there is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MachineConfig {
    /// GPUs.
    pub gpus: u32,
    /// GPU modules of a GPU.
    pub gpms_per_gpu: u32,
    /// SIMT cores of a GPM.
    pub cores_per_gpm: u32,
    /// Clock of the cores in MHz, for what is told in seconds.
    pub clock_mhz: f64,
    /// Bytes of a page. A page is placed in the GPM that touches it first.
    pub page_bytes: u32,
    /// Which CTAs of a grid go to which GPM.
    #[serde(default)]
    pub cta_order: CtaOrder,
}

/// Which CTAs of a grid go to which GPM.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CtaOrder {
    /// Neighbours to the same GPM (HMG section VI: contiguous CTA scheduling).
    #[default]
    Contiguous,
    /// One to each GPM in turn.
    RoundRobin,
}

/// A SIMT core.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CoreConfig {
    /// Warps that it holds.
    pub warps: u32,
    /// CTAs that it holds.
    pub ctas: u32,
    /// 32-bit registers.
    pub registers: u32,
    /// Bytes of shared memory.
    pub shared_bytes: u32,
    /// Warp schedulers; each issues one instruction a clock.
    pub schedulers: u32,
    /// How they choose.
    pub scheduler: SchedulerKind,
    /// Whether another one chooses first in each clock, not always the first.
    #[serde(default)]
    pub schedulers_rotate: bool,
    /// Clocks from an access to shared memory to its result.
    pub shared_latency: u32,
    /// Banks of shared memory, of 4 bytes.
    pub shared_banks: u32,
    /// Longest time in clocks for which a load of a perturbed run is held, so that what comes after
    /// it in its thread passes it: loads pass loads. Only weak and relaxed loads are held, and
    /// accesses to their line, fences, acquires, releases and barriers wait for them. 0: a core
    /// gives its accesses to the L1 in order.
    #[serde(default)]
    pub weak_loads: u32,
    /// How instructions come to warps; without it they are always there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub front_end: Option<FrontEndConfig>,
    /// How instructions get their operands; without it registers are read without conflicts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub collectors: Option<CollectorsConfig>,
    /// Whether a warp issues nothing while one of its atomics is under way.
    #[serde(default)]
    pub atomics_block: bool,
    /// Cache of textures; without it texels are loads of the L1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub texture_cache: Option<TextureCacheConfig>,
}

/// The texture cache of a core.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TextureCacheConfig {
    /// Its size.
    pub bytes: u32,
    /// Bytes of a line.
    pub line: u32,
    /// Lines of a set.
    pub ways: u32,
    /// Capacity of the FIFO of fetches, in lines. While it is full, the core issues no loads and stores.
    pub fragments: u32,
    /// Clocks from the last line of a fetch to its result.
    pub latency: u32,
}

/// Fetch: an instruction cache in each core, and a buffer for each warp.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FrontEndConfig {
    /// Instructions that a warp fetches at once, when it has none left.
    pub buffer: u32,
    /// Clocks from a fetch to the issue. A core fetches for one warp in a clock.
    pub fetch: u32,
    /// Instructions of a line of the cache.
    pub line: u32,
    /// Lines of a set.
    pub ways: u32,
    /// Sets.
    pub sets: u32,
    /// Clocks of a miss: of the first of a line in the machine, which goes to DRAM, and of later ones. A core's first access
    /// to parameters in a launch misses in its cache of constants, too. These caches are empty at each launch.
    pub miss: [u32; 2],
}

/// Operand collectors and banks of registers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CollectorsConfig {
    /// Banks of registers; each gives one operand a clock.
    pub banks: u32,
    /// Collectors of the units for integers and single precision.
    pub arithmetic: u32,
    /// Of the units for double precision and functions.
    pub special: u32,
    /// Of loads and stores.
    pub memory: u32,
}

/// How a scheduler chooses among warps that are ready.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SchedulerKind {
    /// The warp after the one that issued last.
    LooseRoundRobin,
    /// The same warp as long as it is ready, then the one that has been there longest.
    GreedyThenOldest,
}

/// Clocks until a result can be used, and clocks until the unit takes the next instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Timing {
    /// Clocks until the result can be used, without the stages that all instructions share.
    pub latency: u32,
    /// Clocks until the unit takes the next instruction.
    pub interval: u32,
}

/// Functional units of a core.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UnitsConfig {
    /// Stages that all instructions share: reading operands, writing results.
    pub pipeline: u32,
    /// Units for integers and single precision.
    pub arithmetic: u32,
    /// Units for double precision, division and functions.
    pub special: u32,
    /// Integer addition, logic, comparison, moves.
    pub integer: Timing,
    /// Least and greatest.
    pub minimum: Timing,
    /// Integer multiplication.
    pub multiply: Timing,
    /// Integer division.
    pub divide: Timing,
    /// Single precision: addition, multiplication, fused.
    pub float: Timing,
    /// Single precision: division, roots, functions.
    pub function: Timing,
    /// Double precision.
    pub double: Timing,
    /// Double precision: division, roots.
    pub double_divide: Timing,
    /// Shuffles and votes.
    pub shuffle: Timing,
    /// 4096 products of matrices, as many as `m16n16k16` has; fewer keep their unit for a shorter time. A machine
    /// without it has no tensor cores.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub matrix: Option<Timing>,
    /// Integer multiplication and addition in one; without it as `multiply`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub multiply_add: Option<Timing>,
    /// Single precision, fused; without it as `float`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fused: Option<Timing>,
    /// Single precision: division; without it as `function`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub float_divide: Option<Timing>,
    /// Double precision: least and greatest; without it as `double`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub double_minimum: Option<Timing>,
    /// Double precision: roots and functions; without it as `double_divide`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub double_function: Option<Timing>,
    /// Moves, conversions, shifts, logic, comparison, selection, of any type; without it as `integer` and `double`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other: Option<Timing>,
}

/// L1 data cache of a core: write-through, no allocation by stores.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct L1Config {
    /// Size in bytes.
    pub bytes: u32,
    /// Ways.
    pub ways: u32,
    /// Clocks of a hit.
    pub latency: u32,
    /// Most outstanding misses.
    pub misses: u32,
}

/// L2 cache of a GPM.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct L2Config {
    /// Size in bytes.
    pub bytes: u32,
    /// Ways.
    pub ways: u32,
    /// Banks, by address; each serves one request a clock.
    pub banks: u32,
    /// Clocks for which a bank performs the atomic of one lane; those of a warp at one word follow one another. 0: a
    /// warp's atomic takes one clock. The relativistic L2, ownership in L1s, QuickRelease and GPGPU-Sim's L2 take no more.
    #[serde(default)]
    pub atomic_clocks: u32,
    /// Clocks from a request's turn to its answer.
    pub latency: u32,
    /// What becomes of a store at its home. Elsewhere it is always written through.
    pub write: WritePolicy,
}

/// Memory-side L3 cache.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct L3Config {
    /// Size in bytes.
    pub bytes: u32,
    /// Ways.
    pub ways: u32,
    /// Clocks until the directory and the L3 have looked a request up.
    pub latency: u32,
}

/// The write caches of QuickRelease, each with its synchronization FIFO.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WriteCachesConfig {
    /// Beside each L1.
    pub l1: WriteCacheConfig,
    /// Beside the L2.
    pub l2: WriteCacheConfig,
    /// At the directory.
    pub l3: WriteCacheConfig,
}

/// A write cache.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WriteCacheConfig {
    /// Size in bytes.
    pub bytes: u32,
    /// Ways.
    pub ways: u32,
    /// Entries of the synchronization FIFO.
    pub entries: u32,
}

/// What becomes of a store at its home.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WritePolicy {
    /// Kept until the line makes room.
    Back,
    /// Sent to DRAM at once.
    Through,
}

/// Coherence directory of a GPM.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DirectoryConfig {
    /// Sets.
    pub sets: u32,
    /// Entries in a set.
    pub ways: u32,
    /// Lines that an entry covers.
    pub lines_per_entry: u32,
}

/// A link: each way has its own bandwidth.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LinkConfig {
    /// Clocks from end to end.
    pub latency: u32,
    /// Bytes a clock of a port, each way.
    pub bytes_per_clock: f64,
}

/// Longest random delays of a perturbed run, in clocks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PerturbationConfig {
    /// Of a message.
    pub message: u32,
    /// One message in so many is delayed, at random; 0 and 1: all are. If few are, one may be late
    /// by more than many others take together.
    #[serde(default)]
    pub one_in: u32,
    /// Of the beginning of a CTA.
    pub start: u32,
}

impl MachineConfig {
    /// GPMs of the machine.
    pub fn gpms(&self) -> u32 {
        self.gpus * self.gpms_per_gpu
    }

    /// Cores of the machine.
    pub fn cores(&self) -> u32 {
        self.gpms() * self.cores_per_gpm
    }
}
