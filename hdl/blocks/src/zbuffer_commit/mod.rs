//! The Z-buffer commit unit of GPUDet: commits the store buffers of all wavefronts in any order, with a
//! result that depends on none.
//!
//! Jooybar et al., "GPUDet", ASPLOS 2013, as in the thesis, section 4.4, figures 4.5 to 4.7. The README
//! beside this file is the block's page.

mod channels;
mod circuit;
mod claims;
mod contract;
mod corners;
mod exercise;
mod l2;
mod params;
mod properties;
mod reference;
mod rules;
mod stimulus;

pub use channels::{
    ACK, COLOR, COLOR_ACK, Color, Depths, ERROR, Misuse, REQ, RESET, RESET_DONE, Request, ZCLEAR,
    ZCLEAR_ACK, ZDATA, ZREAD, ZWRITE, ZWRITE_ACK, channels,
};
pub use l2::L2;
pub use params::{Granularity, Params};
pub use reference::{Effect, ZBuffer};

use crate::kit::*;

room! {
    "zbuffer_commit",
    "GPUDet Z-buffer commit unit: commits store buffers in any order, deterministically",
    "Jooybar, Fung, O'Connor, Devietti, Aamodt: GPUDet: A Deterministic GPU Architecture (ASPLOS 2013; \
     thesis, chapter 4)";
    |p, _, stream|
    reference: ZBuffer::new(p);
    contract: contract::CommitContract::new(p);
    stimulus: Box::new(stimulus::Stores::new(p, stream));

    fn partner(&self) -> Option<Box<dyn Partner>> {
        Some(Box::new(L2::new(self)))
    }

    fn free_choices(&self) -> Vec<FreeChoice> {
        circuit::free_choices(self)
    }
}
