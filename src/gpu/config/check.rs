//! Which machines can be built.

use super::{Config, LINE, WriteCachesConfig};

/// Why there is no machine.
#[derive(Debug, thiserror::Error)]
pub enum ImpossibleConfig {
    /// No preset of that name.
    #[error("no preset {name}; there are: {known}")]
    NoPreset {
        /// The value given.
        name: String,
        /// What there is.
        known: String,
    },
    /// The text is not a configuration.
    #[error(transparent)]
    Text(#[from] toml::de::Error),
    /// There is no value of that name.
    #[error("no value {name}; there are: {known}")]
    NoValue {
        /// The name given.
        name: String,
        /// What there is.
        known: String,
    },
    /// A value of the wrong type, or too large for its type.
    #[error("{name} is {found}: {accepted}")]
    Type {
        /// The name given.
        name: String,
        /// The value given.
        found: String,
        /// What is accepted.
        accepted: String,
    },
    /// There is no such section.
    #[error(
        "no value {path}: SECTION.NAME is accepted, with a section of machine, core, l1, crossbar, l2, dram, \
             perturbation, transactions, quanta, leases"
    )]
    NoSection {
        /// The name given.
        path: String,
    },
    /// A value that no machine has.
    #[error("{field} is {found}: {accepted}")]
    Value {
        /// Which.
        field: &'static str,
        /// What it is.
        found: String,
        /// What is accepted.
        accepted: &'static str,
    },
}

impl Config {
    /// Refuses machines that cannot be built.
    pub(super) fn check(&self) -> Result<(), ImpossibleConfig> {
        let Self { machine, core, l1, l2, directory, dram, .. } = self;
        let line = LINE as u32;
        within("machine.gpus", machine.gpus, 1, 8, "1 to 8 are accepted")?;
        within("machine.gpms_per_gpu", machine.gpms_per_gpu, 1, 8, "1 to 8 are accepted")?;
        within("machine.cores_per_gpm", machine.cores_per_gpm, 1, 256, "1 to 256 are accepted")?;
        rate("machine.clock_mhz", machine.clock_mhz)?;
        power("machine.page_bytes", machine.page_bytes, self.block_bytes())?;
        self.check_cores()?;
        self.check_texture_cache()?;
        self.check_caches()?;
        within("l1.misses", l1.misses, 1, 4096, "1 to 4096 are accepted")?;
        within("l2.banks", l2.banks, 1, 256, "1 to 256 are accepted")?;
        within("l2.atomic_clocks", l2.atomic_clocks, 0, 1000, "0 to 1000 are accepted")?;
        power("directory.sets", directory.sets, 2)?;
        within("directory.ways", directory.ways, 1, 64, "1 to 64 are accepted")?;
        within(
            "directory.lines_per_entry",
            directory.lines_per_entry,
            1,
            64,
            "1 to 64, a power of two, are accepted",
        )?;
        power("directory.lines_per_entry", directory.lines_per_entry, 1)?;
        within("dram.channels", dram.channels, 1, 64, "1 to 64 are accepted")?;
        within("dram.banks", dram.banks, 1, 256, "1 to 256 are accepted")?;
        power("dram.row_bytes", dram.row_bytes, line)?;
        rate("dram.bytes_per_clock", dram.bytes_per_clock)?;
        rate("crossbar.bytes_per_clock", self.crossbar.bytes_per_clock)?;
        rate("gpm_link.bytes_per_clock", self.gpm_link.bytes_per_clock)?;
        rate("gpu_link.bytes_per_clock", self.gpu_link.bytes_per_clock)?;
        self.transactions.check(machine.cores() * core.warps)?;
        self.quanta.check(machine.cores() * core.warps)?;
        self.leases.check()?;
        dram.check_chips()?;
        let Some(simulator) = &self.simulator else { return Ok(()) };
        if dram.chips.is_none() {
            return Err(ImpossibleConfig::Value {
                field: "dram.chips",
                found: "missing".into(),
                accepted: "a machine with [simulator] has them",
            });
        }
        simulator.check(machine.cores(), dram.channels)
    }

    fn check_cores(&self) -> Result<(), ImpossibleConfig> {
        let Self { core, .. } = self;
        within("core.warps", core.warps, 1, 64, "1 to 64 are accepted")?;
        within("core.ctas", core.ctas, 1, 64, "1 to 64 are accepted")?;
        within("core.schedulers", core.schedulers, 1, 8, "1 to 8 are accepted")?;
        within("core.shared_banks", core.shared_banks, 1, 1024, "1 to 1024 are accepted")?;
        let units = "1 to 8 are accepted";
        within("units.arithmetic", self.units.arithmetic, 1, 8, units)?;
        within("units.special", self.units.special, 1, 8, units)?;
        if let Some(front_end) = &core.front_end {
            for (field, found) in [
                ("core.front_end.buffer", front_end.buffer),
                ("core.front_end.line", front_end.line),
                ("core.front_end.ways", front_end.ways),
                ("core.front_end.sets", front_end.sets),
            ] {
                within(field, found, 1, 1024, "1 to 1024 are accepted")?;
            }
        }
        if let Some(collectors) = &core.collectors {
            for (field, found) in [
                ("core.collectors.banks", collectors.banks),
                ("core.collectors.arithmetic", collectors.arithmetic),
                ("core.collectors.special", collectors.special),
                ("core.collectors.memory", collectors.memory),
            ] {
                within(field, found, 1, 64, "1 to 64 are accepted")?;
            }
        }
        Ok(())
    }

    fn check_texture_cache(&self) -> Result<(), ImpossibleConfig> {
        let Some(cache) = &self.core.texture_cache else { return Ok(()) };
        let lines = "16 to 128, a power of two, are accepted";
        within("core.texture_cache.line", cache.line, 16, LINE as u32, lines)?;
        power("core.texture_cache.line", cache.line, 16)?;
        let sizes = "1 to 1024 are accepted";
        within("core.texture_cache.ways", cache.ways, 1, 1024, sizes)?;
        within("core.texture_cache.latency", cache.latency, 1, 1024, sizes)?;
        let fragments = "32 to 4096 are accepted: a fetch has up to 32 lines";
        within("core.texture_cache.fragments", cache.fragments, 32, 4096, fragments)?;
        let set = cache.line * cache.ways;
        if cache.bytes == 0 || cache.bytes > 1 << 20 || !cache.bytes.is_multiple_of(set) {
            return Err(ImpossibleConfig::Value {
                field: "core.texture_cache.bytes",
                found: cache.bytes.to_string(),
                accepted: "a whole number of sets (line times ways), of up to 1 MiB, is accepted",
            });
        }
        Ok(())
    }

    /// Sizes of caches are whole numbers of sets.
    fn check_caches(&self) -> Result<(), ImpossibleConfig> {
        let Self { l1, l2, .. } = self;
        let cache = "a whole number of sets of lines of 128 bytes is accepted";
        let mut caches = vec![
            ("l1.bytes", "l1.ways", l1.bytes, l1.ways),
            ("l2.bytes", "l2.ways", l2.bytes, l2.ways),
        ];
        if let Some(l3) = &self.l3 {
            caches.push(("l3.bytes", "l3.ways", l3.bytes, l3.ways));
        }
        if let Some(WriteCachesConfig { l1, l2, l3 }) = &self.write_caches {
            let entries = "2 to 4096 are accepted";
            within("write_caches.l1.entries", l1.entries, 2, 4096, entries)?;
            within("write_caches.l2.entries", l2.entries, 2, 4096, entries)?;
            within("write_caches.l3.entries", l3.entries, 2, 4096, entries)?;
            caches.extend([
                ("write_caches.l1.bytes", "write_caches.l1.ways", l1.bytes, l1.ways),
                ("write_caches.l2.bytes", "write_caches.l2.ways", l2.bytes, l2.ways),
                ("write_caches.l3.bytes", "write_caches.l3.ways", l3.bytes, l3.ways),
            ]);
        }
        for (bytes_field, ways_field, bytes, ways) in caches {
            within(ways_field, ways, 1, 64, "1 to 64 are accepted")?;
            if bytes == 0 || bytes % (ways * LINE as u32) != 0 {
                let found = bytes.to_string();
                return Err(ImpossibleConfig::Value { field: bytes_field, found, accepted: cache });
            }
        }
        Ok(())
    }

    /// Bytes of the block that a directory entry covers.
    pub fn block_bytes(&self) -> u32 {
        self.directory.lines_per_entry * LINE as u32
    }
}

fn within(
    field: &'static str,
    found: u32,
    least: u32,
    most: u32,
    accepted: &'static str,
) -> Result<(), ImpossibleConfig> {
    let error = || ImpossibleConfig::Value { field, found: found.to_string(), accepted };
    (least..=most).contains(&found).then_some(()).ok_or_else(error)
}

fn rate(field: &'static str, found: f64) -> Result<(), ImpossibleConfig> {
    let accepted = "more than 0 and at most 1000000 are accepted";
    let error = || ImpossibleConfig::Value { field, found: found.to_string(), accepted };
    (found > 0.0 && found <= 1e6).then_some(()).ok_or_else(error)
}

fn power(field: &'static str, found: u32, least: u32) -> Result<(), ImpossibleConfig> {
    let accepted = "a power of two is accepted, of at least a line";
    let error = || ImpossibleConfig::Value { field, found: found.to_string(), accepted };
    (found.is_power_of_two() && found >= least).then_some(()).ok_or_else(error)
}
