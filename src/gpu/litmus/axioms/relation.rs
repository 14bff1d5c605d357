//! Relations between events, with the operators of relational algebra.

/// Most events of an execution: bits of a row.
pub(super) const EVENTS: usize = 128;

/// A set of events.
pub(super) type Set = u128;

/// A relation: for each event the set of those that come after it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Relation(Vec<Set>);

/// The events of a set.
pub(super) fn members(mut set: Set) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let at = (set != 0).then(|| set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(at)
    })
}

impl Relation {
    /// No pairs.
    pub(super) fn empty(events: usize) -> Self {
        debug_assert!(events <= EVENTS);
        Self(vec![0; events])
    }

    pub(super) fn add(&mut self, from: usize, to: usize) {
        self.0[from] |= 1 << to;
    }

    pub(super) fn remove(&mut self, from: usize, to: usize) {
        self.0[from] &= !(1 << to);
    }

    pub(super) fn after(&self, from: usize) -> Set {
        self.0[from]
    }

    /// Every pair, in order.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (usize, usize)> {
        self.0.iter().enumerate().flat_map(|(from, row)| members(*row).map(move |to| (from, to)))
    }

    /// `self ∪ other`
    pub(super) fn or(&self, other: &Self) -> Self {
        Self(self.0.iter().zip(&other.0).map(|(left, right)| left | right).collect())
    }

    /// `self ∩ other`
    pub(super) fn and(&self, other: &Self) -> Self {
        Self(self.0.iter().zip(&other.0).map(|(left, right)| left & right).collect())
    }

    /// `self; other`
    pub(super) fn then(&self, other: &Self) -> Self {
        let row = |row: &Set| members(*row).fold(0, |all, at| all | other.0[at]);
        Self(self.0.iter().map(row).collect())
    }

    /// `self?`
    pub(super) fn optional(&self) -> Self {
        Self(self.0.iter().enumerate().map(|(at, row)| row | 1 << at).collect())
    }

    /// `self⁺`
    pub(super) fn closure(mut self) -> Self {
        for middle in 0..self.0.len() {
            let further = self.0[middle];
            for row in &mut self.0 {
                if *row >> middle & 1 == 1 {
                    *row |= further;
                }
            }
        }
        self
    }

    /// `self⁻¹`
    pub(super) fn inverse(&self) -> Self {
        let mut inverse = Self::empty(self.0.len());
        for (from, to) in self.pairs() {
            inverse.add(to, from);
        }
        inverse
    }

    /// `[from]; self; [to]`
    pub(super) fn between(&self, from: Set, to: Set) -> Self {
        let row = |(at, row): (usize, &Set)| if from >> at & 1 == 1 { row & to } else { 0 };
        Self(self.0.iter().enumerate().map(row).collect())
    }

    pub(super) fn is_irreflexive(&self) -> bool {
        self.0.iter().enumerate().all(|(at, row)| row >> at & 1 == 0)
    }

    pub(super) fn is_acyclic(&self) -> bool {
        self.clone().closure().is_irreflexive()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().all(|row| *row == 0)
    }
}
