//! The judge of an episode: checks the ports clock by clock with reference, scoreboard and contract. It needs
//! only what the ports showed, not a model, so it can run later.

use std::ops::DerefMut;
use std::sync::Arc;

use warpsmith_blocks::channel::Channel;
use warpsmith_blocks::corners::Corners;
use warpsmith_blocks::verification::{
    Channels, Contract, Outcome, Reference, Violation, channels_of,
};

use crate::bench::Bench;
use crate::circuit::Circuit;
use crate::episode::EpisodeStats;
use crate::latest::Latest;
use crate::mismatch::{BrokenRule, Divergence, Mismatch, PastTransfer};
use crate::model::Model;
use crate::scoreboard::{Scoreboard, equal};
use crate::wiring::Wiring;

/// Transfers kept for a mismatch report.
const HISTORY: usize = 24;

/// Clocks after a divergence in which the contract may still name the broken rule.
const RULE_WINDOW: u64 = 64;

/// Judges an episode.
pub struct Judge {
    wiring: Arc<Wiring>,
    /// Whether transfers are compared, and not only the hand-shakes checked.
    compares: bool,
    reference: Box<dyn Reference>,
    contract: Box<dyn Contract>,
    scoreboard: Scoreboard,
    /// The input channels, those of them that the partner drives, and the output channels, as masks.
    inputs: u64,
    of_partner: u64,
    outputs: u64,
    /// Output channels with an offer that was not taken, which must stay; and for each channel its payload.
    waits: u64,
    held: Vec<Vec<u64>>,
    corners: Corners,
    init_done: bool,
    clock: u64,
    last_transfer: u64,
    /// Clocks since the last transfer, and since the last accepted request, in which the environment did not
    /// stall.
    waited: u64,
    waited_for_request: u64,
    first_accept: u64,
    stats: EpisodeStats,
    history: Latest,
}

impl Judge {
    /// The judge of a circuit after reset, with these strap values; `seed` determines what properties choose.
    pub fn new(bench: &Bench<'_>, straps: &[u64], seed: u64) -> Self {
        let design = bench.design();
        let count = bench.channels().len();
        let held: Vec<_> =
            bench.places().iter().map(|place| vec![0; place.payload.len()]).collect();
        let longest = held.iter().map(Vec::len).max().unwrap_or(0);
        let inputs = bench.inputs();
        Self {
            wiring: Arc::clone(bench.wiring()),
            compares: true,
            reference: design.reference(straps),
            contract: bench.contract(straps, seed),
            scoreboard: Scoreboard::new(bench.channels()),
            inputs,
            of_partner: bench.of_partner(),
            outputs: !inputs & u64::MAX.checked_shr(64 - count as u32).unwrap_or(0),
            waits: 0,
            held,
            corners: bench.corners(),
            init_done: false,
            clock: 0,
            last_transfer: 0,
            waited: 0,
            waited_for_request: 0,
            first_accept: 0,
            stats: EpisodeStats { transfers: vec![0; count], ..EpisodeStats::default() },
            history: Latest::new(HISTORY, longest),
        }
    }

    /// A judge that compares no transfers: offers must stay until taken, and the circuit must not hang.
    pub fn of_handshakes(bench: &Bench<'_>, straps: &[u64]) -> Self {
        let (reference, contract) = (Box::new(Anything), Box::new(Anything));
        Self { compares: false, reference, contract, ..Self::new(bench, straps, 0) }
    }

    /// The same, without the latest transfers in its mismatches.
    #[must_use]
    pub fn without_history(self) -> Self {
        Self { history: Latest::none(), ..self }
    }

    /// Judges one clock from what the channels show before its rising edge.
    ///
    /// # Errors
    /// Returns the first divergence.
    pub fn clock(&mut self, channels: Channels<'_>) -> Result<(), Box<Mismatch>> {
        self.clock += 1;
        self.take_requests(channels);
        let judged = self.judge_outputs(channels);
        let contract = self.contract.clock(&channels, &mut self.corners);
        if let Err(divergence) = judged {
            let mut mismatch = self.mismatch(divergence);
            mismatch.rule = contract.err().map(|violation| rule(violation, self.clock));
            return Err(mismatch);
        }
        contract.and_then(|()| self.check_init_done(channels)).map_err(|v| self.broken(v))?;
        let is_withheld = channels.word(self.wiring.withheld()) != 0;
        let willing = u64::from((self.waits == 0) & !is_withheld);
        self.waited = if self.idle() == 0 { 0 } else { self.waited + willing };
        self.waited_for_request += willing;
        let is_stuck = (self.waited > self.wiring.patience())
            | (self.waited_for_request > self.wiring.long_patience());
        match is_stuck {
            true => Err(self.mismatch(self.stuck(channels))),
            false => Ok(()),
        }
    }

    /// Judges the final state once the circuit is idle.
    ///
    /// # Errors
    /// Returns the missing transfers as a divergence.
    pub fn finish(&mut self) -> Result<(), Box<Mismatch>> {
        self.contract.finish().map_err(|violation| self.broken(violation))?;
        if self.wiring.init_done().is_some() && !self.init_done {
            return Err(self.broken(init_done_rule("init_done never rose")));
        }
        Ok(())
    }

    /// The counts of all clocks judged so far.
    pub fn so_far(&self) -> (EpisodeStats, Corners) {
        (EpisodeStats { clocks: self.clock, ..self.stats.clone() }, self.corners.clone())
    }

    /// Judges the circuit's last clock; `sound` is false if the model has a complaint.
    ///
    /// # Errors
    /// Returns the first divergence.
    pub fn clock_of<'m, M: DerefMut<Target = dyn Model + 'm>>(
        &mut self,
        circuit: &mut Circuit<M>,
        sound: bool,
    ) -> Result<(), Box<Mismatch>> {
        // A stopped model no longer updates its outputs.
        if sound || !circuit.model.is_over() {
            self.clock(circuit.channels())?;
        }
        if !sound && let Some(message) = circuit.model.complaint() {
            return Err(self.mismatch(Divergence::Complaint { message, never_alive: false }));
        }
        Ok(())
    }

    /// Looks for the broken rule in the clocks after a divergence, made by `step`.
    pub fn name_rule<'m, M: DerefMut<Target = dyn Model + 'm>>(
        &mut self,
        mismatch: &mut Mismatch,
        circuit: &mut Circuit<M>,
        mut step: impl FnMut(&mut Circuit<M>),
    ) {
        for _ in 0..RULE_WINDOW {
            // A stopped model no longer updates its outputs, which breaks no rule.
            if mismatch.rule.is_some() || circuit.model.is_over() {
                break;
            }
            step(circuit);
            self.clock += 1;
            let violation = self.contract.clock(&circuit.channels(), &mut self.corners).err();
            mismatch.rule = violation.map(|violation| rule(violation, self.clock));
        }
    }

    /// Number of transfers compared with the reference.
    pub fn compared(&self) -> u64 {
        let outputs = channels_of(if self.compares { self.outputs } else { 0 });
        outputs.map(|channel| self.stats.transfers[channel]).sum()
    }

    /// Clocks since the last transfer.
    pub fn idle(&self) -> u64 {
        self.clock - self.last_transfer
    }

    /// Whether every expected transfer was seen.
    pub fn is_satisfied(&self) -> bool {
        self.scoreboard.outstanding() == 0
    }

    /// The mismatch report of a divergence in the current clock.
    pub fn mismatch(&self, divergence: Divergence) -> Box<Mismatch> {
        let past = |(clock, c, payload): (u64, usize, &[u64])| {
            let channel = &self.wiring.channels()[c];
            PastTransfer { clock, channel: channel.name, payload: channel.show(payload) }
        };
        Box::new(Mismatch {
            divergence,
            clock: self.clock,
            accepted: self.stats.accepted,
            rule: None,
            history: self.history.iter().map(past).collect(),
            reference: self.reference.state(),
            registers: Vec::new(),
        })
    }

    /// Passes the requests that the circuit takes at this edge to the reference.
    #[inline]
    fn take_requests(&mut self, channels: Channels<'_>) {
        for c in channels_of(channels.handshakes().fire() & self.inputs) {
            let payload = channels.payload(c);
            let mut outcome = Outcome { sink: &mut self.scoreboard, corners: &mut self.corners };
            self.reference.accept(c, payload, &mut outcome);
            if self.of_partner >> c & 1 == 0 {
                if self.stats.accepted == 0 {
                    self.first_accept = self.clock;
                }
                self.stats.accepted += 1;
                self.waited_for_request = 0;
                self.stats.busy_clocks = self.clock - self.first_accept + 1;
            }
            self.note_transfer(c, payload);
        }
    }

    #[inline]
    fn note_transfer(&mut self, channel: usize, payload: &[u64]) {
        self.stats.transfers[channel] += 1;
        self.last_transfer = self.clock;
        self.history.keep(self.clock, channel, payload);
    }

    /// Compares what the circuit offers and transfers at this edge.
    #[inline]
    fn judge_outputs(&mut self, channels: Channels<'_>) -> Result<(), Divergence> {
        let handshakes = channels.handshakes();
        for c in channels_of((handshakes.valid | self.waits) & self.outputs) {
            let payload = channels.payload(c);
            let is = |mask: u64| mask >> c & 1 == 1;
            if !is(self.waits) {
                self.held[c].iter_mut().zip(payload).for_each(|(held, word)| *held = *word);
            } else if !is(handshakes.valid) || !equal(payload, &self.held[c]) {
                let after = is(handshakes.valid).then_some(payload);
                return Err(self.unstable(c, after));
            }
            if !is(handshakes.ready) {
                continue;
            }
            self.note_transfer(c, payload);
            let mut outcome = Outcome { sink: &mut self.scoreboard, corners: &mut self.corners };
            self.reference.taken(c, payload, &mut outcome);
            if self.compares {
                self.scoreboard.observe(c, payload).map_err(|unequal| {
                    let Channel { name, .. } = self.wiring.channels()[c];
                    let show = |payload: &[u64]| self.wiring.channels()[c].show(payload);
                    let (channel, found) = (name, show(payload));
                    match unequal.expected {
                        Some(expected) => {
                            Divergence::Different { channel, expected: show(&expected), found }
                        }
                        None => Divergence::Unexpected { channel, found },
                    }
                })?;
            }
        }
        self.waits = handshakes.stalled() & self.outputs;
        Ok(())
    }

    #[cold]
    fn unstable(&self, channel: usize, after: Option<&[u64]>) -> Divergence {
        let held = &self.held[channel];
        let channel = &self.wiring.channels()[channel];
        let after = after.map_or("nothing".to_string(), |after| channel.show(after));
        Divergence::Unstable { channel: channel.name, before: channel.show(held), after }
    }

    fn check_init_done(&mut self, channels: Channels<'_>) -> Result<(), Violation> {
        let Some(word) = self.wiring.init_done() else { return Ok(()) };
        let is_done = channels.word(word) != 0;
        if self.clock == 1 && is_done {
            return Err(init_done_rule("init_done was not low after reset"));
        }
        if self.init_done && !is_done {
            return Err(init_done_rule("init_done fell"));
        }
        if !is_done && channels.handshakes().fire() & self.inputs != 0 {
            return Err(init_done_rule("a request was taken before init_done"));
        }
        self.init_done = is_done;
        Ok(())
    }

    fn stuck(&self, channels: Channels<'_>) -> Divergence {
        let never_alive = self.stats.transfers.iter().all(|&count| count == 0);
        let describe = |c: usize, waiting_for: String| Divergence::Stuck {
            channel: self.wiring.channels()[c].name,
            waiting_for,
            clocks: self.waited.max(self.waited_for_request),
            never_alive,
        };
        let refused = channels.handshakes().valid & self.inputs;
        if let Some(c) = channels_of(refused).next() {
            return describe(c, format!("`{}_ready` to rise", self.wiring.channels()[c].name));
        }
        let [input, output] =
            [self.inputs, self.outputs].map(|mask| mask.trailing_zeros() as usize);
        let first = |channel| Some((channel, self.scoreboard.first_expected(channel)?));
        match channels_of(self.outputs).find_map(first) {
            Some((c, payload)) => describe(c, self.wiring.channels()[c].show(&payload)),
            None if self.wiring.init_done().is_some() && !self.init_done => {
                describe(input, "`init_done` to rise".to_string())
            }
            None if !self.compares => describe(output, "an answer".to_string()),
            None => describe(input, "a request to be offered".to_string()),
        }
    }

    fn broken(&self, violation: Violation) -> Box<Mismatch> {
        let divergence = Divergence::Contract { detail: violation.detail.clone() };
        let mut mismatch = self.mismatch(divergence);
        mismatch.rule = Some(rule(violation, self.clock));
        mismatch
    }
}

/// The reference and contract of an unconstrained circuit.
struct Anything;

impl Reference for Anything {
    fn accept(&mut self, _: usize, _: &[u64], _: &mut Outcome<'_>) {}

    fn state(&self) -> Vec<String> {
        Vec::new()
    }
}

impl Contract for Anything {
    fn clock(&mut self, _: &Channels<'_>, _: &mut Corners) -> Result<(), Violation> {
        Ok(())
    }

    fn finish(&mut self) -> Result<(), Violation> {
        Ok(())
    }
}

fn init_done_rule(detail: &str) -> Violation {
    Violation {
        rule: "init_done is low after reset, rises before a request is taken, and stays",
        source: "the block's README: Ports",
        detail: detail.to_string(),
    }
}

fn rule(violation: Violation, clock: u64) -> BrokenRule {
    let Violation { rule, source, detail } = violation;
    BrokenRule { rule, source, detail, clock }
}
