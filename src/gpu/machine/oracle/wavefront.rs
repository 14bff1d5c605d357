//! A wavefront's state in a quantum, and its view of memory.

use std::collections::{BTreeSet, HashMap};

use crate::config::LINE;
use crate::machine::fault::Fault;
use crate::memory::Device;
use crate::simt::Access;

/// A wavefront's slot.
#[derive(Debug, Default)]
pub(super) struct Wavefront {
    pub runs: bool,
    /// Why its quantum has ended.
    pub ended: Option<usize>,
    pub fault: Option<Box<Fault>>,
    /// Instructions in this quantum.
    pub count: u32,
    /// Its quantum ended at the fence that is next.
    pub is_behind_fence: bool,
    /// Bytes that it has stored since its workgroup began, by place in memory.
    own: HashMap<usize, u8>,
    /// Bytes that it, and those in its slot before it, have stored in this quantum, in order.
    stores: Vec<(usize, u8)>,
    /// Entries of its store buffer.
    pub entries: u32,
}

impl Wavefront {
    /// A workgroup begins. It sees nothing of what others have stored in this quantum.
    pub fn begin(&mut self) {
        (self.runs, self.ended, self.is_behind_fence) = (true, None, false);
        self.own.clear();
    }

    /// Whether it has stored since its workgroup began.
    pub fn has_stored(&self) -> bool {
        !self.own.is_empty()
    }

    /// Loads each byte from the wavefront's own stores, or else from memory.
    pub fn load(&self, access: &mut Access, device: &Device) {
        let size = usize::from(access.ty.bytes);
        for element in 0..usize::from(access.elements) {
            for lane in access.lanes() {
                let mut bytes = [0; 8];
                let address = access.addresses[lane] + (element * size) as u64;
                let Some(place) = device.place(address, size) else { continue };
                for (at, byte) in bytes.iter_mut().take(size).enumerate() {
                    let own = self.own.get(&(place + at)).copied();
                    *byte = own.unwrap_or(device.bytes()[place + at]);
                }
                access.data[element][lane] = u64::from_le_bytes(bytes);
            }
        }
    }

    /// Stores bytes; of lanes that collide the highest wins (4.1). Gives whether a word of a line is stored in part.
    pub fn store(&mut self, access: &Access, device: &Device) -> bool {
        let size = usize::from(access.ty.bytes);
        let mut lines = BTreeSet::new();
        let mut places = BTreeSet::new();
        for element in 0..usize::from(access.elements) {
            for lane in access.lanes() {
                let address = access.addresses[lane] + (element * size) as u64;
                let Some(place) = device.place(address, size) else { continue };
                lines.insert(place / LINE);
                let bytes = access.data[element][lane].to_le_bytes();
                for (at, byte) in bytes.into_iter().take(size).enumerate() {
                    places.insert(place + at);
                    self.own.insert(place + at, byte);
                    self.stores.push((place + at, byte));
                }
            }
        }
        self.entries += lines.len() as u32;
        places
            .iter()
            .any(|place| (place / 4 * 4..place / 4 * 4 + 4).any(|it| !places.contains(&it)))
    }

    /// Publishes what it has stored, and begins an empty store buffer.
    pub fn commit(&mut self, memory: &mut [u8]) {
        for (place, byte) in self.stores.drain(..) {
            memory[place] = byte;
        }
        self.own.clear();
        self.entries = 0;
    }
}
