//! When the registers of a warp can be read and written.

use super::decode::{Decoded, Table};

/// A register that waits for memory.
pub(crate) const WAITS: u64 = u64::MAX;

/// For each register of a frame the clock from which on it can be used.
#[derive(Debug, Default)]
pub(crate) struct Scoreboard {
    ready: Vec<u64>,
}

impl Scoreboard {
    /// All registers can be used.
    pub(crate) fn clear(&mut self, registers: u32) {
        self.ready.clear();
        self.ready.resize(registers as usize, 0);
    }

    /// From when on an instruction finds its registers; none while one waits for memory.
    #[inline]
    pub(crate) fn ready(&self, table: &Table, decoded: &Decoded) -> Option<u64> {
        let uses = table.uses(decoded).iter();
        let last = uses.map(|at| self.ready[*at as usize]).max().unwrap_or(0);
        (last != WAITS).then_some(last)
    }

    /// The register of an instruction that can be used last.
    pub(crate) fn slowest(&self, table: &Table, decoded: &Decoded) -> Option<u32> {
        table.uses(decoded).iter().copied().max_by_key(|at| self.ready[*at as usize])
    }

    /// The registers that an instruction writes can be used from a clock on.
    #[inline]
    pub(crate) fn write(&mut self, table: &Table, decoded: &Decoded, time: u64) {
        for at in table.writes(decoded) {
            self.ready[*at as usize] = time;
        }
    }

    /// The registers that an instruction writes wait for memory.
    pub(crate) fn wait(&mut self, table: &Table, decoded: &Decoded) {
        self.write(table, decoded, WAITS);
    }
}
