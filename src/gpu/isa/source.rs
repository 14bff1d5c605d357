//! The text of a module with its tokens, and where in it something is wrong.

use std::ops::Range;

use super::error::PtxError;
use super::token::{Token, TokenKind, tokens};

/// Longest module that is read.
const MOST_BYTES: usize = 64 << 20;
/// Deepest nesting of brackets; operands and initialisers are read recursively.
const MOST_NESTED: usize = 32;

/// The text of a module.
#[derive(Debug)]
pub(super) struct SourceText {
    pub(super) file: String,
    text: String,
    line_starts: Vec<usize>,
    tokens: Vec<Token>,
}

impl SourceText {
    /// Reads the text of a file.
    pub(super) fn new(file: &str, text: &str) -> Result<Self, PtxError> {
        let breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let line_starts = std::iter::once(0).chain(breaks.map(|(at, _)| at + 1)).collect();
        let (file, text) = (file.to_string(), text.to_string());
        let mut source = Self { file, text, line_starts, tokens: Vec::new() };
        if source.text.len() > MOST_BYTES {
            return Err(source.error_at(0, format!("larger than {} MiB", MOST_BYTES >> 20)));
        }
        source.tokens =
            tokens(&source.text).map_err(|(at, what)| source.error_at(at, what.into()))?;
        source.refuse_deep_nesting()?;
        Ok(source)
    }

    /// Whether some text stands in it.
    pub(super) fn has(&self, text: &str) -> bool {
        self.text.contains(text)
    }

    /// All tokens.
    pub(super) fn tokens(&self) -> &[Token] {
        &self.tokens
    }

    /// The text of a token.
    pub(super) fn token(&self, token: Token) -> &str {
        self.slice(token.start as usize, token.end as usize)
    }

    /// A part of the text.
    pub(super) fn slice(&self, start: usize, end: usize) -> &str {
        self.text.get(start..end).unwrap_or_default()
    }

    /// An error in some tokens, which are quoted.
    pub(super) fn error(&self, tokens: Range<usize>, what: String) -> PtxError {
        let first = self.tokens.get(tokens.start).or(self.tokens.last());
        let start = first.map_or(0, |token| token.start as usize);
        let last = tokens.end.checked_sub(1).and_then(|last| self.tokens.get(last));
        let end = last.map_or(self.text.len(), |token| token.end as usize);
        let instruction = shortened(self.slice(start, end));
        PtxError { file: self.file.clone(), line: self.line(start), what, instruction }
    }

    /// The line of a token, from 1.
    pub(super) fn line_of(&self, token: usize) -> u32 {
        self.line(self.tokens.get(token).map_or(self.text.len(), |token| token.start as usize))
    }

    /// From a token to the end of its statement: to a semicolon, or to what encloses it.
    pub(super) fn statement(&self, start: usize) -> Range<usize> {
        let ends = |token: &Token| matches!(token.kind, TokenKind::Mark(b';' | b'{' | b'}'));
        let rest = self.tokens.get(start..).unwrap_or_default();
        let end = rest.iter().position(ends).map_or(self.tokens.len(), |end| start + end + 1);
        start..end
    }

    /// An error at a byte, before there are tokens.
    fn error_at(&self, at: usize, what: String) -> PtxError {
        let line = self.line(at);
        let start = self.line_starts[line as usize - 1];
        let text = self.text.get(start..).and_then(|rest| rest.lines().next());
        let instruction = text.and_then(shortened);
        PtxError { file: self.file.clone(), line, what, instruction }
    }

    fn line(&self, at: usize) -> u32 {
        self.line_starts.partition_point(|start| *start <= at).max(1) as u32
    }

    fn refuse_deep_nesting(&self) -> Result<(), PtxError> {
        let mut depth = 0usize;
        for (at, token) in self.tokens.iter().enumerate() {
            match token.kind {
                TokenKind::Mark(b'{' | b'(' | b'[') => depth += 1,
                TokenKind::Mark(b'}' | b')' | b']') => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth > MOST_NESTED {
                let what = format!("brackets nested more than {MOST_NESTED} deep");
                return Err(self.error(at..at + 1, what));
            }
        }
        Ok(())
    }
}

/// A statement on one line that is not too long.
fn shortened(text: &str) -> Option<String> {
    // Kernels may be long: only their beginning is looked at.
    let beginning: String = text.chars().take(1000).collect();
    let words: Vec<_> = beginning.split_whitespace().collect();
    let text: String = words.join(" ").chars().take(120).collect();
    (!text.is_empty()).then_some(text)
}
