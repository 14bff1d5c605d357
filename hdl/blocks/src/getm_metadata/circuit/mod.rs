//! The table as hardware: five stages, one request per clock.
//!
//! ```text
//! 0 hash      rows in the banks and in the Bloom filter
//! 1 read      banks and Bloom filter
//! 2 read      RAM data; what stages 5 and 6 write meanwhile takes its place
//! 3 compare   granules of the candidates and of the stash
//! 4 find      the granule's metadata, how the request stands to it, a place for a new entry
//! 5 decide    figure 4.6; bank and stash are written; the Bloom filter's other copy is read for the
//!             entry that made room
//! 6 raise     both copies are written
//! ```
//!
//! Whatever takes longer than a clock (an insertion that displaces entries, the overflow space,
//! clearing) happens while stages 1 to 5 stand still.

mod banks;
mod bloom;
mod control;
mod decide;
mod find;
mod overflow;
mod stage;

use super::access::Metadata;
use super::channels::{self, ERROR, Op, Request};
use super::hashes::Hashes;
use super::params::Params;
use crate::kit::*;
use banks::{Candidates, Written};
use control::Control;
pub(super) use control::State;
use decide::{Decision, Requester, Wanted};
use find::{Finds, Found, Left, Stash};
use overflow::Overflow;
use stage::{Stage, entry_of, metadata_of};
pub(super) use stage::{content_fields, entry_fields};

/// The module `getm_metadata`.
pub fn circuit(p: &Params) -> Module {
    module("getm_metadata", |m| build(m, p))
}

pub(super) fn entry_bits(p: &Params) -> u32 {
    entry_fields(p).width()
}

fn build(m: &ModuleBuilder, p: &Params) {
    describe(
        m,
        "Metadata table of GETM: timestamps and reservations of a memory partition's granules,\n\
        precise in a cuckoo table with stash and overflow space, approximate in a recency Bloom\n\
        filter. Ren, GETM (thesis chapter 4), sections 4.4 and 4.5.2, figures 4.6 and 4.8.\n\n\
        Channels are ready/valid: req in and resp out, in order; overflow_req out and\n\
        overflow_resp in, one answer a lookup. error pulses for a malformed request, which\n\
        changes nothing and is answered with verdict 6.",
        p,
    );
    let hashes = Hashes::new(p);
    let control = control::control(m, p);
    m.output("init_done", control.init_done).doc("the RAM has been cleared after reset");
    let (stages, rows) = stages(m, p, &control, &hashes);
    let [_, _, stage3, stage4, stage5] = &stages;

    let writes = Writes::new(m, p);
    let candidates = banks::banks(m, p, &control, &stages, &rows, &writes.to_banks());
    let stash = Stash::new(m, p, &control, stage3);

    let found = Found::new(m, p);
    let victim_rows = stage::rows(&hashes.bloom, found.victim.get().get("granule"), "victim_row");
    let victim = found.victim(p, victim_rows);
    let rows = bloom::filter(m, p, &control, &stages, &victim);
    let warpts = stage4.get("warpts");
    let [wts, rts] = ["wts", "rts"].map(|time| bloom::estimate(m, &control, &rows, time, warpts));
    let estimates = decide::of_estimates(m, p, &wts, &rts);

    let wanted = decide::wanted(m, control.advance, stage4);
    let busy = (control.run & stage5.valid).named("busy");
    let overflow = overflow::overflow(m, p, busy & wanted.looks & !*found.hit);
    let moves = (control.moves, control.advance);
    let requesters = Requester::new(m, p, moves, [stage3, stage4, stage5]);
    let one_bank = (*found.bank_hits & (*found.bank_hits - 1)).eq(0);
    let doc = "At most one bank has an entry of a granule.";
    m.assert("one_bank_has_the_granule", !busy | one_bank, doc);
    let any_reserved = m.wire("any_reserved", 1);
    let before = (found.facts.get(), requesters[1].successor);
    let decision = decide::decide(m, p, stage5, &wanted, before, *any_reserved);

    // Stage 5 is done with its request when it is decided and its answer is taken. Whether the stages
    // move does not wait for the decision.
    let in_overflow = (overflow.found & wanted.looks).named("in_overflow");
    let decided = (busy & !overflow.is_awaited).named("decided");
    let answer_ready = overflow::answer(m, p, stage5, found.facts.get(), &decision, decided);
    let done = (decided & answer_ready).named("done");
    let (channels, raises) = (channels::channels(p), [done, decision.error]);
    raise_errors(m, &channels[ERROR], "a request", &raises, decision.error_code);
    control.step.set(!stage5.valid | done);
    control.ends_clear.set(done & stage5.is(Op::Clear));
    control.clears.set(*control.ends_clear & !*any_reserved);
    any_reserved.set(count_reserved(m, p, done & decision.reserves, done & decision.frees));

    let stages = &stages;
    let table =
        Table { m, p, control, stages, candidates, stash, found, wanted, overflow, decision };
    let written = table.write(&writes, done);
    table.ask_overflow(&written, done, in_overflow);
    table.find(&written, &requesters, estimates);
}

/// The entry that stage 5 writes.
struct Writes<'m> {
    /// The bank that the request writes, one-hot, and the entry as the request leaves it.
    by_request: Wire<'m>,
    after: Wire<'m>,
    /// The banks that are written at the edge, one-hot, and with what.
    banks: Wire<'m>,
    placed: Wire<'m>,
}

impl<'m> Writes<'m> {
    fn new(m: &'m ModuleBuilder, p: &Params) -> Self {
        let by_request = m.wire("bank_of_request", p.ways).doc("The bank that the request writes.");
        let banks = m.wire("written_banks", p.ways).doc("The banks that stage 5 writes, one-hot.");
        let [after, placed] = ["after_entry", "placed"].map(|name| m.wire(name, entry_bits(p)));
        Self { by_request, after, banks, placed }
    }

    fn to_banks(&self) -> Written<'m> {
        let Self { by_request, after, banks, placed } = self;
        Written { by_request: **by_request, after: **after, banks: **banks, entry: **placed }
    }
}

/// What stage 5 writes, and where it leaves the granule.
struct Placed<'m> {
    entry: Record<'m>,
    /// The entry as the request leaves it.
    after: Signal<'m>,
    left: Left<'m>,
    /// Its granule is in a bank or in the stash from then on.
    stays: Signal<'m>,
}

/// The table around stage 5, whose decision is made.
struct Table<'t, 'm> {
    m: &'m ModuleBuilder,
    p: &'t Params,
    control: Control<'m>,
    stages: &'t [Stage<'m>; 5],
    candidates: Candidates<'m>,
    stash: Stash<'m>,
    found: Found<'m>,
    wanted: Wanted<'m>,
    overflow: Overflow<'m>,
    decision: Decision<'m>,
}

impl<'m> Table<'_, 'm> {
    /// Writes banks and stash: what the request changes, a new entry, or one that was displaced.
    fn write(&self, writes: &Writes<'m>, done: Signal<'m>) -> Placed<'m> {
        let Self { m, p, control, stages: [.., stage5], found, wanted, .. } = self;
        let moving = control.moving.get();
        let is_new = wanted.access & !*found.hit & !self.overflow.found;
        let is_new = (stage5.valid & is_new).named("is_new");
        let inserts = ((done & is_new) | control.place).named("inserts");
        let finds_room = (inserts & *found.room_is_free).named("finds_room");
        let stuck = (inserts & !*found.room_is_free).named("finds_no_room");
        control.kick.set(stuck & control.may_kick);
        control.leaves_banks.set(stuck & !control.may_kick);
        let updates = (done & wanted.looks).named("updates");
        let looks = stage5.valid & wanted.looks;
        writes.by_request.set(found.bank_hits.and_where(looks) | found.room.and_where(is_new));
        let takes_room = found.room.and_where(finds_room | *control.kick);
        writes.banks.set(found.bank_hits.and_where(updates) | takes_room);
        let after = entry_of(p, stage5.granule(p), &self.decision.after);
        writes.after.set(after.pack());
        let moved = stage::valid_entry(p, moving);
        writes.placed.set(control.run.mux(*writes.after, moved.pack()));
        let entry = Record::unpack(&entry_fields(p), *writes.placed);
        m.when(*control.kick | *control.leaves_banks, || {
            let placed = pick(moving.fields(), &entry);
            let moves = control.kick.mux(found.victim.get().pack(), placed.pack());
            control.moving.set(&Record::unpack(moving.fields(), moves));
        });
        let left = find::leave(m, p, control, &self.stash, moving);
        if let (Some(hits), Some(slot)) = (&found.stash_hits, left.slot) {
            // Stage 5 changes the entry that it hits; one that leaves the banks takes a slot.
            self.stash.write(m, hits.and_where(updates) | slot, &entry, *control.clears);
        }
        let stays = (looks & *found.hit) | is_new;
        Placed { entry, after: *writes.after, left, stays }
    }

    /// Keeps the overflow space as it must be.
    fn ask_overflow(&self, placed: &Placed<'m>, done: Signal<'m>, in_overflow: Signal<'m>) {
        let Self { overflow: Overflow { asks, .. }, decision, .. } = self;
        asks.insert.set(placed.left.overflows);
        asks.update.set(done & in_overflow & decision.changes & !decision.frees);
        asks.remove.set(done & in_overflow & decision.frees);
        asks.granule.set(placed.entry.get("granule"));
        asks.metadata.set(metadata_of(self.p, &placed.entry).pack());
        asks.step.set(done);
    }

    /// What stage 4 finds for stage 5.
    fn find(&self, placed: &Placed<'m>, requesters: &[Requester<'m>; 2], estimates: Record<'m>) {
        let Self { m, p, control, stages: [_, _, stage3, stage4, stage5], .. } = self;
        let Self { candidates, stash, found, overflow, decision, .. } = self;
        let [requester4, requester5] = requesters;
        let selected = find::select(candidates, stash, |entry| metadata_of(p, entry).pack());
        let selected = Record::unpack(&Metadata::fields(p), selected).named("selected");
        let same_granule = find::same_granule(m, p, control.moves, [stage3, stage4]);
        let stays = (same_granule & placed.stays).named("stage5_leaves_it");
        let facts = requester4.facts_after(p, found.facts.get(), requester5, decision);
        let finds = Finds {
            inserts: stage4.valid & self.wanted.next_access,
            same_granule,
            left: (stays, facts),
            estimates,
        };
        let written = (placed.after, decision.reserved_after);
        let room = banks::room(m, p, candidates, written, control.kick_bank);
        // An entry of the overflow space goes to the Bloom filter with its last write.
        let count = stage5.get("count");
        let last = stage5.is(Op::Release) & count.eq(overflow.metadata.get("writes"));
        m.when(control.victims_advance, || found.evicts.set(0));
        let facts = requester4.facts(p, &selected);
        found.take(m, control, (candidates, stash), (&facts, &finds, &room));
        m.when(control.leave, || {
            found.victim.set_some(&placed.left.victim);
            found.evicts.set(placed.left.evicts);
        });
        m.when(overflow.comes, || {
            found.facts.set(&requester5.facts_overflown(m, p, &overflow.metadata));
            let entry = entry_of(p, stage5.granule(p), &overflow.metadata);
            found.victim.set_some(&pick(&stage::free_fields(p), &entry));
            found.evicts.set(last);
        });
    }
}

/// Stages 1 to 5, and the rows of the entry that looks for a place: it uses the hashes of the banks while no
/// request is taken.
fn stages<'m>(
    m: &'m ModuleBuilder,
    p: &Params,
    control: &Control<'m>,
    hashes: &Hashes,
) -> ([Stage<'m>; 5], Vec<Signal<'m>>) {
    let request = requests(m, p, control);
    let incoming = p.granule(request.payload.get("address"));
    let moving = control.moving.get().get("granule");
    let hashed = control.read.mux(moving, incoming).named("hashed_granule");
    let rows = stage::rows(&hashes.banks, hashed, "hashed_row");
    let bloom_rows = stage::rows(&hashes.bloom, incoming, "hashed_bloom_row");
    let stage0 = Stage::incoming(request.valid, request.payload, rows.clone(), bloom_rows);
    let turned = m.wire("turned_request", stage0.pack().width()).doc("The request in stage 4.");
    let stage0 = stage0.or_where(control.turn, *turned);
    let stage1 = stage0.next(m, "stage1", control.moves);
    let stage2 = stage1.next(m, "stage2", control.moves);
    let stage3 = stage2.next(m, "stage3", control.moves);
    let stage4 = stage3.next(m, "stage4", control.moves);
    turned.set(stage4.pack());
    let stage5 = stage4.without_bloom_rows().next(m, "stage5", control.advance);
    stage5.lose(m, control.disturbs);
    stage5.take_rows(m, control.read, &rows);
    ([stage1, stage2, stage3, stage4, stage5], rows)
}

/// Requests as they come, from the time when the RAM has been cleared.
fn requests<'m>(m: &'m ModuleBuilder, p: &Params, control: &Control<'m>) -> Stream<'m> {
    let request = Stream::input(m, "req", &Request::fields(p));
    let room = m.wire("request_room", 1);
    request.ready.set(*room & control.init_done);
    let valid = request.valid & control.init_done;
    let request = Stream { valid, payload: request.payload, ready: room };
    let request = skid_buffer::buffer(m, "request", request);
    request.ready.set(control.advance);
    request
}

/// Counts the reserved granules; gives whether there is one. What is decided in a clock is counted in
/// the next, so that the count adds nothing to the way of the decision.
fn count_reserved<'m>(
    m: &'m ModuleBuilder,
    p: &Params,
    reserves: Signal<'m>,
    frees: Signal<'m>,
) -> Signal<'m> {
    let one_more = m.reg("one_more_reserved", 1, 0).doc("To be counted.");
    let one_less = m.reg("one_less_reserved", 1, 0).doc("To be counted.");
    one_more.set(reserves);
    one_less.set(frees);
    let count = m.reg("reserved_count", p.granule_bits() + 1, 0).doc("Granules reserved.");
    m.when(*one_more, || count.set(*count + 1)).otherwise_when(*one_less, || count.set(*count - 1));
    m.assert(
        "reserved_counted",
        !*one_less | count.any(),
        "What is freed was counted as reserved.",
    );
    *one_more | (count.any() & !(*one_less & count.eq(1)))
}
