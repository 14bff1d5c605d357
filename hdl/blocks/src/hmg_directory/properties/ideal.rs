//! The ideal set: which nodes hold which block of the chosen set, and what an answer may say of it.

use super::{set_of, tag_of};
use crate::hmg_directory::channels::{Misuse, Op, source_kind};
use crate::hmg_directory::params::Params;
use crate::hmg_directory::rules;
use crate::kit::*;

/// An invalidation of the chosen set.
pub(super) fn sent_fields(p: &Params) -> Fields {
    let tag = Fields::new().with("tag", p.tag_bits(), "the block's tag");
    tag.with("sharers", p.sharers(), "the nodes told")
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
        let width = address_bits(self.0.len() as u32 + 1);
        let held = count_of(self.0.iter().map(|nodes| nodes.any()), width);
        if count as usize >= self.0.len() { m.lit(1, 0) } else { held.gt(count) }
    }

    pub fn eq(&self, other: &Holders<'m>) -> Signal<'m> {
        let same: Vec<_> = self.0.iter().zip(&other.0).map(|(a, b)| a.eq(*b)).collect();
        all_of(self.0[0].module(), &same)
    }

    /// These where `condition` is one, else `other`.
    pub fn or_where_not(&self, condition: Signal<'m>, other: &Holders<'m>) -> Holders<'m> {
        Holders(self.0.iter().zip(&other.0).map(|(a, b)| condition.mux(*a, *b)).collect())
    }
}

/// What an answer comes to.
pub(super) struct Judged<'m> {
    /// Each rule about it, and whether it is kept.
    pub rules: Vec<(Rule, Signal<'m>)>,
    /// An invalidation belongs to it.
    pub tells: Signal<'m>,
    /// The holders afterwards.
    pub holders: Holders<'m>,
}

impl<'m> Judged<'m> {
    pub fn kept(&self, m: &'m ModuleBuilder) -> Signal<'m> {
        all_of(m, &self.rules.iter().map(|(_, kept)| *kept).collect::<Vec<_>>())
    }
}

/// Judges an answer by the holders, and by the invalidation that left for it if there is one.
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
    let here = load | store | invalidate | downgrade;
    let (source, tag) = (request.get("source"), request.get("tag"));

    // Table I of the paper.
    let held = holders.of(tag);
    let gpms = m.constant(Bits::from_fn(p.sharers(), |i| i < p.gpm_sharers()));
    let told = (held & !source).and_where(store) | (held & gpms).and_where(invalidate);
    let after = (held | source).and_where(load)
        | source.and_where(store)
        | (held & !source).and_where(downgrade);
    let allocates = !held.any() & after.any();

    let [hit, allocated, evicted] = ["hit", "allocated", "evicted"].map(|flag| flags.get(flag));
    let as_due = hit.eq(held.any()) & allocated.eq(allocates) & (allocates | !evicted);
    let means_nothing = request.get("error") | request.get("release");
    let none = !hit & !allocated & !evicted;

    let evicts = here & evicted;
    let tells = here & (told.any() | evicted);
    let (sent_tag, sent_to) = (sent.get("tag"), sent.get("sharers"));
    let of_block = sent_tag.eq(tag);
    let due = evicts.mux(holders.of(sent_tag), told);
    let where_sent = |kept: Signal<'m>| !(tells & any_sent) | kept;

    let next = holders.0.iter().zip(0u64..).map(|(nodes, number)| {
        let evicted = tells & any_sent & evicts & sent_tag.eq(number);
        let answered = here & tag.eq(number);
        answered.mux(after, nodes.and_where(!evicted))
    });
    let next = Holders(next.collect());
    let lost = !(of_block | evicts) | (due & !sent_to).any();
    let spurious = (sent_to & !due).any() | (evicts & of_block);
    let own = store & !evicts & (sent_to & source).any();
    let rules = vec![
        (rules::ANSWER_FLAGS, (!here | as_due) & (!means_nothing | none)),
        (rules::ANSWER_AFTER_INVALIDATION, !tells | evicts | any_sent),
        (rules::NO_LOST_SHARER, where_sent(!lost)),
        (rules::NO_SPURIOUS_INVALIDATION, where_sent(!spurious)),
        (rules::SOURCE_SPARED, where_sent(!own)),
        (rules::EVICTION_ONLY_IF_FULL, where_sent(!evicts | holders.exceed(p.ways - 1))),
        (rules::EVICTION_TELLS_ALL, (!evicts | any_sent) & !next.exceed(p.ways)),
    ];
    Judged { rules, tells, holders: next }
}

// What a request means, decided at the port, independently of the circuit.

/// A request as the properties see it.
pub(super) struct Meaning<'m> {
    /// For each operation, whether it is that one; none if the request is malformed.
    ops: Vec<Signal<'m>>,
    pub error: Signal<'m>,
    pub code: Signal<'m>,
    /// The source's bit in masks.
    pub source: Signal<'m>,
    /// The address without the place in the block.
    pub block: Signal<'m>,
}

/// What is remembered of a request until it is answered. Operations are those in the chosen set.
pub(super) fn remembered_fields(p: &Params) -> Fields {
    Fields::new()
        .with("error", 1, "it is malformed")
        .with("release", 1, "a release")
        .with("load", 1, "a load")
        .with("store", 1, "a store or an atomic")
        .with("invalidate", 1, "a forwarded invalidation")
        .with("downgrade", 1, "the source leaves")
        .with("source", p.sharers(), "the source's bit in masks")
        .with("tag", p.tag_bits(), "the block's tag")
}

impl<'m> Meaning<'m> {
    /// Decides about a payload of `req`. `own` is this GPM and this GPU.
    pub fn of(m: &'m ModuleBuilder, p: &Params, request: &Record<'m>, own: &[Signal<'m>]) -> Self {
        let (op, kind) = (request.get("op"), request.get("source_kind"));
        let index = request.get("source_index").zero_extend(32);
        let (gpm, gpu) = (kind.eq(source_kind::GPM), kind.eq(source_kind::GPU));
        let own_gpu = own[1].zero_extend(32);
        let own_gpm = match p.hierarchical {
            true => own[0].zero_extend(32),
            false => own_gpu * m.lit(32, p.gpms_per_gpu.into()) + own[0].zero_extend(32),
        };
        let gpms = (0..p.gpm_sharers()).map(|bit| gpm & index.eq(other(own_gpm, bit)));
        let gpus = 0..p.sharers() - p.gpm_sharers();
        let gpus = gpus.map(|bit| gpu & index.eq(other(own_gpu, bit)));
        let source = column(m, gpms.chain(gpus));

        let none = m.lit(1, 0);
        let tracked_gpu = if p.hierarchical { gpu } else { none };
        let beyond = (gpm & index.ge(p.gpm_nodes())) | (tracked_gpu & index.ge(p.gpus));
        let is_self = (gpm & index.eq(own_gpm)) | (tracked_gpu & index.eq(own_gpu));
        let illegal = op.eq(Op::Invalidate as usize) & !gpu;
        // Each takes the place of the one before: the first that applies is the last.
        let reasons = [
            (Misuse::IllegalInvalidate, illegal),
            (Misuse::SourceIsSelf, is_self),
            (Misuse::SourceOutOfRange, beyond),
            (Misuse::GpuSourceInFlat, if p.hierarchical { none } else { gpu }),
            (Misuse::ReservedSource, kind.eq(source_kind::RESERVED)),
            (Misuse::ReservedOp, op.ge(Op::ALL.len())),
        ];
        let (mut error, mut code) = (none, m.lit(3, 0));
        for (why, applies) in reasons {
            error = error | applies;
            code = applies.mux(m.lit(3, why as u64), code);
        }
        let error = error.named("has_no_meaning");
        let ops = Op::ALL.iter().map(|wanted| op.eq(*wanted as usize) & !error).collect();
        let block = request.get("address").slice(p.offset_bits()..p.address_bits);
        Self { ops, error, code: code.named("why_not"), source: source.named("source_bit"), block }
    }

    /// It is that operation, and well formed.
    pub fn is(&self, op: Op) -> Signal<'m> {
        self.ops[op as usize]
    }

    pub fn remembered(&self, p: &Params, chosen_set: Signal<'m>) -> Record<'m> {
        let here = set_of(p, self.block).eq(chosen_set);
        let values = vec![
            self.error,
            self.is(Op::Release),
            self.is(Op::Load) & here,
            (self.is(Op::Store) | self.is(Op::Atomic)) & here,
            self.is(Op::Invalidate) & here,
            self.is(Op::Downgrade) & here,
            self.source,
            tag_of(p, self.block),
        ];
        Record::new(&remembered_fields(p), values)
    }
}

/// The number of the node whose place is `place` among the others.
fn other(own: Signal<'_>, place: u32) -> Signal<'_> {
    let number = |n: u32| own.module().lit(32, n.into());
    own.gt(place).mux(number(place), number(place + 1))
}
