//! Making a failing stream of requests small, with proptest's search.

use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, TestCaseError, TestError, TestRunner};

use crate::episode::Offer;

/// A stream that proptest can simplify: first by leaving out runs of offers, half of the stream
/// down to one, then by moving offers closer together and making words of the payloads zero.
struct Offers {
    current: Vec<Offer>,
    before: Option<Vec<Offer>>,
    run: usize,
    at: usize,
    word: usize,
    /// Clocks that an offer needs at least after the one before it, as far as was tried.
    least_gap: u64,
}

impl Offers {
    fn new(offers: Vec<Offer>) -> Self {
        let run = offers.len().div_ceil(2).max(1);
        Self { current: offers, before: None, run, at: 0, word: 0, least_gap: 0 }
    }

    /// Tries the next simplification from `current`.
    fn advance(&mut self) -> bool {
        while self.run > 0 {
            if self.at < self.current.len() {
                self.before = Some(self.current.clone());
                let end = (self.at + self.run).min(self.current.len());
                self.current.drain(self.at..end);
                return true;
            }
            self.at = 0;
            self.run /= 2;
        }
        while self.at < self.current.len() {
            if self.word == 0 && self.moves_closer() {
                return true;
            }
            let payload = &self.current[self.at].payload;
            match (self.word..payload.len()).find(|&word| payload[word] != 0) {
                Some(word) => {
                    self.before = Some(self.current.clone());
                    self.current[self.at].payload[word] = 0;
                    self.word = word + 1;
                    return true;
                }
                None => (self.at, self.word) = (self.at + 1, 0),
            }
        }
        false
    }

    /// Tries to move an offer, and those after it, closer to the one before it, by halving.
    fn moves_closer(&mut self) -> bool {
        let gap = self.gap();
        if gap <= self.least_gap {
            self.least_gap = 0;
            return false;
        }
        self.before = Some(self.current.clone());
        let closer = gap - (self.least_gap + gap) / 2;
        self.current[self.at..].iter_mut().for_each(|offer| offer.clock -= closer);
        true
    }

    /// Clocks between an offer and the one before it.
    fn gap(&self) -> u64 {
        let clock_before = if self.at == 0 { 0 } else { self.current[self.at - 1].clock };
        self.current[self.at].clock.saturating_sub(clock_before)
    }
}

impl ValueTree for Offers {
    type Value = Vec<Offer>;

    fn current(&self) -> Vec<Offer> {
        self.current.clone()
    }

    /// The last try still fails: go on from it.
    fn simplify(&mut self) -> bool {
        self.before = None;
        self.advance()
    }

    /// The last try does not fail: take it back and try the next.
    fn complicate(&mut self) -> bool {
        let Some(before) = self.before.take() else { return false };
        self.current = before;
        if self.run > 0 {
            self.at += self.run;
        } else if self.word == 0 {
            self.least_gap = (self.least_gap + self.gap()) / 2 + 1;
        }
        self.advance()
    }
}

/// The smallest stream found within `milliseconds` for which `fails` is still true; none if it is
/// not even true for `offers`.
pub fn shrink(
    offers: Vec<Offer>,
    milliseconds: u32,
    fails: impl FnMut(&[Offer]) -> bool,
) -> Option<Vec<Offer>> {
    let config = Config {
        max_shrink_time: milliseconds,
        max_shrink_iters: u32::MAX,
        failure_persistence: None,
        ..Config::default()
    };
    let fails = std::cell::RefCell::new(fails);
    let test = |offers: Vec<Offer>| match (fails.borrow_mut())(&offers) {
        true => Err(TestCaseError::fail("mismatch")),
        false => Ok(()),
    };
    match TestRunner::new(config).run_one(Offers::new(offers), test) {
        Err(TestError::Fail(_, smallest)) => Some(smallest),
        _ => None,
    }
}
