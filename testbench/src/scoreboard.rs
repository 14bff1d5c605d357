//! The transfers that the reference expects, and their judgement.

use std::collections::VecDeque;

use warpsmith_blocks::channel::{Channel, Judgement};
use warpsmith_blocks::verification::ExpectedSink;
use warpsmith_rtl::words;

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
    /// Payloads one after the other.
    queue: VecDeque<u64>,
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
                queue: VecDeque::new(),
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
        (!expected.queue.is_empty())
            .then(|| expected.queue.iter().take(expected.stride).copied().collect())
    }

    /// Judges a transfer.
    ///
    /// # Errors
    /// If it is not one that was expected.
    pub fn observe(&mut self, channel: usize, payload: &[u64]) -> Result<(), Unequal> {
        let expected = &mut self.channels[channel];
        let is = |start: usize, range: std::ops::Range<usize>, queue: &VecDeque<u64>| {
            range.into_iter().all(|word| queue[start + word] == payload[word])
        };
        let (whole, key) = (0..expected.stride, expected.key.clone());
        let mut starts = (0..expected.queue.len()).step_by(expected.stride);
        let candidate = match expected.judgement {
            Judgement::InOrder => starts.next(),
            Judgement::InOrderPerKey(_) => starts.find(|&s| is(s, key.clone(), &expected.queue)),
            Judgement::AnyOrder => starts.find(|&s| is(s, whole.clone(), &expected.queue)),
        };
        match candidate {
            Some(start) if is(start, whole.clone(), &expected.queue) => {
                expected.queue.drain(start..start + expected.stride);
                self.outstanding -= 1;
                Ok(())
            }
            Some(start) => {
                let payload = expected.queue.range(start..start + expected.stride);
                Err(Unequal { expected: Some(payload.copied().collect()) })
            }
            None => Err(Unequal { expected: self.first_expected(channel) }),
        }
    }
}

impl ExpectedSink for Scoreboard {
    fn expect(&mut self, channel: usize, payload: &[u64]) {
        let expected = &mut self.channels[channel];
        debug_assert_eq!(payload.len(), expected.stride);
        expected.queue.extend(payload);
        self.outstanding += 1;
    }
}
