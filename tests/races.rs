//! `--checks races`: the kernels of `tests/kernels` have none; without one of their barriers, fences or atomics they
//! have.

mod support {
    pub mod kernel;
}

use support::kernel::{Kernel, On, integers, numbers, reals};
use warpsmith::gpu::machine::{Checks, LaunchError};

/// A kernel with its file, name, launch, and what it is given.
struct Case {
    file: &'static str,
    name: &'static str,
    launch: ([u32; 2], [u32; 2], u32),
    give: fn(Kernel) -> Kernel,
}

const fn case(
    file: &'static str,
    name: &'static str,
    launch: ([u32; 2], [u32; 2], u32),
    give: fn(Kernel) -> Kernel,
) -> Case {
    Case { file, name, launch, give }
}

/// Nodes in a ring, each with an edge to the next and to the one after.
fn ring(kernel: Kernel) -> Kernel {
    let first: Vec<i32> = (0..=300).map(|node| node * 2).collect();
    let edges: Vec<i32> = (0..300).flat_map(|node| [(node + 1) % 300, (node + 2) % 300]).collect();
    let level: Vec<i32> = (0..300).map(|node| if node % 2 == 0 { 0 } else { -1 }).collect();
    kernel.buffer(&first).buffer(&edges).buffer(&level).buffer(&[0i32]).scalar(300).scalar(0)
}

const CASES: [Case; 11] = [
    case("reduction", "reduction", ([5, 1], [256, 1], 0), |kernel| {
        kernel.buffer(&reals(3, 5000)).buffer(&[0f32]).scalar(5000)
    }),
    case("matmul", "matmul", ([2, 2], [16, 16], 0), |kernel| {
        kernel.buffer(&reals(4, 1024)).buffer(&reals(5, 1024)).buffer(&[0f32; 1024]).scalar(32)
    }),
    case("histogram", "histogram", ([3, 1], [128, 1], 0), |kernel| {
        let bytes: Vec<u8> = numbers(6, 2000).iter().map(|number| (number % 200) as u8).collect();
        kernel.buffer(&bytes).buffer(&[0i32; 256]).scalar(2000)
    }),
    case("bfs", "bfs_race_free", ([2, 1], [256, 1], 0), ring),
    case("stencil", "stencil", ([6, 1], [64, 1], 0), |kernel| {
        let size = 50 * 30;
        let kernel = kernel.buffer(&reals(9, size)).buffer(&vec![0f32; size]).buffer(&[0i32]);
        kernel.scalar(50).scalar(30).scalar(3)
    }),
    case("hash_insert", "hash_insert", ([3, 1], [128, 1], 0), |kernel| {
        let kernel = kernel.buffer(&integers(10, 300, 1_000_000)).buffer(&[0i32; 64]);
        kernel.buffer(&[0i32; 64]).buffer(&[0i32; 64 * 16]).scalar(64).scalar(300)
    }),
    case("bank_transfer", "bank_transfer", ([5, 1], [128, 1], 0), |kernel| {
        let kernel = kernel.buffer(&integers(11, 600, 40)).buffer(&integers(12, 600, 40));
        let kernel = kernel.buffer(&integers(13, 600, 100)).buffer(&[0i32; 40]);
        kernel.buffer(&[1000i32; 40]).scalar(600)
    }),
    case("nbody", "nbody", ([2, 1], [64, 1], 64 * 16), |kernel| {
        let kernel = kernel.buffer(&reals(14, 512)).buffer(&reals(15, 512));
        kernel.buffer(&[0f32; 512]).scalar(128).scalar(0.01f32)
    }),
    case("scan", "scan", ([2, 1], [256, 1], 0), |kernel| {
        kernel.buffer(&integers(16, 512, 1000)).buffer(&[0i32; 512]).buffer(&[0i32; 2])
    }),
    case("radix_sort", "radix_sort", ([2, 1], [256, 1], 0), |kernel| {
        kernel.buffer(&numbers(17, 512))
    }),
    case("needleman_wunsch", "needleman_wunsch", ([1, 1], [128, 1], 0), |kernel| {
        let letters = |seed| -> Vec<u8> {
            integers(seed, 60, 4).iter().map(|letter| *letter as u8).collect()
        };
        let kernel = kernel.buffer(&letters(18)).buffer(&letters(19));
        kernel.buffer(&vec![0i32; 61 * 61]).scalar(60).scalar(2)
    }),
];

impl Case {
    /// Volatile accesses are strong, and no race: here they are weak.
    fn text(&self) -> String {
        let path = format!("{}/tests/kernels/{}.ptx", env!("CARGO_MANIFEST_DIR"), self.file);
        let text = std::fs::read_to_string(path).expect("a kernel");
        text.replace(".volatile.global", ".global")
    }

    /// The races of a text.
    fn races(&self, text: &str) -> Result<Vec<String>, LaunchError> {
        let kernel = Kernel::of_text("test.ptx", text, self.name).with_checks(Checks::Races);
        let (grid, block, shared) = self.launch;
        let ended = (self.give)(kernel).try_run(On::Functional, grid, block, shared)?;
        Ok(ended
            .outcome
            .warnings
            .iter()
            .map(|race| format!("{}: {}", race.place, race.what))
            .collect())
    }
}

/// A line of PTX without what orders threads: nothing in the place of a barrier or fence, a load and a store in that
/// of an atomic. None where it orders nothing.
fn without_order(line: &str) -> Option<String> {
    let line = line.trim();
    if line.starts_with("bar.sync") || line.starts_with("membar") {
        return Some(String::new());
    }
    let (opcode, operands) = line.strip_prefix("atom.")?.split_once(char::is_whitespace)?;
    let [space, op, ty] = opcode.split('.').collect::<Vec<_>>()[..] else { return None };
    let operands: Vec<_> = operands.trim_end_matches(';').split(", ").map(str::trim).collect();
    let [old, address, value] = [operands[0], operands[1], operands[operands.len() - 1]];
    let new = match op {
        "add" | "or" => format!("{op}.{ty} %new, {old}, {value};"),
        _ => format!("mov.{ty} %new, {value};"),
    };
    Some(format!(
        "{{ .reg .{ty} %new; ld.{space}.{ty} {old}, {address}; {new} st.{space}.{ty} {address}, %new; }}"
    ))
}

#[test]
fn the_kernels_have_no_races() {
    for case in &CASES {
        let races = case.races(&case.text()).unwrap_or_else(|error| panic!("{error}"));
        assert!(races.is_empty(), "{}: {races:#?}", case.name);
    }
}

#[test]
fn without_one_barrier_fence_or_atomic_there_is_a_race() {
    let (mut removed, mut without) = (0, Vec::new());
    for case in &CASES {
        let text = case.text();
        let start = text.find(&format!(".entry {}(", case.name)).expect("the kernel");
        let end = start + text[start..].find("\n}").expect("its end");
        let [start, end] = [start, end].map(|at| text[..at].lines().count());
        let lines: Vec<_> = text.lines().collect();
        for (at, line) in lines.iter().enumerate().take(end).skip(start) {
            let Some(instead) = without_order(line) else { continue };
            // Without its locks it waits for ever.
            if case.file == "bank_transfer" && line.contains(".cas.") {
                continue;
            }
            let mut changed = lines.clone();
            changed[at] = &instead;
            let races = case.races(&changed.join("\n"));
            let races =
                races.unwrap_or_else(|error| panic!("{}, line {}: {error}", case.name, at + 1));
            let Some(first) = races.first() else {
                without.push((case.file, at + 1));
                continue;
            };
            for word in ["kernel ", "test.ptx:", "memory races with", " at line ", "thread ("] {
                assert!(first.contains(word), "{first}");
            }
            removed += 1;
        }
    }
    // Where it stands each thread reads only what it has stored itself.
    assert_eq!((removed, without), (32, vec![("radix_sort", 44)]));
}

#[test]
fn both_accesses_of_a_race_are_told() {
    let racy = case("bfs", "bfs_racy", ([2, 1], [256, 1], 0), ring);
    let races = racy.races(&racy.text()).expect("a run");
    assert!(
        races
            .iter()
            .any(|race| race.contains("a store at 0x")
                && race.contains("races with a store at line")),
        "{races:#?}"
    );
}

/// Races of a kernel `k(words)` of two warps, in two CTAs.
fn races_of(body: &str) -> Vec<String> {
    let text = format!(
        ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 words) {{\n\
         .reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .pred %p<4>; .shared .align 8 .b8 tile[1024];\n\
         ld.param.u64 %rd0, [words]; mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x; mov.u32 %r2, tile;\n\
         mad.lo.u32 %r2, %r0, 4, %r2; setp.eq.u32 %p0, %r0, 0; setp.eq.u32 %p1, %r1, 0;\n{body}\nret;\n}}\n"
    );
    let kernel =
        Kernel::of_text("test.ptx", &text, "k").with_checks(Checks::Races).buffer(&[0u32; 64]);
    let ended = kernel.run(On::Functional, [2, 1], [64, 1], 0);
    ended.outcome.warnings.iter().map(|race| race.what.clone()).collect()
}

/// The first warp stores to the second, each lane a word; `%r7` is the flag.
const MAILBOX: &str =
    "mov.u32 %r7, tile; setp.ge.u32 %p2, %r0, 32; @%p2 bra reader; st.shared.u32 [%r2+4], 1;";
/// Each lane of the second warp waits for the flag, and reads the first warp's word.
const READER: &str = "reader: ld.acquire.cta.shared.u32 %r3, [%r7]; setp.eq.u32 %p3, %r3, 0; @%p3 bra reader;\n\
     ld.shared.u32 %r4, [%r2-124]; done:";

#[test]
fn what_orders_threads_and_what_does_not() {
    let publish = |store: &str, load: &str| {
        format!(
            "@!%p0 bra done; @!%p1 bra reader; st.global.u32 [%rd0], 7; {store} bra done;\n\
             reader: {load}; setp.eq.u32 %p2, %r3, 0; @%p2 bra reader; ld.global.u32 %r4, [%rd0]; done:"
        )
    };
    let ordered = [
        publish(
            "st.release.gpu.global.u32 [%rd0+4], 1;",
            "ld.acquire.gpu.global.u32 %r3, [%rd0+4]",
        ),
        publish(
            "fence.acq_rel.gpu; st.relaxed.gpu.global.u32 [%rd0+4], 1;",
            "ld.relaxed.gpu.global.u32 %r3, [%rd0+4]; fence.acq_rel.gpu",
        ),
        publish(
            "membar.gl; st.volatile.global.u32 [%rd0+4], 1;",
            "ld.volatile.global.u32 %r3, [%rd0+4]; membar.gl",
        ),
        "xor.b32 %r3, %r2, 4; st.shared.u32 [%r2], 1; bar.warp.sync -1; ld.shared.u32 %r4, [%r3];"
            .to_string(),
        // Halves of a warp meet, then all.
        "xor.b32 %r3, %r2, 4; st.shared.u32 [%r2], 1; and.b32 %r4, %r0, 16; setp.eq.u32 %p2, %r4, 0;\n\
         selp.b32 %r5, 0xffff, 0xffff0000, %p2; bar.warp.sync %r5; ld.shared.u32 %r4, [%r3];\n\
         bar.warp.sync -1; xor.b32 %r3, %r2, 64; st.shared.u32 [%r3], 1;"
            .to_string(),
        // Lane 0 releases for its warp, which it has met.
        format!("{MAILBOX} bar.warp.sync -1; @%p0 st.release.cta.shared.u32 [%r7], 1; bra done; {READER}"),
        "red.global.add.u32 [%rd0], 1;".to_string(),
        "cvt.u64.u32 %rd1, %r0; add.u64 %rd1, %rd0, %rd1; @%p1 st.global.u8 [%rd1], 1;\n\
         @!%p1 st.global.u8 [%rd1+64], 1;"
            .to_string(),
    ];
    for body in ordered {
        assert_eq!(races_of(&body), [""; 0], "{body}");
    }
    let racy = [
        // A scope that does not include the other CTA.
        (publish("st.release.cta.global.u32 [%rd0+4], 1;", "ld.acquire.gpu.global.u32 %r3, [%rd0+4]"), "a load"),
        (publish("st.relaxed.gpu.global.u32 [%rd0+4], 1;", "ld.acquire.gpu.global.u32 %r3, [%rd0+4]"), "a load"),
        (publish("st.release.gpu.global.u32 [%rd0+4], 1;", "ld.relaxed.gpu.global.u32 %r3, [%rd0+4]"), "a load"),
        ("red.cta.global.add.u32 [%rd0], 1;".to_string(), "an atomic"),
        ("xor.b32 %r3, %r2, 4; st.shared.u32 [%r2], 1; ld.shared.u32 %r4, [%r3];".to_string(), "a load"),
        // Halves of a warp do not meet each other.
        ("xor.b32 %r3, %r2, 64; st.shared.u32 [%r2], 1; and.b32 %r4, %r0, 16; setp.eq.u32 %p2, %r4, 0;\n\
          selp.b32 %r5, 0xffff, 0xffff0000, %p2; bar.warp.sync %r5; ld.shared.u32 %r4, [%r3];".to_string(), "a load"),
        // Lane 0 releases, fences and acquires for itself only.
        (format!("{MAILBOX} @%p0 st.release.cta.shared.u32 [%r7], 1; bra done; {READER}"), "a load"),
        (format!("{MAILBOX} @%p0 fence.acq_rel.cta; @%p0 st.relaxed.cta.shared.u32 [%r7], 1; bra done; {READER}"), "a load"),
        ("xor.b32 %r3, %r2, 4; st.shared.u32 [%r2], 1; fence.acq_rel.cta; ld.shared.u32 %r4, [%r3];".to_string(), "a load"),
        ("xor.b32 %r3, %r2, 4; st.shared.u32 [%r2], 1; red.relaxed.cta.shared.add.u32 [%r7], 1; ld.shared.u32 %r4, [%r3];".to_string(), "a load"),
        ("mov.u32 %r3, tile; st.shared.u32 [%r3], %r0;".to_string(), "a store"),
        ("cp.async.ca.shared.global [%r2], [%rd0], 4; cp.async.wait_all; xor.b32 %r3, %r2, 128; \
          ld.shared.u32 %r4, [%r3];".to_string(), "an asynchronous copy"),
    ];
    for (body, wanted) in racy {
        let races = races_of(&body);
        assert!(races.iter().any(|race| race.contains(wanted)), "{body}: {races:?}");
    }
}
