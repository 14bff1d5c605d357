//! The ring on which the validation units roll over together (4.5.2): a station at each partition, as reference or
//! as circuit of the block `getm_rollover_ring`. A core sends its last log before it counts as halted.

use std::collections::VecDeque;

use warpsmith_blocks::block::Design;
use warpsmith_blocks::getm_rollover_ring::{
    DRAINED, ERROR, HALT, HALTED, LINE_IN, LINE_OUT, Params, RESUME, ROLL, ROLLED, Roll,
};
use warpsmith_testbench::bench::Bench;
use warpsmith_testbench::place::{Occupant, Place, Surroundings};
use warpsmith_testbench::verilator::Warning;

use super::designs::put_circuits;
use crate::memory::{RtlError, RtlSettings};

/// Clocks of a hop between stations.
const HOP: u64 = 4;

/// What a station says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// To its unit: stop, or clear the tables and go on.
    Roll { unit: usize, go: bool },
    /// The cores must abort their transactions and begin none.
    Halt,
    /// The cores may begin again, at time zero.
    Resume,
}

/// The ring.
pub(super) struct Ring {
    params: Params,
    stations: Vec<Place>,
    /// Messages under way: when they arrive, where, and what they say.
    messages: VecDeque<(u64, usize, Vec<u64>)>,
    /// References that wait for their unit, and are given no message: a circuit is not ready for one.
    waits: Vec<bool>,
    is_circuit: Vec<bool>,
    /// The station that has asked the cores to halt, until they have.
    halting: Option<usize>,
    now: u64,
}

impl std::fmt::Debug for Ring {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "ring of {} stations", self.stations.len())
    }
}

impl Ring {
    /// The references of the stations of so many units.
    pub fn new(units: usize) -> Self {
        // A unit alone passes messages to itself.
        let params = Params { units: units.max(2) as u32 };
        let bench = Bench::new(&params, &params.circuit());
        let station = |unit: usize| {
            let surroundings = Surroundings { straps: &[unit as u64], ..Surroundings::PLAIN };
            let place = Place::new(&bench, Occupant::Reference, surroundings);
            place.unwrap_or_else(|error| panic!("a reference needs no model: {error}"))
        };
        let stations = (0..units).map(station).collect();
        let (messages, waits) = (VecDeque::new(), vec![false; units]);
        let is_circuit = waits.clone();
        Self { params, stations, messages, waits, is_circuit, halting: None, now: 0 }
    }

    /// Puts circuits in the chosen stations.
    ///
    /// # Errors
    /// If a circuit cannot be simulated.
    pub fn use_rtl(
        &mut self,
        settings: &RtlSettings,
        chosen: &[bool],
    ) -> Result<Vec<Warning>, RtlError> {
        let Self { params, stations, is_circuit, .. } = self;
        let strap = |unit: usize| vec![unit as u64];
        put_circuits(params, settings, chosen, strap, |unit, place| {
            (stations[unit], is_circuit[unit]) = (place, true);
        })
    }

    /// Transfers that were compared with the references.
    pub fn compared(&self) -> u64 {
        self.stations.iter().map(Place::compared).sum()
    }

    /// A unit reports that it has stopped; or, with `go`, that it is cleared and goes on.
    pub fn rolled(&mut self, unit: usize, go: bool) {
        self.waits[unit] = false;
        self.stations[unit].offer(ROLLED, &Roll { go }.encode());
    }

    /// One clock. `halted`: no core runs a transaction, and the partitions have all logs. `is_drained`: whether a
    /// commit unit has released them.
    ///
    /// # Errors
    /// What a station does wrong.
    pub fn clock(
        &mut self,
        halted: bool,
        is_drained: impl Fn(usize) -> bool,
    ) -> Result<Vec<Order>, String> {
        self.now += 1;
        if let Some(unit) = self.halting.take_if(|_| halted) {
            self.stations[unit].offer(HALTED, &[]);
        }
        let next = |unit: usize| (unit + 1) % self.stations.len();
        let next: Vec<_> = (0..self.stations.len()).map(next).collect();
        let mut orders = Vec::new();
        for (unit, station) in self.stations.iter_mut().enumerate() {
            let is_next = |(due, to, _): &(u64, usize, _)| *due <= self.now && *to == unit;
            if !self.waits[unit]
                && station.queued(LINE_IN) == 0
                && let Some(at) = self.messages.iter().position(is_next)
                && let Some((.., message)) = self.messages.remove(at)
            {
                station.offer(LINE_IN, &message);
            }
            if is_drained(unit) && station.queued(DRAINED) == 0 {
                station.offer(DRAINED, &[]);
            }
            let clocked = station.clock(|_| false);
            clocked.map_err(|wrong| {
                let (block, clock) = (station.block(), wrong.clock);
                format!("partition {unit}: {block}, its clock {clock}: {wrong}")
            })?;
            for (channel, payload) in station.transfers() {
                match channel {
                    ROLL => {
                        self.waits[unit] = !self.is_circuit[unit];
                        orders.push(Order::Roll { unit, go: Roll::decode(payload).go });
                    }
                    LINE_OUT => {
                        self.messages.push_back((self.now + HOP, next[unit], payload.to_vec()));
                    }
                    HALT => {
                        self.halting = Some(unit);
                        orders.push(Order::Halt);
                    }
                    RESUME => orders.push(Order::Resume),
                    ERROR => {
                        let block = station.block();
                        return Err(format!(
                            "partition {unit}: {block} reports error {}",
                            payload[0]
                        ));
                    }
                    _ => {}
                }
            }
        }
        Ok(orders)
    }
}
