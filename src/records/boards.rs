//! What became of the blocks on the boards, recorded as one JSON document a line.
//!
//! For the same inputs and tool versions placement and routing give the same result, so it is recorded with a hash
//! of these.

use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use warpsmith_blocks::block::{Block, Design};

use super::RecordError;
use crate::baseline::circuit_key;
use crate::flow::board::{self, Kind, PRESET, Used};
use crate::flow::synth::record::ToolUsed;
use crate::flow::{FlowError, Tell};
use crate::scores::State;

/// A block on a board.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Placed {
    /// The block.
    pub block: String,
    /// The board.
    pub board: String,
    /// SHA-256 of the circuit, the top around it, and the board's constraints.
    pub key: String,
    /// Programs.
    pub tools: Vec<ToolUsed>,
    /// What became of it.
    #[serde(flatten)]
    pub outcome: Placement,
}

/// What became of a block on a board.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum Placement {
    /// It has a bitstream.
    Routed {
        /// The highest clock of the PLL that it meets, in MHz.
        clock_mhz: f64,
        /// Highest frequency of the block's clock, in MHz, routed for `clock_mhz`.
        fmax_mhz: f64,
        /// Highest frequency of the link's clock, in MHz.
        link_fmax_mhz: f64,
        /// What it uses.
        resources: Vec<Used>,
    },
    /// It does not fit.
    DoesNotFit {
        /// What exceeds the FPGA, with the number of each that there is.
        over: String,
    },
}

/// The key of a block on a board.
///
/// # Errors
/// Fails if the circuit cannot be written.
pub fn key(design: &dyn Design, kind: Kind) -> Result<String, FlowError> {
    let mut hash = Sha256::new();
    hash.update(circuit_key(design)?);
    let sources = board::sources(design.name())?.map(|(_, text)| text);
    let texts = sources.into_iter().chain([kind.shell(), kind.constraints()]);
    texts.for_each(|text| hash.update(text));
    Ok(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

/// The record of a block on a board, and how it stands.
///
/// # Errors
/// Fails if the circuit cannot be written.
pub fn find<'a>(
    recorded: &'a [Placed],
    block: &Block,
    kind: Kind,
) -> Result<(State, Option<&'a Placed>), RecordError> {
    let is_it = |placed: &&Placed| placed.block == block.name && placed.board == kind.name();
    let found = recorded.iter().find(is_it);
    let key = key(&*block.configure(PRESET, &[])?, kind)?;
    let state = match found {
        None => State::Missing,
        Some(placed) if placed.key == key => State::Recorded,
        Some(_) => State::Stale,
    };
    Ok((state, found))
}

/// Places and routes a block on a board.
///
/// # Errors
/// Fails if a tool is missing or fails; that a block does not fit is no error.
pub fn make(
    block: &Block,
    kind: Kind,
    folder: PathBuf,
    limit: Duration,
    tell: Tell<'_>,
) -> Result<Placed, RecordError> {
    let design = block.configure(PRESET, &[])?;
    let made = board::bitstream(&*design, kind, kind.constraints(), folder, limit, tell);
    let outcome = match made {
        Ok(made) => Placement::Routed {
            clock_mhz: made.clock_mhz,
            fmax_mhz: made.fmax_mhz,
            link_fmax_mhz: made.link_fmax_mhz,
            resources: made.resources,
        },
        Err(FlowError::DoesNotFit { over, .. }) => Placement::DoesNotFit { over },
        Err(error) => return Err(error.into()),
    };
    Ok(Placed {
        block: block.name.to_string(),
        board: kind.name().to_string(),
        key: key(&*design, kind)?,
        tools: kind.tools()?,
        outcome,
    })
}
