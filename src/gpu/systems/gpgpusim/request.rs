//! Requests of cores, and how the lanes of an access are cut into them.

use crate::config::{LINE, SimulatorL1};
use crate::isa::AccessKind;
use crate::simt::{Access, lanes_of};

/// Bytes of a packet beside its data.
pub(super) const CONTROL: u32 = 8;

/// What a request does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Read,
    Write,
    Atomic,
}

/// A request of a core for a line or a part of one. Those of loads are for the line, whatever is loaded of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Request {
    pub(super) kind: Kind,
    pub(super) core: u32,
    /// The access that waits; of loads, the miss of the L1.
    pub(super) token: u32,
    /// Byte address of its first sector.
    pub(super) address: u64,
    pub(super) bytes: u32,
    /// Bytes of the line that are stored.
    pub(super) stored: u128,
    /// Answers that have not come.
    pub(super) left: u32,
}

impl Request {
    /// The number of its line.
    pub(super) fn line(&self) -> u32 {
        (self.address / LINE as u64) as u32
    }

    /// Bytes of its packet to the slice.
    pub(super) fn packet(&self) -> u32 {
        CONTROL + if self.kind == Kind::Read { 0 } else { self.bytes }
    }
}

/// A segment that lanes of an access use.
struct Segment {
    first: u64,
    used: u128,
}

/// Cuts an access into requests, as CUDA's guide says of compute capability 2: segments of 128 bytes (of 64 and 32
/// bytes for loads of two bytes and one), from which halves that nobody uses are cut off.
pub(super) fn coalesce(access: &Access, core: u32, token: u32, l1: &SimulatorL1) -> Vec<Request> {
    let is_atomic = matches!(access.kind, AccessKind::Atomic(_));
    let size = match access.bytes() {
        1 => l1.byte_segment,
        2 => l1.byte_segment.max(64),
        // Atomics pass by the L1: sectors.
        _ if is_atomic => 32,
        _ => LINE as u32,
    };
    let mut segments: Vec<Segment> = Vec::new();
    for lane in lanes_of(access.mask) {
        let address = access.addresses[lane];
        let first = address - address % u64::from(size);
        let used = (u128::MAX >> (128 - access.bytes())) << (address % LINE as u64);
        let fits = |it: &&mut Segment| {
            it.first == first && !(is_atomic && l1.split_atomics && it.used & used != 0)
        };
        match segments.iter_mut().find(fits) {
            Some(segment) => segment.used |= used,
            None => segments.push(Segment { first, used }),
        }
    }
    // In the order of their addresses; the last is sent first.
    segments.sort_by_key(|segment| segment.first);
    let kind = match access.kind {
        AccessKind::Load => Kind::Read,
        AccessKind::Store => Kind::Write,
        AccessKind::Atomic(_) => Kind::Atomic,
    };
    let request = |Segment { first, used }: Segment| {
        let (mut address, mut bytes) = (first, size);
        while bytes > 32 {
            let half = bytes / 2;
            let mask = (u128::MAX >> (128 - half)) << (address % LINE as u64);
            match (used & mask != 0, used & mask << half != 0) {
                (true, false) => {}
                (false, true) => address += u64::from(half),
                _ => break,
            }
            bytes = half;
        }
        Request { kind, core, token, address, bytes, stored: used, left: 0 }
    };
    segments.into_iter().map(request).collect()
}
