//! The paper's figures about the validation unit (GETM tables 4.2 and 4.5), beside what ours has.

use super::circuit::{RESPONSES, circuit};
use super::params::Params;
use crate::kit::*;

/// Cycles between increments of the logical time, at the fastest (4.5.2).
const CYCLES_PER_INCREMENT: f64 = 1265.0;
/// The clock that the paper reckons roll-overs at (4.5.2).
const CLOCK_HZ: f64 = 1e9;

pub(super) fn claims(p: &Params) -> Vec<Claim> {
    let storage = storage(&circuit(p));
    // With the warp in its low bits, time moves on by as many steps as there are warps.
    let steps = p.limit() as f64 / if p.faithful { 1.0 } else { f64::from(1 << p.owner_bits) };
    let hours = steps * CYCLES_PER_INCREMENT / CLOCK_HZ / 3600.0;
    claims! {
        "storage of a unit", (64.0 + 8.0) / 4.0 + 0.12, "KB", "GETM table 4.5: 64 KB + 8 KB over four units, and 30 B x 4" =>
            (storage.memory_bits + storage.register_bits) as f64 / 8.0 / 1024.0,
            format!(
                "{:.1} KB of RAM, with a second copy of the approximate table and {} responses, and \
                 {} bits of registers: stages, stash, stall buffer",
                storage.memory_bits as f64 / 8.0 / 1024.0,
                RESPONSES,
                storage.register_bits
            );
        "time between roll-overs", 1.5, "hours", "GETM 4.5.2: 32-bit timestamps, less than once every 1.5 hours" =>
            hours,
            format!(
                "at one increment in {CYCLES_PER_INCREMENT} cycles of 1 GHz, the paper's fastest; if \
                 every increment has to pass over the {} bits of the warp: what timestamps of their \
                 own cost at worst. 1.5 hours are {:.0} increments of 32-bit timestamps",
                if p.faithful { 0 } else { p.owner_bits },
                1.5 * 3600.0 * CLOCK_HZ / CYCLES_PER_INCREMENT
            );
    }
}

/// The arrays that table 4.5 counts: of the table, of the stall buffers, and of the cores.
pub(super) fn arrays(p: &Params) -> Vec<Array> {
    let mut arrays = p.table().arrays();
    arrays.extend(p.stall_buffer().arrays());
    arrays.push(Array {
        copies: 15,
        clock_mhz: 1400.0,
        paper_area_mm2: Some(0.015),
        paper_power_mw: Some(10.65),
        counterpart: Some(Counterpart {
            units: 0,
            memories: &[],
            difference: "not built: they are in the cores".to_string(),
        }),
        // Table 4.2: 48 warps in a core.
        ..Array::new("warpts tables of fifteen cores", "GETM table 4.5: 192B x 15", 48, 32)
    });
    arrays
}
