//! The order of events: requests, fills and roll-overs act on the [`Bank`] in the order in which the circuit says
//! on `issued` that they do.

use std::collections::VecDeque;

use super::bank::{Bank, Effect};
use super::channels::{
    ARRAY, Action, DRAM, ERROR, FILLED, Fetch, Filled, ISSUED, Issued, Misuse, REQ, RESP, ROLL,
    ROLLED, Request, Rolled,
};
use super::corners;
use super::params::Params;
use crate::kit::*;

/// The reference model.
#[derive(Clone, Debug)]
pub struct RelativisticL2 {
    bank: Bank,
    requests: VecDeque<Request>,
    /// MSHRs whose data are there; none: that of a malformed transfer.
    fills: VecDeque<Option<u64>>,
    /// Roll-overs that are to come; false: a malformed one.
    rolls: VecDeque<bool>,
    /// MSHRs whose fetch has left, and whose data have not come.
    asked: Vec<bool>,
    last: Option<(Issued, Effect)>,
    met: corners::Met,
}

impl RelativisticL2 {
    /// A bank without blocks.
    pub fn new(params: &Params) -> Self {
        Self {
            bank: Bank::new(params),
            requests: VecDeque::new(),
            fills: VecDeque::new(),
            rolls: VecDeque::new(),
            asked: vec![false; params.mshrs as usize],
            last: None,
            met: corners::Met::default(),
        }
    }

    /// The bank.
    pub fn bank(&self) -> &Bank {
        &self.bank
    }

    /// There is an event of that kind, and the oldest can be acted on.
    fn can_act(&self, action: Action) -> bool {
        match action {
            Action::Request => {
                // With the thesis's rules, a roll-over may come with requests inside.
                let may = self.bank.params().faithful || !self.rolls.contains(&true);
                self.requests.front().is_some_and(|head| may && !self.bank.waits(head))
            }
            Action::Fill => !self.fills.is_empty(),
            Action::Roll => {
                self.rolls.front().is_some_and(|sound| !sound || !self.bank.roll_waits())
            }
        }
    }

    /// Acts on the oldest event of that kind.
    fn act(&mut self, action: Action, outcome: &mut Outcome<'_>) {
        if !self.can_act(action) {
            return;
        }
        let malformed = |misuse| Effect { error: Some(misuse), ..Effect::default() };
        let effect = match action {
            Action::Request => self.requests.pop_front().and_then(|request| {
                let before = self.met.before_request(&self.bank, &request);
                let effect = self.bank.request(&request)?;
                self.met.count_request(&self.bank, &before, &request, &effect, outcome.corners);
                Some(effect)
            }),
            Action::Fill => self.fills.pop_front().map(|mshr| {
                let Some(mshr) = mshr else { return malformed(Misuse::NothingFetched) };
                self.met.count_fill(&self.bank, mshr, self.requests.front(), outcome.corners);
                self.bank.fill(mshr)
            }),
            Action::Roll => match self.rolls.pop_front() {
                Some(true) => self.bank.roll(),
                _ => Some(malformed(Misuse::RequestInside)),
            },
        };
        let effect = effect.expect("it can be acted on");
        corners::count_effect(&effect, outcome.corners);
        let issued = Issued { action, address: effect.address };
        outcome.sink.expect(ISSUED, &issued.encode());
        expect(&effect, outcome);
        self.last = Some((issued, effect));
    }
}

/// The transfers of an effect.
fn expect(effect: &Effect, outcome: &mut Outcome<'_>) {
    effect.array.iter().for_each(|command| outcome.sink.expect(ARRAY, &command.encode()));
    effect.responses.iter().for_each(|response| outcome.sink.expect(RESP, &response.encode()));
    effect.fetch.iter().for_each(|fetch| outcome.sink.expect(DRAM, &fetch.encode()));
    effect.rolled.iter().for_each(|&kind| outcome.sink.expect(ROLLED, &Rolled { kind }.encode()));
    effect.error.iter().for_each(|&error| outcome.sink.expect(ERROR, &[error as u64]));
}

impl Reference for RelativisticL2 {
    fn accept(&mut self, channel: usize, payload: &[u64], outcome: &mut Outcome<'_>) {
        match channel {
            REQ => self.requests.push_back(Request::decode(payload)),
            FILLED => {
                let Filled { mshr } = Filled::decode(payload);
                let asked = self.asked.get_mut(mshr as usize).is_some_and(std::mem::take);
                self.fills.push_back(asked.then_some(mshr));
            }
            ROLL => {
                let is_sound = self.requests.is_empty() || self.bank.params().faithful;
                corners::count_roll(&self.bank, is_sound, outcome.corners);
                self.rolls.push_back(is_sound);
            }
            _ => {}
        }
    }

    // When the bank acts on what is left to the circuit, which shows it.
    fn taken(&mut self, channel: usize, payload: &[u64], outcome: &mut Outcome<'_>) {
        match channel {
            ISSUED => self.act(Issued::decode(payload).action, outcome),
            DRAM => {
                let asked = self.asked.get_mut(Fetch::decode(payload).mshr as usize);
                asked.into_iter().for_each(|asked| *asked = true);
            }
            _ => {}
        }
    }

    fn choose(&self) -> Option<(usize, Vec<u64>)> {
        let order = [Action::Fill, Action::Roll, Action::Request];
        let action = order.into_iter().find(|action| self.can_act(*action))?;
        let p = self.bank.params();
        let address = match action {
            Action::Request => p.block_of(self.requests.front()?.address),
            Action::Fill => {
                let mshr = self.fills.front()?.and_then(|mshr| self.bank.mshr(mshr as usize));
                mshr.map_or(0, |mshr| self.bank.ways(mshr.set)[mshr.way].block)
            }
            Action::Roll => 0,
        };
        Some((ISSUED, Issued { action, address: p.address_of(address) }.encode().to_vec()))
    }

    fn state(&self) -> Vec<String> {
        let last = self.last.iter().map(|(issued, effect)| format!("last: {issued:?}: {effect:?}"));
        let head = self.requests.front().map(|request| format!("next request: {request}"));
        let set = self.requests.front().map(|request| {
            let p = self.bank.params();
            let set = p.set_of(p.block_of(request.address)) as usize;
            format!("its set: {:?}", self.bank.ways(set))
        });
        let rest = format!(
            "mnow {}, fills to come {:?}, roll-overs to come {:?}",
            self.bank.mnow(),
            self.fills,
            self.rolls
        );
        let mshrs =
            (0..self.asked.len()).filter_map(|i| Some(format!("{i}: {:?}", self.bank.mshr(i)?)));
        last.chain(head).chain(set).chain([rest]).chain(mshrs).collect()
    }
}
