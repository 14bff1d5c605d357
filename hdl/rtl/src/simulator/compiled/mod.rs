//! Designs as machine code.
//!
//! One function makes a whole clock without reset: checks, covers, outputs, memories, registers. It works on
//! the interpreter's arena. A clock whose checks fail stores nothing and is left to the interpreter.

mod binary;
mod clusters;
mod code;
mod cones;
mod edge;
mod field;
mod lower;
mod plan;

use std::iter;
use std::sync::{Arc, OnceLock};

use cranelift_codegen::ir::UserFuncName;
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};

use super::compile::Places;
use crate::netlist::Netlist;
use clusters::Clusters;
use code::Code;
use lower::Lower;

/// A design's compiled clock.
pub(super) struct Compiled {
    code: Arc<Code>,
    /// What a clock notes for the next one; none without clusters.
    notes: Vec<u64>,
    /// The number of the clock for which the notes hold.
    next: u64,
}

/// The code of a design by variant, once it is made, for all copies of a simulator. One copy of the code stays in
/// the caches of the machine where many would not.
#[derive(Clone, Default)]
pub(super) struct Shared(Arc<[OnceLock<Made>; 3]>);

type Made = Result<Arc<Code>, String>;

impl Shared {
    /// Whether the design was compiled for another copy.
    pub fn is_made(&self) -> bool {
        self.has(Variant::Plain)
    }

    fn has(&self, variant: Variant) -> bool {
        self.0[variant as usize].get().is_some()
    }
}

/// How a design is compiled.
#[derive(Clone, Copy)]
enum Variant {
    Plain,
    /// With branches for multiplexers. It is faster without Cranelift's optimisation, which holds more values
    /// than there are registers of the machine.
    Branching,
    /// With branches that skip what is idle.
    Clustered,
}

impl Compiled {
    /// Whether this machine runs code that is made at run time; if not, the reason.
    pub fn possible() -> Result<(), String> {
        static POSSIBLE: OnceLock<Result<(), String>> = OnceLock::new();
        let made = || {
            let m = crate::ModuleBuilder::new("nothing");
            let netlist = Netlist::flatten(&m.finish()).map_err(|error| error.to_string())?;
            let places = super::compile::compile(&netlist).places;
            Self::code(&netlist, &places, false, Variant::Plain).map(drop)
        };
        POSSIBLE.get_or_init(made).clone()
    }

    /// Compiles a design in several ways, of which one or the other is faster depending on what changes: without
    /// branches for multiplexers; with them, if there are any that a branch may pay for; and, if the design is
    /// `idle` in part, with clusters that are skipped. Each is compiled on a thread of its own. The reason if that is
    /// not possible.
    pub fn variants(
        netlist: &Netlist,
        places: &Places,
        verify: bool,
        idle: bool,
        shared: &Shared,
    ) -> Result<Vec<Self>, String> {
        let mut variants = vec![Variant::Plain];
        if cones::branches(netlist, &cones::uses(netlist)).contains(&true) {
            variants.push(Variant::Branching);
        }
        // A copy does not know yet what is idle, but another has known.
        let idle = idle || shared.has(Variant::Clustered);
        if idle && !Clusters::of_instances(netlist).is_empty() {
            variants.push(Variant::Clustered);
        }
        let make = |variant: Variant| {
            let code = shared.0[variant as usize]
                .get_or_init(|| Self::code(netlist, places, verify, variant).map(Arc::new))
                .clone()?;
            Ok(Self { notes: vec![0; code.note_words], code, next: u64::MAX })
        };
        std::thread::scope(|scope| {
            let threads: Vec<_> =
                variants[1..].iter().map(|variant| scope.spawn(|| make(*variant))).collect();
            let others = threads.into_iter().map(|t| t.join().expect("compiling does not panic"));
            iter::once(make(variants[0])).chain(others).collect()
        })
    }

    fn code(
        netlist: &Netlist,
        places: &Places,
        verify: bool,
        variant: Variant,
    ) -> Result<Code, String> {
        if places.arena_words > i32::MAX as u32 / 8 {
            return Err("it takes more than 2 GB".to_string());
        }
        let clusters = match variant {
            Variant::Clustered => Clusters::of_instances(netlist),
            _ => Clusters::default(),
        };
        let build = |function: &mut cranelift_codegen::ir::Function| {
            function.name = UserFuncName::testcase("clock");
            let mut context = FunctionBuilderContext::new();
            let mut builder = FunctionBuilder::new(function, &mut context);
            let block = builder.create_block();
            builder.append_block_params_for_function_params(block);
            builder.switch_to_block(block);
            builder.seal_block(block);
            let branching = matches!(variant, Variant::Branching);
            Lower::new(builder, netlist, places, &clusters, branching).clock()
        };
        let optimised = !matches!(variant, Variant::Branching);
        let code = Code::new(places.arena_words as usize, verify, optimised, build);
        code.map_err(|error| error.to_string())
    }

    /// Makes clock `number`, without reset. False if a check fails: no state was changed then.
    #[inline]
    pub fn clock(&mut self, arena: &mut [u64], number: u64) -> bool {
        if let Some(awake) = self.notes.first_mut()
            && self.next != number
        {
            *awake = u64::MAX;
        }
        self.next = number + 1;
        let done = self.code.run(arena, &mut self.notes) == edge::DONE;
        if !done {
            // Another way of running makes this clock.
            self.next = u64::MAX;
        }
        done
    }
}
