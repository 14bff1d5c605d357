//! A candidate execution, and the axioms that judge it: figures 4 and 7 of the paper.

use super::barriers::{At, Meetings};
use super::proxies::Proxies;
use super::relation::{Relation, Set, members};
use super::trace::{Event, Trace, What};
use super::{Axiom, Seats};
use crate::isa::{Order, Scope};
use crate::litmus::Via;

/// The events of a path through each thread, and all that is known of them before any load is told
/// where its value comes from.
pub(super) struct Events {
    /// The thread and what it does; without a thread the initial value of a location.
    pub(super) all: Vec<(Option<usize>, Event)>,
    reads: Set,
    writes: Set,
    po: Relation,
    /// Program order of accesses that take one way to one location.
    po_loc: Relation,
    proxies: Option<Proxies>,
    dependencies: Relation,
    rmw: Relation,
    morally_strong: Relation,
    same_location: Relation,
    /// From the first operation of a release pattern to its write.
    release: Relation,
    /// From the read of an acquire pattern to its last operation.
    acquire: Relation,
    barriers: Relation,
    po_optional: Relation,
}

/// What can be said of reads before fences and writes are ordered.
pub(super) struct Sources<'a> {
    events: &'a Events,
    rf: Relation,
    observation: Relation,
    synchronizes: Relation,
}

/// What can be said before writes are ordered.
pub(super) struct Fenced<'a> {
    of: &'a Sources<'a>,
    cause: Relation,
}

impl Events {
    pub(super) fn new(
        traces: &[&Trace],
        initial: &[u32],
        seats: &Seats,
        meetings: &Meetings,
    ) -> Self {
        let mut all: Vec<(Option<usize>, Event)> = initial
            .iter()
            .enumerate()
            .map(|(location, value)| (None, Event::initial(location, *value)))
            .collect();
        let locations = all.len();
        let mut first = Vec::new();
        for (thread, trace) in traces.iter().enumerate() {
            first.push(all.len());
            all.extend(trace.events.iter().map(|event| (Some(thread), event.clone())));
        }
        let n = all.len();
        let mut po = Relation::empty(n);
        let mut it = Self {
            reads: set(&all, |event| matches!(event.what, What::Read(..))),
            writes: set(&all, |event| matches!(event.what, What::Write(..))),
            po: Relation::empty(n),
            po_loc: Relation::empty(n),
            proxies: Proxies::new(&all, seats),
            dependencies: Relation::empty(n),
            rmw: Relation::empty(n),
            morally_strong: Relation::empty(n),
            same_location: Relation::empty(n),
            release: Relation::empty(n),
            acquire: Relation::empty(n),
            barriers: Relation::empty(n),
            po_optional: Relation::empty(n),
            all,
        };
        for from in 0..n {
            for to in (0..n).filter(|to| *to != from) {
                let ((here, one), (there, other)) = (&it.all[from], &it.all[to]);
                let overlap = one.location().is_some() && one.location() == other.location();
                if overlap {
                    it.same_location.add(from, to);
                }
                let (Some(here), Some(there)) = (here, there) else { continue };
                if here == there && from < to {
                    po.add(from, to);
                    if overlap && one.via == other.via {
                        it.po_loc.add(from, to);
                    }
                    if other.is_update && to == from + 1 {
                        it.rmw.add(from, to);
                    }
                }
                if seats.are_morally_strong((*here, one), (*there, other)) {
                    it.morally_strong.add(from, to);
                }
            }
        }
        for at in locations..n {
            let (Some(thread), event) = &it.all[at] else { continue };
            for on in members(event.depends.into()) {
                it.dependencies.add(first[*thread] + on, at);
            }
        }
        let at = |(thread, event): At| first[thread] + event;
        meetings.iter().for_each(|(from, to)| it.barriers.add(at(*from), at(*to)));
        let releases = set(&it.all, |event| event.is_write() && event.releases());
        let acquires = set(&it.all, |event| event.is_read() && event.acquires());
        let fences = set(&it.all, |event| event.what == What::Fence);
        it.release =
            it.po_loc.optional().between(releases, it.writes).or(&po.between(fences, it.writes));
        it.acquire =
            it.po_loc.optional().between(it.reads, acquires).or(&po.between(it.reads, fences));
        it.po_optional = po.optional();
        it.po = po;
        it
    }

    /// The events that a read may have its value from.
    pub(super) fn sources(&self, read: usize) -> Vec<usize> {
        let What::Read(location, value) = self.all[read].1.what else { return Vec::new() };
        members(self.writes)
            .filter(|write| self.all[*write].1.what == What::Write(location, value))
            .collect()
    }

    pub(super) fn reads(&self) -> Vec<usize> {
        members(self.reads).collect()
    }

    /// Takes the write that each read has its value from.
    pub(super) fn with_sources(&self, sources: &[(usize, usize)]) -> Result<Sources<'_>, Axiom> {
        let mut rf = Relation::empty(self.all.len());
        for (read, write) in sources {
            rf.add(*write, *read);
        }
        if !rf.or(&self.dependencies).is_acyclic() {
            return Err(Axiom::NoThinAir);
        }
        let mut observation = rf.and(&self.morally_strong);
        loop {
            let further = observation.then(&self.rmw).then(&observation).or(&observation);
            if further == observation {
                break;
            }
            observation = further;
        }
        let patterns = self.release.then(&observation).then(&self.acquire);
        let synchronizes = patterns.and(&self.morally_strong).or(&self.barriers);
        Ok(Sources { events: self, rf, observation, synchronizes })
    }

    /// The fences of each thread in program order, which FenceSC would reject otherwise; and pairs of
    /// fences of two threads, each of which must come before or after the other.
    pub(super) fn fences(&self) -> (Relation, Vec<(usize, usize)>) {
        let is_sc = |event: &Event| {
            event.what == What::Fence && event.order == Order::SequentiallyConsistent
        };
        let pairs = self.strong_pairs(set(&self.all, is_sc));
        let in_thread = |pair: &(usize, usize)| self.all[pair.0].0 == self.all[pair.1].0;
        let (same, others): (Vec<_>, _) = pairs.into_iter().partition(in_thread);
        let mut ordered = Relation::empty(self.all.len());
        same.into_iter().for_each(|(one, other)| ordered.add(one, other));
        (ordered, others)
    }

    /// Pairs of writes, each of which must come before or after the other.
    pub(super) fn write_pairs(&self) -> Vec<(usize, usize)> {
        self.strong_pairs(self.writes)
    }

    fn strong_pairs(&self, set: Set) -> Vec<(usize, usize)> {
        let pairs = self.morally_strong.between(set, set);
        pairs.pairs().filter(|(one, other)| one < other).collect()
    }

    /// The writes of each location that no other write comes after.
    pub(super) fn last(&self, coherence: &Relation) -> Vec<Vec<usize>> {
        let locations = self.all.iter().filter(|(thread, _)| thread.is_none()).count();
        let is_last = |location: usize, at: &usize| {
            self.all[*at].1.location() == Some(location) && coherence.after(*at) == 0
        };
        (0..locations)
            .map(|location| members(self.writes).filter(|at| is_last(location, at)).collect())
            .collect()
    }

    /// The order of the writes: that which was chosen, and initial values first.
    pub(super) fn coherence(&self, chosen: &Relation) -> Relation {
        let mut coherence = chosen.clone();
        for initial in 0..self.all.len() {
            if self.all[initial].0.is_none() {
                let others = self.same_location.between(1 << initial, self.writes);
                coherence = coherence.or(&others);
            }
        }
        coherence.closure()
    }
}

impl<'a> Sources<'a> {
    /// Takes the order of the fences.
    pub(super) fn with_fences(&'a self, sc: &Relation) -> Result<Fenced<'a>, Axiom> {
        let po = &self.events.po_optional;
        let with = self.synchronizes.or(sc);
        let base = po.then(&with).then(po).closure();
        let further = self.observation.then(&base.or(&self.events.po_loc));
        let mut cause = base.or(&further);
        if !sc.then(&cause).is_irreflexive() {
            return Err(Axiom::FenceSc);
        }
        if let Some(proxies) = &self.events.proxies {
            let preserved = proxies.preserved(&base.or(&self.events.po));
            cause = preserved.or(&self.observation.then(&preserved));
        }
        // The half of the axiom that no order of writes changes.
        match self.rf.then(&cause).is_irreflexive() {
            true => Ok(Fenced { of: self, cause }),
            false => Err(Axiom::Causality),
        }
    }
}

impl Fenced<'_> {
    /// Takes the order of the writes that are morally strong, and gives that of all.
    pub(super) fn with_writes(&self, chosen: &Relation) -> Result<Relation, Axiom> {
        let events = self.of.events;
        let (strong, rf) = (&events.morally_strong, &self.of.rf);
        // Writes to different locations may follow from each other, and have no coherence order.
        let overlapping = events.same_location.or(&Relation::empty(events.all.len()).optional());
        let forced = self.cause.between(events.writes, events.writes).and(&overlapping);
        let co = events.coherence(&chosen.or(&forced));
        if !co.is_irreflexive() {
            return Err(Axiom::Coherence);
        }
        let fr = rf.inverse().then(&co);
        let between = fr.and(strong).then(&co.and(strong));
        if !between.and(&events.rmw).is_empty() {
            return Err(Axiom::Atomicity);
        }
        let communication = rf.or(&co).or(&fr);
        if !communication.and(strong).or(&events.po_loc).is_acyclic() {
            return Err(Axiom::ScPerLocation);
        }
        match fr.then(&self.cause).is_irreflexive() {
            true => Ok(co),
            false => Err(Axiom::Causality),
        }
    }
}

impl Event {
    fn initial(location: usize, value: u32) -> Self {
        Self {
            line: 0,
            step: 0,
            what: What::Write(location, value),
            order: Order::Weak,
            scope: Scope::Sys,
            via: Via::default(),
            depends: 0,
            is_update: false,
        }
    }

    pub(super) fn location(&self) -> Option<usize> {
        match self.what {
            What::Read(location, _) | What::Write(location, _) => Some(location),
            What::Fence | What::ProxyFence(_) | What::Barrier(_) => None,
        }
    }

    fn is_read(&self) -> bool {
        matches!(self.what, What::Read(..))
    }

    fn is_write(&self) -> bool {
        matches!(self.what, What::Write(..))
    }

    fn releases(&self) -> bool {
        matches!(self.order, Order::Release | Order::AcquireRelease)
    }

    fn acquires(&self) -> bool {
        matches!(self.order, Order::Acquire | Order::AcquireRelease)
    }
}

impl Seats {
    /// Section 3.3: in one thread, or strong and each in the scope of the other.
    fn are_morally_strong(&self, one: (usize, &Event), other: (usize, &Event)) -> bool {
        let ((here, one), (there, other)) = (one, other);
        let overlap = match (one.location(), other.location()) {
            (Some(at), Some(to)) => at == to && one.via == other.via,
            _ => true,
        };
        let is_strong = |it: &Event| it.order != Order::Weak;
        let reach = || self.within(one.scope, here, there) && self.within(other.scope, here, there);
        overlap && (here == there || is_strong(one) && is_strong(other) && reach())
    }

    pub(super) fn within(&self, scope: Scope, here: usize, there: usize) -> bool {
        let (Some((cta, gpu)), Some((other_cta, other_gpu))) = (self.0[here], self.0[there]) else {
            return scope == Scope::Sys;
        };
        match scope {
            // Clusters of one CTA.
            Scope::Cta | Scope::Cluster => cta == other_cta,
            Scope::Gpu => gpu == other_gpu,
            Scope::Sys => true,
        }
    }
}

pub(super) fn set(all: &[(Option<usize>, Event)], of: impl Fn(&Event) -> bool) -> Set {
    let bits = all.iter().enumerate().filter(|(_, (_, event))| of(event));
    bits.fold(0, |set, (at, _)| set | 1 << at)
}
