//! A module after lowering: all that the machine needs to run its kernels.

use std::collections::BTreeMap;

use super::matrix::TensorCore;
use super::operation::Instruction;
use super::types::{Space, Type};

/// Index that no instruction has: lanes that diverge meet nowhere before the function ends.
pub const NOWHERE: u32 = u32::MAX;

/// Address of the first `.global` variable of the module.
pub const GLOBALS_BASE: u64 = 1 << 32;

/// Handles of textures and surfaces begin here; no memory does.
pub const HANDLES_BASE: u64 = 6 << 40;

/// A `.texref` or `.surfref` of the module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    /// Name in PTX.
    pub name: String,
    /// `.surfref`
    pub is_surface: bool,
    /// Its handle.
    pub handle: u64,
}

/// A parameter of a kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    /// Name in PTX.
    pub name: String,
    /// Type of an element.
    pub ty: Type,
    /// Offset in the parameter space.
    pub offset: u32,
    /// Size in bytes.
    pub bytes: u32,
    /// Declared as an array, as structures are: it is given bytes, not a pointer.
    pub is_array: bool,
}

/// A line of the source from which a module was compiled (`.loc`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Location {
    /// The number of its file (`.file`).
    pub file: u32,
    /// The line.
    pub line: u32,
}

/// Registers that a function uses, in each file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RegisterCount {
    /// Predicates.
    pub predicates: u32,
    /// Registers of up to 32 bits.
    pub narrow: u32,
    /// Registers of 64 bits.
    pub wide: u32,
}

/// A device function or the body of a kernel.
#[derive(Debug, Clone, Default)]
pub struct Function {
    /// Name in PTX.
    pub name: String,
    /// Index of its first instruction.
    pub entry: u32,
    /// Registers of a frame.
    pub registers: RegisterCount,
    /// Local memory of a frame, in bytes.
    pub frame_bytes: u32,
}

/// An entry of the module.
#[derive(Debug, Clone)]
pub struct Kernel {
    /// Its body, an index into [`Program::functions`].
    pub function: u32,
    /// Parameters, in order.
    pub parameters: Vec<Parameter>,
    /// Size of the parameter space.
    pub parameter_bytes: u32,
    /// End of the shared variables that it reaches, itself or through the functions it calls.
    pub shared_bytes: u32,
    /// Where dynamic shared memory begins.
    pub dynamic_shared_base: u32,
    /// Its shared variables that have a size, by their offsets.
    pub shared_variables: Vec<ProgramVariable>,
    /// Most threads in a CTA, where the kernel says so (`.maxntid`).
    pub max_threads: Option<u32>,
    /// Threads in a CTA along each axis, where the kernel says so (`.reqntid`).
    pub required_threads: Option<[u32; 3]>,
    /// CTAs of a cluster along each axis, where the kernel says so (`.reqnctapercluster`).
    pub required_cluster: Option<[u32; 3]>,
    /// Most CTAs of a cluster, where the kernel says so (`.maxclusterrank`).
    pub max_cluster: Option<u32>,
    /// `.explicitcluster`
    pub explicit_cluster: bool,
    /// CTAs that a core is to hold, where the kernel says so (`.minnctapersm`).
    pub min_ctas: Option<u32>,
    /// Most 32-bit registers of a thread, where the kernel says so (`.maxnreg`).
    pub max_registers: Option<u32>,
    /// 32-bit registers that a thread needs, as [`Program::registers`] estimates them.
    pub registers: u32,
}

/// Name of the shared memory that is reserved for the system, among a kernel's variables. It begins as zeros.
pub const RESERVED_SHARED: &str = "the reserved shared memory";

/// A variable of the module, or a shared one of a kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProgramVariable {
    /// Name in PTX.
    pub name: String,
    /// Where it lies: in global, const or shared memory.
    pub space: Space,
    /// Address within the space.
    pub offset: u64,
    /// Size in bytes.
    pub bytes: u64,
    /// Type of an element.
    pub ty: Type,
}

/// Kernels of a module after lowering.
#[derive(Debug, Clone, Default)]
pub struct Program {
    /// Whether a kernel asks for the workspace of cooperative groups, in which grids meet.
    pub needs_workspace: bool,
    /// How `mma` and `wmma` add products: as the GPUs of `.target`, unless it is changed.
    pub tensor_core: TensorCore,
    /// Whether a kernel allocates memory.
    pub needs_heap: bool,
    /// Where it comes from, for messages.
    pub file: String,
    /// Instructions of all functions.
    pub code: Vec<Instruction>,
    /// Line of each instruction in the file.
    pub lines: Vec<u32>,
    /// Where each instruction comes from, if the module tells.
    pub locations: Vec<Option<Location>>,
    /// Files of these places, by their number.
    pub source_files: BTreeMap<u32, String>,
    /// Functions and kernels' bodies.
    pub functions: Vec<Function>,
    /// The kernels that were lowered.
    pub kernels: Vec<Kernel>,
    /// Names of all kernels of the module, lowered or not.
    pub kernel_names: Vec<String>,
    /// Variables of the module.
    pub variables: Vec<ProgramVariable>,
    /// Texture and surface references of the module.
    pub references: Vec<Reference>,
    /// Constants of up to 32 bits; a predicate constant is all zeros or all ones.
    pub narrow_constants: Vec<u32>,
    /// Constants of 64 bits.
    pub wide_constants: Vec<u64>,
    /// First contents of `.global` memory, from [`GLOBALS_BASE`].
    pub globals: Vec<u8>,
    /// Contents of `.const` memory.
    pub constants: Vec<u8>,
}

impl Program {
    /// The kernel of this name, if it was lowered.
    pub fn kernel(&self, name: &str) -> Option<&Kernel> {
        self.kernels.iter().find(|kernel| self.body(kernel).name == name)
    }

    /// The body of a kernel.
    pub fn body(&self, kernel: &Kernel) -> &Function {
        &self.functions[kernel.function as usize]
    }
}
