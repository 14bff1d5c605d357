//! From a file to a frame.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use toml::Spanned;

use super::file::{BufferFile, FrameFile, StateFile, TargetFile, TargetFormat, TextureFile};
use super::{Frame, MOST_PIXELS, Target};
use crate::graphics::{MOST_VARYINGS, Sampler, Shader, Shaders, State, Texture};
use crate::isa::{Module, Type};
use crate::launch::contents;

/// Most bytes of all buffers, textures and targets together.
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
pub(super) type Trouble = (usize, String);

pub(super) struct Loader<'a> {
    folder: &'a Path,
    pub(super) line: &'a dyn Fn(usize) -> usize,
    pub(super) frame: Frame,
    /// Names of textures, buffers and shaders.
    pub(super) textures: Vec<String>,
    pub(super) buffers: Vec<Buffer>,
    pub(super) states: HashMap<String, State>,
    files: HashMap<PathBuf, Vec<u8>>,
    bytes: usize,
}

pub(super) struct Buffer {
    pub(super) name: String,
    pub(super) ty: String,
    pub(super) address: u64,
    pub(super) bytes: usize,
    pub(super) stride: Option<u32>,
}

/// The place of a name in a list, or what there is.
pub(super) fn find<'n>(
    what: &str,
    name: &str,
    known: impl Iterator<Item = &'n str>,
) -> Result<usize, String> {
    let known: Vec<_> = known.collect();
    known
        .iter()
        .position(|other| *other == name)
        .ok_or_else(|| format!("no {what} is named `{name}`; there are: {}", known.join(", ")))
}

/// Refuses a name that there is.
fn once<'n>(
    name: &str,
    what: &str,
    mut known: impl Iterator<Item = &'n String>,
) -> Result<(), String> {
    match known.any(|other| other == name) {
        true => Err(format!("two of them are named `{name}`: a {what} has a name of its own")),
        false => Ok(()),
    }
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
            once(&it.name, "shader", self.frame.shaders.iter().map(|it| &it.name))?;
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

    fn target(&mut self, it: &TargetFile) -> Result<(), String> {
        size(it.width, it.height)?;
        self.count(4 * it.width as usize * it.height as usize)?;
        once(&it.name, "target", self.frame.targets.iter().map(|it| &it.name))?;
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
        let targets = self.frame.targets.iter().map(|it| &it.name);
        once(&it.name, "texture", targets.chain(&self.textures))?;
        self.count(4 * it.width as usize * it.height as usize)?;
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
        Ok(())
    }

    fn count(&mut self, bytes: usize) -> Result<(), String> {
        self.bytes = self.bytes.saturating_add(bytes);
        match self.bytes > MOST_BYTES {
            true => Err(format!("more than {MOST_BYTES} bytes of buffers, textures and targets")),
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
        once(&it.name, "buffer", self.buffers.iter().map(|it| &it.name))?;
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

    pub(super) fn buffer_named(&self, name: &str) -> Result<&Buffer, String> {
        let known = self.buffers.iter().map(|it| it.name.as_str());
        Ok(&self.buffers[find("buffer", name, known)?])
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
