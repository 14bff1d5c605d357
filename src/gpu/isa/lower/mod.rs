//! Lowering of a module.

mod arithmetic;
mod body;
mod call;
mod compare;
mod convert;
mod data;
mod float;
mod function;
mod memory;
mod operands;
mod shared;
mod warp;

use std::collections::HashMap;
use std::hash::Hash;

use ptx_syntax::Span;
use ptx_syntax::r#type::{
    AddressSize, DataLinkage, Module, ModuleDirective, ModuleInfoDirectiveKind,
    ModuleVariableDirective, VariableDirective,
};

use super::error::PtxError;
use super::layout::{Area, Shape, Trouble, initialise};
use super::operand::Source;
use super::program::{GLOBALS_BASE, Program};
use super::scope::Variable;
use super::source::SourceText;
use super::types::Space;
use call::Signature;

/// Most bytes of `.global` variables.
const MOST_GLOBALS: u32 = 256 << 20;
/// Most bytes of `.const` variables.
const MOST_CONSTANTS: u32 = 16 << 20;

/// Parses and lowers the text of a file.
pub fn load(file: &str, text: &str) -> Result<Program, PtxError> {
    let (source, module) = SourceText::parse(file, text)?;
    let mut lowering = Lowering::new(&source, file);
    lowering.module(&module)?;
    Ok(lowering.program)
}

/// What is known of the module while it is lowered.
struct Lowering<'a> {
    source: &'a SourceText,
    program: Program,
    variables: HashMap<String, Variable>,
    signatures: HashMap<String, Signature>,
    narrow_constants: HashMap<u32, u32>,
    wide_constants: HashMap<u64, u32>,
    globals: Area,
    constants: Area,
    /// Where the `.shared` variables of functions lie, by the place of their declaration.
    shared: HashMap<usize, u32>,
    /// End of the shared memory of each kernel, by the place of its declaration.
    shared_bytes: HashMap<usize, u32>,
}

/// Gives trouble its place.
fn at(source: &SourceText, span: &Span, what: Trouble) -> PtxError {
    source.error_in(span, what)
}

impl<'a> Lowering<'a> {
    fn new(source: &'a SourceText, file: &str) -> Self {
        Self {
            source,
            program: Program { file: file.to_string(), ..Program::default() },
            variables: HashMap::new(),
            signatures: HashMap::new(),
            narrow_constants: HashMap::new(),
            wide_constants: HashMap::new(),
            globals: Area::default(),
            constants: Area::default(),
            shared: HashMap::new(),
            shared_bytes: HashMap::new(),
        }
    }

    fn module(&mut self, module: &Module) -> Result<(), PtxError> {
        for directive in &module.directives {
            self.declare(directive).map_err(|what| at(self.source, &directive.span(), what))?;
        }
        self.place_shared(module)?;
        for directive in &module.directives {
            match directive {
                ModuleDirective::FuncFunction { directive, .. } => self.function(directive)?,
                ModuleDirective::EntryFunction { directive, .. } => self.kernel(directive)?,
                _ => {}
            }
        }
        Ok(())
    }

    fn declare(&mut self, directive: &ModuleDirective) -> Result<(), Trouble> {
        match directive {
            ModuleDirective::ModuleVariable { linkage, directive, .. } => {
                self.declare_variable(linkage.as_ref(), directive)
            }
            ModuleDirective::FuncFunction { directive, .. } => self.declare_function(directive),
            ModuleDirective::AliasFunction { .. } => Err(".alias is not supported".into()),
            ModuleDirective::ModuleInfo {
                directive: ModuleInfoDirectiveKind::AddressSize { directive, .. },
                ..
            } if matches!(directive.size, AddressSize::Size32 { .. }) => {
                Err("32-bit addresses are not supported: .address_size 64 is".into())
            }
            _ => Ok(()),
        }
    }

    fn declare_variable(
        &mut self,
        linkage: Option<&DataLinkage>,
        directive: &ModuleVariableDirective,
    ) -> Result<(), Trouble> {
        let (space, variable) = match directive {
            ModuleVariableDirective::Global { directive, .. } => (Space::Global, directive),
            ModuleVariableDirective::Const { directive, .. } => (Space::Const, directive),
            // Placed together with the variables of functions.
            ModuleVariableDirective::Shared { .. } => return Ok(()),
            ModuleVariableDirective::Tex { .. } => return Err("textures are not supported".into()),
        };
        let name = &variable.name.val;
        if matches!(linkage, Some(DataLinkage::Extern { .. })) {
            return Err(format!("{name} is extern: nothing defines it"));
        }
        let placed = self.initialised(space, variable)?;
        self.name_variable(name, placed)
    }

    fn name_variable(&mut self, name: &str, variable: Variable) -> Result<(), Trouble> {
        match self.variables.insert(name.to_string(), variable) {
            Some(_) => Err(format!("{name} is declared twice")),
            None => Ok(()),
        }
    }

    /// Places a `.global` or `.const` variable and writes its first contents.
    fn initialised(
        &mut self,
        space: Space,
        variable: &VariableDirective,
    ) -> Result<Variable, Trouble> {
        let shape = Shape::of(variable)?;
        let (area, image, base, limit) = match space {
            Space::Const => (&mut self.constants, &mut self.program.constants, 0, MOST_CONSTANTS),
            _ => (&mut self.globals, &mut self.program.globals, GLOBALS_BASE, MOST_GLOBALS),
        };
        let offset = area.place(&shape, limit)?;
        image.resize(area.bytes() as usize, 0);
        if let Some(initializer) = &variable.initializer {
            let address = |name: &str| {
                let variable = self.variables.get(name)?;
                Some(variable.space.window() + variable.offset)
            };
            initialise(&mut image[offset as usize..], &shape, initializer, &address)?;
        }
        let offset = base + u64::from(offset);
        Ok(Variable { space, offset, in_frame: false, bytes: shape.bytes })
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
