//! PTX: from the text that clang writes to a form that is fast to interpret.
//!
//! [`Module::parse`] reads the outline of a module, and [`Module::lower`] lowers the kernels that are
//! wanted: registers and constants become indices, branch targets and reconvergence points become
//! indices of instructions, variables get addresses. What the machine does not cover is refused
//! here, with file, line and instruction.

mod coverage;
mod cursor;
mod declaration;
mod error;
mod expression;
mod forms;
mod kinds;
mod layout;
mod literal;
mod lower;
mod matrix;
mod module;
mod operand;
mod operation;
mod outline;
mod postdominators;
mod program;
mod reach;
mod registers;
mod scope;
mod small_float;
mod source;
mod texture;
mod token;
mod types;
mod uses;
mod video;
mod written;

pub use coverage::{COVERED, REFUSED};
pub use error::PtxError;
pub use forms::*;
pub use kinds::*;
pub use matrix::*;
pub use module::{Module, load};
pub use operand::*;
pub use operation::*;
pub use program::*;
pub use small_float::{Brain, Half, Small, power};
pub use texture::*;
pub use types::*;
pub use uses::RegisterUse;
pub use video::*;
