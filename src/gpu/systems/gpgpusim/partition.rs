//! A channel of DRAM with the slices of the L2 in front of it.

use std::collections::VecDeque;

use super::addresses::Map;
use super::slice::Slice;
use crate::config::{ChipsConfig, Config, SlicesConfig};
use crate::memory::{ChipChannel, DramRequest};

/// A channel of DRAM and the slices in front of it.
#[derive(Debug)]
pub(super) struct Partition {
    pub(super) slices: Vec<Slice>,
    /// Transfers on their way to the channel, with their clock.
    delayed: VecDeque<(u64, DramRequest)>,
    pub(super) channel: ChipChannel,
    /// Core clocks in front of the channel.
    latency: u64,
    /// Requests of all slices that the channel has room for, beside one of each.
    credits: u32,
    /// Requests of each slice that the channel has; one of each is always accepted.
    own: Vec<bool>,
    common: u32,
    last: usize,
}

impl Partition {
    pub(super) fn new(
        config: &Config,
        slices: &SlicesConfig,
        chips: &ChipsConfig,
        map: Map,
    ) -> Self {
        let (count, ways) = (slices.per_channel, config.l2.ways);
        Self {
            slices: (0..count).map(|number| Slice::new(slices, map, ways, number)).collect(),
            delayed: VecDeque::new(),
            channel: ChipChannel::new(chips),
            latency: u64::from(config.dram.latency),
            credits: chips.queue + chips.return_queue - (count - 1),
            own: vec![false; count as usize],
            common: 0,
            last: count as usize - 1,
        }
    }

    /// One clock of DRAM: an answer to its slice, a command, a request of a slice, and one that arrives.
    pub(super) fn clock_dram(&mut self, now: u64) {
        if let Some(answer) = self.channel.answer().copied() {
            let slice = &mut self.slices[answer.tag as usize];
            if slice.takes_from_dram() {
                slice.from_dram.push_back(answer);
                self.channel.take_answer();
                self.give_back(answer.tag as usize);
            }
        }
        if let Some(written) = self.channel.clock() {
            self.give_back(written.tag as usize);
        }
        let count = self.slices.len();
        for step in 1..=count {
            let at = (self.last + step) % count;
            let slice = &mut self.slices[at];
            let is_allowed = !self.own[at] || self.common < self.credits;
            if slice.to_dram.is_empty() || !is_allowed || !slice.takes_from_dram() {
                continue;
            }
            if self.channel.is_full() {
                break;
            }
            let Some(transfer) = slice.to_dram.pop_front() else { break };
            self.delayed.push_back((now + self.latency, transfer));
            self.common += u32::from(std::mem::replace(&mut self.own[at], true));
            self.last = at;
            break;
        }
        if let Some((ready, transfer)) = self.delayed.front().copied()
            && ready <= now
            && !self.channel.is_full()
        {
            self.delayed.pop_front();
            self.channel.push(transfer);
        }
    }

    /// A request of a slice is over.
    fn give_back(&mut self, slice: usize) {
        match self.own[slice] {
            true => self.own[slice] = false,
            false => self.common -= 1,
        }
    }
}
