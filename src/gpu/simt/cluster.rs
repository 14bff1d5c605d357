//! Clusters: addresses in the shared memory of their CTAs, and their barrier.
//!
//! An address of shared memory has the place within that of a CTA in its lowest 24 bits, and above them
//! the rank of the CTA in its cluster plus 1, or 0, which means the CTA itself.

use super::access::{Access, lanes_of};
use super::problem::Problem;
use super::registers::{LANES, Lanes};
use super::step::Step;
use super::warp::{Surroundings, Warp};
use crate::isa::{ClusterBarrier, File, Scope, Source, SourceIn, Space, Target};

/// Bits of an address within the shared memory of a CTA.
const WITHIN: u32 = 24;

/// The rank that an address of shared memory names, and the place within.
fn parts(address: u64) -> (Option<u32>, u64) {
    let rank = (address >> WITHIN).checked_sub(1);
    (rank.map(|rank| rank.min(u32::MAX.into()) as u32), address & ((1 << WITHIN) - 1))
}

impl Warp {
    /// Tells whose shared memory an access is to. Lanes that access that of another CTA than the first lane are left
    /// out. An address that is to be the CTA's own is left as it is if it is another's: it lies outside.
    pub(super) fn find_owner(&self, is_own: bool, access: &mut Access) {
        let own = self.identity.rank();
        let other = |address| parts(address).0.filter(|rank| *rank != own);
        let first = access.mask.trailing_zeros() as usize % LANES;
        let rank = if is_own { None } else { other(access.addresses[first]) };
        for lane in lanes_of(access.mask) {
            let of_lane = other(access.addresses[lane]);
            if of_lane == rank {
                access.addresses[lane] = parts(access.addresses[lane]).1;
            } else if !is_own {
                access.mask &= !(1 << lane);
            }
        }
        access.rank = rank;
    }

    /// A scope without clusters, which GPUs before them have, where each CTA is one.
    pub(super) fn scope(&self, scope: Scope) -> Scope {
        match scope {
            Scope::Cluster if !self.identity.has_cluster() => Scope::Cta,
            scope => scope,
        }
    }

    /// Whether generic addresses lie in a space; of shared memory, whether they are those of the CTA.
    pub(super) fn lies_in(&self, space: Space, address: u64) -> bool {
        let found = Space::of(address);
        match space {
            Space::Cluster => found == Space::Shared,
            Space::Shared if self.identity.has_cluster() => {
                let (rank, _) = parts(address.wrapping_sub(Space::Shared.window()));
                found == space && rank.is_none_or(|rank| rank == self.identity.rank())
            }
            space => found == space,
        }
    }

    /// `mapa`
    pub(super) fn map(
        &mut self,
        (generic, file): (bool, File),
        d: Target,
        [a, rank]: [Source; 2],
        mask: u32,
        around: Surroundings,
    ) -> Result<(), Problem> {
        let ranks = *self.row::<u32>(around.image, rank);
        let ctas = self.identity.cluster_size();
        let window = if generic { Space::Shared.window() } else { 0 };
        let mut values = self.in_cluster(generic, SourceIn { file, source: a }, mask, around)?;
        for lane in lanes_of(mask) {
            let rank = ranks[lane];
            if rank >= ctas {
                return Err(Problem::NoCta { rank, ctas });
            }
            let above = if ctas > 1 { u64::from(rank + 1) << WITHIN } else { 0 };
            values[lane] = window + above + parts(values[lane]).1;
        }
        self.write_both(file, d, mask, &values);
        Ok(())
    }

    /// `getctarank`
    pub(super) fn rank_of(
        &mut self,
        (generic, file): (bool, File),
        d: Target,
        a: Source,
        mask: u32,
        around: Surroundings,
    ) -> Result<(), Problem> {
        let addresses = self.in_cluster(generic, SourceIn { file, source: a }, mask, around)?;
        let own = self.identity.rank();
        let ranks = addresses.map(|address| parts(address).0.unwrap_or(own));
        self.registers.write(d, mask, &ranks);
        Ok(())
    }

    /// Addresses in the shared memory of the cluster.
    fn in_cluster(
        &self,
        generic: bool,
        a: SourceIn,
        mask: u32,
        around: Surroundings,
    ) -> Result<Lanes<u64>, Problem> {
        let addresses = self.registers.read_any(around.image, a);
        if !generic {
            return Ok(addresses);
        }
        let outside = lanes_of(mask).find(|lane| Space::of(addresses[*lane]) != Space::Shared);
        match outside.map(|lane| addresses[lane]) {
            Some(address) => Err(Problem::NotShared { address }),
            None => Ok(addresses.map(|address| address.wrapping_sub(Space::Shared.window()))),
        }
    }

    /// `barrier.cluster`
    pub(super) fn cluster_barrier(&mut self, kind: ClusterBarrier, mask: u32) -> Step {
        // Lanes that wait do it together: one that runs could not let those arrive that do not.
        if kind == ClusterBarrier::Wait && mask != self.stack.live() && self.set_aside(mask) {
            return Step::Done;
        }
        self.advance();
        Step::Cluster(kind, mask)
    }

    /// The lanes that have not left the kernel.
    pub fn live(&self) -> u32 {
        self.stack.live()
    }
}
