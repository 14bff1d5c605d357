//! The image-composition scheduler of CHOPIN: which GPU sends its sub-image to which, and when.
//!
//! Ren, "CHOPIN", chapter 6 of the thesis, section 6.4.5, figures 6.10 and 6.11, table 6.1. The README
//! beside this file is the block's page.

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

pub use channels::{DONE, DONE_ERROR, ERROR, FINISHED, Finished, Misuse, START, Start, Transfer};
pub use params::Params;
pub use reference::{CompositionScheduler, Row};

room! {
    "chopin_composition_scheduler",
    "CHOPIN image-composition scheduler: pairs of GPUs that exchange sub-images",
    "CHOPIN: scalable graphics rendering in multi-GPU systems, section 6.4.5";
    |p, _, stream|
    reference: CompositionScheduler::new(p);
    contract: contract::CompositionContract::new(p);
    stimulus: Box::new(stimulus::Gpus::new(p, stream));

    fn free_choices(&self) -> Vec<FreeChoice> {
        vec![FreeChoice::first_turn("turn")]
    }
}
