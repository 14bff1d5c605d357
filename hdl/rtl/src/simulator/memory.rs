//! Memories at the clock edge.

use std::ops::Range;

use super::noise::Noise;
use super::wide::top_mask;
use crate::bits::Bits;
use crate::ir::Collision;
use crate::netlist::{Memory, NetId};
use crate::ports::words;

/// A write port, as slots of the arena.
#[derive(Clone)]
struct Write {
    enable: u32,
    address: u32,
    data: u32,
    lanes: Option<u32>,
}

/// A read port, as slots of the arena. `data` holds the next data until the edge.
#[derive(Clone)]
struct Read {
    enable: u32,
    address: u32,
    data: u32,
}

/// A memory's ports and the place of its content in the arena.
#[derive(Clone)]
pub(super) struct Ram {
    rows: u64,
    width: u32,
    lane_width: u32,
    /// Words of a row.
    stride: usize,
    /// First slot of the content after the edge.
    next: u32,
    /// First slot of the content before the edge; the same unless the memory is read asynchronously.
    present: u32,
    collision: Collision,
    writes: Vec<Write>,
    reads: Vec<Read>,
}

impl Ram {
    /// A memory whose content is at `next` after the edge and at `present` before. `data` gives the next-state
    /// slot of each read port's data.
    pub fn new(
        memory: &Memory,
        data: &[Option<u32>],
        (present, next): (u32, u32),
        slot: impl Fn(NetId) -> u32,
    ) -> Self {
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
            stride: words(memory.width),
            next,
            present,
            collision: memory.collision,
            writes: memory.writes.iter().map(write).collect(),
            reads: memory.reads.iter().zip(data).filter_map(read).collect(),
        }
    }

    /// Fills the content with noise.
    pub fn power_up(&self, arena: &mut [u64], noise: Noise) {
        for row in self.next_content().step_by(self.stride) {
            noise.fill(arena, row as usize, self.width);
        }
        let next = self.next_content();
        arena.copy_within(next.start as usize..next.end as usize, self.present as usize);
    }

    /// The enable slots; if all are zero, the edge does nothing.
    pub fn enables(&self) -> impl Iterator<Item = u32> {
        let writes = self.writes.iter().map(|w| w.enable);
        writes.chain(self.reads.iter().map(|r| r.enable))
    }

    fn next_content(&self) -> Range<u32> {
        self.next..self.next + self.rows as u32 * self.stride as u32
    }

    /// The slots of the next content, if it is part of the state.
    pub fn next_rows(&self) -> Range<u32> {
        if self.present == self.next { 0..0 } else { self.next_content() }
    }

    /// The content of a row before the edge.
    pub fn row(&self, row: u32, arena: &[u64]) -> Bits {
        let first = self.present as usize + row as usize * self.stride;
        Bits::from_words(self.width, &arena[first..first + self.stride])
    }

    /// Reads and writes with the values before the edge. Read data goes to the read ports' next-state slots;
    /// a disabled read leaves them unchanged.
    pub fn edge(&self, arena: &mut [u64], noise: Noise) {
        if self.collision == Collision::WriteFirst {
            self.write(arena);
            self.read(arena, noise);
        } else {
            self.read(arena, noise);
            self.write(arena);
        }
    }

    fn read(&self, arena: &mut [u64], noise: Noise) {
        for read in &self.reads {
            if arena[read.enable as usize] == 0 {
                continue;
            }
            let address = arena[read.address as usize];
            let written =
                |w: &Write| arena[w.enable as usize] != 0 && arena[w.address as usize] == address;
            let undefined = address >= self.rows
                || self.collision == Collision::Undefined && self.writes.iter().any(written);
            if undefined {
                noise.fill(arena, read.data as usize, self.width);
            } else {
                copy_row(arena, self.place(address), read.data as usize, self.stride);
            }
        }
    }

    fn write(&self, arena: &mut [u64]) {
        for write in &self.writes {
            let address = arena[write.address as usize];
            if arena[write.enable as usize] == 0 || address >= self.rows {
                continue;
            }
            let (from, to) = (write.data as usize, self.place(address));
            match write.lanes {
                None => copy_row(arena, from, to, self.stride),
                Some(lanes) => {
                    for index in 0..self.stride {
                        let lane = |lane: u32| arena[(lanes + lane / 64) as usize] >> (lane % 64);
                        let mask =
                            lane_mask(self.width, self.lane_width, index, |l| lane(l) & 1 != 0);
                        arena[to + index] = arena[to + index] & !mask | arena[from + index] & mask;
                    }
                }
            }
        }
    }

    /// First slot of a row of the next content.
    fn place(&self, row: u64) -> usize {
        self.next as usize + row as usize * self.stride
    }
}

/// Rows are usually one word, not worth a call.
#[inline]
fn copy_row(arena: &mut [u64], from: usize, to: usize, words: usize) {
    match words {
        1 => arena[to] = arena[from],
        _ => arena.copy_within(from..from + words, to),
    }
}

/// The bits of word `index` of a row that belong to selected lanes.
fn lane_mask(width: u32, lane_width: u32, index: usize, selected: impl Fn(u32) -> bool) -> u64 {
    let mut mask = 0;
    for (lane, bits) in lanes_of_word(width, lane_width, index) {
        if selected(lane) {
            mask |= bits;
        }
    }
    mask
}

/// The lanes with bits in word `index` of a row, and those bits.
pub(super) fn lanes_of_word(
    width: u32,
    lane_width: u32,
    index: usize,
) -> impl Iterator<Item = (u32, u64)> {
    let first = index as u32 * 64;
    let end = width.min(first + 64);
    (first / lane_width..end.div_ceil(lane_width)).map(move |lane| {
        let (low, high) = ((lane * lane_width).max(first), ((lane + 1) * lane_width).min(end));
        (lane, top_mask(high - low) << (low - first))
    })
}
