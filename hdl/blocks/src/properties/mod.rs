//! Properties to be proven: what the modules that state a block's contract are made of.
//!
//! Such a module is written with the RTL builder, like a circuit, and stands beside the circuit in
//! a proof. It sees ports; to prove our own circuit for all time it may also see what is inside.

mod probes;
mod queue;
mod watched;

pub use probes::Probes;
pub use queue::Queue;
pub use watched::Watched;

use thiserror::Error;
use warpsmith_rtl::{Module, ModuleBuilder, Signal};

use crate::parameters::ImpossibleParameter;

/// The module that states a block's contract.
///
/// Its inputs are straps and ports of the circuit, by name; free constants, whose names begin with
/// `chosen_`; and probes. Each rule is an assertion labelled by the rule's name, each corner a cover
/// labelled by [`corner_label`]; what is named `invariant_` something is there to make a proof close.
#[derive(Clone, Debug)]
pub struct Properties {
    /// The module; it has no outputs.
    pub module: Module,
    /// Inputs that show signals inside the circuit: the input's name, and the signal's, with a point
    /// between an instance and what is in it.
    pub probes: Vec<(String, String)>,
    /// Modules of the circuit that are taken out to prove it for all time: their contracts stand in their
    /// place, see [`Probes::part`].
    pub parts: Vec<Module>,
    /// Corners, by index, that no cover reaches, each with the reason.
    pub unseen: Vec<(usize, &'static str)>,
    /// Clocks within which the covers can be met, on `tiny`.
    pub cover_depth: u32,
}

impl Properties {
    /// Clocks within which the covers of most blocks can be met.
    pub const COVER_DEPTH: u32 = 25;
}

/// Why a block with these parameters has no properties.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NoProperties {
    /// Nobody has written them.
    #[error("it has no properties yet; co-simulation verifies it")]
    Unwritten,
    /// No proof would end.
    #[error("too large for a proof: {0}")]
    TooLarge(#[from] ImpossibleParameter),
}

/// Prefix of assertions that make a proof close.
pub const INVARIANT: &str = "invariant_";
/// Prefix of the contract of a part: asserted of the whole circuit, and assumed where the part is taken out.
pub const PART: &str = "part_";
/// Prefix of free constants among a property module's inputs.
pub const CHOSEN: &str = "chosen_";

/// The label of a corner's cover: `corner_` and its name as an identifier.
pub fn corner_label(name: &str) -> String {
    let words = name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let words: Vec<_> = words.map(str::to_lowercase).collect();
    format!("corner_{}", words.join("_"))
}

/// Whether all of the one-bit signals are one.
pub fn all_of<'m>(m: &'m ModuleBuilder, conditions: &[Signal<'m>]) -> Signal<'m> {
    match conditions.is_empty() {
        true => m.lit(1, 1),
        false => m.concat_low_first(conditions).all(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_corner_s_label_is_its_name_as_an_identifier() {
        let label = corner_label("same set, other block: 2 clocks");
        assert_eq!(label, "corner_same_set_other_block_2_clocks");
    }

    #[test]
    fn labels_of_corners_differ_within_a_block() {
        for block in crate::all() {
            let mut labels: Vec<_> = block.corners().iter().map(|c| corner_label(c.name)).collect();
            let count = labels.len();
            labels.sort();
            labels.dedup();
            assert_eq!(labels.len(), count, "{}", block.name());
        }
    }
}
