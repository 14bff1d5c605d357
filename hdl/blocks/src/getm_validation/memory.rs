//! The memory of the table's overflow space, behind the validation unit's channels.

use super::channels::{OVERFLOW_REQ, OVERFLOW_RESP};
use crate::getm_metadata::{self, OverflowMemory};
use crate::verification::Partner;

/// The memory.
#[derive(Debug, Default)]
pub(super) struct Memory(OverflowMemory);

impl Partner for Memory {
    fn channels(&self) -> &'static [usize] {
        &[OVERFLOW_RESP]
    }

    fn observe(&mut self, channel: usize, payload: &[u64]) {
        if channel == OVERFLOW_REQ {
            self.0.observe(getm_metadata::OVERFLOW_REQ, payload);
        }
    }

    fn answer(&mut self, _: usize, payload: &mut [u64]) -> bool {
        self.0.answer(getm_metadata::OVERFLOW_RESP, payload)
    }
}
