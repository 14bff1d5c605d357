//! The comparison of the QuickRelease paper: `cargo bench --bench quick_release`, or with words to run only
//! workloads whose names hold one of them; with `wide` on a machine whose bandwidth behind the L2 does not count; with
//! `size` the figures that depend on the problem size, with `speed` the speed of the model.
//!
//! Prints figures 3 to 10 on preset `apu`, beside what the paper's text says. All workloads are in the means.

mod cases;
mod speed;
#[allow(dead_code, unused_imports, reason = "the benchmark of GPUDet uses the rest")]
mod workloads;

use cases::{Case, SYSTEMS, machine, run};
use workloads::{Size, Workload, all, nn, reduction};

const NO_L1: usize = 0;
const WRITE_THROUGH: usize = 1;
const OWNERSHIP: usize = 2;
const QUICK_RELEASE: usize = 3;

fn main() {
    let mut words: Vec<_> =
        std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let mut takes = |word: &str| {
        let count = words.len();
        words.retain(|given| given != word);
        words.len() < count
    };
    let (wide, size, speed) = (takes("wide"), takes("size"), takes("speed"));
    if speed {
        return speed::report();
    }
    if size {
        return sizes();
    }
    let is_wanted = |workload: &&Workload| {
        words.is_empty() || words.iter().any(|word| workload.name.contains(&word[..]))
    };
    let (all_workloads, config) = (all(Size::Compared), machine(wide));
    let wanted = all_workloads.iter().filter(is_wanted);
    let cases: Vec<Case> = wanted.map(|workload| run(workload, &config)).collect();
    if cases.is_empty() {
        let names: Vec<_> = all_workloads.iter().map(|workload| workload.name).collect();
        eprintln!("no such workload; there are: {}; wide, size, speed", names.join(", "));
        std::process::exit(2);
    }
    what_ran(&cases);
    performance(&cases);
    reuse(&cases);
    traffic(&cases);
    l1s(&cases);
    if words.is_empty() && !wide {
        sizes();
    }
}

fn what_ran(cases: &[Case]) {
    println!("{:<12}{:>10}{:>14}  size", "", "launches", "instructions");
    for case in cases {
        let run = &case.runs[NO_L1];
        println!("{:<12}{:>10}{:>14}  {}", case.name, run.launches, run.instructions, case.size);
    }
}

/// A table with a column for each of the systems, and their geometric means.
fn table(
    title: &str,
    cases: &[Case],
    systems: &[usize],
    of: impl Fn(&Case, usize) -> f64,
) -> Vec<f64> {
    println!("\n{title}");
    let name = |system: &usize| format!("{:>20}", SYSTEMS[*system].name);
    println!("{:<12}{}", "", systems.iter().map(name).collect::<String>());
    let mut logs = vec![0.0; systems.len()];
    for case in cases {
        let values: Vec<_> = systems.iter().map(|system| of(case, *system)).collect();
        logs.iter_mut().zip(&values).for_each(|(log, value)| *log += value.ln());
        row(case.name, &values);
    }
    let means: Vec<_> = logs.iter().map(|log| (log / cases.len() as f64).exp()).collect();
    if means.iter().all(|mean| mean.is_finite() && *mean > 0.0) {
        row("mean", &means);
    }
    means
}

fn row(name: &str, values: &[f64]) {
    println!(
        "{name:<12}{}",
        values.iter().map(|value| format!("{value:>20.3}")).collect::<String>()
    );
}

/// A ratio to the system without L1.
fn relative(of: impl Fn(&workloads::Run) -> u64) -> impl Fn(&Case, usize) -> f64 {
    move |case, system| {
        let [one, other] = [system, NO_L1].map(|system| of(&case.runs[system]) as f64);
        if other == 0.0 { 1.0 } else { one / other }
    }
}

fn performance(cases: &[Case]) {
    let title = "Figure 5: run time relative to no L1";
    let mean =
        table(title, cases, &[WRITE_THROUGH, OWNERSHIP, QUICK_RELEASE], relative(|run| run.clocks));
    let gain = |of: f64, over: f64| (over / of - 1.0) * 100.0;
    println!("quick-release over write-through {:+.1} % (paper: +7 %)", gain(mean[2], mean[0]));
    println!("write-through over no-l1 {:+.1} % (paper: +5 %)", gain(mean[0], 1.0));
    println!("read-for-ownership over no-l1 {:+.1} % (paper: -6 %)", gain(mean[1], 1.0));
    let best = cases.iter().map(|case| {
        let clocks = |system: usize| case.runs[system].clocks as f64;
        (gain(clocks(QUICK_RELEASE), clocks(WRITE_THROUGH)), case.name)
    });
    if let Some((most, name)) = best.max_by(|one, other| one.0.total_cmp(&other.0)) {
        println!("quick-release over write-through at most {most:+.1} %, {name} (paper: +42 %)");
    }
}

fn reuse(cases: &[Case]) {
    let hits = |case: &Case, system: usize| {
        let l1 = case.runs[system].statistics.l1;
        l1.hits as f64 / (l1.hits + l1.misses).max(1) as f64
    };
    let title = "Figure 4: L1 hits per load (the paper shows read-for-ownership)";
    table(title, cases, &[WRITE_THROUGH, OWNERSHIP, QUICK_RELEASE], hits);
    let title = "Not in the paper: L2 hits per load that comes to it";
    table(title, cases, &[NO_L1, WRITE_THROUGH, OWNERSHIP, QUICK_RELEASE], |case, system| {
        let l2 = case.runs[system].statistics.l2_home;
        l2.hits as f64 / (l2.hits + l2.misses).max(1) as f64
    });
    let title = "Figure 3: L1 hits per load in lines written before (paper: most in lud)";
    table(title, cases, &[OWNERSHIP], |case, system| {
        let counts = &case.runs[system].statistics;
        let owned = counts.coherence.owned_hits.unwrap_or(0);
        owned as f64 / (counts.l1.hits + counts.l1.misses).max(1) as f64
    });
}

fn traffic(cases: &[Case]) {
    let all = [WRITE_THROUGH, OWNERSHIP, QUICK_RELEASE];
    let title = "Figure 6: bytes between L2 and directory relative to no L1 (paper: fewest written with quick-release)";
    let link = |run: &workloads::Run| {
        let link = run.statistics.traffic.directory.as_ref();
        link.map_or(0, |link| link.out.bytes + link.into.bytes)
    };
    table(title, cases, &all, relative(link));
    let title = "Figure 7: lines written to DRAM relative to no L1 (paper: significantly fewer; as many for nn and nw)";
    let writes = |run: &workloads::Run| run.statistics.dram.writes;
    table(title, cases, &[WRITE_THROUGH, QUICK_RELEASE], relative(writes));
    let title = "Figure 9: lines read and written at DRAM relative to no L1";
    let both = |run: &workloads::Run| run.statistics.dram.reads + run.statistics.dram.writes;
    table(title, cases, &all, relative(both));
}

/// Bytes that arrive at the L1s: of invalidations, and of data and answers.
fn l1s(cases: &[Case]) {
    println!(
        "\nFigure 8: bytes at the L1s with quick-release relative to write-through (paper: up to 3, 1.03 in the mean)"
    );
    println!("{:<12}{:>20}{:>20}{:>20}", "", "invalidations", "data", "all");
    let mut sum = 0.0;
    for case in cases {
        let received = |system: usize| {
            let counts = &case.runs[system].statistics;
            let invalidations = 8 * counts.coherence.invalidations;
            (invalidations as f64, counts.traffic.into_l1s.unwrap_or(0) as f64)
        };
        let ((invalidations, all), (_, before)) =
            (received(QUICK_RELEASE), received(WRITE_THROUGH));
        row(case.name, &[invalidations / before, (all - invalidations) / before, all / before]);
        sum += all / before;
    }
    println!("{:<12}{:>60.3}", "mean", sum / cases.len() as f64);
}

fn sizes() {
    println!(
        "\nFigure 10: clocks by problem size (paper: alike when small; quick-release ahead when large)"
    );
    println!(
        "{:<12}{:>9}{}",
        "",
        "",
        SYSTEMS.map(|system| format!("{:>20}", system.name)).concat()
    );
    for (make, name) in [(nn as fn(usize) -> Workload, "nn"), (reduction, "reduction")] {
        for size in [4096, 16_384, 65_536, 262_144] {
            let clocks =
                run(&make(size), &machine(false)).runs.map(|run| format!("{:>20}", run.clocks));
            println!("{name:<12}{size:>9}{}", clocks.concat());
        }
    }
}
