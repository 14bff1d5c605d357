//! Why a warp does not issue.

use std::ops::{Index, IndexMut};

use serde::{Serialize, Serializer};

/// Why a warp does not issue in a clock. Names in parentheses are those of Nsight Compute.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Stall {
    /// It needs what global or local memory is to answer ("long scoreboard").
    Memory,
    /// It needs what shared memory is to answer ("short scoreboard").
    SharedMemory,
    /// It needs the result of a unit ("wait").
    #[default]
    Dependency,
    /// It waits at a barrier for other warps ("barrier").
    Barrier,
    /// It waits for a fence, release, acquire or transaction ("membar").
    Order,
    /// Its instruction has not been fetched ("no instruction").
    Fetch,
    /// Its arithmetic or special unit is busy ("math pipe throttle").
    Unit,
    /// The unit of memory or the L1 is busy ("LG throttle", "MIO throttle").
    Throttle,
    /// Another warp issues ("not selected").
    NotSelected,
    /// The memory system does not permit it to issue.
    Permission,
}

impl Stall {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::Memory,
        Self::SharedMemory,
        Self::Dependency,
        Self::Barrier,
        Self::Order,
        Self::Fetch,
        Self::Unit,
        Self::Throttle,
        Self::NotSelected,
        Self::Permission,
    ];

    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Memory => "memory",
            Self::SharedMemory => "shared memory",
            Self::Dependency => "dependency",
            Self::Barrier => "barrier",
            Self::Order => "order",
            Self::Fetch => "fetch",
            Self::Unit => "unit busy",
            Self::Throttle => "memory unit busy",
            Self::NotSelected => "not selected",
            Self::Permission => "permission",
        }
    }
}

/// Clocks of warps for each reason.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Stalls([u64; Stall::ALL.len()]);

impl Stalls {
    /// Adds the clocks of others.
    pub fn add(&mut self, other: &Self) {
        self.0.iter_mut().zip(other.0).for_each(|(clocks, more)| *clocks += more);
    }

    /// Clocks for all reasons.
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }
}

impl Index<Stall> for Stalls {
    type Output = u64;

    fn index(&self, why: Stall) -> &u64 {
        &self.0[why as usize]
    }
}

impl IndexMut<Stall> for Stalls {
    fn index_mut(&mut self, why: Stall) -> &mut u64 {
        &mut self.0[why as usize]
    }
}

impl Serialize for Stalls {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(Stall::ALL.map(|why| (why.name(), self[why])))
    }
}
