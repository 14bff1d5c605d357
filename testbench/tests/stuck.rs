//! When a circuit counts as stuck: never because its environment stalls, always when one of its channels
//! stops forever.

mod support {
    pub mod equal;
}

use std::path::Path;

use warpsmith_blocks::verification::ChannelPlace;
use warpsmith_rtl::Bits;
use warpsmith_testbench::agents::Stalls;
use warpsmith_testbench::backend::{Backend, Models};
use warpsmith_testbench::bench::Bench;
use warpsmith_testbench::cosim::{Plan, Verdict, replay};
use warpsmith_testbench::episode::{Episode, Offer, Replay, Source};
use warpsmith_testbench::lockstep::run;
use warpsmith_testbench::model::{Model, ModelError};

use support::equal::{design, equal};

/// Here a surplus transfer makes up for one that was lost.
const MADE_UP_FOR: [(&str, &str); 2] = [("qr_write_cache", "inv_ack"), ("qr_write_cache", "done")];

const ALL_STALLS: [Stalls; 3] = [Stalls::None, Stalls::Random, Stalls::Long];

/// A circuit of which one channel fails.
struct Failing {
    model: Box<dyn Model>,
    place: ChannelPlace,
    how: Failure,
    from: u64,
    clock: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Failure {
    /// It drops its ready or valid and ignores the other side's.
    Closes,
    /// An input is ready at any time, and loses what it takes.
    Loses,
    /// One transfer is lost: the environment offered it, or the circuit did.
    LosesOne,
}

impl Model for Failing {
    fn clock(&mut self, inputs: &[u64], outputs: &mut [u64]) -> bool {
        let Self { model, place, how, from, clock } = self;
        *clock += 1;
        if clock < from {
            return model.clock(inputs, outputs);
        }
        let (own, other) = match place.is_input {
            true => (place.ready, place.valid),
            false => (place.valid, place.ready),
        };
        let mut seen = inputs.to_vec();
        // A valid-only channel has no other side.
        if let Some(word) = seen.get_mut(other) {
            *word = u64::from(*how == Failure::LosesOne && !place.is_input);
        }
        let sound = model.clock(&seen, outputs);
        let own = outputs.get_mut(own - inputs.len());
        let is_willing = own.as_ref().is_none_or(|word| **word != 0);
        let is_lost = is_willing && (!place.is_input || inputs[place.valid] != 0);
        if *how == Failure::LosesOne && is_lost {
            *from = u64::MAX;
        }
        let shown = match (&how, place.is_input) {
            (Failure::Closes, _) | (Failure::LosesOne, false) => false,
            (Failure::Loses, _) => true,
            (Failure::LosesOne, true) => is_willing,
        };
        if let Some(word) = own {
            *word = u64::from(shown);
        }
        sound
    }

    fn complaint(&mut self) -> Option<String> {
        self.model.complaint()
    }

    fn registers(&self) -> Vec<(String, Bits)> {
        self.model.registers()
    }

    fn open_waves(&mut self, path: &Path) -> Result<(), ModelError> {
        self.model.open_waves(path)
    }

    fn close_waves(&mut self) -> Result<(), ModelError> {
        self.model.close_waves()
    }
}

/// Runs every block, with each channel of `of` failing in that way at the first clock of `from` at which that is
/// found, for all or for some of the stalls.
fn finds(how: Failure, of: fn(&ChannelPlace) -> bool, from: &[u64], for_all_stalls: bool) {
    for block in warpsmith_blocks::all() {
        let design = design(block.name, "tiny");
        let circuit = design.circuit();
        let bench = Bench::new(&*design, &circuit);
        let models = Models::of_circuit(&circuit, Backend::Native, false).expect("models");
        let is_found = |place: &ChannelPlace, stalls, from: u64| {
            let model = models.instance().expect("a model");
            let mut model = Failing { model, place: place.clone(), how, from, clock: 0 };
            let straps = vec![0; bench.straps().len()];
            let source = Source::Stream { stream: 0, seed: 1, requests: 20_000 };
            let episode = Episode { straps: &straps, stalls, stall_seed: 1, warm: false, source };
            run(&bench, &mut model, &episode, 0).is_err()
        };
        let places = bench.places().iter().zip(bench.channels());
        for (place, channel) in places.filter(|(place, _)| of(place)) {
            if how == Failure::LosesOne && MADE_UP_FOR.contains(&(block.name, channel.name)) {
                continue;
            }
            let is_found =
                |stalls: &Stalls| from.iter().any(|from| is_found(place, *stalls, *from));
            let found: Vec<_> = ALL_STALLS.iter().map(is_found).collect();
            let found_in_all = found.iter().all(|found| *found);
            let is_enough = found_in_all || !for_all_stalls && found.contains(&true);
            assert!(is_enough, "{}: `{}`: {found:?} of {ALL_STALLS:?}", block.name, channel.name);
        }
    }
}

#[test]
fn a_channel_that_closes_for_ever_is_found() {
    finds(Failure::Closes, |_| true, &[900], true);
}

#[test]
fn a_channel_that_loses_what_it_takes_is_found() {
    finds(Failure::Loses, |place| place.is_input, &[900], true);
}

/// One transfer may mean nothing: a unit is told again what it was told, or the next acknowledgement does as well.
#[test]
fn a_transfer_that_is_lost_is_found() {
    let from: Vec<u64> = (0..20).map(|start| 900 + 499 * start).collect();
    finds(Failure::LosesOne, |_| true, &from, false);
}

#[test]
fn pauses_of_the_environment_are_no_fault_of_the_circuit() {
    for block in warpsmith_blocks::all() {
        for seed in 1..=3 {
            let stalls = Stalls::Long;
            let plan = Plan { requests: 20_000, seed, stream: 0, stalls, episodes: None };
            equal(&*design(block.name, "tiny"), Backend::Native, &plan);
        }
    }
}

#[test]
fn a_replay_may_offer_late() {
    let design = design("hmg_directory", "tiny");
    let circuit = design.circuit();
    let bench = Bench::new(&*design, &circuit);
    let models = Models::of_circuit(&circuit, Backend::Native, false).expect("models");
    let offer = |clock| Offer { channel: 0, payload: vec![0, 0, 0, 8], clock };
    let recorded = Replay {
        block: "hmg_directory".to_string(),
        params: serde_json::to_value(design.params()).expect("JSON"),
        straps: vec![0; bench.straps().len()],
        stalls: Stalls::None,
        stall_seed: 0,
        warm: false,
        reset_clocks: 1,
        offers: vec![offer(0), offer(5_000), offer(20_000)],
    };
    let (summary, verdict) = replay(&bench, &models, &recorded, None).expect("a run");
    assert!(matches!(verdict, Verdict::Equal), "{verdict:?}");
    assert_eq!(summary.requests, 3);
}

/// Without stalls a stream could continue with one kind of request forever.
#[test]
fn a_long_episode_without_stalls_offers_on_every_channel_to_its_end() {
    for block in warpsmith_blocks::all() {
        for seed in 1..=3 {
            let plan = |requests| Plan {
                requests,
                seed,
                stream: 0,
                stalls: Stalls::None,
                episodes: Some(1),
            };
            let design = design(block.name, "tiny");
            let transfers = |requests| {
                let summary = equal(&*design, Backend::Native, &plan(requests));
                summary.channels.into_iter().map(|channel| (channel.name, channel.transfers))
            };
            // The second half of the long run has about as many transfers as the whole short one.
            for ((name, half), (_, whole)) in transfers(50_000).zip(transfers(100_000)) {
                let second = whole - half;
                assert!(
                    4 * second >= half,
                    "{}, seed {seed}: `{name}`: {half} transfers, then {second}",
                    block.name
                );
            }
        }
    }
}
