//! Reading tokens one after the other.

use std::ops::Range;

use super::source::SourceText;
use super::token::{Token, TokenKind};

/// A place within some tokens.
#[derive(Debug, Clone)]
pub(super) struct Cursor<'a> {
    pub(super) source: &'a SourceText,
    at: usize,
    end: usize,
}

impl<'a> Cursor<'a> {
    /// At the beginning of some tokens.
    pub(super) fn new(source: &'a SourceText, tokens: Range<usize>) -> Self {
        let end = tokens.end.min(source.tokens().len());
        Self { source, at: tokens.start.min(end), end }
    }

    /// The index of the next token.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// Goes to a token, or to the end.
    pub(super) fn go_to(&mut self, token: usize) {
        self.at = token.min(self.end);
    }

    /// Whether no token is left.
    pub(super) fn is_done(&self) -> bool {
        self.at == self.end
    }

    /// The kind of the token so many places after the next.
    pub(super) fn kind(&self, places: usize) -> Option<TokenKind> {
        self.token(places).map(|token| token.kind)
    }

    /// Whether the next token is this mark.
    pub(super) fn is_at(&self, mark: u8) -> bool {
        self.kind(0) == Some(TokenKind::Mark(mark))
    }

    /// Whether the next token is the same as this one as text.
    pub(super) fn is_at_name(&self, name: &str) -> bool {
        self.token(0).is_some_and(|token| self.source.token(token) == name)
    }

    /// Takes this mark, if it is next.
    pub(super) fn take(&mut self, mark: u8) -> bool {
        let is_next = self.is_at(mark);
        self.at += usize::from(is_next);
        is_next
    }

    /// Takes this name, if it is next.
    pub(super) fn take_name(&mut self, name: &str) -> bool {
        let is_next = self.is_at_name(name);
        self.at += usize::from(is_next);
        is_next
    }

    /// The next token as text.
    pub(super) fn next(&mut self) -> Option<&'a str> {
        let token = self.token(0)?;
        self.at += 1;
        Some(self.source.token(token))
    }

    /// A name.
    pub(super) fn name(&mut self) -> Option<&'a str> {
        match self.kind(0)? {
            TokenKind::Name => self.next(),
            _ => None,
        }
    }

    /// A number that is not negative.
    pub(super) fn number(&mut self) -> Option<u64> {
        match super::literal::Literal::parse(self.next()?)? {
            super::literal::Literal::Integer(value) => u64::try_from(value).ok(),
            _ => None,
        }
    }

    /// What follows a dot: pieces without a space between, as in `shared::cta`.
    pub(super) fn word(&mut self) -> Option<&'a str> {
        let first = self.token(0)?;
        let mut end = first.start;
        while let Some(token) = self.token(0)
            && token.start == end
            && matches!(token.kind, TokenKind::DoubleColon | TokenKind::Name | TokenKind::Number)
        {
            end = token.end;
            self.at += 1;
        }
        (end > first.start).then(|| self.source.slice(first.start as usize, end as usize))
    }

    /// Takes a bracket and all up to the one that closes it; the tokens between.
    pub(super) fn enclosed(&mut self) -> Option<Range<usize>> {
        let start = self.at + 1;
        let mut depth = 0usize;
        while let Some(kind) = self.kind(0) {
            self.at += 1;
            match kind {
                TokenKind::Mark(b'{' | b'(' | b'[') => depth += 1,
                TokenKind::Mark(b'}' | b')' | b']') => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 {
                return Some(start..self.at - 1);
            }
        }
        None
    }

    /// The byte where the next token begins, and where it ends.
    pub(super) fn bytes(&self) -> Option<Range<usize>> {
        self.token(0).map(|token| token.start as usize..token.end as usize)
    }

    fn token(&self, places: usize) -> Option<Token> {
        let at = self.at + places;
        (at < self.end).then(|| self.source.tokens()[at])
    }
}
