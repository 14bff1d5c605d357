//! The frame as it is written, in TOML.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Deserialize;
use toml::Spanned;

use crate::graphics::{
    Blend, DepthTest, Facing, Filter, Format, Logic, StencilTest, Topology, Viewport, Winding, Wrap,
};
use crate::launch::{Field, Setting};

/// A frame file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FrameFile {
    /// The target that is the picture; the last one that was drawn to if left out.
    pub(super) picture: Option<Spanned<String>>,
    pub(super) targets: Vec<Spanned<TargetFile>>,
    #[serde(default)]
    pub(super) textures: Vec<Spanned<TextureFile>>,
    #[serde(default)]
    pub(super) buffers: Vec<Spanned<BufferFile>>,
    #[serde(default)]
    pub(super) shaders: Vec<Spanned<ShaderFile>>,
    #[serde(default)]
    pub(super) states: BTreeMap<String, Spanned<StateFile>>,
    #[serde(default)]
    pub(super) commands: Vec<Spanned<CommandFile>>,
}

/// Formats of targets.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum TargetFormat {
    #[default]
    Rgba8,
    D24s8,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TargetFile {
    pub(super) name: String,
    pub(super) width: u32,
    pub(super) height: u32,
    #[serde(default)]
    pub(super) format: TargetFormat,
    #[serde(default)]
    pub(super) filter: Filter,
    #[serde(default)]
    pub(super) wrap: Wrap,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TextureFile {
    pub(super) name: String,
    pub(super) width: u32,
    pub(super) height: u32,
    #[serde(default)]
    pub(super) format: Format,
    #[serde(default)]
    pub(super) filter: Filter,
    #[serde(default)]
    pub(super) wrap: Wrap,
    /// Has levels below the first.
    #[serde(default)]
    pub(super) mips: bool,
    /// Bytes of texels.
    pub(super) values: Option<Vec<u8>>,
    pub(super) file: Option<PathBuf>,
    /// First byte in the file.
    #[serde(default)]
    pub(super) offset: usize,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BufferFile {
    pub(super) name: String,
    /// Type of the elements, as in launch files.
    #[serde(rename = "type", default)]
    pub(super) ty: String,
    /// Elements of a vertex.
    pub(super) stride: Option<u32>,
    pub(super) values: Option<Vec<Setting>>,
    pub(super) fields: Option<Vec<Field>>,
    pub(super) file: Option<PathBuf>,
    /// First byte in the file.
    #[serde(default)]
    pub(super) offset: usize,
    /// Elements in the file; all that follow if left out.
    pub(super) count: Option<usize>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ShaderFile {
    pub(super) name: String,
    /// A module of PTX.
    pub(super) file: PathBuf,
    /// Kernels in it.
    pub(super) vertex: String,
    pub(super) fragment: String,
    /// Outputs of a vertex behind its position.
    #[serde(default)]
    pub(super) varyings: usize,
}

#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct StateFile {
    pub(super) cull: Facing,
    pub(super) front: Winding,
    pub(super) depth: Option<DepthTest>,
    pub(super) stencil: Option<StencilTest>,
    pub(super) blend: Option<Blend>,
    pub(super) logic: Option<Logic>,
    pub(super) mask: Letters,
}

/// Channels by letters, at most four.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(try_from = "String")]
pub(super) struct Letters(pub(super) crate::graphics::Mask);

impl Default for Letters {
    fn default() -> Self {
        Self(crate::graphics::Mask::ALL)
    }
}

impl TryFrom<String> for Letters {
    type Error = String;

    fn try_from(letters: String) -> Result<Self, String> {
        let mask = crate::graphics::Mask::named(&letters);
        mask.map(Self)
            .ok_or_else(|| format!("mask `{letters}`: letters of `rgba` are accepted, each once"))
    }
}

/// A command: one of these.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CommandFile {
    pub(super) target: Option<Attached>,
    pub(super) viewport: Option<Viewport>,
    pub(super) clear: Option<ClearFile>,
    pub(super) draw: Option<DrawFile>,
    #[serde(default)]
    pub(super) group_start: bool,
    #[serde(default)]
    pub(super) group_end: bool,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Attached {
    pub(super) color: String,
    pub(super) depth: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ClearFile {
    pub(super) color: Option<[u8; 4]>,
    /// 0 to 1.
    pub(super) depth: Option<f64>,
    pub(super) stencil: Option<u8>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DrawFile {
    pub(super) shader: String,
    /// One of `states`; what they do if left out is said there.
    pub(super) state: Option<String>,
    #[serde(default)]
    pub(super) topology: Topology,
    /// Buffers of type f32 with a stride.
    #[serde(default)]
    pub(super) vertices: Vec<String>,
    /// A buffer of type u32.
    pub(super) indices: Option<String>,
    #[serde(default)]
    pub(super) first: u32,
    /// Indices or vertices; all that follow if left out.
    pub(super) count: Option<u32>,
    /// Buffers for the parameters of both shaders, in order.
    #[serde(default)]
    pub(super) uniforms: Vec<String>,
    /// Textures, or targets that were drawn before, for each unit.
    #[serde(default)]
    pub(super) textures: Vec<String>,
    /// The draw blends, but all its fragments have alpha 255.
    #[serde(default)]
    pub(super) opaque: bool,
}
