//! What was decided, one clock later, with the block that was read: shown at once on `mark_written`, `inv` and
//! `hit`, and on its way to `down`.

use super::drain::{Drain, Drains};
use super::request::Does;
use crate::circuit::byte_mask;
use crate::kit::*;
use crate::qr_write_cache::channels::{self, DOWN, Op, Request};
use crate::qr_write_cache::params::Params;

/// The stage behind the decision, and the blocks: a row a place.
pub(super) struct Outputs<'p, 'm> {
    m: &'m ModuleBuilder,
    p: &'p Params,
    valid: Reg<'m>,
    held: Held<'m>,
    way_down: Wire<'m>,
    /// It takes one more thing at this clock.
    pub free: Signal<'m>,
    data: MemoryHandle<'m>,
    tags: MemoryHandle<'m>,
    /// The place that is read.
    place: Wire<'m>,
    /// What was read: the tag, the bytes that are dirty, and the values of all.
    tag: Signal<'m>,
    dirty: Signal<'m>,
    values: Signal<'m>,
    /// All bytes of the read that was issued are dirty.
    pub covers: Signal<'m>,
}

/// What is decided at a clock.
pub(super) struct Issue<'a, 'm> {
    pub drain: &'a Drain<'m>,
    pub drains: Drains<'m>,
    pub request: Record<'m>,
    pub does: Does<'m>,
    pub writes_through: Signal<'m>,
    /// A block begins.
    pub begins: Signal<'m>,
    /// The block of what takes the way down.
    pub block: Signal<'m>,
    /// The places that are read and written.
    pub place: Signal<'m>,
    pub written: Signal<'m>,
}

/// Bits of a byte in a row: its value, and whether it is dirty.
const LANE: u32 = 9;

impl<'p, 'm> Outputs<'p, 'm> {
    pub fn new(m: &'m ModuleBuilder, p: &'p Params) -> Self {
        let valid = m.reg("issued", 1, 0).doc("Something is on its way down.");
        let way_down = m.wire("way_down", 1);
        let free = (!*valid | *way_down).named("issue_is_free");
        let held = Held::new(m, "issued", &Request::fields(p));
        // A block may begin in a place at the clock at which the one before it is read.
        let memory = |name: &str, width, lanes| {
            m.memory(name, p.blocks(), width, lanes, Collision::ReadFirst)
        };
        let data = memory("data", LANE * p.block_bytes, p.block_bytes)
            .doc("Blocks: of each byte its value, and above it whether it is dirty.");
        let tags = memory("block_tags", p.tag_bits(), 1).doc("Of each block its tag.");
        let place = m.wire("place_to_read", address_bits(p.blocks()));
        let row = data.read("data_read", free, *place);
        let lanes: Vec<_> =
            (0..p.block_bytes).map(|i| row.slice(LANE * i..LANE * (i + 1))).collect();
        let dirty = column(m, lanes.iter().map(|lane| lane.bit(8))).named("dirty_bytes");
        let covers = !(held.get().get("bytes") & !dirty).any();
        Self {
            m,
            p,
            valid,
            way_down,
            free,
            tag: tags.read("tag_read", free, *place),
            dirty,
            values: column(m, lanes.iter().map(|lane| lane.truncate(8))),
            covers: covers.named("covers"),
            held,
            data,
            tags,
            place,
        }
    }

    /// Reads a block, and writes what is stored.
    fn access(&self, issue: &Issue<'_, 'm>) {
        let Self { m, p, .. } = self;
        let Issue { request, begins, does, place, written, .. } = issue;
        self.place.set(*place);
        let (bytes, data) = (request.get("bytes"), request.get("data"));
        let lane = |i: u32| bytes.bit(i).concat(data.slice(8 * i..8 * (i + 1)));
        let row = column(m, (0..p.block_bytes).map(lane));
        let all = (*begins | does.refills).named("writes_all");
        let lanes = bytes | all.repeat(p.block_bytes);
        self.data.write_lanes(does.merges | *begins, *written, row, lanes);
        self.tags.write(*begins, *written, request.get("block").slice(p.set_bits()..p.block_bits));
    }

    /// Issues what was decided; whether an atomic has gone down in this clock.
    pub fn issue(self, issue: Issue<'_, 'm>) -> Signal<'m> {
        self.access(&issue);
        let Self { m, p, valid, held, way_down, free, .. } = self;
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
        let marked = m.reg_without_reset("marked", p.block_bits);
        marked.set(issue.request.get("block"));
        m.output("mark_written_valid", pulse("marks", does.merges | issue.begins));
        m.output("mark_written_block", *marked).doc("number of the block");
        let shown = held.get();
        let written = self.tag.concat(shown.get("block").truncate(p.set_bits()));
        m.output("inv_valid", pulse("invalidates", writes_through));
        m.output("inv_block", written).doc("number of the block");
        m.output("hit_valid", does.compares & self.covers);
        for field in ["block", "bytes", "wavefront"] {
            m.output(&format!("hit_{field}"), shown.get(field));
        }
        // A read has its bytes, what is written through those that are dirty.
        let bytes = does.compares.mux(shown.get("bytes"), self.dirty).named("bytes_read");
        let values = self.values & byte_mask(m, bytes);
        m.output("hit_data", values);

        let is_write = (!shown.get("op").any()).named("issued_write");
        let payload = record(shown.fields(), |field| match field.name.as_str() {
            "block" => is_write.mux(written, shown.get("block")),
            "bytes" => is_write.mux(self.dirty, shown.get("bytes")),
            "data" => is_write.mux(values, shown.get("data")),
            name => shown.get(name),
        });
        let stream = Stream { valid: *valid, payload, ready: way_down };
        let name = channels::channels(p)[DOWN].name;
        let below = skid_buffer::buffer(m, "below", stream);
        let atomic = below.fires() & below.payload.get("op").eq(Op::Atomic as u64);
        below.output(m, name);
        let one = (drains.takes_slot & (does.evicts | does.flushes | does.probes | does.forwards))
            .named("two_issue");
        m.assert("one_issue", !one, "One thing is issued at a clock.");
        atomic.named("atomic_is_down")
    }
}

impl<'m> Issue<'_, 'm> {
    /// A release goes down.
    fn releases(&self, p: &Params) -> Signal<'m> {
        match p.last_level {
            true => self.drains.releases & !self.drains.releases,
            false => self.drains.releases,
        }
    }

    /// What is issued: a drained block, a release, or what the request is or makes room for.
    fn record(&self, m: &'m ModuleBuilder, p: &Params) -> Record<'m> {
        let Issue { drain, request, does, .. } = self;
        let release = self.releases(p);
        let of_request = (does.forwards | does.probes).named("issues_request");
        let op = request.get("op").and_where(does.forwards)
            | m.lit(2, Op::Release as u64).and_where(release);
        record(&Request::fields(p), |field| match field.name.as_str() {
            "op" => op,
            "block" => self.block.and_where(!release),
            "bytes" => request.get("bytes").and_where(of_request),
            "wavefront" => {
                let wavefront = request.get("wavefront").and_where(of_request);
                wavefront | drain.wavefront.and_where(release)
            }
            "needs_ack" => drain.needs_ack & release,
            _ => request.get("data").and_where(does.forwards_atomic),
        })
    }
}
