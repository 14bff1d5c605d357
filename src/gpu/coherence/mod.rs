//! Which caches may keep what, and how they learn that it is old.

mod directory;
mod home;
mod system;

pub(super) use directory::{Directory, Output, reference};
pub(super) use home::Homes;
pub use system::{Coherence, Routing, System};
