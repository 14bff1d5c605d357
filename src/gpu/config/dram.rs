//! DRAM: channels of banks with a few times, or its chips command by command.

use serde::{Deserialize, Serialize};

use super::{ImpossibleConfig, LINE};

/// DRAM of a GPM.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DramConfig {
    /// Channels, by address.
    pub channels: u32,
    /// Banks of a channel.
    pub banks: u32,
    /// Bytes of a row.
    pub row_bytes: u32,
    /// Clocks to and from the chips, whatever the row.
    pub latency: u32,
    /// Clocks to the data of an open row.
    pub column: u32,
    /// Clocks to open a row.
    pub activate: u32,
    /// Clocks to close one.
    pub precharge: u32,
    /// Least clocks that a row stays open.
    pub row_open: u32,
    /// Bytes a clock of a channel.
    pub bytes_per_clock: f64,
    /// The chips of a channel, command by command, in the place of banks, rows, times and bytes above.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chips: Option<ChipsConfig>,
}

/// GDDR chips of a channel, which takes 256 bytes of the addresses in turn. 4096 rows of 16 banks: the map of GPGPU-Sim's
/// `SM2_GTX480`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChipsConfig {
    /// Clock in MHz.
    pub clock_mhz: f64,
    /// Bytes of a burst. A transfer takes whole ones.
    pub burst_bytes: u32,
    /// Clocks of a burst on the data pins.
    pub burst: u32,
    /// Requests that the scheduler chooses from.
    pub queue: u32,
    /// Answers that wait.
    pub return_queue: u32,
    /// Requests to an open row that may pass the oldest of its bank; 0: any number.
    #[serde(default)]
    pub cap: u32,
    /// Timing of the chips.
    pub timing: DramTiming,
}

/// Timing of GDDR5 chips in their clocks, by its usual names.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "names of the data sheet")]
pub struct DramTiming {
    pub banks: u32,
    pub bank_groups: u32,
    pub ccd: u32,
    pub ccdl: u32,
    pub rrd: u32,
    pub rcd: u32,
    pub ras: u32,
    pub rp: u32,
    pub rc: u32,
    pub cl: u32,
    pub wl: u32,
    pub cdlr: u32,
    pub wr: u32,
    pub rtpl: u32,
    /// Clocks in which four rows may be opened; 0: no such limit.
    #[serde(default)]
    pub faw: u32,
    /// Clocks between refreshes of all banks; 0: none.
    #[serde(default)]
    pub refi: u32,
    /// Clocks of a refresh.
    #[serde(default)]
    pub rfc: u32,
    /// Reads and writes wait for the bus to turn around.
    pub turnaround: bool,
}

impl DramConfig {
    /// Refuses chips that the model does not have.
    pub(super) fn check_chips(&self) -> Result<(), ImpossibleConfig> {
        let Some(chips) = &self.chips else { return Ok(()) };
        let DramTiming { banks, bank_groups, cl, wl, refi, rfc, .. } = chips.timing;
        let refused =
            |field, found: String, accepted| ImpossibleConfig::Value { field, found, accepted };
        let number = "1 to 65536 are accepted";
        for (field, found, is_possible, accepted) in [
            (
                "dram.chips.burst_bytes",
                chips.burst_bytes,
                (32..=LINE as u32).contains(&chips.burst_bytes)
                    && chips.burst_bytes.is_power_of_two(),
                "32, 64 and 128 are accepted",
            ),
            ("dram.chips.queue", chips.queue, (1..=1 << 16).contains(&chips.queue), number),
            (
                "dram.chips.return_queue",
                chips.return_queue,
                (1..=1 << 16).contains(&chips.return_queue),
                number,
            ),
            (
                "dram.chips.timing.banks",
                banks,
                banks == 16,
                "16, as the map of addresses has, is accepted",
            ),
            (
                "dram.chips.timing.bank_groups",
                bank_groups,
                bank_groups.is_power_of_two() && bank_groups <= 16,
                "1, 2, 4, 8 and 16 are accepted",
            ),
            ("dram.chips.timing.cl", cl, (1..=1 << 16).contains(&cl), number),
            ("dram.chips.timing.wl", wl, wl <= cl, "at most cl is accepted"),
            (
                "dram.chips.timing.refi",
                refi,
                refi == 0 || refi > rfc,
                "0, and more than rfc, are accepted",
            ),
        ] {
            if !is_possible {
                return Err(refused(field, found.to_string(), accepted));
            }
        }
        let clock = chips.clock_mhz;
        (clock > 0.0 && clock <= 1e6).then_some(()).ok_or_else(|| {
            refused(
                "dram.chips.clock_mhz",
                clock.to_string(),
                "more than 0 and at most 1000000 are accepted",
            )
        })
    }
}
