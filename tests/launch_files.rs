//! What launch files say of kernels, variables and arguments, and how strictly a run is checked.

mod support;

use support::{Ended, Scratch, run};

const MODULE: &str = ".version 6.4\n.target sm_70\n.address_size 64\n\
    .const .align 4 .f32 factors[2];\n.global .align 4 .u32 total;\n\
    .visible .entry _Z5scalePfi(.param .u64 a, .param .u32 n) {\n\
    .reg .b32 %r<8>; .reg .f32 %f<4>; .reg .b64 %rd<4>; .reg .pred %p<2>;\n\
    ld.param.u64 %rd0, [a]; ld.param.u32 %r1, [n]; mov.u32 %r0, %tid.x; setp.ge.s32 %p0, %r0, %r1;\n\
    @%p0 bra done; mul.wide.u32 %rd1, %r0, 4; add.u64 %rd0, %rd0, %rd1; ld.global.f32 %f0, [%rd0];\n\
    ld.const.f32 %f1, [factors+4]; mul.f32 %f0, %f0, %f1; st.global.f32 [%rd0], %f0;\n\
    red.global.add.u32 [total], 1;\ndone: ret; }\n\
    .visible .entry _Z6gatherIiEv6Places(.param .align 8 .b8 places[24]) {\n\
    .reg .b32 %r<4>; .reg .b64 %rd<4>;\n\
    ld.param.u64 %rd0, [places]; ld.param.u64 %rd1, [places+8]; ld.param.u32 %r0, [places+16];\n\
    ld.global.u32 %r1, [%rd0]; add.u32 %r1, %r1, %r0; st.global.u32 [%rd1], %r1; ret; }\n\
    .visible .entry _Z6gatherIfEv6Places(.param .align 8 .b8 places[24]) { ret; }\n\
    .visible .entry beside(.param .u64 a, .param .u64 b) {\n\
    .reg .b32 %r<4>; .reg .b64 %rd<4>;\n\
    ld.param.u64 %rd0, [a]; ld.param.u64 %rd1, [b];\n\
    ld.global.u32 %r0, [%rd0+256];\n\
    st.global.u32 [%rd0+256], 9;\n\
    add.u32 %r0, %r0, 5; st.global.u32 [%rd1], %r0; ret; }\n\
    .visible .entry stops() { brkpt; ret; }\n";

fn launched(launch: &str, more: &[&str]) -> Ended {
    let scratch = Scratch::new();
    std::fs::write(scratch.path("k.ptx"), MODULE).expect("writable");
    std::fs::write(scratch.path("launch.toml"), launch).expect("writable");
    run(&scratch, &[&["run", "k.ptx", "--launch", "launch.toml"], more].concat())
}

const SCALE: &str = "kernel = \"scale\"\ngrid = [1]\nblock = [32]\n\
    [[arguments]]\nname = \"a\"\ntype = \"f32\"\ncount = 3\nfill = 2.0\nexpected = 6.0\n\
    [[arguments]]\ntype = \"s32\"\nvalue = 3\n\
    [[variables]]\nname = \"factors\"\ntype = \"f32\"\nvalues = [1.0, 3.0]\n\
    [[variables]]\nname = \"total\"\ntype = \"u32\"\nvalue = 10\nexpected = 13\n";

#[test]
fn variables_are_set_by_name_and_kernels_named_as_in_cpp() {
    for name in ["scale", "_Z5scalePfi", "scale(float*, int)"] {
        for more in [&[][..], &["--timing", "off"]] {
            let ended = launched(&SCALE.replace("\"scale\"", &format!("\"{name}\"")), more);
            assert_eq!(ended.code, 0, "{name}: {ended:?}");
        }
    }
}

#[test]
fn wrong_variables_and_names_are_exit_code_2() {
    for (from, to, words) in [
        ("\"factors\"", "\"factor\"", &["no variable factor", "factors, total"][..]),
        ("values = [1.0, 3.0]", "values = [1.0]", &["variable factors", "4 bytes", "it has 8"]),
        ("fill = 2.0", "fill = \"a\"", &["launch.toml"]),
        ("value = 3", "value = \"a\"", &["argument number 2", "type ptr"]),
        ("\"scale\"", "\"gather\"", &["gather<int>", "gather<float>"]),
        ("\"scale\"", "\"stops\"", &["k.ptx", "brkpt is not supported"]),
        ("grid = [1]", "grid = [1]\nchecks = \"lax\"", &["lax", "lenient"]),
    ] {
        assert!(SCALE.contains(from), "{from}");
        let ended = launched(&SCALE.replacen(from, to, 1), &[]);
        assert_eq!((ended.code, &ended.stdout[..]), (2, ""), "{ended:?}");
        assert!(words.iter().all(|word| ended.stderr.contains(word)), "{words:?}: {ended:?}");
    }
}

#[test]
fn structures_hold_the_addresses_of_buffers() {
    let launch = "kernel = \"gather<int>\"\ngrid = [1]\nblock = [1]\n\
        [[arguments]]\nname = \"places\"\nfields = [{ type = \"ptr\", value = \"a+4\" }, { type = \"ptr\", value = \"b\" }, { type = \"s32\", value = 30 }]\n\
        [[launches]]\narguments = [\"places\"]\n\
        [[arguments]]\nname = \"a\"\ntype = \"u32\"\nvalues = [1, 2]\n\
        [[arguments]]\nname = \"b\"\ntype = \"u32\"\ncount = 1\nexpected = 32\n";
    let launches = "[[launches]]\narguments = [\"places\"]\n";
    let launch = format!("{}{launches}", launch.replace(launches, ""));
    let ended = launched(&launch, &[]);
    assert_eq!(ended.code, 0, "{ended:?}");
    let ended = launched(&launch.replace("\"a+4\"", "\"c\""), &[]);
    assert!(ended.code == 2 && ended.stderr.contains("no buffer or variable c"), "{ended:?}");
}

const BESIDE: &str = "kernel = \"beside\"\ngrid = [1]\nblock = [2]\n\
    [[arguments]]\nname = \"a\"\ntype = \"u32\"\ncount = 64\nfill = 1\nexpected = 1\n\
    [[arguments]]\nname = \"b\"\ntype = \"u32\"\nvalues = [3]\nexpected = 5\n";

#[test]
fn an_access_past_the_end_of_a_buffer_is_an_error_and_lenient_runs_go_past_it() {
    for machine in [&[][..], &["--timing", "off"], &["--preset", "small", "--system", "software"]] {
        let strict = launched(BESIDE, machine);
        assert_eq!(strict.code, 2, "{strict:?}");
        for word in ["kernel beside", "k.ptx:21", "thread (0, 0, 0)", "outside of a", "byte 256"] {
            assert!(strict.stderr.contains(word), "`{word}` is missing: {strict:?}");
        }
        let lenient = launched(BESIDE, &[machine, &["--checks", "lenient", "--json"]].concat());
        assert_eq!(lenient.code, 0, "loads give 0, stores do nothing: {lenient:?}");
        let report = support::schema::document(&lenient);
        let warnings = report["warnings"].as_array().expect("warnings");
        assert_eq!(warnings.len(), 2, "{warnings:?}");
        assert_eq!((&warnings[0]["count"], &warnings[1]["count"]), (&2.into(), &2.into()));
        assert_eq!(warnings[0]["place"], "kernel beside, k.ptx:21");
        let in_file = format!("checks = \"lenient\"\nrepeat = 3\n{BESIDE}");
        let text = launched(&in_file, machine);
        assert!(text.code == 0 && text.stdout.contains("Warnings"), "{text:?}");
        assert!(launched(&in_file, &[machine, &["--checks", "strict"]].concat()).code == 2);
    }
}

#[test]
fn registers_are_those_of_the_launch_file() {
    let report = |text: &str| {
        let ended = launched(text, &["--json"]);
        assert_eq!(ended.code, 0, "{ended:?}");
        support::schema::document(&ended)["launches"][0]["timing"]["registers_per_thread"].clone()
    };
    assert_eq!(report(&format!("registers = 32\n{SCALE}")), 32);
    assert_ne!(report(SCALE), 32);
}

#[test]
fn races_are_looked_for_without_timing_and_end_with_exit_code_1() {
    // Both threads store to the same words.
    let beside = BESIDE.replace("count = 64\nfill = 1\nexpected = 1", "count = 65\nfill = 1");
    let beside = beside.replace("\nexpected = 5", "");
    let off = ["--timing", "off", "--checks", "races", "--json"];
    let racy = launched(&beside, &off);
    assert_eq!(racy.code, 1, "{racy:?}");
    for word in [
        "kernel beside, k.ptx:22",
        "thread (1, 0, 0): a store",
        "races with a load at line 21 of",
        "thread (0, 0, 0)",
    ] {
        assert!(racy.stdout.contains(word), "`{word}` is missing: {racy:?}");
    }
    let alone = launched(&beside.replace("block = [2]", "block = [1]"), &off);
    assert_eq!(alone.code, 0, "{alone:?}");
    let timed = launched(&beside, &["--checks", "races"]);
    assert_eq!((timed.code, &timed.stdout[..]), (2, ""), "{timed:?}");
    assert!(timed.stderr.contains("looked for with --timing off"), "{timed:?}");
}
