//! The tokens of PTX.

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// A name, also of a register or label: `add`, `%r1`, `$L__BB0_1`, `_`.
    Name,
    /// Anything that begins with a digit: `12`, `0x1F`, `0f3F800000`, `1.5e-3`; after a dot also `2d`.
    Number,
    /// `"text"`
    Text,
    /// One character of punctuation.
    Mark(u8),
    /// `::`
    DoubleColon,
}

/// A token, and the bytes that it takes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) start: u32,
    pub(super) end: u32,
}

/// The tokens of a text of less than 4 GiB; else the byte where there is none, and why.
pub(super) fn tokens(text: &str) -> Result<Vec<Token>, (usize, &'static str)> {
    let bytes = text.as_bytes();
    let mut tokens = Vec::with_capacity(bytes.len() / 4);
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let rest = &bytes[at..];
        let (kind, length) = match byte {
            _ if byte.is_ascii_whitespace() => {
                at += 1;
                continue;
            }
            b'/' if rest.starts_with(b"//") => {
                at += rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
                continue;
            }
            b'/' if rest.starts_with(b"/*") => {
                let end = rest[2..].windows(2).position(|pair| pair == b"*/");
                at += 4 + end.ok_or((at, "a comment without an end"))?;
                continue;
            }
            b'"' => {
                let end = rest[1..].iter().position(|byte| *byte == b'"');
                (TokenKind::Text, 2 + end.ok_or((at, "a text without an end"))?)
            }
            b'0'..=b'9' => (TokenKind::Number, number(rest)),
            _ if is_name(*byte) || *byte == b'%' => (TokenKind::Name, 1 + word(&rest[1..])),
            b':' if rest.starts_with(b"::") => (TokenKind::DoubleColon, 2),
            _ if b".,;:@!|+-=<>()[]{}*&~^?/".contains(byte) => (TokenKind::Mark(*byte), 1),
            _ => return Err((at, "not a token of PTX")),
        };
        tokens.push(Token { kind, start: at as u32, end: (at + length) as u32 });
        at += length;
    }
    Ok(tokens)
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$'
}

/// The bytes of a name at the beginning.
fn word(bytes: &[u8]) -> usize {
    bytes.iter().position(|byte| !is_name(*byte)).unwrap_or(bytes.len())
}

/// The bytes of a number at the beginning, with its fraction and exponent.
fn number(bytes: &[u8]) -> usize {
    let digit_at = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let mut length = word(bytes);
    if bytes[..length].iter().all(u8::is_ascii_digit)
        && bytes.get(length) == Some(&b'.')
        && digit_at(length + 1)
    {
        length += 1 + word(&bytes[length + 1..]);
    }
    // Hexadecimal digits include `e`.
    let is_decimal = !matches!(bytes, [b'0', b'x' | b'X' | b'f' | b'F' | b'd' | b'D', ..]);
    let signed = matches!(bytes.get(length), Some(b'+' | b'-')) && digit_at(length + 1);
    if is_decimal && signed && matches!(bytes[length - 1], b'e' | b'E') {
        length += 1 + word(&bytes[length + 1..]);
    }
    length
}
