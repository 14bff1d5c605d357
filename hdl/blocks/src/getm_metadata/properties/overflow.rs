//! The memory behind the overflow space: what is there, and how it may answer.

use warpsmith_rtl::library::one_hot;
use warpsmith_rtl::library::record::{Fields, Record};
use warpsmith_rtl::{ModuleBuilder, Reg, Signal};

use super::truth::{granule_of, same};
use crate::getm_metadata::channels::{OverflowOp, metadata_fields};
use crate::getm_metadata::params::Params;
use crate::getm_metadata::rules;
use crate::properties::Watched;

const METADATA: [&str; 4] = ["wts", "rts", "writes", "owner"];

/// What is remembered of the overflow space.
pub(crate) struct Space<'m> {
    /// A bit for each granule: it has an entry.
    pub there: Reg<'m>,
    /// What is kept of the chosen granule, if it has one.
    pub kept: Record<'m>,
    /// A lookup has not been answered.
    pub unanswered: Reg<'m>,
    /// It is of the chosen granule.
    pub of_chosen: Reg<'m>,
    /// There was an entry.
    pub found: Reg<'m>,
    /// What was kept then of the chosen granule.
    pub looked_up: Record<'m>,
    /// A lookup is made where it cannot be remembered.
    pub too_many: Signal<'m>,
}

impl<'m> Space<'m> {
    /// Watches what is asked, asserts that it is in order, and assumes that lookups are answered with
    /// what is there. Of the others, no more is known than that they are reserved.
    pub fn new(
        m: &'m ModuleBuilder,
        p: &Params,
        chosen: Signal<'m>,
        asked: &Watched<'m>,
        answer: &Watched<'m>,
    ) -> Self {
        let register = |name: &str, width| m.reg(&format!("overflow_{name}"), width, 0);
        let fields = metadata_fields(p, Fields::new());
        let registers = |of: &str| -> Vec<_> {
            let register = |name: &str, width| register(&format!("{of}_{name}"), width);
            fields.iter().map(|field| register(&field.name, field.width)).collect()
        };
        let record = |registers: &[Reg<'m>]| {
            Record::new(&fields, registers.iter().map(|register| **register).collect())
        };
        let (kept, looked_up) = (registers("kept"), registers("looked_up"));
        let there = register("there", 1 << p.granule_bits());
        let unanswered = register("unanswered", 1).doc("A lookup has not been answered.");
        let [found, of_chosen] = ["found", "of_chosen"].map(|name| register(name, 1));

        let is = |op: OverflowOp| asked.fires() & asked.get("op").eq(op as usize);
        let [lookup, insert, update, remove] = OverflowOp::ALL.map(is);
        let granule = granule_of(p, asked.get("address"));
        let which = one_hot::decode(granule, there.width());
        let is_there = (*there & which).any();
        let in_order = sound(p, *there, &asked.payload);
        rules::OVERFLOW_IN_ORDER.assert(m, !asked.fires() | in_order);

        there.set((*there | which.and_where(insert)) & !which.and_where(remove));
        let here = granule.eq(chosen);
        m.when((insert | update) & here, || {
            kept.iter().zip(METADATA).for_each(|(register, field)| register.set(asked.get(field)));
        });
        m.when(lookup, || {
            found.set(is_there);
            of_chosen.set(here);
            looked_up.iter().zip(&kept).for_each(|(register, kept)| register.set(**kept));
        });
        m.when(answer.fires(), || unanswered.set(0));
        m.when(lookup, || unanswered.set(1));

        let as_found = answer.get("found").eq(*found);
        let looked_up_now = record(&looked_up);
        let exact = same(&answer.payload, &looked_up_now, &METADATA);
        let of_other = answer.get("writes").any();
        let metadata = !*found | of_chosen.mux(exact, of_other);
        m.assume(
            "overflow_answers",
            !answer.valid | (*unanswered & as_found & metadata),
            "The overflow space answers lookups, with what it was told.",
        );
        let too_many = lookup & *unanswered & !answer.fires();
        let (kept, looked_up) = (record(&kept), looked_up_now);
        Self { there, kept, unanswered, of_chosen, found, looked_up, too_many }
    }
}

/// Whether what is asked is in order, with entries of those granules there.
pub(super) fn sound<'m>(p: &Params, there: Signal<'m>, asked: &Record<'m>) -> Signal<'m> {
    let is = |op: OverflowOp| asked.get("op").eq(op as usize);
    let [lookup, insert, update, remove] = OverflowOp::ALL.map(is);
    let address = asked.get("address");
    let which = one_hot::decode(granule_of(p, address), there.width());
    let is_there = (there & which).any();
    let aligned = match p.offset_bits() {
        0 => there.module().lit(1, 1),
        bits => !address.truncate(bits).any(),
    };
    let reserved = asked.get("writes").any();
    aligned
        & (!lookup | there.any())
        & (!insert | (!is_there & reserved))
        & (!update | (is_there & reserved))
        & (!remove | is_there)
}
