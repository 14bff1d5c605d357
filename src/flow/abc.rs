//! ABC: sequential equivalence and reachability of netlists in AIGER form.

use super::tool::{Tool, Version};

/// ABC, from Debian's yosys package.
pub const ABC: Tool = Tool {
    name: "abc",
    variable: "WARPSMITH_ABC",
    programs: &["yosys-abc", "berkeley-abc"],
    version_arguments: &["-c", "version"],
    packages: "Debian's yosys or berkeley-abc",
    at_least: Version(1, 1),
};

/// Whether a log of ABC has a proof. At its time limit, ABC 1.01 may say "Property proved" of an invariant that it
/// has just found not to hold.
pub fn has_proven(log: &str) -> bool {
    log.contains("Property proved") && !log.contains(" clauses has failed")
}
