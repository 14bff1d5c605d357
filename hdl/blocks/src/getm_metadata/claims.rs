//! The paper's figures about the table (GETM tables 4.2 and 4.5), beside what our circuit has.

use warpsmith_rtl::netlist::Netlist;

use super::circuit::{circuit, entry_bits};
use super::params::Params;
use crate::claim::{Array, Claim, Counterpart};

/// Units that make the paper's totals: 4K and 1K entries over presets of 1024 and 256. The paper has
/// six partitions, and does not say how the totals are divided.
const UNITS: u32 = 4;

/// GETM table 4.2, validation unit.
const CLOCK_MHZ: f64 = 1400.0;

const PRECISE: &str = "GETM table 4.5: 64 KB total";
const APPROXIMATE: &str = "GETM table 4.5: 8 KB total";

/// The tables as the paper counts them: a lookup and an update at a clock are assumed.
pub(super) fn arrays(p: &Params) -> Vec<Array> {
    let array =
        |what: &str, source, rows: u32, width: u32, ways: u32, area, power, counterpart| Array {
            what: what.to_string(),
            source,
            rows: rows.into(),
            width: width.into(),
            read_ports: 1,
            write_ports: 1,
            read_write_ports: 0,
            copies: ways * UNITS,
            clock_mhz: CLOCK_MHZ,
            is_yardstick: false,
            paper_area_mm2: Some(area),
            paper_power_mw: Some(power),
            counterpart: Some(counterpart),
        };
    vec![
        array(
            "precise tables of four units, a bank an array",
            PRECISE,
            p.rows_per_way,
            entry_bits(p),
            p.ways,
            0.181,
            69.59,
            Counterpart {
                units: UNITS,
                memories: &["bank"],
                difference: "none in size: an entry with all its fields is 128 bits".to_string(),
            },
        ),
        array(
            "approximate tables of four units, a way an array",
            APPROXIMATE,
            p.bloom_rows,
            2 * p.timestamp_bits,
            p.bloom_ways,
            0.018,
            8.51,
            Counterpart {
                units: UNITS,
                memories: &["bloom"],
                difference: "a second copy, so that a lookup and an eviction read in one clock"
                    .to_string(),
            },
        ),
    ]
}

pub(super) fn claims(p: &Params) -> Vec<Claim> {
    let units = f64::from(UNITS);
    let netlist = Netlist::flatten(&circuit(p)).expect("the table has no loop");
    let storage = netlist.storage();
    let entries = f64::from(p.rows_per_way * p.ways);
    let rows = f64::from(p.bloom_rows * p.bloom_ways);
    let bank_bytes = entries * f64::from(entry_bits(p)) / 8.0;
    let bloom_bytes = rows * f64::from(2 * p.timestamp_bits) / 8.0;

    let claim = |what: &str, paper, source, ours, unit, how: String| Claim {
        what: what.to_string(),
        paper,
        source,
        ours,
        unit,
        how,
    };
    vec![
        claim(
            "precise entries, four units",
            4096.0,
            "GETM table 4.2",
            units * entries,
            "entries",
            "4 x rows x banks; the stash is extra".to_string(),
        ),
        claim(
            "approximate entries, four units",
            1024.0,
            "GETM table 4.2",
            units * rows,
            "entries",
            "4 x rows x ways".to_string(),
        ),
        claim(
            "precise tables, four units",
            65_536.0,
            PRECISE,
            units * bank_bytes,
            "B",
            format!(
                "4 x entries x {} bits: valid 1, granule {}, wts and rts {} each, writes {}, owner {}",
                entry_bits(p),
                p.granule_bits(),
                p.timestamp_bits,
                p.write_count_bits,
                p.owner_bits
            ),
        ),
        claim(
            "approximate tables, four units",
            8192.0,
            APPROXIMATE,
            units * bloom_bytes,
            "B",
            format!("4 x entries x 2 timestamps of {} bits; one copy", p.timestamp_bits),
        ),
        claim(
            "all RAM of the circuit, four units",
            73_728.0,
            "GETM table 4.5: 64 KB + 8 KB",
            units * storage.memory_bits as f64 / 8.0,
            "B",
            "4 x RAM bits of the circuit: the second copy of the approximate table, without which an \
             eviction would keep lookups waiting, is the difference"
                .to_string(),
        ),
        claim(
            "stash entries of a unit",
            4.0,
            "GETM table 4.2",
            f64::from(p.stash),
            "entries",
            "in registers".to_string(),
        ),
    ]
}
