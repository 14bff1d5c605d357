//! Which blocks of a memory system are RTL.

use warpsmith_blocks::block::Design;
use warpsmith_blocks::parameters::Parameters;
use warpsmith_testbench::agents::Stalls;
use warpsmith_testbench::backend::{Backend, BackendError, Models};
use warpsmith_testbench::bench::Bench;
use warpsmith_testbench::dut::{Dut, DutError};
use warpsmith_testbench::mismatch::Mismatch;
use warpsmith_testbench::place::{Occupant, Place, Surroundings};
use warpsmith_testbench::verilator::Warning;
use warpsmith_testbench::wiring::WiringError;

/// Which blocks are RTL, and how it is simulated.
#[derive(Debug, Clone)]
pub struct RtlSettings {
    /// `BLOCK@PLACE`, or `BLOCK` for every place of the block; see
    /// [`super::System::places`].
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
    #[error("the memory system {system} has no place for RTL on this machine")]
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

/// Models of a circuit, or of the user's Verilog in its place, which is built once; what Verilator warns of.
///
/// # Errors
/// If it cannot be simulated.
pub fn models(
    design: &dyn Design,
    settings: &RtlSettings,
) -> Result<(Models, Vec<Warning>), RtlError> {
    let circuit = design.circuit();
    let Some(dut) = &settings.dut else {
        return Ok((Models::of_circuit(&circuit, settings.backend, false)?, Vec::new()));
    };
    let source = dut.source(&circuit)?;
    let models = Models::of_verilog(&source.verilog, &circuit.port_layout(), false)?;
    Ok((models, source.warnings))
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
            let found = list_of_places(places);
            return Err(RtlError::NoPlace { asked: asked.clone(), system, found });
        }
        Ok(places.iter().map(|place| self.places.iter().any(|asked| is(asked, place))).collect())
    }
}

/// Places as a list, in which consecutive numbers are one item: `getm_commit@partition0 to 5`.
pub fn list_of_places(places: &[String]) -> String {
    let mut ranges: Vec<(&str, [u32; 2])> = Vec::new();
    let mut items = Vec::new();
    for place in places {
        let name = place.trim_end_matches(|letter: char| letter.is_ascii_digit());
        match place[name.len()..].parse::<u32>() {
            Err(_) => items.push(place.clone()),
            Ok(number) => {
                let is_next =
                    |(of, [_, last]): &&mut (&str, [u32; 2])| *of == name && *last + 1 == number;
                match ranges.iter_mut().find(is_next) {
                    Some((_, [_, last])) => *last = number,
                    None => ranges.push((name, [number; 2])),
                }
            }
        }
    }
    items.extend(ranges.into_iter().map(|(name, [first, last])| match first == last {
        true => format!("{name}{first}"),
        false => format!("{name}{first} to {last}"),
    }));
    items.join(", ")
}

/// Makes circuits of a block; Verilog is built once for all.
pub struct Circuits<P> {
    params: P,
    models: Models,
    shadow: bool,
    has_partner: bool,
    reset_clocks: u64,
    /// Verilator's warnings about the user's Verilog.
    pub warnings: Vec<Warning>,
}

impl<P: Design + Parameters> Circuits<P> {
    /// Circuits with these parameters.
    ///
    /// # Errors
    /// If no circuit has these parameters, or it cannot be simulated.
    pub fn new(params: P, settings: &RtlSettings) -> Result<Self, RtlError> {
        params.validate().map_err(|error| RtlError::Parameters(error.to_string()))?;
        let (models, warnings) = models(&params, settings)?;
        let reset_clocks = settings.dut.as_ref().and_then(|dut| dut.reset_clocks).unwrap_or(1);
        let shadow = settings.shadow;
        Ok(Self { params, models, shadow, has_partner: true, reset_clocks, warnings })
    }

    /// Of a system that plays the block's partner itself.
    #[must_use]
    pub fn without_partner(self) -> Self {
        Self { has_partner: false, ..self }
    }

    /// A circuit in its place, reset and initialised, with its reference as shadow if that is asked for.
    ///
    /// # Errors
    /// If it does not fit its place, or does not get ready.
    pub fn place(&self, straps: &[u64]) -> Result<Place, RtlError> {
        let bench = Bench::checked(&self.params, &self.params.circuit())?;
        let bench = if self.has_partner { bench } else { bench.without_partner() };
        let bench = bench.with_reset_clocks(self.reset_clocks);
        let occupant = match self.shadow {
            true => Occupant::Shadowed(&self.models),
            false => Occupant::Circuit(&self.models),
        };
        let surroundings = Surroundings { straps, stalls: Stalls::None, seed: 0 };
        let mut place = Place::new(&bench, occupant, surroundings)?;
        place.initialise().map_err(RtlError::Start)?;
        Ok(place)
    }
}

#[cfg(test)]
mod tests {
    use super::list_of_places;

    #[test]
    fn consecutive_places_are_one_item() {
        let places = ["a@l1.core0", "b@x0", "a@l1.core1", "b@x2", "a@l2", "b@x3", "c@directory"];
        let listed = list_of_places(&places.map(String::from));
        assert_eq!(listed, "c@directory, a@l1.core0 to 1, b@x0, b@x2 to 3, a@l2");
    }
}
