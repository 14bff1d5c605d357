//! Texture caches: what hits and misses, and what that costs.

mod support;

use serde_json::Value;
use support::{Ended, Scratch, run};

/// Each warp of one CTA reads its row of a picture so many times, from the top or from the bottom in turn.
const ROWS: &str = "
.version 6.4
.target sm_70
.address_size 64
.visible .entry rows(.param .u64 picture, .param .u32 times, .param .u64 out) {
    .reg .pred %p<2>; .reg .b32 %r<9>; .reg .b64 %d<4>;
    ld.param.u64 %d0, [picture]; ld.param.u32 %r2, [times]; ld.param.u64 %d1, [out];
    mov.u32 %r0, %tid.x; mov.u32 %r1, %tid.y; mov.u32 %r8, 0;
again:
    tex.2d.v4.u32.s32 {%r4, %r5, %r6, %r7}, [%d0, {%r0, %r1}];
    add.u32 %r8, %r8, %r4; bar.sync 0;
    sub.u32 %r2, %r2, 1; setp.ne.u32 %p0, %r2, 0; @%p0 bra again;
    mad.lo.u32 %r3, %r1, 32, %r0; mul.wide.u32 %d2, %r3, 4; add.u64 %d1, %d1, %d2;
    st.global.u32 [%d1], %r8; ret;
}";

fn launched(times: u32, more: &[&str]) -> Ended {
    let expected: Vec<u32> = (0..1024).map(|texel| texel * times).collect();
    let launch = format!(
        "grid = [1]\nblock = [32, 32]\n\
         [[arguments]]\nname = \"handle\"\ntype = \"ptr\"\nvalue = \"picture\"\n\
         [[arguments]]\nname = \"times\"\ntype = \"u32\"\nvalue = {times}\n\
         [[arguments]]\nname = \"out\"\ntype = \"u32\"\ncount = 1024\nexpected = {expected:?}\n\
         [[textures]]\nname = \"picture\"\nsize = [32, 32]\ntype = \"u32\"\ntexels = {{ ramp = [0, 1] }}\n"
    );
    let scratch = Scratch::new();
    for (name, text) in [("rows.ptx", ROWS), ("rows.toml", &launch)] {
        std::fs::write(scratch.path(name), text).expect("writable");
    }
    run(&scratch, &[&["run", "rows.ptx", "--launch", "rows.toml", "--json"], more].concat())
}

/// Clocks, hits and misses of the texture cache, and lines that are loaded.
fn counts(times: u32, more: &[&str]) -> [u64; 4] {
    let ended = launched(times, more);
    assert_eq!(ended.code, 0, "{ended:?}");
    let report: Value = serde_json::from_str(&ended.stdout).expect("JSON");
    let timing = &report["timing"];
    let statistics = &timing["statistics"];
    let count = |value: &Value| value.as_u64().unwrap_or_else(|| panic!("a count in {timing}"));
    let texture = &statistics["texture"];
    [&timing["cycles"], &texture["hits"], &texture["misses"], &statistics["lines"]["loads"]]
        .map(count)
}

#[test]
fn a_line_misses_once_and_hits_from_then_on() {
    for preset in ["gtx480", "gtx480_gpgpusim"] {
        // 32 rows of 128 bytes are 32 lines.
        let [_, hits, misses, loads] = counts(3, &["--preset", preset]);
        assert_eq!([hits, misses, loads], [64, 32, 32], "{preset}");
    }
    // Four lines of 32 bytes a row, and 160 in the cache: of sets of 20, each has 16 of them.
    let [_, hits, misses, loads] = counts(3, &["--preset", "gpudet_15"]);
    assert_eq!([hits, misses, loads], [256, 128, 128]);
}

#[test]
fn a_cache_that_is_too_small_asks_again_and_takes_longer() {
    let [fits, ..] = counts(4, &["--preset", "gtx480"]);
    let small = ["--preset", "gtx480", "--set", "core.texture_cache.bytes=3072"];
    let [takes, hits, misses, loads] = counts(4, &small);
    assert_eq!(hits + misses, 128);
    assert!(misses > 32 && loads <= misses && takes > fits, "{hits} {misses} {takes} {fits}");
}

#[test]
fn a_full_fifo_keeps_others_waiting() {
    let with = |fragments: &str| {
        counts(1, &["--preset", "gpudet_15", "--set", &format!("core.texture_cache.{fragments}")])
    };
    let ([long, ..], [short, ..]) = (with("fragments=4096"), with("fragments=32"));
    assert!(long < short, "{long} {short}");
}

#[test]
fn machines_without_one_load_texels_through_the_l1() {
    let ended = launched(3, &["--preset", "hmg_4x4"]);
    let report: Value = serde_json::from_str(&ended.stdout).expect("JSON");
    let statistics = &report["timing"]["statistics"];
    assert!(statistics.get("texture").is_none(), "{statistics}");
    assert_eq!(statistics["lines"]["loads"], 96);
    assert_eq!(statistics["l1"]["misses"], 32);
}

#[test]
fn impossible_caches_are_refused() {
    for (field, words) in [
        ("line=24", "core.texture_cache.line is 24"),
        ("bytes=1000", "a whole number of sets"),
        ("fragments=8", "a fetch has up to 32 lines"),
        ("ways=0", "1 to 1024"),
    ] {
        let set = format!("core.texture_cache.{field}");
        let ended = launched(1, &["--preset", "gtx480", "--set", &set]);
        assert!(ended.code == 2 && ended.stderr.contains(words), "{field}: {ended:?}");
    }
}
