//! Seats of the schedulers' RTL.

use warpsmith_blocks::chopin_composition_scheduler as composition;
use warpsmith_blocks::chopin_draw_scheduler as draw;
use warpsmith_blocks::parameters::Parameters;
use warpsmith_testbench::bench::Bench;
use warpsmith_testbench::mismatch::Mismatch;
use warpsmith_testbench::place::{Occupant, Place, Surroundings};
use warpsmith_testbench::verilator::Warning;

use super::{Settings, System};
use crate::memory::{Circuits, RtlError, RtlSettings};

/// The reason why a frame is not drawn.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// The frame, its settings or a shader is wrong.
    #[error("{0}")]
    Frame(String),
    /// A circuit does what its reference does not, or stands still.
    #[error("{0}")]
    Mismatch(String),
    /// A circuit does not come to its seat.
    #[error(transparent)]
    Rtl(#[from] RtlError),
}

impl From<String> for Fault {
    fn from(what: String) -> Self {
        Self::Frame(what)
    }
}

impl From<Box<Mismatch>> for Fault {
    fn from(mismatch: Box<Mismatch>) -> Self {
        Self::Mismatch(mismatch.to_string())
    }
}

/// Places of a system for the RTL of blocks.
pub fn places(system: System) -> Vec<String> {
    let blocks: &[&str] = match system {
        System::Chopin => &["chopin_draw_scheduler"],
        System::ChopinScheduled => &["chopin_draw_scheduler", "chopin_composition_scheduler"],
        _ => &[],
    };
    blocks.iter().map(|block| format!("{block}@driver")).collect()
}

fn of_draws(gpus: usize) -> draw::Params {
    draw::Params {
        gpus: gpus as u32,
        triangle_bits: 24,
        remaining_bits: 30,
        counter_bits: 64,
        segment_bits: 32,
        report_latency: 4,
    }
}

fn of_composition(gpus: usize) -> composition::Params {
    composition::Params { gpus: gpus as u32, cgid_bits: 8 }
}

/// Circuits for the seats, where there are any.
pub(super) struct Seats {
    gpus: usize,
    draw: Option<Circuits<draw::Params>>,
    composition: Option<Circuits<composition::Params>>,
}

impl Seats {
    /// Builds the circuits that are asked for.
    pub(super) fn new(settings: &Settings, rtl: Option<&RtlSettings>) -> Result<Self, Fault> {
        let gpus = settings.gpus;
        let mut seats = Self { gpus, draw: None, composition: None };
        let Some(rtl) = rtl else { return Ok(seats) };
        if gpus < 2 {
            return Err(format!("{gpus} GPU: RTL of schedulers needs 2 or more").into());
        }
        let chosen = rtl.chosen(&places(settings.system), settings.system.name())?;
        if chosen[0] {
            seats.draw = Some(Circuits::new(of_draws(gpus), rtl)?);
        }
        if chosen.get(1) == Some(&true) {
            seats.composition = Some(Circuits::new(of_composition(gpus), rtl)?);
        }
        Ok(seats)
    }

    /// What Verilator warns of.
    pub(super) fn take_warnings(&mut self) -> Vec<Warning> {
        let mut warnings = Vec::new();
        warnings.extend(self.draw.iter_mut().flat_map(|it| std::mem::take(&mut it.warnings)));
        warnings
            .extend(self.composition.iter_mut().flat_map(|it| std::mem::take(&mut it.warnings)));
        warnings
    }

    /// A draw scheduler.
    pub(super) fn draw_scheduler(&self) -> Result<Place, Fault> {
        seated(self.draw.as_ref(), of_draws(self.gpus))
    }

    /// A composition scheduler.
    pub(super) fn composition_scheduler(&self) -> Result<Place, Fault> {
        seated(self.composition.as_ref(), of_composition(self.gpus))
    }
}

fn seated<P>(circuits: Option<&Circuits<P>>, params: P) -> Result<Place, Fault>
where
    P: warpsmith_blocks::block::Design + Parameters,
{
    if let Some(circuits) = circuits {
        return Ok(circuits.place(&[])?);
    }
    params.validate().map_err(|error| error.to_string())?;
    let bench = Bench::new(&params, &params.circuit());
    let place = Place::new(&bench, Occupant::Reference, Surroundings::PLAIN);
    Ok(place.map_err(RtlError::from)?)
}
