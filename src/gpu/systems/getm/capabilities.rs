//! Transactions of GETM, and the places of its blocks.

use warpsmith_testbench::verilator::Warning;

use super::Getm;
use super::designs::{self, designs};
use super::units::Units;
use crate::config::Config;
use crate::memory::{RtlError, RtlSettings, Seats, Shared, TransactionCounts, Transactions};

impl Transactions for Getm {
    fn begin(&mut self, shared: &mut Shared, core: u32, warp: u32, lanes: u32) {
        self.begin_transaction(shared, core, warp, lanes);
    }

    fn commit(&mut self, shared: &mut Shared, core: u32, warp: u32, _: u32) {
        self.end(shared, core, warp);
    }

    fn counts(&self) -> TransactionCounts {
        let counters = || self.units.iter().map(|units| &units.counters);
        let validations = counters().map(|counters| counters.validations).sum();
        let units = (!self.units.is_empty()).then(|| self.queued.counts(counters()));
        let crossbar_bytes = self.fabric.crossbar_bytes();
        TransactionCounts { validations, crossbar_bytes, units, ..self.counts.clone() }
    }

    fn time_metadata(&mut self, config: &Config, settings: &RtlSettings) -> Result<(), RtlError> {
        Units::time_metadata(&mut self.units, &designs(config), settings)
    }
}

impl Seats for Getm {
    fn use_rtl(
        &mut self,
        config: &Config,
        settings: &RtlSettings,
        chosen: &[bool],
    ) -> Result<Vec<Warning>, RtlError> {
        let [validation, commit, ring] = designs::by_block(chosen);
        let units = [&validation[..], &commit];
        let mut warnings = Units::use_rtl(&mut self.units, &designs(config), settings, units)?;
        warnings.extend(self.ring.use_rtl(settings, &ring)?);
        Ok(warnings)
    }

    fn compared(&self) -> u64 {
        self.units.iter().map(Units::compared).sum::<u64>() + self.ring.compared()
    }
}
