//! A line: an address, its state, and its waiters in the order in which they will leave.

use crate::getm_stall_buffer::channels::Access;
use crate::getm_stall_buffer::params::Params;
use crate::kit::*;

/// What an entry holds.
fn waiter_fields(p: &Params) -> Fields {
    Access::fields(p).without("address")
}

/// An entry. Entries are filled from the first on.
struct Entry<'m> {
    taken: Reg<'m>,
    waiter: Held<'m>,
}

/// The module `getm_stall_line`.
pub(super) fn line(p: &Params) -> Module {
    let m = ModuleBuilder::new("getm_stall_line");
    m.describe(
        "A line of the stall buffer: an address, and its waiters in the order in which they\n\
         will leave. It is free, or asleep until its address is released, or awake until its first\n\
         waiter is taken, or retrying until that one's result comes.",
    );
    build(&m, p);
    m.finish()
}

fn build(m: &ModuleBuilder, p: &Params) {
    let park_granule = m.input("park_granule", p.granule_bits());
    let fields = waiter_fields(p);
    let newcomer = record(&fields, |field| m.input(&format!("park_{}", field.name), field.width));
    let enters = m.input("enters", 1).doc("the access enters this line");
    let result_valid = m.input("result_valid", 1);
    let result_granule = m.input("result_granule", p.granule_bits());
    let result_reserved = m.input("result_reserved", 1);
    let release_valid = m.input("release_valid", 1);
    let release_granule = m.input("release_granule", p.granule_bits());
    let release_all = m.input("release_all", 1);
    let leaves = m.input("leaves", 1).doc("the first waiter is taken");

    let awake = m.reg("is_awake", 1, 0).doc("The first waiter is to be taken.");
    let retrying = m.reg("is_retrying", 1, 0).doc("The last one taken has no result yet.");
    let again = m.reg("released_again", 1, 0).doc("It was released since a waiter was chosen.");
    let granule = m.reg_without_reset("waited_for", p.granule_bits()).doc("What they wait for.");
    let entry = |i: u32| Entry {
        taken: m.reg(&format!("entry{i}_taken"), 1, 0),
        waiter: Held::new(m, &format!("entry{i}"), &fields),
    };
    let entries: Vec<_> = (0..p.entries).map(entry).collect();
    let waits = *entries[0].taken;
    let live = (waits | *retrying).named("is_live");

    // In the order in which they count: park, result, release. The first access for an address
    // brings it at this clock.
    // Also without an access that enters: whether one does is known late.
    m.when(!live, || granule.set(park_granule));
    let granule_now = live.mux(*granule, park_granule).named("granule_now");
    let has_result =
        (result_valid & *retrying & result_granule.eq(*granule)).named("retry_has_result");
    let released = release_valid & (release_all | release_granule.eq(granule_now));
    let sleeps = (!*awake & (!*retrying | has_result)).named("sleeps");
    let somebody = (waits | enters).named("somebody_waits");
    let next_goes = (has_result & (!result_reserved | *again) & somebody).named("next_goes");
    awake.set(!leaves & (*awake | next_goes | (sleeps & released & somebody)));
    retrying.set(leaves | (*retrying & !has_result));
    again.set((!sleeps & (*again | released)) | (next_goes & released));
    order(m, &entries, (enters, &newcomer), leaves, *awake);

    m.output("live", live).doc("an access waits, or is retried");
    m.output("has_parked", live & park_granule.eq(*granule)).doc("the access has this address");
    m.output("has_room", !*entries[entries.len() - 1].taken).doc("it takes one more");
    m.output("awake", *awake).doc("the first waiter is to be taken");
    m.output("has_result", has_result).doc("the result is of this line's retry");
    m.output("granule", *granule);
    let first = entries[0].waiter.get();
    for field in fields.iter() {
        m.output(&format!("first_{}", field.name), first.get(&field.name)).doc(&field.doc);
    }
    m.assert("awake_waits", !*awake | waits, "A line that is awake has a waiter.");
    m.assert("awake_or_retrying", !(*awake & *retrying), "One retry at a time.");
    let under_way = *awake | *retrying;
    m.assert("again_under_way", !*again | under_way, "It was chosen before a second release.");
    m.assert("leaves_awake", !leaves | *awake, "A waiter leaves only a line that is awake.");
}

/// Puts a newcomer behind those that leave before it, and takes the first away as it leaves. The
/// first waiter of a line that is awake has been chosen: no other goes before it.
fn order<'m>(
    m: &'m ModuleBuilder,
    entries: &[Entry<'m>],
    (enters, newcomer): (Signal<'m>, &Record<'m>),
    leaves: Signal<'m>,
    awake: Signal<'m>,
) {
    let (zero, one) = (m.lit(1, 0), m.lit(1, 1));
    let records: Vec<_> = entries.iter().map(|entry| entry.waiter.get()).collect();
    let warpts = newcomer.get("warpts");
    let goes_before = |(i, entry): (usize, &Entry<'m>)| {
        let not_later = records[i].get("warpts").le(warpts);
        let chosen = if i == 0 { awake } else { zero };
        *entry.taken & (not_later | chosen)
    };
    // Where the last entry is taken no access enters.
    let others = &entries[..entries.len() - 1];
    let before: Vec<_> = others.iter().enumerate().map(goes_before).collect();
    let before = (!before.is_empty()).then(|| {
        let before = column(m, before).named("before_newcomer");
        before.doc("Entries that leave before the newcomer.")
    });
    let goes_before = |i: usize| match before {
        Some(before) if i < others.len() => before.bit(i as u32),
        _ => zero,
    };

    for (i, entry) in entries.iter().enumerate() {
        let before_this = if i == 0 { one } else { goes_before(i - 1) };
        let place = leaves.mux(goes_before(i) & !goes_before(i + 1), before_this & !goes_before(i));
        let fill = |taken: Signal<'m>, waiter: &Record<'m>| {
            entry.taken.set(taken);
            entry.waiter.set(waiter);
        };
        let is_placed = (enters & place).named(&format!("enters{i}"));
        let moves_back = (enters & !leaves & !before_this).named(&format!("moves_back{i}"));
        let moves_up = (leaves & (!enters | goes_before(i + 1))).named(&format!("moves_up{i}"));
        let when = m.when(is_placed, || fill(one, newcomer));
        let when = match i {
            0 => when,
            _ => when.otherwise_when(moves_back, || fill(*entries[i - 1].taken, records[i - 1])),
        };
        when.otherwise_when(moves_up, || match entries.get(i + 1) {
            Some(behind) => fill(*behind.taken, records[i + 1]),
            None => entry.taken.set(0),
        });
    }
}
