//! Conditional statements: `when`, `otherwise`, `switch`. The last assignment wins.

use super::{ModuleBuilder, Operand, Reg, Signal, Wire};
use crate::ir::{Node, NodeId, Op, Statement};

impl ModuleBuilder {
    /// Statements in `body` apply where `condition` is one.
    #[track_caller]
    pub fn when<'m>(&'m self, condition: Signal<'m>, body: impl FnOnce()) -> When<'m> {
        condition.expect_bit("a condition");
        let then = self.statements_of(body);
        let mut state = self.state.borrow_mut();
        let frame = state.frames.last_mut().expect("an open list of statements");
        frame.push(Statement::If { condition: condition.id, then, otherwise: Vec::new() });
        When { module: self, statement: frame.len() - 1, depth: 0 }
    }

    /// A choice among constants: `m.switch(*state, |s| { s.case(IDLE, || ..); s.default(|| ..) })`.
    #[track_caller]
    pub fn switch<'m>(&'m self, subject: Signal<'m>, arms: impl FnOnce(&mut Switch<'m>)) {
        let mut switch = Switch { subject, arms: Vec::new(), default: Vec::new() };
        arms(&mut switch);
        self.push(Statement::Switch {
            subject: subject.id,
            arms: switch.arms,
            default: switch.default,
        });
    }

    fn push(&self, statement: Statement) {
        let mut state = self.state.borrow_mut();
        state.frames.last_mut().expect("an open list of statements").push(statement);
    }

    fn statements_of(&self, body: impl FnOnce()) -> Vec<Statement> {
        self.state.borrow_mut().frames.push(Vec::new());
        body();
        self.state.borrow_mut().frames.pop().expect("the list opened above")
    }
}

/// A condition to which alternatives can be added.
pub struct When<'m> {
    module: &'m ModuleBuilder,
    /// Index of the first condition in the open list of statements.
    statement: usize,
    /// Number of `otherwise_when` below the first condition.
    depth: usize,
}

impl<'m> When<'m> {
    /// Statements that apply where no earlier condition of the chain is one and this one is.
    #[track_caller]
    pub fn otherwise_when(self, condition: Signal<'m>, body: impl FnOnce()) -> When<'m> {
        condition.expect_bit("a condition");
        let then = self.module.statements_of(body);
        let next = Statement::If { condition: condition.id, then, otherwise: Vec::new() };
        self.put(vec![next]);
        When { depth: self.depth + 1, ..self }
    }

    /// Statements that apply where no condition of the chain is one.
    pub fn otherwise(self, body: impl FnOnce()) {
        let statements = self.module.statements_of(body);
        self.put(statements);
    }

    fn put(&self, statements: Vec<Statement>) {
        let mut state = self.module.state.borrow_mut();
        let frame = state.frames.last_mut().expect("an open list of statements");
        let mut place = &mut frame[self.statement];
        for _ in 0..self.depth {
            let Statement::If { otherwise, .. } = place else { unreachable!("made by `when`") };
            place = &mut otherwise[0];
        }
        let Statement::If { otherwise, .. } = place else { unreachable!("made by `when`") };
        *otherwise = statements;
    }
}

/// The arms of a [`ModuleBuilder::switch`].
pub struct Switch<'m> {
    subject: Signal<'m>,
    arms: Vec<(NodeId, Vec<Statement>)>,
    default: Vec<Statement>,
}

impl<'m> Switch<'m> {
    /// Statements that apply where the subject is `value`, a constant.
    ///
    /// # Panics
    /// If `value` is not a constant, has another width, or already has an arm.
    #[track_caller]
    pub fn case(&mut self, value: impl Operand<'m>, body: impl FnOnce()) {
        let module = self.subject.module;
        let value = value.signal_like(self.subject);
        self.subject.expect_same_width("switch", value);
        let Some(constant) = module.constant_value(value.id) else {
            panic!("the case {value} of a switch on {} is not a constant", self.subject);
        };
        let twice = self
            .arms
            .iter()
            .any(|(arm, _)| module.constant_value(*arm).as_ref() == Some(&constant));
        assert!(!twice, "the switch on {} has two cases {constant}", self.subject);
        self.arms.push((value.id, module.statements_of(body)));
    }

    /// Statements that apply where no case matches.
    pub fn default(&mut self, body: impl FnOnce()) {
        self.default = self.subject.module.statements_of(body);
    }
}

impl<'m> Wire<'m> {
    /// Assigns the wire where the open conditions hold.
    #[track_caller]
    pub fn set(&self, value: impl Operand<'m>) {
        assign(self.0, value);
    }
}

impl<'m> Reg<'m> {
    /// Assigns the register's next value where the open conditions hold.
    #[track_caller]
    pub fn set(&self, value: impl Operand<'m>) {
        assign(self.0, value);
    }
}

#[track_caller]
fn assign<'m>(target: Signal<'m>, value: impl Operand<'m>) {
    let value = value.signal_like(target);
    target.expect_same_width("an assignment", value);
    target.module.push(Statement::Assign { target: target.id, value: value.id });
}

/// Whether the statements assign `target` on every path.
pub(super) fn assigned_on_every_path(statements: &[Statement], target: NodeId) -> bool {
    statements.iter().any(|statement| match statement {
        Statement::Assign { target: t, .. } => *t == target,
        Statement::If { then, otherwise, .. } => {
            assigned_on_every_path(then, target) && assigned_on_every_path(otherwise, target)
        }
        Statement::Switch { arms, default, .. } => {
            assigned_on_every_path(default, target)
                && arms.iter().all(|(_, arm)| assigned_on_every_path(arm, target))
        }
    })
}

/// Removes choices that constants decide and assignments that the next one overrides.
pub(super) fn decided(statements: Vec<Statement>, nodes: &[Node]) -> Vec<Statement> {
    let constant = |id: NodeId| match &nodes[id.index()].op {
        Op::Const(value) => Some(value.clone()),
        _ => None,
    };
    let mut kept = Vec::new();
    for statement in statements {
        match statement {
            Statement::Assign { .. } => keep(&mut kept, vec![statement]),
            Statement::If { condition, then, otherwise } => {
                let (then, otherwise) = (decided(then, nodes), decided(otherwise, nodes));
                match constant(condition) {
                    Some(value) if value.is_zero() => keep(&mut kept, otherwise),
                    Some(_) => keep(&mut kept, then),
                    None => kept.push(Statement::If { condition, then, otherwise }),
                }
            }
            Statement::Switch { subject, arms, default } => {
                let arms = arms.into_iter().map(|(value, arm)| (value, decided(arm, nodes)));
                let default = decided(default, nodes);
                match constant(subject) {
                    Some(value) => {
                        let is_taken = |arm: &NodeId| constant(*arm) == Some(value.clone());
                        let taken = arms.into_iter().find(|(arm, _)| is_taken(arm));
                        keep(&mut kept, taken.map_or(default, |(_, arm)| arm));
                    }
                    None => {
                        let arms = arms.collect();
                        kept.push(Statement::Switch { subject, arms, default });
                    }
                }
            }
        }
    }
    kept
}

/// Adds statements and removes the assignments they override: two constants in turn would make an `always @*`
/// that waits for nothing.
fn keep(kept: &mut Vec<Statement>, more: Vec<Statement>) {
    for statement in more {
        if let Statement::Assign { target: last, .. } = statement {
            kept.retain(|s| !matches!(s, Statement::Assign { target, .. } if *target == last));
        }
        kept.push(statement);
    }
}
