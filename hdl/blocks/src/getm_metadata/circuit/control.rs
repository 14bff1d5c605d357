//! When the stages move, and what happens while they do not: the walk of an insertion, clearing.
//!
//! ```text
//! run --kick--> read -> load -> choose -> place --kick--> read
//!                                               --leave--> leave -> settle
//!                                               ---------> settle -> turn -> run
//! run --leave--> leave
//! run --clear--> settle -> clear -> turn
//! ```
//!
//! In `run`, stage 5 is done with a request at each clock. An entry that is displaced looks for
//! another place in `read` to `place`, four clocks a displacement. Then what stages 2 to 4 had read may
//! be old: in `turn` the requests in stages 1 to 4 go round once, and are read again.

use super::stage::content_fields;
use crate::getm_metadata::params::Params;
use crate::kit::*;

codes! {
    /// What the control does: requests run, an entry looks for a place, or the RAM is cleared.
    pub enum State {
        Run,
        Read,
        Load,
        Choose,
        Place,
        Leave,
        Settle,
        Turn,
        Clear,
    }
}

const STATES: [&str; State::ALL.len()] =
    ["run", "read", "load", "choose", "place", "leave", "settle", "turn", "clear"];

/// The state, and what decides the next.
pub(super) struct Control<'m> {
    pub run: Signal<'m>,
    pub read: Signal<'m>,
    pub load: Signal<'m>,
    pub choose: Signal<'m>,
    pub place: Signal<'m>,
    pub leave: Signal<'m>,
    pub turn: Signal<'m>,
    pub clear: Signal<'m>,
    pub clear_row: Signal<'m>,
    /// The RAM was cleared after reset.
    pub init_done: Signal<'m>,
    /// Of stage 5: it has no request or is done with it at the edge.
    pub step: Wire<'m>,
    /// Stages 1 to 5 take over from those before them.
    pub advance: Signal<'m>,
    /// Stages 1 to 4 take over, in a turn stage 1 from stage 4.
    pub moves: Signal<'m>,
    /// What stage 5 is done with keeps the stages from moving on.
    pub disturbs: Signal<'m>,
    pub victims_advance: Signal<'m>,
    /// An entry is displaced at the edge.
    pub kick: Wire<'m>,
    /// An entry leaves the banks at the edge.
    pub leaves_banks: Wire<'m>,
    /// A request to clear is done with at the edge.
    pub ends_clear: Wire<'m>,
    /// Everything is to be cleared.
    pub clears: Wire<'m>,
    /// The bank whose entry is displaced next.
    pub kick_bank: Signal<'m>,
    /// Another entry may be displaced.
    pub may_kick: Signal<'m>,
    /// The entry that looks for a place; to be set where `kick` or `leaves_banks` is.
    pub moving: Held<'m>,
}

pub(super) fn control<'m>(m: &'m ModuleBuilder, p: &Params) -> Control<'m> {
    let states = m.states("state", STATES);
    let state = m.reg("state", address_bits(STATES.len() as u32), State::Clear as u64);
    let is = |wanted: State| {
        state.eq(states[wanted as usize]).named(&format!("in_{}", STATES[wanted as usize]))
    };
    let run = is(State::Run);

    let step = m.wire("step", 1).doc("Stage 5 has no request, or is done with it at the edge.");
    let kick = m.wire("kick", 1).doc("An entry is displaced at the edge.");
    let leaves_banks = m.wire("leaves_banks", 1).doc("An entry leaves the banks at the edge.");
    let ends_clear = m.wire("ends_clear", 1).doc("A request to clear is done with at the edge.");
    let clears = m.wire("clears", 1).doc("Everything is to be cleared.");
    let disturbs = (*kick | *leaves_banks | *ends_clear).named("disturbs");
    let advance = (run & *step & !disturbs).named("advance").doc("Stages 1 to 5 move on.");
    let turn = is(State::Turn);
    let turns = m.reg("turns", 2, 0).doc("Stages that the requests in 1 to 4 have gone round.");
    m.when(turn, || turns.set(*turns + 1));
    let turned = (turn & turns.all()).named("turned");
    let moves = (advance | turn).named("moves").doc("Stages 1 to 4 move on, or round.");
    let victims_advance = (!run | *step).named("victims_advance");

    let rows = p.rows_per_way.max(p.bloom_rows);
    let clear_row = m.reg("clear_row", rows.ilog2(), 0);
    let clear = is(State::Clear);
    let cleared = (clear & clear_row.all()).named("cleared");
    m.when(clear, || clear_row.set(*clear_row + 1));
    let init_done = m.reg("initialised", 1, 0);
    m.when(turned, || init_done.set(1));
    let clearing = m.reg("clearing", 1, 0).doc("A clear waits for the victim stages to empty.");
    m.when(*clears, || clearing.set(1)).otherwise_when(cleared, || clearing.set(0));

    let [to_run, to_read, to_load, to_choose, to_place, ..] = states;
    let [.., to_leave, to_settle, to_turn, to_clear] = states;
    let place = |otherwise: &dyn Fn()| {
        m.when(*kick, || state.set(to_read))
            .otherwise_when(*leaves_banks, || state.set(to_leave))
            .otherwise(otherwise);
    };
    m.switch(*state, |s| {
        s.case(to_run, || {
            place(&|| {
                m.when(*ends_clear, || state.set(to_settle));
            });
        });
        s.case(to_read, || state.set(to_load));
        s.case(to_load, || state.set(to_choose));
        s.case(to_choose, || state.set(to_place));
        s.case(to_place, || place(&|| state.set(to_settle)));
        s.case(to_leave, || state.set(to_settle));
        s.case(to_settle, || state.set(clearing.mux(to_clear, to_turn)));
        s.case(to_turn, || {
            m.when(turned, || state.set(to_run));
        });
        s.default(|| {
            m.when(cleared, || state.set(to_turn));
        });
    });

    let (kick_bank, may_kick) = kicks(m, p, *kick, is(State::Settle));
    let moving = Held::new(m, "moving", &content_fields(p));
    Control {
        run,
        read: is(State::Read),
        load: is(State::Load),
        choose: is(State::Choose),
        place: is(State::Place),
        leave: is(State::Leave),
        turn,
        clear,
        clear_row: *clear_row,
        init_done: *init_done,
        step,
        advance,
        moves,
        disturbs,
        victims_advance,
        kick,
        leaves_banks,
        ends_clear,
        clears,
        kick_bank,
        may_kick,
        moving,
    }
}

/// The bank whose entry is displaced next, one after the other, and whether one may be.
fn kicks<'m>(
    m: &'m ModuleBuilder,
    p: &Params,
    kick: Signal<'m>,
    ends: Signal<'m>,
) -> (Signal<'m>, Signal<'m>) {
    if p.max_kicks == 0 {
        return (m.lit(p.ways, 1), m.lit(1, 0));
    }
    let count = m.reg("kicks", address_bits(p.max_kicks + 1), 0).doc("Entries displaced so far.");
    m.when(kick, || count.set(*count + 1)).otherwise_when(ends, || count.set(0));
    let may_kick = count.ne(p.max_kicks).named("may_kick");
    if p.ways == 1 {
        return (m.lit(1, 1), may_kick);
    }
    let bank = m.reg("kick_bank", p.ways, 1).doc("The bank whose entry is displaced next.");
    let next = bank.slice(0..p.ways - 1).concat(bank.bit(p.ways - 1));
    m.when(kick, || bank.set(next)).otherwise_when(ends, || bank.set(1));
    (*bank, may_kick)
}
