//! Functions that the machine provides: `vprintf`, `malloc`, `free`, `__assertfail`.

use super::problem::Problem;
use super::registers::LANES;
use super::step::{Allocation, Print, Step};
use super::warp::Warp;
use crate::isa::Service;

impl Warp {
    /// Calls of functions that the machine provides.
    pub(super) fn service(&mut self, service: Service, mask: u32) -> Result<Step, Problem> {
        let base = u64::from(self.local_base());
        let pointer = |warp: &Self, lane: usize, offset: u32| {
            let bytes = warp.local.get(lane, base + u64::from(offset), 8);
            bytes.and_then(|bytes| bytes.try_into().ok()).map_or(0, u64::from_le_bytes)
        };
        Ok(match service {
            Service::Transaction(boundary) => return self.transaction(boundary, mask),
            Service::Print { .. } | Service::Allocate { .. } | Service::Free { .. }
                if self.checkpoint.is_some() =>
            {
                return Err(Problem::InTransaction("printf, malloc or free"));
            }
            Service::Print { format, arguments, returned } => Step::Print(Box::new(Print {
                mask,
                format: std::array::from_fn(|lane| pointer(self, lane, format)),
                arguments: std::array::from_fn(|lane| pointer(self, lane, arguments)),
                returned: returned.map(|offset| base + u64::from(offset)),
            })),
            Service::Allocate { bytes, returned } => Step::Allocate(Box::new(Allocation {
                mask,
                given: std::array::from_fn(|lane| pointer(self, lane, bytes)),
                returned: Some(base + u64::from(returned)),
            })),
            Service::Free { address } => Step::Allocate(Box::new(Allocation {
                mask,
                given: std::array::from_fn(|lane| pointer(self, lane, address)),
                returned: None,
            })),
            Service::AssertFail { message } => {
                let lane = mask.trailing_zeros() as usize % LANES;
                Step::Assertion(lane, pointer(self, lane, message))
            }
        })
    }

    /// Stores the result of `vprintf` in a lane.
    pub fn printed(&mut self, print: &Print, lane: usize, value: i32) {
        if let Some(place) = print.returned
            && let Some(place) = self.local.get_mut(lane, place, 4)
        {
            place.copy_from_slice(&value.to_le_bytes());
        }
    }

    /// Stores the result of `malloc` in a lane.
    pub fn allocated(&mut self, allocation: &Allocation, lane: usize, address: u64) {
        if let Some(place) = allocation.returned
            && let Some(place) = self.local.get_mut(lane, place, 8)
        {
            place.copy_from_slice(&address.to_le_bytes());
        }
    }

    /// Bytes of a lane's local memory.
    pub fn local_bytes(&self, lane: usize, address: u64, bytes: usize) -> Option<&[u8]> {
        self.local.get(lane, address, bytes)
    }
}
