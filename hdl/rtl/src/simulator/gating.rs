//! Skips what cannot have changed.
//!
//! A segment of the program runs only if a word that it reads has changed. Tracking changes costs more than
//! it saves where most of the design is busy. So activity is measured from time to time, and tracking is off
//! where it does not pay.

use super::compile::State;
use super::execute::Program;
use super::memory::Ram;
use super::noise::Noise;
use super::segments::Segments;

/// When to track changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GatingMode {
    /// When measurement shows that it pays.
    Adaptive,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// Evaluations over which activity is measured.
const WINDOW: u32 = 128;
/// Evaluations without tracking after a busy window: first value, and limit of the doubling.
const PAUSE: (u32, u32) = (4096, 65536);
/// Smaller designs are never worth tracking.
const FEWEST_SEGMENTS: usize = 4;
/// Cost of handling a segment, in instructions.
const SEGMENT_COST: usize = 4;

/// A set of small numbers.
#[derive(Clone, Debug, Default)]
struct Set(Vec<u64>);

impl Set {
    fn new(size: usize) -> Self {
        Self(vec![0; size.div_ceil(64)])
    }

    #[inline]
    fn insert(&mut self, number: u32) {
        self.0[number as usize / 64] |= 1 << (number % 64);
    }

    fn remove(&mut self, number: usize) {
        self.0[number / 64] &= !(1 << (number % 64));
    }

    fn fill(&mut self, size: usize) {
        (0..size as u32).for_each(|number| self.insert(number));
    }

    /// Removes the members, smallest first; larger ones may be added meanwhile.
    #[inline]
    fn pop_from(&mut self, word: &mut usize) -> Option<usize> {
        while *word < self.0.len() {
            let bits = self.0[*word];
            if bits != 0 {
                self.0[*word] = bits & (bits - 1);
                return Some(*word * 64 + bits.trailing_zeros() as usize);
            }
            *word += 1;
        }
        None
    }
}

/// The state of change tracking.
#[derive(Clone)]
pub(super) struct Gating {
    mode: GatingMode,
    parts: Segments,
    /// Whether changes are currently tracked.
    tracking: bool,
    /// Segments, then memories, with changed inputs.
    dirty: Set,
    /// Segments that have run since the last edge.
    ran: Set,
    /// Memories with an enabled port.
    enabled: Set,
    /// The enables of each memory's ports.
    ram_enables: Vec<Vec<u32>>,
    /// The state words that each memory's edge may change: its read data, and its rows if they are read
    /// asynchronously.
    ram_words: Vec<Vec<u32>>,
    last_inputs: Vec<u64>,
    last_exports: Vec<u64>,
    /// Evaluations until the mode is reconsidered.
    countdown: u32,
    pause: u32,
    /// Instructions run in this window.
    work: usize,
}

impl Gating {
    /// `ram_words` are the state words that each memory's edge may change.
    pub fn new(
        parts: Segments,
        input_words: usize,
        rams: &[Ram],
        ram_words: Vec<Vec<u32>>,
    ) -> Self {
        let all = parts.segments.len() + rams.len();
        let mut gating = Self {
            mode: GatingMode::Adaptive,
            tracking: false,
            dirty: Set::new(all),
            ran: Set::new(parts.segments.len()),
            enabled: Set::new(rams.len()),
            ram_enables: rams.iter().map(|ram| ram.enables().collect()).collect(),
            ram_words,
            last_inputs: vec![0; input_words],
            last_exports: vec![0; parts.exports.len()],
            countdown: 0,
            pause: PAUSE.0,
            work: 0,
            parts,
        };
        gating.set_mode(GatingMode::Adaptive);
        gating
    }

    pub fn set_mode(&mut self, mode: GatingMode) {
        self.mode = mode;
        self.pause = PAUSE.0;
        self.track(match mode {
            GatingMode::Adaptive => self.parts.segments.len() >= FEWEST_SEGMENTS,
            GatingMode::Always => true,
            GatingMode::Never => false,
        });
    }

    /// Whether changes are currently tracked, so that what is idle is skipped.
    pub fn is_tracking(&self) -> bool {
        self.tracking
    }

    /// Starts or stops tracking. At the start everything counts as changed.
    fn track(&mut self, on: bool) {
        self.tracking = on;
        self.work = 0;
        self.countdown = if on { WINDOW } else { self.pause };
        if on {
            self.everything_changed();
        }
    }

    /// Notes that anything may have changed since the last edge.
    pub fn everything_changed(&mut self) {
        self.dirty.fill(self.parts.segments.len() + self.ram_enables.len());
    }

    /// Computes all values from inputs and state.
    #[inline]
    pub fn settle(&mut self, program: &Program, arena: &mut [u64]) {
        if self.mode == GatingMode::Adaptive {
            self.countdown -= 1;
            if self.countdown == 0 {
                self.think_over(program.code().instructions.len());
            }
        }
        if self.tracking {
            self.settle_changes(program, arena);
        } else {
            program.run(0..program.code().instructions.len(), arena);
        }
    }

    #[cold]
    fn think_over(&mut self, instructions: usize) {
        let busy = 2 * self.work > WINDOW as usize * instructions;
        match self.tracking {
            true if busy => {
                self.track(false);
                self.pause = (2 * self.pause).min(PAUSE.1);
            }
            true => {
                (self.work, self.countdown, self.pause) = (0, WINDOW, PAUSE.0);
            }
            false if self.parts.segments.len() < FEWEST_SEGMENTS => self.countdown = u32::MAX,
            false => self.track(true),
        }
    }

    fn settle_changes(&mut self, program: &Program, arena: &mut [u64]) {
        for (index, last) in self.last_inputs.iter_mut().enumerate() {
            if *last != arena[index] {
                *last = arena[index];
                self.parts.input_fanout.of(index).iter().for_each(|&s| self.dirty.insert(s));
            }
        }
        let mut word = 0;
        while let Some(number) = self.dirty.pop_from(&mut word) {
            let Some(segment) = self.parts.segments.get(number) else {
                self.settle_ram(number - self.parts.segments.len(), arena);
                continue;
            };
            program.run(segment.instructions.clone(), arena);
            self.ran.insert(number as u32);
            self.work += segment.instructions.len() + SEGMENT_COST;
            for export in segment.exports.clone() {
                let value = arena[self.parts.exports[export] as usize];
                if value != self.last_exports[export] {
                    self.last_exports[export] = value;
                    // Readers come later in the program.
                    let readers = self.parts.export_fanout.of(export);
                    readers.iter().for_each(|&s| self.dirty.insert(s));
                }
            }
        }
    }

    fn settle_ram(&mut self, ram: usize, arena: &[u64]) {
        if self.ram_enables[ram].iter().any(|&enable| arena[enable as usize] != 0) {
            self.enabled.insert(ram as u32);
        } else {
            self.enabled.remove(ram);
        }
    }

    /// The memories' edge, before the state's.
    #[inline]
    pub fn memory_edges(&mut self, rams: &[Ram], arena: &mut [u64], noise: Noise) {
        if !self.tracking {
            return rams.iter().for_each(|ram| ram.edge(arena, noise));
        }
        for (index, mut bits) in self.enabled.0.iter().copied().enumerate() {
            while bits != 0 {
                rams[index * 64 + bits.trailing_zeros() as usize].edge(arena, noise);
                bits &= bits - 1;
            }
        }
    }

    /// Loads the next state.
    #[inline]
    pub fn state_edge(&mut self, state: &State, reset: bool, arena: &mut [u64]) {
        if self.tracking && !reset {
            return self.changed_state(state, arena);
        }
        let (present, next) = (state.present as usize, state.next as usize);
        let words = state.words as usize;
        let kept = if reset { state.reset.len() } else { 0 };
        arena.copy_within(next + kept..next + words, present + kept);
        if reset {
            arena[present..present + kept].copy_from_slice(&state.reset);
            // The next state is recomputed even if nothing else changes.
            self.everything_changed();
        }
        self.ran.0.fill(0);
    }

    fn changed_state(&mut self, state: &State, arena: &mut [u64]) {
        let dirty = &mut self.dirty;
        let fanout = &self.parts.state_fanout;
        let mut take_over = |word: u32| {
            let (present, next) = ((state.present + word) as usize, (state.next + word) as usize);
            if arena[present] != arena[next] {
                arena[present] = arena[next];
                fanout.of(word as usize).iter().for_each(|&s| dirty.insert(s));
            }
        };
        let mut from = 0;
        while let Some(number) = self.ran.pop_from(&mut from) {
            let words = self.parts.segments[number].state_words.clone();
            self.parts.state_words[words].iter().for_each(|&word| take_over(word));
        }
        for (index, mut bits) in self.enabled.0.iter().copied().enumerate() {
            while bits != 0 {
                let ram = index * 64 + bits.trailing_zeros() as usize;
                self.ram_words[ram].iter().for_each(|&word| take_over(word));
                bits &= bits - 1;
            }
        }
    }
}
