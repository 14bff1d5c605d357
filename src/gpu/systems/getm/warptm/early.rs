//! Early abort and pause-n-go: what cores know of transactions that are about to be written.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use super::super::Getm;
use super::super::message::Kind;
use super::super::warp::State;
use super::Variant;
use crate::memory::Shared;
use crate::simt::lanes_of;

/// What a core was told.
#[derive(Debug, Default)]
pub(super) struct Committing {
    /// Words that are about to be written, with how many logs have them.
    words: HashMap<u64, u32>,
    /// Loads that wait for a word.
    paused: Vec<(u64, u32)>,
}

impl Committing {
    /// Whether a load of these bytes, by its number, waits.
    pub fn pauses(&mut self, bytes: Range<u64>, asked: u32) -> bool {
        let word = bytes.step_by(4).find(|word| self.words.contains_key(word));
        self.paused.extend(word.map(|word| (word, asked)));
        word.is_some()
    }
}

impl Getm {
    /// A partition tells all cores that a log is going to be written for these lanes, or has been.
    pub(super) fn tell_cores(
        &mut self,
        shared: &mut Shared,
        partition: u32,
        id: u64,
        lanes: u32,
        begins: bool,
    ) {
        let Some(lazy) = self.lazy.as_ref().filter(|it| it.variant == Variant::EarlyAbort) else {
            return;
        };
        let found = &lazy.partitions[partition as usize];
        let Some(entry) = found.position(id).map(|at| &found.entries[at]) else { return };
        let (words, line): (Arc<[u64]>, _) = (entry.stored_by(lanes).collect(), entry.line);
        if words.is_empty() {
            return;
        }
        for core in 0..self.l1.len() as u32 {
            let kind = Kind::Broadcast { words: Arc::clone(&words), begins };
            self.tell_core(shared, core, line, kind);
        }
    }

    /// A core is told so.
    pub(in super::super) fn take_broadcast(
        &mut self,
        shared: &mut Shared,
        core: u32,
        words: &[u64],
        begins: bool,
    ) {
        let Some(lazy) = &mut self.lazy else { return };
        let known = &mut lazy.committing[core as usize];
        for word in words {
            let count = known.words.entry(*word).or_default();
            *count = if begins { *count + 1 } else { count.saturating_sub(1) };
            if *count == 0 {
                known.words.remove(word);
            }
        }
        if begins {
            return self.abort_readers(shared, core, words);
        }
        let paused = std::mem::take(&mut known.paused);
        let (still, over): (Vec<_>, Vec<_>) =
            paused.into_iter().partition(|(word, _)| known.words.contains_key(word));
        known.paused = still;
        for (_, number) in over {
            self.load_lazily(shared, number);
        }
    }

    fn abort_readers(&mut self, shared: &mut Shared, core: u32, words: &[u64]) {
        for place in 0..self.warps_per_core {
            let index = self.index(core, place);
            let warp = &self.warps[index];
            if warp.state != State::Runs {
                continue;
            }
            let has_loaded = |lane: &usize| {
                let loads = warp.log.lanes[*lane].iter().flat_map(|log| &log.loads);
                loads.into_iter().any(|(word, _)| words.contains(word))
            };
            let lanes = lanes_of(warp.running()).filter(has_loaded);
            let lanes = lanes.fold(0, |all, lane| all | 1 << lane);
            self.abort(shared, index, lanes, "EARLY");
        }
    }
}
