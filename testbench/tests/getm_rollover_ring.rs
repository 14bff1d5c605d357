//! Stations of the roll-over ring connected to a ring: whoever stops, all units roll over once, and none is
//! cleared before all have stopped, the cores have halted and its commit unit is drained.

use rand::{RngExt, SeedableRng};
use warpsmith_blocks::block::Design;
use warpsmith_blocks::getm_rollover_ring::{
    DRAINED, ERROR, HALT, HALTED, LINE_IN, LINE_OUT, Message, Params, RESUME, ROLL, ROLLED, Roll,
};
use warpsmith_blocks::verification::StimulusRng;
use warpsmith_testbench::agents::Stalls;
use warpsmith_testbench::backend::{Backend, Models};
use warpsmith_testbench::bench::Bench;
use warpsmith_testbench::place::{Occupant, Place, Surroundings};

/// Clocks in which any roll-over ends.
const LIMIT: u64 = 20_000;

/// A validation unit with its commit unit.
#[derive(Clone, Default)]
struct Unit {
    stopped: bool,
    cleared: u64,
    /// When it stops by itself.
    stops_at: Option<u64>,
    /// When it says that it has done what it was told: whether to go on.
    does: Option<(u64, bool)>,
    drained: bool,
}

struct Ring {
    stations: Vec<Place>,
    units: Vec<Unit>,
    rng: StimulusRng,
    now: u64,
    halts_at: Option<(u64, usize)>,
    halted: u64,
    resumed: u64,
}

impl Ring {
    fn new(units: usize, stalls: Stalls, seed: u64) -> Self {
        let params = Params { units: units as u32 };
        let bench = Bench::new(&params, &params.circuit());
        let models = Models::of_circuit(&params.circuit(), Backend::Native, false).expect("models");
        let station = |unit: usize| {
            let straps = [unit as u64];
            let surroundings = Surroundings { straps: &straps, stalls, seed: seed + unit as u64 };
            Place::new(&bench, Occupant::Shadowed(&models), surroundings).expect("a model")
        };
        Self {
            stations: (0..units).map(station).collect(),
            units: vec![Unit::default(); units],
            rng: StimulusRng::seed_from_u64(seed),
            now: 0,
            halts_at: None,
            halted: 0,
            resumed: 0,
        }
    }

    /// One roll-over, in which units stop by themselves at these clocks from now, unless they were told before.
    fn roll_over(&mut self, stops: &[Option<u64>]) {
        let round = self.resumed + 1;
        for (unit, at) in self.units.iter_mut().zip(stops) {
            unit.stops_at = at.map(|at| self.now + at);
        }
        let end = self.now + LIMIT;
        while self.resumed < round {
            assert!(self.now < end, "{stops:?}: no end");
            self.clock();
        }
        assert_eq!((self.halted, self.resumed), (round, round), "{stops:?}");
        let rolled = |unit: &Unit| !unit.stopped && unit.cleared == round;
        assert!(self.units.iter().all(rolled), "{stops:?}: every unit rolls over once");
    }

    fn clock(&mut self) {
        self.now += 1;
        let count = self.stations.len();
        for index in 0..count {
            self.unit_acts(index);
            let next_is_busy = self.stations[(index + 1) % count].queued(LINE_IN) > 0;
            let clocked = self.stations[index].clock(|channel| channel == LINE_OUT && next_is_busy);
            clocked.unwrap_or_else(|wrong| panic!("station {index}: {wrong:#?}"));
            let said: Vec<_> = self.stations[index]
                .transfers()
                .map(|(c, payload)| (c, payload.to_vec()))
                .collect();
            said.into_iter().for_each(|(channel, payload)| self.hears(index, channel, &payload));
        }
        if let Some((_, station)) = self.halts_at.take_if(|(at, _)| *at <= self.now) {
            self.stations[station].offer(HALTED, &[]);
        }
    }

    fn unit_acts(&mut self, index: usize) {
        let unit = &mut self.units[index];
        let mut says = unit.does.take_if(|(at, _)| *at <= self.now).map(|(_, go)| go);
        if unit.stops_at.take_if(|at| *at <= self.now).is_some() && !unit.stopped {
            says = says.or(Some(false));
        }
        if let Some(go) = says.filter(|go| *go == unit.stopped) {
            unit.stopped = !go;
            unit.cleared += u64::from(go);
            self.stations[index].offer(ROLLED, &Roll { go }.encode());
        }
        let unit = &mut self.units[index];
        // Logs come until the cores have halted.
        unit.drained = self.halted > self.resumed && self.halts_at.is_none() && self.rng.random();
        if unit.drained || self.rng.random_range(0..16) == 0 && self.halted == self.resumed {
            self.stations[index].offer(DRAINED, &[]);
        }
    }

    fn hears(&mut self, index: usize, channel: usize, payload: &[u64]) {
        let later = self.now + self.rng.random_range(0..12);
        let all = |stopped: bool| self.units.iter().all(|unit| unit.stopped == stopped);
        match channel {
            LINE_OUT => {
                let Message { go, origin } = Message::decode(payload);
                let next = (index + 1) % self.stations.len();
                self.stations[next].offer(LINE_IN, &Message { go, origin }.encode());
            }
            ROLL => {
                let go = Roll::decode(payload).go;
                assert!(
                    !go || self.halted > self.resumed,
                    "unit {index} is cleared while cores run"
                );
                self.units[index].does = Some((later, go));
            }
            HALT => {
                assert!(all(true), "the cores halt before every unit has stopped");
                self.halts_at = Some((later, index));
                self.halted += 1;
            }
            RESUME => {
                assert!(all(false), "the cores resume before every unit is cleared");
                self.resumed += 1;
            }
            ERROR => panic!("station {index} raises error {payload:?}"),
            _ => {}
        }
    }
}

#[test]
fn whoever_stops_at_once_all_units_roll_over_once() {
    let clocks = [None, Some(1), Some(2), Some(7), Some(11), Some(16), Some(30)];
    let mut ring = Ring::new(3, Stalls::None, 1);
    for choice in 1..clocks.len().pow(3) {
        let at = |unit: u32| clocks[choice / clocks.len().pow(unit) % clocks.len()];
        ring.roll_over(&[at(0), at(1), at(2)]);
    }
}

#[test]
fn rings_of_2_to_16_units_roll_over_with_stalls_whoever_stops() {
    let seed = std::env::var("SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(5);
    println!("seed {seed}");
    for units in [2, 3, 4, 6, 9, 16] {
        let mut ring = Ring::new(units, Stalls::Random, seed);
        for _ in 0..40 {
            let mut stops: Vec<_> = (0..units)
                .map(|_| ring.rng.random::<bool>().then(|| ring.rng.random_range(1..60)))
                .collect();
            stops[ring.rng.random_range(0..units)] = Some(1);
            ring.roll_over(&stops);
        }
    }
}
