//! What a request means, decided at the port, independently of the circuit.

use warpsmith_rtl::library::record::{Fields, Record};
use warpsmith_rtl::{ModuleBuilder, Signal};

use super::{set_of, tag_of};
use crate::hmg_directory::channels::{Op, error_code, source_kind};
use crate::hmg_directory::params::Params;

/// A request as the properties see it.
pub(super) struct Meaning<'m> {
    /// For each operation, whether it is that one; none if the request has no meaning.
    ops: Vec<Signal<'m>>,
    /// It has no meaning.
    pub error: Signal<'m>,
    /// Why.
    pub code: Signal<'m>,
    /// The source's bit in masks.
    pub source: Signal<'m>,
    /// The address without the place in the block.
    pub block: Signal<'m>,
}

/// What is remembered of a request until it is answered. Operations are those in the chosen set.
pub(super) fn remembered_fields(p: &Params) -> Fields {
    Fields::new()
        .with("error", 1, "it has no meaning")
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
        let gpus =
            (0..p.sharers() - p.gpm_sharers()).map(|bit| gpu & index.eq(other(own_gpu, bit)));
        let source = m.concat_low_first(&gpms.chain(gpus).collect::<Vec<_>>());

        let none = m.lit(1, 0);
        let tracked_gpu = if p.hierarchical { gpu } else { none };
        let beyond = (gpm & index.ge(p.gpm_nodes())) | (tracked_gpu & index.ge(p.gpus));
        let is_self = (gpm & index.eq(own_gpm)) | (tracked_gpu & index.eq(own_gpu));
        let illegal = op.eq(Op::Invalidate as usize) & !gpu;
        // Each takes the place of the one before: the first that applies is the last.
        let reasons = [
            (error_code::ILLEGAL_INVALIDATE, illegal),
            (error_code::SOURCE_IS_SELF, is_self),
            (error_code::SOURCE_OUT_OF_RANGE, beyond),
            (error_code::GPU_SOURCE_IN_FLAT, if p.hierarchical { none } else { gpu }),
            (error_code::RESERVED_SOURCE, kind.eq(source_kind::RESERVED)),
            (error_code::RESERVED_OP, op.ge(Op::ALL.len())),
        ];
        let (mut error, mut code) = (none, m.lit(3, 0));
        for (number, applies) in reasons {
            error = error | applies;
            code = applies.mux(m.lit(3, number), code);
        }
        let error = error.named("has_no_meaning");
        let ops = Op::ALL.iter().map(|wanted| op.eq(*wanted as usize) & !error).collect();
        let block = request.get("address").slice(p.offset_bits()..p.address_bits);
        Self { ops, error, code: code.named("why_not"), source: source.named("source_bit"), block }
    }

    /// It is that operation, and has a meaning.
    pub fn is(&self, op: Op) -> Signal<'m> {
        self.ops[op as usize]
    }

    /// What is remembered of it.
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

/// The number of the node whose place is `place` among those that are not oneself.
fn other(own: Signal<'_>, place: u32) -> Signal<'_> {
    let number = |n: u32| own.module().lit(32, n.into());
    own.gt(place).mux(number(place), number(place + 1))
}
