//! A module: its variables in their places, and its kernels, each lowered when it is wanted.

use std::cell::RefCell;
use std::collections::HashMap;

use super::cursor::Cursor;
use super::declaration::Declaration;
use super::error::PtxError;
use super::layout::{Area, Shape, Trouble, initialise, scalar};
use super::lower::kernel;
use super::outline::{ModuleVariable, Outline};
use super::program::{GLOBALS_BASE, HANDLES_BASE, Program, ProgramVariable, Reference};
use super::scope::Variable;
use super::source::SourceText;
use super::types::Space;

/// Most bytes of `.global` variables.
const MOST_GLOBALS: u32 = 256 << 20;
/// Most bytes of `.const` variables.
const MOST_CONSTANTS: u32 = 16 << 20;
/// Generic addresses of functions begin here; no memory does.
const FUNCTIONS_WINDOW: u64 = 5 << 40;

/// A module of which the kernels are known and not yet lowered.
#[derive(Debug)]
pub struct Module {
    pub(super) source: SourceText,
    pub(super) outline: Outline,
    /// `.global` and `.const` variables, or why a kernel cannot use one.
    pub(super) variables: HashMap<String, Result<Variable, Trouble>>,
    /// Functions whose addresses are in variables.
    pub(super) addressed: Vec<usize>,
    listed: Vec<ProgramVariable>,
    references: Vec<Reference>,
    globals: Vec<u8>,
    constants: Vec<u8>,
    /// Least bytes between two variables.
    pub(super) gap: u32,
}

/// Lowers all kernels of the text of a file.
///
/// # Errors
/// If the module is malformed, or one of its kernels cannot be lowered.
pub fn load(file: &str, text: &str) -> Result<Program, PtxError> {
    let module = Module::parse(file, text)?;
    module.lower(module.kernel_names())
}

/// The generic address of a function, by its number in the module.
pub(super) fn address_of_function(number: usize) -> u64 {
    FUNCTIONS_WINDOW + 16 * number as u64
}

impl Module {
    /// Reads the outline of a file. What kernels do is not looked at.
    ///
    /// # Errors
    /// If what stands outside of functions is malformed.
    pub fn parse(file: &str, text: &str) -> Result<Self, PtxError> {
        Self::parse_with_gaps(file, text, 0)
    }

    /// As [`Module::parse`], with so many bytes at least between two variables of global, const and shared memory: an
    /// access past the end of one does not land in the next.
    ///
    /// # Errors
    /// As [`Module::parse`].
    pub fn parse_with_gaps(file: &str, text: &str, gap: u32) -> Result<Self, PtxError> {
        let source = SourceText::new(file, text)?;
        let outline = Outline::read(&source)?;
        let mut module = Self {
            source,
            outline: Outline::default(),
            variables: HashMap::new(),
            addressed: Vec::new(),
            listed: Vec::new(),
            references: Vec::new(),
            globals: Vec::new(),
            constants: Vec::new(),
            gap,
        };
        module.place(&outline)?;
        module.outline = outline;
        Ok(module)
    }

    /// Names of its kernels, in order.
    pub fn kernel_names(&self) -> impl Iterator<Item = &str> {
        let kernels = self.outline.functions.iter().filter(|it| it.is_kernel && it.body.is_some());
        kernels.map(|function| function.name.as_str())
    }

    /// Lowers some kernels, and what they call. Names that are not those of kernels are passed over.
    ///
    /// # Errors
    /// If a kernel or a function that it calls is malformed, or needs what is not supported.
    pub fn lower<'n>(&self, names: impl IntoIterator<Item = &'n str>) -> Result<Program, PtxError> {
        let mut program = Program {
            file: self.source.file.clone(),
            tensor_core: self.outline.tensor_core,
            globals: self.globals.clone(),
            constants: self.constants.clone(),
            source_files: self.outline.source_files.clone(),
            variables: self.listed.clone(),
            references: self.references.clone(),
            kernel_names: self.kernel_names().map(String::from).collect(),
            ..Program::default()
        };
        for name in names {
            if program.kernel(name).is_none()
                && let Some((_, function)) = self.outline.function(name)
                && function.is_kernel
                && function.body.is_some()
            {
                kernel(self, &mut program, function)?;
            }
        }
        Ok(program)
    }

    /// Gives the `.global` and `.const` variables their places and first contents.
    fn place(&mut self, outline: &Outline) -> Result<(), PtxError> {
        let [mut globals, mut constants] = [self.gap, self.gap].map(Area::with_gaps);
        let mut shapes = Vec::new();
        for variable in &outline.variables {
            let place = match variable.space {
                Space::Global if matches!(&*variable.declaration.ty, "texref" | "surfref") => {
                    self.reference(variable).map(|()| None)
                }
                Space::Global => self.variable(variable, &mut globals, GLOBALS_BASE, MOST_GLOBALS),
                Space::Const => self.variable(variable, &mut constants, 0, MOST_CONSTANTS),
                _ => continue,
            };
            let tokens = variable.declaration.tokens.clone();
            if let Some(shape) = place.map_err(|what| self.source.error(tokens, what))? {
                shapes.push((variable, shape));
            }
        }
        self.globals.resize(globals.bytes() as usize, 0);
        self.constants.resize(constants.bytes() as usize, 0);
        for (variable, shape) in shapes {
            if let Err(what) = self.initialise(outline, variable, &shape) {
                let name = &variable.declaration.name;
                self.listed.retain(|listed| listed.name != *name);
                self.variables.insert(name.clone(), Err(format!("{name}: {what}")));
            }
        }
        Ok(())
    }

    /// Gives a texture or surface reference its handle.
    fn reference(&mut self, variable: &ModuleVariable) -> Result<(), Trouble> {
        let Declaration { name, ty, dimensions, initialiser, .. } = &variable.declaration;
        let handle = HANDLES_BASE + 16 * self.references.len() as u64;
        let known = match (&dimensions[..], initialiser) {
            ([], None) => {
                let (name, is_surface) = (name.clone(), ty == "surfref");
                self.references.push(Reference { name, is_surface, handle });
                Ok(Variable { space: Space::Global, offset: handle, in_frame: false, bytes: 8 })
            }
            ([], _) => Err(format!("{name}: [[textures]] of the launch file say what it is")),
            _ => Err(format!("{name}: arrays of references are not supported: use handles")),
        };
        match self.variables.insert(name.clone(), known) {
            Some(_) => Err(format!("{name} is declared twice")),
            None => Ok(()),
        }
    }

    /// Gives one variable its place. What only the kernels that use it cannot have is kept for them.
    fn variable(
        &mut self,
        variable: &ModuleVariable,
        area: &mut Area,
        base: u64,
        most: u32,
    ) -> Result<Option<Shape>, Trouble> {
        let name = &variable.declaration.name;
        let refused = match scalar(&variable.declaration.ty) {
            _ if variable.is_extern => Some(format!("{name} is extern: nothing defines it")),
            Err(what) => Some(format!("{name}: {what}")),
            Ok(_) => None,
        };
        let space = variable.space;
        let placed = match refused {
            Some(what) => Err(what),
            None => Shape::of(&variable.declaration)
                .and_then(|shape| Ok((shape, base + u64::from(area.place(&shape, most)?))))
                .map_err(|what| format!("{name}: {what}")),
        };
        let (known, shape) = match placed {
            Err(what) => (Err(what), None),
            Ok((shape, offset)) => {
                let (bytes, ty) = (shape.bytes, shape.ty);
                self.listed.push(ProgramVariable { name: name.clone(), space, offset, bytes, ty });
                (Ok(Variable { space, offset, in_frame: false, bytes }), Some(shape))
            }
        };
        match self.variables.insert(name.clone(), known) {
            Some(_) => Err(format!("{name} is declared twice")),
            None => Ok(shape),
        }
    }

    fn initialise(
        &mut self,
        outline: &Outline,
        variable: &ModuleVariable,
        shape: &Shape,
    ) -> Result<(), Trouble> {
        let Some(initialiser) = variable.declaration.initialiser.clone() else { return Ok(()) };
        let Some(Ok(placed)) = self.variables.get(&variable.declaration.name) else {
            return Ok(());
        };
        let functions = RefCell::new(Vec::new());
        let address = |name: &str, is_generic: bool| match self.variables.get(name) {
            Some(Ok(other)) if is_generic => Some(other.space.window() + other.offset),
            Some(Ok(other)) => Some(other.offset),
            _ => {
                let (number, _) = outline.function(name)?;
                functions.borrow_mut().push(number);
                Some(address_of_function(number))
            }
        };
        let (image, base) = match variable.space {
            Space::Const => (&mut self.constants, 0),
            _ => (&mut self.globals, GLOBALS_BASE),
        };
        let into = &mut image[(placed.offset - base) as usize..];
        initialise(into, shape, Cursor::new(&self.source, initialiser), &address)?;
        self.addressed.extend(functions.into_inner());
        Ok(())
    }
}
