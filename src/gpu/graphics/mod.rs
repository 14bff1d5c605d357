//! A graphics pipeline that draws pictures (Ren, thesis, chapter 6).
//!
//! Vertex and fragment shaders run as warps; all else is fixed function, by rules that leave nothing to the
//! machine: coverage and depth are exact, colours are integers. A fragment depends only on its draw, its triangle
//! and its pixel, so that several GPUs can draw what one draws.

mod assembly;
mod blend;
mod clip;
mod cores;
mod counts;
mod depth;
mod frame;
mod gpu;
mod history;
pub mod make;
mod pass;
mod picture;
mod planted;
mod raster;
mod rop;
mod setup;
mod shader;
pub mod split;
mod state;
mod texture;
mod tiles;
mod view;
mod viewport;

pub use assembly::{Assembler, Topology};
pub use blend::{Blend, Equation, Factor, Logic, Mask, Operator, to_color};
pub use clip::{Clipped, MOST_VARYINGS, Vertex, clip};
pub use counts::Counts;
pub use depth::{DepthTest, Function, StencilOperation, StencilTest, depth_of};
pub use frame::{Binding, Command, Draw, Frame, FrameError, Stream, Target, load};
pub use gpu::{render, render_telling};
pub use picture::Picture;
pub use raster::{BLOCK, Bounds, Quad};
pub use setup::{Facing, Setup, Winding, varying};
pub use shader::{Shader, Shaders};
pub use state::State;
pub use texture::{Filter, Format, Level, Sampler, Texture, Wrap, level};
pub use view::{View, Viewed};
pub use viewport::{DEPTH_MOST, Placed, SUBPIXEL, Viewport};

#[cfg(test)]
mod tests;
