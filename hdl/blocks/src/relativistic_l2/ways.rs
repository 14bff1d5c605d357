//! Ways of a set, and MSHRs.

/// State of a way (figure 3.4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum State {
    /// No block.
    #[default]
    I,
    /// Valid.
    V,
    /// Fetched for loads and stores.
    Iv,
    /// Fetched for an atomic.
    Iav,
}

/// A way of a set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Way {
    /// State.
    pub state: State,
    /// Number of its block.
    pub block: u64,
    /// Logical time of the block's last store, in V.
    pub ver: u64,
    /// The last lease of the block, in V.
    pub exp: u64,
    /// Exponent of its next lease, in V.
    pub k: u32,
    /// To be written back, in V.
    pub dirty: bool,
    /// The MSHR, in IV and IAV.
    pub mshr: usize,
    /// When it was used last, in events of the bank.
    pub(super) used: u64,
}

/// An MSHR in use.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mshr {
    /// Set of its way.
    pub set: usize,
    /// Its way.
    pub way: usize,
    /// The block's ver once it is there: lastwr (table 3.2).
    pub ver: u64,
    /// The latest now of those that read it: lastrd (table 3.2).
    pub rd: u64,
    /// Cores that read it, with their tags.
    pub readers: Vec<(u64, u64)>,
    /// A store has been merged.
    pub written: bool,
    /// Core and tag of the atomic, in IAV.
    pub atomic: Option<(u64, u64)>,
}
