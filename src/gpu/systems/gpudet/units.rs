//! The Z-buffer commit unit of each partition, as reference or as circuit of the block `zbuffer_commit`.

use std::collections::{HashMap, VecDeque};
use std::fmt;

use slab::Slab;
use warpsmith_blocks::block::Design;
use warpsmith_blocks::parameters::Parameters;
use warpsmith_blocks::zbuffer_commit::{
    self, ACK, COLOR, COLOR_ACK, Color, Depths, ERROR, Params, REQ, RESET, RESET_DONE, Request,
    ZCLEAR, ZCLEAR_ACK, ZDATA, ZREAD, ZWRITE, ZWRITE_ACK,
};
use warpsmith_testbench::bench::Bench;
use warpsmith_testbench::place::{Occupant, Place, Surroundings};
use warpsmith_testbench::verilator::Warning;

use crate::config::{CommitBy, Config, Granularity, LINE};
use crate::memory::{Bytes, Circuits, Data, RtlError, RtlSettings};

/// A color update request.
#[derive(Debug)]
pub(super) struct Update {
    pub core: u32,
    pub line: u32,
    pub bytes: Bytes,
    pub depth: u64,
    pub data: Data,
}

/// A request of the unit to the L2, or its answer to a core.
#[derive(Debug)]
pub(super) enum Output {
    /// Bytes that have won, from a request entry.
    Color {
        entry: u64,
        line: u32,
        bytes: Bytes,
        data: Data,
    },
    /// A core's request is done.
    Done {
        core: u32,
        line: u32,
    },
    ReadDepths {
        entry: u64,
        line: u32,
    },
    WriteDepths {
        entry: u64,
        line: u32,
    },
    /// Every depth is to be the largest.
    Cleared,
    /// The Z-buffer is reset.
    Reset,
}

/// An answer of the L2.
#[derive(Debug)]
pub(super) enum Answer {
    Color(u64),
    Written(u64),
    Depths(u64, u32),
    Cleared,
}

/// The unit of a partition.
pub(super) struct Unit {
    number: usize,
    params: Params,
    place: Place,
    pub is_circuit: bool,
    /// Requests that it has not been offered.
    pub queue: VecDeque<Update>,
    /// Requests that are not acknowledged, by id: their core, and their line.
    in_flight: HashMap<u64, (u32, u32)>,
    next_id: u64,
    /// Depths in the L2, by line; others are the largest.
    depths: HashMap<u32, Vec<u64>>,
    /// Answers of the L2 on their way.
    pub answers: Slab<Answer>,
    is_resetting: bool,
    credit: f64,
    /// Clocks of the unit for a clock of the cores.
    rate: f64,
    /// Whether an event will clock it.
    pub clocked: bool,
}

impl fmt::Debug for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Z-buffer commit unit of partition {}", self.number)
    }
}

/// Parameters of the units of a machine.
pub(super) fn params(config: &Config) -> Params {
    let quanta = &config.quanta;
    let paper = Params::presets().into_iter().find(|(name, _)| *name == "paper");
    let paper = paper.expect("every block has this preset").1;
    let wavefront_bits = config.warp_bits();
    Params {
        lanes: LINE as u32 / 4,
        sets: quanta.z_cache_bytes / (LINE as u32 * paper.ways),
        granularity: match quanta.granularity {
            Granularity::Word => zbuffer_commit::Granularity::Word,
            Granularity::Byte => zbuffer_commit::Granularity::Byte,
        },
        wavefront_bits,
        quantum_bits: quanta.quantum_bits,
        depth_bits: wavefront_bits + quanta.quantum_bits + 1,
        ..paper
    }
}

/// Places of the units.
pub(super) fn places(config: &Config) -> Vec<String> {
    let name = zbuffer_commit::BLOCK.name;
    let units = if config.quanta.commit == CommitBy::Zbuffer { config.l2.banks } else { 0 };
    (0..units).map(|partition| format!("{name}@partition{partition}")).collect()
}

impl Unit {
    /// The references of the units of all partitions.
    pub fn all(config: &Config) -> Vec<Self> {
        let params = params(config);
        params.validate().unwrap_or_else(|error| panic!("{error}"));
        let bench = Bench::new(&params, &params.circuit()).without_partner();
        let unit = |number| Self {
            number: number as usize,
            params: params.clone(),
            place: Place::new(&bench, Occupant::Reference, Surroundings::PLAIN)
                .unwrap_or_else(|error| panic!("a reference needs no model: {error}")),
            is_circuit: false,
            queue: VecDeque::new(),
            in_flight: HashMap::new(),
            next_id: 0,
            depths: HashMap::new(),
            answers: Slab::new(),
            is_resetting: false,
            credit: 0.0,
            rate: config.quanta.z_mhz / config.machine.clock_mhz,
            clocked: false,
        };
        (0..config.l2.banks).map(unit).collect()
    }

    /// Puts circuits in the chosen partitions; gives what Verilator warns of.
    ///
    /// # Errors
    /// If a circuit cannot be simulated.
    pub fn use_rtl(
        all: &mut [Self],
        settings: &RtlSettings,
        chosen: &[bool],
    ) -> Result<Vec<Warning>, RtlError> {
        let Some(params) = all.first().map(|unit| unit.params.clone()) else { return Ok(vec![]) };
        if !chosen.contains(&true) {
            return Ok(Vec::new());
        }
        let circuits = Circuits::new(params, settings)?.without_partner();
        for (unit, _) in all.iter_mut().zip(chosen).filter(|(_, chosen)| **chosen) {
            (unit.place, unit.is_circuit) = (circuits.place(&[])?, true);
        }
        Ok(circuits.warnings)
    }

    /// Transfers that were compared with the reference.
    pub fn compared(&self) -> u64 {
        self.place.compared()
    }

    /// Whether it needs clocks.
    pub fn is_busy(&self) -> bool {
        let works = !self.in_flight.is_empty() || self.is_resetting;
        !self.queue.is_empty() || works || !self.place.is_at_rest()
    }

    /// Resets its Z-buffer.
    pub fn reset(&mut self) {
        self.is_resetting = true;
        self.place.offer(RESET, &[]);
    }

    /// An answer of the L2 has come.
    pub fn answered(&mut self, number: u32) {
        match self.answers.remove(number as usize) {
            Answer::Color(entry) => self.place.offer(COLOR_ACK, &[entry]),
            Answer::Written(entry) => self.place.offer(ZWRITE_ACK, &[entry]),
            Answer::Cleared => self.place.offer(ZCLEAR_ACK, &[]),
            Answer::Depths(entry, line) => {
                let largest = || vec![self.params.largest_depth(); self.params.depths() as usize];
                let depths = self.depths.get(&line).cloned().unwrap_or_else(largest);
                let data = Depths { entry, address: 0, depths }.encode_data(&self.params);
                self.place.offer(ZDATA, &data);
            }
        }
    }

    /// One clock of the cores.
    ///
    /// # Errors
    /// If the unit fails: a mismatch, an error pulse or an unknown acknowledgement.
    pub fn clock(&mut self) -> Result<Vec<Output>, String> {
        let credit = self.credit + self.rate;
        self.credit = credit.fract();
        let mut outputs = Vec::new();
        for _ in 0..credit as u32 {
            self.clock_own(&mut outputs)?;
        }
        Ok(outputs)
    }

    /// One clock of its own.
    fn clock_own(&mut self, outputs: &mut Vec<Output>) -> Result<(), String> {
        // Ids are as many as may be in flight.
        let has_id = self.in_flight.len() < 1 << (self.params.id_bits - 1);
        if self.place.queued(REQ) == 0
            && has_id
            && let Some(update) = self.queue.pop_front()
        {
            let id = self.new_id();
            self.in_flight.insert(id, (update.core, update.line));
            self.place.offer(REQ, &self.request(id, &update).encode(&self.params));
        }
        let wrong = |what: &dyn fmt::Display| {
            format!("{} of partition {}: {what}", zbuffer_commit::BLOCK.name, self.number)
        };
        self.place
            .clock(|_| false)
            .map_err(|it| wrong(&format!("its clock {}: {it}", it.clock)))?;
        let line_of = |address: u64| (address / LINE as u64) as u32;
        for (channel, payload) in self.place.transfers() {
            match channel {
                COLOR => {
                    let Color { entry, address, mask, data } = Color::decode(&self.params, payload);
                    let bytes =
                        (0..).zip(&mask).fold(0, |all, (at, bit)| all | u128::from(*bit) << at);
                    let mut line = [0; LINE];
                    for (word, value) in line.chunks_mut(4).zip(&data) {
                        word.copy_from_slice(&(*value as u32).to_le_bytes());
                    }
                    outputs.push(Output::Color {
                        entry,
                        line: line_of(address),
                        bytes,
                        data: line,
                    });
                }
                ACK => {
                    let Some((core, line)) = self.in_flight.remove(&payload[0]) else {
                        return Err(wrong(&format!(
                            "it acknowledges id {}, which nobody has sent",
                            payload[0]
                        )));
                    };
                    outputs.push(Output::Done { core, line });
                }
                ZREAD => {
                    let (entry, line) = (payload[0], line_of(payload[1]));
                    outputs.push(Output::ReadDepths { entry, line });
                }
                ZWRITE => {
                    let Depths { entry, address, depths } = Depths::decode(&self.params, payload);
                    self.depths.insert(line_of(address), depths);
                    outputs.push(Output::WriteDepths { entry, line: line_of(address) });
                }
                ZCLEAR => {
                    self.depths.clear();
                    outputs.push(Output::Cleared);
                }
                RESET_DONE => {
                    self.is_resetting = false;
                    outputs.push(Output::Reset);
                }
                ERROR => return Err(wrong(&format!("it reports error {}", payload[0]))),
                _ => {}
            }
        }
        Ok(())
    }

    fn new_id(&mut self) -> u64 {
        loop {
            let id = self.next_id;
            self.next_id = (id + 1) % (1 << self.params.id_bits);
            if !self.in_flight.contains_key(&id) {
                return id;
            }
        }
    }

    fn request(&self, id: u64, update: &Update) -> Request {
        let word =
            |word: &[u8]| u64::from(u32::from_le_bytes([word[0], word[1], word[2], word[3]]));
        Request {
            id,
            address: u64::from(update.line) * LINE as u64,
            depth: vec![update.depth],
            mask: (0..LINE).map(|at| (update.bytes >> at & 1) as u64).collect(),
            data: update.data.chunks(4).map(word).collect(),
        }
    }
}
