//! Registers whose value no rule fixes: whose turn is next, which way is evicted.
//!
//! A change of the circuit that only changes such a choice is no fault. The tests check both halves: that the circuit
//! keeps every rule with choices at random, and that the changed circuit is the circuit with other choices.

/// A register whose value no rule fixes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FreeChoice {
    /// Its name in the circuit, with the instances it is in: `ack_turn.above_last`.
    pub register: String,
    /// What is free.
    pub may: Freedom,
    /// Why no rule fixes it.
    pub because: &'static str,
}

/// What may happen to a register.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Freedom {
    /// It may take any value at any clock.
    TakeAny,
    /// It may take any value in reset, and at a clock at which that signal is 1.
    TakeAnyWhen(String),
    /// It may take any value in reset.
    TakeAnyInReset,
}

impl FreeChoice {
    /// A register that is written before it is read, so that any value will do in reset.
    pub fn in_reset(register: String, because: &'static str) -> Self {
        Self { register, may: Freedom::TakeAnyInReset, because }
    }

    /// The turn of a [round-robin arbiter](warpsmith_rtl::library::arbiter::round_robin) of that instance name, whose
    /// grant must stay until it advances.
    pub fn turn(arbiter: &str) -> Self {
        Self {
            register: format!("{arbiter}.above_last"),
            may: Freedom::TakeAnyWhen(format!("{arbiter}.advance")),
            because: "no rule says whose turn is next",
        }
    }

    /// The turn of such an arbiter whose grant counts only when it advances.
    pub fn any_turn(arbiter: &str) -> Self {
        Self { may: Freedom::TakeAny, ..Self::turn(arbiter) }
    }

    /// The first turn of such an arbiter, where a rule says whose turn is next.
    pub fn first_turn(arbiter: &str) -> Self {
        Self::in_reset(Self::turn(arbiter).register, "no rule says whose turn is first")
    }
}
