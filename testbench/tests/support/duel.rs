//! A circuit in two simulations that run in lockstep: native and Verilated, or two circuits.

use std::path::Path;
use std::sync::Arc;

use warpsmith_rtl::{Bits, Module, PortLayout, Simulator};
use warpsmith_testbench::backend::verilog_source;
use warpsmith_testbench::verilator::{
    BuildOptions, VerilatedLibrary, VerilatedModel, VerilatorError, VerilogSource,
};

/// The two simulations. A value that is read must be equal in both.
pub struct Duel {
    native: Simulator,
    verilated: VerilatedModel,
    layout: PortLayout,
}

impl Duel {
    /// Both simulations at power-up. The build is cached for later runs.
    pub fn new(module: &Module) -> Self {
        let built = Self::build(module);
        built.unwrap_or_else(|error| panic!("{error}\n{}", text(module))).0
    }

    /// Both simulations of a circuit that is used once, so the build is not cached; none if Verilator fails
    /// internally, which says nothing about the circuit.
    #[allow(dead_code, reason = "only random circuits are not asked for again")]
    pub fn once(module: &Module) -> Option<Self> {
        let (duel, library) = match Self::build(module) {
            Err(VerilatorError::Verilate { log }) if log.contains("Internal Error") => {
                println!("{log}");
                return None;
            }
            built => built.unwrap_or_else(|error| panic!("{error}\n{}", text(module))),
        };
        let entry = library.path().parent().expect("a library lies in a folder");
        std::fs::remove_dir_all(entry).expect("the cache is writable");
        Some(duel)
    }

    /// Our circuit in the native simulator, and external Verilog with the same ports.
    #[allow(dead_code, reason = "few tests have Verilog from elsewhere")]
    pub fn against(module: &Module, source: &VerilogSource) -> Self {
        Self::build_against(module, source).unwrap_or_else(|error| panic!("{error}")).0
    }

    fn build(module: &Module) -> Result<(Self, Arc<VerilatedLibrary>), VerilatorError> {
        Self::build_against(module, &verilog_source(module).expect("no two modules of one name"))
    }

    fn build_against(
        module: &Module,
        source: &VerilogSource,
    ) -> Result<(Self, Arc<VerilatedLibrary>), VerilatorError> {
        let native = Simulator::new(module).expect("no combinational loop");
        let layout = module.port_layout();
        let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("verilator-cache");
        let options = BuildOptions { cache: Some(cache), ..BuildOptions::default() };
        let library = Arc::new(VerilatedLibrary::build(source, &layout, &options)?);
        Ok((Self { native, verilated: library.instance(), layout }, library))
    }

    /// One clock with reset and one without.
    pub fn reset(&mut self) {
        self.set("rst", 1);
        self.clock();
        self.set("rst", 0);
    }

    /// Sets an input of at most 64 bits.
    #[track_caller]
    pub fn set(&mut self, port: &str, value: u64) {
        let slot = self.layout.input(port);
        let width = slot.unwrap_or_else(|| panic!("no input {port}")).width;
        self.set_bits(port, &Bits::new(width, value));
    }

    /// Sets an input.
    #[track_caller]
    pub fn set_bits(&mut self, port: &str, value: &Bits) {
        self.native.set(port, value.clone());
        let range = self.layout.input(port).expect("the native simulation has it").range();
        self.verilated.inputs_mut()[range].copy_from_slice(value.words());
    }

    /// Settles, samples the outputs, makes a rising edge. No assertion may fail.
    #[track_caller]
    pub fn clock(&mut self) {
        self.native.clock();
        self.verilated.clock();
        assert_eq!(self.verilated.stopped(), None);
        if let Some(failure) = self.native.violations().first() {
            panic!("assertion `{}` failed: {}", failure.name, failure.doc);
        }
    }

    /// An output of at most 64 bits just before the last edge.
    #[track_caller]
    pub fn get(&self, port: &str) -> u64 {
        self.get_bits(port).to_u64().expect("a narrow output")
    }

    /// An output just before the last edge.
    #[track_caller]
    pub fn get_bits(&self, port: &str) -> Bits {
        let (native, verilated) = self.both(port);
        assert_eq!(
            native, verilated,
            "output `{port}`: native on the left, Verilated on the right"
        );
        native
    }

    /// An output of the native and of the Verilated simulation.
    #[track_caller]
    pub fn both(&self, port: &str) -> (Bits, Bits) {
        let native = self.native.get(port);
        let range = self.layout.output(port).expect("the native simulation has it").range();
        let verilated = Bits::from_words(native.width(), &self.verilated.outputs()[range]);
        (native, verilated)
    }
}

fn text(module: &Module) -> String {
    let source = verilog_source(module).expect("no two modules of one name");
    source.files.iter().map(|file| file.text.as_str()).collect()
}
