//! A model's shared object, loaded into this process.

use std::ffi::{CStr, c_char, c_void};
use std::fmt;
use std::path::{Path, PathBuf};
use std::ptr::NonNull;

use libloading::Library;
use warpsmith_rtl::{PortLayout, PortSlot};

use super::build::Build;
use super::error::VerilatorError;
use super::{BuildOptions, VerilogSource};

/// A simulation in C++.
pub(super) type Simulation = NonNull<c_void>;

/// The functions of the shim; `shim.cpp` defines them.
#[derive(Clone, Copy)]
pub(super) struct Api {
    pub new: unsafe extern "C" fn() -> Option<Simulation>,
    pub delete: unsafe extern "C" fn(Simulation),
    pub clock: unsafe extern "C" fn(Simulation, *const u64, *mut u64) -> bool,
    pub power_up: unsafe extern "C" fn(Simulation, u64),
    pub stopped: unsafe extern "C" fn(Simulation) -> *const c_char,
    pub mute: unsafe extern "C" fn(Simulation),
    pub reset_clocks: unsafe extern "C" fn(Simulation, u64),
    pub open_waves: unsafe extern "C" fn(Simulation, *const c_char) -> bool,
    pub close_waves: unsafe extern "C" fn(Simulation),
}

/// A Verilated module loaded into this process. Any number of [instances](Self::instance) may run at the same
/// time, on any threads.
pub struct VerilatedLibrary {
    api: Api,
    path: PathBuf,
    from_cache: bool,
    pub(super) trace: bool,
    pub(super) input_words: usize,
    pub(super) output_words: usize,
    // The functions in `api` belong to it.
    _library: Library,
}

impl VerilatedLibrary {
    /// Verilates, compiles and loads a module, or loads it from the cache.
    ///
    /// The module must have the ports of `ports` with their widths, and no other input but a
    /// one-bit `clk`. Further outputs are allowed.
    ///
    /// # Errors
    ///
    /// - [`ToolMissing`](VerilatorError::ToolMissing), [`Tool`](VerilatorError::Tool): Verilator,
    ///   the C++ compiler or zlib is not there or does not run.
    /// - [`FileName`](VerilatorError::FileName), [`Verilate`](VerilatorError::Verilate): the
    ///   source is wrong.
    /// - [`MissingPort`](VerilatorError::MissingPort), [`PortWidth`](VerilatorError::PortWidth),
    ///   [`PortDirection`](VerilatorError::PortDirection),
    ///   [`ExtraInput`](VerilatorError::ExtraInput),
    ///   [`UnsupportedPort`](VerilatorError::UnsupportedPort),
    ///   [`ClockInLayout`](VerilatorError::ClockInLayout): module and layout differ.
    /// - [`Compile`](VerilatorError::Compile), [`Load`](VerilatorError::Load): the C++ toolchain
    ///   does not cope with the model.
    /// - [`Cache`](VerilatorError::Cache): the cache folder cannot be used.
    pub fn build(
        source: &VerilogSource,
        ports: &PortLayout,
        options: &BuildOptions,
    ) -> Result<Self, VerilatorError> {
        let build = Build::new(source, ports, options)?;
        let mut entry = build.library()?;
        let mut loaded = load(&entry.path, &build.key);
        if loaded.is_err() && !entry.made {
            // An intact entry that does not load was made on another system.
            build.discard()?;
            entry = build.library()?;
            loaded = load(&entry.path, &build.key);
        }
        let (library, api) =
            loaded.map_err(|reason| VerilatorError::Load { path: entry.path.clone(), reason })?;
        Ok(VerilatedLibrary {
            api,
            path: entry.path,
            from_cache: !entry.made,
            trace: options.trace,
            input_words: image_words(&ports.inputs),
            output_words: image_words(&ports.outputs),
            _library: library,
        })
    }

    /// The shared object.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether the shared object came from the cache.
    pub fn from_cache(&self) -> bool {
        self.from_cache
    }

    pub(super) fn api(&self) -> Api {
        self.api
    }
}

impl fmt::Debug for VerilatedLibrary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("VerilatedLibrary").field("path", &self.path).finish_non_exhaustive()
    }
}

/// Words that hold every slot, in any order.
fn image_words(slots: &[PortSlot]) -> usize {
    slots.iter().map(|slot| slot.range().end).max().unwrap_or(0)
}

/// Loads a shared object and checks that it is the model of that key.
fn load(path: &Path, key: &str) -> Result<(Library, Api), String> {
    // SAFETY: the file has the digest it was built with, and its initialisers are those of
    // Verilator's run-time library and of libstdc++, which expect nothing of the process.
    let library = unsafe { Library::new(path) }.map_err(|error| error.to_string())?;
    // SAFETY: in every version of the shim, `warpsmith_key` takes nothing and gives a string.
    let found = unsafe {
        let symbol = library.get::<unsafe extern "C" fn() -> *const c_char>(c"warpsmith_key");
        CStr::from_ptr(symbol.map_err(|error| error.to_string())?()).to_bytes().to_vec()
    };
    if found != key.as_bytes() {
        return Err("it is another model".to_owned());
    }
    // SAFETY: the key covers the text of the shim, so the signatures are those in `Api`.
    let api = unsafe {
        Api {
            new: symbol(&library, c"warpsmith_new")?,
            delete: symbol(&library, c"warpsmith_delete")?,
            clock: symbol(&library, c"warpsmith_clock")?,
            power_up: symbol(&library, c"warpsmith_power_up")?,
            stopped: symbol(&library, c"warpsmith_stopped")?,
            mute: symbol(&library, c"warpsmith_mute")?,
            reset_clocks: symbol(&library, c"warpsmith_reset_clocks")?,
            open_waves: symbol(&library, c"warpsmith_open_waves")?,
            close_waves: symbol(&library, c"warpsmith_close_waves")?,
        }
    };
    Ok((library, api))
}

/// A function of the library, without the library's lifetime.
///
/// # Safety
///
/// `name` must be a function of type `F`, and the library must outlive the result.
unsafe fn symbol<F: Copy>(library: &Library, name: &CStr) -> Result<F, String> {
    // SAFETY: the caller vouches for the type.
    let symbol = unsafe { library.get::<F>(name) }.map_err(|error| error.to_string())?;
    Ok(*symbol)
}
