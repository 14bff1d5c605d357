//! Determinism of kernels: their final state under many seeds, on a memory system, and beside the oracle.

use serde::Serialize;

use crate::config::Config;
use crate::isa::Kernel;
use crate::machine::{Launch, LaunchError, Machine, Oracle, Outcome, Write, digest_of_memory};
use crate::memory::{Device, RtlError, RtlSettings, System};
use crate::simt::Image;

/// Kernels with the memory that they are launched on.
#[derive(Debug, Clone, Copy)]
pub struct Program<'a> {
    /// The image of the kernels.
    pub image: &'a Image,
    /// Launches, one after the other.
    pub launches: &'a [(&'a Kernel, Launch)],
    /// Memory before the first launch.
    pub device: &'a Device,
    /// Const memory.
    pub constants: &'a [u8],
}

/// A machine and its memory system.
#[derive(Debug, Clone, Copy)]
pub struct OnMachine<'a> {
    /// The machine.
    pub config: &'a Config,
    /// The memory system.
    pub system: System,
    /// RTL in its places.
    pub rtl: &'a [RtlSettings],
}

/// The state that a program ends in.
#[derive(Debug, Clone)]
pub struct FinalState {
    /// Global memory.
    pub device: Device,
    /// Digests of registers at exit, instructions and output of each launch; or the fault that ended the last.
    pub launches: Vec<Result<Outcome, String>>,
    /// Counters of the memory system.
    pub counters: Vec<(&'static str, u64)>,
    /// Transfers of RTL that were compared.
    pub compared: u64,
}

/// Why there is no final state.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// RTL cannot be simulated.
    #[error(transparent)]
    Rtl(#[from] RtlError),
    /// A launch is refused, or RTL differs from its reference.
    #[error(transparent)]
    Launch(#[from] LaunchError),
}

/// A quantity in which two final states differ.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum Difference {
    /// A word of memory, and how many others.
    Memory {
        /// The buffer and the word in it.
        place: String,
        /// Its contents in both.
        values: [u32; 2],
        /// Words that differ.
        words: usize,
        /// Place of the word in the contents of memory.
        #[serde(skip)]
        at: usize,
    },
    /// Registers of threads at exit, instructions, output or fault of a launch.
    Launch {
        /// Its number.
        launch: usize,
        /// Its quantity.
        quantity: &'static str,
        /// Both.
        values: [String; 2],
    },
    /// A counter that must not depend on time.
    Counter {
        /// Its name.
        name: &'static str,
        /// Its value in both.
        values: [u64; 2],
    },
}

impl std::fmt::Display for Difference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Memory { place, values: [one, other], words, .. } => {
                write!(f, "{place} is {one:#x} and {other:#x}; {words} words differ")
            }
            Self::Launch { launch, quantity, values: [one, other] } => {
                write!(f, "launch {launch}: {quantity} is {one} and {other}")
            }
            Self::Counter { name, values: [one, other] } => {
                write!(f, "{name} is {one} and {other}")
            }
        }
    }
}

impl FinalState {
    /// Whether no launch has gone wrong. Memory and counters behind a fault have no meaning.
    fn has_ended(&self) -> bool {
        self.launches.iter().all(Result::is_ok)
    }

    /// Names the outcome: states with equal memory, registers, instructions and output have the same.
    pub fn digest(&self) -> String {
        let launches = self.launches.iter().map(|launch| match launch {
            Ok(outcome) => format!(
                "{} {} {}",
                outcome.registers.as_deref().unwrap_or_default(),
                outcome.warp_instructions,
                outcome.printed
            ),
            Err(fault) => fault.clone(),
        });
        let launches: Vec<_> = launches.collect();
        // Memory behind a fault has no meaning.
        let memory = if self.has_ended() { digest_of_memory(&self.device) } else { String::new() };
        format!("{memory} {}", launches.join(" "))
    }

    /// The first quantity in which two states differ, and of counters those of the names that both have.
    pub fn difference(&self, other: &Self, counters: &[&str]) -> Option<Difference> {
        self.difference_of_memory(other)
            .or_else(|| self.difference_of_launches(other))
            .or_else(|| self.difference_of_counters(other, counters))
    }

    fn difference_of_launches(&self, other: &Self) -> Option<Difference> {
        type Quantity = (&'static str, fn(&Outcome) -> String);
        const QUANTITIES: [Quantity; 4] = [
            ("the output", |outcome| outcome.printed.clone()),
            ("the number of warp instructions", |outcome| outcome.warp_instructions.to_string()),
            ("the number of thread instructions", |outcome| {
                outcome.thread_instructions.to_string()
            }),
            ("the digest of registers at exit", |outcome| {
                outcome.registers.clone().unwrap_or_default()
            }),
        ];
        let pairs = self.launches.iter().zip(&other.launches).enumerate();
        for (launch, (one, other)) in pairs {
            let (quantity, values) = match (one, other) {
                (Ok(one), Ok(other)) => {
                    let both = |of: fn(&Outcome) -> String| [of(one), of(other)];
                    let different = |(_, of): &&Quantity| both(*of)[0] != both(*of)[1];
                    let Some((name, of)) = QUANTITIES.iter().find(different) else { continue };
                    (*name, both(*of))
                }
                (one, other) => {
                    let text = |of: &Result<Outcome, String>| match of {
                        Ok(_) => "no fault".to_string(),
                        Err(fault) => fault.clone(),
                    };
                    if text(one) == text(other) {
                        continue;
                    }
                    ("the end", [text(one), text(other)])
                }
            };
            return Some(Difference::Launch { launch, quantity, values });
        }
        None
    }

    fn difference_of_memory(&self, other: &Self) -> Option<Difference> {
        if !self.has_ended() || !other.has_ended() {
            return None;
        }
        let words = |device: &Device| -> Vec<u32> {
            let word = |bytes: &[u8]| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
            device.bytes().chunks_exact(4).map(word).collect()
        };
        let (one, two) = (words(&self.device), words(&other.device));
        let differ = one.iter().zip(&two).enumerate().filter(|(_, (one, two))| one != two);
        let (at, (one, two)) = differ.clone().next()?;
        let (place, values) = (self.device.name_of(at * 4), [*one, *two]);
        Some(Difference::Memory { place, values, words: differ.count(), at: at * 4 })
    }

    fn difference_of_counters(&self, other: &Self, names: &[&str]) -> Option<Difference> {
        if !self.has_ended() || !other.has_ended() {
            return None;
        }
        let differs = |(name, one): &(&'static str, u64)| {
            let two = other.counters.iter().find(|(other, _)| other == name)?.1;
            let differs = names.contains(name) && *one != two;
            differs.then_some(Difference::Counter { name, values: [*one, two] })
        };
        self.counters.iter().find_map(differs)
    }
}

impl Program<'_> {
    /// Runs it on the timed machine, perturbed by a seed.
    ///
    /// # Errors
    /// If a launch is refused, or RTL cannot be simulated or differs from its reference.
    pub fn run(&self, on: OnMachine, seed: Option<u64>) -> Result<FinalState, RunError> {
        self.run_with(on, seed, |_| ())
    }

    /// Runs it on a machine that is changed before the first launch, such as by a planted error.
    ///
    /// # Errors
    /// As [`Program::run`].
    pub fn run_with(
        &self,
        on: OnMachine,
        seed: Option<u64>,
        change: impl Fn(&mut Machine),
    ) -> Result<FinalState, RunError> {
        let mut machine = Machine::new(on.config, on.system, seed);
        for settings in on.rtl {
            machine.use_rtl(settings)?;
        }
        change(&mut machine);
        machine.load(self.device.clone(), self.constants);
        let launches =
            self.all(|kernel, launch| Ok(machine.run(self.image, kernel, launch)?.outcome))?;
        let (counters, compared) = (machine.counters(), machine.compared());
        Ok(FinalState { counters, compared, device: machine.into_device(), launches })
    }

    /// Who wrote a word last in a run, by the word's place in the contents of memory: of the stores of its final value the
    /// one that was issued last, or else the last of all. Words that are loaded before a run have no writer.
    ///
    /// # Errors
    /// As [`Program::run`].
    pub fn last_writer(
        &self,
        on: OnMachine,
        seed: Option<u64>,
        place: usize,
    ) -> Result<Option<Write>, RunError> {
        let mut machine = Machine::new(on.config, on.system, seed);
        for settings in on.rtl {
            machine.use_rtl(settings)?;
        }
        machine.load(self.device.clone(), self.constants);
        machine.watch(place);
        self.all(|kernel, launch| Ok(machine.run(self.image, kernel, launch)?.outcome))?;
        let bytes = machine.device().bytes().get(place..place + 4);
        let last = bytes.and_then(|it| it.try_into().ok()).map(u32::from_le_bytes);
        let writes = machine.writes();
        let fits = writes.iter().rfind(|write| write.value.is_some() && write.value == last);
        Ok(fits.or(writes.last()).cloned())
    }

    /// Runs it on the oracle of quanta.
    ///
    /// # Errors
    /// If a launch is refused.
    pub fn run_on_oracle(&self, config: &Config) -> Result<FinalState, RunError> {
        let mut oracle = Oracle::new(config, self.device.clone(), self.constants);
        let launches = self.all(|kernel, launch| oracle.run(self.image, kernel, launch))?;
        let (counters, device) = (oracle.counters(), oracle.device().clone());
        Ok(FinalState { device, launches, counters, compared: 0 })
    }

    /// Runs all launches, until one goes wrong.
    fn all(
        &self,
        mut run: impl FnMut(&Kernel, &Launch) -> Result<Outcome, LaunchError>,
    ) -> Result<Vec<Result<Outcome, String>>, LaunchError> {
        let mut all = Vec::new();
        for (kernel, launch) in self.launches {
            match run(kernel, &Launch { digest: true, ..launch.clone() }) {
                Ok(outcome) => all.push(Ok(outcome)),
                Err(LaunchError::Fault(fault)) => {
                    all.push(Err(fault.to_string()));
                    break;
                }
                Err(error) => return Err(error),
            }
        }
        Ok(all)
    }
}
