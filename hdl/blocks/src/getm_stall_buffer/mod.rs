//! The stall buffer of GETM: accesses of transactions that found their address reserved and wait for
//! the reservation to end.
//!
//! Ren, "GETM", chapter 4 of the thesis, sections 4.4.1 and 4.5.2, figure 4.9. The
//! README beside this file is the block's page.

mod channels;
mod circuit;
mod claims;
mod contract;
mod corners;
mod exercise;
mod params;
mod properties;
mod reference;
mod rules;
mod stimulus;
use crate::kit::*;

pub use channels::{
    Access, ERROR, PARK, PARKED, Parked, RELEASE, RETRY, RETRY_RESULT, Release, RetryResult,
};
pub use params::Params;
pub use reference::StallBuffer;

room! {
    "getm_stall_buffer",
    "GETM stall buffer: accesses that wait for the end of a reservation",
    "GETM: GPU transactional memory with eager conflict detection, sections 4.4.1, 4.5.2";
    |p, _, stream|
    reference: StallBuffer::new(p);
    contract: contract::StallBufferContract::new(p);
    stimulus: Box::new(stimulus::Traffic::new(p, stream));

    fn free_choices(&self) -> Vec<FreeChoice> {
        // The first waiter of a line overwrites what the last entry says.
        let last = |line| format!("line{line}.entry{}_taken", self.entries - 1);
        let because = "a line without a waiter does not look at its last entry";
        let lasts = (0..self.lines).map(|line| FreeChoice::in_reset(last(line), because));
        // Of two lines the other one is next in any case: the one whose retry was taken waits for its result.
        let turn = if self.lines <= 2 { FreeChoice::turn } else { FreeChoice::first_turn };
        lasts.chain([turn("turn")]).collect()
    }
}
