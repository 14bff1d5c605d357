//! A machine of several partitions, and the figures of a workload on it.

use serde::Serialize;
use thiserror::Error;
use warpsmith_blocks::block::Design;

use super::metadata_access::{self, AccessError, Accesses};
use super::run::{Begins, Plan, Report, RunError, Source, run};
use super::timestamp::Timestamps;
use super::units::{Designs, Manner, Units};
use crate::agents::Stalls;
use crate::backend::{Backend, BackendError, Models};
use crate::bench::Bench;
use crate::place::Occupant;

/// Models of the two units, and of the metadata table alone.
pub struct Machine {
    designs: Designs,
    validation: Models,
    commit: Models,
    table: Models,
}

/// The size and settings of a load.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Load {
    /// Number of partitions.
    pub partitions: u64,
    /// Number of cores.
    pub cores: u64,
    /// Warps of all cores.
    pub warps: u64,
    /// Lanes per warp.
    pub lanes: u64,
    /// Transactions that each lane commits.
    pub transactions: u64,
    /// Longest time of a message between a core and a partition, in clocks.
    pub latency: u64,
    /// Clocks of the pause after an abort, for each abort so far.
    pub back_off: u64,
    /// Time at which new transactions begin.
    pub begins: Begins,
    /// Clocks of the validation unit per clock of the commit unit.
    pub commit_clock: u64,
    /// Stalls at the units' channels.
    pub stalls: Stalls,
    /// Seed of everything random.
    pub seed: u64,
}

/// A correct run and its figures.
#[derive(Clone, Debug)]
pub struct Trace {
    /// Report of the run.
    pub report: Report,
    /// Clocks of the metadata tables' accesses.
    pub accesses: Accesses,
    /// Requests to the overflow space in memory.
    pub overflow_requests: u64,
}

/// Why a run has no trace.
#[derive(Debug, Error)]
pub enum MachineError {
    /// A circuit cannot be simulated.
    #[error(transparent)]
    Backend(#[from] BackendError),
    /// The run is incorrect.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The run of the metadata table alone is incorrect.
    #[error("the metadata table alone: {0}")]
    Access(AccessError),
}

impl Machine {
    /// A machine with the circuits of the designs.
    ///
    /// # Errors
    /// Fails if no model can be built.
    pub fn new(designs: Designs, backend: Backend) -> Result<Self, BackendError> {
        let models = |design: &dyn Design| Models::of_circuit(&design.circuit(), backend, false);
        let (validation, commit) = (models(&designs.validation)?, models(&designs.commit)?);
        Self::of_models(designs, validation, commit, backend)
    }

    /// A machine with these models in the place of the two units.
    ///
    /// # Errors
    /// Fails if the metadata table's model cannot be built.
    pub fn of_models(
        designs: Designs,
        validation: Models,
        commit: Models,
        backend: Backend,
    ) -> Result<Self, BackendError> {
        let table = designs.validation.table().circuit();
        let table = Models::of_circuit(&table, backend, false)?;
        Ok(Self { designs, validation, commit, table })
    }

    /// Runs a workload's transactions to their end, with a limit of concurrent warps per core, and judges
    /// them.
    ///
    /// # Errors
    /// Returns [`MachineError`] if the run is incorrect.
    pub fn run(
        &self,
        load: &Load,
        concurrency: u64,
        source: &dyn Source,
    ) -> Result<Trace, MachineError> {
        let &Load { commit_clock, stalls, seed, .. } = load;
        let Designs { validation, commit } = &self.designs;
        let benches = [validation as &dyn Design, commit].map(|d| Bench::new(d, &d.circuit()));
        let [validation, commit] = &benches;
        let validation = (validation, Occupant::Circuit(&self.validation));
        let commit = (commit, Occupant::Circuit(&self.commit));
        let units = |number: u64| {
            let seed = seed.wrapping_add(number << 32);
            let manner = Manner { commit_clock, stalls, seed };
            Units::new(&self.designs, [validation, commit], manner)
        };
        let mut partitions = (0..load.partitions).map(units).collect::<Result<Vec<_>, _>>()?;
        let params = &self.designs.validation;
        let plan = Plan {
            cores: load.cores,
            warps: load.warps,
            concurrency,
            lanes: load.lanes,
            transactions: load.transactions,
            granule_bytes: params.granule_bytes.into(),
            latency: load.latency,
            back_off: load.back_off,
            begins: load.begins,
            timestamps: Timestamps::Unique { warp_bits: params.owner_bits },
            seed,
        };
        let report = run(&mut partitions, &plan, source)?;
        let mut accesses = Accesses::default();
        for units in &partitions {
            let of_one = metadata_access::measure(&params.table(), &self.table, units.asked());
            accesses.add(of_one.map_err(MachineError::Access)?);
        }
        let overflow_requests = partitions.iter().map(Units::overflow_requests).sum();
        Ok(Trace { report, accesses, overflow_requests })
    }
}
