//! Transactional traffic: warps run small transactional programs against the validation and commit units of
//! GETM, restart after aborts, and are judged by what they read and wrote ([`crate::serializability`]).
//!
//! Ren, "GETM", chapter 4 of the thesis: section 4.4.1 and figure 4.6 for what a core does, 4.5.2 for
//! roll-overs, table 4.3 for the programs.

mod core;
mod lane;
pub mod machine;
pub mod metadata_access;
pub mod partition;
mod plan;
pub mod program;
pub mod ring;
pub mod run;
mod serial;
mod slot;
mod stalled;
pub mod timestamp;
pub mod units;
mod warp;
pub mod workload;
