//! Loops in Verilog, whose iterations a model counts.

use super::VerilogSource;
use super::log::with_blanks;

/// Included before the generated C++ to count the iterations of its loops.
pub(super) const LOOPS: &str = include_str!("loops.h");

/// Most locations to name.
const SHOWN: usize = 5;

/// The locations of loops in a source: ` in file:line, file:line`, those without an obvious bound first.
/// Empty if there are none.
pub(super) fn places(source: &VerilogSource) -> Option<String> {
    let (mut open, mut bounded) = (Vec::new(), Vec::new());
    for file in &source.files {
        let (mut name, mut line) = (file.name.clone(), 0);
        for text in file.text.lines() {
            line += 1;
            if let Some((number, rest)) =
                text.strip_prefix("`line ").and_then(|text| text.split_once(' '))
            {
                // The directive gives the number of the next line.
                line = number.parse::<u64>().unwrap_or(1) - 1;
                name = with_blanks(rest.split('"').nth(1).unwrap_or(&file.name));
                continue;
            }
            let code = text.split("//").next().unwrap_or_default();
            let words = || code.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'));
            let has = |keywords: &[&str]| words().any(|word| keywords.contains(&word));
            if has(&["while", "forever"]) {
                open.push(format!("{name}:{line}"));
            } else if has(&["for", "repeat", "foreach"]) {
                bounded.push(format!("{name}:{line}"));
            }
        }
    }
    if open.is_empty() && bounded.is_empty() {
        return None;
    }
    let mut named = if open.is_empty() { bounded } else { open };
    named.dedup();
    let more = named.len().saturating_sub(SHOWN);
    named.truncate(SHOWN);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    Some(format!("; loops: {}{more}", named.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verilator::VerilogFile;

    #[test]
    fn loops_are_named_by_the_file_they_come_from() {
        let source = |text: &str| {
            let file = VerilogFile { name: "dut.sv".to_owned(), text: text.to_owned() };
            VerilogSource { top: "a".to_owned(), files: vec![file] }
        };
        assert_eq!(places(&source("// while for\nwire meanwhile;\n")), None);
        let text = "`line 4 \"rtl/a.v\" 0\nfor (;;)\nwhile (x)\n`line 9 \"b.v\" 1\nforever";
        assert_eq!(places(&source(text)).unwrap(), "; loops: rtl/a.v:5, b.v:9");
        assert_eq!(places(&source("\nrepeat (4)")).unwrap(), "; loops: dut.sv:2");
    }
}
