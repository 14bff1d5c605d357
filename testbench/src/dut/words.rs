//! The words of a file list.

/// A word and its line, counted from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Word {
    pub text: String,
    pub line: usize,
}

/// The words of a list without comments, or the line of a quote or comment that is not closed.
///
/// A word may have quotes around blanks, or a backslash before one. A backslash ends a line that goes on.
/// Comments of `//` and `/* */` begin like a word, since `rtl//a.v` and `rtl/*.v` are paths; `#` begins a line.
pub(super) fn words(text: &str) -> Result<Vec<Word>, usize> {
    let mut words = Vec::new();
    let mut word: Option<Word> = None;
    let mut line = 1;
    let mut rest = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut begins_line = true;
    while let Some(first) = rest.chars().next() {
        let after = &rest[first.len_utf8()..];
        let begins = word.is_none();
        let mut push = |text: &str| {
            let empty = || Word { text: String::new(), line };
            word.get_or_insert_with(empty).text.push_str(text);
        };
        let mut is_blank = false;
        let mut length = first.len_utf8();
        match first {
            '"' | '\'' => {
                let end = after.find([first, '\n']).filter(|&end| after[end..].starts_with(first));
                let end = end.ok_or(line)?;
                push(&after[..end]);
                length += end + 1;
            }
            '\\' if after.starts_with(['\n', '\r']) || after.is_empty() => {}
            '\\' if after.starts_with([' ', '\t', '\\', '"', '\'']) => {
                push(&after[..1]);
                length += 1;
            }
            c if c.is_whitespace() => is_blank = true,
            _ if begins && (rest.starts_with("//") || first == '#' && begins_line) => {
                length = rest.find('\n').unwrap_or(rest.len());
            }
            _ if begins && rest.starts_with("/*") => {
                length = rest[2..].find("*/").ok_or(line)? + 4;
            }
            c => push(c.encode_utf8(&mut [0; 4])),
        }
        if is_blank {
            words.extend(word.take());
        }
        line += rest[..length].matches('\n').count();
        begins_line = first == '\n' || begins_line && is_blank;
        rest = &rest[length..];
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(list: &str) -> Vec<(String, usize)> {
        words(list).unwrap().into_iter().map(|word| (word.text, word.line)).collect()
    }

    #[test]
    fn comments_are_left_out_and_lines_stay() {
        let list = "a.v // b.v\n/* c.v\nd.v */ e.v\n  # f.v\ng.v #h";
        let expected = [("a.v", 1), ("e.v", 3), ("g.v", 5), ("#h", 5)];
        assert_eq!(texts(list), expected.map(|(text, line)| (text.to_string(), line)));
    }

    #[test]
    fn paths_have_stars_slashes_blanks_and_a_mark_of_their_encoding() {
        let list = "\u{feff}rtl/*.v\r\nrtl//a.v\r\n\"my rtl/b.v\" +incdir+'my inc' my\\ c.v \\\r\n-I \\\nd\\e";
        let expected = [
            ("rtl/*.v", 1),
            ("rtl//a.v", 2),
            ("my rtl/b.v", 3),
            ("+incdir+my inc", 3),
            ("my c.v", 3),
            ("-I", 4),
            ("d\\e", 5),
        ];
        assert_eq!(texts(list), expected.map(|(text, line)| (text.to_string(), line)));
    }

    #[test]
    fn what_is_not_closed_is_refused_with_its_line() {
        assert_eq!(words("a.v\n\"b.v\nc.v\""), Err(2));
        assert_eq!(words("a.v\n\n/* b.v"), Err(3));
    }
}
