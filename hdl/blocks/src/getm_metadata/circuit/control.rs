//! When the stages move, and what happens while they do not: the walk of an insertion, clearing.
//!
//! ```text
//! run --kick--> read -> load -> place --kick--> read
//!                                     --leave--> leave -> settle
//!                                     ---------> settle -> refetch3 -> refetch2 -> run
//! run --leave--> leave
//! run --clear--> settle -> clear -> refetch3
//! ```
//!
//! In `run`, stage 4 is done with a request at each clock. An entry that is displaced looks for
//! another place in `read`, `load` and `place`, three clocks a displacement; then what stages 2 and 3
//! had read may be old, and is read again.

use warpsmith_rtl::library::record::Record;
use warpsmith_rtl::{ModuleBuilder, Reg, Signal, Wire, address_bits};

use super::stage::entry_fields;
use crate::getm_metadata::params::Params;

const STATES: [&str; 9] =
    ["run", "read", "load", "place", "leave", "settle", "refetch3", "refetch2", "clear"];
const CLEAR: u64 = 8;

/// The state, and what decides the next.
pub(super) struct Control<'m> {
    pub run: Signal<'m>,
    pub read: Signal<'m>,
    pub load: Signal<'m>,
    pub place: Signal<'m>,
    pub leave: Signal<'m>,
    pub refetch3: Signal<'m>,
    pub refetch2: Signal<'m>,
    pub clear: Signal<'m>,
    /// The row that is cleared.
    pub clear_row: Signal<'m>,
    /// The RAM was cleared after reset.
    pub init_done: Signal<'m>,
    /// Of stage 4: it has no request or is done with it at the edge.
    pub step: Wire<'m>,
    /// Stages 1 to 4 take over from those before them.
    pub advance: Signal<'m>,
    /// What stage 4 is done with keeps the stages from moving on.
    pub disturbs: Signal<'m>,
    /// The victim stages move on.
    pub victims_advance: Signal<'m>,
    /// An entry is displaced at the edge.
    pub kick: Wire<'m>,
    /// An entry leaves the banks at the edge.
    pub leaves_banks: Wire<'m>,
    /// It has found another place.
    pub left: Wire<'m>,
    /// Everything is to be cleared.
    pub clears: Wire<'m>,
    /// The bank whose entry is displaced next.
    pub kick_bank: Signal<'m>,
    /// Another entry may be displaced.
    pub may_kick: Signal<'m>,
    /// The entry that looks for a place; to be set where `kick` or `leaves_banks` is.
    pub moving: Vec<Reg<'m>>,
}

impl<'m> Control<'m> {
    /// The entry that looks for a place.
    pub fn moving(&self, p: &Params) -> Record<'m> {
        Record::new(&entry_fields(p), self.moving.iter().map(|register| **register).collect())
    }
}

pub(super) fn control<'m>(m: &'m ModuleBuilder, p: &Params) -> Control<'m> {
    let states = m.states("state", STATES);
    let state = m.reg("state", address_bits(STATES.len() as u32), CLEAR);
    let is = |name: &str| {
        let index = STATES.iter().position(|state| *state == name).expect("a state");
        state.eq(states[index]).named(&format!("in_{name}"))
    };
    let run = is("run");

    let step = m.wire("step", 1).doc("Stage 4 has no request, or is done with it at the edge.");
    let kick = m.wire("kick", 1).doc("An entry is displaced at the edge.");
    let leaves_banks = m.wire("leaves_banks", 1).doc("An entry leaves the banks at the edge.");
    let left = m.wire("left", 1).doc("It has found another place.");
    let clears = m.wire("clears", 1).doc("Everything is to be cleared.");
    let disturbs = (*kick | *leaves_banks | *clears).named("disturbs");
    let advance = (run & *step & !disturbs).named("advance").doc("Stages 1 to 4 move on.");
    let victims_advance = (!run | *step).named("victims_advance");

    let rows = p.rows_per_way.max(p.bloom_rows);
    let clear_row = m.reg("clear_row", rows.ilog2(), 0);
    let clear = is("clear");
    let cleared = (clear & clear_row.all()).named("cleared");
    m.when(clear, || clear_row.set(*clear_row + 1));
    let init_done = m.reg("initialised", 1, 0);
    m.when(cleared, || init_done.set(1));
    let clearing = m.reg("clearing", 1, 0).doc("A clear waits for the victim stages to empty.");
    m.when(*clears, || clearing.set(1)).otherwise_when(cleared, || clearing.set(0));

    let [to_run, to_read, to_load, to_place, to_leave, to_settle, ..] = states;
    let [.., to_refetch3, to_refetch2, to_clear] = states;
    let place = |otherwise: &dyn Fn()| {
        m.when(*kick, || state.set(to_read))
            .otherwise_when(*leaves_banks, || state.set(to_leave))
            .otherwise(otherwise);
    };
    m.switch(*state, |s| {
        s.case(to_run, || {
            place(&|| {
                m.when(*clears, || state.set(to_settle));
            });
        });
        s.case(to_read, || state.set(to_load));
        s.case(to_load, || state.set(to_place));
        s.case(to_place, || place(&|| state.set(to_settle)));
        s.case(to_leave, || {
            m.when(*left, || state.set(to_settle));
        });
        s.case(to_settle, || state.set(clearing.mux(to_clear, to_refetch3)));
        s.case(to_refetch3, || state.set(to_refetch2));
        s.case(to_refetch2, || state.set(to_run));
        s.default(|| {
            m.when(cleared, || state.set(to_refetch3));
        });
    });

    let (kick_bank, may_kick) = kicks(m, p, *kick, is("settle"));
    let moving = entry_fields(p)
        .iter()
        .map(|field| m.reg_without_reset(&format!("moving_{}", field.name), field.width))
        .collect();
    Control {
        run,
        read: is("read"),
        load: is("load"),
        place: is("place"),
        leave: is("leave"),
        refetch3: is("refetch3"),
        refetch2: is("refetch2"),
        clear,
        clear_row: *clear_row,
        init_done: *init_done,
        step,
        advance,
        disturbs,
        victims_advance,
        kick,
        leaves_banks,
        left,
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
