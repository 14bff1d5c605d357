//! What leaves: a region to the LLC first, then its release; and errors.

use warpsmith_rtl::library::record::Record;
use warpsmith_rtl::library::skid_buffer;
use warpsmith_rtl::library::stream::Stream;
use warpsmith_rtl::{ModuleBuilder, Signal};

use crate::getm_commit::channels::{ERROR_CODES, release_fields, write_fields};
use crate::getm_commit::params::Params;

/// Presents a region; once it was accepted, its release moves on. A region of which nothing is
/// written has a release only.
///
/// Both buffers have a registered ready, so no port's ready reaches another port combinationally.
pub(super) fn leave<'m>(m: &'m ModuleBuilder, p: &Params, region: Stream<'m>) {
    let region = skid_buffer::buffer(m, "region_buffer", region);
    let release_room = m.wire("release_room", 1);
    let has_bytes = region.payload.get("bytes").any().named("has_bytes");
    let granule = region.payload.get("granule");
    let address = match p.offset_bits() {
        0 => granule,
        bits => granule.concat(m.lit(bits, 0)),
    };
    let write_ready = m.wire("write_done", 1).doc("The region is accepted at the edge.");
    let payload = vec![address, region.payload.get("data"), region.payload.get("bytes")];
    let write = Stream {
        valid: region.valid & has_bytes & *release_room,
        payload: Record::new(&write_fields(p), payload),
        ready: write_ready,
    };
    write.output(m, "write");

    let written = (*write_ready | !has_bytes).named("is_written");
    let release = Stream {
        valid: region.valid & written,
        payload: Record::new(&release_fields(p), vec![address, region.payload.get("count")]),
        ready: release_room,
    };
    region.ready.set(*release_room & written);
    skid_buffer::buffer(m, "release_buffer", release).output(m, "release");
}

/// Pulses `error` in the clock after an item without meaning was taken.
pub(super) fn raise_errors<'m>(m: &'m ModuleBuilder, raises: Signal<'m>, code: Signal<'m>) {
    let raised = m.reg("error_raised", 1, 0);
    let kind = m.reg_without_reset("error_kind", 2);
    raised.set(raises);
    kind.set(code);
    m.output("error_valid", *raised).doc("an item had no meaning");
    m.output("error_code", *kind).doc(ERROR_CODES);
}
