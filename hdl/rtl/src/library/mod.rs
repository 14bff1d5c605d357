//! Parts that most circuits need: records, ready/valid streams, buffers, arbiters, one-hot codes,
//! minimum, hashing.
//!
//! Combinational parts are functions of signals and become expressions of the module that calls
//! them; parts with state are modules of their own.

pub mod arbiter;
pub mod fifo;
pub mod h3;
pub mod min_tree;
pub mod one_hot;
pub mod ready_valid_properties;
pub mod record;
pub mod skid_buffer;
pub mod stream;
