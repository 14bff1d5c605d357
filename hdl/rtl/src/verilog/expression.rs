//! Expressions as text. Operands have the operator's width, so Verilog's context-dependent widths never
//! change a value; an operator whose value could still depend on its context (`>>>` beside unsigned operands,
//! bits of an expression) gets its own wire.

use crate::bits::Bits;
use crate::ir::{BinaryOp, ModuleData, NodeId, Op, UnaryOp};

use super::liveness::Liveness;
use super::naming::{InventedNames, Words};
use super::{COLUMNS, range};

/// Longest text that is inlined in another expression.
const INLINE_LIMIT: usize = 120;

/// Writes expressions of one module; invented wires go to `lines` before their first use.
pub(super) struct Expressions<'a> {
    module: &'a ModuleData,
    uses: &'a [u32],
    /// The identifier of each node that has one so far.
    identifiers: Vec<Option<String>>,
    /// What is currently written; names invented wires without words of their own.
    purpose: String,
    names: InventedNames,
    pub(super) lines: String,
}

impl<'a> Expressions<'a> {
    pub(super) fn new(module: &'a ModuleData, liveness: &'a Liveness) -> Self {
        let identifiers = module
            .nodes
            .iter()
            .map(|node| {
                let name = node.name.clone()?;
                Some(if matches!(node.op, Op::Const(_)) { name.to_uppercase() } else { name })
            })
            .collect();
        let (purpose, names, lines) = (String::new(), InventedNames::default(), String::new());
        Self { module, uses: &liveness.uses, identifiers, purpose, names, lines }
    }

    /// Sets the purpose of the following expressions.
    pub(super) fn start(&mut self, purpose: &str) {
        self.purpose = purpose.to_string();
    }

    /// Sets a named node as the purpose of the following expressions.
    pub(super) fn start_for(&mut self, target: NodeId, what: &str) {
        self.purpose = format!("{}_{what}", self.identifier(target));
    }

    /// Gives a node without a name that of a wire with always the same value.
    pub(super) fn alias(&mut self, node: NodeId, name: &str) {
        let identifier = &mut self.identifiers[node.index()];
        let is_plain = matches!(self.module.node(node).op, Op::Const(_) | Op::Slice { .. });
        if identifier.is_none() && !is_plain {
            *identifier = Some(name.to_string());
        }
    }

    /// The node's name, the author's or an invented one, if it has one so far.
    pub(super) fn known_identifier(&self, node: NodeId) -> Option<&str> {
        self.identifiers[node.index()].as_deref()
    }

    pub(super) fn identifier(&self, node: NodeId) -> &str {
        self.known_identifier(node).expect("a named node")
    }

    /// The value that a wire of that name always has.
    pub(super) fn value_of(&mut self, wire: &str, value: NodeId) -> String {
        let is_alias = self.known_identifier(value) == Some(wire);
        if is_alias || self.known_identifier(value).is_none() {
            let text = self.definition(value);
            self.alias(value, wire);
            return text;
        }
        self.identifier(value).to_string()
    }

    /// The value of a node as a complete right-hand side.
    pub(super) fn whole(&mut self, node: NodeId) -> String {
        match self.identifiers[node.index()].is_some() || self.is_shared(node) {
            true => self.operand(node),
            false => self.definition(node),
        }
    }

    /// The expression of a node, ignoring its own name.
    pub(super) fn definition(&mut self, node: NodeId) -> String {
        let text = self.compute(node);
        match text.strip_prefix('(').and_then(|t| t.strip_suffix(')')) {
            Some(inner) => inner.to_string(),
            None => text,
        }
    }

    /// The value of a node as an operand: an identifier, a literal, or in parentheses.
    fn operand(&mut self, node: NodeId) -> String {
        self.operand_within(node, INLINE_LIMIT)
    }

    /// The same, with its own wire if longer than `limit`.
    fn operand_within(&mut self, node: NodeId, limit: usize) -> String {
        if let Some(name) = &self.identifiers[node.index()] {
            return name.clone();
        }
        let op = &self.module.node(node).op;
        if let Op::Const(value) = op {
            return value.to_string();
        }
        let text = self.compute(node);
        let shared = self.is_shared(node) && text.contains(' ');
        let signed = matches!(op, Op::Binary(BinaryOp::ShiftRightSigned, ..));
        if shared || signed || text.len() > limit { self.invent(node, &text) } else { text }
    }

    /// Whether the node has several users and is not merely a slice.
    fn is_shared(&self, node: NodeId) -> bool {
        let is_slice = matches!(self.module.node(node).op, Op::Slice { .. });
        self.uses[node.index()] > 1 && !is_slice
    }

    /// The identifier of a node, invented if necessary.
    fn identifier_or_invented(&mut self, node: NodeId) -> String {
        match &self.identifiers[node.index()] {
            Some(name) => name.clone(),
            None => {
                let text = self.compute(node);
                self.invent(node, &text)
            }
        }
    }

    fn invent(&mut self, node: NodeId, text: &str) -> String {
        let words = Words { module: self.module, identifiers: &self.identifiers }.of(node);
        let name = self.names.take(words, &self.purpose);
        let text = text.strip_prefix('(').and_then(|t| t.strip_suffix(')')).unwrap_or(text);
        let declaration = format!("wire {}{name}", range(self.module.node(node).width));
        self.lines.push_str(&assignment("    ", &declaration, "=", text));
        self.identifiers[node.index()] = Some(name.clone());
        name
    }

    fn compute(&mut self, node: NodeId) -> String {
        match &self.module.node(node).op {
            Op::Const(value) => value.to_string(),
            Op::Input | Op::Wire | Op::Register(_) => self.identifier(node).to_string(),
            Op::ReadData { .. } | Op::InstanceOutput { .. } => self.identifier(node).to_string(),
            Op::Unary(op, a) => {
                let symbol = match op {
                    UnaryOp::Not => "~",
                    UnaryOp::ReduceAnd => "&",
                    UnaryOp::ReduceOr => "|",
                    UnaryOp::ReduceXor => "^",
                };
                // `^~a` would be the operator `^~`, unlike `^(~a)`.
                let parenthesised = |text: String| match text.starts_with('~') {
                    true => format!("({text})"),
                    false => text,
                };
                match (op, parenthesised(self.operand(*a))) {
                    (UnaryOp::Not, operand) => format!("~{operand}"),
                    (_, operand) => format!("({symbol}{operand})"),
                }
            }
            Op::Binary(op, a, b) => self.binary(*op, *a, *b),
            Op::Mux { condition, on_true, on_false } => {
                let condition = self.operand(*condition);
                let on_true = self.operand(*on_true);
                format!("({condition} ? {on_true} : {})", self.operand(*on_false))
            }
            Op::Slice { from, low } => {
                let width = self.module.node(node).width;
                let from = self.identifier_or_invented(*from);
                match width {
                    1 => format!("{from}[{low}]"),
                    _ => format!("{from}[{}:{low}]", low + width - 1),
                }
            }
            Op::Concat(parts) => self.concat(parts),
        }
    }

    fn binary(&mut self, op: BinaryOp, a: NodeId, b: NodeId) -> String {
        let symbol = match op {
            BinaryOp::And => "&",
            BinaryOp::Or => "|",
            BinaryOp::Xor => "^",
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::Mul => "*",
            BinaryOp::Eq => "==",
            BinaryOp::Ne => "!=",
            BinaryOp::Lt | BinaryOp::LtSigned => "<",
            BinaryOp::Le | BinaryOp::LeSigned => "<=",
            BinaryOp::ShiftLeft => "<<",
            BinaryOp::ShiftRight => ">>",
            BinaryOp::ShiftRightSigned => ">>>",
        };
        let shifts =
            matches!(op, BinaryOp::ShiftLeft | BinaryOp::ShiftRight | BinaryOp::ShiftRightSigned);
        // `a | b | c` is equivalent to `((a | b) | c)` and reads better at any length.
        let chains = matches!(op, BinaryOp::And | BinaryOp::Or | BinaryOp::Xor);
        let same = matches!(&self.module.node(a).op, Op::Binary(inner, ..) if *inner == op);
        let a_text = match chains && same {
            true => self.operand_within(a, usize::MAX),
            false => self.operand(a),
        };
        let b_text = if shifts { self.shift_amount(b) } else { self.operand(b) };
        if op == BinaryOp::LeSigned {
            // Verilator 5.006 evaluates `$signed(a) <= $signed(b)` of equal constants as false.
            return format!("($signed({b_text}) >= $signed({a_text}))");
        }
        if op == BinaryOp::LtSigned {
            return format!("($signed({a_text}) < $signed({b_text}))");
        }
        if op == BinaryOp::ShiftRightSigned {
            return format!("$unsigned($signed({a_text}) >>> {b_text})");
        }
        match a_text.strip_prefix('(').and_then(|t| t.strip_suffix(')')) {
            Some(inner) if chains && same => format!("({inner} {symbol} {b_text})"),
            _ => format!("({a_text} {symbol} {b_text})"),
        }
    }

    /// A shift's right operand in at most 32 bits, saturated to all ones: Verilator truncates operands wider
    /// than 64 bits.
    fn shift_amount(&mut self, node: NodeId) -> String {
        let width = self.module.node(node).width;
        if width <= 32 {
            return self.operand(node);
        }
        if let (Op::Const(value), None) =
            (&self.module.node(node).op, &self.identifiers[node.index()])
        {
            let most = u64::from(u32::MAX);
            return Bits::new(32, value.to_u64().map_or(most, |v| v.min(most))).to_string();
        }
        let name = self.identifier_or_invented(node);
        let more = match width {
            33 => format!("{name}[32]"),
            _ => format!("(|{name}[{}:32])", width - 1),
        };
        format!("({{32{{{more}}}}} | {name}[31:0])")
    }

    fn concat(&mut self, parts: &[NodeId]) -> String {
        if parts.len() > 1 && parts.iter().all(|p| p == &parts[0]) {
            return format!("{{{}{{{}}}}}", parts.len(), self.operand(parts[0]));
        }
        let texts: Vec<_> = parts.iter().map(|&part| self.operand(part)).collect();
        format!("{{{}}}", texts.join(", "))
    }
}

/// `left = right;`, broken if the line would be too long.
pub(super) fn assignment(indent: &str, left: &str, equals: &str, right: &str) -> String {
    broken(indent, &format!("{left} {equals} "), right, ";")
}

/// `head`, `right` and `tail` in one line; or broken outside of as many parentheses as possible, then as late
/// as possible.
pub(super) fn broken(indent: &str, head: &str, right: &str, tail: &str) -> String {
    let line = format!("{indent}{head}{right}{tail}\n");
    if line.len() <= COLUMNS {
        return line;
    }
    let mut text = format!("{indent}{}\n", head.trim_end());
    let room = COLUMNS - indent.len() - "    ".len() - tail.len();
    let mut rest = right;
    while rest.len() > room {
        let (line, after) = rest.split_at(break_at(rest, room));
        text += &format!("{indent}    {}\n", line.trim_end());
        rest = after;
    }
    text + &format!("{indent}    {rest}{tail}\n")
}

/// The end of a line of at most `room` characters: after a space. Breaking within parentheses is preferred to
/// filling less than a third.
fn break_at(text: &str, room: usize) -> usize {
    let mut depth = 0i32;
    let mut spaces = Vec::new();
    for (place, character) in text.char_indices() {
        match character {
            '(' | '{' | '[' => depth += 1,
            ')' | '}' | ']' => depth -= 1,
            ' ' => spaces.push((place, depth)),
            _ => {}
        }
    }
    let (fitting, beyond): (Vec<_>, Vec<_>) = spaces.iter().partition(|(place, _)| *place <= room);
    let full_enough = fitting.iter().rev().filter(|(place, _)| *place >= room / 3);
    let best = full_enough.min_by_key(|(_, depth)| *depth);
    let space = best.or(fitting.last()).or(beyond.first());
    space.map_or(text.len(), |(place, _)| place + 1)
}
