//! PTX: from the text that clang writes to a form that is fast to interpret.
//!
//! [`load`] parses a module and lowers it: registers and constants become indices, branch targets
//! and reconvergence points become indices of instructions, variables get addresses. What the
//! machine does not cover is refused here, with file, line and instruction.

mod error;
mod forms;
mod kinds;
mod layout;
mod liveness;
mod lower;
mod operand;
mod operation;
mod postdominators;
mod program;
mod scope;
mod source;
mod types;
mod uses;
mod written;

pub use error::PtxError;
pub use forms::*;
pub use kinds::*;
pub use lower::load;
pub use operand::*;
pub use operation::*;
pub use program::*;
pub use types::*;
pub use uses::RegisterUse;
