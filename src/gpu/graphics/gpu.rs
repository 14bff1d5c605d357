//! A GPU with its copies of the targets, and what one GPU alone draws.

use super::cores::{Cores, Unit};
use super::counts::Counts;
use super::frame::{Binding, Command, Draw, Frame};
use super::history::History;
use super::pass::{Pass, Place};
use super::picture::Picture;
use super::rop::Rop;
use super::texture::Level;
use super::tiles::Tiles;
use super::viewport::Viewport;

/// Initial depth and stencil: the farthest, and 0.
pub const FARTHEST: u32 = 0xffff_ff00;

/// Targets that draws go to, by their numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attached {
    /// Colours.
    pub color: usize,
    /// Depth and stencil.
    pub depth: Option<usize>,
}

/// A GPU.
#[derive(Debug)]
pub struct Gpu {
    /// The contents of each target; those that are attached are in `rop`.
    pub targets: Vec<Vec<u32>>,
    /// Targets that are drawn to, if there are any.
    pub rop: Option<(Attached, Rop)>,
    /// Its counts.
    pub counts: Counts,
    /// Where clip space lies.
    viewport: Viewport,
    /// The picture's history while it is not drawn to, if it is kept.
    pub history: Option<Box<History>>,
}

impl Gpu {
    /// A GPU whose targets are black and far away.
    pub fn new(frame: &Frame) -> Self {
        let contents = frame.targets.iter().map(|target| {
            let pixels = target.width as usize * target.height as usize;
            vec![if target.is_depth { FARTHEST } else { 0 }; pixels]
        });
        let viewport = Viewport { x: 0, y: 0, width: 1, height: 1 };
        Self {
            targets: contents.collect(),
            rop: None,
            counts: Counts::default(),
            viewport,
            history: None,
        }
    }

    /// Puts what was drawn back among the targets.
    pub fn detach(&mut self) {
        if let Some((Attached { color, depth }, rop)) = self.rop.take() {
            self.targets[color] = rop.color;
            self.history = rop.history.or(self.history.take());
            if let Some(depth) = depth {
                self.targets[depth] = rop.depth;
            }
        }
    }

    /// Draws go to other targets.
    pub fn attach(&mut self, frame: &Frame, to: Attached, gpus: usize) {
        self.detach();
        let target = &frame.targets[to.color];
        let (width, height) = (target.width, target.height);
        self.viewport = Viewport { x: 0, y: 0, width, height };
        let tiles = Tiles { gpus, width, height };
        let mut take = |number: usize| std::mem::take(&mut self.targets[number]);
        let (color, depth) = (take(to.color), to.depth.map(&mut take).unwrap_or_default());
        let history = self.history.take_if(|_| to.color == frame.picture);
        self.rop = Some((to, Rop { history, ..Rop::new(tiles, color, depth) }));
    }

    /// Clip space lies elsewhere.
    pub fn set_viewport(&mut self, viewport: Viewport) {
        self.viewport = viewport;
    }

    /// Fills the targets.
    pub fn clear(&mut self, color: Option<u32>, depth: Option<u32>, stencil: Option<u8>) {
        let Some((_, rop)) = &mut self.rop else { return };
        if let Some(color) = color {
            rop.color.fill(color);
            rop.history.iter_mut().for_each(|it| it.clear());
        }
        if depth.is_none() && stencil.is_none() {
            return;
        }
        for word in &mut rop.depth {
            let depth = depth.unwrap_or(*word >> 8);
            *word = depth << 8 | u32::from(stencil.unwrap_or(*word as u8));
        }
    }

    /// Draws triangles; with an owner only what lies in its tiles.
    ///
    /// # Errors
    /// If a shader is stopped.
    pub fn draw(
        &mut self,
        frame: &Frame,
        draw: &Draw,
        cores: &mut Cores,
        owner: Option<usize>,
        triangles: impl IntoIterator<Item = u32>,
    ) -> Result<(), String> {
        let Self { targets, rop, counts, viewport, .. } = self;
        let units: Vec<_> = units(frame, draw, targets);
        let Some((_, rop)) = rop else { return Ok(()) };
        let viewport = *viewport;
        let place = Place { cores, rop, counts, units: &units, viewport, owner };
        Pass::new(frame, draw, place).run(triangles).map_err(|what| told(frame, draw, &what))
    }
}

impl Gpu {
    /// A target's contents, whether it is attached or not.
    pub fn target(&mut self, number: usize) -> &mut Vec<u32> {
        match &mut self.rop {
            Some((to, rop)) => match (to.color == number, to.depth == Some(number)) {
                (true, _) => &mut rop.color,
                (false, true) => &mut rop.depth,
                (false, false) => &mut self.targets[number],
            },
            None => &mut self.targets[number],
        }
    }

    /// The GPUs whose tiles each triangle touches, a bit each; nothing is drawn.
    ///
    /// # Errors
    /// If a shader is stopped.
    pub fn project(
        &mut self,
        frame: &Frame,
        draw: &Draw,
        cores: &mut Cores,
        counts: &mut Counts,
        triangles: impl IntoIterator<Item = u32>,
    ) -> Result<Vec<u64>, String> {
        let units = units(frame, draw, &self.targets);
        let Some((_, rop)) = &mut self.rop else { return Ok(Vec::new()) };
        let place =
            Place { cores, rop, counts, units: &units, viewport: self.viewport, owner: None };
        let projected = Pass::new(frame, draw, place).project(triangles);
        projected.map_err(|what| told(frame, draw, &what))
    }
}

/// The fault of a draw, with the frame's line.
pub fn told(frame: &Frame, draw: &Draw, what: &str) -> String {
    format!("{}:{}: {what}", frame.name, draw.line)
}

/// The texture units of a draw.
pub fn units<'a>(frame: &'a Frame, draw: &Draw, targets: &'a [Vec<u32>]) -> Vec<Unit<'a>> {
    let unit = |binding: &Binding| match *binding {
        Binding::Texture(number) => Unit::Texture(&frame.textures[number]),
        Binding::Target(number) => {
            let target = &frame.targets[number];
            let (width, height) = (target.width, target.height);
            Unit::Target(Level { width, height, texels: &targets[number] }, target.sampler)
        }
    };
    draw.textures.iter().map(unit).collect()
}

/// Draws a frame on one GPU, all in order.
///
/// # Errors
/// If a shader is stopped: where in the frame, and where in the shader.
pub fn render(frame: &Frame) -> Result<Picture, String> {
    render_telling(frame, &|_| ())
}

/// As [`render`]; tells after each draw how many triangles it had.
///
/// # Errors
/// As [`render`].
pub fn render_telling(frame: &Frame, tell: &dyn Fn(u64)) -> Result<Picture, String> {
    let mut cores = Cores::new(frame);
    let mut gpu = Gpu::new(frame);
    for command in &frame.commands {
        match command {
            Command::Target { color, depth } => {
                gpu.attach(frame, Attached { color: *color, depth: *depth }, 1);
            }
            Command::Viewport(viewport) => gpu.set_viewport(*viewport),
            Command::Clear { color, depth, stencil } => gpu.clear(*color, *depth, *stencil),
            Command::Draw(draw) => {
                gpu.draw(frame, draw, &mut cores, None, 0..draw.triangles())?;
                tell(draw.triangles().into());
            }
            Command::GroupStart { .. } | Command::GroupEnd { .. } => {}
        }
    }
    gpu.detach();
    let target = &frame.targets[frame.picture];
    let (width, height) = (target.width, target.height);
    let pixels = std::mem::take(&mut gpu.targets[frame.picture]);
    Ok(Picture { width, height, pixels, counts: gpu.counts })
}
