//! Names within a function: registers, variables, parameters.

use std::collections::HashMap;

use super::layout::Trouble;
use super::operand::Target;
use super::program::RegisterCount;
use super::types::{File, Space, Type};

/// Most registers of one file in a function.
const MOST_REGISTERS: u32 = 1 << 16;

/// A declared register.
#[derive(Debug, Clone, Copy)]
pub(super) struct Register {
    pub(super) ty: Type,
    pub(super) index: u32,
}

/// A declared variable.
#[derive(Debug, Clone, Copy)]
pub(super) struct Variable {
    pub(super) space: Space,
    /// Its address within the space.
    pub(super) offset: u64,
    /// The offset counts from the frame of the function.
    pub(super) in_frame: bool,
    pub(super) bytes: u64,
}

/// What a name stands for.
#[derive(Debug, Clone, Copy)]
pub(super) enum Symbol {
    Register(Register),
    Variable(Variable),
}

/// `.reg .b32 %r<100>`: registers get an index when they are first met, so that a range costs
/// what is used of it.
#[derive(Debug)]
struct Range {
    prefix: String,
    count: u32,
    ty: Type,
}

#[derive(Debug, Default)]
struct Block {
    names: HashMap<String, Symbol>,
    ranges: Vec<Range>,
}

/// The names that can be seen, innermost block last.
#[derive(Debug, Default)]
pub(super) struct Scopes {
    blocks: Vec<Block>,
    /// Numbers of these blocks, and how many there were.
    path: Vec<usize>,
    entered: usize,
    count: RegisterCount,
}

impl Scopes {
    /// Registers given out.
    pub(super) fn registers(&self) -> RegisterCount {
        self.count
    }

    /// Enters a block.
    pub(super) fn enter(&mut self) {
        self.blocks.push(Block::default());
        self.path.push(self.entered);
        self.entered += 1;
    }

    /// Numbers of the blocks around, outermost first.
    pub(super) fn path(&self) -> &[usize] {
        &self.path
    }

    /// Number of the innermost block.
    pub(super) fn innermost_number(&self) -> usize {
        self.path.last().copied().unwrap_or_default()
    }

    /// Leaves a block: its names are gone.
    pub(super) fn leave(&mut self) {
        self.blocks.pop();
        self.path.pop();
    }

    /// Declares a register, or a range of them.
    pub(super) fn declare_register(
        &mut self,
        name: &str,
        range: Option<u32>,
        ty: Type,
    ) -> Result<(), Trouble> {
        match range {
            Some(count) => {
                let range = Range { prefix: name.to_string(), count, ty };
                self.innermost().ranges.push(range);
                Ok(())
            }
            None => {
                let register = self.fresh(ty)?;
                self.declare(name, Symbol::Register(register))
            }
        }
    }

    /// Declares a variable or parameter.
    pub(super) fn declare(&mut self, name: &str, symbol: Symbol) -> Result<(), Trouble> {
        match self.innermost().names.insert(name.to_string(), symbol) {
            Some(_) => Err(format!("{name} is declared twice")),
            None => Ok(()),
        }
    }

    /// What a name stands for here.
    pub(super) fn find(&mut self, name: &str) -> Result<Option<Symbol>, Trouble> {
        for at in (0..self.blocks.len()).rev() {
            if let Some(symbol) = self.blocks[at].names.get(name) {
                return Ok(Some(*symbol));
            }
            let range = self.blocks[at].ranges.iter().find(|range| range.has(name));
            if let Some(ty) = range.map(|range| range.ty) {
                let symbol = Symbol::Register(self.fresh(ty)?);
                self.blocks[at].names.insert(name.to_string(), symbol);
                return Ok(Some(symbol));
            }
        }
        Ok(None)
    }

    /// A register that no name stands for.
    pub(super) fn fresh(&mut self, ty: Type) -> Result<Register, Trouble> {
        let count = match ty.file() {
            File::Predicate => &mut self.count.predicates,
            File::Narrow => &mut self.count.narrow,
            File::Wide => &mut self.count.wide,
        };
        // One of 128 bits is two of 64.
        let (index, needed) = (*count, if ty.bytes == 16 { 2 } else { 1 });
        if index + needed > MOST_REGISTERS {
            return Err(format!("more than {MOST_REGISTERS} registers in a function"));
        }
        *count += needed;
        Ok(Register { ty, index })
    }

    fn innermost(&mut self) -> &mut Block {
        if self.blocks.is_empty() {
            self.enter();
        }
        let last = self.blocks.len() - 1;
        &mut self.blocks[last]
    }
}

impl Range {
    fn has(&self, name: &str) -> bool {
        let number = name.strip_prefix(self.prefix.as_str());
        number.is_some_and(|digits| {
            let is_plain = digits == "0" || !digits.starts_with(['0', '+']);
            is_plain && digits.parse::<u32>().is_ok_and(|number| number < self.count)
        })
    }
}

impl Register {
    pub(super) fn target(self) -> Target {
        Target(self.index)
    }
}
