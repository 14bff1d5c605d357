//! Execution of a warp, instruction by instruction, without time.
//!
//! [`Warp::step`] executes one instruction of 32 lanes. Arithmetic, jumps and what belongs to a
//! thread alone are done at once; for the rest the step hands out a request ([`Access`]) and goes
//! on. Whoever models memory answers it when he likes and gives the answer to `Warp::complete`:
//! timing and caches stand around the interpreter, not in it.

mod access;
mod allocas;
mod alu;
mod atomic;
mod barrier;
mod bulk;
mod cluster;
mod collective;
mod compute;
mod copies;
mod divergence;
mod fetch;
mod identity;
mod local;
mod matrix;
mod mbarrier;
mod problem;
mod registers;
mod requests;
mod service;
mod sparse;
mod special;
mod stack;
mod stage;
mod step;
mod surface;
mod tensor;
mod transaction;
mod warnings;
mod warp;

pub use access::{Access, lanes_of};
pub use atomic::{perform, update};
pub use barrier::BARRIERS;
pub use bulk::{Bulk, Place, Transfer};
pub use identity::Identity;
pub use mbarrier::operate;
pub use problem::Problem;
pub use registers::{Image, LANES, Lanes};
pub use stack::Path;
pub use stage::{Stage, TextureRequest};
pub use step::{Allocation, Arrival, Print, Step};
pub use warnings::{Passed, Warnings};
pub use warp::{Surroundings, Warp};
