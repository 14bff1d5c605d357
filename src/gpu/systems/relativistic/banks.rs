//! Banks of the L2. Tags, versions, leases and fetches are the block's; here are DRAM behind them, and the order in which
//! lines are read and written.

use std::collections::{HashMap, VecDeque};
use std::fmt;

use warpsmith_blocks::block::Design;
use warpsmith_blocks::parameters::Parameters;
use warpsmith_blocks::relativistic_l2::{
    self, ARRAY, Command, DRAM, ERROR, FILLED, Fetch, Op, Params, REQ, RESP, ROLL, ROLLED, Request,
    Response, RollOver, Rolled,
};
use warpsmith_testbench::bench::Bench;
use warpsmith_testbench::place::{Occupant, Place, Surroundings};
use warpsmith_testbench::verilator::Warning;

use super::array::Block;
use super::message::{Kind, Message};
use super::{Relativistic, SystemEvent};
use crate::config::{Config, LINE};
use crate::memory::{Circuits, Data, RtlError, RtlSettings, Shared, Transfer};

/// A bank.
pub(super) struct Bank {
    number: u32,
    params: Params,
    place: Place,
    is_circuit: bool,
    is_clocked: bool,
    /// Blocks by set x ways + way.
    pub array: Vec<Block>,
    /// Requests that are not answered, and fetches that no answer has followed.
    unanswered: u32,
    missed: u32,
    /// Stores and atomics whose data wait, by core and tag.
    pub waiting: HashMap<[u64; 2], Message>,
    /// Stores that are in the array, with their place in the physical order, and ACKs that wait for them.
    pub stored: HashMap<[u64; 2], u64>,
    acks: VecDeque<Response>,
    /// Lines that were read for DATA and RESULT, in order, with their place in the physical order.
    pub reads: VecDeque<(Data, u64)>,
    /// DATA and RESULT that wait for them.
    answers: VecDeque<Response>,
    /// Lines of fetches.
    fetches: HashMap<u64, u32>,
    /// Lines that have come and are to go to the array.
    pub filled: VecDeque<u32>,
}

impl fmt::Debug for Bank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "bank {}", self.number)
    }
}

/// Parameters of the banks of a machine.
fn params(config: &Config) -> Params {
    let (paper, leases) =
        (Params::presets().into_iter().find(|it| it.0 == "paper"), &config.leases);
    Params {
        cores: config.machine.cores(),
        sets: config.sets_of_bank(),
        ways: config.l2.ways,
        mshrs: leases.mshrs,
        timestamp_bits: leases.timestamp_bits,
        lease_min: leases.lease_min,
        lease_doublings: leases.lease_doublings,
        faithful: leases.faithful,
        ..paper.expect("every block has this preset").1
    }
}

/// Places of the banks.
pub(super) fn places(config: &Config) -> Vec<String> {
    let name = relativistic_l2::BLOCK.name;
    (0..config.l2.banks).map(|bank| format!("{name}@bank{bank}")).collect()
}

impl Bank {
    /// The references of all banks.
    pub fn all(config: &Config) -> Vec<Self> {
        let params = params(config);
        params.validate().unwrap_or_else(|error| panic!("{error}"));
        let bench = Bench::new(&params, &params.circuit()).without_partner();
        let bank = |number| Self {
            number,
            params: params.clone(),
            place: Place::new(&bench, Occupant::Reference, Surroundings::PLAIN)
                .unwrap_or_else(|error| panic!("a reference needs no model: {error}")),
            is_circuit: false,
            is_clocked: false,
            array: vec![Block::EMPTY; (params.sets * params.ways) as usize],
            unanswered: 0,
            missed: 0,
            waiting: HashMap::new(),
            stored: HashMap::new(),
            acks: VecDeque::new(),
            reads: VecDeque::new(),
            answers: VecDeque::new(),
            fetches: HashMap::new(),
            filled: VecDeque::new(),
        };
        (0..config.l2.banks).map(bank).collect()
    }

    /// Puts circuits in the chosen banks; gives what Verilator warns of.
    ///
    /// # Errors
    /// If a circuit cannot be simulated.
    pub fn use_rtl(
        all: &mut [Self],
        settings: &RtlSettings,
        chosen: &[bool],
    ) -> Result<Vec<Warning>, RtlError> {
        let Some(params) = all.first().map(|bank| bank.params.clone()) else { return Ok(vec![]) };
        let circuits = Circuits::new(params, settings)?.without_partner();
        for (bank, _) in all.iter_mut().zip(chosen).filter(|(_, chosen)| **chosen) {
            (bank.place, bank.is_circuit) = (circuits.place(&[])?, true);
        }
        Ok(circuits.warnings)
    }

    /// Transfers that were compared with the reference.
    pub fn compared(&self) -> u64 {
        self.place.compared()
    }

    pub fn place_of(&self, [set, way]: [u64; 2]) -> usize {
        (set * u64::from(self.params.ways) + way) as usize
    }

    /// Answers without another message.
    fn is_busy(&self) -> bool {
        !self.place.is_at_rest() || !self.acks.is_empty() || !self.answers.is_empty()
    }
}

impl Relativistic {
    /// A line's bank, and its address there: a bank's addresses have no gaps.
    fn bank_of(&self, line: u32) -> (u32, u64) {
        let banks = self.banks.len() as u32;
        (line % banks, u64::from(line / banks) * LINE as u64)
    }

    fn line_of(&self, bank: u32, address: u64) -> u32 {
        (address / LINE as u64) as u32 * self.banks.len() as u32 + bank
    }

    /// A request has come to its bank.
    pub(super) fn take_request(&mut self, shared: &mut Shared, message: Message) {
        let Message { kind, core, line, tag, now, .. } = message;
        let (number, address) = self.bank_of(line);
        let (core, tag) = (u64::from(core), u64::from(tag));
        let (op, exp) = match kind {
            Kind::Gets { exp } => (Op::Gets, exp),
            Kind::Write { .. } => (Op::Write, 0),
            _ => (Op::Atomic, 0),
        };
        let bank = &mut self.banks[number as usize];
        bank.unanswered += 1;
        if op != Op::Gets {
            bank.waiting.insert([core, tag], message);
        }
        let request = Request { op: Some(op), core, address, now, exp, tag };
        bank.place.offer(REQ, &request.encode());
        self.clock_later(shared, number);
    }

    /// A bank is to roll over.
    pub(super) fn roll_bank(&mut self, shared: &mut Shared, bank: u32) {
        self.banks[bank as usize].place.offer(ROLL, &[]);
        self.clock_later(shared, bank);
    }

    /// A line has come from DRAM.
    pub(super) fn fetched(&mut self, shared: &mut Shared, number: u32, mshr: u32) {
        let bank = &mut self.banks[number as usize];
        bank.filled.extend(bank.fetches.remove(&mshr.into()));
        bank.place.offer(FILLED, &[mshr.into()]);
        self.clock_later(shared, number);
    }

    fn clock_later(&mut self, shared: &mut Shared, bank: u32) {
        let is_rolling = self.roll_over.is_rolling();
        let of = &mut self.banks[bank as usize];
        let waits = of.is_circuit && (is_rolling || of.unanswered > 0);
        if (of.is_busy() || waits) && !std::mem::replace(&mut of.is_clocked, true) {
            shared.events.at(shared.events.now() + 1, SystemEvent::Clock(bank));
        }
    }

    /// A clock of a bank.
    pub(super) fn clock_bank(&mut self, shared: &mut Shared, number: u32) {
        let bank = &mut self.banks[number as usize];
        bank.is_clocked = false;
        let clocked = bank.place.clock(|_| false);
        if let Err(wrong) = clocked {
            shared.mismatch = Some(format!(
                "{}@bank{number}: its clock {}: {wrong}",
                relativistic_l2::BLOCK.name,
                wrong.clock
            ));
            return;
        }
        let transfers =
            bank.place.transfers().map(|(channel, payload)| (channel, payload.to_vec()));
        for (channel, payload) in transfers.collect::<Vec<_>>() {
            match channel {
                RESP => self.respond(shared, number, Response::decode(&payload)),
                DRAM => self.fetch(shared, number, Fetch::decode(&payload)),
                ARRAY => self.access_array(shared, number, Command::decode(&payload)),
                ROLLED => match Rolled::decode(&payload).kind {
                    RollOver::Wanted => self.roll_over(shared),
                    RollOver::Cleared => self.rolled(shared),
                },
                ERROR => {
                    let name = relativistic_l2::BLOCK.name;
                    let wrong = format!("{name}@bank{number} reports error {}", payload[0]);
                    shared.mismatch = Some(wrong);
                }
                _ => {}
            }
        }
        self.clock_later(shared, number);
    }

    /// A victim is written back, then a line is requested from DRAM.
    fn fetch(&mut self, shared: &mut Shared, number: u32, fetch: Fetch) {
        let line = self.line_of(number, fetch.address);
        if fetch.evict {
            shared.transfer(0, Transfer::write(self.line_of(number, fetch.victim)));
        }
        let bank = &mut self.banks[number as usize];
        bank.fetches.insert(fetch.mshr, line);
        bank.missed += 1;
        shared.statistics.l2_home.misses += 1;
        let filled = SystemEvent::Filled(number, fetch.mshr as u32);
        shared.transfer(0, Transfer::read(line, filled));
    }

    fn respond(&mut self, shared: &mut Shared, number: u32, response: Response) {
        let bank = &mut self.banks[number as usize];
        match response.kind {
            relativistic_l2::Kind::Renew => {
                let sequence = self.next_in_sequence();
                return self.answer(shared, number, response, [0; LINE], sequence);
            }
            relativistic_l2::Kind::Ack => bank.acks.push_back(response),
            _ => bank.answers.push_back(response),
        }
        self.answer_all(shared, number);
    }

    /// Sends DATA and RESULT whose lines have been read, and ACK of stores that are in the array.
    pub(super) fn answer_all(&mut self, shared: &mut Shared, number: u32) {
        loop {
            let bank = &mut self.banks[number as usize];
            let of = match (bank.reads.front(), bank.answers.front()) {
                (Some(_), Some(_)) => bank.reads.pop_front().zip(bank.answers.pop_front()),
                _ => None,
            };
            let ack =
                bank.acks.iter().position(|ack| bank.stored.contains_key(&[ack.core, ack.tag]));
            if let Some(((data, sequence), response)) = of {
                self.answer(shared, number, response, data, sequence);
            } else if let Some(response) = ack.and_then(|at| bank.acks.remove(at)) {
                let stored = bank.stored.remove(&[response.core, response.tag]);
                self.answer(shared, number, response, [0; LINE], stored.unwrap_or(0));
            } else {
                return;
            }
        }
    }

    /// Sends an answer to its core, and tells the oracle of a store or an atomic.
    fn answer(
        &mut self,
        shared: &mut Shared,
        number: u32,
        response: Response,
        data: Data,
        sequence: u64,
    ) {
        let Response { core, address, exp, ver, tag, kind } = response;
        let (line, tag) = (self.line_of(number, address), tag as u32);
        let bank = &mut self.banks[number as usize];
        bank.unanswered -= 1;
        // One answer for each fetch is of a miss.
        match bank.missed.checked_sub(1) {
            Some(left) => bank.missed = left,
            None => shared.statistics.l2_home.hits += 1,
        }
        let kind = match kind {
            relativistic_l2::Kind::Data => Kind::Data { ver, exp },
            relativistic_l2::Kind::Renew => Kind::Renew { exp },
            relativistic_l2::Kind::Ack => Kind::Ack { ver },
            relativistic_l2::Kind::Result => Kind::Result { ver },
        };
        self.counts.leases += u64::from(exp > 0);
        if matches!(kind, Kind::Ack { .. } | Kind::Result { .. })
            && let Some(oracle) = &mut self.oracle
        {
            oracle.takes_effect([core, tag.into()], [self.roll_over.count, ver, sequence]);
        }
        let core = core as u32;
        self.fabric.send_new(shared, Message { kind, core, line, tag, now: 0, sequence, data });
    }
}
