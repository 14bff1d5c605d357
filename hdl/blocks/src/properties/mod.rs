//! Properties to be proven: what the modules that state a block's contract are made of.
//!
//! Such a module is written with the RTL builder, like a circuit, and stands beside the circuit in
//! a proof. It sees ports; to prove our own circuit for all time it may also see what is inside.

mod at_run_time;
mod probes;
mod queue;
mod watched;

pub use at_run_time::AtRunTime;
pub use probes::Probes;
pub use queue::Queue;
pub use watched::Watched;

use thiserror::Error;
use warpsmith_rtl::library::record::{Fields, Record};
use warpsmith_rtl::{Module, ModuleBuilder, Reg, Signal};

use crate::block::{Block, Design};
use crate::parameters::ImpossibleParameter;
use crate::verification::Stalled;

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

    /// The properties of a block, described by `doc` and stated by `state`: with `inside`, of signals
    /// inside our circuit too. All corners have covers, within [`Self::COVER_DEPTH`].
    pub fn new(
        block: &Block,
        doc: &str,
        inside: bool,
        state: impl FnOnce(&ModuleBuilder, Option<&Probes>),
    ) -> Self {
        let m = ModuleBuilder::new(&format!("{}_properties", block.name));
        m.describe(doc);
        let probes = Probes::default();
        state(&m, inside.then_some(&probes));
        Self {
            module: m.finish(),
            probes: probes.into_list(),
            parts: Vec::new(),
            unseen: Vec::new(),
            cover_depth: Self::COVER_DEPTH,
        }
    }
}

/// Why a block with these parameters has no properties.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NoProperties {
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

/// The number of one-bit signals that are one, `width` bits wide; there is one at least.
pub fn count_of<'m>(bits: impl IntoIterator<Item = Signal<'m>>, width: u32) -> Signal<'m> {
    bits.into_iter().map(|bit| bit.zero_extend(width)).reduce(|a, b| a + b).expect("a bit")
}

/// Covers a corner, if the parameters allow it.
pub fn cover<'m>(m: &'m ModuleBuilder, p: &impl Design, corner: usize, condition: Signal<'m>) {
    if p.reachable(corner) {
        let name = p.corners()[corner].name;
        m.cover(&corner_label(name), condition, name);
    }
}

/// Covers the corners that the channel of that index has by itself.
pub fn cover_stalls<'m>(
    m: &'m ModuleBuilder,
    p: &impl Design,
    stalled: &[Stalled],
    (channel, watched): (usize, &Watched<'m>),
) {
    for stalled in stalled.iter().filter(|stalled| stalled.channel == channel) {
        let before = stalled.clocks - 1;
        let long = |name: &str| clocks_of(m, name, before, watched.waits()).eq(before);
        let met = match before {
            0 => watched.waits(),
            _ => watched.waits() & long(&format!("{}_stalled_for", p.channels()[channel].name)),
        };
        cover(m, p, stalled.corner, met);
    }
}

/// Asserts what is there to make a proof close.
#[track_caller]
pub fn invariant<'m>(m: &'m ModuleBuilder, name: &str, kept: Signal<'m>, doc: &str) {
    m.assert(&format!("{INVARIANT}{name}"), kept, doc);
}

/// Whether `condition` held in the last clock; not in the one right after reset.
#[track_caller]
pub fn last_clock<'m>(m: &'m ModuleBuilder, name: &str, condition: Signal<'m>) -> Signal<'m> {
    let held = m.reg(name, 1, 0);
    held.set(condition);
    *held
}

/// For how many clocks until now `condition` has held, up to `most`.
#[track_caller]
pub fn clocks_of<'m>(
    m: &'m ModuleBuilder,
    name: &str,
    most: u64,
    condition: Signal<'m>,
) -> Reg<'m> {
    let clocks = m.reg(name, u64::BITS - most.leading_zeros(), 0);
    m.when(!condition, || clocks.set(0))
        .otherwise_when(clocks.ne(most), || clocks.set(*clocks + 1));
    clocks
}

/// A skid buffer of the circuit: two places, the first leaves first.
pub struct SkidBuffer<'m> {
    /// Whether each place holds something.
    pub valid: [Signal<'m>; 2],
    /// What they hold.
    pub data: [Record<'m>; 2],
}

impl<'m> SkidBuffer<'m> {
    /// The buffer of that path.
    pub fn new(m: &'m ModuleBuilder, probes: &Probes, path: &str, fields: &Fields) -> Self {
        let signal = |part: &str, width| probes.signal(m, &format!("{path}.{part}"), width);
        let valid = ["valid", "skid_valid"].map(|part| signal(part, 1));
        let data = ["data", "skid_data"].map(|part| signal(part, fields.width()));
        Self { valid, data: data.map(|data| Record::unpack(fields, data)) }
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
            let mut labels: Vec<_> = block.corners.iter().map(|c| corner_label(c.name)).collect();
            let count = labels.len();
            labels.sort();
            labels.dedup();
            assert_eq!(labels.len(), count, "{}", block.name);
        }
    }
}
