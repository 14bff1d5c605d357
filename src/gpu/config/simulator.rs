//! The memory of GPGPU-Sim 4.2, with what that simulator does and hardware does not.

use serde::{Deserialize, Serialize};

use super::{ImpossibleConfig, LINE};

/// L1, crossbar and L2 slices as GPGPU-Sim 4.2 has them: the memory system `gpgpusim`, in front of the chips of
/// `dram.chips`. The sources are the options of its `gpgpusim.config` and of its network's file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SimulatorConfig {
    /// The L1 and the load/store unit in front of it.
    pub l1: SimulatorL1,
    /// The crossbar between cores and L2 slices.
    pub network: NetworkConfig,
    /// Slices of the L2.
    pub l2: SlicesConfig,
}

/// The load/store unit, and an L1 whose latency is a queue in front of its tags.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SimulatorL1 {
    /// Clocks from the issue of an access to the load/store unit.
    pub issue: u32,
    /// Memory instructions that have been issued and wait for the unit.
    pub waiting: u32,
    /// Clocks of the queue in front of the tags, which misses and stores pass too.
    pub latency: u32,
    /// Lines in the queue: what waits there for a line keeps all behind it.
    pub queue: u32,
    /// A line is reserved at the miss, so that it can be used no more, rather than when it is filled.
    pub reserve_at_miss: bool,
    /// Loads that share a miss.
    pub merges: u32,
    /// Misses and stores that wait for the crossbar.
    pub miss_queue: u32,
    /// Loads of single bytes are cut into segments of this many bytes; 128 does not cut them.
    pub byte_segment: u32,
    /// Lanes with an atomic on one word take a transaction each.
    pub split_atomics: bool,
    /// Answers that wait for the core: in the cluster's queue, and in the core's.
    pub answers: [u32; 2],
}

/// A crossbar with queues at its inputs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NetworkConfig {
    /// Bytes of a flit.
    pub flit_bytes: u32,
    /// Queues of an input. With one, a packet that waits keeps all behind it.
    pub virtual_channels: u32,
    /// Flits in such a queue.
    pub channel_flits: u32,
    /// Iterations of the allocation of the switch (iSLIP).
    pub iterations: u32,
    /// Steps of the router in a clock.
    pub speedup: u32,
    /// Flits of a sender that wait to enter.
    pub inject_flits: u32,
    /// Flits that wait at a receiver.
    pub eject_flits: u32,
}

/// Slices of the L2, two at each channel of DRAM.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SlicesConfig {
    /// Slices of a channel.
    pub per_channel: u32,
    /// Bytes that a slice asks DRAM for, and answers at a time.
    pub sector_bytes: u32,
    /// Clocks in front of a slice.
    pub latency: u32,
    /// Requests in each queue of a slice: from the crossbar, to DRAM, from DRAM, to the crossbar.
    pub queue: u32,
    /// Sectors that are missed.
    pub misses: u32,
    /// Requests that share one.
    pub merges: u32,
    /// Requests to DRAM that wait.
    pub miss_queue: u32,
    /// A store is acknowledged for each sector, rather than once.
    pub acknowledge_sectors: bool,
}

/// Sectors that a slice can be asked for at once: those of a line.
const SECTORS: u32 = 4;
/// Queues of all inputs of a crossbar: the model keeps a bit for each.
const QUEUES: u32 = 128;

impl SimulatorConfig {
    /// Refuses memories that cannot be built, for a machine with so many cores and channels of DRAM.
    pub(super) fn check(&self, cores: u32, channels: u32) -> Result<(), ImpossibleConfig> {
        let Self { l1, network, l2 } = self;
        let line = LINE as u32;
        let queues = cores.max(channels * l2.per_channel).saturating_mul(network.virtual_channels);
        let flits = (line + 8).div_ceil(network.flit_bytes.max(1));
        let least = |from| {
            (from..=1 << 16, "a number up to 65536 is accepted that is not too small for a line")
        };
        let some = || least(1);
        let size = || (32..=line, "32, 64 and 128 are accepted");
        for (field, found, (range, accepted)) in [
            ("simulator.l1.waiting", l1.waiting, some()),
            ("simulator.l1.queue", l1.queue, some()),
            ("simulator.l1.merges", l1.merges, some()),
            ("simulator.l1.miss_queue", l1.miss_queue, least(2)),
            ("simulator.l1.byte_segment", l1.byte_segment, size()),
            ("simulator.l1.answers", l1.answers[0].min(l1.answers[1]), some()),
            ("simulator.network.flit_bytes", network.flit_bytes, some()),
            ("simulator.network.channel_flits", network.channel_flits, some()),
            ("simulator.network.iterations", network.iterations, some()),
            ("simulator.network.speedup", network.speedup, some()),
            ("simulator.network.inject_flits", network.inject_flits, least(flits)),
            ("simulator.network.eject_flits", network.eject_flits, least(flits)),
            ("simulator.network.virtual_channels", network.virtual_channels, some()),
            (
                "simulator.network.virtual_channels times cores or slices",
                queues,
                (1..=QUEUES, "up to 128 are accepted"),
            ),
            ("simulator.l2.per_channel", l2.per_channel, (1..=2, "1 and 2 are accepted")),
            ("simulator.l2.sector_bytes", l2.sector_bytes, size()),
            ("simulator.l2.queue", l2.queue, least(SECTORS)),
            ("simulator.l2.misses", l2.misses, some()),
            ("simulator.l2.merges", l2.merges, some()),
            ("simulator.l2.miss_queue", l2.miss_queue, least(2)),
        ] {
            let is_power = !accepted.starts_with("32") || found.is_power_of_two();
            if !range.contains(&found) || !is_power {
                return Err(ImpossibleConfig::Value { field, found: found.to_string(), accepted });
            }
        }
        Ok(())
    }
}
