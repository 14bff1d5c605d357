//! Special registers.

use super::registers::{LANES, Lanes};
use super::warp::{Surroundings, Warp};
use crate::isa::{File, Special, Target};

impl Warp {
    pub(super) fn special(
        &mut self,
        special: Special,
        file: File,
        d: Target,
        mask: u32,
        around: Surroundings,
    ) {
        let identity = &self.identity;
        let same = |value: u32| -> Lanes<u64> { [value.into(); LANES] };
        let lanes = |f: &dyn Fn(u32) -> u32| -> Lanes<u64> {
            std::array::from_fn(|lane| f(lane as u32).into())
        };
        let values = match special {
            Special::Tid(axis) => {
                lanes(&|lane| identity.position(lane as usize)[usize::from(axis)])
            }
            Special::Ntid(axis) => same(identity.block[usize::from(axis)]),
            Special::Ctaid(axis) => same(identity.cta[usize::from(axis)]),
            Special::Nctaid(axis) => same(identity.grid[usize::from(axis)]),
            Special::ClusterId(axis) => same(identity.cluster_of_cta()[usize::from(axis)]),
            Special::NClusterId(axis) => {
                same(identity.grid[usize::from(axis)] / identity.cluster()[usize::from(axis)])
            }
            Special::ClusterCtaId(axis) => same(identity.cta_in_cluster()[usize::from(axis)]),
            Special::ClusterNCtaId(axis) => same(identity.cluster()[usize::from(axis)]),
            Special::ClusterCtaRank => same(identity.rank()),
            Special::ClusterNCtaRank => same(identity.cluster_size()),
            Special::IsExplicitCluster => same(identity.explicit_cluster.into()),
            Special::LaneId => lanes(&|lane| lane),
            Special::WarpId => same(identity.warp),
            Special::NWarpId => same(identity.warps()),
            Special::SmId => same(identity.core[0]),
            Special::NSmId => same(identity.core[1]),
            Special::GridId | Special::GraphExec => same(0),
            Special::WarpSize => same(LANES as u32),
            Special::LaneMaskEq => lanes(&|lane| 1 << lane),
            Special::LaneMaskLt => lanes(&|lane| (1 << lane) - 1),
            Special::LaneMaskLe => lanes(&|lane| u32::MAX >> (31 - lane)),
            Special::LaneMaskGt => lanes(&|lane| !(u32::MAX >> (31 - lane))),
            Special::LaneMaskGe => lanes(&|lane| u32::MAX << lane),
            Special::Clock => same(around.clock as u32),
            Special::Clock64 => [around.clock; LANES],
            Special::DynamicSharedSize => same(identity.dynamic_shared),
            // In units of 128 bytes, as GPUs since sm_80 allocate it.
            Special::SharedSize(fixed) => {
                same(fixed.saturating_add(identity.dynamic_shared).next_multiple_of(128))
            }
            Special::GlobalTimer => [around.clock; LANES],
            Special::GlobalTimerLow => same(around.clock as u32),
            Special::GlobalTimerHigh => same((around.clock >> 32) as u32),
            // The halves of a pointer, the high one first: `load_env_reg64<1, 2>` of CUDA's cooperative_groups.
            Special::EnvironmentRegister(1) => same((identity.workspace >> 32) as u32),
            Special::EnvironmentRegister(2) => same(identity.workspace as u32),
            Special::EnvironmentRegister(_) => same(0),
        };
        self.write_both(file, d, mask, &values);
    }
}
