//! dev
#![allow(missing_docs)]
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use warpsmith_blocks::block::{Block, Design};
use warpsmith_blocks::channel::{Channel, Strap};
use warpsmith_blocks::parameters::Settings;
use warpsmith_blocks::properties::{NoProperties, Properties};
use warpsmith_blocks::verification::*;
use warpsmith_rtl::Module;
use warpsmith_testbench::agents::Stalls;
use warpsmith_testbench::backend::{Backend, Models, Variants};
use warpsmith_testbench::bench::Bench;
use warpsmith_testbench::cosim::{Plan, first_mismatch};
use warpsmith_testbench::verilator::{VerilogFile, VerilogSource};
struct Alone<'d> {
    design: &'d dyn Design,
    by_properties: bool,
    reference: bool,
}
struct Anything;
impl Reference for Anything {
    fn accept(&mut self, _: usize, _: &[u64], _: &mut Outcome<'_>) {}
    fn taken(&mut self, channel: usize, payload: &[u64], outcome: &mut Outcome<'_>) {
        outcome.sink.expect(channel, payload);
    }
    fn state(&self) -> Vec<String> {
        Vec::new()
    }
}
impl Settings for Alone<'_> {
    fn params(&self) -> toml::Table {
        self.design.params()
    }
}
impl Design for Alone<'_> {
    fn block(&self) -> &'static Block {
        self.design.block()
    }
    fn circuit(&self) -> Module {
        self.design.circuit()
    }
    fn channels(&self) -> Vec<Channel> {
        self.design.channels()
    }
    fn straps(&self) -> Vec<Strap> {
        self.design.straps()
    }
    fn reference(&self, straps: &[u64]) -> Box<dyn Reference> {
        if self.reference { self.design.reference(straps) } else { Box::new(Anything) }
    }
    fn contract(&self, straps: &[u64]) -> Option<Box<dyn Contract>> {
        self.design.contract(straps).filter(|_| !self.by_properties)
    }
    fn stimulus(&self, straps: &[u64], stream: usize) -> Box<dyn Stimulus> {
        self.design.stimulus(straps, stream)
    }
    fn partner(&self) -> Option<Box<dyn Partner>> {
        self.design.partner()
    }
    fn exercise(&self) -> warpsmith_blocks::exercise::Exercise {
        self.design.exercise()
    }
    fn reachable(&self, c: usize) -> bool {
        self.design.reachable(c)
    }
    fn properties(&self, inside: bool) -> Result<Properties, NoProperties> {
        self.design.properties(inside)
    }
}
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let design = warpsmith_blocks::find(&a[1])
        .unwrap()
        .configure(
            "tiny",
            &std::env::var("SET")
                .unwrap_or_default()
                .split(',')
                .filter(|s| !s.is_empty())
                .map(|s| {
                    let (k, v) = s.split_once('=').unwrap();
                    (
                        k.to_string(),
                        match v {
                            "true" => toml::Value::Boolean(true),
                            v => toml::Value::Integer(v.parse().unwrap()),
                        },
                    )
                })
                .collect::<Vec<_>>(),
        )
        .unwrap();
    let requests: u64 = a[2].parse().unwrap();
    let mode = &a[3]; // alone | beside
    let circuit = design.circuit();
    let alone = [false, true].map(|by_properties| Alone {
        design: &*design,
        by_properties,
        reference: mode == "beside",
    });
    let [contract, properties] = [&alone[0], &alone[1]].map(|x| Bench::new(x, &circuit));
    let plan = Plan { requests, seed: 1, stream: 0, stalls: Stalls::Random, episodes: None };
    let native = Models::of_circuit(&circuit, Backend::Native, false).unwrap();
    for stream in 0..design.streams().len() {
        for (n, bench) in [("contract", &contract), ("properties", &properties)] {
            let t = std::time::Instant::now();
            let m = first_mismatch(bench, &native, &Plan { stream, ..plan }).unwrap();
            println!("{n} stream {stream}: {:.2} s", t.elapsed().as_secs_f64());
            if let Some(m) = m {
                println!("{m}");
            }
        }
    }
    // files: NAME.v:count:offset
    for spec in &a[4..] {
        let f: Vec<&str> = spec.split(',').collect();
        let count: u64 = f[1].parse().unwrap();
        let offset: u64 = f[2].parse().unwrap();
        let width = (count as u32 + 1).next_power_of_two().trailing_zeros();
        let source = VerilogSource {
            top: a[1].clone(),
            files: vec![VerilogFile {
                name: "m.v".into(),
                text: std::fs::read_to_string(f[0]).unwrap(),
            }],
        };
        let variants =
            Variants::of_verilog(&source, &circuit.port_layout(), "mutsel", width).unwrap();
        let next = AtomicUsize::new(1);
        let only: Vec<u64> = f[3..].iter().map(|n| n.parse().unwrap()).collect();
        let out = Mutex::new(Vec::new());
        std::thread::scope(|s| {
            for _ in 0..2 {
                s.spawn(|| {
                    loop {
                        let c = next.fetch_add(1, Ordering::Relaxed) as u64;
                        if c > count {
                            break;
                        }
                        if !only.is_empty() && !only.contains(&(c + offset)) {
                            continue;
                        }
                        let run =
                            |b: &Bench<'_>| first_mismatch(b, &variants.models(c), &plan).unwrap();
                        let x = run(&contract);
                        let y = run(&properties);
                        let show = |m: &Option<warpsmith_testbench::mismatch::Mismatch>| match m {
                            None => "-".to_string(),
                            Some(m) => match &m.rule {
                                Some(r) => format!("[{}] {}", r.rule, r.detail),
                                None => m.divergence.to_string(),
                            },
                        };
                        out.lock().unwrap().push((
                            c + offset,
                            x.is_some(),
                            y.is_some(),
                            show(&x),
                            show(&y),
                        ));
                    }
                });
            }
        });
        let mut out = out.into_inner().unwrap();
        out.sort();
        let (mut n, mut lost, mut more) = (0, 0, 0);
        for (c, x, y, sx, sy) in &out {
            if *x {
                n += 1
            }
            if *x && !*y {
                lost += 1;
                println!("LOST {c}: {sx}");
            }
            if !*x && *y {
                more += 1;
                println!("MORE {c}: {sy}");
            }
        }
        println!("{spec}: {n} found, {lost} lost, {more} more");
    }
}
