//! The table as hardware: four stages, one request per clock.
//!
//! ```text
//! 0 hash      rows in the banks and in the Bloom filter
//! 1 read      banks and Bloom filter
//! 2 read      RAM data; what stages 4 to 6 write meanwhile takes its place
//! 3 compare   granules of the candidates and of the stash
//! 4 decide    figure 4.6; a place for a new entry; bank and stash are written
//! 5 victim    the entry that made room: read the Bloom filter's other copy
//! 6 raise     write both copies
//! ```
//!
//! Whatever takes longer than a clock (an insertion that displaces entries, the overflow space,
//! clearing) happens while stages 1 to 4 stand still.

mod banks;
mod bloom;
mod control;
mod decide;
mod estimate;
mod facts;
mod hash;
mod output;
mod overflow;
mod ram;
mod stage;
mod stash;

use warpsmith_rtl::library::one_hot;
use warpsmith_rtl::library::record::Record;
use warpsmith_rtl::library::stream::Stream;
use warpsmith_rtl::{Module, ModuleBuilder, Signal};

use super::channels::{Op, request_fields};
use super::hashes::Hashes;
use super::params::Params;
use banks::Written;
use bloom::Victim;
use control::Control;
use facts::{Asker, facts_fields};
use stage::{Stage, entry_fields, entry_of, metadata_of};
use stash::Stash;

/// The module `getm_metadata`.
pub fn circuit(p: &Params) -> Module {
    let builder = ModuleBuilder::new("getm_metadata");
    build(&builder, p);
    builder.finish()
}

/// Bits of an entry in a bank.
pub(super) fn entry_bits(p: &Params) -> u32 {
    entry_fields(p).width()
}

fn build(m: &ModuleBuilder, p: &Params) {
    m.describe(&header(p));
    let hashes = Hashes::new(p);
    let request = Stream::input(m, "req", &request_fields(p));
    let control = control::control(m, p);
    m.output("init_done", control.init_done).doc("the RAM has been cleared after reset");
    request.ready.set(control.advance);

    // The entry that looks for a place uses the hashes of the banks while no request is taken.
    let moving = control.moving(p);
    let incoming = stage::granule_of(p, request.payload.get("address"));
    let hashed = control.read.mux(moving.get("granule"), incoming).named("hashed_granule");
    let rows = hash::rows(&hashes.banks, hashed, "hashed_row");
    let bloom_rows = hash::rows(&hashes.bloom, incoming, "hashed_bloom_row");
    let stage0 = Stage::incoming(request.valid, request.payload, rows.clone(), bloom_rows);
    let stage1 = stage0.next(m, "stage1", control.advance);
    let stage2 = stage1.next(m, "stage2", control.advance);
    let stage3 = stage2.next(m, "stage3", control.advance);
    let stage4 = stage3.next(m, "stage4", control.advance);
    stage4.lose(m, control.disturbs);
    stage4.take_rows(m, control.read, &rows);
    let stages = [&stage1, &stage2, &stage3, &stage4];

    let to_banks = m.wire("written_banks", p.ways).doc("The banks that stage 4 writes, one-hot.");
    let entry = m.wire("written_entry", entry_fields(p).width());
    let written = Written { banks: *to_banks, entry: *entry };
    let candidates = banks::banks(m, p, &control, stages, &rows, &written);
    let stash = Stash::new(m, p, &control, &stage3);

    let evicts = m.wire("evicts", 1).doc("An entry goes to the Bloom filter.");
    let evicted = m.wire("evicted", entry_fields(p).width());
    let evicted = (evicted, Record::unpack(&entry_fields(p), *evicted));
    let victim_rows = hash::rows(&hashes.bloom, evicted.1.get("granule"), "victim_row");
    let victim = Victim::of(p, *evicts, victim_rows, &evicted.1);
    let rows = bloom::filter(m, p, &control, stages, &victim);
    let warpts = stage4.get("warpts");
    let [wts, rts] =
        ["wts", "rts"].map(|time| estimate::estimate(m, &control, &rows, time, warpts));
    let estimates = facts::of_estimates(m, p, &wts, &rts);

    let hits = [Some(candidates.hits), stash.hits].into_iter().flatten().collect::<Vec<_>>();
    let hit = m.concat_low_first(&hits).any().named("hit");
    let wanted = decide::wanted(m, control.advance, &stage3);
    let busy = (control.run & stage4.valid).named("busy");
    let overflow = overflow::overflow(m, p, busy & wanted.looks & !hit);
    let asker = Asker::new(m, p, &control, &stage3, &stage4);
    let before = before(p, &asker, (&candidates, &stash), (hit, &overflow), &estimates);
    let any_reserved = m.wire("any_reserved", 1);
    let decision =
        decide::decide(m, p, &stage4, &wanted, (&before, asker.successor), *any_reserved);

    // Stage 4 is done with its request when it is decided and its answer is taken. Whether the stages
    // move does not wait for the decision: who may have to tell the overflow space waits for its room.
    let in_overflow = (overflow.found & wanted.looks).named("in_overflow");
    let has_room = !in_overflow | overflow.ready;
    let decided = (busy & !overflow.is_awaited & has_room).named("decided");
    let answer_ready = output::answer(m, p, &stage4, &before, &decision, decided);
    let done = (decided & answer_ready).named("done");
    output::raise_errors(m, &decision, done);
    control.step.set(!stage4.valid | done);
    control.clears.set(done & stage4.is(Op::Clear) & !*any_reserved);
    any_reserved.set(count_reserved(m, p, done & decision.reserves, done & decision.frees));

    // A place for a new entry, or for one that was displaced.
    let known = (hit | overflow.found).named("known");
    let after = entry_of(p, stage4.granule(p), &decision.after);
    let placed = control.run.mux(after.pack(), moving.pack());
    let placed = Record::unpack(&entry_fields(p), placed).named("placed");
    let inserts = (done & wanted.access & !known) | control.place;
    let inserts = inserts.named("inserts");
    let room = banks::room(m, p, &candidates.entries, control.kick_bank);
    let finds_room = (inserts & room.is_free).named("finds_room");
    control.kick.set(inserts & !room.is_free & control.may_kick);
    control.leaves_banks.set(inserts & !room.is_free & !control.may_kick);
    let updates = (done & wanted.looks).named("updates");
    let room_used = room.bank.and_where(finds_room | *control.kick);
    to_banks.set(candidates.hits.and_where(updates) | room_used);
    entry.set(placed.pack());
    m.when(*control.kick | *control.leaves_banks, || {
        for (register, field) in control.moving.iter().zip(entry_fields(p).iter()) {
            let (displaced, left) = (room.victim.get(&field.name), placed.get(&field.name));
            register.set(control.kick.mux(displaced, left));
        }
    });

    let left = leave(m, p, &control, &stash, &moving, overflow.ready);
    stash_writes(m, p, &control, &stash, (updates, left.slot), &placed);
    let asks = &overflow.asks;
    asks.insert.set(left.overflows);
    let removes = (done & in_overflow & decision.frees).named("removes");
    asks.update.set(done & in_overflow & decision.changes & !decision.frees);
    asks.remove.set(removes);
    asks.granule.set(placed.get("granule"));
    asks.metadata.set(metadata_of(p, &placed).pack());
    asks.step.set(done);
    evicts.set((finds_room & room.evicts) | removes | left.evicts);
    // A release changes no timestamp.
    let removed = entry_of(p, stage4.granule(p), &overflow.metadata);
    let bloomed = left.evicts.mux(left.victim.pack(), room.victim.pack());
    evicted.0.set(in_overflow.mux(removed.pack(), bloomed));
}

/// The facts about the granule of the request in stage 4, from wherever it is.
fn before<'m>(
    p: &Params,
    asker: &Asker<'m>,
    (candidates, stash): (&banks::Candidates<'m>, &Stash<'m>),
    (hit, overflow): (Signal<'m>, &overflow::Overflow<'m>),
    estimates: &Record<'m>,
) -> Record<'m> {
    let packed = |entry: &Record<'m>| asker.facts(p, &metadata_of(p, entry)).pack();
    let entries: Vec<_> = candidates.entries.iter().map(packed).collect();
    let mut found = one_hot::select(candidates.hits, &entries);
    if let Some(hits) = stash.hits {
        let entries: Vec<_> = stash.entries().map(packed).collect();
        found = found | one_hot::select(hits, &entries);
    }
    let in_overflow = asker.facts(p, &overflow.metadata);
    let elsewhere = overflow.found.mux(in_overflow.pack(), estimates.pack());
    Record::unpack(&facts_fields(p), hit.mux(found, elsewhere)).named("before")
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

/// Where an entry goes that has left the banks.
struct Left<'m> {
    /// The slot of the stash, one-hot; none if there is no stash.
    slot: Option<Signal<'m>>,
    /// To the overflow space.
    overflows: Signal<'m>,
    /// `victim` goes to the Bloom filter: the entry itself, or the one that made room in the stash.
    evicts: Signal<'m>,
    victim: Record<'m>,
}

fn leave<'m>(
    m: &'m ModuleBuilder,
    p: &Params,
    control: &Control<'m>,
    stash: &Stash<'m>,
    moving: &Record<'m>,
    overflow_ready: Signal<'m>,
) -> Left<'m> {
    let reserved = moving.get("writes").any().named("moving_is_reserved");
    let stays = (control.leave & reserved).named("moving_stays");
    let goes = control.leave & !reserved;
    let (slot, in_stash, evicts, victim) = match stash.room(m, p) {
        None => (None, m.lit(1, 0), goes, moving.pack()),
        Some((slot, victim)) => {
            let taken = slot.and_where(stays).named("stash_taken");
            let makes_room = stays & victim.get("valid");
            let victim = reserved.mux(victim.pack(), moving.pack());
            (Some(taken), slot.any(), goes | makes_room, victim)
        }
    };
    let overflows = (stays & !in_stash).named("overflows");
    control.left.set(control.leave & (!overflows | overflow_ready));
    Left { slot, overflows, evicts, victim: Record::unpack(&entry_fields(p), victim) }
}

/// Stage 4 changes the stash entry that it hits; an entry that leaves the banks takes a slot.
fn stash_writes<'m>(
    m: &'m ModuleBuilder,
    p: &Params,
    control: &Control<'m>,
    stash: &Stash<'m>,
    (updates, slot): (Signal<'m>, Option<Signal<'m>>),
    placed: &Record<'m>,
) {
    let (Some(hits), Some(slot)) = (stash.hits, slot) else { return };
    debug_assert_eq!(hits.width(), p.stash);
    stash.write(m, hits.and_where(updates) | slot, placed, *control.clears);
}

fn header(p: &Params) -> String {
    let mut text = String::from(
        "Metadata table of GETM: timestamps and reservations of a memory partition's granules,\n\
         precise in a cuckoo table with stash and overflow space, approximate in a recency Bloom\n\
         filter. Ren, GETM (thesis chapter 4), sections 4.4 and 4.5.2, figures 4.6 and 4.8.\n\n\
         Channels are ready/valid: req in and resp out, in order; overflow_req out and\n\
         overflow_resp in, one answer a lookup. error pulses for a request without meaning, which\n\
         changes nothing and is answered with verdict 6.\n\n\
         Parameters:\n",
    );
    let table = toml::Table::try_from(p).expect("parameters are a flat table");
    for (name, value) in table {
        text += &format!("  {name} = {value}\n");
    }
    text
}
