//! Shrinks a failing stream of requests.

use std::time::{Duration, Instant};

use crate::episode::Offer;

/// The smallest stream found within `limit` for which `fails` holds; none if it does not hold for `offers`.
/// At least one offer remains, so that there is something to replay.
///
/// First runs of offers are left out, from half of the stream down to one; then offers are moved closer
/// together and words of their payloads zeroed.
pub fn shrink(
    offers: Vec<Offer>,
    limit: Duration,
    mut fails: impl FnMut(&[Offer]) -> bool,
) -> Option<Vec<Offer>> {
    if offers.is_empty() || !fails(&offers) {
        return None;
    }
    let end = Instant::now() + limit;
    let mut search = Search::new(offers);
    while Instant::now() < end && search.advance() {
        if !fails(&search.current) {
            search.take_back();
        }
    }
    Some(search.current)
}

/// State of the search.
struct Search {
    current: Vec<Offer>,
    /// The stream before the last try.
    before: Vec<Offer>,
    /// Length of the runs to leave out; 0 once none can be left out.
    run: usize,
    /// The offer and its word that are tried next.
    at: usize,
    word: usize,
    /// Smallest known distance of an offer from the one before it, in clocks.
    least_gap: u64,
}

impl Search {
    fn new(offers: Vec<Offer>) -> Self {
        let run = offers.len().div_ceil(2).max(1);
        Self { current: offers, before: Vec::new(), run, at: 0, word: 0, least_gap: 0 }
    }

    /// Applies the next simplification to `current`; false if none is left.
    fn advance(&mut self) -> bool {
        while self.run > 0 {
            let all = self.at == 0 && self.run >= self.current.len();
            if self.at < self.current.len() && !all {
                self.before.clone_from(&self.current);
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
                    self.before.clone_from(&self.current);
                    self.current[self.at].payload[word] = 0;
                    self.word = word + 1;
                    return true;
                }
                None => (self.at, self.word) = (self.at + 1, 0),
            }
        }
        false
    }

    /// Tries to move an offer and its successors closer to the one before, by bisection.
    fn moves_closer(&mut self) -> bool {
        let gap = self.gap();
        if gap <= self.least_gap {
            self.least_gap = 0;
            return false;
        }
        self.before.clone_from(&self.current);
        let closer = gap - (self.least_gap + gap) / 2;
        self.current[self.at..].iter_mut().for_each(|offer| offer.clock -= closer);
        true
    }

    /// Clocks between an offer and the one before it.
    fn gap(&self) -> u64 {
        let clock_before = if self.at == 0 { 0 } else { self.current[self.at - 1].clock };
        self.current[self.at].clock.saturating_sub(clock_before)
    }

    /// The last try does not fail: restores the stream before it.
    fn take_back(&mut self) {
        std::mem::swap(&mut self.current, &mut self.before);
        if self.run > 0 {
            self.at += self.run;
        } else if self.word == 0 {
            self.least_gap = (self.least_gap + self.gap()) / 2 + 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: Duration = Duration::from_secs(60);

    fn offers(payloads: impl IntoIterator<Item = u64>) -> Vec<Offer> {
        let offer = |(at, word)| Offer { channel: 0, payload: vec![word, 7], clock: 100 * at };
        (1u64..).zip(payloads).map(offer).collect()
    }

    #[test]
    fn what_fails_without_any_offer_keeps_one() {
        let small = shrink(offers(0..64), LIMIT, |_| true).expect("it fails");
        assert_eq!(small, [Offer { channel: 0, payload: vec![0, 0], clock: 0 }]);
        assert_eq!(shrink(Vec::new(), LIMIT, |_| true), None);
        assert_eq!(shrink(offers(0..64), LIMIT, |_| false), None);
    }

    #[test]
    fn what_the_failure_needs_stays_and_nothing_else_does() {
        let needed = [13, 14, 50];
        let fails = |offers: &[Offer]| {
            let has = |word: &u64| offers.iter().any(|offer| offer.payload[0] == *word);
            let last = offers.last().map_or(0, |offer| offer.clock);
            needed.iter().all(has) && last >= 1234
        };
        let small = shrink(offers(0..64), LIMIT, fails).expect("it fails");
        let words: Vec<_> = small.iter().map(|offer| offer.payload.clone()).collect();
        assert_eq!(words, needed.map(|word| vec![word, 0]));
        assert_eq!(small.last().map(|offer| offer.clock), Some(1234));
    }

    #[test]
    fn a_search_without_time_gives_what_fails() {
        let all = offers(0..64);
        assert_eq!(shrink(all.clone(), Duration::ZERO, |_| true), Some(all));
    }
}
