//! Composition groups: which draws belong together, and whether their sub-images can be composed (6.4.1).

use serde::Serialize;

use super::Settings;
use crate::graphics::blend::{Blend, Logic, Mask};
use crate::graphics::depth::{DepthTest, Function, StencilTest};
use crate::graphics::frame::{Command, Draw, Frame};
use crate::graphics::state::State;
use crate::graphics::viewport::Viewport;

use super::planted::Planted;

/// Most draws of a composed group: their numbers have 16 bits, and 0 is the background's.
const MOST_DRAWS: usize = (1 << 16) - 1;

/// The reason why all GPUs draw all of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// The system composes nothing.
    System,
    /// Fewer triangles than the threshold.
    FewTriangles,
    /// Not more draws than GPUs.
    FewDraws,
    /// More draws than numbers.
    ManyDraws,
    /// Transparent objects write depth: whether a fragment passes depends on other GPUs' fragments.
    TransparentDepth,
    /// The stencil is written.
    Stencil,
    /// A logic operation reads the target.
    Logic,
    /// Depth is written where it is not equal: which fragments pass depends on the order of all.
    Notequal,
}

/// State that draws of a group have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Common {
    /// Depth: function and whether it is written (events 3 and 4).
    pub depth: Option<DepthTest>,
    /// Ours.
    pub stencil: Option<StencilTest>,
    /// The composition operator, if there is one (event 5).
    pub blend: Option<Blend>,
    /// Ours.
    pub logic: Option<Logic>,
    /// Ours.
    pub mask: Mask,
}

impl Common {
    fn of(draw: &Draw) -> Self {
        let State { depth, stencil, blend, logic, mask, .. } = draw.state;
        let reads = draw.state.is_transparent() && !draw.is_opaque;
        Self { depth, stencil, blend: blend.filter(|_| reads), logic, mask }
    }

    /// The same as a state.
    pub fn state(&self) -> State {
        let Self { depth, stencil, blend, logic, mask } = *self;
        State { depth, stencil, blend, logic, mask, ..State::default() }
    }

    /// A draw may follow. Planted errors ignore differences.
    fn takes(&self, draw: &Draw, planted: Option<Planted>) -> bool {
        let mut other = Self::of(draw);
        match planted {
            Some(Planted::BlendChange) => other.blend = self.blend,
            Some(Planted::StencilChange) => other.stencil = self.stencil,
            Some(Planted::DepthWriteChange) => {
                if let (Some(other), Some(first)) = (&mut other.depth, self.depth) {
                    other.write = first.write;
                }
            }
            _ => {}
        }
        *self == other
    }
}

/// Draws that follow each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group<'f> {
    /// The draws.
    pub draws: Vec<&'f Draw>,
    /// Their state.
    pub common: Common,
    /// Where clip space lies.
    pub viewport: Option<Viewport>,
}

/// A command for all GPUs, or a group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Item<'f> {
    /// A command that is no draw.
    Command(&'f Command),
    /// A group.
    Group(Group<'f>),
}

impl Group<'_> {
    /// Its triangles.
    pub fn triangles(&self) -> u64 {
        self.draws.iter().map(|draw| u64::from(draw.triangles())).sum()
    }

    /// Objects are transparent.
    pub fn is_transparent(&self) -> bool {
        self.common.blend.is_some()
    }

    /// The reason for which it is not composed, if there is one.
    pub fn duplicated(&self, settings: &Settings) -> Option<Reason> {
        let state = self.common.state();
        let writes_depth = state.writes_depth();
        let function = self.common.depth.map(|depth| depth.test);
        match () {
            _ if !settings.system.composes() || settings.gpus == 1 => Some(Reason::System),
            _ if state.writes_stencil() => Some(Reason::Stencil),
            _ if self.common.logic.is_some() => Some(Reason::Logic),
            _ if self.is_transparent() && writes_depth => Some(Reason::TransparentDepth),
            _ if writes_depth && function == Some(Function::Notequal) => Some(Reason::Notequal),
            _ if self.triangles() < settings.threshold => Some(Reason::FewTriangles),
            _ if self.draws.len() <= settings.gpus => Some(Reason::FewDraws),
            _ if self.draws.len() > MOST_DRAWS => Some(Reason::ManyDraws),
            () => None,
        }
    }
}

/// Cuts a frame into groups: greedily, or as its marks say.
///
/// # Errors
/// If a mark is impossible: the line, and why.
pub fn items<'f>(frame: &'f Frame, settings: &Settings) -> Result<Vec<Item<'f>>, String> {
    let mut items = Vec::new();
    let mut group: Option<Group<'f>> = None;
    let mut marked = None;
    let mut viewport = None;
    let wrong = |line: usize, what: &str| Err(format!("{}:{line}: {what}", frame.name));
    for command in &frame.commands {
        if let Command::Draw(draw) = command {
            match &mut group {
                Some(group) if group.common.takes(draw, settings.planted) => group.draws.push(draw),
                Some(_) if marked.is_some() => {
                    return wrong(
                        draw.line,
                        "the state changes within a marked group: a group has one depth, stencil, blend, logic and mask",
                    );
                }
                _ => {
                    items.extend(group.take().map(Item::Group));
                    let common = Common::of(draw);
                    group = Some(Group { draws: vec![draw], common, viewport });
                }
            }
            continue;
        }
        items.extend(group.take().map(Item::Group));
        match (command, marked) {
            (Command::GroupStart { line }, None) => marked = Some(*line),
            (Command::GroupStart { line }, Some(_)) => {
                return wrong(*line, "a group starts within a group");
            }
            (Command::GroupEnd { .. }, Some(_)) => marked = None,
            (Command::GroupEnd { line }, None) => {
                return wrong(*line, "a group ends that did not start");
            }
            (_, Some(line)) => {
                return wrong(
                    line,
                    "the marked group has a command that is no draw: only draws are accepted",
                );
            }
            (Command::Viewport(it), None) => viewport = Some(*it),
            (Command::Target { .. }, None) => viewport = None,
            _ => {}
        }
        if !matches!(command, Command::GroupStart { .. } | Command::GroupEnd { .. }) {
            items.push(Item::Command(command));
        }
    }
    items.extend(group.map(Item::Group));
    match marked {
        Some(line) => wrong(line, "a group starts and does not end"),
        None => Ok(items),
    }
}
