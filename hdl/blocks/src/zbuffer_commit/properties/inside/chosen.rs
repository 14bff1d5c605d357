//! What is remembered of the chosen block is what the circuit holds of it.

use super::Inside;
use crate::kit::*;

/// The chosen block in the circuit.
struct Chosen<'m> {
    /// Of each request entry whether it is live and of the chosen block.
    here: Vec<Signal<'m>>,
    /// The oldest request was acknowledged in the last clock: it is presented now.
    granted: Signal<'m>,
    /// Of each entry: its color is queued or presented now; it was presented before, and is not acknowledged.
    pending: Vec<Signal<'m>>,
    sent: Vec<Signal<'m>>,
    /// The smallest depth, and with that of a request whose color is pending.
    before: Signal<'m>,
    now: Signal<'m>,
}

impl<'m> Inside<'_, 'm> {
    pub(super) fn the_chosen_is_remembered(&self, probes: &Probes) {
        let (m, p, monitor) = (self.m, self.p, self.monitor);
        let acknowledged = probes.signal(m, "acknowledged", p.request_entries);
        let is_here = |entry: &super::Entry<'m>| entry.live & entry.block.eq(monitor.chosen.block);
        let here: Vec<_> = self.entries.iter().map(is_here).collect();
        let granted = any_of(Self::index(&here).map(|(i, here)| *here & acknowledged.bit(i)));
        let shown = |i: u32| self.colors.shown & self.colors.shown_entry.eq(i);
        let pending = |i: u32| self.colors.waits(i) | (shown(i) & monitor.new_color);
        let sent = |i: u32| (shown(i) & !monitor.new_color) | monitor.colors.bit(i);
        let all = 0..p.request_entries;
        let before = *monitor.smallest;
        let after = monitor.wins().mux(monitor.due.oldest().get("depth"), before);
        let pending: Vec<_> = all.clone().map(pending).collect();
        let is_pending = any_of(here.iter().zip(&pending).map(|(here, pending)| *here & *pending));
        let chosen = Chosen {
            granted: last_clock(m, "granted_here", granted),
            sent: all.map(sent).collect(),
            now: is_pending.mux(after, before),
            before,
            here,
            pending,
        };
        let granted = last_clock(m, "granted_any", acknowledged.any());
        self.requests_are_due(&chosen, granted, probes);
        self.colors_are_due(&chosen, probes);
        self.requests_meet_their_depths(&chosen, probes);
        self.depths_are_somewhere(&chosen, probes);
    }

    /// Live requests have ids of their own, and those of the chosen block are due in their order.
    fn requests_are_due(&self, chosen: &Chosen<'m>, granted: Signal<'m>, probes: &Probes) {
        let (m, p, monitor) = (self.m, self.p, self.monitor);
        let rows = |memory: &str, width| -> Vec<_> {
            (0..p.request_entries).map(|i| probes.row(m, memory, i, width)).collect()
        };
        let ids = rows("ids", p.id_bits);
        let requests = rows("requests", p.depths() + p.depth_bits);
        let stores = rows("stores", p.block_bits() + 32 * p.lanes);
        let live: Vec<_> = self.entries.iter().map(|entry| entry.live).collect();
        let ack_id = probes.signal(m, "ack_shown_id", p.id_bits);
        let shown = self.ack_shown;
        let known = |id: Signal<'m>| (one_hot::decode(id, 1 << p.id_bits) & *monitor.ids).any();
        let mut kept = vec![monitor.new_ack.eq(granted), !granted | (shown & known(ack_id))];
        let count = count_of(monitor.ids.to_bits(), 5);
        kept.push(count.eq(count_of(live.iter().copied().chain([granted]), 5)));
        for (i, id) in ids.iter().enumerate() {
            kept.push(!live[i] | (known(*id) & !(granted & id.eq(ack_id))));
            for j in 0..i {
                kept.push(!(live[i] & live[j]) | id.ne(ids[j]));
            }
        }
        self.invariants("ids", &kept, "Live requests have ids of their own.");

        let count = monitor.due.count();
        let width = count.width();
        let here = count_of(chosen.here.iter().copied().chain([chosen.granted]), width);
        let mut kept = vec![monitor.due.in_order(), count.eq(here)];
        let first = monitor.due.oldest();
        kept.push(!chosen.granted | (granted & first.get("id").eq(ack_id)));
        for (i, entry) in self.entries.iter().enumerate() {
            let older = entry.before.to_bits().into_iter().chain([chosen.granted]);
            let due = monitor.due.at(count_of(older, width));
            let depth = requests[i].truncate(p.depth_bits);
            let asked = requests[i].slice(p.depth_bits..p.depth_bits + p.depths());
            let asked = self.lane_bit(asked);
            let value = monitor.chosen.value(stores[i].truncate(32 * p.lanes));
            let same = all_of(
                m,
                &[
                    due.get("id").eq(ids[i]),
                    due.get("depth").eq(depth),
                    due.get("asked").eq(asked),
                    due.get("value").eq(value),
                ],
            );
            kept.push(!chosen.here[i] | same);
            kept.push(!(chosen.here[i] & chosen.granted) | !entry.under_way);
            let block = stores[i].slice(32 * p.lanes..32 * p.lanes + p.block_bits());
            kept.push(!entry.live | block.eq(entry.block));
        }
        self.invariants("due", &kept, "The chosen block's requests are due in their order.");
    }

    /// Of a bit a lane, that of the chosen one.
    fn lane_bit(&self, bits: Signal<'m>) -> Signal<'m> {
        let lane = self.monitor.chosen.lane;
        one_hot::select(one_hot::decode(lane, bits.width()), &bits.to_bits())
    }

    /// What wins is queued, sent once, and acknowledged.
    fn colors_are_due(&self, chosen: &Chosen<'m>, probes: &Probes) {
        let (m, p, monitor) = (self.m, self.p, self.monitor);
        let wins = monitor.wins();
        let store = probes.signal(m, "color_store", p.block_bits() + 32 * p.lanes);
        let shown_wins = probes.signal(m, "color_wins", p.depths());
        let done_so = monitor.colored.mux(!*monitor.unwritten, !wins);
        let mut kept = vec![!chosen.granted | done_so];
        let (mut any_sent, mut any_done) = (Vec::new(), vec![chosen.granted]);
        for (i, entry) in self.entries.iter().enumerate() {
            let number = i as u32;
            let here = chosen.here[i];
            let done = self.done.bit(number) | self.lost_here(number);
            let masks = probes.row(m, "result_masks", number, p.depths());
            let value = monitor.chosen.value(store.truncate(32 * p.lanes));
            let block = store.slice(32 * p.lanes..32 * p.lanes + p.block_bits());
            let shown = self.colors.shown & self.colors.shown_entry.eq(number);
            let queued = self.colors.waits(number);
            let fresh = shown & monitor.new_color;
            kept.push(!shown | (block.eq(entry.block) & shown_wins.any()));
            kept.push(!queued | masks.any());
            kept.push(!(here & queued) | self.lane_bit(masks).eq(wins));
            let due =
                self.lane_bit(shown_wins).eq(wins) & value.eq(monitor.due.oldest().get("value"));
            kept.push(!(here & fresh) | due);
            kept.push(!(here & chosen.pending[i]) | !*monitor.colored);
            let entry_is = monitor.color_entry.eq(number);
            let sent = *monitor.colored & *monitor.unwritten & entry_is;
            kept.push(!(here & chosen.sent[i]) | sent);
            kept.push(!(here & done) | done_so);
            any_sent.push(here & chosen.sent[i]);
            any_done.push(here & (chosen.sent[i] | done));
        }
        kept.push(!*monitor.colored | any_of(any_done));
        kept.push(monitor.unwritten.eq(any_of(any_sent)));
        self.invariants("colors", &kept, "What wins is sent, and done when it is acknowledged.");
    }

    /// In stages 4 and 5 the chosen block's request meets the smallest depth.
    fn requests_meet_their_depths(&self, chosen: &Chosen<'m>, probes: &Probes) {
        let (m, p, monitor) = (self.m, self.p, self.monitor);
        let depths = p.depths() * p.depth_bits;
        let request = |name: &str| probes.signal(m, name, p.depths() + p.depth_bits);
        let requests = [request("stage4_request"), request("stage5_request")];
        let lane = |name: &str| monitor.chosen.depth(p, probes.signal(m, name, depths));
        let [cached, filled, old] = ["stage4_cached", "stage4_filled", "stage5_old"].map(lane);
        let found = [self.late[0].fills.mux(filled, cached), old];
        let mut kept = Vec::new();
        for ((late, request), found) in self.late.iter().zip(requests).zip(found) {
            let here = late.compares & self.select(late.entry, chosen.here.iter().copied());
            let first = monitor.due.oldest();
            let asked = self.lane_bit(request.slice(p.depth_bits..p.depth_bits + p.depths()));
            let depth = request.truncate(p.depth_bits);
            let same = depth.eq(first.get("depth")) & asked.eq(first.get("asked"));
            kept.push(!here | same);
            kept.push(!here | found.eq(chosen.before));
        }
        for (late, value) in self.late.iter().zip([cached, old]) {
            let block = self.of_miss(late.comparator, |miss| miss.evicted);
            let here = late.evicts & block.eq(monitor.chosen.block);
            kept.push(!here | value.eq(chosen.now));
        }
        self.invariants("compared", &kept, "A request is compared with the smallest depth.");
    }

    /// The chosen block's depths are in the Z-cache, on their way to it or from it, or in the L2.
    fn depths_are_somewhere(&self, chosen: &Chosen<'m>, probes: &Probes) {
        let (m, p, monitor) = (self.m, self.p, self.monitor);
        let depths = p.depths() * p.depth_bits;
        let block = monitor.chosen.block;
        let lane_of_row =
            |memory: &str, row: u32| monitor.chosen.depth(p, probes.row(m, memory, row, depths));
        let mut kept = Vec::new();
        let (mut here, mut arrived, mut reading, mut writing) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let read = monitor.chosen.depth(p, probes.signal(m, "evicted_read", depths));
        let is_open = |miss: &super::Miss<'m>| miss.open() & miss.block.eq(block);
        for (s, tags) in Self::index(&self.tags) {
            for way in 0..p.ways {
                let tag = tags.slice(way * p.tag_bits()..(way + 1) * p.tag_bits());
                let is_here = self.valid[s as usize].bit(way)
                    & self.set(block).eq(s)
                    & self.tag(block).eq(tag);
                let fills = any_of(self.misses.iter().map(|miss| is_open(miss) & miss.way.eq(way)));
                let kept_here = lane_of_row("z_cache", way * p.sets + s);
                kept.push(!(is_here & !fills) | kept_here.eq(chosen.now));
                here.push(is_here);
                arrived.push(is_here & !fills);
            }
        }
        for (c, miss) in Self::index(&self.misses) {
            let open = is_open(miss);
            let places = self.fill_places(c);
            // Shown on zread, or read; then come.
            let asked = (places[0] & !monitor.new_zread) | places[1];
            let came = any_of(places[2..6].iter().copied());
            let buffered = lane_of_row("comparator_buffer", c);
            kept.push(!(open & came) | buffered.eq(chosen.before));
            kept.push(!(open & asked) | monitor.reading_entry.eq(c));
            reading.push(open & asked);
            arrived.push(open & any_of(places[2..].iter().copied()));
            here.push(open);

            let leaves = miss.unwritten & miss.evicted.eq(block);
            let shown = self.evicted.shown & self.evicted.shown_entry.eq(c);
            let waits = self.evicted.waits(c);
            let fresh = shown & monitor.new_zwrite;
            kept.push(!(leaves & waits) | lane_of_row("evicted_depths", c).eq(chosen.now));
            kept.push(!(leaves & fresh) | read.eq(chosen.now));
            let sent = leaves & ((shown & !monitor.new_zwrite) | monitor.writes.bit(c));
            let as_sent = monitor.writing_entry.eq(c) & monitor.writing_depth.eq(chosen.now);
            kept.push(!sent | as_sent);
            let late = self.late.iter().map(|late| late.evicts & late.comparator.eq(c));
            arrived.push(leaves & (waits | fresh | any_of(late)));
            writing.push(sent);
            here.push(leaves);
        }
        let state = monitor.resetting.ge(2) | (monitor.resetting.eq(1) & monitor.zclear.valid);
        let reset = monitor.smallest.eq(p.largest_depth()) & !*monitor.cached;
        kept.push(!monitor.resetting.ge(2) | reset);
        kept.push(state | monitor.cached.eq(any_of(arrived)));
        kept.push(monitor.reading.eq(any_of(reading)));
        kept.push(monitor.writing.eq(any_of(writing)));
        let of_l2 = monitor.l2_depth.eq(chosen.now);
        kept.push(state | any_of(here.iter().copied()) | of_l2);
        for (c, miss) in Self::index(&self.misses) {
            let places = self.fill_places(c);
            let before = (miss.open() & !miss.asked) | places[0] | places[1];
            kept.push(!(is_open(miss) & before) | any_of(writing_or_leaving(self, block)) | of_l2);
        }
        kept.push(!monitor.resetting.eq(4) | monitor.l2_depth.eq(p.largest_depth()));
        self.invariants("depths", &kept, "The depths of the chosen block are in one place.");
    }
}

/// Misses whose evicted block is the chosen one.
fn writing_or_leaving<'a, 'm>(
    inside: &'a Inside<'_, 'm>,
    block: Signal<'m>,
) -> impl Iterator<Item = Signal<'m>> + 'a {
    inside.misses.iter().map(move |miss| miss.unwritten & miss.evicted.eq(block))
}
