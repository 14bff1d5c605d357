//! One argument: a scalar, or a buffer with its first and expected contents.

use std::path::{Path, PathBuf};

use super::data;
use super::file::{Argument, Expected, Field, Number, Setting};
use super::results::Check;
use crate::isa::{Parameter, Type};
use crate::memory::Device;

/// Most bytes of all buffers together.
pub(super) const MOST_BYTES: usize = 4 << 30;

fn type_named(name: &str) -> Result<Type, String> {
    let name = if name == "ptr" { "u64" } else { name };
    let ty = Type::named(name).filter(|ty| ty.bytes > 0 && ty.half().is_none());
    ty.ok_or_else(|| {
        format!("type `{name}`: u8 to u64, s8 to s64, f16, bf16, f32, f64 and ptr are accepted")
    })
}

/// Bytes, and the names of what is pointed to, whose addresses are put in them when all buffers
/// have their places.
#[derive(Debug, Clone, Default)]
pub(super) struct Contents {
    pub(super) bytes: Vec<u8>,
    pub(super) pointers: Vec<(usize, String)>,
}

impl Contents {
    fn push(&mut self, value: &Setting, ty: &str) -> Result<(), String> {
        match value {
            Setting::Name(name) if ty == "ptr" => {
                self.pointers.push((self.bytes.len(), name.clone()));
                self.bytes.extend([0; 8]);
            }
            Setting::Name(name) => {
                return Err(format!("`{name}`: numbers are accepted, and names for type ptr"));
            }
            Setting::Number(number) => {
                let bytes = data::bytes(*number, type_named(ty)?);
                self.bytes
                    .extend(bytes.ok_or_else(|| format!("{number} is not a value of type {ty}"))?);
            }
        }
        Ok(())
    }

    fn elements(values: &[Setting], ty: &str) -> Result<Self, String> {
        let mut contents = Self::default();
        values.iter().try_for_each(|value| contents.push(value, ty))?;
        Ok(contents)
    }

    /// A structure as C lays it out.
    fn structure(fields: &[Field]) -> Result<Self, String> {
        let mut contents = Self::default();
        let mut align = 1;
        for Field { ty, value, values } in fields {
            let size = usize::from(type_named(ty)?.bytes);
            align = align.max(size);
            contents.bytes.resize(contents.bytes.len().next_multiple_of(size), 0);
            match (value, values) {
                (Some(value), None) => contents.push(value, ty)?,
                (None, Some(values)) => {
                    values.iter().try_for_each(|value| contents.push(value, ty))?;
                }
                _ => return Err("a field has one of value and values".into()),
            }
        }
        contents.bytes.resize(contents.bytes.len().next_multiple_of(align), 0);
        Ok(contents)
    }

    /// The bytes with all addresses in them.
    pub(super) fn resolved(
        &self,
        address: impl Fn(&str) -> Result<u64, String>,
    ) -> Result<Vec<u8>, String> {
        let mut bytes = self.bytes.clone();
        for (at, name) in &self.pointers {
            bytes[*at..*at + 8].copy_from_slice(&address(name)?.to_le_bytes());
        }
        Ok(bytes)
    }
}

/// The bytes of a buffer outside of a launch, from one of values and fields; nothing points anywhere.
///
/// # Errors
/// If a number is beyond its type, or a name is given.
pub fn contents(
    ty: &str,
    values: Option<&[Setting]>,
    fields: Option<&[Field]>,
) -> Result<Vec<u8>, String> {
    let contents = match (values, fields) {
        (Some(values), None) => Contents::elements(values, ty)?,
        (None, Some(fields)) if ty.is_empty() => Contents::structure(fields)?,
        (None, Some(_)) => return Err("fields have types of their own".into()),
        _ => return Err("a buffer has one of values, fields and file".into()),
    };
    match contents.pointers.is_empty() {
        true => Ok(contents.bytes),
        false => Err("type ptr: numbers are accepted".into()),
    }
}

/// An argument in its place: what parameters can be given.
#[derive(Debug, Clone)]
pub(super) enum Given {
    /// A number or address as it is passed.
    Scalar { ty: Type, contents: Contents },
    /// A buffer in global memory.
    Buffer { address: u64, bytes: usize, is_expected: bool },
}

impl Given {
    /// What a parameter gets. One that is no pointer takes the contents of a buffer.
    pub(super) fn pass(
        &self,
        parameter: &Parameter,
        device: &Device,
        address_of: impl Fn(&str) -> Result<u64, String>,
    ) -> Result<Vec<u8>, String> {
        match self {
            Self::Scalar { contents, .. } => match contents.resolved(address_of)? {
                bytes if bytes.len() == parameter.bytes as usize => Ok(bytes),
                bytes => Err(wrong_size(bytes.len(), parameter)),
            },
            Self::Buffer { address, bytes, is_expected } => {
                match (parameter.is_array, *bytes == parameter.bytes as usize, is_expected) {
                    (false, ..) if parameter.bytes == 8 => Ok(address.to_le_bytes().to_vec()),
                    (false, ..) => {
                        Err(format!("a buffer, but parameter {} is no pointer", parameter.name))
                    }
                    (true, true, false) => {
                        Ok(device.get(*address, *bytes).unwrap_or_default().to_vec())
                    }
                    (true, true, true) => Err("what is passed by value cannot be expected".into()),
                    (true, false, _) => Err(wrong_size(*bytes, parameter)),
                }
            }
        }
    }

    /// The same scalar with another value.
    pub(super) fn with(&self, value: Number) -> Result<Self, String> {
        let Self::Scalar { ty, .. } = *self else {
            return Err("a buffer: the name of another argument is accepted".into());
        };
        let bytes =
            data::bytes(value, ty).ok_or_else(|| format!("{value} is not a value of its type"))?;
        Ok(Self::Scalar { ty, contents: Contents { bytes, pointers: Vec::new() } })
    }
}

/// A scalar.
pub(super) fn scalar(argument: &Argument, value: &Setting) -> Result<Given, String> {
    let ty = type_named(&argument.ty)?;
    let alone = Argument {
        name: argument.name.clone(),
        ty: argument.ty.clone(),
        value: Some(value.clone()),
        ..Argument::default()
    };
    if format!("{alone:?}") != format!("{argument:?}") {
        return Err("`value` makes it a scalar: what belongs to buffers has no place".into());
    }
    Ok(Given::Scalar {
        ty,
        contents: Contents::elements(std::slice::from_ref(value), &argument.ty)?,
    })
}

fn wrong_size(found: usize, parameter: &Parameter) -> String {
    let Parameter { name, bytes, .. } = parameter;
    format!("{found} bytes, but parameter {name} takes {bytes}")
}

/// A buffer before it is placed.
pub(super) struct Buffer {
    ty: Type,
    /// The file gives its contents, which are zero without.
    is_given: bool,
    pub(super) contents: Contents,
    expected: Option<Vec<u8>>,
    tolerance: f64,
}

impl Buffer {
    pub(super) fn new(argument: &Argument, folder: &Path) -> Result<Self, String> {
        let Argument { fill, ramp, random, values, fields, file, count, .. } = argument;
        let name = match (fields, &*argument.ty) {
            (Some(_), "") => "u8",
            (Some(_), _) => return Err("fields have types of their own".into()),
            (None, name) => name,
        };
        let ty = type_named(name)?;
        let size = usize::from(ty.bytes);
        let given = [
            fill.is_some(),
            ramp.is_some(),
            random.is_some(),
            values.is_some(),
            fields.is_some(),
            file.is_some(),
        ];
        let given = given.iter().filter(|given| **given).count();
        if given > 1 {
            return Err("one of fill, ramp, random, values, fields and file is accepted".into());
        }
        let Contents { bytes: own, pointers } = match (values, fields) {
            (Some(values), _) => Contents::elements(values, name)?,
            (_, Some(fields)) => Contents::structure(fields)?,
            _ => Contents::default(),
        };
        let own = match file {
            Some(file) => Some(read(folder, file, size)?),
            None => (values.is_some() || fields.is_some()).then_some(own),
        };
        let count = match (&own, count) {
            (Some(own), Some(count)) if own.len() != count.saturating_mul(size) => {
                return Err(format!("{} elements, but count is {count}", own.len() / size));
            }
            (Some(own), _) => own.len() / size,
            (None, Some(count)) => *count,
            (None, None) => return Err("count is missing (or value, for a scalar)".into()),
        };
        if count.saturating_mul(size) > MOST_BYTES {
            return Err(format!("{count} elements: more than {MOST_BYTES} bytes"));
        }
        let beyond = || format!("a number is beyond {}", argument.ty);
        let contents = match (own, fill, ramp, random) {
            (Some(own), ..) => own,
            (_, Some(fill), ..) => repeated(*fill, count, ty).ok_or_else(beyond)?,
            (_, _, Some(ramp), _) => data::ramp(*ramp, count, ty).ok_or_else(beyond)?,
            (.., Some(random)) => data::random(*random, count, ty).ok_or_else(beyond)?,
            _ => vec![0; count * size],
        };
        let expected = match (&argument.expected, &argument.expected_file) {
            (Some(_), Some(_)) => {
                return Err("one of expected and expected_file is accepted".into());
            }
            (Some(Expected::Fill(value)), _) => {
                Some(repeated(*value, count, ty).ok_or_else(beyond)?)
            }
            (Some(Expected::Values(values)), _) => {
                let values: Vec<_> = values.iter().copied().map(Setting::Number).collect();
                Some(Contents::elements(&values, name)?.bytes)
            }
            (_, Some(file)) => Some(read(folder, file, size)?),
            _ => None,
        };
        if let Some(expected) = expected.as_ref().filter(|it| it.len() != contents.len()) {
            let found = expected.len() / size;
            return Err(format!("{found} expected elements for a buffer of {count}"));
        }
        let contents = Contents { bytes: contents, pointers };
        Ok(Self { ty, is_given: given == 1, contents, expected, tolerance: argument.tolerance })
    }

    /// Gives it a place of its own; its address.
    pub(super) fn allocate(&self, name: &str, device: &mut Device) -> (u64, Given) {
        let bytes = self.contents.bytes.len();
        let address = device.allocate(name, bytes);
        (address, Given::Buffer { address, bytes, is_expected: self.expected.is_some() })
    }

    /// Writes its contents, which are these with all addresses, if the file gives them.
    pub(super) fn fill(&self, device: &mut Device, address: u64, bytes: &[u8]) {
        if self.is_given {
            device.fill(address, bytes);
        }
    }

    /// What is expected of it.
    pub(super) fn check(self, name: &str, address: u64) -> Option<Check> {
        let Self { ty, expected, tolerance, .. } = self;
        let name = name.to_string();
        expected.map(|expected| Check { name, ty, address, expected, tolerance })
    }
}

fn repeated(value: Number, count: usize, ty: Type) -> Option<Vec<u8>> {
    Some(data::bytes(value, ty)?.repeat(count))
}

fn read(folder: &Path, file: &PathBuf, size: usize) -> Result<Vec<u8>, String> {
    let path = folder.join(file);
    let bytes = std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    match bytes.len().is_multiple_of(size) {
        true => Ok(bytes),
        false => {
            Err(format!("{}: {} bytes are no elements of {size}", path.display(), bytes.len()))
        }
    }
}
