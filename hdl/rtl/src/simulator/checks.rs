//! Properties at the clock edge.

use crate::ir::CheckKind;
use crate::netlist::Check;

/// Failures of one check since the last call of [`super::Simulator::violations`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The clock of the first failure: the number of edges before.
    pub clock: u64,
    /// How many edges failed.
    pub count: u64,
    /// Index in [`crate::netlist::Netlist::checks`].
    pub check: usize,
    /// Hierarchical name.
    pub name: String,
    /// What the check says.
    pub doc: String,
    /// [`CheckKind::Assert`] or [`CheckKind::Assume`].
    pub kind: CheckKind,
}

/// The count of a cover.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cover {
    /// Index in [`crate::netlist::Netlist::checks`].
    pub check: usize,
    /// Hierarchical name.
    pub name: String,
    /// What the check says.
    pub doc: String,
    /// Number of edges at which it was one.
    pub count: u64,
}

/// A check that must hold: its first failure and number of failures.
#[derive(Clone)]
struct Guard {
    slot: u32,
    check: usize,
    first: u64,
    count: u64,
}

/// The properties of a design, with one record each.
#[derive(Clone)]
pub(super) struct Checks {
    guards: Vec<Guard>,
    covers: Vec<(u32, usize)>,
    /// The slot of the first cover's count; the others follow.
    counts: u32,
    /// A check has failed since the violations were taken.
    pub failed: bool,
}

impl Checks {
    pub fn new(checks: &[Check], counts: u32, slot: impl Fn(&Check) -> u32) -> Self {
        let all =
            || checks.iter().enumerate().map(|(index, check)| (slot(check), index, check.kind));
        let guards = all().filter(|(.., kind)| *kind != CheckKind::Cover);
        let covers = all().filter(|(.., kind)| *kind == CheckKind::Cover);
        let guards: Vec<Guard> =
            guards.map(|(slot, check, _)| Guard { slot, check, first: 0, count: 0 }).collect();
        let covers: Vec<_> = covers.map(|(slot, check, _)| (slot, check)).collect();
        Self { guards, covers, counts, failed: false }
    }

    /// Evaluates every check with the values before the edge.
    pub fn edge(&mut self, arena: &mut [u64], clock: u64) {
        let mut all = 1;
        for guard in &self.guards {
            all &= arena[guard.slot as usize];
        }
        if all == 0 {
            self.note_failures(arena, clock);
        }
        for ((slot, _), count) in self.covers.iter().zip(self.counts as usize..) {
            arena[count] += arena[*slot as usize];
        }
    }

    #[cold]
    fn note_failures(&mut self, arena: &[u64], clock: u64) {
        self.failed = true;
        for guard in self.guards.iter_mut().filter(|g| arena[g.slot as usize] == 0) {
            if guard.count == 0 {
                guard.first = clock;
            }
            guard.count += 1;
        }
    }

    /// The failures since the last call, the earliest first.
    pub fn take_violations(&mut self, checks: &[Check]) -> Vec<Violation> {
        if !std::mem::take(&mut self.failed) {
            return Vec::new();
        }
        let mut violations = Vec::new();
        for guard in self.guards.iter_mut().filter(|g| g.count > 0) {
            let Check { kind, name, doc, .. } = checks[guard.check].clone();
            let (clock, count) = (guard.first, std::mem::take(&mut guard.count));
            violations.push(Violation { clock, count, check: guard.check, name, doc, kind });
        }
        violations.sort_by_key(|v| (v.clock, v.check));
        violations
    }

    pub fn cover_counts<'a>(&self, arena: &'a [u64]) -> &'a [u64] {
        &arena[self.counts as usize..][..self.covers.len()]
    }

    pub fn covers(&self, checks: &[Check], arena: &[u64]) -> Vec<Cover> {
        let cover = |((_, check), count): (&(u32, usize), &u64)| {
            let Check { name, doc, .. } = checks[*check].clone();
            Cover { check: *check, name, doc, count: *count }
        };
        self.covers.iter().zip(self.cover_counts(arena)).map(cover).collect()
    }
}
