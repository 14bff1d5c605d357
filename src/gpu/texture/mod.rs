//! Textures and surfaces: texels in global memory, and how coordinates find them.

mod address;
mod object;

pub use address::{Filter, PARTS, Sampler, Wrap, between, floor, unscaled};
pub use object::{Object, Objects, Tap, WHOLE};
