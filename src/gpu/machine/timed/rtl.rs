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
        let warnings = self.system.use_rtl(&self.config, settings, &chosen)?;
        self.rtl.push(settings.clone());
        Ok(warnings)
    }

    /// Counts the clocks of GETM's metadata tables from now on (figure 4.13); of other systems nothing.
    ///
    /// # Errors
    /// If the table's circuit cannot be simulated.
    pub fn time_metadata(&mut self, backend: Backend) -> Result<(), RtlError> {
        let settings = RtlSettings { places: Vec::new(), backend, dut: None, shadow: false };
        self.system.time_metadata(&self.config, &settings)?;
        self.times_metadata = Some(settings);
        Ok(())
    }

    /// Transfers of directories' RTL that were compared with the reference.
    pub fn compared(&self) -> u64 {
        self.system.compared()
    }

    /// Puts RTL in its places in a new memory system. It could be simulated before, and is now as it was then.
    pub(super) fn use_rtl_again(&mut self) {
        for settings in std::mem::take(&mut self.rtl) {
            let _ = self.use_rtl(&settings);
        }
        if let Some(settings) = &self.times_metadata {
            let _ = self.system.time_metadata(&self.config, settings);
        }
    }
}
