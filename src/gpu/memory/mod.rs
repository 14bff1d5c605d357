//! Memory of the machine, behind the trait by which warps reach it.

mod device;
mod flat;

use super::simt::{Access, Problem};

pub use device::Device;
pub use flat::Flat;

/// Answers the requests of warps.
pub trait Memory {
    /// Answers a request for global, shared or const memory of a warp of a CTA. On a problem, the
    /// lane it is in.
    fn access(&mut self, cta: usize, access: &mut Access) -> Result<(), (usize, Problem)>;

    /// The text that ends with a zero byte at a generic address of global or const memory; none
    /// outside of what is allocated.
    fn text(&self, address: u64) -> Option<&[u8]>;
}
