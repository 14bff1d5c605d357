//! Clocks of the metadata table for an access (figure 4.13).
//!
//! The requests that a validation unit sent to its table in a run are sent through the table's circuit again,
//! as fast as it accepts them. All clocks beyond one per request are then due to the table itself: to walks
//! that displace entries.

use thiserror::Error;
use warpsmith_blocks::block::Design;
use warpsmith_blocks::getm_metadata::{Params, REQ, Request, Table};

use crate::backend::{BackendError, Models};
use crate::bench::Bench;
use crate::place::{Occupant, Place, Surroundings};

/// Utilisation of the precise table from which it counts as crowded.
pub const CROWDED: f64 = 0.9;
/// Clocks without progress after which the table counts as stuck.
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
    /// Mean clocks per request; none without requests.
    pub fn mean(self) -> Option<f64> {
        (self.requests > 0).then(|| self.clocks as f64 / self.requests as f64)
    }

    /// Adds those of another table.
    pub fn add(&mut self, other: Self) {
        self.requests += other.requests;
        self.clocks += other.clocks;
    }
}

/// Clocks of a table's requests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Accesses {
    /// Of all requests.
    pub all: Clocks,
    /// Of requests that met a [crowded](CROWDED) table.
    pub crowded: Clocks,
}

impl Accesses {
    /// Adds those of another table.
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
    /// The circuit reports an error or hangs.
    #[error("{0}")]
    Wrong(String),
}

/// Sends the requests through the table's circuit.
///
/// # Errors
/// Returns [`AccessError`] if the circuit cannot be simulated, reports an error or hangs.
pub fn measure(
    params: &Params,
    models: &Models,
    requests: &[Request],
) -> Result<Accesses, AccessError> {
    let bench = Bench::new(params, &params.circuit());
    let mut unit = Place::new(&bench, Occupant::Circuit(models), Surroundings::PLAIN)?;
    let mut table = Table::new(params);
    let mut accesses = Accesses::default();
    // Counting starts after the first request, which waits until the RAM is cleared.
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
            // The clocks until the next acceptance belong to this request.
            table.apply(&requests[taken]);
            last = Some(clock);
            taken += 1;
        } else if clock - last.unwrap_or(0) > STUCK {
            return Err(AccessError::Wrong(
                "the metadata table accepts no more requests".to_string(),
            ));
        }
    }
    Ok(accesses)
}
