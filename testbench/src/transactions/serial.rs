//! The serial execution of transactions in timestamp order, for the expected final memory.

use std::collections::HashMap;
use std::rc::Rc;

use super::program::{Operation, Program};

/// A committed transaction.
pub(super) struct Committed {
    /// Its logical time.
    pub instant: u64,
    /// Its program.
    pub program: Rc<dyn Program>,
}

/// Memory after all of them. No two have the same time.
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
