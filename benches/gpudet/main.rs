//! Figures of the GPUDet thesis: `cargo bench --bench gpudet`, or with words to run only programs whose names hold one of
//! them; with `full` at the sizes of the comparisons, else at those of tests.
//!
//! Commit mode's clocks are those of the circuits of `zbuffer_commit` in all partitions, in the native simulator.

mod programs;

use programs::{Program, Ran, programs};
use rustix::time::{ClockId, clock_gettime};
use warpsmith::gpu::config::{BarrierRule, Config, Serialization};
use warpsmith::gpu::memory::System;
use warpsmith::gpu::systems::gpudet::{GPUDET, NONDET, Reason};

fn machine(change: impl FnOnce(&mut Config)) -> Config {
    let mut config = Config::preset("gpudet_15").expect("a preset");
    change(&mut config);
    config
}

fn main() {
    let words: Vec<_> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let is_full = words.iter().any(|word| word == "full");
    let names: Vec<_> = words.iter().filter(|word| *word != "full").collect();
    let mut all = programs(is_full);
    let known: Vec<_> = all.iter().map(|program| program.name).collect();
    all.retain(|program| {
        names.is_empty() || names.iter().any(|name| program.name.contains(&name[..]))
    });
    if all.is_empty() {
        eprintln!("no such program; there are: {}; full", known.join(", "));
        std::process::exit(2);
    }
    let base: Vec<_> = all.iter().map(|it| it.run(&machine(|_| ()), NONDET, false)).collect();
    reasons(&all);
    modes(&all, &base);
    barriers(&all, &base);
    serialization(&all);
    sweep(
        "6.5: time, of that with 200 instructions in a quantum",
        &all,
        1,
        &[100, 200, 600, 1000],
        |config, to| {
            config.quanta.instructions = to;
        },
    );
    bloom(&all);
    sweep(
        "6.7: time, of that without cost, by clocks of a barrier",
        &all,
        0,
        &[0, 16, 100, 1000],
        |config, to| {
            config.quanta.barrier_clocks = to;
        },
    );
    speed(&all);
}

fn row(name: &str, values: impl IntoIterator<Item = f64>) {
    let values: String = values.into_iter().map(|value| format!("{value:>12.3}")).collect();
    println!("{name:<10}{values}");
}

fn head(title: &str, columns: &[&str]) {
    let columns: String = columns.iter().map(|name| format!("{name:>12}")).collect();
    println!("\n{title}\n{:<10}{columns}", "");
}

fn means(rows: &[Vec<f64>]) {
    let columns = rows.first().map_or(0, Vec::len);
    let mean = |column: usize| {
        let logs: f64 = rows.iter().map(|row| row[column].ln()).sum();
        (logs / rows.len() as f64).exp()
    };
    row("geo. mean", (0..columns).map(mean));
}

/// Figure 4.2: what ends quanta without BTA and DWP.
fn reasons(all: &[Program]) {
    let columns = ["count", "atomic", "fence", "full log", "print", "barrier", "complete"];
    head("4.2: reasons that end a wavefront's quantum, GPUDet-base, shares", &columns);
    let config = machine(|config| (config.quanta.bta, config.quanta.dwp) = (false, false));
    for program in all {
        let ran = program.run(&config, GPUDET, false);
        let counts = Reason::ALL.map(|reason| ran.of(reason.name()));
        let sum: f64 = counts.iter().sum();
        row(program.name, counts.map(|count| count / sum));
    }
}

/// Figure 6.1: time of NONDET 1, by mode.
fn modes(all: &[Program], base: &[Ran]) {
    head("6.1: time, of that of nondet, and its parts", &["time", "parallel", "commit", "serial"]);
    let mut times = Vec::new();
    for (program, base) in all.iter().zip(base) {
        let ran = program.run(&machine(|_| ()), GPUDET, true);
        let of = |clocks: f64| clocks / base.clocks as f64;
        let parts = ["clocks_parallel_mode", "clocks_commit_mode", "clocks_serial_mode"];
        let time = of(ran.clocks as f64);
        row(program.name, [time].into_iter().chain(parts.map(|part| of(ran.of(part)))));
        times.push(vec![time]);
    }
    means(&times);
}

/// Figure 6.2: GPUDet-base, with BTA, and with BTA and DWP; with both rules of barriers.
fn barriers(all: &[Program], base: &[Ran]) {
    let columns = ["base", "BTA", "BTA+DWP", "thesis: BTA", "BTA+DWP"];
    head("6.2: time, of that of nondet; NaN: the program ends wrong", &columns);
    let settings = [
        (false, false, BarrierRule::Stores),
        (true, false, BarrierRule::Stores),
        (true, true, BarrierRule::Stores),
        (true, false, BarrierRule::Thesis),
        (true, true, BarrierRule::Thesis),
    ];
    let mut rows = Vec::new();
    for (program, base) in all.iter().zip(base) {
        let times = settings.iter().map(|(bta, dwp, rule)| {
            let config = machine(|config| {
                (config.quanta.bta, config.quanta.dwp, config.quanta.barriers) =
                    (*bta, *dwp, *rule);
            });
            let ran = program.run_if_right(&config, GPUDET);
            ran.map_or(f64::NAN, |ran| ran.clocks as f64 / base.clocks as f64)
        });
        let times: Vec<_> = times.collect();
        row(program.name, times.iter().copied());
        rows.push(times[..3].to_vec());
    }
    means(&rows);
}

/// Figure 6.4: atomics of a core overlapping, and one after the other.
fn serialization(all: &[Program]) {
    head("6.4: clocks of serial mode", &["W-Ser", "CU-Ser", "ratio"]);
    for program in all.iter().filter(|program| program.has_atomics) {
        let of = |serialization| {
            let config = machine(|config| config.quanta.serialization = serialization);
            program.run(&config, GPUDET, false).of("clocks_serial_mode")
        };
        let (wavefront, unit) = (of(Serialization::Wavefront), of(Serialization::Unit));
        row(program.name, [wavefront, unit, wavefront / unit]);
    }
}

/// Time with each of some values, of that with one of them.
fn sweep(title: &str, all: &[Program], one: usize, values: &[u32], set: impl Fn(&mut Config, u32)) {
    let columns: Vec<_> = values.iter().map(u32::to_string).collect();
    head(title, &columns.iter().map(String::as_str).collect::<Vec<_>>());
    let mut rows = Vec::new();
    for program in all {
        let clocks = values.iter().map(|value| {
            let config = machine(|config| set(config, *value));
            program.run(&config, GPUDET, false).clocks as f64
        });
        let clocks: Vec<_> = clocks.collect();
        rows.push(clocks.iter().map(|of| of / clocks[one]).collect::<Vec<_>>());
        row(program.name, rows.last().into_iter().flatten().copied());
    }
    means(&rows);
}

/// Figure 6.6: bits of a Bloom filter.
fn bloom(all: &[Program]) {
    head(
        "6.6: clocks of parallel mode, of those with exact sets; and false hits of queries",
        &["128", "256", "512", "1024", "false 128", "false 1024"],
    );
    for program in all {
        let of =
            |bits| program.run(&machine(|config| config.quanta.bloom_bits = bits), GPUDET, false);
        let exact = of(0).of("clocks_parallel_mode");
        let runs = [128, 256, 512, 1024].map(of);
        let times = runs.iter().map(|ran| ran.of("clocks_parallel_mode") / exact);
        let is_false = |ran: &Ran| ran.of("bloom_false_hits") / ran.of("bloom_queries").max(1.0);
        row(program.name, times.chain([is_false(&runs[0]), is_false(&runs[3])]));
    }
}

/// Speed of the model.
fn speed(all: &[Program]) {
    let columns = ["M/s gpudet", "M/s nondet", "with circuits", "of it"];
    head("million warp instructions in a second of processor time", &columns);
    let timed = |program: &Program, system: System, has_circuits| {
        let start = processor_time();
        let ran = program.run(&machine(|_| ()), system, has_circuits);
        ran.instructions as f64 / (processor_time() - start) / 1e6
    };
    let mut rows = Vec::new();
    for program in all {
        let [det, nondet] = [GPUDET, NONDET].map(|system| timed(program, system, false));
        let circuits = timed(program, GPUDET, true);
        rows.push(vec![det, nondet, circuits, circuits / det]);
        row(program.name, rows.last().into_iter().flatten().copied());
    }
    means(&rows);
}

/// Processor time of this process in seconds, which excludes other processes.
fn processor_time() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}
