//! The scripts for yosys, independent of the block.

use super::family::Family;
use super::harness::HARNESS;

/// The flattened block before mapping.
pub const UNMAPPED: &str = "unmapped.json";
/// The block's cells by type.
pub const CELLS: &str = "cells.json";
/// The mapped block as a module within the harness.
pub const MAPPED: &str = "mapped.json";
/// The harness with the block's cells.
pub const PLACEABLE: &str = "placeable.json";

/// Reads ports, memories and the author's names. `read` holds the script lines that read the files.
pub fn read(read: &str, top: &str) -> String {
    format!(
        "{read}hierarchy -check -top {top}\n\
         proc\n\
         flatten\n\
         memory_collect\n\
         write_json {UNMAPPED}\n"
    )
}

/// Maps the block on its own, then places it in the mapped harness.
pub fn map(read: &str, top: &str, family: Family) -> String {
    format!(
        "{read}read_verilog {HARNESS}.v\n\
         # The block is mapped within its own boundary, so that its cells are its own.\n\
         setattr -mod -set keep_hierarchy 1 {top}\n\
         {} -top {HARNESS}\n\
         # What yosys remembers the hierarchy by is no cell: nextpnr 0.4 takes it for one.\n\
         delete t:$scopeinfo\n\
         tee -o {CELLS} stat -json\n\
         write_json {MAPPED}\n\
         setattr -mod -unset keep_hierarchy {top}\n\
         flatten\n\
         delete t:$scopeinfo\n\
         write_json {PLACEABLE}\n",
        family.synthesis()
    )
}
