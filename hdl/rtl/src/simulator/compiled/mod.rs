//! Designs as machine code.
//!
//! One function makes a whole clock without reset: checks, covers, outputs, memories, registers. It works on
//! the interpreter's arena. A clock whose checks fail stores nothing and is left to the interpreter.

mod code;
mod cones;
mod edge;
mod field;
mod lower;
mod plan;
mod wide;

use std::iter;
use std::sync::OnceLock;

use cranelift_codegen::ir::UserFuncName;
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};

use super::compile::Places;
use crate::netlist::Netlist;
use code::Code;
use lower::Lower;

/// A design's compiled clock.
pub(super) struct Compiled(Code);

impl Compiled {
    /// Whether this machine runs code that is made at run time; if not, the reason.
    pub fn possible() -> Result<(), String> {
        static POSSIBLE: OnceLock<Result<(), String>> = OnceLock::new();
        let made = || {
            let m = crate::ModuleBuilder::new("nothing");
            let netlist = Netlist::flatten(&m.finish()).map_err(|error| error.to_string())?;
            let places = super::compile::compile(&netlist).places;
            Self::new(&netlist, &places, false, false).map(drop)
        };
        POSSIBLE.get_or_init(made).clone()
    }

    /// Compiles a design: without branches for multiplexers, and with them if there are any that a branch may
    /// pay for. Which is faster depends on how often the arms change. Each is compiled on a thread of its own.
    /// The reason if that is not possible.
    pub fn variants(netlist: &Netlist, places: &Places, verify: bool) -> Result<Vec<Self>, String> {
        let may_branch = cones::branches(netlist, &cones::uses(netlist)).contains(&true);
        let make = |branching: bool| Self::new(netlist, places, verify, branching);
        std::thread::scope(|scope| {
            let other = may_branch.then(|| scope.spawn(|| make(true)));
            let one = make(false);
            let other = other.map(|thread| thread.join().expect("compiling does not panic"));
            iter::once(one).chain(other).collect()
        })
    }

    fn new(
        netlist: &Netlist,
        places: &Places,
        verify: bool,
        branching: bool,
    ) -> Result<Self, String> {
        if places.arena_words > i32::MAX as u32 / 8 {
            return Err("it takes more than 2 GB".to_string());
        }
        let build = |function: &mut cranelift_codegen::ir::Function| {
            function.name = UserFuncName::testcase("clock");
            let mut context = FunctionBuilderContext::new();
            let mut builder = FunctionBuilder::new(function, &mut context);
            let block = builder.create_block();
            builder.append_block_params_for_function_params(block);
            builder.switch_to_block(block);
            builder.seal_block(block);
            let arena = builder.block_params(block)[0];
            Lower::new(builder, netlist, places, arena, branching).clock();
        };
        let code = Code::new(places.arena_words as usize, verify, build);
        code.map(Self).map_err(|error| error.to_string())
    }

    /// Makes a clock without reset. False if a check fails: nothing was stored then.
    #[inline]
    pub fn clock(&self, arena: &mut [u64]) -> bool {
        self.0.run(arena) == edge::DONE
    }
}
