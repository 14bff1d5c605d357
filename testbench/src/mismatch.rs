//! The report of a divergence of circuit and reference.

use std::fmt;

use serde::Serialize;

/// A divergence of circuit and reference. Payloads are in the words of [`Channel::show`].
///
/// [`Channel::show`]: warpsmith_blocks::channel::Channel::show
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Divergence {
    /// A transfer differs from the expected one.
    Different {
        /// Channel.
        channel: &'static str,
        /// The reference's transfer.
        expected: String,
        /// The circuit's transfer.
        found: String,
    },
    /// A transfer without a request.
    Unexpected {
        /// Channel.
        channel: &'static str,
        /// The circuit's transfer.
        found: String,
    },
    /// The circuit hangs although a transfer is due.
    Stuck {
        /// Channel.
        channel: &'static str,
        /// The missing transfer.
        waiting_for: String,
        /// Clocks without a transfer.
        clocks: u64,
        /// Whether there was no transfer at all since reset.
        never_alive: bool,
    },
    /// An offer changed or was withdrawn before it was taken.
    Unstable {
        /// Channel.
        channel: &'static str,
        /// The offer.
        before: String,
        /// The later offer.
        after: String,
    },
    /// A rule of the contract is broken; the rule is in [`Mismatch::rule`].
    Contract {
        /// What happened.
        detail: String,
    },
    /// The model itself has a complaint.
    Complaint {
        /// The model's message.
        message: String,
        /// Whether the model stopped before any transfer.
        never_alive: bool,
    },
}

impl fmt::Display for Divergence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Divergence::Different { channel, expected, found } => {
                write!(f, "`{channel}` expected {expected}, found {found}")
            }
            Divergence::Unexpected { channel, found } => {
                write!(f, "`{channel}` expected no transfer, found {found}")
            }
            Divergence::Stuck { channel, waiting_for, clocks, .. } => {
                write!(f, "`{channel}`: no transfer for {clocks} clocks, waiting for {waiting_for}")
            }
            Divergence::Unstable { channel, before, after } => {
                write!(f, "`{channel}` offered {before}, then {after} before it was taken")
            }
            Divergence::Contract { detail } => f.write_str(detail),
            Divergence::Complaint { message, .. } => f.write_str(message),
        }
    }
}

/// A broken rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BrokenRule {
    /// The rule in words.
    pub rule: &'static str,
    /// Its source.
    pub source: &'static str,
    /// How it was broken.
    pub detail: String,
    /// Clock of the violation.
    pub clock: u64,
}

/// A past transfer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PastTransfer {
    /// Clock since reset.
    pub clock: u64,
    /// Channel.
    pub channel: &'static str,
    /// Payload in words.
    pub payload: String,
}

/// The first divergence of an episode.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Mismatch {
    /// The divergence.
    pub divergence: Divergence,
    /// Clock since reset.
    pub clock: u64,
    /// Requests accepted before it in this episode.
    pub accepted: u64,
    /// The broken rule, if the contract names one within the next clocks.
    pub rule: Option<BrokenRule>,
    /// The last transfers before it, the latest last.
    pub history: Vec<PastTransfer>,
    /// The state of the reference.
    pub reference: Vec<String>,
    /// The circuit's registers at that clock; empty if the model does not show them.
    pub registers: Vec<(String, String)>,
}

impl fmt::Display for Mismatch {
    /// The divergence, the broken rule, and the last transfers before it, oldest first.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.divergence)?;
        if let Some(BrokenRule { rule, source, detail, .. }) = &self.rule {
            write!(f, "\n  it breaks the rule: {rule} ({source}): {detail}")?;
        }
        let past = |PastTransfer { clock, channel, payload }: &PastTransfer| {
            write!(f, "\n  clock {clock}: {channel} {payload}")
        };
        self.history.iter().try_for_each(past)
    }
}
