//! Notes that qualify the figures of a record.

use super::harness::Ports;
use super::place::Placed;

/// For a family without place and route.
pub const NO_ROUTER: &str = "no Fmax: no open place and route is used for this family";

/// For a critical path within the harness.
pub const IN_HARNESS: &str =
    "the critical path lies in the harness: the block is at least as fast as that";

/// For a placement: the harness, and how full the device is.
pub fn placement(placed: &Placed, ports: &Ports) -> Vec<String> {
    let (inputs, outputs) = ports.bits();
    let used = placed.resources.iter().filter(|resource| resource.used > 0);
    let used: Vec<_> = used.map(|r| format!("{} {} of {}", r.name, r.used, r.available)).collect();
    let mut notes = vec![
        format!(
            "Fmax is that of the block between flip-flops: a harness has one before each of its \
             {inputs} input bits and two behind each of its {outputs} output bits; area is \
             without them"
        ),
        format!("used with the harness: {}", used.join(", ")),
    ];
    if !placed.passed_over.is_empty() {
        let devices = placed.passed_over.join("; ");
        notes.push(format!("fits by count, but could not be placed and routed on: {devices}"));
    }
    notes
}
