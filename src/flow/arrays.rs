//! The arrays that a paper counts, and our circuits' memories, as CACTI models them.

use std::time::Duration;

use serde::Serialize;
use warpsmith_blocks::block::Design;
use warpsmith_blocks::claim::{Array, Counterpart};

use super::cacti::{Cacti, Estimate, Shape};
use super::folder::Folder;
use super::synth::asic::memory_shapes;
use super::{FlowError, Tell};

/// An array with CACTI's estimate of one copy.
#[derive(Clone, Debug, Serialize)]
pub struct Modelled {
    /// The array.
    #[serde(flatten)]
    pub array: Array,
    /// Whether it is a memory of our circuit.
    pub is_ours: bool,
    /// Estimate of one copy.
    pub estimate: Estimate,
    /// Area of all copies in square millimetres.
    pub area_mm2: f64,
    /// Power of all copies in milliwatts, every port used at every clock.
    pub power_mw: f64,
    /// Leakage's share of the power, in milliwatts.
    pub leakage_mw: f64,
    /// Area in percent of the area that the paper compares with.
    pub percent_of_yardstick: Option<f64>,
    /// The memories of our circuits that implement the array, if any.
    pub ours: Option<Memories>,
}

/// Memories of our circuits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Memories {
    /// Bytes that they hold.
    pub bytes: f64,
    /// Area in square millimetres.
    pub area_mm2: f64,
    /// Power in milliwatts, every port used at every clock.
    pub power_mw: f64,
    /// Leakage's share of the power, in milliwatts.
    pub leakage_mw: f64,
}

/// Models the arrays of a design's paper, then the memories of its circuit.
///
/// # Errors
/// Returns [`FlowError`] if a tool is missing or fails.
pub fn model(
    design: &dyn Design,
    cacti: &Cacti,
    nanometres: u32,
    folder: &Folder,
    limit: Duration,
    tell: Tell<'_>,
) -> Result<Vec<Modelled>, FlowError> {
    let paper = design.arrays();
    let Some(clock_mhz) = paper.first().map(|array| array.clock_mhz) else { return Ok(Vec::new()) };
    let (names, shapes): (Vec<_>, Vec<_>) = memory_shapes(&design.circuit()).into_iter().unzip();
    let of_paper = paper.len();
    let ours = names.iter().zip(shapes).map(|(name, shape)| Array {
        what: format!("memory {name} of our circuit"),
        source: "",
        rows: shape.rows,
        width: shape.width,
        read_ports: shape.read_ports,
        write_ports: shape.write_ports,
        read_write_ports: shape.read_write_ports,
        copies: 1,
        clock_mhz,
        is_yardstick: false,
        paper_area_mm2: None,
        paper_power_mw: None,
        counterpart: None,
    });
    let all: Vec<_> = paper.into_iter().map(|array| (array, false)).collect();
    let all: Vec<_> = all.into_iter().chain(ours.map(|array| (array, true))).collect();
    let mut modelled = Vec::new();
    for (i, (array, is_ours)) in all.into_iter().enumerate() {
        tell(&format!("CACTI: {}", array.what));
        let name = format!("{}-{i}", design.name());
        let estimate = cacti.estimate(folder, &name, &shape(&array), nanometres, limit)?;
        let copies = f64::from(array.copies);
        modelled.push(Modelled {
            is_ours,
            area_mm2: estimate.area_um2 * copies * 1e-6,
            power_mw: estimate.power_mw(array.clock_mhz) * copies,
            leakage_mw: estimate.leakage_mw * copies,
            percent_of_yardstick: None,
            ours: None,
            array,
            estimate,
        });
    }
    let yardstick = modelled.iter().find(|m| m.array.is_yardstick).map(|m| m.area_mm2);
    for item in modelled.iter_mut().filter(|item| !item.array.is_yardstick) {
        item.percent_of_yardstick = yardstick.map(|area| item.area_mm2 / area * 100.0);
    }
    for index in 0..of_paper {
        let Some(counterpart) = &modelled[index].array.counterpart else { continue };
        let memories = names.iter().zip(&modelled[of_paper..]);
        modelled[index].ours = memories_of(counterpart, memories);
    }
    Ok(modelled)
}

/// The memories of all units that implement an array.
fn memories_of<'m>(
    counterpart: &Counterpart,
    memories: impl Iterator<Item = (&'m String, &'m Modelled)>,
) -> Option<Memories> {
    let takes_its_place = |path: &str| {
        let name = path.rsplit('.').next().unwrap_or(path);
        counterpart.memories.iter().any(|begin| name.starts_with(begin))
    };
    let mut sum = None;
    for (_, memory) in memories.filter(|(name, _)| takes_its_place(name)) {
        let units = f64::from(counterpart.units);
        let all: &mut Memories = sum.get_or_insert_default();
        all.bytes += units * (memory.array.rows * memory.array.width) as f64 / 8.0;
        all.area_mm2 += units * memory.area_mm2;
        all.power_mw += units * memory.power_mw;
        all.leakage_mw += units * memory.leakage_mw;
    }
    sum
}

fn shape(array: &Array) -> Shape {
    Shape {
        rows: array.rows,
        width: array.width,
        read_ports: array.read_ports,
        write_ports: array.write_ports,
        read_write_ports: array.read_write_ports,
    }
}
