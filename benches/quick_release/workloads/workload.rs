//! A workload: its module, its data, what is launched, and what is in memory at its end.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use warpsmith::gpu::Statistics;
use warpsmith::gpu::isa;
use warpsmith::gpu::machine::{Launch, Machine};
use warpsmith::gpu::memory::Device;
use warpsmith::gpu::simt::Image;

/// The sizes of the comparison, or those of a quick test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Size {
    Compared,
    #[allow(dead_code, reason = "of tests")]
    Small,
}

impl Size {
    pub fn of(self, compared: usize, small: usize) -> usize {
        if self == Self::Compared { compared } else { small }
    }
}

/// A buffer in global memory: its address and its words.
#[derive(Debug, Clone, Copy)]
pub struct Buffer {
    pub address: u64,
    words: usize,
}

/// An argument of a kernel.
#[derive(Debug, Clone, Copy)]
pub enum Argument {
    At(Buffer),
    Word(u32),
    Real(f32),
    /// The number of the round, from 0 on.
    Round,
}

/// What the CPU does between launches.
type OnCpu = Box<dyn Fn(&mut Machine)>;

enum Step {
    Launch {
        kernel: &'static str,
        grid: [u32; 2],
        block: [u32; 2],
        arguments: Vec<Argument>,
    },
    /// The CPU reads and writes memory.
    Cpu(OnCpu),
}

/// How often the steps are made.
#[derive(Clone, Copy)]
pub enum Rounds {
    Of(u32),
    /// Until a word, which the CPU clears, is no longer set.
    While(Buffer),
}

/// What a buffer holds at the end.
enum Expected {
    Words(Vec<u32>),
    /// Up to rounding: the compiler fuses multiplications with additions.
    Reals(Vec<f32>),
}

pub struct Workload {
    pub name: &'static str,
    /// Its size, and what that is beside the caches.
    pub size: String,
    image: Image,
    device: Device,
    steps: Vec<Step>,
    rounds: Rounds,
    expected: Vec<(Buffer, Expected)>,
    random: Xoshiro256PlusPlus,
}

/// What a run took.
#[derive(Debug, Clone)]
pub struct Run {
    pub clocks: u64,
    pub launches: u32,
    pub instructions: u64,
    pub statistics: Statistics,
}

impl Workload {
    /// With the module of a file from the root of the repository.
    pub fn new(name: &'static str, size: String, file: &str) -> Self {
        let path = format!("{}/{file}", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(&path).expect("a kernel");
        Self {
            name,
            size,
            image: Image::new(isa::load(&path, &text).unwrap_or_else(|error| panic!("{error}"))),
            device: Device::default(),
            steps: Vec::new(),
            rounds: Rounds::Of(1),
            expected: Vec::new(),
            random: Xoshiro256PlusPlus::seed_from_u64(1),
        }
    }

    pub fn rounds(&mut self, rounds: Rounds) {
        self.rounds = rounds;
    }

    pub fn launch(
        &mut self,
        kernel: &'static str,
        grid: [usize; 2],
        block: [usize; 2],
        arguments: &[Argument],
    ) {
        let [grid, block] = [grid, block].map(|sides| sides.map(|side| side as u32));
        self.steps.push(Step::Launch { kernel, grid, block, arguments: arguments.to_vec() });
    }

    pub fn cpu(&mut self, work: impl Fn(&mut Machine) + 'static) {
        self.steps.push(Step::Cpu(Box::new(work)));
    }

    pub fn words<T: Word>(&mut self, values: &[T]) -> Buffer {
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.word().to_le_bytes()).collect();
        let address = self.device.allocate("a buffer", bytes.len());
        self.device.get_mut(address, bytes.len()).expect("allocated").copy_from_slice(&bytes);
        Buffer { address, words: values.len() }
    }

    pub fn zeros(&mut self, words: usize) -> Buffer {
        self.words(&vec![0u32; words])
    }

    pub fn integers(&mut self, count: usize, below: u32) -> Vec<u32> {
        (0..count).map(|_| self.random.random_range(0..below)).collect()
    }

    /// Numbers between 0 and 1.
    pub fn reals(&mut self, count: usize) -> Vec<f32> {
        (0..count).map(|_| self.random.random()).collect()
    }

    pub fn expect_words<T: Word>(&mut self, buffer: Buffer, values: &[T]) {
        let words = values.iter().map(|value| value.word()).collect();
        self.expected.push((buffer, Expected::Words(words)));
    }

    pub fn expect_reals(&mut self, buffer: Buffer, values: Vec<f32>) {
        self.expected.push((buffer, Expected::Reals(values)));
    }

    /// Runs it on a new machine.
    ///
    /// # Panics
    /// If a kernel fails, or memory does not hold what is expected.
    pub fn run(&self, machine: &mut Machine) -> Run {
        machine.load(self.device.clone(), &self.image.program.constants);
        let (mut clocks, mut launches, mut instructions) = (0, 0, 0);
        for round in 0.. {
            for step in &self.steps {
                match step {
                    Step::Cpu(work) => work(machine),
                    Step::Launch { kernel, grid, block, arguments } => {
                        let arguments = arguments.iter().map(|argument| argument.bytes(round));
                        let timed = self.start(machine, kernel, *grid, *block, arguments);
                        clocks += timed.0;
                        instructions += timed.1;
                        launches += 1;
                    }
                }
            }
            let goes_on = match self.rounds {
                Rounds::Of(rounds) => round + 1 < rounds,
                Rounds::While(set) => read(machine, set)[0] != 0,
            };
            if !goes_on {
                break;
            }
            if let Rounds::While(set) = self.rounds {
                assert!(machine.write(set.address, &[0; 4]), "allocated");
            }
        }
        self.check(machine);
        Run { clocks, launches, instructions, statistics: machine.statistics() }
    }

    fn start(
        &self,
        machine: &mut Machine,
        name: &str,
        grid: [u32; 2],
        block: [u32; 2],
        arguments: impl Iterator<Item = Vec<u8>>,
    ) -> (u64, u64) {
        let kernel = self.image.program.kernel(name).expect("the kernel");
        let mut parameters = vec![0; kernel.parameter_bytes as usize];
        for (parameter, argument) in kernel.parameters.iter().zip(arguments) {
            let start = parameter.offset as usize;
            parameters[start..start + argument.len()].copy_from_slice(&argument);
        }
        let [grid, block] = [grid, block].map(|[x, y]| [x, y, 1]);
        let (resident, watchdog) = (16, 1 << 40);
        let launch = Launch { grid, block, parameters, resident, watchdog, ..Launch::default() };
        let timed = machine.run(&self.image, kernel, &launch);
        let timed = timed.unwrap_or_else(|error| panic!("{}: {error}", self.name));
        (timed.cycles, timed.outcome.warp_instructions)
    }

    fn check(&self, machine: &Machine) {
        for (buffer, expected) in &self.expected {
            let found = read(machine, *buffer);
            match expected {
                Expected::Words(words) => {
                    let wrong = found.iter().zip(words).position(|(found, word)| found != word);
                    assert_eq!(wrong, None, "the first wrong word of {}", self.name);
                }
                Expected::Reals(values) => {
                    assert_eq!(found.len(), values.len(), "{}", self.name);
                    for (at, (found, value)) in found.iter().zip(values).enumerate() {
                        let (found, allowed) =
                            (f32::from_bits(*found), 1e-3 * value.abs().max(1.0));
                        let is_close = (found - value).abs() <= allowed;
                        assert!(is_close, "{}: {found} at {at} is not {value}", self.name);
                    }
                }
            }
        }
    }
}

/// The words of a buffer, as the CPU reads them.
pub fn read(machine: &Machine, buffer: Buffer) -> Vec<u32> {
    let bytes = machine.device().get(buffer.address, 4 * buffer.words).expect("allocated");
    let word = |bytes: &[u8]| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
    bytes.chunks_exact(4).map(word).collect()
}

impl Argument {
    fn bytes(self, round: u32) -> Vec<u8> {
        match self {
            Self::At(buffer) => buffer.address.to_le_bytes().to_vec(),
            Self::Word(word) => word.to_le_bytes().to_vec(),
            Self::Real(value) => value.to_le_bytes().to_vec(),
            Self::Round => round.to_le_bytes().to_vec(),
        }
    }
}

/// What has 32 bits.
pub trait Word: Copy {
    fn word(self) -> u32;
}

impl Word for u32 {
    fn word(self) -> u32 {
        self
    }
}

impl Word for f32 {
    fn word(self) -> u32 {
        self.to_bits()
    }
}
