//! What a synthesis would use, known before it runs.

use serde_json::{Value, json};

use super::Target;
use super::asic::RamSource;
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
        let family = match self {
            Target::Fpga(family) => family,
            Target::Asic(_) => todo!(),
        };
        let router = family.router().map(|router| router.tool);
        let tools = [Some(&YOSYS), router].into_iter().flatten();
        let tools = tools.map(|tool| Ok(ToolUsed::from(&tool.find()?)));
        Ok(Uses { tools: tools.collect::<Result<_, FlowError>>()?, libraries: Vec::new() })
    }

    /// The target and its options, libraries left out: the same value, the same flow.
    pub fn identity(&self) -> Value {
        match self {
            Target::Fpga(family) => json!(family.name()),
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
