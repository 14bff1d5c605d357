//! The text of a module: read by `ptx-syntax`, with what that parser needs prepared and its
//! limits guarded.
//!
//! `ptx-syntax` decides what is PTX, and gives functions, blocks and variables. It has a type for
//! each of the thousand forms of instructions; what the machine needs of an instruction it tells
//! from the tokens, which the parser has found to be one of those forms.

use ptx_syntax::r#type::Module;
use ptx_syntax::{ParseErrorKind, PtxToken, Span, parse_ptx, tokenize};

use super::error::PtxError;

/// Longest module that is read.
const MOST_BYTES: usize = 64 << 20;
/// Deepest nesting of brackets; the parser recurses.
const MOST_NESTED: usize = 32;
/// The parser needs about 0.2 MB for a level of nesting when it is not optimised.
const PARSER_STACK: usize = 64 << 20;

/// A module that was parsed.
pub(super) struct SourceText {
    file: String,
    text: String,
    line_starts: Vec<usize>,
    tokens: Vec<(PtxToken, Span)>,
}

impl SourceText {
    /// Parses the text of a file.
    pub(super) fn parse(file: &str, text: &str) -> Result<(Self, Module), PtxError> {
        let breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let line_starts = std::iter::once(0).chain(breaks.map(|(at, _)| at + 1)).collect();
        let mut source = Self {
            file: file.to_string(),
            text: text.to_string(),
            line_starts,
            tokens: Vec::new(),
        };
        if text.len() > MOST_BYTES {
            return Err(source.error(0, format!("larger than {} MiB", MOST_BYTES >> 20)));
        }
        source.tokens = tokenize(text)
            .map_err(|error| source.error(error.span.start, "not a token of PTX".into()))?;
        source.refuse_deep_nesting()?;
        let prepared = source.prepared();
        let parser = std::thread::Builder::new().stack_size(PARSER_STACK);
        let parsed = parser.spawn(move || parse_ptx(&prepared)).map(std::thread::JoinHandle::join);
        let module = match parsed {
            Ok(Ok(Ok(module))) => module,
            Ok(Ok(Err(error))) => {
                let at = error.span.start;
                return Err(source.syntax_error(at, &error.kind));
            }
            _ => return Err(source.error(0, "the parser failed".into())),
        };
        Ok((source, module))
    }

    /// An error at a byte of the text, with the statement that is there.
    pub(super) fn error(&self, at: usize, what: String) -> PtxError {
        let line = self.line(at);
        PtxError { file: self.file.clone(), line, what, instruction: self.statement(at) }
    }

    /// An error in an instruction or declaration.
    pub(super) fn error_in(&self, span: &Span, what: String) -> PtxError {
        let text = shortened(self.slice(span.start, span.end));
        PtxError { file: self.file.clone(), line: self.line(span.start), what, instruction: text }
    }

    /// The line of a byte, from 1.
    pub(super) fn line(&self, at: usize) -> u32 {
        self.line_starts.partition_point(|start| *start <= at).max(1) as u32
    }

    /// A part of the text.
    pub(super) fn slice(&self, start: usize, end: usize) -> &str {
        self.text.get(start..end).unwrap_or_default()
    }

    /// The tokens within a span.
    pub(super) fn tokens(&self, span: &Span) -> &[(PtxToken, Span)] {
        let first = self.tokens.partition_point(|(_, token)| token.start < span.start);
        let after = self.tokens.partition_point(|(_, token)| token.start < span.end);
        &self.tokens[first..after.max(first)]
    }

    fn syntax_error(&self, at: usize, kind: &ParseErrorKind) -> PtxError {
        let what = match kind {
            ParseErrorKind::UnexpectedEof => "the file ends in the middle of a statement".into(),
            ParseErrorKind::InvalidLiteral(what) => format!("malformed literal: {what}"),
            _ => "not an instruction or directive of PTX, or not with these operands".into(),
        };
        let end = self.text.trim_end().len();
        self.error(if at == 0 { end } else { at }, what)
    }

    /// The statement around a byte, on one line.
    fn statement(&self, at: usize) -> Option<String> {
        let ends = |token: &PtxToken| {
            matches!(token, PtxToken::Semicolon | PtxToken::LBrace | PtxToken::RBrace)
        };
        let here = self.tokens.partition_point(|(_, span)| span.end <= at);
        let first = self.tokens[..here].iter().rposition(|(token, _)| ends(token));
        let first = self.tokens.get(first.map_or(0, |at| at + 1))?.1.start;
        let last = self.tokens[here..].iter().find(|(token, _)| ends(token));
        let last = last.map_or(self.text.len(), |(_, span)| span.end);
        shortened(self.slice(first, last))
    }

    fn refuse_deep_nesting(&self) -> Result<(), PtxError> {
        let mut depth = 0usize;
        for (token, span) in &self.tokens {
            match token {
                PtxToken::LBrace | PtxToken::LParen | PtxToken::LBracket => depth += 1,
                PtxToken::RBrace | PtxToken::RParen | PtxToken::RBracket => {
                    depth = depth.saturating_sub(1);
                }
                _ => {}
            }
            if depth > MOST_NESTED {
                let what = format!("brackets nested more than {MOST_NESTED} deep");
                return Err(self.error(span.start, what));
            }
        }
        Ok(())
    }

    /// The text with what `ptx-syntax` 0.5 does not take blanked, every byte in its place:
    /// ordering, scope and space of `red`, and `generic()` around an address in an initialiser.
    fn prepared(&self) -> String {
        let mut bytes = self.text.clone().into_bytes();
        let mut blank = |span: &Span| {
            bytes[span.start..span.end].iter_mut().for_each(|byte| *byte = b' ');
        };
        for at in 0..self.tokens.len() {
            let PtxToken::Identifier(name) = &self.tokens[at].0 else { continue };
            if name == "red" {
                for (dot, span) in self.modifiers_of_red(at + 1) {
                    blank(dot);
                    blank(&span);
                }
            }
            let kinds: Vec<_> = self.tokens[at..].iter().take(4).map(|(token, _)| token).collect();
            let is_call = [PtxToken::LParen, PtxToken::RParen];
            if name == "generic" && kinds.len() == 4 && [kinds[1], kinds[3]] == is_call.each_ref() {
                [at, at + 1, at + 3].iter().for_each(|at| blank(&self.tokens[*at].1));
            }
        }
        // Blanks are ASCII in the place of whole ASCII tokens.
        String::from_utf8(bytes).unwrap_or_default()
    }

    /// Dots and names of the modifiers of a `red` that the parser wants elsewhere or not at all.
    fn modifiers_of_red(&self, mut at: usize) -> Vec<(&Span, Span)> {
        let mut found = Vec::new();
        while let Some([(PtxToken::Dot, dot), (PtxToken::Identifier(name), span)]) =
            self.tokens.get(at..at + 2)
        {
            at += 2;
            let mut name_span = *span;
            if let Some([(PtxToken::DoubleColon, _), (_, last)]) = self.tokens.get(at..at + 2) {
                name_span = Span::new(span.start, last.end);
                at += 2;
            }
            let known = ["relaxed", "release", "cta", "gpu", "sys", "global", "shared"];
            if known.contains(&name.as_str()) {
                found.push((dot, name_span));
            }
        }
        found
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
