//! Litmus tests on every memory system; forbidden outcomes show with planted protocol errors.

mod support;

use support::{Scratch, run};
use warpsmith::flow::parallel;
use warpsmith::gpu::PlantedError;
use warpsmith::gpu::config::Config;
use warpsmith::gpu::litmus::{self, Counts, Place, Settings, TESTS, Test, WEAK_LOADS};
use warpsmith::gpu::machine::planted;
use warpsmith::gpu::memory;
use warpsmith::gpu::systems::gpudet::{self, GPUDET};
use warpsmith::gpu::systems::relativistic::SEQUENTIAL;
use warpsmith::gpu::systems::{System, errors, hmg, quick_release, release_consistency};
use warpsmith::report::litmus::{LitmusReport, LitmusRow};
use warpsmith::report::teeth::{TeethReport, rows};

/// Minimum runs of a test in each scope and place; more until every allowed outcome was seen.
const RUNS: u64 = 20;
const MOST: u64 = 6000;
/// Most runs of a test with an error, until all forbidden outcomes were seen; and in systems of one L2, where a few show
/// rarely.
const PLANTED: u64 = 6000;
const PLANTED_RARE: u64 = 40_000;

/// The seed: `WARPSMITH_SEED`, or a fixed one.
fn seed() -> u64 {
    let given = std::env::var("WARPSMITH_SEED").ok().and_then(|seed| seed.parse().ok());
    given.unwrap_or(1)
}

fn machine(preset: &str) -> Config {
    let mut config = Config::preset(preset).expect("a preset");
    config.core.weak_loads = WEAK_LOADS;
    config
}

fn tests() -> Vec<Test> {
    let parsed = TESTS.iter().map(|(file, text)| litmus::parse(file, text));
    parsed.map(|test| test.unwrap_or_else(|error| panic!("{error}"))).collect()
}

fn named(name: &str) -> Test {
    tests().into_iter().find(|test| test.name == name).expect("a test of the program")
}

/// Counts of a test in a place, with the widest scope.
fn counts(test: &Test, place: Place, settings: &Settings) -> Counts {
    let mut variants = test.variants(&settings.config.machine).into_iter().rev();
    let variant = variants.find(|it| it.place == place).expect("the machine has the place");
    litmus::run(test, variant, settings).unwrap_or_else(|error| panic!("{error}"))
}

fn report(preset: &str, system: System, runs: u64) -> LitmusReport {
    report_on(&machine(preset), preset, system, runs)
}

fn report_on(config: &Config, preset: &str, system: System, runs: u64) -> LitmusReport {
    let settings = Settings { config, system, seed: seed(), runs, most: MOST, planted: None };
    let mut rows = Vec::new();
    for test in tests().into_iter().filter(|test| test.check_cpus(system, config).is_ok()) {
        for variant in test.variants(&config.machine) {
            let counts = litmus::run(&test, variant, &settings);
            let counts = counts.unwrap_or_else(|error| panic!("{error}"));
            rows.push(LitmusRow::new(&test, variant, system, counts));
        }
    }
    LitmusReport::new(preset.into(), seed(), rows)
}

fn as_allowed(system: System) {
    let report = report(system.small, system, RUNS);
    assert!(report.as_allowed, "{}", report.text());
}

#[test]
fn every_system_shows_what_is_allowed_and_nothing_else() {
    let ended = parallel::each(&System::ALL, |system| {
        as_allowed(*system);
        Ok::<_, ()>(())
    });
    assert!(ended.iter().all(Result::is_ok));
}

#[test]
fn relativistic_coherence_shows_what_an_interleaving_gives_and_nothing_else() {
    let config = Config::preset(SEQUENTIAL.small).expect("a preset");
    let report = report_on(&config, SEQUENTIAL.small, SEQUENTIAL, RUNS);
    assert!(report.as_allowed, "{}", report.text());
}

/// Systems beside those of the figures: with transactions, and baselines.
#[test]
fn every_other_system_shows_nothing_that_is_forbidden() {
    for system in System::known().filter(|system| !System::ALL.contains(system)) {
        let config = &Config::preset(system.small).expect("a preset");
        let settings =
            Settings { config, system, seed: seed(), runs: RUNS, most: RUNS, planted: None };
        for test in tests().into_iter().filter(|test| test.check_cpus(system, config).is_ok()) {
            for variant in test.variants(&config.machine) {
                let counts = litmus::run(&test, variant, &settings);
                let counts = counts.unwrap_or_else(|error| panic!("{error}"));
                let is_seen = counts.forbidden.iter().any(|count| *count > 0);
                assert!(!is_seen, "{} {variant} on {}", test.name, system.name);
            }
        }
    }
}

#[test]
fn quanta_show_nothing_that_is_forbidden_unless_an_error_is_planted() {
    let config = &Config::preset(GPUDET.small).expect("a preset");
    let seen = |planted: Option<PlantedError>, runs| {
        let (system, seed) = (GPUDET, seed());
        let settings = Settings { config, system, seed, runs, most: runs, planted };
        let mut seen = Vec::new();
        for test in tests().into_iter().filter(|test| test.check_cpus(system, config).is_ok()) {
            for variant in test.variants(&config.machine) {
                eprintln!("{} {variant} {planted:?}", test.name);
                let counts = litmus::run(&test, variant, &settings);
                let counts = counts.unwrap_or_else(|error| panic!("{error}"));
                if counts.forbidden.iter().any(|count| *count > 0) {
                    seen.push(test.name.clone());
                }
            }
        }
        seen
    };
    assert_eq!(seen(None, 20), [""; 0]);
    for error in [
        gpudet::planted::BARRIER_PASSED_WITH_STORES,
        gpudet::planted::FENCE_IGNORED,
        gpudet::planted::L1_KEPT,
    ] {
        let seen = seen(Some(error), 20);
        println!("{}: {seen:?}", error.name);
        assert!(!seen.is_empty(), "{}", error.name);
    }
}

/// A room names only tests and lines that there are.
#[test]
fn what_systems_never_show_is_a_line_of_a_test() {
    for system in System::known() {
        for line in system.never_shows {
            let (test, condition) = line.split_once(": ").expect("TEST: LINE");
            let test = named(test);
            assert!(test.allowed.iter().any(|it| it.text == condition), "{}: {line}", system.name);
        }
    }
}

#[test]
#[ignore = "nightly: 16 GPMs"]
fn the_machine_of_hmg_shows_what_is_allowed_and_nothing_else() {
    for system in System::fitting(&machine("hmg_4x4")) {
        let report = report("hmg_4x4", system, RUNS);
        assert!(report.as_allowed, "{}", report.text());
    }
}

/// Lines of tests under planted errors; only the chosen variants of each test.
fn teeth(preset: &str, choose: impl Fn(usize, usize, usize) -> bool, runs: u64) -> TeethReport {
    let config = &machine(preset);
    let most = if preset == "small" { PLANTED } else { PLANTED_RARE };
    let mut lines = Vec::new();
    for (number, test) in tests().iter().enumerate() {
        for (at, variant) in test.variants(&config.machine).into_iter().enumerate() {
            let systems = System::ALL.into_iter().filter(|system| system.small == preset);
            for (which, system) in systems.enumerate() {
                if !choose(number, at, which) || test.check_cpus(system, config).is_err() {
                    continue;
                }
                let settings = Settings { config, system, seed: seed(), runs, most, planted: None };
                let teeth = litmus::teeth(test, variant, &settings, &errors());
                let teeth = teeth.unwrap_or_else(|error| panic!("{error}"));
                lines.extend(rows(test, variant, system, &teeth));
            }
        }
    }
    TeethReport::new(preset.into(), seed(), most, lines, runs > 0)
}

/// Another seed gives another sample.
#[test]
fn what_is_forbidden_is_seen_with_an_error_in_a_sample_of_places() {
    let report = teeth(
        "small",
        |test, at, system| (test + at + system + seed() as usize).is_multiple_of(16),
        0,
    );
    assert!(report.lines.len() > 60);
    assert!(report.complete, "{}", report.text());
}

#[test]
#[ignore = "nightly: every error in every place of every memory system"]
fn what_is_forbidden_is_seen_with_an_error_in_every_place_of_every_system() {
    let report = teeth("small", |_, _, _| true, 150);
    println!("{}", report.text());
    assert!(report.complete, "{}", report.text());
}

#[test]
fn what_is_forbidden_is_seen_with_an_error_in_a_sample_of_systems_of_one_l2() {
    let sampled = |test: usize, at: usize, system: usize| {
        (test + at + system + seed() as usize).is_multiple_of(24)
    };
    let report = teeth("small_apu", sampled, 0);
    assert!(report.lines.len() > 60);
    assert!(report.complete, "{}", report.text());
}

#[test]
#[ignore = "nightly: every error in every place of every memory system of one L2"]
fn what_is_forbidden_is_seen_with_an_error_in_every_system_of_one_l2() {
    let report = teeth("small_apu", |_, _, _| true, 150);
    println!("{}", report.text());
    assert!(report.complete, "{}", report.text());
}

#[test]
fn no_system_but_ideal_excuses_more_than_a_third() {
    for system in System::ALL {
        let config = machine(system.small);
        let (mut excused, mut all) = (0, 0);
        for test in tests().into_iter().filter(|it| it.check_cpus(system, &config).is_ok()) {
            for variant in test.variants(&config.machine) {
                let lines = test.forbidden.iter().chain(&test.allowed);
                excused += lines
                    .clone()
                    .filter(|it| it.excuse(&test.name, system, variant).is_some())
                    .count();
                all += lines.count();
            }
        }
        assert!(all > 100);
        assert!(system == hmg::IDEAL || 3 * excused <= all, "{}: {excused}", system.name);
    }
}

/// Errors that only accesses that release show: a fence of the lazy protocol writes back at once.
#[test]
fn message_passing_shows_a_lazy_release_that_is_never_pushed() {
    let test = named("MP");
    let never_push = release_consistency::planted::NEVER_PUSH;
    assert!(shows(&test, Place::OtherCta, release_consistency::LAZY, never_push));
}

#[test]
fn message_passing_without_its_acquire_is_seen_where_an_acquire_does_something() {
    let test = named("MP");
    for (system, does) in [
        (quick_release::WRITE_THROUGH, true),
        (quick_release::QUICK_RELEASE, false),
        (quick_release::READ_FOR_OWNERSHIP, false),
        (release_consistency::BASE, true),
        (release_consistency::OWNERSHIP, true),
        (release_consistency::LAZY, true),
    ] {
        let is_seen = shows(&test, Place::OtherCta, system, memory::planted::KEEP_L1);
        assert_eq!(is_seen, does, "{}", system.name);
    }
}

/// Whether the first forbidden line of a test is seen in a place with a planted error. The core is not weak,
/// since weak loads would show the same.
fn shows(test: &Test, place: Place, system: System, planted: PlantedError) -> bool {
    let config = &Config::preset(system.small).expect("a preset");
    let planted = Some(planted);
    let settings = Settings { config, system, seed: seed(), runs: 0, most: PLANTED, planted };
    counts(test, place, &settings).forbidden[0] > 0
}

/// The errors of the CPU side, by the tests that have a CPU.
#[test]
fn a_probe_that_is_not_sent_or_not_waited_for_is_seen() {
    let with_cpu: Vec<_> = tests().into_iter().filter(|test| test.cpus() > 0).collect();
    for system in System::ALL.into_iter().filter(|system| system.cpus) {
        for error in system.errors.iter().filter(|error| error.of_cpus) {
            let (config, planted) = (&machine(system.small), Some(*error));
            let (runs, most) = (0, PLANTED);
            let settings = Settings { config, system, seed: seed(), runs, most, planted };
            let is_seen = |test: &&Test| {
                let seen = counts(test, Place::AsWritten, &settings).forbidden;
                seen.iter().any(|count| *count > 0)
            };
            let found = with_cpu.iter().find(is_seen);
            let found = found.unwrap_or_else(|| panic!("{} in {}", error.name, system.name));
            println!("{} in {}: {}", error.name, system.name, found.name);
        }
    }
}

#[test]
fn a_thread_on_a_cpu_is_refused_where_there_is_none() {
    let scratch = Scratch::new();
    let text =
        "litmus with\nthread cpu\n st.weak x 1\nthread gpu0\n ld.weak r0 x\nallowed 1:r0=0\n";
    std::fs::write(scratch.path("cpu.litmus"), text).expect("writable");
    let given =
        |more: &[&str]| run(&scratch, &[&["litmus", "cpu.litmus", "--runs", "5"], more].concat());
    for (more, words) in [
        (
            &["--preset", "small_apu", "--system", "hmg"][..],
            ["hmg has no CPU side", "quick-release"],
        ),
        (&[], ["no directory shared with CPUs", "small_apu"]),
        (&["--preset", "gtx480", "--system", "release-consistency"], ["([l3])", "apu"]),
    ] {
        let ended = given(more);
        assert_eq!((ended.code, &ended.stdout[..]), (2, ""), "{ended:?}");
        assert!(words.iter().all(|word| ended.stderr.contains(word)), "{ended:?}");
    }
    let ended = given(&["--preset", "small_apu"]);
    assert_eq!(ended.code, 0, "{ended:?}");
    let words = "Not applicable without a CPU side: with; on no-remote-caching, software";
    assert!(ended.stdout.contains(words), "{ended:?}");
    let json = given(&["--preset", "small_apu", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&json.stdout).expect("JSON");
    assert_eq!(json["not_applicable"][0], serde_json::json!(["with", "no-remote-caching"]));
}

#[test]
fn message_passing_without_its_release_is_seen_on_all_systems_but_ideal() {
    let test = named("MP");
    for system in System::fitting(&machine("small")) {
        for place in [Place::OtherGpm, Place::OtherGpu] {
            let is_seen = shows(&test, place, system, planted::RELEASE_DOES_NOTHING);
            assert_eq!(is_seen, system != hmg::IDEAL, "{} {place:?}", system.name);
        }
    }
}

/// Without its release, a thread stores before its load has its value. With ideal caching everything takes
/// effect in order.
#[test]
fn causality_without_its_release_is_seen_on_all_systems_but_ideal() {
    let test = named("WRC");
    for system in System::fitting(&machine("small")) {
        let is_seen = shows(&test, Place::OtherGpu, system, planted::RELEASE_DOES_NOTHING);
        assert_eq!(is_seen, system != hmg::IDEAL, "{}", system.name);
    }
}

/// Without weak loads a CTA is sequentially consistent, and tests of `.cta` show nothing.
#[test]
fn in_a_cta_loads_pass_loads_if_the_core_is_weak() {
    let text = "litmus weak\nthread\n st.weak u 1\n st.weak v 1\nthread\n ld.weak r0 v\n \
                ld.weak r1 u\nallowed 1:r0=1 1:r1=0\n";
    let test = litmus::parse("weak.litmus", text).expect("a test");
    for system in System::ALL {
        for (weak_loads, most) in [(0, 2000), (WEAK_LOADS, MOST)] {
            let mut config = machine(system.small);
            config.core.weak_loads = weak_loads;
            let (config, seed) = (&config, seed());
            let settings = Settings { config, system, seed, runs: 0, most, planted: None };
            let counts = counts(&test, Place::SameCta, &settings);
            assert_eq!(counts.allowed[0] > 0, weak_loads > 0, "{} {weak_loads}", system.name);
        }
    }
}
