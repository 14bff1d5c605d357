//! A block of one's own, beside its reference. The block is that of docs/adding-a-block.md; it need not be
//! in the list of blocks.
//!
//! `cargo run --release --example own_block`

mod credit_counter;

use std::error::Error;

use warpsmith_testbench::agents::Stalls;
use warpsmith_testbench::backend::{Backend, Models};
use warpsmith_testbench::bench::Bench;
use warpsmith_testbench::cosim::{Plan, Verdict, cosim};

/// Co-simulates the block.
pub fn main() -> Result<(), Box<dyn Error>> {
    let design = credit_counter::BLOCK.configure("fpga", &[("credits".to_string(), 5.into())])?;
    let circuit = design.circuit();
    // `Backend::Verilator` runs the emitted Verilog, `Models::of_verilog` anybody's.
    let models = Models::of_circuit(&circuit, Backend::Native, false)?;
    let plan =
        Plan { requests: 10_000, seed: 1, stream: 0, stalls: Stalls::Random, episodes: None };
    let bench = Bench::new(&*design, &circuit);
    let (summary, verdict) = cosim(&bench, &models, &plan, None, &mut |_| {})?;
    if let Verdict::Diverged(divergent) = verdict {
        return Err(format!("{:#?}", divergent.mismatch).into());
    }
    // A run that missed a corner says little: it did not look there.
    let missed: Vec<_> = summary.missed().map(|corner| corner.name.as_str()).collect();
    println!("equal in {} requests; corners missed: {missed:?}", summary.requests);
    assert!(missed.is_empty());
    Ok(())
}
