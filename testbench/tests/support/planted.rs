//! Faults planted in the emitted Verilog of a block, selected by an input.

#![allow(dead_code, reason = "each test file uses a part")]

use std::num::NonZero;
use std::thread;

use warpsmith_blocks::block::Design;
use warpsmith_rtl::PortLayout;
use warpsmith_testbench::agents::Stalls;
use warpsmith_testbench::backend::{Variants, verilog_source};
use warpsmith_testbench::bench::Bench;
use warpsmith_testbench::cosim::{Plan, first_mismatch};
use warpsmith_testbench::verilator::VerilogSource;

use super::equal::design;
use super::tools;

/// Name and width of the chooser input.
const CHOOSER: (&str, u32) = ("fault", 16);

/// A block's emitted Verilog with faults. Fault 0 means none.
pub struct Planted {
    pub design: Box<dyn Design>,
    source: VerilogSource,
    layout: PortLayout,
    /// Description of each fault, from number 1 on.
    faults: Vec<String>,
}

impl Planted {
    pub fn new(block: &str, preset: &str) -> Self {
        let design = design(block, preset);
        let circuit = design.circuit();
        let source = verilog_source(&circuit).expect("it is emitted");
        let layout = circuit.port_layout();
        let mut planted = Self { design, source, layout, faults: Vec::new() };
        let top = format!("{}.v", planted.source.top);
        planted.give_chooser(&top);
        planted
    }

    pub fn text(&mut self, file: &str) -> &mut String {
        let found = self.source.files.iter_mut().find(|found| found.name == file);
        &mut found.unwrap_or_else(|| panic!("there is no {file}")).text
    }

    /// Replaces a text that occurs once.
    pub fn replace(&mut self, file: &str, from: &str, to: &str) {
        let text = self.text(file);
        assert_eq!(text.matches(from).count(), 1, "{from} in {file}");
        *text = text.replace(from, to);
    }

    /// Adds the chooser input to a module.
    pub fn give_chooser(&mut self, file: &str) {
        let (name, width) = CHOOSER;
        let input = format!("input  wire [{}:0] {name},", width - 1);
        self.replace(
            file,
            "    input  wire clk,\n",
            &format!("    {input}\n    input  wire clk,\n"),
        );
    }

    /// Connects an instance's chooser input in the top module.
    pub fn connect_chooser(&mut self, instance: &str) {
        let top = format!("{}.v", self.source.top);
        let from = format!(" {instance} (\n");
        self.replace(&top, &from, &format!("{from}        .fault(fault),\n"));
    }

    /// The condition under which the next fault is active.
    pub fn plant(&mut self, what: String) -> String {
        self.faults.push(what);
        format!("(fault == {})", self.faults.len())
    }

    /// Plants faults in a comparison of two signals: each ignores one bit.
    pub fn mask_bits(&mut self, file: &str, one: &str, operator: &str, other: &str, width: u32) {
        let first = self.faults.len() + 1;
        let bare = format!("{one} {operator} {other}");
        self.faults.extend((0..width).map(|bit| format!("bit {bit} of {bare}")));
        let range = format!("fault >= {first} && fault < {first} + {width}");
        let mask = format!("~(({range}) ? ({width}'d1 << (fault - {first})) : {width}'d0)");
        let masked = format!("({one} & {mask}) {operator} ({other} & {mask})");
        let in_brackets = format!("({bare})");
        match self.text(file).contains(&in_brackets) {
            true => self.replace(file, &in_brackets, &format!("({masked})")),
            false => self.replace(file, &format!("{bare};"), &format!("{masked};")),
        }
    }

    /// Asserts that each fault is found within that many requests, and that there is no difference without a
    /// fault.
    pub fn are_found_within(self, requests: u64) {
        if !tools::verilator() {
            return;
        }
        let circuit = self.design.circuit();
        let bench = Bench::new(&*self.design, &circuit);
        let (name, width) = CHOOSER;
        let variants = Variants::of_verilog(&self.source, &self.layout, name, width);
        let variants = variants.expect("it is built");
        let mismatch = |number: usize, requests| {
            let plan =
                Plan { requests, seed: 1, stream: 0, stalls: Stalls::Random, episodes: None };
            let models = variants.models(number as u64);
            first_mismatch(&bench, &models, &plan).expect("models")
        };
        assert!(mismatch(0, 20_000).is_none(), "without a fault there is no difference");
        // On every core: the largest of these tests takes longer than all others together.
        let cores = thread::available_parallelism().map_or(1, NonZero::get);
        let of_core = |core| {
            let numbers = (1 + core..=self.faults.len()).step_by(cores);
            let lost = numbers.filter(|&number| mismatch(number, requests).is_none());
            lost.map(|number| &self.faults[number - 1]).collect::<Vec<_>>()
        };
        let of_core = &of_core;
        let lost: Vec<_> = thread::scope(|scope| {
            let parts: Vec<_> = (0..cores).map(|core| scope.spawn(move || of_core(core))).collect();
            parts.into_iter().flat_map(|part| part.join().expect("no panic")).collect()
        });
        assert!(lost.is_empty(), "{} of {} faults: {lost:?}", lost.len(), self.faults.len());
        println!("{} faults found", self.faults.len());
    }
}
