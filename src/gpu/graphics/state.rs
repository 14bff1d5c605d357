//! State of the fixed-function stages.

use super::blend::{Blend, Logic, Mask};
use super::depth::{DepthTest, Function, StencilTest, test};
use super::setup::{Facing, Winding};

/// All that a draw sets besides its shaders and buffers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct State {
    /// Triangles that are dropped.
    pub cull: Facing,
    /// Which faces are front faces.
    pub front: Winding,
    /// The depth test, if there is one.
    pub depth: Option<DepthTest>,
    /// The stencil test, if there is one.
    pub stencil: Option<StencilTest>,
    /// Blending, if there is any.
    pub blend: Option<Blend>,
    /// In place of blending.
    pub logic: Option<Logic>,
    /// Channels that are written.
    pub mask: Mask,
}

impl Default for State {
    fn default() -> Self {
        Self {
            cull: Facing::None,
            front: Winding::Ccw,
            depth: None,
            stencil: None,
            blend: None,
            logic: None,
            mask: Mask::ALL,
        }
    }
}

impl State {
    /// Fragments write depth.
    pub fn writes_depth(&self) -> bool {
        self.depth.is_some_and(|it| it.write && it.test != Function::Never)
    }

    /// Fragments write stencil.
    pub fn writes_stencil(&self) -> bool {
        self.stencil.is_some_and(|it| it.writes())
    }

    /// Fragments are tested against depth.
    pub fn reads_depth(&self) -> bool {
        self.depth.is_some_and(|it| !matches!(it.test, Function::Always | Function::Never))
    }

    /// Fragments are tested against stencil.
    pub fn reads_stencil(&self) -> bool {
        self.stencil.is_some_and(|it| !matches!(it.test, Function::Always | Function::Never))
    }

    /// The result depends on the target's colour. The thesis names destination factors
    /// (6.4.1); a source factor may read the target, too, as where colours are multiplied.
    pub fn is_transparent(&self) -> bool {
        self.logic.is_none() && self.blend.is_some_and(|it| it.reads_target())
    }

    /// Tests a fragment's depth against a word of D24S8: the word afterwards, and whether it passes.
    #[inline]
    pub fn test(&self, depth: u32, stored: u32) -> (u32, bool) {
        test(self.depth.as_ref(), self.stencil.as_ref(), depth, stored)
    }

    /// The colour after a fragment.
    #[inline]
    pub fn color(&self, source: u32, target: u32) -> u32 {
        let new = match (self.logic, &self.blend) {
            (Some(logic), _) => logic.apply(source, target),
            (None, Some(blend)) => blend.apply(source, target),
            (None, None) => source,
        };
        self.mask.merge(new, target)
    }
}
