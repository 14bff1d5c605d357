//! A frame that is made, as the files that `load` reads.

use std::path::PathBuf;

use toml::Spanned;

use crate::graphics::frame::file::{
    Attached, BufferFile, ClearFile, CommandFile, DrawFile, FrameFile, ShaderFile, StateFile,
    TargetFile, TargetFormat, TextureFile,
};
use crate::graphics::{Filter, Format, Sampler, Viewport, Wrap};

/// A frame as files that belong in one folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Made {
    /// Names and contents; the frame itself is the last.
    pub files: Vec<(String, Vec<u8>)>,
}

/// Collects a frame's parts.
#[derive(Debug)]
pub(super) struct Maker {
    name: String,
    file: FrameFile,
    bulk: Vec<u8>,
    modules: Vec<(&'static str, &'static str)>,
}

fn spanned<T>(value: T) -> Spanned<T> {
    Spanned::new(0..0, value)
}

impl Maker {
    pub(super) fn new(name: &str) -> Self {
        Self {
            name: name.to_string(),
            file: FrameFile::default(),
            bulk: Vec::new(),
            modules: Vec::new(),
        }
    }

    fn bulk_file(&self) -> PathBuf {
        format!("{}.bin", self.name).into()
    }

    /// A target and its depth buffer, `NAME` and `NAME_depth`.
    pub(super) fn target(&mut self, name: &str, [width, height]: [u32; 2]) {
        for (name, format) in
            [(name.to_string(), TargetFormat::Rgba8), (depth_of(name), TargetFormat::D24s8)]
        {
            let filter = Filter::Linear;
            let target = TargetFile { name, width, height, format, filter, wrap: Wrap::Clamp };
            self.file.targets.push(spanned(target));
        }
    }

    /// A texture of RGBA8.
    pub(super) fn texture(
        &mut self,
        name: &str,
        [width, height]: [u32; 2],
        texels: &[u8],
        Sampler { filter, wrap }: Sampler,
        mips: bool,
    ) {
        let texture = TextureFile {
            name: name.to_string(),
            width,
            height,
            format: Format::Rgba8,
            filter,
            wrap,
            mips,
            file: Some(self.bulk_file()),
            offset: self.bulk.len(),
            values: None,
        };
        self.bulk.extend(texels);
        self.file.textures.push(spanned(texture));
    }

    fn buffer(
        &mut self,
        name: &str,
        ty: &str,
        stride: Option<u32>,
        words: impl Iterator<Item = [u8; 4]>,
    ) {
        let offset = self.bulk.len();
        self.bulk.extend(words.flatten());
        let buffer = BufferFile {
            name: name.to_string(),
            ty: ty.to_string(),
            stride,
            file: Some(self.bulk_file()),
            offset,
            count: Some((self.bulk.len() - offset) / 4),
            ..BufferFile::default()
        };
        self.file.buffers.push(spanned(buffer));
    }

    /// Floats: vertices with a stride, or uniforms.
    pub(super) fn floats(&mut self, name: &str, stride: Option<u32>, floats: &[f32]) {
        self.buffer(name, "f32", stride, floats.iter().map(|it| it.to_le_bytes()));
    }

    /// Indices.
    pub(super) fn indices(&mut self, name: &str, indices: &[u32]) {
        self.buffer(name, "u32", None, indices.iter().map(|it| it.to_le_bytes()));
    }

    /// Shaders of a module, which is written beside the frame.
    pub(super) fn shader(
        &mut self,
        name: &str,
        (file, text): (&'static str, &'static str),
        [vertex, fragment]: [&str; 2],
        varyings: usize,
    ) {
        if !self.modules.iter().any(|(known, _)| *known == file) {
            self.modules.push((file, text));
        }
        let [name, vertex, fragment] = [name, vertex, fragment].map(str::to_string);
        let shader = ShaderFile { name, file: file.into(), vertex, fragment, varyings };
        self.file.shaders.push(spanned(shader));
    }

    pub(super) fn state(&mut self, name: &str, state: StateFile) {
        self.file.states.insert(name.to_string(), spanned(state));
    }

    /// Draws go to a target and its depth buffer, both cleared.
    pub(super) fn begin(&mut self, target: &str, color: [u8; 4]) {
        self.attach(target);
        self.clear(ClearFile { color: Some(color), depth: Some(1.0), stencil: Some(0) });
    }

    /// Draws go to a target and its depth buffer.
    pub(super) fn attach(&mut self, target: &str) {
        let attached = Attached { color: target.to_string(), depth: Some(depth_of(target)) };
        self.command(CommandFile { target: Some(attached), ..CommandFile::default() });
    }

    pub(super) fn clear(&mut self, clear: ClearFile) {
        self.command(CommandFile { clear: Some(clear), ..CommandFile::default() });
    }

    pub(super) fn viewport(&mut self, viewport: Viewport) {
        self.command(CommandFile { viewport: Some(viewport), ..CommandFile::default() });
    }

    pub(super) fn draw(&mut self, draw: DrawFile) {
        self.command(CommandFile { draw: Some(draw), ..CommandFile::default() });
    }

    fn command(&mut self, command: CommandFile) {
        self.file.commands.push(spanned(command));
    }

    /// The files; a comment stands first in the frame's.
    pub(super) fn finish(self, comment: &str) -> Result<Made, String> {
        let text = toml::to_string(&self.file).map_err(|error| error.to_string())?;
        let of_module = |(name, text): (&str, &str)| (name.to_string(), text.as_bytes().to_vec());
        let mut files: Vec<_> = self.modules.iter().map(|it| of_module(*it)).collect();
        files.push((format!("{}.bin", self.name), self.bulk));
        let text = format!("# {comment}\n\n{text}");
        files.push((format!("{}.frame.toml", self.name), text.into_bytes()));
        Ok(Made { files })
    }
}

fn depth_of(target: &str) -> String {
    format!("{target}_depth")
}
