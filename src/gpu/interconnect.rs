//! Links with latency and bandwidth.

use super::config::LinkConfig;

/// One way of a link, or one port: messages go one after the other.
#[derive(Debug, Clone)]
pub(super) struct Lane {
    /// When it is free, in clocks.
    free: f64,
    latency: f64,
    per_byte: f64,
    /// Messages sent, and their bytes.
    pub(super) messages: u64,
    pub(super) bytes: u64,
}

impl Lane {
    pub(super) fn new(config: &LinkConfig) -> Self {
        let per_byte = 1.0 / config.bytes_per_clock;
        Self { free: 0.0, latency: f64::from(config.latency), per_byte, messages: 0, bytes: 0 }
    }

    /// Sends a message that is there at `at`; gives when it has arrived.
    #[inline]
    pub(super) fn send(&mut self, at: f64, bytes: u32) -> f64 {
        self.messages += 1;
        self.bytes += u64::from(bytes);
        self.free = self.free.max(at) + f64::from(bytes) * self.per_byte;
        self.free + self.latency
    }

    /// The share of its bandwidth that was used in so many clocks.
    pub(super) fn utilisation(&self, clocks: u64) -> f64 {
        self.bytes as f64 * self.per_byte / clocks.max(1) as f64
    }

    /// The clock when it will have sent all but this many bytes.
    pub(super) fn ready_for(&self, bytes: u32) -> u64 {
        (self.free - f64::from(bytes) * self.per_byte).max(0.0) as u64
    }
}
