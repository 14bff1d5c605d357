//! What a synthesis would use, known before it runs.

use serde_json::{Value, json};

use super::Target;
use super::asic::RamSource;
use super::fpga::Family;
use super::record::{Library, ToolUsed};
use crate::flow::FlowError;
use crate::flow::yosys::YOSYS;

/// Tools and libraries, as the record of the synthesis will name them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Uses {
    /// Programs with their versions.
    pub tools: Vec<ToolUsed>,
    /// Cell libraries.
    pub libraries: Vec<Library>,
}

impl Target {
    /// What a synthesis for this target would use.
    ///
    /// # Errors
    /// If a tool is missing or too old, or a library cannot be read.
    pub fn uses(&self) -> Result<Uses, FlowError> {
        Ok(Uses { tools: vec![(&YOSYS.find()?).into()], libraries: Vec::new() })
    }

    /// The target and its options, libraries left out: the same value, the same flow.
    pub fn identity(&self) -> Value {
        match self {
            Target::Fpga(family) => json!(match family {
                Family::Ecp5 => "ecp5",
                Family::Ice40 => "ice40",
                Family::Xc7 => "xc7",
            }),
            Target::Asic(options) => json!({
                "ram_above_bits": options.ram_above_bits,
                "activity": options.activity,
                "ram": options.ram.as_ref().map(|ram| match ram {
                    RamSource::Cacti { nanometres } => json!({ "cacti_nm": nanometres }),
                    RamSource::Liberty(folder) => json!({ "liberty": folder }),
                    RamSource::PerBit(area) => json!({ "um2_per_bit": area }),
                }),
            }),
        }
    }
}
