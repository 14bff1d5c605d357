//! A write cache's circuit, driven and seen clock by clock.

use warpsmith_blocks::block::Design;
use warpsmith_blocks::qr_write_cache::{Params, Request};
use warpsmith_rtl::Simulator;
use warpsmith_rtl::simulator::Execution;

/// A level, with the words of its ports.
pub struct Level {
    simulator: Simulator,
    params: Params,
}

impl Level {
    /// A circuit after a reset.
    pub fn new(params: &Params) -> Self {
        let mut simulator = Simulator::new(&params.circuit()).expect("a circuit");
        // Compiling takes longer than the clocks of a run.
        simulator.set_execution(Execution::Interpreted);
        let mut level = Self { simulator, params: params.clone() };
        level.simulator.inputs_mut().fill(0);
        level.set("rst", &[1]);
        level.simulator.clock();
        level.simulator.inputs_mut().fill(0);
        level.simulator.evaluate();
        level
    }

    fn set(&mut self, port: &str, words: &[u64]) {
        let range = self.simulator.layout().input(port).expect("a port").range();
        self.simulator.inputs_mut()[range].copy_from_slice(words);
    }

    /// An output of this clock; outputs depend on registers alone.
    fn get(&self, port: &str) -> &[u64] {
        let range = self.simulator.layout().output(port).expect("a port").range();
        &self.simulator.outputs()[range]
    }

    pub fn is(&self, port: &str) -> bool {
        self.get(port)[0] != 0
    }

    /// What is offered on `down`.
    pub fn down(&self) -> Option<Request> {
        self.is("down_valid").then(|| {
            let head = ["op", "block", "bytes", "wavefront", "needs_ack"];
            let head: Vec<_> = head.iter().map(|f| self.get(&format!("down_{f}"))[0]).collect();
            Request::decode(&[&head[..], self.get("down_data")].concat())
        })
    }

    /// A block that is invalidated.
    pub fn inv(&self) -> Option<u64> {
        self.is("inv_valid").then(|| self.get("inv_block")[0])
    }

    /// The end of a release.
    pub fn ack(&self) -> Option<u64> {
        self.is("ack_valid").then(|| self.get("ack_wavefront")[0])
    }

    /// A read that hits: wavefront, bytes, and data.
    pub fn hit(&self) -> Option<(u64, u64, Vec<u64>)> {
        self.is("hit_valid").then(|| {
            (self.get("hit_wavefront")[0], self.get("hit_bytes")[0], self.get("hit_data").to_vec())
        })
    }

    /// What is offered in this clock.
    pub fn request(&mut self, request: Option<Request>) {
        self.set("req_valid", &[request.is_some().into()]);
        if let Some(request) = request {
            let payload = request.encode(&self.params);
            for (field, word) in ["op", "block", "bytes", "wavefront", "needs_ack"].iter().zip(0..)
            {
                self.set(&format!("req_{field}"), &payload[word..=word]);
            }
            self.set("req_data", &payload[5..]);
        }
    }

    pub fn down_ready(&mut self, ready: bool) {
        self.set("down_ready", &[ready.into()]);
    }

    /// Read caches that acknowledge an invalidation.
    pub fn inv_ack(&mut self, caches: u64) {
        self.set("inv_ack_valid", &[u64::from(caches != 0)]);
        self.set("inv_ack_caches", &[caches]);
    }

    pub fn done(&mut self, done: bool) {
        self.set("done_valid", &[done.into()]);
    }

    pub fn released(&mut self, wavefront: Option<u64>) {
        self.set("released_valid", &[wavefront.is_some().into()]);
        self.set("released_wavefront", &[wavefront.unwrap_or(0)]);
    }

    /// The edge; then the outputs are those of the next clock.
    pub fn clock(&mut self) {
        self.simulator.clock();
        self.simulator.evaluate();
    }
}
