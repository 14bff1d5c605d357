//! A block: everything about one piece of hardware, behind one trait.

use warpsmith_rtl::Module;

use crate::channel::{Channel, Strap};
use crate::claim::{Array, Claim};
use crate::corners::CornerInfo;
use crate::exercise::Exercise;
use crate::free_choice::FreeChoice;
use crate::parameters::{ParameterError, ParameterInfo, Parameters, Settings, resolve};
use crate::properties::{NoProperties, Properties};
use crate::same_row::Hashing;
use crate::verification::{Contract, Partner, Reference, Stimulus, StreamInfo};

/// One hardware block: what is the same for any parameters.
pub struct Block {
    /// Name, in snake_case; the Verilog module's name too.
    pub name: &'static str,
    /// What it is, in one line.
    pub summary: &'static str,
    /// The paper it comes from.
    pub paper: &'static str,
    /// The kinds of stimulus; the first is the default and reaches every corner.
    pub streams: &'static [StreamInfo],
    /// The corners that verification with the default stream must meet.
    pub corners: &'static [CornerInfo],
    /// Its parameters, by their type.
    pub of: Type,
}

/// What the type of a block's parameters knows.
pub struct Type {
    parameters: fn() -> Vec<ParameterInfo>,
    presets: fn() -> Vec<&'static str>,
    configure: fn(&'static str, &str, &[(String, toml::Value)]) -> Configured,
}

type Configured = Result<Box<dyn Design>, ParameterError>;

impl Type {
    /// The type `P`.
    pub const fn of<P: Parameters + Design>() -> Self {
        Self {
            parameters: P::describe,
            presets: || P::presets().into_iter().map(|(name, _)| name).collect(),
            configure: |block, preset, settings| {
                Ok(Box::new(resolve::<P>(block, preset, settings)?))
            },
        }
    }
}

impl Block {
    /// The parameters with what each accepts.
    pub fn parameters(&self) -> Vec<ParameterInfo> {
        (self.of.parameters)()
    }

    /// Names of the presets.
    pub fn presets(&self) -> Vec<&'static str> {
        (self.of.presets)()
    }

    /// A preset with settings put over it.
    ///
    /// # Errors
    /// See [`ParameterError`].
    pub fn configure(&self, preset: &str, settings: &[(String, toml::Value)]) -> Configured {
        (self.of.configure)(self.name, preset, settings)
    }
}

/// A block inside another.
pub struct Part {
    /// Its instance.
    pub instance: &'static str,
    /// The block with the parameters that it has there.
    pub design: Box<dyn Design>,
}

/// A block with parameters, which is what emission, co-simulation and reports work with. The
/// parameters of each block implement it.
pub trait Design: Settings + Send + Sync {
    /// The block.
    fn block(&self) -> &'static Block;

    /// The hardware.
    fn circuit(&self) -> Module;

    /// The channels, in the order used by references, contracts and stimulus.
    fn channels(&self) -> Vec<Channel>;

    /// Inputs that keep one value.
    fn straps(&self) -> Vec<Strap> {
        Vec::new()
    }

    /// The specification, for these values of the straps.
    fn reference(&self, straps: &[u64]) -> Box<dyn Reference>;

    /// The block's own run-time checks, for these values of the straps. Without, its properties are checked
    /// ([`AtRunTime`](crate::properties::AtRunTime)).
    fn contract(&self, straps: &[u64]) -> Option<Box<dyn Contract>> {
        let _ = straps;
        None
    }

    /// A source of requests of the kind of that index, for these values of the straps.
    fn stimulus(&self, straps: &[u64], stream: usize) -> Box<dyn Stimulus>;

    /// What answers the block's own requests, if it makes any.
    fn partner(&self) -> Option<Box<dyn Partner>> {
        None
    }

    /// Blocks inside this one. What its own users cannot bring about in a part is tested of the part alone.
    fn parts(&self) -> Vec<Part> {
        Vec::new()
    }

    /// Whether the parameters allow the corner of that index.
    fn reachable(&self, corner: usize) -> bool {
        let _ = corner;
        true
    }

    /// Keys and tables that the default stream must exercise bit by bit.
    fn exercise(&self) -> Exercise {
        Exercise::default()
    }

    /// What is known of its hashed tables.
    fn hashing(&self) -> Hashing {
        Hashing::default()
    }

    /// Registers whose value no rule fixes.
    fn free_choices(&self) -> Vec<FreeChoice> {
        Vec::new()
    }

    /// The same block and ports with the fewest rows of memory, for proofs that do not end with more; none if there
    /// is no such design.
    fn fewest_rows(&self) -> Option<Box<dyn Design>> {
        None
    }

    /// The contract as a module of properties to be proven. With `inside`, it also states what makes
    /// the proof of our own circuit close, on signals inside it.
    ///
    /// # Errors
    /// That these parameters have none.
    fn properties(&self, inside: bool) -> Result<Properties, NoProperties>;

    /// The paper's figures beside ours.
    fn claims(&self) -> Vec<Claim> {
        Vec::new()
    }

    /// The arrays of storage that the paper counts.
    fn arrays(&self) -> Vec<Array> {
        Vec::new()
    }

    /// The block's name.
    fn name(&self) -> &'static str {
        self.block().name
    }

    /// The block's kinds of stimulus.
    fn streams(&self) -> &'static [StreamInfo] {
        self.block().streams
    }

    /// The block's corners.
    fn corners(&self) -> &'static [CornerInfo] {
        self.block().corners
    }
}

/// A block in a single file: its name, summary and paper, then the methods of [`Design`] that are its
/// own. `Params`, `CORNERS` and the functions `circuit`, `channels` and `properties` stand in the file.
/// It has one kind of stimulus.
#[macro_export]
macro_rules! block {
    ($name:literal, $summary:literal, $paper:literal; $($own:tt)*) => {
        $crate::block::block! {
            @ $name, $summary, $paper, $crate::verification::RANDOM, CORNERS, circuit, channels, properties; $($own)*
        }
    };
    (@ $name:literal, $summary:literal, $paper:literal, $streams:path, $corners:path,
        $circuit:path, $channels:path, $properties:path; $($own:tt)*) => {
        /// The block.
        pub static BLOCK: $crate::block::Block = $crate::block::Block {
            name: $name,
            summary: $summary,
            paper: $paper,
            streams: $streams,
            corners: $corners,
            of: $crate::block::Type::of::<Params>(),
        };

        impl $crate::block::Design for Params {
            fn block(&self) -> &'static $crate::block::Block {
                &BLOCK
            }

            fn circuit(&self) -> $crate::kit::Module {
                $circuit(self)
            }

            fn channels(&self) -> Vec<$crate::channel::Channel> {
                $channels(self)
            }

            fn properties(
                &self,
                inside: bool,
            ) -> Result<$crate::properties::Properties, $crate::properties::NoProperties> {
                $properties(self, inside)
            }

            $($own)*
        }
    };
}
pub use block;

/// The block whose room this is: its name, summary and paper; its reference, contract and stimulus for these
/// parameters, values of the straps, and index of the stream; then the methods of [`Design`] that only some
/// blocks have. The others are in the files that every room has, each under the name of the method.
#[macro_export]
macro_rules! room {
    (
        $name:literal, $summary:literal, $paper:literal;
        |$p:ident, $straps:pat_param, $stream:ident|
        reference: $reference:expr;
        contract: $contract:expr;
        stimulus: $stimulus:expr;
        $($own:tt)*
    ) => {
        $crate::block::block! {
            @ $name, $summary, $paper, stimulus::STREAMS, corners::CORNERS,
            circuit::circuit, channels::channels, properties::properties;

            fn reference(&self, $straps: &[u64]) -> Box<dyn $crate::verification::Reference> {
                let $p = self;
                Box::new($reference)
            }

            fn contract(
                &self,
                $straps: &[u64],
            ) -> Option<Box<dyn $crate::verification::Contract>> {
                let $p = self;
                Some(Box::new($contract))
            }

            fn stimulus(
                &self,
                $straps: &[u64],
                $stream: usize,
            ) -> Box<dyn $crate::verification::Stimulus> {
                let $p = self;
                $stimulus
            }

            fn reachable(&self, corner: usize) -> bool {
                corners::reachable(self, corner)
            }

            fn exercise(&self) -> $crate::exercise::Exercise {
                exercise::exercise(self)
            }

            fn claims(&self) -> Vec<$crate::claim::Claim> {
                claims::claims(self)
            }

            fn arrays(&self) -> Vec<$crate::claim::Array> {
                claims::arrays(self)
            }

            $($own)*
        }
    };
}
pub use room;
