//! Rows of granules, by the H3 hashes.

use warpsmith_rtl::Signal;
use warpsmith_rtl::library::h3::H3;

/// A row for each hash.
pub(super) fn rows<'m>(hashes: &[H3], granule: Signal<'m>, name: &str) -> Vec<Signal<'m>> {
    let row = |(i, hash): (usize, &H3)| hash.circuit(granule).named(&format!("{name}{i}"));
    hashes.iter().enumerate().map(row).collect()
}
