//! The directory of a GPM, as the L2 beside it sees it: the reference, or RTL in its place.

use std::fmt::{self, Debug};

use warpsmith_blocks::hmg_directory as block;
use warpsmith_testbench::mismatch::Mismatch;

use crate::config::{Config, LINE};

/// Outputs of a directory, in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Output {
    /// Copies of a block are stale: its address and possible sharers, and the warp that caused it.
    Invalidate(block::Invalidation, Cause),
    /// A release is acknowledged: all invalidations before it have been sent.
    Released,
}

/// The warp that caused a request.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Cause {
    /// Its core.
    pub(super) core: u32,
    /// Its place in the core.
    pub(super) warp: u32,
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "core {} warp {}", self.core, self.warp)
    }
}

/// A difference between circuit and reference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct DirectoryMismatch {
    /// The GPM, by its number in the machine.
    pub(super) gpm: u32,
    /// The request, and its address.
    pub(super) request: Option<block::Request>,
    /// The warp that caused it.
    pub(super) cause: Cause,
    /// The difference; its clock is the directory's, of those in which it had something to do.
    pub(super) mismatch: Mismatch,
}

impl fmt::Display for DirectoryMismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { gpm, request, cause, mismatch } = self;
        write!(f, "directory of GPM {gpm}, its clock {}, caused by ", mismatch.clock)?;
        if let Some(request) = request {
            write!(f, "{request}, of ")?;
        }
        write!(f, "{cause}: {mismatch}")
    }
}

/// A directory. Invalidations come in the order of the requests that cause them.
pub(super) trait Directory: Debug {
    /// Takes a request.
    fn present(&mut self, request: &block::Request, cause: Cause, outputs: &mut Vec<Output>);

    /// One clock; gives whether another is needed.
    fn clock(&mut self, outputs: &mut Vec<Output>) -> bool;

    /// Whether it needs clocks.
    fn is_busy(&self) -> bool;

    /// Transfers that were compared with a reference.
    fn compared(&self) -> u64 {
        0
    }

    /// Where it differs from the reference, if it does.
    fn mismatch(&self) -> Option<&DirectoryMismatch> {
        None
    }
}

/// Parameters of the directories of a machine.
pub(super) fn parameters(config: &Config, hierarchical: bool) -> block::Params {
    block::Params {
        gpms_per_gpu: config.machine.gpms_per_gpu,
        gpus: config.machine.gpus,
        hierarchical,
        sets: config.directory.sets,
        ways: config.directory.ways,
        lines_per_entry: config.directory.lines_per_entry,
        line_bytes: LINE as u32,
        address_bits: 48,
        replacement: block::Replacement::Lru,
    }
}

/// The reference model: it answers at once.
#[derive(Debug)]
struct Immediate(block::Directory);

/// The reference model of the directory of a GPM.
pub(super) fn reference(config: &Config, hierarchical: bool, gpm: u32) -> Box<dyn Directory> {
    let params = parameters(config, hierarchical);
    let (self_gpu, self_gpm) = (gpm / params.gpms_per_gpu, gpm % params.gpms_per_gpu);
    Box::new(Immediate(block::Directory::new(&params, self_gpm, self_gpu)))
}

impl Directory for Immediate {
    fn present(&mut self, request: &block::Request, cause: Cause, outputs: &mut Vec<Output>) {
        let effect = self.0.apply(request);
        debug_assert_eq!(effect.error, None, "{request}");
        outputs.extend(effect.invalidation.map(|it| Output::Invalidate(it, cause)));
        if request.op == Some(block::Op::Release) {
            outputs.push(Output::Released);
        }
    }

    fn clock(&mut self, _: &mut Vec<Output>) -> bool {
        false
    }

    fn is_busy(&self) -> bool {
        false
    }
}
