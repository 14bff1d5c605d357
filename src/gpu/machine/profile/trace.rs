//! Spans of time of launches, CTAs and waits.

use std::collections::HashMap;
use std::ops::Range;

use super::Stall;

/// Most waits that are kept; later ones are counted only.
const MOST_WAITS: usize = 4 << 20;

/// A launch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LaunchSpan {
    /// The kernel.
    pub kernel: String,
    /// From its first clock to that in which all that was stored is in memory or an L2.
    pub clocks: Range<u64>,
}

/// A CTA.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CtaSpan {
    /// Its core, and its place there.
    pub core: u32,
    /// Its place in the core.
    pub place: u32,
    /// Its number in the grid.
    pub cta: [u32; 3],
    /// From its beginning to the end of its last warp.
    pub clocks: Range<u64>,
}

/// A warp that waits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wait {
    /// Its core.
    pub core: u32,
    /// Its slot there.
    pub slot: u32,
    /// The instruction that it is to issue.
    pub pc: u32,
    /// When.
    pub clocks: Range<u64>,
    /// Why.
    pub why: Stall,
}

/// Spans in the order of their ends.
#[derive(Debug, Clone, Default)]
pub struct Trace {
    /// Launches.
    pub launches: Vec<LaunchSpan>,
    /// CTAs.
    pub ctas: Vec<CtaSpan>,
    /// Waits for memory, barriers, order and permission.
    pub waits: Vec<Wait>,
    /// Waits that were not kept, because there are too many.
    pub waits_left_out: u64,
    running: HashMap<(u32, u32), (u64, [u32; 3])>,
}

impl Trace {
    /// A CTA begins at a place of a core.
    pub(in crate::machine) fn begins(&mut self, core: u32, place: u32, cta: [u32; 3], now: u64) {
        self.running.insert((core, place), (now, cta));
    }

    /// The CTA at a place of a core has ended.
    pub(in crate::machine) fn ends(&mut self, core: u32, place: u32, now: u64) {
        if let Some((begun, cta)) = self.running.remove(&(core, place)) {
            self.ctas.push(CtaSpan { core, place, cta, clocks: begun..now });
        }
    }

    pub(super) fn waits(&mut self, wait: Wait) {
        let is_kept =
            matches!(wait.why, Stall::Memory | Stall::Barrier | Stall::Order | Stall::Permission);
        match is_kept {
            true if self.waits.len() < MOST_WAITS => self.waits.push(wait),
            true => self.waits_left_out += 1,
            false => {}
        }
    }
}
