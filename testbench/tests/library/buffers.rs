//! Skid buffers and FIFOs against a queue, native and Verilated, under random stalls.

use std::collections::VecDeque;

use rand::{Rng, RngExt};
use warpsmith_rtl::Bits;
use warpsmith_rtl::library::{fifo, skid_buffer};

use crate::handwritten;
use crate::support::duel::Duel;
use crate::support::{random, tools};

/// A buffer under test: its ports are `in_valid/in_ready/in_data` and `out_valid/out_ready/out_data`.
struct Buffer {
    duel: Duel,
    width: u32,
    capacity: usize,
    counts: bool,
    held: VecDeque<Bits>,
    offered: Option<Bits>,
    clocks: u64,
    transfers: u64,
}

impl Buffer {
    fn new(mut duel: Duel, width: u32, capacity: usize, counts: bool) -> Self {
        duel.set("in_valid", 0);
        duel.set("out_ready", 0);
        duel.reset();
        let held = VecDeque::new();
        Self { duel, width, capacity, counts, held, offered: None, clocks: 0, transfers: 0 }
    }

    /// One clock with or without an offer and with or without a stall. A word that was not taken is offered
    /// again, as the protocol requires.
    fn clock(&mut self, rng: &mut impl Rng, offer: bool, take: bool) {
        if offer && self.offered.is_none() {
            self.offered = Some(random::value(rng, self.width));
        }
        self.duel.set("in_valid", self.offered.is_some().into());
        let noise = || Bits::from_fn(self.width, |i| i % 3 == 0);
        let data = self.offered.clone().unwrap_or_else(noise);
        self.duel.set_bits("in_data", &data);
        self.duel.set("out_ready", take.into());
        self.duel.clock();
        let (ready, valid) = (self.duel.get("in_ready") == 1, self.duel.get("out_valid") == 1);
        if self.counts {
            assert_eq!(self.duel.get("count"), self.held.len() as u64);
        }
        // A word is offered in the clock after it arrived, so any held word is offered.
        assert_eq!(valid, !self.held.is_empty());
        assert_eq!(ready, self.held.len() < self.capacity, "{} words are held", self.held.len());
        if valid {
            // The oldest word, which stays unchanged while stalled.
            assert_eq!(self.duel.get_bits("out_data"), self.held[0]);
            if take {
                self.held.pop_front();
                self.transfers += 1;
            }
        }
        if ready && let Some(word) = self.offered.take() {
            self.held.push_back(word);
        }
        self.clocks += 1;
    }
}

/// Checks order, loss, duplication, stalls and throughput of a buffer.
fn check_buffer(duel: Duel, width: u32, capacity: usize, counts: bool, seed: u64) {
    let mut rng = random::generator(seed);
    let mut buffer = Buffer::new(duel, width, capacity, counts);
    // Each phase has its own odds of an offer and of ready, in 16ths.
    for (offers, takes) in [(8, 8), (16, 2), (2, 16), (15, 15), (0, 16), (16, 0), (12, 9), (9, 12)]
    {
        for _ in 0..400 {
            let (offer, take) = (rng.random_range(0..16) < offers, rng.random_range(0..16) < takes);
            buffer.clock(&mut rng, offer, take);
        }
    }
    // Empty and without stalls: the first word leaves one clock after it arrived, then one per clock.
    while !buffer.held.is_empty() || buffer.offered.is_some() {
        buffer.clock(&mut rng, false, true);
    }
    (buffer.clocks, buffer.transfers) = (0, 0);
    for _ in 0..1001 {
        buffer.clock(&mut rng, true, true);
    }
    assert_eq!((buffer.clocks, buffer.transfers), (1001, 1000));
    // Reset empties it.
    buffer.duel.set("in_valid", 0);
    buffer.duel.reset();
    buffer.held.clear();
    buffer.offered = None;
    buffer.clock(&mut rng, false, true);
}

#[test]
fn a_skid_buffer_keeps_order_and_holds_while_stalled_at_one_word_per_clock() {
    if !tools::verilator() {
        return;
    }
    for width in [1, 8, 64, 65] {
        let duel = Duel::new(&skid_buffer::skid_buffer(width));
        check_buffer(duel, width, 2, false, 10 + u64::from(width));
    }
}

#[test]
fn a_fifo_keeps_order_and_counts_at_one_word_per_clock() {
    if !tools::verilator() {
        return;
    }
    for (width, depth) in
        [(8, 2), (1, 3), (33, 4), (64, 5), (129, 7), (16, 8), (9, 13), (7, 33), (65, 64)]
    {
        let duel = Duel::new(&fifo::fifo(width, depth));
        check_buffer(duel, width, depth as usize, true, 20 + u64::from(depth));
    }
}

#[test]
fn the_fifo_written_by_hand_is_the_same_fifo() {
    if !tools::verilator() {
        return;
    }
    let duel = Duel::against(&fifo::fifo(32, 16), &handwritten("fifo"));
    check_buffer(duel, 32, 16, true, 33);
}
