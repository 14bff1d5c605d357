//! Names of wires that the author did not name, from words of their expressions.

use std::collections::HashSet;

use crate::ir::{BinaryOp, ModuleData, NodeId, Op, UnaryOp};

/// Longest name made of an expression's words.
const LONGEST: usize = 48;

/// The invented names of one module.
#[derive(Default)]
pub(super) struct InventedNames(HashSet<String>);

impl InventedNames {
    /// A new name, from the node's expression or its purpose. All begin with an underscore, unlike any
    /// author's name.
    pub(super) fn take(&mut self, words: Option<String>, purpose: &str) -> String {
        let words = words.filter(|words| words.len() <= LONGEST);
        let candidates = words.as_deref().into_iter().chain([purpose]);
        let free = candidates.map(|name| format!("_{name}")).find(|name| !self.0.contains(name));
        let numbered = || {
            let mut names = (0..).map(|number| format!("_{purpose}_{number}"));
            names.find(|name| !self.0.contains(name)).expect("numbers without end")
        };
        let name = free.unwrap_or_else(numbered);
        self.0.insert(name.clone());
        name
    }
}

/// Words for a node's expression, if there are any.
pub(super) struct Words<'a> {
    pub(super) module: &'a ModuleData,
    pub(super) identifiers: &'a [Option<String>],
}

impl Words<'_> {
    /// The words for a node, without its own name.
    pub(super) fn of(&self, node: NodeId) -> Option<String> {
        let words = match &self.module.node(node).op {
            Op::Unary(op, a) => {
                let verb = match op {
                    UnaryOp::Not => "not",
                    UnaryOp::ReduceAnd => "all",
                    UnaryOp::ReduceOr => "any",
                    UnaryOp::ReduceXor => "parity",
                };
                format!("{verb}_{}", self.operand(*a)?)
            }
            Op::Binary(op, a, b) => self.binary(*op, *a, *b)?,
            Op::Slice { from, low } => {
                let (width, from_width) =
                    (self.module.node(node).width, self.module.node(*from).width);
                let from = self.operand(*from)?;
                match (width, low) {
                    (1, _) => format!("{from}_bit{low}"),
                    (_, 0) => format!("{from}_low{width}"),
                    _ if low + width == from_width => format!("{from}_high{width}"),
                    _ => format!("{from}_from{low}to{}", low + width - 1),
                }
            }
            Op::Concat(parts) => self.concat(parts)?,
            Op::Mux { condition, on_true, on_false } => {
                let (on_true, on_false) = (self.operand(*on_true)?, self.operand(*on_false)?);
                let chosen = joined(&on_true, "or", &on_false);
                format!("{chosen}_by_{}", self.operand(*condition)?)
            }
            _ => return None,
        };
        (words.len() <= LONGEST).then_some(words)
    }

    fn operand(&self, node: NodeId) -> Option<String> {
        if let Some(name) = &self.identifiers[node.index()] {
            return Some(name.trim_start_matches('_').to_lowercase());
        }
        self.of(node)
    }

    fn binary(&self, op: BinaryOp, a: NodeId, b: NodeId) -> Option<String> {
        if let (BinaryOp::And, Some(condition)) = (op, self.repeated(a)) {
            return Some(joined(&self.operand(b)?, "if", &self.operand(condition)?));
        }
        let verb = match op {
            BinaryOp::And => "and",
            BinaryOp::Or => "or",
            BinaryOp::Xor => "xor",
            BinaryOp::Add => "plus",
            BinaryOp::Sub => "minus",
            BinaryOp::Mul => "times",
            BinaryOp::Eq => "is",
            BinaryOp::Ne => "is_not",
            BinaryOp::Lt | BinaryOp::LtSigned => "below",
            BinaryOp::Le | BinaryOp::LeSigned => "up_to",
            BinaryOp::ShiftLeft => "left_by",
            BinaryOp::ShiftRight | BinaryOp::ShiftRightSigned => "right_by",
        };
        match (self.constant(a), self.constant(b)) {
            (None, Some(number)) => Some(format!("{}_{verb}{number}", self.operand(a)?)),
            (Some(number), None) => {
                let verb = match op {
                    BinaryOp::Lt | BinaryOp::LtSigned => "above",
                    BinaryOp::Le | BinaryOp::LeSigned => "at_least",
                    _ => return None,
                };
                Some(format!("{}_{verb}{number}", self.operand(b)?))
            }
            _ => Some(joined(&self.operand(a)?, verb, &self.operand(b)?)),
        }
    }

    /// The words common to the parts.
    fn concat(&self, parts: &[NodeId]) -> Option<String> {
        if let Some(part) = repeated(parts) {
            return self.operand(part);
        }
        let compared = |part: &NodeId| match self.module.node(*part).op {
            Op::Binary(BinaryOp::Eq, a, b) if self.constant(b).is_some() => Some(a),
            _ => None,
        };
        let subject = compared(&parts[0]);
        if let (Some(subject), true) = (subject, parts.iter().all(|p| compared(p) == subject)) {
            return Some(format!("{}_one_hot", self.operand(subject)?));
        }
        let parts: Vec<_> = parts.iter().filter(|part| self.constant(**part).is_none()).collect();
        let words = parts.iter().map(|part| self.operand(**part)).collect::<Option<Vec<_>>>()?;
        let mut common: Vec<_> = words.first()?.split('_').collect();
        for other in &words {
            let same = common.iter().zip(other.split('_')).take_while(|(a, b)| *a == b).count();
            common.truncate(same);
        }
        match (common.is_empty(), &words[..]) {
            (false, _) => Some(format!("{}_joined", common.join("_"))),
            (true, [a, b]) => Some(joined(a, "with", b)),
            _ => None,
        }
    }

    fn repeated(&self, node: NodeId) -> Option<NodeId> {
        match &self.module.node(node).op {
            Op::Concat(parts) if self.identifiers[node.index()].is_none() => repeated(parts),
            _ => None,
        }
    }

    fn constant(&self, node: NodeId) -> Option<u64> {
        match (&self.module.node(node).op, &self.identifiers[node.index()]) {
            (Op::Const(value), None) => value.to_u64(),
            _ => None,
        }
    }
}

/// The part that is repeated, if all parts are equal.
fn repeated(parts: &[NodeId]) -> Option<NodeId> {
    (parts.len() > 1 && parts.iter().all(|part| part == &parts[0])).then_some(parts[0])
}

/// `a_verb_b`, without repeating the common beginning in `b`.
fn joined(a: &str, verb: &str, b: &str) -> String {
    let same = a.split('_').zip(b.split('_')).take_while(|(a, b)| a == b).count();
    let own: Vec<_> = b.split('_').skip(same).collect();
    match own.is_empty() {
        true => format!("{a}_{verb}_{b}"),
        false => format!("{a}_{verb}_{}", own.join("_")),
    }
}
