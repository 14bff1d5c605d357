//! Banks of an L2: each serves one request a clock, and performs atomics at one word one after another.

use super::access::most_at_one_word;
use crate::config::L2Config;
use crate::simt::Access;

/// When each bank is free.
#[derive(Debug)]
pub struct Banks {
    free: Vec<u64>,
    /// Clocks of an atomic of one lane.
    atomic_clocks: u32,
}

impl Banks {
    /// The banks of an L2, or of its part in a GPM.
    pub fn new(l2: &L2Config) -> Self {
        Self { free: vec![0; l2.banks as usize], atomic_clocks: l2.atomic_clocks }
    }

    /// The bank of a line.
    pub fn of(&self, line: u32) -> u32 {
        let banks = self.free.len() as u32;
        (line ^ (line / banks)) % banks
    }

    /// The clock when a request to a line that comes now is served.
    pub fn turn(&mut self, line: u32, now: u64) -> u64 {
        self.turn_for(self.of(line), now, 1)
    }

    /// The clock when a bank ends a request that comes now and takes so many clocks.
    pub fn turn_for(&mut self, bank: u32, now: u64, clocks: u64) -> u64 {
        let free = &mut self.free[bank as usize];
        *free = now.max(*free) + clocks;
        *free - 1
    }

    /// Clocks of a bank for a warp's atomic: those of the lanes at one word follow one another.
    pub fn atomic(&self, access: &Access, lanes: u32) -> u64 {
        match self.atomic_clocks {
            0 => 1,
            clocks => u64::from(clocks * most_at_one_word(access, lanes)).max(1),
        }
    }

    /// The clock when all requests before have been served, in any bank.
    pub fn after_all(&self, now: u64) -> u64 {
        self.free.iter().copied().max().unwrap_or(0).max(now)
    }
}
