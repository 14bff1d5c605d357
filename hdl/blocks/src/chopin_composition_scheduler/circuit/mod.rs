//! The scheduler as hardware: the table of figure 6.10, a row of registers a GPU, and one start that is
//! offered.
//!
//! A row finds in one clock which sources its GPU may receive from; in the next clock a receiver has its turn,
//! and its preferred source goes. What is offered counts as busy from that clock on.

mod row;

use warpsmith_rtl::library::arbiter;

use super::channels::{self, DONE, ERROR, FINISHED, Misuse, NEVER_STARTED, START};
use super::params::Params;
use crate::kit::*;

/// Groups that some GPU composes or has finished at a time: their kinds are kept by these bits of the CGID.
const GROUP_BITS: u32 = 2;

/// The module `chopin_composition_scheduler`.
pub(super) fn circuit(p: &Params) -> Module {
    module("chopin_composition_scheduler", |m| build(m, p))
}

fn build<'m>(m: &'m ModuleBuilder, p: &Params) {
    describe(
        m,
        "Image-composition scheduler: which GPU sends its sub-image to which, and when.\n\
        CHOPIN, section 6.4.5, figures 6.10 and 6.11, table 6.1.\n\n\
        finished and done are never refused, and count in this order at the clock at which\n\
        they are valid. start is ready/valid: a transfer of src's sub-image to dst, both\n\
        busy from the clock at which it is offered; src = dst is the background. What is\n\
        malformed raises error or done_error in the next clock and changes nothing.",
        p,
    );
    let channels = channels::channels(p);
    let (finished_valid, finished) = valid_only_input(m, &channels[FINISHED]);
    let (done_valid, done) = valid_only_input(m, &channels[DONE]);
    let gpu = |index: Signal<'m>| one_hot::decode(index, p.gpus);
    let finisher =
        gpu(finished.get("gpu")).and_where(finished_valid).named("finisher").doc("One-hot.");
    let receiver = gpu(done.get("dst")).and_where(done_valid).named("receiver").doc("One-hot.");
    let sender = gpu(done.get("src")).named("sender").doc("Source of the done, one-hot.");

    let newest = m.reg("newest", GROUP_BITS, 0).doc("The newest group that some GPU has finished.");
    let kinds = m.reg_without_reset("kinds", 1 << GROUP_BITS).doc("1 a transparent group.");
    let offer = Offer::new(m, p);
    let [sources_even, sources_odd] =
        ["even", "odd"].map(|kind| m.wire(&format!("sources_{kind}"), p.gpus));
    let ended = m.wire("ended", p.gpus).doc("The receiver whose transfer has ended, one-hot.");
    let offered_src = one_hot::encode(*offer.src).named("offered_source");

    let module = row::row(p);
    let row = |number: u32| {
        let inputs = [
            ("own", m.constant(Bits::from_fn(p.gpus, |bit| bit == number))),
            ("below_own", m.constant(Bits::from_fn(p.gpus, |bit| bit < number))),
            ("finished", finisher.bit(number)),
            ("finished_transparent", finished.get("transparent")),
            ("newest", *newest),
            ("kinds", *kinds),
            ("done", receiver.bit(number)),
            ("done_source", done.get("src")),
            ("sender", sender),
            ("ended", *ended),
            ("sources_even", *sources_even),
            ("sources_odd", *sources_odd),
            ("offered_sources", offer.sends),
            ("offered", offer.dst.bit(number)),
            ("offered_source", offered_src),
        ];
        m.instance(&format!("row{number}"), &module, &inputs)
    };
    let rows: Vec<_> = (0..p.gpus).map(row).collect();
    let outputs = |name: &str| rows.iter().map(|row| row.output(name)).collect::<Vec<_>>();
    let columns = |name: &str| m.concat_low_first(&outputs(name));

    ended.set(columns("ended_here"));
    let free = (columns("is_free") & !offer.sends).named("free_sources");
    let odd = columns("odd").named("odd_groups");
    sources_even.set(free & !odd);
    sources_odd.set(free & odd);

    // The first GPU that finishes a group says of which kind it is.
    let opens = columns("opens").any().named("opens_group");
    let opened = (*newest + 1).named("opened_group");
    let place = one_hot::decode(opened, 1 << GROUP_BITS);
    m.when(opens, || {
        newest.set(opened);
        let transparent = place.and_where(finished.get("transparent"));
        kinds.set((*kinds & !place) | transparent);
    });

    offer.next(columns("may_start"), &outputs("source"));
    let cgid = one_hot::select(*offer.dst, &outputs("group")).named("offered_cgid");
    let dst = one_hot::encode(*offer.dst).named("offered_receiver");
    let payload = Record::new(&channels[START].fields, vec![offered_src, dst, cgid]);
    Stream { valid: *offer.valid, payload, ready: offer.taken }.output(m, channels[START].name);

    let third = columns("third").any();
    let code = third.mux(m.lit(2, Misuse::Third as u64), Misuse::OtherKind as u64);
    let code = match p.has_strangers() {
        true => finisher.any().mux(code, Misuse::NoSuchGpu as u64),
        false => code,
    };
    let refused = !columns("accepts").any();
    raise_errors(m, &channels[ERROR], "finished", &[finished_valid, refused], code);
    let never_started = m.reg("never_started", 1, 0).doc("The last clock had a done of nothing.");
    never_started.set(done_valid & !ended.any());
    m.output("done_error_valid", *never_started);
    m.output("done_error_code", m.lit(1, NEVER_STARTED));
}

/// The start that is offered.
struct Offer<'m> {
    m: &'m ModuleBuilder,
    valid: Reg<'m>,
    /// Receiver and source, one-hot; zero where nothing is offered.
    dst: Reg<'m>,
    src: Reg<'m>,
    /// The source, one-hot, if it is a GPU.
    sends: Signal<'m>,
    taken: Wire<'m>,
    gpus: u32,
}

impl<'m> Offer<'m> {
    fn new(m: &'m ModuleBuilder, p: &Params) -> Self {
        let valid = m.reg("offers", 1, 0).doc("A start is offered.");
        let dst = m.reg("offered_dst", p.gpus, 0).doc("Its receiver, one-hot.");
        let src = m.reg("offered_src", p.gpus, 0).doc("Its source, one-hot.");
        let sends = (*src & !*dst).named("offered_sources");
        Self { m, valid, dst, src, sends, taken: m.wire("start_taken", 1), gpus: p.gpus }
    }

    /// Offers the next start: receivers that may take turns, each with its own source.
    fn next(&self, receivers: Signal<'m>, sources: &[Signal<'m>]) {
        let next = (*self.taken | !*self.valid).named("offers_next");
        let turn = self.m.instance(
            "turn",
            &arbiter::round_robin(self.gpus),
            &[("requests", receivers), ("advance", next)],
        );
        let grant = turn.output("grant");
        self.m.when(next, || {
            self.valid.set(receivers.any());
            self.dst.set(grant);
            self.src.set(one_hot::select(grant, sources));
        });
    }
}
