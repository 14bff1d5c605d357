//! The draw scheduler's channels, and their payloads as Rust values. A report has as many fields as there
//! are GPUs, each a word: `processed` is written and read as those words.

use super::params::Params;
use crate::kit::*;

/// The only code of `error_code`: more triangles are processed than the GPU was given.
pub(super) const NOT_SCHEDULED: u64 = 0;

payload! {
    /// A draw command: a payload of `draw`.
    pub struct Draw(p: &Params) {
        triangles: u64 [p.triangle_bits] "triangles of the draw";
    }

    /// Where a draw goes: a payload of `grant`.
    pub struct Grant(p: &Params) {
        gpu: u64 [p.gpu_bits()] "number of the GPU";
    }

    /// Whose totals are asked for: a payload of `query`.
    pub struct Query(p: &Params) {
        gpu: u64 [p.gpu_bits()] "number of the GPU";
    }

    /// A row of the table of figure 6.9: a payload of `totals`.
    pub struct Totals(p: &Params) {
        scheduled: u64 [p.counter_bits] "triangles of grants that were taken, wrapping around";
        processed: u64 [p.counter_bits] "triangles that were reported, wrapping around";
    }

    /// Reports that are not counted: a payload of `error`.
    pub struct ErrorReport(p: &Params) {
        code: u64 [1] "0 more processed than scheduled";
        gpus: u64 [p.gpus] "GPUs whose report it was, a bit each";
    }
}

/// The name of a GPU's field of `processed`.
pub(super) fn gpu(number: u32) -> String {
    format!("gpu{number}")
}

fn reports(p: &Params) -> Fields {
    let field = |fields: Fields, number| {
        fields.with(&gpu(number), p.triangle_bits, "triangles since its last report; 0 for none")
    };
    (0..p.gpus).fold(Fields::new(), field)
}

channels! { |p|
    DRAW = Channel::input("draw", Draw::fields(p), "draw commands");
    QUERY = Channel::input("query", Query::fields(p), "asks for the totals of a GPU").valid_only();
    PROCESSED = Channel::input("processed", reports(p), "triangles that GPUs have processed").valid_only();
    GRANT = Channel::output("grant", Grant::fields(p), "the GPUs of the draws");
    TOTALS =
        Channel::output("totals", Totals::fields(p), "the answer to a query; 0 of a GPU that is not there")
            .valid_only();
    ERROR = Channel::output("error", ErrorReport::fields(p), "reports that change nothing").valid_only();
}
