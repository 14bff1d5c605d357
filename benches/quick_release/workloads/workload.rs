//! A workload: its module, its data, what is launched, and what is in memory at its end.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use warpsmith::gpu::Statistics;
use warpsmith::gpu::isa::{self, Kernel};
use warpsmith::gpu::machine::{Launch, LaunchError, Machine, Oracle, Outcome};
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
type OnCpu = Box<dyn Fn(&mut dyn Computer)>;

/// Runs kernels and has memory.
pub trait Computer {
    fn load(&mut self, device: Device, constants: &[u8]);
    fn device(&self) -> &Device;
    /// Counts since it was made, if it counts.
    fn statistics(&self) -> Statistics {
        Statistics::default()
    }
    /// Writes memory between launches.
    fn write(&mut self, address: u64, bytes: &[u8]);
    /// Runs a kernel; gives its clocks.
    fn launch(
        &mut self,
        image: &Image,
        kernel: &Kernel,
        launch: &Launch,
    ) -> Result<(u64, Outcome), LaunchError>;
}

impl Computer for Machine {
    fn statistics(&self) -> Statistics {
        Machine::statistics(self)
    }

    fn load(&mut self, device: Device, constants: &[u8]) {
        Machine::load(self, device, constants);
    }

    fn device(&self) -> &Device {
        Machine::device(self)
    }

    fn write(&mut self, address: u64, bytes: &[u8]) {
        assert!(Machine::write(self, address, bytes), "allocated");
    }

    fn launch(
        &mut self,
        image: &Image,
        kernel: &Kernel,
        launch: &Launch,
    ) -> Result<(u64, Outcome), LaunchError> {
        self.run(image, kernel, launch).map(|timed| (timed.cycles, timed.outcome))
    }
}

impl Computer for Oracle {
    fn load(&mut self, device: Device, constants: &[u8]) {
        Oracle::load(self, device, constants);
    }

    fn device(&self) -> &Device {
        Oracle::device(self)
    }

    fn write(&mut self, address: u64, bytes: &[u8]) {
        let place = self.device_mut().get_mut(address, bytes.len());
        place.expect("allocated").copy_from_slice(bytes);
    }

    fn launch(
        &mut self,
        image: &Image,
        kernel: &Kernel,
        launch: &Launch,
    ) -> Result<(u64, Outcome), LaunchError> {
        Ok((0, self.run(image, kernel, launch)?))
    }
}

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
    /// Words that a judge takes.
    Judged(Judge),
}

/// Gives the first wrong word.
type Judge = Box<dyn Fn(&[u32]) -> Option<usize>>;

pub struct Workload {
    pub name: &'static str,
    /// Its size, and what that is beside the caches.
    pub size: String,
    pub image: Image,
    device: Device,
    steps: Vec<Step>,
    rounds: Rounds,
    expected: Vec<(Buffer, Expected)>,
    random: Xoshiro256PlusPlus,
    /// Whether the registers of threads at their exit are digested.
    pub digests: bool,
}

/// What a run took.
#[derive(Debug, Default, Clone)]
pub struct Run {
    pub clocks: u64,
    pub launches: u32,
    pub instructions: u64,
    /// Digests of registers at exit, if they were asked for.
    pub registers: Vec<Option<String>>,
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
            digests: false,
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

    pub fn cpu(&mut self, work: impl Fn(&mut dyn Computer) + 'static) {
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

    pub fn judge(&mut self, buffer: Buffer, judge: impl Fn(&[u32]) -> Option<usize> + 'static) {
        self.expected.push((buffer, Expected::Judged(Box::new(judge))));
    }

    /// Runs it on a new machine.
    ///
    /// # Panics
    /// If a kernel fails, or memory does not hold what is expected.
    pub fn run(&self, machine: &mut dyn Computer) -> Run {
        machine.load(self.device.clone(), &self.image.program.constants);
        let mut run = Run::default();
        for round in 0.. {
            for step in &self.steps {
                match step {
                    Step::Cpu(work) => work(machine),
                    Step::Launch { kernel, grid, block, arguments } => {
                        let arguments = arguments.iter().map(|argument| argument.bytes(round));
                        let (clocks, outcome) =
                            self.start(machine, kernel, *grid, *block, arguments);
                        run.clocks += clocks;
                        run.instructions += outcome.warp_instructions;
                        run.registers.push(outcome.registers);
                        run.launches += 1;
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
                machine.write(set.address, &[0; 4]);
            }
        }
        self.check(machine);
        run.statistics = machine.statistics();
        run
    }

    fn start(
        &self,
        machine: &mut dyn Computer,
        name: &str,
        grid: [u32; 2],
        block: [u32; 2],
        arguments: impl Iterator<Item = Vec<u8>>,
    ) -> (u64, Outcome) {
        let kernel = self.image.program.kernel(name).expect("the kernel");
        let mut parameters = vec![0; kernel.parameter_bytes as usize];
        for (parameter, argument) in kernel.parameters.iter().zip(arguments) {
            let start = parameter.offset as usize;
            parameters[start..start + argument.len()].copy_from_slice(&argument);
        }
        let [grid, block] = [grid, block].map(|[x, y]| [x, y, 1]);
        let (resident, watchdog, digest) = (16, 1 << 40, self.digests);
        let launch =
            Launch { grid, block, parameters, resident, watchdog, digest, ..Launch::default() };
        let ended = machine.launch(&self.image, kernel, &launch);
        ended.unwrap_or_else(|error| panic!("{}: {error}", self.name))
    }

    fn check(&self, machine: &dyn Computer) {
        for (buffer, expected) in &self.expected {
            let found = read(machine, *buffer);
            match expected {
                Expected::Words(words) => {
                    let wrong = found.iter().zip(words).position(|(found, word)| found != word);
                    assert_eq!(wrong, None, "the first wrong word of {}", self.name);
                }
                Expected::Judged(judge) => {
                    assert_eq!(judge(&found), None, "the first wrong word of {}", self.name);
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
pub fn read(machine: &dyn Computer, buffer: Buffer) -> Vec<u32> {
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
