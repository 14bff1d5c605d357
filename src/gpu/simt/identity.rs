//! Which threads a warp is.

use super::registers::LANES;

/// Which threads a warp is, and what its CTA and grid are.
#[derive(Debug, Clone, Copy, Default)]
pub struct Identity {
    /// Threads of a CTA along each axis.
    pub block: [u32; 3],
    /// CTAs of the grid along each axis.
    pub grid: [u32; 3],
    /// CTAs of a cluster along each axis; 0 as 1.
    pub cluster: [u32; 3],
    /// The launch or the kernel says how many.
    pub explicit_cluster: bool,
    /// The CTA.
    pub cta: [u32; 3],
    /// The launch, among those in flight.
    pub launch: u32,
    /// Number of the warp in its CTA.
    pub warp: u32,
    /// Bytes of shared memory that the launch adds.
    pub dynamic_shared: u32,
    /// Address of the workspace of cooperative groups.
    pub workspace: u64,
    /// Lanes that turn in a loop never give way to others of the warp.
    pub is_stubborn: bool,
    /// The core that runs the warp, and how many there are.
    pub core: [u32; 2],
}

impl Identity {
    /// CTAs of a cluster along each axis.
    pub fn cluster(&self) -> [u32; 3] {
        self.cluster.map(|side| side.max(1))
    }

    /// CTAs of a cluster.
    pub fn cluster_size(&self) -> u32 {
        self.cluster().iter().product()
    }

    /// Whether there are others in the cluster.
    #[inline]
    pub fn has_cluster(&self) -> bool {
        self.cluster_size() > 1
    }

    /// Where the cluster stands among those of the grid.
    pub fn cluster_of_cta(&self) -> [u32; 3] {
        let cluster = self.cluster();
        std::array::from_fn(|axis| self.cta[axis] / cluster[axis])
    }

    /// Where the CTA stands in its cluster.
    pub fn cta_in_cluster(&self) -> [u32; 3] {
        let cluster = self.cluster();
        std::array::from_fn(|axis| self.cta[axis] % cluster[axis])
    }

    /// The number of the CTA in its cluster.
    pub fn rank(&self) -> u32 {
        let ([x, y, z], of) = (self.cta_in_cluster(), self.cluster());
        (z * of[1] + y) * of[0] + x
    }

    /// The same with another CTA of the cluster.
    pub fn peer(&self, rank: u32) -> Self {
        let (of, at) = (self.cluster(), self.cluster_of_cta());
        let within = [rank % of[0], rank / of[0] % of[1], rank / of[0] / of[1]];
        Self { cta: std::array::from_fn(|axis| at[axis] * of[axis] + within[axis]), ..*self }
    }

    /// Threads of a CTA.
    pub fn threads(&self) -> u32 {
        self.block.iter().product()
    }

    /// Warps of a CTA.
    pub fn warps(&self) -> u32 {
        self.threads().div_ceil(LANES as u32)
    }

    /// The number of the CTA in its grid.
    pub fn cta_number(&self) -> u64 {
        let [x, y, z] = self.cta.map(u64::from);
        (z * u64::from(self.grid[1]) + y) * u64::from(self.grid[0]) + x
    }

    /// The number of a lane's thread within the CTA.
    pub fn thread(&self, lane: usize) -> u32 {
        self.warp * LANES as u32 + lane as u32
    }

    /// Where a lane's thread stands in the CTA.
    pub fn position(&self, lane: usize) -> [u32; 3] {
        let thread = self.thread(lane);
        let [x, y, _] = self.block;
        [thread % x, thread / x % y, thread / x / y]
    }

    /// The lanes that have a thread.
    pub fn lanes(&self) -> u32 {
        let left = self.threads() - (self.warp * LANES as u32).min(self.threads());
        if left >= 32 { u32::MAX } else { (1 << left) - 1 }
    }
}
