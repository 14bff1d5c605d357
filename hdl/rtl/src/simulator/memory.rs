//! Memories at the clock edge.

use std::ops::Range;

use super::noise::Noise;
use super::wide::top_mask;
use crate::bits::Bits;
use crate::ir::Collision;
use crate::netlist::{Memory, NetId};
use crate::ports::words;

/// A write port, as slots of the arena.
struct Write {
    enable: u32,
    address: u32,
    data: u32,
    lanes: Option<u32>,
}

/// A read port, as slots of the arena. `data` holds the next data until the edge.
struct Read {
    enable: u32,
    address: u32,
    data: u32,
}

/// A memory's content and ports.
pub(super) struct Ram {
    rows: u64,
    width: u32,
    lane_width: u32,
    /// Words of a row.
    stride: usize,
    content: Vec<u64>,
    /// The slots of the next content, if the memory is read asynchronously.
    next_rows: Option<u32>,
    collision: Collision,
    writes: Vec<Write>,
    reads: Vec<Read>,
}

impl Ram {
    /// A memory filled with noise. `data` gives the next-state slot of each read port's data, `next_rows`
    /// that of the first row if the memory is read asynchronously.
    pub fn new(
        memory: &Memory,
        data: &[Option<u32>],
        next_rows: Option<u32>,
        slot: impl Fn(NetId) -> u32,
        noise: &mut Noise,
    ) -> Self {
        let stride = words(memory.width);
        let mut content = vec![0; stride * memory.rows as usize];
        content.chunks_exact_mut(stride).for_each(|row| noise.fill(row, memory.width));
        let write = |w: &crate::netlist::Write| Write {
            enable: slot(w.enable),
            address: slot(w.address),
            data: slot(w.data),
            lanes: w.lanes.map(&slot),
        };
        let read = |(r, data): (&crate::netlist::Read, &Option<u32>)| {
            Some(Read { enable: slot(r.enable), address: slot(r.address), data: (*data)? })
        };
        Self {
            rows: memory.rows.into(),
            width: memory.width,
            lane_width: memory.width / memory.lanes,
            stride,
            content,
            next_rows,
            collision: memory.collision,
            writes: memory.writes.iter().map(write).collect(),
            reads: memory.reads.iter().zip(data).filter_map(read).collect(),
        }
    }

    /// The enable slots; if all are zero, the edge does nothing.
    pub fn enables(&self) -> impl Iterator<Item = u32> {
        let writes = self.writes.iter().map(|w| w.enable);
        writes.chain(self.reads.iter().map(|r| r.enable))
    }

    /// The slots of the next content.
    pub fn next_rows(&self) -> Range<u32> {
        let first = self.next_rows.unwrap_or_default();
        first..first + self.next_rows.map_or(0, |_| self.content.len() as u32)
    }

    /// The content, row after row.
    pub fn content(&self) -> &[u64] {
        &self.content
    }

    /// The content of a row.
    pub fn row(&self, row: u32) -> Bits {
        let first = row as usize * self.stride;
        Bits::from_words(self.width, &self.content[first..first + self.stride])
    }

    /// Reads and writes with the values before the edge. Read data goes to the read ports' next-state slots;
    /// a disabled read leaves them unchanged.
    pub fn edge(&mut self, arena: &mut [u64], noise: &mut Noise) {
        if self.collision == Collision::WriteFirst {
            self.write(arena);
            self.read(arena, noise);
        } else {
            self.read(arena, noise);
            self.write(arena);
        }
    }

    fn read(&mut self, arena: &mut [u64], noise: &mut Noise) {
        for read in &self.reads {
            if arena[read.enable as usize] == 0 {
                continue;
            }
            let address = arena[read.address as usize];
            let written =
                |w: &Write| arena[w.enable as usize] != 0 && arena[w.address as usize] == address;
            let undefined = address >= self.rows
                || self.collision == Collision::Undefined && self.writes.iter().any(written);
            let data = &mut arena[read.data as usize..][..self.stride];
            if undefined {
                noise.fill(data, self.width);
            } else {
                let first = address as usize * self.stride;
                copy_row(data, &self.content[first..first + self.stride]);
            }
        }
    }

    fn write(&mut self, arena: &mut [u64]) {
        for write in &self.writes {
            let address = arena[write.address as usize];
            if arena[write.enable as usize] == 0 || address >= self.rows {
                continue;
            }
            let first = address as usize * self.stride;
            let row = &mut self.content[first..first + self.stride];
            let data = &arena[write.data as usize..][..self.stride];
            match write.lanes {
                None => copy_row(row, data),
                Some(lanes) => write_lanes(row, data, &arena[lanes as usize..], self.lane_width),
            }
            if let Some(rows) = self.next_rows {
                copy_row(&mut arena[rows as usize + first..][..self.stride], row);
            }
        }
    }
}

/// Rows are usually one word, not worth a call.
#[inline]
fn copy_row(to: &mut [u64], from: &[u64]) {
    match (to, from) {
        ([to], [from]) => *to = *from,
        (to, from) => to.copy_from_slice(from),
    }
}

/// Copies the lanes of `data` whose bit in `lanes` is one, word by word.
fn write_lanes(row: &mut [u64], data: &[u64], lanes: &[u64], lane_width: u32) {
    for (index, (old, new)) in row.iter_mut().zip(data).enumerate() {
        let (mut mask, mut bit) = (0, 0);
        while bit < 64 {
            let place = index as u32 * 64 + bit;
            let lane = place / lane_width;
            let length = ((lane + 1) * lane_width - place).min(64 - bit);
            // Above the last lane of the row both values are zero.
            let selected = lanes.get(lane as usize / 64).is_some_and(|w| w >> (lane % 64) & 1 != 0);
            if selected {
                mask |= top_mask(length) << bit;
            }
            bit += length;
        }
        *old = *old & !mask | new & mask;
    }
}
