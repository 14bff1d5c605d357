//! The memory behind the overflow space, as simple as can be: it serves requests in order, and answers lookups.

use std::collections::{HashMap, VecDeque};

use super::access::Metadata;
use super::channels::{OVERFLOW_REQ, OVERFLOW_RESP, OverflowAnswer, OverflowOp, OverflowRequest};
use crate::kit::*;

/// The memory, asked on the channel `REQ` and answering on `RESP`.
#[derive(Debug, Default)]
pub struct OverflowMemory<const REQ: usize = OVERFLOW_REQ, const RESP: usize = OVERFLOW_RESP> {
    entries: HashMap<u64, Metadata>,
    answers: VecDeque<Option<Metadata>>,
}

impl<const REQ: usize, const RESP: usize> Partner for OverflowMemory<REQ, RESP> {
    fn channels(&self) -> &'static [usize] {
        &[RESP]
    }

    fn observe(&mut self, channel: usize, payload: &[u64]) {
        if channel != REQ {
            return;
        }
        let OverflowRequest { op, address, metadata } = OverflowRequest::decode(payload);
        match op {
            OverflowOp::Lookup => self.answers.push_back(self.entries.get(&address).copied()),
            OverflowOp::Insert | OverflowOp::Update => {
                self.entries.insert(address, metadata);
            }
            OverflowOp::Remove => {
                self.entries.remove(&address);
            }
        }
    }

    fn answer(&mut self, _: usize, payload: &mut [u64]) -> bool {
        let Some(found) = self.answers.pop_front() else { return false };
        payload.copy_from_slice(&OverflowAnswer::of(found).encode());
        true
    }
}
