//! The Bloom filters as a sequential program (4.3, 5.2).

use super::channels::{Answer, ERROR, NO_SUCH_WAVEFRONT, Op, REQ, RESP, Request};
use super::corners;
use super::hashes::Hashes;
use super::params::Params;
use crate::kit::*;

/// The reference model.
#[derive(Clone, Debug)]
pub struct BloomFilter {
    params: Params,
    hashes: Hashes,
    /// The sub-arrays of each wavefront.
    filters: Vec<Vec<Vec<bool>>>,
}

impl BloomFilter {
    /// Empty filters.
    pub fn new(params: &Params) -> Self {
        let empty = vec![vec![false; params.bits as usize]; params.sub_arrays as usize];
        let filters = vec![empty; params.wavefronts as usize];
        Self { params: params.clone(), hashes: Hashes::new(params), filters }
    }

    /// A wavefront's store buffer gets a line.
    pub fn insert(&mut self, wavefront: u64, line: u64) {
        let filter = &mut self.filters[wavefront as usize];
        for (sub_array, index) in filter.iter_mut().zip(self.hashes.indices(line)) {
            sub_array[index] = true;
        }
    }

    /// Whether a line may be in a wavefront's store buffer.
    pub fn query(&self, wavefront: u64, line: u64) -> bool {
        let filter = &self.filters[wavefront as usize];
        filter.iter().zip(self.hashes.indices(line)).all(|(sub_array, index)| sub_array[index])
    }

    /// A wavefront's store buffer is empty.
    pub fn clear(&mut self, wavefront: u64) {
        self.filters[wavefront as usize].iter_mut().for_each(|sub_array| sub_array.fill(false));
    }

    fn is_full(&self, wavefront: u64) -> bool {
        self.filters[wavefront as usize].iter().flatten().all(|bit| *bit)
    }
}

impl Reference for BloomFilter {
    fn accept(&mut self, channel: usize, payload: &[u64], outcome: &mut Outcome<'_>) {
        assert_eq!(channel, REQ, "an input");
        let request = Request::decode(payload);
        let Request { op, wavefront, line } = request;
        if request.is_malformed(&self.params) {
            outcome.sink.expect(ERROR, &[NO_SUCH_WAVEFRONT]);
            if op == Op::Query {
                outcome.sink.expect(RESP, &Answer { hit: false }.encode());
            }
            return;
        }
        match op {
            Op::Insert => self.insert(wavefront, line),
            Op::Query => {
                let hit = self.query(wavefront, line);
                outcome.corners.count(corners::FULL_ROW, hit && self.is_full(wavefront));
                outcome.sink.expect(RESP, &Answer { hit }.encode());
            }
            Op::Clear => self.clear(wavefront),
            Op::ClearAll => (0..self.params.wavefronts).for_each(|w| self.clear(w.into())),
        }
    }

    fn state(&self) -> Vec<String> {
        let ones = |filter: &[Vec<bool>]| {
            let of = |sub_array: &Vec<bool>| sub_array.iter().filter(|bit| **bit).count();
            filter.iter().map(|sub_array| of(sub_array).to_string()).collect::<Vec<_>>().join(", ")
        };
        let filters = self.filters.iter().enumerate();
        let filters = filters.filter(|(_, filter)| filter.iter().flatten().any(|bit| *bit));
        let line = |(w, filter): (usize, &Vec<_>)| format!("wavefront {w}: {} bits", ones(filter));
        filters.map(line).collect()
    }
}
