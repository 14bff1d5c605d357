//! What a block is written with, in one import.

pub use rand::{Rng, RngExt};
pub use warpsmith_rtl::builder::{InstanceHandle, MemoryHandle};
pub use warpsmith_rtl::library::h3::H3;
pub use warpsmith_rtl::library::record::{Field, Fields, Record};
pub use warpsmith_rtl::library::stream::Stream;
pub use warpsmith_rtl::library::{one_hot, skid_buffer};
pub use warpsmith_rtl::{Bits, Collision, Module, ModuleBuilder, Reg, Signal, Wire, address_bits};

pub use crate::block::{Block, Design, block, room};
pub use crate::channel::{Channel, Strap, channels};
pub use crate::circuit::{
    Held, any_of, column, describe, module, pick, raise_errors, record, valid_only_input,
};
pub use crate::claim::{Array, Claim, Counterpart, claims, storage};
pub use crate::corners::{Corners, corners};
pub use crate::exercise::{Compared, Exercise, Neighbours, Table, indices};
pub use crate::free_choice::{FreeChoice, Freedom};
pub use crate::granules::granules;
pub use crate::parameters::{ImpossibleParameter, Parameters, in_range, parameters};
pub use crate::payload::{codes, payload};
pub use crate::properties::{
    NoProperties, Probes, Properties, Queue, SkidBuffer, Watched, all_of, clocks_of, count_of,
    cover, cover_stalls, invariant, last_clock,
};
pub use crate::rule::{Rule, rules};
pub use crate::same_row::{Hashing, SameRow};
pub use crate::verification::{
    Channels, Contract, Outcome, Partner, Reference, Stalls, Stimulus, StimulusRng, StreamInfo,
    Violation, stalled,
};
