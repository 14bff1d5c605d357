//! How an entry finds a place in the banks, in the stash or in the overflow space, and which one is evicted.

use super::{Entry, Table};
use crate::getm_metadata::access::{Effect, End, Insertion};
use crate::getm_metadata::channels::OverflowOp;

impl Table {
    /// Makes a place for an entry.
    pub(super) fn insert(&mut self, mut entry: Entry, effect: &mut Effect) {
        let mut displaced = Vec::new();
        let end = loop {
            let rows: Vec<usize> = self.hashes.rows(entry.granule).collect();
            let candidate = |bank: usize| self.banks[bank][rows[bank]];
            let mut banks = 0..rows.len();
            let is_free = |entry: Entry| !entry.metadata.is_reserved();
            if let Some(bank) = banks.clone().find(|&bank| candidate(bank).is_none()) {
                self.banks[bank][rows[bank]] = Some(entry);
                effect.new_bank = displaced.is_empty().then_some(bank);
                break End::Empty;
            }
            if let Some(bank) = banks.find(|&bank| candidate(bank).is_some_and(is_free)) {
                let victim = self.banks[bank][rows[bank]].replace(entry).expect("a candidate");
                self.evict(victim, effect);
                effect.new_bank = displaced.is_empty().then_some(bank);
                break End::Victim;
            }
            if displaced.len() == self.params.max_kicks as usize {
                break self.leave_banks(entry, effect);
            }
            // All candidates are reserved: one of them has to look for another place.
            let bank = displaced.len() % rows.len();
            entry = self.banks[bank][rows[bank]].replace(entry).expect("a candidate");
            displaced.push(entry.granule);
        };
        effect.insertion = Some(Insertion { displaced, end });
    }

    /// The entry that a granule would make go at once.
    pub fn victim_of(&self, granule: u64) -> Option<u64> {
        let rows = self.hashes.rows(granule).enumerate();
        let candidates: Option<Vec<_>> = rows.map(|(bank, row)| self.banks[bank][row]).collect();
        let is_free = |entry: &Entry| !entry.metadata.is_reserved();
        Some(candidates?.into_iter().find(is_free)?.granule)
    }

    /// A place outside the banks for the entry that is left over.
    fn leave_banks(&mut self, entry: Entry, effect: &mut Effect) -> End {
        if !entry.metadata.is_reserved() {
            self.evict(entry, effect);
            return End::Bloom;
        }
        if let Some(slot) = self.stash.iter().position(Option::is_none) {
            self.stash[slot] = Some(entry);
            return End::Stash;
        }
        let is_free = |entry: &Option<Entry>| entry.is_some_and(|e| !e.metadata.is_reserved());
        if let Some(slot) = self.stash.iter().position(is_free) {
            let victim = self.stash[slot].replace(entry).expect("an entry");
            self.evict(victim, effect);
            return End::StashVictim;
        }
        self.ask_overflow(OverflowOp::Insert, entry.granule, entry.metadata, effect);
        End::Overflow
    }

    pub(super) fn evict(&mut self, victim: Entry, effect: &mut Effect) {
        self.bloom.insert(&self.hashes, victim.granule, victim.metadata);
        effect.victim = Some((victim.granule, victim.metadata));
    }
}
