//! Speed of lockstep co-simulation: `cargo bench -p warpsmith-testbench --bench lockstep`,
//! with `-- tiny` for that preset alone.
//!
//! Compares Verilated lockstep of `hmg_directory`, with all checks on, against a bare C++ loop around the
//! same Verilated model, which plays back the inputs of such a run from memory and checks nothing, and native
//! lockstep. They take turns, so that other work on the machine affects all, and the median round is printed.
//! Then the directory's clocks per request.

mod support;

use std::time::Instant;

use support::bare::BareLoop;
use support::recorded::Recorded;
use warpsmith_blocks::block::Design;
use warpsmith_rtl::Simulator;
use warpsmith_rtl::simulator::Execution;
use warpsmith_testbench::agents::Stalls;
use warpsmith_testbench::backend::{Backend, BackendError, Models};
use warpsmith_testbench::bench::Bench;
use warpsmith_testbench::cosim::{Plan, Summary, Verdict, cosim};

/// Wanted share of the bare loop's speed.
const TARGET: f64 = 0.7;
const ROUNDS: usize = 7;
/// Approximate seconds of a round.
const ROUND_SECONDS: f64 = 1.0;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    if arguments.first().is_some_and(|first| first == "models") {
        return models(&arguments[1..]);
    }
    let block = warpsmith_blocks::find("hmg_directory").expect("the block is there");
    let wanted: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    let is_wanted = |preset: &&str| wanted.is_empty() || wanted.iter().any(|name| name == preset);
    let presets = block.presets().into_iter().filter(is_wanted);
    let design = |preset| (preset, block.configure(preset, &[]).expect("a preset is valid"));
    let designs: Vec<_> = presets.map(design).collect();

    println!("Lockstep and the bare loop, in million clocks a second:");
    println!(
        "{:<8}{:>10}{:>10}{:>8}{:>10}{:>20}",
        "preset", "Verilated", "bare", "ratio", "native", "native/Verilated"
    );
    for (preset, design) in &designs {
        match lockstep(&**design) {
            Ok([verilated, bare, native]) => {
                let ratio = verilated / bare;
                let verdict = if ratio >= TARGET { "PASS" } else { "SHORT" };
                println!(
                    "{preset:<8}{:>10.2}{:>10.2}{ratio:>8.2}{:>10.2}{:>20.2}  {verdict} of {TARGET}",
                    verilated / 1e6,
                    bare / 1e6,
                    native / 1e6,
                    native / verilated
                );
            }
            Err(missing) => println!("{preset:<8}not measured: {missing}"),
        }
    }

    println!("\nClocks per request without stalls:");
    let streams = ["random", "same-set", "same-block"];
    println!("{:<8}{}", "preset", streams.map(|stream| format!("{stream:>12}")).concat());
    for (preset, design) in &designs {
        let circuit = design.circuit();
        let bench = Bench::new(&**design, &circuit);
        let models = Models::of_circuit(&circuit, Backend::Native, false).expect("it simulates");
        print!("{preset:<8}");
        for stream in streams {
            let stream = design.streams().iter().position(|s| s.name == stream).expect("a stream");
            let plan =
                Plan { requests: 100_000, seed: 1, stream, stalls: Stalls::None, episodes: None };
            print!("{:>12.2}", run(&bench, &models, &plan).clocks_per_request);
        }
        println!();
    }
}

/// The simulators of every block and preset without a judge; `names` are the wanted `block.preset`.
fn models(names: &[String]) {
    println!("Without a judge, in million clocks a second, the best pass:");
    println!(
        "{:<34}{:>12}{:>10}{:>10}{:>16}{:>12}{:>10}",
        "block", "interpreter", "compiled", "bare", "of interpreter", "of bare", "ms"
    );
    for block in warpsmith_blocks::all() {
        for preset in block.presets() {
            let name = format!("{}.{preset}", block.name);
            if !names.is_empty() && !names.contains(&name) {
                continue;
            }
            let design = block.configure(preset, &[]).expect("a preset is valid");
            let circuit = design.circuit();
            let recorded = Recorded::of(&Bench::new(&*design, &circuit), &circuit);
            let mut simulator = Simulator::new(&circuit).expect("no loop");
            simulator.set_execution(Execution::Interpreted);
            let interpreter = recorded.clocks_per_second(&mut simulator, 0.5);
            let mut simulator = Simulator::new(&circuit).expect("no loop");
            let start = Instant::now();
            simulator.compile().expect("this machine runs compiled circuits");
            let compiling = start.elapsed().as_secs_f64();
            let bare_loop = BareLoop::build(&circuit, &recorded).ok();
            let (mut compiled, mut bare) = (0.0f64, f64::NAN);
            // In turn, since the machine is not equally fast all the time.
            for _ in 0..ROUNDS {
                compiled = compiled.max(recorded.clocks_per_second(&mut simulator, 0.5));
                if let Some(bare_loop) = &bare_loop {
                    bare = bare.max(bare_loop.clocks_per_second(0.5)[0]);
                }
            }
            println!(
                "{name:<34}{:>12.2}{:>10.2}{:>10.2}{:>16.1}{:>12.2}{:>10.1}",
                interpreter / 1e6,
                compiled / 1e6,
                bare / 1e6,
                compiled / interpreter,
                compiled / bare,
                compiling * 1e3
            );
        }
    }
}

/// Clocks per second of Verilated lockstep, of the bare loop and of native lockstep, or what is missing to measure
/// them.
fn lockstep(design: &dyn Design) -> Result<[f64; 3], BackendError> {
    let circuit = design.circuit();
    let bench = Bench::new(design, &circuit);
    let verilated = Models::of_circuit(&circuit, Backend::Verilator, false)?;
    let native = Models::of_circuit(&circuit, Backend::Native, false)?;
    let bare = BareLoop::build(&circuit, &Recorded::of(&bench, &circuit))?;
    let plan = plan_of_a_round(&bench, &verilated);
    let mut rounds = [(); 3].map(|()| Vec::new());
    for _ in 0..ROUNDS {
        rounds[0].push(clocks_per_second(&bench, &verilated, &plan));
        rounds[1].push(bare.clocks_per_second(ROUND_SECONDS)[1]);
        rounds[2].push(clocks_per_second(&bench, &native, &plan));
    }
    Ok(rounds.map(median))
}

/// The plan of a usual co-simulation with the requests of one round.
fn plan_of_a_round(bench: &Bench<'_>, models: &Models) -> Plan {
    let mut plan =
        Plan { requests: 100_000, seed: 1, stream: 0, stalls: Stalls::Random, episodes: None };
    let start = Instant::now();
    run(bench, models, &plan);
    plan.requests = (plan.requests as f64 * ROUND_SECONDS / start.elapsed().as_secs_f64()) as u64;
    plan
}

fn clocks_per_second(bench: &Bench<'_>, models: &Models, plan: &Plan) -> f64 {
    let start = Instant::now();
    let clocks = run(bench, models, plan).clocks;
    clocks as f64 / start.elapsed().as_secs_f64()
}

fn run(bench: &Bench<'_>, models: &Models, plan: &Plan) -> Summary {
    let (summary, verdict) = cosim(bench, models, plan, None, &mut |_| {}).expect("it runs");
    assert!(matches!(verdict, Verdict::Equal), "{verdict:?}");
    summary
}

fn median(mut rounds: Vec<f64>) -> f64 {
    rounds.sort_by(f64::total_cmp);
    rounds[rounds.len() / 2]
}
