//! What a timed run spends its clocks on, by instruction: each clock of a warp between its beginning and its end is
//! either the issue of an instruction, or a stall with a reason, which is charged to the instruction that waits.

mod stall;
mod timeline;
mod trace;

pub use stall::{Stall, Stalls};
pub use timeline::Timeline;
pub use trace::{CtaSpan, LaunchSpan, Trace, Wait};

use serde::Serialize;

use crate::config::{Config, LINE};
use crate::isa::Program;
use crate::simt::Access;

/// Slots of a core for warps, at most.
const SLOTS: usize = 64;

/// Counts of one instruction.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Warps that have issued it.
    pub warp_instructions: u64,
    /// Lanes that have executed it.
    pub thread_instructions: u64,
    /// Branches of which some lanes took each way.
    pub divergent_branches: u64,
    /// Accesses to global memory.
    pub accesses: u64,
    /// Lines of 128 bytes that these touched, after coalescing.
    pub transactions: u64,
    /// Accesses to shared memory.
    pub shared_accesses: u64,
    /// Clocks that these took beyond those that their width needs, because lanes wanted different words of a bank.
    pub bank_conflicts: u64,
    /// Clocks of warps that waited to issue it.
    pub stalls: Stalls,
}

impl Counts {
    /// Adds the counts of another instruction.
    pub fn add(&mut self, other: &Self) {
        self.warp_instructions += other.warp_instructions;
        self.thread_instructions += other.thread_instructions;
        self.divergent_branches += other.divergent_branches;
        self.accesses += other.accesses;
        self.transactions += other.transactions;
        self.shared_accesses += other.shared_accesses;
        self.bank_conflicts += other.bank_conflicts;
        self.stalls.add(&other.stalls);
    }
}

/// The profile of all launches of a machine that run one program.
#[derive(Debug, Default)]
pub struct Profile {
    /// Counts of each instruction of the program.
    pub counts: Vec<Counts>,
    /// Clocks from the beginning of each warp to its end, summed.
    pub warp_clocks: u64,
    /// What cores and warps did over time.
    pub timeline: Timeline,
    /// Spans of launches, CTAs and waits, if they are wanted.
    pub trace: Option<Trace>,
    warps: Vec<Warp>,
}

/// What is known of a warp.
#[derive(Debug, Clone, Default)]
struct Warp {
    begun: u64,
    /// All clocks before this one are accounted for.
    since: u64,
    /// Why it cannot issue, while it is not known when it can.
    waits: Stall,
    /// Until when it waits for what, in order, once that is known.
    until: Vec<(u64, Stall)>,
    /// Its unit was found busy, at a clock, until another.
    busy: Option<(u64, u64, Stall)>,
    /// The instruction that it has issued last, and the one that it is to issue.
    last: u32,
    pc: u32,
    /// Clocks since it last issued.
    pending: Stalls,
    /// For what one waits who needs a register.
    results: Vec<Stall>,
}

impl Profile {
    /// A profile without counts; with spans, if a trace is wanted.
    pub fn new(program: &Program, config: &Config, is_traced: bool) -> Self {
        let cores = config.machine.cores() as usize;
        Self {
            counts: vec![Counts::default(); program.code.len()],
            warp_clocks: 0,
            timeline: Timeline::new(cores),
            trace: is_traced.then(Trace::default),
            warps: vec![Warp::default(); cores * SLOTS],
        }
    }

    fn warp(&mut self, core: u32, slot: u32) -> &mut Warp {
        &mut self.warps[core as usize * SLOTS + slot as usize]
    }

    /// A warp begins.
    pub(super) fn begins(&mut self, core: u32, slot: u32, now: u64, registers: u32) {
        let warp = self.warp(core, slot);
        (warp.begun, warp.since, warp.busy) = (now, now, None);
        warp.waits = Stall::Dependency;
        warp.until.clear();
        warp.results = vec![Stall::Dependency; registers as usize];
    }

    /// A warp ends with the instruction that it has just issued.
    pub(super) fn ends(&mut self, core: u32, slot: u32, now: u64) {
        self.warp_clocks += now + 1 - self.warp(core, slot).begun;
    }

    /// A warp cannot issue, and nobody knows for how long.
    pub(super) fn waits(&mut self, core: u32, slot: u32, why: Stall) {
        self.warp(core, slot).waits = why;
    }

    /// What those wait for who need registers that a warp's instruction writes.
    pub(super) fn results(&mut self, core: u32, slot: u32, registers: &[u32], why: Stall) {
        let warp = self.warp(core, slot);
        registers.iter().for_each(|register| warp.results[*register as usize] = why);
    }

    /// A warp finds its operands at a clock, of which the `slowest` comes last, and its instruction at another.
    pub(super) fn ready(
        &mut self,
        core: u32,
        slot: u32,
        pc: u32,
        [now, operands, fetched]: [u64; 3],
        slowest: Option<u32>,
    ) {
        self.look_again(core, slot, now);
        let warp = self.warp(core, slot);
        warp.pc = pc;
        let slowest = slowest.map(|slowest| warp.results[slowest as usize]);
        let operands = (operands, slowest.unwrap_or_default());
        warp.until = vec![(now + 1, warp.waits), operands, (fetched, Stall::Fetch)];
    }

    /// A warp could issue, but its unit is busy until a clock.
    pub(super) fn finds_busy(&mut self, core: u32, slot: u32, now: u64, until: u64, why: Stall) {
        self.look_again(core, slot, now);
        self.warp(core, slot).busy = Some((now, until, why));
    }

    fn look_again(&mut self, core: u32, slot: u32, now: u64) {
        // A warp that is woken before its core is looked at in a clock issues in that clock.
        for (until, why) in std::mem::take(&mut self.warp(core, slot).until) {
            self.charge(core, slot, until.min(now), why);
        }
        if let Some((at, until, why)) = self.warp(core, slot).busy.take() {
            self.charge(core, slot, at, Stall::NotSelected);
            self.charge(core, slot, until.min(now), why);
        }
    }

    /// A warp issues.
    pub(super) fn issues(&mut self, core: u32, slot: u32, now: u64, pc: u32, writes: &[u32]) {
        self.look_again(core, slot, now);
        self.charge(core, slot, now, Stall::NotSelected);
        self.results(core, slot, writes, Stall::Dependency);
        let warp = self.warp(core, slot);
        (warp.since, warp.last) = (now + 1, pc);
        let pending = std::mem::take(&mut warp.pending);
        self.timeline.issues(core, now);
        let counts = &mut self.counts[pc as usize];
        counts.warp_instructions += 1;
        counts.stalls.add(&pending);
    }

    /// What an instruction did that has been issued.
    pub(super) fn executed(&mut self, pc: u32, lanes: u64, diverged: bool) {
        let counts = &mut self.counts[pc as usize];
        counts.thread_instructions += lanes;
        counts.divergent_branches += u64::from(diverged);
    }

    /// An access to shared memory takes so many turns at its banks.
    pub(super) fn shared(&mut self, pc: u32, access: &Access, turns: u32) {
        let counts = &mut self.counts[pc as usize];
        counts.shared_accesses += 1;
        let least = access.bytes().div_ceil(4).clamp(1, 4);
        counts.bank_conflicts += u64::from(turns.saturating_sub(least));
    }

    /// An access to global memory, whose addresses are places in its contents.
    pub(super) fn global(&mut self, pc: u32, access: &Access) {
        let mut lines: Vec<_> =
            access.lanes().map(|lane| access.addresses[lane] / LINE as u64).collect();
        lines.sort_unstable();
        lines.dedup();
        let counts = &mut self.counts[pc as usize];
        counts.accesses += 1;
        counts.transactions += lines.len() as u64;
    }

    /// All clocks of a warp before this one were spent for one reason, as far as they are not accounted for.
    fn charge(&mut self, core: u32, slot: u32, to: u64, why: Stall) {
        let warp = &mut self.warps[core as usize * SLOTS + slot as usize];
        if to <= warp.since {
            return;
        }
        let from = std::mem::replace(&mut warp.since, to);
        // A barrier or fence is issued, and then waits.
        let pc = match why {
            Stall::Barrier | Stall::Order => {
                self.counts[warp.last as usize].stalls[why] += to - from;
                warp.last
            }
            _ => {
                warp.pending[why] += to - from;
                warp.pc
            }
        };
        self.timeline.stalls(from..to, why);
        if let Some(trace) = &mut self.trace {
            trace.waits(Wait { core, slot, pc, clocks: from..to, why });
        }
    }
}
