//! Texture caches: fetches leave a FIFO in order, each when its lines have come.
//!
//! Igehy, Eldridge and Proudfoot, "Prefetching in a Texture Cache Architecture" (Graphics Hardware 1998), as GPGPU-Sim has
//! it (`tex_cache` of gpu-cache.cc): tags are looked up when a fetch comes, and lines that miss are asked for at once. Here
//! they are asked of the L1, as loads of whole lines. Stores do not change what is cached, as CUDA's programming guide
//! has it (3.2.14.4): it is empty when a launch begins.

use std::collections::{BTreeSet, VecDeque};

use super::Run;
use super::events::CoreEvent;
use crate::config::{LINE, TextureCacheConfig};
use crate::isa::{Kind, Type};
use crate::memory::{Accesses, Cache, Data, Operation};
use crate::simt::{Access, LANES};

/// Bytes that a lane loads of a line.
const WORD: u32 = 4;

/// The texture cache of a core.
#[derive(Debug)]
pub(super) struct TextureCache {
    config: TextureCacheConfig,
    /// Its lines may be shorter than those of other caches: then the rest is not used.
    cache: Cache,
    fifo: VecDeque<Fragment>,
    /// Loads of lines, and the lines.
    fills: Vec<(u32, u32)>,
    /// Lines of all fragments.
    lines: u32,
    /// When the last fragment leaves.
    leaves: u64,
}

/// A texel in the lanes of a fetch.
#[derive(Debug)]
struct Fragment {
    access: u32,
    lines: u32,
    missing: Vec<u32>,
}

impl TextureCache {
    /// An empty one.
    pub(super) fn new(config: &TextureCacheConfig) -> Self {
        let lines = config.bytes / config.line;
        Self {
            config: config.clone(),
            cache: Cache::new(lines * LINE as u32, config.ways),
            fifo: VecDeque::new(),
            fills: Vec::new(),
            lines: 0,
            leaves: 0,
        }
    }

    /// Whether the FIFO takes no more.
    pub(super) fn is_full(&self) -> bool {
        self.lines >= self.config.fragments
    }

    /// Takes what is there; gives the number of lines, and those that miss.
    fn look_up(&mut self, access: &mut Access) -> (u32, Vec<u32>) {
        let line = u64::from(self.config.line);
        let (size, elements) = (u64::from(access.ty.bytes), u64::from(access.elements));
        let all: BTreeSet<_> = access
            .lanes()
            .flat_map(|lane| (0..elements).map(move |element| (lane, element * size)))
            .map(|(lane, offset)| ((access.addresses[lane] + offset) / line) as u32)
            .collect();
        let count = all.len() as u32;
        let mut missing = Vec::new();
        for line in all {
            match self.cache.hit(line) {
                Some(place) => extract(access, &self.config, line, self.cache.data(place)),
                None => missing.push(line),
            }
        }
        (count, missing)
    }

    /// The clock in which a fragment at the head of the FIFO has its result: one line leaves a clock.
    fn leave(&mut self, now: u64, lines: u32) -> u64 {
        self.leaves = self.leaves.max(now) + u64::from(lines);
        self.leaves + u64::from(self.config.latency)
    }

    /// A load of a line.
    fn fill_of(&self, line: u32, pc: u32) -> Access {
        let words = self.config.line / WORD;
        let first = u64::from(line) * u64::from(self.config.line);
        let mut access = Access::default();
        access.ty = Type { kind: Kind::Bits, bytes: WORD as u8 };
        access.mask = u32::MAX >> (LANES as u32 - words);
        access.addresses = std::array::from_fn(|lane| first + lane as u64 * u64::from(WORD));
        access.pc = pc;
        access.awaited()
    }

    /// Takes a line; gives the accesses that have their result, and when.
    fn fill(&mut self, fill: u32, accesses: &mut Accesses, now: u64) -> Vec<(u32, u64)> {
        let Some(at) = self.fills.iter().position(|(access, _)| *access == fill) else {
            return Vec::new();
        };
        let (_, line) = self.fills.swap_remove(at);
        let mut data: Data = [0; LINE];
        let words = accesses.get(fill).access.data[0];
        for (bytes, word) in data.chunks_mut(WORD as usize).zip(words) {
            bytes.copy_from_slice(&(word as u32).to_le_bytes());
        }
        self.cache.fill(line, &data);
        for fragment in &mut self.fifo {
            if let Some(at) = fragment.missing.iter().position(|missing| *missing == line) {
                fragment.missing.swap_remove(at);
                extract(&mut accesses.get(fragment.access).access, &self.config, line, &data);
            }
        }
        let mut done = Vec::new();
        while self.fifo.front().is_some_and(|head| head.missing.is_empty())
            && let Some(head) = self.fifo.pop_front()
        {
            self.lines -= head.lines;
            done.push((head.access, self.leave(now, head.lines)));
        }
        done
    }
}

/// Takes what lanes read of a line.
fn extract(access: &mut Access, config: &TextureCacheConfig, line: u32, data: &Data) {
    let size = usize::from(access.ty.bytes);
    for element in 0..usize::from(access.elements) {
        for lane in access.lanes() {
            let address = access.addresses[lane] + (element * size) as u64;
            if address / u64::from(config.line) == u64::from(line) {
                let at = (address % u64::from(config.line)) as usize;
                let mut word = [0; 8];
                word[..size].copy_from_slice(&data[at..at + size]);
                access.data[element][lane] = u64::from_le_bytes(word);
            }
        }
    }
}

impl Run<'_> {
    /// Gives an access to the L1, or one that reads texels to the texture cache, if the core has one; gives the clock of
    /// its result if that is known.
    pub(super) fn send(&mut self, core: u32, slot: u32, access: u32) -> Option<u64> {
        let pending = self.shared.accesses.get(access);
        let cache = self.cores[core as usize].texture_cache.as_mut();
        let Some(cache) = cache.filter(|_| pending.access.reads_texels()) else {
            return self.system.submit(self.shared, core, Operation::Access(access));
        };
        let (lines, missing) = cache.look_up(&mut pending.access);
        let pc = pending.access.pc;
        let hits = self.shared.statistics.texture.get_or_insert_default();
        hits.hits += u64::from(lines) - missing.len() as u64;
        hits.misses += missing.len() as u64;
        for line in &missing {
            if cache.fills.iter().any(|(_, asked)| asked == line) {
                continue;
            }
            let fill = self.shared.accesses.begin();
            let pending = self.shared.accesses.get(fill);
            pending.access = cache.fill_of(*line, pc);
            (pending.core, pending.warp, pending.acknowledged) = (core, slot, false);
            cache.fills.push((fill, *line));
            let known = self.system.submit(self.shared, core, Operation::Access(fill));
            if let Some(time) = known {
                self.shared.events.at(time, CoreEvent::Answered(fill));
            }
        }
        if cache.fifo.is_empty() && missing.is_empty() {
            return Some(cache.leave(self.shared.events.now(), lines));
        }
        cache.lines += lines;
        cache.fifo.push_back(Fragment { access, lines, missing });
        None
    }

    #[inline]
    pub(super) fn texture_cache_is_full(&self, core: u32) -> bool {
        self.cores[core as usize].texture_cache.as_ref().is_some_and(TextureCache::is_full)
    }

    /// A line has come for a texture cache; false if the access is not of one.
    pub(super) fn fills_texture_cache(&mut self, core: u32, access: u32) -> bool {
        let now = self.shared.events.now();
        let cache = self.cores[core as usize].texture_cache.as_mut();
        let is_fill =
            |cache: &&mut TextureCache| cache.fills.iter().any(|(fill, _)| *fill == access);
        let Some(cache) = cache.filter(is_fill) else { return false };
        let was_full = cache.is_full();
        for (access, time) in cache.fill(access, &mut self.shared.accesses, now) {
            self.shared.events.at(time, CoreEvent::Answered(access));
        }
        self.shared.accesses.end(access);
        if was_full {
            self.schedule(core, now + 1);
        }
        true
    }
}
