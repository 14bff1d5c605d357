//! Waves of a native simulation, as VCD or FST.
//!
//! A clock takes ten nanoseconds, with `clk` high in the first five: the values of clock `n` begin with the
//! edge at `10 n`. Scopes and names are those of the Verilog.

mod fst;
mod hierarchy;
mod vcd;

use std::io;
use std::path::{Path, PathBuf};

use crate::ports::words;
use crate::simulator::{SignalId, Simulator};
use hierarchy::{Item, hierarchy};

/// Nanoseconds of a clock.
const PERIOD: u64 = 10;

/// Why waves cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum WavesError {
    /// The file's extension is not a known format.
    #[error("{}: waves are written to .vcd or .fst", .0.display())]
    Format(PathBuf),
    /// The file cannot be written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The operating system's error.
        source: io::Error,
    },
}

/// A file format, open for changes of numbered traces.
trait Format: Send {
    /// Advances to a later time.
    fn time(&mut self, time: u64) -> io::Result<()>;
    /// Changes a trace's value: digits `0` and `1`, the most significant first.
    fn change(&mut self, trace: usize, digits: &[u8]) -> io::Result<()>;
    /// Flushes and completes the file.
    fn finish(&mut self) -> io::Result<()>;
}

/// A signal in the file. Names of the same net share a trace.
struct Trace {
    signal: SignalId,
    width: u32,
    /// Index in [`Waves::last`].
    last: usize,
}

/// An open wave file.
pub struct Waves {
    path: PathBuf,
    format: Box<dyn Format>,
    /// Trace 0 is `clk` and not included.
    traces: Vec<Trace>,
    /// The values last written.
    last: Vec<u64>,
    digits: Vec<u8>,
    /// Whether there is a sample.
    begun: bool,
    /// The clock of the next sample.
    clock: u64,
}

impl Waves {
    /// Creates a file with all of the simulator's named signals, from its current clock on. The extension `.vcd` or `.fst` selects the
    /// format.
    pub fn create(path: &Path, simulator: &Simulator) -> Result<Self, WavesError> {
        let (items, signals) = hierarchy(simulator);
        let extension = path.extension().and_then(|e| e.to_str()).map(str::to_ascii_lowercase);
        let format: io::Result<Box<dyn Format>> = match extension.as_deref() {
            Some("vcd") => vcd::Vcd::create(path, &items).map(|f| Box::new(f) as _),
            Some("fst") => fst::Fst::create(path, &items).map(|f| Box::new(f) as _),
            _ => return Err(WavesError::Format(path.to_owned())),
        };
        let format = format.map_err(|source| WavesError::Io { path: path.to_owned(), source })?;
        let mut last = 0;
        let traces: Vec<Trace> = signals
            .into_iter()
            .map(|signal| {
                let width = simulator.signals()[signal.index()].width;
                last += words(width);
                Trace { signal, width, last: last - words(width) }
            })
            .collect();
        Ok(Self {
            path: path.to_owned(),
            format,
            traces,
            last: vec![0; last],
            digits: Vec::new(),
            begun: false,
            clock: simulator.clocks(),
        })
    }

    /// Writes the changes since the last sample. Call it once per clock, after [`Simulator::evaluate`] with
    /// the clock's inputs and before [`Simulator::clock`], so that all values belong to one clock.
    ///
    /// # Panics
    /// If the simulator has not settled.
    #[track_caller]
    pub fn sample(&mut self, simulator: &Simulator) -> Result<(), WavesError> {
        assert!(simulator.is_settled(), "waves are sampled between evaluate and clock");
        let written = self.write_sample(simulator);
        self.begun = true;
        self.clock += 1;
        written.map_err(|source| self.error(source))
    }

    fn write_sample(&mut self, simulator: &Simulator) -> io::Result<()> {
        self.format.time(PERIOD * self.clock)?;
        self.format.change(0, b"1")?;
        for (number, trace) in (1..).zip(&self.traces) {
            let value = simulator.signal_words(trace.signal);
            let last = &mut self.last[trace.last..][..value.len()];
            if self.begun && last == value {
                continue;
            }
            last.copy_from_slice(value);
            self.digits.clear();
            let digit = |bit: u32| b'0' + (value[bit as usize / 64] >> (bit % 64) & 1) as u8;
            self.digits.extend((0..trace.width).rev().map(digit));
            self.format.change(number, &self.digits)?;
        }
        self.format.time(PERIOD * self.clock + PERIOD / 2)?;
        self.format.change(0, b"0")
    }

    /// Completes the file.
    pub fn finish(mut self) -> Result<(), WavesError> {
        let end = self.format.time(PERIOD * self.clock).and_then(|()| self.format.finish());
        end.map_err(|source| self.error(source))
    }

    fn error(&self, source: io::Error) -> WavesError {
        WavesError::Io { path: self.path.clone(), source }
    }
}
