//! Loads are moved ahead, as the assembler does to hide their latency: within a block, up to what orders memory.

use std::collections::HashMap;

use super::ranges::blocks;
use super::values::Values;
use crate::isa::{AccessKind, Instruction, Operation, Space};

/// The code with loads, and what they need, before everything else between two places that order memory.
pub(super) fn loads_ahead(code: &[Instruction], start: usize, values: &Values) -> Vec<Instruction> {
    let mut order: Vec<usize> = Vec::with_capacity(code.len());
    for [from, to] in blocks(code, start) {
        let mut begin = from;
        for at in from..to {
            if orders(&code[at].operation) {
                ahead(code, begin, at, values, &mut order);
                order.push(at);
                begin = at + 1;
            }
        }
        ahead(code, begin, to, values, &mut order);
    }
    order.into_iter().map(|at| code[at].clone()).collect()
}

/// Whether loads stay on their side of an operation.
fn orders(operation: &Operation) -> bool {
    match operation {
        Operation::Access(form) => form.kind != AccessKind::Load,
        Operation::Branch { .. }
        | Operation::Call(_)
        | Operation::CallIndirect(_)
        | Operation::Return
        | Operation::Exit
        | Operation::Trap
        | Operation::Sleep
        | Operation::Service(_)
        | Operation::Barrier { .. }
        | Operation::Fence { .. }
        | Operation::WarpSync { .. }
        | Operation::Copy(_)
        | Operation::CopyCommit
        | Operation::Bulk(_)
        | Operation::BulkCommit
        | Operation::BulkWait { .. }
        | Operation::ClusterBarrier(_)
        | Operation::CopyWait { .. }
        | Operation::CopyArrive { .. } => true,
        _ => false,
    }
}

fn is_load(operation: &Operation) -> bool {
    matches!(operation, Operation::Access(form) if form.space != Space::Param)
}

/// What a value was last used for: who wrote it, and who has read it since.
#[derive(Clone, Default)]
struct Last {
    writer: Option<usize>,
    readers: Vec<usize>,
}

fn ahead(code: &[Instruction], from: usize, to: usize, values: &Values, order: &mut Vec<usize>) {
    let mut last: HashMap<usize, Last> = HashMap::new();
    let mut needs: Vec<Vec<usize>> = Vec::with_capacity(to - from);
    for (at, instruction) in code[from..to].iter().enumerate() {
        let mut own = Vec::new();
        instruction.registers(|register| {
            let value = values.number(register.file, register.index);
            let known = last.entry(value).or_default();
            own.extend(known.writer);
            if register.written {
                own.extend(&known.readers);
            }
        });
        instruction.registers(|register| {
            let value = values.number(register.file, register.index);
            let known = last.entry(value).or_default();
            match register.written {
                true => *known = Last { writer: Some(at), readers: Vec::new() },
                false => known.readers.push(at),
            }
        });
        needs.push(own);
    }
    let mut is_ahead: Vec<bool> =
        code[from..to].iter().map(|instruction| is_load(&instruction.operation)).collect();
    for at in (0..needs.len()).rev() {
        if is_ahead[at] {
            needs[at].iter().filter(|need| **need < at).for_each(|need| is_ahead[*need] = true);
        }
    }
    order.extend((from..to).filter(|at| is_ahead[at - from]));
    order.extend((from..to).filter(|at| !is_ahead[at - from]));
}
