//! Lanes that meet: some leave before a function's barrier, or come to several instructions.

mod support;

use support::{Ended, Scratch, run};

/// Runs kernel `k` with so many threads and a buffer `out` of as many words; `%r1` is the thread, `%d2` its word.
fn launched(before: &str, body: &str, threads: usize, expected: &str, more: &[&str]) -> Ended {
    let scratch = Scratch::new();
    let text = format!(
        ".version 8.0\n.target sm_90\n.address_size 64\n{before}\n\
         .visible .entry k(.param .u64 out) {{\n.reg .pred %p<4>; .reg .b32 %r<8>; .reg .b64 %d<8>;\n\
         ld.param.u64 %d1, [out]; cvta.to.global.u64 %d1, %d1;\n\
         mov.u32 %r1, %tid.x; mad.wide.u32 %d2, %r1, 4, %d1;\n{body}\nend: ret;\n}}\n"
    );
    let launch = format!(
        "kernel = \"k\"\ngrid = [1]\nblock = [{threads}]\nwatchdog = 4_000_000\n[[arguments]]\nname = \"out\"\n\
         type = \"u32\"\ncount = {threads}\nfill = 0\nexpected = {expected}\n"
    );
    for (name, text) in [("k.ptx", text), ("k.toml", launch)] {
        std::fs::write(scratch.path(name), text).expect("writable");
    }
    run(&scratch, &[&["run", "k.ptx", "--launch", "k.toml"], more].concat())
}

fn right(before: &str, body: &str, expected: &[u32]) {
    let off = ["--timing", "off", "--checks"];
    let races = [&off[..], &["races"]].concat();
    for more in [&off[..2], &races, &["--preset", "gtx480"]] {
        let ended = launched(before, body, expected.len(), &format!("{expected:?}"), more);
        assert_eq!(ended.code, 0, "{before}\n{body} {more:?}: {ended:?}");
    }
}

#[test]
fn lanes_leave_before_a_barrier_or_vote_of_a_function() {
    let leaves = "setp.eq.u32 %p1, %r1, 1; @%p1 bra end; call meet; st.global.u32 [%d2], 7;";
    for instruction in
        ["bar.sync 0;", "barrier.sync 0;", ".reg .b32 %a; vote.sync.ballot.b32 %a, 1, -1;"]
    {
        let meet = format!(".func meet() {{ {instruction} ret; }}");
        right(&meet, leaves, &[7, 0, 7, 7]);
        let warps: Vec<u32> = (0..64).map(|thread| if thread == 1 { 0 } else { 7 }).collect();
        right(&meet, leaves, &warps);
    }
    // Those that have more to do cannot be waited for.
    let meet = ".func meet() { bar.sync 0; ret; }";
    let goes_on = "setp.eq.u32 %p1, %r1, 1; @%p1 bra on; call meet; on: st.global.u32 [%d2], 7;";
    let ended = launched(meet, goes_on, 4, "7", &["--timing", "off"]);
    assert_eq!(ended.code, 2, "{ended:?}");
    assert!(ended.stderr.contains("barrier in divergent code"), "{ended:?}");
}

/// Odd and even lanes exchange their numbers through shared memory.
fn exchange(even: &str, odd: &str) -> String {
    format!(
        ".shared .align 4 .b8 words[256]; mov.u32 %r2, words; mad.lo.u32 %r3, %r1, 4, %r2; xor.b32 %r4, %r3, 4;\n\
         and.b32 %r5, %r1, 1; setp.eq.u32 %p1, %r5, 1; st.shared.u32 [%r3], %r1; @%p1 bra odd;\n\
         {even} bra both;\nodd: {odd}\nboth: ld.shared.u32 %r6, [%r4]; st.global.u32 [%d2], %r6;"
    )
}

#[test]
fn lanes_meet_at_several_barriers() {
    let exchanged: Vec<u32> = (0..64).map(|thread| thread ^ 1).collect();
    right("", &exchange("barrier.sync 0;", "barrier.sync 0;"), &exchanged);
    right("", &exchange("barrier.sync 1, 64;", "barrier.sync 1, 64;"), &exchanged);
    right("", &exchange("bar.warp.sync -1;", "bar.warp.sync -1;"), &exchanged);
    for (even, odd, words) in [
        // An aligned barrier is one instruction for all; two numbers are two barriers.
        ("bar.sync 0;", "bar.sync 0;", "barrier in divergent code"),
        ("barrier.sync 0;", "barrier.sync 1;", "barrier in divergent code"),
        ("bar.warp.sync -1;", "bar.warp.sync 0xaaaaaaaa; bar.sync 0;", "barrier in divergent code"),
    ] {
        let ended = launched("", &exchange(even, odd), 64, "0", &["--timing", "off"]);
        assert!(ended.code == 2 && ended.stderr.contains(words), "{even} {odd}: {ended:?}");
    }
}

#[test]
fn races_before_a_trap_are_told_with_it() {
    let body = "st.global.u32 [%d1], %r1; trap;";
    let ended = launched("", body, 64, "0", &["--timing", "off", "--checks", "races"]);
    assert_eq!(ended.code, 2, "{ended:?}");
    assert!(ended.stderr.contains("trap") && ended.stderr.contains("found before:"), "{ended:?}");
    assert!(ended.stderr.contains("races with a store"), "{ended:?}");
}

/// Cooperative groups of several warps expect zeros at `%reserved_smem_offset_1`.
#[test]
fn shared_memory_is_reserved_where_a_kernel_asks() {
    let body = ".shared .align 4 .b8 own[4]; mov.u32 %r2, %reserved_smem_offset_1; mov.u32 %r3, own;\n\
                ld.shared.u32 %r4, [%r2+284]; st.shared.u32 [%r3], 5;\n\
                mov.u32 %r5, %reserved_smem_offset_end; setp.ge.u32 %p1, %r3, %r5; selp.u32 %r6, 1, 9, %p1;\n\
                add.u32 %r6, %r6, %r4; st.global.u32 [%d2], %r6;";
    right("", body, &[1]);
    let ended = launched("", body, 1, "1", &["--timing", "off", "--checks", "memory"]);
    assert_eq!(ended.code, 0, "{ended:?}");
}
