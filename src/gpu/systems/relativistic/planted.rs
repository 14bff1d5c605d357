//! Errors to be planted.

use crate::memory::PlantedError;

/// An L1 keeps copies for longer than their leases.
pub const LONG_LEASE: PlantedError = PlantedError::named("long-lease");
/// An L1 says that its expired copies are as new as they can be, and they are renewed unseen.
pub const RENEW_UNCHECKED: PlantedError = PlantedError::named("renew-unchecked");
/// A core does not take the time of its stores.
pub const ACK_WITHOUT_VERSION: PlantedError = PlantedError::named("ack-without-version");
/// A core does not take the time of the data that it gets.
pub const DATA_WITHOUT_VERSION: PlantedError = PlantedError::named("data-without-version");
/// A core requests lines at time 0.
pub const FORGET_NOW: PlantedError = PlantedError::named("forget-now");
/// A line from DRAM overwrites bytes that were stored since it was requested.
pub const FILL_OVER_STORES: PlantedError = PlantedError::named("fill-over-stores");
/// The write-back of a victim is lost.
pub const LOSE_WRITE_BACK: PlantedError = PlantedError::named("lose-write-back");
/// Time rolls over while requests are in flight.
pub const ROLL_WITHOUT_DRAIN: PlantedError = PlantedError::named("roll-without-drain");
/// A warp issues loads while others are in flight.
pub const MANY_LOADS: PlantedError = PlantedError::named("many-loads-in-flight");
/// A warp issues stores while others are in flight.
pub const MANY_STORES: PlantedError = PlantedError::named("many-stores-in-flight");
/// A CTA's barrier does not wait for accesses in flight.
pub const BARRIER_WITHOUT_WAIT: PlantedError = PlantedError::named("barrier-without-wait");

/// All of them.
pub const ERRORS: [PlantedError; 11] = [
    LONG_LEASE,
    RENEW_UNCHECKED,
    ACK_WITHOUT_VERSION,
    DATA_WITHOUT_VERSION,
    FORGET_NOW,
    FILL_OVER_STORES,
    LOSE_WRITE_BACK,
    ROLL_WITHOUT_DRAIN,
    MANY_LOADS,
    MANY_STORES,
    BARRIER_WITHOUT_WAIT,
];
