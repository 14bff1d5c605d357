//! Which blocks of a memory system are RTL.

use warpsmith_testbench::backend::{Backend, BackendError};
use warpsmith_testbench::dut::{Dut, DutError};
use warpsmith_testbench::mismatch::Mismatch;
use warpsmith_testbench::wiring::WiringError;

/// Which blocks are RTL, and how it is simulated.
#[derive(Debug, Clone)]
pub struct RtlSettings {
    /// `BLOCK@PLACE`, or `BLOCK` for every place of the block; see
    /// [`crate::gpu::systems::System::places`].
    pub places: Vec<String>,
    /// The simulator of the circuits.
    pub backend: Backend,
    /// The user's Verilog in their place, simulated by Verilator.
    pub dut: Option<Dut>,
    /// Whether the reference runs beside them, and every transfer is compared.
    pub shadow: bool,
}

/// Why a block cannot be RTL.
#[derive(Debug, thiserror::Error)]
pub enum RtlError {
    /// The memory system has no places.
    #[error("the memory system {system} has no place for RTL: nhcc and hmg have")]
    NoPlaces {
        /// Which.
        system: &'static str,
    },
    /// There is no such place.
    #[error("{asked}: the memory system {system} has no such place; there are: {found}")]
    NoPlace {
        /// The requested place.
        asked: String,
        /// The memory system.
        system: &'static str,
        /// The places that there are.
        found: String,
    },
    /// No circuit has these parameters.
    #[error("no block has the parameters of this machine: {0}")]
    Parameters(String),
    /// The circuit has other ports than its design.
    #[error(transparent)]
    Wiring(#[from] WiringError),
    /// The circuit cannot be simulated.
    #[error(transparent)]
    Backend(#[from] BackendError),
    /// The Verilog is not to be used.
    #[error(transparent)]
    Source(#[from] DutError),
    /// The circuit does not get ready for requests.
    #[error("the circuit does not get ready after its reset: {0}")]
    Start(Box<Mismatch>),
}

impl RtlSettings {
    /// For each place of a system whether RTL is to stand there.
    ///
    /// # Errors
    /// If there is no such place.
    pub fn chosen(&self, places: &[String], system: &'static str) -> Result<Vec<bool>, RtlError> {
        if places.is_empty() {
            return Err(RtlError::NoPlaces { system });
        }
        let is = |asked: &str, place: &str| {
            asked == place || place.split_once('@').is_some_and(|(block, _)| asked == block)
        };
        if let Some(asked) = self.places.iter().find(|asked| !places.iter().any(|p| is(asked, p))) {
            let found = places.join(", ");
            return Err(RtlError::NoPlace { asked: asked.clone(), system, found });
        }
        Ok(places.iter().map(|place| self.places.iter().any(|asked| is(asked, place))).collect())
    }
}
