//! Transactions on the GPU beside GETM's paper (Ren, thesis, 4.3 to 4.7): `cargo bench --bench transactions`, or with
//! words to print only figures and tables whose names hold one of them; with `--only WORKLOAD` once or more for these
//! workloads, and with `--svg DIR` with a picture of each figure.
//!
//! Each workload runs in the size of table 4.3, at the concurrency of table 4.4 unless a figure varies it. GETM has
//! two columns: with the tables of its preset, and with nearly the entries that the paper has in all.

mod best;
mod figures;
mod machines;
#[path = "../table/mod.rs"]
mod table;

use std::collections::HashMap;
use std::path::PathBuf;

use figures::FIGURES;
use machines::Machine;
use table::{Mean, Sheet};
use warpsmith::gpu::memory::TransactionCounts;
use warpsmith::gpu::workloads::{ALL, Ran, Size, Workload};
use warpsmith_testbench::backend::Backend;

/// The runs so far, and the figure that is printed.
struct Bench {
    workloads: Vec<Workload>,
    ran: HashMap<String, Ran>,
    /// Whether the clocks of metadata tables are counted, which is slow.
    times_metadata: bool,
    sheet: Sheet,
}

/// What was counted of transactions, of a system that has them.
fn counts(ran: &Ran) -> TransactionCounts {
    ran.transactions.clone().unwrap_or_default()
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
    let is_wanted =
        |name: &str| words.is_empty() || words.iter().any(|word| name.contains(&word[..]));
    let is_asked = |it: &Workload| only.is_empty() || only.iter().any(|name| it.name == name);
    let workloads = ALL.into_iter().filter(|workload| workload.paper.is_some());
    let workloads: Vec<_> = workloads.filter(is_asked).collect();
    let wanted: Vec<_> = FIGURES.iter().filter(|figure| is_wanted(figure.name)).collect();
    if wanted.is_empty() || workloads.is_empty() {
        let figures = FIGURES.map(|figure| figure.name).join(", ");
        let names = ALL.map(|workload| workload.name).join(", ");
        eprintln!("no such figure or workload; there are: {figures}; {names}");
        std::process::exit(2);
    }
    let sheet = Sheet { figure: "", pictures };
    let mut bench = Bench { workloads, ran: HashMap::new(), times_metadata: false, sheet };
    for figure in wanted {
        println!("\n{}\npaper: {}", figure.name, figure.paper);
        bench.sheet.figure = figure.name;
        (figure.print)(&mut bench);
    }
}

impl Bench {
    /// A run, which is made once. It must be right.
    fn ran(&mut self, workload: Workload, machine: &Machine) -> &Ran {
        let Machine { system, config, .. } = machine;
        let times = self.times_metadata;
        let key = format!("{workload:?} {system:?} {config:?} {times}");
        self.ran.entry(key).or_insert_with(|| {
            let mut timed = Ok(());
            let ran = workload.run(Size::Paper, config, *system, None, |gpu| {
                if times {
                    timed = gpu.time_metadata(Backend::Native);
                }
            });
            timed.unwrap_or_else(|error| panic!("{error}"));
            ran.unwrap_or_else(|error| panic!("{workload:?} on {}: {error}", machine.name))
        })
    }

    /// A run at the concurrency of table 4.4.
    fn best(&mut self, workload: Workload, machine: &Machine) -> &Ran {
        let mut machine = machine.clone();
        let best = workload.best(machine.system);
        let limit = &mut machine.config.transactions.concurrency;
        *limit = best.unwrap_or(*limit);
        self.ran(workload, &machine)
    }

    /// A table with a row for each workload and the mean of each column, and its picture.
    fn table(
        &mut self,
        unit: &str,
        mean: Mean,
        columns: &[String],
        row: impl Fn(&mut Self, Workload) -> Vec<f64>,
    ) {
        let rows = self.workloads.clone().into_iter().map(|workload| {
            let name = workload.paper.map_or(workload.name, |paper| paper.name);
            (name.to_string(), row(self, workload))
        });
        let rows: Vec<_> = rows.collect();
        self.sheet.table(unit, mean, columns, rows.into_iter());
    }
}
