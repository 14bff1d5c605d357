//! Machine code in memory. The only unsafe code of the compiled back end is here: memory is given back, the
//! code is called.

use std::sync::Mutex;

use cranelift_codegen::ir::{AbiParam, Function, types};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{Module, ModuleError, default_libcall_names};

type Clock = extern "C" fn(*mut u64, *mut u64) -> i64;

/// The function of a design.
///
/// # Safety argument
/// The function gets the addresses of the first words of the arena and of its notes, and touches nothing but the stack
/// and words of both: of the notes at fixed places below `note_words`, of the arena at fixed slots, which are those of
/// the interpreter and below `arena_words`, or at a row of a memory, whose number is compared with the number of rows
/// first. It calls nothing and returns. Its code is
/// Cranelift's translation of what [`super::lower`] and [`super::edge`] emit, and lies in `module`, which is
/// freed with this value and never changes before.
pub(super) struct Code {
    /// None only while it is dropped. The lock lets threads share the code; nobody ever waits for it.
    module: Mutex<Option<JITModule>>,
    function: Clock,
    arena_words: usize,
    pub note_words: usize,
}

impl Code {
    /// Compiles the function that `build` makes, for arenas of at least that many words; `build` returns how many words
    /// the notes take at least. If `optimised`, equal values are computed once, and held from there to their last use;
    /// else where they are first asked for.
    ///
    /// # Errors
    /// Fails if the machine gives no executable memory.
    pub fn new(
        arena_words: usize,
        verify: bool,
        optimised: bool,
        build: impl FnOnce(&mut Function) -> usize,
    ) -> Result<Self, Box<ModuleError>> {
        let mut function = Function::new();
        function.signature.params.extend([AbiParam::new(types::I64); 2]);
        function.signature.returns.push(AbiParam::new(types::I64));
        let note_words = build(&mut function);
        let verify = if verify { "true" } else { "false" };
        let allocator = match function.dfg.num_insts() {
            ..=MOST_BACKTRACKED => "backtracking",
            _ => "single_pass",
        };
        let flags = [
            ("opt_level", if optimised { "speed" } else { "none" }),
            ("enable_verifier", verify),
            ("regalloc_algorithm", allocator),
        ];
        let builder = JITBuilder::with_flags(&flags, default_libcall_names()).map_err(Box::new)?;
        let mut code = Self {
            module: Mutex::new(Some(JITModule::new(builder))),
            function: refuse,
            arena_words,
            note_words,
        };
        let module = code.module.get_mut().ok().and_then(Option::as_mut).expect("it is new");
        let mut context = module.make_context();
        function.signature.call_conv = context.func.signature.call_conv;
        context.func = function;
        let id = module.declare_anonymous_function(&context.func.signature).map_err(Box::new)?;
        module.define_function(id, &mut context).map_err(Box::new)?;
        module.finalize_definitions().map_err(Box::new)?;
        let address = module.get_finalized_function(id);
        // SAFETY: the address is that of a function of this signature and calling convention, which the
        // module has compiled for this machine and made executable.
        code.function = unsafe { std::mem::transmute::<*const u8, Clock>(address) };
        Ok(code)
    }

    /// Runs the function.
    ///
    /// # Panics
    /// If the arena is too short, or the notes are.
    #[inline]
    pub fn run(&self, arena: &mut [u64], notes: &mut [u64]) -> i64 {
        assert!(arena.len() >= self.arena_words, "the arena has the design's size");
        assert!(notes.len() >= self.note_words, "the notes have the size that the function takes");
        (self.function)(arena.as_mut_ptr(), notes.as_mut_ptr())
    }
}

impl Drop for Code {
    fn drop(&mut self) {
        if let Some(module) = self.module.get_mut().ok().and_then(Option::take) {
            // SAFETY: no call is under way on any thread, since calls borrow this value, and the function cannot
            // be called afterwards, since its address is private to this file and goes with this value.
            unsafe { module.free_memory() };
        }
    }
}

/// Instructions of a function up to which machine registers are allocated with backtracking. Its time grows with the
/// square: 0.3 s for 9,000. Allocation in a single pass takes a tenth, for code of 0.7 of the speed.
const MOST_BACKTRACKED: usize = 12_000;

/// Stands for the function until it is compiled.
extern "C" fn refuse(_: *mut u64, _: *mut u64) -> i64 {
    super::edge::FAILED
}
