//! The papers' figures, beside ours.

use serde::Serialize;

/// One figure of a paper about a block.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Claim {
    /// What is counted.
    pub what: String,
    /// The paper's figure.
    pub paper: f64,
    /// Where the paper gives it: section, table or page.
    pub source: &'static str,
    /// Ours.
    pub ours: f64,
    /// Unit of both.
    pub unit: &'static str,
    /// How ours is computed, and why it differs if it does.
    pub how: String,
}

impl Claim {
    /// Ours above the paper's, in percent of the paper's.
    pub fn delta_percent(&self) -> f64 {
        (self.ours - self.paper) / self.paper * 100.0
    }
}
