//! The frame as it is written, in TOML.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize, Serializer};
use toml::Spanned;

use crate::graphics::{
    Blend, DepthTest, Facing, Filter, Format, Logic, StencilTest, Topology, Viewport, Winding, Wrap,
};
use crate::launch::{Field, Setting};

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// A frame file.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::graphics) struct FrameFile {
    /// The target that is the picture; the last one that was drawn to if left out.
    pub(in crate::graphics) picture: Option<Spanned<String>>,
    pub(in crate::graphics) targets: Vec<Spanned<TargetFile>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(in crate::graphics) textures: Vec<Spanned<TextureFile>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(in crate::graphics) buffers: Vec<Spanned<BufferFile>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(in crate::graphics) shaders: Vec<Spanned<ShaderFile>>,
    #[serde(default)]
    pub(in crate::graphics) states: BTreeMap<String, Spanned<StateFile>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(in crate::graphics) commands: Vec<Spanned<CommandFile>>,
}

/// Formats of targets.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(in crate::graphics) enum TargetFormat {
    #[default]
    Rgba8,
    D24s8,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::graphics) struct TargetFile {
    pub(in crate::graphics) name: String,
    pub(in crate::graphics) width: u32,
    pub(in crate::graphics) height: u32,
    #[serde(default)]
    pub(in crate::graphics) format: TargetFormat,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(in crate::graphics) filter: Filter,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(in crate::graphics) wrap: Wrap,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::graphics) struct TextureFile {
    pub(in crate::graphics) name: String,
    pub(in crate::graphics) width: u32,
    pub(in crate::graphics) height: u32,
    #[serde(default)]
    pub(in crate::graphics) format: Format,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(in crate::graphics) filter: Filter,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(in crate::graphics) wrap: Wrap,
    /// Has levels below the first.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(in crate::graphics) mips: bool,
    /// Bytes of texels.
    pub(in crate::graphics) values: Option<Vec<u8>>,
    pub(in crate::graphics) file: Option<PathBuf>,
    /// First byte in the file.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(in crate::graphics) offset: usize,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::graphics) struct BufferFile {
    pub(in crate::graphics) name: String,
    /// Type of the elements, as in launch files.
    #[serde(rename = "type", default)]
    pub(in crate::graphics) ty: String,
    /// Elements of a vertex.
    pub(in crate::graphics) stride: Option<u32>,
    #[serde(skip_serializing)]
    pub(in crate::graphics) values: Option<Vec<Setting>>,
    #[serde(skip_serializing)]
    pub(in crate::graphics) fields: Option<Vec<Field>>,
    pub(in crate::graphics) file: Option<PathBuf>,
    /// First byte in the file.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(in crate::graphics) offset: usize,
    /// Elements in the file; all that follow if left out.
    pub(in crate::graphics) count: Option<usize>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::graphics) struct ShaderFile {
    pub(in crate::graphics) name: String,
    /// A module of PTX.
    pub(in crate::graphics) file: PathBuf,
    /// Kernels in it.
    pub(in crate::graphics) vertex: String,
    pub(in crate::graphics) fragment: String,
    /// Outputs of a vertex behind its position.
    #[serde(default)]
    pub(in crate::graphics) varyings: usize,
}

#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(in crate::graphics) struct StateFile {
    pub(in crate::graphics) cull: Facing,
    pub(in crate::graphics) front: Winding,
    pub(in crate::graphics) depth: Option<DepthTest>,
    pub(in crate::graphics) stencil: Option<StencilTest>,
    pub(in crate::graphics) blend: Option<Blend>,
    pub(in crate::graphics) logic: Option<Logic>,
    pub(in crate::graphics) mask: Letters,
}

/// Channels by letters, at most four.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(try_from = "String")]
pub(in crate::graphics) struct Letters(pub(in crate::graphics) crate::graphics::Mask);

impl Serialize for Letters {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let letters = (0..).zip("rgba".chars()).filter(|(at, _)| self.0.0 >> (8 * at) & 1 != 0);
        serializer.collect_str(&letters.map(|(_, letter)| letter).collect::<String>())
    }
}

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
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::graphics) struct CommandFile {
    pub(in crate::graphics) target: Option<Attached>,
    pub(in crate::graphics) viewport: Option<Viewport>,
    pub(in crate::graphics) clear: Option<ClearFile>,
    pub(in crate::graphics) draw: Option<DrawFile>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(in crate::graphics) group_start: bool,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(in crate::graphics) group_end: bool,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::graphics) struct Attached {
    pub(in crate::graphics) color: String,
    pub(in crate::graphics) depth: Option<String>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::graphics) struct ClearFile {
    pub(in crate::graphics) color: Option<[u8; 4]>,
    /// 0 to 1.
    pub(in crate::graphics) depth: Option<f64>,
    pub(in crate::graphics) stencil: Option<u8>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::graphics) struct DrawFile {
    pub(in crate::graphics) shader: String,
    /// One of `states`; what they do if left out is said there.
    pub(in crate::graphics) state: Option<String>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(in crate::graphics) topology: Topology,
    /// Buffers of type f32 with a stride.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(in crate::graphics) vertices: Vec<String>,
    /// A buffer of type u32.
    pub(in crate::graphics) indices: Option<String>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub(in crate::graphics) first: u32,
    /// Indices or vertices; all that follow if left out.
    pub(in crate::graphics) count: Option<u32>,
    /// Buffers for the parameters of both shaders, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(in crate::graphics) uniforms: Vec<String>,
    /// Textures, or targets that were drawn before, for each unit.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(in crate::graphics) textures: Vec<String>,
    /// The draw blends, but all its fragments have alpha 255.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(in crate::graphics) opaque: bool,
}
