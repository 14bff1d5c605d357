//! The figures and tables of the paper.

use warpsmith::gpu::memory::{MetadataClocks, UnitCounts};
use warpsmith::gpu::systems::getm::warptm::{EAPG, WARPTM, WARPTM_EL};
use warpsmith::gpu::systems::getm::{GETM, LOCKS};

use super::best;
use super::machines::{LIMITS, Machine, beside_getm, getm};
use super::table::Mean;
use super::{Bench, counts};

/// A figure or a table of the paper.
pub struct Figure {
    pub name: &'static str,
    /// What the paper says of it.
    pub paper: &'static str,
    pub print: fn(&mut Bench),
}

pub const FIGURES: [Figure; 14] = [
    Figure {
        name: "figure 4.3",
        paper: "HT-H: clocks in transactions grow with concurrency, faster with WarpTM-LL than with -EL; waiting \
                falls with -EL, and grows with -LL",
        print: concurrency,
    },
    Figure {
        name: "figure 4.4",
        paper: "with locks 1: HT-H 2.9 and HT-M 2.0 with WarpTM-LL",
        print: |bench| {
            times(bench, &[LOCKS, WARPTM, WARPTM_EL].map(|it| Machine::of("getm_15", it)));
        },
    },
    Figure {
        name: "figure 4.10",
        paper: "GETM spends less than WarpTM in most workloads, and has less waiting",
        print: clocks_in_transactions,
    },
    Figure {
        name: "figure 4.11",
        paper: "with locks 1: WarpTM HT-H 2.9, HT-M 2.0; EAPG 3.3, 2.5; GETM within 7 % in the geometric mean, and 1.2 \
                times faster than WarpTM",
        print: |bench| times(bench, &beside_getm(&[LOCKS, WARPTM, EAPG])),
    },
    Figure {
        name: "figure 4.12",
        paper: "with WarpTM 1: GETM somewhat more, HT-H 2.1, AP 3.2",
        print: traffic,
    },
    Figure { name: "table 4.4", paper: "aborts per 1,000 commits, ours / paper", print: aborts },
    Figure {
        name: "best concurrency",
        paper: "all designs at their best; GETM is 1.2 times as fast as WarpTM in the geometric mean",
        print: best::print,
    },
    Figure {
        name: "aborts of GETM",
        paper: "per 1,000 commits, and what they come from: other tables, and other pauses",
        print: causes,
    },
    Figure { name: "figure 4.13", paper: "about 1 clock for each workload", print: metadata },
    Figure {
        name: "figure 4.14 a",
        paper: "with WarpTM 1: 2 K entries are slower than 4 K where parallelism is abundant, 8 K hardly faster",
        print: table_sizes,
    },
    Figure {
        name: "figure 4.14 b",
        paper: "with WarpTM 1: smaller granules are faster",
        print: granules,
    },
    Figure {
        name: "figure 4.15",
        paper: "at most 12 in all",
        print: |bench| units(bench, "addresses", |units| units.most_queued_addresses as f64),
    },
    Figure {
        name: "figure 4.16",
        paper: "about 1, at most 1.5",
        print: |bench| {
            units(bench, "requests/address", |it| it.requests_per_address().unwrap_or(f64::NAN));
        },
    },
    Figure {
        name: "figure 4.17",
        paper: "with WarpTM on 15 cores 1: the trends of 56 cores are those of 15",
        print: cores,
    },
];

fn names(machines: &[Machine]) -> Vec<String> {
    machines.iter().map(|machine| machine.name.clone()).collect()
}

fn relative(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let values: Vec<_> = values.collect();
    values.iter().map(|value| value / values[0]).collect()
}

/// Clocks, that of the first machine 1.
fn times(bench: &mut Bench, machines: &[Machine]) {
    bench.table("clocks", Mean::Geometric, &names(machines), |bench, workload| {
        relative(machines.iter().map(|it| bench.best(workload, it).cycles as f64))
    });
}

/// Clocks of GETM on several machines, that of WarpTM 1.
fn beside_warptm(bench: &mut Bench, machines: &[Machine]) {
    let warptm = Machine::of("getm_15", WARPTM);
    bench.table("clocks", Mean::Geometric, &names(machines), |bench, workload| {
        let first = bench.best(workload, &warptm).cycles as f64;
        machines.iter().map(|it| bench.best(workload, it).cycles as f64 / first).collect()
    });
}

/// Warp clocks in transactions and waiting, those of WarpTM together 1.
fn clocks_in_transactions(bench: &mut Bench) {
    let machines = beside_getm(&[WARPTM, EAPG]);
    let columns = machines.iter().flat_map(|it| [it.name.clone(), format!("{} wait", it.name)]);
    let columns: Vec<_> = columns.collect();
    // A mean of workloads in which nobody waits would be zero.
    bench.table("warp clocks", Mean::Arithmetic, &columns, |bench, workload| {
        let mut whole = None;
        let parts = machines.iter().flat_map(|machine| {
            let counts = counts(bench.best(workload, machine));
            let parts = [counts.execution_clocks, counts.wait_clocks].map(|part| part as f64);
            let whole = *whole.get_or_insert(parts[0] + parts[1]);
            parts.map(|part| part / whole)
        });
        parts.collect()
    });
}

/// Bytes between cores and partitions, those of WarpTM 1.
fn traffic(bench: &mut Bench) {
    let machines = beside_getm(&[WARPTM, EAPG]);
    bench.table("bytes", Mean::Geometric, &names(&machines), |bench, workload| {
        let bytes = |machine| counts(bench.best(workload, machine)).crossbar_bytes as f64;
        relative(machines.iter().map(bytes))
    });
}

fn concurrency(bench: &mut Bench) {
    let Some(workload) = bench.workloads.first().copied() else { return };
    println!("{:<14}{:>8}{:>16}{:>16}{:>12}", workload.name, "warps", "exec", "wait", "clocks");
    let mut parts = [const { Vec::new() }; 3];
    for machine in beside_getm(&[WARPTM, WARPTM_EL]) {
        let mut values = [const { Vec::new() }; 3];
        for (limit, name) in LIMITS {
            let mut limited = machine.clone();
            limited.config.transactions.concurrency = limit;
            let ran = bench.ran(workload, &limited);
            let (cycles, counts) = (ran.cycles, counts(ran));
            let (exec, wait) = (counts.execution_clocks, counts.wait_clocks);
            println!("{:<14}{name:>8}{exec:>16}{wait:>16}{cycles:>12}", machine.name);
            for (values, value) in values.iter_mut().zip([exec, wait, cycles]) {
                values.push(value as f64);
            }
        }
        for (part, values) in parts.iter_mut().zip(values) {
            part.push((machine.name.clone(), values));
        }
    }
    let titles = ["in transactions", "waiting", "in all"];
    for ((title, unit), series) in
        titles.into_iter().zip(["warp clocks", "warp clocks", "clocks"]).zip(parts)
    {
        let names = LIMITS.map(|(_, name)| name.to_string()).to_vec();
        bench.sheet.draw(title, "warps of a core in transactions", names, unit, series);
    }
}

fn aborts(bench: &mut Bench) {
    let machines = beside_getm(&[WARPTM, EAPG, WARPTM_EL]);
    let columns = names(&machines).iter().map(|name| format!("{name:>18}")).collect::<String>();
    println!("{:<10}{columns}", "");
    for workload in bench.workloads.clone() {
        let cell = |machine: &Machine| {
            let ours = counts(bench.best(workload, machine)).aborts_per_1000();
            let paper = workload.aborts(machine.system).unwrap_or_default();
            format!("{:>18}", format!("{ours:.0} / {paper}"))
        };
        let cells = machines.iter().map(cell).collect::<String>();
        println!("{:<10}{cells}", workload.paper.map_or(workload.name, |paper| paper.name));
    }
}

/// Aborts with other tables and with longer pauses, and by reason.
fn causes(bench: &mut Bench) {
    let [ours, papers] = getm();
    let (mut rows, mut pause) = (ours.clone(), ours.clone());
    (rows.config.transactions.rows_per_way, rows.name) = (4096, "evict nothing".to_string());
    (pause.config.transactions.back_off, pause.name) = (2500, "longer pauses".to_string());
    let machines = [ours, papers, rows, pause];
    let columns = names(&machines).iter().map(|name| format!("{name:>15}")).collect::<String>();
    println!("{:<10}{columns}  reasons with the first", "");
    for workload in bench.workloads.clone() {
        let all = machines.each_ref().map(|machine| counts(bench.best(workload, machine)));
        let cells = all.each_ref().map(|counts| format!("{:>15.0}", counts.aborts_per_1000()));
        let name = workload.paper.map_or(workload.name, |paper| paper.name);
        println!("{name:<10}{}  {:?}", cells.concat(), all[0].aborts);
    }
}

/// What validation units count, with both sizes of tables.
fn units(bench: &mut Bench, unit: &str, of: fn(&UnitCounts) -> f64) {
    let machines = getm();
    bench.table(unit, Mean::Arithmetic, &names(&machines), |bench, workload| {
        let mut units = |machine| counts(bench.best(workload, machine)).units.unwrap_or_default();
        machines.iter().map(|machine| of(&units(machine))).collect()
    });
}

fn metadata(bench: &mut Bench) {
    let machines = getm();
    bench.times_metadata = true;
    let columns = machines.iter().flat_map(|it| [it.name.clone(), format!("{} > 90 %", it.name)]);
    let columns: Vec<_> = columns.collect();
    bench.table("clocks/access", Mean::Arithmetic, &columns, |bench, workload| {
        let clocks = |machine| -> MetadataClocks {
            let units = counts(bench.best(workload, machine)).units.unwrap_or_default();
            units.metadata.unwrap_or_default()
        };
        let means = machines.iter().map(clocks).flat_map(|it| [it.mean(), it.crowded_mean()]);
        means.map(|mean| mean.unwrap_or(f64::NAN)).collect()
    });
    bench.times_metadata = false;
}

fn table_sizes(bench: &mut Bench) {
    let [preset, papers] = getm();
    beside_warptm(bench, &[Machine::with_rows(64), papers, Machine::with_rows(256), preset]);
}

fn granules(bench: &mut Bench) {
    let machines = [128, 64, 32, 16].map(|bytes| {
        let mut machine = Machine::with_rows(128);
        machine.config.transactions.granule_bytes = bytes;
        machine.name = format!("{bytes} B");
        machine
    });
    beside_warptm(bench, &machines);
}

/// Of 15 cores with nearly the entries of the paper, and of 56 with all.
fn cores(bench: &mut Bench) {
    let of_15 = [WARPTM, EAPG].map(|it| Machine::of("getm_15", it)).into_iter();
    let of_56 = [WARPTM, EAPG, GETM].map(|it| {
        let machine = Machine::of("getm_56", it);
        Machine { name: format!("{} 56", it.name), ..machine }
    });
    let machines: Vec<_> = of_15.chain([Machine::with_rows(128)]).chain(of_56).collect();
    times(bench, &machines);
}
