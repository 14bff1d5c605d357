//! What a request means, decided at the port, independently of the circuit.

use warpsmith_rtl::library::record::{Fields, Record};
use warpsmith_rtl::{ModuleBuilder, Signal};

use crate::hmg_directory::channels::{Op, error_code, source_kind};
use crate::hmg_directory::params::Params;

/// A request as the properties see it.
pub(super) struct Meaning<'m> {
    /// For each operation, whether it is that one; of no operation if the request has no meaning.
    ops: Vec<Signal<'m>>,
    /// It has no meaning.
    pub error: Signal<'m>,
    /// Why.
    pub code: Signal<'m>,
    /// The source's bit in masks.
    pub source: Signal<'m>,
    /// Tag and set of the block.
    pub block: Signal<'m>,
}

impl<'m> Meaning<'m> {
    /// Decides about the payload of `req`. `own` is this GPM and this GPU.
    pub fn of(m: &'m ModuleBuilder, p: &Params, request: &Record<'m>, own: &[Signal<'m>]) -> Self {
        let (op, kind) = (request.get("op"), request.get("source_kind"));
        let index = request.get("source_index").zero_extend(32);
        let own_gpm = match p.hierarchical {
            true => own[0].zero_extend(32),
            false => {
                own[1].zero_extend(32) * m.lit(32, p.gpms_per_gpu.into()) + own[0].zero_extend(32)
            }
        };
        let own_gpu = own[1].zero_extend(32);
        let (gpm, gpu) = (kind.eq(source_kind::GPM), kind.eq(source_kind::GPU));
        let zero = m.lit(1, 0);

        let gpms = (0..p.gpm_sharers()).map(|bit| gpm & index.eq(other(own_gpm, bit)));
        let gpus = (p.gpm_sharers()..p.sharers())
            .map(|bit| gpu & index.eq(other(own_gpu, bit - p.gpm_sharers())));
        let source = m.concat_low_first(&gpms.chain(gpus).collect::<Vec<_>>());

        let far = gpm & index.ge(p.gpm_nodes());
        let is_self = gpm & index.eq(own_gpm);
        let (no_gpu, far, is_self) = match p.hierarchical {
            true => (zero, far | (gpu & index.ge(p.gpus)), is_self | (gpu & index.eq(own_gpu))),
            false => (gpu, far, is_self),
        };
        // The first that applies, so the last is asked first.
        let mut code = m.lit(3, error_code::ILLEGAL_INVALIDATE);
        let mut error = op.eq(Op::Invalidate as usize) & !gpu;
        let reasons = [
            (error_code::SOURCE_IS_SELF, is_self),
            (error_code::SOURCE_OUT_OF_RANGE, far),
            (error_code::GPU_SOURCE_IN_FLAT, no_gpu),
            (error_code::RESERVED_SOURCE, kind.eq(source_kind::RESERVED)),
            (error_code::RESERVED_OP, op.ge(Op::ALL.len())),
        ];
        for (number, applies) in reasons {
            code = applies.mux(m.lit(3, number), code);
            error = error | applies;
        }
        let error = error.named("is_error");
        let ops = Op::ALL.iter().map(|wanted| op.eq(*wanted as usize) & !error).collect();
        let block = request.get("address").slice(p.offset_bits()..p.address_bits);
        Self {
            ops,
            error,
            code: code.named("error_due"),
            source: source.named("source_bit"),
            block,
        }
    }

    /// It is that operation, and has a meaning.
    pub fn is(&self, op: Op) -> Signal<'m> {
        self.ops[op as usize]
    }

    /// The set of its block.
    pub fn set(&self, p: &Params) -> Signal<'m> {
        self.block.truncate(p.index_bits())
    }

    /// The rest of its block.
    pub fn tag(&self, p: &Params) -> Signal<'m> {
        self.block.slice(p.index_bits()..p.index_bits() + p.tag_bits())
    }
}

/// The number of the node whose place among the others is `place`.
fn other(own: Signal<'_>, place: u32) -> Signal<'_> {
    let m = own.module();
    own.gt(place).mux(m.lit(32, place.into()), m.lit(32, u64::from(place) + 1))
}

/// What is remembered of a request until it is answered. Operations are masked: of requests to
/// other sets than the chosen one, and of releases, there is none.
pub(super) fn remembered(p: &Params) -> Fields {
    Fields::new()
        .with("error", 1, "it has no meaning")
        .with("release", 1, "a release")
        .with("load", 1, "a load in the chosen set")
        .with("store", 1, "a store or an atomic in the chosen set")
        .with("invalidate", 1, "a forwarded invalidation in the chosen set")
        .with("downgrade", 1, "the source leaves, in the chosen set")
        .with("source", p.sharers(), "the source's bit in masks")
        .with("tag", p.tag_bits(), "the block's tag")
}
