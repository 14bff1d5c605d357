//! The speed of the model: warp instructions a second, without RTL and with that of the write caches in all places.

use rustix::time::{ClockId, clock_gettime};
use warpsmith::gpu::config::Config;
use warpsmith::gpu::machine::Machine;
use warpsmith::gpu::memory::RtlSettings;
use warpsmith::gpu::systems::quick_release::QUICK_RELEASE;
use warpsmith_testbench::backend::Backend;

use super::workloads::{Size, Workload, all};

/// Aimed at: of the model alone, and the share of it with Verilated RTL.
const AIM: f64 = 1e6;
const SHARE: f64 = 0.3;

pub fn report() {
    for workload in all(Size::Compared) {
        if !["matmul", "bfs"].contains(&workload.name) {
            continue;
        }
        let alone = speed(&workload, None);
        println!(
            "{}: {:.2} M warp instructions/s, {:.2} of the 1 M aimed at",
            workload.name,
            alone / 1e6,
            alone / AIM
        );
        for backend in [Backend::Native, Backend::Verilator] {
            let with = speed(&workload, Some(backend));
            println!(
                "  with RTL in all write caches, {backend:?}: {:.3} M; {:.3} of it, {:.2} of the {SHARE} aimed at",
                with / 1e6,
                with / alone,
                with / alone / SHARE
            );
        }
    }
}

/// Warp instructions in a second of processor time.
fn speed(workload: &Workload, rtl: Option<Backend>) -> f64 {
    let config = Config::preset("apu").expect("a preset");
    let mut machine = Machine::new(&config, QUICK_RELEASE, None);
    if let Some(backend) = rtl {
        let places = vec!["qr_write_cache".into()];
        let settings = RtlSettings { places, backend, dut: None, shadow: true };
        machine.use_rtl(&settings).unwrap_or_else(|error| panic!("{error}"));
    }
    let start = processor_time();
    let instructions = workload.run(&mut machine).instructions;
    instructions as f64 / (processor_time() - start)
}

/// Processor time of this process in seconds, which excludes other processes.
fn processor_time() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}
