//! The compared figures, each with its unit.

use super::Figures;
use crate::flow::synth::record::{AsicArea, FpgaArea, SynthRecord};

/// One figure of a design.
#[derive(Debug)]
pub struct Metric {
    /// Name in options, tables and files.
    pub name: &'static str,
    /// Description.
    pub what: &'static str,
    /// Its unit; empty for a count.
    pub unit: &'static str,
    /// Whether more of it is better.
    pub more_is_better: bool,
    /// Tolerance of a new baseline in percent.
    pub tolerance_percent: f64,
    /// Reads it; none where the flow has no such figure.
    pub of: fn(&Figures) -> Option<f64>,
}

/// All metrics, in the order of tables.
pub const METRICS: &[Metric] = &[
    less("lut", "look-up tables", "", 2.0, |f| Some(fpga(f)?.lut as f64)),
    less("ff", "flip-flops", "", 0.0, |f| Some(fpga(f)?.ff as f64)),
    less("bram", "block RAMs", "", 0.0, |f| Some(fpga(f)?.bram as f64)),
    less("cells", "standard cells", "", 2.0, |f| Some(asic(f)?.cells as f64)),
    less("kge", "standard cells", "kGE", 2.0, |f| Some(asic(f)?.kge)),
    less("logic_um2", "area of standard cells", "um2", 2.0, |f| Some(asic(f)?.logic_um2)),
    less("ram_um2", "area of RAMs", "um2", 0.0, |f| asic(f)?.ram_um2),
    Metric {
        name: "fmax",
        what: "highest clock frequency, median of the seeds",
        unit: "MHz",
        more_is_better: true,
        tolerance_percent: 5.0,
        of: |f| Some(synth(f)?.fmax.as_ref()?.median_mhz),
    },
    less("dynamic_mw", "dynamic power", "mW", 10.0, |f| synth(f)?.power.as_ref()?.dynamic_mw),
    less("leakage_mw", "leakage", "mW", 5.0, |f| synth(f)?.power.as_ref()?.leakage_mw),
    less("clocks_per_request", "clocks per request", "", 1.0, |f| {
        Some(f.cosim.as_ref()?.clocks_per_request)
    }),
];

const fn less(
    name: &'static str,
    what: &'static str,
    unit: &'static str,
    tolerance_percent: f64,
    of: fn(&Figures) -> Option<f64>,
) -> Metric {
    Metric { name, what, unit, more_is_better: false, tolerance_percent, of }
}

fn synth(figures: &Figures) -> Option<&SynthRecord> {
    figures.synth.as_ref()
}

fn fpga(figures: &Figures) -> Option<&FpgaArea> {
    synth(figures)?.fpga.as_ref()
}

fn asic(figures: &Figures) -> Option<&AsicArea> {
    synth(figures)?.asic.as_ref()
}

/// The metric of that name.
pub fn find(name: &str) -> Option<&'static Metric> {
    METRICS.iter().find(|metric| metric.name == name)
}

impl Metric {
    /// Name and unit for a column header.
    pub fn head(&self) -> String {
        match self.unit {
            "" => self.name.to_string(),
            // The name already ends with the unit.
            unit if self.name.ends_with(unit) || self.name.ends_with(&unit.to_lowercase()) => {
                self.name.to_string()
            }
            unit => format!("{} ({unit})", self.name),
        }
    }

    /// Description and unit for an axis.
    pub fn axis(&self) -> String {
        match self.unit {
            "" => self.what.to_string(),
            unit => format!("{} ({unit})", self.what),
        }
    }
}
