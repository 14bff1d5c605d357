//! A frame: what is drawn, with which shaders and state, from which buffers, to which targets.

mod commands;
pub(in crate::graphics) mod file;
mod load;

pub use load::{FrameError, load};

use super::assembly::Topology;
use super::shader::Shaders;
use super::state::State;
use super::texture::{Sampler, Texture};
use super::viewport::Viewport;
use crate::memory::Device;

/// Most pixels of a target's side.
pub const MOST_PIXELS: u32 = 8192;

/// A picture that is drawn to: colours of RGBA8, or depth and stencil of D24S8.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// Name.
    pub name: String,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// A depth buffer.
    pub is_depth: bool,
    /// Sampler of its contents afterwards.
    pub sampler: Sampler,
}

/// A vertex buffer as a draw reads it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stream {
    /// Address of its first vertex.
    pub address: u64,
    /// Floats of a vertex, which are inputs in order.
    pub floats: u32,
    /// Vertices that it has.
    pub vertices: u32,
}

/// A texture unit's contents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Binding {
    /// A texture, by its number.
    Texture(usize),
    /// A target that was drawn before, by its number.
    Target(usize),
}

/// A draw command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draw {
    /// Line in the frame's file; 0 without one.
    pub line: usize,
    /// Shaders, by their number.
    pub shader: usize,
    /// State of the fixed functions.
    pub state: State,
    /// Topology of the vertices.
    pub topology: Topology,
    /// Where vertices' inputs come from.
    pub streams: Vec<Stream>,
    /// Address of the indices, of 32 bits; without them vertices are taken in order.
    pub indices: Option<u64>,
    /// First index, or vertex.
    pub first: u32,
    /// Indices, or vertices.
    pub count: u32,
    /// Parameters of the vertex shader and of the fragment shader.
    pub parameters: [Vec<u8>; 2],
    /// Texture units.
    pub textures: Vec<Binding>,
    /// Blends, but all its fragments have alpha 255.
    pub is_opaque: bool,
}

/// A command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// Draws go to these targets from now on, by their numbers; the viewport is all of them.
    Target {
        /// Colours.
        color: usize,
        /// Depth and stencil.
        depth: Option<usize>,
    },
    /// Where clip space lies on the target.
    Viewport(Viewport),
    /// Fills the targets.
    Clear {
        /// Colour.
        color: Option<u32>,
        /// Depth of 24 bits.
        depth: Option<u32>,
        /// Stencil.
        stencil: Option<u8>,
    },
    /// Draws triangles.
    Draw(Box<Draw>),
    /// A composition group begins, as the application says (6.4.1).
    GroupStart {
        /// Line in the frame's file.
        line: usize,
    },
    /// End of a marked group.
    GroupEnd {
        /// Line in the frame's file.
        line: usize,
    },
}

/// A frame.
#[derive(Debug, Default)]
pub struct Frame {
    /// Name or path, for messages.
    pub name: String,
    /// Global memory with the buffers.
    pub device: Device,
    /// Targets.
    pub targets: Vec<Target>,
    /// Textures.
    pub textures: Vec<Texture>,
    /// Shaders.
    pub shaders: Vec<Shaders>,
    /// Commands.
    pub commands: Vec<Command>,
    /// The target that is the picture.
    pub picture: usize,
}

impl Draw {
    /// Triangles that it draws.
    pub fn triangles(&self) -> u32 {
        self.topology.triangles(self.count)
    }

    /// The indices of a triangle's vertices.
    #[inline]
    pub fn indices_of(&self, device: &Device, triangle: u32) -> [u32; 3] {
        let index = |at: u32| {
            let at = self.first + at;
            let Some(indices) = self.indices else { return at };
            word(device, indices + 4 * u64::from(at))
        };
        self.topology.vertices(triangle).map(index)
    }

    /// Visits the inputs of a vertex, as bits of floats.
    pub fn fetch(&self, device: &Device, index: u32, mut visit: impl FnMut(usize, u32)) {
        let mut at = 0;
        for stream in &self.streams {
            let bytes = 4 * stream.floats as usize;
            let start = stream.address + u64::from(index) * bytes as u64;
            for float in device.get(start, bytes).unwrap_or_default().chunks_exact(4) {
                visit(at, u32::from_le_bytes([float[0], float[1], float[2], float[3]]));
                at += 1;
            }
        }
    }

    /// Refuses indices that are not in their buffers; the message says which.
    ///
    /// # Errors
    /// If a vertex is outside of a stream.
    pub fn check(&self, device: &Device) -> Result<(), String> {
        let vertices = self.streams.iter().map(|stream| stream.vertices).min().unwrap_or(u32::MAX);
        let end = u64::from(self.first) + u64::from(self.count);
        let Some(indices) = self.indices else {
            return match end <= u64::from(vertices) {
                true => Ok(()),
                false => {
                    Err(format!("vertices {} to {end}: the buffers have {vertices}", self.first))
                }
            };
        };
        let bytes = 4 * self.count as usize;
        let start = indices + 4 * u64::from(self.first);
        let Some(bytes) = device.get(start, bytes) else {
            return Err(format!("indices {} to {end} are outside of their buffer", self.first));
        };
        for (at, index) in bytes.chunks_exact(4).enumerate() {
            let index = u32::from_le_bytes([index[0], index[1], index[2], index[3]]);
            if index >= vertices {
                let at = at + self.first as usize;
                return Err(format!("index {at} is {index}: the buffers have {vertices} vertices"));
            }
        }
        Ok(())
    }
}

#[inline]
fn word(device: &Device, address: u64) -> u32 {
    let bytes = device.get(address, 4).and_then(|bytes| bytes.try_into().ok());
    bytes.map_or(0, u32::from_le_bytes)
}

impl Frame {
    /// Triangles of all draws.
    pub fn triangles(&self) -> u64 {
        self.draws().map(|draw| u64::from(draw.triangles())).sum()
    }

    /// All draws, in order.
    pub fn draws(&self) -> impl Iterator<Item = &Draw> {
        self.commands.iter().filter_map(|command| match command {
            Command::Draw(draw) => Some(&**draw),
            _ => None,
        })
    }

    /// Puts bytes into a buffer of its own; its address.
    pub fn add_buffer(&mut self, name: &str, bytes: &[u8]) -> u64 {
        let address = self.device.allocate(name, bytes.len());
        if let Some(place) = self.device.get_mut(address, bytes.len()) {
            place.copy_from_slice(bytes);
        }
        address
    }
}
