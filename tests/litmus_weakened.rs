//! Litmus tests without one of their orderings: what they forbid is then allowed, by the axioms and on the machine. It
//! is seen on each system of one L2, or a mechanism of the system keeps it from being seen.

use warpsmith::gpu::config::Config;
use warpsmith::gpu::litmus::axioms::judge;
use warpsmith::gpu::litmus::{self, Place, Settings, TESTS, Test, Variant, WEAK_LOADS};
use warpsmith::gpu::systems::System;

/// The tests, and systems whose mechanism ([`WHY`]) keeps it from being seen that an ordering before a store is gone.
const WITH: [(&str, &[&str]); 12] = [
    ("ISA2", &["no-l1", "write-through", "read-for-ownership", "quick-release"]),
    (
        "3.2W",
        &[
            "no-l1",
            "write-through",
            "read-for-ownership",
            "quick-release",
            "release-consistency-ownership",
        ],
    ),
    (
        "Z6",
        &[
            "no-l1",
            "write-through",
            "read-for-ownership",
            "quick-release",
            "release-consistency-ownership",
        ],
    ),
    (
        "Release.sequence",
        &["no-l1", "write-through", "read-for-ownership", "release-consistency-ownership"],
    ),
    ("Fence.cumulativity", &[]),
    (
        "MP.scopes",
        &["no-l1", "write-through", "read-for-ownership", "release-consistency-ownership"],
    ),
    ("MP.cpu.writes", &[]),
    (
        "MP.cpu.reads",
        &[
            "no-l1",
            "write-through",
            "read-for-ownership",
            "quick-release",
            "release-consistency-ownership",
        ],
    ),
    (
        "MP.cpu.fences",
        &[
            "no-l1",
            "write-through",
            "read-for-ownership",
            "quick-release",
            "release-consistency-ownership",
        ],
    ),
    ("S.cpu", &[]),
    ("SB.cpu", &["no-l1", "write-through", "read-for-ownership", "release-consistency-ownership"]),
    (
        "WRC.cpu",
        &[
            "no-l1",
            "write-through",
            "read-for-ownership",
            "quick-release",
            "release-consistency-ownership",
        ],
    ),
];

/// Mechanisms by which what a core stores takes effect in its order.
const WHY: [(&str, &str); 5] = [
    ("no-l1", "stores go to memory on one way, in order"),
    ("write-through", "stores go to memory on one way, in order"),
    (
        "read-for-ownership",
        "requests for lines come to the directory in order, and what waits for one sees its store",
    ),
    (
        "quick-release",
        "entries leave an S-FIFO in order; only who asks for a line gets it ahead of others",
    ),
    (
        "release-consistency-ownership",
        "requests for ownership come to the L2 in order, and who asks is sent the store",
    ),
];

/// What orders a store before a later load, for a CPU.
const BEHIND: &str = "the answer to a CPU's probe comes behind the store, on one way";

/// Numbers of runs of each copy, until one is seen.
const RUNS: [u64; 3] = [300, 2000, 12_000];
/// By how much longer loads are held than usual: until others have talked to each other.
const LONGER: u32 = 20;

/// The seed: `WARPSMITH_SEED`, or a fixed one.
fn seed() -> u64 {
    let given = std::env::var("WARPSMITH_SEED").ok().and_then(|seed| seed.parse().ok());
    given.unwrap_or(1)
}

/// A copy without an ordering.
struct Copy {
    /// The instruction, as it was.
    removed: String,
    /// Whether the next access is a store.
    before_store: bool,
    /// Whether the thread is on a CPU, which executes in program order whatever an instruction says.
    on_cpu: bool,
    test: Test,
}

/// An instruction without its ordering, if it has one; a fence is left out.
fn weakened(line: &str) -> Option<String> {
    if line.trim().starts_with("fence") {
        return Some(String::new());
    }
    let has = ["release", "acquire"].into_iter().find(|word| line.contains(word))?;
    Some(line.replace(has, "relaxed"))
}

fn copies(text: &str) -> Vec<Copy> {
    let lines: Vec<_> = text.lines().filter(|line| !line.starts_with("allowed")).collect();
    let copy = |at: usize| {
        let weak = weakened(lines[at]).filter(|_| lines[at].starts_with(' '))?;
        let mut copy = lines.clone();
        copy[at] = &weak;
        let text = copy.join("\n").replace("forbidden", "allowed") + "\n";
        let test = litmus::parse("copy.litmus", &text).unwrap_or_else(|error| panic!("{error}"));
        let is_store = |line: &str| line.trim().starts_with("st.");
        let before_store = is_store(lines[at]) || is_store(lines[at + 1]);
        let on_cpu = lines[..at].iter().rev().find(|line| line.starts_with("thread"));
        let on_cpu = on_cpu == Some(&"thread cpu");
        Some(Copy { removed: lines[at].trim().to_string(), before_store, on_cpu, test })
    };
    (0..lines.len()).filter_map(copy).collect()
}

/// Every test with its copies.
fn tests() -> impl Iterator<Item = (&'static str, &'static [&'static str], Vec<Copy>)> {
    WITH.into_iter().map(|(name, excused)| {
        let has = |text: &&str| text.lines().any(|line| line == format!("litmus {name}"));
        let text = TESTS.iter().map(|(_, text)| *text).find(has).expect("a test of the program");
        (name, excused, copies(text))
    })
}

fn config(system: System) -> Config {
    let mut config = Config::preset(system.small).expect("a preset");
    config.core.weak_loads = LONGER * WEAK_LOADS;
    config
}

/// The variant with threads in different CTAs.
fn variant(test: &Test, config: &Config) -> Variant {
    let mut variants = test.variants(&config.machine).into_iter();
    let apart = |it: &Variant| matches!(it.place, Place::OtherCta | Place::AsWritten);
    variants.find(apart).expect("the machine has the place")
}

fn is_seen(copy: &Copy, system: System, most: u64) -> bool {
    let config = &config(system);
    let settings = Settings { config, system, seed: seed(), runs: 0, most, planted: None };
    let counts = litmus::run(&copy.test, variant(&copy.test, config), &settings);
    counts.unwrap_or_else(|error| panic!("{error}")).allowed.iter().any(|seen| *seen > 0)
}

fn systems() -> impl Iterator<Item = System> {
    System::ALL.into_iter().filter(|system| system.small == "small_apu")
}

#[test]
fn each_ordering_is_needed_by_the_axioms() {
    let config = Config::preset("small_apu").expect("a preset");
    for (name, _, copies) in tests() {
        assert!(copies.len() > 1, "{name}");
        for copy in copies {
            let judged = judge(&copy.test, variant(&copy.test, &config), &config.machine);
            let judged = judged.unwrap_or_else(|error| panic!("{error}"));
            let is_allowed = judged.allowed.iter().any(|line| line.is_allowed());
            assert!(is_allowed, "{name} without {}", copy.removed);
        }
    }
}

/// Of the orderings before loads, and of those before stores, at least one is missed on each system.
#[test]
fn without_an_ordering_the_outcome_is_seen_unless_a_mechanism_keeps_stores_in_order() {
    for (name, excused, copies) in tests() {
        for before_store in [false, true] {
            let group =
                || copies.iter().filter(|copy| copy.before_store == before_store && !copy.on_cpu);
            if group().next().is_none() {
                continue;
            }
            for system in systems() {
                let protocol = system.name.trim_end_matches("-unscoped");
                if name == "SB.cpu" && excused.contains(&protocol) {
                    println!("{name} on {}: {BEHIND}", system.name);
                    continue;
                }
                if before_store && excused.contains(&protocol) {
                    let (_, why) = WHY.into_iter().find(|(of, _)| *of == protocol).expect("why");
                    println!("{name} on {}: {why}", system.name);
                    continue;
                }
                let seen = RUNS
                    .into_iter()
                    .find_map(|most| group().find(|copy| is_seen(copy, system, most)));
                let seen = seen.unwrap_or_else(|| {
                    let removed: Vec<_> = group().map(|copy| &copy.removed[..]).collect();
                    panic!("{name} on {} is not seen without {}", system.name, removed.join(" or "))
                });
                println!("{name} on {}: seen without {}", system.name, seen.removed);
            }
        }
    }
}
