//! One episode: a circuit and its reference side by side.
//!
//! In lockstep the judge checks every clock before the next. Where there are cores to spare, the circuit may run
//! ahead of its judge, which then works on another core; the judgement is the same.

use std::sync::{Arc, mpsc};
use std::thread;

use warpsmith_blocks::corners::Corners;
use warpsmith_blocks::verification::{Channels, Handshakes};

use crate::bench::Bench;
use crate::circuit::Circuit;
use crate::environment::Environment;
use crate::episode::{Episode, EpisodeStats, Offer, Source};
use crate::judge::Judge;
use crate::mismatch::{Divergence, Mismatch};
use crate::model::Model;

/// Clocks to watch after the last expected transfer, for surplus ones.
const REST: u64 = 300;
/// Most batches of clocks that the circuit runs ahead of its judge.
const BATCHES_AHEAD: usize = 3;
const BATCH_CLOCKS: usize = 4096;

/// Sometimes receives the number of requests offered so far. False: the episode is not wanted any more, and ends
/// with what was judged so far.
pub type Progress<'p> = &'p mut dyn FnMut(u64) -> bool;

/// A failed episode.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The divergence.
    pub mismatch: Mismatch,
    /// Counts including the divergent clock.
    pub stats: EpisodeStats,
    /// The corners met until then.
    pub corners: Corners,
    /// The last offers, the latest last; none of a run that kept nothing for a report.
    pub offers: Vec<Offer>,
}

impl Failure {
    fn new(judge: &Judge, mismatch: Box<Mismatch>, offers: Vec<Offer>) -> Box<Self> {
        let (stats, corners) = judge.so_far();
        Box::new(Self { mismatch: *mismatch, stats, corners, offers })
    }
}

/// Runs an episode in lockstep after a reset. After a divergence the model runs for `run_on` more clocks, for
/// its waves.
///
/// # Errors
/// Returns the first divergence.
pub fn run(
    bench: &Bench<'_>,
    model: &mut dyn Model,
    episode: &Episode<'_>,
    run_on: u64,
) -> Result<(EpisodeStats, Corners), Box<Failure>> {
    run_told(bench, model, episode, run_on, &mut |_| true)
}

/// As [`run`], telling how far it is.
///
/// # Errors
/// Returns the first divergence.
pub fn run_told(
    bench: &Bench<'_>,
    model: &mut dyn Model,
    episode: &Episode<'_>,
    run_on: u64,
    progress: Progress<'_>,
) -> Result<(EpisodeStats, Corners), Box<Failure>> {
    let mut subject = Subject::reset(bench, model, episode);
    let mut judge = Judge::new(bench, episode.straps, episode.stall_seed);
    let begun = subject.begun(&judge);
    let ended = begun.and_then(|()| subject.run_to_rest(&mut judge, progress));
    let Err(mismatch) = ended else { return Ok(judge.so_far()) };
    let mut failure = Failure::new(&judge, mismatch, subject.environment.recent_offers(bench));
    failure.mismatch.registers = subject.circuit.registers();
    judge.name_rule(&mut failure.mismatch, &mut subject.circuit, |circuit| {
        let driven = subject.environment.drive(&mut circuit.ports);
        circuit.clock(driven);
        subject.environment.observe(circuit.channels());
    });
    for _ in 0..run_on {
        subject.step();
    }
    Err(failure)
}

/// Runs an episode in lockstep, but keeps nothing for a report, which is faster.
///
/// # Errors
/// Returns the divergence as the judge saw it; [`run`] gives the full report.
pub fn run_briefly(
    bench: &Bench<'_>,
    model: &mut dyn Model,
    episode: &Episode<'_>,
    progress: Progress<'_>,
) -> Result<(EpisodeStats, Corners), Box<Failure>> {
    let mut subject = Subject::reset(bench, model, episode).without_offers();
    let mut judge = Judge::new(bench, episode.straps, episode.stall_seed).without_history();
    let begun = subject.begun(&judge);
    let ended = begun.and_then(|()| subject.run_to_rest(&mut judge, progress));
    as_seen(&judge, ended)
}

/// The end of a run that kept nothing for a report.
fn as_seen(
    judge: &Judge,
    ended: Result<(), Box<Mismatch>>,
) -> Result<(EpisodeStats, Corners), Box<Failure>> {
    match ended {
        Ok(()) => Ok(judge.so_far()),
        Err(mismatch) => Err(Failure::new(judge, mismatch, Vec::new())),
    }
}

/// As [`run_briefly`], with the circuit ahead of its judge.
///
/// # Errors
/// Returns the divergence as the judge saw it; [`run`] gives the full report.
pub fn run_ahead(
    bench: &Bench<'_>,
    model: &mut dyn Model,
    episode: &Episode<'_>,
    progress: Progress<'_>,
) -> Result<(EpisodeStats, Corners), Box<Failure>> {
    let mut subject = Subject::reset(bench, model, episode).without_offers();
    let words = bench.port_words();
    let mut judge = Judge::new(bench, episode.straps, episode.stall_seed).without_history();
    if let Err(early) = subject.begun(&judge) {
        return as_seen(&judge, Err(early));
    }
    let (to_judge, batches) = mpsc::sync_channel::<Vec<u64>>(BATCHES_AHEAD);
    let (give_back, judged) = mpsc::channel();
    for _ in 0..BATCHES_AHEAD {
        let room = Vec::with_capacity(BATCH_CLOCKS * (words + 2));
        give_back.send(room).expect("the receiver is here");
    }
    let wiring = Arc::clone(bench.wiring());
    let (mut judge, mut judged_all) = thread::scope(|scope| {
        let judging = scope.spawn(move || {
            for mut batch in batches {
                let judged = batch.chunks_exact(words + 2).try_for_each(|clock| {
                    let (ports, handshakes) = clock.split_at(words);
                    let handshakes = Handshakes { valid: handshakes[0], ready: handshakes[1] };
                    judge.clock(Channels::new(wiring.places(), ports, handshakes))
                });
                if let Err(found) = judged {
                    return (judge, Err(found));
                }
                batch.clear();
                // The receiver is gone once everything was run.
                let _ = give_back.send(batch);
            }
            (judge, Ok(()))
        });
        // The judge ends, and closes its channels, when it finds a divergence.
        while let (false, Ok(mut batch)) = (subject.environment.is_exhausted(), judged.recv()) {
            let mut sound = true;
            while sound
                && batch.len() < BATCH_CLOCKS * (words + 2)
                && !subject.environment.is_exhausted()
            {
                sound = subject.step();
                if !sound && subject.circuit.model.is_over() {
                    break;
                }
                // A loop: too few words for a call of `memcpy` to pay.
                batch.extend(subject.circuit.ports.iter().copied());
                let Handshakes { valid, ready } = subject.circuit.channels().handshakes();
                batch.extend([valid, ready]);
            }
            if to_judge.send(batch).is_err() || !sound || !progress(subject.environment.offered()) {
                break;
            }
        }
        drop(to_judge);
        judging.join().expect("the judge does not panic")
    });
    if let (Ok(()), Some(message)) = (&judged_all, subject.circuit.model.complaint()) {
        judged_all = Err(judge.mismatch(Divergence::Complaint { message, never_alive: false }));
    }
    let ended = judged_all.and_then(|()| subject.run_to_rest(&mut judge, progress));
    as_seen(&judge, ended)
}

/// The registers of a model after the edge of that clock of an episode, or at the episode's end if earlier.
pub fn registers_at(
    bench: &Bench<'_>,
    model: &mut dyn Model,
    episode: &Episode<'_>,
    clock: u64,
) -> Vec<(String, String)> {
    let mut subject = Subject::reset(bench, model, episode);
    (0..clock).take_while(|_| subject.step()).for_each(drop);
    subject.circuit.registers()
}

/// The words of all ports in each of the first clocks of an episode.
pub fn ports_of(
    bench: &Bench<'_>,
    model: &mut dyn Model,
    episode: &Episode<'_>,
    clocks: usize,
) -> Vec<Vec<u64>> {
    let mut subject = Subject::reset(bench, model, episode);
    let mut ports = || {
        subject.step();
        subject.circuit.ports.clone()
    };
    (0..clocks).map(|_| ports()).collect()
}

/// A circuit in its environment.
struct Subject<'r> {
    circuit: Circuit<&'r mut dyn Model>,
    environment: Environment<'r>,
    /// A divergence because the model stopped before the episode began.
    early: Option<Divergence>,
}

impl<'r> Subject<'r> {
    /// Powers the model up and resets it.
    fn reset(bench: &Bench<'_>, model: &'r mut dyn Model, episode: &Episode<'r>) -> Self {
        let circuit = Circuit::new(bench.wiring(), model, episode.straps);
        let environment = Environment::new(bench, episode);
        let mut subject = Self { circuit, environment, early: None };
        subject.circuit.model.power_up(episode.stall_seed);
        subject.circuit.reset();
        subject.look_if_over("in the clock of the first reset", true);
        if episode.warm {
            subject.warm(bench, episode);
            subject.circuit.reset();
            subject.look_if_over("in a reset in the middle of requests", false);
        }
        // Complaints from before the reset have no meaning.
        let _ = subject.circuit.model.complaint();
        subject
    }

    /// The same, without the latest offers.
    fn without_offers(self) -> Self {
        Self { environment: self.environment.without_offers(), ..self }
    }

    /// Applies requests that are not judged, so that the next reset finds the circuit busy.
    fn warm(&mut self, bench: &Bench<'_>, episode: &Episode<'_>) {
        let source = Source::Stream { stream: 0, seed: episode.stall_seed, requests: u64::MAX };
        let mut others = Environment::new(bench, &Episode { source, ..episode.clone() });
        let mut never_alive = true;
        for clock in 1..=bench.warming() {
            let driven = others.drive(&mut self.circuit.ports);
            self.circuit.clock(driven);
            if self.circuit.model.is_over() {
                let when = format!("at clock {clock} of the requests before the reset");
                return self.look_if_over(&when, never_alive);
            }
            let channels = self.circuit.channels();
            never_alive &= channels.handshakes().fire() == 0;
            others.observe(channels);
        }
    }

    fn look_if_over(&mut self, when: &str, never_alive: bool) {
        if self.early.is_none()
            && self.circuit.model.is_over()
            && let Some(message) = self.circuit.model.complaint()
        {
            let message = format!("{message}, {when}");
            self.early = Some(Divergence::Complaint { message, never_alive });
        }
    }

    /// Reports a model that stopped before the episode began.
    fn begun(&mut self, judge: &Judge) -> Result<(), Box<Mismatch>> {
        self.early.take().map_or(Ok(()), |early| Err(judge.mismatch(early)))
    }

    /// One clock. False if the model has a complaint.
    fn step(&mut self) -> bool {
        let driven = self.environment.drive(&mut self.circuit.ports);
        let sound = self.circuit.clock(driven);
        self.environment.observe(self.circuit.channels());
        sound
    }

    /// Runs in lockstep until everything was offered, taken and answered, and for a while after; and judges
    /// what is left.
    fn run_to_rest(
        &mut self,
        judge: &mut Judge,
        progress: Progress<'_>,
    ) -> Result<(), Box<Mismatch>> {
        let is_done = |subject: &Self, judge: &Judge| {
            judge.idle() >= REST && judge.is_satisfied() && subject.environment.is_exhausted()
        };
        while progress(self.environment.offered()) {
            for _ in 0..BATCH_CLOCKS {
                if is_done(self, judge) {
                    return judge.finish();
                }
                let sound = self.step();
                judge.clock_of(&mut self.circuit, sound)?;
            }
        }
        Ok(())
    }
}
