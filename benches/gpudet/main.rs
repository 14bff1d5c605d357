//! Figures of the GPUDet thesis: `cargo bench --bench gpudet`, or with words to print only figures whose names hold one of
//! them; with `--only PROGRAM` once or more for these programs, with `--svg DIR` with a picture of each figure, and with
//! `--small` at the sizes of tests.
//!
//! Times of GPUDet are those with circuits of `zbuffer_commit` in all partitions, in the native simulator.

mod figures;
#[allow(dead_code, reason = "tests use the oracle")]
mod programs;
#[path = "../table/mod.rs"]
mod table;

use std::collections::HashMap;
use std::path::PathBuf;
use std::rc::Rc;

use figures::FIGURES;
use programs::{Program, Ran, Size, programs};
use table::{Mean, Sheet};
use warpsmith::gpu::config::{CommitBy, Config};
use warpsmith::gpu::memory::System;
use warpsmith::gpu::systems::gpudet::{GPUDET, NONDET};
use warpsmith_testbench::backend::Backend;

/// The programs, and their runs so far.
struct Bench {
    programs: Rc<Vec<Program>>,
    ran: HashMap<String, Rc<Ran>>,
    sheet: Sheet,
}

fn main() {
    let mut words: Vec<_> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let mut option = |name: &str| {
        let at = words.iter().position(|word| word == name)?;
        let value = words.get(at + 1).cloned();
        words.drain(at..(at + 2).min(words.len()));
        value
    };
    let pictures = option("--svg").map(PathBuf::from);
    let only: Vec<_> = std::iter::from_fn(|| option("--only")).collect();
    let is_small = words.iter().any(|word| word == "--small");
    words.retain(|word| word != "--small");
    let is_wanted =
        |name: &str| words.is_empty() || words.iter().any(|word| name.contains(&word[..]));
    let mut all = programs(if is_small { Size::Small } else { Size::Compared });
    let known: Vec<_> = all.iter().map(|program| program.name).collect();
    all.retain(|program| only.is_empty() || only.iter().any(|name| program.name == name));
    let wanted: Vec<_> = FIGURES.iter().filter(|figure| is_wanted(figure.name)).collect();
    if wanted.is_empty() || all.is_empty() {
        let figures: Vec<_> = FIGURES.iter().map(|figure| figure.name).collect();
        eprintln!("no such figure or program: {}; {}", figures.join(", "), known.join(", "));
        std::process::exit(2);
    }
    let sheet = Sheet { figure: "", pictures };
    let mut bench = Bench { programs: Rc::new(all), ran: HashMap::new(), sheet };
    for figure in wanted {
        println!("\n{}\npaper: {}", figure.name, figure.paper);
        bench.sheet.figure = figure.name;
        (figure.print)(&mut bench);
    }
}

/// The machine of the thesis, changed.
fn machine(change: impl FnOnce(&mut Config)) -> Config {
    let mut config = Config::preset("gpudet_15").expect("a preset");
    change(&mut config);
    config
}

impl Bench {
    /// A run of GPUDet, which is made once: with circuits, unless locks commit.
    fn gpudet(&mut self, program: &Program, config: &Config) -> Rc<Ran> {
        self.ran(program, config, GPUDET, config.quanta.commit == CommitBy::Zbuffer)
    }

    /// A run of the machine without quanta.
    fn nondet(&mut self, program: &Program) -> Rc<Ran> {
        self.ran(program, &machine(|_| ()), NONDET, false)
    }

    fn ran(
        &mut self,
        program: &Program,
        config: &Config,
        system: System,
        has_circuits: bool,
    ) -> Rc<Ran> {
        let key = format!("{} {} {config:?} {has_circuits}", program.name, system.name);
        let run = || match has_circuits {
            true => program.run_with_circuits(config, system, Backend::Native),
            false => program.run(config, system, None),
        };
        Rc::clone(self.ran.entry(key).or_insert_with(|| Rc::new(run())))
    }

    /// A table with a row for each of some programs, and the mean of each column.
    fn table(
        &mut self,
        unit: &str,
        mean: Mean,
        columns: &[&str],
        is_wanted: impl Fn(&Program) -> bool,
        row: impl Fn(&mut Self, &Program) -> Vec<f64>,
    ) {
        let programs = Rc::clone(&self.programs);
        let rows = programs.iter().filter(|program| is_wanted(program));
        let rows: Vec<_> =
            rows.map(|program| (program.name.to_string(), row(self, program))).collect();
        let columns: Vec<_> = columns.iter().map(ToString::to_string).collect();
        self.sheet.table(unit, mean, &columns, rows.into_iter());
    }
}
