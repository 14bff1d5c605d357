//! Replays a proof's trace on simulated circuits and describes it.

use serde::{Deserialize, Serialize};
use warpsmith_testbench::backend::{BackendError, Models, Variants};
use warpsmith_testbench::bench::Bench;

use super::equivalence::Trace;

/// How a mutant differs from the circuit, in the shortest distinguishing use found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Difference {
    /// The first clock in which they differ; the first clock after the first reset is 1.
    pub clock: u64,
    /// The port that differs.
    pub port: String,
    /// What the circuit shows on that port's channel, or the port's value.
    pub original: String,
    /// The mutant's.
    pub mutant: String,
    /// The events before, each with its clock: resets with straps, transfers, and offers that the circuit did
    /// not take.
    pub before: Vec<String>,
}

/// Replays a trace on circuit and mutant.
///
/// # Errors
/// If no model can be built.
pub fn replay(
    bench: &Bench<'_>,
    variants: &Variants,
    choice: u32,
    trace: &Trace,
) -> Result<Difference, BackendError> {
    let ports = [0, choice].map(|choice| play(bench, &variants.models(u64::from(choice)), trace));
    let [original, mutant] = ports;
    let (original, mutant) = (original?, mutant?);
    let clock = trace.clocks.len() - 1;
    let show = |ports: &[Vec<u64>]| show(bench, &ports[clock], &trace.differs);
    Ok(Difference {
        clock: clock as u64,
        port: trace.differs.clone(),
        original: show(&original),
        mutant: show(&mutant),
        before: history(bench, &original[..clock]),
    })
}

/// The words of all ports in each clock.
fn play(bench: &Bench<'_>, models: &Models, trace: &Trace) -> Result<Vec<Vec<u64>>, BackendError> {
    let mut model = models.instance()?;
    let mut outputs = vec![0; bench.layout().output_words()];
    let clock = |inputs: &Vec<u64>| {
        model.clock(inputs, &mut outputs);
        [inputs.as_slice(), &outputs, &[1]].concat()
    };
    Ok(trace.clocks.iter().map(clock).collect())
}

/// What a port's channel shows, or the port's value if it belongs to no channel.
fn show(bench: &Bench<'_>, ports: &[u64], port: &str) -> String {
    for (channel, place) in bench.channels().iter().zip(bench.places()) {
        if port.strip_prefix(channel.name).is_some_and(|rest| rest.starts_with('_')) {
            let view = place.view(ports);
            return match (view.valid, view.ready) {
                (true, _) if !place.is_input => format!("offers {}", channel.show(view.payload)),
                (true, true) => "takes the offer".to_string(),
                (true, false) => "does not take the offer".to_string(),
                (false, _) => "offers nothing".to_string(),
            };
        }
    }
    let slot = bench.layout().output(port).expect("what is compared is an output");
    let words = &ports[bench.layout().input_words()..][slot.range()];
    format!("0x{:x}", warpsmith_rtl::Bits::from_words(slot.width, words))
}

fn history(bench: &Bench<'_>, clocks: &[Vec<u64>]) -> Vec<String> {
    let layout = bench.layout();
    let rst = layout.input("rst").expect("every module has a reset").offset;
    let mut lines = Vec::new();
    for (clock, ports) in clocks.iter().enumerate() {
        if ports[rst] != 0 {
            let strap = |strap: &warpsmith_blocks::channel::Strap| {
                let value = ports[layout.input(strap.name)?.offset];
                Some(format!(" {}={value}", strap.name))
            };
            let straps: String = bench.straps().iter().filter_map(strap).collect();
            lines.push(format!("{clock}: reset{straps}"));
            continue;
        }
        for (channel, place) in bench.channels().iter().zip(bench.places()) {
            let view = place.view(ports);
            if view.valid {
                let waits = if view.ready { "" } else { " (waits)" };
                let (name, payload) = (channel.name, channel.show(view.payload));
                lines.push(format!("{clock}: {name} {payload}{waits}"));
            }
        }
    }
    lines
}
