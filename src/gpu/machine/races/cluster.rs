//! Races in clusters: `barrier.cluster`, and data that is moved beside the threads.
//!
//! Each transfer has a thread of its own, an agent, which begins with what the thread knows that has asked for it. Agents
//! take turns in a few numbers for each thread.

use super::shadow::Epoch;
use super::warp::{Known, Warp};
use super::{Races, numbered};
use crate::simt::{Access, Identity};

/// Set in the number of an agent's CTA.
const OF_AGENT: u32 = 1 << 31;
/// Agents of a thread that are told apart.
const AGENTS: u32 = 8;

/// A thread that moves data for another.
#[derive(Debug)]
pub(in crate::machine) struct Agent(Warp);

/// Threads at the barrier of their cluster.
#[derive(Debug, Default)]
pub(super) struct Met {
    /// What those know together who have arrived.
    gathered: Known,
    /// What all knew when it last opened.
    opened: Known,
}

/// The number of a cluster among those of its grid.
pub(super) fn number(identity: &Identity) -> u32 {
    let (of, cluster) = (identity.grid, identity.cluster());
    let clusters = std::array::from_fn(|axis| of[axis] / cluster[axis]);
    numbered(identity.cluster_of_cta(), clusters)
}

/// The CTA and the thread that have accessed memory, themselves or by an agent.
pub(super) fn asker(epoch: &Epoch) -> [u32; 2] {
    match epoch.cta & OF_AGENT {
        0 => [epoch.cta, epoch.thread],
        _ => [epoch.cta & !OF_AGENT, epoch.thread / AGENTS],
    }
}

impl Races {
    /// Lanes of a warp arrive at the barrier of their cluster; what they have written before is released, or if they
    /// arrive relaxed, what they have written before their last fence.
    pub(in crate::machine) fn arrive_at_cluster(
        &mut self,
        identity: &Identity,
        lanes: u32,
        is_relaxed: bool,
    ) {
        let Some(warp) = self.warp(identity) else { return };
        let mut known = warp.gather(lanes);
        if is_relaxed {
            known.clock = known.fenced[1].clone();
        }
        warp.advance(lanes);
        self.clusters.entry(number(identity)).or_default().gathered.join(&known);
    }

    /// The barrier opens: all have arrived.
    pub(in crate::machine) fn open_cluster(&mut self, identity: &Identity) {
        let met = self.clusters.entry(number(identity)).or_default();
        met.opened = std::mem::take(&mut met.gathered);
    }

    /// Lanes of a warp have waited at it.
    pub(in crate::machine) fn wait_at_cluster(&mut self, identity: &Identity, lanes: u32) {
        let Some(met) = self.clusters.get(&number(identity)) else { return };
        let opened = met.opened.clone();
        if let Some(warp) = self.warp(identity) {
            warp.learn(lanes, &opened);
        }
    }

    /// A thread has something moved.
    pub(in crate::machine) fn fork(&mut self, identity: &Identity, lane: usize) -> Option<Agent> {
        let [turn, time] = [self.agents % AGENTS, self.agents / AGENTS + 1];
        self.agents += 1;
        let warp = self.warp(identity)?;
        let known = warp.gather(1 << lane);
        warp.advance(1 << lane);
        let cta = super::number(identity) | OF_AGENT;
        Some(Agent(Warp::agent(cta, identity.thread(lane) * AGENTS + turn, time, known)))
    }

    /// An agent has accessed memory.
    pub(in crate::machine) fn access_of(
        &mut self,
        agent: &mut Agent,
        identity: &Identity,
        access: &Access,
    ) {
        self.look_at_access(&mut agent.0, true, identity, access);
    }

    /// The thread has waited for what the agent has done so far.
    pub(in crate::machine) fn join(&mut self, identity: &Identity, lane: usize, agent: &mut Agent) {
        let known = agent.0.gather(1);
        agent.0.advance(1);
        if let Some(warp) = self.warp(identity) {
            warp.learn(1 << lane, &known);
        }
    }
}
