//! How many registers a thread needs, from how many values are alive at a time.
//!
//! PTX has as many registers as the compiler likes; a register file has not. The assembler that
//! allocates them is not part of this model, so their number is taken to be the most 32-bit words
//! that are alive at one place.

use super::operation::Operation;
use super::program::{Kernel, Program};
use super::types::File;

impl Program {
    /// The most 32-bit words of registers that are alive at one place of a kernel, its calls
    /// included. Predicates have a file of their own and are not counted.
    pub fn live_registers(&self, kernel: &Kernel) -> u32 {
        let mut seen = vec![false; self.functions.len()];
        self.live_in(kernel.function as usize, &mut seen)
    }

    /// The most in a function and what it calls. A function that calls itself is counted once:
    /// frames of a recursion are kept in local memory.
    fn live_in(&self, function: usize, seen: &mut [bool]) -> u32 {
        if std::mem::replace(&mut seen[function], true) {
            return 0;
        }
        let start = self.functions[function].entry as usize;
        let ends = self.functions.iter().map(|other| other.entry as usize);
        let end = ends.filter(|entry| *entry > start).min().unwrap_or(self.code.len());
        let own = self.live_between(start, end, function);
        let mut called = Vec::new();
        for instruction in &self.code[start..end] {
            match &instruction.operation {
                Operation::Call(call) => called.push(call.function as usize),
                Operation::CallIndirect(form) => {
                    called.extend(form.targets.iter().map(|(_, function)| *function as usize));
                }
                _ => {}
            }
        }
        own + called.into_iter().map(|callee| self.live_in(callee, seen)).max().unwrap_or(0)
    }

    fn live_between(&self, start: usize, end: usize, function: usize) -> u32 {
        let narrow = self.functions[function].registers.narrow as usize;
        let wide = self.functions[function].registers.wide as usize;
        let words = (narrow + wide).div_ceil(64);
        let mut alive = vec![0u64; (end - start + 1) * words];
        let mut now = vec![0u64; words];
        let mut most = 0;
        // Backwards over the code until nothing changes; loops take a turn for each level.
        loop {
            let mut changed = false;
            for at in (start..end).rev() {
                now.fill(0);
                let instruction = &self.code[at];
                for next in successors(&instruction.operation, instruction.guard.is_some(), at) {
                    if (start..end).contains(&next) {
                        let row = &alive[(next - start) * words..][..words];
                        now.iter_mut().zip(row).for_each(|(now, row)| *now |= row);
                    }
                }
                let place = |file: File, index: u32| match file {
                    File::Predicate => None,
                    File::Narrow => Some(index as usize),
                    File::Wide => Some(narrow + index as usize),
                };
                most = most.max(count(&now, narrow));
                instruction.registers(|register| {
                    let Some(bit) = place(register.file, register.index) else { return };
                    if register.written && instruction.guard.is_none() {
                        now[bit / 64] &= !(1 << (bit % 64));
                    }
                });
                instruction.registers(|register| {
                    let Some(bit) = place(register.file, register.index) else { return };
                    if !register.written {
                        now[bit / 64] |= 1 << (bit % 64);
                    }
                });
                most = most.max(count(&now, narrow));
                let row = &mut alive[(at - start) * words..][..words];
                changed |= *row != *now;
                row.copy_from_slice(&now);
            }
            if !changed {
                return most;
            }
        }
    }
}

fn successors(operation: &Operation, guarded: bool, at: usize) -> impl Iterator<Item = usize> {
    let (jump, falls) = match operation {
        Operation::Branch { target, .. } => (Some(*target as usize), guarded),
        Operation::Return | Operation::Exit | Operation::Trap => (None, guarded),
        _ => (None, true),
    };
    jump.into_iter().chain(falls.then_some(at + 1))
}

/// Words of the registers of a set: narrow ones come first, wide ones are two words.
fn count(set: &[u64], narrow: usize) -> u32 {
    let bits = |low: usize| {
        set.iter().enumerate().map(move |(at, word)| {
            let below = low.saturating_sub(at * 64).min(64);
            let kept = if below == 64 { 0 } else { word >> below };
            kept.count_ones()
        })
    };
    let all: u32 = bits(0).sum();
    let wide: u32 = bits(narrow).sum();
    all + wide
}
