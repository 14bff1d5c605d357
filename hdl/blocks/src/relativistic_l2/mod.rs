//! A bank of the L2 of relativistic cache coherence: tags, logical times and MSHRs.
//!
//! Ren, "Hardware Support for Consistency and Coherence in GPUs", chapter 3: relativistic cache coherence, sections
//! 3.4.1 to 3.4.5, figures 3.3 to 3.5, table 3.2. The README beside this file is the block's page.

mod bank;
mod channels;
mod circuit;
mod claims;
mod contract;
mod corners;
mod dram;
mod exercise;
mod params;
mod properties;
mod reference;
mod rules;
mod stimulus;
mod ways;

pub use bank::{Bank, Effect};
pub use channels::{
    ARRAY, Action, ArrayOp, Command, DRAM, ERROR, FILLED, Fetch, Filled, ISSUED, Issued, Kind,
    Misuse, Op, REQ, RESP, ROLL, ROLLED, Request, Response, RollOver, Rolled, channels,
};
pub use dram::Dram;
pub use params::Params;
pub use reference::RelativisticL2;
pub use ways::{Mshr, State, Way};

use crate::kit::*;

room! {
    "relativistic_l2",
    "bank of a relativistic L2: tags, logical times and MSHRs, for copies that end by themselves",
    "Ren, thesis chapter 3 (relativistic cache coherence)";
    |p, _, stream|
    reference: RelativisticL2::new(p);
    contract: contract::BankContract::new(p);
    stimulus: Box::new(stimulus::Traffic::new(p, stream));

    fn partner(&self) -> Option<Box<dyn Partner>> {
        Some(Box::new(Dram::new(self)))
    }

    fn free_choices(&self) -> Vec<FreeChoice> {
        let because = "the sets are cleared after a reset, whatever else is written";
        let registers = ["stage6_writes", "stage6_uses", "before_writes", "before_uses"];
        registers.map(|name| FreeChoice::in_reset(name.to_string(), because)).into()
    }
}
