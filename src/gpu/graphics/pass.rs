//! One draw on one GPU: from indices to pixels.
//!
//! The order within each stage is that of a machine with time: batches of vertices, triangles of a batch, quads of a
//! triangle block by block, and pixels tested and written in the order in which they were rasterized.

use super::assembly::{Assembler, REUSE};
use super::blend::to_color;
use super::clip::{Clipped, MOST_VARYINGS, Vertex, clip};
use super::cores::{Cores, Unit, Work};
use super::counts::Counts;
use super::frame::{Draw, Frame};
use super::planted::{self, Fault};
use super::raster::{Bounds, Quad};
use super::rop::Rop;
use super::setup::{Setup, varying};
use super::shader::Shaders;
use super::viewport::Viewport;
use crate::simt::LANES;

/// Quads of a warp.
const QUADS: usize = LANES / 4;
/// Vertices that triangles may still name: those kept for reuse, and those of a batch.
const LIVE: usize = REUSE + LANES;

/// A triangle on its way to pixels.
#[derive(Debug, Clone, Copy)]
struct Live {
    setup: Setup,
    /// Each varying of the three vertices over their w.
    over_w: [[f64; 3]; MOST_VARYINGS],
}

/// A part of a draw that a GPU works on.
#[derive(Debug)]
pub struct Pass<'a> {
    frame: &'a Frame,
    draw: &'a Draw,
    shaders: &'a Shaders,
    cores: &'a mut Cores,
    rop: &'a mut Rop,
    counts: &'a mut Counts,
    units: &'a [Unit<'a>],
    viewport: Viewport,
    bounds: Bounds,
    /// The GPU that draws, if it draws only its own tiles.
    owner: Option<usize>,
    early: bool,
    assembler: Assembler,
    vertices: Vec<Vertex>,
    polygon: Vec<Vertex>,
    live: Vec<Live>,
    /// Quads of the triangle in work.
    found: Vec<Quad>,
    /// For each triangle the GPUs whose tiles it touches, where that is all that is wanted.
    destinations: Option<Vec<u64>>,
    /// Quads to be shaded, each with its triangle.
    quads: Vec<(Quad, usize)>,
}

/// The machine that a draw meets.
#[derive(Debug)]
pub struct Place<'a> {
    /// Shader cores.
    pub cores: &'a mut Cores,
    /// Targets.
    pub rop: &'a mut Rop,
    /// Takes what is done.
    pub counts: &'a mut Counts,
    /// Texture units.
    pub units: &'a [Unit<'a>],
    /// The viewport.
    pub viewport: Viewport,
    /// The GPU that draws, if it draws only its own tiles.
    pub owner: Option<usize>,
}

impl<'a> Pass<'a> {
    /// A draw that is to begin.
    pub fn new(frame: &'a Frame, draw: &'a Draw, place: Place<'a>) -> Self {
        let Place { cores, rop, counts, units, viewport, owner } = place;
        let shaders = &frame.shaders[draw.shader];
        let state = &draw.state;
        let end = |from: u32, size: u32, most: u32| i64::from(from.saturating_add(size).min(most));
        let bounds = Bounds {
            x: [viewport.x.into(), end(viewport.x, viewport.width, rop.tiles.width)],
            y: [viewport.y.into(), end(viewport.y, viewport.height, rop.tiles.height)],
        };
        let changes_depth = state.writes_depth() || state.writes_stencil();
        Self {
            frame,
            draw,
            shaders,
            cores,
            rop,
            counts,
            units,
            viewport,
            bounds,
            owner,
            early: !(shaders.fragment.discards && changes_depth)
                || planted::is(Fault::DepthBeforeDiscard),
            assembler: Assembler::default(),
            vertices: vec![Vertex::default(); LIVE],
            polygon: Vec::new(),
            live: Vec::new(),
            found: Vec::new(),
            destinations: None,
            quads: Vec::with_capacity(QUADS),
        }
    }

    /// Finds the GPUs whose tiles each triangle touches, a bit each, and draws nothing.
    ///
    /// # Errors
    /// If a shader is stopped.
    pub fn project(mut self, triangles: impl IntoIterator<Item = u32>) -> Result<Vec<u64>, String> {
        self.destinations = Some(Vec::new());
        self.assemble(triangles)?;
        Ok(self.destinations.unwrap_or_default())
    }

    /// Draws some of the draw's triangles, in order.
    ///
    /// # Errors
    /// If a shader is stopped.
    pub fn run(mut self, triangles: impl IntoIterator<Item = u32>) -> Result<(), String> {
        self.assemble(triangles)?;
        self.shade()
    }

    fn assemble(&mut self, triangles: impl IntoIterator<Item = u32>) -> Result<(), String> {
        for triangle in triangles {
            if self.assembler.is_full() {
                self.batch()?;
            }
            self.counts.triangles += 1;
            let indices = self.draw.indices_of(self.cores.device(), triangle);
            self.assembler.push(triangle, indices);
        }
        self.batch()
    }

    /// Shades the vertices of a batch, and draws its triangles.
    fn batch(&mut self) -> Result<(), String> {
        self.shade_vertices()?;
        let triangles = std::mem::take(&mut self.assembler.triangles);
        for (_, serials) in &triangles {
            let vertices = serials.map(|serial| self.vertices[serial as usize % LIVE]);
            self.triangle(&vertices)?;
        }
        self.assembler.triangles = triangles;
        self.assembler.clear();
        Ok(())
    }

    fn shade_vertices(&mut self) -> Result<(), String> {
        let indices = &self.assembler.indices;
        let shaded = positions(self.frame, self.draw, self.cores, self.units, indices)?;
        self.counts.vertices += indices.len() as u64;
        for (serial, vertex) in (self.assembler.first() as usize..).zip(shaded) {
            self.vertices[serial % LIVE] = vertex;
        }
        Ok(())
    }

    fn triangle(&mut self, vertices: &[Vertex; 3]) -> Result<(), String> {
        if let Some(destinations) = &mut self.destinations {
            destinations.push(0);
        }
        let varyings = self.shaders.varyings;
        let mut polygon = std::mem::take(&mut self.polygon);
        match clip(vertices, varyings, &self.viewport, &mut polygon) {
            Clipped::NotFinite => self.counts.not_finite += 1,
            Clipped::Outside => self.counts.outside += 1,
            clipped => {
                self.counts.clipped += u64::from(clipped == Clipped::Part);
                for at in 2..polygon.len() {
                    self.set_up([&polygon[0], &polygon[at - 1], &polygon[at]])?;
                }
            }
        }
        self.polygon = polygon;
        Ok(())
    }

    fn set_up(&mut self, vertices: [&Vertex; 3]) -> Result<(), String> {
        let state = &self.draw.state;
        let placed = vertices.map(|it| self.viewport.place(it.position));
        let [Some(a), Some(b), Some(c)] = placed else {
            self.counts.degenerate += 1;
            return Ok(());
        };
        let placed = [a, b, c];
        let Some(setup) = Setup::new(&placed) else {
            self.counts.degenerate += 1;
            return Ok(());
        };
        if state.cull.culls(&placed, state.front) {
            self.counts.culled += 1;
            return Ok(());
        }
        // The extent decides, even where it has no pixel's centre: so it is for all GPUs.
        let owners = || self.rop.tiles.owners(&setup.extent_within(&self.bounds));
        if let Some(last) = self.destinations.as_mut().and_then(|all| all.last_mut()) {
            *last |= owners();
            return Ok(());
        }
        if let Some(owner) = self.owner
            && owners() >> owner & 1 == 0
        {
            self.counts.dropped += 1;
            return Ok(());
        }
        self.counts.rasterized += 1;
        self.rasterize(setup, vertices)
    }

    fn rasterize(&mut self, setup: Setup, vertices: [&Vertex; 3]) -> Result<(), String> {
        let (tiles, owner) = (self.rop.tiles, self.owner);
        let wanted = |column, row| owner.is_none_or(|owner| tiles.owner(column, row) == owner);
        let mut quads = std::mem::take(&mut self.found);
        quads.clear();
        setup.quads(&self.bounds, wanted, |quad| quads.push(quad));
        let drawn = self.fragments(&quads, setup, vertices);
        self.found = quads;
        drawn
    }

    fn fragments(
        &mut self,
        quads: &[Quad],
        setup: Setup,
        vertices: [&Vertex; 3],
    ) -> Result<(), String> {
        if quads.is_empty() {
            return Ok(());
        }
        let mut over_w = [[0.0; 3]; MOST_VARYINGS];
        for (at, over_w) in over_w.iter_mut().enumerate().take(self.shaders.varyings) {
            *over_w = [0, 1, 2].map(|it| vertices[it].varyings[at] * setup.inverse_w[it]);
        }
        self.live.push(Live { setup, over_w });
        for mut quad in quads.iter().copied() {
            let covered = quad.mask.count_ones();
            self.counts.fragments += u64::from(covered);
            if self.early {
                quad.mask = self.test(&quad, &setup);
                self.counts.failed += u64::from(covered - quad.mask.count_ones());
            }
            if quad.mask != 0 {
                self.quads.push((quad, self.live.len() - 1));
                if self.quads.len() == QUADS {
                    self.shade()?;
                    self.live.push(Live { setup, over_w });
                }
            }
        }
        Ok(())
    }

    fn test(&mut self, quad: &Quad, setup: &Setup) -> u8 {
        self.rop.test(&self.draw.state, quad, |pixel| {
            let [x, y] = [usize::from(quad.x) + pixel % 2, usize::from(quad.y) + pixel / 2];
            setup.depth(setup.weights(x as i64, y as i64))
        })
    }

    /// Shades the quads that wait, and writes their pixels.
    fn shade(&mut self) -> Result<(), String> {
        if self.quads.is_empty() {
            self.live.clear();
            return Ok(());
        }
        let varyings = self.shaders.varyings;
        let stage = self.cores.stage(varyings, 4);
        for (at, (quad, triangle)) in self.quads.iter().enumerate() {
            interpolate(quad, &self.live[*triangle], varyings, 4 * at, &mut stage.inputs);
        }
        let work = Work {
            shader: &self.shaders.fragment,
            parameters: &self.draw.parameters[1],
            units: self.units,
            lanes: 4 * self.quads.len() as u32,
            in_quads: true,
        };
        self.cores.run(&work)?;
        self.counts.fragment_warps += 1;
        let quads = std::mem::take(&mut self.quads);
        for (at, (quad, triangle)) in quads.iter().enumerate() {
            self.commit(*quad, *triangle, 4 * at)?;
        }
        self.quads = quads;
        self.quads.clear();
        self.live.clear();
        Ok(())
    }

    fn commit(&mut self, mut quad: Quad, triangle: usize, lane: usize) -> Result<(), String> {
        let before = quad.mask.count_ones();
        quad.mask &= !(self.cores.made().discarded >> lane) as u8;
        self.counts.discarded += u64::from(before - quad.mask.count_ones());
        if !self.early {
            let before = quad.mask.count_ones();
            let setup = self.live[triangle].setup;
            quad.mask = self.test(&quad, &setup);
            self.counts.failed += u64::from(before - quad.mask.count_ones());
        }
        if planted::is(Fault::HelpersWrite) {
            quad.mask = 0b1111;
        }
        for pixel in (0..4).filter(|pixel| quad.mask >> pixel & 1 != 0) {
            let outputs = &self.cores.made().outputs;
            let channel = |at: usize| f32::from_bits(outputs[at][lane + pixel]);
            let color = to_color([channel(0), channel(1), channel(2), channel(3)]);
            if self.draw.is_opaque && color >> 24 != 255 {
                return Err(format!(
                    "the draw is opaque, but a fragment has alpha {}",
                    color >> 24
                ));
            }
            self.rop.write(&self.draw.state, &quad, pixel, color);
            self.counts.written += 1;
        }
        Ok(())
    }
}

/// The inputs of a quad's four pixels.
fn interpolate(
    quad: &Quad,
    Live { setup, over_w }: &Live,
    varyings: usize,
    lane: usize,
    inputs: &mut [[u32; LANES]],
) {
    for pixel in 0..4 {
        let [x, y] = [usize::from(quad.x) + pixel % 2, usize::from(quad.y) + pixel / 2];
        let weights = setup.weights(x as i64, y as i64).map(|it| it as f64);
        for (row, over_w) in inputs.iter_mut().zip(over_w).take(varyings) {
            row[lane + pixel] = varying(weights, setup.inverse_w, *over_w).to_bits();
        }
    }
}

/// Shades up to 32 vertices of a draw.
pub fn positions(
    frame: &Frame,
    draw: &Draw,
    cores: &mut Cores,
    units: &[Unit<'_>],
    indices: &[u32],
) -> Result<Vec<Vertex>, String> {
    if indices.is_empty() {
        return Ok(Vec::new());
    }
    let shaders = &frame.shaders[draw.shader];
    let floats = draw.streams.iter().map(|stream| stream.floats as usize).sum();
    let mut inputs = vec![[0; LANES]; floats];
    for (lane, index) in indices.iter().enumerate() {
        draw.fetch(cores.device(), *index, |at, bits| inputs[at][lane] = bits);
    }
    let stage = cores.stage(floats, 4 + shaders.varyings);
    stage.inputs = inputs;
    let lanes = indices.len();
    cores.run(&Work {
        shader: &shaders.vertex,
        parameters: &draw.parameters[0],
        units,
        lanes: lanes as u32,
        in_quads: false,
    })?;
    let outputs = &cores.made().outputs;
    let vertex = |lane: usize| {
        let value = |row: &[u32; LANES]| f64::from(f32::from_bits(row[lane]));
        let position = [0, 1, 2, 3].map(|at| value(&outputs[at]));
        let mut vertex = Vertex { position, ..Vertex::default() };
        let varyings = vertex.varyings.iter_mut().zip(&outputs[4..]);
        varyings.for_each(|(varying, row)| *varying = value(row));
        vertex
    };
    Ok((0..lanes).map(vertex).collect())
}
