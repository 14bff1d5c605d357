//! Finds the nodes to emit: those that reach an output, and those that only a property needs.

use crate::ir::{ModuleData, NodeId, Op, Statement};

/// The emitted nodes of a module and their uses.
pub(super) struct Liveness {
    /// Needed by the circuit itself.
    pub functional: Vec<bool>,
    /// Needed by a property only.
    pub formal_only: Vec<bool>,
    /// Number of uses of each needed node as an operand.
    pub uses: Vec<u32>,
    /// Bits of each node that the circuit itself reads.
    pub bits_used: Vec<Vec<bool>>,
}

impl Liveness {
    pub(super) fn of(module: &ModuleData) -> Self {
        let mut walk = Walk::new(module);
        for port in &module.ports {
            if let crate::ir::Port::Output(node) = port {
                walk.visit(*node);
            }
        }
        for instance in &module.instances {
            instance.inputs.iter().for_each(|&node| walk.use_whole(node));
            instance.outputs.iter().for_each(|&node| walk.visit(node));
        }
        for memory in &module.memories {
            for port in &memory.write_ports {
                let operands = [port.enable, port.address, port.data];
                operands.into_iter().chain(port.lanes).for_each(|node| walk.use_whole(node));
            }
            for port in &memory.read_ports {
                let operands = port.enable.into_iter().chain([port.address]);
                operands.for_each(|node| walk.use_whole(node));
                walk.visit(port.data);
            }
        }
        walk.finish_queue();
        let functional = walk.seen.clone();
        let bits_used = walk.bits_used.clone();
        for check in &module.checks {
            walk.use_whole(check.condition);
        }
        walk.finish_queue();
        let formal_only = walk.seen.iter().zip(&functional).map(|(a, f)| *a && !f).collect();
        Self { functional, formal_only, uses: walk.uses, bits_used }
    }
}

struct Walk<'a> {
    module: &'a ModuleData,
    seen: Vec<bool>,
    uses: Vec<u32>,
    bits_used: Vec<Vec<bool>>,
    queue: Vec<NodeId>,
}

impl<'a> Walk<'a> {
    fn new(module: &'a ModuleData) -> Self {
        let count = module.nodes.len();
        let bits_used = module.nodes.iter().map(|n| vec![false; n.width as usize]).collect();
        Self {
            module,
            seen: vec![false; count],
            uses: vec![0; count],
            bits_used,
            queue: Vec::new(),
        }
    }

    fn visit(&mut self, node: NodeId) {
        if !std::mem::replace(&mut self.seen[node.index()], true) {
            self.queue.push(node);
        }
    }

    fn use_whole(&mut self, node: NodeId) {
        self.uses[node.index()] += 1;
        self.bits_used[node.index()].fill(true);
        self.visit(node);
    }

    fn finish_queue(&mut self) {
        while let Some(node) = self.queue.pop() {
            let module = self.module;
            match &module.node(node).op {
                Op::Slice { from, low } => {
                    let (low, width) = (*low as usize, module.node(node).width as usize);
                    self.uses[from.index()] += 1;
                    self.bits_used[from.index()][low..low + width].fill(true);
                    self.visit(*from);
                }
                Op::Wire | Op::Register(_) => self.use_statements(&module.statements, node),
                op => op.for_operands(|operand| self.use_whole(operand)),
            }
        }
    }

    /// Marks what the statements need to assign `target`.
    fn use_statements(&mut self, statements: &[Statement], target: NodeId) {
        for statement in statements.iter().filter(|s| assigns(s, target)) {
            match statement {
                Statement::Assign { value, .. } => self.use_whole(*value),
                Statement::If { condition, then, otherwise } => {
                    self.use_whole(*condition);
                    self.use_statements(then, target);
                    self.use_statements(otherwise, target);
                }
                Statement::Switch { subject, arms, default } => {
                    self.use_whole(*subject);
                    for (value, arm) in arms {
                        self.use_whole(*value);
                        self.use_statements(arm, target);
                    }
                    self.use_statements(default, target);
                }
            }
        }
    }
}

/// Whether the statement assigns `target` on some path.
pub(super) fn assigns(statement: &Statement, target: NodeId) -> bool {
    let any = |list: &[Statement]| list.iter().any(|s| assigns(s, target));
    match statement {
        Statement::Assign { target: t, .. } => *t == target,
        Statement::If { then, otherwise, .. } => any(then) || any(otherwise),
        Statement::Switch { arms, default, .. } => {
            any(default) || arms.iter().any(|(_, arm)| any(arm))
        }
    }
}
