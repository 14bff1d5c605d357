//! A policy that limits concurrent transactions.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use warpsmith::gpu::isa::{self, Boundary, Service};
use warpsmith::gpu::memory::{IssuePolicy, NextInstruction, Permit, Request, Shared};

/// At most one warp of a core runs a transaction.
#[derive(Debug, Default)]
pub struct OneTransaction {
    /// For each core the warp that runs one.
    pub running: HashMap<u32, u32>,
    pub waiting: HashSet<(u32, u32)>,
    pub woken: Vec<(u32, u32)>,
    /// Most warps that were in transactions at once.
    pub most_running: usize,
}

impl OneTransaction {
    pub fn is_over(&mut self, core: u32) {
        self.running.remove(&core);
        self.woken.extend(self.waiting.iter().filter(|other| other.0 == core));
    }
}

impl IssuePolicy for OneTransaction {
    fn begins(&mut self, _: u32, _: u32, _: Range<u32>) {}

    fn permit(&mut self, core: u32, warp: u32, next: &NextInstruction) -> Permit {
        if let isa::Operation::Service(Service::Transaction(Boundary::Begin)) = next.operation {
            if self.running.contains_key(&core) {
                self.waiting.insert((core, warp));
                return Permit::Wait;
            }
            self.running.insert(core, warp);
        }
        self.most_running = self.most_running.max(self.running.len());
        Permit::Issue
    }

    fn ends(&mut self, _: u32, _: u32) {}

    fn request(&mut self, _: &mut Shared) -> Option<Request> {
        let (core, warp) = self.woken.pop()?;
        self.waiting.remove(&(core, warp));
        Some(Request::Wake(core, warp))
    }
}
