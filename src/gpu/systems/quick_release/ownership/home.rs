//! The directory with the L2 beside it.

use std::collections::HashMap;
use std::ops::Range;

use super::message::{Kind, Message};
use super::transaction::{Copies, Transaction, Wants};
use super::{FORGET_OWNER, KEEP_COPY, Ownership};
use crate::config::Config;
use crate::memory::{
    Banks, Bytes, Cache, DIRECTORY, Data, Packet, Port, Shared, Victim, WHOLE, write,
};
use crate::systems::quick_release::ownership::SystemEvent;

/// The directory, and the L2.
#[derive(Debug)]
pub(super) struct Home {
    pub(super) l2: Cache,
    banks: Banks,
    /// The entries, as tags of a cache of which no more is used.
    entries: Cache<Copies>,
    busy: HashMap<u32, Transaction>,
}

impl Home {
    pub(super) fn new(config: &Config) -> Self {
        let directory = &config.directory;
        let bytes = directory.sets * directory.ways * crate::config::LINE as u32;
        Self {
            l2: Cache::new(config.l2.bytes, config.l2.ways),
            banks: Banks::new(&config.l2),
            entries: Cache::new(bytes, directory.ways),
            busy: HashMap::new(),
        }
    }

    pub(super) fn forget(&mut self, lines: &Range<u32>) {
        self.l2.drop_where(|line| lines.contains(&line));
        self.entries.drop_where(|line| lines.contains(&line));
    }
}

impl Ownership {
    /// A message has come to the directory: a request waits for its bank.
    pub(super) fn at_home(&mut self, shared: &mut Shared, number: u32) {
        let packet = self.fabric.get(number);
        let (line, is_request) = (packet.line, packet.is_request());
        let now = shared.events.now();
        let turn = if is_request { self.home.banks.turn(line, now) } else { now };
        match turn == now {
            true => self.serve(shared, number),
            false => shared.events.at(turn, SystemEvent::Serve(number)),
        }
    }

    /// Serves a message in its turn.
    pub(super) fn serve(&mut self, shared: &mut Shared, number: u32) {
        let Message { kind, ends, line, access, bytes, data, .. } = *self.fabric.get(number);
        self.fabric.end(number);
        match (kind, ends[0]) {
            (Kind::Get { owned }, Port::Core(core)) => {
                self.wants(shared, line, Wants::Core { core, owned });
            }
            (Kind::Probe { stays }, _) => self.wants(shared, line, Wants::Probe { access, stays }),
            (Kind::WriteBack, Port::Core(core)) => {
                self.write_l2(shared, line, &data, bytes);
                let copies = match self.home.busy.get_mut(&line) {
                    Some(busy) => Some(&mut busy.copies),
                    None => {
                        let place = self.home.entries.find(line);
                        place.map(|place| self.home.entries.tag(place))
                    }
                };
                if let Some(copies) = copies.filter(|copies| copies.owner == Some(core)) {
                    copies.owner = None;
                }
            }
            (Kind::Recalled { has_data }, _) => {
                if has_data {
                    self.write_l2(shared, line, &data, bytes);
                }
                if let Some(busy) = self.home.busy.get_mut(&line) {
                    busy.recalls -= 1;
                }
                self.go_on_with(shared, line);
            }
            (Kind::Data, _) => {
                let victim = self.home.l2.fill(line, &data);
                self.evicted_from_l2(shared, victim);
                self.go_on_with(shared, line);
            }
            _ => {}
        }
    }

    /// A request for a line waits if the line is busy.
    fn wants(&mut self, shared: &mut Shared, line: u32, wants: Wants) {
        match self.home.busy.get_mut(&line) {
            Some(busy) => busy.waiting.push_back(wants),
            None => self.begin(shared, line, wants),
        }
    }

    /// A request for a line that is not busy: other copies are asked back.
    fn begin(&mut self, shared: &mut Shared, line: u32, wants: Wants) {
        let place = self.home.entries.find(line);
        let mut copies = place.map_or(Copies::default(), |place| *self.home.entries.tag(place));
        self.home.entries.drop_line(line);
        let who = match wants {
            Wants::Core { core, owned } => (Some(core), !owned),
            Wants::Probe { stays, .. } => (None, stays),
        };
        let recalls = self.recall(shared, line, copies, who);
        if let Some(owner) = copies.owner.take() {
            copies.add(owner);
        }
        let wants = Some(wants);
        let transaction = Transaction { wants, copies, recalls, ..Transaction::default() };
        self.home.busy.insert(line, transaction);
        self.go_on_with(shared, line);
    }

    /// Asks copies back: that of the owner, and if none may stay those of readers; gives how many.
    fn recall(
        &mut self,
        shared: &mut Shared,
        line: u32,
        copies: Copies,
        (except, stays): (Option<u32>, bool),
    ) -> u32 {
        let mut count = 0;
        for core in (0..self.l1.len() as u32).filter(|core| Some(*core) != except) {
            let is_owner = copies.owner == Some(core);
            if !is_owner && (stays || !copies.has(core)) {
                continue;
            }
            if self.planted.errs(if is_owner { FORGET_OWNER } else { KEEP_COPY }) {
                continue;
            }
            let ends = [Port::Gpm(0), Port::Core(core)];
            self.fabric.send_new(shared, Message::new(Kind::Recall { stays }, ends, line));
            shared.statistics.coherence.invalidations += 1;
            count += 1;
        }
        count
    }

    /// Goes on with what is done about a line, if nothing is outstanding.
    fn go_on_with(&mut self, shared: &mut Shared, line: u32) {
        let Some(busy) = self.home.busy.get(&line).filter(|busy| busy.recalls == 0) else { return };
        let (core, owned) = match busy.wants {
            Some(Wants::Core { core, owned }) => (core, owned),
            Some(Wants::Probe { access, stays }) => {
                self.answer_probe(shared, line, (access, stays));
                return self.end(shared, line);
            }
            None => return self.end(shared, line),
        };
        let hits = &mut shared.statistics.l2_home;
        let Some(place) = self.home.l2.hit(line) else {
            hits.misses += 1;
            let ends = [Port::Gpm(0), DIRECTORY];
            self.fabric.send_new(shared, Message::new(Kind::Get { owned }, ends, line));
            return;
        };
        hits.hits += 1;
        let mut answer = Message::new(Kind::Data, [Port::Gpm(0), Port::Core(core)], line);
        (answer.data, answer.owned) = (*self.home.l2.data(place), owned);
        self.fabric.send_new(shared, answer);
        self.end(shared, line);
    }

    /// What was done about a line is over: the directory keeps its entry, and the next request goes on.
    fn end(&mut self, shared: &mut Shared, line: u32) {
        let Some(busy) = self.home.busy.remove(&line) else { return };
        let Transaction { wants, mut copies, mut waiting, .. } = busy;
        match wants {
            Some(Wants::Core { core, owned: true }) => copies = Copies::of_owner(core),
            Some(Wants::Core { core, .. }) => copies.add(core),
            Some(Wants::Probe { stays: true, .. }) => {}
            Some(Wants::Probe { .. }) | None => copies = Copies::default(),
        }
        if !copies.are_none() {
            let (place, victim) = self.home.entries.allocate(line);
            *self.home.entries.tag(place) = copies;
            // All bytes count as valid, so that the entry is found as a line is.
            self.home.entries.change(place, WHOLE, false);
            if let Some(Victim { line, tag, .. }) = victim {
                let recalls = self.recall(shared, line, tag, (None, false));
                let transaction = Transaction { recalls, ..Transaction::default() };
                self.home.busy.insert(line, transaction);
                self.go_on_with(shared, line);
            }
        }
        if let Some(next) = waiting.pop_front() {
            self.begin(shared, line, next);
            match self.home.busy.get_mut(&line) {
                Some(busy) => busy.waiting.append(&mut waiting),
                None => {
                    for wants in waiting {
                        self.request_again(shared, line, wants);
                    }
                }
            }
        }
    }

    /// A request that waited behind one that is over already is served in the next turn of its bank.
    fn request_again(&mut self, shared: &mut Shared, line: u32, wants: Wants) {
        let to = Port::Gpm(0);
        let again = match wants {
            Wants::Core { core, owned } => {
                Message::new(Kind::Get { owned }, [Port::Core(core), to], line)
            }
            Wants::Probe { access, stays } => {
                let probe = Message::new(Kind::Probe { stays }, [DIRECTORY, to], line);
                Message { access, ..probe }
            }
        };
        let number = self.fabric.add(again);
        let turn = self.home.banks.turn(line, shared.events.now());
        shared.events.at(turn, SystemEvent::Serve(number));
    }

    fn write_l2(&mut self, shared: &mut Shared, line: u32, data: &Data, bytes: Bytes) {
        let (place, victim) = match self.home.l2.find(line) {
            Some(place) => (place, None),
            None => self.home.l2.allocate(line),
        };
        write(self.home.l2.change(place, bytes, true), data, bytes);
        self.evicted_from_l2(shared, victim);
    }

    fn evicted_from_l2(&mut self, shared: &mut Shared, victim: Option<Victim>) {
        let Some(Victim { line, dirty: 1.., data, .. }) = victim else { return };
        let mut back = Message::new(Kind::WriteBack, [Port::Gpm(0), DIRECTORY], line);
        (back.bytes, back.data) = (WHOLE, data);
        self.fabric.send_new(shared, back);
    }
}
