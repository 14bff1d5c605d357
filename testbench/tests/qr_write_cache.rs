//! The write cache's circuit: the rates and latencies stated on its page, the curve beside a cache that walks,
//! and the parameters of other levels. `blocks.rs` tests that its presets are equal to their reference.

mod support {
    pub mod equal;
}
#[path = "qr_levels/level.rs"]
#[allow(dead_code, reason = "the levels use more")]
mod level;

use warpsmith_blocks::block::Design;
use warpsmith_blocks::parameters::{Parameters, Settings};
use warpsmith_blocks::qr_write_cache::{ACK, DOWN, Op, Params, REQ, Request};
use warpsmith_testbench::agents::Stalls;
use warpsmith_testbench::backend::Backend;
use warpsmith_testbench::bench;
use warpsmith_testbench::cosim::Plan;
use warpsmith_testbench::place::{Occupant, Place, Surroundings};

use level::Level;
use support::equal::equal;

fn preset(name: &str) -> Params {
    let presets = Params::presets();
    presets.into_iter().find(|(preset, _)| *preset == name).expect("a preset").1
}

fn store(block: u64) -> Request {
    Request::store(block, 1, [block; 8], 0)
}

/// A cache whose read caches acknowledge at once, and whose way down is free.
struct Bench {
    level: Level,
    written: Vec<u64>,
    released: Option<u64>,
}

impl Bench {
    fn new(params: &Params) -> Self {
        let mut level = Level::new(params);
        level.down_ready(true);
        Self { level, written: Vec::new(), released: None }
    }

    /// One clock: whether the request was accepted.
    fn clock(&mut self, request: Option<Request>) -> bool {
        let level = &mut self.level;
        level.request(request);
        let accepted = request.is_some() && level.is("req_ready");
        level.inv_ack(level.inv().is_some().into());
        self.released = None;
        match level.down() {
            Some(request) if request.op == Op::Store => self.written.push(request.block),
            Some(request) if request.op == Op::Release => self.released = Some(request.wavefront),
            _ => {}
        }
        level.clock();
        accepted
    }

    fn stores(&mut self, blocks: impl Iterator<Item = u64>) -> u64 {
        let mut clocks = 0;
        for block in blocks {
            clocks += 1;
            while !self.clock(Some(store(block))) {
                clocks += 1;
            }
        }
        clocks
    }

    /// Clocks from the offer of a release until it goes down.
    fn release(&mut self) -> u64 {
        let mut clocks = 1;
        assert!(self.clock(Some(Request::release(0, false))));
        while self.released.is_none() {
            self.clock(None);
            clocks += 1;
            assert!(clocks < 10_000, "no release");
        }
        clocks
    }
}

#[test]
fn a_full_fifo_drains_one_block_and_takes_one_store_at_every_clock() {
    for name in ["fpga", "paper"] {
        // The FIFO is full before the cache is: each entry is of a block that is dirty.
        let params = Params { fifo_depth: preset(name).blocks() - 4, ..preset(name) };
        let mut bench = Bench::new(&params);
        bench.stores(0..200);
        let (before, count) = (bench.written.len(), 10_000);
        let clocks = bench.stores(200..200 + count);
        let drained = bench.written.len() - before;
        let rate = clocks as f64 / count as f64;
        println!("{name}: {rate:.3} clocks per accepted store, {drained} blocks written through");
        assert!(rate <= 1.01 && drained as f64 >= 0.99 * count as f64, "{name}");
    }
}

#[test]
fn stores_that_evict_at_every_clock_take_one_clock_each() {
    let mut bench = Bench::new(&preset("paper"));
    bench.stores(0..200);
    let count = 5000;
    let clocks = bench.stores(200..200 + count);
    let rate = clocks as f64 / count as f64;
    println!("paper, as many blocks as entries: {rate:.3} clocks per accepted store");
    assert!(rate <= 1.05);
}

/// A write-combining cache that looks at all its blocks at a release, one a clock, and writes one through in a
/// clock.
fn walk(p: &Params, dirty: u64) -> u64 {
    u64::from(p.blocks()) + dirty
}

#[test]
fn a_release_takes_one_clock_for_each_entry_ahead_and_does_not_walk() {
    let params = preset("paper");
    let mut curve = Vec::new();
    println!("dirty lines  clocks of a release  with a walk");
    for dirty in [0, 1, 2, 4, 8, 16, 32, 48, 60] {
        let mut bench = Bench::new(&params);
        bench.stores(0..dirty);
        let clocks = bench.release();
        println!("{dirty:11}  {clocks:19}  {:11}", walk(&params, dirty));
        curve.push((dirty, clocks));
        assert!(clocks < walk(&params, dirty), "{dirty}");
        assert_eq!(bench.written.len() as u64, dirty);
    }
    let (first, last) = (curve[1], curve[curve.len() - 1]);
    let slope = (last.1 - first.1) as f64 / (last.0 - first.0) as f64;
    println!("slope: {slope:.3} clocks an entry");
    assert!(slope <= 1.1);
}

#[test]
fn a_flag_before_the_end_of_its_release_is_refused_and_changes_nothing() {
    let mut bench = Bench::new(&preset("paper"));
    bench.stores(0..3);
    assert!(bench.clock(Some(Request::release(5, true))));
    let flag = Request::store(9, 1, [1; 8], 5);
    assert!(bench.clock(Some(flag)), "accepted, to be refused");
    assert!(bench.level.is("error_valid"));
    (0..100).for_each(|_| assert!(!bench.clock(None)));
    assert_eq!(bench.written, [0, 1, 2], "the flag is nowhere");
    bench.level.released(Some(5));
    bench.clock(None);
    bench.level.released(None);
    (0..3).for_each(|_| assert!(!bench.clock(None)));
    assert!(bench.clock(Some(flag)));
    assert!(!bench.level.is("error_valid"), "it may come now");
    bench.release();
    assert_eq!(bench.written, [0, 1, 2, 9]);
}

#[test]
fn as_many_atomics_as_there_are_entries_may_be_outstanding() {
    // With the stages around the FIFO, powers of two and their neighbours.
    for fifo_depth in 2..=13 {
        let mut bench = Bench::new(&Params { fifo_depth, ..preset("tiny") });
        let atomic = Request { op: Op::Atomic, ..store(1) };
        // The last of them are refused.
        let offers = (0..fifo_depth + 40).map(|_| bench.clock(Some(atomic)));
        let accepted = offers.filter(|accepted| *accepted).count();
        assert!(accepted > fifo_depth as usize, "{accepted} of {fifo_depth}");
        for _ in 0..accepted {
            bench.level.done(true);
            bench.clock(None);
            bench.level.done(false);
            (0..8).for_each(|_| assert!(!bench.clock(None)));
        }
        bench.release();
    }
}

#[test]
fn the_reference_alone_ends_releases_at_the_last_level() {
    let params = Params { level: 3, last_level: true, ..preset("tiny") };
    let circuit = params.circuit();
    let bench = bench::Bench::new(&params, &circuit).without_partner();
    let mut place = Place::new(&bench, Occupant::Reference, Surroundings::PLAIN).unwrap();
    let requests = [store(3), Request::release(0, false), store(5), Request::release(1, true)];
    let shown = |(channel, payload): (usize, &[u64])| match channel {
        DOWN => (channel, Request::decode(payload).block),
        _ => (channel, payload[0]),
    };
    let mut seen = Vec::new();
    for request in requests {
        place.offer(REQ, &request.encode(&params));
        place.clock(|_| false).unwrap();
        let transfers = place.transfers().filter(|(channel, _)| [DOWN, ACK].contains(channel));
        seen.push(transfers.map(shown).collect::<Vec<_>>());
    }
    // Each release writes through what is older, and only the second is answered.
    assert_eq!(seen, [vec![], vec![(DOWN, 3)], vec![], vec![(DOWN, 5), (ACK, 1)]]);
    assert!(place.is_at_rest());
}

#[test]
fn other_levels_and_odd_parameters_are_equal_and_meet_every_corner() {
    let tiny = preset("tiny");
    let odd = [
        Params { level: 2, read_caches: 8, wavefront_bits: 4, ..tiny.clone() },
        Params { ways: 1, block_bytes: 1, ..tiny.clone() },
        Params { ways: 4, sets: 4, block_bytes: 8, block_bits: 9, fifo_depth: 13, ..tiny.clone() },
        Params { invalidations: 1, fifo_depth: 2, read_caches: 3, ..tiny.clone() },
        Params { level: 3, last_level: true, ..tiny },
    ];
    for design in odd {
        design.validate().expect("possible");
        let plan =
            Plan { requests: 150_000, seed: 9, stream: 0, stalls: Stalls::Random, episodes: None };
        let summary = equal(&design, Backend::Native, &plan);
        let missed: Vec<_> = summary.missed().map(|corner| corner.name.clone()).collect();
        assert!(missed.is_empty(), "{}: not met: {missed:?}", design.params());
    }
}

#[test]
fn impossible_parameters_are_named() {
    let refused = |params: Params| params.validate().expect_err("impossible").to_string();
    let depth = refused(Params { fifo_depth: 0, ..preset("paper") });
    assert_eq!(depth, "parameter `fifo_depth` is 0; accepted: 2 to 4096");
    let sets = refused(Params { sets: 3, ..preset("paper") });
    assert_eq!(sets, "parameter `sets` is 3; accepted: a power of two, 2 to 256");
    let block = refused(Params { block_bits: 4, ..preset("paper") });
    assert!(block.contains("`block_bits` is 4"), "{block}");
}
