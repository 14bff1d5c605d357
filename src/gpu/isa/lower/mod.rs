//! Lowering of a kernel, with the functions that it reaches.

mod arithmetic;
mod body;
mod bulk;
mod call;
mod cluster;
mod compare;
mod convert;
mod copy;
mod data;
mod float;
mod function;
mod matrix;
mod memory;
mod multiply;
mod operands;
mod quad;
mod shader;
mod shared;
mod stack;
mod texture;
mod video;
mod warp;

use std::collections::HashMap;
use std::hash::Hash;
use std::ops::Range;

use super::error::PtxError;
use super::layout::Trouble;
use super::module::Module;
use super::operand::Source;
use super::outline::FunctionOutline;
use super::program::{Function, Program, ProgramVariable};
use super::reach::Reach;
use super::scope::Variable;
use super::source::SourceText;

/// Lowers a kernel of a module into a program.
pub(super) fn kernel(
    module: &Module,
    program: &mut Program,
    kernel: &FunctionOutline,
) -> Result<(), PtxError> {
    if let Some(what) = kernel.limits.refused.clone() {
        return Err(at(&module.source, &kernel.head, what));
    }
    let reach = Reach::of(module, kernel);
    let mut lowering = Lowering::new(module, program);
    for number in &reach.functions {
        let function = Function {
            name: module.outline.functions[*number].name.clone(),
            ..Function::default()
        };
        lowering.functions.insert(*number, lowering.program.functions.len() as u32);
        lowering.program.functions.push(function);
    }
    let shared_bytes = lowering.place_shared(&reach, kernel)?;
    for number in &reach.functions {
        lowering.function(*number)?;
    }
    lowering.kernel(kernel, shared_bytes)?;
    let registers = program.kernels.last().map(|kernel| program.registers(kernel));
    if let (Some(kernel), Some(registers)) = (program.kernels.last_mut(), registers) {
        kernel.registers = registers;
    }
    Ok(())
}

/// What is known of the module while a kernel is lowered.
struct Lowering<'a> {
    module: &'a Module,
    source: &'a SourceText,
    program: &'a mut Program,
    /// Where the functions that the kernel reaches are in the program, by their number in the module.
    functions: HashMap<usize, u32>,
    narrow_constants: HashMap<u32, u32>,
    wide_constants: HashMap<u64, u32>,
    /// Shared variables of the module.
    module_shared: HashMap<String, Variable>,
    /// Where the shared variables of functions lie, by the place of their declaration.
    shared: HashMap<usize, u32>,
    dynamic_shared_base: u32,
    shared_variables: Vec<ProgramVariable>,
    shared_bytes: u32,
}

/// Gives trouble its place.
fn at(source: &SourceText, tokens: &Range<usize>, what: Trouble) -> PtxError {
    source.error(tokens.clone(), what)
}

impl<'a> Lowering<'a> {
    fn new(module: &'a Module, program: &'a mut Program) -> Self {
        let narrow = program.narrow_constants.iter().copied().zip(0..).collect();
        let wide = program.wide_constants.iter().copied().zip(0..).collect();
        Self {
            module,
            source: &module.source,
            program,
            functions: HashMap::new(),
            narrow_constants: narrow,
            wide_constants: wide,
            module_shared: HashMap::new(),
            shared: HashMap::new(),
            dynamic_shared_base: 0,
            shared_variables: Vec::new(),
            shared_bytes: 0,
        }
    }

    /// A variable of the module.
    fn variable(&self, name: &str) -> Result<Option<Variable>, Trouble> {
        match (self.module_shared.get(name), self.module.variables.get(name)) {
            (Some(shared), _) => Ok(Some(*shared)),
            (_, Some(known)) => known.clone().map(Some),
            _ => Ok(None),
        }
    }

    /// A constant of up to 32 bits.
    fn narrow_constant(&mut self, value: u32) -> Source {
        constant(&mut self.narrow_constants, &mut self.program.narrow_constants, value)
    }

    /// A constant of 64 bits.
    fn wide_constant(&mut self, value: u64) -> Source {
        constant(&mut self.wide_constants, &mut self.program.wide_constants, value)
    }
}

/// The index of a constant, which is added unless it is there.
fn constant<T: Copy + Eq + Hash>(
    known: &mut HashMap<T, u32>,
    all: &mut Vec<T>,
    value: T,
) -> Source {
    let index = *known.entry(value).or_insert(all.len() as u32);
    if index as usize == all.len() {
        all.push(value);
    }
    Source::constant(index)
}
