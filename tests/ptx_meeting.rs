//! Lanes that meet: some leave before a function's barrier, wait for a lock there, or come to several instructions.

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
    // Those that have more to do are waited for until they have done it.
    let meet = ".func meet() { bar.sync 0; ret; }";
    let goes_on = "setp.eq.u32 %p1, %r1, 1; @%p1 bra on; call meet; on: st.global.u32 [%d2], 7;";
    right(meet, goes_on, &[7, 7, 7, 7]);
}

/// A lock, what takes it, and what gives it back.
const LOCK: &str = ".global .align 4 .u32 lock = 0; .global .align 4 .u32 count = 0;\n\
    .func take() { .reg .pred %p; .reg .b32 %a; again: atom.acquire.gpu.global.cas.b32 %a, [lock], 0, 1;\n\
    setp.ne.u32 %p, %a, 0; @%p bra again; ret; }\n\
    .func give() { st.release.gpu.global.u32 [lock], 0; ret; }\n\
    .func add_one() { .reg .b32 %a; ld.global.u32 %a, [count]; add.u32 %a, %a, 1;\n\
    st.global.u32 [count], %a; ret; }\n";

/// All threads store how many have been in the critical section.
fn counted(section: &str) -> String {
    format!("{section}\nbar.sync 0; ld.global.u32 %r2, [count]; st.global.u32 [%d2], %r2;")
}

#[test]
fn a_lock_is_taken_in_a_function() {
    right(LOCK, &counted("call take; call add_one; call give;"), &[40; 40]);
    let section = format!("{LOCK}.func section() {{ call take; call add_one; call give; ret; }}");
    right(&section, &counted("call section; call section;"), &[16; 8]);
    let one_path = "setp.gt.u32 %p1, %r1, 4; @!%p1 bra on; call section; on:";
    right(&section, &counted(one_path), &[11; 16]);
    // By its address, and each thread so many calls deep as its number.
    let deep = format!(
        "{LOCK}.func deep(.param .b32 n) {{ .reg .pred %p; .reg .b32 %m; .reg .b64 %d; ld.param.b32 %m, [n];\n\
         setp.eq.u32 %p, %m, 0; @%p bra last; sub.u32 %m, %m, 1; mov.u64 %d, deep; .param .b32 next;\n\
         st.param.b32 [next], %m; prototype: .callprototype _ (.param .b32 _); call %d, (next), prototype;\n\
         bra end; last: call take; call add_one; call give; end: ret; }}"
    );
    right(&deep, &counted(&calls("deep", "%r1")), &[8; 8]);
}

#[test]
fn lanes_that_take_turns_keep_their_registers_and_memory() {
    // The lane's number lies in a register, in its frame, and in room that it allocates.
    let keeps = format!(
        "{LOCK}.global .align 4 .b8 sums[128];\n.func keeps(.param .b32 n) {{ .local .align 4 .b8 own[8]; .reg .b32 %a, %b, %n;\n\
         .reg .b64 %size, %room; ld.param.b32 %n, [n]; mad.lo.u32 %a, %n, 16, 16; cvt.u64.u32 %size, %a;\n\
         alloca.u64 %room, %size, 16;\n\
         st.local.u32 [%room], %n; st.local.u32 [own+4], %n; call take; call add_one; call give;\n\
         ld.local.u32 %a, [%room]; ld.local.u32 %b, [own+4]; add.u32 %a, %a, %b; add.u32 %a, %a, %n;\n\
         mul.wide.u32 %size, %n, 4; mov.u64 %room, sums; add.u64 %room, %room, %size; st.global.u32 [%room], %a; ret; }}"
    );
    let expected: Vec<u32> = (0..32).map(|thread| 3 * thread).collect();
    let load = "mul.wide.u32 %d3, %r1, 4; mov.u64 %d4, sums; add.u64 %d4, %d4, %d3; ld.global.u32 %r2, [%d4];";
    let body = format!("{}{load} st.global.u32 [%d2], %r2;", calls("keeps", "%r1"));
    right(&keeps, &body, &expected);
}

#[test]
fn lanes_meet_in_different_calls() {
    // The number of the barrier and the lanes are parameters: each call has its own registers.
    let exchanged: Vec<u32> = (0..64).map(|thread| thread ^ 1).collect();
    for (meet, [even, odd]) in
        [("barrier.sync %a, 64;", ["3", "2"]), ("bar.warp.sync %a;", ["-1", "-2"])]
    {
        let meet = format!(
            ".func meet(.param .b32 n) {{ .reg .b32 %a; ld.param.b32 %a, [n]; {meet} ret; }}\n\
             .func deeper(.param .b32 n) {{ .reg .b32 %x, %y; ld.param.b32 %x, [n]; add.u32 %y, %x, 1;\n\
             {} ret; }}",
            calls("meet", "%y")
        );
        right(&meet, &exchange(&calls("meet", even), &calls("deeper", odd)), &exchanged);
    }
}

#[test]
fn lanes_meet_at_several_shuffles_and_votes() {
    let both = |even: &str, odd: &str, result: &str| {
        format!(
            "and.b32 %r5, %r1, 1; setp.eq.u32 %p1, %r5, 1; setp.lt.u32 %p2, %r1, 20; mov.u32 %r3, 0; @%p1 bra odd;\n\
             mul.lo.u32 %r4, %r1, 10; {even} bra both;\nodd: {odd}\nboth: st.global.u32 [%d2], {result};"
        )
    };
    // Even lanes give ten times their number, in another register.
    let expected = |lane: u32| if lane.is_multiple_of(2) { lane + 1 } else { (lane - 1) * 10 };
    let expected: Vec<u32> = (0..32).map(expected).collect();
    let [even, odd] =
        ["%r4", "%r1"].map(|value| format!("shfl.sync.bfly.b32 %r2, {value}, 1, 31, -1;"));
    right("", &both(&even, &odd, "%r2"), &expected);
    let [even, odd] = ["%r6", "%r7"].map(|to| format!("vote.sync.ballot.b32 {to}, %p2, -1;"));
    let both_words =
        both(&format!("{even} mov.u32 %r2, %r6;"), &format!("{odd} mov.u32 %r2, %r7;"), "%r2");
    right("", &both_words, &[0xfffff; 32]);
    let [even, odd] = ["%r1", "%r1"].map(|it| format!("match.any.sync.b32 %r2, {it}, -1;"));
    let alone: Vec<u32> = (0..32).map(|lane| 1 << lane).collect();
    right("", &both(&even, &odd, "%r2"), &alone);
    let [even, odd] = ["%r1", "%r1"].map(|it| format!("redux.sync.add.u32 %r2, {it}, -1;"));
    right("", &both(&even, &odd, "%r2"), &[496; 32]);
    // Qualifiers differ, or lanes that are not named wait at a barrier.
    let ended = launched(
        "",
        &both(
            "shfl.sync.bfly.b32 %r2, %r1, 1, 31, -1;",
            "shfl.sync.idx.b32 %r2, %r1, 1, 31, -1;",
            "%r2",
        ),
        32,
        "0",
        &["--timing", "off"],
    );
    assert!(ended.code == 2 && ended.stderr.contains("same qualifiers and lanes"), "{ended:?}");
}

#[test]
fn groups_that_wait_go_on_when_others_have_left() {
    // Lane 0 names lane 1, which leaves; the others wait for lane 0 at the barrier.
    let body = "setp.eq.u32 %p1, %r1, 1; @%p1 bra other; setp.ne.u32 %p1, %r1, 0; @%p1 bra wait;\n\
                bar.warp.sync 3;\nwait: bar.sync 0; st.global.u32 [%d2], 7; bra end;\n\
                other: mov.u32 %r3, 1; exit;";
    right("", body, &[7, 0, 7, 7, 7, 7, 7, 7]);
}

/// A call with one argument.
fn calls(function: &str, argument: &str) -> String {
    format!("{{ .param .b32 p; st.param.b32 [p], {argument}; call {function}, (p); }}")
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
        ("bar.warp.sync -1;", "bar.warp.sync 0xaaaaaaaa; bar.sync 0;", "same qualifiers and lanes"),
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
