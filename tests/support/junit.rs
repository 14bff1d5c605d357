//! Reads what `--junit` writes.

use std::path::Path;

use quick_junit::{NonSuccessKind, Report, TestCaseStatus, TestSuite};

/// The only suite of a file, whose counts must be those of its cases.
#[track_caller]
pub fn suite(path: &Path) -> TestSuite {
    let text = std::fs::read_to_string(path).expect("written");
    let report = Report::deserialize_from_str(&text).unwrap_or_else(|e| panic!("{e}: {text}"));
    let [suite] = &report.test_suites[..] else { panic!("one suite: {text}") };
    let of = |kind| messages(suite, kind).len();
    let counted = (suite.failures, suite.errors, suite.tests);
    let cases = (of(NonSuccessKind::Failure), of(NonSuccessKind::Error), suite.test_cases.len());
    assert_eq!(counted, cases, "{text}");
    assert_eq!((report.failures, report.errors, report.tests), cases, "{text}");
    suite.clone()
}

/// The message of each failure or error.
pub fn messages(suite: &TestSuite, wanted: NonSuccessKind) -> Vec<String> {
    let of = |status: &TestCaseStatus| match status {
        TestCaseStatus::NonSuccess { kind, message, .. } if *kind == wanted => {
            Some(message.as_ref().expect("a message").as_str().to_string())
        }
        _ => None,
    };
    suite.test_cases.iter().filter_map(|case| of(&case.status)).collect()
}

/// The value of a property of the suite.
pub fn property(suite: &TestSuite, name: &str) -> Option<String> {
    let found = suite.properties.iter().find(|property| property.name.as_str() == name);
    found.map(|property| property.value.as_str().to_string())
}
