//! Transactions on the GPU beside GETM's paper (Ren, thesis, 4.3 to 4.7): `cargo bench --bench transactions`, or with
//! words to print only figures and tables whose names hold one of them, and with `--only WORKLOAD` for one workload.
//!
//! Each workload runs in the size of table 4.3, at the concurrency of table 4.4 unless a figure varies it.

use std::collections::HashMap;

use warpsmith::gpu::config::Config;
use warpsmith::gpu::systems::System;
use warpsmith::gpu::systems::getm::warptm::{EAPG, WARPTM, WARPTM_EL};
use warpsmith::gpu::systems::getm::{GETM, LOCKS};
use warpsmith::gpu::workloads::{ALL, Ran, Size, Workload};

/// A figure or a table of the paper.
struct Figure {
    name: &'static str,
    /// What the paper says of it.
    paper: &'static str,
    print: fn(&mut Bench),
}

const FIGURES: [Figure; 9] = [
    Figure {
        name: "figure 4.3",
        paper: "HT-H: clocks in transactions grow with concurrency, faster with WarpTM-LL than with -EL; waiting \
                falls with -EL, and grows with -LL",
        print: concurrency,
    },
    Figure {
        name: "figure 4.4",
        paper: "with locks 1: HT-H 2.9 and HT-M 2.0 with WarpTM-LL",
        print: |bench| bench.times(&[LOCKS, WARPTM, WARPTM_EL]),
    },
    Figure {
        name: "figure 4.10",
        paper: "GETM spends less than WarpTM in most workloads, and has less waiting",
        print: |bench| bench.clocks_in_transactions(&[WARPTM, EAPG, GETM]),
    },
    Figure {
        name: "figure 4.11",
        paper: "with locks 1: WarpTM HT-H 2.9, HT-M 2.0; EAPG 3.3, 2.5; GETM within 7 % in the geometric mean, and 1.2 \
                times faster than WarpTM",
        print: |bench| bench.times(&[LOCKS, WARPTM, EAPG, GETM]),
    },
    Figure {
        name: "figure 4.12",
        paper: "with WarpTM 1: GETM somewhat more",
        print: |bench| bench.traffic(&[WARPTM, EAPG, GETM]),
    },
    Figure { name: "table 4.4", paper: "aborts per 1,000 commits, ours / paper", print: aborts },
    Figure {
        name: "aborts of GETM",
        paper: "per 1,000 commits, and what they come from: other tables, and other pauses",
        print: causes,
    },
    Figure {
        name: "figure 4.14",
        paper: "with WarpTM 1: 2 K entries are slower than 4 K where parallelism is abundant, 8 K hardly faster; \
                smaller granules are faster",
        print: tables,
    },
    Figure {
        name: "figure 4.17",
        paper: "with WarpTM on 15 cores 1: the trends of 56 cores are those of 15",
        print: cores,
    },
];

/// The runs so far.
struct Bench {
    workloads: Vec<Workload>,
    ran: HashMap<String, Ran>,
}

fn main() {
    let words: Vec<_> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let only = words.iter().position(|word| word == "--only");
    let only = only.and_then(|at| words.get(at + 1)).cloned();
    let asked: Vec<_> =
        words.iter().filter(|word| *word != "--only" && Some(*word) != only.as_ref()).collect();
    let is_wanted = |figure: &&Figure| {
        asked.is_empty() || asked.iter().any(|word| figure.name.contains(&word[..]))
    };
    let workloads = ALL.into_iter().filter(|workload| workload.paper.is_some());
    let workloads: Vec<_> = workloads
        .filter(|workload| only.as_ref().is_none_or(|name| workload.name == name))
        .collect();
    if FIGURES.iter().filter(is_wanted).count() == 0 || workloads.is_empty() {
        let figures = FIGURES.map(|figure| figure.name).join(", ");
        let names = ALL.map(|workload| workload.name).join(", ");
        eprintln!("no such figure or workload; there are: {figures}; {names}");
        std::process::exit(2);
    }
    let mut bench = Bench { workloads, ran: HashMap::new() };
    for figure in FIGURES.iter().filter(is_wanted) {
        println!("\n{}\npaper: {}", figure.name, figure.paper);
        (figure.print)(&mut bench);
    }
}

fn config(preset: &str) -> Config {
    Config::preset(preset).expect("a preset")
}

impl Bench {
    /// A run, which is made once. It must be right.
    fn ran(&mut self, workload: Workload, config: &Config, system: System) -> &Ran {
        let key = format!("{workload:?} {system:?} {config:?}");
        self.ran.entry(key).or_insert_with(|| {
            let ran = workload.run(Size::Paper, config, system, None, |_| {});
            ran.unwrap_or_else(|error| panic!("{workload:?} on {system:?}: {error}"))
        })
    }

    /// A run at the concurrency of table 4.4.
    fn best(&mut self, workload: Workload, preset: &str, system: System) -> &Ran {
        let mut config = config(preset);
        let best = workload.best(system);
        config.transactions.concurrency = best.unwrap_or(config.transactions.concurrency);
        self.ran(workload, &config, system)
    }

    /// A table with a row for each workload, and the geometric mean of each column.
    fn table(&mut self, columns: &[String], row: impl Fn(&mut Self, Workload) -> Vec<f64>) {
        let line = |name: &str, cells: &[String]| {
            let cells = cells.iter().map(|cell| format!("{cell:>18}")).collect::<String>();
            println!("{name:<10}{cells}");
        };
        line("", columns);
        let mut logs = vec![0.0; columns.len()];
        for workload in self.workloads.clone() {
            let values = row(self, workload);
            logs.iter_mut().zip(&values).for_each(|(log, value)| *log += value.max(1e-9).ln());
            let cells: Vec<_> = values.iter().map(|value| format!("{value:.2}")).collect();
            line(workload.paper.map_or(workload.name, |paper| paper.name), &cells);
        }
        let count = self.workloads.len() as f64;
        let means: Vec<_> = logs.iter().map(|log| format!("{:.2}", (log / count).exp())).collect();
        line("gmean", &means);
    }

    /// Clocks, that of the first system 1.
    fn times(&mut self, systems: &[System]) {
        let names: Vec<_> = systems.iter().map(|system| system.name.to_string()).collect();
        self.table(&names, |bench, workload| {
            let clocks =
                systems.iter().map(|it| bench.best(workload, "getm_15", *it).cycles as f64);
            relative(clocks.collect())
        });
    }

    /// Warp clocks in transactions and waiting, those of the first system together 1.
    fn clocks_in_transactions(&mut self, systems: &[System]) {
        let names = systems.iter().flat_map(|it| [format!("{} exec", it.name), "wait".to_string()]);
        let names: Vec<_> = names.collect();
        self.table(&names, |bench, workload| {
            let mut cells = Vec::new();
            let mut first = None;
            for system in systems {
                let counts = bench.best(workload, "getm_15", *system).transactions.clone();
                let counts = counts.unwrap_or_default();
                let parts = [counts.execution_clocks, counts.wait_clocks].map(|part| part as f64);
                let whole = *first.get_or_insert(parts[0] + parts[1]);
                cells.extend(parts.map(|part| part / whole));
            }
            cells
        });
    }

    /// Bytes between cores and partitions, those of the first system 1.
    fn traffic(&mut self, systems: &[System]) {
        let names: Vec<_> = systems.iter().map(|system| system.name.to_string()).collect();
        self.table(&names, |bench, workload| {
            let bytes = systems.iter().map(|system| {
                let counts = bench.best(workload, "getm_15", *system).transactions.as_ref();
                counts.map_or(0.0, |counts| counts.crossbar_bytes as f64)
            });
            relative(bytes.collect())
        });
    }
}

fn relative(values: Vec<f64>) -> Vec<f64> {
    values.iter().map(|value| value / values[0]).collect()
}

fn concurrency(bench: &mut Bench) {
    let Some(workload) = bench.workloads.first().copied() else { return };
    println!("{:<12}{:>12}{:>16}{:>16}{:>12}", workload.name, "warps", "exec", "wait", "clocks");
    for system in [WARPTM, WARPTM_EL, GETM] {
        for limit in [1, 2, 4, 8, 16, 0] {
            let mut config = config("getm_15");
            config.transactions.concurrency = limit;
            let Ran { cycles, transactions, .. } = bench.ran(workload, &config, system).clone();
            let counts = transactions.unwrap_or_default();
            let limit = if limit == 0 { "NL".to_string() } else { limit.to_string() };
            let (exec, wait) = (counts.execution_clocks, counts.wait_clocks);
            println!("{:<12}{limit:>12}{exec:>16}{wait:>16}{cycles:>12}", system.name);
        }
    }
}

fn aborts(bench: &mut Bench) {
    let systems = [WARPTM, EAPG, WARPTM_EL, GETM];
    let names = systems.map(|system| format!("{:>20}", system.name)).concat();
    println!("{:<10}{names}", "");
    for workload in bench.workloads.clone() {
        let cells = systems.map(|system| {
            let counts = bench.best(workload, "getm_15", system).transactions.clone();
            let ours = counts.unwrap_or_default().aborts_per_1000();
            let paper = workload.aborts(system).unwrap_or_default();
            format!("{:>20}", format!("{ours:.0} / {paper}"))
        });
        let name = workload.paper.map_or(workload.name, |paper| paper.name);
        println!("{name:<10}{}", cells.concat());
    }
}

/// Aborts with tables that evict nothing, with longer pauses, and by reason.
fn causes(bench: &mut Bench) {
    for workload in bench.workloads.clone() {
        let run = |bench: &mut Bench, rows: u32, pause: u32| {
            let mut config = config("getm_15");
            let transactions = &mut config.transactions;
            (transactions.rows_per_way, transactions.back_off) = (rows, pause);
            transactions.concurrency = workload.best(GETM).unwrap_or_default();
            bench.ran(workload, &config, GETM).transactions.clone().unwrap_or_default()
        };
        let variants = [(256, 100), (4096, 100), (256, 500)];
        let counts = variants.map(|(rows, pause)| run(bench, rows, pause));
        let [ours, tables, pauses] = counts.each_ref().map(|it| it.aborts_per_1000().round());
        let name = workload.paper.map_or(workload.name, |paper| paper.name);
        println!(
            "{name:<10}{ours:>8}; {tables} with tables that evict nothing, {pauses} with pauses five times as \
             long; {:?}",
            counts[0].aborts
        );
    }
}

fn tables(bench: &mut Bench) {
    // Entries in all: 24 for each row of a way.
    let sizes = [128, 256, 512].map(|rows| (format!("{} entries", 24 * rows), rows, 32));
    let granules = [128, 64, 16].map(|bytes| (format!("{bytes} B"), 256, bytes));
    let variants: Vec<_> = sizes.into_iter().chain(granules).collect();
    let names: Vec<_> = variants.iter().map(|(name, ..)| name.clone()).collect();
    bench.table(&names, |bench, workload| {
        let first = bench.best(workload, "getm_15", WARPTM).cycles as f64;
        let run = |(_, rows, bytes): &(String, u32, u32)| {
            let mut config = config("getm_15");
            let transactions = &mut config.transactions;
            (transactions.rows_per_way, transactions.granule_bytes) = (*rows, *bytes);
            transactions.concurrency = workload.best(GETM).unwrap_or_default();
            bench.ran(workload, &config, GETM).cycles as f64 / first
        };
        variants.iter().map(run).collect()
    });
}

fn cores(bench: &mut Bench) {
    let systems = [WARPTM, EAPG, GETM];
    let columns = ["getm_15", "getm_56"].map(|preset| systems.map(|system| (preset, system)));
    let columns = columns.concat();
    let names = columns.iter().map(|(preset, system)| format!("{} {preset}", system.name));
    let names: Vec<_> = names.collect();
    bench.table(&names, |bench, workload| {
        let clocks = columns
            .iter()
            .map(|(preset, system)| bench.best(workload, preset, *system).cycles as f64);
        relative(clocks.collect())
    });
}
