//! The statements that assign one wire or register.

use crate::ir::{NodeId, Statement};

use super::expression::{Expressions, assignment, broken};
use super::liveness::assigns;

/// The value of `target`, if its only statement is an unconditional assignment.
pub(super) fn only_value(statements: &[Statement], target: NodeId) -> Option<NodeId> {
    let mut relevant = statements.iter().filter(|s| assigns(s, target));
    match (relevant.next(), relevant.next()) {
        (Some(Statement::Assign { value, .. }), None) => Some(*value),
        _ => None,
    }
}

/// The condition and value of `target`, if its only statement is one conditional assignment.
pub(super) fn only_move(statements: &[Statement], target: NodeId) -> Option<(NodeId, NodeId)> {
    let mut relevant = statements.iter().filter(|s| assigns(s, target));
    match (relevant.next(), relevant.next()) {
        (Some(Statement::If { condition, then, otherwise }), None)
            if !otherwise.iter().any(|s| assigns(s, target)) =>
        {
            Some((*condition, only_value(then, target)?))
        }
        _ => None,
    }
}

/// The last node that the statements for `target` need; they can be written after it.
pub(super) fn last_needed(statements: &[Statement], target: NodeId) -> Option<NodeId> {
    let of = |list: &[Statement]| last_needed(list, target);
    let needed = |statement: &Statement| match statement {
        Statement::Assign { value, .. } => Some(*value),
        Statement::If { condition, then, otherwise } => {
            Some(*condition).max(of(then)).max(of(otherwise))
        }
        Statement::Switch { subject, arms, default } => {
            let arms = arms.iter().map(|(value, arm)| Some(*value).max(of(arm)));
            Some(*subject).max(of(default)).max(arms.max().flatten())
        }
    };
    statements.iter().filter(|s| assigns(s, target)).filter_map(needed).max()
}

/// The statements for `target`, with `=` or `<=`, at that indentation.
pub(super) fn text(
    expressions: &mut Expressions<'_>,
    statements: &[Statement],
    target: NodeId,
    equals: &str,
    indent: &str,
) -> String {
    let mut out = String::new();
    let deeper = format!("{indent}    ");
    for statement in statements.iter().filter(|s| assigns(s, target)) {
        match statement {
            Statement::Assign { value, .. } => {
                let purpose = if equals == "<=" { "next" } else { "value" };
                expressions.start_for(target, purpose);
                let value = expressions.whole(*value);
                let left = expressions.identifier(target);
                out.push_str(&assignment(indent, left, equals, &value));
            }
            Statement::If { condition, then, otherwise } => {
                let branch = Branch { condition: *condition, then, otherwise };
                choice(&mut out, expressions, branch, target, equals, indent, "if (");
            }
            Statement::Switch { subject, arms, default } => {
                expressions.start_for(target, "case");
                let subject = expressions.whole(*subject);
                out.push_str(&format!("{indent}case ({subject})\n"));
                let deepest = format!("{deeper}    ");
                for (value, arm) in arms {
                    let value = expressions.whole(*value);
                    let arm = text(expressions, arm, target, equals, &deepest);
                    out.push_str(&format!("{deeper}{value}: begin\n{arm}{deeper}end\n"));
                }
                let default = text(expressions, default, target, equals, &deepest);
                out.push_str(&format!("{deeper}default: begin\n{default}{deeper}end\n"));
                out.push_str(&format!("{indent}endcase\n"));
            }
        }
    }
    out
}

/// The parts of a [`Statement::If`].
struct Branch<'a> {
    condition: NodeId,
    then: &'a [Statement],
    otherwise: &'a [Statement],
}

/// `if ... else if ... else`; `head` precedes the first condition.
fn choice(
    out: &mut String,
    expressions: &mut Expressions<'_>,
    Branch { condition, then, otherwise }: Branch<'_>,
    target: NodeId,
    equals: &str,
    indent: &str,
    head: &str,
) {
    let deeper = format!("{indent}    ");
    expressions.start_for(target, "when");
    let condition = expressions.whole(condition);
    let then = text(expressions, then, target, equals, &deeper);
    if then.is_empty() {
        let otherwise = text(expressions, otherwise, target, equals, &deeper);
        let negated = match condition.contains(|c: char| !c.is_alphanumeric() && c != '_') {
            true => format!("!({condition})"),
            false => format!("!{condition}"),
        };
        out.push_str(&broken(indent, head, &negated, ") begin"));
        out.push_str(&format!("{otherwise}{indent}end\n"));
        return;
    }
    out.push_str(&broken(indent, head, &condition, ") begin"));
    out.push_str(&then);
    let relevant: Vec<_> = otherwise.iter().filter(|s| assigns(s, target)).collect();
    match relevant[..] {
        [] => out.push_str(&format!("{indent}end\n")),
        [Statement::If { condition, then, otherwise }] => {
            let branch = Branch { condition: *condition, then, otherwise };
            choice(out, expressions, branch, target, equals, indent, "end else if (");
        }
        _ => {
            let otherwise = text(expressions, otherwise, target, equals, &deeper);
            out.push_str(&format!("{indent}end else begin\n{otherwise}{indent}end\n"));
        }
    }
}
