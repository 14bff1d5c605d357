//! The invariants that docs/architecture.md lists: what must not use what.

use std::fs;
use std::path::{Path, PathBuf};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// The sources of a module: its folder, and the file beside it.
fn sources(module: &str) -> Vec<PathBuf> {
    let folder = Path::new(ROOT).join(module);
    let mut open = vec![folder.clone()];
    let mut found = vec![folder.with_extension("rs")];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten() {
            let path = entry.expect("an entry").path();
            match path.is_dir() {
                true => open.push(path),
                false => found.push(path),
            }
        }
    }
    found.retain(|path| path.extension().is_some_and(|it| it == "rs") && path.exists());
    found
}

/// Whether a text uses a module of its crate, or another crate, by its path. The project has no `use crate::{...}`.
fn uses(text: &str, name: &str) -> bool {
    assert!(!text.contains("use crate::{"), "a path for each module");
    let is_end = |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
    let starts =
        |path: &str| text.match_indices(path).any(|(at, _)| is_end(&text[at + path.len()..]));
    starts(&format!("crate::{name}")) || starts(&format!("use {name}"))
}

#[test]
fn nothing_uses_what_the_page_says_it_does_not() {
    let page = fs::read_to_string(format!("{ROOT}/docs/architecture.md")).expect("the page");
    let (_, rest) = page.split_once("<!-- invariants -->").expect("where the list begins");
    let (list, _) = rest.split_once("<!-- end of invariants -->").expect("where it ends");
    let mut wrong = Vec::new();
    let mut rules = 0;
    for line in list.lines().filter(|line| !line.is_empty()) {
        let (module, others) =
            line.split_once(" uses none of: ").expect("`MODULE` uses none of: ...");
        let module = module.trim_start_matches("* ").trim_matches('`');
        let (root, sources) = (Path::new(ROOT).join(module), sources(module));
        assert!(!sources.is_empty(), "{module} is there");
        for name in others.split(", ").map(|name| name.trim_matches('`')) {
            rules += 1;
            for path in &sources {
                let text = fs::read_to_string(path).expect("a source");
                // At the root of a module its neighbours are beside it.
                let is_root = path.ends_with("mod.rs") && path.parent() == Some(&root);
                if uses(&text, name) || is_root && text.contains(&format!("use super::{name}")) {
                    wrong.push(format!("{} uses {name}", path.display()));
                }
            }
        }
    }
    assert!(rules > 80, "{rules}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn rooms_of_systems_use_no_other_room() {
    let systems = Path::new(ROOT).join("src/gpu/systems");
    let rooms =
        fs::read_dir(&systems).expect("systems").map(|entry| entry.expect("an entry").path());
    let rooms: Vec<_> = rooms.filter(|path| path.is_dir()).collect();
    assert!(rooms.len() >= 5);
    let name = |path: &Path| path.file_name().expect("a name").to_string_lossy().into_owned();
    for room in &rooms {
        let others = rooms.iter().filter(|other| *other != room).map(|other| name(other));
        let others: Vec<_> = others.map(|other| format!("systems::{other}")).collect();
        for path in sources(&format!("src/gpu/systems/{}", name(room))) {
            let text = fs::read_to_string(&path).expect("a source");
            let used = others.iter().find(|other| text.contains(other.as_str()));
            assert!(used.is_none(), "{}: {used:?}", path.display());
        }
    }
}

#[test]
fn what_a_page_says_is_used_is_seen() {
    assert!(uses("use crate::flow::tool;", "flow") && uses("use clap::Args;", "clap"));
    assert!(!uses("use crate::flows;", "flow"));
}
