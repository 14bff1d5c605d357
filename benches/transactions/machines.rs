//! The machines of the paper's figures.

use warpsmith::gpu::config::Config;
use warpsmith::gpu::systems::System;
use warpsmith::gpu::systems::getm::GETM;

/// Warps of a core that may run transactions at once, 0 for no limit (table 4.2), with their names.
pub const LIMITS: [(u32, &str); 6] =
    [(1, "1"), (2, "2"), (4, "4"), (8, "8"), (16, "16"), (0, "NL")];

/// A machine with a memory system: a column of a table.
#[derive(Clone)]
pub struct Machine {
    pub name: String,
    pub system: System,
    pub config: Config,
}

impl Machine {
    /// A preset's machine.
    pub fn of(preset: &str, system: System) -> Self {
        let config = Config::preset(preset).expect("a preset");
        Self { name: system.name.to_string(), system, config }
    }

    /// GETM on 15 cores with banks of so many rows: five of them, and as many ways of 32 rows of a recency filter. A
    /// partition has 640 entries of 128 rows: 3,840 in all, and 960 approximate ones.
    pub fn with_rows(rows: u32) -> Self {
        let mut machine = Self::of("getm_15", GETM);
        let transactions = &mut machine.config.transactions;
        (transactions.ways, transactions.rows_per_way) = (5, rows);
        (transactions.bloom_ways, transactions.bloom_rows) = (5, 32);
        machine.named_by_entries()
    }

    /// Names it by the entries of its precise tables.
    pub fn named_by_entries(self) -> Self {
        let [precise, _] = self.config.metadata_entries();
        Self { name: format!("{} {precise}", self.system.name), ..self }
    }
}

/// GETM on 15 cores: with the tables of the preset, and with nearly the entries of the paper.
pub fn getm() -> [Machine; 2] {
    [Machine::of("getm_15", GETM).named_by_entries(), Machine::with_rows(128)]
}

/// Others on 15 cores, and then GETM.
pub fn beside_getm(systems: &[System]) -> Vec<Machine> {
    let others = systems.iter().map(|system| Machine::of("getm_15", *system));
    others.chain(getm()).collect()
}
