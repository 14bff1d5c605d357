//! Operands: names and literals to registers and constants.

use super::super::layout::{Trouble, bits};
use super::super::module::address_of_function;
use super::super::scope::{Register, Symbol};
use super::super::types::{File, Type};
use super::super::written::{Operand, Written};
use super::body::Body;
use super::shared::{RESERVED, RESERVED_BYTES};
use crate::isa::{Condition, Operation, Source, SourceIn, Special, Target, TargetIn};

/// An instruction, or why it cannot be lowered.
pub(super) type Lowered = Result<Operation, Trouble>;

/// Names of types that some rooms ask for.
pub(super) const U32: Type = Type { kind: super::super::types::Kind::Unsigned, bytes: 4 };
pub(super) const F32: Type = Type { kind: super::super::types::Kind::Float, bytes: 4 };
pub(super) const U64: Type = Type { kind: super::super::types::Kind::Unsigned, bytes: 8 };
pub(super) const PREDICATE: Type = Type { kind: super::super::types::Kind::Predicate, bytes: 0 };

impl Written<'_> {
    /// The type that stands last.
    pub(super) fn last_type(&self) -> Result<Type, Trouble> {
        self.type_from_last(0)
    }

    /// The type that stands so many places before the last modifier. NVIDIA's headers write `.relu` behind it.
    pub(super) fn type_from_last(&self, places: usize) -> Result<Type, Trouble> {
        let mut names = self.modifiers.iter().rev().filter(|name| **name != "relu");
        let name = names.nth(places).ok_or("a type is missing")?;
        Type::named(name).ok_or_else(|| format!(".{name} is not supported"))
    }

    /// Refuses modifiers that are neither types nor among these.
    pub(super) fn only(&self, known: &[&str]) -> Result<(), Trouble> {
        let is_known = |name: &str| Type::named(name).is_some() || known.contains(&name);
        match self.modifiers.iter().find(|name| !is_known(name)) {
            Some(name) => Err(format!(".{name} is not supported here")),
            None => Ok(()),
        }
    }

    /// An operand that must be there.
    pub(super) fn operand(&self, at: usize) -> Result<&Operand<'_>, Trouble> {
        self.asked.set(self.asked.get().max(at + 1));
        self.operands.get(at).ok_or_else(|| format!("operand {} is missing", at + 1))
    }
}

impl Body<'_, '_> {
    /// The register that an operand names.
    pub(super) fn register(&mut self, operand: &Operand) -> Result<Register, Trouble> {
        let Operand::Name(name) = operand else { return Err("a register is expected".into()) };
        match self.find(name)? {
            Some(Symbol::Register(register)) => Ok(register),
            Some(Symbol::Variable(_)) => Err(format!("{name} is a variable, not a register")),
            None => Err(format!("no register {name}")),
        }
    }

    /// What is written: a register of exactly this size.
    pub(super) fn target(&mut self, operand: &Operand, ty: Type) -> Result<Target, Trouble> {
        if *operand == Operand::Name("_") {
            return Ok(self.scopes.fresh(ty)?.target());
        }
        let register = self.register(operand)?;
        sized(&register, ty)?;
        Ok(register.target())
    }

    /// What is written: a register of this size or a greater one.
    pub(super) fn target_in(&mut self, operand: &Operand, ty: Type) -> Result<TargetIn, Trouble> {
        let register = self.register(operand)?;
        at_least(&register, ty)?;
        let (file, bytes) = (register.ty.file(), register.ty.bytes);
        Ok(TargetIn { file, target: register.target(), bytes })
    }

    /// The first operand, which is written.
    pub(super) fn first(&mut self, written: &Written, ty: Type) -> Result<Target, Trouble> {
        self.target(written.operand(0)?, ty)
    }

    /// The operands after the first, which are read.
    pub(super) fn sources<const COUNT: usize>(
        &mut self,
        written: &Written,
        ty: Type,
    ) -> Result<[Source; COUNT], Trouble> {
        let mut sources = [Source::register(0); COUNT];
        for (at, source) in sources.iter_mut().enumerate() {
            *source = self.source(written.operand(at + 1)?, ty)?;
        }
        Ok(sources)
    }

    /// What is read: a register of this size, a special register, a constant, an address.
    pub(super) fn source(&mut self, operand: &Operand, ty: Type) -> Result<Source, Trouble> {
        if let Operand::Name(name) = operand
            && let Some(Symbol::Register(register)) = self.find(name)?
        {
            sized(&register, ty)?;
            return Ok(Source::register(register.index));
        }
        self.value(operand, ty)
    }

    /// What is read: a register of this size or a greater one, or a constant of this type.
    pub(super) fn source_in(&mut self, operand: &Operand, ty: Type) -> Result<SourceIn, Trouble> {
        if let Operand::Name(name) = operand
            && let Some(Symbol::Register(register)) = self.find(name)?
        {
            at_least(&register, ty)?;
            let (file, source) = (register.ty.file(), Source::register(register.index));
            return Ok(SourceIn { file, source });
        }
        Ok(SourceIn { file: ty.file(), source: self.value(operand, ty)? })
    }

    /// What is read and is no register of the program.
    fn value(&mut self, operand: &Operand, ty: Type) -> Result<Source, Trouble> {
        match operand {
            Operand::Literal(literal) => Ok(self.constant(bits(*literal, ty), ty)),
            Operand::Name(name) if name.starts_with('%') => {
                let register = self.scopes.fresh(ty)?;
                let operation = self.special(name, ty, register.target())?;
                self.push(self.line, None, operation);
                Ok(Source::register(register.index))
            }
            Operand::Name("WARP_SZ") => Ok(self.constant(32, ty)),
            Operand::Name(name) => self.address(name, 0, ty),
            Operand::NameOffset(name, offset) => self.address(name, *offset, ty),
            _ => Err("a register or number is expected".into()),
        }
    }

    /// The address of a variable in its space.
    fn address(&mut self, name: &str, offset: i128, ty: Type) -> Result<Source, Trouble> {
        let Some(Symbol::Variable(variable)) = self.find(name)? else {
            let function = self.lowering.module.outline.function(name);
            return match function {
                Some((number, _)) => Ok(self.constant(address_of_function(number), ty)),
                None => Err(format!("no register or variable {name}")),
            };
        };
        let address = variable.offset.wrapping_add(offset as u64);
        if !variable.in_frame {
            return Ok(self.constant(address, ty));
        }
        let register = self.scopes.fresh(ty)?;
        let (file, d) = (ty.file(), register.target());
        self.push(self.line, None, Operation::FrameAddress { file, d, offset: address });
        Ok(Source::register(register.index))
    }

    /// A constant, in the form in which registers of the type hold it.
    pub(super) fn constant(&mut self, bits: u64, ty: Type) -> Source {
        match (ty.file(), ty.bytes) {
            (File::Predicate, _) => {
                self.lowering.narrow_constant(if bits == 0 { 0 } else { u32::MAX })
            }
            (File::Narrow, 1) => self.lowering.narrow_constant(bits as u8 as u32),
            (File::Narrow, 2) => self.lowering.narrow_constant(bits as u16 as u32),
            (File::Narrow, _) => self.lowering.narrow_constant(bits as u32),
            (File::Wide, _) => self.lowering.wide_constant(bits),
        }
    }

    /// A predicate, possibly negated.
    pub(super) fn condition(&mut self, operand: &Operand) -> Result<Condition, Trouble> {
        let (operand, negated) = match operand {
            Operand::Not(operand) => (&**operand, true),
            operand => (operand, false),
        };
        Ok(Condition { predicate: self.source(operand, PREDICATE)?, negated })
    }

    /// Reading a special register.
    pub(super) fn special(&mut self, name: &str, ty: Type, d: Target) -> Lowered {
        let axis = |name: &str| match name.rsplit_once('.') {
            Some((register, "x")) => (register.to_string(), 0),
            Some((register, "y")) => (register.to_string(), 1),
            Some((register, "z")) => (register.to_string(), 2),
            _ => (name.to_string(), 3),
        };
        let special = match (axis(name).0.as_str(), axis(name).1) {
            ("%tid", axis @ 0..3) => Special::Tid(axis),
            ("%ntid", axis @ 0..3) => Special::Ntid(axis),
            ("%ctaid", axis @ 0..3) => Special::Ctaid(axis),
            ("%nctaid", axis @ 0..3) => Special::Nctaid(axis),
            ("%clusterid", axis @ 0..3) => Special::ClusterId(axis),
            ("%nclusterid", axis @ 0..3) => Special::NClusterId(axis),
            ("%cluster_ctaid", axis @ 0..3) => Special::ClusterCtaId(axis),
            ("%cluster_nctaid", axis @ 0..3) => Special::ClusterNCtaId(axis),
            ("%cluster_ctarank", 3) => Special::ClusterCtaRank,
            ("%cluster_nctarank", 3) => Special::ClusterNCtaRank,
            ("%is_explicit_cluster", 3) => Special::IsExplicitCluster,
            ("%laneid", 3) => Special::LaneId,
            ("%warpid", 3) => Special::WarpId,
            ("%nwarpid", 3) => Special::NWarpId,
            ("%smid", 3) => Special::SmId,
            ("%nsmid", 3) => Special::NSmId,
            ("%gridid", 3) => Special::GridId,
            ("%WARPSZ" | "%WARP_SZ", 3) => Special::WarpSize,
            ("%lanemask_eq", 3) => Special::LaneMaskEq,
            ("%lanemask_lt", 3) => Special::LaneMaskLt,
            ("%lanemask_le", 3) => Special::LaneMaskLe,
            ("%lanemask_gt", 3) => Special::LaneMaskGt,
            ("%lanemask_ge", 3) => Special::LaneMaskGe,
            ("%clock", 3) => Special::Clock,
            ("%clock64", 3) => Special::Clock64,
            ("%dynamic_smem_size", 3) => Special::DynamicSharedSize,
            // Nothing is reserved for the system.
            ("%total_smem_size" | "%aggr_smem_size", 3) => {
                Special::SharedSize(self.lowering.shared_bytes)
            }
            ("%current_graph_exec", 3) => Special::GraphExec,
            (name, 3) if reserved(name).is_some() => {
                let offset = self.lowering.narrow_constant(reserved(name).unwrap_or_default());
                return Ok(Operation::Move { file: ty.file(), d, a: offset });
            }
            ("%globaltimer", 3) => Special::GlobalTimer,
            ("%globaltimer_lo", 3) => Special::GlobalTimerLow,
            ("%clock_hi" | "%globaltimer_hi", 3) => Special::GlobalTimerHigh,
            (name, 3) if environment(name).is_some() => {
                self.lowering.program.needs_workspace = true;
                Special::EnvironmentRegister(environment(name).unwrap_or_default())
            }
            (register, _) => return Err(no_register(register, name)),
        };
        Ok(Operation::Special { special, file: ty.file(), d })
    }
}

/// Why there is no such register.
fn no_register(register: &str, name: &str) -> Trouble {
    let instead = match register {
        _ if register.starts_with("%pm") => "`warpsmith run --profile`",
        _ => return format!("no register {name}"),
    };
    format!("{name} is not supported: use {instead}")
}

/// Offsets of the reserved shared memory, which begins at 0.
fn reserved(name: &str) -> Option<u32> {
    match name.strip_prefix(RESERVED)? {
        "begin" | "0" => Some(0),
        "end" | "cap" => Some(RESERVED_BYTES),
        "1" => Some(RESERVED_BYTES / 2),
        _ => None,
    }
}

/// The number of an `%envreg`.
fn environment(name: &str) -> Option<u8> {
    name.strip_prefix("%envreg")?.parse().ok().filter(|number| *number < 32)
}

pub(super) fn sized(register: &Register, ty: Type) -> Result<(), Trouble> {
    match register.ty.bytes == ty.bytes {
        true => Ok(()),
        false => Err(mismatch(register, ty)),
    }
}

fn at_least(register: &Register, ty: Type) -> Result<(), Trouble> {
    match register.ty.bytes >= ty.bytes && register.ty.bytes > 0 {
        true => Ok(()),
        false => Err(mismatch(register, ty)),
    }
}

fn mismatch(register: &Register, ty: Type) -> Trouble {
    let size = |bytes: u8| match bytes {
        0 => "a predicate".to_string(),
        bytes => format!("{} bits", u32::from(bytes) * 8),
    };
    let (has, wants) = (size(register.ty.bytes), size(ty.bytes));
    format!("a register has {has} where the instruction takes {wants}")
}
