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
