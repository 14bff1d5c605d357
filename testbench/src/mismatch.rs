//! What is told about a divergence of circuit and reference.

use std::fmt;

use serde::Serialize;

/// How circuit and reference diverge. Payloads are in words, as [`Channel::show`] writes them.
///
/// [`Channel::show`]: warpsmith_blocks::channel::Channel::show
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Divergence {
    /// A transfer differs from the expected one.
    Different {
        /// Channel.
        channel: &'static str,
        /// What the reference expects.
        expected: String,
        /// What the circuit did.
        found: String,
    },
    /// A transfer that nothing asks for.
    Unexpected {
        /// Channel.
        channel: &'static str,
        /// What the circuit did.
        found: String,
    },
    /// Nothing happens any more although something should.
    Stuck {
        /// Channel.
        channel: &'static str,
        /// What is waited for.
        waiting_for: String,
        /// Clocks without a transfer.
        clocks: u64,
        /// No transfer was ever taken or given since reset.
        never_alive: bool,
    },
    /// An offer changed or was withdrawn before it was taken.
    Unstable {
        /// Channel.
        channel: &'static str,
        /// The offer.
        before: String,
        /// What became of it.
        after: String,
    },
    /// A rule of the contract is broken; the rule is in [`Mismatch::rule`].
    Contract {
        /// What happened.
        detail: String,
    },
    /// The model itself complains.
    Complaint {
        /// Its words.
        message: String,
        /// It was over before any transfer was taken or given.
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

/// A rule that a divergence breaks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BrokenRule {
    /// The rule in words.
    pub rule: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// How it was broken.
    pub detail: String,
    /// Clock at which it showed.
    pub clock: u64,
}

/// A transfer of the past.
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
    /// What diverges.
    pub divergence: Divergence,
    /// Clock since reset.
    pub clock: u64,
    /// Requests accepted before it in this episode.
    pub accepted: u64,
    /// The rule that it breaks, if the contract names one within the next clocks.
    pub rule: Option<BrokenRule>,
    /// The last transfers before it, the latest last.
    pub history: Vec<PastTransfer>,
    /// The state of the reference.
    pub reference: Vec<String>,
    /// The circuit's registers at that clock; empty if the model cannot see them.
    pub registers: Vec<(String, String)>,
}

impl fmt::Display for Mismatch {
    /// The divergence, the rule that it breaks, and the last transfers before it, oldest first.
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
