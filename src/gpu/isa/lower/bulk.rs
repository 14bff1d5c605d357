//! Bulk copies, `st.async` and `red.async`: what they move arrives later.

use super::super::coverage::not_covered;
use super::super::layout::Trouble;
use super::super::literal::Literal;
use super::super::types::{AtomicOp, Kind, Order, Scope, Space, Type};
use super::super::written::{Operand, Written};
use super::body::Body;
use super::convert::space;
use super::memory::elements;
use super::operands::{Lowered, U32, U64};
use crate::isa::{AccessForm, AccessKind, BulkForm, Operation};

/// Completion that an `mbarrier` is told.
const TOLD: &str = "mbarrier::complete_tx::bytes";
const B64: Type = Type { kind: Kind::Bits, bytes: 8 };

impl Body<'_, '_> {
    /// `cp.async.bulk`, `cp.reduce.async.bulk`
    pub(super) fn bulk(&mut self, written: &Written) -> Lowered {
        match written.modifiers[..] {
            _ if written.has("tensor") => Err(not_covered("cp.async.bulk.tensor")),
            ["async", "bulk", "commit_group"] => Ok(Operation::BulkCommit),
            ["async", "bulk", "wait_group"] => Ok(waits(written, false)?),
            ["async", "bulk", "wait_group", "read"] => Ok(waits(written, true)?),
            ["async", "bulk", "prefetch", "L2", "global", ..] => {
                written.asked.set(written.operands.len());
                Ok(Operation::Nothing)
            }
            ["async", "bulk", ..] => self.bulk_copy(written, None),
            ["reduce", "async", "bulk", ..] => {
                let (op, ty) = reduction(written)?;
                self.bulk_copy(written, Some((op, ty)))
            }
            _ => Err("cp.async.bulk and cp.reduce.async.bulk are accepted".into()),
        }
    }

    /// `cp.async.bulk.TO.FROM... [to], [from], bytes{, [mbarrier]}{, CTAs}{, policy}`
    fn bulk_copy(&mut self, written: &Written, reduction: Option<(AtomicOp, Type)>) -> Lowered {
        let known = ["async", "bulk", "reduce", "global", "shared::cta", "shared::cluster", TOLD];
        let more = ["bulk_group", "multicast::cluster", "L2::cache_hint", "noftz"];
        let name = written.modifiers.iter().find(|name| AtomicOp::named(name).is_some());
        let name = name.filter(|_| reduction.is_some()).copied();
        written.only(&[&known[..], &more, name.as_slice()].concat())?;
        let spaces: Vec<_> = written.modifiers.iter().filter_map(|name| space(name)).collect();
        let (told, group) = (written.has(TOLD), written.has("bulk_group"));
        let fits = match (&spaces[..], reduction) {
            ([Space::Shared | Space::Cluster, Space::Global], None) => told && !group,
            ([Space::Cluster, Space::Shared], _) => told && !group,
            ([Space::Global, Space::Shared], _) => group && !told,
            _ => false,
        };
        let multicast = written.has("multicast::cluster");
        if !fits || multicast && spaces != [Space::Cluster, Space::Global] {
            return Err(format!(
                "from .global to .shared::cluster or .shared::cta, and from .shared::cta to .shared::cluster, with .{TOLD}, \
                 and from .shared::cta to .global with .bulk_group are accepted; from .global to .shared::cluster with \
                 .multicast::cluster, too"
            ));
        }
        let (kind, ty) = match reduction {
            Some((op, ty)) if has_reduction(op, ty, spaces[0] == Space::Global) => {
                (AccessKind::Atomic(op), ty)
            }
            Some(_) => {
                let name = name.unwrap_or_default();
                return Err(format!("{name} is not supported for this type and space"));
            }
            None => (AccessKind::Store, B64),
        };
        let mut to = AccessForm { kind, ..AccessForm::load(spaces[0], ty) };
        let mut from = AccessForm::load(spaces[1], ty);
        self.address_of(written.operand(0)?, &mut to)?;
        self.address_of(written.operand(1)?, &mut from)?;
        let bytes = self.source(written.operand(2)?, U32)?;
        let mbarrier = if told { Some(self.told(written, 3, Space::Cluster)?) } else { None };
        let next = 3 + usize::from(told);
        let u16 = Type { kind: Kind::Unsigned, bytes: 2 };
        let ctas = match multicast {
            true => Some(self.source_in(written.operand(next)?, u16)?),
            false => None,
        };
        if written.has("L2::cache_hint") {
            self.source(written.operand(next + usize::from(multicast))?, U64)?;
        }
        Ok(Operation::Bulk(Box::new(BulkForm { from: Some(from), to, bytes, mbarrier, ctas })))
    }

    /// `st.async`, `red.async`
    pub(super) fn sent(&mut self, written: &Written) -> Lowered {
        let orders = match written.opcode {
            "st" => &["weak"][..],
            _ => &["relaxed", "cluster"],
        };
        if !written.has(TOLD) {
            return Err(format!("{}.async with .{TOLD} is accepted", written.opcode));
        }
        let found = written.modifiers.iter().find(|name| AtomicOp::named(name).is_some());
        let known = ["async", "shared::cluster", TOLD, "v2", "v4"];
        let name = found.filter(|_| written.opcode == "red").copied();
        written.only(&[&known[..], orders, name.as_slice()].concat())?;
        let ty = written.last_type()?;
        let kind = match written.opcode {
            "st" => AccessKind::Store,
            _ => {
                let (op, ty) = reduction(written)?;
                let is_long = op == AtomicOp::Add && ty.kind == Kind::Signed && ty.bytes == 8;
                if !is_long && !has_reduction(op, ty, false)
                    || written.has("v2")
                    || written.has("v4")
                {
                    return Err("this operation is not supported for this type".into());
                }
                AccessKind::Atomic(op)
            }
        };
        if ty.bytes < 4 || ty.half().is_some() {
            return Err("types of 32 and 64 bits are accepted".into());
        }
        let named = written.modifiers.iter().find_map(|name| space(name));
        let named = named.unwrap_or(Space::Generic);
        let mut to = AccessForm { kind, ..AccessForm::load(named, ty) };
        self.address_of(written.operand(0)?, &mut to)?;
        let operands = elements(written, written.operand(1)?)?;
        to.elements = operands.len() as u8;
        for (source, operand) in to.sources.iter_mut().zip(operands) {
            *source = self.source_in(operand, ty)?;
        }
        if to.elements * ty.bytes > 16 {
            return Err("at most 16 bytes are accepted".into());
        }
        let bytes = self.constant(u64::from(to.elements) * u64::from(ty.bytes), U32);
        let mbarrier = Some(self.told(written, 2, named)?);
        Ok(Operation::Bulk(Box::new(BulkForm { from: None, to, bytes, mbarrier, ctas: None })))
    }

    /// The `mbarrier` that is told.
    fn told(&mut self, written: &Written, at: usize, named: Space) -> Result<AccessForm, Trouble> {
        let mut form = AccessForm::load(named, B64);
        (form.order, form.scope) = (Order::Release, Scope::Cluster);
        self.address_of(written.operand(at)?, &mut form)?;
        Ok(form)
    }
}

fn waits(written: &Written, reads: bool) -> Lowered {
    match written.operand(0)? {
        Operand::Literal(Literal::Integer(newest)) => match u32::try_from(*newest) {
            Ok(newest) => Ok(Operation::BulkWait { newest, reads }),
            Err(_) => Err("wait_group takes a number that is not negative".into()),
        },
        _ => Err("wait_group takes a number".into()),
    }
}

/// The operation of a reduction, and the type of its elements.
fn reduction(written: &Written) -> Result<(AtomicOp, Type), Trouble> {
    let op = written.modifiers.iter().find_map(|name| AtomicOp::named(name));
    Ok((op.ok_or("an operation is missing")?, written.last_type()?))
}

/// Whether PTX has a reduction that arrives later, in global or else in shared memory.
fn has_reduction(op: AtomicOp, ty: Type, in_global: bool) -> bool {
    let is_small = ty.bytes == 2 && matches!(ty.kind, Kind::Float | Kind::Brain);
    let is_word = ty.bytes == 4 && matches!(ty.kind, Kind::Unsigned | Kind::Signed);
    let is_long = ty.bytes == 8 && matches!(ty.kind, Kind::Unsigned | Kind::Signed);
    match op {
        AtomicOp::Add if in_global => {
            is_small || is_word || ty == U64 || ty.bytes >= 4 && ty.kind == Kind::Float
        }
        AtomicOp::Add => is_word || ty == U64,
        AtomicOp::Min | AtomicOp::Max => is_word || in_global && (is_small || is_long),
        AtomicOp::Increment | AtomicOp::Decrement => ty == U32,
        AtomicOp::And | AtomicOp::Or | AtomicOp::Xor => {
            ty.kind == Kind::Bits && (ty.bytes == 4 || in_global && ty.bytes == 8)
        }
        _ => false,
    }
}
