//! How buffers compare with what is expected of them.

use serde::Serialize;

use super::data;
use crate::isa::Type;
use crate::memory::Device;

/// Differences that are told one by one.
const SHOWN: usize = 5;

/// What a buffer is to be when the kernel has ended.
#[derive(Debug)]
pub(super) struct Check {
    pub(super) name: String,
    pub(super) ty: Type,
    pub(super) address: u64,
    pub(super) expected: Vec<u8>,
    pub(super) tolerance: f64,
}

/// How a buffer compares with what was expected.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ResultOf {
    /// The buffer.
    pub buffer: String,
    /// Elements compared.
    pub elements: usize,
    /// Elements that differ.
    pub differ: usize,
    /// The first of these.
    pub first: Vec<Difference>,
}

/// An element that is not as expected.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Difference {
    /// Its number.
    pub index: usize,
    /// What it is.
    pub found: String,
    /// What was expected.
    pub expected: String,
}

impl Check {
    /// Compares.
    pub(super) fn result(&self, device: &Device) -> ResultOf {
        let size = usize::from(self.ty.bytes);
        let found = device.get(self.address, self.expected.len()).unwrap_or_default();
        let pairs = found.chunks_exact(size).zip(self.expected.chunks_exact(size));
        let differ = pairs.enumerate().filter(|(_, (found, expected))| {
            !data::is_close(found, expected, self.ty, self.tolerance)
        });
        let differ: Vec<_> = differ.collect();
        let first = differ.iter().take(SHOWN).map(|(index, (found, expected))| Difference {
            index: *index,
            found: data::shown(found, self.ty),
            expected: data::shown(expected, self.ty),
        });
        ResultOf {
            buffer: self.name.clone(),
            elements: self.expected.len() / size,
            differ: differ.len(),
            first: first.collect(),
        }
    }
}
