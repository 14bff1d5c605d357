//! Hardware blocks.
