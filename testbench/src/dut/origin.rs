//! Whose each module of a hierarchy is: the user's, or ours.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::verilator::Hierarchy;

/// Stands for every module of the circuit in [`Dut::ours`](super::Dut::ours).
pub const ALL: &str = "all";

/// The modules at and below the top of a user's Verilog, each once, by name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// Those that the user's files define.
    pub users: Vec<String>,
    /// Those of the emitted Verilog.
    pub ours: Vec<String>,
}

/// Why modules of ours cannot complete a user's Verilog.
#[derive(Debug, Error)]
pub enum OriginError {
    /// The user's modules have instances of ours that were not asked for.
    #[error(
        "no file defines {found}. Give their files too, as those of `warpsmith emit` are, or take ours in \
         their place: {options}"
    )]
    NotGiven {
        /// The modules, each with the first place of an instance.
        found: String,
        /// The options that take ours.
        options: String,
    },
    /// The circuit has no such module.
    #[error(
        "--ours {name}: the circuit has no such module; it has: {known}, or `all` for every one"
    )]
    Unknown {
        /// The name.
        name: String,
        /// The circuit's modules.
        known: String,
    },
    /// The user's files define the module.
    #[error("--ours {name}: your files define that module, so it is not taken from ours")]
    Defined {
        /// The name.
        name: String,
    },
}

/// Checks the names of modules to take from ours.
pub(super) fn check_names(
    wanted: &[String],
    circuit: &[String],
    theirs: &[String],
) -> Result<(), OriginError> {
    for name in wanted.iter().filter(|name| *name != ALL) {
        if theirs.contains(name) {
            return Err(OriginError::Defined { name: name.clone() });
        }
        if !circuit.contains(name) {
            return Err(OriginError::Unknown { name: name.clone(), known: circuit.join(", ") });
        }
    }
    Ok(())
}

impl Origin {
    /// Sorts the modules of a hierarchy into theirs and ours.
    ///
    /// Ours complete a hierarchy below a module of ours. A module of theirs has an instance of ours only if it is
    /// `wanted`, since a forgotten file would otherwise go unnoticed, and our circuit be tested in its place.
    pub(super) fn new(
        hierarchy: &Hierarchy,
        theirs: &[String],
        wanted: &[String],
    ) -> Result<Self, OriginError> {
        let is_theirs = |name: &String| theirs.contains(name);
        let is_wanted = |name: &String| wanted.iter().any(|wanted| wanted == name || wanted == ALL);
        let mut found: Vec<(&str, &str)> = Vec::new();
        for instance in &hierarchy.instances {
            let (within, module) = (&instance.within, &instance.module);
            let is_new = found.iter().all(|(name, _)| name != module);
            if is_new && is_theirs(within) && !is_theirs(module) && !is_wanted(module) {
                found.push((module, &instance.place));
            }
        }
        if !found.is_empty() {
            let named = found.iter().map(|(name, place)| format!("`{name}` (instance at {place})"));
            let options = found.iter().map(|(name, _)| format!("--ours {name}"));
            return Err(OriginError::NotGiven {
                found: named.collect::<Vec<_>>().join(", "),
                options: options.collect::<Vec<_>>().join(" "),
            });
        }
        let (users, ours) = hierarchy.modules.iter().cloned().partition(is_theirs);
        Ok(Self { users, ours })
    }
}
