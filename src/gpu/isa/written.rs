//! An instruction as it is written: guard, opcode, modifiers, operands.

use std::cell::Cell;

use super::cursor::Cursor;
use super::expression::{constant, offset};
use super::literal::Literal;
use super::token::TokenKind;

/// An operand as it is written.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Operand<'a> {
    /// A register, special register, variable, label or function, by its name.
    Name(&'a str),
    Literal(Literal),
    /// `name+4`
    NameOffset(&'a str, i128),
    /// `[base+offset]`
    Address(Box<Operand<'a>>, i128),
    /// `{a, b}`
    Vector(Vec<Operand<'a>>),
    /// `(a, b)`
    List(Vec<Operand<'a>>),
    /// `a|b`
    Pair(Box<Operand<'a>>, Box<Operand<'a>>),
    /// `!a`
    Not(Box<Operand<'a>>),
    /// `-a`
    Negative(Box<Operand<'a>>),
}

/// An instruction as it is written.
#[derive(Debug)]
pub(super) struct Written<'a> {
    /// Its first token.
    pub(super) at: usize,
    pub(super) guard: Option<Operand<'a>>,
    pub(super) opcode: &'a str,
    pub(super) modifiers: Vec<&'a str>,
    pub(super) operands: Vec<Operand<'a>>,
    /// Operands that the lowering has asked for.
    pub(super) asked: Cell<usize>,
}

impl<'a> Written<'a> {
    /// Reads an instruction with its semicolon; none when the tokens are not laid out as one.
    pub(super) fn read(mut cursor: Cursor<'a>) -> Option<Self> {
        let at = cursor.at();
        let guard = match cursor.take(b'@') {
            true => Some(operand(&mut cursor)?),
            false => None,
        };
        let opcode = cursor.name()?;
        let mut modifiers = Vec::new();
        while cursor.take(b'.') {
            modifiers.push(cursor.word()?);
        }
        let mut operands = Vec::new();
        while !cursor.take(b';') {
            operands.push(operand(&mut cursor)?);
            if !cursor.take(b',') && !cursor.is_at(b';') {
                return None;
            }
        }
        let asked = Cell::new(0);
        cursor.is_done().then_some(Self { at, guard, opcode, modifiers, operands, asked })
    }

    /// Whether it has this modifier.
    pub(super) fn has(&self, modifier: &str) -> bool {
        self.modifiers.contains(&modifier)
    }
}

/// Whether what is next begins a constant: a number, or an operator before one.
fn is_constant(cursor: &Cursor) -> bool {
    let is_inner = |kind| matches!(kind, TokenKind::Mark(b'(' | b'!' | b'~' | b'-' | b'+'));
    let mut at = 0;
    while cursor.kind(at).is_some_and(is_inner) {
        at += 1;
    }
    // A cast begins with a dot.
    at > 0 && matches!(cursor.kind(at), Some(TokenKind::Number | TokenKind::Mark(b'.')))
}

fn operand<'a>(cursor: &mut Cursor<'a>) -> Option<Operand<'a>> {
    if is_constant(cursor) {
        return constant(cursor).map(Operand::Literal);
    }
    if cursor.take(b'!') {
        return Some(Operand::Not(Box::new(operand(cursor)?)));
    }
    if cursor.is_at(b'-') && cursor.kind(1) == Some(TokenKind::Name) {
        cursor.take(b'-');
        return Some(Operand::Negative(Box::new(plain(cursor)?)));
    }
    if cursor.take(b'{') {
        return list(cursor, b'}').map(Operand::Vector);
    }
    if cursor.take(b'(') {
        return list(cursor, b')').map(Operand::List);
    }
    if cursor.take(b'[') {
        let mut parts = list(cursor, b']')?;
        // Only textures and surfaces have more parts.
        if parts.len() != 1 {
            return Some(Operand::List(parts));
        }
        return Some(match parts.remove(0) {
            Operand::NameOffset(name, offset) => {
                Operand::Address(Box::new(Operand::Name(name)), offset)
            }
            base => Operand::Address(Box::new(base), 0),
        });
    }
    let first = plain(cursor)?;
    match cursor.take(b'|') {
        true => Some(Operand::Pair(Box::new(first), Box::new(plain(cursor)?))),
        false => Some(first),
    }
}

fn list<'a>(cursor: &mut Cursor<'a>, end: u8) -> Option<Vec<Operand<'a>>> {
    let mut items = Vec::new();
    while !cursor.take(end) {
        items.push(operand(cursor)?);
        if !cursor.take(b',') && !cursor.is_at(end) {
            return None;
        }
    }
    Some(items)
}

/// A name, a name with offset, or a number.
fn plain<'a>(cursor: &mut Cursor<'a>) -> Option<Operand<'a>> {
    if cursor.kind(0) != Some(TokenKind::Name) {
        return constant(cursor).map(Operand::Literal);
    }
    // With an operator behind it, it is a constant.
    if cursor.is_at_name("WARP_SZ")
        && matches!(cursor.kind(1), Some(TokenKind::Mark(mark)) if mark != b',' && mark != b';')
    {
        return constant(cursor).map(Operand::Literal);
    }
    let start = cursor.bytes()?.start;
    let mut name = cursor.name()?;
    // A component, as in `%tid.x`.
    if cursor.is_at(b'.') && cursor.kind(1) == Some(TokenKind::Name) {
        cursor.take(b'.');
        let end = cursor.bytes()?.end;
        name = cursor.source.slice(start, end);
        cursor.next();
    }
    let negative = cursor.is_at(b'-');
    if !cursor.take(b'+') && !cursor.take(b'-') {
        return Some(Operand::Name(name));
    }
    match offset(cursor)? {
        Literal::Integer(value) if negative => Some(Operand::NameOffset(name, -value)),
        Literal::Integer(value) => Some(Operand::NameOffset(name, value)),
        _ => None,
    }
}
