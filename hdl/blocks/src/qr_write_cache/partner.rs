//! What stands around a write cache: read caches that acknowledge invalidations, and a level below that
//! completes atomics and releases. Each takes its time.

use std::collections::VecDeque;

use super::channels::{DONE, DOWN, INV, INV_ACK, Op, RELEASED, Request};
use super::params::Params;
use crate::kit::*;

/// The surroundings.
pub(super) struct Below {
    /// Of each read cache: invalidations to acknowledge.
    to_acknowledge: Vec<u32>,
    atomics: u32,
    releases: VecDeque<u64>,
    answers_releases: bool,
    /// What is answered when.
    draw: u32,
    /// Answers until some are surplus: one that reset leaves outstanding is found before.
    until_surplus: u32,
}

impl Below {
    pub(super) fn new(p: &Params) -> Self {
        Self {
            to_acknowledge: vec![0; p.read_caches as usize],
            atomics: 0,
            releases: VecDeque::new(),
            answers_releases: !p.last_level,
            draw: 1,
            until_surplus: 3000,
        }
    }

    /// The next of 31 bits that look random.
    fn draw(&mut self) -> u32 {
        self.draw = self.draw.wrapping_mul(1_103_515_245).wrapping_add(12_345);
        self.draw >> 16
    }
}

impl Partner for Below {
    fn channels(&self) -> &'static [usize] {
        &[INV_ACK, DONE, RELEASED]
    }

    fn observe(&mut self, channel: usize, payload: &[u64]) {
        match channel {
            INV => self.to_acknowledge.iter_mut().for_each(|count| *count += 1),
            DOWN => {
                let request = Request::decode(payload);
                match request.op {
                    Op::Atomic => self.atomics += 1,
                    Op::Release if request.needs_ack && self.answers_releases => {
                        self.releases.push_back(request.wavefront);
                    }
                    _ => {}
                }
            }
            _ => {}
        }
    }

    fn answer(&mut self, channel: usize, payload: &mut [u64]) -> bool {
        let waits = !self.draw().is_multiple_of(4);
        self.until_surplus = self.until_surplus.saturating_sub(1);
        // Now and then nothing is outstanding of what is acknowledged.
        let surplus = self.until_surplus == 0 && self.draw().is_multiple_of(32);
        match channel {
            INV_ACK => {
                let some = self.draw();
                let caches = self.to_acknowledge.len();
                let answers = |cache: usize| some >> (cache % 8) & 1 == 1 || caches == 1;
                let mut mask = 0;
                for (cache, count) in self.to_acknowledge.iter_mut().enumerate() {
                    if !waits && (*count > 0 || surplus) && answers(cache) {
                        *count = count.saturating_sub(1);
                        mask |= 1 << cache;
                    }
                }
                payload[0] = mask;
                mask != 0
            }
            DONE => {
                let answers = (self.atomics > 0 || surplus) && !waits;
                self.atomics = self.atomics.saturating_sub(answers.into());
                answers
            }
            _ => match waits {
                true => false,
                false => self.releases.pop_front().map(|w| payload[0] = w).is_some(),
            },
        }
    }
}
