//! The handshake rules of every channel, as a module of properties for its ports.
//!
//! The offers of a circuit are asserted, those of its environment assumed. That valid does not wait for ready
//! is structural and cannot be stated as a property of a single trace; instead a cover requires an offer
//! while ready is low, which a waiting valid never makes.

use crate::{Module, ModuleBuilder, Signal};

/// The source of a channel's offers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Offers {
    /// The circuit: its offers are asserted to be well behaved.
    Asserted,
    /// Its environment: its offers are assumed to be well behaved.
    Assumed,
    /// Its environment, which may change or withdraw an offer that is not taken.
    Revocable,
}

impl Offers {
    fn word(self) -> &'static str {
        match self {
            Offers::Asserted => "asserted",
            Offers::Assumed => "assumed",
            Offers::Revocable => "revocable",
        }
    }
}

/// The module `ready_valid_<asserted|assumed|revocable>_w<width>`: `valid`, `ready` and, if there are any
/// payload bits, `payload`.
pub fn ready_valid_properties(width: u32, offers: Offers) -> Module {
    let word = offers.word();
    let m = ModuleBuilder::new(&format!("ready_valid_{word}_w{width}"));
    m.describe(&format!("Ready/valid channel with {width} bits of payload; offers are {word}."));
    let valid = m.input("valid", 1);
    let ready = m.input("ready", 1);
    let payload = (width > 0).then(|| m.input("payload", width));
    let rule = |name: &str, condition: Signal<'_>, doc: &str| match offers {
        Offers::Asserted => m.assert(name, condition, doc),
        _ => m.assume(name, condition, doc),
    };
    if offers != Offers::Revocable {
        let stalled = m.reg("stalled", 1, 0).doc("An offer was not taken at the last edge.");
        stalled.set(valid & !ready);
        rule("offer_stays", !*stalled | valid, "An offer that is not taken is not withdrawn.");
        if let Some(payload) = payload {
            let offered =
                m.reg_without_reset("offered", width).doc("The payload at the last edge.");
            offered.set(payload);
            let same = payload.eq(*offered);
            rule(
                "payload_stays",
                !*stalled | same,
                "An offer that is not taken keeps its payload.",
            );
        }
    }
    if offers == Offers::Asserted {
        quiet_after_reset(&m, valid);
        m.cover("offer_before_ready", valid & !ready, "An offer does not wait for ready.");
    }
    m.cover("transfer", valid & ready, "A transfer happens.");
    m.finish()
}

/// The module `valid_only_<asserted|assumed>`: a channel that cannot be stalled, observed through `valid`.
pub fn valid_only_properties(offers: Offers) -> Module {
    let m = ModuleBuilder::new(&format!("valid_only_{}", offers.word()));
    m.describe(&format!("Channel without ready; its offers are {}.", offers.word()));
    let valid = m.input("valid", 1);
    if offers == Offers::Asserted {
        quiet_after_reset(&m, valid);
    }
    m.cover("transfer", valid, "A transfer happens.");
    m.finish()
}

fn quiet_after_reset(m: &ModuleBuilder, valid: Signal<'_>) {
    let fresh = m.reg("after_reset", 1, 1).doc("The first clock after reset.");
    fresh.set(0);
    m.assert("quiet_after_reset", !*fresh | !valid, "Nothing is offered right after reset.");
}
