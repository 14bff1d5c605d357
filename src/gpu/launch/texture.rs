//! Textures and surfaces of a launch file.

use std::path::Path;
use std::sync::Arc;

use serde::Deserialize;

use super::argument::{Buffer, Given, MOST_BYTES};
use super::error::LaunchFileError;
use super::file::{Argument, LaunchFile};
use super::names::find;
use super::prepare::Arguments;
use super::results::Check;
use crate::isa::{Geometry, HANDLES_BASE, Program, Type};
use crate::memory::Device;
use crate::texture::{Filter, Object, Objects, Sampler, Wrap};

/// Types of channels.
const TYPES: [&str; 8] = ["u8", "s8", "u16", "s16", "u32", "s32", "f16", "f32"];

/// A texture or surface.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TextureEntry {
    /// Its name, or that of a reference of the module.
    pub name: String,
    /// Texels along each of one to three axes.
    pub size: Vec<u32>,
    /// Layers of a layered one (`a1d`, `a2d`).
    pub layers: Option<u32>,
    /// Type of a channel.
    #[serde(rename = "type")]
    pub ty: String,
    /// Channels of a texel: 1, 2 or 4.
    #[serde(default = "one")]
    pub channels: u8,
    /// Channels of all texels, as a buffer; zero if nothing is said.
    pub texels: Option<Argument>,
    /// The buffer, texture or surface in whose memory it lies.
    pub of: Option<String>,
    /// Between texels.
    pub filter: Option<Filter>,
    /// Beyond the edges.
    pub address: Option<Wrap>,
    /// Coordinates are 1 at the end of an axis.
    pub normalized: Option<bool>,
    /// Conversion of integers.
    pub read: Option<Read>,
}

/// Conversion of a texture's integers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Read {
    /// As they are.
    Element,
    /// As floats: shares of the greatest one.
    Normalized,
}

fn one() -> u8 {
    1
}

/// The handles of textures and surfaces by name: those of references of the module, or new ones.
pub(super) fn handles(
    file: &LaunchFile,
    program: &Program,
) -> Result<Vec<(String, u64)>, LaunchFileError> {
    let mut all: Vec<(String, u64)> = Vec::new();
    for (entry, is_surface) in entries(file) {
        let name = entry.name.clone();
        let references = program.references.iter();
        let known = find(&name, references.clone().map(|it| it.name.as_str()))?;
        let reference = references.clone().find(|it| Some(it.name.as_str()) == known);
        let number = (references.len() + all.len()) as u64;
        let handle = reference.map_or(HANDLES_BASE + 16 * number, |it| it.handle);
        if all.iter().any(|(other, of)| *other == name || *of == handle) {
            return Err(LaunchFileError::Twice { name });
        }
        if reference.is_some_and(|it| it.is_surface != is_surface) {
            let belongs =
                if is_surface { "a .texref: [[textures]]" } else { "a .surfref: [[surfaces]]" };
            let what = format!("the module declares it as {belongs} is accepted");
            return Err(LaunchFileError::Texture { name, what });
        }
        all.push((name, handle));
    }
    Ok(all)
}

/// Textures and surfaces in the order of the file; whether each is a surface.
fn entries(file: &LaunchFile) -> impl Iterator<Item = (&TextureEntry, bool)> {
    let textures = file.textures.iter().map(|it| (it, false));
    textures.chain(file.surfaces.iter().map(|it| (it, true)))
}

impl Arguments {
    /// Allocates and fills textures and surfaces; what is expected of them.
    pub(super) fn objects(
        &self,
        file: &LaunchFile,
        folder: &Path,
        device: &mut Device,
    ) -> Result<(Objects, Vec<Check>), LaunchFileError> {
        let (mut objects, mut checks) = (Objects::new(), Vec::new());
        let (mut open, mut total): (Vec<_>, u64) = (Vec::new(), 0);
        for ((entry, is_surface), (name, handle)) in entries(file).zip(&self.handles) {
            let wrong = |what| LaunchFileError::Texture { name: name.clone(), what };
            let mut object = entry.object(is_surface).map_err(wrong)?;
            if let Some(of) = &entry.of {
                open.push((of, *handle, object));
                continue;
            }
            total += object.bytes();
            if total > MOST_BYTES as u64 {
                return Err(wrong(format!("more than {MOST_BYTES} bytes of textures")));
            }
            let buffer = entry.buffer(&object, folder).map_err(wrong)?;
            object.address = buffer.allocate(name, device).0;
            buffer.fill(device, object.address, &buffer.contents.bytes);
            checks.extend(buffer.check(name, object.address));
            objects.insert(*handle, Arc::new(object));
        }
        for (of, handle, mut object) in open {
            let (address, bytes) = self
                .memory(of, &objects)
                .map_err(|what| LaunchFileError::Texture { name: object.name.clone(), what })?;
            object.address = address;
            if bytes < object.bytes() {
                let what = format!(
                    "of = \"{of}\": that has {bytes} bytes, and {} are needed",
                    object.bytes()
                );
                return Err(LaunchFileError::Texture { name: object.name, what });
            }
            objects.insert(handle, Arc::new(object));
        }
        Ok((objects, checks))
    }

    /// The memory of a buffer, texture or surface: its address and its bytes.
    fn memory(&self, name: &str, objects: &Objects) -> Result<(u64, u64), String> {
        if let Some((_, Given::Buffer { address, bytes, .. })) =
            self.given.iter().find(|(other, _)| other == name)
        {
            return Ok((*address, *bytes as u64));
        }
        let object = objects.values().find(|object| object.name == name);
        let object = object.ok_or_else(|| {
            format!("of = \"{name}\": a buffer, or a texture or surface without `of`, is accepted")
        })?;
        Ok((object.address, object.bytes()))
    }
}

impl TextureEntry {
    /// The object, without memory.
    fn object(&self, is_surface: bool) -> Result<Object, String> {
        let layers = &self.layers;
        let size = match self.size[..] {
            [width] => [width, 1, 1],
            [width, height] => [width, height, 1],
            [width, height, depth] if layers.is_none() => [width, height, depth],
            _ => {
                return Err(
                    "size: one to three numbers are accepted, with layers one or two".into()
                );
            }
        };
        if size.contains(&0) || *layers == Some(0) {
            return Err("size, layers: 1 or more is accepted".into());
        }
        let ty = Type::named(&self.ty).filter(|_| TYPES.contains(&&*self.ty));
        let ty =
            ty.ok_or_else(|| format!("type = \"{}\": {} are accepted", self.ty, TYPES.join(", ")))?;
        if self.of.is_some() && self.texels.is_some() {
            return Err("one of texels and of is accepted".into());
        }
        if ![1, 2, 4].contains(&self.channels) {
            return Err(format!("channels = {}: 1, 2 and 4 are accepted", self.channels));
        }
        let [is_normalized, reads_shares] =
            [self.normalized == Some(true), self.read == Some(Read::Normalized)];
        let object = Object {
            name: self.name.clone(),
            is_surface,
            geometry: Geometry { axes: self.size.len() as u8, is_layered: layers.is_some() },
            size,
            layers: layers.unwrap_or(1),
            ty,
            channels: self.channels,
            sampler: self.sampler(is_surface, ty)?,
            is_normalized,
            reads_shares,
            address: 0,
        };
        let numbers = object.size.into_iter().chain([object.layers]).map(u64::from);
        let texels = numbers.fold(1u64, u64::saturating_mul);
        match texels.saturating_mul(object.texel_bytes()) <= MOST_BYTES as u64 {
            true => Ok(object),
            false => Err(format!("size: more than {MOST_BYTES} bytes")),
        }
    }

    /// Its sampler; none of it for a surface.
    fn sampler(&self, is_surface: bool, ty: Type) -> Result<Sampler, String> {
        let Self { filter, address, normalized, read, .. } = self;
        let samples =
            filter.is_some() || address.is_some() || normalized.is_some() || read.is_some();
        if is_surface && samples {
            return Err(
                "a surface has no filter, address, normalized and read: [[textures]] have".into()
            );
        }
        let reads_shares = *read == Some(Read::Normalized);
        if reads_shares && (ty.is_float() || ty.bytes == 4) {
            return Err("read = \"normalized\": types u8, s8, u16 and s16 are accepted".into());
        }
        let sampler =
            Sampler { filter: filter.unwrap_or_default(), wrap: address.unwrap_or(Wrap::Clamp) };
        if sampler.filter == Filter::Linear && !ty.is_float() && !reads_shares {
            let accepted = "types f16 and f32, or read = \"normalized\", are accepted";
            return Err(format!("filter = \"linear\": {accepted}"));
        }
        if *normalized != Some(true) && matches!(sampler.wrap, Wrap::Repeat | Wrap::Mirror) {
            return Err("address: without normalized = true, clamp and border are accepted".into());
        }
        Ok(sampler)
    }

    /// Its texels.
    fn buffer(&self, object: &Object, folder: &Path) -> Result<Buffer, String> {
        let mut texels = self.texels.clone().unwrap_or_default();
        if texels.name.is_some()
            || texels.value.is_some()
            || texels.fields.is_some()
            || !texels.ty.is_empty()
        {
            return Err("texels: name, type, value and fields have no place in them".into());
        }
        texels.ty = self.ty.clone();
        texels.count = Some((object.bytes() / u64::from(object.ty.bytes)) as usize);
        Buffer::new(&texels, folder).map_err(|what| format!("texels: {what}"))
    }
}
