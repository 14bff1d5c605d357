//! Constant expressions (PTX ISA, Constant Expressions): integers of 64 bits, floats of double precision.

use super::cursor::Cursor;
use super::literal::Literal;
use super::token::TokenKind;

/// Operators between two operands, loosest first.
const BINARY: [&[&str]; 10] = [
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<=", ">=", "<", ">"],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];
/// Level of operands of products: an offset ends before `+`.
const PRODUCT: usize = BINARY.len() - 1;

/// A constant expression.
pub(super) fn constant(cursor: &mut Cursor) -> Option<Literal> {
    let condition = binary(cursor, 0)?;
    if !cursor.take(b'?') {
        return Some(condition);
    }
    let Literal::Integer(condition) = condition else { return None };
    let taken = constant(cursor)?;
    cursor.take(b':').then_some(())?;
    let other = constant(cursor)?;
    Some(if condition != 0 { taken } else { other })
}

/// What is added to a name.
pub(super) fn offset(cursor: &mut Cursor) -> Option<Literal> {
    binary(cursor, PRODUCT)
}

fn binary(cursor: &mut Cursor, level: usize) -> Option<Literal> {
    let Some(operators) = BINARY.get(level) else { return unary(cursor) };
    let mut left = binary(cursor, level + 1)?;
    while let Some(operator) = operators.iter().find(|operator| take(cursor, operator)) {
        let right = binary(cursor, level + 1)?;
        left = match (left, right) {
            (Literal::Integer(a), Literal::Integer(b)) => {
                Literal::Integer(wrapped(apply(operator, a, b)?))
            }
            (Literal::Double(a), Literal::Double(b)) => {
                apply_to_floats(operator, f64::from_bits(a), f64::from_bits(b))?
            }
            _ => return None,
        };
    }
    Some(left)
}

fn apply(operator: &str, a: i128, b: i128) -> Option<i128> {
    let shift = u32::try_from(b).ok().filter(|bits| *bits < 64);
    Some(match operator {
        "||" => i128::from(a != 0 || b != 0),
        "&&" => i128::from(a != 0 && b != 0),
        "|" => a | b,
        "^" => a ^ b,
        "&" => a & b,
        "==" => i128::from(a == b),
        "!=" => i128::from(a != b),
        "<=" => i128::from(a <= b),
        ">=" => i128::from(a >= b),
        "<" => i128::from(a < b),
        ">" => i128::from(a > b),
        "<<" => a << shift?,
        ">>" => a >> shift?,
        "+" => a + b,
        "-" => a - b,
        "*" => a.checked_mul(b)?,
        "/" => a.checked_div(b)?,
        _ => a.checked_rem(b)?,
    })
}

/// Numbers with a point are of double precision, and compare to integers.
fn apply_to_floats(operator: &str, a: f64, b: f64) -> Option<Literal> {
    let result = match operator {
        "+" => a + b,
        "-" => a - b,
        "*" => a * b,
        "/" => a / b,
        _ => {
            let holds = match operator {
                "==" => a == b,
                "!=" => a != b,
                "<=" => a <= b,
                ">=" => a >= b,
                "<" => a < b,
                ">" => a > b,
                _ => return None,
            };
            return Some(Literal::Integer(i128::from(holds)));
        }
    };
    Some(Literal::Double(result.to_bits()))
}

/// As 64 bits hold it: signed if it fits.
fn wrapped(value: i128) -> i128 {
    match i64::try_from(value) {
        Ok(value) => value.into(),
        Err(_) => i128::from(value as u64),
    }
}

fn unary(cursor: &mut Cursor) -> Option<Literal> {
    let integer = |literal: Literal| match literal {
        Literal::Integer(value) => Some(value),
        _ => None,
    };
    if cursor.take(b'-') {
        return unary(cursor).map(Literal::negated);
    }
    if cursor.take(b'+') {
        return unary(cursor);
    }
    if cursor.take(b'~') {
        return Some(Literal::Integer(!integer(unary(cursor)?)?));
    }
    if cursor.take(b'!') {
        return Some(Literal::Integer(i128::from(integer(unary(cursor)?)? == 0)));
    }
    if cursor.take_name("WARP_SZ") {
        return Some(Literal::Integer(32));
    }
    if !cursor.take(b'(') {
        let is_number = cursor.kind(0) == Some(TokenKind::Number);
        return is_number.then(|| Literal::parse(cursor.next()?)).flatten();
    }
    if cursor.take(b'.') {
        let ty = cursor.word()?;
        cursor.take(b')').then_some(())?;
        let value = integer(unary(cursor)?)?;
        return match ty {
            "s64" => Some(Literal::Integer(i128::from(value as i64))),
            "u64" => Some(Literal::Integer(i128::from(value as u64))),
            _ => None,
        };
    }
    let value = constant(cursor)?;
    cursor.take(b')').then_some(value)
}

/// Takes an operator; `|` and `&` are not the beginning of `||` and `&&`.
fn take(cursor: &mut Cursor, operator: &str) -> bool {
    let marks = operator.as_bytes();
    // A remainder is read as the beginning of a name.
    if operator == "%" {
        return cursor.take_name("%");
    }
    let is_next =
        marks.iter().enumerate().all(|(at, mark)| cursor.kind(at) == Some(TokenKind::Mark(*mark)));
    let follows = cursor.kind(marks.len());
    let is_longer = marks.len() == 1
        && follows.is_some_and(|next| match marks[0] {
            b'|' | b'&' => next == TokenKind::Mark(marks[0]),
            b'<' | b'>' => [marks[0], b'='].map(TokenKind::Mark).contains(&next),
            _ => false,
        });
    if is_next && !is_longer {
        marks.iter().for_each(|mark| _ = cursor.take(*mark));
    }
    is_next && !is_longer
}
