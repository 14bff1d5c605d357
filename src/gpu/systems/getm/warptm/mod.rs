//! WarpTM (Fung and Aamodt; Ren, thesis, 4.1): conflicts are detected at the end of a transaction, by comparing
//! what it has loaded with memory. Its log goes to the partitions and is validated there, in the order of commit
//! numbers that is the same everywhere; each tells its verdict; the core decides for each lane; the partitions
//! write and acknowledge: two round trips, for which the warp waits.
//!
//! * Transactions that only load commit silently if nothing that they loaded was written since their first load
//!   (temporal conflict detection). Each partition keeps the times of the last writes, in a table that is
//!   shared by granules of the same hash.
//! * A transaction is not validated while one before it has a conflict with it and is not over (hazards). The
//!   paper's hardware finds these in tables of hashes; here they are exact.
//! * `warptm-el` (4.3): all that a transaction has loaded is validated at each access and at its end, in no time.
//! * `eapg` (Chen and Peng; 4.6, footnote 3): a partition tells all cores what a transaction is going to write,
//!   in one message of 64 bits for each; transactions that have loaded it abort at once, and loads of it wait.

mod commits;
mod early;
mod partition;
pub mod planted;

use std::collections::HashMap;

use super::Getm;
use super::message::Message;
use crate::config::Config;
use crate::memory::{Port, Shared};
use crate::systems::System;
use early::Committing;
use partition::Partition;

/// What of WarpTM is different.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Variant {
    Plain,
    /// Each access is validated, in no time.
    Eager,
    /// Partitions tell cores what is going to be written.
    EarlyAbort,
}

/// Lazy conflict detection.
pub const WARPTM: System = System {
    errors: &planted::WARPTM,
    ..System::new("warptm", "transactions validated by value at their end", |config| {
        Box::new(Getm::lazy(config, Variant::Plain))
    })
};

/// The idealized eager variant.
pub const WARPTM_EL: System = System {
    errors: &planted::EAGER,
    ..System::new("warptm-el", "WarpTM with each access validated in no time", |config| {
        Box::new(Getm::lazy(config, Variant::Eager))
    })
};

/// Early abort and pause-n-go.
pub const EAPG: System = System {
    errors: &planted::WARPTM,
    ..System::new("eapg", "WarpTM with early aborts and pauses, idealized", |config| {
        Box::new(Getm::lazy(config, Variant::EarlyAbort))
    })
};

/// The end of a warp's transactions.
#[derive(Debug, Default, Clone)]
struct Ending {
    /// When the warp first loaded in its transactions.
    first_load: Option<u64>,
    /// Lanes that have loaded what was written since, or is about to be.
    late: u32,
    /// Its number in the order of commits.
    id: u64,
    partitions: Vec<u32>,
    /// Verdicts or acknowledgements that have yet to come.
    left: usize,
    /// Lanes that are validated, and those of them that failed.
    lanes: u32,
    failed: u32,
}

/// The parts that GETM does not have.
#[derive(Debug)]
pub(super) struct Lazy {
    variant: Variant,
    partitions: Vec<Partition>,
    endings: Vec<Ending>,
    next_id: u64,
    /// Counts the warps that have committed.
    turn: u64,
    /// Words that committed transactions have yet to write, with how many do.
    unwritten: HashMap<u64, u32>,
    /// For each core.
    committing: Vec<Committing>,
}

impl Getm {
    fn lazy(config: &Config, variant: Variant) -> Self {
        let partitions = config.machine.gpms() * config.l2.banks;
        let warps = (config.machine.cores() * config.core.warps) as usize;
        let partition = |_| Partition::new(config.transactions.recency_entries);
        let lazy = Lazy {
            variant,
            partitions: (0..partitions).map(partition).collect(),
            endings: vec![Ending::default(); warps],
            next_id: 0,
            turn: 0,
            unwritten: HashMap::new(),
            committing: (0..config.machine.cores()).map(|_| Committing::default()).collect(),
        };
        Self { lazy: Some(lazy), ..Self::new(config, Vec::new()) }
    }

    /// A warp begins transactions.
    pub(super) fn begin_lazy(&mut self, index: usize) {
        if let Some(lazy) = &mut self.lazy {
            lazy.endings[index] = Ending::default();
        }
    }

    /// A load of lanes has come to its partition, and reads memory.
    pub(super) fn read_lazily(&mut self, shared: &mut Shared, number: u32) {
        let asked = &self.asked[number as usize];
        let (index, lanes, address) = (asked.number as usize, asked.lanes, asked.address);
        let bytes = u64::from(self.settings.granule_bytes);
        let Message { ends, partition, .. } = *self.fabric.get(asked.message);
        let message = asked.message;
        if let Some(lazy) = &mut self.lazy {
            let ending = &mut lazy.endings[index];
            let first = ending.first_load.unwrap_or_default();
            let partition = &lazy.partitions[partition as usize];
            if partition.may_be_written_after(first, address..address + bytes) {
                ending.late |= lanes;
            }
        }
        self.read(shared, number);
        if let Port::Gpm(gpm) = ends[1] {
            self.look_up(shared, gpm, message);
        }
    }

    /// A load has come back to its core.
    pub(super) fn loaded_lazily(&mut self, shared: &mut Shared, number: u32) {
        let asked = self.asked.remove(number as usize);
        let index = asked.number as usize;
        self.warps[index].outstanding -= 1;
        asked.access.into_iter().for_each(|access| shared.answered(access));
        self.validate_at_once(shared, index);
        self.end_if_answered(shared, index);
    }

    /// Sends a load of lanes to its partition, unless it has to wait for what is being written.
    pub(super) fn load_lazily(&mut self, shared: &mut Shared, number: u32) {
        let asked = &self.asked[number as usize];
        let (core, address, index) = (asked.core, asked.address, asked.number as usize);
        let now = shared.events.now();
        let bytes = u64::from(self.settings.granule_bytes);
        let Some(lazy) = &mut self.lazy else { return };
        lazy.endings[index].first_load.get_or_insert(now);
        if lazy.committing[core as usize].pauses(address..address + bytes, number) {
            self.counts.paused += 1;
            return;
        }
        self.send_asked(shared, core, address, number, false);
    }
}
