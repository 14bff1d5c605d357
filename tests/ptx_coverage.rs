//! The table of covered and refused instructions in docs/gpu.md.

use std::fmt::Write;

use warpsmith::gpu::isa::{COVERED, REFUSED, load};

/// Why a kernel with one instruction, which has no operands, is refused; none if it is not.
fn refusal(instruction: &str) -> Option<String> {
    let text =
        format!(".version 6.4\n.target sm_70\n.address_size 64\n.entry k() {{ {instruction}; }}\n");
    load("test.ptx", &text).err().map(|error| error.to_string())
}

#[test]
fn what_is_covered_is_known_and_what_is_refused_says_what_to_use() {
    for name in COVERED.iter().flat_map(|(_, names)| *names) {
        for form in [name.to_string(), format!("{name}.u32"), format!("{name}.f32")] {
            let why = refusal(&form).unwrap_or_default();
            assert!(!why.contains("no instruction") && !why.contains("use "), "{form}: {why}");
        }
    }
    for (name, instead) in REFUSED {
        let why = refusal(name).unwrap_or_default();
        assert!(why.contains(&format!("{name} is not supported: use {instead}")), "{name}: {why}");
    }
}

/// Run with `UPDATE_EXPECT=1` after a change.
#[test]
fn the_table_of_the_documentation_is_that_of_the_code() {
    let mut table = String::from("| covered | instructions |\n|---|---|\n");
    for (about, names) in COVERED {
        let names: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
        writeln!(table, "| {about} | {} |", names.join(" ")).expect("a text");
    }
    table += "\n| refused | use instead |\n|---|---|\n";
    for (name, instead) in REFUSED {
        writeln!(table, "| `{name}` | {instead} |").expect("a text");
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/gpu.md");
    let text = std::fs::read_to_string(path).expect("the page");
    let [begin, end] = ["<!-- instructions -->\n", "<!-- end of instructions -->\n"];
    let (before, rest) = text.split_once(begin).expect("where the table begins");
    let (found, after) = rest.split_once(end).expect("where the table ends");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        let whole = format!("{before}{begin}\n{table}\n{end}{after}");
        return std::fs::write(path, whole).expect("writable");
    }
    assert_eq!(found.trim(), table.trim());
}
