//! Causality order where accesses take several ways to memory: PTX ISA, section 8.9.5, as `ptx-v7.5.cat` of Dat3M has it.

use super::Seats;
use super::execution::set;
use super::relation::{Relation, Set};
use super::trace::{Event, What};
use crate::isa::Scope;
use crate::litmus::proxy::{Proxy, ProxyFence};

/// Relations and sets of an execution that proxies need.
pub(super) struct Proxies {
    generic: Set,
    alias_fences: Set,
    /// Memory operations by one address.
    same_address: Relation,
    same_location: Relation,
    /// Memory operations of a CTA by one address and proxy.
    same_way: Relation,
    /// From proxy fences to memory operations by their proxy in their CTA.
    fenced: Relation,
}

impl Proxies {
    /// None if all accesses are by the generic proxy and by the location's own address.
    pub(super) fn new(all: &[(Option<usize>, Event)], seats: &Seats) -> Option<Self> {
        let is_plain = |event: &Event| {
            event.via == Default::default() && !matches!(event.what, What::ProxyFence(_))
        };
        if all.iter().all(|(_, event)| is_plain(event)) {
            return None;
        }
        let n = all.len();
        let empty = || Relation::empty(n);
        let mut it = Self {
            generic: set(all, |event| {
                event.location().is_some() && event.via.proxy == Proxy::Generic
            }),
            alias_fences: set(all, |event| event.what == What::ProxyFence(ProxyFence::Alias)),
            same_address: empty(),
            same_location: empty(),
            same_way: empty(),
            fenced: empty(),
        };
        for (from, (here, one)) in all.iter().enumerate() {
            for (to, (there, other)) in all.iter().enumerate() {
                let in_cta = here.zip(*there).is_some_and(|(here, there)| {
                    here == there || seats.within(Scope::Cta, here, there)
                });
                if let What::ProxyFence(ProxyFence::Of(proxy)) = one.what
                    && other.location().is_some()
                    && other.via.proxy == proxy
                    && in_cta
                {
                    it.fenced.add(from, to);
                }
                if one.location().is_none() || one.location() != other.location() {
                    continue;
                }
                it.same_location.add(from, to);
                if one.via.alias == other.via.alias {
                    it.same_address.add(from, to);
                    if one.via.proxy == other.via.proxy && in_cta {
                        it.same_way.add(from, to);
                    }
                }
            }
        }
        Some(it)
    }

    /// Proxy-preserved base causality order, of base causality order.
    pub(super) fn preserved(&self, base: &Relation) -> Relation {
        let every = Set::MAX;
        // From an operation to a fence of its proxy behind it, and from such a fence to one.
        let out = base.and(&self.fenced.inverse());
        let into = base.and(&self.fenced);
        let own = |relation: Relation| relation.between(self.generic, self.generic);
        let leaves = out.then(base).between(every, self.generic);
        let enters = base.then(&into).between(self.generic, every);
        let one_address = own(base.clone()).or(&leaves).or(&enters).or(&out.then(base).then(&into));
        // The same with a fence of aliases on the way.
        let to_alias = base.between(every, self.alias_fences);
        let over = to_alias.then(base);
        let several = own(over.clone())
            .or(&out.then(&over).between(every, self.generic))
            .or(&over.then(&into).between(self.generic, every))
            .or(&out.then(&over).then(&into));
        let preserved = one_address.and(&self.same_address).or(&base.and(&self.same_way));
        preserved.or(&several.and(&self.same_location))
    }
}
