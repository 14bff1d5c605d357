//! The clock after the table's answer: what it means for waiters and for the roll-over.

use warpsmith_rtl::library::record::{Fields, Record};
use warpsmith_rtl::{ModuleBuilder, Signal};

use super::Waiting;
use super::issue::Issue;
use super::table::Table;
use crate::getm_metadata::{self, Op};
use crate::getm_validation::channels::{Outcome, access_fields, decided_fields};
use crate::getm_validation::params::Params;

/// A verdict of the table, or that timestamps roll over.
pub(super) struct Verdict<'m> {
    fields: Record<'m>,
    /// An access has a verdict.
    pub access: Signal<'m>,
    /// It is to wait.
    pub parks: Signal<'m>,
    /// It was a retry.
    pub ends_retry: Signal<'m>,
    /// A release has ended a reservation.
    pub wakes: Signal<'m>,
    /// The table was to be cleared.
    pub ends_clear: Signal<'m>,
    /// The table did what it was asked.
    pub succeeds: Signal<'m>,
}

impl<'m> Verdict<'m> {
    /// A field of the verdict.
    pub fn get(&self, name: &str) -> Signal<'m> {
        self.fields.get(name)
    }
}

fn verdict_fields(p: &Params) -> Fields {
    access_fields(p, "byte address of the granule")
        .with("verdict", 3, "the table's, or 6: timestamps roll over")
        .with("timestamp", p.timestamp_bits, "what the next start has to be later than")
        .with("reserved", 1, "the granule is reserved")
        .with("stored", 1, "a store has reserved it")
}

pub(super) fn verdict<'m>(
    m: &'m ModuleBuilder,
    p: &Params,
    table: &Table<'m>,
    issue: &Issue<'m>,
    waiting: &Waiting<'m>,
) -> Verdict<'m> {
    let answers = table.output("resp_valid");
    let [op, verdict, wts, rts] =
        ["op", "verdict", "wts", "rts"].map(|field| table.output(&format!("resp_{field}")));
    let is = |wanted: Op| answers & op.eq(wanted as usize);
    let (load, store) = (is(Op::Load), is(Op::Store));

    // A WAR is caused by the write alone.
    let by_write = verdict.eq(getm_metadata::Verdict::AbortWar as usize) | wts.gt(rts);
    let timestamp = by_write.mux(wts, rts).named("reported");
    let address = table.output("resp_address").slice(p.offset_bits()..p.address_bits);
    let aligned = |granule: Signal<'m>| match p.offset_bits() {
        0 => granule,
        bits => granule.concat(m.lit(bits, 0)),
    };
    let decided = vec![
        aligned(address),
        store,
        table.output("resp_warp"),
        table.output("resp_warpts"),
        verdict,
        timestamp,
        table.output("resp_reserved"),
        store & verdict.eq(getm_metadata::Verdict::Success as usize),
    ];
    let decided = Record::new(&verdict_fields(p), decided);

    // What is refused comes here without the table, in clocks in which that says nothing.
    let refused = (issue.refuse_request | issue.refuse_retry).named("refused");
    let from = |stream: &warpsmith_rtl::library::stream::Stream<'m>| stream.payload.pack();
    let access = issue.refuse_retry.mux(from(&waiting.retry), from(&waiting.request));
    let access = Record::unpack(waiting.retry.payload.fields(), access);
    let granule = access.get("address").slice(p.offset_bits()..p.address_bits);
    let rolls = vec![
        aligned(granule),
        access.get("store"),
        access.get("warp"),
        access.get("warpts"),
        m.lit(3, Outcome::AbortRollover as u64),
        m.lit(p.timestamp_bits, 0),
        m.lit(1, 0),
        m.lit(1, 0),
    ];
    let rolls = Record::new(&verdict_fields(p), rolls);

    let flag = |name: &str, value: Signal<'m>| {
        let register = m.reg(name, 1, 0);
        register.set(value);
        *register
    };
    let is_access = flag("verdict_on_access", load | store | refused);
    let retry = (load | store) & table.output("resp_tag");
    let ends_retry = flag("verdict_on_retry", retry | issue.refuse_retry);
    let is_release = flag("verdict_on_release", is(Op::Release));
    let ends_clear = flag("verdict_on_clear", is(Op::Clear));
    let decides = flag("verdict_of_table", answers);
    let next = rolls.or_where_not(refused, &decided);
    let register = |name: &str, value: Signal<'m>| {
        let register = m.reg_without_reset(&format!("verdict_{name}"), value.width());
        register.set(value);
        *register
    };
    let fields = verdict_fields(p);
    let values = fields.iter().map(|f| register(&f.name, next.get(&f.name))).collect();
    let fields = Record::new(&fields, values);

    let verdict = fields.get("verdict");
    let doc = decided_fields();
    m.output("decided_valid", decides);
    m.output("decided_verdict", verdict).doc(&doc.iter().next().expect("a field").doc);
    let succeeds = verdict.eq(getm_metadata::Verdict::Success as usize);
    let parks = is_access & verdict.eq(getm_metadata::Verdict::Park as usize);
    Verdict {
        access: is_access,
        parks: parks.named("parks"),
        ends_retry,
        wakes: (is_release & succeeds & !fields.get("reserved")).named("wakes"),
        ends_clear,
        succeeds,
        fields,
    }
}
