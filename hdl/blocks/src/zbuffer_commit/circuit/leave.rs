//! What leaves behind stage 5: colors to the L2, acknowledgements, and the reset of the Z-buffer.

use warpsmith_rtl::library::{arbiter, fifo};

use super::compare::Compared;
use super::requests::Entering;
use crate::kit::*;
use crate::zbuffer_commit::channels::{self, ACK, COLOR, COLOR_ACK};
use crate::zbuffer_commit::params::Params;

pub(super) struct Left<'m> {
    /// The entry that is acknowledged, one-hot.
    pub acknowledged: Signal<'m>,
    /// An acknowledgement is not taken yet.
    pub ack_waits: Signal<'m>,
}

pub(super) fn leave<'m>(
    m: &'m ModuleBuilder,
    p: &Params,
    entering: &Entering<'_, 'm>,
    compared: &Compared<'m>,
) -> Left<'m> {
    let wins = compared.wins.any();
    colors(m, p, entering, compared, (compared.valid & wins).named("writes_color"));
    let (came, ack) = valid_only_input(m, &channels::channels(p)[COLOR_ACK]);
    let here = |entry: Signal<'m>| one_hot::decode(entry, p.request_entries);
    // A clock later, since which depths win is known late.
    let lost = m.reg("lost", 1, 0).doc("A request has won nothing in the last clock.");
    let lost_entry = m.reg_without_reset("lost_entry", p.entry_bits());
    lost.set((compared.valid & !wins).named("loses"));
    lost_entry.set(compared.entry);
    let finished = here(ack.get("entry")).and_where(came) | here(*lost_entry).and_where(*lost);

    let done = m.reg("done", p.request_entries, 0).doc("Requests that are to be acknowledged.");
    let ids = m
        .memory("ids", p.request_entries, p.id_bits, 1, Collision::Undefined)
        .doc("Ids of the requests.");
    ids.write(entering.enters, entering.entry, entering.request.get("id"));
    let valid = m.reg("ack_shown", 1, 0);
    let ready = m.wire("ack_taken", 1);
    let moves = (!*valid | *ready).named("ack_moves");
    let turn = m.instance(
        "ack_turn",
        &arbiter::round_robin(p.request_entries),
        &[("requests", *done), ("advance", moves)],
    );
    let acknowledged = turn.output("grant").and_where(moves).named("acknowledged");
    done.set((*done & !acknowledged) | finished);
    m.when(moves, || valid.set(done.any()));
    let id = ids.read("ack_shown_id", acknowledged.any(), one_hot::encode(acknowledged));
    let channel = &channels::channels(p)[ACK];
    let payload = Record::new(&channel.fields, vec![id]);
    Stream { valid: *valid, payload, ready }.output(m, channel.name);
    Left { acknowledged, ack_waits: *valid }
}

/// What wins goes to the L2, in the order of stage 5.
fn colors<'m>(
    m: &'m ModuleBuilder,
    p: &Params,
    entering: &Entering<'_, 'm>,
    compared: &Compared<'m>,
    writes: Signal<'m>,
) {
    let memory = |name: &str, width, doc: &str| {
        m.memory(name, p.request_entries, width, 1, Collision::Undefined).doc(doc)
    };
    let block = p.block(entering.request.get("address"));
    let kept = block.concat(entering.request.get("data"));
    let stores = memory("stores", kept.width(), "Blocks and data of the requests.");
    stores.write(entering.enters, entering.entry, kept);
    let winners = memory("result_masks", p.depths(), "Depths whose request wins.");
    winners.write(writes, compared.entry, compared.wins);

    let entry = Fields::new().with("entry", p.entry_bits(), "request entry");
    let waiting = Stream {
        valid: writes,
        payload: Record::new(&entry, vec![compared.entry]),
        // It has room for all entries.
        ready: m.wire("color_has_room", 1),
    };
    let queue = fifo::buffer(m, "color_queue", waiting, p.request_entries);
    let valid = m.reg("color_shown", 1, 0);
    let shown = m.reg_without_reset("color_shown_entry", p.entry_bits());
    let ready = m.wire("color_taken", 1);
    let moves = (!*valid | *ready).named("color_moves");
    let next = queue.payload.get("entry");
    queue.ready.set(moves);
    m.when(moves, || {
        valid.set(queue.valid);
        shown.set(next);
    });
    let reads = (moves & queue.valid).named("color_is_read");
    let kept = stores.read("color_store", reads, next);
    let wins = winners.read("color_wins", reads, next);
    let bytes = p.bytes() / p.depths();
    let mask = column(m, wins.to_bits().into_iter().map(|won| won.repeat(bytes)));
    let address = p.address(kept.slice(32 * p.lanes..32 * p.lanes + p.block_bits()));
    let channel = &channels::channels(p)[COLOR];
    let payload = vec![*shown, address, mask, kept.truncate(32 * p.lanes)];
    Stream { valid: *valid, payload: Record::new(&channel.fields, payload), ready }
        .output(m, channel.name);
}

/// Takes a reset, waits until the unit is at rest, has the L2 clear its depths, and says so. Gives when the
/// Z-cache is discarded.
pub(super) fn reset<'m>(
    m: &'m ModuleBuilder,
    at_rest: Signal<'m>,
    resetting: Wire<'m>,
) -> Signal<'m> {
    let [idle, drains, clears, waits, done] =
        m.states("reset", ["idle", "drains", "clears", "waits", "done"]);
    let state = m.reg("reset_state", 3, 0);
    let reset = Stream::input(m, "reset", &Fields::new());
    reset.ready.set(state.eq(idle));
    resetting.set(state.ne(idle));
    let cleared = m.input("zclear_ack_valid", 1);
    let named = |state_is: Signal<'m>, ready: &str| Stream {
        valid: state.eq(state_is),
        payload: Record::new(&Fields::new(), Vec::new()),
        ready: m.wire(ready, 1),
    };
    let (zclear, reset_done) = (named(clears, "zclear_taken"), named(done, "reset_done_taken"));
    let discards = (state.eq(drains) & at_rest).named("discards");
    m.switch(*state, |s| {
        s.case(idle, || {
            m.when(reset.valid, || state.set(drains));
        });
        s.case(drains, || {
            m.when(at_rest, || state.set(clears));
        });
        s.case(clears, || {
            m.when(*zclear.ready, || state.set(waits));
        });
        s.case(waits, || {
            m.when(cleared, || state.set(done));
        });
        s.default(|| {
            m.when(*reset_done.ready, || state.set(idle));
        });
    });
    zclear.output(m, "zclear");
    reset_done.output(m, "reset_done");
    discards
}
