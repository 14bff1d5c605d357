//! Linear scan: values in the order in which they begin get the first registers that are free for all their range.

use super::ranges::Ranges;
use super::values::Values;
use crate::isa::{Instruction, Operation};

/// The stack pointer has this register.
const STACK_POINTER: usize = 1;

/// Registers that lie side by side, as a pair or what a vector is loaded to: the spans of each.
struct Together {
    begins: usize,
    parts: Vec<Vec<[usize; 2]>>,
}

/// The file: for each register the places at which it is taken.
struct Registers {
    taken: Vec<Vec<u64>>,
    words: usize,
}

/// Registers that the values of a function take, the stack pointer included; no more than `most`.
pub(super) fn registers(code: &[Instruction], values: &Values, ranges: &Ranges, most: u32) -> u32 {
    let mut wanted = together(code, values, ranges);
    for (place, words) in &ranges.brief {
        let parts = vec![vec![[*place, *place]]; *words as usize];
        wanted.push(Together { begins: *place, parts });
    }
    wanted.sort_by_key(|wanted| (wanted.begins, std::cmp::Reverse(wanted.parts.len())));
    let words = (ranges.places + 1).div_ceil(64);
    let mut file = Registers { taken: Vec::new(), words };
    file.take(STACK_POINTER, &[[0, ranges.places]]);
    for wanted in &wanted {
        let align = wanted.parts.len().next_power_of_two();
        let places = (0..most as usize).step_by(align);
        let free = |first: &usize| {
            let mut parts = wanted.parts.iter().zip(*first..);
            parts.all(|(spans, register)| file.is_free(register, spans))
        };
        let Some(first) = { places }.find(free) else { return most };
        wanted.parts.iter().zip(first..).for_each(|(spans, register)| file.take(register, spans));
    }
    (file.taken.len() as u32).min(most)
}

/// Values by themselves, and those that one instruction loads as a vector.
fn together(code: &[Instruction], values: &Values, ranges: &Ranges) -> Vec<Together> {
    let mut written = vec![0u32; values.held.len()];
    for instruction in code {
        instruction.registers(|register| {
            written[values.number(register.file, register.index)] += u32::from(register.written);
        });
    }
    let parts = |value: usize| vec![ranges.spans[value].clone(); values.words(value) as usize];
    let mut all = Vec::new();
    let mut is_placed = vec![false; values.held.len()];
    for (at, instruction) in code.iter().enumerate() {
        let Operation::Access(form) = &instruction.operation else { continue };
        let targets = form.targets.iter().flatten();
        let loaded: Vec<_> =
            targets.map(|target| values.number(target.file, target.target.0)).collect();
        if loaded.len() > 1 && loaded.iter().all(|value| written[*value] == 1) {
            loaded.iter().for_each(|value| is_placed[*value] = true);
            let parts = loaded.into_iter().flat_map(parts).collect();
            all.push(Together { begins: at + 1, parts });
        }
    }
    for value in (0..values.held.len()).filter(|value| !is_placed[*value]) {
        if let Some([begins, _]) = ranges.spans[value].first() {
            all.push(Together { begins: *begins, parts: parts(value) });
        }
    }
    all.retain(|it| !it.parts.is_empty());
    all
}

impl Registers {
    fn is_free(&self, register: usize, spans: &[[usize; 2]]) -> bool {
        let Some(taken) = self.taken.get(register) else { return true };
        spans.iter().all(|span| masks(*span).all(|(word, mask)| taken[word] & mask == 0))
    }

    fn take(&mut self, register: usize, spans: &[[usize; 2]]) {
        let (count, words) = (self.taken.len().max(register + 1), self.words);
        self.taken.resize_with(count, || vec![0; words]);
        for (word, mask) in spans.iter().flat_map(|span| masks(*span)) {
            self.taken[register][word] |= mask;
        }
    }
}

/// The bits of a span in words of 64.
fn masks([from, to]: [usize; 2]) -> impl Iterator<Item = (usize, u64)> {
    (from / 64..=to / 64).map(move |word| {
        let low = if word == from / 64 { u64::MAX << (from % 64) } else { u64::MAX };
        let high = if word == to / 64 { u64::MAX >> (63 - to % 64) } else { u64::MAX };
        (word, low & high)
    })
}
