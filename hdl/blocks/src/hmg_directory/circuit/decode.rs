//! Stage 1: the operation, the source among the sharers, and what is malformed.

use crate::hmg_directory::channels::{Misuse, Op, source_kind};
use crate::hmg_directory::params::Params;
use crate::kit::*;

pub(crate) fn incoming_fields(p: &Params) -> Fields {
    Fields::new()
        .with("op", 3, "operation")
        .with("source_kind", 2, "kind of the source")
        .with("source_index", p.node_bits(), "number of the source")
        .with("block", p.address_bits - p.offset_bits(), "address without the place in the block")
}

/// What enters stage 1: a request without the place in its block, which nothing needs.
pub(super) fn incoming<'m>(p: &Params, request: &Record<'m>) -> Record<'m> {
    let block = request.get("address").slice(p.offset_bits()..p.address_bits);
    let values =
        vec![request.get("op"), request.get("source_kind"), request.get("source_index"), block];
    Record::new(&incoming_fields(p), values)
}

pub(crate) fn decoded_fields(p: &Params) -> Fields {
    Fields::new()
        .with("load", 1, "a load")
        .with("store", 1, "a store or an atomic")
        .with("invalidate", 1, "a forwarded invalidation")
        .with("downgrade", 1, "the source leaves")
        .with("source", p.sharers(), "the source among the sharers; zero for this GPM")
        .with("block", p.address_bits - p.offset_bits(), "address without the place in the block")
}

/// What stage 1 makes of a request.
pub(super) struct Decoded<'m> {
    /// What goes on. A malformed request has no operation.
    pub fields: Record<'m>,
    pub error: Signal<'m>,
    pub error_code: Signal<'m>,
}

/// Decodes a request. `self_node` is this GPM and this GPU.
pub(super) fn decode<'m>(
    m: &'m ModuleBuilder,
    p: &Params,
    request: &Record<'m>,
    self_node: &[Signal<'m>],
) -> Decoded<'m> {
    let (op, kind, index) =
        (request.get("op"), request.get("source_kind"), request.get("source_index"));
    let is_gpm = kind.eq(source_kind::GPM).named("is_gpm");
    let is_gpu = kind.eq(source_kind::GPU).named("is_gpu");
    let self_gpm = match p.hierarchical {
        true => fit(self_node[0], index.width()),
        false => flat_number(p, self_node, index.width()),
    };
    let self_gpm = self_gpm.named("own_number");
    let self_gpu = fit(self_node[1], index.width());

    let gpms = others(p.gpm_nodes(), index, self_gpm).map(|mask| mask.and_where(is_gpm));
    let gpus = p.hierarchical.then(|| others(p.gpus, index, self_gpu)).flatten();
    let gpus = gpus.map(|mask| mask.and_where(is_gpu));
    // GPUs above GPMs, so that GPMs are the low bits.
    let parts: Vec<_> = gpus.into_iter().chain(gpms).collect();
    let source = m.concat(&parts).named("source_sharer");

    let zero = m.lit(1, 0);
    let gpm_beyond = beyond(index, p.gpm_nodes()) & is_gpm;
    let (gpu_beyond, gpu_is_self) = match p.hierarchical {
        true => (beyond(index, p.gpus) & is_gpu, index.eq(self_gpu) & is_gpu),
        false => (zero, zero),
    };
    let invalidate = op.eq(Op::Invalidate as usize);
    let errors = [
        (Misuse::ReservedOp, op.gt(Op::Release as usize)),
        (Misuse::ReservedSource, kind.eq(source_kind::RESERVED)),
        (Misuse::GpuSourceInFlat, if p.hierarchical { zero } else { is_gpu }),
        (Misuse::SourceOutOfRange, gpm_beyond | gpu_beyond),
        (Misuse::SourceIsSelf, (index.eq(self_gpm) & is_gpm) | gpu_is_self),
        (Misuse::IllegalInvalidate, invalidate & !is_gpu),
    ];
    let present = column(m, errors.map(|(_, present)| present)).named("errors");
    let error = present.any().named("is_error");
    // The first that applies; the last if no other does.
    let code = |code: Misuse| m.lit(3, code as u64);
    let [earlier @ .., (last, _)] = &errors;
    let code = earlier
        .iter()
        .rev()
        .fold(code(*last), |later, (number, present)| present.mux(code(*number), later));

    let is = |wanted: Op| op.eq(wanted as usize) & !error;
    let values = vec![
        is(Op::Load),
        is(Op::Store) | is(Op::Atomic),
        is(Op::Invalidate),
        is(Op::Downgrade),
        source,
        request.get("block"),
    ];
    Decoded { fields: Record::new(&decoded_fields(p), values), error, error_code: code }
}

/// One bit for each other node, ascending; none if there is no other.
fn others<'m>(nodes: u32, index: Signal<'m>, own: Signal<'m>) -> Option<Signal<'m>> {
    let m = index.module();
    let bit = |place: u32| {
        // The node at this place is `place` below the own number and `place + 1` from there on.
        let above = if place == 0 { own.eq(0) } else { own.le(place) };
        above.mux(index.eq(place + 1), index.eq(place))
    };
    let bits: Vec<_> = (0..nodes - 1).map(bit).collect();
    (!bits.is_empty()).then(|| column(m, bits))
}

/// Whether the number is not below `nodes`.
fn beyond(index: Signal<'_>, nodes: u32) -> Signal<'_> {
    match u64::from(nodes) >> index.width() {
        0 => index.ge(nodes),
        _ => index.module().lit(1, 0),
    }
}

/// The number of this GPM among all of the machine, in (GPU, GPM) order.
fn flat_number<'m>(p: &Params, self_node: &[Signal<'m>], width: u32) -> Signal<'m> {
    let m = self_node[0].module();
    let gpms = m.lit(32, u64::from(p.gpms_per_gpu));
    let number = self_node[1].zero_extend(32) * gpms + self_node[0].zero_extend(32);
    number.truncate(width)
}

/// As many bits as wanted; numbers of nodes fit wherever nodes are numbered.
fn fit(number: Signal<'_>, width: u32) -> Signal<'_> {
    match width >= number.width() {
        true => number.zero_extend(width),
        false => number.truncate(width),
    }
}
