//! What must hold whatever the reference says, from the ports alone: who is under way, what has won so far,
//! and where the depths are.

mod in_time;

use std::collections::{HashMap, HashSet, VecDeque};

use super::channels::{
    ACK, COLOR, COLOR_ACK, Color, Depths, ERROR, REQ, RESET, RESET_DONE, Request, ZCLEAR,
    ZCLEAR_ACK, ZDATA, ZREAD, ZWRITE, ZWRITE_ACK,
};
use super::params::Params;
use super::{corners, exercise, rules};
use crate::kit::*;

/// The run-time checks.
pub(super) struct CommitContract {
    params: Params,
    /// Requests that are not acknowledged, in the order of their arrival.
    live: Vec<Live>,
    /// Of each depth of a block that was written, the smallest that has come so far.
    smallest: HashMap<u64, Vec<i64>>,
    /// Of each set, the blocks whose depths the Z-cache has.
    cached: Vec<Vec<u64>>,
    /// Blocks that were written back since the last reset.
    evicted: HashSet<u64>,
    /// Transfers to the L2 that are not answered: entries with their blocks, in order.
    reads: VecDeque<(u64, u64)>,
    writes: VecDeque<(u64, u64)>,
    colors: VecDeque<(u64, u64)>,
    errors: VecDeque<u64>,
    reset: Reset,
    /// Clocks for which a request was not taken although there was an entry.
    refused: u64,
    /// Two live requests have had one id: their acknowledgements cannot be told apart.
    is_unclear: bool,
    /// Channels whose offer was there before.
    shown: u64,
    stalls: Stalls,
}

/// A request that is not acknowledged.
struct Live {
    block: u64,
    request: Request,
    /// It is the oldest of its block.
    is_first: bool,
    /// Its color was presented.
    colored: bool,
    /// Clocks for which it could have gone on.
    waited: u64,
}

/// How far a reset has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reset {
    None,
    Taken,
    Clearing,
    Cleared,
}

impl CommitContract {
    pub(super) fn new(params: &Params) -> Self {
        Self {
            params: params.clone(),
            live: Vec::new(),
            smallest: HashMap::new(),
            cached: vec![Vec::new(); params.sets as usize],
            evicted: HashSet::new(),
            reads: VecDeque::new(),
            writes: VecDeque::new(),
            colors: VecDeque::new(),
            errors: VecDeque::new(),
            reset: Reset::None,
            refused: 0,
            is_unclear: false,
            shown: 0,
            stalls: Stalls::new(corners::STALLED),
        }
    }

    /// The bytes that the request wins over what has come so far.
    fn winners(&self, live: &Live) -> Vec<u64> {
        let p = &self.params;
        let each = p.bytes() / p.depths();
        let smallest = self.smallest.get(&live.block);
        let byte = |byte: u32| {
            let depth = p.signed(live.request.depth[p.request_depth_of(byte / each) as usize]);
            let wins = smallest.is_none_or(|smallest| depth <= smallest[(byte / each) as usize]);
            live.request.mask[byte as usize] & u64::from(wins)
        };
        (0..p.bytes()).map(byte).collect()
    }

    /// The depths of a block, if the request is done with it.
    fn depths(&self, block: u64, with: Option<&Live>) -> Vec<i64> {
        let p = &self.params;
        let unwritten = || vec![p.signed(p.largest_depth()); p.depths() as usize];
        let mut depths = self.smallest.get(&block).cloned().unwrap_or_else(unwritten);
        if let Some((bytes, new)) = with.map(|live| (self.winners(live), &live.request.depth)) {
            for (i, depth) in (0..).zip(&mut depths) {
                if bytes[p.mask_bit_of(i) as usize] == 1 {
                    *depth = p.signed(new[p.request_depth_of(i) as usize]);
                }
            }
        }
        depths
    }

    /// The oldest request of the block.
    fn oldest(&self, block: u64) -> Option<usize> {
        self.live.iter().position(|live| live.block == block)
    }

    /// Whether the Z-cache has the depths of the block.
    fn is_cached(&self, block: u64) -> bool {
        self.cached[self.params.set_of(block) as usize].contains(&block)
    }

    fn accept(&mut self, request: Request, corners: &mut Corners) {
        if let Err(misuse) = request.check(&self.params) {
            self.errors.push_back(misuse as u64);
            return;
        }
        let p = &self.params;
        let block = p.block_of(request.address);
        for live in &self.live {
            corners.compare(exercise::BLOCKS, block, live.block);
        }
        for &other in &self.cached[p.set_of(block) as usize] {
            corners.compare(exercise::TAGS, block >> p.set_bits(), other >> p.set_bits());
        }
        self.is_unclear |= self.live.iter().any(|live| live.request.id == request.id);
        let is_first = self.oldest(block).is_none();
        self.live.push(Live { block, request, is_first, colored: false, waited: 0 });
        let same = || self.live.iter().filter(|live| live.block == block);
        let depth = &self.live.last().expect("the new one").request.depth;
        let equal = same().filter(|live| live.request.depth == *depth).count();
        corners.count(corners::THREE_EQUAL, equal >= 3);
        corners.count(corners::ALL_ON_ONE, same().count() >= p.request_entries as usize);
    }

    /// What is presented on `color` for the first time.
    fn color(&mut self, color: &Color) -> Result<(), Violation> {
        let block = self.params.block_of(color.address);
        let told =
            |what: &str| format!("color of entry {} to 0x{:x}: {what}", color.entry, color.address);
        let Some(at) = self.oldest(block).filter(|&at| !self.live[at].colored) else {
            return Err(rules::ONE_AT_A_TIME.broken(told("no request is due")));
        };
        let live = &self.live[at];
        let winners = self.winners(live);
        let as_due =
            color.mask == winners && color.data == live.request.data && winners.contains(&1);
        rules::SMALLEST_WINS
            .require(as_due, || told(&format!("{} is due, and wins {winners:?}", live.request)))?;
        let is_free = self.colors.iter().all(|&(entry, _)| entry != color.entry);
        rules::ENTRY_FREE.require(is_free, || told("the entry is under way"))?;
        let depths = self.depths(block, Some(live));
        self.smallest.insert(block, depths);
        self.live[at].colored = true;
        self.colors.push_back((color.entry, block));
        Ok(())
    }

    /// What is presented on `ack` for the first time.
    fn ack(&mut self, id: u64, corners: &mut Corners) -> Result<(), Violation> {
        let told = |what: &str| format!("ack of request {id}: {what}");
        let of_id = self.live.iter().position(|live| live.request.id == id);
        let Some(at) = of_id.filter(|&at| self.live[at].is_first) else {
            return Err(rules::ACKNOWLEDGED_ONCE.broken(told("no request is due")));
        };
        let live = &self.live[at];
        // One that wins nothing has been compared: its depths were there.
        let is_visible = match live.colored {
            true => self.colors.iter().all(|&(_, block)| block != live.block),
            false => !self.winners(live).contains(&1),
        };
        rules::VISIBLE_FIRST.require(is_visible, || told("its block is not written"))?;
        corners.count(corners::OVERTAKEN, at > 0);
        let block = self.live.remove(at).block;
        if let Some(next) = self.oldest(block) {
            self.live[next].is_first = true;
        }
        Ok(())
    }

    /// What is presented on `zread` for the first time.
    fn read(&mut self, entry: u64, address: u64, corners: &mut Corners) -> Result<(), Violation> {
        let block = self.params.block_of(address);
        let told = |what: &str| format!("zread of 0x{address:x} for entry {entry}: {what}");
        let is_written = self.writes.iter().all(|&(_, other)| other != block);
        for &(_, other) in &self.writes {
            corners.compare(exercise::EVICTED, block, other);
        }
        rules::READ_AFTER_WRITE.require(is_written, || told("it is being written"))?;
        let is_due = self.oldest(block).is_some_and(|at| !self.live[at].colored);
        let is_read = self.reads.iter().any(|&(_, other)| other == block);
        let is_due = is_due && !is_read && !self.is_cached(block);
        rules::READ_ONCE.require(is_due, || told("no request needs it"))?;
        let is_free = self.reads.iter().all(|&(other, _)| other != entry);
        rules::ENTRY_FREE.require(is_free, || told("the entry is under way"))?;
        corners.count(corners::FETCHED_AGAIN, self.evicted.contains(&block));
        self.reads.push_back((entry, block));
        Ok(())
    }

    /// What is presented on `zwrite` for the first time.
    fn write(&mut self, write: &Depths) -> Result<(), Violation> {
        let block = self.params.block_of(write.address);
        let told = |what: &str| format!("zwrite of 0x{:x}: {what}", write.address);
        let is_cached = self.is_cached(block);
        self.cached[self.params.set_of(block) as usize].retain(|&other| other != block);
        let found: Vec<_> = write.depths.iter().map(|&depth| self.params.signed(depth)).collect();
        // One that is compared may not be presented yet.
        let last = self.oldest(block).map(|at| &self.live[at]).filter(|live| !live.colored);
        let as_due = found == self.depths(block, None) || found == self.depths(block, last);
        rules::WRITTEN_AS_COMPARED.require(is_cached && as_due, || told(&format!("{found:?}")))?;
        let is_free = self.writes.iter().all(|&(entry, _)| entry != write.entry);
        rules::ENTRY_FREE.require(is_free, || told("the entry is under way"))?;
        self.evicted.insert(block);
        self.writes.push_back((write.entry, block));
        Ok(())
    }

    /// What the L2 answers.
    fn answers(&mut self, channels: &Channels<'_>, corners: &mut Corners) {
        let take = |due: &mut VecDeque<(u64, u64)>, payload: &[u64]| {
            let at = due.iter().position(|&(entry, _)| entry == payload[0]);
            at.map(|at| (at, due.remove(at).expect("found").1))
        };
        if let Some((at, block)) =
            channels.taken(ZDATA).and_then(|data| take(&mut self.reads, data))
        {
            corners.count(corners::OUT_OF_ORDER_DATA, at > 0);
            self.cached[self.params.set_of(block) as usize].push(block);
        }
        channels.taken(ZWRITE_ACK).map(|ack| take(&mut self.writes, ack));
        channels.taken(COLOR_ACK).map(|ack| take(&mut self.colors, ack));
        if channels.taken(ZCLEAR_ACK).is_some() {
            self.reset = Reset::Cleared;
        }
    }

    /// `reset`, `zclear` and `reset_done`.
    fn resets(&mut self, channels: &Channels<'_>, corners: &mut Corners) -> Result<(), Violation> {
        let reset = self.reset;
        let told = |what: &str| format!("{what}, while the reset is {reset:?}");
        if channels.at(RESET).fires() {
            rules::RESET_AT_REST.require(reset == Reset::None, || told("a reset is taken"))?;
            corners.count(corners::RESET_BUSY, !self.live.is_empty());
            corners.count(corners::RESET_WRITING, !self.writes.is_empty());
            self.reset = Reset::Taken;
        }
        if self.is_new(ZCLEAR, channels) {
            let at_rest = self.live.is_empty() && self.writes.is_empty() && reset == Reset::Taken;
            rules::RESET_AT_REST.require(at_rest, || told("zclear is presented"))?;
            self.reset = Reset::Clearing;
            self.smallest.clear();
            self.cached.iter_mut().for_each(Vec::clear);
            self.evicted.clear();
        }
        if self.is_new(RESET_DONE, channels) {
            rules::RESET_AT_REST
                .require(reset == Reset::Cleared, || told("reset_done is presented"))?;
        }
        if channels.at(RESET_DONE).fires() {
            self.reset = Reset::None;
        }
        Ok(())
    }

    /// Whether what the channel offers was not there before.
    fn is_new(&self, channel: usize, channels: &Channels<'_>) -> bool {
        channels.handshakes().valid & !self.shown & 1 << channel != 0
    }
}

impl Contract for CommitContract {
    fn clock(&mut self, channels: &Channels<'_>, corners: &mut Corners) -> Result<(), Violation> {
        self.takes(channels)?;
        if let Some(request) = channels.taken(REQ) {
            rules::RESET_AT_REST.require(self.reset == Reset::None, || {
                "a request is taken in a reset".to_string()
            })?;
            self.accept(Request::decode(&self.params, request), corners);
        }
        if self.is_unclear {
            return Ok(());
        }
        self.answers(channels, corners);
        let payload = |channel: usize| channels.at(channel).payload;
        if self.is_new(COLOR, channels) {
            self.color(&Color::decode(&self.params, payload(COLOR)))?;
        }
        if self.is_new(ACK, channels) {
            self.ack(payload(ACK)[0], corners)?;
        }
        if self.is_new(ZWRITE, channels) {
            self.write(&Depths::decode(&self.params, payload(ZWRITE)))?;
        }
        if self.is_new(ZREAD, channels) {
            self.read(payload(ZREAD)[0], payload(ZREAD)[1], corners)?;
        }
        if let Some(error) = channels.taken(ERROR) {
            let due = self.errors.pop_front();
            let detail = || format!("code {} came, due was {due:?}", error[0]);
            rules::ERROR_AS_DUE.require(due == Some(error[0]), detail)?;
        }
        self.resets(channels, corners)?;
        self.in_time(channels, corners)?;
        self.shown = channels.handshakes().stalled();
        self.stalls.clock(channels, corners);
        Ok(())
    }

    fn finish(&mut self) -> Result<(), Violation> {
        if self.is_unclear {
            return Ok(());
        }
        if let Some(live) = self.live.first() {
            return Err(rules::ACKNOWLEDGED_ONCE.broken(format!("{} is not", live.request)));
        }
        let at_rest = self.reset == Reset::None && self.writes.is_empty();
        rules::RESET_AT_REST
            .require(at_rest, || format!("the reset is {:?} at the end", self.reset))?;
        let code = self.errors.front();
        rules::ERROR_AS_DUE.require(code.is_none(), || format!("code {code:?} never came"))
    }
}
