//! Clocks of the metadata table for an access (figure 4.13).
//!
//! What a validation unit asks its table is sent through the table's circuit too, as fast as that accepts it.
//! All clocks beyond one for a request are then due to the table itself: to walks that displace entries.

use warpsmith_blocks::getm_metadata::{Params, REQ, Request, Table};
use warpsmith_testbench::place::Place;

use crate::memory::{Circuits, MetadataClocks, RtlError};

/// Utilisation of the precise table from which it counts as crowded.
const CROWDED: f64 = 0.9;
/// Clocks without progress after which the table counts as stuck.
const STUCK: u64 = 100_000;

/// A table's circuit beside a validation unit, and what it took.
pub(super) struct MetadataAccess {
    circuit: Place,
    table: Table,
    /// Whether it has accepted a request: the clocks until the next are that request's.
    has_accepted: bool,
    pub clocks: MetadataClocks,
}

impl MetadataAccess {
    /// A table with these parameters.
    ///
    /// # Errors
    /// If the circuit cannot be simulated.
    pub fn new(params: &Params, circuits: &Circuits<Params>) -> Result<Self, RtlError> {
        Ok(Self {
            circuit: circuits.place(&[])?,
            table: Table::new(params),
            has_accepted: false,
            clocks: MetadataClocks::default(),
        })
    }

    /// The unit asks its table.
    ///
    /// # Errors
    /// What the circuit does wrong.
    pub fn ask(&mut self, request: &Request) -> Result<(), String> {
        self.circuit.offer(REQ, &request.encode());
        for clocks in 1..STUCK {
            let clocked = self.circuit.clock(|_| false);
            clocked.map_err(|wrong| format!("{}: {}", self.circuit.block(), wrong.divergence))?;
            if self.circuit.transfers().any(|(channel, _)| channel == REQ) {
                if std::mem::replace(&mut self.has_accepted, true) {
                    let crowded = u64::from(self.table.occupancy() > CROWDED);
                    self.clocks += MetadataClocks {
                        requests: 1,
                        clocks,
                        crowded_requests: crowded,
                        crowded_clocks: crowded * clocks,
                    };
                }
                self.table.apply(request);
                return Ok(());
            }
        }
        Err(format!("{} accepts no more requests", self.circuit.block()))
    }
}
