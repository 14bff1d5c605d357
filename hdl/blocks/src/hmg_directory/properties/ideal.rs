//! The ideal set: who holds which block of the chosen set, and what an answer may say of it.

use warpsmith_rtl::library::one_hot;
use warpsmith_rtl::library::record::{Fields, Record};
use warpsmith_rtl::{Bits, ModuleBuilder, Signal, address_bits};

use crate::hmg_directory::params::Params;
use crate::hmg_directory::rules::{self, Rule};

/// An invalidation of the chosen set that has left.
pub(super) fn sent_fields(p: &Params) -> Fields {
    Fields::new().with("tag", p.tag_bits(), "the block's tag").with(
        "sharers",
        p.sharers(),
        "who was told",
    )
}

/// For each block of the chosen set, by its tag, the nodes that hold it.
#[derive(Clone)]
pub(super) struct Holders<'m>(pub Vec<Signal<'m>>);

impl<'m> Holders<'m> {
    /// The nodes that hold the block of that tag.
    pub fn of(&self, tag: Signal<'m>) -> Signal<'m> {
        one_hot::select(one_hot::decode(tag, self.0.len() as u32), &self.0)
    }

    /// Whether more blocks are held than that.
    pub fn exceed(&self, count: u32) -> Signal<'m> {
        let m = self.0[0].module();
        if count as usize >= self.0.len() {
            return m.lit(1, 0);
        }
        let width = address_bits(self.0.len() as u32 + 1);
        let held = self.0.iter().map(|nodes| nodes.any().zero_extend(width));
        held.reduce(|a, b| a + b).expect("a block").gt(count)
    }
}

/// What an answer to a request comes to.
pub(super) struct Judged<'m> {
    /// Each rule about it, and whether it is kept.
    pub rules: Vec<(Rule, Signal<'m>)>,
    /// An invalidation belongs to it.
    pub tells: Signal<'m>,
    /// Who holds what afterwards.
    pub holders: Holders<'m>,
}

/// Judges an answer by who holds what, and by the invalidation that left for it if there is one.
pub(super) fn judge<'m>(
    m: &'m ModuleBuilder,
    p: &Params,
    holders: &Holders<'m>,
    request: &Record<'m>,
    flags: &Record<'m>,
    (any_sent, sent): (Signal<'m>, &Record<'m>),
) -> Judged<'m> {
    let [load, store, invalidate, downgrade] =
        ["load", "store", "invalidate", "downgrade"].map(|op| request.get(op));
    let (source, tag) = (request.get("source"), request.get("tag"));
    let here = load | store | invalidate | downgrade;
    let nothing = request.get("error") | request.get("release");

    let held = holders.of(tag);
    let gpms = m.constant(Bits::from_fn(p.sharers(), |i| i < p.gpm_sharers()));
    let told = (held & !source).and_where(store) | (held & gpms).and_where(invalidate);
    let after = (held | source).and_where(load)
        | source.and_where(store)
        | (held & !source).and_where(downgrade);
    let allocated = here & !held.any() & after.any();
    let [hit_flag, allocated_flag, evicted_flag] =
        ["hit", "allocated", "evicted"].map(|flag| flags.get(flag));
    let as_due =
        hit_flag.eq(held.any()) & allocated_flag.eq(allocated) & (allocated | !evicted_flag);
    let quiet = !hit_flag & !allocated_flag & !evicted_flag;

    let evicts = evicted_flag & here;
    let tells = here & (told.any() | evicted_flag);
    let (sent_tag, sent_to) = (sent.get("tag"), sent.get("sharers"));
    let due = evicts.mux(holders.of(sent_tag), told);
    let of_block = sent_tag.eq(tag);
    let when_sent = |kept: Signal<'m>| !(tells & any_sent) | kept;

    let no_nodes = m.constant(Bits::zeros(p.sharers()));
    let next = holders.0.iter().zip(0u64..).map(|(nodes, number)| {
        let evicted = tells & any_sent & evicts & sent_tag.eq(number);
        let updated = here & tag.eq(number);
        updated.mux(after, evicted.mux(no_nodes, *nodes))
    });
    let next = Holders(next.collect());
    let rules = vec![
        (rules::ANSWER_FLAGS, (!here | as_due) & (!nothing | quiet)),
        (rules::ANSWER_AFTER_INVALIDATION, !tells | any_sent),
        (rules::NO_LOST_SHARER, when_sent((of_block | evicts) & !(due & !sent_to).any())),
        (
            rules::NO_SPURIOUS_INVALIDATION,
            when_sent(!(sent_to & !due).any() & !(evicts & of_block)),
        ),
        (rules::SOURCE_SPARED, when_sent(!store | evicts | !(sent_to & source).any())),
        (rules::EVICTION_ONLY_IF_FULL, when_sent(!evicts | holders.exceed(p.ways - 1))),
        (rules::EVICTION_TELLS_ALL, !next.exceed(p.ways)),
    ];
    Judged { rules, tells, holders: next }
}
