//! How instructions come to warps: a cache of instructions in each core, and a buffer for each warp.

use crate::config::FrontEndConfig;

/// No line has this number.
const EMPTY: u32 = u32::MAX;

/// A line of a cache.
#[derive(Debug, Clone, Copy)]
struct Line {
    number: u32,
    /// When it has come.
    ready: u64,
    used: u64,
}

/// What a core has in a launch: lines, and when its parameters have come.
#[derive(Debug, Clone, Default)]
struct CoreLines {
    lines: Vec<Line>,
    parameters: Option<u64>,
    uses: u64,
}

/// Caches of instructions of all cores, and the lines that the L2 has of the program.
#[derive(Debug, Default)]
pub(crate) struct InstructionCaches {
    cores: Vec<CoreLines>,
    in_l2: Vec<bool>,
    parameters_in_l2: bool,
    /// File and length of the program that they hold.
    program: (String, usize),
}

/// The buffer of a warp.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Buffer {
    /// The instruction after the last that was issued, and how many there are from it.
    next: Option<u32>,
    count: u32,
    /// When they can be issued.
    ready: u64,
}

/// Fetch of a core.
#[derive(Debug)]
pub(crate) struct FrontEnd {
    config: FrontEndConfig,
    /// When it fetches for another warp.
    free: u64,
}

impl InstructionCaches {
    /// A launch of a program begins, with caches that are empty; the L2 keeps what it has of the program.
    pub(crate) fn begin(&mut self, file: &str, instructions: usize, cores: u32) {
        if self.program != (file.to_string(), instructions) {
            self.program = (file.to_string(), instructions);
            self.in_l2 = vec![false; instructions + 1];
            self.parameters_in_l2 = false;
        }
        self.cores = vec![CoreLines::default(); cores as usize];
    }

    /// When a line is there, for a fetch at a clock.
    fn look_up(&mut self, config: &FrontEndConfig, core: u32, number: u32, now: u64) -> u64 {
        let was_fetched = std::mem::replace(&mut self.in_l2[number as usize], true);
        let core = &mut self.cores[core as usize];
        let empty = Line { number: EMPTY, ready: 0, used: 0 };
        core.lines.resize((config.sets * config.ways) as usize, empty);
        core.uses += 1;
        let first = (number % config.sets * config.ways) as usize;
        let set = &mut core.lines[first..first + config.ways as usize];
        if let Some(line) = set.iter_mut().find(|line| line.number == number) {
            line.used = core.uses;
            return line.ready;
        }
        let ready = now + u64::from(config.miss[usize::from(was_fetched)]);
        if let Some(oldest) = set.iter_mut().min_by_key(|line| line.used) {
            *oldest = Line { number, ready, used: core.uses };
        }
        ready
    }

    /// When the parameters of a launch are there for a core.
    pub(crate) fn parameters(&mut self, config: &FrontEndConfig, core: u32, now: u64) -> u64 {
        let miss = config.miss[usize::from(self.parameters_in_l2)];
        self.parameters_in_l2 = true;
        *self.cores[core as usize].parameters.get_or_insert(now + u64::from(miss))
    }
}

impl FrontEnd {
    pub(crate) fn new(config: &FrontEndConfig) -> Self {
        Self { config: config.clone(), free: 0 }
    }

    pub(crate) fn config(&self) -> &FrontEndConfig {
        &self.config
    }

    /// When a warp can issue the instruction, which is fetched if it is not in the warp's buffer.
    pub(crate) fn ready(
        &mut self,
        caches: &mut InstructionCaches,
        core: u32,
        buffer: &mut Buffer,
        pc: u32,
        now: u64,
    ) -> u64 {
        let other_way = buffer.next.filter(|next| *next != pc);
        if buffer.count > 0 && other_way.is_none() {
            return buffer.ready;
        }
        // Instructions of the other way of a branch are found to be wrong in the clock in which they could be
        // issued. If none is in the buffer, they are fetched before.
        let found = match other_way {
            Some(next) if buffer.count == 0 => self.fetch(caches, core, next, now),
            Some(_) => now + 1,
            None => now,
        };
        let ready = self.fetch(caches, core, pc, found);
        *buffer = Buffer { next: Some(pc), count: self.config.buffer, ready };
        ready
    }

    /// Fetches from a clock on; gives when the instructions can be issued.
    fn fetch(&mut self, caches: &mut InstructionCaches, core: u32, pc: u32, from: u64) -> u64 {
        let fetch = self.free.max(from);
        self.free = fetch + 1;
        let there = caches.look_up(&self.config, core, pc / self.config.line, fetch).max(fetch);
        there + u64::from(self.config.fetch)
    }
}

impl Buffer {
    /// An instruction has been issued.
    pub(crate) fn issued(&mut self, pc: u32) {
        self.next = Some(pc + 1);
        self.count = self.count.saturating_sub(1);
    }
}

#[cfg(test)]
mod tests {
    use super::{Buffer, FrontEnd, InstructionCaches};
    use crate::config::FrontEndConfig;

    #[test]
    fn lines_miss_once_in_the_machine_and_once_in_each_core() {
        let miss = [250, 150];
        let config = FrontEndConfig { buffer: 2, fetch: 2, line: 16, ways: 1, sets: 2, miss };
        let mut caches = InstructionCaches::default();
        caches.begin("a.ptx", 64, 2);
        let mut front_end = FrontEnd::new(&config);
        let mut at = |core, pc, now, buffer: &mut Buffer| {
            let ready = front_end.ready(&mut caches, core, buffer, pc, now);
            buffer.issued(pc);
            ready
        };
        let mut buffer = Buffer::default();
        assert_eq!(at(0, 0, 0, &mut buffer), 252);
        assert_eq!(at(0, 1, 252, &mut buffer), 252, "fetched with the first");
        assert_eq!(at(0, 2, 253, &mut buffer), 255, "a hit");
        assert_eq!(at(0, 40, 255, &mut buffer), 508, "of another way: a clock later, a miss");
        assert_eq!(at(0, 41, 508, &mut buffer), 508);
        assert_eq!(at(0, 40, 509, &mut buffer), 513, "another way, after that of line 2");
        assert_eq!(at(1, 0, 600, &mut Buffer::default()), 752, "the L2 has it");
        assert_eq!(at(0, 8, 800, &mut Buffer::default()), 952, "line 2 has taken its place");
    }
}
