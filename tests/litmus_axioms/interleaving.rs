//! Programs whose outcomes are computed without axioms, by all interleavings of their instructions.

use std::collections::BTreeSet;

use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

const LOCATIONS: [&str; 2] = ["x", "y"];

#[derive(Clone, Copy)]
enum Access {
    Load(usize),
    Store(usize, u32),
    /// Stores the value that the thread loaded last, plus one.
    Pass(usize),
    /// Stores if the value that the thread loaded last is 0.
    StoreIf(usize, u32),
    Add(usize, u32),
    Exchange(usize, u32),
    CompareAndSwap(usize, u32, u32),
}

pub struct Program(Vec<Vec<Access>>);

/// The seed: `WARPSMITH_SEED`, or a fixed one.
pub fn random() -> (u64, Xoshiro256PlusPlus) {
    let given = std::env::var("WARPSMITH_SEED").ok().and_then(|seed| seed.parse().ok());
    let seed = given.unwrap_or(1);
    (seed, Xoshiro256PlusPlus::seed_from_u64(seed))
}

pub fn program(random: &mut Xoshiro256PlusPlus) -> Program {
    let threads = random.random_range(2..=3);
    let mut value = 0;
    let mut access = |random: &mut Xoshiro256PlusPlus| {
        let at = random.random_range(0..LOCATIONS.len());
        value += 1;
        match random.random_range(0..10) {
            0..4 => Access::Load(at),
            4..6 => Access::Store(at, value),
            6 => Access::Pass(at),
            7 => Access::StoreIf(at, value),
            8 => Access::Exchange(at, value),
            _ if random.random() => Access::Add(at, 8),
            _ => Access::CompareAndSwap(at, 0, value),
        }
    };
    let most = if threads == 2 { 3 } else { 2 };
    Program(
        (0..threads)
            .map(|_| (0..random.random_range(1..=most)).map(|_| access(random)).collect())
            .collect(),
    )
}

impl Program {
    /// The test: with random orders and scopes, or all strong with fences in between.
    pub fn text(&self, mut random: Option<&mut Xoshiro256PlusPlus>) -> String {
        let mut text = String::from("litmus T\ninit x=0 y=0\n");
        let mut one_of = |words: &[&str], strong: &str| match random.as_mut() {
            Some(random) => (*words.choose(random).expect("words")).to_string(),
            None => strong.to_string(),
        };
        let loads = ["weak", "relaxed.cta", "relaxed.sys", "acquire.sys"];
        let stores = ["weak", "relaxed.cta", "relaxed.sys", "release.sys"];
        let atomics = ["relaxed.cta", "relaxed.sys", "acq_rel.sys"];
        for thread in &self.0 {
            text += "thread\n mov r0 0\n";
            for (at, access) in thread.iter().enumerate() {
                if at > 0 {
                    let fence =
                        one_of(&["", "", "fence.acq_rel.sys", "fence.sc.sys"], "fence.sc.sys");
                    text += &format!(" {fence}\n");
                }
                let load = one_of(&loads, "relaxed.sys");
                let store = one_of(&stores, "relaxed.sys");
                let atom = one_of(&atomics, "relaxed.sys");
                let name = |location: usize| LOCATIONS[location];
                text += &match *access {
                    Access::Load(to) => format!(" ld.{load} r0 {}\n", name(to)),
                    Access::Store(to, value) => format!(" st.{store} {} {value}\n", name(to)),
                    Access::Pass(to) => format!(" add r1 r0 1\n st.{store} {} r1\n", name(to)),
                    Access::StoreIf(to, value) => {
                        format!(" if r0=0\n st.{store} {} {value}\n end\n", name(to))
                    }
                    Access::Add(to, value) => format!(" atom.{atom}.add r0 {} {value}\n", name(to)),
                    Access::Exchange(to, value) => {
                        format!(" atom.{atom}.exch r0 {} {value}\n", name(to))
                    }
                    Access::CompareAndSwap(to, old, new) => {
                        format!(" atom.{atom}.cas r0 {} {old} {new}\n", name(to))
                    }
                };
            }
        }
        text + "allowed x=0\n"
    }

    /// All possible outcomes, in the axioms' notation.
    pub fn interleavings(&self) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        let threads = self.0.len();
        self.go(&vec![0; threads], &vec![0; threads], [0; 2], &mut found);
        found
    }

    fn go(&self, at: &[usize], loaded: &[u32], memory: [u32; 2], found: &mut BTreeSet<String>) {
        let mut is_end = true;
        for thread in 0..self.0.len() {
            let Some(access) = self.0[thread].get(at[thread]) else { continue };
            is_end = false;
            let (mut at, mut loaded, mut memory) = (at.to_vec(), loaded.to_vec(), memory);
            at[thread] += 1;
            let register = &mut loaded[thread];
            match *access {
                Access::Load(from) => *register = memory[from],
                Access::Store(to, value) => memory[to] = value,
                Access::Pass(to) => memory[to] = *register + 1,
                Access::StoreIf(to, value) if *register == 0 => memory[to] = value,
                Access::StoreIf(..) => {}
                Access::Add(to, value) => {
                    *register = memory[to];
                    memory[to] += value;
                }
                Access::Exchange(to, value) => {
                    *register = std::mem::replace(&mut memory[to], value)
                }
                Access::CompareAndSwap(to, old, new) => {
                    *register = memory[to];
                    if memory[to] == old {
                        memory[to] = new;
                    }
                }
            }
            self.go(&at, &loaded, memory, found);
        }
        if is_end {
            let loads = |thread: &[Access]| {
                thread.iter().any(|it| {
                    !matches!(it, Access::Store(..) | Access::Pass(_) | Access::StoreIf(..))
                })
            };
            let registers = (0..self.0.len()).filter(|thread| loads(&self.0[*thread]));
            let mut words: Vec<_> =
                registers.map(|thread| format!("{thread}:r0={}", loaded[thread])).collect();
            words.extend(
                LOCATIONS.iter().zip(memory).map(|(name, value)| format!("{name}={value}")),
            );
            found.insert(words.join(" "));
        }
    }
}
