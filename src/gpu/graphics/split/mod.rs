//! Several GPUs that draw one frame: split-frame rendering without time (thesis, 6.2 to 6.4).
//!
//! Every GPU has copies of all targets; after each group a tile is current at its owner only. The picture is bit for
//! bit what one GPU draws.

mod compose;
mod deal;
mod gpupd;
mod groups;
mod machine;
mod order;
mod planted;
mod report;

pub use groups::Reason;
pub use planted::Planted;
pub use report::{Bytes, GroupReport, Report};

use serde::Serialize;

use super::frame::{Frame, Target};
use super::picture::Picture;

/// Most GPUs: a bit each in what GPUpd sends.
pub const MOST_GPUS: usize = 64;

/// Most bytes of all GPUs' targets.
const MOST_BYTES: u64 = 8 << 30;

/// Split-frame system.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum System {
    /// Every GPU runs all geometry, and draws its own tiles.
    Duplication,
    /// Each GPU finds the destinations of a share of the primitives (GPUpd).
    Gpupd,
    /// CHOPIN; draws are dealt in turn.
    ChopinRoundRobin,
    /// CHOPIN with the draw scheduler.
    Chopin,
    /// CHOPIN with the draw scheduler and the composition scheduler.
    ChopinScheduled,
}

impl System {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::Duplication,
        Self::Gpupd,
        Self::ChopinRoundRobin,
        Self::Chopin,
        Self::ChopinScheduled,
    ];

    /// The name that is given to choose it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Duplication => "duplication",
            Self::Gpupd => "gpupd",
            Self::ChopinRoundRobin => "chopin-round-robin",
            Self::Chopin => "chopin",
            Self::ChopinScheduled => "chopin-scheduled",
        }
    }

    fn composes(self) -> bool {
        !matches!(self, Self::Duplication | Self::Gpupd)
    }
}

/// Settings of a drawn frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// The system.
    pub system: System,
    /// GPUs.
    pub gpus: usize,
    /// Triangles of a group from which on it is composed (4096 in table 6.2).
    pub threshold: u64,
    /// Seed of the times that GPUs take: which draw goes where, and which sub-images meet first.
    pub seed: u64,
    /// Ties of depth are left to the order of arrival, as in the thesis.
    pub ties_by_arrival: bool,
    /// An error for tests.
    pub planted: Option<Planted>,
}

impl Settings {
    /// A system of so many GPUs.
    pub fn new(system: System, gpus: usize) -> Self {
        Self { system, gpus, threshold: 4096, seed: 0, ties_by_arrival: false, planted: None }
    }
}

/// Draws a frame on several GPUs.
///
/// # Errors
/// If there are too many GPUs, a group's mark is impossible, or a shader is stopped.
pub fn render(frame: &Frame, settings: &Settings) -> Result<(Picture, Report), String> {
    let most = MOST_GPUS;
    if !(1..=most).contains(&settings.gpus) {
        return Err(format!("{} GPUs: 1 to {most} are accepted", settings.gpus));
    }
    let pixels = |target: &Target| u64::from(target.width) * u64::from(target.height);
    let bytes = 4 * frame.targets.iter().map(pixels).sum::<u64>() * settings.gpus as u64;
    if bytes > MOST_BYTES {
        return Err(format!("{bytes} bytes of targets on all GPUs: {MOST_BYTES} are accepted"));
    }
    machine::Machine::new(frame, settings)?.run()
}
