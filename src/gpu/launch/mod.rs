//! Launch files: how a kernel is launched, on what data, and what is expected of it.

mod argument;
mod data;
mod file;
mod names;
mod prepare;
mod results;

pub use argument::contents;
pub use file::{Argument, Field, LaunchEntry, LaunchFile, Setting};
pub use prepare::{LaunchFileError, Prepared, prepare};
pub use results::{Difference, ResultOf};
