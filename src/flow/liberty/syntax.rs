//! The syntax of Liberty: nested groups with attributes.
//!
//! The parser is as lenient as other readers of the format: a semicolon may be missing at the end of a line,
//! and any attribute is accepted. docs/dependencies.md says why no crate is used.

use std::ops::Range;

/// `kind (names) { ... }`
#[derive(Debug)]
pub struct Group<'a> {
    /// `library`, `cell`, `pin`, ...
    pub kind: &'a str,
    /// Contents of the parentheses, without quotes.
    pub names: Vec<&'a str>,
    /// Nested groups.
    pub groups: Vec<Group<'a>>,
    /// `name : value;`, values without quotes.
    pub simple: Vec<(&'a str, &'a str)>,
    /// `name (values);`, values as written.
    pub complex: Vec<(&'a str, &'a str)>,
    /// Byte range in the text, from the kind to the closing brace.
    pub span: Range<usize>,
}

/// A syntax error and its line.
#[derive(Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// Line, counted from 1.
    pub line: usize,
    /// What is wrong there.
    pub what: String,
}

/// Deepest accepted nesting; real libraries have seven levels.
const DEEPEST: u32 = 40;

impl<'a> Group<'a> {
    /// First name.
    pub fn name(&self) -> Option<&'a str> {
        self.names.first().copied()
    }

    /// The value of `attribute : value`; the last one if there are several.
    pub fn attribute(&self, attribute: &str) -> Option<&'a str> {
        self.simple.iter().rfind(|(name, _)| *name == attribute).map(|(_, value)| *value)
    }

    /// The number in `attribute : number`.
    pub fn number(&self, attribute: &str) -> Option<f64> {
        self.attribute(attribute)?.parse().ok()
    }

    /// The values of `attribute (values)`, without quotes.
    pub fn values(&self, attribute: &str) -> Option<Vec<&'a str>> {
        self.complex(attribute).map(list)
    }

    /// The values of `attribute ("row", "row")`.
    pub fn rows(&self, attribute: &str) -> Option<Vec<Vec<&'a str>>> {
        let rows = self.complex(attribute)?.split('"').map(list);
        Some(rows.filter(|row| !row.is_empty()).collect())
    }

    fn complex(&self, attribute: &str) -> Option<&'a str> {
        self.complex.iter().rfind(|(name, _)| *name == attribute).map(|(_, values)| *values)
    }

    /// Its groups of that kind.
    pub fn of_kind<'s>(&'s self, kind: &'s str) -> impl Iterator<Item = &'s Group<'a>> {
        self.groups.iter().filter(move |group| group.kind == kind)
    }
}

/// Parses a text that is one group.
///
/// # Errors
/// [`SyntaxError`] if the text is malformed.
pub fn parse(text: &str) -> Result<Group<'_>, SyntaxError> {
    let mut parser = Parser { text, at: 0, depth: 0 };
    let outcome = parser.file();
    outcome.map_err(|what| SyntaxError { line: line(text, parser.at), what })
}

/// The line of a byte of a text, counted from 1.
pub fn line(text: &str, at: usize) -> usize {
    let before = &text.as_bytes()[..at.min(text.len())];
    1 + before.iter().filter(|byte| **byte == b'\n').count()
}

/// Splits at commas, and removes quotes and line continuations.
pub fn list(text: &str) -> Vec<&str> {
    let parts = text.split([',', '"']).map(|part| part.trim_matches(is_blank));
    parts.filter(|part| !part.is_empty()).collect()
}

fn is_blank(c: char) -> bool {
    c.is_ascii_whitespace() || c == '\\'
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    depth: u32,
}

type Parsed<T> = Result<T, String>;

impl<'a> Parser<'a> {
    fn file(&mut self) -> Parsed<Group<'a>> {
        self.skip_blank()?;
        let start = self.at;
        let kind = self.word();
        if kind.is_empty() {
            return Err(match self.peek() {
                None => "the file is empty".to_string(),
                Some(found) => format!("`library (NAME) {{` is expected, not `{found}`"),
            });
        }
        self.skip_blank()?;
        let names = self.parenthesised()?;
        self.skip_blank()?;
        let group = self.body(kind, names, start)?;
        self.skip_blank()?;
        match self.peek() {
            None => Ok(group),
            Some(found) => Err(format!("nothing is expected after the library, not `{found}`")),
        }
    }

    /// Parses from the opening brace of a group to its closing one.
    fn body(&mut self, kind: &'a str, names: &'a str, start: usize) -> Parsed<Group<'a>> {
        self.expect('{')?;
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(format!("groups are nested more than {DEEPEST} deep"));
        }
        let mut group = Group {
            kind,
            names: list(names),
            groups: Vec::new(),
            simple: Vec::new(),
            complex: Vec::new(),
            span: start..start,
        };
        loop {
            self.skip_blank()?;
            match self.peek() {
                Some('}') => break,
                Some(';') => self.at += 1,
                Some(_) => self.statement(&mut group)?,
                None => return Err(format!("the file ends within `{kind}`")),
            }
        }
        self.at += 1;
        self.depth -= 1;
        group.span = start..self.at;
        Ok(group)
    }

    fn statement(&mut self, group: &mut Group<'a>) -> Parsed<()> {
        let start = self.at;
        let name = self.word();
        if name.is_empty() {
            let found = self.peek().unwrap_or(' ');
            return Err(format!("a name is expected, not `{found}`"));
        }
        if name == "include_file" {
            return Err("`include_file` is not followed; put that file's text here".to_string());
        }
        self.skip_blank()?;
        match self.peek() {
            Some(':') => {
                self.at += 1;
                group.simple.push((name, self.value()?));
            }
            Some('(') => {
                let values = self.parenthesised()?;
                self.skip_blank()?;
                match self.peek() {
                    Some('{') => group.groups.push(self.body(name, values, start)?),
                    _ => group.complex.push((name, values)),
                }
            }
            Some(found) => {
                return Err(format!("`:` or `(` is expected after `{name}`, not `{found}`"));
            }
            None => return Err(format!("the file ends after `{name}`")),
        }
        Ok(())
    }

    /// Parses the value after a colon, up to the semicolon, the end of the line or of the group.
    fn value(&mut self) -> Parsed<&'a str> {
        while matches!(self.peek(), Some(' ' | '\t' | '\\')) {
            self.at += 1;
        }
        if self.peek() == Some('"') {
            let start = self.at + 1;
            self.string()?;
            return Ok(self.text[start..self.at - 1].trim());
        }
        let rest = &self.text[self.at..];
        let end = rest.find([';', '\n', '}']).unwrap_or(rest.len());
        let comment = ["/*", "//"].iter().filter_map(|mark| rest[..end].find(mark)).min();
        let length = comment.unwrap_or(end);
        self.at += length;
        Ok(rest[..length].trim())
    }

    /// Parses what is in parentheses.
    fn parenthesised(&mut self) -> Parsed<&'a str> {
        self.expect('(')?;
        let start = self.at;
        loop {
            match self.peek() {
                Some(')') => break,
                Some('"') => self.string()?,
                Some('{' | '}' | ';') | None => return Err("`)` is missing".to_string()),
                Some(c) => self.at += c.len_utf8(),
            }
        }
        self.at += 1;
        Ok(&self.text[start..self.at - 1])
    }

    /// Skips a quoted string.
    fn string(&mut self) -> Parsed<()> {
        let rest = &self.text[self.at + 1..];
        match rest.find('"') {
            Some(length) => self.at += length + 2,
            None => return Err("a string has no closing quote".to_string()),
        }
        Ok(())
    }

    fn word(&mut self) -> &'a str {
        let rest = &self.text[self.at..];
        let is_end = |c: char| c.is_whitespace() || "(){}:;,\"\\".contains(c);
        let length = rest.find(is_end).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    fn expect(&mut self, wanted: char) -> Parsed<()> {
        match self.peek() {
            Some(found) if found == wanted => {
                self.at += 1;
                Ok(())
            }
            Some(found) => Err(format!("`{wanted}` is expected, not `{found}`")),
            None => Err(format!("the file ends where `{wanted}` is expected")),
        }
    }

    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    /// Skips white space and comments.
    fn skip_blank(&mut self) -> Parsed<()> {
        loop {
            let rest = &self.text[self.at..];
            let blank = rest.find(|c: char| !c.is_whitespace() && c != '\\' && c != '\u{feff}');
            self.at += blank.unwrap_or(rest.len());
            let rest = &self.text[self.at..];
            if let Some(comment) = rest.strip_prefix("/*") {
                match comment.find("*/") {
                    Some(length) => self.at += length + 4,
                    None => return Err("a comment has no end".to_string()),
                }
            } else if rest.starts_with("//") {
                self.at += rest.find('\n').unwrap_or(rest.len());
            } else {
                return Ok(());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: &str = r#"
/* a comment */
library ("small") {
  time_unit : "1ps";   // another
  nom_voltage : 0.7
  capacitive_load_unit (1,ff);
  cell (INV) {
    area : 1.5;
    pin (Y) { direction : output; function : "!A"; timing () {
      values ("1, 2", \
              "3, 4");
    } }
  }
}
"#;

    #[test]
    fn attributes_and_groups_are_found_by_name() {
        let library = parse(SMALL).unwrap();
        assert_eq!(library.name(), Some("small"));
        assert_eq!(library.attribute("time_unit"), Some("1ps"));
        assert_eq!(library.number("nom_voltage"), Some(0.7), "a semicolon is missing");
        assert_eq!(library.values("capacitive_load_unit"), Some(vec!["1", "ff"]));
        let cell = library.of_kind("cell").next().unwrap();
        assert!(SMALL[cell.span.clone()].starts_with("cell (INV)"));
        assert!(SMALL[cell.span.clone()].ends_with("}\n  }"));
        let timing = &cell.groups[0].groups[0];
        assert_eq!(timing.values("values"), Some(vec!["1", "2", "3", "4"]));
        assert_eq!(timing.rows("values"), Some(vec![vec!["1", "2"], vec!["3", "4"]]));
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        let at = |text: &str| {
            let error = parse(text).unwrap_err();
            (error.line, error.what)
        };
        assert_eq!(at(""), (1, "the file is empty".to_string()));
        let half = SMALL.split_once("1.5").unwrap().0;
        assert_eq!(at(half), (8, "the file ends within `cell`".to_string()));
        let open = "library (x) {\n cell (a) {\n area : 1;\n";
        assert_eq!(at(open), (4, "the file ends within `cell`".to_string()));
        let verilog = "\nmodule x (input a); endmodule";
        assert_eq!(at(verilog), (2, "`(` is expected, not `x`".to_string()));
        let string = "library (x) {\n\n a : \"b;\n}";
        assert_eq!(at(string), (3, "a string has no closing quote".to_string()));
        let deep = "library (x) {".to_string() + &"a () {".repeat(100_000);
        assert_eq!(at(&deep).1, "groups are nested more than 40 deep");
        assert_eq!(at("library (x) {\n} }").1, "nothing is expected after the library, not `}`");
    }

    proptest::proptest! {
        #[test]
        fn a_damaged_text_is_read_or_refused(at in 0..SMALL.len(), put in "[{}();:\",\\\\a/*\n é]{0,3}") {
            let _ = parse(&format!("{}{put}{}", &SMALL[..at], &SMALL[at + 1..]));
            let _ = parse(&SMALL[..at]);
        }
    }
}
