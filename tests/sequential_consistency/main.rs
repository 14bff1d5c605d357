//! Racy random programs on relativistic coherence. The oracle of the small machine judges every launch; here the results
//! are judged, too, by a search for an interleaving that gives them.

mod by_hand;
mod flaws;

use std::collections::HashSet;
use std::fmt::Write;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{Config as Proptest, RngSeed, TestRunner};
use warpsmith::gpu::config::Config;
use warpsmith::gpu::isa::Module;
use warpsmith::gpu::machine::{Launch, LaunchError, Machine};
use warpsmith::gpu::memory::{Device, PlantedError, RtlSettings};
use warpsmith::gpu::simt::Image;
use warpsmith::gpu::systems::relativistic::{SEQUENTIAL, planted};
use warpsmith_testbench::backend::Backend;

/// Words that all warps access.
const WORDS: u32 = 3;
/// Operations of a warp, at most.
const MOST: usize = 5;

/// An operation on a word.
#[derive(Debug, Clone, Copy)]
enum Op {
    Load(u32),
    Store(u32),
    Swap(u32),
}

/// Operations of each warp. Each stores a value of its own.
#[derive(Debug, Clone)]
struct Program {
    warps: Vec<Vec<Op>>,
    /// Warps of a CTA, and so of an L1.
    per_cta: u32,
    /// Bytes from word to word.
    apart: u32,
    /// Warps load all words first, so that L1s have copies.
    is_warm: bool,
    /// Operations of each warp before a barrier of its CTA.
    before: usize,
}

fn programs() -> impl Strategy<Value = Program> {
    let word = || 0..WORDS;
    let op = prop_oneof![
        4 => word().prop_map(Op::Load),
        4 => word().prop_map(Op::Store),
        1 => word().prop_map(Op::Swap),
    ];
    let apart = prop_oneof![3 => Just(128u32), 1 => Just(4), 1 => Just(2048)];
    (vec(vec(op, 1..=MOST), 2..=4), 1..=2u32, apart, any::<bool>(), 0..=MOST).prop_map(
        |(warps, per_cta, apart, is_warm, before)| Program {
            warps,
            per_cta,
            apart,
            is_warm,
            before,
        },
    )
}

/// The value that an operation of a warp stores.
fn value(warp: usize, at: usize) -> u32 {
    (warp * MOST + at + 1) as u32
}

impl Program {
    /// Lane 0 of each warp performs its operations, and leaves what it has loaded.
    fn ptx(&self) -> String {
        let mut text = String::from(
            ".version 7.8\n.target sm_70\n.address_size 64\n\
             .visible .entry racy(.param .u64 words, .param .u64 results) {\n\
             .reg .b32 %r<16>;\n.reg .b64 %d<8>;\n.reg .pred %p<8>;\n\
             ld.param.u64 %d0, [words];\nld.param.u64 %d1, [results];\n\
             mov.u32 %r0, %tid.x;\nand.b32 %r1, %r0, 31;\nsetp.eq.u32 %p1, %r1, 0;\n\
             shr.u32 %r0, %r0, 5;\nmov.u32 %r1, %ctaid.x;\n",
        );
        let mut line = |line: String| _ = writeln!(text, "{line}");
        line(format!("mad.lo.u32 %r0, %r1, {}, %r0;", self.per_cta));
        for word in (0..WORDS).filter(|_| self.is_warm) {
            line(format!("@%p1 ld.global.u32 %r2, [%d0+{}];", word * self.apart));
        }
        for phase in [0, 1] {
            for (warp, ops) in self.warps.iter().enumerate() {
                line(format!("setp.ne.u32 %p0, %r0, {warp};\n@%p0 bra $next{phase}{warp};"));
                let phase_of = |at| usize::from(at >= self.before);
                for (at, op) in ops.iter().enumerate().filter(|(at, _)| phase_of(*at) == phase) {
                    line(self.operation(*op, 4 + at, value(warp, at)));
                }
                for at in (0..ops.len()).filter(|_| phase == 1) {
                    let place = 4 * (warp * MOST + at);
                    line(format!("@%p1 st.global.u32 [%d1+{place}], %r{};", 4 + at));
                }
                line(format!("$next{phase}{warp}:"));
            }
            if phase == 0 {
                line("bar.sync 0;".to_string());
            }
        }
        line("ret;\n}".to_string());
        text
    }

    fn operation(&self, op: Op, register: usize, value: u32) -> String {
        let (Op::Load(word) | Op::Store(word) | Op::Swap(word)) = op;
        let address = format!("[%d0+{}]", word * self.apart);
        match op {
            Op::Load(_) => format!("@%p1 ld.relaxed.gpu.global.u32 %r{register}, {address};"),
            Op::Store(_) => format!(
                "mov.u32 %r{register}, {value};\n\
                 @%p1 st.relaxed.gpu.global.u32 {address}, %r{register};"
            ),
            Op::Swap(_) => format!("@%p1 atom.global.exch.b32 %r{register}, {address}, {value};"),
        }
    }

    /// A warp may perform its next operation; at the barrier it waits for the others of its CTA.
    fn passes(&self, warp: usize, at: &[usize]) -> bool {
        let per_cta = self.per_cta as usize;
        let mut others = (0..at.len()).filter(|other| other / per_cta == warp / per_cta);
        let has_come = |other: usize| at[other] >= self.before.min(self.warps[other].len());
        at[warp] < self.before || others.all(has_come)
    }

    /// Gives a machine its memory: the addresses of words and of results.
    fn load(&self, machine: &mut Machine) -> [u64; 2] {
        let mut device = Device::default();
        device.allocate("the variables of the module", 0);
        let words = device.allocate("words", (WORDS * self.apart) as usize);
        let results = device.allocate("results", 4 * 4 * MOST);
        machine.load(device, &[]);
        [words, results]
    }

    /// Values that operations loaded or stored, by warp and place. All words are 0 before.
    fn run(
        &self,
        machine: &mut Machine,
        [words, results]: [u64; 2],
    ) -> Result<Vec<u32>, LaunchError> {
        assert!(machine.write(words, &vec![0; (WORDS * self.apart) as usize]), "allocated");
        let module = Module::parse("racy.ptx", &self.ptx()).unwrap_or_else(|it| panic!("{it}"));
        let image = Image::new(module.lower(["racy"]).expect("a kernel"));
        let launch = Launch {
            grid: [(self.warps.len() as u32).div_ceil(self.per_cta), 1, 1],
            block: [32 * self.per_cta, 1, 1],
            parameters: [words, results].iter().flat_map(|at| at.to_le_bytes()).collect(),
            resident: 4,
            watchdog: 1_000_000,
            ..Launch::default()
        };
        machine.run(&image, &image.program.kernels[0], &launch)?;
        let bytes = machine.device().get(results, 4 * 4 * MOST).expect("allocated");
        Ok(bytes.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)).collect())
    }

    /// An interleaving of the warps gives these results.
    fn is_sequential(&self, results: &[u32]) -> bool {
        let mut seen = HashSet::new();
        let mut open = vec![(vec![0usize; self.warps.len()], [0u32; WORDS as usize])];
        while let Some(state) = open.pop() {
            if !seen.insert(state.clone()) {
                continue;
            }
            let (at, memory) = state;
            if self.warps.iter().zip(&at).all(|(ops, at)| *at == ops.len()) {
                return true;
            }
            for warp in 0..self.warps.len() {
                let Some(op) = self.warps[warp].get(at[warp]) else { continue };
                if !self.passes(warp, &at) {
                    continue;
                }
                let found = results[warp * MOST + at[warp]];
                let (Op::Load(word) | Op::Store(word) | Op::Swap(word)) = *op;
                let mut memory = memory;
                let held = &mut memory[word as usize];
                if !matches!(op, Op::Store(_)) && *held != found {
                    continue;
                }
                if !matches!(op, Op::Load(_)) {
                    *held = value(warp, at[warp]);
                }
                let mut next = at.clone();
                next[warp] += 1;
                open.push((next, memory));
            }
        }
        false
    }
}

/// A setting from the environment.
fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|it| it.parse().ok()).unwrap_or(default)
}

fn small() -> Config {
    Config::preset(SEQUENTIAL.small).expect("a preset")
}

/// The first program whose results nobody's interleaving gives, or that the oracle does not take.
fn wrong(count: u32, config: &Config, change: impl Fn(&mut Machine)) -> Option<String> {
    let seed = setting("WARPSMITH_SEED", 1);
    println!("WARPSMITH_SEED={seed}");
    let settings = Proptest {
        cases: count,
        rng_seed: RngSeed::Fixed(seed),
        failure_persistence: None,
        max_shrink_iters: 200,
        ..Proptest::default()
    };
    let judged = TestRunner::new(settings).run(&programs(), |program| {
        let mut machine = Machine::new(config, SEQUENTIAL, Some(seed));
        change(&mut machine);
        let buffers = program.load(&mut machine);
        for _ in 0..3 {
            let fail = |what| Err(TestCaseError::fail(what));
            match program.run(&mut machine, buffers) {
                Ok(results) if program.is_sequential(&results) => {}
                Ok(results) => return fail(format!("no interleaving gives {results:?}")),
                Err(error) => return fail(error.to_string()),
            }
        }
        Ok(())
    });
    judged.err().map(|failure| failure.to_string())
}

#[test]
fn random_programs_end_as_an_interleaving_does() {
    let count = setting("WARPSMITH_PROGRAMS", 300) as u32;
    assert_eq!(wrong(count, &small(), |_| ()), None);
}

#[test]
#[ignore = "nightly: minutes"]
fn thousands_of_random_programs_end_as_an_interleaving_does() {
    let count = setting("WARPSMITH_PROGRAMS", 20_000) as u32;
    assert_eq!(wrong(count, &small(), |_| ()), None);
}

#[test]
fn time_rolls_over_in_random_programs() {
    let mut machine = Machine::new(&small(), SEQUENTIAL, Some(1));
    let ops = [Op::Store(0), Op::Store(1), Op::Load(0), Op::Store(0), Op::Swap(1)].to_vec();
    let program = Program { warps: vec![ops; 4], per_cta: 2, apart: 128, is_warm: true, before: 2 };
    let buffers = program.load(&mut machine);
    for _ in 0..50 {
        let results = program.run(&mut machine, buffers).unwrap_or_else(|error| panic!("{error}"));
        assert!(program.is_sequential(&results), "{results:?}");
    }
    let count = machine.counters().into_iter().find(|(name, _)| *name == "roll_overs");
    // A launch begins with one.
    assert!(count.is_some_and(|(_, count)| count > 50), "{count:?}");
}

#[test]
fn banks_as_rtl_change_nothing() {
    let rtl = RtlSettings {
        places: vec!["relativistic_l2".into()],
        backend: Backend::Native,
        dut: None,
        shadow: true,
    };
    let count = setting("WARPSMITH_PROGRAMS", 20) as u32;
    let put = |machine: &mut Machine| {
        machine.use_rtl(&rtl).unwrap_or_else(|error| panic!("{error}"));
    };
    assert_eq!(wrong(count, &small(), put), None);
}

/// An error shows: in results that no interleaving gives, or to the oracle.
fn is_found(error: PlantedError, has_oracle: bool) -> bool {
    let mut config = small();
    config.leases.check = has_oracle;
    // Words are evicted.
    (config.l2.bytes, config.l2.ways) = (2048, 1);
    let count = setting("WARPSMITH_PROGRAMS", 1000) as u32;
    wrong(count, &config, |machine| machine.plant(error)).is_some()
}

#[test]
fn every_planted_error_is_found() {
    let mut missed = Vec::new();
    for error in planted::ERRORS {
        let [by_oracle, by_search] = [true, false].map(|has_oracle| is_found(error, has_oracle));
        println!("{}: by the oracle {by_oracle}, by search {by_search}", error.name);
        if !by_oracle && !by_search {
            missed.push(error.name);
        }
    }
    assert_eq!(missed, [""; 0]);
}

/// Late loads answered by a line requested before them, roll-overs with messages in flight, stores at the memory time.
#[test]
fn the_rules_of_the_thesis_as_they_stand_are_unsound() {
    let mut config = small();
    config.leases.faithful = true;
    let found = wrong(setting("WARPSMITH_PROGRAMS", 1000) as u32, &config, |_| ());
    let found = found.expect("a violation");
    println!("{found}");
    assert!(found.contains("not sequentially consistent"), "{found}");
}
