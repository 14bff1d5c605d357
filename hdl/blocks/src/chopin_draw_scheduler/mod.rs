//! The draw-command scheduler of CHOPIN: each draw goes to the GPU with the fewest triangles that are
//! scheduled and not yet processed.
//!
//! Ren, "CHOPIN", chapter 6 of the thesis, section 6.4.4, figure 6.9. The README beside this file is the
//! block's page.

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
    DRAW, Draw, ERROR, ErrorReport, GRANT, Grant, PROCESSED, QUERY, Query, TOTALS, Totals,
};
pub use params::Params;
pub use reference::DrawScheduler;

room! {
    "chopin_draw_scheduler",
    "CHOPIN draw-command scheduler: draws go to the GPU with the fewest remaining triangles",
    "CHOPIN: scalable graphics rendering in multi-GPU systems, section 6.4.4";
    |p, _, stream|
    reference: DrawScheduler::new(p);
    contract: contract::DrawContract::new(p);
    stimulus: Box::new(stimulus::Traffic::new(p, stream));
}
