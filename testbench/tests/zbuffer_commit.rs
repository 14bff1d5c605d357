//! The Z-buffer commit unit's circuit: the final memory depends on no order of arrival, and the rate and
//! latency are those of its page. `blocks.rs` tests that it is equal to its reference.

mod support {
    pub mod equal;
    pub mod tools;
}

use std::collections::{HashMap, VecDeque};

use rand::{Rng, RngExt, SeedableRng};
use warpsmith_blocks::block::Design;
use warpsmith_blocks::parameters::{Parameters, Settings};
use warpsmith_blocks::verification::StimulusRng;
use warpsmith_blocks::zbuffer_commit::{
    ACK, COLOR, Color, Granularity, Params, REQ, RESET, RESET_DONE, Request,
};
use warpsmith_rtl::{Bits, Simulator, words};
use warpsmith_testbench::agents::Stalls;
use warpsmith_testbench::backend::{Backend, Models, verilog_source};
use warpsmith_testbench::bench::Bench;
use warpsmith_testbench::cosim::Plan;
use warpsmith_testbench::place::{Occupant, Place, Surroundings};

use support::equal::equal;
use support::tools;

/// Words of memory, by block and lane.
type Memory = HashMap<(u64, usize), u64>;

/// Quanta between two resets of the Z-buffer.
const QUANTA: u64 = 3;
const RESETS: usize = 2;

fn params(preset: &str) -> Params {
    let mut presets = Params::presets().into_iter();
    presets.find(|(name, _)| *name == preset).expect("the preset").1
}

/// What is committed: for each time between resets, for each wavefront, its requests in its order.
struct Stores(Vec<Vec<Vec<(u64, Request)>>>);

impl Stores {
    /// Entries of store buffers; wavefronts share few blocks, so that they often write the same words.
    fn new(p: &Params, wavefronts: u64, rng: &mut StimulusRng) -> Self {
        let of_wavefront = |wavefront: u64, rng: &mut StimulusRng| {
            let mut entries = Vec::new();
            for quantum in 0..QUANTA {
                for _ in 0..rng.random_range(0..1 + 96 / wavefronts.max(6)) {
                    let word = |_| if rng.random() { [1; 4] } else { [0; 4] };
                    let mask = (0..p.lanes).flat_map(word).collect();
                    let data = (0..p.lanes).map(|_| rng.next_u64() >> 32).collect();
                    // Blocks of few sets, so that they are evicted and read again.
                    let block = rng.random_range(0..4) * u64::from(p.sets) + rng.random_range(0..2);
                    let depth = vec![p.depth_of(wavefront, quantum)];
                    let request =
                        Request { id: 0, address: p.address_of(block), depth, mask, data };
                    entries.push((quantum, request));
                }
            }
            entries
        };
        let mut between_resets = || (0..wavefronts).map(|w| of_wavefront(w, rng)).collect();
        Self((0..RESETS).map(|_| between_resets()).collect())
    }

    /// The sequential commit: quantum after quantum, in each the wavefronts from the last to the first, so
    /// that of two that write one word the one with the smaller number stays.
    fn sequential(&self, p: &Params) -> Memory {
        let mut memory = Memory::new();
        for wavefronts in &self.0 {
            for quantum in 0..QUANTA {
                let requests = wavefronts.iter().rev().flatten().filter(|(of, _)| *of == quantum);
                for (_, request) in requests {
                    write(p, request.address, &request.mask, &request.data, &mut memory);
                }
            }
        }
        memory
    }

    /// A random order of arrival between two resets that keeps each wavefront's own.
    fn order(wavefronts: &[Vec<(u64, Request)>], rng: &mut StimulusRng) -> Vec<Request> {
        let mut next: Vec<_> = wavefronts.iter().map(|requests| requests.iter()).collect();
        let mut order = Vec::new();
        // Some wavefronts far ahead of the others, or all in turn.
        let eager = rng.random_range(1..=next.len());
        while !next.is_empty() {
            let at = rng.random_range(0..eager.min(next.len()));
            match next[at].next() {
                Some((_, request)) => {
                    order.push(Request { id: order.len() as u64 % 64, ..request.clone() });
                }
                None => drop(next.swap_remove(at)),
            }
        }
        order
    }
}

fn write(p: &Params, address: u64, mask: &[u64], data: &[u64], memory: &mut Memory) {
    for (lane, &word) in data.iter().enumerate().filter(|(lane, _)| mask[4 * lane] == 1) {
        memory.insert((p.block_of(address), lane), word);
    }
}

/// What the circuit leaves in memory after an order of arrival.
fn commit(bench: &Bench<'_>, p: &Params, models: &Models, stores: &Stores, seed: u64) -> Memory {
    let mut rng = StimulusRng::seed_from_u64(seed);
    let stalls = if seed.is_multiple_of(3) { Stalls::None } else { Stalls::Random };
    let surroundings = Surroundings { stalls, seed, ..Surroundings::PLAIN };
    let mut place = Place::new(bench, Occupant::Circuit(models), surroundings).expect("a model");
    let mut memory = Memory::new();
    let mut until = |place: &mut Place, channel: usize, count: usize| {
        let mut seen = 0;
        for _ in 0..400_000 {
            if seen == count {
                return;
            }
            place.clock(|_| false).expect("no mismatch");
            for (transferred, payload) in place.transfers() {
                seen += usize::from(transferred == channel);
                if transferred == COLOR {
                    let Color { address, mask, data, .. } = Color::decode(p, payload);
                    write(p, address, &mask, &data, &mut memory);
                }
            }
        }
        panic!("seed {seed}: {seen} of {count} transfers");
    };
    for wavefronts in &stores.0 {
        let order = Stores::order(wavefronts, &mut rng);
        order.iter().for_each(|request| place.offer(REQ, &request.encode(p)));
        until(&mut place, ACK, order.len());
        place.offer(RESET, &[]);
        until(&mut place, RESET_DONE, 1);
    }
    memory
}

/// How many of so many orders, drawn for 1 to 48 wavefronts, do not leave what the sequential commit leaves.
fn wrong(models: &Models, orders: u64) -> u64 {
    let p = params("fpga");
    let bench = Bench::new(&p, &p.circuit());
    let mut wrong = 0;
    for (set, wavefronts) in [1, 2, 5, 16, 48].into_iter().enumerate() {
        let stores = Stores::new(&p, wavefronts, &mut StimulusRng::seed_from_u64(set as u64));
        let sequential = stores.sequential(&p);
        for order in 0..orders / 5 {
            let memory = commit(&bench, &p, models, &stores, order);
            wrong += u64::from(memory != sequential);
        }
    }
    println!("{orders} orders of arrival, of 1 to 48 wavefronts: {wrong} differ");
    wrong
}

fn models(backend: Backend) -> Models {
    Models::of_circuit(&params("fpga").circuit(), backend, false).expect("models")
}

#[test]
fn the_final_memory_is_that_of_the_sequential_commit_in_every_order_of_arrival() {
    assert_eq!(wrong(&models(Backend::Native), 200), 0);
    if tools::verilator() {
        assert_eq!(wrong(&models(Backend::Verilator), 400), 0);
    }
}

#[test]
#[ignore = "nightly: minutes"]
fn ten_thousand_orders_of_arrival_leave_the_same_memory() {
    assert_eq!(wrong(&models(Backend::Native), 10_000), 0);
    if tools::verilator() {
        assert_eq!(wrong(&models(Backend::Verilator), 10_000), 0);
    }
}

/// How many of some orders go wrong with another comparison in every lane.
fn wrong_with(comparison: &str) -> u64 {
    let circuit = params("fpga").circuit();
    let mut source = verilog_source(&circuit).expect("Verilog");
    let ours = ">= $signed(stage5_request[15:0])";
    let file = source.files.iter_mut().find(|file| file.text.matches(ours).count() == 4);
    let file = file.expect("a file with the comparison of four lanes");
    file.text = file.text.replace(ours, comparison);
    let models = Models::of_verilog(&source, &circuit.port_layout(), false).expect("a model");
    wrong(&models, 50)
}

#[test]
fn with_less_for_less_or_equal_the_memory_is_another() {
    if tools::verilator() {
        assert!(wrong_with("> $signed(stage5_request[15:0])") > 0);
    }
}

#[test]
fn where_the_order_of_arrival_decides_the_memory_is_another() {
    if tools::verilator() {
        assert!(wrong_with("!= 17'sd65536") > 0, "a depth of 16 bits is never that");
    }
}

/// A circuit beside an L2 that answers in the next clock, written depths only as far as it is allowed to.
struct Circuit {
    p: Params,
    simulator: Simulator,
    clock: u64,
    /// Comparator entries whose depths are written and not acknowledged.
    unacknowledged: VecDeque<u64>,
    /// How many may be acknowledged.
    acknowledges: u64,
}

impl Circuit {
    fn new(preset: &str) -> Self {
        let p = params(preset);
        let simulator = Simulator::new(&p.circuit()).expect("a circuit");
        let (unacknowledged, acknowledges) = (VecDeque::new(), u64::MAX);
        let mut circuit = Self { p, simulator, clock: 0, unacknowledged, acknowledges };
        for port in ["req", "zdata", "zwrite_ack", "color_ack", "reset", "zclear_ack"] {
            circuit.set(&format!("{port}_valid"), 1, &[0]);
        }
        for port in ["ack", "zread", "zwrite", "color", "zclear", "reset_done"] {
            circuit.set(&format!("{port}_ready"), 1, &[1]);
        }
        circuit.set("rst", 1, &[1]);
        circuit.simulator.clock();
        circuit.set("rst", 1, &[0]);
        circuit
    }

    fn set(&mut self, port: &str, width: u32, value: &[u64]) {
        self.simulator.set(port, Bits::from_words(width, value));
    }

    fn shows(&mut self, port: &str) -> u64 {
        self.simulator.get(port).words()[0]
    }

    /// Offers a request to a block; gives whether it was taken, and whether one was acknowledged.
    fn clock(&mut self, block: Option<u64>) -> (bool, bool) {
        let p = self.p.clone();
        self.set("req_valid", 1, &[u64::from(block.is_some())]);
        let id = self.clock & (u64::MAX >> (64 - p.id_bits));
        let request = Request {
            id,
            address: p.address_of(block.unwrap_or(0)),
            depth: vec![0],
            mask: vec![1; p.bytes() as usize],
            data: vec![self.clock & 0xffff_ffff; p.lanes as usize],
        };
        let payload = request.encode(&p);
        let mut rest = &payload[..];
        for field in p.channels()[REQ].fields.iter() {
            let (value, after) = rest.split_at(words(field.width));
            self.set(&format!("req_{}", field.name), field.width, value);
            rest = after;
        }
        self.simulator.clock();
        self.clock += 1;
        let taken = block.is_some() && self.shows("req_ready") == 1;
        if self.shows("zwrite_valid") == 1 {
            let entry = self.shows("zwrite_entry");
            self.unacknowledged.push_back(entry);
        }
        let allowed = self.acknowledges > 0;
        let entry = if allowed { self.unacknowledged.pop_front() } else { None };
        self.acknowledges -= u64::from(entry.is_some());
        self.set("zwrite_ack_valid", 1, &[u64::from(entry.is_some())]);
        self.set("zwrite_ack_entry", p.comparator_bits(), &[entry.unwrap_or(0)]);
        for (asks, answers, width) in
            [("zread", "zdata", p.comparator_bits()), ("color", "color_ack", p.entry_bits())]
        {
            let valid = self.shows(&format!("{asks}_valid"));
            let entry = self.shows(&format!("{asks}_entry"));
            self.set(&format!("{answers}_valid"), 1, &[valid]);
            self.set(&format!("{answers}_entry"), width, &[entry]);
        }
        let depths = p.depths() * p.depth_bits;
        // Zero: equal to every request's.
        self.set("zdata_depths", depths, &vec![0; words(depths)]);
        (taken, self.shows("ack_valid") == 1)
    }

    /// Brings the depths of so many blocks into the Z-cache.
    fn warm(&mut self, blocks: u64) {
        let mut block = 0;
        while block < blocks {
            block += u64::from(self.clock(Some(block)).0);
        }
        for _ in 0..100 {
            self.clock(None);
        }
    }
}

#[test]
fn one_request_is_taken_per_clock_on_hits_to_distinct_blocks() {
    for preset in ["fpga", "paper"] {
        let mut circuit = Circuit::new(preset);
        let blocks = u64::from(circuit.p.sets * circuit.p.ways);
        circuit.warm(blocks);
        let requests = 5000;
        let taken = (0..requests).filter(|i| circuit.clock(Some(i % blocks)).0).count();
        println!("{preset}: {} clocks per request", requests as f64 / taken as f64);
        assert_eq!(taken as u64, requests, "{preset}");
    }
}

#[test]
fn a_hit_is_acknowledged_eleven_clocks_after_it_was_taken() {
    let mut circuit = Circuit::new("paper");
    circuit.warm(1);
    assert_eq!(circuit.clock(Some(0)), (true, false));
    let waited = (1..40).find(|_| circuit.clock(None).1);
    assert_eq!(waited, Some(11), "of them one in the L2");
}

/// Two blocks that were evicted hold both comparator entries, and the oldest request finds no room. When both are
/// acknowledged, a request of the other set comes, at any clock before or after: it has room beside the oldest.
#[test]
fn what_has_yielded_to_the_oldest_request_goes_on_as_soon_as_that_has_room() {
    for comes_at in 0..24 {
        let mut circuit = Circuit::new("tiny");
        circuit.warm(4);
        circuit.acknowledges = 0;
        let offered = [(0, 4), (1, 5), (60, 6)];
        let mut acknowledged = 0;
        for clock in 0..160 {
            let last = [(90 + comes_at, 7)];
            let due = offered.iter().chain(&last).find(|(at, _)| *at == clock);
            let (taken, leaves) = circuit.clock(due.map(|&(_, block)| block));
            assert_eq!(taken, due.is_some(), "clock {clock}");
            circuit.acknowledges = u64::from(clock == 99 || clock == 100);
            acknowledged += u64::from(leaves);
        }
        assert_eq!(acknowledged, 4, "the last request comes at clock {}", 90 + comes_at);
    }
}

#[test]
fn odd_parameters_are_equal_too() {
    let tiny = params("tiny");
    let (byte, lane) = (Granularity::Byte, true);
    let odd = [
        Params { ways: 1, comparator_entries: 1, ..tiny.clone() },
        Params { request_entries: 2, comparator_entries: 2, ways: 3, ..tiny.clone() },
        Params { lanes: 1, sets: 4, address_bits: 6, ..tiny.clone() },
        Params { granularity: byte, ..tiny.clone() },
        Params {
            granularity: byte,
            depth_per_lane: lane,
            lanes: 4,
            address_bits: 10,
            ..tiny.clone()
        },
        Params { depth_per_lane: lane, depth_bits: 64, address_bits: 64, ..tiny.clone() },
        Params { request_entries: 17, comparator_entries: 5, ways: 5, id_bits: 8, ..tiny },
    ];
    for design in odd {
        design.validate().expect("possible");
        let plan =
            Plan { requests: 20_000, seed: 9, stream: 0, stalls: Stalls::Random, episodes: None };
        println!("{}", design.params());
        equal(&design, Backend::Native, &plan);
    }
}
