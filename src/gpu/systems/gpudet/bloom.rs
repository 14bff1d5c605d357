//! The Bloom filters beside a core's L1 (4.3): of each wavefront the lines in its store buffer. As reference of the block
//! `bloom_filter` or as its circuit, or as exact sets.

use std::fmt;

use warpsmith_blocks::bloom_filter::{
    self, Answer, BloomFilter, ERROR, Op, Params, REQ, RESP, Request,
};
use warpsmith_blocks::parameters::Parameters;
use warpsmith_testbench::place::Place;
use warpsmith_testbench::verilator::Warning;

use super::log::Log;
use crate::config::Config;
use crate::memory::{Circuits, RtlError, RtlSettings};

/// Sub-arrays of a filter (table 5.2).
const SUB_ARRAYS: u32 = 4;
/// Clocks until a circuit that answers has answered.
const LONGEST: u32 = 16;

/// The filters of a core.
pub(super) struct Blooms {
    core: usize,
    inside: Inside,
}

enum Inside {
    /// A query is answered from the store buffer itself.
    Exact,
    Reference(BloomFilter),
    Circuit(Box<Place>),
}

impl fmt::Debug for Blooms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Bloom filters of core {}", self.core)
    }
}

/// Parameters of the filters of a machine; none for exact sets.
fn params(config: &Config) -> Option<Params> {
    let bits = config.quanta.bloom_bits / SUB_ARRAYS;
    let paper = Params::presets().into_iter().find(|(name, _)| *name == "paper");
    let paper = paper.expect("every block has this preset").1;
    (bits > 0).then_some(Params {
        wavefronts: config.core.warps,
        sub_arrays: SUB_ARRAYS,
        bits,
        ..paper
    })
}

/// Places of the filters.
pub(super) fn places(config: &Config) -> Vec<String> {
    let name = bloom_filter::BLOCK.name;
    let cores = params(config).map_or(0, |_| config.machine.cores());
    (0..cores).map(|core| format!("{name}@core{core}")).collect()
}

impl Blooms {
    /// The filters of all cores.
    pub fn all(config: &Config) -> Vec<Self> {
        let params = params(config);
        let of_core = |core| Self {
            core,
            inside: params
                .as_ref()
                .map_or(Inside::Exact, |params| Inside::Reference(BloomFilter::new(params))),
        };
        (0..config.machine.cores() as usize).map(of_core).collect()
    }

    /// Puts circuits in the chosen cores; gives what Verilator warns of.
    ///
    /// # Errors
    /// If a circuit cannot be simulated.
    pub fn use_rtl(
        all: &mut [Self],
        config: &Config,
        settings: &RtlSettings,
        chosen: &[bool],
    ) -> Result<Vec<Warning>, RtlError> {
        let Some(params) = params(config).filter(|_| chosen.contains(&true)) else {
            return Ok(Vec::new());
        };
        let circuits = Circuits::new(params, settings)?;
        for (blooms, _) in all.iter_mut().zip(chosen).filter(|(_, chosen)| **chosen) {
            blooms.inside = Inside::Circuit(Box::new(circuits.place(&[])?));
        }
        Ok(circuits.warnings)
    }

    /// Transfers that were compared with the reference.
    pub fn compared(&self) -> u64 {
        match &self.inside {
            Inside::Circuit(place) => place.compared(),
            Inside::Exact | Inside::Reference(_) => 0,
        }
    }

    /// A wavefront has stored to a line.
    ///
    /// # Errors
    /// If the circuit fails: a mismatch, an error pulse or no answer.
    pub fn insert(&mut self, warp: u32, line: u32) -> Result<(), String> {
        match &mut self.inside {
            Inside::Exact => Ok(()),
            Inside::Reference(filter) => {
                filter.insert(warp.into(), line.into());
                Ok(())
            }
            Inside::Circuit(_) => self.request(Op::Insert, warp, line).map(|_| ()),
        }
    }

    /// Whether a wavefront may have stored to a line.
    pub fn query(&mut self, warp: u32, line: u32, log: &Log) -> Result<bool, String> {
        match &mut self.inside {
            Inside::Exact => Ok(log.has(line)),
            Inside::Reference(filter) => Ok(filter.query(warp.into(), line.into())),
            Inside::Circuit(_) => {
                let answer = self.request(Op::Query, warp, line)?;
                answer.ok_or_else(|| self.wrong(&"it does not answer a query"))
            }
        }
    }

    /// A wavefront's store buffer is empty.
    pub fn clear(&mut self, warp: u32) -> Result<(), String> {
        match &mut self.inside {
            Inside::Exact => Ok(()),
            Inside::Reference(filter) => {
                filter.clear(warp.into());
                Ok(())
            }
            Inside::Circuit(_) => self.request(Op::Clear, warp, 0).map(|_| ()),
        }
    }

    /// Has the circuit take a request, and answer it if it is a query. That takes no time of the core.
    fn request(&mut self, op: Op, warp: u32, line: u32) -> Result<Option<bool>, String> {
        let Inside::Circuit(place) = &mut self.inside else { return Ok(None) };
        let request = Request { op, wavefront: warp.into(), line: line.into() };
        place.offer(REQ, &request.encode());
        let mut answer = None;
        for _ in 0..LONGEST {
            if let Err(wrong) = place.clock(|_| false) {
                return Err(self.wrong(&format!("its clock {}: {wrong}", wrong.clock)));
            }
            let (mut is_taken, mut is_error) = (false, false);
            for (channel, payload) in place.transfers() {
                match channel {
                    REQ => is_taken = true,
                    RESP => answer = Some(Answer::decode(payload).hit),
                    ERROR => is_error = true,
                    _ => {}
                }
            }
            if is_error {
                return Err(self.wrong(&"it reports an error"));
            }
            if answer.is_some() || op != Op::Query && is_taken {
                break;
            }
        }
        Ok(answer)
    }

    fn wrong(&self, what: &dyn fmt::Display) -> String {
        format!("{} of core {}: {what}", bloom_filter::BLOCK.name, self.core)
    }
}
