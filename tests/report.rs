//! The report: every figure as recorded, nothing missing, and a page that browsers show.

mod support;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use support::{Ended, Scratch, refused, run};

const CHECKOUT: &str = env!("CARGO_MANIFEST_DIR");

/// A folder that has the repository's records and kernels.
fn with_records() -> Scratch {
    let scratch = Scratch::new();
    for folder in ["records", "baselines", "scores", "proofs", "kernels"] {
        let (from, to) =
            (Path::new(CHECKOUT).join("tests").join(folder), scratch.path("tests").join(folder));
        fs::create_dir_all(&to).expect("a folder");
        for file in fs::read_dir(from).expect("records") {
            let file = file.expect("a file");
            fs::copy(file.path(), to.join(file.file_name())).expect("a copy");
        }
    }
    scratch
}

fn overview(scratch: &Scratch, arguments: &[&str]) -> Value {
    let ended = run(scratch, &[&["report", "--json"], arguments].concat());
    assert_eq!(ended.code, 0, "{ended:?}");
    support::schema::document(&ended)
}

fn list<'a>(of: &'a Value, name: &str) -> &'a [Value] {
    of[name].as_array().unwrap_or_else(|| panic!("{name} of {of}"))
}

/// Every record of the repository, by its command.
fn recorded() -> BTreeMap<String, Value> {
    let mut all = BTreeMap::new();
    for file in fs::read_dir(Path::new(CHECKOUT).join("tests/records")).expect("the records") {
        let text = fs::read_to_string(file.expect("a file").path()).expect("readable");
        for line in text.lines() {
            let record: Value = serde_json::from_str(line).expect("JSON");
            let command = record["run"].as_str().expect("a command").to_string();
            assert_eq!(all.insert(command.clone(), record["found"].clone()), None, "{command}");
        }
    }
    all
}

#[test]
fn every_figure_is_as_recorded_and_only_mutation_scores_are_missing() {
    let scratch = with_records();
    let overview = overview(&scratch, &[]);
    let records = recorded();
    let mut seen = 0;
    let runs = list(&overview, "blocks").iter().flat_map(|block| list(block, "runs"));
    for cell in runs.chain(list(&overview, "kernels")) {
        let command = cell["command"].as_str().expect("a command");
        assert_eq!(cell["state"], "recorded", "made by: warpsmith report --record; {command}");
        // A proof has a file of its own, which tests/prove.rs finds again.
        if command.starts_with("warpsmith prove ") {
            assert!(cell["found"]["assertions"]["proven"].as_u64() > Some(0), "{command}");
            continue;
        }
        let untagged = |found: &Value| {
            let mut fields = found.as_object().expect("a document").clone();
            fields.remove("command");
            fields
        };
        assert_eq!(untagged(&cell["found"]), untagged(&records[command]), "{command}");
        seen += 1;
    }
    assert_eq!(seen, records.len(), "no record is of a command that the report does not show");
    for block in list(&overview, "blocks") {
        assert_eq!(block["baseline"]["state"], "recorded", "{}", block["block"]);
        let name = block["block"].as_str().expect("a name");
        let file = Path::new(CHECKOUT).join(format!("tests/baselines/{name}.ecp5.toml"));
        let baseline: toml::Table = fs::read_to_string(file).unwrap().parse().unwrap();
        let lut = baseline["metrics"]["lut"]["value"].as_integer().expect("a count");
        assert_eq!(block["baseline"]["found"]["lut"].as_f64(), Some(lut as f64), "{name}");
    }
    for command in list(&overview, "missing") {
        let command = command.as_str().expect("a command");
        assert!(command.starts_with("warpsmith scores"), "{command}");
    }
}

#[test]
fn recorded_kernels_take_the_clocks_of_the_golden_record() {
    let golden = fs::read_to_string(Path::new(CHECKOUT).join("tests/golden/kernels.tsv")).unwrap();
    let mut clocks = BTreeMap::new();
    for line in golden.lines().skip(1) {
        let cells: Vec<_> = line.split('\t').collect();
        if cells[2] == "none" {
            clocks.insert((cells[0].to_string(), cells[1].to_string()), cells[3].to_string());
        }
    }
    let records = recorded();
    let runs: Vec<_> = records.values().filter(|found| found["command"] == "run").collect();
    assert!(runs.iter().all(|run| run["as_expected"] == true), "{runs:?}");
    // The golden record is of one machine.
    let runs: Vec<_> =
        runs.into_iter().filter(|run| run["timing"]["machine"] == "hmg_4x4").collect();
    assert_eq!(runs.len(), clocks.len());
    for run in runs {
        let file = run["file"].as_str().expect("a file");
        let kernel = Path::new(file).file_stem().expect("a name").to_str().unwrap().to_string();
        let system = run["timing"]["system"].as_str().expect("a system").to_string();
        let golden = &clocks[&(kernel, system)];
        assert_eq!(&run["timing"]["cycles"].to_string(), golden, "{file}");
    }
}

#[test]
fn a_missing_record_is_named_with_its_command_and_made_again_as_it_was() {
    let scratch = with_records();
    let path = scratch.path("tests/records/s_fifo.jsonl");
    let text = fs::read_to_string(&path).expect("the records");
    let wanted = "warpsmith cosim s_fifo --preset tiny --requests 200000";
    let kept: Vec<_> = text.lines().filter(|line| !line.contains(wanted)).collect();
    assert_eq!(kept.len() + 1, text.lines().count());
    fs::write(&path, kept.join("\n") + "\n").expect("writable");
    let missing = overview(&scratch, &["--block", "s_fifo"]);
    assert!(list(&missing, "missing").iter().any(|command| command == wanted));
    let again = overview(&scratch, &["--block", "s_fifo", "--record"]);
    assert!(!list(&again, "missing").iter().any(|command| command == wanted));
    assert_eq!(fs::read_to_string(&path).expect("the records"), text);
}

#[test]
fn a_record_of_another_circuit_is_stale() {
    let scratch = with_records();
    let path = scratch.path("tests/records/s_fifo.jsonl");
    let text = fs::read_to_string(&path).expect("the records");
    let mut record: Value = serde_json::from_str(text.lines().next().expect("a line")).unwrap();
    record["key"] = "0".into();
    let rest: Vec<_> = text.lines().skip(1).collect();
    fs::write(&path, format!("{record}\n{}\n", rest.join("\n"))).expect("writable");
    let overview = overview(&scratch, &["--block", "s_fifo"]);
    assert!(list(&overview, "missing").contains(&record["run"]));
    let ended = run(&scratch, &["report", "--block", "s_fifo", "--out", "page.md"]);
    assert_eq!(ended.code, 0, "{ended:?}");
    assert!(fs::read_to_string(scratch.path("page.md")).unwrap().contains("(stale)"));
}

#[test]
fn a_document_of_the_users_own_is_shown_beside_ours() {
    let scratch = with_records();
    let cosim = run(&scratch, &["cosim", "s_fifo", "--requests", "4321", "--seed", "7", "--json"]);
    fs::write(scratch.path("mine.json"), cosim.stdout).expect("writable");
    let ended = run(&scratch, &["report", "mine.json", "--block", "s_fifo", "--out", "page.md"]);
    assert_eq!(ended.code, 0, "{ended:?}");
    let page = fs::read_to_string(scratch.path("page.md")).expect("the page");
    let line = page.lines().find(|line| line.contains("mine.json")).expect("its row");
    assert!(line.contains("4,321 requests"), "{line}");
}

#[test]
fn the_journal_of_a_sweep_is_shown_as_a_table_of_its_points() {
    let scratch = with_records();
    let sweep = ["sweep", "s_fifo", "--vary", "depth=4,8", "--metrics", "cosim"];
    let ended = run(&scratch, &[&sweep[..], &["--requests", "500", "--out", "swept"]].concat());
    assert_eq!(ended.code, 0, "{ended:?}");
    let journal = "swept/results.jsonl";
    let ended = run(&scratch, &["report", journal, "--block", "s_fifo", "--out", "page.md"]);
    assert_eq!(ended.code, 0, "{ended:?}");
    let page = fs::read_to_string(scratch.path("page.md")).expect("the page");
    assert!(page.contains("2 of 2 points with figures"), "{page}");
    let head = page.lines().find(|line| line.starts_with("| depth |")).expect("its table");
    assert!(head.contains("clocks_per_request"), "{head}");
}

#[test]
fn wrong_input_is_named() {
    let scratch = with_records();
    let refused_with = |arguments: &[&str], words: &[&str]| {
        let ended: Ended = run(&scratch, &[&["report"], arguments].concat());
        refused(&ended, words);
        assert!(!scratch.path("page.html").exists(), "nothing is written");
    };
    fs::write(scratch.path("odd.json"), "{\"command\": \"list\"}").expect("writable");
    refused_with(
        &["odd.json", "--out", "page.html"],
        &["odd.json", "cosim, prove, synth, sweep and run"],
    );
    refused_with(&["none.json"], &["cannot read none.json"]);
    refused_with(&["--out", "page.pdf"], &["page.pdf", ".html, .md"]);
    refused_with(&["--block", "no_block"], &["no_block", "s_fifo"]);
    fs::write(scratch.path("tests/records/s_fifo.jsonl"), "{\n").expect("writable");
    refused_with(&["--out", "page.html"], &["s_fifo.jsonl", "line 1"]);
}

/// Chromium's output for a page, or none if it is missing.
fn browsed(test: &str, scratch: &Scratch, page: &str, width: u32) -> Option<(String, String)> {
    let browser = ["chromium", "google-chrome"].into_iter().find(|name| {
        Command::new(name).arg("--version").output().is_ok_and(|ended| ended.status.success())
    });
    let Some(browser) = browser else {
        assert!(
            std::env::var_os("CI").is_none(),
            "{test}: chromium is missing; Debian: apt-get install chromium"
        );
        eprintln!("skipped: {test}: chromium is missing; Debian: apt-get install chromium");
        return None;
    };
    let home = scratch.path("browser");
    let ended = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--allow-file-access-from-files"])
        .args(["--host-resolver-rules=MAP * ~NOTFOUND", "--enable-logging=stderr", "--dump-dom"])
        .arg(format!("--user-data-dir={}", home.display()))
        .arg(format!("--window-size={width},900"))
        .arg(format!("file://{}", scratch.path(page).display()))
        .output()
        .expect("the browser starts");
    let [dom, log] =
        [ended.stdout, ended.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    Some((dom, log))
}

#[test]
fn a_browser_shows_the_page_without_network_errors_or_a_wide_body() {
    let scratch = with_records();
    let ended = run(&scratch, &["report", "--out", "report.html"]);
    assert_eq!(ended.code, 0, "{ended:?}");
    let page = fs::read_to_string(scratch.path("report.html")).expect("the page");
    assert!(page.len() < 2_000_000, "{} bytes", page.len());
    for loads in ["src=\"http", "href=\"http", "@import", "url(http"] {
        assert!(!page.contains(loads), "{loads}");
    }
    let blocks = warpsmith_blocks::all();
    assert_eq!(page.matches("<figure>").count(), 2 * blocks.len(), "two pictures a block");
    // The body is not wider than a phone: what is wider scrolls on its own.
    let frame = "<iframe src='report.html' width='390' height='800' onload=\"document.title = 'width ' \
                 + this.contentDocument.documentElement.scrollWidth\"></iframe>";
    fs::write(scratch.path("phone.html"), frame).expect("writable");
    let test = "a browser shows the page";
    let Some((dom, log)) = browsed(test, &scratch, "report.html", 1300) else { return };
    for block in blocks {
        assert!(dom.contains(&format!("<h2 id=\"{0}\">{0}</h2>", block.name)), "{}", block.name);
    }
    assert!(!log.contains("CONSOLE"), "{log}");
    let (dom, log) = browsed(test, &scratch, "phone.html", 1300).expect("it is installed");
    let width = dom.split("<title>width ").nth(1).and_then(|rest| rest.split('<').next());
    let width: u32 =
        width.and_then(|width| width.parse().ok()).unwrap_or_else(|| panic!("{dom}\n{log}"));
    assert!(width <= 390, "the page is {width} wide on a phone of 390");
}
