//! Clusters of CTAs: addresses in their shared memory, and their barrier.

use super::super::types::Space;
use super::super::written::Written;
use super::body::Body;
use super::convert::space;
use super::operands::{Lowered, U32};
use crate::isa::{ClusterBarrier, Operation};

impl Body<'_, '_> {
    /// `mapa`, `getctarank`
    pub(super) fn in_cluster(&mut self, written: &Written) -> Lowered {
        written.only(&["shared::cluster"])?;
        let ty = written.last_type()?;
        let generic = !written.modifiers.iter().any(|name| space(name) == Some(Space::Cluster));
        if ty.is_float() || ty.bytes < 4 || generic && ty.bytes != 8 {
            return Err(
                "generic addresses have 64 bits: .u64 is accepted, and .u32 with .shared::cluster"
                    .into(),
            );
        }
        let file = ty.file();
        if written.opcode == "getctarank" {
            let d = self.first(written, U32)?;
            let a = self.source(written.operand(1)?, ty)?;
            return Ok(Operation::RankOf { generic, file, d, a });
        }
        let d = self.first(written, ty)?;
        let a = self.source(written.operand(1)?, ty)?;
        let rank = self.source(written.operand(2)?, U32)?;
        Ok(Operation::Map { generic, file, d, a, rank })
    }
}

/// `barrier.cluster.arrive`, `barrier.cluster.wait`
pub(super) fn cluster_barrier(written: &Written) -> Lowered {
    let known = ["cluster", "arrive", "wait", "release", "relaxed", "acquire", "aligned"];
    written.only(&known)?;
    match (written.has("arrive"), written.has("wait")) {
        (true, false) if !written.has("acquire") => {
            let is_relaxed = written.has("relaxed");
            Ok(Operation::ClusterBarrier(ClusterBarrier::Arrive { is_relaxed }))
        }
        (false, true) if !written.has("release") && !written.has("relaxed") => {
            Ok(Operation::ClusterBarrier(ClusterBarrier::Wait))
        }
        _ => {
            Err("arrive, arrive.release, arrive.relaxed, wait and wait.acquire are accepted".into())
        }
    }
}
