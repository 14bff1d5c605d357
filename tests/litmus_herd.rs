//! Litmus tests in the format of herd's family: verdicts of the axioms, runs, and refusals.

mod support;

use support::{Ended, Scratch, run, schema};

fn ended(text: &str, more: &[&str]) -> Ended {
    let scratch = Scratch::new();
    std::fs::write(scratch.path("t.litmus"), text).expect("writable");
    run(&scratch, &[&["litmus", "t.litmus", "--runs", "20", "--system", "hmg"], more].concat())
}

fn columns(rows: &[[&str; 2]], [first, second]: [u32; 2], question: &str) -> String {
    let rows: String = rows.iter().map(|[a, b]| format!(" {a} | {b} ;\n")).collect();
    format!(
        "PTX test\n\"a description\"\n{{\nx=0; y=0;\nP0:r0=0;\nP1:%r1=0;\n}}\n\
         P0@cta {first},gpu 0 | P1@cta {second},gpu 0 ;\n{rows}{question}\n"
    )
}

const PASSING: [[&str; 2]; 2] =
    [["st.weak x, 1", "ld.acquire.gpu r0, y"], ["st.release.gpu y, 1", "ld.weak r1, x"]];
const BUFFERING: [[&str; 2]; 2] = [
    ["st.relaxed.gpu x, 1", "st.relaxed.gpu y, 1"],
    ["ld.relaxed.gpu r0, y", "ld.relaxed.gpu %r1, x"],
];

#[test]
fn the_axioms_answer_the_question() {
    for (rows, question, allowed) in [
        (&PASSING[..], "exists (P1:r0 == 1 /\\ P1:r1 == 0)", false),
        (&PASSING, "exists (P1:r0 == 1 /\\ P1: r1 != 0)", true),
        (&PASSING, "~exists (1:r0=1 /\\ 1:r1=0)", false),
        (&PASSING, "forall (P1:r0 == 0 \\/ P1:r1 == 1)", false),
        (&BUFFERING, "exists (P0:r0 == 0 /\\ P1:r1 == 0)", true),
        (
            &[["atom.relaxed.gpu.plus r0, x, 1", "atom.relaxed.gpu.plus r1, x, 1"]],
            "forall (x == 2)",
            false,
        ),
        (
            &[["ld.weak r0, 2", "st.weak x, 1"], ["st.weak x, r0", ""]],
            "exists ~(x == 1 \\/ x == 2)",
            false,
        ),
    ] {
        let ended = ended(&columns(rows, [0, 1], question), &["--json"]);
        assert_eq!(ended.code, 0, "{question}: {ended:?}");
        let lines = schema::document(&ended)["axioms"]["lines"].clone();
        let lines = lines.as_array().expect("lines");
        assert!(!lines.is_empty(), "{question}");
        let can_be = lines.iter().any(|line| line["verdicts"][0][1].get("allowed").is_some());
        assert_eq!(can_be, allowed, "{question}: {lines:?}");
    }
}

#[test]
fn a_claim_against_the_axioms_is_exit_code_1() {
    for question in ["~exists (P0:r0 == 0 /\\ P1:r1 == 0)", "forall (P0:r0 == 1)"] {
        let ended = ended(&columns(&BUFFERING, [0, 1], question), &[]);
        assert_eq!(ended.code, 1, "{question}: {ended:?}");
        assert!(ended.stdout.contains("Against the axioms"), "{ended:?}");
    }
}

#[test]
fn a_barrier_orders_threads_of_a_cta() {
    let rows = [["st.weak x, 1", "bar.cta.sync 1"], ["bar.cta.sync 1", "ld.weak r1, x"]];
    let ended = ended(&columns(&rows, [0, 0], "forall (P1:r1 == 1)"), &[]);
    assert_eq!(ended.code, 0, "{ended:?}");
}

/// The axioms' answer to the question of a test whose threads are in one CTA.
fn can_be(rows: &[[&str; 2]], question: &str) -> bool {
    let ended = ended(&columns(rows, [0, 0], question), &["--json"]);
    assert_eq!(ended.code, 0, "{rows:?} {question}: {ended:?}");
    let lines = schema::document(&ended)["axioms"]["lines"].clone();
    let is_allowed = |line: &serde_json::Value| line["verdicts"][0][1].get("allowed").is_some();
    lines.as_array().expect("lines").iter().any(is_allowed)
}

#[test]
fn barriers_have_numbers_and_counts() {
    let both = |first: &'static str, second: &'static str| {
        [["st.weak x, 1", second], [first, "ld.weak r1, x"]]
    };
    let stale = "exists (P1:r1 == 0)";
    for (first, second, can) in [
        ("bar.cta.sync 1", "bar.cta.sync 1", false),
        ("bar.cta.arrive 1", "bar.cta.sync 1", false),
        ("bar.cta.sync 1, 1, 2", "bar.cta.sync 1, 1, 2", false),
        // Who only arrives learns nothing.
        ("bar.cta.sync 1", "bar.cta.arrive 1", true),
        ("bar.cta.sync 1", "bar.cta.sync 2", true),
        ("bar.cta.sync 1, 1, 1", "bar.cta.sync 1, 1, 1", true),
        // Both wait for a third.
        ("bar.cta.sync 1, 1, 3", "bar.cta.sync 1, 1, 3", false),
    ] {
        assert_eq!(can_be(&both(first, second), stale), can, "{first} {second}");
    }
    // The number comes from a register: they meet if it is that of the other.
    let rows = |number: &'static str| {
        [
            ["mov r0, 1", number],
            ["st.weak x, 1", "bar.cta.sync 1, r1"],
            ["bar.cta.sync 1, r0", "ld.weak r2, x"],
        ]
    };
    assert!(!can_be(&rows("mov r1, 1"), "exists (P1:r2 == 0)"));
    assert!(can_be(&rows("mov r1, 2"), "exists (P1:r2 == 0)"));
}

#[test]
fn barriers_that_are_crossed_have_no_end_and_are_not_run() {
    let rows = [
        ["bar.cta.sync 0", "bar.cta.sync 1"],
        ["bar.cta.sync 1", "bar.cta.sync 0"],
        ["st.weak x, 1", ""],
    ];
    let text = columns(&rows, [0, 0], "~exists (x == 1)");
    let teeth = ended(&text, &["--teeth"]);
    assert!(teeth.code == 2 && teeth.stderr.contains("test cannot be run"), "{teeth:?}");
    let ended = ended(&text, &[]);
    assert_eq!(ended.code, 0, "{ended:?}");
    assert!(ended.stdout.contains("Not run: test: no execution ends"), "{ended:?}");
}

#[test]
fn threads_branch_forwards_and_back() {
    // The reader waits; then it finds what was stored before.
    let waits = [
        ["st.weak x, 1", "LC00:"],
        ["st.release.gpu y, 1", "ld.acquire.gpu r0, y"],
        ["", "bne r0, 1, LC00"],
        ["", "ld.weak r1, x"],
    ];
    assert!(!can_be(&waits, "exists (P1:r1 == 0)"));
    assert!(can_be(&waits, "exists (P1:r1 == P1:r0)"));
    let past = [
        ["st.weak x, 1", "ld.weak r0, x"],
        ["", "beq r0, 1, LC01"],
        ["", "mov r1, 7"],
        ["", "LC01:"],
    ];
    assert!(can_be(&past, "exists (P1:r1 == 7)"));
    assert!(!can_be(&past, "exists (P1:r0 == 1 /\\ P1:r1 == 7)"));
    // They run as well, with claims.
    for (question, code) in [("~exists (P1:r1 == 0)", 0), ("~exists (P1:r1 == 1)", 1)] {
        let ended = ended(&columns(&waits, [0, 1], question), &[]);
        assert_eq!(ended.code, code, "{question}: {ended:?}");
    }
}

/// A ticket lock: the sections exclude each other.
#[test]
fn a_lock_of_tickets_excludes() {
    let mut rows =
        vec![["atom.acquire.gpu.add r0, y, 1"; 2], ["LC00:"; 2], ["ld.acquire.gpu r1, z"; 2]];
    rows.extend([["beq r0, r1, LC01"; 2], ["goto LC00"; 2], ["LC01:"; 2], ["ld.weak r2, x"; 2]]);
    rows.extend([["st.weak x, 1", "st.weak x, 2"], ["atom.release.gpu.add r3, z, 1"; 2]]);
    assert!(!can_be(&rows, "exists (P0:r2 == 0 /\\ P1:r2 == 0)"));
    rows[8] = ["atom.relaxed.gpu.add r3, z, 1"; 2];
    assert!(can_be(&rows, "exists (P0:r2 == 0 /\\ P1:r2 == 0)"));
}

#[test]
fn forms_that_ptx_writes_in_another_way_are_taken() {
    let rows = [["red.acq_rel.gpu.add x, 1", "atom.acq_rel.gpu.sub r0, x, 1"]];
    assert!(!can_be(&rows, "exists ~(x == 0)"));
}

#[test]
fn what_is_not_read_is_named_with_its_line() {
    let row = |cell: &str| columns(&[[cell, "st.weak x, 1"]], [0, 1], "exists (x == 1)");
    let whole = |question: &str| columns(&PASSING, [0, 1], question);
    for (text, words) in [
        (row("goto LC00"), "t.litmus:9: the thread has no label `LC00:`"),
        (row("beq r5, 0, LC00"), "is used before the thread has set it"),
        (row("bar.cta.sync 16"), "barrier 16: 0 to 15 are accepted"),
        (row("bar.cta.sync 1, 1, 64"), "a barrier of 64 threads: 1 to 32 are accepted"),
        (row("bar.cta.red 1"), "`bar.cta.red`: accepted are"),
        (row("fence.proxy.async"), "fence.proxy.async: accepted are fence.proxy.alias"),
        (row("ld.weak r0, x").replace("x=0;", "x=z;"), "t.litmus:4: `x=z`: accepted are"),
        (
            row("ld.weak r0, x").replace("cta 0,gpu 0", "cta 0"),
            "accepted is THREAD@cta NUMBER,gpu NUMBER",
        ),
        (whole("exists (P1:r0 = x)"), "a number or a register is accepted on the right"),
        (whole("exists (P7:r0 = 1)"), "P7 is no thread"),
        (whole("exists (P1:r9 = 1)"), "P1 has no register r9"),
        (whole("exists (P1:r0 = 1"), "`)` is missing"),
        (whole("exists (P1:r0 < 1)"), "is not expected in the condition"),
        (whole("filter (P1:r0 = 1)"), "a question is expected"),
        ("PTX\n".to_string(), "`PTX NAME` is expected"),
    ] {
        let ended = ended(&text, &[]);
        assert_eq!(ended.code, 2, "{text}: {ended:?}");
        assert!(ended.stderr.contains(words), "{words}: {ended:?}");
    }
}
