//! `--checks memory`: bytes that nobody has written, accesses past variables and blocks, freed blocks, and leaks.

mod support;

use support::{Ended, Scratch, run, schema};

const MALLOC: &str =
    ".extern .func (.param .b64 p) malloc(.param .b64 n); .extern .func free(.param .b64 p);";
/// `%d3` is a block of 12 bytes.
const ALLOCATES: &str = "{ .param .b64 n; .param .b64 p; st.param.b64 [n], 12; call.uni (p), malloc, (n);\n\
                         ld.param.b64 %d3, [p]; }";
const FREES: &str = "{ .param .b64 p; st.param.b64 [p], %d3; call.uni free, (p); }";

/// Runs kernel `k` with 64 threads on a buffer `out` of 64 words, with `contents` in the launch file.
fn launched(before: &str, body: &str, contents: &str, more: &[&str]) -> Ended {
    let scratch = Scratch::new();
    let text = format!(
        ".version 8.0\n.target sm_90\n.address_size 64\n{MALLOC}\n{before}\n\
         .visible .entry k(.param .u64 out) {{\n.reg .pred %p<4>; .reg .b32 %r<8>; .reg .b64 %d<8>;\n\
         ld.param.u64 %d1, [out]; cvta.to.global.u64 %d1, %d1;\n\
         mov.u32 %r1, %tid.x; mad.wide.u32 %d2, %r1, 4, %d1;\n{body}\nret;\n}}\n"
    );
    let launch = format!(
        "heap = 4096\nkernel = \"k\"\ngrid = [1]\nblock = [64]\n[[arguments]]\nname = \"out\"\ntype = \"u32\"\n{contents}\n"
    );
    for (name, text) in [("k.ptx", text), ("k.toml", launch)] {
        std::fs::write(scratch.path(name), text).expect("writable");
    }
    run(&scratch, &[&["run", "k.ptx", "--launch", "k.toml", "--checks", "memory"], more].concat())
}

/// The findings: place, text, and how often.
fn findings(before: &str, body: &str, contents: &str) -> Vec<(String, String, u64)> {
    let ended = launched(before, body, contents, &["--timing", "off", "--json"]);
    let document = schema::document(&ended);
    let warnings = document["warnings"].as_array().expect("a list");
    assert_eq!(ended.code, i32::from(!warnings.is_empty()), "{ended:?}");
    let text = |value: &serde_json::Value| value.as_str().expect("text").to_string();
    let one = |it: &serde_json::Value| {
        (text(&it["place"]), text(&it["what"]), it["count"].as_u64().expect("a number"))
    };
    warnings.iter().map(one).collect()
}

/// One finding, at a line of the body, with these words.
fn finds(before: &str, body: &str, contents: &str, (line, count): (u32, u64), words: &[&str]) {
    let found = findings(before, body, contents);
    let [(place, what, times)] = &found[..] else { panic!("{body}: {found:?}") };
    let lines_before = 10 + before.matches('\n').count() as u32;
    assert!(place.ends_with(&format!("k.ptx:{}", lines_before + line)), "{body}: {place}: {what}");
    assert_eq!(*times, count, "{body}: {what}");
    words.iter().for_each(|word| assert!(what.contains(word), "`{word}`: {what}"));
}

const ZEROS: &str = "count = 64\nfill = 0";
const NOTHING: &str = "count = 64";

#[test]
fn global_memory_is_written_before_it_is_read() {
    let load = "ld.global.u32 %r2, [%d2];";
    let words = ["thread (0, 0, 0): a load reads byte 0 of out, which neither the launch file"];
    finds("", load, NOTHING, (0, 64), &words);
    assert_eq!(findings("", load, ZEROS), []);
    assert_eq!(findings("", &format!("st.global.u32 [%d2], 1; {load}"), NOTHING), []);
    // Only the second half of what is read was written.
    let half = "st.global.u16 [%d2+2], %r1;\nld.global.u32 %r2, [%d2];".replace("%r1", "7");
    finds("", &half, NOTHING, (1, 64), &["byte 0 of out"]);
    let atomic = "atom.global.add.u32 %r2, [%d1], 1;";
    finds("", atomic, NOTHING, (0, 1), &["an atomic reads byte 0 of out"]);
    // An exchange that nobody looks at stores.
    let exchange = "red.global.add.u32 [%d1], 1;";
    finds("", exchange, NOTHING, (0, 1), &["byte 0 of out"]);
    assert_eq!(
        findings("", "atom.global.exch.b32 _, [%d2], 1; ld.global.u32 %r2, [%d2];", NOTHING),
        []
    );
}

#[test]
fn what_one_launch_writes_the_next_may_read() {
    let contents = format!("{NOTHING}\n[[launches]]\n[[launches]]");
    // The first launch finds nothing written, the second all.
    let body = "ld.global.u32 %r2, [%d2];\nst.global.u32 [%d2], 1;";
    finds("", body, &contents, (0, 64), &["byte 0 of out"]);
}

#[test]
fn variables_have_their_first_contents_and_their_ends() {
    let two = ".global .u32 first[8]; .global .u32 second[8];";
    let past =
        "mov.u64 %d4, first; add.u64 %d4, %d4, 28;\nst.global.u64 [%d4], 0;".replace("28", "32");
    assert_eq!(findings(two, "ld.global.u32 %r2, [first+28];", ZEROS), []);
    finds(two, &past, ZEROS, (1, 64), &["is past the end of first: byte 32 of it is asked for"]);
    let tiles = ".shared .align 8 .b8 tile[36]; .shared .align 4 .b8 other[32];\n";
    let past = format!("{tiles}st.shared.u32 [tile+36], 1;");
    finds("", &past, ZEROS, (1, 64), &["a store at 0x24 is past the end of tile: byte 36 of it"]);
    let straddles = format!(
        "{tiles}st.shared.v2.u32 [tile+24], {{0, 0}}; st.shared.v2.u32 [tile+32], {{0, 0}};"
    );
    finds("", &straddles, ZEROS, (1, 64), &["past the end of tile: byte 32"]);
}

#[test]
fn shared_memory_is_the_cta_s_own_and_begins_unwritten() {
    let tile = ".shared .align 4 .b8 first[16]; .shared .align 4 .b8 tile[256];\nmov.u32 %r2, tile; mad.lo.u32 %r3, %r1, 4, %r2;\n";
    let reads = format!("{tile}ld.shared.u32 %r4, [%r3+0];");
    finds(
        "",
        &reads,
        ZEROS,
        (2, 64),
        &["a load reads byte 0 of tile, which the CTA has not written"],
    );
    let writes = format!("{tile}st.shared.u32 [%r3], %r1; bar.sync 0; ld.shared.u32 %r4, [%r3];");
    assert_eq!(findings("", &writes, ZEROS), []);
    // Half of the threads write.
    let half = format!(
        "{tile}setp.lt.u32 %p1, %r1, 32; @%p1 st.shared.u32 [%r3], %r1; bar.sync 0;\nld.shared.u32 %r4, [%r3];"
    );
    finds("", &half, ZEROS, (3, 32), &["thread (32, 0, 0)", "byte 128 of tile"]);
}

#[test]
fn blocks_of_malloc_are_written_within_and_freed_once() {
    let body = |body: &str| format!("{ALLOCATES}\n{body}\n{FREES}");
    assert_eq!(findings("", &body("st.u32 [%d3], 1; ld.u32 %r2, [%d3];"), ZEROS), []);
    let words =
        ["a load reads byte 4 of the block of 12 bytes that line 10 of CTA", "nobody has written"];
    finds("", &body("ld.u32 %r2, [%d3+4];"), ZEROS, (2, 64), &words);
    let words = ["ends beyond the block of 12 bytes that line 10 of", "(4 bytes)"];
    finds("", &body("st.u32 [%d3+16], 1;"), ZEROS, (2, 64), &words);
    let late = format!("{}\nst.u32 [%d3], 1;", body(""));
    let words =
        ["a store at", "line 10 of", "and line 13 of CTA (0, 0, 0) thread (0, 0, 0) has freed"];
    finds("", &late, ZEROS, (4, 64), &words);
    let twice = format!("{}\n{FREES}", body(""));
    finds("", &twice, ZEROS, (4, 64), &["free at", "is of the block of 12 bytes", "has freed"]);
    let words = ["thread (0, 0, 0): malloc of what is never freed, 768 bytes in all"];
    finds("", ALLOCATES, ZEROS, (0, 64), &words);
}

/// A block that is freed is used again only where no other room is left.
#[test]
fn a_heap_that_is_full_of_freed_blocks_has_room() {
    let turns = format!(
        "mov.u32 %r5, 0;\nagain:\n{ALLOCATES}\nsetp.ne.u64 %p1, %d3, 0; @!%p1 trap; st.u32 [%d3], 1;\n{FREES}\n\
         add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, 100; @%p1 bra again;"
    );
    let ended = launched("", &turns, ZEROS, &["--timing", "off"]);
    assert_eq!(ended.code, 0, "{ended:?}");
}

#[test]
fn it_needs_the_functional_machine() {
    let ended = launched("", "", ZEROS, &[]);
    assert_eq!((ended.code, &ended.stdout[..]), (2, ""), "{ended:?}");
    assert!(
        ended.stderr.contains("checks `memory`: they are looked for with --timing off"),
        "{ended:?}"
    );
}

#[test]
fn the_kernels_of_this_repository_have_no_findings() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kernels");
    let mut kernels = 0;
    for entry in std::fs::read_dir(&folder).expect("a folder") {
        let module = entry.expect("readable").path();
        let launch = module.with_extension("toml");
        let is_kernel = module.extension().is_some_and(|it| it == "ptx") && launch.exists();
        if !is_kernel || module.ends_with("hash_insert_tx.ptx") {
            continue;
        }
        kernels += 1;
        let [module, launch] = [module, launch].map(|path| path.display().to_string());
        let off = ["--timing", "off", "--checks", "memory"];
        let ended =
            run(&Scratch::new(), &[&["run", &module, "--launch", &launch], &off[..]].concat());
        assert_eq!(ended.code, 0, "{module}: {ended:?}");
    }
    assert_eq!(kernels, 16);
}
