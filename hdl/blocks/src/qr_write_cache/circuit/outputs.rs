//! What was decided, one clock later: shown at once on `mark_written`, `inv` and `hit`, and on its way to `down`.

use super::drain::{Drain, Drains};
use super::request::{Does, Requests};
use crate::circuit::byte_mask;
use crate::kit::*;
use crate::qr_write_cache::channels::{self, DOWN, Op, Request};
use crate::qr_write_cache::params::Params;

/// The stage behind the decision.
pub(super) struct Outputs<'p, 'm> {
    m: &'m ModuleBuilder,
    p: &'p Params,
    valid: Reg<'m>,
    held: Held<'m>,
    way_down: Wire<'m>,
    /// It takes one more thing at this clock.
    pub free: Signal<'m>,
}

/// What is decided at a clock.
pub(super) struct Issue<'a, 'p, 'm> {
    pub drain: &'a Drain<'m>,
    pub drained: Drained<'m>,
    pub drains: Drains<'m>,
    pub requests: Requests<'p, 'm>,
    pub does: Does<'m>,
    pub writes_through: Signal<'m>,
    pub data: Signal<'m>,
}

/// The block that drains, and its bytes that are dirty.
pub(super) struct Drained<'m> {
    pub block: Signal<'m>,
    pub bytes: Signal<'m>,
}

impl<'p, 'm> Outputs<'p, 'm> {
    pub fn new(m: &'m ModuleBuilder, p: &'p Params) -> Self {
        let valid = m.reg("issued", 1, 0).doc("Something is on its way down.");
        let way_down = m.wire("way_down", 1);
        let free = (!*valid | *way_down).named("issue_is_free");
        Self { m, p, valid, held: Held::new(m, "issued", &Request::fields(p)), way_down, free }
    }

    pub fn issue(self, issue: Issue<'_, 'p, 'm>) {
        let Self { m, p, valid, held, way_down, free } = self;
        let Issue { does, drains, writes_through, .. } = issue;
        let goes_down = (writes_through | does.forwards | issue.releases(p)).named("goes_down");
        m.when(free, || {
            valid.set(goes_down);
            held.set(&issue.record(m, p));
        });
        let pulse = |name: &str, comes: Signal<'m>| {
            let register = m.reg(name, 1, 0);
            register.set(comes);
            *register
        };
        let stored = does.merges | does.fills | does.evicts;
        let marked = m.reg_without_reset("marked", p.block_bits);
        marked.set(issue.requests.payload.get("block"));
        m.output("mark_written_valid", pulse("marks", stored));
        m.output("mark_written_block", *marked).doc("number of the block");
        m.output("inv_valid", pulse("invalidates", writes_through));
        m.output("inv_block", held.get().get("block")).doc("number of the block");
        let shown = held.get();
        let data = issue.data & byte_mask(m, shown.get("bytes"));
        m.output("hit_valid", pulse("hits", does.hits));
        for field in ["block", "bytes", "wavefront"] {
            m.output(&format!("hit_{field}"), shown.get(field));
        }
        m.output("hit_data", data);

        let is_write = !shown.get("op").any();
        let written = data.and_where(is_write) | shown.get("data");
        let payload = record(shown.fields(), |field| match field.name.as_str() {
            "data" => written,
            name => shown.get(name),
        });
        let stream = Stream { valid: *valid, payload, ready: way_down };
        let name = channels::channels(p)[DOWN].name;
        skid_buffer::buffer(m, "below", stream).output(m, name);
        let one = (drains.takes_slot & (does.evicts | does.flushes | does.hits | does.forwards))
            .named("two_issue");
        m.assert("one_issue", !one, "One thing is issued at a clock.");
    }
}

impl<'m> Issue<'_, '_, 'm> {
    /// A release goes down.
    fn releases(&self, p: &Params) -> Signal<'m> {
        match p.last_level {
            true => self.drains.releases & !self.drains.releases,
            false => self.drains.releases,
        }
    }

    /// What is issued: a drained block, a release, or what the request is or makes room for.
    fn record(&self, m: &'m ModuleBuilder, p: &Params) -> Record<'m> {
        let Issue { drain, drained, drains, requests, does, .. } = self;
        let (request, release) = (&requests.payload, self.releases(p));
        let (block, bytes) = requests.through;
        let forwards = does.forwards | does.hits;
        let op = request.get("op").and_where(does.forwards)
            | m.lit(2, Op::Release as u64).and_where(release);
        let bytes = forwards.mux(request.get("bytes"), bytes);
        record(&Request::fields(p), |field| match field.name.as_str() {
            "op" => op,
            "block" => drains.takes_slot.mux(drained.block, block).and_where(!release),
            "bytes" => drains.takes_slot.mux(drained.bytes, bytes).and_where(!release),
            "wavefront" => {
                let wavefront = request.get("wavefront").and_where(forwards);
                wavefront | drain.wavefront.and_where(release)
            }
            "needs_ack" => drain.needs_ack & release,
            _ => request.get("data").and_where(does.forwards_atomic),
        })
    }
}
