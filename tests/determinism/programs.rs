//! Random programs, as racy as can be: loads, stores and atomics whose addresses depend on what was loaded before, with
//! barriers, fences, divergence, and clocks.

use std::fmt::Write;

use proptest::collection::vec;
use proptest::prelude::*;

/// Words of the buffer that all threads use.
pub const WORDS: u32 = 256;
/// Registers of a thread that programs compute with.
const REGISTERS: u8 = 6;

/// A step of every thread.
#[derive(Debug, Clone)]
pub enum Step {
    /// Loads `1 << size` bytes.
    Load {
        size: u8,
        to: u8,
        at: Address,
        is_volatile: bool,
    },
    /// Stores `1 << size` bytes.
    Store {
        size: u8,
        from: u8,
        at: Address,
    },
    /// Stores a word as a release, or loads one as an acquire.
    Synchronise {
        releases: bool,
        register: u8,
        at: Address,
    },
    /// Adds or exchanges a word; `to` takes the old value if there is one.
    Atomic {
        exchanges: bool,
        from: u8,
        to: Option<u8>,
        at: Address,
    },
    /// Mixes a register with another.
    Mix {
        to: u8,
        with: u8,
        by: u32,
    },
    /// Reads the clock.
    Clock {
        to: u8,
    },
    /// Allocates memory; the address goes to a register.
    Allocate {
        to: u8,
    },
    Fence,
    /// Each thread stores to its own word of shared memory, and after a barrier loads that of another.
    Exchange {
        register: u8,
        distance: u8,
    },
    /// Stores to a word of shared memory that another thread loads, without a barrier.
    Race {
        register: u8,
        distance: u8,
    },
    Barrier,
    /// Waits at a named barrier for any other wavefront.
    Meet {
        barrier: u8,
    },
    /// Lanes in which a bit of a register is set go one way, the others another.
    Branch {
        register: u8,
        bit: u8,
        then: Vec<Step>,
        otherwise: Vec<Step>,
    },
    /// Runs some steps several times.
    Repeat {
        times: u8,
        body: Vec<Step>,
    },
}

/// An address: a register, or the thread's number, and an offset, in the buffer.
#[derive(Debug, Clone, Copy)]
pub struct Address {
    register: Option<u8>,
    offset: u16,
}

/// A program and its launch.
#[derive(Debug, Clone)]
pub struct Racy {
    pub steps: Vec<Step>,
    pub ctas: u32,
    pub threads: u32,
    pub launches: u32,
    /// Instructions of a quantum.
    pub quantum: u32,
    pub bta: bool,
    pub dwp: bool,
    /// Whether it stores bytes and halves of words.
    pub has_bytes: bool,
    /// Whether threads race in shared memory.
    pub has_shared_races: bool,
}

fn address() -> impl Strategy<Value = Address> {
    let register = prop_oneof![2 => (0..REGISTERS).prop_map(Some), 1 => Just(None)];
    // A few words are used by all.
    let offset = prop_oneof![0..64u16, 0..4 * WORDS as u16];
    (register, offset).prop_map(|(register, offset)| Address { register, offset })
}

fn straight(sizes: std::ops::RangeInclusive<u8>) -> impl Strategy<Value = Step> + Clone {
    let register = || 0..REGISTERS;
    let load = (sizes.clone(), register(), address(), any::<bool>())
        .prop_map(|(size, to, at, is_volatile)| Step::Load { size, to, at, is_volatile });
    let store =
        (sizes, register(), address()).prop_map(|(size, from, at)| Step::Store { size, from, at });
    let synchronise = (any::<bool>(), register(), address())
        .prop_map(|(releases, register, at)| Step::Synchronise { releases, register, at });
    let to = prop_oneof![register().prop_map(Some), Just(None)];
    let atomic = (any::<bool>(), register(), to, address())
        .prop_map(|(exchanges, from, to, at)| Step::Atomic { exchanges, from, to, at });
    let mix = (register(), register(), any::<u32>()).prop_map(|(to, with, by)| Step::Mix {
        to,
        with,
        by,
    });
    let clock = register().prop_map(|to| Step::Clock { to });
    prop_oneof![
        6 => load.boxed(),
        6 => store.boxed(),
        1 => synchronise.boxed(),
        2 => atomic.boxed(),
        4 => mix.boxed(),
        1 => clock.boxed(),
        1 => register().prop_map(|to| Step::Allocate { to }).boxed(),
        1 => Just(Step::Fence).boxed(),
    ]
    .boxed()
}

/// Programs.
pub fn programs() -> impl Strategy<Value = Racy> {
    (any::<bool>(), any::<bool>()).prop_flat_map(|(has_bytes, has_shared_races)| {
        let straight = straight(if has_bytes { 0..=2 } else { 2..=2 });
        let body = vec(straight.clone(), 1..6).boxed();
        let branch = (0..REGISTERS, 0..5u8, body.clone(), body.clone()).prop_map(
            |(register, bit, then, otherwise)| Step::Branch { register, bit, then, otherwise },
        );
        let repeat = (2..6u8, body).prop_map(|(times, body)| Step::Repeat { times, body });
        let exchange = (0..REGISTERS, 1..32u8)
            .prop_map(|(register, distance)| Step::Exchange { register, distance });
        let race = (0..REGISTERS, 1..32u8)
            .prop_map(|(register, distance)| Step::Race { register, distance });
        let step = prop_oneof![
            8 => straight,
            2 => branch,
            2 => repeat,
            1 => exchange,
            u32::from(has_shared_races) => race,
            2 => Just(Step::Barrier),
            1 => (2..4u8).prop_map(|barrier| Step::Meet { barrier }),
        ];
        let launch = (
            prop_oneof![1..12u32, 12..48u32],
            prop_oneof![Just(32u32), Just(64), Just(96), 33..64u32],
            1..3u32,
        );
        let quanta = (prop_oneof![Just(24u32), Just(200)], any::<bool>(), any::<bool>());
        (vec(step, 2..24), launch, quanta).prop_map(move |(steps, launch, (quantum, bta, dwp))| {
            let (ctas, threads, launches) = launch;
            Racy { steps, ctas, threads, launches, quantum, bta, dwp, has_bytes, has_shared_races }
        })
    })
}

impl Racy {
    /// The module.
    pub fn ptx(&self) -> String {
        let mut text = Text::default();
        let shared = 4 * self.threads;
        text.line(".version 7.8\n.target sm_70\n.address_size 64");
        text.line(".extern .func (.param .b64 p) malloc(.param .b64 n);");
        text.line(".visible .entry racy(.param .u64 buffer) {");
        text.line(".reg .b32 %r<6>;\n.reg .b32 %l<6>;\n.reg .b32 %t<8>;\n.reg .b64 %d<8>;\n.reg .pred %p<64>;");
        text.line(&format!(".shared .align 4 .b8 exchange[{shared}];"));
        text.line("ld.param.u64 %d0, [buffer];\ncvta.to.global.u64 %d0, %d0;");
        text.line("mov.u32 %t0, %tid.x;\nmov.u32 %t1, %ctaid.x;");
        text.line(&format!("mad.lo.u32 %t2, %t1, {}, %t0;", self.threads));
        for register in 0..REGISTERS {
            let factor = 2_654_435_761u32.wrapping_mul(2 * u32::from(register) + 1);
            text.line(&format!(
                "mad.lo.u32 %r{register}, %t2, {factor}, {};",
                u32::from(register) * 77
            ));
        }
        self.steps.iter().for_each(|step| text.step(step, self.threads));
        text.line("ret;\n}");
        text.text
    }
}

/// A module that is written.
#[derive(Default)]
struct Text {
    text: String,
    labels: u32,
}

impl Text {
    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "{line}");
    }

    /// Puts an address in `%d2`, aligned to `1 << size` bytes.
    fn address(&mut self, at: Address, size: u8) {
        let mask = (4 * WORDS - 1) & !((1 << size) - 1);
        match at.register {
            Some(register) => self.line(&format!("shr.u32 %t3, %r{register}, 7;")),
            None => self.line("shl.b32 %t3, %t2, 2;"),
        }
        self.line(&format!("add.u32 %t3, %t3, {};\nand.b32 %t3, %t3, {mask};", at.offset));
        self.line("cvt.u64.u32 %d1, %t3;\nadd.u64 %d2, %d0, %d1;");
    }

    fn label(&mut self) -> u32 {
        self.labels += 1;
        self.labels
    }

    fn step(&mut self, step: &Step, threads: u32) {
        match step {
            Step::Load { size, to, at, is_volatile } => {
                self.address(*at, *size);
                let volatile = if *is_volatile { ".volatile" } else { "" };
                let ty = ["u8", "u16", "u32"][usize::from(*size)];
                // The value is used later, so that loads are in flight at the end of a quantum.
                self.line(&format!("xor.b32 %r{to}, %r{to}, %l{to};"));
                self.line(&format!("ld{volatile}.global.{ty} %l{to}, [%d2];"));
            }
            Step::Store { size, from, at } => {
                self.address(*at, *size);
                let ty = ["u8", "u16", "u32"][usize::from(*size)];
                self.line(&format!("st.global.{ty} [%d2], %r{from};"));
            }
            Step::Synchronise { releases, register, at } => {
                self.address(*at, 2);
                match releases {
                    true => self.line(&format!("st.release.gpu.global.u32 [%d2], %r{register};")),
                    false => self.line(&format!("ld.acquire.cta.global.u32 %l{register}, [%d2];")),
                }
            }
            Step::Atomic { exchanges, from, to, at } => {
                self.address(*at, 2);
                let op = if *exchanges { "exch.b32" } else { "add.u32" };
                match to {
                    Some(to) => self.line(&format!("atom.global.{op} %r{to}, [%d2], %r{from};")),
                    None => self.line(&format!("red.global.add.u32 [%d2], %r{from};")),
                }
            }
            Step::Mix { to, with, by } => {
                self.line(&format!("mad.lo.u32 %r{to}, %r{to}, {}, %r{with};", by | 1));
            }
            Step::Clock { to } => {
                self.line(&format!("mov.u32 %t4, %clock;\nadd.u32 %r{to}, %r{to}, %t4;"));
            }
            Step::Allocate { to } => {
                self.line("{ .param .b64 n; .param .b64 p; st.param.b64 [n], 40;");
                self.line("call (p), malloc, (n); ld.param.b64 %d3, [p]; }");
                self.line(&format!("cvt.u32.u64 %t4, %d3;\nxor.b32 %r{to}, %r{to}, %t4;"));
            }
            Step::Race { register, distance } => {
                self.line("mov.u32 %t3, exchange;\nshl.b32 %t4, %t0, 2;\nadd.u32 %t4, %t3, %t4;");
                self.line(&format!("st.shared.u32 [%t4], %r{register};"));
                self.load_shared(*register, *distance, threads);
            }
            // The last of an odd number waits for ever, and the launch is stuck.
            Step::Meet { barrier } => {
                self.line(&format!("bar.sync {barrier}, {};", if threads > 32 { 64 } else { 32 }));
            }
            Step::Fence => self.line("membar.gl;"),
            Step::Barrier => self.line("bar.sync 0;"),
            Step::Exchange { register, distance } => self.exchange(*register, *distance, threads),
            Step::Branch { register, bit, then, otherwise } => {
                let label = self.label();
                self.line(&format!("shr.u32 %t5, %r{register}, {bit};\nand.b32 %t5, %t5, 1;"));
                self.line(&format!("setp.eq.u32 %p{}, %t5, 0;", label % 64));
                self.line(&format!("@%p{} bra $else{label};", label % 64));
                then.iter().for_each(|step| self.step(step, threads));
                self.line(&format!("bra.uni $end{label};\n$else{label}:"));
                otherwise.iter().for_each(|step| self.step(step, threads));
                self.line(&format!("$end{label}:"));
            }
            Step::Repeat { times, body } => {
                let label = self.label();
                self.line(&format!("mov.u32 %t6, {times};\n$loop{label}:"));
                body.iter().for_each(|step| self.step(step, threads));
                self.line("sub.u32 %t6, %t6, 1;");
                self.line(&format!("setp.ne.u32 %p{}, %t6, 0;", label % 64));
                self.line(&format!("@%p{} bra $loop{label};", label % 64));
            }
        }
    }

    fn exchange(&mut self, register: u8, distance: u8, threads: u32) {
        self.line("mov.u32 %t3, exchange;\nshl.b32 %t4, %t0, 2;\nadd.u32 %t4, %t3, %t4;");
        self.line(&format!("bar.sync 1;\nst.shared.u32 [%t4], %r{register};\nbar.sync 1;"));
        self.load_shared(register, distance, threads);
    }

    /// Mixes a register with another thread's word of shared memory, whose address is in `%t3`.
    fn load_shared(&mut self, register: u8, distance: u8, threads: u32) {
        self.line(&format!("add.u32 %t4, %t0, {distance};\nrem.u32 %t4, %t4, {threads};"));
        self.line("shl.b32 %t4, %t4, 2;\nadd.u32 %t4, %t3, %t4;\nld.shared.u32 %t5, [%t4];");
        self.line(&format!("xor.b32 %r{register}, %r{register}, %t5;"));
    }
}
