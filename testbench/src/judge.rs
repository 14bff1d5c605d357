//! The judge of an episode: checks the ports clock by clock with reference, scoreboard and contract. It needs
//! only what the ports showed, not a model, so it can run later.

use std::ops::DerefMut;
use std::sync::Arc;

use warpsmith_blocks::corners::Corners;
use warpsmith_blocks::verification::{
    ChannelPlace, ChannelView, Channels, Contract, Outcome, Reference, Violation,
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
    /// The input channels with their indices.
    inputs: Vec<(usize, ChannelPlace)>,
    outputs: Vec<Watch>,
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

/// Checks that an offer of the circuit stays unchanged until it is taken.
struct Watch {
    channel: usize,
    place: ChannelPlace,
    /// Whether an offer is outstanding, and its payload.
    waits: bool,
    held: Vec<u64>,
}

impl Judge {
    /// The judge of a circuit after reset, with these strap values.
    pub fn new(bench: &Bench<'_>, straps: &[u64]) -> Self {
        let design = bench.design();
        let (mut inputs, mut outputs) = (Vec::new(), Vec::new());
        for (channel, place) in bench.places().iter().cloned().enumerate() {
            match place.is_input {
                true => inputs.push((channel, place)),
                false => {
                    let held = vec![0; place.payload.len()];
                    outputs.push(Watch { channel, place, waits: false, held });
                }
            }
        }
        let count = bench.channels().len();
        let longest = bench.places().iter().map(|place| place.payload.len()).max().unwrap_or(0);
        Self {
            wiring: Arc::clone(bench.wiring()),
            compares: true,
            reference: design.reference(straps),
            contract: design.contract(straps),
            scoreboard: Scoreboard::new(bench.channels()),
            inputs,
            outputs,
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
        Self { compares: false, reference, contract, ..Self::new(bench, straps) }
    }

    /// Judges one clock from the ports before its rising edge.
    ///
    /// # Errors
    /// Returns the first divergence.
    pub fn clock(&mut self, ports: &[u64]) -> Result<(), Box<Mismatch>> {
        self.clock += 1;
        self.take_requests(ports);
        let judged = self.judge_outputs(ports);
        let channels = Channels { places: self.wiring.places(), ports };
        let contract = self.contract.clock(&channels, &mut self.corners);
        if let Err(divergence) = judged {
            let mut mismatch = self.mismatch(divergence);
            mismatch.rule = contract.err().map(|violation| rule(violation, self.clock));
            return Err(mismatch);
        }
        contract.and_then(|()| self.check_init_done(ports)).map_err(|v| self.broken(v))?;
        let refused = self.outputs.iter().any(|watch| watch.waits);
        let willing = u64::from(!refused & (ports[self.wiring.withheld()] == 0));
        self.waited = if self.idle() == 0 { 0 } else { self.waited + willing };
        self.waited_for_request += willing;
        let is_stuck = (self.waited > self.wiring.patience())
            | (self.waited_for_request > self.wiring.long_patience());
        match is_stuck {
            true => Err(self.mismatch(self.stuck(ports))),
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
            self.clock(&circuit.ports)?;
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
            let channels = Channels { places: self.wiring.places(), ports: &circuit.ports };
            let violation = self.contract.clock(&channels, &mut self.corners).err();
            mismatch.rule = violation.map(|violation| rule(violation, self.clock));
        }
    }

    /// Number of transfers compared with the reference.
    pub fn compared(&self) -> u64 {
        let outputs = self.outputs.iter().filter(|_| self.compares);
        outputs.map(|watch| self.stats.transfers[watch.channel]).sum()
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
    fn take_requests(&mut self, ports: &[u64]) {
        for (channel, place) in &self.inputs {
            let view = place.view(ports);
            if !view.fires() {
                continue;
            }
            let mut outcome = Outcome { sink: &mut self.scoreboard, corners: &mut self.corners };
            self.reference.accept(*channel, view.payload, &mut outcome);
            if !self.wiring.is_partner_channel(*channel) {
                if self.stats.accepted == 0 {
                    self.first_accept = self.clock;
                }
                self.stats.accepted += 1;
                self.waited_for_request = 0;
                self.stats.busy_clocks = self.clock - self.first_accept + 1;
            }
            self.stats.transfers[*channel] += 1;
            self.last_transfer = self.clock;
            self.history.keep(self.clock, *channel, view.payload);
        }
    }

    /// Compares what the circuit offers and transfers at this edge.
    fn judge_outputs(&mut self, ports: &[u64]) -> Result<(), Divergence> {
        for watch in &mut self.outputs {
            let c = watch.channel;
            let channel = &self.wiring.channels()[c];
            let show = |payload: &[u64]| channel.show(payload);
            let view = watch.place.view(ports);
            if let Err(after) = watch.hold(view) {
                let after = after.map_or("nothing".to_string(), show);
                let before = show(&watch.held);
                return Err(Divergence::Unstable { channel: channel.name, before, after });
            }
            if !view.fires() {
                continue;
            }
            self.stats.transfers[c] += 1;
            self.last_transfer = self.clock;
            self.history.keep(self.clock, c, view.payload);
            let mut outcome = Outcome { sink: &mut self.scoreboard, corners: &mut self.corners };
            self.reference.taken(c, view.payload, &mut outcome);
            if !self.compares {
                continue;
            }
            self.scoreboard.observe(c, view.payload).map_err(|unequal| {
                let (channel, found) = (channel.name, show(view.payload));
                match unequal.expected {
                    Some(expected) => {
                        Divergence::Different { channel, expected: show(&expected), found }
                    }
                    None => Divergence::Unexpected { channel, found },
                }
            })?;
        }
        Ok(())
    }

    fn check_init_done(&mut self, ports: &[u64]) -> Result<(), Violation> {
        let Some(word) = self.wiring.init_done() else { return Ok(()) };
        let is_done = ports[word] != 0;
        if self.clock == 1 && is_done {
            return Err(init_done_rule("init_done was not low after reset"));
        }
        if self.init_done && !is_done {
            return Err(init_done_rule("init_done fell"));
        }
        let takes = |(_, place): &(usize, ChannelPlace)| place.view(ports).fires();
        if !is_done && self.inputs.iter().any(takes) {
            return Err(init_done_rule("a request was taken before init_done"));
        }
        self.init_done = is_done;
        Ok(())
    }

    fn stuck(&self, ports: &[u64]) -> Divergence {
        let never_alive = self.stats.transfers.iter().all(|&count| count == 0);
        let describe = |c: usize, waiting_for: String| Divergence::Stuck {
            channel: self.wiring.channels()[c].name,
            waiting_for,
            clocks: self.waited.max(self.waited_for_request),
            never_alive,
        };
        let refused = |(_, place): &&(usize, ChannelPlace)| place.view(ports).valid;
        if let Some((c, _)) = self.inputs.iter().find(refused) {
            return describe(*c, format!("`{}_ready` to rise", self.wiring.channels()[*c].name));
        }
        let first =
            |watch: &Watch| Some((watch.channel, self.scoreboard.first_expected(watch.channel)?));
        match self.outputs.iter().find_map(first) {
            Some((c, payload)) => describe(c, self.wiring.channels()[c].show(&payload)),
            None if self.wiring.init_done().is_some() && !self.init_done => {
                describe(self.inputs[0].0, "`init_done` to rise".to_string())
            }
            None if !self.compares => describe(self.outputs[0].channel, "an answer".to_string()),
            None => describe(self.inputs[0].0, "a request to be offered".to_string()),
        }
    }

    fn broken(&self, violation: Violation) -> Box<Mismatch> {
        let divergence = Divergence::Contract { detail: violation.detail.clone() };
        let mut mismatch = self.mismatch(divergence);
        mismatch.rule = Some(rule(violation, self.clock));
        mismatch
    }
}

impl Watch {
    /// Compares an offer with the outstanding one; on a difference returns the new offer, if any.
    fn hold<'a>(&mut self, view: ChannelView<'a>) -> Result<(), Option<&'a [u64]>> {
        let ChannelView { valid, ready, payload } = view;
        if self.waits {
            if !valid || !equal(payload, &self.held) {
                return Err(valid.then_some(payload));
            }
        } else if valid & !ready {
            self.held.copy_from_slice(payload);
        }
        self.waits = valid & !ready;
        Ok(())
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
