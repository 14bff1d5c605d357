//! Launch files: how a kernel is launched, on what data, and what is expected of it.

mod argument;
mod data;
mod error;
mod file;
mod names;
mod prepare;
mod results;
mod texture;

pub use argument::contents;
pub use error::LaunchFileError;
pub use file::{Argument, Field, LaunchEntry, LaunchFile, Setting};
pub use prepare::{Prepared, prepare};
pub use results::{Difference, ResultOf};
pub use texture::TextureEntry;
