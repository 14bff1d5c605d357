//! Shaders: kernels of which nothing is accepted that could make a fragment depend on more than its draw, its triangle
//! and its pixel.

use crate::isa::{
    AccessKind, Instruction, Kernel, Module, Operation, Program, PtxError, ShaderCall, Shuffle,
    Source, Space, Special,
};
use crate::simt::Image;

/// A shader that is ready to run.
#[derive(Debug)]
pub struct Shader {
    /// The program, in which the shader is the only kernel.
    pub image: Image,
    /// Discards fragments.
    pub discards: bool,
}

/// A pair of shaders.
#[derive(Debug)]
pub struct Shaders {
    /// Name in the frame.
    pub name: String,
    /// Runs for each vertex.
    pub vertex: Shader,
    /// Runs for each pixel of quads.
    pub fragment: Shader,
    /// Outputs of a vertex behind its position, which are the inputs of a fragment.
    pub varyings: usize,
}

impl Shader {
    /// Lowers a kernel of a module.
    ///
    /// # Errors
    /// If it is malformed, there is none of that name, or it does what a shader may not.
    pub fn new(module: &Module, name: &str) -> Result<Self, String> {
        let program = module.lower([name]).map_err(|error: PtxError| error.to_string())?;
        if program.kernel(name).is_none() {
            let known = program.kernel_names.join(", ");
            return Err(format!("{}: no kernel {name}; there are: {known}", program.file));
        }
        check(&program)?;
        let discards =
            |it: &Instruction| matches!(it.operation, Operation::Shader(ShaderCall::Discard));
        let discards = program.code.iter().any(discards);
        Ok(Self { image: Image::new(program), discards })
    }

    /// The kernel.
    pub fn kernel(&self) -> &Kernel {
        &self.image.program.kernels[0]
    }
}

fn check(program: &Program) -> Result<(), String> {
    if !program.globals.is_empty() {
        let file = &program.file;
        return Err(format!("{file}: __device__ variables: buffers and __constant__ are accepted"));
    }
    for (at, instruction) in program.code.iter().enumerate() {
        if let Some(what) = refused(program, &instruction.operation) {
            let (file, line) = (&program.file, program.lines[at]);
            return Err(format!(
                "{file}:{line}: {what}: a fragment may depend on nothing but its draw, triangle and pixel"
            ));
        }
    }
    match program.kernels[0].parameters.iter().find(|it| it.bytes != 8 || it.is_array) {
        Some(parameter) => {
            let (file, name) = (&program.file, &parameter.name);
            Err(format!("{file}: parameter {name} is no pointer: shaders take pointers to buffers"))
        }
        None => Ok(()),
    }
}

/// The reason why a shader may not do something.
fn refused(program: &Program, operation: &Operation) -> Option<&'static str> {
    match operation {
        Operation::Query { .. } => Some("a texture object (__texture takes units)"),
        Operation::Access(form) if form.lookup.is_some() => {
            Some("a texture object (__texture takes units)")
        }
        Operation::Access(form) => match (form.kind, form.space) {
            (_, Space::Shared | Space::Cluster) => Some("shared memory"),
            (AccessKind::Load, _) | (_, Space::Local | Space::Param) => None,
            (AccessKind::Store, _) => Some("a store (to local memory they are accepted)"),
            (AccessKind::Atomic(_), _) => Some("an atomic"),
        },
        Operation::Special { special: Special::WarpSize, .. } => None,
        Operation::Special { special, .. } => match special {
            Special::Clock | Special::Clock64 | Special::GlobalTimer => Some("a clock"),
            Special::GlobalTimerLow | Special::GlobalTimerHigh => Some("a clock"),
            _ => Some("a register that names a place"),
        },
        Operation::Shuffle { mode, abc: [_, b, c], .. } => {
            let is_within = is_within_quad(program, *mode, *b, *c);
            (!is_within).then_some("a shuffle that is not within the quad (width 4)")
        }
        Operation::Barrier { .. } => Some("a barrier"),
        Operation::Vote { .. }
        | Operation::Ballot { .. }
        | Operation::Match { .. }
        | Operation::Redux { .. }
        | Operation::Transpose { .. }
        | Operation::ActiveMask { .. } => Some("an instruction of the whole warp"),
        Operation::ClusterBarrier(_) => Some("a barrier"),
        Operation::Copy(_) | Operation::CopyArrive { .. } | Operation::Bulk(_) => {
            Some("an asynchronous copy")
        }
        Operation::Matrix(_) | Operation::MatrixAddress(_) => Some("matrices"),
        Operation::Service(_) => Some("a function of the system"),
        _ => None,
    }
}

/// Lanes read only from lanes of their quad, by the constant segment width.
fn is_within_quad(program: &Program, mode: Shuffle, b: Source, c: Source) -> bool {
    let constant =
        |source: Source| source.as_constant().map(|index| program.narrow_constants[index]);
    let is_narrow = constant(c).is_some_and(|it| it >> 8 & 0x1c == 0x1c);
    is_narrow && (mode != Shuffle::Butterfly || constant(b).is_some_and(|it| it < 4))
}
