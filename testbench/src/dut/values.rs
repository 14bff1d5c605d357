//! Values of parameters and tied inputs on the command line.

use thiserror::Error;

/// A malformed value.
#[derive(Debug, Error)]
pub enum ValueError {
    /// Of a parameter.
    #[error(
        "-G {name}={value}: the value is an integer like 8, -1, 0x1f or 4'b1010, or a string of letters"
    )]
    Parameter {
        /// The parameter.
        name: String,
        /// The given value.
        value: String,
    },
    /// Of a tied input.
    #[error(
        "--tie {port}={value}: the value is an integer of up to 64 bits, like 1, 0x1f or 0b101"
    )]
    Tie {
        /// The input.
        port: String,
        /// The given value.
        value: String,
    },
}

/// Parameters with their values in Verilog.
pub(super) fn parameters(given: &[(String, String)]) -> Result<Vec<(String, String)>, ValueError> {
    let parameter = |(name, value): &(String, String)| match verilog(value) {
        Some(text) if is_name(name) => Ok((name.clone(), text)),
        _ => Err(ValueError::Parameter { name: name.clone(), value: value.clone() }),
    };
    given.iter().map(parameter).collect()
}

/// A tied input's value.
pub(super) fn tie(port: &str, value: &str) -> Result<u64, ValueError> {
    let number = match value.split_at_checked(2) {
        Some(("0x", digits)) => u64::from_str_radix(digits, 16),
        Some(("0b", digits)) => u64::from_str_radix(digits, 2),
        _ => value.parse(),
    };
    number.map_err(|_| ValueError::Tie { port: port.to_string(), value: value.to_string() })
}

/// Whether it is a plain identifier.
fn is_name(word: &str) -> bool {
    let mut letters = word.chars();
    letters.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
        && letters.all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}

fn verilog(value: &str) -> Option<String> {
    if let Some(digits) = value.strip_prefix("0x") {
        return u64::from_str_radix(digits, 16).is_ok().then(|| format!("'h{digits}"));
    }
    if value.parse::<i64>().is_ok() {
        return Some(value.to_string());
    }
    if let Some((width, rest)) = value.split_once('\'') {
        let digits = rest.strip_prefix(['b', 'o', 'd', 'h'])?;
        let fits = width.is_empty() || width.parse::<u32>().is_ok_and(|width| width > 0);
        let plain = !digits.is_empty() && digits.chars().all(|c| c.is_ascii_hexdigit() || c == '_');
        return (fits && plain).then(|| value.to_string());
    }
    let text = value.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(value);
    is_name(text).then(|| format!("\"{text}\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_taken_or_refused() {
        for (given, text) in
            [("8", "8"), ("-1", "-1"), ("0x1f", "'h1f"), ("4'b1010", "4'b1010"), ("lru", "\"lru\"")]
        {
            assert_eq!(verilog(given).as_deref(), Some(text));
        }
        for given in ["", "0x", "1)", "4'q1", "a b", "8;", "0'h1", "4'"] {
            assert_eq!(verilog(given), None, "{given}");
        }
        assert_eq!(tie("p", "0b101").unwrap(), 5);
        assert!(tie("p", "-1").is_err() && tie("p", "z").is_err());
    }
}
