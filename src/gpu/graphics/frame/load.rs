//! From a file to a frame.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use toml::Spanned;

use super::file::{
    BufferFile, CommandFile, DrawFile, FrameFile, StateFile, TargetFile, TargetFormat, TextureFile,
};
use super::{Binding, Command, Draw, Frame, MOST_PIXELS, Stream, Target};
use crate::graphics::{
    Blend, DEPTH_MOST, MOST_VARYINGS, Sampler, Shader, Shaders, State, Texture, Viewport,
};
use crate::isa::{Module, Type};
use crate::launch::contents;

/// Most bytes of all buffers and textures together.
const MOST_BYTES: usize = 2 << 30;

/// A fault of a frame: where, and what would be accepted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}: {what}")]
pub struct FrameError {
    /// The file.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// The fault.
    pub what: String,
}

/// Reads a frame and all that it names.
///
/// # Errors
/// If something is malformed, missing or beyond what is accepted.
pub fn load(path: &Path) -> Result<Frame, FrameError> {
    let file = path.display().to_string();
    let text = std::fs::read_to_string(path).map_err(|error| FrameError {
        file: file.clone(),
        line: 1,
        what: error.to_string(),
    })?;
    let line = |at: usize| text[..at.min(text.len())].matches('\n').count() + 1;
    let wrong = |at: usize, what: String| FrameError { file: file.clone(), line: line(at), what };
    let written: FrameFile = toml::from_str(&text).map_err(|error| {
        wrong(error.span().map_or(0, |span| span.start), error.message().to_string())
    })?;
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut loader = Loader { folder, line: &line, ..Loader::new(file.clone()) };
    loader.everything(&written).map_err(|(at, what)| wrong(at, what))?;
    Ok(loader.frame)
}

/// Trouble, and where in the text.
type Trouble = (usize, String);

struct Loader<'a> {
    folder: &'a Path,
    line: &'a dyn Fn(usize) -> usize,
    frame: Frame,
    /// Names of textures, buffers and shaders.
    textures: Vec<String>,
    buffers: Vec<Buffer>,
    states: HashMap<String, State>,
    files: HashMap<PathBuf, Vec<u8>>,
    bytes: usize,
}

struct Buffer {
    name: String,
    ty: String,
    address: u64,
    bytes: usize,
    stride: Option<u32>,
}

/// The place of a name in a list, or what there is.
fn find<'n>(what: &str, name: &str, known: impl Iterator<Item = &'n str>) -> Result<usize, String> {
    let known: Vec<_> = known.collect();
    known
        .iter()
        .position(|other| *other == name)
        .ok_or_else(|| format!("no {what} is named `{name}`; there are: {}", known.join(", ")))
}

fn with_place<T, R>(
    items: &[Spanned<T>],
    mut each: impl FnMut(&T) -> Result<R, String>,
) -> Result<Vec<R>, Trouble> {
    let one = |item: &Spanned<T>| each(item.get_ref()).map_err(|what| (item.span().start, what));
    items.iter().map(one).collect()
}

impl<'a> Loader<'a> {
    fn new(name: String) -> Self {
        Self {
            folder: Path::new(""),
            line: &|_| 0,
            frame: Frame { name, ..Frame::default() },
            textures: Vec::new(),
            buffers: Vec::new(),
            states: HashMap::new(),
            files: HashMap::new(),
            bytes: 0,
        }
    }

    fn everything(&mut self, file: &FrameFile) -> Result<(), Trouble> {
        with_place(&file.targets, |it| self.target(it))?;
        with_place(&file.textures, |it| self.texture(it))?;
        with_place(&file.buffers, |it| self.buffer(it))?;
        for (name, state) in &file.states {
            let found = self::state(state.get_ref()).map_err(|what| (state.span().start, what))?;
            self.states.insert(name.clone(), found);
        }
        with_place(&file.shaders, |it| {
            let path = self.folder.join(&it.file);
            let text = std::fs::read_to_string(&path)
                .map_err(|error| format!("{}: {error}", path.display()))?;
            let module = Module::parse(&path.display().to_string(), &text);
            let module = module.map_err(|error| error.to_string())?;
            if it.varyings > MOST_VARYINGS {
                return Err(format!("{} varyings: 0 to {MOST_VARYINGS} are accepted", it.varyings));
            }
            let shaders = Shaders {
                name: it.name.clone(),
                vertex: Shader::new(&module, &it.vertex)?,
                fragment: Shader::new(&module, &it.fragment)?,
                varyings: it.varyings,
            };
            self.once(&it.name, "shader", |it| it.frame.shaders.iter().map(|it| &it.name))?;
            self.frame.shaders.push(shaders);
            Ok(())
        })?;
        self.commands(&file.commands)?;
        if let Some(picture) = &file.picture {
            let known = self.frame.targets.iter().map(|target| target.name.as_str());
            let found = find("target", picture.get_ref(), known);
            self.frame.picture = found.map_err(|what| (picture.span().start, what))?;
            if self.frame.targets[self.frame.picture].is_depth {
                let what = "the picture is a target of format rgba8".to_string();
                return Err((picture.span().start, what));
            }
        }
        Ok(())
    }

    fn once<'s, I: Iterator<Item = &'s String>>(
        &'s self,
        name: &str,
        what: &str,
        known: impl Fn(&'s Self) -> I,
    ) -> Result<(), String> {
        match known(self).any(|other| other == name) {
            true => Err(format!("two of them are named `{name}`: a {what} has a name of its own")),
            false => Ok(()),
        }
    }

    fn target(&mut self, it: &TargetFile) -> Result<(), String> {
        size(it.width, it.height)?;
        self.once(&it.name, "target", |it| it.frame.targets.iter().map(|it| &it.name))?;
        self.frame.targets.push(Target {
            name: it.name.clone(),
            width: it.width,
            height: it.height,
            is_depth: it.format == TargetFormat::D24s8,
            sampler: Sampler { filter: it.filter, wrap: it.wrap },
        });
        Ok(())
    }

    fn texture(&mut self, it: &TextureFile) -> Result<(), String> {
        size(it.width, it.height)?;
        let names = |it: &'_ Self| it.textures.clone();
        if names(self).contains(&it.name) || self.frame.targets.iter().any(|t| t.name == it.name) {
            return Err(format!("two textures or targets are named `{}`", it.name));
        }
        let wanted = it.width as usize * it.height as usize * it.format.bytes();
        let bytes = match (&it.values, &it.file) {
            (Some(values), None) => values.clone(),
            (None, Some(file)) => self.read(file, it.offset, Some(wanted))?.to_vec(),
            _ => return Err("a texture has one of values and file".into()),
        };
        let found = bytes.len();
        let sampler = Sampler { filter: it.filter, wrap: it.wrap };
        let texture = Texture::new([it.width, it.height], it.format, &bytes, it.mips, sampler);
        let texture = texture.filter(|_| found == wanted);
        let texture =
            texture.ok_or_else(|| format!("{found} bytes of texels: {wanted} are accepted"))?;
        self.textures.push(it.name.clone());
        self.frame.textures.push(texture);
        self.count(4 * wanted)
    }

    fn count(&mut self, bytes: usize) -> Result<(), String> {
        self.bytes = self.bytes.saturating_add(bytes);
        match self.bytes > MOST_BYTES {
            true => Err(format!("more than {MOST_BYTES} bytes of buffers and textures")),
            false => Ok(()),
        }
    }

    /// Bytes of a file, from an offset on.
    fn read(&mut self, file: &Path, offset: usize, bytes: Option<usize>) -> Result<&[u8], String> {
        let path = self.folder.join(file);
        if !self.files.contains_key(&path) {
            let all = std::fs::read(&path);
            let all = all.map_err(|error| format!("{}: {error}", path.display()))?;
            self.files.insert(path.clone(), all);
        }
        let all = &self.files[&path];
        let end = bytes.map_or(Some(all.len()), |bytes| offset.checked_add(bytes));
        end.and_then(|end| all.get(offset..end)).ok_or_else(|| {
            let wanted = bytes.map_or("those".to_string(), |bytes| bytes.to_string());
            let path = path.display();
            format!("{path} has {} bytes: {wanted} from {offset} on are beyond its end", all.len())
        })
    }

    fn buffer(&mut self, it: &BufferFile) -> Result<(), String> {
        self.once(&it.name, "buffer", |it| it.buffers.iter().map(|it| &it.name))?;
        let bytes = match &it.file {
            Some(file) if it.values.is_none() && it.fields.is_none() => {
                let size = Type::named(&it.ty).map_or(0, |ty| usize::from(ty.bytes));
                if size == 0 {
                    return Err(format!("type `{}`: u8 to u64, f32, f64 are accepted", it.ty));
                }
                let count = it.count.map(|count| count.saturating_mul(size));
                self.read(file, it.offset, count)?.to_vec()
            }
            Some(_) => return Err("a buffer has one of values, fields and file".into()),
            None => contents(&it.ty, it.values.as_deref(), it.fields.as_deref())?,
        };
        self.count(bytes.len())?;
        if it.stride == Some(0) || it.stride.is_some_and(|it| it > 32) {
            return Err("a stride of 1 to 32 elements is accepted".into());
        }
        let address = self.frame.add_buffer(&it.name, &bytes);
        let (name, ty, bytes) = (it.name.clone(), it.ty.clone(), bytes.len());
        self.buffers.push(Buffer { name, ty, address, bytes, stride: it.stride });
        Ok(())
    }

    fn buffer_named(&self, name: &str) -> Result<&Buffer, String> {
        let known = self.buffers.iter().map(|it| it.name.as_str());
        Ok(&self.buffers[find("buffer", name, known)?])
    }

    fn commands(&mut self, commands: &[Spanned<CommandFile>]) -> Result<(), Trouble> {
        let mut attached = None;
        for command in commands {
            let at = command.span().start;
            let wrong = |what: String| (at, what);
            let it = command.get_ref();
            let made = self.command(it, (self.line)(at), attached).map_err(wrong)?;
            if let Command::Target { color, depth } = made {
                attached = Some((color, depth));
                self.frame.picture = color;
            }
            self.frame.commands.push(made);
        }
        Ok(())
    }

    fn command(
        &self,
        it: &CommandFile,
        line: usize,
        attached: Option<(usize, Option<usize>)>,
    ) -> Result<Command, String> {
        let given = [
            it.target.is_some(),
            it.viewport.is_some(),
            it.clear.is_some(),
            it.draw.is_some(),
            it.group_start,
            it.group_end,
        ];
        if given.iter().filter(|given| **given).count() != 1 {
            let known = "target, viewport, clear, draw, group_start, group_end";
            return Err(format!("a command is one of {known}"));
        }
        let attached = attached.ok_or("the first command is a target");
        if let Some(it) = &it.target {
            return self.attach(&it.color, it.depth.as_deref());
        }
        let (color, depth) = attached?;
        let target = &self.frame.targets[color];
        if let Some(viewport) = it.viewport {
            let fits = |from: u32, size: u32, most: u32| {
                size > 0 && from.checked_add(size).is_some_and(|end| end <= most)
            };
            let Viewport { x, y, width, height } = viewport;
            return match fits(x, width, target.width) && fits(y, height, target.height) {
                true => Ok(Command::Viewport(viewport)),
                false => Err(format!(
                    "viewport {width}x{height} at {x}, {y}: one within the target's {}x{} is accepted",
                    target.width, target.height
                )),
            };
        }
        if let Some(it) = &it.clear {
            if depth.is_none() && (it.depth.is_some() || it.stencil.is_some()) {
                return Err("the target has no depth buffer to clear".into());
            }
            let far = it.depth.map(|far| match (0.0..=1.0).contains(&far) {
                true => Ok((far * f64::from(DEPTH_MOST)).round_ties_even() as u32),
                false => Err(format!("depth {far}: 0 to 1 is accepted")),
            });
            let color = it.color.map(u32::from_le_bytes);
            return Ok(Command::Clear { color, depth: far.transpose()?, stencil: it.stencil });
        }
        match &it.draw {
            Some(it) => Ok(Command::Draw(Box::new(self.draw(it, line, (color, depth))?))),
            None if it.group_start => Ok(Command::GroupStart { line }),
            None => Ok(Command::GroupEnd { line }),
        }
    }

    fn target_named(&self, name: &str) -> Result<usize, String> {
        find("target", name, self.frame.targets.iter().map(|target| target.name.as_str()))
    }

    fn attach(&self, color: &str, depth: Option<&str>) -> Result<Command, String> {
        let (number, depth) = (self.target_named(color)?, depth.map(|it| self.target_named(it)));
        let depth = depth.transpose()?;
        let target = &self.frame.targets[number];
        if target.is_depth {
            return Err(format!("`{color}` is a depth buffer: a target of rgba8 is accepted"));
        }
        if let Some(depth) = depth.map(|depth| &self.frame.targets[depth]) {
            if !depth.is_depth {
                return Err(format!(
                    "`{}` is no depth buffer: format d24s8 is accepted",
                    depth.name
                ));
            }
            if (depth.width, depth.height) != (target.width, target.height) {
                return Err(format!("`{}` has another size than `{color}`", depth.name));
            }
        }
        Ok(Command::Target { color: number, depth })
    }

    fn draw(
        &self,
        it: &DrawFile,
        line: usize,
        attached: (usize, Option<usize>),
    ) -> Result<Draw, String> {
        let known = self.frame.shaders.iter().map(|shader| shader.name.as_str());
        let shader = find("shader", &it.shader, known)?;
        let state = match &it.state {
            None => State::default(),
            Some(name) => *self.states.get(name).ok_or_else(|| {
                let mut known: Vec<_> = self.states.keys().map(String::as_str).collect();
                known.sort_unstable();
                format!("no state is named `{name}`; there are: {}", known.join(", "))
            })?,
        };
        if attached.1.is_none() && (state.depth.is_some() || state.stencil.is_some()) {
            return Err(
                "the state tests depth or stencil, but the target has no depth buffer".into()
            );
        }
        if it.opaque
            && state
                .blend
                .is_some_and(|blend| blend != Blend { constant: blend.constant, ..Blend::OVER })
        {
            return Err(
                "opaque = true is accepted where src_alpha and one_minus_src_alpha blend".into()
            );
        }
        let streams = it.vertices.iter().map(|name| self.stream(name));
        let streams = streams.collect::<Result<Vec<_>, _>>()?;
        let floats: u32 = streams.iter().map(|stream| stream.floats).sum();
        if floats > 32 {
            return Err(format!("{floats} inputs of a vertex: at most 32 are accepted"));
        }
        let indices = it.indices.as_ref().map(|name| self.buffer_named(name)).transpose()?;
        if let Some(other) = indices.filter(|it| it.ty != "u32") {
            return Err(format!("indices of type {}: u32 is accepted", other.ty));
        }
        let vertices = streams.iter().map(|stream| stream.vertices).min();
        let most = indices.map(|it| (it.bytes / 4) as u32).or(vertices);
        let count = it.count.or_else(|| most?.checked_sub(it.first));
        let count = count.ok_or("a draw without buffers needs a count, and first within them")?;
        let shaders = &self.frame.shaders[shader];
        let parameters = |shader: &Shader| self.parameters(shader, &it.uniforms);
        let textures = it.textures.iter().map(|name| self.binding(name, attached));
        let draw = Draw {
            line,
            shader,
            state,
            topology: it.topology,
            streams,
            indices: indices.map(|it| it.address),
            first: it.first,
            count,
            parameters: [parameters(&shaders.vertex)?, parameters(&shaders.fragment)?],
            textures: textures.collect::<Result<_, _>>()?,
            is_opaque: it.opaque,
        };
        draw.check(&self.frame.device)?;
        Ok(draw)
    }

    fn stream(&self, name: &str) -> Result<Stream, String> {
        let buffer = self.buffer_named(name)?;
        let (Some(floats), "f32") = (buffer.stride, &*buffer.ty) else {
            return Err(format!("`{name}`: vertices are in buffers of type f32 with a stride"));
        };
        let vertices = (buffer.bytes / 4 / floats as usize) as u32;
        Ok(Stream { address: buffer.address, floats, vertices })
    }

    /// Addresses of buffers; a shader may take fewer than there are.
    fn parameters(&self, shader: &Shader, uniforms: &[String]) -> Result<Vec<u8>, String> {
        let kernel = shader.kernel();
        let mut bytes = vec![0; kernel.parameter_bytes as usize];
        if kernel.parameters.len() > uniforms.len() {
            let name = &shader.image.program.body(kernel).name;
            let (takes, given) = (kernel.parameters.len(), uniforms.len());
            return Err(format!("{given} uniforms: {name} takes {takes}"));
        }
        for (parameter, name) in kernel.parameters.iter().zip(uniforms) {
            let address = self.buffer_named(name)?.address;
            bytes[parameter.offset as usize..][..8].copy_from_slice(&address.to_le_bytes());
        }
        Ok(bytes)
    }

    fn binding(&self, name: &str, attached: (usize, Option<usize>)) -> Result<Binding, String> {
        if let Some(texture) = self.textures.iter().position(|other| other == name) {
            return Ok(Binding::Texture(texture));
        }
        let names = self.frame.targets.iter().map(|target| &target.name);
        let known = self.textures.iter().chain(names).map(String::as_str);
        let number = find("texture or target", name, known)? - self.textures.len();
        if number == attached.0 || self.frame.targets[number].is_depth {
            return Err(format!("`{name}` is drawn to or a depth buffer: it cannot be sampled"));
        }
        Ok(Binding::Target(number))
    }
}

fn size(width: u32, height: u32) -> Result<(), String> {
    match (1..=MOST_PIXELS).contains(&width) && (1..=MOST_PIXELS).contains(&height) {
        true => Ok(()),
        false => Err(format!("{width}x{height}: sides of 1 to {MOST_PIXELS} are accepted")),
    }
}

fn state(it: &StateFile) -> Result<State, String> {
    let StateFile { cull, front, depth, stencil, blend, logic, mask } = *it;
    if blend.is_some() && logic.is_some() {
        return Err("a state has one of blend and logic".into());
    }
    Ok(State { cull, front, depth, stencil, blend, logic, mask: mask.0 })
}
