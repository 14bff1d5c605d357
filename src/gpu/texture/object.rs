//! Texture and surface objects of kernels.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::address::{Filter, PARTS, Sampler, Wrap, between, floor, unscaled};
use crate::isa::{Coordinates, Geometry, Kind, Query, Type};

/// The weight of a texel that is alone.
pub const WHOLE: u32 = PARTS * PARTS * PARTS;

/// The objects of a launch, by their handles.
pub type Objects = BTreeMap<u64, Arc<Object>>;

/// A texture or surface. Its texels lie row after row and layer after layer in global memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Object {
    /// Name, for messages.
    pub name: String,
    /// Surfaces are read and written by byte, textures are sampled.
    pub is_surface: bool,
    /// Axes, and whether it has layers.
    pub geometry: Geometry,
    /// Texels along each axis; 1 where it has none.
    pub size: [u32; 3],
    /// Layers; 1 if it has none.
    pub layers: u32,
    /// Type of a channel.
    pub ty: Type,
    /// Channels of a texel: 1, 2 or 4.
    pub channels: u8,
    /// Filter, and what is beyond the edges.
    pub sampler: Sampler,
    /// Coordinates are 1 at the end of an axis.
    pub is_normalized: bool,
    /// Integers are read as shares of the greatest one.
    pub reads_shares: bool,
    /// Address of the first texel.
    pub address: u64,
}

/// A texel that a fetch reads.
#[derive(Debug, Clone, Copy)]
pub struct Tap {
    /// Its address; none beyond a border.
    pub address: Option<u64>,
    /// Its weight; 0 where it is not read, and [`WHOLE`] where it is alone.
    pub weight: u32,
}

impl Object {
    /// Bytes of a texel.
    pub fn texel_bytes(&self) -> u64 {
        u64::from(self.channels) * u64::from(self.ty.bytes)
    }

    /// Bytes of a row.
    pub fn row_bytes(&self) -> u64 {
        u64::from(self.size[0]) * self.texel_bytes()
    }

    /// Bytes of all layers.
    pub fn bytes(&self) -> u64 {
        let [_, height, depth] = self.size.map(u64::from);
        self.row_bytes() * height * depth * u64::from(self.layers)
    }

    /// The address of the row of a place, its first axis left out.
    pub fn row(&self, [y, z]: [u64; 2], layer: u32) -> u64 {
        let [_, height, depth] = self.size.map(u64::from);
        self.address + ((u64::from(layer) * depth + z) * height + y) * self.row_bytes()
    }

    /// Fetches give floats.
    pub fn gives_floats(&self) -> bool {
        self.reads_shares || self.ty.is_float()
    }

    /// The eight texels around a place: bit `n` of their number tells which of the two along axis `n`. Coordinates are
    /// the bits of numbers.
    pub fn taps(&self, coordinates: Coordinates, at: [u32; 3], layer: u32) -> [Tap; 8] {
        let axes = [0, 1, 2].map(|axis| match axis < usize::from(self.geometry.axes) {
            true => self.along(coordinates, at[axis], self.size[axis]),
            false => (0, 0),
        });
        let layer = layer.min(self.layers - 1);
        let wrap = self.wrap(coordinates);
        std::array::from_fn(|number| {
            let mut weight = 1;
            let place = [0, 1, 2].map(|axis| {
                let (texel, behind) = axes[axis];
                let by = number as u32 >> axis & 1;
                weight *= if by == 1 { behind } else { PARTS - behind };
                wrap.texel(texel + i64::from(by), self.size[axis])
            });
            let address = match place.map(|texel| texel.map(|texel| texel as u64)) {
                [Some(x), Some(y), Some(z)] => {
                    Some(self.row([y, z], layer) + x * self.texel_bytes())
                }
                _ => None,
            };
            Tap { address, weight }
        })
    }

    /// The texel of a coordinate, and the weight of the next one.
    fn along(&self, coordinates: Coordinates, at: u32, size: u32) -> (i64, u32) {
        let at = match coordinates {
            Coordinates::Integers => return ((at as i32).into(), 0),
            _ if self.is_normalized => self.sampler.wrap.scaled(f32::from_bits(at), size),
            _ => unscaled(f32::from_bits(at)),
        };
        match (coordinates, self.sampler.filter) {
            (Coordinates::Floats, Filter::Nearest) => (floor(at), 0),
            _ => between(at),
        }
    }

    /// Integers are never normalized, and only normalized coordinates begin again or go back.
    fn wrap(&self, coordinates: Coordinates) -> Wrap {
        match (self.sampler.wrap, coordinates) {
            (Wrap::Repeat | Wrap::Mirror, Coordinates::Integers) => Wrap::Clamp,
            (wrap, _) => wrap,
        }
    }

    /// A channel as a fetch gives it: the bits of a float, or an integer.
    pub fn channel(&self, raw: u64) -> u32 {
        let bits = 8 * u32::from(self.ty.bytes);
        let raw = raw & (u64::MAX >> (64 - bits));
        let signed = (raw << (64 - bits)) as i64 >> (64 - bits);
        match (self.ty.kind, self.reads_shares) {
            (Kind::Float, _) if bits == 32 => raw as u32,
            (Kind::Float, _) => (self.ty.value_of(raw) as f32).to_bits(),
            (Kind::Signed, true) => {
                let most = ((1i64 << (bits - 1)) - 1) as f64;
                ((signed as f64 / most).max(-1.0) as f32).to_bits()
            }
            (_, true) => {
                let most = ((1u64 << bits) - 1) as f64;
                ((raw as f64 / most) as f32).to_bits()
            }
            (Kind::Signed, false) => signed as u32,
            (_, false) => raw as u32,
        }
    }

    /// The result for a channel that texels do not have.
    pub fn absent(&self, channel: usize) -> u32 {
        match (channel, self.gives_floats()) {
            (3, true) => 1f32.to_bits(),
            (3, false) => 1,
            _ => 0,
        }
    }

    /// The value of a property, in the numbers of OpenCL where there are some.
    pub fn answer(&self, query: Query) -> u32 {
        match query {
            Query::Size(axis) => self.size[usize::from(axis)],
            Query::Layers => self.layers,
            Query::Levels => 1,
            Query::Normalized => self.is_normalized.into(),
            Query::ChannelOrder => match self.channels {
                1 => 0x10b0,
                2 => 0x10b2,
                _ => 0x10b5,
            },
            Query::ChannelType => {
                let wider = self.ty.bytes.trailing_zeros();
                match (self.ty.kind, self.reads_shares) {
                    (Kind::Float, _) => 0x10dc + wider,
                    (Kind::Signed, true) => 0x10d0 + wider,
                    (_, true) => 0x10d2 + wider,
                    (Kind::Signed, false) => 0x10d7 + wider,
                    (_, false) => 0x10da + wider,
                }
            }
        }
    }
}
