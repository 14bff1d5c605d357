//! The launch file as it is written, in TOML.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Deserialize;

use super::texture::TextureEntry;
use crate::machine::{Checks, Divergence};

/// A launch file.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LaunchFile {
    /// The kernel; may be left out when the module has only one.
    pub kernel: Option<String>,
    /// CTAs along each axis; those left out are 1.
    #[serde(default)]
    pub grid: Vec<u32>,
    /// CTAs of a cluster along each axis; those left out are 1. The kernel may say it itself.
    pub cluster: Option<Vec<u32>>,
    /// Threads of a CTA along each axis; those left out are 1.
    #[serde(default)]
    pub block: Vec<u32>,
    /// Bytes of shared memory beyond what the kernel declares.
    #[serde(default)]
    pub shared: u32,
    /// CTAs that run at the same time.
    #[serde(default = "default_resident")]
    pub resident: u32,
    /// Warp instructions without any progress after which the launch is given up.
    #[serde(default = "default_watchdog")]
    pub watchdog: u64,
    /// 32-bit registers of a thread, as `ptxas -v` says; estimated from the kernel if left out.
    pub registers: Option<u32>,
    /// Bytes from which kernels allocate memory with `malloc`.
    #[serde(default = "default_heap")]
    pub heap: u32,
    /// Checks: `strict`, `lenient`, or `races` or `memory`, which look for data races or wrong uses of memory too.
    #[serde(default)]
    pub checks: Checks,
    /// How diverged lanes take turns: `fair`, or `stack`, as hardware before `sm_70`.
    #[serde(default)]
    pub divergence: Divergence,
    /// Parameters of the kernel, in order.
    #[serde(default)]
    pub arguments: Vec<Argument>,
    /// First contents of `__constant__` and `__device__` variables, by name.
    #[serde(default)]
    pub variables: Vec<Argument>,
    /// Textures: arguments of type `ptr` are their handles, and references of the module have their names.
    #[serde(default)]
    pub textures: Vec<TextureEntry>,
    /// Surfaces, as textures.
    #[serde(default)]
    pub surfaces: Vec<TextureEntry>,
    /// Launches, one after the other on the same memory. Without any there is one, as the rest of
    /// the file says.
    #[serde(default)]
    pub launches: Vec<LaunchEntry>,
    /// How often all launches are made, in order.
    #[serde(default = "once")]
    pub repeat: u32,
}

/// One of several launches: what it does differently from the rest of the file.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LaunchEntry {
    /// Another kernel.
    pub kernel: Option<String>,
    /// Another grid.
    pub grid: Option<Vec<u32>>,
    /// Clusters of another shape.
    pub cluster: Option<Vec<u32>>,
    /// CTAs of another shape.
    pub block: Option<Vec<u32>>,
    /// Another size of dynamic shared memory.
    pub shared: Option<u32>,
    /// Names of the file's arguments, one for each parameter, in order.
    pub arguments: Option<Vec<String>>,
    /// By name, arguments that are replaced: by a number, or by another argument.
    #[serde(default)]
    pub set: BTreeMap<String, Setting>,
}

/// A value, or what replaces an argument.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum Setting {
    /// A number.
    Number(Number),
    /// The name of an argument.
    Name(String),
}

/// A parameter: a scalar, or a buffer whose address is passed.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Argument {
    /// Name in reports; its number if left out.
    pub name: Option<String>,
    /// Type of the scalar or of the elements: `u8` to `u64`, `s8` to `s64`, `f16`, `bf16`, `f32`, `f64`, `ptr`.
    #[serde(rename = "type", default)]
    pub ty: String,
    /// A scalar: a number, or for type `ptr` the name of a buffer, with `+BYTES` within it, of a texture or of a
    /// surface. All else is for buffers.
    pub value: Option<Setting>,
    /// Elements; may be left out where `values` or `file` tell.
    pub count: Option<usize>,
    /// First contents: each element the same. Zero if nothing is said.
    pub fill: Option<Number>,
    /// First contents: first value and step.
    pub ramp: Option<[Number; 2]>,
    /// First contents: random within a range.
    pub random: Option<Random>,
    /// First contents, one by one.
    pub values: Option<Vec<Setting>>,
    /// First contents: a structure, field by field, each at its alignment as C has it.
    pub fields: Option<Vec<Field>>,
    /// First contents: a file of elements, lowest byte first.
    pub file: Option<PathBuf>,
    /// Contents when the kernel has ended.
    pub expected: Option<Expected>,
    /// Contents when the kernel has ended, from a file as `file`.
    pub expected_file: Option<PathBuf>,
    /// Greatest difference of floats, as a share of the expected value (or of 1 below 1).
    #[serde(default)]
    pub tolerance: f64,
}

/// A field of a structure: one value, or an array of them.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Field {
    /// Type of the value or of the elements.
    #[serde(rename = "type")]
    pub ty: String,
    /// One value.
    pub value: Option<Setting>,
    /// An array.
    pub values: Option<Vec<Setting>>,
}

/// A number in a launch file.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum Number {
    /// Without a point.
    Integer(i64),
    /// With one; `inf` and `nan` too.
    Float(f64),
}

impl std::fmt::Display for Number {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Integer(value) => value.fmt(f),
            Self::Float(value) => value.fmt(f),
        }
    }
}

/// Random first contents.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Random {
    /// Seed.
    pub seed: u64,
    /// Least value.
    pub low: Number,
    /// First value beyond the range.
    pub high: Number,
}

/// Expected contents.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub enum Expected {
    /// Each element the same.
    Fill(Number),
    /// One by one.
    Values(Vec<Number>),
}

fn default_resident() -> u32 {
    16
}

/// As CUDA has it.
fn default_heap() -> u32 {
    8 << 20
}

fn once() -> u32 {
    1
}

fn default_watchdog() -> u64 {
    100_000_000
}
