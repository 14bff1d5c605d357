//! The transfers that the reference expects, and how they are judged.

use warpsmith_blocks::channel::{Channel, Judgement};
use warpsmith_blocks::verification::ExpectedSink;
use warpsmith_rtl::words;

/// Consumed words in a queue before it is compacted.
const PAST: usize = 4096;

/// The outstanding expectations of each channel.
#[derive(Debug)]
pub struct Scoreboard {
    channels: Vec<Expected>,
    outstanding: usize,
}

#[derive(Debug)]
struct Expected {
    judgement: Judgement,
    /// Words of the key, if the judgement has one.
    key: std::ops::Range<usize>,
    /// Words per payload, one at least.
    stride: usize,
    /// Payloads one after the other; those before `first` are consumed.
    words: Vec<u64>,
    first: usize,
}

impl Expected {
    #[inline]
    fn payload(&self, start: usize) -> &[u64] {
        &self.words[start..start + self.stride]
    }

    /// The position of the expectation that a transfer must equal.
    #[inline]
    fn candidate(&self, payload: &[u64]) -> Option<usize> {
        let mut starts = (self.first..self.words.len()).step_by(self.stride);
        let key = self.key.clone();
        match self.judgement {
            Judgement::InOrder => (self.first < self.words.len()).then_some(self.first),
            Judgement::InOrderPerKey(_) => {
                starts.find(|&s| self.payload(s)[key.clone()] == payload[key.clone()])
            }
            Judgement::AnyOrder => starts.find(|&s| equal(self.payload(s), payload)),
        }
    }

    #[inline]
    fn remove(&mut self, start: usize) {
        if start > self.first {
            self.words.drain(start..start + self.stride);
            return;
        }
        self.first += self.stride;
        if self.first == self.words.len() || self.first >= PAST {
            self.words.drain(..self.first);
            self.first = 0;
        }
    }
}

/// A transfer that was not expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unequal {
    /// The expected transfer; none if nothing was expected.
    pub expected: Option<Vec<u64>>,
}

impl Scoreboard {
    /// No expectations.
    pub fn new(channels: &[Channel]) -> Self {
        let expected = |channel: &Channel| {
            let mut key = 0..0;
            if let Judgement::InOrderPerKey(field) = channel.judgement {
                let widths: Vec<_> = channel.fields.iter().map(|f| words(f.width)).collect();
                let start = widths[..field].iter().sum();
                key = start..start + widths[field];
            }
            Expected {
                judgement: channel.judgement,
                key,
                stride: channel.payload_words().max(1),
                words: Vec::new(),
                first: 0,
            }
        };
        Self { channels: channels.iter().map(expected).collect(), outstanding: 0 }
    }

    /// Number of expected transfers not yet seen.
    pub fn outstanding(&self) -> usize {
        self.outstanding
    }

    /// The oldest expectation of a channel.
    pub fn first_expected(&self, channel: usize) -> Option<Vec<u64>> {
        let expected = &self.channels[channel];
        (expected.first < expected.words.len()).then(|| expected.payload(expected.first).to_vec())
    }

    /// Judges a transfer.
    ///
    /// # Errors
    /// Returns [`Unequal`] for an unexpected transfer.
    #[inline]
    pub fn observe(&mut self, channel: usize, payload: &[u64]) -> Result<(), Unequal> {
        let expected = &mut self.channels[channel];
        match expected.candidate(payload) {
            Some(start) if equal(expected.payload(start), payload) => {
                expected.remove(start);
                self.outstanding -= 1;
                Ok(())
            }
            Some(start) => Err(Unequal { expected: Some(expected.payload(start).to_vec()) }),
            None => Err(Unequal { expected: self.first_expected(channel) }),
        }
    }
}

impl ExpectedSink for Scoreboard {
    fn expect(&mut self, channel: usize, payload: &[u64]) {
        let expected = &mut self.channels[channel];
        debug_assert!(payload.is_empty() || payload.len() == expected.stride);
        expected.words.extend_from_slice(if payload.is_empty() { &[0] } else { payload });
        self.outstanding += 1;
    }
}

/// Compares payloads of equal length, faster than `memcmp` for a few words.
#[inline]
pub(crate) fn equal(a: &[u64], b: &[u64]) -> bool {
    a.iter().zip(b).all(|(a, b)| a == b)
}
