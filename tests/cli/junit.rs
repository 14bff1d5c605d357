//! `--junit`: the result as a file for continuous-integration servers.

use quick_junit::NonSuccessKind;

use crate::json;
use crate::support::junit::{messages, property, suite};
use crate::support::{Scratch, refused, run};

#[test]
fn a_co_simulation_is_a_case_and_its_missed_corners_are_another() {
    let scratch = Scratch::new();
    let few = ["cosim", "hmg_directory", "--requests", "20", "--seed", "7", "--junit", "r.xml"];
    assert_eq!(run(&scratch, &few).code, 0);
    let skipped = suite(&scratch.path("r.xml"));
    assert_eq!((skipped.tests, skipped.failures, skipped.skipped), (2, 0, 1));
    assert_eq!(property(&skipped, "seed").as_deref(), Some("7"));
    let required = run(&scratch, &[&few[..], &["--require-corners"]].concat());
    assert_eq!(required.code, 1);
    let failed = suite(&scratch.path("r.xml"));
    let messages = messages(&failed, NonSuccessKind::Failure);
    assert!(messages.len() == 1 && messages[0].starts_with("missed: "), "{messages:?}");
}

#[test]
fn each_episode_of_a_co_simulation_is_a_case() {
    let scratch = Scratch::new();
    let arguments =
        ["cosim", "s_fifo", "--requests", "90", "--episodes", "3", "--json", "--junit", "r.xml"];
    let ended = run(&scratch, &arguments);
    let suite = suite(&scratch.path("r.xml"));
    let of_case = |name: &str, index: usize| {
        let case = &suite.test_cases[index];
        let found = case.properties.iter().find(|property| property.name.as_str() == name);
        let value = found.expect("a property").value.as_str();
        value.parse::<u64>().expect("a count")
    };
    let names: Vec<_> = suite.test_cases.iter().map(|case| case.name.as_str()).collect();
    assert_eq!(names[..3], ["s_fifo episode 0", "s_fifo episode 1", "s_fifo episode 2"]);
    for count in ["requests", "clocks"] {
        let sum: u64 = (0..3).map(|index| of_case(count, index)).sum();
        assert_eq!(json(&ended)[count].as_u64(), Some(sum), "{count}");
    }
}

#[test]
fn each_litmus_test_in_each_scope_place_and_system_is_a_case() {
    let scratch = Scratch::new();
    let test = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/litmus/mp.litmus");
    let arguments =
        ["litmus", test, "--system", "hmg", "--runs", "1", "--json", "--junit", "r.xml"];
    let ended = run(&scratch, &arguments);
    let report = json(&ended);
    let count = |list: &serde_json::Value| list.as_array().expect("a list").len();
    let suite = suite(&scratch.path("r.xml"));
    assert_eq!(suite.tests, count(&report["rows"]) + count(&report["axioms"]["lines"]));
    let cell = |seen: &serde_json::Value| format!("{} | {} | {}", seen[0], seen[1], seen[2]);
    let mut wrong: Vec<_> =
        report["never_seen"].as_array().expect("a list").iter().map(cell).collect();
    wrong.dedup();
    assert_eq!((suite.failures, ended.code), (wrong.len(), i32::from(!wrong.is_empty())));
    assert_eq!(property(&suite, "seed").as_deref(), Some("1"));
}

#[test]
fn exit_code_2_is_an_error_in_the_file() {
    let scratch = Scratch::new();
    for arguments in [&["cosim", "no_block"][..], &["prove", "no_block"], &["mutate", "no_block"]] {
        let ended = run(&scratch, &[arguments, &["--junit", "new/r.xml"]].concat());
        refused(&ended, &["no_block"]);
        let suite = suite(&scratch.path("new/r.xml"));
        assert_eq!(suite.name.as_str(), arguments[0]);
        let errors = messages(&suite, NonSuccessKind::Error);
        assert!(errors.len() == 1 && errors[0].contains("`no_block`"), "{errors:?}");
    }
    let litmus = ["litmus", "--system", "no_system", "--junit", "r.xml"];
    refused(&run(&scratch, &litmus), &["no_system"]);
    assert_eq!(suite(&scratch.path("r.xml")).errors, 1);
}

#[test]
fn a_file_that_cannot_be_written_is_refused() {
    let scratch = Scratch::new();
    std::fs::write(scratch.path("file"), "in the way").unwrap();
    let arguments = ["cosim", "s_fifo", "--requests", "20", "--junit", "file/r.xml"];
    refused(&run(&scratch, &arguments), &["cannot write", "file"]);
}
