//! The table of covered and refused instructions in docs/gpu.md, and forms of instructions that NVIDIA's assembler takes.

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

/// Why a form is refused in a kernel with registers of all sizes; none if it is taken.
fn refused(form: &str) -> Option<String> {
    let wide = if form.contains("%q") { ".reg .b128 %q<4>;" } else { "" };
    let text = format!(
        ".version 8.7\n.target sm_90a\n.address_size 64\n.const .align 16 .b8 c[64];\n\
         .visible .entry k(.param .u64 out) {{ {wide} .reg .pred %p<8>; .reg .b16 %h<8>; .reg .b32 %r<16>; .reg .b64 %d<8>;\n\
         .shared .align 16 .b8 s[256]; .local .align 16 .b8 l[64];\n\
         ld.param.u64 %d0, [out]; mov.u32 %r15, s; mov.u32 %r14, l;\n{form}\nret; }}\n"
    );
    let error = load("k.ptx", &text).err()?.to_string();
    // What it is, without the place and the instruction.
    let why = error.split_once(": ")?.1;
    Some(why.split(": `").next().unwrap_or(why).to_string())
}

/// Forms for sm_90a that `ptxas` 12.9 takes, each with the reason where it is refused here. Run with `UPDATE_EXPECT=1`
/// after a change.
#[test]
fn forms_that_the_assembler_takes_run_or_are_refused_for_a_reason() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/ptx_forms.tsv");
    let text = std::fs::read_to_string(path).expect("the forms");
    let forms: Vec<_> = text.lines().map(|line| line.split('\t').next().unwrap_or(line)).collect();
    let told: String = forms
        .iter()
        .map(|form| match refused(form) {
            Some(why) => format!("{form}\t{why}\n"),
            None => format!("{form}\n"),
        })
        .collect();
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        return std::fs::write(path, told).expect("writable");
    }
    let changed = told.lines().zip(text.lines()).find(|(now, recorded)| now != recorded);
    assert_eq!(changed, None);
    let docs = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/gpu.md"));
    let refused = told.lines().filter(|line| line.contains('\t')).count();
    let sentence = format!("Of {} forms", forms.len());
    let docs = docs.expect("the page");
    assert!(docs.contains(&sentence), "{sentence}");
    let sentence = format!("{} are taken", forms.len() - refused);
    assert!(docs.contains(&sentence), "{sentence}");
}
