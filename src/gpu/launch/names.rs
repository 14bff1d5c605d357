//! Names of kernels in a launch file.

use super::file::LaunchFile;
use super::prepare::LaunchFileError;

impl LaunchFile {
    /// The kernels of a module that the file launches, by the names that they have in PTX.
    ///
    /// # Errors
    /// If a name is none of a kernel, or none is given where there are several kernels.
    pub fn kernels(&self, known: &[String]) -> Result<Vec<String>, LaunchFileError> {
        let file = self.kernel.as_ref();
        if self.launches.is_empty() {
            return Ok(vec![name_of_kernel(known, file)?]);
        }
        let entries = self.launches.iter();
        entries.map(|entry| name_of_kernel(known, entry.kernel.as_ref().or(file))).collect()
    }
}

/// The kernel of a name, or the only kernel where there is no name.
pub(super) fn name_of_kernel(
    known: &[String],
    name: Option<&String>,
) -> Result<String, LaunchFileError> {
    match (name, known) {
        (None, [only]) => Ok(only.clone()),
        (None, _) => {
            Err(LaunchFileError::NoKernel { wanted: "named".into(), known: known.to_vec() })
        }
        (Some(name), _) if known.contains(name) => Ok(name.clone()),
        (Some(name), _) => {
            Err(LaunchFileError::NoKernel { wanted: name.clone(), known: known.to_vec() })
        }
    }
}
