//! Stage 4: when a lease would end that is granted in stage 5.
//!
//! The lease ends at max(now, ver) + lease, clipped at the limit, which is the later one of now + lease and
//! ver + lease. If stage 5 has the same block it may change k, to k + 1 or 0, and ver: all are added here, and
//! one is chosen.

use super::Stage;
use super::forward::{Found, Same, Written};
use crate::kit::*;
use crate::relativistic_l2::params::Params;

/// An end of a lease, at most the limit, and whether it is clipped.
#[derive(Clone, Copy)]
pub(super) struct End<'m> {
    pub time: Signal<'m>,
    pub clipped: Signal<'m>,
}

impl<'m> End<'m> {
    /// End of a lease at `time`; `name` names it in the circuit.
    pub fn new(p: &Params, name: &str, time: Signal<'m>, lease: Signal<'m>) -> Self {
        let bits = p.timestamp_bits;
        let sum = time.zero_extend(bits + 1) + lease.zero_extend(bits + 1);
        let sum = sum.named(&format!("{name}_sum"));
        // The limit is the last time but one.
        let clipped = sum.bit(bits) | sum.truncate(bits).all();
        let clipped = clipped.named(&format!("{name}_clipped"));
        let limit = time.module().lit(bits, p.limit());
        let end = clipped.mux(limit, sum.truncate(bits));
        Self { time: end.named(&format!("{name}_end")), clipped }
    }

    fn or(self, chosen: Signal<'m>, other: Self) -> Self {
        let time = chosen.mux(self.time, other.time);
        Self { time, clipped: chosen.mux(self.clipped, other.clipped) }
    }

    fn hold(self, m: &'m ModuleBuilder, name: &str, moves: Signal<'m>) -> Self {
        let time = m.reg_without_reset(&format!("stage5_{name}"), self.time.width());
        let clipped = m.reg_without_reset(&format!("stage5_{name}_clipped"), 1);
        m.when(moves, || {
            time.set(self.time);
            clipped.set(self.clipped);
        });
        Self { time: *time, clipped: *clipped }
    }
}

/// Ends of leases, for stage 5.
pub(super) struct Leases<'m> {
    /// Ends of now + lease and of ver + lease.
    pub now: End<'m>,
    pub ver: End<'m>,
}

/// The exponent after a renewal.
pub(super) fn longer<'m>(p: &Params, k: Signal<'m>) -> Signal<'m> {
    k.eq(p.lease_doublings).mux(k, k + 1)
}

/// The lease of an exponent. A table: synthesis would share shifters, behind the choice between their results.
fn lease<'m>(p: &Params, k: Signal<'m>) -> Signal<'m> {
    let m = k.module();
    let table: Vec<_> =
        (0..=p.lease_doublings).map(|k| m.lit(p.timestamp_bits, p.lease(k))).collect();
    one_hot::select(one_hot::decode(k, p.lease_doublings + 1), &table)
}

pub(super) fn leases<'m>(
    m: &'m ModuleBuilder,
    p: &Params,
    stage: &Stage<'m>,
    found: &Found<'m>,
    same: &Same<'m>,
    written: &Written<'m>,
    moves: Signal<'m>,
) -> Leases<'m> {
    let k = found.fields.get("k").truncate(p.exponent_bits());
    let smallest = m.lit(p.timestamp_bits, u64::from(p.lease_min));
    let [lease, doubled] = [k, longer(p, k)].map(|k| lease(p, k));
    let behind_exp = m.lit(p.timestamp_bits, u64::from(p.lease_min) + 1);
    let (now, ver, exp) = (stage.get("now"), found.fields.get("ver"), found.fields.get("exp"));

    // A renewal, or a store in V, does not wait.
    let renewed = (same.stage4_block & *written.renews).named("stage4_follows_renewal");
    let stored = (same.stage4_block & *written.stores).named("stage4_follows_store");
    let leases = [("smallest", smallest), ("doubled", doubled), ("lease", lease)];
    let ends = |name: &str, time: Signal<'m>| {
        leases.map(|(of, lease)| End::new(p, &format!("{name}_{of}"), time, lease))
    };
    let [now_smallest, now_doubled, now] = ends("now", now);
    let [ver_smallest, ver_doubled, ver] = ends("ver", ver);
    let now = now_smallest.or(stored, now_doubled.or(renewed, now));
    let now = now.hold(m, "now_end", moves);
    // The store's own now, had it been a load with the smallest lease.
    let of_store = now_smallest.hold(m, "smallest_end", moves);
    let behind_exp = End::new(p, "behind_exp", exp, behind_exp);
    let after_store = of_store.or(*written.at_now, ver_smallest.or(*written.at_ver, behind_exp));
    let ver = after_store.or(stored, ver_doubled.or(renewed, ver));
    Leases { now, ver: ver.hold(m, "ver_end", moves) }
}
