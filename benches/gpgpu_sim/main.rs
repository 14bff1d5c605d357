//! Clocks beside GPGPU-Sim's, and those of the card without its artefacts: `cargo bench --bench gpgpu_sim`, and with
//! `-- --artefacts` what each artefact is worth on each kernel. `recorded.toml` says where its figures come from.

mod chains;
mod launches;

use std::path::Path;

use serde::Deserialize;
use warpsmith::gpu::config::Config;
use warpsmith::gpu::isa::Module;
use warpsmith::gpu::launch::{LaunchFile, prepare};
use warpsmith::gpu::machine::Machine;
use warpsmith::gpu::memory::Statistics;
use warpsmith::gpu::simt::Image;
use warpsmith::gpu::systems::gpgpusim::GPGPUSIM;
use warpsmith::gpu::systems::hmg::IDEAL;

/// What was recorded.
#[derive(Deserialize)]
struct Recorded {
    kernels: Vec<Row>,
    latency: Vec<Row>,
    throughput: Vec<Row>,
}

#[derive(Deserialize)]
struct Row {
    name: String,
    clocks: f64,
    #[serde(rename = "use")]
    usage: Option<f64>,
}

/// An artefact: its field, and the machine without it.
type Artefact = (&'static str, fn(&mut Config));

macro_rules! simulator {
    ($field:literal, $($path:ident).+ = $value:expr) => {
        ($field, |config: &mut Config| {
            if let Some(simulator) = &mut config.simulator {
                simulator.$($path).+ = $value;
            }
        })
    };
}

const ARTEFACTS: [Artefact; 16] = [
    simulator!("sectors", l2.sector_bytes = 128),
    simulator!("one virtual channel", network.virtual_channels = 8),
    simulator!("one iteration", network.iterations = 4),
    simulator!("L1 latency before tags", l1.latency = 1),
    simulator!("reserved at the miss", l1.reserve_at_miss = false),
    simulator!("acknowledged by sector", l2.acknowledge_sectors = false),
    simulator!("split atomics", l1.split_atomics = false),
    simulator!("byte segments", l1.byte_segment = 128),
    ("bus turnaround", |config| {
        if let Some(chips) = &mut config.dram.chips {
            chips.timing.turnaround = false;
        }
    }),
    ("instruction cache", |config| config.core.front_end = None),
    ("operand collectors", |config| config.core.collectors = None),
    ("schedulers rotate", |config| config.core.schedulers_rotate = false),
    ("atomics block", |config| config.core.atomics_block = false),
    ("unnamed opcodes", |config| config.units.other = None),
    ("all units", |config| config.units = card().units),
    ("shared memory", |config| config.core.shared_latency = card().core.shared_latency),
];

/// The card without artefacts.
fn card() -> Config {
    Config::preset("gtx480").expect("a preset")
}

fn main() {
    let recorded: Recorded = toml::from_str(include_str!("recorded.toml")).expect("the record");
    let config = Config::preset("gtx480_gpgpusim").expect("a preset");
    let card = card();
    println!("kernel: clocks, recorded, share; of gtx480, share; use of DRAM, recorded");
    let (mut sum, mut clocks) = (0.0, Vec::new());
    for row in &recorded.kernels {
        let (ours, statistics) = run_kernel(&row.name, &config);
        let share = ours as f64 / row.clocks;
        let (of_card, _) = run_kernel(&row.name, &card);
        let card_share = of_card as f64 / row.clocks;
        sum += share.ln();
        clocks.push(ours);
        let usage = row
            .usage
            .map(|theirs| format!("; {:.3}, {theirs:.3}", dram_use(&config, &statistics, ours)));
        let usage = usage.unwrap_or_default();
        let (name, theirs) = (&row.name, row.clocks);
        println!("  {name:17} {ours:9} {theirs:9} {share:.3}; {of_card:9} {card_share:.3}{usage}");
    }
    println!("  geometric mean {:.3}", (sum / recorded.kernels.len() as f64).exp());
    chain_rows("latency, one warp", &recorded.latency, &config, 1, [16, 48]);
    chain_rows("clocks of a core, 48 warps", &recorded.throughput, &config, 48, [4, 12]);
    if std::env::args().any(|argument| argument == "--artefacts") {
        println!("clocks without an artefact, as a share of those with it");
        let names: Vec<_> = recorded.kernels.iter().map(|row| row.name.as_str()).collect();
        println!("| without | {} |", names.join(" | "));
        println!("|---|{}", "---|".repeat(names.len()));
        for (name, remove) in ARTEFACTS {
            let mut config = config.clone();
            remove(&mut config);
            let share = |(kernel, with): (&&str, &u64)| {
                format!("{:.2}", run_kernel(kernel, &config).0 as f64 / *with as f64)
            };
            let shares: Vec<_> = names.iter().zip(&clocks).map(share).collect();
            println!("| {name} | {} |", shares.join(" | "));
        }
    }
}

/// Clocks of a kernel, and what was counted. Its results are checked.
fn run_kernel(name: &str, config: &Config) -> (u64, Statistics) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (module, launch) = launches::of(name, folder.path());
    let text = std::fs::read_to_string(&module).expect("a module");
    let (clocks, statistics) = run(&module, &text, &launch, folder.path(), config);
    (clocks.iter().sum(), statistics)
}

/// Clocks of each launch.
fn run(
    file: &str,
    text: &str,
    launch: &str,
    folder: &Path,
    config: &Config,
) -> (Vec<u64>, Statistics) {
    let launch: LaunchFile = toml::from_str(launch).expect("a launch file");
    let module = Module::parse(file, text).unwrap_or_else(|error| panic!("{error}"));
    let known: Vec<_> = module.kernel_names().map(String::from).collect();
    let wanted = launch.kernels(&known).unwrap_or_else(|error| panic!("{error}"));
    let program = module.lower(wanted.iter().map(String::as_str));
    let image = Image::new(program.unwrap_or_else(|error| panic!("{error}")));
    let prepared = prepare(&image.program, &launch, folder);
    let mut prepared = prepared.unwrap_or_else(|error| panic!("{error}"));
    let system = if config.simulator.is_some() { GPGPUSIM } else { IDEAL };
    let mut machine = Machine::new(config, system, None);
    machine.load(std::mem::take(&mut prepared.device), &prepared.constants);
    let clocks = prepared.launches.iter().map(|(kernel, launch)| {
        machine.run(&image, kernel, launch).unwrap_or_else(|error| panic!("{error}")).cycles
    });
    let clocks = clocks.collect();
    let statistics = machine.statistics();
    for result in prepared.results(&machine.into_device()) {
        assert_eq!(result.differ, 0, "{file}: {result:?}");
    }
    (clocks, statistics)
}

/// The share of DRAM's clocks in which its data pins are busy.
fn dram_use(config: &Config, statistics: &Statistics, clocks: u64) -> f64 {
    let Some(chips) = &config.dram.chips else { return 0.0 };
    let bursts = (statistics.dram.reads + statistics.dram.writes) as f64 * f64::from(chips.burst);
    let ratio = chips.clock_mhz / config.machine.clock_mhz;
    bursts / (clocks as f64 * ratio * f64::from(config.dram.channels))
}

/// Clocks of an instruction, from the difference of two numbers of turns, less those of an empty loop.
fn chain_rows(what: &str, rows: &[Row], config: &Config, warps: u32, turns: [u32; 2]) {
    println!("{what}: clocks, recorded, share");
    let chains = || rows.iter().filter(|row| row.name != "loop");
    let names = std::iter::once("loop").chain(chains().map(|row| row.name.as_str()));
    let launch = chains::launch(names, warps, turns);
    let (clocks, _) = run("chains.ptx", &chains::module(), &launch, Path::new("."), config);
    let turn = |at: usize| {
        (clocks[2 * at + 1] as f64 - clocks[2 * at] as f64) / f64::from(turns[1] - turns[0])
    };
    let empty = turn(0);
    for row in rows {
        let ours = match chains().position(|chain| chain.name == row.name) {
            Some(at) => (turn(at + 1) - empty) / f64::from(chains::count(&row.name) * warps),
            None => empty,
        };
        println!("  {:18} {ours:7.2} {:7.2} {:.3}", row.name, row.clocks, ours / row.clocks);
    }
}
