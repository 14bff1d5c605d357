//! Barriers, and what lanes of a warp do together.

use super::super::layout::Trouble;
use super::super::types::{AtomicOp, Kind, Type};
use super::super::written::{Operand, Written};
use super::body::Body;
use super::float::extreme;
use super::operands::{Lowered, PREDICATE, U32};
use crate::isa::{
    BarrierKind, Comparison, Logic, Operation, Reduction, Shuffle, Source, Special, Target, Vote,
};

impl Body<'_, '_> {
    /// `bar`, `barrier`, `vote`, `match`, `shfl`, `activemask`
    pub(super) fn warp(&mut self, written: &Written) -> Lowered {
        match written.opcode {
            "bar" | "barrier" if written.has("warp") => {
                Ok(Operation::WarpSync { members: self.source(written.operand(0)?, U32)? })
            }
            "bar" | "barrier" => self.barrier(written),
            "vote" => self.vote(written),
            "match" => self.match_lanes(written),
            "shfl" => self.shuffle(written),
            "redux" => self.redux(written),
            "elect" => self.elect(written),
            _ => Ok(Operation::ActiveMask { d: self.first(written, U32)? }),
        }
    }

    fn barrier(&mut self, written: &Written) -> Lowered {
        written.only(&["cta", "sync", "arrive", "red", "popc", "and", "or", "aligned"])?;
        let operands = &written.operands;
        written.asked.set(if written.has("red") { 4 } else { 2 });
        let is_aligned = written.opcode == "bar" || written.has("aligned");
        if !written.has("red") {
            let kind = match written.has("arrive") {
                true => BarrierKind::Arrive,
                false => BarrierKind::Sync,
            };
            let id = self.source(written.operand(0)?, U32)?;
            let threads = operands.get(1).map(|it| self.source(it, U32)).transpose()?;
            if kind == BarrierKind::Arrive && threads.is_none() {
                return Err("the number of threads is missing".into());
            }
            return Ok(Operation::Barrier { kind, id, threads, is_aligned });
        }
        let last = operands.last().ok_or("operands are missing")?;
        let condition = self.condition(last)?;
        let kind = match written.has("popc") {
            true => BarrierKind::Popc(self.first(written, U32)?, condition),
            false => {
                let logic = if written.has("and") { Logic::And } else { Logic::Or };
                let target = self.first(written, PREDICATE)?;
                BarrierKind::Reduce(logic, target, condition)
            }
        };
        let id = self.source(written.operand(1)?, U32)?;
        let threads = match operands.len() {
            4 => Some(self.source(&operands[2], U32)?),
            _ => None,
        };
        Ok(Operation::Barrier { kind, id, threads, is_aligned })
    }

    fn vote(&mut self, written: &Written) -> Lowered {
        written.only(&["sync", "all", "any", "uni", "ballot"])?;
        let a = self.condition(written.operand(1)?)?;
        let members = self.members(written, 2)?;
        let mode = match () {
            _ if written.has("ballot") => {
                let d = self.first(written, U32)?;
                return Ok(Operation::Ballot { d, a, members });
            }
            _ if written.has("all") => Vote::All,
            _ if written.has("any") => Vote::Any,
            _ => Vote::Uni,
        };
        let p = self.first(written, PREDICATE)?;
        Ok(Operation::Vote { mode, p, a, members })
    }

    fn match_lanes(&mut self, written: &Written) -> Lowered {
        written.only(&["sync", "any", "all"])?;
        let ty = written.last_type()?;
        let (d, p) = self.pair(written)?;
        let a = self.source(written.operand(1)?, Type { kind: Kind::Bits, ..ty })?;
        let members = self.source(written.operand(2)?, U32)?;
        Ok(Operation::Match { all: written.has("all"), file: ty.file(), d, p, a, members })
    }

    fn redux(&mut self, written: &Written) -> Lowered {
        let ops = ["add", "min", "max", "and", "or", "xor"];
        written.only(&[&["sync", "abs", "NaN"][..], &ops].concat())?;
        let op = written.modifiers.iter().find_map(|name| AtomicOp::named(name));
        let op = op.ok_or_else(|| format!("one of {} is missing", ops.join(", ")))?;
        let ty = written.last_type()?;
        let op = match (ty.kind, ty.bytes) {
            (Kind::Float, 4) if matches!(op, AtomicOp::Min | AtomicOp::Max) => {
                Reduction::Single(extreme(written))
            }
            (Kind::Unsigned | Kind::Signed | Kind::Bits, 4)
                if !written.has("abs") && !written.has("NaN") =>
            {
                Reduction::Integer(op, ty)
            }
            _ => return Err("u32, s32, b32, and of min and max f32 are accepted".into()),
        };
        let d = self.first(written, ty)?;
        let a = self.source(written.operand(1)?, ty)?;
        Ok(Operation::Redux { op, d, a, members: self.source(written.operand(2)?, U32)? })
    }

    /// `elect.sync d|p, members`: the lowest of the lanes.
    fn elect(&mut self, written: &Written) -> Lowered {
        written.only(&["sync"])?;
        let Operand::Pair(d, p) = written.operand(0)? else {
            return Err("d|p is expected".into());
        };
        let (lane, lowest) = (self.scopes.fresh(U32)?, self.scopes.fresh(U32)?);
        let special =
            Operation::Special { special: Special::LaneId, file: U32.file(), d: lane.target() };
        self.push_guarded(written, special)?;
        let (a, members) = (Source::register(lane.index), self.source(written.operand(1)?, U32)?);
        let op = Reduction::Integer(AtomicOp::Min, U32);
        let redux = Operation::Redux { op, d: lowest.target(), a, members };
        self.push_guarded(written, redux)?;
        let lowest = Source::register(lowest.index);
        if **d != Operand::Name("_") {
            let d = self.target(d, U32)?;
            self.push_guarded(written, Operation::Move { file: U32.file(), d, a: lowest })?;
        }
        Ok(Operation::Compare {
            comparison: Comparison::Eq,
            ty: U32,
            ftz: false,
            combine: None,
            p: self.target(p, PREDICATE)?,
            q: None,
            ab: [a, lowest],
        })
    }

    fn shuffle(&mut self, written: &Written) -> Lowered {
        written.only(&["sync", "up", "down", "bfly", "idx"])?;
        let mode = match () {
            _ if written.has("up") => Shuffle::Up,
            _ if written.has("down") => Shuffle::Down,
            _ if written.has("bfly") => Shuffle::Butterfly,
            _ => Shuffle::Index,
        };
        let (d, p) = self.pair(written)?;
        Ok(Operation::Shuffle {
            mode,
            d,
            p,
            abc: self.sources(written, U32)?,
            members: self.members(written, 4)?,
        })
    }

    /// `d|p`, or `d` alone.
    fn pair(&mut self, written: &Written) -> Result<(Target, Option<Target>), Trouble> {
        match written.operand(0)? {
            Operand::Pair(d, p) => Ok((self.target(d, U32)?, Some(self.target(p, PREDICATE)?))),
            d => Ok((self.target(d, U32)?, None)),
        }
    }

    /// The lanes that take part; forms before `.sync` mean those that are active.
    fn members(&mut self, written: &Written, at: usize) -> Result<Option<Source>, Trouble> {
        match written.has("sync") {
            true => self.source(written.operand(at)?, U32).map(Some),
            false => Ok(None),
        }
    }
}
