//! What a block is written with, in one import.

pub use rand::{Rng, RngExt};
pub use warpsmith_rtl::library::record::{Fields, Record};
pub use warpsmith_rtl::library::stream::Stream;
pub use warpsmith_rtl::{Module, ModuleBuilder, Reg, Signal, Wire, address_bits};

pub use crate::block::{Block, Design, block, room};
pub use crate::channel::{Channel, Strap, channels};
pub use crate::circuit::{Held, describe, raise_errors, valid_only_input};
pub use crate::claim::{Array, Claim, claims};
pub use crate::exercise::{Compared, Exercise, Neighbours, Table, indices};
pub use crate::granules::granules;
pub use crate::parameters::{ImpossibleParameter, Parameters, in_range, parameters};
pub use crate::payload::{codes, payload};
pub use crate::properties::{
    NoProperties, Probes, Properties, Queue, SkidBuffer, Watched, clocks_of, cover, invariant,
    last_clock,
};
pub use crate::rule::rules;
pub use crate::verification::{
    Channels, Contract, Corners, Outcome, Partner, Reference, Stimulus, StimulusRng, StreamInfo,
    Violation, corners, stalled,
};
