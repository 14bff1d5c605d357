//! Completions and manual pages.

use std::path::Path;

use crate::json;
use crate::support::{Scratch, refused, run, says, there};

/// What bash completes at the end of a line, in a shell without any start-up file.
fn completed(folder: &Path, line: &str) -> Vec<String> {
    let words: Vec<_> = line.split(' ').collect();
    let script = format!(
        "set -eu; source ./completions; COMP_WORDS=({}); COMP_CWORD={}; \
         _warpsmith warpsmith '{}' '{}'; printf '%s\\n' \"${{COMPREPLY[@]}}\"",
        words.iter().map(|word| format!("'{word}'")).collect::<Vec<_>>().join(" "),
        words.len() - 1,
        words[words.len() - 1],
        words[words.len() - 2],
    );
    let (ok, said) = says(folder, "bash", &["--norc", "--noprofile", "-c", &script]);
    assert!(ok, "{line}: {said}");
    said.lines().map(str::to_string).collect()
}

#[test]
fn bash_completes_subcommands_blocks_and_options() {
    let test = "bash_completes_subcommands_blocks_and_options";
    if !there(test, "bash", &["--version"], "apt-get install bash") {
        return;
    }
    let scratch = Scratch::new();
    let script = run(&scratch, &["completions", "bash"]);
    assert_eq!(script.code, 0, "{script:?}");
    std::fs::write(scratch.path("completions"), script.stdout).unwrap();
    let complete = |line: &str| completed(&scratch.path(""), line);
    assert_eq!(complete("warpsmith co"), ["cosim", "completions"]);
    assert_eq!(complete("warpsmith cosim hmg_"), ["hmg_directory"]);
    assert_eq!(complete("warpsmith export s_"), ["s_fifo"]);
    assert_eq!(complete("warpsmith cosim s_fifo --preset f"), ["fpga"]);
    assert_eq!(complete("warpsmith cosim s_fifo --backend ve"), ["verilator"]);
    assert_eq!(complete("warpsmith synth s_fifo --targ"), ["--target"]);
}

#[test]
fn every_shell_has_completions() {
    let scratch = Scratch::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let ended = run(&scratch, &["completions", shell, "--json"]);
        let document = json(&ended);
        let script = document["script"].as_str().expect("a script");
        for word in ["warpsmith", "cosim", "hmg_directory"] {
            assert!(script.contains(word), "{shell} does not complete {word}");
        }
    }
    refused(&run(&scratch, &["completions", "dos"]), &["dos", "bash", "powershell"]);
}

#[test]
fn each_subcommand_has_a_manual_page() {
    let scratch = Scratch::new();
    let ended = run(&scratch, &["man", "--out", "pages", "--json"]);
    let document = json(&ended);
    let files: Vec<_> = document["files"].as_array().expect("files").iter().collect();
    let help = run(&scratch, &["--help"]).stdout;
    let all = run(&scratch, &["completions", "fish"]).stdout;
    for name in ["emit", "export", "cosim", "litmus", "man"] {
        assert!(help.contains(name) && all.contains(name), "{name}");
        let page = scratch.path(&format!("pages/warpsmith-{name}.1"));
        let text = std::fs::read_to_string(&page).unwrap_or_else(|error| panic!("{name}: {error}"));
        for section in [".TH", ".SH NAME", ".SH SYNOPSIS", ".SH OPTIONS"] {
            assert!(text.contains(section), "{name} has no {section}");
        }
    }
    assert!(files.len() > 18, "{files:?}");
    if there("each_subcommand_has_a_manual_page", "mandoc", &["-T", "html", "/dev/null"], "mandoc")
    {
        for file in files {
            let file = file.as_str().expect("a path");
            let (_, shown) = says(&scratch.path(""), "mandoc", &["-T", "html", file]);
            assert!(
                shown.lines().count() > 15 && shown.contains("id=\"SYNOPSIS\""),
                "{file}: {shown}"
            );
            // Warnings are about style; errors lose text.
            let (ok, said) =
                says(&scratch.path(""), "mandoc", &["-T", "lint", "-W", "error", file]);
            assert!(ok, "{said}");
        }
    }
    std::fs::write(scratch.path("file"), "in the way").unwrap();
    refused(&run(&scratch, &["man", "--out", "file"]), &["cannot write", "file"]);
}
