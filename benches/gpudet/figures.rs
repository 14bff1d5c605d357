//! The figures of the thesis.

use std::collections::BTreeSet;

use rustix::time::{ClockId, clock_gettime};
use warpsmith::gpu::config::{BarrierRule, CommitBy, Config, Serialization};
use warpsmith::gpu::systems::gpudet::{GPUDET, NONDET, Reason};
use warpsmith::report::timeline;
use warpsmith_testbench::backend::Backend;

use super::programs::{Program, Ran, bfs_racy_of, sparse};
use super::table::Mean;
use super::{Bench, machine};

/// A figure.
pub struct Figure {
    pub name: &'static str,
    /// The thesis's figures.
    pub paper: &'static str,
    pub print: fn(&mut Bench),
}

pub const FIGURES: [Figure; 12] = [
    Figure {
        name: "figure 1.1",
        paper: "results of BFSr grow with edges, to nearly 500 in 500 runs of 65 K nodes; with GPUDet 1",
        print: outcomes,
    },
    Figure {
        name: "figure 4.2",
        paper: "without BTA and DWP: BFSr, BFSf, CFD above half by completion; ATM, HT, CLopt mostly by atomics; AES, \
                HOTSP, LPS, SRAD mostly by barriers",
        print: reasons,
    },
    Figure {
        name: "figures 5.1 to 5.4",
        paper: "AES, 1,000 instructions in a quantum: a mean of 35 are used without BTA; BFSr: cores wait without DWP",
        print: timelines,
    },
    Figure {
        name: "figure 6.1",
        paper: "2.05 in the mean, AES and CP below 1, none of the nine without atomics above 5; serial mode only in \
                CLopt, HT, ATM",
        print: modes,
    },
    Figure {
        name: "figure 6.2",
        paper: "BTA 4 % in the mean, 20 % in AES, HOTSP, LPS, SRAD with 3.8 times fewer quanta; DWP 19 % in BFSr, BFSf, \
                CFD. NaN: the program ends wrong",
        print: barriers,
    },
    Figure {
        name: "figure 6.3",
        paper: "60 % better by units in the mean; commit mode of HT 2.3 times as long by locks",
        print: commits,
    },
    Figure {
        name: "figure 6.4",
        paper: "serial mode 6.1 times shorter with CU-Ser",
        print: serialization,
    },
    Figure {
        name: "figure 6.5",
        paper: "AES, CP, HOTSP, LIB gain with instructions in a quantum; BFSr, BFSf lose; ATM, HT do not care; CL suffers",
        print: quantum_sizes,
    },
    Figure {
        name: "figure 6.6",
        paper: "256 bits are as good as exact sets but in BFSr and CL",
        print: bloom,
    },
    Figure {
        name: "section 6.3.3",
        paper: "time falls by less than 3 % from 8 to 128 kB of Z-cache",
        print: |bench| {
            sweep(bench, &["8 kB", "16 kB", "32 kB", "64 kB", "128 kB"], 0, |config, column| {
                config.quanta.z_cache_bytes = 8192 << column;
            });
        },
    },
    Figure {
        name: "figure 6.7",
        paper: "barriers of 100 clocks cost little, of 1,000 clocks 22 %",
        print: barrier_clocks,
    },
    Figure {
        name: "speed",
        paper: "nothing; aimed at: 1 M warp instructions a second without atomics, and with circuits 0.3 of the speed",
        print: speed,
    },
];

const ALL: fn(&Program) -> bool = |_| true;

/// Final states of BFSr in 12 runs, and with GPUDet in 3. Some workgroups begin when others have ended.
fn outcomes(bench: &mut Bench) {
    const NODES: usize = 65_536;
    let edges = [24_000, 30_000, 36_000, 42_000];
    let outcomes = |system, edges: usize, runs: u64| {
        let program = Program::from(bfs_racy_of(NODES, |workload| sparse(workload, NODES, edges)));
        let config = machine(|_| ());
        let runs = (1..=runs).map(|seed| program.run(&config, system, Some(seed)).digests);
        runs.map(|digests| digests.last().cloned()).collect::<BTreeSet<_>>().len() as f64
    };
    println!("{NODES} nodes; edges: results in 12 runs of nondet, in 3 of gpudet");
    let rows = edges.map(|edges| {
        let row = [outcomes(NONDET, edges, 12), outcomes(GPUDET, edges, 3)];
        println!("{edges:<10}{:>18}{:>18}", row[0], row[1]);
        row
    });
    let column = |at: usize| rows.iter().map(|row| row[at]).collect();
    let series = vec![("nondet".to_string(), column(0)), ("gpudet".to_string(), column(1))];
    let names = edges.iter().map(ToString::to_string).collect();
    bench.sheet.draw("", "edges", names, "different final memories", series);
}

fn base(config: &mut Config) {
    (config.quanta.bta, config.quanta.dwp) = (false, false);
}

fn reasons(bench: &mut Bench) {
    let columns = ["count", "atomic", "fence", "full log", "print", "barrier", "completion"];
    bench.table("share of ends", Mean::Arithmetic, &columns, ALL, |bench, program| {
        let ran = bench.ran(program, &machine(base), GPUDET, false);
        let counts = Reason::ALL.map(|reason| ran.of(reason.name()));
        let sum: f64 = counts.iter().sum();
        counts.map(|count| count / sum).to_vec()
    });
}

/// Warp instructions for each end of a quantum, and quanta; timelines as pictures.
fn timelines(bench: &mut Bench) {
    let shown = |program: &Program| ["AES", "BFSr"].contains(&program.name);
    let columns = ["base: used", "quanta", "BTA: used", "quanta", "BTA+DWP: used", "quanta"];
    bench.table("", Mean::Geometric, &columns, shown, |bench, program| {
        let settings = [(false, false), (true, false), (true, true)];
        let of = |(bta, dwp)| {
            let config = machine(|config| {
                config.quanta.instructions = 1000;
                (config.quanta.bta, config.quanta.dwp) = (bta, dwp);
            });
            let (ran, timeline) = program.run_with_timeline(&config);
            let named = |is_on, name| if is_on { name } else { "" };
            let title =
                format!("{} base{}{}", program.name, named(bta, " BTA"), named(dwp, " DWP"));
            bench.sheet.write(&title, &timeline::svg(&title, &timeline));
            let ends: f64 = Reason::ALL.iter().map(|reason| ran.of(reason.name())).sum();
            [ran.instructions as f64 / ends, ran.of("quanta")]
        };
        settings.map(of).concat()
    });
}

/// Time and its parts in modes, that of nondet 1.
fn parts(ran: &Ran, nondet: &Ran) -> [f64; 4] {
    let modes = ["clocks_parallel_mode", "clocks_commit_mode", "clocks_serial_mode"];
    let [parallel, commit, serial] = modes.map(|name| ran.of(name));
    [ran.clocks as f64, parallel, commit, serial].map(|clocks| clocks / nondet.clocks as f64)
}

fn modes(bench: &mut Bench) {
    let columns = ["time", "parallel", "commit", "serial", "stores/kinstr.", "clocks/store"];
    println!(
        "the last two: entries of store buffers in 1,000 instructions, and clocks of commit mode"
    );
    println!("for an entry of a partition");
    bench.table("of nondet", Mean::Arithmetic, &columns, ALL, |bench, program| {
        let nondet = bench.nondet(program);
        let config = machine(|_| ());
        let ran = bench.gpudet(program, &config);
        let entries = ran.of("log_entries");
        let of_partition = entries / f64::from(config.l2.banks);
        let more = [
            1000.0 * entries / ran.instructions as f64,
            ran.of("clocks_commit_mode") / of_partition,
        ];
        parts(&ran, &nondet).into_iter().chain(more).collect()
    });
}

fn barriers(bench: &mut Bench) {
    let settings = [
        (false, false, BarrierRule::Stores),
        (true, false, BarrierRule::Stores),
        (true, true, BarrierRule::Stores),
        (true, false, BarrierRule::Thesis),
        (true, true, BarrierRule::Thesis),
    ];
    let columns = [
        "base",
        "BTA",
        "BTA+DWP",
        "thesis: BTA",
        "BTA+DWP",
        "quanta: base",
        "BTA",
        "BTA+DWP",
        "thesis: BTA",
        "fetched/st.: BTA",
        "BTA+DWP",
    ];
    println!(
        "the last two: lines of store buffers that commit mode fetches into L1s, for each store"
    );
    bench.table("of nondet", Mean::Geometric, &columns, ALL, |bench, program| {
        let nondet = bench.nondet(program).clocks as f64;
        let runs = settings.map(|(bta, dwp, rule)| {
            let config = machine(|config| {
                (config.quanta.bta, config.quanta.dwp, config.quanta.barriers) = (bta, dwp, rule);
            });
            // Programs may end wrong by the rule of the thesis.
            match rule {
                BarrierRule::Stores => Some(bench.gpudet(program, &config)),
                BarrierRule::Thesis => program.run_if_right(&config, GPUDET).map(Into::into),
            }
        });
        let time = |ran: &Option<std::rc::Rc<Ran>>| {
            ran.as_ref().map_or(f64::NAN, |ran| ran.clocks as f64 / nondet)
        };
        let of = |at: usize, name| runs[at].as_ref().map_or(f64::NAN, |ran| ran.of(name));
        let quanta = [0, 1, 2, 3].map(|at| of(at, "quanta"));
        let fetched = [1, 2].map(|at| of(at, "log_lines_fetched") / of(at, "log_entries"));
        runs.iter().map(time).chain(quanta).chain(fetched).collect()
    });
}

fn commits(bench: &mut Bench) {
    let columns =
        ["units", "commit", "locks", "commit", "locks of units", "of commit", "swaps/entry"];
    bench.table("of nondet", Mean::Geometric, &columns, ALL, |bench, program| {
        let nondet = bench.nondet(program);
        let ran = [CommitBy::Zbuffer, CommitBy::Locks]
            .map(|commit| bench.gpudet(program, &machine(|config| config.quanta.commit = commit)));
        let [units, locks] = ran.each_ref().map(|ran| parts(ran, &nondet));
        let swaps = ran[1].of("lock_swaps") / ran[1].of("log_entries");
        vec![
            units[0],
            units[2],
            locks[0],
            locks[2],
            locks[0] / units[0],
            locks[2] / units[2],
            swaps,
        ]
    });
}

fn serialization(bench: &mut Bench) {
    let columns = ["W-Ser", "serial", "CU-Ser", "serial", "serial, ratio"];
    bench.table(
        "of nondet",
        Mean::Geometric,
        &columns,
        |it| it.has_atomics,
        |bench, program| {
            let nondet = bench.nondet(program);
            let of = |serialization| {
                let config = machine(|config| config.quanta.serialization = serialization);
                parts(&bench.gpudet(program, &config), &nondet)
            };
            let [wavefront, unit] = [Serialization::Wavefront, Serialization::Unit].map(of);
            vec![wavefront[0], wavefront[3], unit[0], unit[3], wavefront[3] / unit[3]]
        },
    );
}

/// Time with each of some values, that of one of them 1.
fn sweep(bench: &mut Bench, columns: &[&str], one: usize, set: impl Fn(&mut Config, usize)) {
    bench.table("time", Mean::Geometric, columns, ALL, |bench, program| {
        let clocks = (0..columns.len()).map(|column| {
            bench.gpudet(program, &machine(|config| set(config, column))).clocks as f64
        });
        let clocks: Vec<_> = clocks.collect();
        clocks.iter().map(|of| of / clocks[one]).collect()
    });
}

fn quantum_sizes(bench: &mut Bench) {
    const SIZES: [u32; 4] = [100, 200, 600, 1000];
    let columns = ["100", "200", "600", "1000", "instructions", "lines searched"];
    println!("the last two: warp instructions and lines of logs that were read, 1000 of 200");
    bench.table("of nondet", Mean::Geometric, &columns, ALL, |bench, program| {
        let nondet = bench.nondet(program).clocks as f64;
        let runs = SIZES.map(|size| {
            bench.gpudet(program, &machine(|config| config.quanta.instructions = size))
        });
        let times = runs.iter().map(|ran| ran.clocks as f64 / nondet);
        let instructions = runs[3].instructions as f64 / runs[1].instructions as f64;
        let searched = runs[3].of("log_lines_searched") / runs[1].of("log_lines_searched");
        times.chain([instructions, searched]).collect()
    });
}

fn bloom(bench: &mut Bench) {
    const BITS: [u32; 4] = [128, 256, 512, 1024];
    let columns = ["128", "256", "512", "1024", "false hits 128", "256", "1024"];
    bench.table("of exact sets", Mean::Arithmetic, &columns, ALL, |bench, program| {
        let mut of = |bits| {
            let config = machine(|config| config.quanta.bloom_bits = bits);
            bench.ran(program, &config, GPUDET, false)
        };
        let exact = of(0).of("clocks_parallel_mode");
        let runs = BITS.map(of);
        let times = runs.iter().map(|ran| ran.of("clocks_parallel_mode") / exact);
        let false_hits = |at: usize| {
            let ran: &Ran = &runs[at];
            ran.of("bloom_false_hits") / ran.of("bloom_queries").max(1.0)
        };
        times.chain([0, 1, 3].map(false_hits)).collect()
    });
}

/// Time by clocks of a barrier, and that which barriers x clocks explain.
fn barrier_clocks(bench: &mut Bench) {
    const CLOCKS: [u32; 5] = [0, 4, 100, 1000, 2000];
    let columns = ["4", "100", "1000", "2000", "1 + barriers x 1000 / time"];
    bench.table("of 0", Mean::Geometric, &columns, ALL, |bench, program| {
        let runs = CLOCKS.map(|clocks| {
            bench.gpudet(program, &machine(|config| config.quanta.barrier_clocks = clocks))
        });
        let first = runs[0].clocks as f64;
        let times = runs[1..].iter().map(|ran| ran.clocks as f64 / first);
        times.chain([1.0 + runs[0].of("global_barriers") * 1000.0 / first]).collect()
    });
}

/// Million warp instructions in a second of processor time.
fn speed(bench: &mut Bench) {
    let columns =
        ["gpudet", "nondet", "native circuits", "of gpudet", "Verilated", "time of nondet"];
    bench.table("M/s", Mean::Geometric, &columns, ALL, |_, program| {
        let config = machine(|_| ());
        let timed = |run: &dyn Fn() -> Ran| {
            let start = processor_time();
            let ran = run();
            let time = processor_time() - start;
            (ran.instructions as f64 / time / 1e6, time)
        };
        let (gpudet, time) = timed(&|| program.run(&config, GPUDET, None));
        let (nondet, of_nondet) = timed(&|| program.run(&config, NONDET, None));
        // A model is built once, before its time is taken.
        program.run_with_circuits(&config, GPUDET, Backend::Verilator);
        let with = |backend| timed(&|| program.run_with_circuits(&config, GPUDET, backend)).0;
        let [native, verilated] = [Backend::Native, Backend::Verilator].map(with);
        vec![gpudet, nondet, native, native / gpudet, verilated / gpudet, time / of_nondet]
    });
}

/// Processor time of this process in seconds, which excludes other processes.
fn processor_time() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}
