//! Clocks of the metadata table for an access (figure 4.13).
//!
//! What a validation unit asked of its table in a run goes through the table's circuit again, as fast as
//! it takes it. So all clocks beyond one a request are the table's own: those of walks, in which it
//! displaces entries.

use thiserror::Error;
use warpsmith_blocks::block::Design;
use warpsmith_blocks::getm_metadata::{Params, REQ, Request, Table};

use crate::backend::{BackendError, Models};
use crate::bench::Bench;
use crate::place::{Occupant, Place, Surroundings};

/// Share of the precise table in use from which it counts as crowded.
pub const CROWDED: f64 = 0.9;
/// Clocks without any progress after which the table is stuck.
const STUCK: u64 = 100_000;

/// Requests and the clocks that they took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clocks {
    /// Requests.
    pub requests: u64,
    /// Clocks.
    pub clocks: u64,
}

impl Clocks {
    /// Clocks of a request; none if there was none.
    pub fn mean(self) -> Option<f64> {
        (self.requests > 0).then(|| self.clocks as f64 / self.requests as f64)
    }

    /// Together with another table's.
    pub fn add(&mut self, other: Self) {
        self.requests += other.requests;
        self.clocks += other.clocks;
    }
}

/// What the requests of a table took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Accesses {
    /// All of them.
    pub all: Clocks,
    /// Those that met a [crowded](CROWDED) table.
    pub crowded: Clocks,
}

impl Accesses {
    /// Together with another table's.
    pub fn add(&mut self, other: Self) {
        self.all.add(other.all);
        self.crowded.add(other.crowded);
    }
}

/// Why there is no figure.
#[derive(Debug, Error)]
pub enum AccessError {
    /// The circuit cannot be simulated.
    #[error(transparent)]
    Backend(#[from] BackendError),
    /// The circuit itself says that something is wrong, or takes nothing more.
    #[error("{0}")]
    Wrong(String),
}

/// Sends the requests through the table's circuit.
///
/// # Errors
/// See [`AccessError`].
pub fn measure(
    params: &Params,
    models: &Models,
    requests: &[Request],
) -> Result<Accesses, AccessError> {
    let bench = Bench::new(params, &params.circuit());
    let mut unit = Place::new(&bench, Occupant::Circuit(models), Surroundings::PLAIN)?;
    let mut table = Table::new(params);
    let mut accesses = Accesses::default();
    // After the first request, which waits until the circuit has cleared its RAM.
    let mut last: Option<u64> = None;
    let mut unsent = requests.iter();
    let mut taken = 0;
    for clock in 0.. {
        if taken == requests.len() {
            break;
        }
        if unit.queued(REQ) == 0
            && let Some(request) = unsent.next()
        {
            unit.offer(REQ, &request.encode());
        }
        let clocked = unit.clock(|_| false);
        clocked.map_err(|wrong| {
            AccessError::Wrong(format!("{}: {}", unit.block(), wrong.divergence))
        })?;
        if unit.transfers().any(|(channel, _)| channel == REQ) {
            if let Some(last) = last {
                let access = Clocks { requests: 1, clocks: clock - last };
                accesses.all.add(access);
                if table.occupancy() > CROWDED {
                    accesses.crowded.add(access);
                }
            }
            // The clocks until the next one is taken are this one's.
            table.apply(&requests[taken]);
            last = Some(clock);
            taken += 1;
        } else if clock - last.unwrap_or(0) > STUCK {
            return Err(AccessError::Wrong("the metadata table takes nothing more".to_string()));
        }
    }
    Ok(accesses)
}
