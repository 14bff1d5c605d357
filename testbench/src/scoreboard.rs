//! The transfers that the reference expects, and their judgement.

use warpsmith_blocks::channel::{Channel, Judgement};
use warpsmith_blocks::verification::ExpectedSink;
use warpsmith_rtl::words;

/// Words of the past in a queue before it is moved up.
const PAST: usize = 4096;

/// What is still expected on each channel.
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
    /// Words in a payload.
    stride: usize,
    /// Payloads one after the other; those before `first` are of the past.
    words: Vec<u64>,
    first: usize,
}

impl Expected {
    #[inline]
    fn payload(&self, start: usize) -> &[u64] {
        &self.words[start..start + self.stride]
    }

    /// Where the expectation lies that a transfer must be equal to.
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

/// A transfer that is not what was expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unequal {
    /// What was expected instead; none if nothing was.
    pub expected: Option<Vec<u64>>,
}

impl Scoreboard {
    /// Nothing is expected yet.
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
                stride: channel.payload_words(),
                words: Vec::new(),
                first: 0,
            }
        };
        Self { channels: channels.iter().map(expected).collect(), outstanding: 0 }
    }

    /// Number of transfers expected and not yet seen.
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
    /// If it is not one that was expected.
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
        debug_assert_eq!(payload.len(), expected.stride);
        expected.words.extend_from_slice(payload);
        self.outstanding += 1;
    }
}

/// Compares payloads of equal length. They are a few words long, less than a call of `memcmp`
/// costs.
#[inline]
pub(crate) fn equal(a: &[u64], b: &[u64]) -> bool {
    a.iter().zip(b).all(|(a, b)| a == b)
}
