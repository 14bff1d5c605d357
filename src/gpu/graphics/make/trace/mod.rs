//! Frames of recorded programs: a dump of OpenGL's calls, with fixed functions alone.

mod arrays;
mod call;
mod fixed;
mod gl;
mod matrices;
mod textures;

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use arrays::{FLOATS, Mesh};
use call::{Call, Fault, refused};
use gl::Gl;

use super::maker::{Made, Maker};
use crate::graphics::frame::file::{ClearFile, DrawFile, StateFile};
use crate::graphics::{Mask, Sampler, Viewport, Wrap, to_color};

/// Shaders of fixed functions.
const FIXED: (&str, &str) = ("fixed.ptx", include_str!("../../../../../tests/frames/fixed.ptx"));
/// The texture of draws without one.
const WHITE: &str = "white";

/// Makes a frame of a dump of `apitrace dump --blobs`: the one of a number from 0 on, or the last one. What is not
/// drawn is refused, or left out with `skips`; what was left out.
///
/// # Errors
/// If the dump is malformed, data is missing, there is no such frame, or a call is refused.
pub fn trace(
    path: &Path,
    frame: Option<usize>,
    skips: bool,
) -> Result<(Made, Vec<String>), String> {
    let told = |what: String| format!("{}: {what}", path.display());
    let bytes = std::fs::read(path).map_err(|error| told(error.to_string()))?;
    let text = String::from_utf8_lossy(&bytes);
    let calls = calls(&text).map_err(told)?;
    let frame = span(&calls, frame).map_err(told)?;
    let stem = path.file_stem().map_or("trace".into(), |stem| stem.to_string_lossy());
    let folder = path.parent().unwrap_or(Path::new(".")).to_path_buf();
    let size = size(&calls, &frame).map_err(told)?;
    let mut writer = Writer::new(&stem, Gl::new(folder), size);
    // Reason, calls, number of the first.
    let mut left_out: BTreeMap<String, (usize, u64)> = BTreeMap::new();
    for (at, call) in calls[..frame.end].iter().enumerate() {
        let name = call.name;
        match writer.call(call, frame.contains(&at)) {
            Ok(()) => {}
            Err(Fault::Refused(what)) if skips => {
                left_out.entry(format!("{name}: {what}")).or_insert((0, call.number)).0 += 1;
            }
            Err(Fault::Refused(what) | Fault::Broken(what)) => {
                return Err(told(format!("call {}, {name}: {what}", call.number)));
            }
        }
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let made = writer.maker.finish(&format!("A frame of {name}"))?;
    let line = |(what, (count, first))| format!("{count} of {what}, from call {first} on");
    Ok((made, left_out.into_iter().map(line).collect()))
}

fn calls(text: &str) -> Result<Vec<Call<'_>>, String> {
    let lines = text.lines().enumerate();
    let lines = lines.filter(|(_, line)| !line.trim().is_empty() && !line.starts_with("//"));
    let call = |(at, line)| Call::parse(line).ok_or_else(|| format!("line {}: no call", at + 1));
    lines.map(call).collect()
}

/// The calls of a frame: those after a swap, up to the next one. Without swaps all of them.
fn span(calls: &[Call<'_>], frame: Option<usize>) -> Result<Range<usize>, String> {
    let mut ends: Vec<_> = (0..calls.len()).filter(|at| calls[*at].swaps()).collect();
    if ends.is_empty() {
        ends.push(calls.len());
    }
    let frame = frame.unwrap_or(ends.len() - 1);
    let end =
        *ends.get(frame).ok_or_else(|| format!("no frame {frame}: there are {}", ends.len()))?;
    Ok(frame.checked_sub(1).map_or(0, |before| ends[before] + 1)..end)
}

/// Width and height of the target: the extent of the viewports of a frame.
fn size(calls: &[Call<'_>], frame: &Range<usize>) -> Result<[u32; 2], String> {
    let mut size = [0; 2];
    let viewports = calls[..frame.end].iter().enumerate();
    for (at, call) in viewports.filter(|(_, call)| call.name == "glViewport") {
        let extent = [["x", "width"], ["y", "height"]].map(|names| {
            let [from, side] = names.map(|name| call.number(name).unwrap_or(0.0));
            (from + side) as u32
        });
        let least = if frame.contains(&at) { size } else { [0; 2] };
        size = [extent[0].max(least[0]), extent[1].max(least[1])];
    }
    match size.iter().all(|side| (1..=8192).contains(side)) {
        true => Ok(size),
        false => Err(format!("no viewport of 1 to 8192 pixels before the frame's end: {size:?}")),
    }
}

/// Writes a frame while calls are read.
struct Writer {
    gl: Gl,
    size: [u32; 2],
    maker: Maker,
    viewport: Viewport,
    states: Vec<String>,
    meshes: usize,
    textures: usize,
    uniforms: Vec<Vec<f32>>,
}

impl Writer {
    fn new(name: &str, gl: Gl, size: [u32; 2]) -> Self {
        let mut maker = Maker::new(name);
        maker.target("screen", size);
        maker.texture(WHITE, [1; 2], &[255; 4], Sampler::default(), false);
        for name in ["fixed", "tested"] {
            maker.shader(name, FIXED, ["fixed_vertex", &format!("{name}_fragment")], 7);
        }
        maker.attach("screen");
        let viewport = Viewport { x: 0, y: 0, width: size[0], height: size[1] };
        let (states, uniforms) = (Vec::new(), Vec::new());
        Self { gl, size, maker, viewport, states, meshes: 0, textures: 0, uniforms }
    }

    fn call(&mut self, call: &Call<'_>, is_in_frame: bool) -> Result<(), Fault> {
        match call.name {
            "glClear" if is_in_frame => self.clear(call),
            "glDrawBuffer" => self.gl.apply(call),
            name if name.starts_with("glDraw") && is_in_frame => self.draw(call),
            name if name == "glClear" || name.starts_with("glDraw") => Ok(()),
            _ => self.gl.apply(call),
        }
    }

    fn clear(&mut self, call: &Call<'_>) -> Result<(), Fault> {
        let (gl, what) = (&self.gl, call.text("mask")?);
        let [x, y, width, height] = gl.rectangle("glScissor", self.size)?;
        let ends = [x.saturating_add(width), y.saturating_add(height)];
        let covers = x <= 0 && y <= 0 && (0..2).all(|axis| ends[axis] >= self.size[axis].into());
        if gl.has("GL_SCISSOR_TEST") && !covers {
            return refused("a part of the target");
        }
        let mut clear = ClearFile::default();
        let mask = fixed::mask(gl);
        if what.contains("GL_COLOR_BUFFER_BIT") && mask.0 != 0 {
            if mask != Mask::ALL {
                return refused("some channels");
            }
            let color = gl.four("glClearColor", ["red", "green", "blue", "alpha"], 0.0)?;
            clear.color = Some(to_color(color).to_le_bytes());
        }
        if what.contains("GL_DEPTH_BUFFER_BIT") && gl.is_on("glDepthMask.flag") {
            let depth = gl.number("glClearDepth.depth", 1.0)?;
            clear.depth = Some(f64::from(depth.clamp(0.0, 1.0)));
        }
        self.maker.clear(clear);
        Ok(())
    }

    fn draw(&mut self, call: &Call<'_>) -> Result<(), Fault> {
        fixed::check(&self.gl)?;
        let mesh = Mesh::of(&self.gl, call, fixed::color(&self.gl)?)?;
        let state = fixed::state(&self.gl)?;
        let tested = fixed::alpha_test(&self.gl)?.is_some();
        let Some((viewport, window)) = fixed::window(&self.gl, self.size)? else { return Ok(()) };
        let texture = self.texture()?;
        let uniforms = fixed::uniforms(&self.gl, &window, self.gl.texture())?;
        if mesh.topology.triangles(mesh.indices.len() as u32) == 0 {
            return Ok(());
        }
        if self.viewport != viewport {
            self.maker.viewport(viewport);
            self.viewport = viewport;
        }
        let [vertices, indices] = ["vertices", "indices"].map(|it| format!("{it}{}", self.meshes));
        self.meshes += 1;
        self.maker.floats(&vertices, Some(FLOATS), &mesh.vertices);
        self.maker.indices(&indices, &mesh.indices);
        let draw = DrawFile {
            shader: if tested { "tested" } else { "fixed" }.to_string(),
            state: Some(self.state(state)),
            topology: mesh.topology,
            vertices: vec![vertices],
            indices: Some(indices),
            uniforms: vec![self.uniforms(uniforms)],
            textures: vec![texture],
            ..DrawFile::default()
        };
        self.maker.draw(draw);
        Ok(())
    }

    /// The name of a state; it is written once.
    fn state(&mut self, state: StateFile) -> String {
        let text = format!("{state:?}");
        let at = self.states.iter().position(|known| *known == text).unwrap_or(self.states.len());
        let name = format!("state{at}");
        if at == self.states.len() {
            self.states.push(text);
            self.maker.state(&name, state);
        }
        name
    }

    /// The name of uniforms; they are written once.
    fn uniforms(&mut self, values: Vec<f32>) -> String {
        let known = self.uniforms.iter().rposition(|known| *known == values);
        let name = format!("uniforms{}", known.unwrap_or(self.uniforms.len()));
        if known.is_none() {
            self.maker.floats(&name, None, &values);
            self.uniforms.push(values);
        }
        name
    }

    /// The name of the texture, which is written once.
    fn texture(&mut self) -> Result<String, Fault> {
        let Some(texture) = self.gl.texture_mut() else { return Ok(WHITE.to_string()) };
        let sampler = Sampler { filter: texture.filter()?, wrap: Wrap::Repeat };
        if let Some(name) = &texture.name {
            return Ok(name.clone());
        }
        let name = format!("texture{}", self.textures);
        self.textures += 1;
        let (size, texels) = texture.image();
        self.maker.texture(&name, *size, texels, sampler, false);
        texture.name = Some(name.clone());
        Ok(name)
    }
}
