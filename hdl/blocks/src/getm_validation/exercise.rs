//! What traffic must exercise bit by bit through the unit: comparators of its table and of its stall
//! buffer. The RAM of the table is exercised where the table is verified.

use super::params::Params;
use crate::getm_metadata::exercise as table;
use crate::kit::*;

/// Further comparisons, behind those of the table.
#[derive(Clone, Copy, Debug)]
pub(super) enum Comparison {
    /// The granule of an access that is to wait, and that of a line.
    Line,
    /// A granule that is released, and that of a line.
    ReleasedLine,
    /// Times of accesses that wait for one granule.
    Waiters,
}

pub(super) fn exercise(p: &Params) -> Exercise {
    let lines = |name| Compared::bits(name, p.granule_bits()).in_places(p.lines);
    let mut compared = table::through_unit(&p.table());
    let times = Compared::bits("times of accesses that wait for one granule", p.timestamp_bits);
    compared.extend([
        lines("granules of an access that is to wait and of a line"),
        lines("granules of a release and of a line"),
        times.without_boundaries(),
    ]);
    Exercise { compared, tables: Vec::new() }
}
