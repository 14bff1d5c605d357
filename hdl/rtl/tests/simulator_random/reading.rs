//! A direct reading of a module, statement by statement.

use std::collections::HashMap;

use warpsmith_rtl::ir::{Module, NodeId, Op, Register, Statement};
use warpsmith_rtl::{Bits, semantics};

/// A direct reading of a module without instances and memories.
pub struct Reading {
    pub module: Module,
    pub inputs: HashMap<NodeId, Bits>,
    pub registers: Vec<Bits>,
}

impl Reading {
    pub fn value(&self, id: NodeId, known: &mut HashMap<NodeId, Bits>) -> Bits {
        if let Some(value) = known.get(&id) {
            return value.clone();
        }
        let node = self.module.node(id);
        let mut operand = |id: &NodeId| self.value(*id, known);
        let value = match &node.op {
            Op::Const(value) => value.clone(),
            Op::Input => self.inputs[&id].clone(),
            Op::Register(index) => self.registers[*index as usize].clone(),
            Op::Wire => self.obey(&self.module.statements, id, known).expect("a wire has a value"),
            Op::Unary(op, a) => semantics::unary(*op, &operand(a)),
            Op::Binary(op, a, b) => semantics::binary(*op, &operand(a), &operand(b)),
            Op::Mux { condition, on_true, on_false } => {
                semantics::mux(&operand(condition), &operand(on_true), &operand(on_false))
            }
            Op::Slice { from, low } => semantics::slice(&operand(from), *low, node.width),
            Op::Concat(parts) => {
                let parts: Vec<Bits> = parts.iter().map(operand).collect();
                semantics::concat(&parts.iter().collect::<Vec<_>>())
            }
            other => unreachable!("{other:?} is not made here"),
        };
        known.insert(id, value.clone());
        value
    }

    /// The value that the last assignment obeyed gives the target.
    fn obey(
        &self,
        statements: &[Statement],
        wanted: NodeId,
        known: &mut HashMap<NodeId, Bits>,
    ) -> Option<Bits> {
        let mut last = None;
        for statement in statements {
            let given = match statement {
                Statement::Assign { target, value } if *target == wanted => {
                    Some(self.value(*value, known))
                }
                Statement::Assign { .. } => None,
                _ if !assigns(statement, wanted) => None,
                Statement::If { condition, then, otherwise } => {
                    let taken = if self.value(*condition, known).bit(0) { then } else { otherwise };
                    self.obey(taken, wanted, known)
                }
                Statement::Switch { subject, arms, default } => {
                    let subject = self.value(*subject, known);
                    let arm = arms.iter().find(|(case, _)| self.value(*case, known) == subject);
                    self.obey(arm.map_or(default, |(_, arm)| arm), wanted, known)
                }
            };
            last = given.or(last);
        }
        last
    }

    pub fn edge(&mut self, reset: bool, known: &mut HashMap<NodeId, Bits>) {
        let next = |(register, old): (&Register, &Bits)| match &register.reset {
            Some(value) if reset => value.clone(),
            _ => self
                .obey(&self.module.statements, register.node, known)
                .unwrap_or_else(|| old.clone()),
        };
        self.registers = self.module.registers.iter().zip(&self.registers).map(next).collect();
    }
}

fn assigns(statement: &Statement, wanted: NodeId) -> bool {
    let any = |list: &[Statement]| list.iter().any(|s| assigns(s, wanted));
    match statement {
        Statement::Assign { target, .. } => *target == wanted,
        Statement::If { then, otherwise, .. } => any(then) || any(otherwise),
        Statement::Switch { arms, default, .. } => any(default) || arms.iter().any(|(_, a)| any(a)),
    }
}
