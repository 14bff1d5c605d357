//! What a run that checks leniently goes past, once for each place in the source.

use std::cell::RefCell;
use std::collections::BTreeMap;

use super::identity::Identity;
use super::problem::Problem;

/// A problem that a run has gone past.
#[derive(Debug, Clone)]
pub struct Passed {
    /// The warp in which it was first met.
    pub identity: Identity,
    /// The lane, if it was in one.
    pub lane: Option<usize>,
    /// As it was first met.
    pub problem: Problem,
    /// How often it was met, in lanes.
    pub count: u64,
}

/// Problems that a run has gone past, by launch and index of the instruction.
#[derive(Debug, Default)]
pub struct Warnings(RefCell<BTreeMap<(u32, u32), Passed>>);

impl Warnings {
    /// Goes past a problem that was met so many times.
    pub fn pass(
        &self,
        pc: u32,
        identity: Identity,
        lane: Option<usize>,
        problem: Problem,
        count: u32,
    ) {
        let mut places = self.0.borrow_mut();
        let first = || Passed { identity, lane, problem, count: 0 };
        places.entry((identity.launch, pc)).or_insert_with(first).count += u64::from(count);
    }

    /// All of them, in the order of launches and instructions.
    pub fn passed(&self) -> Vec<(u32, Passed)> {
        self.0.borrow().iter().map(|((_, pc), passed)| (*pc, passed.clone())).collect()
    }
}
