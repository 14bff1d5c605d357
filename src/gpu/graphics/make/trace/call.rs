//! Calls, as `apitrace dump --blobs` writes them: `12 glFogf(pname = GL_FOG_START, param = 160)`.

/// Trouble with a call.
#[derive(Debug)]
pub(super) enum Fault {
    /// A call or a state that is not supported.
    Refused(String),
    /// Malformed, or without its data.
    Broken(String),
}

impl From<String> for Fault {
    fn from(what: String) -> Self {
        Self::Broken(what)
    }
}

pub(super) fn refused<T>(what: impl Into<String>) -> Result<T, Fault> {
    Err(Fault::Refused(what.into()))
}

/// A call.
#[derive(Debug)]
pub(super) struct Call<'a> {
    pub(super) number: u64,
    /// Name without the suffix of an extension.
    pub(super) name: &'a str,
    /// Names and values of the arguments.
    pub(super) arguments: Vec<(&'a str, &'a str)>,
}

/// Bytes in a file beside the dump, or a place in a buffer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Pointer {
    File(String),
    Offset(usize),
}

impl<'a> Call<'a> {
    pub(super) fn parse(line: &'a str) -> Option<Self> {
        let (number, rest) = line.split_once(' ')?;
        let (name, rest) = rest.split_once('(')?;
        let name = ["ARB", "EXT"].iter().find_map(|it| name.strip_suffix(it)).unwrap_or(name);
        let pairs = split(rest)?.into_iter().map(|it| it.split_once(" = "));
        Some(Self { number: number.parse().ok()?, name, arguments: pairs.collect::<Option<_>>()? })
    }

    /// Shows the next picture.
    pub(super) fn swaps(&self) -> bool {
        self.name.ends_with("SwapBuffers")
    }

    pub(super) fn text(&self, name: &str) -> Result<&'a str, String> {
        let found = self.arguments.iter().find(|(known, _)| *known == name);
        found.map(|(_, value)| *value).ok_or_else(|| format!("no argument {name}"))
    }

    pub(super) fn number(&self, name: &str) -> Result<f32, String> {
        number(self.text(name)?)
    }

    /// A count, size or name of an object.
    pub(super) fn count(&self, name: &str) -> Result<usize, String> {
        let text = self.text(name)?;
        text.parse().map_err(|_| format!("{name} = {text}: a count is expected"))
    }

    pub(super) fn pointer(&self, name: &str) -> Result<Pointer, String> {
        let text = self.text(name)?;
        let inner = |text: &'a str, end| text.split_once('(')?.1.strip_suffix(end);
        if let Some(file) = inner(text, "\")").and_then(|it| it.strip_prefix('"')) {
            return Ok(Pointer::File(file.to_string()));
        }
        let offset = match text.strip_prefix("0x") {
            Some(digits) => usize::from_str_radix(digits, 16).ok(),
            None if text == "NULL" => Some(0),
            None => text.parse().ok(),
        };
        let what = || format!("{name} = {text}: a file of `apitrace dump --blobs` is expected");
        offset.map(Pointer::Offset).ok_or_else(what)
    }
}

/// The arguments up to the closing parenthesis.
fn split(text: &str) -> Option<Vec<&str>> {
    let (mut parts, mut start, mut depth, mut is_quoted) = (Vec::new(), 0, 0u32, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'"' => is_quoted = !is_quoted,
            _ if is_quoted => {}
            b')' | b',' if depth == 0 => {
                parts.push(text[start..at].trim());
                start = at + 1;
                if byte == b')' {
                    parts.retain(|part| !part.is_empty());
                    return Some(parts);
                }
            }
            b'(' | b'{' | b'[' => depth += 1,
            b')' | b'}' | b']' => depth = depth.checked_sub(1)?,
            _ => {}
        }
    }
    None
}

pub(super) fn number(text: &str) -> Result<f32, String> {
    text.parse().map_err(|_| format!("{text}: a number is expected"))
}

/// Numbers in braces.
pub(super) fn numbers<const N: usize>(text: &str) -> Result<[f32; N], String> {
    let inner = text.strip_prefix('{').and_then(|it| it.strip_suffix('}')).unwrap_or(text);
    let found = inner.split(", ").map(number).collect::<Result<Vec<_>, _>>()?;
    found.try_into().map_err(|_| format!("{text}: {N} numbers are expected"))
}

pub(super) fn is_true(text: &str) -> bool {
    matches!(text, "GL_TRUE" | "True" | "1")
}
