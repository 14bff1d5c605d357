//! The paper's figures about the table (GETM tables 4.2 and 4.5), beside what our circuit has.

use super::circuit::{circuit, entry_bits};
use super::params::Params;
use crate::kit::*;

/// Units that make the paper's totals: 4K and 1K entries over presets of 1024 and 256. The paper has
/// six partitions, and does not say how the totals are divided.
const UNITS: u32 = 4;

/// GETM table 4.2, validation unit.
const CLOCK_MHZ: f64 = 1400.0;

const PRECISE: &str = "GETM table 4.5: 64 KB total";
const APPROXIMATE: &str = "GETM table 4.5: 8 KB total";

/// The tables as the paper counts them: a lookup and an update at a clock are assumed.
pub(super) fn arrays(p: &Params) -> Vec<Array> {
    let (precise, approximate) = (
        "precise tables of four units, a bank an array",
        "approximate tables of four units, a way an array",
    );
    let counterpart = |memories, difference: &str| {
        Some(Counterpart { units: UNITS, memories, difference: difference.to_string() })
    };
    vec![
        Array {
            copies: p.ways * UNITS,
            clock_mhz: CLOCK_MHZ,
            paper_area_mm2: Some(0.181),
            paper_power_mw: Some(69.59),
            counterpart: counterpart(
                &["bank"],
                "none in size: an entry with all its fields is 128 bits",
            ),
            ..Array::new(precise, PRECISE, p.rows_per_way, entry_bits(p))
        },
        Array {
            copies: p.bloom_ways * UNITS,
            clock_mhz: CLOCK_MHZ,
            paper_area_mm2: Some(0.018),
            paper_power_mw: Some(8.51),
            counterpart: counterpart(
                &["bloom"],
                "a second copy, so that a lookup and an eviction read in one clock",
            ),
            ..Array::new(approximate, APPROXIMATE, p.bloom_rows, 2 * p.timestamp_bits)
        },
    ]
}

pub(super) fn claims(p: &Params) -> Vec<Claim> {
    let units = f64::from(UNITS);
    let storage = storage(&circuit(p));
    let entries = f64::from(p.rows_per_way * p.ways);
    let rows = f64::from(p.bloom_rows * p.bloom_ways);
    let bank_bytes = entries * f64::from(entry_bits(p)) / 8.0;
    let bloom_bytes = rows * f64::from(2 * p.timestamp_bits) / 8.0;

    claims! {
        "precise entries, four units", 4096.0, "entries", "GETM table 4.2" =>
            units * entries,
            "4 x rows x banks; the stash is extra";
        "approximate entries, four units", 1024.0, "entries", "GETM table 4.2" =>
            units * rows,
            "4 x rows x ways";
        "precise tables, four units", 65_536.0, "B", PRECISE =>
            units * bank_bytes,
            format!(
                "4 x entries x {} bits: valid 1, granule {}, wts and rts {} each, writes {}, owner {}",
                entry_bits(p),
                p.granule_bits(),
                p.timestamp_bits,
                p.write_count_bits,
                p.owner_bits
            );
        "approximate tables, four units", 8192.0, "B", APPROXIMATE =>
            units * bloom_bytes,
            format!("4 x entries x 2 timestamps of {} bits; one copy", p.timestamp_bits);
        "all RAM of the circuit, four units", 73_728.0, "B", "GETM table 4.5: 64 KB + 8 KB" =>
            units * storage.memory_bits as f64 / 8.0,
            "4 x RAM bits of the circuit: the second copy of the approximate table, without which an \
             eviction would keep lookups waiting, is the difference";
        "stash entries of a unit", 4.0, "entries", "GETM table 4.2" =>
            f64::from(p.stash),
            "in registers";
    }
}
