//! The papers' figures, beside ours.

use serde::Serialize;
use warpsmith_rtl::Module;
use warpsmith_rtl::netlist::{Netlist, Storage};

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

/// The bits that a block's circuit keeps.
pub fn storage(circuit: &Module) -> Storage {
    Netlist::flatten(circuit).expect("a circuit without loops").storage()
}

/// Claims: `"what is counted", the paper's figure "unit", "its source": ours, "how it is computed";`.
#[macro_export]
macro_rules! claims {
    ($($what:literal, $paper:expr, $unit:literal, $source:expr => $ours:expr, $how:expr;)*) => {
        vec![$($crate::claim::Claim {
            what: $what.to_string(),
            paper: $paper,
            source: $source,
            ours: $ours,
            unit: $unit,
            how: $how.to_string(),
        }),*]
    };
}
pub use claims;

/// An array of storage that a paper counts, for a model of RAMs to give its area and power.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Array {
    /// What is stored.
    pub what: String,
    /// Where the paper gives its size: section, table or page.
    pub source: &'static str,
    /// Rows.
    pub rows: u64,
    /// Bits in a row, all read or written at once.
    pub width: u64,
    /// Ports that only read.
    pub read_ports: u32,
    /// Ports that only write.
    pub write_ports: u32,
    /// Ports that do either.
    pub read_write_ports: u32,
    /// How many of it there are.
    pub copies: u32,
    /// The clock that it runs at in the paper, in MHz.
    pub clock_mhz: f64,
    /// Whether it is what the paper measures the others against.
    pub is_yardstick: bool,
    /// The paper's area of all copies in square millimetres, if it gives one.
    pub paper_area_mm2: Option<f64>,
    /// The paper's power of all copies in milliwatts, if it gives one.
    pub paper_power_mw: Option<f64>,
    /// What takes its place in our circuits, if it is a row of a table of the paper.
    pub counterpart: Option<Counterpart>,
}

impl Array {
    /// An array with a port that reads and one that writes, of which the paper says no more.
    pub fn new(what: &str, source: &'static str, rows: u32, width: u32) -> Self {
        Self {
            what: what.to_string(),
            source,
            rows: rows.into(),
            width: width.into(),
            read_ports: 1,
            write_ports: 1,
            read_write_ports: 0,
            copies: 1,
            clock_mhz: 0.0,
            is_yardstick: false,
            paper_area_mm2: None,
            paper_power_mw: None,
            counterpart: None,
        }
    }

    /// The same with one port that does either.
    #[must_use]
    pub fn with_one_port(self) -> Self {
        Self { read_ports: 0, write_ports: 0, read_write_ports: 1, ..self }
    }
}

/// What takes the place of a paper's array in our circuits.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Counterpart {
    /// Units that the paper's copies are in.
    pub units: u32,
    /// The memories of one unit, each by how its name begins; none if it is in registers, or not built.
    pub memories: &'static [&'static str],
    /// What the difference is made of.
    pub difference: String,
}
