//! Kernels with transactions from the command line, with the RTL of GETM's units in their place.

mod support;

use support::{Ended, Scratch, broken_validation_unit, needs_verilator, run, schema};

const KERNEL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/kernels/hash_insert_tx");

fn insert(scratch: &Scratch, more: &[&str]) -> Ended {
    let (module, launch) = (format!("{KERNEL}.ptx"), format!("{KERNEL}.toml"));
    run(scratch, &[&["run", &module, "--launch", &launch], more].concat())
}

const GETM: [&str; 4] = ["--preset", "getm_15", "--system", "getm"];

#[test]
fn transactions_are_counted_and_judged() {
    let scratch = Scratch::new();
    for more in
        [&["--concurrency", "1"][..], &["--concurrency", "0", "--faithful"], &["--perturb", "3"]]
    {
        let ended = insert(&scratch, &[&GETM[..], &["--json"], more].concat());
        assert_eq!(ended.code, 0, "{ended:?}");
        let counts = &schema::document(&ended)["timing"]["transactions"];
        assert_eq!(
            (&counts["commits"], &counts["serializable_launches"]),
            (&256.into(), &1.into())
        );
    }
    let text = insert(&scratch, &GETM);
    for words in ["transactions committed", "aborts per 1,000 commits", "serializable; "] {
        assert!(text.stdout.contains(words), "`{words}` is missing: {}", text.stdout);
    }
}

#[test]
fn transfers_of_both_units_are_compared() {
    let scratch = Scratch::new();
    let rtl = ["--rtl", "getm_validation", "--rtl", "getm_commit", "--json"];
    let ended = insert(&scratch, &[&GETM[..], &rtl].concat());
    assert_eq!(ended.code, 0, "{ended:?}");
    let report = schema::document(&ended);
    let compared = report["timing"]["compared_transfers"].as_u64().expect("a count");
    assert!(compared > 2000, "{compared}");
}

#[test]
fn a_broken_validation_unit_is_found_and_named() {
    if !needs_verilator("a_broken_validation_unit_is_found_and_named") {
        return;
    }
    let scratch = Scratch::new();
    let file = broken_validation_unit(&scratch);
    let more = ["--rtl", "getm_validation@partition0", "--dut", &file, "--ours", "all"];
    let ended = insert(&scratch, &[&GETM[..], &more].concat());
    assert_eq!(ended.code, 1, "{ended:?}");
    for word in ["kernel hash_insert_tx", "partition 0", "store to 0x", "core", "warp", "expected"]
    {
        assert!(ended.stdout.contains(word), "`{word}` is missing: {}", ended.stdout);
    }
}

#[test]
fn transactions_without_a_system_for_them_are_exit_code_2() {
    let scratch = Scratch::new();
    for (more, words) in [
        (&["--system", "hmg"][..], ["hmg", "has no transactions"]),
        (&["--timing", "off"], ["functional machine", "has no transactions"]),
        (&["--system", "hmg", "--faithful"], ["--faithful", "hmg"]),
        (
            &["--system", "getm", "--rtl", "hmg_directory"],
            ["hmg_directory", "getm_commit@partition0"],
        ),
    ] {
        let ended = insert(&scratch, more);
        assert_eq!((ended.code, &ended.stdout[..]), (2, ""), "{ended:?}");
        assert!(words.iter().all(|word| ended.stderr.contains(word)), "{ended:?}");
    }
}
