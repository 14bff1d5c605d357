//! Who a request comes from, as a bit in sharer masks; and which requests have a meaning.

use super::channels::{Op, Request, Source, error_code};
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
    /// The error code of a source that no request may have.
    pub fn sharer_bit(&self, source: Source) -> Result<u64, u64> {
        let p = &self.params;
        let (index, nodes, self_index, first_bit) = match source {
            Source::Local => return Ok(0),
            Source::Reserved => return Err(error_code::RESERVED_SOURCE),
            Source::Gpm(i) if p.hierarchical => (i, p.gpms_per_gpu, self.self_gpm, 0),
            Source::Gpm(i) => {
                (i, p.gpms_per_gpu * p.gpus, self.self_gpu * p.gpms_per_gpu + self.self_gpm, 0)
            }
            Source::Gpu(j) if p.hierarchical => (j, p.gpus, self.self_gpu, p.gpm_sharers()),
            Source::Gpu(_) => return Err(error_code::GPU_SOURCE_IN_FLAT),
        };
        if index >= nodes {
            return Err(error_code::SOURCE_OUT_OF_RANGE);
        }
        if index == self_index {
            return Err(error_code::SOURCE_IS_SELF);
        }
        Ok(1 << (first_bit + index - u32::from(index > self_index)))
    }

    /// What a request asks for, and its source's bit.
    ///
    /// # Errors
    /// The error code of a request without meaning.
    pub fn meaning(&self, request: &Request) -> Result<(Op, u64), u64> {
        let op = request.op.ok_or(error_code::RESERVED_OP)?;
        let source = self.sharer_bit(request.source)?;
        let legal = self.params.hierarchical && matches!(request.source, Source::Gpu(_));
        match op == Op::Invalidate && !legal {
            true => Err(error_code::ILLEGAL_INVALIDATE),
            false => Ok((op, source)),
        }
    }
}
