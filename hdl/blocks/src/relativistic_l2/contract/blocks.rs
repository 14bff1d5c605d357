//! History of each block on the ports: the ver of its last store, and its leases.

use std::collections::HashMap;

use super::Pending;
use crate::kit::*;
use crate::relativistic_l2::channels::{Kind, Response};
use crate::relativistic_l2::params::Params;
use crate::relativistic_l2::rules;

/// A block since the last roll-over.
#[derive(Clone, Debug, Default)]
struct Block {
    ver: u64,
    /// The last lease, and how many stores there were.
    granted: Option<u64>,
    stores: u64,
    /// Lease of each core's copy, and the stores before.
    copies: HashMap<u64, (u64, u64)>,
}

/// All blocks since the last roll-over.
pub(super) struct Blocks {
    limit: u64,
    blocks: HashMap<u64, Block>,
}

impl Blocks {
    pub fn new(p: &Params) -> Self {
        Self { limit: p.limit(), blocks: HashMap::new() }
    }

    pub fn roll_over(&mut self) {
        self.blocks.clear();
    }

    pub fn answer(
        &mut self,
        p: &Params,
        response: &Response,
        pending: &Pending,
    ) -> Result<(), Violation> {
        let block = self.blocks.entry(p.block_of(response.address)).or_default();
        let Response { exp, ver, .. } = *response;
        let request = &pending.request;
        let detail = || format!("{response:?} to {request}; before: {block:?}");
        match response.kind {
            Kind::Ack | Kind::Result => {
                rules::STORES_RISE.require(ver >= block.ver, detail)?;
                rules::NOT_BEFORE_NOW.require(ver >= request.now, detail)?;
                let is_after = block.granted.is_none_or(|granted| ver > granted);
                rules::STORES_AFTER_LEASES.require(is_after, detail)?;
                block.ver = ver;
                block.stores += 1;
            }
            kind => {
                let is_renewed = kind == Kind::Renew;
                let from = if is_renewed { block.ver } else { ver };
                let used_once = exp == 0 && !is_renewed;
                let covers = used_once || (from..=self.limit).contains(&exp);
                rules::LEASE_COVERS.require(covers, detail)?;
                rules::NOT_BEFORE_NOW.require(used_once || exp >= request.now, detail)?;
                rules::STORES_RISE.require(is_renewed || ver >= block.ver, detail)?;
                let copy = block.copies.get(&request.core);
                let stale = copy.is_some_and(|copy| copy.0 == request.exp && copy.1 < block.stores);
                let unchanged = !stale && request.exp > block.ver;
                rules::RENEWED_UNCHANGED.require(!is_renewed || unchanged, detail)?;
                if exp > 0 {
                    block.granted = block.granted.max(Some(exp));
                    block.copies.insert(request.core, (exp, block.stores));
                }
            }
        }
        Ok(())
    }
}
