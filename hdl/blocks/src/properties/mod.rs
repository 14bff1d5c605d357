//! Properties to be proven: what the modules that state them are made of.
//!
//! A block's properties are a module beside its circuit. Its inputs are found by name: straps and
//! ports of the circuit, and constants whose names begin with `chosen_`, which stand for any value.

pub mod queue;

/// The label of the cover of a corner: its name as an identifier.
pub fn corner_label(name: &str) -> String {
    let words = name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let words: Vec<_> = words.map(str::to_lowercase).collect();
    format!("corner_{}", words.join("_"))
}
