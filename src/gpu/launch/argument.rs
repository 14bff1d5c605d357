//! One argument: a scalar, or a buffer with its first and expected contents.

use std::path::{Path, PathBuf};

use super::data;
use super::file::{Argument, Expected, Number};
use super::results::Check;
use crate::gpu::isa::{Parameter, Type};
use crate::gpu::memory::Device;

/// Most bytes of all buffers together.
pub(super) const MOST_BYTES: usize = 4 << 30;

fn type_of(argument: &Argument) -> Result<Type, String> {
    let ty = Type::named(&argument.ty).filter(|ty| ty.bytes > 0);
    let accepted = "u8 to u64, s8 to s64, f32 and f64 are accepted";
    ty.ok_or_else(|| format!("type `{}`: {accepted}", argument.ty))
}

/// An argument in its place: what parameters can be given.
#[derive(Debug, Clone)]
pub(super) enum Given {
    /// A number as it is passed.
    Scalar { ty: Type, bytes: Vec<u8> },
    /// A buffer in global memory.
    Buffer { address: u64, bytes: usize, is_expected: bool },
}

impl Given {
    /// What a parameter gets. One that is no pointer takes the contents of a buffer.
    pub(super) fn pass(&self, parameter: &Parameter, device: &Device) -> Result<Vec<u8>, String> {
        match self {
            Self::Scalar { bytes, .. } if bytes.len() == parameter.bytes as usize => {
                Ok(bytes.clone())
            }
            Self::Scalar { bytes, .. } => Err(wrong_size(bytes.len(), parameter)),
            Self::Buffer { address, bytes, is_expected } => {
                let by_value = parameter.is_array;
                match (by_value, *bytes == parameter.bytes as usize, is_expected) {
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
            data::bytes(value, ty).ok_or_else(|| format!("{value:?} is beyond its type"))?;
        Ok(Self::Scalar { ty, bytes })
    }
}

/// A scalar.
pub(super) fn scalar(argument: &Argument, value: Number) -> Result<Given, String> {
    let ty = type_of(argument)?;
    let alone = Argument {
        name: argument.name.clone(),
        ty: argument.ty.clone(),
        value: Some(value),
        ..Argument::default()
    };
    if format!("{alone:?}") != format!("{argument:?}") {
        return Err("`value` makes it a scalar: what belongs to buffers has no place".into());
    }
    let bytes = data::bytes(value, ty).ok_or_else(|| format!("{value:?} is no {}", argument.ty))?;
    Ok(Given::Scalar { ty, bytes })
}

fn wrong_size(found: usize, parameter: &Parameter) -> String {
    let Parameter { name, bytes, .. } = parameter;
    format!("{found} bytes, but parameter {name} takes {bytes}")
}

/// A buffer before it is placed.
pub(super) struct Buffer {
    ty: Type,
    pub(super) contents: Vec<u8>,
    expected: Option<Vec<u8>>,
    tolerance: f64,
}

impl Buffer {
    pub(super) fn new(argument: &Argument, folder: &Path) -> Result<Self, String> {
        let ty = type_of(argument)?;
        let size = usize::from(ty.bytes);
        let Argument { fill, ramp, random, values, file, count, .. } = argument;
        let given =
            [fill.is_some(), ramp.is_some(), random.is_some(), values.is_some(), file.is_some()];
        if given.iter().filter(|given| **given).count() > 1 {
            return Err("one of fill, ramp, random, values and file is accepted".into());
        }
        let own = match (values, file) {
            (Some(values), _) => Some(all(values, ty)?),
            (_, Some(file)) => Some(read(folder, file, size)?),
            _ => None,
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
            (Some(Expected::Values(values)), _) => Some(all(values, ty)?),
            (_, Some(file)) => Some(read(folder, file, size)?),
            _ => None,
        };
        if let Some(expected) = expected.as_ref().filter(|it| it.len() != contents.len()) {
            let found = expected.len() / size;
            return Err(format!("{found} expected elements for a buffer of {count}"));
        }
        Ok(Self { ty, contents, expected, tolerance: argument.tolerance })
    }

    /// Places it, and says what is expected of it.
    pub(super) fn place(self, name: &str, device: &mut Device) -> (Given, Option<Check>) {
        let Self { ty, contents, expected, tolerance } = self;
        let address = device.allocate(name, contents.len());
        if let Some(place) = device.get_mut(address, contents.len()) {
            place.copy_from_slice(&contents);
        }
        let (bytes, is_expected) = (contents.len(), expected.is_some());
        let name = name.to_string();
        let check = expected.map(|expected| Check { name, ty, address, expected, tolerance });
        (Given::Buffer { address, bytes, is_expected }, check)
    }
}

fn all(values: &[Number], ty: Type) -> Result<Vec<u8>, String> {
    let bytes = |value: &Number| {
        data::bytes(*value, ty).ok_or_else(|| format!("no such element: {value:?}"))
    };
    values.iter().map(bytes).collect::<Result<Vec<_>, _>>().map(|bytes| bytes.concat())
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
