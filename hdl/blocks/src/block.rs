//! A block: everything about one piece of hardware, behind one trait.

use serde::Serialize;
use warpsmith_rtl::Module;

use crate::channel::{Channel, Strap};
use crate::claim::{Array, Claim};
use crate::exercise::Exercise;
use crate::parameters::{ParameterError, ParameterInfo, Parameters, resolve};
use crate::properties::{NoProperties, Properties};
use crate::same_row::SameRow;
use crate::verification::{Contract, CornerInfo, Partner, Reference, Stimulus, StreamInfo};

/// One hardware block, for any parameters.
pub trait Block: Copy + Send + Sync + 'static {
    /// Its parameters.
    type Params: Parameters;

    /// Name, in snake_case; the Verilog module's name too.
    fn name(&self) -> &'static str;

    /// What it is, in one line.
    fn summary(&self) -> &'static str;

    /// The paper it comes from.
    fn paper(&self) -> &'static str;

    /// The hardware.
    fn circuit(&self, params: &Self::Params) -> Module;

    /// The channels, in the order used by references, contracts and stimulus.
    fn channels(&self, params: &Self::Params) -> Vec<Channel>;

    /// Inputs that keep one value.
    fn straps(&self, params: &Self::Params) -> Vec<Strap>;

    /// The specification, for these values of the straps.
    fn reference(&self, params: &Self::Params, straps: &[u64]) -> Box<dyn Reference>;

    /// The properties, for these values of the straps.
    fn contract(&self, params: &Self::Params, straps: &[u64]) -> Box<dyn Contract>;

    /// The kinds of stimulus; the first is the default and reaches every corner.
    fn streams(&self) -> &'static [StreamInfo];

    /// A source of requests of the kind of that index, for these values of the straps.
    fn stimulus(&self, params: &Self::Params, straps: &[u64], stream: usize) -> Box<dyn Stimulus>;

    /// What answers the block's own requests, if it makes any.
    fn partner(&self, params: &Self::Params) -> Option<Box<dyn Partner>> {
        let _ = params;
        None
    }

    /// The corners that verification with the default stream must meet. A corner that the
    /// parameters make impossible is left out of `reachable`.
    fn corners(&self) -> &'static [CornerInfo];

    /// Whether the corner of that index can be met with these parameters.
    fn reachable(&self, params: &Self::Params, corner: usize) -> bool;

    /// Keys and tables that the default stream must exercise bit by bit.
    fn exercise(&self, params: &Self::Params) -> Exercise {
        let _ = params;
        Exercise::default()
    }

    /// Comparisons that are looked at only where both keys have the same row of a hashed table.
    fn same_rows(&self, params: &Self::Params) -> Vec<SameRow> {
        let _ = params;
        Vec::new()
    }

    /// The contract as a module of properties to be proven. With `inside`, it also states what makes
    /// the proof of our own circuit close, on signals inside it.
    ///
    /// # Errors
    /// See [`NoProperties`].
    fn properties(&self, params: &Self::Params, inside: bool) -> Result<Properties, NoProperties> {
        let _ = (params, inside);
        Err(NoProperties::Unwritten)
    }

    /// The paper's figures beside ours.
    fn claims(&self, params: &Self::Params) -> Vec<Claim>;

    /// The arrays of storage that the paper counts; none if it counts none.
    fn arrays(&self, params: &Self::Params) -> Vec<Array> {
        let _ = params;
        Vec::new()
    }
}

/// A block with parameters: what emission, co-simulation and reports work with.
pub struct Configured<B: Block> {
    /// The block.
    pub block: B,
    /// Its parameters, validated.
    pub params: B::Params,
}

/// A block of any parameter type.
pub trait AnyBlock: Send + Sync {
    /// See [`Block::name`].
    fn name(&self) -> &'static str;
    /// See [`Block::summary`].
    fn summary(&self) -> &'static str;
    /// See [`Block::paper`].
    fn paper(&self) -> &'static str;
    /// See [`Block::streams`].
    fn streams(&self) -> &'static [StreamInfo];
    /// See [`Block::corners`].
    fn corners(&self) -> &'static [CornerInfo];
    /// The parameters with what each accepts.
    fn parameters(&self) -> &'static [ParameterInfo];
    /// Names of the presets.
    fn presets(&self) -> Vec<&'static str>;
    /// A preset with settings put over it.
    ///
    /// # Errors
    /// See [`ParameterError`].
    fn configure(
        &self,
        preset: &str,
        settings: &[(String, toml::Value)],
    ) -> Result<Box<dyn Design>, ParameterError>;
}

/// A configured block of any parameter type.
pub trait Design: Send + Sync {
    /// See [`Block::name`].
    fn name(&self) -> &'static str;
    /// The parameters as a flat table.
    fn params(&self) -> toml::Table;
    /// See [`Block::circuit`].
    fn circuit(&self) -> Module;
    /// See [`Block::channels`].
    fn channels(&self) -> Vec<Channel>;
    /// See [`Block::straps`].
    fn straps(&self) -> Vec<Strap>;
    /// See [`Block::reference`].
    fn reference(&self, straps: &[u64]) -> Box<dyn Reference>;
    /// See [`Block::contract`].
    fn contract(&self, straps: &[u64]) -> Box<dyn Contract>;
    /// See [`Block::streams`].
    fn streams(&self) -> &'static [StreamInfo];
    /// See [`Block::stimulus`].
    fn stimulus(&self, straps: &[u64], stream: usize) -> Box<dyn Stimulus>;
    /// See [`Block::partner`].
    fn partner(&self) -> Option<Box<dyn Partner>>;
    /// See [`Block::corners`].
    fn corners(&self) -> &'static [CornerInfo];
    /// See [`Block::reachable`].
    fn reachable(&self, corner: usize) -> bool;
    /// See [`Block::exercise`].
    fn exercise(&self) -> Exercise;
    /// See [`Block::same_rows`].
    fn same_rows(&self) -> Vec<SameRow>;
    /// See [`Block::properties`].
    ///
    /// # Errors
    /// See [`NoProperties`].
    fn properties(&self, inside: bool) -> Result<Properties, NoProperties>;
    /// See [`Block::claims`].
    fn claims(&self) -> Vec<Claim>;
    /// See [`Block::arrays`].
    fn arrays(&self) -> Vec<Array>;
}

impl<B: Block> AnyBlock for B {
    fn name(&self) -> &'static str {
        Block::name(self)
    }

    fn summary(&self) -> &'static str {
        Block::summary(self)
    }

    fn paper(&self) -> &'static str {
        Block::paper(self)
    }

    fn streams(&self) -> &'static [StreamInfo] {
        Block::streams(self)
    }

    fn corners(&self) -> &'static [CornerInfo] {
        Block::corners(self)
    }

    fn parameters(&self) -> &'static [ParameterInfo] {
        B::Params::describe()
    }

    fn presets(&self) -> Vec<&'static str> {
        B::Params::presets().into_iter().map(|(name, _)| name).collect()
    }

    fn configure(
        &self,
        preset: &str,
        settings: &[(String, toml::Value)],
    ) -> Result<Box<dyn Design>, ParameterError> {
        let params = resolve::<B::Params>(Block::name(self), preset, settings)?;
        Ok(Box::new(Configured { block: *self, params }))
    }
}

impl<B: Block> Design for Configured<B> {
    fn name(&self) -> &'static str {
        Block::name(&self.block)
    }

    fn params(&self) -> toml::Table {
        to_table(&self.params)
    }

    fn circuit(&self) -> Module {
        self.block.circuit(&self.params)
    }

    fn channels(&self) -> Vec<Channel> {
        self.block.channels(&self.params)
    }

    fn straps(&self) -> Vec<Strap> {
        self.block.straps(&self.params)
    }

    fn reference(&self, straps: &[u64]) -> Box<dyn Reference> {
        self.block.reference(&self.params, straps)
    }

    fn contract(&self, straps: &[u64]) -> Box<dyn Contract> {
        self.block.contract(&self.params, straps)
    }

    fn streams(&self) -> &'static [StreamInfo] {
        Block::streams(&self.block)
    }

    fn stimulus(&self, straps: &[u64], stream: usize) -> Box<dyn Stimulus> {
        self.block.stimulus(&self.params, straps, stream)
    }

    fn partner(&self) -> Option<Box<dyn Partner>> {
        self.block.partner(&self.params)
    }

    fn corners(&self) -> &'static [CornerInfo] {
        Block::corners(&self.block)
    }

    fn reachable(&self, corner: usize) -> bool {
        self.block.reachable(&self.params, corner)
    }

    fn exercise(&self) -> Exercise {
        self.block.exercise(&self.params)
    }

    fn same_rows(&self) -> Vec<SameRow> {
        self.block.same_rows(&self.params)
    }

    fn properties(&self, inside: bool) -> Result<Properties, NoProperties> {
        self.block.properties(&self.params, inside)
    }

    fn claims(&self) -> Vec<Claim> {
        self.block.claims(&self.params)
    }

    fn arrays(&self) -> Vec<Array> {
        self.block.arrays(&self.params)
    }
}

fn to_table(params: &impl Serialize) -> toml::Table {
    toml::Table::try_from(params).expect("parameters are a flat table")
}
