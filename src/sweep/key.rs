//! The hash of everything that a point's figures depend on.

use serde_json::json;
use sha2::{Digest, Sha256};
use warpsmith_blocks::block::Design;
use warpsmith_rtl::verilog::{EmitOptions, emit};

use crate::flow::FlowError;
use crate::flow::synth::Uses;
use crate::measure::Asked;

/// The key of a design: the hash of its Verilog, the requested measurements, and the tools and libraries.
/// Time limits and folders do not change figures and are left out.
///
/// # Errors
/// Fails if the circuit cannot be emitted or a library cannot be read.
pub fn key(design: &dyn Design, asked: &Asked, uses: &Uses) -> Result<String, FlowError> {
    let synth = asked.synth.as_ref().map(|(target, options)| {
        Ok::<_, FlowError>(json!({
            "target": target.identity()?,
            "clock_mhz": options.clock_mhz,
            "seeds": options.seeds,
            "tools": uses.tools,
            "libraries": uses.libraries,
        }))
    });
    let basis = json!({
        "warpsmith": env!("CARGO_PKG_VERSION"),
        "synth": synth.transpose()?,
        "cosim": asked.traffic,
    });
    let mut hash = Sha256::new();
    let mut add = |text: &str| {
        // Hashed with its length, so that different lists of texts give different bytes.
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(text);
    };
    add(&basis.to_string());
    for file in emit(&design.circuit(), &EmitOptions::default())? {
        add(&file.module);
        add(&file.text);
    }
    Ok(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}
