//! The corners as covers on the ports: those of co-simulation, by the same names.

use super::monitor::{IN_FLIGHT, Monitor};
use super::set_of;
use crate::hmg_directory::channels::{self, Op};
use crate::hmg_directory::corners::*;
use crate::hmg_directory::params::Params;
use crate::kit::*;
use crate::properties;

/// Covers every corner that the parameters allow.
pub(super) fn cover(monitor: &Monitor<'_, '_>) {
    let corners = Corners { m: monitor.m, p: monitor.p };
    corners.neighbours(monitor);
    let answer = Answer::new(monitor);
    corners.effects(&answer);
    corners.one_after_the_other(&answer);
    corners.stalls(monitor);
}

/// An answer with its request, where there is one.
struct Answer<'m> {
    hit: Signal<'m>,
    evicts: Signal<'m>,
    presented: Signal<'m>,
    request: Record<'m>,
    detail: Record<'m>,
    /// The nodes that held the block before.
    held: Signal<'m>,
    /// The nodes told.
    told: Signal<'m>,
}

/// What corners need to know of a request beside what the rules do.
fn detail_fields(p: &Params) -> Fields {
    Fields::new()
        .with("store", 1, "a store and no atomic, in any set")
        .with("atomic", 1, "an atomic")
        .with("line", address_bits(p.lines_per_entry), "the line in its block")
        .with("adjacent", 1, "accepted in the clock after the request before it")
}

impl<'m> Answer<'m> {
    fn new(monitor: &Monitor<'_, 'm>) -> Self {
        let Monitor { m, p, meaning, presented, .. } = monitor;
        let adjacent = m.reg("just_accepted", 1, 0).doc("A request was accepted.");
        adjacent.set(monitor.req.fires());
        let line = match p.lines_per_entry {
            1 => m.lit(1, 0),
            _ => monitor.req.get("address").slice(p.line_bytes.ilog2()..p.offset_bits()),
        };
        let detail = vec![meaning.is(Op::Store), meaning.is(Op::Atomic), line, *adjacent];
        let details = Queue::new(m, "detail", IN_FLIGHT, &detail_fields(p));
        details.set(monitor.req.fires(), &Record::new(&detail_fields(p), detail), *presented);

        let request = monitor.requests.oldest();
        let accesses = request.get("load") | request.get("store");
        Self {
            hit: monitor.resp.get("hit"),
            evicts: *presented & monitor.resp.get("evicted") & accesses,
            presented: *presented,
            detail: details.oldest(),
            held: monitor.held.of(request.get("tag")),
            told: monitor.sent.oldest().get("sharers").and_where(monitor.judged.tells),
            request,
        }
    }

    /// It answers such a request to the chosen set.
    fn is(&self, op: &str) -> Signal<'m> {
        self.presented & self.request.get(op)
    }

    fn source(&self) -> Signal<'m> {
        self.request.get("source")
    }
}

struct Corners<'a, 'm> {
    m: &'m ModuleBuilder,
    p: &'a Params,
}

impl<'m> Corners<'_, 'm> {
    fn cover(&self, corner: usize, met: Signal<'m>) {
        properties::cover(self.m, self.p, corner, met);
    }

    /// Requests in consecutive clocks.
    fn neighbours(&self, monitor: &Monitor<'_, 'm>) {
        let (m, p) = (self.m, self.p);
        let Monitor { req, meaning, .. } = monitor;
        let block = meaning.block;
        let counts = req.fires() & !meaning.error & !meaning.is(Op::Release);
        let mut newer = (counts, block);
        let mut gapless = counts;
        let mut past = Vec::new();
        for age in 1..=3 {
            let there = m.reg(&format!("past{age}_there"), 1, 0);
            let its_block = m.reg_without_reset(&format!("past{age}_block"), block.width());
            there.set(newer.0);
            its_block.set(newer.1);
            newer = (*there, *its_block);
            gapless = gapless & *there;
            past.push((gapless, *its_block));
        }
        for (corner, (gapless, other)) in SAME_SET.into_iter().zip(&past) {
            let same_set = set_of(p, *other).eq(set_of(p, block));
            self.cover(corner, *gapless & same_set & other.ne(block));
        }
        let (next, other) = past[0];
        let differing = (other ^ block).to_bits();
        let only = |bit: u32| {
            let bits = (0u32..).zip(&differing);
            let kept = bits.map(|(i, differs)| if i == bit { *differs } else { !*differs });
            kept.reduce(|a, b| a & b).expect("a block has bits")
        };
        self.cover(SAME_BLOCK_BACK_TO_BACK, next & other.eq(block));
        self.cover(TAG_LOW_BIT, next & only(p.index_bits()));
        self.cover(TAG_HIGH_BIT, next & only(block.width() - 1));
    }

    fn effects(&self, answer: &Answer<'m>) {
        let Answer { hit, told, evicts, .. } = *answer;
        let remote = answer.source().any();
        let (load, store, invalidate) =
            (answer.is("load"), answer.is("store"), answer.is("invalidate"));
        let many = (told & (told - 1)).any();
        self.cover(LOAD_HITS, load & hit & remote);
        self.cover(STORE_INVALIDATES_OTHERS, store & hit & remote & told.any());
        self.cover(STORE_BY_ONLY_SHARER, store & hit & remote & !told.any());
        self.cover(LOCAL_STORE_INVALIDATES, store & hit & !remote);
        self.cover(LOCAL_MISS, (load | store) & !hit & !remote);
        self.cover(ATOMIC_HIT, store & answer.detail.get("atomic") & hit);
        self.cover(EVICT_ONE, evicts & told.any() & !many);
        self.cover(EVICT_MANY, evicts & many);
        self.cover(EVICT_REQUESTER, evicts & (told & answer.source()).any());
        self.cover(INVALIDATE_FORWARDED, invalidate & hit & told.any());
        self.cover(INVALIDATE_WITHOUT_GPM, invalidate & hit & !told.any());
        self.cover(INVALIDATE_MISS, invalidate & !hit);
        self.cover(RELEASE, answer.is("release"));
        self.cover(ERROR_REQUEST, answer.is("error"));
        let left = answer.held & !answer.source();
        let downgrades = answer.is("downgrade") & (answer.held & answer.source()).any();
        self.cover(DOWNGRADE_LEAVES_OTHERS, downgrades & left.any());
        self.cover(DOWNGRADE_LAST, downgrades & !left.any());
    }

    fn one_after_the_other(&self, answer: &Answer<'m>) {
        let (m, p) = (self.m, self.p);
        let (tag, source) = (answer.request.get("tag"), answer.source());
        let line = answer.detail.get("line");
        let evicted = self.remember("evicted_last", answer.presented, answer.evicts);
        let adjacent = answer.detail.get("adjacent");
        self.cover(ALTERNATING_EVICTIONS, answer.evicts & evicted & adjacent);

        let downgrades = answer.is("downgrade") & (answer.held & source).any();
        let any = self.remember("downgraded", downgrades, m.lit(1, 1));
        let its_tag = self.remember("downgraded_tag", downgrades, tag);
        let its_source = self.remember("downgraded_source", downgrades, source);
        let same = its_tag.eq(tag) & its_source.eq(source);
        self.cover(DOWNGRADE_THEN_LOAD, answer.is("load") & any & same);

        // The last store of any set; of another one's it is only known that it was none of here.
        let stores = answer.presented & answer.detail.get("store");
        let here = self.remember("stored_here", stores, answer.request.get("store"));
        let its_tag = self.remember("stored_tag", stores, tag);
        let its_line = self.remember("stored_line", stores, line);
        let its_source = self.remember("stored_source", stores, source);
        let other = here & its_tag.eq(tag) & its_line.ne(line) & its_source.ne(source);
        let by_sharer = stores & answer.request.get("store") & answer.held.any() & source.any();
        if p.lines_per_entry > 1 {
            self.cover(FALSE_SHARING, by_sharer & other);
        }
    }

    /// What `value` was when `condition` was one last; zero if it never was.
    fn remember(&self, name: &str, condition: Signal<'m>, value: Signal<'m>) -> Signal<'m> {
        let register = self.m.reg(name, value.width(), 0);
        self.m.when(condition, || register.set(value));
        *register
    }

    fn stalls(&self, monitor: &Monitor<'_, 'm>) {
        let (m, waits) = (self.m, monitor.inv.waits());
        for channel in [(channels::INV, &monitor.inv), (channels::RESP, &monitor.resp)] {
            properties::cover_stalls(m, self.p, STALLED, channel);
        }
        let behind = monitor.requests.any() & monitor.requests.youngest().get("release");
        self.cover(RELEASE_BEHIND_STALLED_INV, waits & behind);
    }
}
