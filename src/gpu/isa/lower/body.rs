//! A function while it is lowered, and which room lowers which instruction.

use std::collections::HashMap;

use super::super::coverage::{HINTS, not_covered};
use super::super::layout::{Area, Trouble};
use super::super::program::{Location, NOWHERE};
use super::super::scope::{Scopes, Symbol};
use super::super::written::{Operand, Written};
use super::Lowering;
use super::call::Signature;
use super::cluster::cluster_barrier;
use super::operands::{Lowered, PREDICATE, U32, U64};
use crate::isa::types::File;
use crate::isa::{Comparison, Condition, Instruction, Logic, Operation, Source};

/// A branch before its label is known.
pub(super) struct Forward {
    /// Index of its instruction.
    pub(super) at: usize,
    pub(super) label: String,
    /// The blocks around it, outermost first.
    pub(super) blocks: Vec<usize>,
    /// Its place in the text.
    pub(super) token: usize,
}

/// A function while it is lowered.
pub(super) struct Body<'l, 'a> {
    pub(super) lowering: &'l mut Lowering<'a>,
    pub(super) scopes: Scopes,
    /// Its local memory.
    pub(super) frame: Area,
    pub(super) is_kernel: bool,
    /// Index of its first instruction.
    pub(super) entry: u32,
    /// Line of the instruction in work.
    pub(super) line: u32,
    /// What the last `.loc` said.
    pub(super) location: Option<Location>,
    /// Labels by the block in braces that they are local to.
    pub(super) labels: HashMap<(usize, String), u32>,
    /// Branches whose label may come later.
    pub(super) branches: Vec<Forward>,
    /// Prototypes of indirect calls.
    pub(super) prototypes: HashMap<String, Signature>,
    /// Labels that a `.branchtargets` names.
    pub(super) targets: HashMap<String, Vec<String>>,
    /// A call of a shader's function, and where its result is expected in the frame.
    pub(super) result: Option<(u32, u64)>,
}

impl<'l, 'a> Body<'l, 'a> {
    pub(super) fn new(lowering: &'l mut Lowering<'a>, frame: Area, is_kernel: bool) -> Self {
        let entry = lowering.program.code.len() as u32;
        let mut scopes = Scopes::default();
        scopes.enter();
        Self {
            lowering,
            scopes,
            frame,
            is_kernel,
            entry,
            line: 0,
            location: None,
            labels: HashMap::new(),
            branches: Vec::new(),
            prototypes: HashMap::new(),
            targets: HashMap::new(),
            result: None,
        }
    }

    /// Index of the next instruction.
    pub(super) fn next(&self) -> u32 {
        self.lowering.program.code.len() as u32
    }

    pub(super) fn push(&mut self, line: u32, guard: Option<Condition>, operation: Operation) {
        self.lowering.program.code.push(Instruction { guard, operation });
        self.lowering.program.lines.push(line);
        self.lowering.program.locations.push(self.location);
    }

    /// An instruction that another one, which is guarded, needs before it.
    pub(super) fn push_guarded(
        &mut self,
        written: &Written,
        operation: Operation,
    ) -> Result<(), Trouble> {
        let guard = written.guard.as_ref().map(|guard| self.condition(guard)).transpose()?;
        self.push(self.line, guard, operation);
        Ok(())
    }

    /// What a name stands for, here or in the module.
    pub(super) fn find(&mut self, name: &str) -> Result<Option<Symbol>, Trouble> {
        match self.scopes.find(name)? {
            Some(symbol) => Ok(Some(symbol)),
            None => Ok(self.lowering.variable(name)?.map(Symbol::Variable)),
        }
    }

    /// Lowers an instruction. Instructions that it needs before it are pushed.
    pub(super) fn operation(&mut self, written: &Written) -> Lowered {
        let operation = self.form(written)?;
        match written.operands.get(written.asked.get()) {
            Some(_) if written.asked.get() > 0 => {
                Err(format!("operand {} is one too many", written.asked.get() + 1))
            }
            _ => Ok(operation),
        }
    }

    fn form(&mut self, written: &Written) -> Lowered {
        match written.opcode {
            "add" | "min" | "max" if written.has("s16x2") || written.has("u16x2") => {
                self.integer_pairs(written)
            }
            "add" | "sub" | "mul" | "mad" | "div" | "rem" | "abs" | "neg" | "min" | "max"
            | "fma" | "rcp" | "sqrt" | "rsqrt" | "sin" | "cos" | "lg2" | "ex2" | "tanh"
            | "copysign" | "testp"
                if written.last_type()?.is_float() =>
            {
                self.float(written)
            }
            "add" | "sub" | "mul" | "mad" | "div" | "rem" | "abs" | "neg" | "min" | "max"
            | "addc" | "subc" | "madc" | "mul24" | "mad24" | "sad" => self.arithmetic(written),
            "and" | "or" | "xor" | "not" | "cnot" | "shl" | "shr" | "popc" | "clz" | "bfind"
            | "brev" | "bfe" | "bfi" | "shf" | "lop3" | "prmt" | "dp4a" | "dp2a" | "bmsk"
            | "szext" | "fns" => self.bits(written),
            "vadd2" | "vadd4" | "vsub2" | "vsub4" | "vavrg2" | "vavrg4" | "vabsdiff2"
            | "vabsdiff4" | "vmin2" | "vmin4" | "vmax2" | "vmax4" | "vset2" | "vset4" => {
                self.video(written)
            }
            "vadd" | "vsub" | "vabsdiff" | "vmin" | "vmax" | "vmad" | "vshl" | "vshr" | "vset" => {
                self.scalar_video(written)
            }
            "setp" | "set" | "selp" | "slct" => self.compare(written),
            "mov" if written.modifiers == ["b128"] => self.move_quad(written),
            "mov" => self.mov(written),
            "cvt" => self.cvt(written),
            "cvta" | "isspacep" => self.address_space(written),
            "st" | "red" if written.has("async") => self.sent(written),
            "ld" | "ldu" | "st" | "atom" | "red" | "membar" | "fence" => self.memory(written),
            "barrier" if written.has("cluster") => cluster_barrier(written),
            "bar" | "barrier" | "vote" | "match" | "shfl" | "redux" | "elect" | "activemask" => {
                self.warp(written)
            }
            "mma" => self.mma(written),
            "movmatrix" => self.movmatrix(written),
            "wmma" => self.wmma(written),
            "ldmatrix" => self.ldmatrix(written),
            "stmatrix" => self.stmatrix(written),
            "mapa" | "getctarank" => self.in_cluster(written),
            "cp" if written.has("bulk") => self.bulk(written),
            "cp" => self.copy(written),
            "mbarrier" => self.mbarrier(written),
            "tex" | "tld4" => self.texture(written),
            "suld" | "sust" | "sured" => self.surface(written),
            "txq" | "suq" => self.query(written),
            "bra" => self.bra(written),
            "brx" => self.brx(written),
            "alloca" | "stacksave" | "stackrestore" => self.stack(written),
            "call" => self.call(written),
            "ret" if self.is_kernel => Ok(Operation::Exit),
            "ret" => Ok(Operation::Return),
            "exit" => Ok(Operation::Exit),
            "trap" => Ok(Operation::Trap),
            "nanosleep" => Ok(Operation::Sleep),
            "createpolicy" => self.policy(written),
            name if HINTS.contains(&name) => Ok(Operation::Nothing),
            name => Err(not_covered(name)),
        }
    }

    /// A cache policy, which changes nothing here.
    fn policy(&mut self, written: &Written) -> Lowered {
        let d = self.first(written, U64)?;
        written.asked.set(written.operands.len());
        let a = self.constant(0, U64);
        Ok(Operation::Move { file: File::Wide, d, a })
    }

    fn bra(&mut self, written: &Written) -> Lowered {
        written.only(&["uni"])?;
        let [Operand::Name(label)] = written.operands[..] else {
            return Err("a label is expected".into());
        };
        Ok(self.branch_to(label, written))
    }

    /// The next instruction, which goes to a label.
    fn branch_to(&mut self, label: &str, written: &Written) -> Operation {
        let (label, blocks) = (label.to_string(), self.scopes.path().to_vec());
        self.branches.push(Forward { at: self.next() as usize, label, blocks, token: written.at });
        Operation::Branch { target: self.entry, reconverge: NOWHERE }
    }

    /// `brx.idx index, list`: a branch for each target, the last one without a condition.
    fn brx(&mut self, written: &Written) -> Lowered {
        written.only(&["idx", "uni"])?;
        let index = self.source(written.operand(0)?, U32)?;
        let Operand::Name(list) = *written.operand(1)? else {
            return Err("the name of a .branchtargets is expected".into());
        };
        let labels = self.targets.get(list).cloned();
        let labels = labels.ok_or_else(|| format!("no .branchtargets {list} before this"))?;
        let guard = written.guard.as_ref().map(|guard| self.condition(guard)).transpose()?;
        let targets = labels.len() as u32;
        self.push(self.line, guard, Operation::CheckIndex { index, targets });
        let (last, others) = labels.split_last().ok_or("the list has no targets")?;
        for (at, label) in (0..).zip(others) {
            let is_it = self.scopes.fresh(PREDICATE)?;
            let compare = Operation::Compare {
                comparison: Comparison::Eq,
                ty: U32,
                ftz: false,
                combine: guard.map(|guard| (Logic::And, guard)),
                p: is_it.target(),
                q: None,
                ab: [index, self.constant(at, U32)],
            };
            self.push(self.line, None, compare);
            let predicate = Source::register(is_it.index);
            let branch = self.branch_to(label, written);
            self.push(self.line, Some(Condition { predicate, negated: false }), branch);
        }
        Ok(self.branch_to(last, written))
    }
}
