//! The arrays that a paper counts, and the memories of our circuit, as CACTI models them.

use std::time::Duration;

use serde::Serialize;
use warpsmith_blocks::block::Design;
use warpsmith_blocks::claim::Array;

use super::cacti::{Cacti, Estimate, Shape};
use super::folder::Folder;
use super::synth::asic::memory_shapes;
use super::{FlowError, Tell};

/// An array with what CACTI says of one of it.
#[derive(Clone, Debug, Serialize)]
pub struct Modelled {
    /// The array.
    #[serde(flatten)]
    pub array: Array,
    /// Whether it is a memory of our circuit.
    pub is_ours: bool,
    /// One of it.
    pub estimate: Estimate,
    /// Area of all copies in square millimetres.
    pub area_mm2: f64,
    /// Power of all copies in milliwatts, every port used at every clock.
    pub power_mw: f64,
    /// Its area in percent of what the paper measures by.
    pub percent_of_yardstick: Option<f64>,
}

/// Models the arrays of a design's paper, then the memories of its circuit.
///
/// # Errors
/// See [`FlowError`].
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
    let ours = memory_shapes(&design.circuit()).into_iter().map(|(name, shape)| Array {
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
            percent_of_yardstick: None,
            array,
            estimate,
        });
    }
    let yardstick = modelled.iter().find(|m| m.array.is_yardstick).map(|m| m.area_mm2);
    for one in modelled.iter_mut().filter(|one| !one.array.is_yardstick) {
        one.percent_of_yardstick = yardstick.map(|area| one.area_mm2 / area * 100.0);
    }
    Ok(modelled)
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
