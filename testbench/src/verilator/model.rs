//! One instance of a Verilated module.

use std::ffi::{CStr, CString};
use std::fmt;
use std::fs::File;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::Arc;

use super::error::VerilatorError;
use super::library::{Api, Simulation, VerilatedLibrary};
use super::log::with_blanks;

/// In the reason why a module [stopped](VerilatedModel::stopped) that a memory's file is missing.
pub const NO_FILE: &str = "$readmem finds no file";

/// One running instance of a module. Dropping it ends the simulation and closes its waves.
pub struct VerilatedModel {
    simulation: Simulation,
    api: Api,
    inputs: Box<[u64]>,
    outputs: Box<[u64]>,
    library: Arc<VerilatedLibrary>,
}

// SAFETY: a simulation belongs to no thread. The shim tells Verilator at every call which instance
// the calling thread is about, and what instances share is locked or local to a thread. There is no
// `Sync`, so two threads never use one instance at the same time.
unsafe impl Send for VerilatedModel {}

impl VerilatedLibrary {
    /// A new instance of the module. Its registers and memories hold values that look random but
    /// are the same for every instance, and its inputs are zero.
    ///
    /// # Panics
    ///
    /// Panics when memory runs out.
    pub fn instance(self: &Arc<Self>) -> VerilatedModel {
        VerilatedModel::new(Arc::clone(self))
    }
}

impl VerilatedModel {
    fn new(library: Arc<VerilatedLibrary>) -> Self {
        let api = library.api();
        // SAFETY: the library is loaded, and `self.library` keeps it so.
        let simulation = unsafe { (api.new)() }.expect("no memory for another simulation");
        VerilatedModel {
            simulation,
            api,
            inputs: vec![0; library.input_words].into(),
            outputs: vec![0; library.output_words].into(),
            library,
        }
    }

    /// The library that this is an instance of.
    pub fn library(&self) -> &Arc<VerilatedLibrary> {
        &self.library
    }

    /// The input image, to be filled in before [`clock`](Self::clock). It keeps its contents from
    /// clock to clock. Bits above a port's width are ignored.
    pub fn inputs_mut(&mut self) -> &mut [u64] {
        &mut self.inputs
    }

    /// The output image as of the last [`clock`](Self::clock), zero before the first.
    pub fn outputs(&self) -> &[u64] {
        &self.outputs
    }

    /// Runs one clock: applies the inputs, lets them settle, stores the outputs, then raises the
    /// clock.
    ///
    /// The outputs are therefore those just before the edge, with the current inputs already seen
    /// through combinational paths. Once the module has [stopped](Self::stopped), nothing happens
    /// any more and the outputs stay as they are.
    #[inline]
    pub fn clock(&mut self) {
        // SAFETY: the simulation lives, and the images have the words of the layout's slots, whose offsets
        // were compiled into the library. Few callers need to know at every clock whether it stopped, so that
        // is a separate call.
        unsafe {
            (self.api.clock)(self.simulation, self.inputs.as_ptr(), self.outputs.as_mut_ptr());
        }
    }

    /// Like [`clock`](Self::clock), but with the caller's images in place of the model's. False
    /// once the module has [stopped](Self::stopped).
    ///
    /// # Panics
    ///
    /// Panics if the images are shorter than the model's.
    #[inline]
    pub fn clock_with(&mut self, inputs: &[u64], outputs: &mut [u64]) -> bool {
        assert!(inputs.len() >= self.inputs.len() && outputs.len() >= self.outputs.len());
        // SAFETY: as for `clock`; the length of the images was just checked.
        unsafe { (self.api.clock)(self.simulation, inputs.as_ptr(), outputs.as_mut_ptr()) }
    }

    /// Returns to power-up, even after the module has stopped: registers and memories are all zeros (a quarter
    /// of seeds), all ones (another quarter) or noise. Does nothing once waves are being written.
    pub fn power_up(&mut self, seed: u64) {
        // SAFETY: the simulation lives.
        unsafe { (self.api.power_up)(self.simulation, seed) }
    }

    /// Why the module stopped, with file and line if known: `$finish`, `$stop`, a failed
    /// assertion, a combinational loop that does not settle, or another loop that does not end.
    /// `None` while it runs. Until the end of [the reset](Self::expect_reset) the first three count in initial
    /// blocks only, and assertions count from one clock later on.
    ///
    /// The clock of a `$finish` still completes; any other reason aborts it.
    pub fn stopped(&self) -> Option<String> {
        // SAFETY: the simulation lives, and the string stays until the next call into it.
        unsafe {
            let message = (self.api.stopped)(self.simulation);
            (!message.is_null()).then(|| with_blanks(&CStr::from_ptr(message).to_string_lossy()))
        }
    }

    /// Says for how many clocks the module is reset after power-up; one unless said. Until then `$finish`,
    /// `$stop`, `$error`, `$fatal` and assertions do not count, nor does the module print, since its registers
    /// hold noise.
    pub fn expect_reset(&mut self, clocks: u64) {
        // SAFETY: the simulation lives.
        unsafe { (self.api.reset_clocks)(self.simulation, clocks) }
    }

    /// Suppresses further output of the module.
    pub fn mute(&mut self) {
        // SAFETY: the simulation lives.
        unsafe { (self.api.mute)(self.simulation) }
    }

    /// Writes waves in FST format from the next clock on, replacing an open wave file.
    ///
    /// Clock `n`, counted from the model's start, is low at time `2n` and high at `2n + 1`.
    ///
    /// # Errors
    ///
    /// [`NoWaves`](VerilatorError::NoWaves) if the model was built without them,
    /// [`Waves`](VerilatorError::Waves) if the file cannot be written.
    pub fn open_waves(&mut self, path: impl AsRef<Path>) -> Result<(), VerilatorError> {
        if !self.library.trace {
            return Err(VerilatorError::NoWaves);
        }
        self.close_waves();
        let path = path.as_ref();
        let error = |source| VerilatorError::Waves { path: path.to_owned(), source };
        let name = CString::new(path.as_os_str().as_bytes()).map_err(|e| error(e.into()))?;
        // Verilator does not report why it cannot open a file; the operating system does.
        File::create(path).map_err(error)?;
        // SAFETY: the simulation and the string live.
        if unsafe { (self.api.open_waves)(self.simulation, name.as_ptr()) } {
            Ok(())
        } else {
            Err(error(io::Error::other("Verilator cannot open the file")))
        }
    }

    /// Finishes the wave file, if one is open.
    pub fn close_waves(&mut self) {
        // SAFETY: the simulation lives.
        unsafe { (self.api.close_waves)(self.simulation) }
    }
}

impl Drop for VerilatedModel {
    fn drop(&mut self) {
        // SAFETY: the simulation lives, and nobody uses it from here on.
        unsafe { (self.api.delete)(self.simulation) }
    }
}

impl fmt::Debug for VerilatedModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("VerilatedModel")
            .field("library", &self.library)
            .field("inputs", &self.inputs)
            .field("outputs", &self.outputs)
            .finish_non_exhaustive()
    }
}
