//! A policy that lets warps run in quanta.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;

use warpsmith::gpu::memory::{Done, IssuePolicy, NextInstruction, Permit, Request, Shared};

/// Instructions per quantum.
pub const QUANTUM: u32 = 20;

/// The state of a warp in a quantum.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turn {
    /// It has issued so many instructions.
    Runs(u32),
    /// It has all its answers.
    HasEnded,
    /// It waits at a barrier, in a CTA of which no warp runs if that is set.
    AtBarrier,
}

/// No warp begins a quantum before all have finished the previous one; barriers open between quanta, and so do faults
/// end the launch. Its clock counts quanta.
#[derive(Debug, Default)]
pub struct Quanta {
    pub warps: BTreeMap<(u32, u32), Turn>,
    /// The place of the CTA of each warp.
    pub places: HashMap<(u32, u32), u32>,
    pub faulty: Option<(u32, u32)>,
    pub requests: Vec<Request>,
    pub number: u64,
    pub complete: u64,
    pub opens_none: bool,
}

impl Quanta {
    fn set(&mut self, core: u32, warp: u32, turn: Turn) {
        self.warps.insert((core, warp), turn);
        self.end_if_all_have_ended();
    }

    fn end_if_all_have_ended(&mut self) {
        if self.warps.values().any(|turn| matches!(turn, Turn::Runs(_))) {
            return;
        }
        self.number += 1;
        if let Some((core, warp)) = self.faulty {
            return self.requests.push(Request::ReportFault(core, warp));
        }
        let waiting = self.warps.iter().filter(|(_, turn)| **turn == Turn::AtBarrier);
        let places: HashSet<_> = waiting.map(|(at, _)| (at.0, self.places[at])).collect();
        for (core, place) in places {
            if !self.opens_none {
                self.requests.push(Request::OpenBarriers(core, place));
            }
            self.requests.push(Request::CountArrivals(core, place));
        }
        for (at, turn) in &mut self.warps {
            if *turn == Turn::HasEnded {
                self.requests.insert(0, Request::Wake(at.0, at.1));
                *turn = Turn::Runs(0);
            }
        }
    }
}

impl IssuePolicy for Quanta {
    fn begins(&mut self, core: u32, place: u32, warps: Range<u32>) {
        for warp in warps {
            self.warps.insert((core, warp), Turn::Runs(0));
            self.places.insert((core, warp), place);
        }
    }

    fn permit(&mut self, core: u32, warp: u32, next: &NextInstruction) -> Permit {
        match self.warps.get_mut(&(core, warp)) {
            // Instructions that no lane executes do not count.
            Some(Turn::Runs(_)) if next.lanes == 0 => Permit::Issue,
            Some(Turn::Runs(QUANTUM)) => Permit::EndOfQuantum,
            Some(Turn::Runs(count)) => {
                *count += 1;
                Permit::Issue
            }
            // A barrier has opened.
            Some(turn @ Turn::AtBarrier) => {
                *turn = Turn::Runs(1);
                Permit::Issue
            }
            Some(Turn::HasEnded) | None => Permit::Wait,
        }
    }

    fn drained(&mut self, shared: &mut Shared, core: u32, warp: u32) {
        shared.done.push(Done::Synchronised { core, warp });
        self.set(core, warp, Turn::HasEnded);
    }

    fn waits(&mut self, core: u32, warp: u32) {
        self.set(core, warp, Turn::AtBarrier);
    }

    fn ends(&mut self, core: u32, warp: u32) {
        self.warps.remove(&(core, warp));
        self.end_if_all_have_ended();
    }

    fn request(&mut self, _: &mut Shared) -> Option<Request> {
        self.requests.pop()
    }

    fn clock(&self, _: u32, _: u32) -> Option<u64> {
        Some(self.number)
    }

    fn defers_barriers(&self) -> bool {
        true
    }

    fn counted(&mut self, _: u32, _: u32, held: u64) {
        self.complete += u64::from(held != 0);
    }

    fn keeps_fault(&mut self, core: u32, warp: u32) -> bool {
        let first = self.faulty.get_or_insert((core, warp));
        *first = (*first).min((core, warp));
        self.warps.remove(&(core, warp));
        self.end_if_all_have_ended();
        true
    }
}
