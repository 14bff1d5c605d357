//! Damaged modules are rejected or run, without panics, hangs or unbounded memory.

use std::time::{Duration, Instant};

use proptest::prelude::*;
use warpsmith::gpu::isa;
use warpsmith::gpu::machine::{Launch, run};
use warpsmith::gpu::memory::{Device, Flat};
use warpsmith::gpu::simt::Image;

/// Modules compiled by clang.
fn modules() -> Vec<String> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/kernels");
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .expect("the kernels")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "ptx"))
        .collect();
    paths.sort();
    paths.iter().map(|path| std::fs::read_to_string(path).expect("a module")).collect()
}

/// Loads a module and, if it is valid, runs its kernels briefly.
fn survive(text: &str) {
    let start = Instant::now();
    if let Ok(program) = isa::load("damaged.ptx", text) {
        let image = Image::new(program);
        for kernel in &image.program.kernels {
            let mut device = Device::default();
            let address = device.allocate("a buffer", 4096);
            let mut parameters =
                address.to_le_bytes().repeat(kernel.parameter_bytes as usize / 8 + 1);
            parameters.truncate(kernel.parameter_bytes as usize);
            let launch = Launch {
                grid: [1; 3],
                block: [40, 1, 1],
                dynamic_shared: 64,
                parameters,
                resident: 1,
                watchdog: 2_000,
                ..Launch::default()
            };
            let mut memory = Flat::new(device, &image.program.constants);
            let _ = run(&image, kernel, &launch, &mut memory);
        }
    }
    assert!(start.elapsed() < Duration::from_secs(20), "took {:?}", start.elapsed());
}

/// Words of the syntax, inserted where they do not belong.
const WORDS: [&str; 24] = [
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    ";",
    ",",
    "%r1",
    "%rd1",
    "%p1",
    "%f1",
    "@%p1",
    ".u64",
    ".f32",
    ".v4",
    "bra",
    "ret;",
    "call",
    "0x7fffffffffffffff",
    "-1",
    "<4000000000>",
    ".shared",
    ".local .b8 x[4000000000];",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn truncated_modules_are_survived(at in any::<prop::sample::Index>(), which in any::<prop::sample::Index>()) {
        let modules = modules();
        let text = which.get(&modules);
        let end = at.index(text.len());
        survive(&text[..end]);
    }

    #[test]
    fn modules_with_changed_bytes_are_survived(
        which in any::<prop::sample::Index>(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), 0u8..128), 1..8),
    ) {
        let modules = modules();
        let mut bytes = which.get(&modules).clone().into_bytes();
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        survive(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn modules_with_misplaced_words_are_survived(
        which in any::<prop::sample::Index>(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), prop::sample::select(&WORDS[..])), 1..4),
    ) {
        let modules = modules();
        let text = which.get(&modules);
        let mut words: Vec<_> = text.split_inclusive([' ', '\t', ',', ';', '\n']).collect();
        for (at, word) in changes {
            let at = at.index(words.len());
            words[at] = word;
        }
        survive(&words.concat());
    }

    #[test]
    fn modules_with_lines_moved_are_survived(
        which in any::<prop::sample::Index>(),
        swaps in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>()), 1..6),
    ) {
        let modules = modules();
        let mut lines: Vec<_> = which.get(&modules).lines().collect();
        for (a, b) in swaps {
            let (a, b) = (a.index(lines.len()), b.index(lines.len()));
            lines.swap(a, b);
        }
        survive(&lines.join("\n"));
    }
}

#[test]
fn extreme_modules_are_refused() {
    let head = ".version 6.4\n.target sm_70\n.address_size 64\n";
    let body = |text: &str| format!("{head}.entry k() {{ {text} ret; }}");
    // Of a variable that nothing uses, nothing is said.
    let used =
        |text: &str| format!("{head}{text} .entry k() {{ .reg .b64 %d; mov.u64 %d, x; ret; }}");
    let nested = format!("{}{}", "{".repeat(100_000), "}".repeat(100_000));
    for (text, words) in [
        (body(&nested), "nested more than"),
        (body(".local .b8 x[4000000000];"), "more than 524288 bytes"),
        (body(".shared .b8 x[4000000000];"), "more than 1048576 bytes"),
        (used(".global .b8 x[99999999999999];"), "more than 268435456 bytes"),
        (used(".global .b64 x[4294967296][4294967296][4294967296];"), "more than"),
        (used(".global .align 3 .b8 x[4];"), "power of two"),
        (format!("{head}.entry k(.param .b8 p[4000000000]) {{ ret; }}"), "more than 32768 bytes"),
        (body("\u{7f}"), "not a token"),
        (body("/* without an end"), ""),
        ("\0".repeat(1000), ""),
    ] {
        let error = isa::load("extreme.ptx", &text).expect_err("refused").to_string();
        assert!(error.contains(words), "`{words}` is missing: {error}");
    }
    // A register range costs only its used registers.
    assert!(
        isa::load("wide.ptx", &body(".reg .b32 %r<4294967295>; mov.u32 %r4294967294, 1;")).is_ok()
    );
}

#[test]
fn recursion_without_end_is_stopped() {
    let text = ".version 6.4\n.target sm_70\n.address_size 64\n\
                .func f() { .local .b8 own[1024]; call f; ret; }\n.entry k() { call f; ret; }\n";
    let image = Image::new(isa::load("recursion.ptx", text).expect("a module"));
    let launch =
        Launch { grid: [1; 3], block: [1; 3], resident: 1, watchdog: 100_000, ..Launch::default() };
    let mut memory = Flat::new(Device::default(), &[]);
    let error = run(&image, &image.program.kernels[0], &launch, &mut memory).expect_err("stopped");
    let message = error.to_string();
    for word in ["recursion.ptx:4", "kernel k", "calls deep", "524288"] {
        assert!(message.contains(word), "`{word}` is missing: {message}");
    }
}
