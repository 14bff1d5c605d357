//! The paper's figures about the draw scheduler (6.6.4), beside what our circuit has.

use super::circuit::circuit;
use super::params::Params;
use crate::kit::*;

/// 6.6.4: 8 entries of two fields of 64 bits.
const TABLE_BYTES: f64 = 128.0;

pub(super) fn claims(p: &Params) -> Vec<Claim> {
    let totals = f64::from(p.gpus * 2 * p.counter_bits);
    let bits = storage(&circuit(p)).register_bits as f64;
    claims! {
        "GPUs", 8.0, "entries", "CHOPIN 6.6.4, table 6.2" => f64::from(p.gpus), "gpus";
        "storage of the table", TABLE_BYTES, "B", "CHOPIN 6.6.4" => totals / 8.0,
            "gpus x 2 totals x counter_bits";
        "storage of the circuit", TABLE_BYTES, "B", "CHOPIN 6.6.4" => bits / 8.0,
            format!(
                "register bits of the circuit: totals, and {} for what remains and is held of each GPU, \
                 who is ahead of whom, draws in flight, and pipelines",
                bits - totals
            );
    }
}

/// The table as 6.6.4 counts it: an entry a row.
pub(super) fn arrays(p: &Params) -> Vec<Array> {
    let totals = f64::from(p.gpus * 2 * p.counter_bits) / 8.0;
    let array = Array::new("draw scheduler, an entry a row", "CHOPIN 6.6.4", 8, 128);
    vec![Array {
        clock_mhz: 1000.0,
        counterpart: Some(Counterpart {
            units: 1,
            memories: &[],
            difference: format!("in registers, {totals} B of totals: all GPUs report in one clock"),
        }),
        ..array.with_one_port()
    }]
}
