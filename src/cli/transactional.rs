//! Arguments about transactions.

use clap::Args;

use super::UserError;
use crate::gpu::config::Config;
use crate::gpu::systems::System;

#[derive(Debug, Args)]
pub(super) struct TransactionArgs {
    /// Warps of a core that may run transactions at once; 0: no limit. Default: as the machine says
    #[arg(long, value_name = "WARPS")]
    concurrency: Option<u32>,
    /// The paper's rules as they stand: warps may have the same timestamp, so that write skew is possible, and none
    /// runs its transactions alone
    #[arg(long)]
    faithful: bool,
}

impl TransactionArgs {
    /// Changes a machine.
    pub(super) fn apply(&self, config: &mut Config, system: System) -> Result<(), UserError> {
        if !System::TRANSACTIONAL.contains(&system) {
            return self.refuse(&format!("the memory system {}", system.name));
        }
        let transactions = &mut config.transactions;
        transactions.concurrency = self.concurrency.unwrap_or(transactions.concurrency);
        transactions.faithful |= self.faithful;
        Ok(())
    }

    /// Rejects arguments that would have no effect.
    pub(super) fn refuse(&self, because: &str) -> Result<(), UserError> {
        let given = [(self.concurrency.is_some(), "--concurrency"), (self.faithful, "--faithful")];
        match given.iter().find(|(given, _)| *given) {
            Some((_, name)) => Err(UserError::new(format!(
                "{name} needs a memory system with transactions, which {because} excludes"
            ))),
            None => Ok(()),
        }
    }
}
