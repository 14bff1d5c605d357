//! Divides a program into segments and finds the segments that a changed word can affect.

use std::ops::Range;

use super::compile::State;
use super::instruction::Code;
use super::memory::Ram;

/// From this length a segment ends where the instance changes,
const SHORT: usize = 12;
/// and always at this length: long enough to amortise its bookkeeping, short enough to be idle as a whole.
const LONG: usize = 48;

/// Words of one kind with the segments that read them.
#[derive(Clone, Debug, Default)]
pub(super) struct Fanout {
    /// For word `i`, `readers[starts[i]..starts[i + 1]]`.
    starts: Vec<u32>,
    readers: Vec<u32>,
}

impl Fanout {
    fn new(lists: impl Iterator<Item = Vec<u32>>) -> Self {
        let mut fanout = Self { starts: vec![0], readers: Vec::new() };
        for list in lists {
            fanout.readers.extend(list);
            fanout.starts.push(fanout.readers.len() as u32);
        }
        fanout
    }

    /// The segments that read word `index`.
    #[inline]
    pub fn of(&self, index: usize) -> &[u32] {
        &self.readers[self.starts[index] as usize..self.starts[index + 1] as usize]
    }
}

/// A coherent piece of the program.
#[derive(Clone, Debug)]
pub(super) struct Segment {
    pub instructions: Range<usize>,
    /// Its words that other segments read, as indices in [`Segments::exports`].
    pub exports: Range<usize>,
    /// The next state that it computes, as indices in [`Segments::state_words`].
    pub state_words: Range<usize>,
}

/// The segments in program order, followed by the memories: memory `m` has number `segments.len() + m` in
/// fanouts, and reads the enables of its ports.
#[derive(Clone, Debug, Default)]
pub(super) struct Segments {
    pub segments: Vec<Segment>,
    /// Slots computed in one segment and read in others.
    pub exports: Vec<u32>,
    pub export_fanout: Fanout,
    /// By word of the input image.
    pub input_fanout: Fanout,
    /// By word of the state.
    pub state_fanout: Fanout,
    /// Words of the state, segment by segment.
    pub state_words: Vec<u32>,
}

impl Segments {
    pub fn new(
        code: &Code,
        cones: &[u32],
        state: &State,
        input_words: usize,
        arena_words: usize,
        rams: &[Ram],
    ) -> Self {
        let ranges = cut(cones);
        let mut writer = vec![None; arena_words];
        for (number, range) in ranges.iter().enumerate() {
            for instruction in &code.instructions[range.clone()] {
                code.writes(instruction).for_each(|s| writer[s as usize] = Some(number as u32));
            }
        }
        let mut readers: Vec<Vec<u32>> = vec![Vec::new(); arena_words];
        let mut note = |slot: u32, reader: u32| {
            let list = &mut readers[slot as usize];
            if writer[slot as usize] != Some(reader) && list.last() != Some(&reader) {
                list.push(reader);
            }
        };
        for (number, range) in ranges.iter().enumerate() {
            for instruction in &code.instructions[range.clone()] {
                code.for_reads(instruction, |slot| note(slot, number as u32));
            }
        }
        for (number, ram) in (ranges.len()..).zip(rams) {
            ram.enables().for_each(|slot| note(slot, number as u32));
        }
        let mut result = Self::default();
        for range in ranges {
            let (exports, state_words) = (result.exports.len(), result.state_words.len());
            for instruction in &code.instructions[range.clone()] {
                for slot in code.writes(instruction) {
                    if !readers[slot as usize].is_empty() {
                        result.exports.push(slot);
                    }
                    if (state.next..state.next + state.words).contains(&slot) {
                        result.state_words.push(slot - state.next);
                    }
                }
            }
            result.segments.push(Segment {
                instructions: range,
                exports: exports..result.exports.len(),
                state_words: state_words..result.state_words.len(),
            });
        }
        let mut take = |slot: usize| std::mem::take(&mut readers[slot]);
        result.export_fanout = Fanout::new(result.exports.iter().map(|&s| take(s as usize)));
        result.input_fanout = Fanout::new((0..input_words).map(&mut take));
        let present = state.present as usize;
        result.state_fanout = Fanout::new((0..state.words as usize).map(|w| take(present + w)));
        result
    }
}

fn cut(cones: &[u32]) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    let mut start = 0;
    for end in 1..=cones.len() {
        let length = end - start;
        let last = end == cones.len();
        if last || length >= LONG || length >= SHORT && cones[end] != cones[end - 1] {
            ranges.push(start..end);
            start = end;
        }
    }
    ranges
}
