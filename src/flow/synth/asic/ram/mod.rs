//! Memories that become RAM macros, and the source's estimate of each.

pub(super) mod cacti;
pub(super) mod liberty;
pub(super) mod macros;

use std::collections::BTreeMap;

use warpsmith_rtl::Module;
use warpsmith_rtl::ir;
use warpsmith_rtl::verilog::memory_module_name;

use crate::flow::synth::record::Ram;

/// A memory in the design.
pub(super) struct Memory<'m> {
    /// Instance path, separated by dots; also the name of its cell.
    pub path: String,
    /// Its Verilog module.
    pub module: String,
    /// Its shape and ports.
    pub ir: &'m ir::Memory,
    /// Whether it becomes a macro.
    pub is_macro: bool,
}

/// A source's estimate of a memory as a macro.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Estimate {
    /// Description of the macro.
    pub becomes: String,
    /// Origin of the figures.
    pub source: String,
    /// Square micrometres.
    pub area_um2: f64,
    /// Timing, if the source gives it.
    pub timing: Option<Timing>,
    /// Milliwatts with every port used at every clock, if the source gives it.
    pub power_mw: Option<f64>,
    /// Notes that qualify the figures.
    pub notes: Vec<String>,
}

/// Timing of a macro.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Timing {
    /// From the clock edge to read data, in nanoseconds.
    pub clock_to_data_ns: f64,
    /// Set-up time of the inputs in nanoseconds.
    pub setup_ns: f64,
    /// Minimum clock period in nanoseconds, if known.
    pub cycle_ns: Option<f64>,
}

/// All memories of a design; those of more than `above` bits become macros.
pub(super) fn memories(top: &Module, above: u64) -> Vec<Memory<'_>> {
    let mut found = Vec::new();
    collect(top, "", above, &mut found);
    found
}

fn collect<'m>(module: &'m Module, prefix: &str, above: u64, found: &mut Vec<Memory<'m>>) {
    for memory in &module.memories {
        found.push(Memory {
            path: format!("{prefix}{}", memory.name),
            module: memory_module_name(&module.name, memory),
            is_macro: memory.is_macro_above(above),
            ir: memory,
        });
    }
    for instance in &module.instances {
        collect(&instance.module, &format!("{prefix}{}.", instance.name), above, found);
    }
}

/// The memories' part of a record.
pub(super) fn records(memories: &[Memory<'_>], estimates: &BTreeMap<String, Estimate>) -> Vec<Ram> {
    let record = |memory: &Memory<'_>| {
        let estimate = estimates.get(&memory.module).filter(|_| memory.is_macro);
        Ram {
            name: memory.path.clone(),
            rows: memory.ir.rows,
            width: memory.ir.width,
            bits: u64::from(memory.ir.rows) * u64::from(memory.ir.width),
            mapped_to: match estimate {
                Some(estimate) => estimate.becomes.clone(),
                None if memory.is_macro => "a macro".to_string(),
                None => "flip-flops".to_string(),
            },
            area_um2: estimate.map(|estimate| estimate.area_um2),
            source: estimate.map(|estimate| estimate.source.clone()),
            cycle_ns: estimate.and_then(|estimate| estimate.timing?.cycle_ns),
        }
    };
    memories.iter().map(record).collect()
}

/// A macro with a fixed area per bit in square micrometres.
pub(super) fn per_bit(memory: &Memory<'_>, area_um2: f64) -> Estimate {
    let bits = u64::from(memory.ir.rows) * u64::from(memory.ir.width);
    Estimate {
        becomes: "a macro".to_string(),
        source: format!("{area_um2} um2 per bit, as stated"),
        area_um2: area_um2 * bits as f64,
        timing: None,
        power_mw: None,
        notes: Vec::new(),
    }
}
