//! A module as Verilog, in the author's order.

use std::fmt::Write as _;

use crate::ir::{CheckKind, ModuleData, NodeId, Op, Port};

use super::expression::{Expressions, assignment, broken};
use super::instances::last_of_memory;
use super::liveness::Liveness;
use super::{COLUMNS, Checks, comment, range, statements};

/// The module and its properties; `prefix` is prepended to its name and those of its submodules.
pub(super) fn module_text(module: &ModuleData, prefix: &str, checks: Checks) -> String {
    let liveness = Liveness::of(module);
    let mut writer = Writer {
        module,
        prefix,
        checks,
        liveness: &liveness,
        expressions: Expressions::new(module, &liveness),
        pending: Vec::new(),
        registers: RegisterBlock::default(),
    };
    let mut text = comment("", &module.doc.join("\n"));
    let _ = writeln!(text, "module {prefix}{} (\n{}\n);", module.name, writer.ports());
    writer.nodes(&liveness.functional, true);
    text += &std::mem::take(&mut writer.expressions.lines);
    text += &writer.unused();
    text += &writer.properties();
    text + "endmodule\n"
}

/// A block of text that can be written once its last operand is.
#[derive(Clone, Copy)]
enum Block {
    Drive(NodeId),
    Memory(usize),
    Instance(usize),
}

pub(super) struct Writer<'a> {
    pub(super) module: &'a ModuleData,
    pub(super) prefix: &'a str,
    checks: Checks,
    liveness: &'a Liveness,
    pub(super) expressions: Expressions<'a>,
    pending: Vec<(NodeId, Block)>,
    registers: RegisterBlock,
}

/// Registers in one `always` block: one of any kind, or neighbours with the same enable condition.
#[derive(Default)]
struct RegisterBlock {
    /// The common enable condition, if that is all there is.
    condition: Option<NodeId>,
    /// What the condition is for.
    purpose: String,
    moves: String,
    resets: String,
}

impl Writer<'_> {
    pub(super) fn line(&mut self, text: &str) {
        self.end_registers();
        self.expressions.lines.push_str(text);
    }

    /// Writes the gathered registers.
    fn end_registers(&mut self) {
        let RegisterBlock { condition, purpose, moves, resets } =
            std::mem::take(&mut self.registers);
        if moves.is_empty() && resets.is_empty() {
            return;
        }
        let mut text = "    always @(posedge clk) begin\n".to_string();
        match condition {
            Some(condition) => {
                self.expressions.start(&purpose);
                let condition = self.expressions.whole(condition);
                text += &broken("        ", "if (", &condition, ") begin");
                text += &format!("{moves}        end\n");
            }
            None => text += &moves,
        }
        if !resets.is_empty() {
            let _ = write!(text, "        if (rst) begin\n{resets}        end\n");
        }
        self.expressions.lines.push_str(&(text + "    end\n"));
    }

    fn ports(&self) -> String {
        let mut lines = vec![
            ("    input  wire clk".to_string(), None),
            ("    input  wire rst".to_string(), None),
        ];
        for port in &self.module.ports {
            let (direction, id) = match port {
                Port::Input(id) => ("input  wire", *id),
                Port::Output(id) if self.needs_reg(*id) => ("output reg ", *id),
                Port::Output(id) => ("output wire", *id),
            };
            let node = self.module.node(id);
            let name = self.module.port_name(id);
            lines.push((format!("    {direction} {}{name}", range(node.width)), node.doc.clone()));
        }
        let last = lines.len() - 1;
        let with_comment = |(i, (line, doc)): (usize, (String, Option<String>))| {
            let comma = if i == last { "" } else { "," };
            let Some(doc) = doc else { return format!("{line}{comma}") };
            let doc = doc.replace('\n', " ");
            let beside = format!("{line}{comma}  // {doc}");
            match beside.len() <= COLUMNS {
                true => beside,
                false => format!("{}{line}{comma}", comment("    ", &doc)),
            }
        };
        lines.into_iter().enumerate().map(with_comment).collect::<Vec<_>>().join("\n")
    }

    fn is_port(&self, id: NodeId) -> bool {
        self.module.ports.iter().any(|p| matches!(p, Port::Input(n) | Port::Output(n) if *n == id))
    }

    /// Whether a wire is assigned in an `always` block.
    fn needs_reg(&self, id: NodeId) -> bool {
        statements::only_value(&self.module.statements, id).is_none()
    }

    /// Writes the named nodes of `set` in order, and everything else as soon as its operands are written.
    fn nodes(&mut self, set: &[bool], functional: bool) {
        if functional {
            for (index, memory) in self.module.memories.iter().enumerate() {
                self.pending.push((last_of_memory(memory), Block::Memory(index)));
            }
            for (index, instance) in self.module.instances.iter().enumerate() {
                let operands = instance.inputs.iter().chain(&instance.outputs);
                let last = operands.max().copied().unwrap_or(NodeId(0));
                self.pending.push((last, Block::Instance(index)));
            }
        }
        for id in self.module.outputs() {
            if let Some(value) = statements::only_value(&self.module.statements, id) {
                self.expressions.alias(value, self.module.port_name(id));
            }
        }
        self.write_ready(None);
        for (index, _) in set.iter().enumerate().filter(|(_, live)| **live) {
            let id = NodeId(index as u32);
            self.declare(id);
            self.write_ready(Some(id));
        }
        self.write_ready(Some(NodeId(u32::MAX)));
        self.end_registers();
    }

    /// Writes what waited for nodes up to `done`, the longest-waiting first.
    fn write_ready(&mut self, done: Option<NodeId>) {
        let mut ready = Vec::new();
        self.pending.retain(|&(last, block)| {
            let waits = Some(last) > done;
            if !waits {
                ready.push((last, block));
            }
            waits
        });
        ready.sort_by_key(|&(last, _)| last);
        for (_, block) in ready {
            match block {
                Block::Drive(id) => self.drive(id),
                Block::Memory(index) => self.memory(index),
                Block::Instance(index) => self.instance(index),
            }
        }
    }

    fn declare(&mut self, id: NodeId) {
        let node = self.module.node(id);
        let Some(name) = &node.name else { return };
        let range = range(node.width);
        let doc = match (&node.doc, self.is_port(id)) {
            (Some(doc), false) => comment("    ", doc),
            _ => String::new(),
        };
        if !matches!(node.op, Op::Register(_)) {
            self.line(&doc);
        }
        match &node.op {
            Op::Input => {}
            Op::Const(value) => {
                let name = self.expressions.identifier(id).to_string();
                self.line(&format!("    localparam {range}{name} = {value};\n"));
            }
            Op::ReadData { .. } | Op::InstanceOutput { .. } => {
                self.line(&format!("    wire {range}{name};\n"));
            }
            Op::Register(_) => {
                // Keeps gathering registers: a neighbour may join the block.
                self.expressions.lines.push_str(&format!("{doc}    reg {range}{name};\n"));
                let needed = statements::last_needed(&self.module.statements, id);
                self.pending.push((needed.unwrap_or(id).max(id), Block::Drive(id)));
            }
            Op::Wire => {
                let value = statements::only_value(&self.module.statements, id);
                match value {
                    Some(value) if value < id && !self.is_port(id) => {
                        self.expressions.start_for(id, "part");
                        let value = self.expressions.value_of(name, value);
                        let left = format!("wire {range}{name}");
                        self.line(&assignment("    ", &left, "=", &value));
                        return;
                    }
                    _ if self.is_port(id) => {}
                    Some(value) => {
                        self.line(&format!("    wire {range}{name};\n"));
                        self.expressions.alias(value, name);
                    }
                    None => self.line(&format!("    reg {range}{name};\n")),
                }
                let needed = statements::last_needed(&self.module.statements, id);
                self.pending.push((needed.unwrap_or(id).max(id), Block::Drive(id)));
            }
            _ => {
                self.expressions.start_for(id, "part");
                let value = self.expressions.definition(id);
                let left = format!("wire {range}{name}");
                self.line(&assignment("    ", &left, "=", &value));
            }
        }
    }

    fn drive(&mut self, id: NodeId) {
        let module = self.module;
        let node = module.node(id);
        let name = module.port_name(id);
        self.expressions.start_for(id, "part");
        if let Op::Register(index) = node.op {
            self.drive_register(id, index as usize);
        } else if let Some(value) = statements::only_value(&module.statements, id) {
            let value = self.expressions.value_of(name, value);
            self.line(&assignment("    ", &format!("assign {name}"), "=", &value));
        } else {
            let body =
                statements::text(&mut self.expressions, &module.statements, id, "=", "        ");
            self.line(&format!("    always @* begin\n{body}    end\n"));
        }
    }

    fn drive_register(&mut self, id: NodeId, index: usize) {
        let module = self.module;
        let name = module.port_name(id);
        let only_move = statements::only_move(&module.statements, id);
        let joins =
            only_move.is_some_and(|(condition, _)| self.registers.condition == Some(condition));
        if !joins {
            self.end_registers();
        }
        let moves = match only_move {
            Some((condition, value)) => {
                if self.registers.moves.is_empty() {
                    self.registers.purpose = format!("{name}_moves");
                }
                self.registers.condition = Some(condition);
                self.expressions.start_for(id, "next");
                let value = self.expressions.whole(value);
                assignment("            ", name, "<=", &value)
            }
            None => {
                statements::text(&mut self.expressions, &module.statements, id, "<=", "        ")
            }
        };
        self.registers.moves += &moves;
        if let Some(reset) = &module.registers[index].reset {
            let _ = writeln!(self.registers.resets, "            {name} <= {reset};");
        }
        if only_move.is_none() {
            self.end_registers();
        }
    }

    /// Reads otherwise unread bits, so that no tool warns of them.
    fn unused(&self) -> String {
        let mut parts = vec!["1'b0".to_string()];
        let resets = self
            .module
            .registers
            .iter()
            .any(|r| r.reset.is_some() && self.liveness.functional[r.node.index()]);
        if !resets && self.module.instances.is_empty() {
            parts.push("rst".to_string());
        }
        let clocked =
            self.module.registers.iter().any(|r| self.liveness.functional[r.node.index()]);
        if !clocked && self.module.instances.is_empty() && self.module.memories.is_empty() {
            parts.push("clk".to_string());
        }
        for (index, node) in self.module.nodes.iter().enumerate() {
            let id = NodeId(index as u32);
            let is_output = self.module.outputs().any(|port| port == id);
            let is_written = self.liveness.functional[index] || matches!(node.op, Op::Input);
            let name = self.expressions.known_identifier(id);
            let (Some(name), true, false) = (name, is_written, is_output) else { continue };
            if matches!(node.op, Op::Const(_)) {
                continue;
            }
            parts.extend(unread_ranges(name, &self.liveness.bits_used[index]));
        }
        match parts.len() {
            1 => String::new(),
            _ => assignment("    ", "wire _unused", "=", &format!("&{{{}}}", parts.join(", "))),
        }
    }

    fn properties(&mut self) -> String {
        if self.module.checks.is_empty() {
            return String::new();
        }
        let formal_only = self.liveness.formal_only.clone();
        self.nodes(&formal_only, false);
        if self.checks == Checks::Formal {
            self.line("    initial assume (rst);\n");
        }
        for check in &self.module.checks {
            self.expressions.start(&check.name);
            let condition = self.expressions.whole(check.condition);
            let keyword = match check.kind {
                CheckKind::Assert => "assert",
                CheckKind::Assume => "assume",
                CheckKind::Cover => "cover",
            };
            self.line(&comment("    ", &check.doc));
            let head = format!("if (!rst) {}: {keyword} (", check.name);
            let check = broken("        ", &head, &condition, ");");
            self.line(&format!("    always @(posedge clk) begin\n{check}    end\n"));
        }
        let lines = std::mem::take(&mut self.expressions.lines);
        match self.checks {
            Checks::Formal => format!("`ifdef FORMAL\n{lines}`endif\n"),
            Checks::Simulated => lines,
        }
    }
}

/// The unread bit ranges of `name` as Verilog selects.
fn unread_ranges(name: &str, used: &[bool]) -> Vec<String> {
    let mut ranges = Vec::new();
    let mut bit = 0;
    while bit < used.len() {
        let run = used[bit..].iter().take_while(|u| !**u).count();
        match run {
            0 => {}
            _ if run == used.len() => ranges.push(name.to_string()),
            1 => ranges.push(format!("{name}[{bit}]")),
            _ => ranges.push(format!("{name}[{}:{bit}]", bit + run - 1)),
        }
        bit += run.max(1);
    }
    ranges
}
