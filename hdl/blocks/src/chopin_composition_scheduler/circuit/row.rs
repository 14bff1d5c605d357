//! A row of the table: what is known of a GPU (table 6.1), and which sources it may receive from.

use super::GROUP_BITS;
use crate::chopin_composition_scheduler::params::Params;
use crate::kit::*;

/// What tells a row of its own GPU.
struct Entry<'m> {
    cgid: Reg<'m>,
    ready: Reg<'m>,
    waiting: Reg<'m>,
    receiving: Reg<'m>,
    source: Reg<'m>,
    sending: Reg<'m>,
    sent: Reg<'m>,
    received: Reg<'m>,
}

/// The start on offer.
struct Offered<'m> {
    here: Signal<'m>,
    source: Signal<'m>,
    sources: Signal<'m>,
}

/// The module `chopin_composition_row`.
pub(super) fn row(p: &Params) -> Module {
    let m = ModuleBuilder::new("chopin_composition_row");
    m.describe(
        "A row of the composition scheduler's table: a GPU's group, what it sends and receives, with\n\
         whom it has composed, and which sources it may receive from next.",
    );
    build(&m, p);
    m.finish()
}

impl<'m> Entry<'m> {
    fn new(m: &'m ModuleBuilder, p: &Params) -> Self {
        Self {
            cgid: m.reg("cgid", p.cgid_bits, 0).doc("The group that it composes, or was the last."),
            ready: m.reg("ready", 1, 0).doc("It composes a group."),
            waiting: m.reg("waiting", 1, 0).doc("It has finished the next group too."),
            receiving: m.reg("receiving", 1, 0),
            source: m.reg_without_reset("receives_from", p.gpu_bits()).doc("Whose sub-image."),
            sending: m.reg("sending", 1, 0),
            sent: m.reg("sent", p.gpus, 0).doc("GPUs that have its sub-image."),
            received: m.reg("received", p.gpus, 0).doc("GPUs whose sub-images it has."),
        }
    }
}

fn build(m: &ModuleBuilder, p: &Params) {
    let own = m.input("own", p.gpus).doc("the GPU's number, one-hot");
    let entry = Entry::new(m, p);
    let group = entry.cgid.slice(0..GROUP_BITS).named("kept_group");
    let kinds = m.input("kinds", 1 << GROUP_BITS).doc("of each group 1 if it is transparent");
    let transparent = kind_of(kinds, group).named("transparent");
    let offered = Offered {
        here: m.input("offered", 1).doc("the start on offer is to this GPU"),
        source: m.input("offered_source", p.gpu_bits()).doc("its source"),
        sources: m.input("offered_sources", p.gpus).doc("the same, one-hot, if a GPU"),
    };
    let accepts = finish(m, &entry, group, kinds);
    let resets = end(m, p, &entry, own, (transparent, &offered));

    // Of one clock, finished counts first.
    let has_next = (*entry.waiting | (accepts & *entry.ready)).named("has_next");
    entry.ready.set(resets.mux(has_next, *entry.ready | accepts));
    entry.waiting.set(has_next & !resets);
    let begins = ((accepts & !*entry.ready) | (resets & has_next)).named("begins_group");
    m.when(begins, || entry.cgid.set(*entry.cgid + 1));

    sources(m, p, &entry, own, (transparent, &offered));
    m.output("group", *entry.cgid);
    m.output("odd", entry.cgid.bit(0));
    m.output("is_free", *entry.ready & !*entry.sending).doc("it may send");
    let busy = *entry.receiving | *entry.sending | *entry.waiting;
    m.assert("busy_is_ready", !busy | *entry.ready, "Only a GPU that composes is busy.");
}

fn kind_of<'m>(kinds: Signal<'m>, group: Signal<'m>) -> Signal<'m> {
    one_hot::select(one_hot::decode(group, kinds.width()), &kinds.to_bits())
}

/// Whether what the GPU has finished is well-formed.
fn finish<'m>(
    m: &'m ModuleBuilder,
    entry: &Entry<'m>,
    group: Signal<'m>,
    kinds: Signal<'m>,
) -> Signal<'m> {
    let finished = m.input("finished", 1).doc("the GPU has finished a group");
    let transparent = m.input("finished_transparent", 1).doc("1 a transparent one");
    let newest = m.input("newest", GROUP_BITS).doc("the newest group that some GPU has finished");
    let is_first = group.eq(newest).named("is_first");
    let same_kind = kind_of(kinds, group + 1).eq(transparent).named("same_kind");
    let third = finished & *entry.waiting;
    let accepts = (finished & !*entry.waiting & (is_first | same_kind)).named("accepts_finished");
    m.output("third", third).doc("it has finished the next group already");
    m.output("accepts", accepts);
    m.output("opens", accepts & is_first).doc("it is the first to finish its group");
    accepts
}

/// Notes transfers that start and end; whether the GPU has composed with all others.
fn end<'m>(
    m: &'m ModuleBuilder,
    p: &Params,
    entry: &Entry<'m>,
    own: Signal<'m>,
    (transparent, offered): (Signal<'m>, &Offered<'m>),
) -> Signal<'m> {
    let done = m.input("done", 1).doc("a transfer to the GPU has ended");
    let done_source = m.input("done_source", p.gpu_bits()).doc("its source");
    let sender = m.input("sender", p.gpus).doc("the same, one-hot");
    let ended =
        m.input("ended", p.gpus).doc("the receiver of the transfer that has ended, one-hot");
    // A start that is offered is not taken yet.
    let same_source = done_source.eq(*entry.source).named("same_source");
    let ended_here = (done & *entry.receiving & same_source & !offered.here).named("receives_end");
    let sends = (offered.sources & own).any().named("sends");
    let sent_now = (ended & !own).and_where((sender & own).any()).named("sent_now");
    entry.receiving.set(offered.here | (*entry.receiving & !ended_here));
    entry.sending.set(sends | (*entry.sending & !sent_now.any()));
    m.when(offered.here, || entry.source.set(offered.source));

    let sent = (*entry.sent | sent_now).named("sent_next");
    let received = (*entry.received | sender.and_where(ended_here)).named("received_next");
    let background = own & (!transparent).repeat(p.gpus);
    let resets = ((sent | own).all() & (received | background).all()).named("resets");
    let unless_reset = |value: Signal<'m>| value.and_where(!resets);
    entry.sent.set(unless_reset(sent));
    entry.received.set(unless_reset(received));
    m.output("ended_here", ended_here);
    resets
}

/// Finds the sources that the GPU may receive from, and in the next clock the preferred of them.
fn sources<'m>(
    m: &'m ModuleBuilder,
    p: &Params,
    entry: &Entry<'m>,
    own: Signal<'m>,
    (transparent, offered): (Signal<'m>, &Offered<'m>),
) {
    let [even, odd] = ["even", "odd"].map(|kind| {
        let doc = format!("GPUs that may send in an {kind} group");
        m.input(&format!("sources_{kind}"), p.gpus).doc(&doc)
    });
    let below_own = m.input("below_own", p.gpus).doc("lower numbers");
    let received = *entry.received;
    // In a transparent group these stand in a row.
    let run = (received | own).named("run");
    let zero = m.lit(1, 0);
    let above_each = run.slice(0..p.gpus - 1).concat(zero);
    let neighbours = (above_each | zero.concat(run.slice(1..p.gpus))).named("neighbours");
    let due = transparent.mux(neighbours, !m.lit(p.gpus, 0)) & !run;
    // GPUs are at most one group apart.
    let same_group = entry.cgid.bit(0).mux(odd, even).named("same_group");
    let background = (own & !received).and_where(transparent & run.all()).named("background");
    let idle = *entry.ready & !*entry.receiving & !offered.here;
    let idle = idle.named("may_receive");
    let may_take = m.reg("may_take", p.gpus, 0).doc("Sources that it might receive from.");
    may_take.set(((due & same_group) | background).and_where(idle));

    // A GPU that sends may compose with the background.
    let taken = offered.sources & !own;
    let still = (*may_take & !taken).and_where(!offered.here).named("may_still_take");
    let below = (still & below_own).named("sources_below");
    let above = (still & !below_own).named("sources_above");
    let source = below.any().mux(highest(below), highest(above)).named("preferred_source");
    m.output("may_start", still.any()).doc("the GPU may receive");
    m.output("source", source).doc("from whom first, one-hot");
}

/// The highest one alone.
fn highest(bits: Signal<'_>) -> Signal<'_> {
    reversed(one_hot::lowest(reversed(bits)))
}

fn reversed(bits: Signal<'_>) -> Signal<'_> {
    bits.module().concat(&bits.to_bits())
}
