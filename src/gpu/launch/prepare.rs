//! From a launch file to a launch: buffers are allocated and filled, parameters packed, and the
//! expected contents are kept for the end.

use std::path::Path;

use super::argument::{Buffer, MOST_BYTES, scalar};
use super::file::LaunchFile;
use super::results::{Check, ResultOf};
use crate::gpu::isa::{GLOBALS_BASE, Kernel, Program};
use crate::gpu::machine::Launch;
use crate::gpu::memory::Device;

/// What is wrong with a launch file.
#[derive(Debug, thiserror::Error)]
pub enum LaunchFileError {
    /// No such kernel.
    #[error("no kernel {wanted}; the module has: {}", .known.join(", "))]
    NoKernel {
        /// What was asked for.
        wanted: String,
        /// What there is.
        known: Vec<String>,
    },
    /// The kernel takes other arguments.
    #[error("{found} arguments: kernel {kernel} takes {wanted}")]
    Count {
        /// The kernel.
        kernel: String,
        /// What was given.
        found: usize,
        /// What it takes.
        wanted: usize,
    },
    /// Something is wrong with an argument.
    #[error("argument {name}: {what}")]
    Argument {
        /// Name or number.
        name: String,
        /// What is wrong.
        what: String,
    },
    /// More than three axes, or none.
    #[error("{field}: one to three numbers are accepted, not {found}")]
    Axes {
        /// `grid` or `block`.
        field: &'static str,
        /// Numbers given.
        found: usize,
    },
}

/// A launch with its memory.
#[derive(Debug)]
pub struct Prepared<'a> {
    /// The kernel.
    pub kernel: &'a Kernel,
    /// The launch.
    pub launch: Launch,
    /// Global memory, with the variables of the module and the buffers.
    pub device: Device,
    checks: Vec<Check>,
}

/// Prepares a launch. Files are looked for beside the launch file, in `folder`.
pub fn prepare<'a>(
    program: &'a Program,
    file: &LaunchFile,
    folder: &Path,
) -> Result<Prepared<'a>, LaunchFileError> {
    let kernel = kernel(program, file)?;
    let (found, wanted) = (file.arguments.len(), kernel.parameters.len());
    if found != wanted {
        let kernel = program.body(kernel).name.clone();
        return Err(LaunchFileError::Count { kernel, found, wanted });
    }
    let mut device = Device::default();
    device.allocate("the variables of the module", program.globals.len());
    if let Some(globals) = device.get_mut(GLOBALS_BASE, program.globals.len()) {
        globals.copy_from_slice(&program.globals);
    }
    let mut parameters = vec![0; kernel.parameter_bytes as usize];
    let mut checks = Vec::new();
    let mut total = 0;
    for (at, (argument, parameter)) in file.arguments.iter().zip(&kernel.parameters).enumerate() {
        let name = argument.name.clone().unwrap_or_else(|| format!("{at}"));
        let wrong = |what| LaunchFileError::Argument { name: name.clone(), what };
        let bytes = match argument.value {
            Some(value) => scalar(argument, value, parameter).map_err(wrong)?,
            None => {
                let buffer = Buffer::new(argument, folder).map_err(wrong)?;
                total += buffer.contents.len();
                if total > MOST_BYTES {
                    return Err(wrong(format!("more than {MOST_BYTES} bytes of buffers")));
                }
                let pass = buffer.pass(&name, parameter, &mut device);
                let (bytes, check) = pass.map_err(wrong)?;
                checks.extend(check);
                bytes
            }
        };
        let start = parameter.offset as usize;
        parameters[start..start + bytes.len()].copy_from_slice(&bytes);
    }
    let launch = Launch {
        grid: axes("grid", &file.grid)?,
        block: axes("block", &file.block)?,
        dynamic_shared: file.shared,
        parameters,
        resident: file.resident,
        watchdog: file.watchdog,
    };
    Ok(Prepared { kernel, launch, device, checks })
}

impl Prepared<'_> {
    /// Compares the buffers with what is expected of them.
    pub fn results(&self, device: &Device) -> Vec<ResultOf> {
        self.checks.iter().map(|check| check.result(device)).collect()
    }
}

fn kernel<'a>(program: &'a Program, file: &LaunchFile) -> Result<&'a Kernel, LaunchFileError> {
    let known = || program.kernel_names().into_iter().map(String::from).collect();
    match (&file.kernel, &program.kernels[..]) {
        (None, [only]) => Ok(only),
        (None, _) => Err(LaunchFileError::NoKernel { wanted: "named".into(), known: known() }),
        (Some(name), _) => program
            .kernel(name)
            .ok_or_else(|| LaunchFileError::NoKernel { wanted: name.clone(), known: known() }),
    }
}

fn axes(field: &'static str, given: &[u32]) -> Result<[u32; 3], LaunchFileError> {
    match *given {
        [x] => Ok([x, 1, 1]),
        [x, y] => Ok([x, y, 1]),
        [x, y, z] => Ok([x, y, z]),
        _ => Err(LaunchFileError::Axes { field, found: given.len() }),
    }
}
