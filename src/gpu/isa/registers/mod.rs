//! How many registers a thread needs.
//!
//! PTX has as many registers as the compiler likes; a register file has not. The assembler that allocates them is not
//! part of this model, so they are allocated here as it does on hardware: values that instructions have as operands
//! need none ([`values`]), the others get registers by linear scan over their live ranges ([`scan`]; Traub, Holloway
//! and Smith, PLDI 1998). Loads are moved ahead as far as registers do not
//! keep warps out of a core ([`schedule`]).

mod ranges;
mod scan;
mod schedule;
mod values;

use super::operation::{Instruction, Operation};
use super::program::{Kernel, Program};
use ranges::Ranges;
use values::{Held, Values};

/// Most registers of a thread that an instruction can name.
const MOST: u32 = 255;
/// With so many a core of 2048 threads and 65,536 registers is full: the assembler moves loads ahead up to here.
const FULL: u32 = 32;
/// Predicates of a thread. Those that do not fit are kept as bits of a register.
const PREDICATES: u32 = 7;

impl Program {
    /// 32-bit registers that a thread of a kernel needs, its calls included.
    pub fn registers(&self, kernel: &Kernel) -> u32 {
        let mut seen = vec![false; self.functions.len()];
        self.registers_of(kernel.function as usize, &mut seen).min(MOST)
    }

    /// Those of a function and what it calls. A function that calls itself is counted once: frames of a recursion are
    /// kept in local memory.
    fn registers_of(&self, function: usize, seen: &mut [bool]) -> u32 {
        if std::mem::replace(&mut seen[function], true) {
            return 0;
        }
        let start = self.functions[function].entry as usize;
        let ends = self.functions.iter().map(|other| other.entry as usize);
        let end = ends.filter(|entry| *entry > start).min().unwrap_or(self.code.len());
        let code = &self.code[start..end];
        let values = Values::of(code, self.functions[function].registers);
        let ranges = Ranges::of(code, start, &values);
        let in_order = scan::registers(code, &values, &ranges, MOST);
        let ahead = schedule::loads_ahead(code, start, &values);
        let values_ahead = Values::of(&ahead, self.functions[function].registers);
        let ranges_ahead = Ranges::of(&ahead, start, &values_ahead);
        let ahead = scan::registers(&ahead, &values_ahead, &ranges_ahead, FULL);
        let mut most = in_order.max(ahead);
        let predicates = ranges.most(|value| u32::from(values.held[value] == Held::Predicate));
        most += predicates.saturating_sub(PREDICATES).div_ceil(32);
        for (at, instruction) in code.iter().enumerate() {
            let called: Vec<usize> = match &instruction.operation {
                Operation::Call(call) => vec![call.function as usize],
                Operation::CallIndirect(form) => {
                    form.targets.iter().map(|(_, function)| *function as usize).collect()
                }
                _ => continue,
            };
            let across = ranges.across(at, |value| values.words(value));
            let called = called.into_iter().map(|callee| self.registers_of(callee, seen));
            most = most.max(across + called.max().unwrap_or(0));
        }
        most
    }
}

/// Where an instruction can go on, within its function.
fn successors(
    instruction: &Instruction,
    at: usize,
    start: usize,
) -> impl Iterator<Item = usize> + use<> {
    let is_guarded = instruction.guard.is_some();
    let (jump, falls) = match &instruction.operation {
        Operation::Branch { target, .. } => (Some(*target as usize - start), is_guarded),
        Operation::Return | Operation::Exit | Operation::Trap => (None, is_guarded),
        _ => (None, true),
    };
    jump.into_iter().chain(falls.then_some(at + 1))
}
