//! PTX as Triton, NVRTC, CUB and hand-written assembly have it, beyond what clang writes.

#[path = "support/ptx.rs"]
mod ptx;
mod support;

use ptx::{narrow, wide};
use support::{Ended, Scratch, run};

/// Runs kernel `k` with so many threads and a buffer `out` of as many words.
fn launched(before: &str, body: &str, threads: u32, expected: &str, more: &[&str]) -> Ended {
    let scratch = Scratch::new();
    let text = format!(
        ".version 8.0\n.target sm_90\n.address_size 64\n{before}\n\
         .visible .entry k(.param .u64 out) {{\n.reg .pred %p<4>; .reg .b32 %r<8>; .reg .b64 %d<8>;\n\
         ld.param.u64 %d1, [out]; cvta.to.global.u64 %d1, %d1;\n\
         mov.u32 %r1, %tid.x; mad.wide.u32 %d2, %r1, 4, %d1;\n{body}\nret;\n}}\n"
    );
    let launch = format!(
        "kernel = \"k\"\ngrid = [1]\nblock = [{threads}]\nwatchdog = 4_000_000\n[[arguments]]\nname = \"out\"\n\
         type = \"u32\"\ncount = {threads}\nexpected = {expected}\n"
    );
    for (name, text) in [("k.ptx", text), ("k.toml", launch)] {
        std::fs::write(scratch.path(name), text).expect("writable");
    }
    run(&scratch, &[&["run", "k.ptx", "--launch", "k.toml"], more].concat())
}

fn right(before: &str, body: &str, threads: u32, expected: &str) {
    for more in [["--timing", "off"], ["--preset", "gtx480"]] {
        let ended = launched(before, body, threads, expected, &more);
        assert_eq!(ended.code, 0, "{before}\n{body}: {ended:?}");
    }
}

fn refused(before: &str, body: &str, words: &[&str]) {
    let ended = launched(before, body, 1, "0", &["--timing", "off"]);
    assert_eq!(ended.code, 2, "{ended:?}");
    words.iter().for_each(|word| assert!(ended.stderr.contains(word), "{word}: {ended:?}"));
}

#[test]
fn an_atomic_of_a_vector_is_one_of_each_element() {
    // Four threads add 1.0 to each of the first two words.
    let bits = format!("[{}, {}, 0, 0]", 4f32.to_bits(), 4f32.to_bits());
    let one = ".reg .f32 %f<4>; mov.f32 %f0, 1.0;";
    right("", &format!("{one} red.global.add.v2.f32 [%d1], {{%f0, %f0}};"), 4, &bits);
    right("", &format!("{one} atom.global.add.v2.f32 {{%f1, _}}, [%d1], {{%f0, %f0}};"), 4, &bits);
    refused(
        "",
        &format!("{one} red.global.add.v2.f32 [%d1], {{%f0}};"),
        &["1 elements where 2 are moved"],
    );
}

#[test]
fn one_lane_is_elected() {
    let body = "setp.gt.u32 %p1, %r1, 2; @!%p1 bra done;\n\
                elect.sync %r2|%p2, 0xfffffff8; selp.u32 %r3, 100, %r2, %p2; st.global.u32 [%d2], %r3; done:";
    let expected = (0..32).map(|lane: u32| match lane {
        0..3 => 0,
        3 => 100,
        _ => 3,
    });
    right("", body, 32, &format!("{:?}", expected.collect::<Vec<_>>()));
}

#[test]
fn clusters_of_one_cta_are_timed_and_others_refused_by_name() {
    let kernel = |clusters: &str| {
        format!(
            ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k() {clusters} {{ ret; }}\n"
        )
    };
    let scratch = Scratch::new();
    std::fs::write(scratch.path("k.toml"), "kernel = \"k\"\ngrid = [2]\nblock = [32]\n")
        .expect("writable");
    for (clusters, code) in
        [(".explicitcluster .reqnctapercluster 1, 1, 1", 0), (".reqnctapercluster 2", 2)]
    {
        std::fs::write(scratch.path("k.ptx"), kernel(clusters)).expect("writable");
        let ended = run(&scratch, &["run", "k.ptx", "--launch", "k.toml"]);
        assert_eq!(ended.code, code, "{ended:?}");
        assert!(
            code == 0
                || ended.stderr.contains("clusters of [2, 1, 1] CTAs")
                    && ended.stderr.contains("--timing off"),
            "{ended:?}"
        );
    }
}

#[test]
fn constants_are_expressions() {
    for (text, value) in [
        ("(1<<4)|3", 19),
        ("WARP_SZ*2", 64),
        ("~5", !5),
        ("!0", 1),
        ("1 ? 5 : 6", 5),
        ("(7 - 2) * 3 % 4", 3),
        ("(.s64)-1", u32::MAX),
        ("10 > 3 && 2 != 2", 0),
        ("-(8 >> 1)", -4i32 as u32),
        ("1 || 0", 1),
    ] {
        narrow(&format!("mov.u32 %r7, {text};"), &[], value);
    }
    right(
        ".const .u32 c[1<<1] = {1 << 3, WARP_SZ};",
        "ld.const.u32 %r2, [c+(1<<2)]; st.global.u32 [%d2], %r2;",
        1,
        "32",
    );
    refused("", "mov.u32 %r2, 1 / 0;", &["not an instruction of PTX"]);
}

#[test]
fn one_register_in_braces_is_that_register() {
    let body = "ld.global.b32 { %r2 }, [ %d2 + 0 ]; add.u32 %r2, %r2, 7; st.global.b32 [ %d2 + 0 ], { %r2 };";
    right("", body, 1, "7");
    refused("", "ld.global.b32 { %r2, %r3 }, [%d2];", &["2 elements"]);
}

#[test]
fn labels_are_local_to_their_braces() {
    let body =
        "mov.u32 %r2, 0; { bra L; mov.u32 %r2, 9; L: } { bra L; L: add.u32 %r2, %r2, 1; bra M; }
                M: st.global.u32 [%d2], %r2;";
    right("", body, 1, "1");
    refused("", "{ L: } bra L;", &["no label L"]);
    refused("", "L: L:", &["stands twice"]);
}

#[test]
fn what_is_not_launched_may_use_anything() {
    for before in [
        ".visible .entry other(.param .u64 a) .maxclusterrank 8 { ret; }",
        ".visible .entry other(.param .u64 a) .reqnctapercluster 2, 1, 1 .explicitcluster { ret; }",
        ".visible .entry other(.param .u64 a); .visible .entry other(.param .u64 a) { ret; }",
        ".func (.reg .b32 r) unused (.reg .b32 a) { add.u32 r, a, 4; ret; }",
        ".global .u32 unused[] = { 1, 2, 3 };",
        ".global .u32 v; .global .u8 unused = 0xff(v);",
    ] {
        right(before, "st.global.u32 [%d2], 1;", 1, "1");
    }
    let of_registers = ".func (.reg .b32 r) used (.reg .b32 a) { add.u32 r, a, 4; ret; }";
    refused(of_registers, "call (%r2), used, (%r1);", &["in registers"]);
    refused(".global .u32 used[] = { 1 };", "ld.global.u32 %r2, [used];", &["used", "1 values"]);
}

#[test]
fn hints_change_nothing() {
    for hint in [
        "ld.global.L1::evict_last.b32 %r2, [%d2];",
        "createpolicy.fractional.L2::evict_first.b64 %d3, 1.0; ld.global.L2::cache_hint.b32 %r2, [%d2], %d3;",
        "mov.u64 %d3, 0; red.global.add.L2::cache_hint.u32 [%d2], 0, %d3;",
        "fence.proxy.async; griddepcontrol.wait; setmaxnreg.inc.sync.aligned.u32 96; pmevent 1;",
        "discard.global.L2 [%d2], 128; applypriority.global.L2::evict_normal [%d2], 128;",
    ] {
        right("", &format!("{hint} st.global.u32 [%d2], 1;"), 1, "1");
    }
    refused("", "ld.global.L2::cache_hint.b32 %r2, [%d2];", &["operand 3 is missing"]);
}

#[test]
fn what_is_refused_is_called_what_it_is() {
    for (body, words) in [
        ("brkpt;", ["not supported", "use trap"]),
        ("multimem.red.add.u32 [%d1], %r1;", ["not supported", "red and ld.global"]),
        ("mov.u32 %r2, %pm0;", ["not supported", "--profile"]),
        (".branchtargets A, B;", ["a list of targets", "has a label"]),
        ("nonsense.u32 %r2, %r1;", ["PTX has no instruction", "nonsense"]),
        ("mov.u32 %r2, %nonsense;", ["no register", "%nonsense"]),
    ] {
        refused("", body, &words);
    }
    narrow("mov.u32 %r7, %clock_hi;", &[], 0);
    narrow("mov.u32 %r7, %nclusterid.x;", &[], 1);
}

/// A lane may leave within a branch before the others come to an instruction that waits for all.
#[test]
fn lanes_wait_for_those_that_have_not_left() {
    for (leave, wait) in [
        ("ret", "bar.sync 0;"),
        ("trap", "bar.sync 0;"),
        ("exit", "shfl.sync.idx.b32 %r3, %r1, 20, 31, -1; setp.ne.u32 %p3, %r3, 20; @%p3 trap;"),
        ("exit", "bar.warp.sync -1;"),
        ("exit", "vote.sync.ballot.b32 %r3, %p1, -1; setp.ne.u32 %p3, %r3, 0xffffc000; @%p3 trap;"),
    ] {
        let body = format!(
            "setp.ge.u32 %p1, %r1, 14; @%p1 bra JOIN;
             ld.global.u32 %r2, [%d2]; setp.eq.u32 %p2, %r2, 1000; @%p2 {leave};
             st.global.u32 [%d2], 5;
             JOIN: {wait} st.global.u32 [%d2], 7;"
        );
        right("", &body, 32, "7");
    }
    // In three parts, and some leave.
    let body =
        "mov.u32 %r4, 4; setp.lt.u32 %p1, %r1, 4; @%p1 bra A; setp.lt.u32 %p1, %r1, 20; @%p1 bra B;
                setp.eq.u32 %p2, %r1, 31; @%p2 exit; bra JOIN;
                A: st.global.u32 [%d2], 1; setp.eq.u32 %p2, %r1, 3; @%p2 exit; bra JOIN;
                B: setp.eq.u32 %p2, %r1, 9; @%p2 exit;
                JOIN: bar.sync 0; st.global.u32 [%d2], 7;";
    let left = |lane: u32| match lane {
        3 => 1,
        9 | 31 => 0,
        _ => 7,
    };
    let expected: Vec<_> = (0..32).map(left).collect();
    right("", body, 32, &format!("{expected:?}"));
}

/// All lanes of a warp want one lock, take it in one loop and release it behind it.
#[test]
fn a_lock_within_a_warp_is_released() {
    let body = "add.u64 %d3, %d1, 128; add.u64 %d4, %d1, 252;
                SPIN: atom.global.cas.b32 %r2, [%d4], 0, 1; setp.ne.u32 %p1, %r2, 0; @%p1 bra SPIN;
                ld.volatile.global.u32 %r3, [%d3]; add.u32 %r3, %r3, 1; st.volatile.global.u32 [%d3], %r3;
                membar.gl; atom.global.exch.b32 %r2, [%d4], 0;";
    let expected: Vec<_> = (0..64).map(|word| if word == 32 { 32 } else { 0 }).collect();
    // Only the first warp.
    let body = format!("setp.gt.u32 %p2, %r1, 31; @%p2 exit; {body}");
    right("", &body, 64, &format!("{expected:?}"));
    let stack = ["--timing", "off", "--divergence", "stack"];
    let stuck = launched("", &body, 64, "0", &stack);
    assert!(stuck.code == 2 && stuck.stderr.contains("lanes 0xfffffffe line 10"), "{stuck:?}");
}

#[test]
fn lanes_that_do_not_name_themselves_see_those_they_name_in_a_lenient_run() {
    let ballot =
        "mov.u32 %r2, %lanemask_lt; setp.ne.u32 %p1, %r1, 99; vote.sync.ballot.b32 %r3, %p1, %r2;
                  st.global.u32 [%d2], %r3;";
    let lenient = ["--timing", "off", "--checks", "lenient"];
    let ended = launched("", ballot, 4, "[0, 1, 3, 7]", &lenient);
    assert!(ended.code == 0 && ended.stdout.contains("Warnings"), "{ended:?}");
    assert_eq!(launched("", ballot, 4, "[0, 1, 3, 7]", &lenient[..2]).code, 2);
    let shuffle = "shfl.sync.up.b32 %r3, %r1, 16, 0, 0xffff; st.global.u32 [%d2], %r3;";
    let expected: Vec<_> = (0..32).map(|lane| lane % 16).collect();
    assert_eq!(launched("", shuffle, 32, &format!("{expected:?}"), &lenient).code, 0);
}

#[test]
fn a_branch_is_executed_by_all_its_lanes() {
    let body =
        "mov.u32 %r2, %ntid.x; setp.gt.u32 %p1, %r2, 100; @%p1 bra A; @%p1 bra A; @%p1 bra A;
                A: st.global.u32 [%d2], 1;";
    let ended = launched("", body, 32, "1", &["--timing", "off"]);
    assert!(ended.stdout.contains("lanes active                 32 of 32"), "{ended:?}");
}

/// The halves of the workspace's address are where CUDA's cooperative_groups.h reads them.
#[test]
fn the_workspace_of_a_grid_is_found() {
    let body = "mov.u32 %r3, %envreg2; mov.u32 %r4, %envreg1; mov.b64 %d4, {%r3, %r4};
                atom.add.release.gpu.u32 %r5, [%d4+4], 1; st.global.u32 [%d2], 1;";
    right("", body, 1, "1");
}

#[test]
fn printf_prints_what_c_prints() {
    // The format, its arguments as words, and the text.
    for (format, words, text) in [
        (
            "%*d|%d\n",
            vec!["st.local.u32 [v], 6;", "st.local.u32 [v+4], 42;", "st.local.u32 [v+8], 7;"],
            "    42|7",
        ),
        (
            "%#x|% d|%G\n",
            vec![
                "st.local.u32 [v], 255;",
                "st.local.u32 [v+4], 5;",
                "st.local.f64 [v+8], 0d3E7AD7F29ABCAF48;",
            ],
            "0xff| 5|1E-07",
        ),
        ("%a\n", vec!["st.local.f64 [v], 0d3FF8000000000000;"], "0x1.8p+0"),
        (
            "%.3d|%-5u|%e\n",
            vec![
                "st.local.u32 [v], 7;",
                "st.local.u32 [v+4], 9;",
                "st.local.f64 [v+8], 0d7FF0000000000000;",
            ],
            "007|9    |inf",
        ),
        (
            "%.*f|%c%%\n",
            vec![
                "st.local.u32 [v], 2;",
                "st.local.f64 [v+8], 0d400921FB54442D18;",
                "st.local.u32 [v+16], 65;",
            ],
            "3.14|A%",
        ),
        (
            "%hhd %hx %hu %hhX\n",
            vec![
                "st.local.u32 [v], -300;",
                "st.local.u32 [v+4], 0x12345;",
                "st.local.u32 [v+8], 70000;",
                "st.local.u32 [v+12], -300;",
            ],
            "-44 2345 4464 D4",
        ),
        ("%lld %hhd\n", vec!["st.local.u64 [v], -5;", "st.local.u32 [v+8], 3;"], "-5 3"),
    ] {
        let bytes: Vec<_> = format.bytes().chain([0]).map(|byte| byte.to_string()).collect();
        let before = format!(
            ".extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 a);\n\
             .global .align 1 .b8 text[{}] = {{ {} }};",
            bytes.len(),
            bytes.join(", ")
        );
        let body = format!(
            ".local .align 8 .b8 v[24]; mov.u64 %d3, v; cvta.local.u64 %d4, %d3; {}\n\
             mov.u64 %d5, text; cvta.global.u64 %d5, %d5;\n\
             {{ .param .b64 a; .param .b64 b; .param .b32 c; st.param.b64 [a], %d5; st.param.b64 [b], %d4;\n\
             call.uni (c), vprintf, (a, b); }}",
            words.join(" ")
        );
        let ended = launched(&before, &body, 1, "0", &["--timing", "off"]);
        assert_eq!(ended.stdout.lines().next(), Some(text), "{format:?}: {ended:?}");
    }
    wide("mov.u64 %rd7, 1;", &[], 1);
}

/// A flag that all set; then one with a value of its own, and one that is read.
#[test]
fn races_of_equal_values_are_listed_apart() {
    let races = ["--timing", "off", "--checks", "races"];
    let title = "Races of stores of equal values";
    let flag: Vec<_> = (0..64).map(|word| u32::from(word == 0)).collect();
    let flag = format!("{flag:?}");
    let same = launched("", "st.global.u32 [%d1], 1;", 64, &flag, &races);
    assert_eq!(same.code, 0, "{same:?}");
    assert!(same.stdout.contains(title) && !same.stdout.contains("Warnings"), "{same:?}");
    let own = launched("", "st.global.u32 [%d1], %r1;", 64, &flag, &races);
    assert!(own.code == 1 && own.stdout.contains("Warnings"), "{own:?}");
    let read = launched("", "st.global.u32 [%d1], 1; ld.global.u32 %r2, [%d1];", 64, &flag, &races);
    assert_eq!(read.code, 1, "{read:?}");
    assert!(read.stdout.contains("a load at") && read.stdout.contains(title), "{read:?}");
    let all = launched(
        "",
        "st.global.u32 [%d1], 1;",
        64,
        &flag,
        &[&races[..], &["--races", "all"]].concat(),
    );
    assert!(all.code == 1 && all.stdout.contains(title), "{all:?}");
    let others = launched("", "", 64, &flag, &["--timing", "off", "--races", "all"]);
    assert!(others.code == 2 && others.stderr.contains("--races all: it needs"), "{others:?}");
}

#[test]
fn a_list_of_targets_tells_what_a_call_takes() {
    let function = |name: &str, more: u32| {
        format!(
            ".func (.param .u32 r) {name}(.param .u32 x) {{ .reg .u32 %a; ld.param.u32 %a, [x];\n\
             add.u32 %a, %a, {more}; st.param.u32 [r], %a; ret; }}\n"
        )
    };
    let before = function("one", 1) + &function("ten", 10) + ".func other(.param .u64 x) { ret; }";
    let calls = |targets: &str| {
        format!(
            "mov.u64 %d3, one; setp.eq.u32 %p1, %r1, 1; @%p1 mov.u64 %d3, ten;\n\
             T: .calltargets {targets}; {{ .param .u32 r; .param .u32 x; st.param.u32 [x], 5;\n\
             call (r), %d3, (x), T; ld.param.u32 %r2, [r]; }} st.global.u32 [%d2], %r2;"
        )
    };
    right(&before, &calls("one, ten"), 2, "[6, 15]");
    refused(&before, &calls("one, other"), &["other takes other parameters than one"]);
    refused(&before, &calls("one, none"), &["no function none"]);
}

#[test]
fn a_launch_file_names_a_template_as_profilers_do() {
    let scratch = Scratch::new();
    let text = ".version 8.0\n.target sm_80\n.address_size 64\n\
                .visible .entry _Z1kIfEvPT_i(.param .u64 p, .param .u32 n) { ret; }\n";
    std::fs::write(scratch.path("k.ptx"), text).expect("writable");
    let launch = |value: &str| {
        let text = format!(
            "kernel = \"void k<float>(float*, int)\"\ngrid = [1]\nblock = [1]\n[[arguments]]\ntype = \"f32\"\n\
             count = 1\n[[arguments]]\ntype = \"s32\"\nvalue = {value}\n"
        );
        std::fs::write(scratch.path("k.toml"), text).expect("writable");
        run(&scratch, &["run", "k.ptx", "--launch", "k.toml", "--timing", "off"])
    };
    assert_eq!(launch("3").code, 0);
    let beyond = launch("3000000000");
    let words = "argument number 2: 3000000000 is not a value of type s32";
    assert!(beyond.code == 2 && beyond.stderr.contains(words), "{beyond:?}");
}
