//! Which caches may keep what, and how they learn that it is old.

mod directory;
mod home;
mod rtl;
mod system;

pub use directory::{Cause, DirectoryMismatch};
pub(super) use directory::{Directory, Output, parameters, reference};
pub(super) use home::Homes;
pub(super) use rtl::Circuits;
pub use rtl::{RtlError, RtlSettings, places};
pub use system::{Coherence, Routing, System};
