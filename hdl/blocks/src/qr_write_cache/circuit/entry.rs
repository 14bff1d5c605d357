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
    let request_bytes = m.input("request_bytes", p.block_bytes);
    let fills = m.input("fills", 1).doc("the block of the request begins here");
    let merges = m.input("merges", 1).doc("bytes of the request are merged");
    let clears = m.input("clears", 1).doc("what is dirty is written through");
    let arriving = Arriving::new(m, p, "arriving");
    let turn = m.input("request_turn", 1).doc("the register of requests that is looked at");
    let empty = m.input("requests_empty", 2).doc("registers that load what arrives");
    let fills_other = m.input("fills_other", 1).doc("both registers have the block of the request");
    let draining = Arriving::new(m, p, "draining");
    let draining_advances = m.input("draining_advances", 1).doc("the next block comes to drain");
    let fills_drained = m.input("fills_drained", 1).doc("the request has the block to drain");

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
    // Blocks are compared one clock early: a block that begins here meanwhile is compared with them aside.
    let matches = |arriving: &Arriving<'m>, name: &str| {
        (arriving.in_set & fills.mux(arriving.is_request, tag.eq(arriving.tag))).named(name)
    };
    let arrives_here = matches(&arriving, "arrives_here");
    let drains_here = matches(&draining, "drains_here");
    let has_request = [0, 1].map(|i| {
        let register = m.reg_without_reset(&format!("is_request{i}"), 1);
        m.when(empty.bit(i), || register.set(arrives_here))
            .otherwise_when(fills, || register.set(fills_other));
        *register.doc("The block of that request was this.")
    });
    let has_drained = m.reg_without_reset("is_drained", 1).doc("The block to drain was this.");
    m.when(draining_advances, || has_drained.set(drains_here))
        .otherwise_when(fills, || has_drained.set(fills_drained));
    m.output("has_request", *dirty & turn.mux(has_request[1], has_request[0]))
        .doc("the request is for this block");
    let has_draining = *dirty & draining.in_set & tag.eq(draining.tag);
    m.output("has_draining", has_draining).doc("the block that comes to drain was this");
    m.output("has_drained", *dirty & *has_drained).doc("the block is to drain");
    m.assert("merges_dirty", !merges | *dirty, "Bytes are merged into a dirty block.");
    m.assert("clears_dirty", !clears | *dirty, "What is written through is dirty.");
}

/// A block that is looked at in the next clock.
struct Arriving<'m> {
    tag: Signal<'m>,
    in_set: Signal<'m>,
    /// It is that of the request.
    is_request: Signal<'m>,
}

impl<'m> Arriving<'m> {
    fn new(m: &'m ModuleBuilder, p: &Params, name: &str) -> Self {
        let input = |part: &str, width| m.input(&format!("{name}_{part}"), width);
        Self {
            tag: input("tag", p.tag_bits()),
            in_set: input("in_set", 1),
            is_request: input("is_request", 1),
        }
    }
}
