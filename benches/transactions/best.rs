//! Each design at the concurrency with which it is fastest here, as table 4.4 has it for the paper's machine.

use warpsmith::gpu::systems::getm::warptm::{EAPG, WARPTM, WARPTM_EL};
use warpsmith::gpu::systems::getm::{GETM, LOCKS};
use warpsmith::gpu::workloads::Workload;

use super::machines::{LIMITS, Machine};
use super::{Bench, counts};

/// Prints a row for each workload, and the geometric means of the clocks.
pub fn print(bench: &mut Bench) {
    let machines = [WARPTM, EAPG, WARPTM_EL, GETM].map(|it| Machine::of("getm_15", it));
    let locks = Machine::of("getm_15", LOCKS);
    let columns = machines.iter().map(|it| format!("{:>26}", it.name)).collect::<String>();
    println!("{:<10}{columns}  warps: clocks, locks 1; aborts per 1,000 commits / paper", "");
    let mut logarithms = [0.0; 4];
    for workload in bench.workloads.clone() {
        let of_locks = bench.ran(workload, &locks).cycles as f64;
        let mut cells = String::new();
        for (machine, logarithm) in machines.iter().zip(&mut logarithms) {
            let Fastest { limit, clocks, aborts } = fastest(bench, workload, machine);
            let (clocks, paper) = (clocks / of_locks, workload.aborts(machine.system));
            *logarithm += clocks.ln();
            let cell = format!("{limit}: {clocks:.2}; {aborts:.0} / {}", paper.unwrap_or_default());
            cells.push_str(&format!("{cell:>26}"));
        }
        println!("{:<10}{cells}", workload.paper.map_or(workload.name, |paper| paper.name));
    }
    let means = logarithms.map(|sum| (sum / bench.workloads.len() as f64).exp());
    let cells = means.map(|mean| format!("{mean:>26.2}")).concat();
    println!("{:<10}{cells}", "GMEAN");
    println!("GETM is {:.2} times as fast as WarpTM (paper: 1.2)", means[0] / means[3]);
}

/// A design at the limit with which it is fastest.
struct Fastest {
    limit: &'static str,
    clocks: f64,
    aborts: f64,
}

fn fastest(bench: &mut Bench, workload: Workload, machine: &Machine) -> Fastest {
    let runs = LIMITS.map(|(warps, limit)| {
        let mut limited = machine.clone();
        limited.config.transactions.concurrency = warps;
        let ran = bench.ran(workload, &limited);
        Fastest { limit, clocks: ran.cycles as f64, aborts: counts(ran).aborts_per_1000() }
    });
    let least = |one: Fastest, other: Fastest| {
        if other.clocks < one.clocks { other } else { one }
    };
    runs.into_iter().reduce(least).expect("a limit")
}
