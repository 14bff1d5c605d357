//! `warpsmith litmus`: tests of one's own, where their threads are placed, teeth, axioms, and malformed files.

mod support;

use support::{Scratch, run};

#[test]
fn a_test_of_ones_own_is_run_and_judged() {
    let scratch = Scratch::new();
    let text = "litmus own\nthread\n st.weak x 1\nthread\n ld.weak r0 x\n";
    std::fs::write(scratch.path("fine.litmus"), format!("{text}forbidden x=0\nallowed 1:r0=0\n"))
        .expect("writable");
    std::fs::write(scratch.path("wrong.litmus"), format!("{text}forbidden 1:r0=0\n"))
        .expect("writable");
    let runs = ["--runs", "100", "--system", "hmg"];
    let fine = run(&scratch, &[&["litmus", "fine.litmus"], &runs[..]].concat());
    assert_eq!(fine.code, 0, "{fine:?}");
    assert!(fine.stdout.contains("other GPU"), "{fine:?}");
    let wrong = run(&scratch, &[&["litmus", "wrong.litmus"], &runs[..]].concat());
    assert_eq!(wrong.code, 1, "{wrong:?}");
    assert!(wrong.stdout.contains("Forbidden, but seen"), "{wrong:?}");
    let excused = format!("{text}forbidden x=0\nallowed 1:r0=0 except one-gpm\n");
    std::fs::write(scratch.path("excused.litmus"), excused).expect("writable");
    let excused = run(&scratch, &[&["litmus", "excused.litmus"], &runs[..]].concat());
    assert_eq!(excused.code, 1, "{excused:?}");
    assert!(excused.stdout.contains("Excused, but seen"), "{excused:?}");
}

#[test]
fn a_deterministic_system_may_show_any_allowed_outcome() {
    let scratch = Scratch::new();
    let text = "litmus race\nthread\n st.weak x 1\nthread\n ld.weak r0 x\n";
    std::fs::write(scratch.path("race.litmus"), format!("{text}allowed 1:r0=0\nallowed 1:r0=1\n"))
        .expect("writable");
    let given = ["litmus", "race.litmus", "--runs", "20", "--system", "gpudet"];
    let judged = run(&scratch, &[&given[..], &["--preset", "small_gpudet"]].concat());
    assert_eq!(judged.code, 0, "{judged:?}");
}

#[test]
fn threads_are_placed_as_a_test_says() {
    let scratch = Scratch::new();
    let text = "litmus placed\nthread gpu1.gpm1\n st.weak x 1\nthread gpu0.gpm1.cta1\n ld.weak r0 \
                x\nallowed 1:r0=0\nallowed 1:r0=1\n";
    std::fs::write(scratch.path("placed.litmus"), text).expect("writable");
    let given = ["litmus", "placed.litmus", "--runs", "50", "--system", "nhcc"];
    let placed = run(&scratch, &given);
    assert_eq!(placed.code, 0, "{placed:?}");
    assert!(placed.stdout.contains("as written"), "{placed:?}");
    let small = run(&scratch, &[&given[..], &["--preset", "gtx480"]].concat());
    assert_eq!((small.code, &small.stdout[..]), (2, ""), "{small:?}");
    assert!(small.stderr.contains("GPUs 0 to 0"), "{small:?}");
}

#[test]
fn a_line_that_no_error_shows_is_told() {
    let scratch = Scratch::new();
    let text = "litmus blunt\nthread\n st.weak x 1\nthread\n ld.weak r0 x\nforbidden 1:r0=7\n";
    std::fs::write(scratch.path("blunt.litmus"), text).expect("writable");
    let given = ["litmus", "blunt.litmus", "--runs", "10", "--system", "hmg", "--teeth"];
    let blunt = run(&scratch, &given);
    assert_eq!(blunt.code, 1, "{blunt:?}");
    assert!(blunt.stdout.contains("Forbidden, but shown by no error"), "{blunt:?}");
}

#[test]
fn a_line_against_the_axioms_is_named_with_its_place_and_an_execution() {
    let scratch = Scratch::new();
    let text = "litmus own\nthread\n st.weak x 1\n st.release.$ y 1\n st.weak z 1\nthread\n \
                ld.acquire.$ r0 y\n ld.weak r1 x\n ld.weak r2 z\n";
    let file = |text: &str| std::fs::write(scratch.path("t.litmus"), text).expect("writable");
    let runs = ["litmus", "t.litmus", "--runs", "5", "--system", "hmg"];
    file(&format!("{text}forbidden 1:r0=1 1:r1=0\nforbidden 1:r0=1 1:r2=0\nforbidden x=0\n"));
    let ended = run(&scratch, &runs);
    assert_eq!(ended.code, 1, "{ended:?}");
    let words = "t.litmus:11: forbidden 1:r0=1 1:r2=0: allowed in .sys, other GPU, in this execution: \
                 line 7 reads 1 of line 4; line 8 reads 1 of line 3; line 9 reads 0 at the beginning";
    assert!(ended.stdout.contains(words), "{}", ended.stdout);
    assert!(!ended.stdout.contains("t.litmus:10:"), "{}", ended.stdout);
    assert!(!ended.stdout.contains("t.litmus:12:"), "{}", ended.stdout);

    file(&format!("{text}allowed 1:r0=1 1:r1=0\nallowed x=7\n"));
    let ended = run(&scratch, &runs);
    assert_eq!(ended.code, 1, "{ended:?}");
    for words in [
        "t.litmus:10: allowed 1:r0=1 1:r1=0: in .cta, same CTA, forbidden by Causality",
        "t.litmus:11: allowed x=7: in .cta, same CTA, forbidden: no execution gives these values",
    ] {
        assert!(ended.stdout.contains(words), "{}", ended.stdout);
    }
    let json = run(&scratch, &[&runs[..], &["--json"]].concat());
    let json: serde_json::Value = serde_json::from_str(&json.stdout).expect("JSON");
    assert_eq!(json["axioms"]["agrees"], false);
    assert_eq!(json["axioms"]["lines"][0]["line"], 10);
    assert!(json["rows"].is_array(), "{json}");
}

#[test]
fn all_outcomes_that_the_axioms_allow_are_told() {
    let scratch = Scratch::new();
    let text = "litmus SB\nthread gpu0\n st.weak x 1\n fence.sc.sys\n ld.weak r0 y\nthread gpu1\n \
                st.weak y 1\n fence.sc.sys\n ld.weak r0 x\nforbidden 0:r0=0 1:r0=0\n";
    std::fs::write(scratch.path("t.litmus"), text).expect("writable");
    let ended = run(&scratch, &["litmus", "t.litmus", "--outcomes"]);
    assert_eq!(ended.code, 0, "{ended:?}");
    let lines: Vec<_> = ended.stdout.lines().filter(|line| line.contains('=')).collect();
    let outcomes = ["0:r0=0 1:r0=1 x=1 y=1", "0:r0=1 1:r0=0 x=1 y=1", "0:r0=1 1:r0=1 x=1 y=1"];
    assert_eq!(lines, outcomes, "{ended:?}");

    let text = "litmus T\nthread\n loop 12\n atom.relaxed.sys.add r0 x 1\n end\nthread\n loop 12\n \
                atom.relaxed.sys.add r0 x 1\n end\nallowed x=24\n";
    std::fs::write(scratch.path("t.litmus"), text).expect("writable");
    let ended = run(&scratch, &["litmus", "t.litmus", "--outcomes"]);
    assert_eq!((ended.code, &ended.stdout[..]), (2, ""), "{ended:?}");
    assert!(ended.stderr.contains("more than 16384 paths through a thread"), "{ended:?}");
}

#[test]
fn wrong_tests_are_exit_code_2_and_name_the_line() {
    let scratch = Scratch::new();
    for (text, words) in [
        ("thread\n ld.weak r0 x\nforbidden 0:r0=1\n", ["t.litmus:3", "litmus NAME"]),
        ("litmus a\nthread\n ld.weak r9 x\n", ["t.litmus:3", "r0 to r7"]),
        ("litmus a\nthread\n ld.weak r0\n", ["t.litmus:3", "ld.ORDER REGISTER LOCATION"]),
        ("litmus a\nthread\n ld.strong r0 x\n", ["t.litmus:3", "strong"]),
        ("litmus a\nthread\n st.weak x y\n", ["t.litmus:3", "y is no number"]),
        ("litmus a\nthread\n st.weak x 1\nforbidden y=1\n", ["t.litmus:4", "locations x"]),
        ("litmus a\nthread\n st.weak x 1\nforbidden x=1 except me\n", ["t.litmus:4", "hmg"]),
        ("litmus a\nthread gpu0.cta0\n st.weak x 1\n", ["t.litmus:2", "gpu1.gpm0.cta2"]),
        ("litmus a\nthread gpu0\n st.weak x 1\nthread\n", ["t.litmus:4", "or none"]),
        ("litmus a\nthread\n st.weak x 1\n", ["t.litmus: ", "forbidden CONDITION"]),
        ("litmus a\nlitmus b\n", ["t.litmus:2", "second"]),
        (
            "litmus a\nthread\n fence.acquire.release.sys\n",
            ["t.litmus:3", "`release` is the second"],
        ),
        ("litmus a\nthread\n fence.acquire.sys\n", ["t.litmus:3", "acq_rel, sc"]),
        ("litmus a\nthread\n ld.relaxed r0 x\n", ["t.litmus:3", "scope is missing"]),
        ("litmus a\nthread\n ld.weak.cta r0 x\n", ["t.litmus:3", "weak takes no scope"]),
        ("litmus a\nthread\n ld.release.cta r0 x\n", ["t.litmus:3", "acquire"]),
        ("litmus a\nthread\n atom.relaxed.cta r0 x 1\n", ["t.litmus:3", "exch, cas"]),
        ("litmus a\nthread\n atom.relaxed.cta.cas r0 x 1\n", ["t.litmus:3", "a new value"]),
        ("litmus a\nthread\n red.relaxed.cta.exch x 1\n", ["t.litmus:3", "no reduction"]),
        ("litmus a\nthread\n st.weak x r1\n", ["t.litmus:3", "r1 is used before"]),
        ("litmus a\nthread\n ld.weak r0 x[r1]\n", ["t.litmus:3", "r1 is used before"]),
        ("litmus a\nthread\n loop 65\n", ["t.litmus:3", "1 to 64"]),
        ("litmus a\nthread\n loop 2 until r1=1\n st.weak x 1\n end\n", ["t.litmus:5", "r1"]),
        ("litmus a\nthread\n loop 2\n st.weak x 1\nthread\n", ["t.litmus:5", "of line 3"]),
        ("litmus a\nthread\n end\n", ["t.litmus:3", "without"]),
        ("litmus a\nthread\n mov r0 1\n if r0>1\n", ["t.litmus:4", "REGISTER!=VALUE"]),
        ("litmus a\nthread\n loop 2\n bar\n end\n", ["t.litmus:4", "`bar` in a block"]),
        (
            "litmus a\nthread\n bar\nthread\n mov r0 1\nforbidden 1:r0=2\n",
            ["t.litmus:6", "thread 1 has 0"],
        ),
        ("litmus a\ninit x=1 x=2\n", ["t.litmus:2", "x has its initial value"]),
        ("litmus a\ninit x\n", ["t.litmus:2", "LOCATION=VALUE"]),
        ("litmus a\nthread\nthread gpu1\n", ["t.litmus:3", "either all"]),
        (
            "litmus a\nthread cpu\n bar\n mov r0 1\nthread gpu0\n bar\nallowed 0:r0=1\n",
            ["t.litmus:7", "a thread on a CPU is in none"],
        ),
        ("litmus a\nthread core1\n", ["t.litmus:2", "gpu1.gpm0"]),
        ("litmus a\nthread gpu9\n st.weak x 1\nallowed x=1\n", ["a places", "small"]),
    ] {
        std::fs::write(scratch.path("t.litmus"), text).expect("writable");
        let ended = run(&scratch, &["litmus", "t.litmus"]);
        assert_eq!((ended.code, &ended.stdout[..]), (2, ""), "{text}: {ended:?}");
        for word in words {
            assert!(ended.stderr.contains(word), "`{word}` is missing: {}", ended.stderr);
        }
    }
}
