//! Macros modelled by CACTI.

use super::{Estimate, Memory, Timing};
use crate::flow::cacti::{self, Cacti, Shape};

/// A memory's shape.
pub fn shape(memory: &Memory<'_>) -> Shape {
    let ports = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    Shape {
        rows: memory.ir.rows.into(),
        width: memory.ir.width.into(),
        read_ports: ports(memory.ir.read_ports.len()),
        write_ports: ports(memory.ir.write_ports.len()),
        read_write_ports: 0,
    }
}

/// CACTI's estimate of a memory at a clock.
pub fn estimate(
    memory: &Memory<'_>,
    cacti: &Cacti,
    said: &cacti::Estimate,
    clock_mhz: f64,
) -> Estimate {
    let nanometres = said.nanometres;
    let modelled = said.modelled;
    let mut notes = vec![format!(
        "CACTI at {nanometres} nm, {modelled}: {:.3} ns from clock to data, {:.3} ns between \
         accesses, {:.2} pJ a read, {:.2} pJ a write, {:.2} mW leakage at 360 K. It gives no set-up \
         time: none is counted. Power has every port used at every clock",
        said.access_ns, said.cycle_ns, said.read_pj, said.write_pj, said.leakage_mw
    )];
    if modelled != shape(memory) {
        notes.push(format!(
            "{}x{} is enlarged for CACTI, which computes whole bytes and at least 32 rows and \
             64 bytes",
            memory.ir.rows, memory.ir.width
        ));
    }
    Estimate {
        becomes: format!("macro of {}x{}", modelled.rows, modelled.width),
        source: format!("{} at {nanometres} nm", cacti.program.version_text),
        area_um2: said.area_um2,
        timing: Some(Timing {
            clock_to_data_ns: said.access_ns,
            setup_ns: 0.0,
            cycle_ns: Some(said.cycle_ns),
        }),
        power_mw: Some(said.power_mw(clock_mhz)),
        notes,
    }
}
