//! Features of Verilog and styles of generators in every command that reads a user's Verilog: each gives the right
//! verdict on a right circuit and on one with an error in that feature, or a refusal that names the feature.

mod cell;
mod feature;
mod page;
#[path = "../support/mod.rs"]
mod support;

use std::fs;
use std::path::{Path, PathBuf};

use cell::{FLOWS, Flow, fault};
use feature::{Feature, features};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use sha2::{Digest, Sha256};
use support::prove::provers;
use support::{needs, needs_verilator};
use warpsmith::flow::nextpnr::ICE40;
use warpsmith::flow::parallel;
use warpsmith::flow::yosys::YOSYS;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");
/// Features whose cells are run each time; what they are changes with the key.
const SAMPLE: usize = 6;

#[test]
fn each_feature_has_a_name_and_is_right_and_wrong() {
    let features = features();
    let names: std::collections::BTreeSet<_> = features.iter().map(|f| &f.name).collect();
    assert_eq!(names.len(), features.len());
    assert!(features.len() >= 75, "{}", features.len());
    let both = features.iter().filter(|feature| feature.wrong.is_some()).count();
    assert!(both >= 65, "{both} have an error");
    for feature in &features {
        assert!(
            feature.text(true) != feature.text(false) || feature.wrong.is_none(),
            "{}",
            feature.name
        );
    }
}

/// All files below a folder, sorted.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|why| panic!("{}: {why}", folder.display()));
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let mut all: Vec<_> =
        paths.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect();
    all.sort();
    all
}

/// A number that changes with the commands' sources, the features and the tools.
fn key() -> u64 {
    let mut hash = Sha256::new();
    for folder in ["src/flow", "testbench/src", "tests/matrix"] {
        files(&Path::new(ROOT).join(folder))
            .iter()
            .for_each(|file| hash.update(fs::read(file).expect("a file")));
    }
    let yosys = YOSYS.find().map(|yosys| yosys.version_text).unwrap_or_default();
    hash.update(yosys + &support::says(Path::new(ROOT), "verilator", &["--version"]).1);
    u64::from_le_bytes(hash.finalize()[..8].try_into().expect("8 bytes"))
}

/// Runs all cells of the features.
fn are_right(test: &str, chosen: &[Feature]) {
    if !(needs_verilator(test) && provers(test) && needs(test, &ICE40)) {
        return;
    }
    let cells = chosen.iter().flat_map(|feature| {
        let wrong = feature.wrong.is_some().then_some(true);
        let variants = [Some(false), wrong].into_iter().flatten();
        // Figures are not wrong because the circuit is.
        let tells = |flow: Flow, wrong: bool| {
            flow != Flow::Synth || !wrong || feature.wrong_refused.contains_key(&flow)
        };
        let cells = variants.flat_map(|wrong| FLOWS.map(|flow| (feature, flow, wrong)));
        cells.filter(|(_, flow, wrong)| tells(*flow, *wrong)).collect::<Vec<_>>()
    });
    let cells: Vec<_> = cells.collect();
    let run = |(feature, flow, wrong): &(&Feature, Flow, bool)| {
        let fault = fault(feature, *flow, *wrong);
        fault.iter().for_each(|fault| println!("{fault}"));
        Ok::<_, ()>(fault)
    };
    let found = parallel::each(&cells, run);
    let faults: Vec<_> = found.into_iter().filter_map(|fault| fault.expect("no error")).collect();
    println!("{} cells of {} features", cells.len(), chosen.len());
    assert!(faults.is_empty(), "{} of {}:\n{}", faults.len(), cells.len(), faults.join("\n"));
}

/// `WARPSMITH_FEATURE` names some by parts of their names, separated by `|`.
#[test]
fn the_verdicts_on_a_sample_are_right() {
    let mut features = features();
    match std::env::var("WARPSMITH_FEATURE") {
        Ok(parts) => features.retain(|f| parts.split('|').any(|part| f.name.contains(part))),
        Err(_) => {
            features.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(key()));
            features.truncate(SAMPLE);
        }
    }
    are_right("the_verdicts_on_a_sample_are_right", &features);
}

#[test]
#[ignore = "nightly: all commands on all features"]
fn all_verdicts_are_right() {
    are_right("all_verdicts_are_right", &features());
}

/// Run with `UPDATE_EXPECT=1` after a change.
#[test]
fn the_table_of_the_documentation_is_that_of_the_features() {
    let path = format!("{ROOT}/docs/verification.md");
    let text = fs::read_to_string(&path).expect("the page");
    let [begin, end] = ["<!-- features -->\n", "<!-- end of features -->\n"];
    let (before, rest) = text.split_once(begin).expect("where the table begins");
    let (found, after) = rest.split_once(end).expect("where the table ends");
    let table = page::table(&features());
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        return fs::write(path, format!("{before}{begin}\n{table}\n{end}{after}"))
            .expect("writable");
    }
    assert_eq!(found.trim(), table.trim());
}
