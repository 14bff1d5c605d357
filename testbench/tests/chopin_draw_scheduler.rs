//! The draw scheduler's circuit: rate and latencies stated on its page, the example of figure 6.9, 2 to 64
//! GPUs, and how evenly it loads GPUs with frames like those of table 6.3. `blocks.rs` tests that its presets
//! are equal to their reference.

mod support {
    pub mod equal;
}

use rand::{RngExt, SeedableRng};
use warpsmith_blocks::block::Design;
use warpsmith_blocks::chopin_draw_scheduler::{
    DRAW, Draw, DrawScheduler, GRANT, Grant, PROCESSED, Params,
};
use warpsmith_blocks::corners::Corners;
use warpsmith_blocks::parameters::{Parameters, Settings};
use warpsmith_blocks::verification::{Outcome, Reference, StimulusRng};
use warpsmith_rtl::{Bits, Simulator, address_bits};
use warpsmith_testbench::agents::Stalls;
use warpsmith_testbench::backend::Backend;
use warpsmith_testbench::cosim::Plan;

use support::equal::equal;

fn preset(name: &str) -> Params {
    let presets = Params::presets().into_iter();
    presets
        .filter(|(preset, _)| *preset == name)
        .map(|(_, params)| params)
        .next()
        .expect("a preset")
}

/// A circuit after a reset, whose grants are always taken.
struct Circuit {
    simulator: Simulator,
    params: Params,
}

impl Circuit {
    fn new(params: &Params) -> Self {
        let simulator = Simulator::new(&params.circuit()).expect("a circuit");
        let mut circuit = Self { simulator, params: params.clone() };
        circuit.idle();
        circuit.set("rst", 1, 1);
        circuit.simulator.clock();
        circuit.set("rst", 1, 0);
        circuit.set("grant_ready", 1, 1);
        circuit
    }

    fn set(&mut self, port: &str, width: u32, value: u64) {
        self.simulator.set(port, Bits::new(width, value));
    }

    fn get(&mut self, port: &str) -> u64 {
        self.simulator.get(port).words()[0]
    }

    fn idle(&mut self) {
        for port in ["draw_valid", "query_valid", "processed_valid"] {
            self.set(port, 1, 0);
        }
    }

    fn draw(&mut self, triangles: u64) {
        self.set("draw_valid", 1, 1);
        self.set("draw_triangles", self.params.triangle_bits, triangles);
    }

    fn report(&mut self, reports: &[u64]) {
        self.set("processed_valid", 1, 1);
        for (gpu, report) in reports.iter().enumerate() {
            self.set(&format!("processed_gpu{gpu}"), self.params.triangle_bits, *report);
        }
    }

    fn query(&mut self, gpu: u64) {
        self.set("query_valid", 1, 1);
        self.set("query_gpu", address_bits(self.params.gpus), gpu);
    }

    /// One clock; then withdraws all offers. The GPU whose grant was taken.
    fn clock(&mut self) -> Option<u64> {
        self.simulator.clock();
        let taken = self.get("grant_valid") == 1;
        self.idle();
        taken.then(|| self.get("grant_gpu"))
    }
}

#[test]
fn one_draw_is_taken_and_one_granted_at_each_clock() {
    for name in ["tiny", "fpga", "paper"] {
        let params = preset(name);
        let mut circuit = Circuit::new(&params);
        let (mut granted, clocks) = (0, 1000);
        let latency = u64::from(params.report_latency) + 1;
        for clock in 0..clocks + latency {
            if clock < clocks {
                circuit.draw(clock & 1);
            }
            // GPUs process at once what they are given: no GPU is ever loaded.
            let given = circuit.get("grant_gpu");
            if clock > latency {
                let mut reports = vec![0; params.gpus as usize];
                reports[given as usize] = (clock - 1 - latency) & 1;
                circuit.report(&reports);
            }
            let grant = circuit.clock();
            if clock < clocks {
                assert_eq!(circuit.get("draw_ready"), 1, "{name}, clock {clock}");
            }
            assert_eq!(grant.is_some(), clock >= latency, "{name}, clock {clock}");
            assert_eq!(circuit.get("error_valid"), 0, "{name}, clock {clock}");
            granted += u64::from(grant.is_some());
        }
        assert_eq!(granted, clocks);
        println!("{name}: {clocks} draws in {clocks} clocks, 1 clock per accepted draw");
    }
}

#[test]
fn grants_errors_and_answers_come_as_many_clocks_later_as_the_page_says() {
    for report_latency in 3..=8 {
        let params = Params { report_latency, ..preset("paper") };
        let mut circuit = Circuit::new(&params);
        circuit.draw(7);
        circuit.query(0);
        circuit.report(&[1; 8]);
        let mut seen = [None; 3];
        for clock in 0..20 {
            circuit.clock();
            for (port, seen) in ["grant_valid", "error_valid", "totals_valid"].iter().zip(&mut seen)
            {
                if circuit.get(port) == 1 {
                    assert_eq!(seen.replace(clock), None, "{port} once");
                }
            }
        }
        let segments = params.counter_bits.div_ceil(params.segment_bits);
        let due = [report_latency + 1, report_latency - 1, report_latency - 1 + segments];
        assert_eq!(seen, due.map(Some), "report_latency {report_latency}");
    }
}

#[test]
fn the_example_of_figure_6_9() {
    let params = Params { gpus: 4, ..preset("fpga") };
    let mut circuit = Circuit::new(&params);
    let mut grants = Vec::new();
    let mut clocks = |circuit: &mut Circuit, count| {
        (0..count).for_each(|_| grants.extend(circuit.clock()));
    };
    for triangles in [200, 180, 210, 200] {
        circuit.draw(triangles);
        clocks(&mut circuit, 1);
    }
    clocks(&mut circuit, 8);
    circuit.report(&[150, 150, 190, 160]);
    clocks(&mut circuit, 1);
    circuit.draw(100);
    clocks(&mut circuit, 8);
    circuit.report(&[0, 0, 50, 0]);
    clocks(&mut circuit, 1);
    circuit.query(2);
    clocks(&mut circuit, 5);
    assert_eq!(grants, [0, 1, 2, 3, 2]);
    assert_eq!((circuit.get("totals_scheduled"), circuit.get("totals_processed")), (310, 240));
}

#[test]
fn a_report_counts_from_the_next_clock_on() {
    for (later, expected) in [(0, 1), (1, 0)] {
        let params = Params { gpus: 2, ..preset("fpga") };
        let mut circuit = Circuit::new(&params);
        circuit.draw(10);
        circuit.clock();
        circuit.draw(5);
        for _ in 0..10 {
            circuit.clock();
        }
        // 10 and 5 remain; then 0 and 5.
        circuit.report(&[10, 0]);
        if later == 1 {
            circuit.clock();
        }
        circuit.draw(1);
        let grants: Vec<_> = (0..10).filter_map(|_| circuit.clock()).collect();
        assert_eq!(grants, [expected], "draw {later} clocks after the report");
    }
}

#[test]
fn every_number_of_gpus_is_equal() {
    let tiny = preset("tiny");
    for gpus in 2..=64 {
        let design = Params { gpus, ..tiny.clone() };
        design.validate().expect("possible");
        let plan =
            Plan { requests: 2000, seed: 7, stream: 0, stalls: Stalls::Random, episodes: None };
        equal(&design, Backend::Native, &plan);
    }
}

#[test]
fn odd_parameters_are_equal_and_meet_every_corner() {
    let tiny = preset("tiny");
    let odd = [
        Params { gpus: 2, ..tiny.clone() },
        Params { gpus: 2, triangle_bits: 1, remaining_bits: 4, report_latency: 6, ..tiny.clone() },
        Params { gpus: 4, segment_bits: 2, ..tiny.clone() },
        Params {
            gpus: 5,
            segment_bits: 64,
            counter_bits: 12,
            report_latency: 8,
            remaining_bits: 6,
            ..tiny
        },
    ];
    for design in odd {
        design.validate().expect("possible");
        let plan =
            Plan { requests: 300_000, seed: 9, stream: 0, stalls: Stalls::Random, episodes: None };
        let summary = equal(&design, Backend::Native, &plan);
        let missed: Vec<_> = summary.missed().map(|corner| corner.name.clone()).collect();
        assert!(missed.is_empty(), "{}: not met: {missed:?}", design.params());
    }
}

// Frames with the draws and triangles of table 6.3. The paper does not give the triangles of each draw, only
// that they are bipolar (6.6.3): some draws are large and have 92.44 % of the triangles. How many are large is
// assumed, in three shapes; so is that a draw has half to one and a half times the mean of its kind.

/// Game, draws, triangles.
const GAMES: [(&str, usize, u64); 8] = [
    ("cod2", 1005, 219_950),
    ("cry", 1427, 800_948),
    ("grid", 2623, 466_806),
    ("mirror", 1257, 381_422),
    ("nfs", 1858, 534_121),
    ("stal", 1086, 546_733),
    ("ut3", 1944, 630_302),
    ("wolf", 1697, 243_052),
];
/// Shape, and the share of draws that are large.
const SHAPES: [(&str, f64); 3] = [("5 % large", 0.05), ("20 % large", 0.2), ("50 % large", 0.5)];
/// Share of the triangles that large draws have.
const IN_LARGE: f64 = 0.9244;
/// Triangles after which a GPU reports, as in figure 6.15.
const INTERVALS: [u64; 4] = [1, 256, 512, 1024];
/// The driver issues draws so many times as fast as GPUs process them: assumed.
const AHEAD: f64 = 2.0;
const FRAMES: u64 = 8;

/// The triangles of each draw.
fn frame((_, draws, triangles): (&str, usize, u64), large: f64, seed: u64) -> Vec<u64> {
    let mut rng = StimulusRng::seed_from_u64(seed);
    let kinds: Vec<bool> = (0..draws).map(|_| rng.random_bool(large)).collect();
    let of_kind = |kind| kinds.iter().filter(|&&k| k == kind).count().max(1) as f64;
    let means = [(1.0 - IN_LARGE) / of_kind(false), IN_LARGE / of_kind(true)];
    let weigh = |&kind: &bool| means[usize::from(kind)] * rng.random_range(0.5..1.5);
    let weights: Vec<f64> = kinds.iter().map(weigh).collect();
    let scale = triangles as f64 / weights.iter().sum::<f64>();
    let mut frame: Vec<_> = weights.iter().map(|w| ((w * scale) as u64).max(1)).collect();
    // What rounding left out.
    let sum: u64 = frame.iter().sum();
    let last = frame.iter_mut().max().expect("draws");
    *last = *last + triangles - sum;
    frame
}

/// A GPU that processes a triangle a clock and reports every so many.
#[derive(Clone, Default)]
struct Gpu {
    assigned: u64,
    waiting: u64,
    unreported: u64,
}

impl Gpu {
    /// What it reports after so many clocks.
    fn process(&mut self, clocks: u64, interval: u64) -> u64 {
        let done = self.waiting.min(clocks);
        self.waiting -= done;
        self.unreported += done;
        let report = self.unreported / interval * interval;
        self.unreported -= report;
        report
    }
}

/// Who has a draw: asked with its number and triangles, and what GPUs reported before it.
type Scheduler<'a> = &'a mut dyn FnMut(usize, u64, &[u64]) -> usize;

/// The largest number of triangles of a GPU over the mean, for a frame on 8 GPUs.
fn imbalance(frame: &[u64], interval: u64, schedule: Scheduler<'_>) -> f64 {
    let mut gpus = vec![Gpu::default(); 8];
    let triangles: u64 = frame.iter().sum();
    let clocks_per_draw = triangles as f64 / (8.0 * frame.len() as f64) / AHEAD;
    let mut clock = 0;
    for (number, &draw) in frame.iter().enumerate() {
        let now = (number as f64 * clocks_per_draw) as u64;
        let reports: Vec<_> = gpus.iter_mut().map(|g| g.process(now - clock, interval)).collect();
        clock = now;
        let gpu = &mut gpus[schedule(number, draw, &reports)];
        gpu.assigned += draw;
        gpu.waiting += draw;
    }
    let most = gpus.iter().map(|gpu| gpu.assigned).max().expect("GPUs");
    most as f64 * 8.0 / triangles as f64
}

fn round_robin(frame: &[u64]) -> f64 {
    imbalance(frame, 1, &mut |number, _, _| number % 8)
}

/// The reference, to which the circuit is equal.
fn scheduled(frame: &[u64], interval: u64) -> f64 {
    let params = preset("paper");
    let mut reference = DrawScheduler::new(&params);
    let mut corners = Corners::new(params.corners().len(), &params.exercise());
    imbalance(frame, interval, &mut |_, triangles, reports| {
        let mut sink: Vec<(usize, Vec<u64>)> = Vec::new();
        let mut outcome = Outcome { sink: &mut sink, corners: &mut corners };
        reference.accept(PROCESSED, reports, &mut outcome);
        reference.accept(DRAW, &Draw { triangles }.encode(), &mut outcome);
        let [(GRANT, grant)] = &sink[..] else { panic!("one grant and no error: {sink:?}") };
        let gpu = Grant::decode(grant).gpu as usize;
        let mut none: Vec<(usize, Vec<u64>)> = Vec::new();
        let mut outcome = Outcome { sink: &mut none, corners: &mut corners };
        reference.taken(GRANT, grant, &mut outcome);
        gpu
    })
}

/// The circuit, clock by clock.
fn scheduled_by_circuit(frame: &[u64], interval: u64) -> f64 {
    let params = preset("paper");
    let mut circuit = Circuit::new(&params);
    imbalance(frame, interval, &mut |_, triangles, reports| {
        circuit.report(reports);
        circuit.clock();
        assert_eq!(circuit.get("draw_ready"), 1);
        circuit.draw(triangles);
        let gpu = (0..=params.report_latency + 1).find_map(|_| circuit.clock());
        assert_eq!(circuit.get("error_valid"), 0);
        gpu.expect("a grant") as usize
    })
}

#[test]
fn gpus_are_loaded_more_evenly_than_in_turns_however_seldom_they_report() {
    println!("largest over mean triangles of 8 GPUs, mean of {FRAMES} frames");
    println!("shape       game    in turns  every 1  every 256  every 512  every 1024");
    let mut means = [[0.0; 5]; SHAPES.len()];
    for ((shape, large), means) in SHAPES.into_iter().zip(&mut means) {
        for game in GAMES {
            let mut row = [0.0; 5];
            for seed in 0..FRAMES {
                let frame = frame(game, large, seed);
                row[0] += round_robin(&frame) / FRAMES as f64;
                for (sum, interval) in row[1..].iter_mut().zip(INTERVALS) {
                    *sum += scheduled(&frame, interval) / FRAMES as f64;
                }
            }
            print_row(shape, game.0, &row);
            for (interval, even) in INTERVALS.iter().zip(&row[1..]) {
                assert!(*even < row[0], "{shape}, {}, every {interval}: {row:?}", game.0);
            }
            means.iter_mut().zip(row).for_each(|(mean, x)| *mean += x / GAMES.len() as f64);
        }
        print_row(shape, "mean", means);
    }
    for means in means {
        let [in_turns, each, .., seldom] = means;
        // Most of what in turns is uneven is gone, and seldom reports hardly bring it back (6.6.2: from 1.25
        // to 1.22 of speedup).
        assert!(each - 1.0 < (in_turns - 1.0) / 3.0, "{means:?}");
        assert!(seldom < each + 0.02, "{means:?}");
    }
}

fn print_row(shape: &str, game: &str, row: &[f64; 5]) {
    let [a, b, c, d, e] = row;
    println!("{shape:10}  {game:6}  {a:8.3}  {b:7.3}  {c:9.3}  {d:9.3}  {e:10.3}");
}

#[test]
fn the_circuit_loads_gpus_as_its_reference_does() {
    for interval in INTERVALS {
        let frame = frame(GAMES[0], SHAPES[1].1, 3);
        let [ours, model] = [scheduled_by_circuit(&frame, interval), scheduled(&frame, interval)];
        assert_eq!(ours, model, "every {interval}");
        assert!(ours < round_robin(&frame));
    }
}
