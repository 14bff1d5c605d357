//! The statements that give one wire or register its value.

use crate::ir::{NodeId, Statement};

use super::expression::{Expressions, assignment};
use super::liveness::assigns;

/// The only statement for `target`, if it is one unconditional assignment.
pub(super) fn only_value(statements: &[Statement], target: NodeId) -> Option<NodeId> {
    let mut relevant = statements.iter().filter(|s| assigns(s, target));
    match (relevant.next(), relevant.next()) {
        (Some(Statement::Assign { value, .. }), None) => Some(*value),
        _ => None,
    }
}

/// The condition and the value of `target`, if all that happens to it is one assignment on one
/// condition.
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

/// The last node that the statements for `target` need, after which they can be written.
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
                let value = expressions.whole(*value);
                let left = expressions.identifier(target);
                out.push_str(&assignment(indent, left, equals, &value));
            }
            Statement::If { condition, then, otherwise } => {
                out.push_str(indent);
                choice(
                    &mut out,
                    expressions,
                    (*condition, then, otherwise),
                    target,
                    equals,
                    indent,
                );
            }
            Statement::Switch { subject, arms, default } => {
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

/// `if ... else if ... else`, but for the indentation of the first `if`.
fn choice(
    out: &mut String,
    expressions: &mut Expressions<'_>,
    (condition, then, otherwise): (NodeId, &[Statement], &[Statement]),
    target: NodeId,
    equals: &str,
    indent: &str,
) {
    let deeper = format!("{indent}    ");
    let condition = expressions.whole(condition);
    let then = text(expressions, then, target, equals, &deeper);
    if then.is_empty() {
        let otherwise = text(expressions, otherwise, target, equals, &deeper);
        let negated = match condition.contains(|c: char| !c.is_alphanumeric() && c != '_') {
            true => format!("!({condition})"),
            false => format!("!{condition}"),
        };
        out.push_str(&format!("if ({negated}) begin\n{otherwise}{indent}end\n"));
        return;
    }
    out.push_str(&format!("if ({condition}) begin\n{then}{indent}end"));
    let relevant: Vec<_> = otherwise.iter().filter(|s| assigns(s, target)).collect();
    match relevant[..] {
        [] => out.push('\n'),
        [Statement::If { condition, then, otherwise }] => {
            out.push_str(" else ");
            choice(out, expressions, (*condition, then, otherwise), target, equals, indent);
        }
        _ => {
            let otherwise = text(expressions, otherwise, target, equals, &deeper);
            out.push_str(&format!(" else begin\n{otherwise}{indent}end\n"));
        }
    }
}
