//! What some memory systems can do besides: transactions, blocks as RTL, CPUs.

use std::fmt::Debug;

use warpsmith_testbench::verilator::Warning;

use super::{RtlError, RtlSettings, Shared, TransactionCounts};
use crate::config::Config;

/// Transactions of warps.
pub trait Transactions: Debug {
    /// A transaction begins, in the lanes of the mask. [`super::Done::Synchronised`] lets the warp go on.
    fn begin(&mut self, shared: &mut Shared, core: u32, warp: u32, lanes: u32);

    /// A warp has come to the end of its transaction, and all its answers have come. The answer is
    /// [`super::Done::TransactionEnded`].
    fn commit(&mut self, shared: &mut Shared, core: u32, warp: u32, lanes: u32);

    /// Counts since the machine was made.
    fn counts(&self) -> TransactionCounts;

    /// Counts the clocks of GETM's metadata tables from now on; of other systems nothing.
    ///
    /// # Errors
    /// If the table's circuit cannot be simulated.
    fn time_metadata(&mut self, _: &Config, _: &RtlSettings) -> Result<(), RtlError> {
        Ok(())
    }
}

/// Places for blocks as RTL.
pub trait Seats: Debug {
    /// Puts RTL in the `chosen` of [`super::System::places`]; gives what Verilator warns of.
    ///
    /// # Errors
    /// If the circuit cannot be simulated.
    fn use_rtl(
        &mut self,
        config: &Config,
        settings: &RtlSettings,
        chosen: &[bool],
    ) -> Result<Vec<Warning>, RtlError>;

    /// Transfers that were compared with a reference.
    fn compared(&self) -> u64;
}

/// CPUs at a directory that they share with the GPU.
pub trait CpuSide: Debug {
    /// Takes an access of a CPU, of one lane; [`super::Done::Access`] tells its end.
    fn submit_of_cpu(&mut self, shared: &mut Shared, access: u32);
}
