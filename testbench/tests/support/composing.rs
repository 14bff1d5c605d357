//! GPUs around the circuit of the composition scheduler: they finish groups, and their transfers take time.

#![allow(dead_code, reason = "each test file uses a part")]

use std::collections::VecDeque;

use warpsmith_blocks::block::Design;
use warpsmith_blocks::chopin_composition_scheduler::{Finished, Params, Start, Transfer};
use warpsmith_rtl::{Bits, Simulator};

/// The scheduler's circuit after a reset.
pub struct Machine {
    circuit: Simulator,
    params: Params,
    /// Clocks so far.
    pub clock: u64,
}

impl Machine {
    pub fn new(gpus: u32) -> Self {
        let params = Params { gpus, cgid_bits: 8 };
        let circuit = Simulator::new(&params.circuit()).expect("a circuit");
        let mut machine = Self { circuit, params, clock: 0 };
        // What the outputs show before the reset has no meaning.
        for (port, value) in [("rst", 1), ("finished_valid", 0), ("done_valid", 0)] {
            machine.set(port, 1, value);
        }
        machine.circuit.clock();
        machine.set("rst", 1, 0);
        machine
    }

    fn set(&mut self, port: &str, width: u32, value: u64) {
        self.circuit.set(port, Bits::new(width, value));
    }

    fn get(&self, port: &str) -> u64 {
        self.circuit.get(port).words()[0]
    }

    /// One clock. The start that is offered in it.
    pub fn step(
        &mut self,
        finished: Option<Finished>,
        done: Option<Transfer>,
        ready: bool,
    ) -> Option<Start> {
        let bits = self.params.gpu_bits();
        self.set("finished_valid", 1, finished.is_some().into());
        if let Some(Finished { gpu, transparent }) = finished {
            self.set("finished_gpu", bits, gpu);
            self.set("finished_transparent", 1, transparent.into());
        }
        self.set("done_valid", 1, done.is_some().into());
        if let Some(Transfer { src, dst }) = done {
            self.set("done_src", bits, src);
            self.set("done_dst", bits, dst);
        }
        self.set("start_ready", 1, ready.into());
        self.circuit.clock();
        self.clock += 1;
        assert_eq!((self.get("error_valid"), self.get("done_error_valid")), (0, 0));
        let [src, dst, cgid] = ["src", "dst", "cgid"].map(|f| self.get(&format!("start_{f}")));
        (self.get("start_valid") == 1).then_some(Start { src, dst, cgid })
    }

    /// Clocks in which nothing comes, and no start is taken.
    pub fn pause(&mut self, clocks: u32) {
        for _ in 0..clocks {
            self.step(None, None, false);
        }
    }

    /// The state of a register in a GPU's row.
    pub fn row(&self, gpu: u32, register: &str) -> u64 {
        let name = format!("row{gpu}.{register}");
        self.circuit.value(self.circuit.find(&name).expect("a register")).words()[0]
    }
}

/// A start of a transfer, or its end; the latter at one a clock.
pub struct Network<F> {
    /// Clocks that a transfer takes.
    clocks: F,
    under_way: Vec<(u64, Transfer)>,
    /// Transfers that have ended and are to be told.
    ended: VecDeque<Transfer>,
}

impl<F: FnMut() -> u64> Network<F> {
    pub fn new(clocks: F) -> Self {
        Self { clocks, under_way: Vec::new(), ended: VecDeque::new() }
    }

    /// A transfer whose end is told in this clock.
    pub fn ended(&mut self, clock: u64) -> Option<Transfer> {
        let is_due = |(end, _): &(u64, Transfer)| *end <= clock;
        while let Some(at) = self.under_way.iter().position(&is_due) {
            self.ended.push_back(self.under_way.remove(at).1);
        }
        self.ended.pop_front()
    }

    /// A start was taken in that clock.
    pub fn started(&mut self, clock: u64, start: &Start) {
        let Start { src, dst, .. } = *start;
        let busy = |other: &Transfer| {
            other.dst == dst || (src != dst && other.src == src && other.src != other.dst)
        };
        let others = self.under_way.iter().map(|(_, transfer)| transfer).chain(&self.ended);
        assert!(!others.into_iter().any(busy), "{start}: a GPU is busy");
        let end = clock + (self.clocks)();
        self.under_way.push((end, Transfer { src, dst }));
    }
}
