//! Loads, stores, atomics, fences.

use super::super::layout::Trouble;
use super::super::scope::{Register, Symbol};
use super::super::types::{AtomicOp, File, Kind, Order, Scope, Space, Type};
use super::super::written::{Operand, Written};
use super::body::Body;
use super::convert::space;
use super::operands::{Lowered, U32, U64};
use super::quad::HALF_OF_QUAD;
use crate::isa::{AccessForm, AccessKind, FloatMode, Operation, Source, SourceIn, TargetIn};

/// Hints about caches, which the machine takes as such.
pub(super) const HINTS: [&str; 19] = [
    "ca",
    "cg",
    "cs",
    "lu",
    "cv",
    "wb",
    "wt",
    "nc",
    "L2::64B",
    "L2::128B",
    "L2::256B",
    "L1::no_allocate",
    "L1::evict_normal",
    "L1::evict_unchanged",
    "L1::evict_first",
    "L1::evict_last",
    "L2::evict_first",
    "L2::evict_last",
    "L2::cache_hint",
];

impl Body<'_, '_> {
    /// `ld`, `ldu`, `st`, `atom`, `red`, `membar`, `fence`
    pub(super) fn memory(&mut self, written: &Written) -> Lowered {
        if matches!(written.opcode, "membar" | "fence") {
            return fence(written);
        }
        let (order, scope) = ordering(written)?;
        let is_quad = written.has("b128");
        let is_atomic = matches!(written.opcode, "atom" | "red");
        let ty = match () {
            () if is_quad => HALF_OF_QUAD,
            // The operation may stand behind the type.
            () if is_atomic => {
                let named = written.modifiers.iter().rev().find_map(|name| Type::named(name));
                named.ok_or("a type is missing")?
            }
            () => written.last_type()?,
        };
        if ty.bytes == 0 {
            return Err("predicates are not kept in memory".into());
        }
        let named = written.modifiers.iter().find_map(|name| space(name));
        let is_write = is_atomic || written.opcode == "st";
        let address = usize::from(matches!(written.opcode, "ld" | "ldu" | "atom"));
        let named = named.unwrap_or(Space::Generic);
        let mut form = AccessForm { order, scope, ..AccessForm::load(named, ty) };
        self.address_of(written.operand(address)?, &mut form)?;
        match written.opcode {
            _ if is_quad => self.quad_access(written, address, &mut form)?,
            "ld" | "ldu" => self.load(written, &mut form)?,
            "st" => self.store(written, &mut form)?,
            _ if ["v2", "v4", "v8"].iter().any(|vector| written.has(vector)) => {
                form = self.atomics(written, address, form)?;
            }
            _ => {
                let old = written.operand(0)?;
                let old = (written.opcode == "atom").then_some(old);
                self.atomic(written, old, written.operand(address + 1)?, &mut form)?;
                if written.has("cas") {
                    form.sources[1] = self.source_in(written.operand(address + 2)?, ty)?;
                }
            }
        }
        if written.has("L2::cache_hint") {
            self.source(written.operand(written.asked.get())?, U64)?;
        }
        match form.space {
            Space::Const | Space::Param if is_write => Err("this space is read-only".into()),
            Space::Param | Space::Const | Space::Local if form.order != Order::Weak => {
                Err("no ordering in this space".into())
            }
            _ => Ok(Operation::Access(Box::new(form))),
        }
    }

    fn load(&mut self, written: &Written, form: &mut AccessForm) -> Result<(), Trouble> {
        known(written)?;
        let operands = elements(written, written.operand(0)?)?;
        form.elements = operands.len() as u8;
        for (target, operand) in form.targets.iter_mut().zip(operands) {
            if *operand != Operand::Name("_") {
                *target = Some(self.target_in(operand, form.ty)?);
            }
        }
        Ok(())
    }

    fn store(&mut self, written: &Written, form: &mut AccessForm) -> Result<(), Trouble> {
        known(written)?;
        form.kind = AccessKind::Store;
        let operands = elements(written, written.operand(1)?)?;
        form.elements = operands.len() as u8;
        for (source, operand) in form.sources.iter_mut().zip(operands) {
            *source = self.source_in(operand, form.ty)?;
        }
        Ok(())
    }

    /// An atomic of a vector is one of each element: all but the last are pushed.
    fn atomics(
        &mut self,
        written: &Written,
        address: usize,
        first: AccessForm,
    ) -> Result<AccessForm, Trouble> {
        let values = elements(written, written.operand(address + 1)?)?;
        let old = match written.opcode {
            "atom" => elements(written, written.operand(0)?)?.iter().map(Some).collect(),
            _ => vec![None; values.len()],
        };
        let mut forms = Vec::new();
        for (at, (value, old)) in (0u64..).zip(values.iter().zip(old)) {
            let offset = first.offset.wrapping_add(at * u64::from(first.ty.bytes));
            let mut form = AccessForm { offset, ..first };
            self.atomic(written, old, value, &mut form)?;
            forms.push(form);
        }
        let last = forms.pop().ok_or("a vector is empty")?;
        for form in forms {
            self.push_guarded(written, Operation::Access(Box::new(form)))?;
        }
        Ok(last)
    }

    /// The operation of an atomic, its kind and its order.
    fn atomic_kind<'w>(
        &self,
        written: &Written<'w>,
        form: &mut AccessForm,
    ) -> Result<(AtomicOp, &'w str), Trouble> {
        let found = written.modifiers.iter().find_map(|name| Some((AtomicOp::named(name)?, *name)));
        let (op, name) = found.ok_or("an operation is missing")?;
        written.only(
            &[&ORDERS[..], &SPACES, &HINTS, &[name, "noftz", "v2", "v4", "v8", "b128"]].concat(),
        )?;
        // Atomics without a word on order are relaxed.
        if form.order == Order::Weak {
            form.order = Order::Relaxed;
        }
        form.kind = AccessKind::Atomic(op);
        Ok((op, name))
    }

    /// Operation and order of an atomic of 128 bits.
    pub(super) fn atomic_of_quad(
        &self,
        written: &Written,
        form: &mut AccessForm,
    ) -> Result<(), Trouble> {
        match self.atomic_kind(written, form)? {
            (AtomicOp::Exchange | AtomicOp::CompareAndSwap, _) => Ok(()),
            (_, name) => Err(format!("{name} has no form of .b128: exch and cas have")),
        }
    }

    fn atomic(
        &mut self,
        written: &Written,
        old: Option<&Operand>,
        value: &Operand,
        form: &mut AccessForm,
    ) -> Result<(), Trouble> {
        let (op, name) = self.atomic_kind(written, form)?;
        let ty = form.ty;
        let bitwise = matches!(op, AtomicOp::Exchange | AtomicOp::CompareAndSwap);
        let is_small = ty.bytes == 2 || ty.half().is_some();
        let fits = match op {
            _ if ty.bytes < 2 => false,
            AtomicOp::CompareAndSwap if ty.bytes == 2 => ty.kind == Kind::Bits,
            _ if is_small => op == AtomicOp::Add && ty.is_float(),
            AtomicOp::Add => ty.kind != Kind::Bits,
            AtomicOp::Increment | AtomicOp::Decrement => !ty.is_float() && ty.bytes == 4,
            _ => !ty.is_float() || bitwise,
        };
        if !fits {
            return Err(format!("{name} is not supported for this type"));
        }
        if let Some(old) = old.filter(|old| **old != Operand::Name("_")) {
            form.targets[0] = Some(self.exact_target(old, ty)?);
        }
        form.sources[0] = self.source_in(value, ty)?;
        Ok(())
    }

    fn exact_target(&mut self, operand: &Operand, ty: Type) -> Result<TargetIn, Trouble> {
        let target = self.target(operand, ty)?;
        Ok(TargetIn { file: ty.file(), target, bytes: ty.bytes })
    }

    /// An address of 32 bits in 64.
    fn lengthened(&mut self, register: Register) -> Result<Source, Trouble> {
        let wide = self.scopes.fresh(U64)?;
        let d = TargetIn { file: File::Wide, target: wide.target(), bytes: 8 };
        let a = SourceIn { file: File::Narrow, source: Source::register(register.index) };
        let (to, from, mode) = (U64, U32, FloatMode::default());
        self.push(self.line, None, Operation::Convert { to, from, mode, integral: false, d, a });
        Ok(Source::register(wide.index))
    }

    /// Fills in the address, and the space where the variable decides it.
    pub(super) fn address_of(
        &mut self,
        operand: &Operand,
        form: &mut AccessForm,
    ) -> Result<(), Trouble> {
        let Operand::Address(base, offset) = operand else {
            return Err("an address in brackets is expected".into());
        };
        form.offset = *offset as u64;
        let name = match &**base {
            Operand::Name(name) => name,
            Operand::Literal(super::super::literal::Literal::Integer(address)) => {
                form.offset = *address as u64;
                return Ok(());
            }
            _ => return Err("an address is a register or variable with an offset".into()),
        };
        match self.find(name)? {
            Some(Symbol::Register(register)) => {
                let is_short = register.ty.file() == File::Narrow && register.ty.bytes == 4;
                let takes_short = matches!(
                    form.space,
                    Space::Shared | Space::Cluster | Space::Local | Space::Const
                );
                if is_short && takes_short {
                    form.base = Some(self.lengthened(register)?);
                    return Ok(());
                }
                if register.ty.file() != File::Wide {
                    return Err("addresses have 64 bits, or 32 in shared, local and const".into());
                }
                // Parameters of device functions lie in local memory.
                if form.space == Space::Param && !self.is_kernel {
                    form.space = Space::Local;
                }
                form.base = Some(self.source(&Operand::Name(name), U64)?);
                Ok(())
            }
            Some(Symbol::Variable(variable)) => {
                let as_named = match form.space {
                    Space::Generic => true,
                    Space::Param => variable.space == Space::Local || self.is_kernel,
                    Space::Cluster => variable.space == Space::Shared,
                    named => named == variable.space,
                };
                if !as_named {
                    return Err(format!("{name} lies in {} memory", variable.space.name()));
                }
                form.space = variable.space;
                form.in_frame = variable.in_frame;
                form.offset = variable.offset.wrapping_add(*offset as u64);
                Ok(())
            }
            None => Err(format!("no register or variable {name}")),
        }
    }
}

pub(super) const ORDERS: [&str; 11] = [
    "weak", "volatile", "relaxed", "acquire", "release", "acq_rel", "sc", "cta", "cluster", "gpu",
    "sys",
];
const SPACES: [&str; 9] = [
    "global",
    "shared",
    "shared::cta",
    "shared::cluster",
    "local",
    "const",
    "param",
    "param::entry",
    "param::func",
];

/// Refuses modifiers that loads and stores do not have.
pub(super) fn known(written: &Written) -> Result<(), Trouble> {
    written.only(&[&HINTS[..], &ORDERS, &SPACES, &["v2", "v4", "mmio", "b128"]].concat())?;
    match written.has("mmio") && !(written.has("relaxed") && written.has("sys")) {
        true => Err(".mmio is .relaxed.sys".into()),
        false => Ok(()),
    }
}

/// The registers or values that an access moves.
pub(super) fn elements<'a>(
    written: &Written,
    operand: &'a Operand<'a>,
) -> Result<&'a [Operand<'a>], Trouble> {
    let vectors = [("v2", 2), ("v4", 4), ("v8", 8)];
    let wanted = vectors.iter().find(|(name, _)| written.has(name)).map_or(1, |(_, count)| *count);
    let given = match operand {
        // One register in braces is that register.
        Operand::Vector(operands) => &operands[..],
        operand if wanted == 1 => std::slice::from_ref(operand),
        _ => return Err("vectors have 2 or 4 elements in braces".into()),
    };
    match given.len() == wanted {
        true => Ok(given),
        false => Err(format!("{} elements where {wanted} are moved", given.len())),
    }
}

/// Ordering and scope of an access or fence.
pub(super) fn ordering(written: &Written) -> Result<(Order, Scope), Trouble> {
    let order = written.modifiers.iter().find_map(|name| match *name {
        "volatile" => Some(Order::Volatile),
        "relaxed" => Some(Order::Relaxed),
        "acquire" => Some(Order::Acquire),
        "release" => Some(Order::Release),
        "acq_rel" => Some(Order::AcquireRelease),
        "sc" => Some(Order::SequentiallyConsistent),
        _ => None,
    });
    let scope = written.modifiers.iter().find_map(|name| match *name {
        "cta" => Some(Scope::Cta),
        "cluster" => Some(Scope::Cluster),
        "gpu" | "gl" => Some(Scope::Gpu),
        "sys" => Some(Scope::Sys),
        _ => None,
    });
    let order = order.unwrap_or(Order::Weak);
    // An atomic that names no scope works at that of the GPU; volatile means the system.
    let widest = if order == Order::Volatile { Scope::Sys } else { Scope::Gpu };
    Ok((order, scope.unwrap_or(widest)))
}

fn fence(written: &Written) -> Lowered {
    // Nothing here accesses memory through another proxy.
    if written.has("proxy") {
        written.asked.set(written.operands.len());
        return Ok(Operation::Nothing);
    }
    let restricted = ["sync_restrict::shared::cta", "sync_restrict::shared::cluster"];
    written.only(&[&ORDERS[..], &["gl", "mbarrier_init"], &restricted].concat())?;
    let (order, scope) = ordering(written)?;
    let order = match (written.opcode, order) {
        ("membar", _) => Order::SequentiallyConsistent,
        // Without a word on order it is acquire and release.
        (_, Order::Weak) => Order::AcquireRelease,
        (_, order) => order,
    };
    Ok(Operation::Fence { order, scope })
}
