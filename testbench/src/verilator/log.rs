//! Extracts messages from the logs of Verilator and the compiler.

use std::fmt;

/// Most lines of a log to show.
const SHOWN: usize = 40;

/// Stands for a blank in the names of files: Verilator takes a name in a `` `line `` directive to end there.
const BLANK: &str = "\u{2423}";

/// A preprocessed text whose `` `line `` directives have no blanks in names.
pub(super) fn without_blanks(text: &str) -> String {
    let line = |line: &str| {
        let rest = line.strip_prefix("`line ").and_then(|rest| rest.split_once('"'));
        let parts = rest.and_then(|(number, rest)| Some((number, rest.rsplit_once('"')?)));
        match parts {
            Some((number, (name, end))) => {
                format!("`line {number}\"{}\"{end}", name.replace(' ', BLANK))
            }
            None => line.to_owned(),
        }
    };
    text.split_inclusive('\n').map(line).collect()
}

/// A text with the names of files as they are.
pub(super) fn with_blanks(text: &str) -> String {
    text.replace(BLANK, " ")
}

/// A warning of Verilator's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// Its code, such as `LATCH`; `/* verilator lint_off LATCH */` silences it.
    pub code: String,
    /// Location and message: `file:line:column: ...`, with the line of the source.
    pub text: String,
}

impl Warning {
    /// Whether the standard forbids what Verilator only warns of: the message cites it. Excepted are what the
    /// standard advises against and, since delays are ignored, a `` `timescale `` of some modules only.
    pub(super) fn is_illegal(&self) -> bool {
        const LEGAL: [&str; 4] = ["DEFPARAM", "GENUNNAMED", "IGNOREDRETURN", "TIMESCALEMOD"];
        let message = self.text.lines().next().unwrap_or_default();
        message.contains("(IEEE 1") && !LEGAL.contains(&self.code.as_str())
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{}] {}", self.code, self.text)
    }
}

/// The warnings of a log, each once: Verilator repeats them for each instance.
pub(super) fn warnings(log: &str) -> Vec<Warning> {
    let mut warnings: Vec<Warning> = Vec::new();
    for message in messages(log) {
        let Some(rest) = message[0].strip_prefix("%Warning-") else { continue };
        let Some((code, head)) = rest.split_once(": ") else { continue };
        let lines: Vec<_> = std::iter::once(head).chain(message[1..].iter().copied()).collect();
        let warning = Warning { code: code.to_owned(), text: lines.join("\n") };
        if !warnings.contains(&warning) {
            warnings.push(warning);
        }
    }
    warnings
}

/// Verilator's errors, with source lines and carets. A log without a recognisable error is kept completely.
pub(super) fn verilator_errors(log: &str) -> String {
    let is_error =
        |line: &str| line.starts_with("%Error") && !line.starts_with("%Error: Exiting due to");
    let errors = messages(log).into_iter().filter(|message| is_error(message[0]));
    let lines: Vec<_> = errors.flatten().collect();
    shorten(if lines.is_empty() { log.lines().collect() } else { lines })
}

/// The beginning of the compiler's log; later errors mostly follow from the first.
pub(super) fn compiler_errors(log: &str) -> String {
    shorten(log.lines().collect())
}

/// The messages of Verilator's log, each with its lines, without advice.
fn messages(log: &str) -> Vec<Vec<&str>> {
    const ADVICE: [&str; 7] = [
        "... See the manual",
        "... For error",
        "... For warning",
        "... Use \"/* verilator lint_off",
        "... note: In file included from",
        ": ... In instance",
        "... This may be because there's no search path",
    ];
    let mut messages: Vec<Vec<&str>> = Vec::new();
    for line in log.lines() {
        if !line.starts_with(char::is_whitespace) {
            messages.push(vec![line]);
        } else if let Some(message) = messages.last_mut()
            && !ADVICE.iter().any(|advice| line.contains(advice))
        {
            message.push(line);
        }
    }
    messages
}

fn shorten(mut lines: Vec<&str>) -> String {
    let more = lines.len().saturating_sub(SHOWN);
    lines.truncate(SHOWN);
    let mut text = lines.join("\n");
    if more > 0 {
        text.push_str(&format!("\n... and {more} more lines"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_blanks_are_whole_again() {
        let text = "`line 1 \"my rtl/a b.v\" 0\nwire a; // \"b c\"\n";
        let changed = without_blanks(text);
        assert!(changed.contains("rtl/a") && changed.contains("// \"b c\"\n"), "{changed}");
        assert!(!changed.lines().next().unwrap().contains("my rtl"), "{changed}");
        assert_eq!(with_blanks(&changed), text);
    }

    #[test]
    fn what_the_standard_forbids_is_no_mere_warning() {
        let warning = |code: &str, text: &str| Warning { code: code.into(), text: text.into() };
        let two = "Variable written to in always_comb also written by other process (IEEE 1800-2023 9.2.2.2): 'x'";
        assert!(warning("MULTIDRIVEN", two).is_illegal());
        assert!(!warning("MULTIDRIVEN", "Signal has multiple driving blocks: 'x'").is_illegal());
        assert!(!warning("DEFPARAM", "defparam is deprecated (IEEE 1800-2017 C.4.1)").is_illegal());
        assert!(!warning("LATCH", "a\n 7 | // (IEEE 1800)").is_illegal(), "the user's own text");
    }

    #[test]
    fn a_warning_is_told_once_and_without_advice() {
        let warning = "%Warning-LATCH: a.v:7:3: Latch inferred\n       : ... In instance NAME\n    7 |   always\n      |   ^~~\n   \
                       pp.sv:2:1: ... note: In file included from pp.sv\n  ... For warning description see\n";
        let log = warning.replace("NAME", "a.b") + &warning.replace("NAME", "a.c") + "%Error: x\n";
        let warnings = warnings(&log);
        assert_eq!(warnings.len(), 1);
        assert_eq!(warnings[0].code, "LATCH");
        assert_eq!(warnings[0].text, "a.v:7:3: Latch inferred\n    7 |   always\n      |   ^~~");
        assert_eq!(verilator_errors(&log), "%Error: x");
    }
}
