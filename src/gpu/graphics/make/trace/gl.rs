//! State of OpenGL 1, as calls leave it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use super::arrays::Array;
use super::call::{Call, Fault, Pointer, is_true, number, numbers, refused};
use super::matrices::Matrices;
use super::textures::Texture;

/// Calls whose arguments are kept, each as `CALL.ARGUMENT`.
const SETTERS: [&str; 17] = [
    "glAlphaFunc",
    "glBlendColor",
    "glBlendEquation",
    "glBlendFuncSeparate",
    "glClearColor",
    "glClearDepth",
    "glColorMask",
    "glCullFace",
    "glDepthFunc",
    "glDepthMask",
    "glDepthRange",
    "glFrontFace",
    "glLogicOp",
    "glPolygonMode",
    "glScissor",
    "glShadeModel",
    "glViewport",
];

/// Calls with a parameter of a name, which is kept under that name.
const NAMED: [&str; 5] = ["glFog", "glLightModel", "glMaterial", "glPixelStore", "glTexEnv"];

/// Beginnings of calls that change no picture, or only with capabilities that are refused where they are enabled.
const WITHOUT_EFFECT: [&str; 20] = [
    "glColorMaterial",
    "glClearStencil",
    "glFinish",
    "glFlush",
    "glGen",
    "glGet",
    "glHint",
    "glIs",
    "glLight",
    "glLineWidth",
    "glNormal",
    "glPointSize",
    "glPolygonOffset",
    "glProvokingVertex",
    "glReadPixels",
    "glSampleCoverage",
    "glStencil",
    "glTexGen",
    "glX",
    "egl",
];

/// State.
#[derive(Debug)]
pub(super) struct Gl {
    /// Folder of the dump.
    folder: PathBuf,
    /// Capabilities and arrays.
    enabled: BTreeSet<String>,
    settings: BTreeMap<String, String>,
    pub(super) matrices: Matrices,
    pub(super) color: [f32; 4],
    /// By the names of their calls.
    pub(super) arrays: BTreeMap<String, Array>,
    buffers: BTreeMap<usize, Vec<u8>>,
    /// Buffers by their targets.
    bound: BTreeMap<String, usize>,
    textures: BTreeMap<usize, Texture>,
    texture: usize,
}

impl Gl {
    pub(super) fn new(folder: PathBuf) -> Self {
        Self {
            folder,
            enabled: BTreeSet::new(),
            settings: BTreeMap::new(),
            matrices: Matrices::default(),
            color: [1.0; 4],
            arrays: BTreeMap::new(),
            buffers: BTreeMap::new(),
            bound: BTreeMap::new(),
            textures: BTreeMap::new(),
            texture: 0,
        }
    }

    /// Capabilities and arrays that are enabled.
    pub(super) fn enabled(&self) -> impl Iterator<Item = &str> {
        self.enabled.iter().map(String::as_str)
    }

    pub(super) fn has(&self, capability: &str) -> bool {
        self.enabled.contains(capability)
    }

    pub(super) fn text<'a>(&'a self, key: &str, default: &'a str) -> &'a str {
        self.settings.get(key).map_or(default, String::as_str)
    }

    pub(super) fn number(&self, key: &str, default: f32) -> Result<f32, String> {
        self.settings.get(key).map_or(Ok(default), |text| number(text))
    }

    pub(super) fn numbers<const N: usize>(
        &self,
        key: &str,
        default: [f32; N],
    ) -> Result<[f32; N], String> {
        self.settings.get(key).map_or(Ok(default), |text| numbers(text))
    }

    /// Four arguments of a call.
    pub(super) fn four(
        &self,
        call: &str,
        names: [&str; 4],
        default: f32,
    ) -> Result<[f32; 4], String> {
        let mut values = [default; 4];
        for (value, name) in values.iter_mut().zip(names) {
            *value = self.number(&format!("{call}.{name}"), default)?;
        }
        Ok(values)
    }

    /// Left, lower edge, width and height of the viewport or the scissors; the default is all of the target.
    pub(super) fn rectangle(&self, call: &str, size: [u32; 2]) -> Result<[i64; 4], String> {
        if !self.settings.contains_key(&format!("{call}.x")) {
            return Ok([0, 0, size[0].into(), size[1].into()]);
        }
        Ok(self.four(call, ["x", "y", "width", "height"], 0.0)?.map(|it| it as i64))
    }

    /// Bytes of a buffer that was bound to a target when its pointer was given, or of a file.
    pub(super) fn bytes(&self, pointer: &Pointer, buffer: usize) -> Result<Vec<u8>, String> {
        match pointer {
            Pointer::File(name) => {
                let path = self.folder.join(name);
                std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))
            }
            Pointer::Offset(offset) => {
                let bytes = self.buffers.get(&buffer).and_then(|it| it.get(*offset..));
                bytes
                    .map(<[u8]>::to_vec)
                    .ok_or_else(|| format!("no buffer {buffer} with {offset} bytes"))
            }
        }
    }

    pub(super) fn buffer_at(&self, target: &str) -> usize {
        self.bound.get(target).copied().unwrap_or(0)
    }

    /// The texture of draws, if they are textured.
    pub(super) fn texture(&self) -> Option<&Texture> {
        let texture = self.textures.get(&self.texture);
        texture.filter(|it| self.has("GL_TEXTURE_2D") && it.has_image())
    }

    pub(super) fn texture_mut(&mut self) -> Option<&mut Texture> {
        self.texture()?;
        self.textures.get_mut(&self.texture)
    }

    /// Takes a call that draws nothing.
    pub(super) fn apply(&mut self, call: &Call<'_>) -> Result<(), Fault> {
        let name = call.name;
        match name {
            "glEnable" | "glDisable" => self.enable(call.text("cap")?, name == "glEnable"),
            "glEnableClientState" => self.enable(call.text("array")?, true),
            "glDisableClientState" => self.enable(call.text("array")?, false),
            "glActiveTexture" | "glClientActiveTexture" => match call.text("texture")? {
                "GL_TEXTURE0" => {}
                unit => return refused(format!("{unit}: one texture is accepted")),
            },
            "glDrawBuffer" if call.text("mode")? == "GL_BACK" => {}
            "glBlendFunc" => {
                for (key, argument) in [("s", "sfactor"), ("d", "dfactor")] {
                    for channels in ["RGB", "Alpha"] {
                        let key = format!("glBlendFuncSeparate.{key}factor{channels}");
                        self.settings.insert(key, call.text(argument)?.to_string());
                    }
                }
            }
            "glColor4f" | "glColor4ub" | "glColor3f" => self.set_color(call)?,
            "glVertexPointer" | "glColorPointer" | "glTexCoordPointer" => {
                let buffer = self.buffer_at("GL_ARRAY_BUFFER");
                self.arrays.insert(name.to_string(), Array::of(call, buffer)?);
            }
            "glBindBuffer" | "glBufferData" | "glBufferSubData" => self.buffer(call)?,
            "glBindTexture" | "glDeleteTextures" => self.choose_texture(call)?,
            "glTexImage2D" | "glTexSubImage2D" | "glTexParameteri" | "glTexParameterf" => {
                if call.text("target")? == "GL_TEXTURE_2D" {
                    self.change_texture(call)?;
                }
            }
            _ if SETTERS.contains(&name) => {
                for (argument, value) in &call.arguments {
                    self.settings.insert(format!("{name}.{argument}"), value.to_string());
                }
            }
            _ if self.matrices.apply(call)? => {}
            _ if NAMED.iter().any(|it| name.strip_prefix(it).is_some_and(|it| it.len() < 3)) => {
                let value = call.text("params").or_else(|_| call.text("param"))?;
                let keys: &[&str] = match call.text("pname")? {
                    "GL_AMBIENT_AND_DIFFUSE" => &["GL_AMBIENT", "GL_DIFFUSE"],
                    key => &[key],
                };
                let settings = keys.iter().map(|key| (key.to_string(), value.to_string()));
                self.settings.extend(settings);
            }
            _ if WITHOUT_EFFECT.iter().any(|it| name.starts_with(it)) || call.swaps() => {}
            _ => return refused("a call that is not known"),
        }
        Ok(())
    }

    fn enable(&mut self, what: &str, enables: bool) {
        match enables {
            true => self.enabled.insert(what.to_string()),
            false => self.enabled.remove(what),
        };
    }

    fn set_color(&mut self, call: &Call<'_>) -> Result<(), String> {
        let most = if call.name.ends_with("ub") { 255.0 } else { 1.0 };
        self.color[3] = 1.0;
        let channels = ["red", "green", "blue", "alpha"];
        for (channel, (_, value)) in self.color.iter_mut().zip(&call.arguments) {
            *channel = number(value)? / most;
        }
        match call.arguments.iter().zip(channels).all(|((name, _), known)| *name == known) {
            true => Ok(()),
            false => Err(format!("arguments {} are expected", channels.join(", "))),
        }
    }

    fn buffer(&mut self, call: &Call<'_>) -> Result<(), Fault> {
        let target = call.text("target")?;
        if call.name == "glBindBuffer" {
            self.bound.insert(target.to_string(), call.count("buffer")?);
            return Ok(());
        }
        let (size, buffer) = (call.count("size")?, self.buffer_at(target));
        let bytes = match call.pointer("data")? {
            Pointer::Offset(_) => vec![0; size.min(1 << 30)],
            file => self.bytes(&file, 0)?,
        };
        if call.name == "glBufferData" {
            self.buffers.insert(buffer, bytes);
            return Ok(());
        }
        let offset = call.count("offset")?;
        let place = self.buffers.get_mut(&buffer).and_then(|it| it.get_mut(offset..));
        let place = place.and_then(|it| it.get_mut(..bytes.len()));
        place.ok_or_else(|| format!("buffer {buffer} is smaller"))?.copy_from_slice(&bytes);
        Ok(())
    }

    fn choose_texture(&mut self, call: &Call<'_>) -> Result<(), String> {
        if call.name == "glDeleteTextures" {
            let names = call.text("textures")?.trim_matches(['{', '}', '&']);
            for name in names.split(", ") {
                self.textures.remove(&name.parse().unwrap_or(0));
            }
        } else if call.text("target")? == "GL_TEXTURE_2D" {
            self.texture = call.count("texture")?;
        }
        Ok(())
    }

    fn change_texture(&mut self, call: &Call<'_>) -> Result<(), Fault> {
        if call.name.starts_with("glTexParameter") {
            let texture = self.textures.entry(self.texture).or_default();
            texture.set(call.text("pname")?, call.text("param")?);
            return Ok(());
        }
        // Other levels count with filters that are refused.
        if call.count("level")? > 0 {
            return Ok(());
        }
        let pixels = match call.pointer("pixels")? {
            Pointer::Offset(_) => None,
            file => Some(self.bytes(&file, 0)?),
        };
        if let Some(key) = ["GL_UNPACK_ROW_LENGTH", "GL_UNPACK_SKIP_ROWS", "GL_UNPACK_SKIP_PIXELS"]
            .into_iter()
            .find(|key| self.text(key, "0") != "0")
        {
            return refused(format!("{key}: 0 is accepted"));
        }
        let alignment = self.number("GL_UNPACK_ALIGNMENT", 4.0)? as usize;
        let texture = self.textures.entry(self.texture).or_default();
        texture.load(call, pixels, alignment.clamp(1, 8))
    }

    /// A boolean argument of a call; the default is true.
    pub(super) fn is_on(&self, key: &str) -> bool {
        is_true(self.text(key, "GL_TRUE"))
    }
}
