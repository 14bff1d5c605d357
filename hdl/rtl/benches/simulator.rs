//! Speed of the native simulator: `cargo bench -p warpsmith-rtl --bench simulator`.
//!
//! A small busy design, which measures the plain interpreter and compiled code, and a large one that is mostly
//! idle, which measures gating. Each figure is the best of several rounds, since other work on the machine only slows a
//! round down.

use std::time::Instant;

use warpsmith_rtl::library::h3::H3;
use warpsmith_rtl::netlist::Keep;
use warpsmith_rtl::simulator::{Execution, GatingMode};
use warpsmith_rtl::{Collision, Module, ModuleBuilder, Netlist, Simulator};

/// Target in node evaluations per second.
const TARGET: f64 = 300e6;

/// A hash table of two ways in hashed RAMs behind a queue of eight requests. Every state takes a clock: a
/// look-up takes three, an insertion four.
fn hash_table(index_bits: u32) -> Module {
    const KEY: u32 = 32;
    let m = ModuleBuilder::new("hash_table");
    let valid = m.input("request_valid", 1);
    let request = m.input("request", KEY + 17);

    let head = m.reg("head", 3, 0);
    let tail = m.reg("tail", 3, 0);
    let count = m.reg("count", 4, 0);
    let ready = m.output("request_ready", !count.bit(3));
    let push = (valid & ready).named("push");
    let pop = m.wire("pop", 1);
    let queue = m.memory("queue", 8, KEY + 17, 1, Collision::ReadFirst);
    queue.write(push, *tail, request);
    m.when(push, || tail.set(*tail + 1));
    m.when(*pop, || head.set(*head + 1));
    m.when(push & !*pop, || count.set(*count + 1));
    m.when(!push & *pop, || count.set(*count - 1));

    let [idle, read, compare, write] = m.states("state", ["idle", "read", "compare", "write"]);
    let state = m.reg("state", 2, 0);
    let current = queue.read("current", *pop, *head);
    let key = current.slice(0..KEY);
    let value = current.slice(KEY..KEY + 16);
    let insert = current.bit(KEY + 16);
    let reading = state.eq(read).named("reading");
    let victim = m.reg("victim", 1, 0);
    let entry = key.concat(value);
    let mut hits = Vec::new();
    let mut values = Vec::new();
    for way in 0..2u64 {
        m.scope(&format!("way_{way}"), || {
            let index = H3::new(KEY, index_bits, 7 + way).circuit(key).named("index");
            let ram = m.memory("ram", 1 << index_bits, KEY + 16, 1, Collision::Undefined);
            ram.write(state.eq(write) & victim.eq(way), index, entry);
            let row = ram.read("row", reading, index);
            hits.push(row.slice(16..16 + KEY).eq(key));
            values.push(row.slice(0..16));
        });
    }
    let hit = (hits[0] | hits[1]).named("hit");
    pop.set(m.lit(1, 0));
    m.switch(*state, |s| {
        s.case(idle, || {
            m.when(count.ne(0), || {
                pop.set(m.lit(1, 1));
                state.set(read);
            });
        });
        s.case(read, || state.set(compare));
        s.case(compare, || {
            m.when(insert & !hit, || state.set(write)).otherwise(|| state.set(idle));
        });
        s.case(write, || {
            state.set(idle);
            victim.set(!*victim);
        });
    });
    m.output("response_valid", state.eq(compare));
    m.output("response_hit", hit);
    m.output("response", hits[0].mux(values[0], values[1]));
    m.cover("inserted", state.eq(write), "an entry is written");
    m.assert("count_in_range", count.le(8), "the queue holds at most eight requests");
    m.finish()
}

/// Many hash tables, of which one gets the requests, or each gets all.
fn bank(instances: u32, broadcast: bool) -> Module {
    let inner = hash_table(6);
    let m = ModuleBuilder::new("bank");
    let select = m.input("select", 8);
    let valid = m.input("request_valid", 1);
    let request = m.input("request", 49);
    let mut any = m.lit(1, 0);
    for i in 0..instances {
        let chosen = if broadcast { valid } else { valid & select.eq(i) };
        let held = m.reg(&format!("request_{i}"), 49, 0);
        m.when(chosen, || held.set(request));
        let arrived = m.reg(&format!("arrived_{i}"), 1, 0);
        arrived.set(chosen);
        let inputs = [("request_valid", *arrived), ("request", *held)];
        let table = m.instance(&format!("u_table_{i}"), &inner, &inputs);
        any = any | (table.output("response_valid") & table.output("response_hit"));
    }
    m.output("hit", any);
    m.finish()
}

struct Stimulus(u64);

impl Stimulus {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

/// Clocks per second with requests of few keys, so that both hits and insertions happen; the best of several
/// rounds.
fn measure(simulator: &mut Simulator, clocks: u32, bank: bool) -> f64 {
    let mut stimulus = Stimulus(0x1234_5678_9abc_def1);
    simulator.inputs_mut().fill(0);
    simulator.inputs_mut()[0] = 1;
    simulator.clock();
    simulator.inputs_mut()[0] = 0;
    let mut best = 0.0f64;
    for _ in 0..7 {
        let start = Instant::now();
        for _ in 0..clocks {
            let word = stimulus.next();
            let inputs = simulator.inputs_mut();
            let first = if bank { 2 } else { 1 };
            inputs[first] = word >> 63;
            inputs[first + 1] = word & 0x1_0000_0fff;
            simulator.clock();
        }
        best = best.max(f64::from(clocks) / start.elapsed().as_secs_f64());
    }
    best
}

fn report(title: &str, nodes: usize, clocks: f64) {
    let evaluations = clocks * nodes as f64;
    println!(
        "{title:<20} {:>8.2} M clocks/s {:>8.0} M node evaluations/s {:>6.2} of target",
        clocks / 1e6,
        evaluations / 1e6,
        evaluations / TARGET
    );
}

fn main() {
    let small = hash_table(6);
    let named = Netlist::flatten(&small).expect("no loop");
    let lean = Netlist::flatten_keeping(&small, Keep::Observable).expect("no loop");
    compare("small, all names kept", named, 500_000, false);
    compare("small, observable only", lean, 500_000, false);
    for (title, broadcast) in [("large, one of 64 active", false), ("large, all 64 active", true)] {
        let large = Netlist::flatten(&bank(64, broadcast)).expect("no loop");
        let clocks = if broadcast { 5_000 } else { 20_000 };
        compare(title, large, clocks, true);
    }
    memory(&small);
}

/// Memory of this process after a short run and after one a hundred times as long.
fn memory(module: &Module) {
    let mut simulator = Simulator::new(module).expect("no loop");
    let resident = || {
        let status = std::fs::read_to_string("/proc/self/status").ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
        line.trim().split(' ').next()?.parse::<f64>().ok()
    };
    measure(&mut simulator, 20_000, false);
    let short = resident();
    measure(&mut simulator, 2_000_000, false);
    match short.zip(resident()) {
        Some((short, long)) => {
            println!("memory after 14 M clocks : after 0.14 M {:.3}", long / short)
        }
        None => println!("memory: not known on this system"),
    }
}

/// A design interpreted with and without gating, and compiled.
fn compare(title: &str, netlist: Netlist, clocks: u32, bank: bool) {
    let nodes = netlist.computed_nets();
    let mut simulator = Simulator::from_netlist(netlist);
    println!("{title}: {nodes} nodes computed by {} instructions", simulator.instructions());
    let mut rates = Vec::new();
    simulator.set_execution(Execution::Interpreted);
    for mode in [GatingMode::Never, GatingMode::Always, GatingMode::Adaptive] {
        simulator.set_gating(mode);
        let rate = measure(&mut simulator, clocks, bank);
        report(&format!("  gating {mode:?}"), nodes, rate);
        rates.push(rate);
    }
    println!(
        "  gated : ungated {:.2}, adaptive : ungated {:.2}",
        rates[1] / rates[0],
        rates[2] / rates[0]
    );
    simulator.set_execution(Execution::Adaptive);
    let start = Instant::now();
    simulator.compile().expect("this machine runs compiled designs");
    let milliseconds = start.elapsed().as_secs_f64() * 1e3;
    let compiled = measure(&mut simulator, clocks, bank);
    report("  compiled", nodes, compiled);
    println!(
        "  compiled : ungated {:.2}, compiled : gated {:.2}, compiling {milliseconds:.1} ms",
        compiled / rates[0],
        compiled / rates[1]
    );
    assert!(simulator.violations().is_empty());
}
