//! Transactions one after the other, in the order of time: what memory must be in the end.

use std::collections::HashMap;
use std::rc::Rc;

use super::program::{Operation, Program};

/// A transaction that has committed.
pub(super) struct Committed {
    /// When, in logical time.
    pub instant: u64,
    /// What it does.
    pub program: Rc<dyn Program>,
}

/// What memory is after all of them. No two have the same time.
pub(super) fn memory_after(
    mut transactions: Vec<Committed>,
    initial: impl Fn(u64) -> u32,
) -> HashMap<u64, u32> {
    transactions.sort_by_key(|transaction| transaction.instant);
    let mut memory = HashMap::new();
    for Committed { program, .. } in transactions {
        let mut loaded = Vec::new();
        for step in 0.. {
            match program.step(step, &loaded) {
                Operation::Load(address) => {
                    loaded.push(memory.get(&address).copied().unwrap_or_else(|| initial(address)));
                }
                Operation::Store(address, value) => {
                    memory.insert(address, value);
                }
                Operation::Commit => break,
            }
        }
    }
    memory
}
