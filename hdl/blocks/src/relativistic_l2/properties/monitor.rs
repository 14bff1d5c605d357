//! What the properties remember, and the rules that they assert at the ports.

use crate::kit::*;
use crate::relativistic_l2::channels::RollOver;
use crate::relativistic_l2::params::Params;
use crate::relativistic_l2::rules;

/// The ports, and what is remembered of what they showed.
pub(super) struct Monitor;

impl Monitor {
    /// Watches the ports and asserts the rules.
    pub fn new(m: &ModuleBuilder, p: &Params) -> Self {
        let [_, _, _, _, _, _, _, rolled, _] = Watched::all::<9>(m, p);
        let wanted = m.reg("wanted", 1, 0).doc("A roll-over was wanted since the last one.");
        let wants = rolled.fires() & rolled.get("kind").eq(RollOver::Wanted as u64);
        m.when(rolled.fires(), || wanted.set(wants));
        rules::WANTED_ONCE.assert(m, !(wants & *wanted));
        Self
    }
}
