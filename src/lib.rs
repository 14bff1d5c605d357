//! Warpsmith.
