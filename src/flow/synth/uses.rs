//! The tools and libraries of a synthesis, known before it runs.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::asic::RamSource;
use super::record::{Library, ToolUsed};
use super::{Target, asic};
use crate::flow::FlowError;
use crate::flow::yosys::YOSYS;

/// Tools and libraries, as in the record of the synthesis.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Uses {
    /// Programs with their versions.
    pub tools: Vec<ToolUsed>,
    /// Cell libraries.
    pub libraries: Vec<Library>,
}

impl Target {
    /// The tools and libraries that a synthesis for this target uses.
    ///
    /// # Errors
    /// Fails if a tool is missing or too old, or a library cannot be read.
    pub fn uses(&self) -> Result<Uses, FlowError> {
        let family = match self {
            Target::Fpga(family) => family,
            Target::Asic(options) => return asic::uses(options),
        };
        let router = family.router().map(|router| router.tool);
        let tools = [Some(&YOSYS), router].into_iter().flatten();
        let tools = tools.map(|tool| Ok(ToolUsed::from(&tool.find()?)));
        Ok(Uses { tools: tools.collect::<Result<_, FlowError>>()?, libraries: Vec::new() })
    }

    /// The target and its options without what [`Uses`] names: equal values mean the same flow.
    ///
    /// # Errors
    /// Fails if the RAM macros cannot be read.
    pub fn identity(&self) -> Result<Value, FlowError> {
        let options = match self {
            Target::Fpga(family) => return Ok(json!(family.name())),
            Target::Asic(options) => options,
        };
        let ram = match &options.ram {
            None => Value::Null,
            Some(RamSource::Cacti { nanometres }) => json!({ "cacti_nm": nanometres }),
            Some(RamSource::Liberty(folder)) => json!({ "liberty_sha256": hash(folder)? }),
            Some(RamSource::PerBit(area)) => json!({ "um2_per_bit": area }),
        };
        Ok(json!({
            "ram_above_bits": options.ram_above_bits,
            "activity": options.activity,
            "ram": ram,
        }))
    }
}

/// Hash of a folder's file names and contents.
fn hash(folder: &Path) -> Result<String, FlowError> {
    let failed = |path: &Path| {
        let path = path.to_owned();
        |source| FlowError::File { path, source }
    };
    let files = fs::read_dir(folder).map_err(failed(folder))?;
    let mut paths: Vec<PathBuf> = files.flatten().map(|file| file.path()).collect();
    paths.retain(|path| path.is_file());
    paths.sort();
    let mut hash = Sha256::new();
    for path in &paths {
        let bytes = fs::read(path).map_err(failed(path))?;
        hash.update(path.file_name().unwrap_or_default().as_encoded_bytes());
        hash.update((bytes.len() as u64).to_le_bytes());
        hash.update(bytes);
    }
    Ok(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}
