//! From a launch file to launches: buffers are allocated and filled, parameters packed, and the
//! expected contents are kept for the end.

use std::path::Path;

use super::argument::{Buffer, Given, MOST_BYTES, scalar};
use super::file::{LaunchEntry, LaunchFile, Setting};
use super::names::name_of_kernel;
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
        /// The requested name.
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
    /// No argument of this name.
    #[error("no argument {wanted}; there are: {}", .known.join(", "))]
    NoArgument {
        /// The requested name.
        wanted: String,
        /// What there is.
        known: Vec<String>,
    },
    /// Two arguments of one name.
    #[error("two arguments are named {name}")]
    Twice {
        /// The name.
        name: String,
    },
    /// Nothing would be launched.
    #[error("repeat = 0: 1 or more is accepted")]
    Repeat,
    /// More than three axes, or none.
    #[error("{field}: one to three numbers are accepted, not {found}")]
    Axes {
        /// `grid` or `block`.
        field: &'static str,
        /// Numbers given.
        found: usize,
    },
}

/// Launches with their memory.
#[derive(Debug)]
pub struct Prepared<'a> {
    /// Kernels and their launches, in order.
    pub launches: Vec<(&'a Kernel, Launch)>,
    /// How often all of them are made.
    pub repeat: u32,
    /// Global memory, with the variables of the module and the buffers.
    pub device: Device,
    arguments: Arguments,
    checks: Vec<Check>,
}

/// Prepares launches. Files are looked for beside the launch file, in `folder`.
///
/// # Errors
/// If the file does not fit the module, or contradicts itself.
pub fn prepare<'a>(
    program: &'a Program,
    file: &LaunchFile,
    folder: &Path,
) -> Result<Prepared<'a>, LaunchFileError> {
    if file.repeat == 0 {
        return Err(LaunchFileError::Repeat);
    }
    let alone = [LaunchEntry::default()];
    let entries = if file.launches.is_empty() { &alone[..] } else { &file.launches };
    let mut device = Device::default();
    device.allocate("the variables of the module", program.globals.len());
    if let Some(globals) = device.get_mut(GLOBALS_BASE, program.globals.len()) {
        globals.copy_from_slice(&program.globals);
    }
    let kernels = entries.iter().map(|entry| {
        let kernel = kernel(program, entry.kernel.as_ref().or(file.kernel.as_ref()))?;
        let found = entry.arguments.as_ref().map_or(file.arguments.len(), Vec::len);
        let wanted = kernel.parameters.len();
        if found != wanted {
            let kernel = program.body(kernel).name.clone();
            return Err(LaunchFileError::Count { kernel, found, wanted });
        }
        Ok(kernel)
    });
    let kernels = kernels.collect::<Result<Vec<_>, _>>()?;
    let (arguments, checks) = Arguments::place(file, folder, &mut device)?;
    let launches = entries.iter().zip(kernels).map(|(entry, kernel)| {
        Ok((
            kernel,
            Launch {
                grid: axes("grid", entry.grid.as_ref().unwrap_or(&file.grid))?,
                block: axes("block", entry.block.as_ref().unwrap_or(&file.block))?,
                dynamic_shared: entry.shared.unwrap_or(file.shared),
                parameters: arguments.pack(entry, kernel, &device)?,
                resident: file.resident,
                watchdog: file.watchdog,
            },
        ))
    });
    let launches = launches.collect::<Result<_, _>>()?;
    Ok(Prepared { launches, repeat: file.repeat, device, arguments, checks })
}

/// The arguments of a file by name, in order.
#[derive(Debug)]
struct Arguments(Vec<(String, Given)>);

impl Arguments {
    /// Allocates and fills the buffers.
    fn place(
        file: &LaunchFile,
        folder: &Path,
        device: &mut Device,
    ) -> Result<(Self, Vec<Check>), LaunchFileError> {
        let mut arguments: Vec<(String, Given)> = Vec::new();
        let mut checks = Vec::new();
        let mut total = 0;
        for (at, argument) in file.arguments.iter().enumerate() {
            let name = argument.name.clone().unwrap_or_else(|| format!("{at}"));
            if arguments.iter().any(|(other, _)| *other == name) {
                return Err(LaunchFileError::Twice { name });
            }
            let wrong = |what| LaunchFileError::Argument { name: name.clone(), what };
            let given = match argument.value {
                Some(value) => scalar(argument, value).map_err(wrong)?,
                None => {
                    let buffer = Buffer::new(argument, folder).map_err(wrong)?;
                    total += buffer.contents.len();
                    if total > MOST_BYTES {
                        return Err(wrong(format!("more than {MOST_BYTES} bytes of buffers")));
                    }
                    let (given, check) = buffer.place(&name, device);
                    checks.extend(check);
                    given
                }
            };
            arguments.push((name, given));
        }
        Ok((Self(arguments), checks))
    }

    fn named(&self, wanted: &str) -> Result<&Given, LaunchFileError> {
        let found = self.0.iter().find(|(name, _)| name == wanted);
        found.map(|(_, given)| given).ok_or_else(|| LaunchFileError::NoArgument {
            wanted: wanted.into(),
            known: self.0.iter().map(|(name, _)| name.clone()).collect(),
        })
    }

    /// The parameter space of a launch.
    fn pack(
        &self,
        entry: &LaunchEntry,
        kernel: &Kernel,
        device: &Device,
    ) -> Result<Vec<u8>, LaunchFileError> {
        let names: Vec<&str> = match &entry.arguments {
            Some(names) => names.iter().map(String::as_str).collect(),
            None => self.0.iter().map(|(name, _)| name.as_str()).collect(),
        };
        for name in entry.set.keys() {
            self.named(name)?;
            if !names.contains(&name.as_str()) {
                let what = "it is set, but this launch does not take it".to_string();
                return Err(LaunchFileError::Argument { name: name.clone(), what });
            }
        }
        let mut parameters = vec![0; kernel.parameter_bytes as usize];
        for (name, parameter) in names.into_iter().zip(&kernel.parameters) {
            let wrong = |what| LaunchFileError::Argument { name: name.into(), what };
            let given = match entry.set.get(name) {
                None => self.named(name)?.clone(),
                Some(Setting::Name(other)) => self.named(other)?.clone(),
                Some(Setting::Number(value)) => self.named(name)?.with(*value).map_err(wrong)?,
            };
            let bytes = given.pass(parameter, device).map_err(wrong)?;
            let start = parameter.offset as usize;
            parameters[start..start + bytes.len()].copy_from_slice(&bytes);
        }
        Ok(parameters)
    }
}

impl Prepared<'_> {
    /// Where a buffer is: its address and its bytes.
    ///
    /// # Errors
    /// If no argument has the name, or it is a scalar.
    pub fn buffer(&self, name: &str) -> Result<(u64, usize), LaunchFileError> {
        match *self.arguments.named(name)? {
            Given::Buffer { address, bytes, .. } => Ok((address, bytes)),
            Given::Scalar { .. } => {
                let what = "a scalar: buffers are accepted".to_string();
                Err(LaunchFileError::Argument { name: name.into(), what })
            }
        }
    }

    /// Compares the buffers with what is expected of them.
    pub fn results(&self, device: &Device) -> Vec<ResultOf> {
        self.checks.iter().map(|check| check.result(device)).collect()
    }
}

fn kernel<'a>(program: &'a Program, name: Option<&String>) -> Result<&'a Kernel, LaunchFileError> {
    let name = name_of_kernel(&program.kernel_names, name)?;
    let known = || program.kernel_names.clone();
    program
        .kernel(&name)
        .ok_or_else(|| LaunchFileError::NoKernel { wanted: name.clone(), known: known() })
}

fn axes(field: &'static str, given: &[u32]) -> Result<[u32; 3], LaunchFileError> {
    match *given {
        [x] => Ok([x, 1, 1]),
        [x, y] => Ok([x, y, 1]),
        [x, y, z] => Ok([x, y, z]),
        _ => Err(LaunchFileError::Axes { field, found: given.len() }),
    }
}
