//! Converts statements to dataflow: the final value of each target.

use std::collections::{BTreeSet, HashMap};

use super::NetId;
use super::NetOp;
use super::flat::{Flat, FlatOp};
use crate::bits::Bits;
use crate::ir::{BinaryOp, Module, NodeId, Op, Statement};

/// Value of each target so far. Unassigned wires are absent.
type Values = HashMap<NodeId, NetId>;

pub(super) struct Lowering<'a> {
    pub flat: &'a mut Flat,
    pub module: &'a Module,
    /// The flat id of the module's first node.
    pub base: u32,
}

impl Lowering<'_> {
    /// Executes the statements in order: a later assignment wins.
    pub fn run(&mut self, statements: &[Statement], values: &mut Values) {
        for statement in statements {
            match statement {
                Statement::Assign { target, value } => {
                    values.insert(*target, self.at(*value));
                }
                Statement::If { condition, then, otherwise } => {
                    self.choose(statement, &[then, otherwise], values, |this, target, v| {
                        let condition = this.at(*condition);
                        this.mux(target, condition, v[0], v[1])
                    });
                }
                Statement::Switch { subject, arms, default } => {
                    let lists: Vec<&[Statement]> =
                        arms.iter().map(|(_, arm)| &arm[..]).chain([&default[..]]).collect();
                    let cases: Vec<&Bits> =
                        arms.iter().map(|(case, _)| self.case_value(*case)).collect();
                    let cases: Vec<Bits> = cases.into_iter().cloned().collect();
                    self.choose(statement, &lists, values, |this, target, v| {
                        this.switch(target, *subject, arms, &cases, v)
                    });
                }
            }
        }
    }

    fn at(&self, node: NodeId) -> NetId {
        NetId(self.base + node.0)
    }

    fn case_value(&self, case: NodeId) -> &Bits {
        match &self.module.node(case).op {
            Op::Const(value) => value,
            _ => unreachable!("the case of a switch is a constant"),
        }
    }

    /// Executes each list separately from the same start, and assigns every differing target the value that
    /// `pick` makes of the results.
    fn choose<L: AsRef<[Statement]> + ?Sized>(
        &mut self,
        choice: &Statement,
        lists: &[&L],
        values: &mut Values,
        mut pick: impl FnMut(&mut Self, NodeId, &[NetId]) -> NetId,
    ) {
        let mut targets = BTreeSet::new();
        collect_targets(std::slice::from_ref(choice), &mut targets);
        let outcomes: Vec<Values> = lists
            .iter()
            .map(|list| {
                let known = targets.iter().filter_map(|t| Some((*t, *values.get(t)?)));
                let mut outcome: Values = known.collect();
                self.run((*list).as_ref(), &mut outcome);
                outcome
            })
            .collect();
        for target in targets {
            // A path without a value is covered by a later assignment, so any value will do.
            let any = outcomes.iter().find_map(|o| o.get(&target));
            let any = *any.expect("assigned in one of the lists");
            let candidates: Vec<NetId> =
                outcomes.iter().map(|o| *o.get(&target).unwrap_or(&any)).collect();
            let same = candidates.iter().all(|v| *v == candidates[0]);
            let value = if same { candidates[0] } else { pick(self, target, &candidates) };
            values.insert(target, value);
        }
    }

    fn mux(&mut self, target: NodeId, condition: NetId, on_true: NetId, on_false: NetId) -> NetId {
        let width = self.module.node(target).width;
        self.flat.push(FlatOp::Net(NetOp::Mux { condition, on_true, on_false }), width, None)
    }

    /// One table look-up if the cases are small numbers, else a comparison per arm. `values` are those of the
    /// arms and then of the default.
    fn switch(
        &mut self,
        target: NodeId,
        subject: NodeId,
        arms: &[(NodeId, Vec<Statement>)],
        cases: &[Bits],
        values: &[NetId],
    ) -> NetId {
        let default = values[arms.len()];
        if let Some(choices) = table(cases, values, self.module.node(subject).width) {
            let width = self.module.node(target).width;
            let subject = self.at(subject);
            return self.flat.push(FlatOp::Net(NetOp::Select { subject, choices }), width, None);
        }
        arms.iter().zip(values).rev().fold(default, |otherwise, ((case, _), &value)| {
            if value == default {
                return otherwise;
            }
            let equal = NetOp::Binary(BinaryOp::Eq, self.at(subject), self.at(*case));
            let matches = self.flat.push(FlatOp::Net(equal), 1, None);
            self.mux(target, matches, value, otherwise)
        })
    }
}

/// The choices of a [`NetOp::Select`]; none if there would be many more than cases.
fn table(cases: &[Bits], values: &[NetId], subject_width: u32) -> Option<Vec<NetId>> {
    let numbers: Option<Vec<u64>> = cases.iter().map(Bits::to_u64).collect();
    let numbers = numbers?;
    let largest = *numbers.iter().max()?;
    let default = values[cases.len()];
    let complete = subject_width < 32 && largest == (1 << subject_width) - 1;
    let length = usize::try_from(largest).ok()?.checked_add(1 + usize::from(!complete))?;
    if subject_width > 64 || length > 16 + 4 * cases.len() {
        return None;
    }
    let mut choices = vec![default; length];
    for (number, value) in numbers.iter().zip(values) {
        choices[*number as usize] = *value;
    }
    Some(choices)
}

fn collect_targets(statements: &[Statement], targets: &mut BTreeSet<NodeId>) {
    for statement in statements {
        match statement {
            Statement::Assign { target, .. } => {
                targets.insert(*target);
            }
            Statement::If { then, otherwise, .. } => {
                collect_targets(then, targets);
                collect_targets(otherwise, targets);
            }
            Statement::Switch { arms, default, .. } => {
                arms.iter().for_each(|(_, arm)| collect_targets(arm, targets));
                collect_targets(default, targets);
            }
        }
    }
}
