//! The corners as covers on the ports. They are those of co-simulation, by the same names.

use warpsmith_rtl::library::record::{Fields, Record};
use warpsmith_rtl::{ModuleBuilder, Reg, Signal, address_bits};

use super::Monitor;
use super::request::Meaning;
use crate::hmg_directory::channels::Op;
use crate::hmg_directory::corners::*;
use crate::hmg_directory::params::Params;
use crate::properties::corner_label;
use crate::properties::queue::Queue;

/// What corners need to know of a request beside what the rules do.
fn detail_fields(p: &Params) -> Fields {
    Fields::new()
        .with("store", 1, "a store, in any set")
        .with("atomic", 1, "an atomic")
        .with("line", line_bits(p), "the line in its block")
        .with("adjacent", 1, "accepted in the clock after the request before it")
}

/// Bits of a line's number in its block; at least one.
fn line_bits(p: &Params) -> u32 {
    address_bits(p.lines_per_entry)
}

/// The request that is being accepted.
pub(super) struct Incoming<'a, 'm> {
    pub accepted: Signal<'m>,
    pub meaning: &'a Meaning<'m>,
    pub address: Signal<'m>,
}

/// What is seen of `resp` and `inv`.
pub(super) struct Seen<'m> {
    pub flags: Record<'m>,
    pub resp_waits: Signal<'m>,
    pub inv_waits: Signal<'m>,
    /// Who was told, where an invalidation belongs to the answer.
    pub told: Signal<'m>,
    /// Who held the block before.
    pub held: Signal<'m>,
}

struct Covers<'m> {
    m: &'m ModuleBuilder,
    p: Params,
}

impl<'m> Covers<'m> {
    fn cover(&self, corner: usize, met: Signal<'m>) {
        if reachable(&self.p, corner) {
            let name = CORNERS[corner].name;
            self.m.cover(&corner_label(name), met, &format!("Corner: {name}."));
        }
    }
}

pub(super) fn cover_corners<'m>(
    p: &Params,
    monitor: &Monitor<'_, 'm>,
    incoming: &Incoming<'_, 'm>,
    seen: &Seen<'m>,
) {
    let covers = Covers { m: monitor.m, p: p.clone() };
    let just_accepted = covers.m.reg("just_accepted", 1, 0).doc("A request came at the last edge.");
    just_accepted.set(incoming.accepted);
    let details = Queue::new(covers.m, "detail", super::IN_FLIGHT, &detail_fields(p));
    let line = match p.lines_per_entry {
        1 => covers.m.lit(1, 0),
        _ => incoming.address.slice(p.line_bytes.ilog2()..p.offset_bits()),
    };
    let (store, atomic) = (incoming.meaning.is(Op::Store), incoming.meaning.is(Op::Atomic));
    let new = Record::new(&detail_fields(p), vec![store, atomic, line, *just_accepted]);
    details.set(incoming.accepted, &new, monitor.presented);

    neighbours(&covers, incoming);
    let answer = Answered::new(monitor, &details.oldest(), seen);
    effects(&covers, &answer, seen);
    sharing(&covers, &answer);
    stalls(&covers, monitor, seen);
}

/// Requests in consecutive clocks.
fn neighbours<'m>(covers: &Covers<'m>, incoming: &Incoming<'_, 'm>) {
    let Covers { m, p } = covers;
    let meaning = incoming.meaning;
    let block = meaning.block;
    let counts = (incoming.accepted & !meaning.error & !meaning.is(Op::Release)).named("counts");
    let (mut previous, mut all) = ((counts, block), counts);
    let mut last = Vec::new();
    for age in 1..=3 {
        let there = m.reg(&format!("past{age}_there"), 1, 0);
        let past = m.reg_without_reset(&format!("past{age}_block"), block.width());
        there.set(previous.0);
        past.set(previous.1);
        previous = (*there, *past);
        all = all & *there;
        last.push((all, *past));
    }
    let same_set = [SAME_SET_BACK_TO_BACK, SAME_SET_ONE_APART, SAME_SET_TWO_APART];
    let set = |block: Signal<'m>| block.truncate(p.index_bits());
    for (corner, &(all, past)) in same_set.into_iter().zip(&last) {
        covers.cover(corner, all & set(past).eq(set(block)) & past.ne(block));
    }
    let (next, past) = last[0];
    covers.cover(SAME_BLOCK_BACK_TO_BACK, next & past.eq(block));
    let differing = past ^ block;
    let only = |bit: u32| {
        differing.eq(m.lit(1, 1).zero_extend(block.width()).shift_left(m.lit(7, bit.into())))
    };
    covers.cover(TAG_LOW_BIT, next & only(p.index_bits()));
    covers.cover(TAG_HIGH_BIT, next & only(block.width() - 1));
}

/// An answer with its request, in the chosen set.
struct Answered<'m> {
    m: &'m ModuleBuilder,
    presented: Signal<'m>,
    request: Record<'m>,
    detail: Record<'m>,
    held: Signal<'m>,
    evicted: Signal<'m>,
}

impl<'m> Answered<'m> {
    fn new(monitor: &Monitor<'_, 'm>, detail: &Record<'m>, seen: &Seen<'m>) -> Self {
        Self {
            m: monitor.m,
            presented: monitor.presented,
            request: monitor.requests.oldest(),
            detail: detail.clone(),
            held: seen.held,
            evicted: monitor.presented & seen.flags.get("evicted"),
        }
    }

    fn is(&self, op: &str) -> Signal<'m> {
        self.presented & self.request.get(op)
    }

    fn source(&self) -> Signal<'m> {
        self.request.get("source")
    }
}

/// What the answer says.
fn effects<'m>(covers: &Covers<'m>, answer: &Answered<'m>, seen: &Seen<'m>) {
    let hit = seen.flags.get("hit");
    let remote = answer.source().any();
    let told = seen.told;
    let store = answer.is("store");
    covers.cover(LOAD_HITS, answer.is("load") & hit & remote);
    covers.cover(STORE_INVALIDATES_OTHERS, store & hit & remote & told.any());
    covers.cover(STORE_BY_ONLY_SHARER, store & hit & remote & !told.any());
    covers.cover(LOCAL_STORE_INVALIDATES, store & hit & !remote);
    covers.cover(LOCAL_MISS, (answer.is("load") | store) & !hit & !remote);
    covers.cover(ATOMIC_HIT, store & answer.detail.get("atomic") & hit);
    let many = (told & (told - 1)).any();
    // An eviction is of this set if its request is; which it is if an invalidation belongs to it.
    let evicts = answer.evicted & (answer.request.get("load") | answer.request.get("store"));
    covers.cover(EVICT_ONE, evicts & told.any() & !many);
    covers.cover(EVICT_MANY, evicts & many);
    covers.cover(EVICT_REQUESTER, evicts & (told & answer.source()).any());
    let invalidate = answer.is("invalidate");
    covers.cover(INVALIDATE_FORWARDED, invalidate & hit & told.any());
    covers.cover(INVALIDATE_WITHOUT_GPM, invalidate & hit & !told.any());
    covers.cover(INVALIDATE_MISS, invalidate & !hit);
    covers.cover(RELEASE, answer.is("release"));
    covers.cover(ERROR_REQUEST, answer.is("error"));

    let m = answer.m;
    let evicted_last = m.reg("evicted_last", 1, 0).doc("The last answer was an eviction here.");
    m.when(answer.presented, || evicted_last.set(evicts));
    covers.cover(ALTERNATING_EVICTIONS, evicts & *evicted_last & answer.detail.get("adjacent"));
}

/// Who holds a block, and what they do one after the other.
fn sharing<'m>(covers: &Covers<'m>, answer: &Answered<'m>) {
    let Covers { m, p } = covers;
    let (source, tag) = (answer.source(), answer.request.get("tag"));
    let downgrades = answer.is("downgrade") & (answer.held & source).any();
    let left = answer.held & !source;
    covers.cover(DOWNGRADE_LEAVES_OTHERS, downgrades & left.any());
    covers.cover(DOWNGRADE_LAST, downgrades & !left.any());
    let last = |name: &str, fields: [(&str, Signal<'m>); 3], when: Signal<'m>| {
        let there = m.reg(&format!("{name}_there"), 1, 0);
        let registers: Vec<Reg<'m>> = fields
            .iter()
            .map(|(field, value)| m.reg_without_reset(&format!("{name}_{field}"), value.width()))
            .collect();
        m.when(when, || {
            there.set(1);
            registers.iter().zip(&fields).for_each(|(register, (_, value))| register.set(*value));
        });
        (*there, registers)
    };
    let zero = m.lit(1, 0);
    let (there, downgrade) =
        last("downgraded", [("tag", tag), ("source", source), ("none", zero)], downgrades);
    let again = there & downgrade[0].eq(tag) & downgrade[1].eq(source);
    covers.cover(DOWNGRADE_THEN_LOAD, answer.is("load") & again);

    // The last store in any set, of which only those of this one are remembered.
    let line = answer.detail.get("line");
    let is_store = answer.detail.get("store");
    let (there, stored) = last(
        "stored",
        [("tag", tag), ("line", line), ("source", source)],
        answer.presented & is_store,
    );
    let here = m.reg("stored_here", 1, 0);
    m.when(answer.presented & is_store, || here.set(answer.request.get("store")));
    let other = there & *here & stored[0].eq(tag) & stored[1].ne(line) & stored[2].ne(source);
    let by_sharer = answer.is("store") & is_store & answer.held.any() & source.any();
    if p.lines_per_entry > 1 {
        covers.cover(FALSE_SHARING, by_sharer & other);
    }
}

fn stalls<'m>(covers: &Covers<'m>, monitor: &Monitor<'_, 'm>, seen: &Seen<'m>) {
    let m = covers.m;
    covers.cover(RESP_STALLED, seen.resp_waits);
    covers.cover(INV_STALLED, seen.inv_waits);
    let stalled = m.reg("inv_stalled_for", 3, 0).doc("Clocks, up to 7.");
    m.when(!seen.inv_waits, || stalled.set(0))
        .otherwise_when(!stalled.all(), || stalled.set(*stalled + 1));
    covers.cover(INV_STALLED_LONG, seen.inv_waits & stalled.all());
    let behind = monitor.requests.any() & monitor.requests.youngest().get("release");
    covers.cover(RELEASE_BEHIND_STALLED_INV, seen.inv_waits & behind);
}
