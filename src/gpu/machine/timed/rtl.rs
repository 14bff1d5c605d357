//! RTL in the places of blocks.

use warpsmith_testbench::backend::Backend;
use warpsmith_testbench::verilator::Warning;

use super::Machine;
use crate::memory::{RtlError, RtlSettings};

impl Machine {
    /// Puts the RTL of blocks in the place of their reference; gives what Verilator warns of.
    ///
    /// # Errors
    /// If there is no such place, or the circuit cannot be simulated.
    pub fn use_rtl(&mut self, settings: &RtlSettings) -> Result<Vec<Warning>, RtlError> {
        let chosen = settings.chosen(&(self.kind.places)(&self.config), self.kind.name)?;
        let seats = self.system.seats();
        let used = seats.map(|seats| seats.use_rtl(&self.config, settings, &chosen));
        let warnings = used.transpose()?.unwrap_or_default();
        self.rtl.push(settings.clone());
        Ok(warnings)
    }

    /// Counts the clocks of GETM's metadata tables from now on (figure 4.13); of other systems nothing.
    ///
    /// # Errors
    /// If the table's circuit cannot be simulated.
    pub fn time_metadata(&mut self, backend: Backend) -> Result<(), RtlError> {
        let settings = RtlSettings { places: Vec::new(), backend, dut: None, shadow: false };
        if let Some(transactions) = self.system.transactions() {
            transactions.time_metadata(&self.config, &settings)?;
        }
        self.times_metadata = Some(settings);
        Ok(())
    }

    /// Transfers of RTL that were compared with the reference.
    pub fn compared(&mut self) -> u64 {
        self.system.seats().map_or(0, |seats| seats.compared())
    }

    /// Puts RTL in its places in a new memory system. It could be simulated before, and is now as it was then.
    pub(super) fn use_rtl_again(&mut self) {
        for settings in std::mem::take(&mut self.rtl) {
            let _ = self.use_rtl(&settings);
        }
        if let (Some(settings), Some(it)) = (&self.times_metadata, self.system.transactions()) {
            let _ = it.time_metadata(&self.config, settings);
        }
    }
}
