//! The six memory systems on kernels that share between GPMs and GPUs:
//! `cargo bench --bench systems`, or with words to run only workloads whose names hold one of them.
//!
//! Prints the speed relative to that without caching of other GPUs' lines, as in figure 8 of the HMG paper,
//! beside the ratios in the paper's text; and the traffic and invalidations of the systems. The machine is
//! `hmg_4x4` with pages of 16 KB instead of 2 MB: the kernels touch a few megabytes, where the paper's touch
//! 26 MB to 3.4 GB, so pages of 2 MB would have few homes.
//!
//! Kernels that spin on memory are excluded from the mean: the paper has none (section VI).

mod workloads;

use warpsmith::gpu::config::Config;
use warpsmith::gpu::systems::System;
use warpsmith::gpu::{Costs, Hits, Statistics};

use workloads::{Workload, all};

const PAGE: u32 = 16 << 10;
const SYSTEMS: usize = 6;

fn main() {
    let words: Vec<_> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let is_wanted = |workload: &Workload| {
        words.is_empty() || words.iter().any(|word| workload.name.contains(&word[..]))
    };
    let workloads: Vec<_> = all().into_iter().filter(is_wanted).collect();
    if workloads.is_empty() {
        let names: Vec<_> = all().iter().map(|workload| workload.name).collect();
        eprintln!("no such workload; there are: {}", names.join("; "));
        std::process::exit(2);
    }
    let mut config = Config::preset("hmg_4x4").expect("a preset");
    config.machine.page_bytes = PAGE;
    let systems: Vec<_> = System::fitting(&config).collect();
    let systems: [System; SYSTEMS] = systems.try_into().expect("those of the HMG paper");
    let names = systems.map(|system| system.name);
    println!("{:<32}{}", "speed", names.map(|name| format!("{name:>22}")).concat());
    let mut logs = [0.0; SYSTEMS];
    let mut details = Vec::new();
    for workload in &workloads {
        let (clocks, counts): (Vec<_>, Vec<_>) =
            systems.iter().map(|system| workload.run(&config, *system)).unzip();
        let ratios: Vec<_> =
            clocks.iter().map(|clocks_of| clocks[0] as f64 / *clocks_of as f64).collect();
        if !workload.spins {
            logs.iter_mut().zip(&ratios).for_each(|(log, ratio)| *log += ratio.ln());
        }
        row(workload.name, &ratios);
        details.push((workload.name, clocks, counts));
    }
    let in_mean = workloads.iter().filter(|workload| !workload.spins).count();
    if in_mean > 0 {
        compare(logs.map(|log| (log / in_mean as f64).exp()));
    }
    for (name, clocks, counts) in details {
        println!("\n{name}\n{:<24}{HEADER}", "");
        for ((system, clocks), counts) in names.iter().zip(clocks).zip(counts) {
            println!("{system:<24}{clocks:>10}{}", detail(&counts));
        }
    }
}

fn row(name: &str, ratios: &[f64]) {
    let shown: String = ratios.iter().map(|ratio| format!("{ratio:>22.3}")).collect();
    println!("{name:<32}{shown}");
}

/// Prints the means beside the paper's.
fn compare(mean: [f64; SYSTEMS]) {
    row("geometric mean, not spinning", &mean);
    let [_, flat, hierarchical, nhcc, hmg, ideal] = mean;
    println!();
    for (what, ours, paper) in [
        ("HMG over software, flat", hmg / flat, "1.26"),
        ("HMG over software, hierarchical", hmg / hierarchical, "-"),
        ("HMG over NHCC", hmg / nhcc, "1.18"),
        ("HMG of ideal caching", hmg / ideal, "0.97"),
    ] {
        println!("{what:<34}{ours:.2}   (paper: {paper})");
    }
}

const HEADER: &str =
    "    clocks  MB between GPUs  most of a link  L2 hits away  lines dropped  invalidated";

/// The traffic and invalidations of a run.
fn detail(counts: &Statistics) -> String {
    let Statistics { l2_remote: Hits { hits, misses }, traffic, coherence, .. } = counts;
    let Costs { dropped_lines, invalidated_lines, .. } = coherence;
    let ways = traffic.gpu_links.iter().flat_map(|link| [&link.out, &link.into]);
    let most = ways.map(|way| way.utilisation).fold(0.0, f64::max) * 100.0;
    let megabytes = traffic.between_gpus as f64 / 1e6;
    let share = *hits as f64 / (hits + misses).max(1) as f64 * 100.0;
    format!(
        "{megabytes:>17.1}{most:>15.0}%{share:>13.0}%{dropped_lines:>15}{invalidated_lines:>13}"
    )
}
