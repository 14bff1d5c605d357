//! Clusters of CTAs: which launches have them, and how their threads meet at `barrier.cluster`.

use std::collections::HashMap;
use std::ops::Range;

use super::cta::{Cta, OF_CLUSTER, State};
use super::launch::{self, Launch, LaunchError, Work};
use super::races::Races;
use crate::isa::{ClusterBarrier, Kernel, Operation};
use crate::memory::Flat;
use crate::simt::{Access, Identity, Image, Problem};

/// Most CTAs of a cluster: kernels of more than 8 ask for it on hardware.
const MOST_CTAS: u32 = 16;

/// CTAs of a cluster along each axis.
pub(super) fn of(kernel: &Kernel, launch: &Launch) -> [u32; 3] {
    launch.cluster.or(kernel.required_cluster).unwrap_or([1; 3])
}

/// Whether the launch or the kernel says what a cluster is.
pub(super) fn is_explicit(kernel: &Kernel, launch: &Launch) -> bool {
    kernel.explicit_cluster || launch.cluster.or(kernel.required_cluster).is_some()
}

fn size([x, y, z]: [u32; 3]) -> u32 {
    x.saturating_mul(y).saturating_mul(z)
}

/// Refuses clusters that the kernel or its grid does not take.
pub(super) fn check(kernel: &Kernel, launch: &Launch) -> Result<(), LaunchError> {
    let (cluster, grid) = (of(kernel, launch), launch.grid);
    let refused = |wanted| Err(LaunchError::Clusters { cluster, wanted });
    if let Some(wanted) = kernel.required_cluster.filter(|wanted| *wanted != cluster) {
        return refused(format!("the kernel requires {wanted:?} (.reqnctapercluster)"));
    }
    let most = kernel.max_cluster.map_or(MOST_CTAS, |most| most.min(MOST_CTAS));
    if !(1..=most).contains(&size(cluster)) {
        return refused(format!("1 to {most} CTAs are accepted in all"));
    }
    if (0..3).any(|axis| !grid[axis].is_multiple_of(cluster[axis])) {
        return refused(format!("the grid of {grid:?} CTAs is to be a multiple along each axis"));
    }
    Ok(())
}

/// Refuses a launch in which the CTAs of a cluster cannot run at the same time.
pub(super) fn check_resident(kernel: &Kernel, launch: &Launch) -> Result<(), LaunchError> {
    let cluster = of(kernel, launch);
    match size(cluster) > launch.resident.max(1) {
        true => {
            let wanted = format!(
                "they run at the same time, and `resident` allows {}: {} or more is accepted",
                launch.resident,
                size(cluster)
            );
            Err(LaunchError::Clusters { cluster, wanted })
        }
        false => Ok(()),
    }
}

/// Refuses what has no time.
pub(super) fn check_timed(work: &[Work], image: &Image) -> Result<(), LaunchError> {
    for Work { kernel, launch } in work {
        let cluster = of(kernel, launch);
        if size(cluster) > 1 {
            return Err(LaunchError::NotTimed(format!("clusters of {cluster:?} CTAs")));
        }
    }
    let program = &image.program;
    let what = |operation: &Operation| match operation {
        Operation::Bulk(form) if form.from.is_none() => Some("st.async and red.async"),
        Operation::Bulk(_) | Operation::BulkCommit | Operation::BulkWait { .. } => {
            Some("cp.async.bulk")
        }
        Operation::ClusterBarrier(_) => Some("barrier.cluster"),
        _ => None,
    };
    let mut lines = program.code.iter().zip(&program.lines);
    let found = lines.find_map(|(it, line)| Some((what(&it.operation)?, line)));
    match found {
        Some((what, line)) => {
            Err(LaunchError::NotTimed(format!("{}:{line}: {what}", program.file)))
        }
        None => Ok(()),
    }
}

/// Where the CTA of that number stands in the grid; those of a cluster follow one another.
pub(super) fn place_of_cta(number: u64, grid: [u32; 3], cluster: [u32; 3]) -> [u32; 3] {
    let ctas = u64::from(size(cluster));
    let clusters = std::array::from_fn(|axis| grid[axis] / cluster[axis]);
    let [at, within] = [(number / ctas, clusters), (number % ctas, cluster)]
        .map(|(number, of)| launch::place_of_cta(number, of));
    std::array::from_fn(|axis| at[axis] * cluster[axis] + within[axis])
}

/// The places of the CTAs of a cluster, by that of one.
pub(super) fn ctas(slot: usize, size: u32) -> Range<usize> {
    let size = size as usize;
    let first = slot / size * size;
    first..first + size
}

/// The place of the CTA whose shared memory an access is to.
#[inline]
pub(super) fn slot_of(
    memory: &Flat,
    slot: usize,
    identity: &Identity,
    access: &Access,
) -> Result<usize, (usize, Problem)> {
    let Some(rank) = access.rank else { return Ok(slot) };
    let lane = access.mask.trailing_zeros() as usize % 32;
    place_of(memory, slot, identity, rank, access.addresses[lane])
        .map_err(|problem| (lane, problem))
}

/// The place of a CTA of the cluster, of whose shared memory an address is wanted.
pub(super) fn place_of(
    memory: &Flat,
    slot: usize,
    identity: &Identity,
    rank: u32,
    address: u64,
) -> Result<usize, Problem> {
    let size = identity.cluster_size();
    if rank >= size {
        return Err(Problem::NoCta { rank, ctas: size });
    }
    let place = ctas(slot, size).start + rank as usize;
    match memory.has_ended(place) {
        true => Err(Problem::CtaEnded { rank, address }),
        false => Ok(place),
    }
}

/// Lanes of a warp at the barrier of its cluster.
#[derive(Debug, Clone, Copy, Default)]
struct Lanes {
    live: u32,
    /// Lanes that have arrived, and whose barrier has not opened.
    arrived: u32,
    /// Lanes that have arrived and have not waited.
    owing: u32,
}

/// The barriers of clusters that run, by the place of each CTA.
#[derive(Debug, Default)]
pub(super) struct Clusters {
    lanes: HashMap<usize, Vec<Lanes>>,
    /// Whether any thread has come to one.
    are_used: bool,
}

impl Clusters {
    /// A CTA begins.
    pub(super) fn begin(&mut self, slot: usize, identity: &Identity) {
        let live = |warp| Identity { warp, ..*identity }.lanes();
        let lanes =
            (0..identity.warps()).map(|warp| Lanes { live: live(warp), ..Lanes::default() });
        self.lanes.insert(slot, lanes.collect());
    }

    /// Lanes of a warp have come to the barrier.
    pub(super) fn step(
        &mut self,
        slot: usize,
        cta: &mut Cta,
        at: usize,
        (kind, lanes, pc): (ClusterBarrier, u32, u32),
        races: Option<&mut Races>,
    ) -> Result<(), Problem> {
        self.are_used = true;
        let Some(of_warp) = self.lanes.get_mut(&slot).map(|warps| &mut warps[at]) else {
            return Ok(());
        };
        let identity = cta.warps[at].0.identity;
        match kind {
            ClusterBarrier::Arrive { .. } if of_warp.owing & lanes != 0 => {
                Err(Problem::ClusterBarrier(
                    "barrier.cluster.arrive again without barrier.cluster.wait",
                ))
            }
            ClusterBarrier::Arrive { is_relaxed } => {
                of_warp.arrived |= lanes;
                of_warp.owing |= lanes;
                if let Some(races) = races {
                    races.arrive_at_cluster(&identity, lanes, is_relaxed);
                }
                Ok(())
            }
            ClusterBarrier::Wait if lanes & !of_warp.owing != 0 => Err(Problem::ClusterBarrier(
                "barrier.cluster.wait of threads that have not come to barrier.cluster.arrive",
            )),
            ClusterBarrier::Wait => {
                of_warp.owing &= !lanes;
                if of_warp.arrived & lanes != 0 {
                    cta.warps[at].1 = State::Waits(OF_CLUSTER, pc);
                } else if let Some(races) = races {
                    races.wait_at_cluster(&identity, lanes);
                }
                Ok(())
            }
        }
    }

    /// Opens the barrier of a CTA's cluster if all have arrived that have not left the kernel; gives whether it did.
    pub(super) fn look_at(
        &mut self,
        slot: usize,
        cta: &mut Cta,
        mut races: Option<&mut Races>,
    ) -> bool {
        if !self.are_used {
            return false;
        }
        let identity = cta.warps[0].0.identity;
        let cluster = ctas(slot, identity.cluster_size());
        let own = self.lanes.entry(slot).or_default();
        own.iter_mut().zip(&cta.warps).for_each(|(lanes, (warp, _))| lanes.live = warp.live());
        let warps = |all: &Self| {
            let places = cluster.clone().filter_map(|slot| all.lanes.get(&slot));
            places.flatten().copied().collect::<Vec<_>>()
        };
        let all = warps(self);
        let opens = all.iter().all(|lanes| lanes.live & !lanes.arrived == 0)
            && all.iter().any(|lanes| lanes.arrived != 0);
        if opens {
            for slot in cluster {
                self.lanes.entry(slot).or_default().iter_mut().for_each(|it| it.arrived = 0);
            }
            if let Some(races) = races.as_deref_mut() {
                races.open_cluster(&identity);
            }
        }
        let own = self.lanes.entry(slot).or_default();
        for (lanes, (warp, state)) in own.iter().zip(&mut cta.warps) {
            if matches!(state, State::Waits(OF_CLUSTER, _)) && lanes.arrived == 0 {
                *state = State::Ready;
                if let Some(races) = races.as_deref_mut() {
                    races.wait_at_cluster(&warp.identity, warp.live());
                }
            }
        }
        opens
    }
}
