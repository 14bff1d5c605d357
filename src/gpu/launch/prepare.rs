//! From a launch file to launches: buffers are allocated and filled, parameters packed, and the
//! expected contents are kept for the end.

use std::path::Path;
use std::sync::Arc;

use super::argument::{Buffer, Given, MOST_BYTES, scalar};
use super::error::LaunchFileError;
use super::file::{Argument, LaunchEntry, LaunchFile, Setting};
use super::names::{find, name_of_kernel};
use super::results::{Check, ResultOf};
use super::texture::handles;
use crate::isa::{GLOBALS_BASE, Kernel, Program, ProgramVariable, Space, Type};
use crate::machine::{Checks, Launch};
use crate::memory::Device;
use crate::texture::Objects;

/// Launches with their memory.
#[derive(Debug)]
pub struct Prepared<'a> {
    /// Kernels and their launches, in order.
    pub launches: Vec<(&'a Kernel, Launch)>,
    /// How often all of them are made.
    pub repeat: u32,
    /// Global memory, with the variables of the module and the buffers.
    pub device: Device,
    /// Const memory, with the variables of the module.
    pub constants: Vec<u8>,
    objects: Arc<Objects>,
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
    device.fill(GLOBALS_BASE, &program.globals);
    if file.checks == Checks::Memory {
        device.keep_history();
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
    let mut memory = Memory { device, constants: program.constants.clone() };
    let mut arguments = Arguments { handles: handles(file, program)?, ..Arguments::default() };
    let mut checks = arguments.place(file, folder, program, &mut memory)?;
    let (objects, of_objects) = arguments.objects(file, folder, &mut memory.device)?;
    checks.extend(of_objects);
    let objects = Arc::new(objects);
    for variable in &file.variables {
        checks.extend(arguments.set(variable, folder, program, &mut memory)?);
    }
    let Memory { mut device, constants } = memory;
    let workspace = match program.needs_workspace {
        true => device.allocate("the workspace of cooperative groups", WORKSPACE.len()),
        false => 0,
    };
    device.fill(workspace, &WORKSPACE);
    if program.needs_heap {
        device.make_heap(file.heap);
    }
    let launches = entries.iter().zip(kernels).map(|(entry, kernel)| {
        Ok((
            kernel,
            Launch {
                cpus: 0,
                digest: false,
                grid: axes("grid", entry.grid.as_ref().unwrap_or(&file.grid))?,
                cluster: {
                    let given = entry.cluster.as_ref().or(file.cluster.as_ref());
                    given.map(|given| axes("cluster", given)).transpose()?
                },
                block: axes("block", entry.block.as_ref().unwrap_or(&file.block))?,
                dynamic_shared: entry.shared.unwrap_or(file.shared),
                objects: Arc::clone(&objects),
                parameters: arguments.pack(entry, kernel, program, &device)?,
                resident: file.resident,
                watchdog: file.watchdog,
                checks: file.checks,
                divergence: file.divergence,
                registers: file.registers,
                workspace,
            },
        ))
    });
    let launches = launches.collect::<Result<_, _>>()?;
    let repeat = file.repeat;
    Ok(Prepared { launches, repeat, device, constants, objects, arguments, checks })
}

/// Contents of the workspace of cooperative groups.
const WORKSPACE: [u8; 256] = [0; 256];

/// What is filled before the launches.
struct Memory {
    device: Device,
    constants: Vec<u8>,
}

/// The arguments of a file by name, in order.
#[derive(Debug, Default)]
pub(super) struct Arguments {
    pub(super) given: Vec<(String, Given)>,
    /// Handles of textures and surfaces, in the order of the file.
    pub(super) handles: Vec<(String, u64)>,
}

impl Arguments {
    /// Allocates and fills the buffers; what is expected of them.
    fn place(
        &mut self,
        file: &LaunchFile,
        folder: &Path,
        program: &Program,
        memory: &mut Memory,
    ) -> Result<Vec<Check>, LaunchFileError> {
        let mut placed = Vec::new();
        let mut total = 0;
        for (at, argument) in file.arguments.iter().enumerate() {
            let name = argument.name.clone().unwrap_or_else(|| format!("{at}"));
            let is_texture = self.handles.iter().any(|(other, _)| *other == name);
            if is_texture || self.given.iter().any(|(other, _)| *other == name) {
                return Err(LaunchFileError::Twice { name });
            }
            let wrong = |what| LaunchFileError::Argument { name: name.clone(), what };
            let given = match &argument.value {
                Some(value) => scalar(argument, value).map_err(wrong)?,
                None => {
                    let buffer = Buffer::new(argument, folder).map_err(wrong)?;
                    total += buffer.contents.bytes.len();
                    if total > MOST_BYTES {
                        return Err(wrong(format!("more than {MOST_BYTES} bytes of buffers")));
                    }
                    let (address, given) = buffer.allocate(&name, &mut memory.device);
                    placed.push((name.clone(), address, buffer));
                    given
                }
            };
            self.given.push((name, given));
        }
        // Pointers may be to buffers that come later.
        let checks = placed.into_iter().map(|(name, address, buffer)| {
            let bytes = buffer.contents.resolved(|to| self.address(to, program));
            let wrong = |what| LaunchFileError::Argument { name: name.clone(), what };
            let bytes = bytes.map_err(wrong)?;
            buffer.fill(&mut memory.device, address, &bytes);
            Ok(buffer.check(&name, address))
        });
        let checks = checks.collect::<Result<Vec<_>, _>>()?;
        Ok(checks.into_iter().flatten().collect())
    }

    /// Fills a variable of the module; what is expected of it.
    fn set(
        &self,
        variable: &Argument,
        folder: &Path,
        program: &Program,
        memory: &mut Memory,
    ) -> Result<Option<Check>, LaunchFileError> {
        let name = variable.name.clone().unwrap_or_default();
        let found = variable_named(&name, program)?.ok_or_else(|| {
            let known = program.variables.iter().map(|variable| variable.name.clone()).collect();
            LaunchFileError::NoVariable { wanted: name.clone(), known }
        })?;
        let wrong = |what| LaunchFileError::Variable { name: name.clone(), what };
        let mut whole = variable.clone();
        whole.values = whole.values.or(whole.value.take().map(|value| vec![value]));
        let is_filled = whole.fill.is_some() || whole.ramp.is_some() || whole.random.is_some();
        if is_filled && whole.count.is_none() {
            let size = Type::named(&whole.ty).map_or(1, |ty| u64::from(ty.bytes.max(1)));
            whole.count = Some((found.bytes / size) as usize);
        }
        let buffer = Buffer::new(&whole, folder).map_err(wrong)?;
        let bytes = buffer.contents.resolved(|to| self.address(to, program)).map_err(wrong)?;
        if bytes.len() as u64 != found.bytes {
            return Err(wrong(format!("{} bytes given, it has {}", bytes.len(), found.bytes)));
        }
        let start = found.offset as usize;
        match found.space {
            Space::Const => memory.constants[start..start + bytes.len()].copy_from_slice(&bytes),
            _ => memory.device.fill(found.offset, &bytes),
        }
        match (buffer.check(&name, found.offset), found.space) {
            (Some(_), Space::Const) => Err(wrong("constants do not change: expect nothing".into())),
            (check, _) => Ok(check),
        }
    }

    /// The address of a buffer or of a variable in global memory, or of a byte in it: `a+16`.
    fn address(&self, text: &str, program: &Program) -> Result<u64, String> {
        let (name, offset) = match text.rsplit_once('+') {
            Some((name, offset)) => match offset.trim().parse::<u64>() {
                Ok(offset) => (name.trim(), offset),
                Err(_) => (text, 0),
            },
            None => (text, 0),
        };
        let texture = self.handles.iter().find(|(other, _)| other == name);
        if let (Some((_, handle)), 0) = (texture, offset) {
            return Ok(*handle);
        }
        let variable = variable_named(name, program).map_err(|error| error.to_string())?;
        let start = match self.given.iter().find(|(other, _)| other == name) {
            Some((_, Given::Buffer { address, .. })) => Some(*address),
            Some(_) => None,
            None => variable.map(|variable| variable.space.window() + variable.offset),
        };
        let start = start.ok_or_else(|| format!("no buffer or variable {name} to point to"))?;
        Ok(start.wrapping_add(offset))
    }

    fn named(&self, wanted: &str) -> Result<&Given, LaunchFileError> {
        let found = self.given.iter().find(|(name, _)| name == wanted);
        found.map(|(_, given)| given).ok_or_else(|| LaunchFileError::NoArgument {
            wanted: wanted.into(),
            known: self.given.iter().map(|(name, _)| name.clone()).collect(),
        })
    }

    /// The parameter space of a launch.
    fn pack(
        &self,
        entry: &LaunchEntry,
        kernel: &Kernel,
        program: &Program,
        device: &Device,
    ) -> Result<Vec<u8>, LaunchFileError> {
        let names: Vec<&str> = match &entry.arguments {
            Some(names) => names.iter().map(String::as_str).collect(),
            None => self.given.iter().map(|(name, _)| name.as_str()).collect(),
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
            let address = |name: &str| self.address(name, program);
            let bytes = given.pass(parameter, device, address).map_err(wrong)?;
            let start = parameter.offset as usize;
            parameters[start..start + bytes.len()].copy_from_slice(&bytes);
        }
        Ok(parameters)
    }
}

impl Prepared<'_> {
    /// Where a buffer, texture or surface is: its address and its bytes.
    ///
    /// # Errors
    /// If no argument has the name, or it is a scalar.
    pub fn buffer(&self, name: &str) -> Result<(u64, usize), LaunchFileError> {
        if let Some(object) = self.objects.values().find(|object| object.name == name) {
            return Ok((object.address, object.bytes() as usize));
        }
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

/// The variable of a name in PTX or C++.
fn variable_named<'a>(
    name: &str,
    program: &'a Program,
) -> Result<Option<&'a ProgramVariable>, LaunchFileError> {
    let names = program.variables.iter().map(|variable| variable.name.as_str());
    let found = find(name, names)?;
    Ok(program.variables.iter().find(|variable| Some(variable.name.as_str()) == found))
}

fn kernel<'a>(program: &'a Program, name: Option<&String>) -> Result<&'a Kernel, LaunchFileError> {
    let name = name_of_kernel(&program.kernel_names, name)?;
    let kernel = program.kernel(&name);
    kernel.ok_or_else(|| LaunchFileError::NoKernel {
        wanted: name.clone(),
        known: program.kernel_names.clone(),
    })
}

fn axes(field: &'static str, given: &[u32]) -> Result<[u32; 3], LaunchFileError> {
    match *given {
        [x] => Ok([x, 1, 1]),
        [x, y] => Ok([x, y, 1]),
        [x, y, z] => Ok([x, y, z]),
        _ => Err(LaunchFileError::Axes { field, found: given.len() }),
    }
}
