//! The paper's figures about the scheduler (6.6.2, 6.6.4, table 6.1), beside what our circuit has.

use super::circuit::circuit;
use super::params::Params;
use crate::kit::*;

/// The table of figure 6.10 for 8 GPUs.
const TABLE_BYTES: f64 = 27.0;
const TABLE: &str = "CHOPIN 6.6.4: 27 bytes for 8 GPUs";

/// Bits of a row as the paper has them: CGID, three flags, two vectors of GPUs.
fn row_bits(p: &Params) -> u32 {
    p.cgid_bits + 3 + 2 * p.gpus
}

pub(super) fn claims(p: &Params) -> Vec<Claim> {
    let bits = storage(&circuit(p)).register_bits as f64;
    let table = f64::from(p.gpus * row_bits(p));
    claims! {
        "table of GPUs", TABLE_BYTES, "B", TABLE =>
            table / 8.0,
            format!(
                "{} rows of {}: CGID {}, ready, receiving, sending, and sent and received, a bit a GPU",
                p.gpus,
                row_bits(p),
                p.cgid_bits
            );
        "storage of the circuit", TABLE_BYTES, "B", TABLE =>
            bits / 8.0,
            format!(
                "register bits of the circuit: the table, and {} more. Of each GPU: a waiting finished, \
                 the source of its transfer ({}), sources that it may take ({}); the kinds of four groups, \
                 the start that is offered, the turn, and errors",
                bits - table,
                p.gpu_bits(),
                p.gpus
            );
        "messages a GPU in a transparent group", 8.0, "starts", "CHOPIN 6.6.2: 7 pairs and an 8th with the background" =>
            f64::from(p.gpus),
            "a start from each other GPU, and one for the background";
    }
}

/// The table as the paper counts it: a GPU a row.
pub(super) fn arrays(p: &Params) -> Vec<Array> {
    let array = Array::new("table of GPUs, a GPU a row", TABLE, p.gpus, row_bits(p));
    vec![Array {
        clock_mhz: 1000.0,
        counterpart: Some(Counterpart {
            units: 1,
            memories: &[],
            difference: "in registers, as every row is looked at in every clock".to_string(),
        }),
        ..array.with_one_port()
    }]
}
