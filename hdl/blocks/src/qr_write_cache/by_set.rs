//! What is known of blocks, for reference and contract: those of a set are found together.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use super::params::Params;

/// Of each block a `T`.
#[derive(Clone, Debug)]
pub(super) struct BySet<T> {
    sets: u64,
    of: BTreeMap<(u64, u64), T>,
}

impl<T> Default for BySet<T> {
    fn default() -> Self {
        Self { sets: 1, of: BTreeMap::new() }
    }
}

impl<T> BySet<T> {
    pub fn new(p: &Params) -> Self {
        Self { sets: p.sets.into(), ..Self::default() }
    }

    fn key(&self, block: u64) -> (u64, u64) {
        (block % self.sets, block)
    }

    pub fn get(&self, block: u64) -> Option<&T> {
        self.of.get(&self.key(block))
    }

    pub fn get_mut(&mut self, block: u64) -> Option<&mut T> {
        let key = self.key(block);
        self.of.get_mut(&key)
    }

    pub fn entry(&mut self, block: u64) -> Entry<'_, (u64, u64), T> {
        let key = self.key(block);
        self.of.entry(key)
    }

    pub fn remove(&mut self, block: u64) -> Option<T> {
        let key = self.key(block);
        self.of.remove(&key)
    }

    pub fn is_empty(&self) -> bool {
        self.of.is_empty()
    }

    /// All blocks, set after set.
    pub fn iter(&self) -> impl Iterator<Item = (u64, &T)> {
        self.of.iter().map(|((_, block), of)| (*block, of))
    }

    /// The blocks in the set of this one.
    pub fn in_set_of(&self, block: u64) -> impl Iterator<Item = (u64, &T)> {
        let (set, _) = self.key(block);
        self.of.range((set, 0)..=(set, u64::MAX)).map(|((_, block), of)| (*block, of))
    }
}
