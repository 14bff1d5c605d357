//! The station's channels, and their payloads as Rust values.

use super::Params;
use crate::kit::*;

codes! {
    /// What cannot come as it came; it changes nothing.
    pub enum Misuse {
        /// A message of a unit that is not on the ring, or one that the protocol excludes now.
        Message,
        /// `rolled` says what was neither ordered nor can be.
        Rolled,
        /// `halted` answers nothing.
        Halted,
    }
}

payload! {
    /// A message on the ring: a payload of `line_in` and of `line_out`.
    pub struct Message(p: &Params) {
        go: bool [1] "0 stop, 1 go: every unit has stopped";
        origin: u64 [p.unit_bits()] "the unit that sent it first";
    }

    /// What the validation unit is to do, or has done: a payload of `roll` and of `rolled`, as the
    /// channels of `getm_validation` have it.
    pub struct Roll(p: &Params) {
        go: bool [1] "0 stop, 1 clear the tables and go on";
    }
}

channels! { |p|
    ROLLED = Channel::input("rolled", Roll::fields(p), "what the unit has done; it may stop by itself");
    HALTED = Channel::input(
        "halted",
        Fields::new(),
        "the cores have halted: nothing of them is in flight",
    );
    LINE_IN = Channel::input("line_in", Message::fields(p), "messages of the station before");
    DRAINED = Channel::input(
        "drained",
        Fields::new(),
        "the unit's commit unit has released all that it was sent",
    )
    .valid_only();
    ROLL = Channel::output("roll", Roll::fields(p), "orders to the unit");
    LINE_OUT = Channel::output("line_out", Message::fields(p), "messages to the next station");
    HALT = Channel::output(
        "halt",
        Fields::new(),
        "every unit has stopped: the cores must abort their transactions, and begin none",
    );
    RESUME = Channel::output(
        "resume",
        Fields::new(),
        "every unit is cleared: the cores may begin again, at time zero",
    );
    ERROR = Channel::error(2, "0 message, 1 rolled, 2 halted", "what cannot come now; it changes nothing");
}
