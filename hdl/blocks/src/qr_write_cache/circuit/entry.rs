//! A place for a block: what it is, and which of its bytes are dirty.

use crate::kit::*;
use crate::qr_write_cache::params::Params;

/// The module `qr_write_cache_entry`.
pub(super) fn entry(p: &Params) -> Module {
    module("qr_write_cache_entry", |m| build(m, p))
}

fn build<'m>(m: &'m ModuleBuilder, p: &Params) {
    m.describe("A block of the write cache: its tag, and which of its bytes are dirty.");
    let request_tag = m.input("request_tag", p.tag_bits());
    let request_in_set = m.input("request_in_set", 1);
    let request_bytes = m.input("request_bytes", p.block_bytes);
    let drained_tag = m.input("drained_tag", p.tag_bits());
    let drained_in_set = m.input("drained_in_set", 1);
    let fills = m.input("fills", 1).doc("the block of the request begins here");
    let merges = m.input("merges", 1).doc("bytes of the request are merged");
    let clears = m.input("clears", 1).doc("what is dirty is written through");

    let dirty = m.reg("is_dirty", 1, 0).doc("A byte is dirty.");
    let tag = m.reg_without_reset("block_tag", p.tag_bits());
    let bytes = m.reg_without_reset("dirty_bytes", p.block_bytes);
    dirty.set(fills | (*dirty & !clears));
    m.when(fills, || {
        tag.set(request_tag);
        bytes.set(request_bytes);
    })
    .otherwise_when(merges, || bytes.set(*bytes | request_bytes));

    m.output("dirty", *dirty);
    m.output("tag", *tag);
    m.output("bytes", *bytes);
    let has = |in_set: Signal<'m>, other: Signal<'m>| *dirty & in_set & tag.eq(other);
    m.output("has_request", has(request_in_set, request_tag)).doc("the request is for this block");
    m.output("has_drained", has(drained_in_set, drained_tag)).doc("the block is to drain");
    m.assert("merges_dirty", !merges | *dirty, "Bytes are merged into a dirty block.");
    m.assert("clears_dirty", !clears | *dirty, "What is written through is dirty.");
}
