//! Arbiters: grant one of several requests.

use crate::{Module, ModuleBuilder, Signal};

use super::one_hot;

/// Grants the lowest request, one-hot; zero without requests.
pub fn priority(requests: Signal<'_>) -> Signal<'_> {
    one_hot::lowest(requests)
}

/// The module `round_robin_arbiter_n<requesters>`: `requests` to the one-hot `grant` in the same clock. After
/// a clock with `advance` high and a grant, the search starts above the granted requester, so that each
/// requester waits for at most one grant of every other.
pub fn round_robin(requesters: u32) -> Module {
    let m = ModuleBuilder::new(&format!("round_robin_arbiter_n{requesters}"));
    m.describe(&format!(
        "Round-robin arbiter of {requesters} requesters: one-hot grant in the same clock; `advance`\n\
         moves the search above the requester that has the grant."
    ));
    let requests = m.input("requests", requesters);
    let advance = m.input("advance", 1);
    let above = m.reg("above_last", requesters, 0).doc("Requesters above the last one granted.");

    let preferred = (requests & *above).named("preferred");
    let candidates = preferred.any().mux(preferred, requests).named("candidates");
    let above_granted = one_hot::above_lowest(candidates).named("above_granted");
    let grant = m.output("grant", candidates & !above_granted);
    m.when(advance & requests.any(), || above.set(above_granted));
    m.assert("grant_requested", (grant & !requests).eq(0), "Only a requester is granted.");
    m.assert("grant_one_hot", (grant & (grant - 1)).eq(0), "At most one is granted.");
    m.assert("grant_some", grant.any().eq(requests.any()), "A request is granted at once.");
    m.finish()
}
