//! Accesses of warps to global memory, and how they are cut into lines.

use slab::Slab;

use super::{Bytes, Data, LINE, Shared, WHOLE};
use crate::isa::{AccessKind, Scope};
use crate::simt::{Access, lanes_of};

/// An access that is not over. Its addresses are offsets in the contents of global memory.
#[derive(Debug, Default)]
pub struct Pending {
    /// The request, and its response.
    pub access: Access,
    /// The core.
    pub core: u32,
    /// The warp's place in the core.
    pub warp: u32,
    /// Lines that have not been answered.
    pub left: u32,
    /// Lanes that have not been sent.
    pub unsent: u32,
    /// Its memory system tells the end of stores too.
    pub acknowledged: bool,
}

impl Pending {
    /// Whether a warp is told of its end.
    pub fn is_awaited(&self) -> bool {
        match self.access.kind {
            AccessKind::Load => true,
            AccessKind::Store => self.acknowledged,
            AccessKind::Atomic(_) => self.acknowledged || self.access.has_targets(),
        }
    }

    /// Whether all its lines have been sent and answered.
    pub fn is_over(&self) -> bool {
        self.left == 0 && self.unsent == 0
    }

    /// Whether it must see what others in its scope have written, and the scope.
    pub fn strength(&self) -> (bool, Scope) {
        (self.access.is_strong(), self.access.scope_of_effect())
    }
}

/// The accesses that are not over, by number.
#[derive(Debug, Default)]
pub struct Accesses {
    all: Slab<Box<Pending>>,
    /// Those that are over, to be filled in again.
    #[expect(clippy::vec_box, reason = "they move between the two without a copy")]
    spare: Vec<Box<Pending>>,
}

impl Accesses {
    /// A new access, to be filled in.
    pub fn begin(&mut self) -> u32 {
        self.all.insert(self.spare.pop().unwrap_or_default()) as u32
    }

    /// An access.
    #[inline]
    pub fn get(&mut self, access: u32) -> &mut Pending {
        &mut self.all[access as usize]
    }

    /// The access is over.
    pub fn end(&mut self, access: u32) {
        self.spare.push(self.all.remove(access as usize));
    }
}

/// The line of the lowest lane of a mask, and all lanes of the mask in it.
pub fn next_line(access: &Access, lanes: u32) -> (u32, u32) {
    let first = lanes.trailing_zeros() as usize % 32;
    let line = access.addresses[first] / LINE as u64;
    let mut same = 0;
    for lane in 0..32 {
        same |= u32::from(access.addresses[lane] / LINE as u64 == line) << lane;
    }
    (line as u32, same & lanes)
}

/// Takes what the lanes load from a line.
pub fn extract(access: &mut Access, lanes: u32, data: &Data) {
    let size = usize::from(access.ty.bytes);
    for element in 0..usize::from(access.elements) {
        for lane in lanes_of(lanes) {
            let at = access.addresses[lane] as usize % LINE + element * size;
            access.data[element][lane] = word(&data[at..at + size]);
        }
    }
}

/// What the lanes store to a line. Of lanes that store to one byte, the highest wins.
pub fn gather(access: &Access, lanes: u32, data: &mut Data) -> Bytes {
    let size = usize::from(access.ty.bytes);
    let mut bytes = 0;
    let word_mask = WHOLE >> (LINE - size);
    for element in 0..usize::from(access.elements) {
        for lane in lanes_of(lanes) {
            let at = access.addresses[lane] as usize % LINE + element * size;
            data[at..at + size].copy_from_slice(&access.data[element][lane].to_le_bytes()[..size]);
            bytes |= word_mask << at;
        }
    }
    bytes
}

/// Performs an atomic in the lanes of a line; the old values go to the access. Gives the bytes of
/// its words and, of these, those that are stored: a compare-and-swap that fails stores none. All
/// other atomics store, be it the value that was there: PTX makes them a read and a write.
pub fn perform(access: &mut Access, lanes: u32, data: &mut Data) -> [Bytes; 2] {
    let AccessKind::Atomic(op) = access.kind else { return [0; 2] };
    let size = access.bytes() as usize;
    let (mut words, mut stored) = (0, 0);
    let word_mask = WHOLE >> (LINE - size);
    for lane in lanes_of(lanes) {
        let at = access.addresses[lane] as usize % LINE;
        let stores = crate::simt::perform(op, access, lane, &mut data[at..at + size]);
        words |= word_mask << at;
        if stores {
            stored |= word_mask << at;
        }
    }
    [words, stored]
}

/// The most lanes with the same address.
pub fn most_at_one_word(access: &Access, lanes: u32) -> u32 {
    let same = |lane: usize| {
        let address = access.addresses[lane];
        lanes_of(lanes).filter(|other| access.addresses[*other] == address).count()
    };
    lanes_of(lanes).map(same).max().unwrap_or(0) as u32
}

/// Performs an access of one lane in memory itself; gives whether it stores.
pub fn perform_alone(shared: &mut Shared, access: u32) -> bool {
    let of = &shared.accesses.get(access).access;
    let (kind, (line, lanes)) = (of.kind, next_line(of, of.mask));
    let mut data = shared.line(line);
    let of = &mut shared.accesses.get(access).access;
    let stored = match kind {
        AccessKind::Load => {
            extract(of, lanes, &data);
            0
        }
        AccessKind::Store => gather(of, lanes, &mut data),
        AccessKind::Atomic(_) => perform(of, lanes, &mut data)[1],
    };
    shared.write_line(line, &data, stored);
    stored != 0
}

#[inline]
fn word(bytes: &[u8]) -> u64 {
    match *bytes {
        [a, b, c, d] => u32::from_le_bytes([a, b, c, d]).into(),
        [a] => a.into(),
        _ => {
            let mut word = [0; 8];
            word[..bytes.len()].copy_from_slice(bytes);
            u64::from_le_bytes(word)
        }
    }
}
