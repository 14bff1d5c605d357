//! The common setup of a design's episodes.

use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use warpsmith_blocks::block::Design;
use warpsmith_blocks::channel::{Direction, Strap};
use warpsmith_blocks::corners::Corners;
use warpsmith_blocks::properties::AtRunTime;
use warpsmith_blocks::verification::Contract;
use warpsmith_rtl::Module;

use crate::episode::Replay;
use crate::wiring::{Wiring, WiringError};

/// Most clocks of a reset.
pub const MOST_RESET_CLOCKS: u64 = 1_000_000;
/// Longest pause before an offer of a recorded episode, in clocks.
const LONGEST_PAUSE: u64 = 1_000_000;

/// A design and its wiring.
pub struct Bench<'d> {
    design: &'d dyn Design,
    wiring: Arc<Wiring>,
    /// Elaborated for the first episode of a design without a contract of its own.
    properties: OnceLock<AtRunTime>,
}

impl Deref for Bench<'_> {
    type Target = Wiring;

    fn deref(&self) -> &Wiring {
        &self.wiring
    }
}

impl<'d> Bench<'d> {
    /// A bench for a design and its circuit.
    ///
    /// # Panics
    /// If the circuit's ports do not match the design's channels and straps: a bug in the block.
    pub fn new(design: &'d dyn Design, circuit: &Module) -> Self {
        Self::checked(design, circuit).unwrap_or_else(|error| panic!("{error}"))
    }

    /// As [`Bench::new`], for a circuit that may be wrong.
    ///
    /// # Errors
    /// Returns [`WiringError`] if a port is missing or has another width.
    pub fn checked(design: &'d dyn Design, circuit: &Module) -> Result<Self, WiringError> {
        let wiring = Arc::new(Wiring::new(design, circuit)?);
        Ok(Self { design, wiring, properties: OnceLock::new() })
    }

    /// The bench of a system that plays the block's partner itself.
    #[must_use]
    pub fn without_partner(self) -> Self {
        Self { wiring: Arc::new(Wiring::clone(&self.wiring).without_partner()), ..self }
    }

    /// The bench of a circuit that needs so many clocks of reset; one unless said.
    #[must_use]
    pub fn with_reset_clocks(self, clocks: u64) -> Self {
        Self { wiring: Arc::new(Wiring::clone(&self.wiring).with_reset_clocks(clocks)), ..self }
    }

    /// The design.
    pub fn design(&self) -> &'d dyn Design {
        self.design
    }

    /// The wiring.
    pub fn wiring(&self) -> &Arc<Wiring> {
        &self.wiring
    }

    /// The design's contract after a reset, with these values of the straps, or its properties in its place;
    /// `seed` determines what they choose.
    pub fn contract(&self, straps: &[u64], seed: u64) -> Box<dyn Contract> {
        self.design.contract(straps).unwrap_or_else(|| {
            let elaborated = || AtRunTime::new(self.design, self.wiring.init_done());
            Box::new(self.properties.get_or_init(elaborated).after_reset(straps, seed))
        })
    }

    /// Counts of the design's corners and bits to exercise, all 0.
    pub fn corners(&self) -> Corners {
        Corners::new(self.design.corners().len(), &self.design.exercise())
    }

    /// Checks that a recorded episode has the straps and payloads of this design.
    ///
    /// # Errors
    /// The mismatch in words.
    pub fn check_replay(&self, replay: &Replay) -> Result<(), String> {
        let legal = |(value, strap): (&u64, &Strap)| *value < strap.values;
        let same_number = replay.straps.len() == self.straps().len();
        if !same_number || !replay.straps.iter().zip(self.straps()).all(legal) {
            return Err(format!("straps {:?} are not values of this block's", replay.straps));
        }
        if !(1..=MOST_RESET_CLOCKS).contains(&replay.reset_clocks) {
            return Err(format!(
                "reset_clocks is {}; 1 to {MOST_RESET_CLOCKS} are accepted",
                replay.reset_clocks
            ));
        }
        if replay.offers.is_empty() {
            return Err(
                "it has no offers, so nothing would run; at least one is needed".to_string()
            );
        }
        let mut clock = 0;
        for (index, offer) in replay.offers.iter().enumerate() {
            let channel = self.channels().get(offer.channel);
            let Some(channel) = channel.filter(|c| c.direction == Direction::Input) else {
                return Err(format!("offer {index}: {} is not an input channel", offer.channel));
            };
            if !channel.accepts(&offer.payload) {
                return Err(format!("offer {index} is not a payload of `{}`", channel.name));
            }
            if offer.clock > clock + LONGEST_PAUSE {
                return Err(format!(
                    "offer {index} is made at clock {}, more than {LONGEST_PAUSE} clocks after the \
                     offers before it; fewer are accepted",
                    offer.clock
                ));
            }
            clock = clock.max(offer.clock);
        }
        Ok(())
    }
}
