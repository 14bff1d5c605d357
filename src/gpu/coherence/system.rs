//! The memory systems: the four that the HMG paper compares, and its two bounds (section VI).

use serde::{Deserialize, Serialize};

/// A memory system.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum System {
    /// No L2 keeps lines of other GPUs; within a GPU as [`System::Software`].
    NoRemoteCaching,
    /// Software coherence: an acquire empties caches in bulk. All GPMs are alike.
    Software,
    /// The same with a home in each GPU, between the GPM and the home of the machine.
    SoftwareHierarchical,
    /// Non-hierarchical hardware coherence: directories that know every GPM (section IV).
    Nhcc,
    /// Hierarchical hardware coherence: directories of GPMs and of GPUs (section V).
    Hmg,
    /// Caching whose coherence costs nothing: a bound, not a design.
    Ideal,
}

/// The way of a request that misses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Routing {
    /// From the GPM to the home.
    Direct,
    /// By the home in the GPU of the GPM.
    ByGpuHome,
}

/// How the L2 caches learn that a copy is old.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Coherence {
    /// They do not: who acquires empties those on his way to the home.
    Bulk,
    /// A directory at the home tells them.
    Directory,
    /// All copies are always those of the home.
    Free,
}

impl System {
    /// All of them, in the order of the paper's figure 8.
    pub const ALL: [Self; 6] = [
        Self::NoRemoteCaching,
        Self::Software,
        Self::SoftwareHierarchical,
        Self::Nhcc,
        Self::Hmg,
        Self::Ideal,
    ];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::NoRemoteCaching => "no-remote-caching",
            Self::Software => "software",
            Self::SoftwareHierarchical => "software-hierarchical",
            Self::Nhcc => "nhcc",
            Self::Hmg => "hmg",
            Self::Ideal => "ideal",
        }
    }

    /// The system of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|system| system.name() == name)
    }

    /// The way of a request that misses.
    pub fn routing(self) -> Routing {
        match self {
            Self::SoftwareHierarchical | Self::Hmg | Self::Ideal => Routing::ByGpuHome,
            Self::NoRemoteCaching | Self::Software | Self::Nhcc => Routing::Direct,
        }
    }

    /// How copies are kept coherent.
    pub fn coherence(self) -> Coherence {
        match self {
            Self::NoRemoteCaching | Self::Software | Self::SoftwareHierarchical => Coherence::Bulk,
            Self::Nhcc | Self::Hmg => Coherence::Directory,
            Self::Ideal => Coherence::Free,
        }
    }

    /// Whether an L2 keeps lines whose home is in another GPU.
    pub fn keeps_lines_of_other_gpus(self) -> bool {
        self != Self::NoRemoteCaching
    }
}
