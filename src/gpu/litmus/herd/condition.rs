//! Conditions of herd's format, as alternatives of which each is a conjunction of terms.

/// Most conjunctions of a condition.
const CONJUNCTIONS: usize = 64;

/// Alternatives, each a conjunction of terms in our format.
pub(super) type Cases = Vec<Vec<String>>;

fn tokens(text: &str) -> Result<Vec<String>, String> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let symbols = ["/\\", "\\/", "==", "!=", "&&", "||", "(", ")", "~", "="];
        let word =
            rest.find(|c: char| !(c.is_alphanumeric() || "_:%".contains(c))).unwrap_or(rest.len());
        let length =
            symbols.iter().find(|symbol| rest.starts_with(**symbol)).map_or(word, |it| it.len());
        if length == 0 {
            return Err(format!("`{rest}` is not expected in the condition"));
        }
        tokens.push(rest[..length].to_string());
        rest = rest[length..].trim_start();
    }
    Ok(tokens)
}

/// Reads a condition, or its negation if not `holds`. `term` gives our name of a register or location.
///
/// # Errors
/// The first token that is not expected.
pub(super) fn cases(
    text: &str,
    holds: bool,
    term: &dyn Fn(&str) -> Result<String, String>,
) -> Result<Cases, String> {
    let tokens = tokens(text)?;
    let mut reader = Reader { term, tokens: &tokens, at: 0 };
    let cases = reader.any(holds)?;
    match tokens.get(reader.at) {
        None => Ok(cases),
        Some(token) => Err(format!("`{token}` is not expected in the condition")),
    }
}

struct Reader<'a> {
    term: &'a dyn Fn(&str) -> Result<String, String>,
    tokens: &'a [String],
    at: usize,
}

impl Reader<'_> {
    fn takes(&mut self, words: &[&str]) -> bool {
        let is_next = self.tokens.get(self.at).is_some_and(|token| words.contains(&token.as_str()));
        self.at += usize::from(is_next);
        is_next
    }

    /// `A \/ B`; its negation if not `holds`.
    fn any(&mut self, holds: bool) -> Result<Cases, String> {
        let mut cases = self.all(holds)?;
        while self.takes(&["\\/", "||"]) {
            let more = self.all(holds)?;
            cases = if holds { [cases, more].concat() } else { both(&cases, &more)? };
        }
        Ok(cases)
    }

    /// `A /\ B`
    fn all(&mut self, holds: bool) -> Result<Cases, String> {
        let mut cases = self.one(holds)?;
        while self.takes(&["/\\", "&&"]) {
            let more = self.one(holds)?;
            cases = if holds { both(&cases, &more)? } else { [cases, more].concat() };
        }
        Ok(cases)
    }

    fn one(&mut self, holds: bool) -> Result<Cases, String> {
        if self.takes(&["~", "not"]) {
            return self.one(!holds);
        }
        if self.takes(&["("]) {
            let cases = self.any(holds)?;
            return match self.takes(&[")"]) {
                true => Ok(cases),
                false => Err("`)` is missing in the condition".to_string()),
            };
        }
        let [Some(what), Some(comparison), Some(value)] =
            [0, 1, 2].map(|more| self.tokens.get(self.at + more))
        else {
            return Err("the condition ends too early".to_string());
        };
        self.at += 3;
        let is_equal = match comparison.as_str() {
            "==" | "=" => holds,
            "!=" => !holds,
            other => return Err(format!("`{other}`: accepted are == and !=")),
        };
        let value = match value.parse::<u32>() {
            Ok(value) => value.to_string(),
            Err(_) if value.contains(':') => (self.term)(value)?,
            Err(_) => {
                return Err(format!("`{value}`: a number or a register is accepted on the right"));
            }
        };
        let comparison = if is_equal { "=" } else { "!=" };
        Ok(vec![vec![format!("{}{comparison}{value}", (self.term)(what)?)]])
    }
}

/// Each case of one with each of the other.
fn both(one: &Cases, other: &Cases) -> Result<Cases, String> {
    if one.len() * other.len() > CONJUNCTIONS {
        return Err(format!("the condition has more than {CONJUNCTIONS} alternatives"));
    }
    Ok(one.iter().flat_map(|a| other.iter().map(move |b| [&a[..], b].concat())).collect())
}
