//! Asynchronous copies, and `mbarrier`.

use super::super::layout::Trouble;
use super::super::literal::Literal;
use super::super::scope::Symbol;
use super::super::types::{AtomicOp, File, Kind, MbarrierOp, Order, Scope, Space, Type};
use super::super::written::{Operand, Written};
use super::body::Body;
use super::convert::space as space_named;
use super::memory::{HINTS, ORDERS, ordering};
use super::operands::{Lowered, PREDICATE, U32, U64};
use crate::isa::{
    AccessForm, AccessKind, Condition, CopyForm, Integer2, MBARRIER_PENDING, Operation, Parts,
    Source, SourceIn, TargetIn,
};

/// How shared memory is named.
const SHARED: [&str; 2] = ["shared", "shared::cta"];
/// An `mbarrier` may be that of another CTA of the cluster.
const OF_CLUSTER: [&str; 3] = ["shared", "shared::cta", "shared::cluster"];

impl Body<'_, '_> {
    /// `cp.async`
    pub(super) fn copy(&mut self, written: &Written) -> Lowered {
        match written.modifiers[..] {
            ["async", "commit_group"] => Ok(Operation::CopyCommit),
            ["async", "wait_all"] => Ok(Operation::CopyWait { newest: None }),
            ["async", "wait_group"] => match written.operand(0)? {
                Operand::Literal(Literal::Integer(newest)) if u32::try_from(*newest).is_ok() => {
                    Ok(Operation::CopyWait { newest: u32::try_from(*newest).ok() })
                }
                _ => Err("wait_group takes a number that is not negative".into()),
            },
            ["async", "mbarrier", "arrive", ..] => {
                written.only(&[&SHARED[..], &["async", "mbarrier", "arrive", "noinc"]].concat())?;
                let op = MbarrierOp::Arrive { drop: false, no_complete: false };
                let mbarrier = self.mbarrier_form(op, written, 0)?;
                let expects = !written.has("noinc");
                Ok(Operation::CopyArrive { mbarrier: Box::new(mbarrier), expects })
            }
            ["async", "ca" | "cg", ..] => self.copy_bytes(written),
            _ => Err("cp.async is supported, with .ca or .cg".into()),
        }
    }

    /// `cp.async.ca.shared.global [to], [from], bytes{, read or ignored}{, policy}`
    fn copy_bytes(&mut self, written: &Written) -> Lowered {
        let known = ["async", "global", "L2::cache_hint"];
        written.only(&[&HINTS[..], &SHARED, &known].concat())?;
        if !written.modifiers.iter().any(|name| SHARED.contains(name)) || !written.has("global") {
            return Err("from .global to .shared is accepted".into());
        }
        let mut to = AccessForm::load(Space::Shared, U32);
        self.address_of(written.operand(0)?, &mut to)?;
        let mut from = AccessForm::load(Space::Global, U32);
        self.address_of(written.operand(1)?, &mut from)?;
        let bytes = match (written.operand(2)?, written.has("cg")) {
            (Operand::Literal(Literal::Integer(16)), true) => 16,
            (Operand::Literal(Literal::Integer(bytes @ (4 | 8 | 16))), false) => *bytes as u32,
            (_, true) => return Err("16 bytes are accepted with .cg".into()),
            (_, false) => return Err("4, 8 and 16 bytes are accepted with .ca".into()),
        };
        let policy = usize::from(written.has("L2::cache_hint"));
        let (read, ignored) = match written.operands.get(3) {
            Some(last) if written.operands.len() > 3 + policy => self.read_or_ignored(last)?,
            _ => (None, None),
        };
        written.asked.set(written.operands.len().min(4 + policy));
        Ok(Operation::Copy(Box::new(CopyForm { from, to, bytes, read, ignored })))
    }

    /// How many bytes are read, or the predicate that lets nothing be read.
    fn read_or_ignored(
        &mut self,
        operand: &Operand,
    ) -> Result<(Option<Source>, Option<Condition>), Trouble> {
        let is_predicate = match operand {
            Operand::Not(_) => true,
            Operand::Name(name) => {
                matches!(self.find(name)?, Some(Symbol::Register(it)) if it.ty == PREDICATE)
            }
            _ => false,
        };
        match is_predicate {
            true => Ok((None, Some(self.condition(operand)?))),
            false => Ok((Some(self.source(operand, U32)?), None)),
        }
    }

    /// `mbarrier`
    pub(super) fn mbarrier(&mut self, written: &Written) -> Lowered {
        let name = *written.modifiers.first().ok_or("an operation is missing")?;
        let no_complete = written.has("noComplete");
        let op = match name {
            "expect_tx" => MbarrierOp::ExpectBytes,
            "complete_tx" => MbarrierOp::CompleteBytes,
            "init" => MbarrierOp::Init,
            "inval" => MbarrierOp::Invalidate,
            "arrive" => MbarrierOp::Arrive { drop: false, no_complete },
            "arrive_drop" => MbarrierOp::Arrive { drop: true, no_complete },
            "test_wait" | "try_wait" => MbarrierOp::Test { parity: written.has("parity") },
            "pending_count" => return self.pending_count(written),
            _ => return Err(format!("mbarrier has no operation {name}")),
        };
        let of_name = [name, "noComplete", "parity", "expect_tx"];
        written.only(&[&ORDERS[..], &OF_CLUSTER, &of_name].concat())?;
        let address = matches!(op, MbarrierOp::Arrive { .. } | MbarrierOp::Test { .. });
        let address = usize::from(address);
        let mut form = self.mbarrier_form(op, written, address)?;
        match op {
            MbarrierOp::Init | MbarrierOp::ExpectBytes | MbarrierOp::CompleteBytes => {
                form.sources[0] = self.source_in(written.operand(1)?, U32)?;
            }
            MbarrierOp::Arrive { .. } => {
                if written.has("expect_tx") {
                    let expect = MbarrierOp::ExpectBytes;
                    let mut expects = self.mbarrier_form(expect, written, address)?;
                    expects.sources[0] = self.source_in(written.operand(2)?, U32)?;
                    self.push_guarded(written, Operation::Access(Box::new(expects)))?;
                } else if no_complete || written.operands.len() > 2 {
                    form.sources[0] = self.source_in(written.operand(2)?, U32)?;
                }
                if *written.operand(0)? != Operand::Name("_") {
                    if written.has("shared::cluster") {
                        return Err("in .shared::cluster an arrival has no state: use _".into());
                    }
                    let target = self.first(written, U64)?;
                    form.targets[0] = Some(TargetIn { file: File::Wide, target, bytes: 8 });
                }
            }
            MbarrierOp::Test { .. } if written.has("shared::cluster") => {
                return Err("threads wait at an mbarrier of their CTA: use .shared::cta".into());
            }
            MbarrierOp::Test { parity } => {
                let ty = if parity { U32 } else { U64 };
                form.sources[0] = self.source_in(written.operand(2)?, ty)?;
                let target = self.first(written, PREDICATE)?;
                form.targets[0] = Some(TargetIn { file: File::Predicate, target, bytes: 8 });
                // How long to wait at most is a hint.
                written.asked.set(if name == "try_wait" { 4 } else { 3 });
            }
            MbarrierOp::Invalidate | MbarrierOp::Expect => {}
        }
        Ok(Operation::Access(Box::new(form)))
    }

    /// An operation on the mbarrier that an operand is the address of; its own operand is one.
    fn mbarrier_form(
        &mut self,
        op: MbarrierOp,
        written: &Written,
        address: usize,
    ) -> Result<AccessForm, Trouble> {
        let (order, scope) = ordering(written)?;
        let space = written.modifiers.iter().find(|name| OF_CLUSTER.contains(name));
        let space = space.and_then(|name| space_named(name)).unwrap_or(Space::Generic);
        let mut form = AccessForm::load(space, Type { kind: Kind::Bits, bytes: 8 });
        self.address_of(written.operand(address)?, &mut form)?;
        form.kind = AccessKind::Atomic(AtomicOp::Mbarrier(op));
        form.order = match (op, order) {
            (MbarrierOp::Arrive { .. }, Order::Weak) => Order::Release,
            (MbarrierOp::Test { .. }, Order::Weak) => Order::Acquire,
            (_, Order::Weak) => Order::Relaxed,
            (_, order) => order,
        };
        let is_named = ["cluster", "gpu", "sys"].iter().any(|name| written.has(name));
        form.scope = if is_named { scope } else { Scope::Cta };
        form.sources[0] = SourceIn { file: File::Narrow, source: self.constant(1, U32) };
        Ok(form)
    }

    /// The arrivals that were pending are the lowest bits of a state.
    fn pending_count(&mut self, written: &Written) -> Lowered {
        written.only(&["pending_count"])?;
        let count = self.first(written, U32)?;
        let a = self.source(written.operand(1)?, U64)?;
        let low = self.scopes.fresh(U32)?;
        let parts = [Some(low.target()), None, None, None];
        let parts = Parts { parts, count: 2, bits: 32, whole: File::Wide };
        self.push_guarded(written, Operation::Unpack { parts, a })?;
        let ab = [Source::register(low.index), self.constant(MBARRIER_PENDING.into(), U32)];
        Ok(Operation::Integer2 { op: Integer2::And, ty: U32, d: count, ab })
    }
}
