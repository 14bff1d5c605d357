//! Declarations of variables, parameters and registers.

use std::ops::Range;

use super::cursor::Cursor;
use super::expression::{constant, offset};
use super::layout::Trouble;
use super::literal::Literal;
use super::token::TokenKind;

/// A declaration, without its state space: `.align 4 .b8 name[16] = {1, 2}`.
#[derive(Debug, Clone)]
pub(super) struct Declaration {
    pub(super) name: String,
    /// Its tokens.
    pub(super) tokens: Range<usize>,
    /// Name of the type of an element.
    pub(super) ty: String,
    pub(super) align: Option<u64>,
    /// Elements of a vector.
    pub(super) vector: u8,
    /// Numbers of elements; none where it is left out.
    pub(super) dimensions: Vec<Option<u64>>,
    /// `name<8>`: as many names, numbered from 0.
    pub(super) range: Option<u64>,
    /// Tokens of its first contents.
    pub(super) initialiser: Option<Range<usize>>,
    /// A parameter in a register.
    pub(super) in_register: bool,
}

/// A value of an initialiser.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Initial<'a> {
    Literal(Literal),
    /// The address of a variable or function and what is added; whether it is generic.
    Address(&'a str, i128, bool),
}

const MALFORMED: &str = "a declaration is [.align N] .TYPE NAME [SIZE] [= FIRST CONTENTS]";

/// One or more declarations that share a type, after their state space, up to what ends them.
pub(super) fn declarations(cursor: &mut Cursor) -> Result<Vec<Declaration>, Trouble> {
    let first = declaration(cursor)?;
    let mut all = vec![first.clone()];
    while cursor.take(b',') {
        let named = named(cursor, first.clone());
        all.push(named.ok_or(MALFORMED)?);
    }
    Ok(all)
}

/// One declaration, after its state space.
pub(super) fn declaration(cursor: &mut Cursor) -> Result<Declaration, Trouble> {
    let start = cursor.at();
    let mut found = Declaration {
        name: String::new(),
        tokens: start..start,
        ty: String::new(),
        align: None,
        vector: 1,
        dimensions: Vec::new(),
        range: None,
        initialiser: None,
        in_register: false,
    };
    while cursor.take(b'.') {
        match cursor.word().ok_or(MALFORMED)? {
            "align" => found.align = Some(cursor.number().ok_or(MALFORMED)?),
            "v2" => found.vector = 2,
            "v4" => found.vector = 4,
            "ptr" => pointer(cursor).ok_or(MALFORMED)?,
            "attribute" => {
                cursor.enclosed().ok_or(MALFORMED)?;
            }
            ty => found.ty = ty.to_string(),
        }
    }
    let found = named(cursor, found).filter(|found| !found.ty.is_empty());
    found.ok_or_else(|| MALFORMED.into())
}

/// What a parameter that points says of where: a space and an alignment.
fn pointer(cursor: &mut Cursor) -> Option<()> {
    while cursor.take(b'.') {
        if cursor.word()? == "align" {
            cursor.number()?;
        }
    }
    Some(())
}

/// The name, and all that follows it.
fn named(cursor: &mut Cursor, shared: Declaration) -> Option<Declaration> {
    let start = shared.tokens.start;
    let name = cursor.name()?.to_string();
    let mut found =
        Declaration { name, dimensions: Vec::new(), range: None, initialiser: None, ..shared };
    if cursor.take(b'<') {
        found.range = Some(cursor.number()?);
        cursor.take(b'>').then_some(())?;
    }
    while cursor.take(b'[') {
        let size = match cursor.is_at(b']') {
            true => None,
            false => match constant(cursor)? {
                Literal::Integer(size) => Some(u64::try_from(size).ok()?),
                _ => return None,
            },
        };
        cursor.take(b']').then_some(())?;
        found.dimensions.push(size);
    }
    if cursor.take(b'=') {
        let first = cursor.at();
        while !cursor.is_done() && !cursor.is_at(b',') && !cursor.is_at(b';') {
            match cursor.kind(0) {
                Some(TokenKind::Mark(b'{' | b'(')) => _ = cursor.enclosed()?,
                _ => _ = cursor.next(),
            }
        }
        found.initialiser = Some(first..cursor.at());
    }
    found.tokens = start..cursor.at();
    Some(found)
}

/// The values of an initialiser in order, out of their braces.
pub(super) fn initials<'a>(cursor: &mut Cursor<'a>) -> Option<Vec<Initial<'a>>> {
    let mut values = Vec::new();
    while !cursor.is_done() {
        if !cursor.take(b'{') && !cursor.take(b'}') && !cursor.take(b',') {
            values.push(initial(cursor)?);
        }
    }
    Some(values)
}

fn initial<'a>(cursor: &mut Cursor<'a>) -> Option<Initial<'a>> {
    if cursor.kind(0) != Some(TokenKind::Name) {
        return constant(cursor).map(Initial::Literal);
    }
    let mut name = cursor.name()?;
    if name == "WARP_SZ" {
        return Some(Initial::Literal(Literal::Integer(32)));
    }
    let is_generic = name == "generic" && cursor.take(b'(');
    if is_generic {
        name = cursor.name()?;
        cursor.take(b')').then_some(())?;
    }
    let negative = cursor.is_at(b'-');
    let offset = match cursor.take(b'+') || cursor.take(b'-') {
        true => offset(cursor)?,
        false => Literal::Integer(0),
    };
    let Literal::Integer(offset) = (if negative { offset.negated() } else { offset }) else {
        return None;
    };
    Some(Initial::Address(name, offset, is_generic))
}
