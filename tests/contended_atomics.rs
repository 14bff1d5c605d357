//! Atomics at one word follow one another in their bank; others take the bank for one.

mod support;

use support::{Scratch, run, schema};

/// Warps, each with one CTA, and atomics of each lane.
const WARPS: u64 = 8;
const TIMES: u64 = 16;

/// Clocks of additions at words that lie `stride` bytes apart in a warp, and `apart` between warps.
fn clocks(preset: &str, system: &str, [stride, apart]: [u64; 2], set: &[&str]) -> u64 {
    let scratch = Scratch::new();
    let text = format!(
        ".version 8.0\n.target sm_70\n.address_size 64\n\
         .visible .entry k(.param .u64 out) {{\n.reg .pred %p<2>; .reg .b32 %r<5>; .reg .b64 %d<4>;\n\
         ld.param.u64 %d1, [out]; cvta.to.global.u64 %d1, %d1;\n\
         mov.u32 %r1, %tid.x; mad.wide.u32 %d2, %r1, {stride}, %d1;\n\
         mov.u32 %r2, %ctaid.x; mad.wide.u32 %d2, %r2, {apart}, %d2; mov.u32 %r3, 0;\n\
         A: red.global.add.u32 [%d2], 1; add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, {TIMES}; @%p1 bra A;\n\
         ret;\n}}\n"
    );
    let launch = format!(
        "kernel = \"k\"\ngrid = [{WARPS}]\nblock = [32]\n[[arguments]]\nname = \"out\"\ntype = \"u32\"\ncount = 4096\n"
    );
    for (name, text) in [("k.ptx", text), ("k.toml", launch)] {
        std::fs::write(scratch.path(name), text).expect("writable");
    }
    let words =
        ["run", "k.ptx", "--launch", "k.toml", "--json", "--preset", preset, "--system", system];
    let ended = run(&scratch, &[&words, set].concat());
    assert_eq!(ended.code, 0, "{ended:?}");
    schema::document(&ended)["timing"]["cycles"].as_u64().expect("clocks")
}

#[test]
fn atomics_at_one_word_follow_one_another() {
    let warps = WARPS * TIMES;
    for (preset, system, each) in [
        ("gtx480", "hmg", 9),
        ("gtx480", "nondet", 9),
        ("gtx480", "release-consistency", 9),
        ("hmg_4x4", "hmg", 1),
    ] {
        let clocks = |strides| clocks(preset, system, strides, &[]);
        let [one_word, one_line, banks] = [[0, 0], [4, 0], [4, 128]].map(clocks);
        let least = 32 * each * warps;
        assert!((least..least + 2_000).contains(&one_word), "{system}: {one_word}");
        let least = each * warps;
        assert!((least..least + 2_000).contains(&one_line), "{system}: {one_line}");
        assert!(banks <= one_line, "{system}: {banks}, {one_line}");
    }
}

#[test]
fn atomics_take_a_clock_where_their_time_is_not_modelled() {
    let clocks = |set: &[&str]| clocks("gtx480", "hmg", [0, 0], set);
    let [free, one] =
        [clocks(&["--set", "l2.atomic_clocks=0"]), clocks(&["--set", "l2.atomic_clocks=1"])];
    assert!(free < 32 * WARPS * TIMES && one >= 32 * WARPS * TIMES, "{free}, {one}");
}
