//! Banks of a cache: each serves one request a clock.

/// When each bank is free.
#[derive(Debug)]
pub struct Banks(Vec<u64>);

impl Banks {
    /// So many banks.
    pub fn new(banks: u32) -> Self {
        Self(vec![0; banks as usize])
    }

    /// The clock when a request to a line that comes now is served.
    pub fn turn(&mut self, line: u32, now: u64) -> u64 {
        let banks = self.0.len() as u32;
        let free = &mut self.0[((line ^ (line / banks)) % banks) as usize];
        let turn = now.max(*free);
        *free = turn + 1;
        turn
    }

    /// The clock when all requests before have been served, in any bank.
    pub fn after_all(&self, now: u64) -> u64 {
        self.0.iter().copied().max().unwrap_or(0).max(now)
    }
}
