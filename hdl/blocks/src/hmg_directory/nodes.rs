//! The source of a request, as a bit in sharer masks; and which requests are well formed.

use std::ops::Range;

use super::channels::{Misuse, Op, Request, Source};
use super::params::Params;

/// The nodes as one directory sees them.
#[derive(Clone, Debug)]
pub struct Nodes {
    params: Params,
    self_gpm: u32,
    self_gpu: u32,
}

impl Nodes {
    /// The nodes as the directory of the GPM and GPU of those numbers sees them.
    pub fn new(params: &Params, self_gpm: u32, self_gpu: u32) -> Self {
        Self { params: params.clone(), self_gpm, self_gpu }
    }

    /// The source's bit in sharer masks: 0 for this GPM.
    ///
    /// # Errors
    /// Why no request may have the source.
    pub fn sharer_bit(&self, source: Source) -> Result<u64, Misuse> {
        let p = &self.params;
        let (index, nodes, self_index, first_bit) = match source {
            Source::Local => return Ok(0),
            Source::Reserved => return Err(Misuse::ReservedSource),
            Source::Gpm(i) if p.hierarchical => (i, p.gpms_per_gpu, self.self_gpm, 0),
            Source::Gpm(i) => {
                (i, p.gpms_per_gpu * p.gpus, self.self_gpu * p.gpms_per_gpu + self.self_gpm, 0)
            }
            Source::Gpu(j) if p.hierarchical => (j, p.gpus, self.self_gpu, p.gpm_sharers()),
            Source::Gpu(_) => return Err(Misuse::GpuSourceInFlat),
        };
        if index >= nodes {
            return Err(Misuse::SourceOutOfRange);
        }
        if index == self_index {
            return Err(Misuse::SourceIsSelf);
        }
        Ok(1 << (first_bit + index - u32::from(index > self_index)))
    }

    /// The operation of a request, and its source's bit.
    ///
    /// # Errors
    /// Why the request is malformed.
    pub fn meaning(&self, request: &Request) -> Result<(Op, u64), Misuse> {
        let op = request.op.ok_or(Misuse::ReservedOp)?;
        let source = self.sharer_bit(request.source)?;
        let legal = self.params.hierarchical && matches!(request.source, Source::Gpu(_));
        match op == Op::Invalidate && !legal {
            true => Err(Misuse::IllegalInvalidate),
            false => Ok((op, source)),
        }
    }
}

// The ideal directory: which nodes hold which block, without a limit and without a policy.

/// How addresses divide into lines, blocks and sets. All of these are powers of two.
#[derive(Clone, Copy)]
pub(super) struct Geometry {
    pub line_bits: u32,
    pub block_bits: u32,
    pub sets: u64,
}

impl Geometry {
    pub fn set(self, block: u64) -> u64 {
        block & (self.sets - 1)
    }
}

/// For each block, the nodes that hold it; blocks that no node holds take no room.
///
/// No set may track more blocks than it has ways, so each has that many slots and one more for the
/// block that is one too many.
pub(super) struct Holders {
    geometry: Geometry,
    slots_per_set: usize,
    /// The block in each slot, set after set.
    pub blocks: Vec<u64>,
    /// The nodes that hold it; none if the slot is free.
    pub nodes: Vec<u64>,
}

impl Holders {
    /// No node holds anything.
    pub fn new(geometry: Geometry, ways: usize) -> Self {
        let slots = geometry.sets as usize * (ways + 1);
        let (blocks, nodes) = (vec![0; slots], vec![0; slots]);
        Self { geometry, slots_per_set: ways + 1, blocks, nodes }
    }

    fn set_of(&self, block: u64) -> Range<usize> {
        let first = self.geometry.set(block) as usize * self.slots_per_set;
        first..first + self.slots_per_set
    }

    /// The slot of a block, or a free one. Looks at all: the branch that ends a search would be
    /// mispredicted more often than not.
    pub fn slot(&self, block: u64) -> usize {
        let set = self.set_of(block);
        let (mut slot, mut found) = (set.start, false);
        for (place, (&held, &nodes)) in
            set.clone().zip(self.blocks[set.clone()].iter().zip(&self.nodes[set]))
        {
            let is_it = (held == block) & (nodes != 0);
            slot = if is_it | (!found & (nodes == 0)) { place } else { slot };
            found |= is_it;
        }
        slot
    }

    /// Number of blocks held in a block's set.
    pub fn in_set_of(&self, block: u64) -> usize {
        self.nodes[self.set_of(block)].iter().filter(|&&nodes| nodes != 0).count()
    }
}
