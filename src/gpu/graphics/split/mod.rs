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
mod replay;
mod report;
pub mod rounded;
mod rule;
mod seats;
mod watch;

pub use groups::Reason;
pub use planted::Planted;
pub use replay::Replayed;
pub use report::{Bytes, GroupReport, Report};
pub use rounded::Bits;
pub use rule::Rule;
pub use seats::{Fault, places};

use serde::Serialize;
use warpsmith_testbench::verilator::Warning;

use super::frame::{Frame, Target};
use super::picture::Picture;
use super::view::{View, Viewed};
use crate::memory::RtlSettings;

/// Most GPUs: a bit each in what GPUpd sends.
pub const MOST_GPUS: usize = 64;

/// Most bytes of all GPUs' targets.
const MOST_BYTES: u64 = 8 << 30;

/// Split-frame system.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
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
    #[default]
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
    /// Bits of transparent sub-images; without them they are lists of fragments, which compose exactly.
    pub sub_images: Option<Bits>,
    /// An error for tests.
    pub planted: Option<Planted>,
}

impl Settings {
    /// A system of so many GPUs.
    pub fn new(system: System, gpus: usize) -> Self {
        Self {
            system,
            gpus,
            threshold: 4096,
            seed: 0,
            ties_by_arrival: false,
            sub_images: None,
            planted: None,
        }
    }
}

/// What is wanted beside the picture.
#[derive(Clone, Copy)]
pub struct Wishes<'a> {
    /// A picture of how it came about.
    pub view: Option<View>,
    /// Is told of each step how many triangles it drew, times the GPUs.
    pub tell: &'a dyn Fn(u64),
    /// Schedulers that are RTL; [`places`] has their names.
    pub rtl: Option<&'a RtlSettings>,
}

impl Wishes<'_> {
    /// Nothing.
    pub const NONE: Self = Self { view: None, tell: &|_| (), rtl: None };
}

/// A drawn frame.
#[derive(Debug)]
pub struct Drawn {
    /// The picture.
    pub picture: Picture,
    /// Counts.
    pub report: Report,
    /// The view, if there is one.
    pub view: Option<Viewed>,
    /// What Verilator warns of in the user's files.
    pub warnings: Vec<Warning>,
}

/// Draws a frame on several GPUs.
///
/// # Errors
/// If there are too many GPUs, a group's mark is impossible, or a shader is stopped.
pub fn render(frame: &Frame, settings: &Settings) -> Result<(Picture, Report), Fault> {
    let Drawn { picture, report, .. } = draw(frame, settings, Wishes::NONE)?;
    Ok((picture, report))
}

/// As [`render`], with what is wanted besides.
///
/// # Errors
/// As [`render`], if the view cannot be made, and if a scheduler's RTL is wrong.
pub fn draw(frame: &Frame, settings: &Settings, wishes: Wishes<'_>) -> Result<Drawn, Fault> {
    let most = MOST_GPUS;
    if !(1..=most).contains(&settings.gpus) {
        return Err(format!("{} GPUs: 1 to {most} are accepted", settings.gpus).into());
    }
    let pixels = |target: &Target| u64::from(target.width) * u64::from(target.height);
    let bytes = 4 * frame.targets.iter().map(pixels).sum::<u64>() * settings.gpus as u64;
    if bytes > MOST_BYTES {
        let what = format!("{bytes} bytes of targets on all GPUs: {MOST_BYTES} are accepted");
        return Err(what.into());
    }
    machine::Machine::new(frame, settings, wishes)?.run()
}
