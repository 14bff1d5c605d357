//! The L2 cache behind the unit: it keeps depths, and answers late and in any order.

use std::collections::HashMap;

use rand::SeedableRng;

use super::channels::{
    COLOR, COLOR_ACK, Depths, ZCLEAR, ZCLEAR_ACK, ZDATA, ZREAD, ZWRITE, ZWRITE_ACK,
};
use super::params::Params;
use crate::kit::*;

/// Transfers after which answers come in another manner.
const MANNER: u32 = 48;
/// Answers that are very late come after so many times the clocks that a request of another block may wait.
const VERY_LATE: u64 = 4;

/// The memory of depths, with the answers that are due.
#[derive(Clone, Debug)]
pub struct L2 {
    params: Params,
    depths: HashMap<u64, Vec<u64>>,
    due: Vec<Due>,
    rng: StimulusRng,
    manner: u32,
    left: u32,
}

/// An answer on a channel, so many clocks from now in which the channel is free. What is asked is done as it
/// is answered.
#[derive(Clone, Debug)]
struct Due {
    channel: usize,
    clocks: u64,
    entry: u64,
    address: u64,
    depths: Vec<u64>,
}

impl L2 {
    /// An L2 in which every depth is the largest.
    pub fn new(params: &Params) -> Self {
        Self {
            params: params.clone(),
            depths: HashMap::new(),
            due: Vec::new(),
            rng: StimulusRng::seed_from_u64(1),
            manner: 0,
            left: 0,
        }
    }

    /// After how many clocks an answer comes: at once, soon, late, or some of them very late. Where those are
    /// acknowledgements of `zwrite`, what needs another entry can go on.
    fn clocks(&mut self, channel: usize) -> u64 {
        if self.left == 0 {
            self.left = MANNER;
            self.manner = self.rng.random_range(0..12);
        }
        self.left -= 1;
        let very_late = VERY_LATE * self.params.longest_wait();
        match self.manner {
            0..7 => 0,
            7 | 8 => self.rng.random_range(0..6),
            9 => self.rng.random_range(0..40),
            10 if self.rng.random_range(0..8) == 0 => very_late,
            11 if channel == ZWRITE_ACK && self.rng.random_range(0..4) == 0 => very_late,
            _ => self.rng.random_range(0..3),
        }
    }
}

impl Partner for L2 {
    fn channels(&self) -> &'static [usize] {
        &[ZDATA, ZWRITE_ACK, COLOR_ACK, ZCLEAR_ACK]
    }

    fn observe(&mut self, channel: usize, payload: &[u64]) {
        let channel = match channel {
            ZREAD => ZDATA,
            ZWRITE => ZWRITE_ACK,
            COLOR => COLOR_ACK,
            ZCLEAR => ZCLEAR_ACK,
            _ => return,
        };
        let (entry, address) = (payload.first().copied(), payload.get(1).copied());
        let depths = match channel {
            ZWRITE_ACK => Depths::decode(&self.params, payload).depths,
            _ => Vec::new(),
        };
        let clocks = self.clocks(channel);
        let (entry, address) = (entry.unwrap_or(0), address.unwrap_or(0));
        self.due.push(Due { channel, clocks, entry, address, depths });
    }

    fn answer(&mut self, channel: usize, payload: &mut [u64]) -> bool {
        let mut found = None;
        for (at, due) in self.due.iter_mut().enumerate().filter(|(_, due)| due.channel == channel) {
            match due.clocks {
                0 => found = found.or(Some(at)),
                _ => due.clocks -= 1,
            }
        }
        let Some(at) = found else { return false };
        let Due { entry, address, depths, .. } = self.due.remove(at);
        match channel {
            ZDATA => {
                let unwritten = || vec![self.params.largest_depth(); self.params.depths() as usize];
                let depths = self.depths.get(&address).cloned().unwrap_or_else(unwritten);
                payload
                    .copy_from_slice(&Depths { entry, address, depths }.encode_data(&self.params));
            }
            ZWRITE_ACK => {
                self.depths.insert(address, depths);
                payload[0] = entry;
            }
            COLOR_ACK => payload[0] = entry,
            _ => self.depths.clear(),
        }
        true
    }

    fn owes(&self) -> bool {
        !self.due.is_empty()
    }
}
