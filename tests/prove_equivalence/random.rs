//! No verdict on a random pair is contradicted by exhaustive four-valued simulation.
//!
//! Verdicts are recorded with a key of what they depend on. With the same key the recorded ones are judged, and a few
//! are made anew; else all are.

use std::fs;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use warpsmith::flow::abc::ABC;
use warpsmith::flow::parallel;
use warpsmith::flow::yosys::YOSYS;

use super::judge::{Judgement, judge};
use super::pairs::{Verdict, pair};
use super::support::prove::{made_anew, provers};

const RECORDED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/proofs/random_pairs.json");
/// Seeds of the recorded pairs.
const SEEDS: std::ops::RangeInclusive<u64> = 1..=320;
/// Pairs at least; a seed may give none.
const PAIRS: usize = 300;
/// One recorded verdict in this many is made anew.
const SAMPLE: usize = 12;

/// Verdicts with the key of what they depend on.
#[derive(Serialize, Deserialize)]
struct Recorded {
    key: String,
    verdicts: Vec<Verdict>,
}

/// Contradiction of a verdict by the judge, if any.
fn contradiction(verdict: &Verdict) -> Option<String> {
    let [a, b] = pair(verdict.seed)?;
    let shown = |truth: &Judgement| truth.simulated || truth.undefined;
    let (is_right, truth) = match (verdict.verdict.as_str(), verdict.code) {
        ("proven", 0) => {
            let truth =
                judge(&a, &b, verdict.from_reset, |truth| truth.simulated || truth.hardware);
            let alike = !truth.hardware && !truth.simulated;
            (alike && truth.undefined == verdict.is_noted, truth)
        }
        ("different", 1) => {
            let truth =
                judge(&a, &b, verdict.from_reset, |truth| truth.simulated || truth.undefined);
            (shown(&truth), truth)
        }
        // A simulator hides what is undefined.
        ("not_proven", 1) => {
            let truth = judge(&a, &b, verdict.from_reset, |truth| truth.hardware);
            (truth.hardware && !shown(&truth), truth)
        }
        _ => (false, Judgement::default()),
    };
    (!is_right).then(|| format!("{verdict:?}, but {truth:?}\n{}\n{}", a.verilog(), b.verilog()))
}

/// SHA-256 of the sources of the comparison and of the pairs, and of the tools with their versions. The judge,
/// this file and comments do not count: no verdict depends on them, and to make all anew takes minutes.
fn key() -> String {
    let sources = ["src/flow/prove/equivalence", "src/flow/users", "tests/prove_equivalence"];
    let mut hash = Sha256::new();
    for folder in sources {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        let entries = fs::read_dir(folder).expect("sources");
        let mut files: Vec<_> = entries.map(|entry| entry.expect("a file").path()).collect();
        files.retain(|file| {
            !["cases.rs", "judge.rs", "main.rs", "random.rs"]
                .iter()
                .any(|name| file.ends_with(name))
        });
        files.sort();
        for file in files {
            let text = fs::read_to_string(file).expect("readable");
            let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
            code.for_each(|line| hash.update(format!("{line}\n")));
        }
    }
    for tool in [&YOSYS, &ABC] {
        hash.update(format!("{:?}", tool.find().expect("it is there").version));
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

fn made(seeds: &[u64]) -> Vec<Verdict> {
    println!("seeds {:?} to {:?}", seeds.first(), seeds.last());
    let made = parallel::each(seeds, |seed| Ok::<_, ()>(Verdict::of(*seed)));
    made.into_iter().filter_map(|verdict| verdict.expect("no error")).collect()
}

#[track_caller]
fn are_right(verdicts: &[Verdict]) {
    let judged = parallel::each(verdicts, |verdict| Ok::<_, ()>(contradiction(verdict)));
    let wrong: Vec<_> = judged.into_iter().filter_map(|found| found.expect("no error")).collect();
    let count = |name: &str| verdicts.iter().filter(|verdict| verdict.verdict == name).count();
    let [proven, different] = ["proven", "different"].map(count);
    println!("{} pairs: {proven} proven, {different} different", verdicts.len());
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), verdicts.len(), wrong.join("\n"));
    // Both verdicts are given often enough to mean something.
    assert!(proven.min(different) > verdicts.len() / 10);
}

#[test]
fn verdicts_on_random_pairs_are_those_of_exhaustive_four_valued_simulation() {
    if !provers("random pairs") {
        return;
    }
    let key = key();
    let recorded = fs::read_to_string(RECORDED).ok();
    let recorded: Option<Recorded> =
        recorded.map(|text| serde_json::from_str(&text).expect("a record"));
    let verdicts = match recorded.filter(|recorded| recorded.key == key) {
        Some(recorded) => {
            let sample: Vec<_> = recorded.verdicts.iter().step_by(SAMPLE).cloned().collect();
            let seeds: Vec<_> = sample.iter().map(|verdict| verdict.seed).collect();
            assert_eq!(made(&seeds), sample);
            recorded.verdicts
        }
        None => {
            println!("{RECORDED} is of another key; WARPSMITH_RECORD=1 records the verdicts");
            made_anew("random_pairs.json");
            made(&SEEDS.collect::<Vec<_>>())
        }
    };
    assert!(verdicts.len() >= PAIRS);
    are_right(&verdicts);
    if std::env::var_os("WARPSMITH_RECORD").is_some() {
        let text = serde_json::to_string(&Recorded { key, verdicts }).expect("JSON");
        fs::write(RECORDED, text.replace("{\"seed", "\n{\"seed") + "\n").expect("writable");
    }
}

/// `WARPSMITH_SEED` is the first seed.
#[test]
#[ignore = "nightly: 3,000 pairs with new seeds"]
fn verdicts_on_many_random_pairs_are_those_of_exhaustive_four_valued_simulation() {
    if provers("many random pairs") {
        let given = std::env::var("WARPSMITH_SEED").ok();
        let first = given.map_or_else(
            || SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970").as_secs(),
            |seed| seed.parse().expect("WARPSMITH_SEED is a number"),
        );
        are_right(&made(&(first..first + 3200).collect::<Vec<_>>()));
    }
}
