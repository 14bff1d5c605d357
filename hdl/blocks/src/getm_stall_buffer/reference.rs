//! The stall buffer as a sequential program (4.5.2, figure 4.9). Of what comes at one clock, `park`
//! counts first, then `retry_result`, then `release`; what is taken from `retry` counts last.

use super::channels::{
    Access, ERROR, NO_SUCH_RETRY, PARK, PARKED, Parked, RELEASE, RETRY, RETRY_RESULT, Release,
    RetryResult,
};
use super::params::Params;
use super::{corners, exercise};
use crate::kit::*;

/// What a line waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// The end of the reservation.
    Asleep,
    /// Its first waiter to be taken from `retry`.
    Awake,
    /// The result of that retry.
    Retrying,
}

/// An address and its waiters. A line without waiters is one whose last waiter is retried.
#[derive(Clone, Debug)]
struct Line {
    /// The lowest that was free as it was taken.
    number: usize,
    granule: u64,
    state: State,
    /// In the order in which they will leave: by timestamp, of equal ones the oldest first. The
    /// first waiter of a line that is awake has been chosen; no other goes before it.
    waiters: Vec<Access>,
    retried: Option<Access>,
    /// Released since its waiter was chosen.
    again: bool,
}

/// The reference model.
#[derive(Clone, Debug)]
pub struct StallBuffer {
    params: Params,
    lines: Vec<Line>,
}

impl StallBuffer {
    /// An empty buffer.
    pub fn new(params: &Params) -> Self {
        Self { params: params.clone(), lines: Vec::new() }
    }

    /// The lines that are taken: number, granule, and waiters.
    pub(crate) fn lines(&self) -> impl Iterator<Item = (usize, u64, &[Access])> {
        self.lines.iter().map(|line| (line.number, line.granule, &line.waiters[..]))
    }

    fn line_of(&self, address: u64) -> Option<usize> {
        self.lines.iter().position(|line| line.granule == self.params.granule_of(address))
    }

    /// An access is to wait; whether there is room for it.
    fn park(&mut self, access: Access, outcome: &mut Outcome<'_>) -> bool {
        let granule = self.params.granule_of(access.address);
        let address = self.params.address_of(granule);
        let access = Access { address, ..access };
        for line in &self.lines {
            outcome.corners.compare_at(exercise::PARKS, line.number, granule, line.granule);
        }
        let Some(at) = self.line_of(address) else {
            let room = self.lines.len() < self.params.lines as usize;
            outcome.corners.count(corners::BUFFER_FULL, !room);
            if room {
                let number = self.free_line();
                let entry = number * self.params.entries as usize;
                exercise::note_kept(entry, &access, outcome.corners);
                self.lines.push(Line {
                    number,
                    granule,
                    state: State::Asleep,
                    waiters: vec![access],
                    retried: None,
                    again: false,
                });
                self.count_full(outcome);
            }
            return room;
        };
        let line = &mut self.lines[at];
        let room = line.waiters.len() < self.params.entries as usize;
        line.count_park(&access, room, outcome);
        if room {
            let chosen = usize::from(line.state == State::Awake);
            for (entry, waiter) in line.waiters.iter().enumerate().skip(chosen) {
                exercise::compare_warpts(entry, access.warpts, waiter.warpts, outcome.corners);
            }
            let later = line.waiters[chosen..].iter().position(|w| w.warpts > access.warpts);
            let place = later.map_or(line.waiters.len(), |later| chosen + later);
            let entry = line.number * self.params.entries as usize + place;
            exercise::note_kept(entry, &access, outcome.corners);
            line.waiters.insert(place, access);
            self.count_full(outcome);
        }
        room
    }

    fn free_line(&self) -> usize {
        let mut numbers = 0..;
        let is_free = |number: &usize| self.lines.iter().all(|line| line.number != *number);
        numbers.find(is_free).expect("there are more numbers than lines")
    }

    /// What became of a retry; false if none is under way.
    fn retry_result(&mut self, result: RetryResult, outcome: &mut Outcome<'_>) -> bool {
        let granule = self.params.granule_of(result.address);
        for line in self.lines.iter().filter(|line| line.state == State::Retrying) {
            outcome.corners.compare_at(exercise::RESULTS, line.number, granule, line.granule);
        }
        let line = self.line_of(result.address);
        let Some(at) = line.filter(|&at| self.lines[at].state == State::Retrying) else {
            return false;
        };
        let line = &mut self.lines[at];
        line.state = State::Asleep;
        line.retried = None;
        let left = !line.waiters.is_empty();
        outcome.corners.hit(match (left, result.reserved, line.again) {
            (false, ..) => corners::RESULT_WITHOUT_WAITERS,
            (true, true, false) => corners::RESULT_RESERVED,
            (true, true, true) => corners::RELEASED_AGAIN,
            (true, false, _) => corners::RESULT_WAKES_NEXT,
        });
        if !left {
            self.lines.remove(at);
        } else if !result.reserved || line.again {
            line.wake(outcome);
        }
        true
    }

    fn release(&mut self, release: Release, outcome: &mut Outcome<'_>) {
        let of = self.params.granule_of(release.address);
        let concerns = |line: &&mut Line| release.all || line.granule == of;
        let asleep = |line: &&Line| line.state == State::Asleep && !release.all;
        for line in self.lines.iter().filter(asleep) {
            outcome.corners.compare_at(exercise::RELEASES, line.number, of, line.granule);
        }
        let (mut lines, mut woken) = (0, 0);
        for line in self.lines.iter_mut().filter(concerns) {
            lines += 1;
            match line.state {
                State::Asleep => {
                    woken += 1;
                    line.wake(outcome);
                }
                State::Awake | State::Retrying => line.again = true,
            }
        }
        outcome.corners.count(corners::RELEASE_OF_NOBODY, lines == 0);
        outcome.corners.count(corners::RELEASE_UNDER_WAY, lines > woken);
        outcome.corners.count(corners::RELEASE_OF_ALL, release.all && woken > 1);
    }

    fn count_full(&self, outcome: &mut Outcome<'_>) {
        let waiters: usize = self.lines.iter().map(|line| line.waiters.len()).sum();
        let full = waiters == (self.params.lines * self.params.entries) as usize;
        outcome.corners.count(corners::EVERY_ENTRY_TAKEN, full);
    }
}

impl Line {
    /// The first waiter is to be tried again.
    fn wake(&mut self, outcome: &mut Outcome<'_>) {
        self.state = State::Awake;
        self.again = false;
        let equal = self.waiters.get(1).is_some_and(|w| w.warpts == self.waiters[0].warpts);
        outcome.corners.count(corners::EQUAL_WARPTS, equal);
        outcome.sink.expect(RETRY, &self.waiters[0].encode());
    }

    fn count_park(&self, access: &Access, room: bool, outcome: &mut Outcome<'_>) {
        let again = self.retried.as_ref() == Some(access);
        let corners = &mut outcome.corners;
        corners.count(corners::LINE_FULL, !room);
        corners.count(corners::PARK_AGAIN, room && again);
        corners.count(corners::PARK_AGAIN_FULL, !room && again);
        corners.count(corners::PARK_WHILE_RETRIED, self.state == State::Retrying && !again);
        let awake = self.state == State::Awake;
        let earlier = awake && room && access.warpts < self.waiters[0].warpts;
        corners.count(corners::PARK_BEHIND_CHOSEN, earlier);
    }
}

impl Reference for StallBuffer {
    fn accept(&mut self, channel: usize, payload: &[u64], outcome: &mut Outcome<'_>) {
        match channel {
            PARK => {
                let room = self.park(Access::decode(payload), outcome);
                outcome.sink.expect(PARKED, &Parked { room }.encode());
            }
            RETRY_RESULT => {
                if !self.retry_result(RetryResult::decode(payload), outcome) {
                    outcome.corners.hit(corners::ERROR_RESULT);
                    outcome.sink.expect(ERROR, &[NO_SUCH_RETRY]);
                }
            }
            RELEASE => self.release(Release::decode(payload), outcome),
            _ => panic!("channel {channel} is no input"),
        }
    }

    fn taken(&mut self, channel: usize, payload: &[u64], outcome: &mut Outcome<'_>) {
        if channel != RETRY {
            return;
        }
        let awake = self.lines.iter().filter(|line| line.state == State::Awake).count();
        outcome.corners.count(corners::TWO_AWAKE, awake > 1);
        let line = self.line_of(Access::decode(payload).address).map(|at| &mut self.lines[at]);
        // Of a wrong retry nothing is learnt.
        if let Some(line) = line.filter(|line| line.state == State::Awake) {
            line.retried = Some(line.waiters.remove(0));
            line.state = State::Retrying;
        }
    }

    fn state(&self) -> Vec<String> {
        let mut text = Vec::new();
        for line in &self.lines {
            let address = self.params.address_of(line.granule);
            text.push(format!("0x{address:x}: {:?}", line.state));
            text.extend(line.waiters.iter().map(|waiter| format!("  waits: {waiter}")));
            text.extend(line.retried.iter().map(|access| format!("  retried: {access}")));
        }
        text
    }
}
