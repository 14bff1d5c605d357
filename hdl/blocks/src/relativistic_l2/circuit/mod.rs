//! The bank as hardware: a request per clock, six stages and the output.
//!
//! ```text
//!   queue      requests that have not been acted on, and the next fill
//! 1 read       the set's number goes to the RAMs
//! 2 data       RAM data, or what stage 6 wrote at the edge of the read
//! 3 compare    tags; the fields of the way that holds the block
//! 4 lease      now + lease and ver + lease, for each exponent that stage 5 may leave
//! 5 act        the state table; a fill takes two clocks
//! 6 write      to the RAMs
//!   leave      commands to the array and answers, one a clock
//! ```
//!
//! A request that must wait empties stages 1 to 4 of requests, which enter again from the queue, in their order;
//! fills pass. What stage 5 does to a block is forwarded to requests behind it, and to their sets from stage 6. Fills do
//! not forward their block: if a request behind one has its set, requests enter again.

mod act;
mod forward;
mod lease;
mod leave;
pub(super) mod lru;
mod misses;
mod queue;
mod rams;
mod roll;

pub(super) use misses::place_fields;
pub(super) use queue::{ENTRIES as QUEUE_ENTRIES, request_fields};

use super::channels::{Action, DRAM, ERROR, FILLED, ISSUED, channels};
use super::params::Params;
use crate::kit::*;
use forward::{Write, Written};

/// The module `relativistic_l2`.
pub(super) fn circuit(p: &Params) -> Module {
    module("relativistic_l2", |m| build(m, p))
}

/// Codes of a way's state.
pub(super) mod state {
    pub const I: u64 = 0;
    pub const V: u64 = 1;
    pub const IV: u64 = 2;
    pub const IAV: u64 = 3;
}

impl Params {
    /// Bits of the field that holds a way's exponent, or its MSHR while the block is fetched.
    pub(super) fn k_bits(&self) -> u32 {
        self.exponent_bits().max(self.mshr_bits())
    }

    /// The number of the block of a byte address, as a circuit.
    pub(super) fn block<'m>(&self, address: Signal<'m>) -> Signal<'m> {
        address.slice(self.offset_bits()..self.address_bits)
    }

    /// The byte address of a block, as a circuit.
    pub(super) fn address<'m>(&self, block: Signal<'m>) -> Signal<'m> {
        block.concat(block.module().lit(self.offset_bits(), 0))
    }
}

/// An event in the stages: a request, a fill, or a malformed roll-over.
pub(super) fn event_fields(p: &Params) -> Fields {
    queue::request_fields(p)
        .with("action", 2, "0 request, 1 fill, 2 roll")
        .with("mshr", p.mshr_bits(), "of a fill")
        .with("way", p.way_bits(), "of a fill")
}

/// Fields of a way. While its block is fetched, ver and exp are those of the MSHR, m.ver and m.rd.
pub(super) fn way_fields(p: &Params) -> Fields {
    kept_fields(p).and(time_fields(p))
}

/// Fields that a roll-over keeps.
pub(super) fn kept_fields(p: &Params) -> Fields {
    Fields::new()
        .with("state", 2, "0 I, 1 V, 2 IV, 3 IAV")
        .with("dirty", 1, "to be written back; a store has been merged")
        .with("k", p.k_bits(), "exponent of the next lease; the MSHR while the block is fetched")
        .with("readers", p.cores, "cores that wait for the block")
        .with("tag", p.block_tag_bits(), "of the block")
}

/// Fields that a roll-over sets to 0.
pub(super) fn time_fields(p: &Params) -> Fields {
    let times = Fields::new().with("ver", p.timestamp_bits, "last store; m.ver");
    times.with("exp", p.timestamp_bits, "last lease; m.rd")
}

/// An event in a stage.
#[derive(Clone)]
pub(super) struct Stage<'m> {
    pub valid: Signal<'m>,
    pub event: Record<'m>,
}

impl<'m> Stage<'m> {
    pub fn get(&self, name: &str) -> Signal<'m> {
        self.event.get(name)
    }

    /// The set of its block.
    pub fn set(&self, p: &Params) -> Signal<'m> {
        self.get("block").truncate(p.set_bits())
    }

    /// The tag of its block; a fill has none.
    pub fn tag(&self, p: &Params) -> Signal<'m> {
        self.get("block").slice(p.set_bits()..p.block_bits())
    }

    pub fn is(&self, action: Action) -> Signal<'m> {
        self.get("action").eq(action as u64)
    }

    /// The stage behind this one; requests are lost if `squash` is one.
    fn next(&self, name: &str, moves: Signal<'m>, squash: Signal<'m>) -> Self {
        let m = moves.module();
        let valid = m.reg(&format!("{name}_valid"), 1, 0);
        let held = Held::new(m, name, self.event.fields());
        m.when(moves, || {
            valid.set(self.valid & !(squash & self.is(Action::Request)));
            held.set(&self.event);
        });
        Self { valid: *valid, event: held.get().clone() }
    }
}

fn build(m: &ModuleBuilder, p: &Params) {
    describe(
        m,
        "Bank of a relativistic L2: tags, logical times and MSHRs. Ren, thesis, chapter 3.\n\n\
        Requests of the L1s come on req, and fetched data on filled, in any order. Answers leave on\n\
        resp, fetches on dram, and commands to the array of data on array, each in order. issued\n\
        shows on what the bank acts; error pulses for what is malformed, which changes nothing.",
        p,
    );
    let channels = channels(p);
    let moves = m.wire("moves", 1).doc("Stage 5 is done: all stages move on.");
    let squash = m.wire("squash", 1).doc("Requests behind stage 5 enter again.");
    let request_acts = m.wire("request_acts", 1).doc("The oldest request is acted on.");
    let written = Written::new(m, p);

    let roll = roll::Roll::new(m, p);
    let misses = misses::Misses::new(m, p);
    let control = queue::Control { moves: *moves, squash: *squash, acts: *request_acts };
    let queue = queue::Queue::new(m, p, &channels, &control, *roll.initialised);
    let filled =
        misses.filled(&channels[FILLED], *roll.initialised, *moves & roll.fills_enter(&misses));
    let stage1 = queue.enter(&control, &roll, &filled);
    let stage2 = stage1.next("stage2", *moves, *squash);
    let stage3 = stage2.next("stage3", *moves, *squash);
    let stage4 = stage3.next("stage4", *moves, *squash);
    let stage5 = stage4.next("stage5", *moves, *squash);
    let stages = [&stage1, &stage2, &stage3, &stage4, &stage5];

    let same = forward::Same::new(m, p, stages, *moves);
    let write = Write::stage6(m, p, &written, &stage5, *moves);
    let row2 =
        write.patch(&rams::rows(m, p, &stage1, &write, &roll, *moves), "stage2", same.written(2));
    let held3 = forward::hold(m, "stage3", &row2, *moves);
    let row3 = write.patch(&held3, "stage3", same.written(3));
    let row4 = write.patch(&forward::hold(m, "stage4", &row3, *moves), "stage4", same.written(4));
    let row4 = written.patch_states(&row4, same.set(4));
    let row5 =
        write.patch_rest(&forward::hold(m, "stage5", &row4, *moves), "stage5", same.written(5));
    let found4 = forward::compare(m, p, (&stage3, &held3), &same, &write, &written, *moves);
    let found5 = forward::pass(m, &stage4, &found4, &same, &written, *moves);
    let leases = lease::leases(m, p, &stage4, &found4, &same, &written, *moves);

    let dram = m.wire("dram_room", 1).doc("A fetch can leave.");
    let leave_free = m.wire("leave_free", 1).doc("The output takes an effect.");
    let idle = m.wire("leave_idle", 1).doc("No answer is under way.");
    let input = act::Input { stage: &stage5, row: &row5, found: &found5, leases: &leases };
    let act = act::act(m, p, &input, &misses, (*dram, *roll.mnow), *moves);
    moves.set(*leave_free & !act.fill_waits);
    let behind = same.requests_behind(&stages);
    squash.set(stage5.valid & (act.waits | (act.fills & behind)));
    let acts = (stage5.valid & *moves & !act.waits).named("acts");
    request_acts.set(acts & stage5.is(Action::Request));
    written.set(&act, &found5, stage5.valid);
    misses.update(&act, acts, &stage5);
    let is_empty = (!any_of(stages.map(|stage| stage.valid))).named("stages_are_empty");
    let is_answered = is_empty & *idle;
    let at_rest = if p.faithful { is_answered } else { is_answered & !misses.fetches() };
    let shown = roll.update(&act, acts, at_rest, queue.inside);

    let issued = (acts | shown).named("issues");
    show(m, p, &channels, (issued, shown), &stage5, &act);
    raise_errors(m, &channels[ERROR], "a transfer", &[acts, act.error], act.code);
    let fetch = Stream { valid: acts & act.misses, payload: act.fetch.clone(), ready: dram };
    let fetch = skid_buffer::buffer(m, "fetch", fetch);
    misses.asked(&fetch);
    fetch.output(m, channels[DRAM].name);
    leave::leave(m, p, (acts, leave_free, idle), &act, misses.tags(*moves, &stage5));
}

/// Shows the event that is acted on, a clock later.
fn show<'m>(
    m: &'m ModuleBuilder,
    p: &Params,
    channels: &[Channel],
    (issued, rolls): (Signal<'m>, Signal<'m>),
    stage5: &Stage<'m>,
    act: &act::Act<'m>,
) {
    let valid = m.reg("issued", 1, 0);
    valid.set(issued);
    let fields = &channels[ISSUED].fields;
    let held = Held::new(m, "shown", fields);
    let roll = m.lit(2, Action::Roll as u64);
    let action = rolls.mux(roll, stage5.get("action"));
    let has_block = !rolls & !(stage5.get("bad") & !stage5.is(Action::Request));
    let address = p.address(act.block.and_where(has_block));
    held.set(&Record::new(fields, vec![action, address]));
    m.output("issued_valid", *valid);
    for field in fields.iter() {
        m.output(&format!("issued_{}", field.name), held.get().get(&field.name)).doc(&field.doc);
    }
}
