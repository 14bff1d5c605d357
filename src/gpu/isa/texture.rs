//! Places in textures and surfaces, and what is asked of them.

use super::operand::Source;

/// Shape of a texture or surface.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Geometry {
    /// Axes: 1 to 3.
    pub axes: u8,
    /// Layered: the first coordinate is the layer.
    pub is_layered: bool,
}

impl Geometry {
    /// The geometry of a modifier such as `a2d`.
    pub fn named(name: &str) -> Option<Self> {
        let (axes, is_layered) = match name {
            "1d" => (1, false),
            "2d" => (2, false),
            "3d" => (3, false),
            "a1d" => (1, true),
            "a2d" => (2, true),
            _ => return None,
        };
        Some(Self { axes, is_layered })
    }
}

impl std::fmt::Display for Geometry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let layered = if self.is_layered { "a" } else { "" };
        write!(f, "{layered}{}d", self.axes)
    }
}

/// Kind of a texture's coordinates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Coordinates {
    /// Numbers of texels.
    Integers,
    /// Places, which the sampler filters.
    Floats,
    /// Places, of which the four texels around are wanted.
    Around,
}

/// Behaviour of surface accesses beyond the edges.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Beyond {
    /// They stop the kernel.
    Trap,
    /// They go to the edge.
    Clamp,
    /// Loads give zero, the others do nothing.
    Zero,
}

/// Kind of a lookup.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LookupKind {
    /// Four channels of a texture (`tex`).
    Texel {
        /// Its coordinates.
        coordinates: Coordinates,
        /// The registers take floats.
        floats: bool,
    },
    /// A channel of four texels of a texture (`tld4`).
    Gather {
        /// Which channel.
        channel: u8,
        /// The registers take floats.
        floats: bool,
    },
    /// Bytes of a surface; the first coordinate counts bytes.
    Bytes(Beyond),
}

/// A place in a texture or surface.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lookup {
    /// Kind of a lookup.
    pub kind: LookupKind,
    /// The shape that the instruction names.
    pub geometry: Geometry,
    /// Coordinates, in registers of 32 bits; as many as there are axes.
    pub at: [Source; 3],
    /// The layer.
    pub layer: Option<Source>,
}

impl Lookup {
    /// The registers or constants that it reads.
    pub fn sources(&self) -> impl Iterator<Item = Source> {
        self.at.into_iter().take(self.geometry.axes.into()).chain(self.layer)
    }
}

/// Property that `txq` and `suq` read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Query {
    /// Texels along an axis.
    Size(u8),
    /// Layers.
    Layers,
    /// Levels.
    Levels,
    /// Normalized coordinates.
    Normalized,
    /// Order of channels.
    ChannelOrder,
    /// Type of a channel.
    ChannelType,
}
