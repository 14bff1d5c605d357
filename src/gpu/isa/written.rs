//! An instruction as it is written: guard, opcode, modifiers, operands.

use ptx_syntax::{PtxToken, Span};

use super::source::SourceText;

/// A number in the text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Literal {
    Integer(i128),
    /// Bits of an `0f` literal.
    Single(u32),
    /// Bits of an `0d` literal, or a decimal number.
    Double(u64),
}

impl Literal {
    /// Reads digits as PTX writes them.
    pub(super) fn parse(text: &str) -> Option<Self> {
        if let Some(positive) = text.strip_prefix('-') {
            return Some(match Self::parse(positive)? {
                Self::Integer(value) => Self::Integer(-value),
                Self::Single(bits) => Self::Single(bits ^ 1 << 31),
                Self::Double(bits) => Self::Double(bits ^ 1 << 63),
            });
        }
        let lower = text.trim_end_matches('U').to_ascii_lowercase();
        let radix = |digits: &str, radix| u64::from_str_radix(digits, radix).ok().map(i128::from);
        if let Some(hex) = lower.strip_prefix("0x") {
            return radix(hex, 16).map(Self::Integer);
        }
        if let Some(bits) = lower.strip_prefix("0f") {
            return u32::from_str_radix(bits, 16).ok().map(Self::Single);
        }
        if let Some(bits) = lower.strip_prefix("0d") {
            return u64::from_str_radix(bits, 16).ok().map(Self::Double);
        }
        if let Some(bits) = lower.strip_prefix("0b") {
            return radix(bits, 2).map(Self::Integer);
        }
        if lower.contains(['.', 'e']) {
            return lower.parse().ok().map(|value: f64| Self::Double(value.to_bits()));
        }
        let base = if lower.len() > 1 && lower.starts_with('0') { 8 } else { 10 };
        radix(&lower, base).map(Self::Integer)
    }
}

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
}

/// An instruction as it is written.
#[derive(Debug)]
pub(super) struct Written<'a> {
    /// Where it begins.
    pub(super) at: usize,
    pub(super) guard: Option<Operand<'a>>,
    pub(super) opcode: &'a str,
    pub(super) modifiers: Vec<&'a str>,
    pub(super) operands: Vec<Operand<'a>>,
}

impl<'a> Written<'a> {
    /// Reads the tokens of an instruction; none when they are not laid out as one.
    pub(super) fn read(source: &'a SourceText, span: &Span) -> Option<Self> {
        let mut reader = Reader { source, tokens: source.tokens(span) };
        let guard = match reader.take(&PtxToken::At) {
            true => Some(reader.operand()?),
            false => None,
        };
        let opcode = reader.name()?;
        let mut modifiers = Vec::new();
        while reader.take(&PtxToken::Dot) {
            modifiers.push(reader.modifier()?);
        }
        let mut operands = Vec::new();
        while !reader.tokens.is_empty() && !reader.take(&PtxToken::Semicolon) {
            operands.push(reader.operand()?);
            reader.take(&PtxToken::Comma);
        }
        Some(Self { at: span.start, guard, opcode, modifiers, operands })
    }

    /// Whether it has this modifier.
    pub(super) fn has(&self, modifier: &str) -> bool {
        self.modifiers.contains(&modifier)
    }
}

struct Reader<'a> {
    source: &'a SourceText,
    tokens: &'a [(PtxToken, Span)],
}

impl<'a> Reader<'a> {
    fn take(&mut self, token: &PtxToken) -> bool {
        let is_next = self.tokens.first().is_some_and(|(next, _)| next == token);
        if is_next {
            self.tokens = &self.tokens[1..];
        }
        is_next
    }

    fn next(&mut self) -> Option<&'a (PtxToken, Span)> {
        let (first, rest) = self.tokens.split_first()?;
        self.tokens = rest;
        Some(first)
    }

    /// A name, with its component as in `%tid.x`.
    fn name(&mut self) -> Option<&'a str> {
        match self.next()? {
            (PtxToken::Identifier(name) | PtxToken::Register(name), _) => Some(name),
            _ => None,
        }
    }

    /// What follows a dot: pieces without a space between, as in `shared::cta`.
    fn modifier(&mut self) -> Option<&'a str> {
        let (_, first) = self.next()?;
        let mut end = first.end;
        while let Some((token, span)) = self.tokens.first()
            && span.start == end
            && matches!(
                token,
                PtxToken::DoubleColon | PtxToken::Identifier(_) | PtxToken::DecimalInteger(_)
            )
        {
            end = span.end;
            self.next();
        }
        Some(self.source.slice(first.start, end))
    }

    fn operand(&mut self) -> Option<Operand<'a>> {
        if self.take(&PtxToken::Exclaim) {
            return Some(Operand::Not(Box::new(self.operand()?)));
        }
        if self.take(&PtxToken::LBrace) {
            return self.list(&PtxToken::RBrace).map(Operand::Vector);
        }
        if self.take(&PtxToken::LParen) {
            return self.list(&PtxToken::RParen).map(Operand::List);
        }
        if self.take(&PtxToken::LBracket) {
            let mut parts = self.list(&PtxToken::RBracket)?;
            // Only textures have more parts.
            return match (parts.len(), parts.pop()) {
                (1, Some(Operand::NameOffset(name, offset))) => {
                    Some(Operand::Address(Box::new(Operand::Name(name)), offset))
                }
                (1, Some(base)) => Some(Operand::Address(Box::new(base), 0)),
                _ => Some(Operand::List(parts)),
            };
        }
        let first = self.plain()?;
        match self.take(&PtxToken::Pipe) {
            true => Some(Operand::Pair(Box::new(first), Box::new(self.plain()?))),
            false => Some(first),
        }
    }

    fn list(&mut self, end: &PtxToken) -> Option<Vec<Operand<'a>>> {
        let mut items = Vec::new();
        while !self.take(end) {
            items.push(self.operand()?);
            self.take(&PtxToken::Comma);
        }
        Some(items)
    }

    /// A name, a name with offset, or a number.
    fn plain(&mut self) -> Option<Operand<'a>> {
        if !matches!(self.tokens.first()?.0, PtxToken::Identifier(_) | PtxToken::Register(_)) {
            return self.literal().map(Operand::Literal);
        }
        let span = &self.tokens.first()?.1;
        let mut name = self.name()?;
        if let [(PtxToken::Dot, _), (PtxToken::Identifier(_), component), ..] = self.tokens {
            name = self.source.slice(span.start, component.end);
            self.tokens = &self.tokens[2..];
        }
        let negative = match self.tokens.first() {
            Some((PtxToken::Plus, _)) => false,
            Some((PtxToken::Minus, _)) => true,
            _ => return Some(Operand::Name(name)),
        };
        self.next();
        match self.literal()? {
            Literal::Integer(value) if negative => Some(Operand::NameOffset(name, -value)),
            Literal::Integer(value) => Some(Operand::NameOffset(name, value)),
            _ => None,
        }
    }

    fn literal(&mut self) -> Option<Literal> {
        let negative = self.take(&PtxToken::Minus);
        let text = self.next()?.0.as_str();
        match negative {
            true => Literal::parse(&format!("-{text}")),
            false => Literal::parse(text),
        }
    }
}
