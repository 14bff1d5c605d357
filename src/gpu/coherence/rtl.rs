//! The directory's RTL in the place of its reference, and the reference beside it as a judge.

use std::collections::VecDeque;
use std::fmt;
use std::path::PathBuf;

use warpsmith_blocks::block::Design;
use warpsmith_blocks::hmg_directory::{
    Directory as Reference, Invalidation, Op, Params, Request, Response,
};
use warpsmith_blocks::parameters::Parameters;
use warpsmith_rtl::PortLayout;
use warpsmith_testbench::backend::{Backend, BackendError, Models};
use warpsmith_testbench::dut::{Dut, DutError};
use warpsmith_testbench::model::Model;

use super::directory::{Cause, Directory, DirectoryMismatch, Output};

/// Clocks after which a circuit that has not answered is stuck.
const PATIENCE: u64 = 100_000;
/// Transfers that are kept for the report of a mismatch.
const KEPT: usize = 8;

/// How the RTL of directories is simulated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RtlSettings {
    /// The only GPM whose directory is RTL, by its number in the machine; none if all are.
    pub only: Option<u32>,
    /// Who simulates the circuit.
    pub backend: Backend,
    /// Verilog of somebody else in its place, simulated by Verilator.
    pub dut: Vec<PathBuf>,
    /// Whether the reference runs beside it, and every transfer is compared.
    pub shadow: bool,
}

/// Why directories cannot be RTL.
#[derive(Debug, thiserror::Error)]
pub enum RtlError {
    /// The memory system has none.
    #[error("the memory system {system} has no directories: nhcc and hmg have")]
    NoDirectory {
        /// Which.
        system: &'static str,
    },
    /// No such GPM.
    #[error("no GPM {gpm}: the machine has {gpms}")]
    NoGpm {
        /// Which, by its number in the machine.
        gpm: u32,
        /// How many there are.
        gpms: u32,
    },
    /// No circuit has these parameters.
    #[error("no directory has the parameters of this machine: {0}")]
    Parameters(String),
    /// The circuit cannot be simulated.
    #[error(transparent)]
    Backend(#[from] BackendError),
    /// The Verilog is not to be used.
    #[error(transparent)]
    Source(#[from] DutError),
}

/// Makes circuits; Verilog is built once for all.
pub(crate) struct Circuits {
    models: Models,
    layout: PortLayout,
    params: Params,
}

impl Circuits {
    pub(crate) fn new(params: &Params, settings: &RtlSettings) -> Result<Self, RtlError> {
        params.validate().map_err(|error| RtlError::Parameters(error.to_string()))?;
        let circuit = params.circuit();
        let layout = circuit.port_layout();
        let models = match settings.dut.is_empty() {
            true => Models::of_circuit(&circuit, settings.backend, false)?,
            false => {
                let source = Dut::of_files(&settings.dut).source(&circuit)?;
                Models::of_verilog(&source.verilog, &layout, false)?
            }
        };
        Ok(Self { models, layout, params: params.clone() })
    }

    /// The directory of a GPM, reset and initialised.
    pub(crate) fn directory(&self, gpm: u32, shadow: bool) -> Result<Box<dyn Directory>, RtlError> {
        let (self_gpu, self_gpm) = (gpm / self.params.gpms_per_gpu, gpm % self.params.gpms_per_gpu);
        let mut rtl = Rtl {
            model: self.models.instance()?,
            words: Words::new(&self.layout),
            inputs: vec![0; self.layout.input_words()],
            outputs: vec![0; self.layout.output_words()],
            queue: VecDeque::new(),
            under_way: VecDeque::new(),
            shadow: shadow.then(|| Shadow {
                reference: Reference::new(&self.params, self_gpm, self_gpu),
                invalidations: VecDeque::new(),
                responses: VecDeque::new(),
            }),
            gpm,
            clock: 0,
            idle: 0,
            compared: 0,
            history: VecDeque::new(),
            mismatch: None,
        };
        rtl.reset(self_gpm, self_gpu, &self.layout);
        Ok(Box::new(rtl))
    }
}

/// Where the ports lie.
#[derive(Debug)]
struct Words {
    req_valid: usize,
    req: [usize; 4],
    inv_ready: usize,
    resp_ready: usize,
    req_ready: usize,
    inv_valid: usize,
    inv: [usize; 2],
    resp_valid: usize,
    resp: [usize; 3],
    error_valid: usize,
}

impl Words {
    fn new(layout: &PortLayout) -> Self {
        let input = |name: &str| layout.input(name).map_or(0, |port| port.offset);
        let output = |name: &str| layout.output(name).map_or(0, |port| port.offset);
        Self {
            req_valid: input("req_valid"),
            req: ["req_op", "req_source_kind", "req_source_index", "req_address"].map(input),
            inv_ready: input("inv_ready"),
            resp_ready: input("resp_ready"),
            req_ready: output("req_ready"),
            inv_valid: output("inv_valid"),
            inv: ["inv_address", "inv_sharers"].map(output),
            resp_valid: output("resp_valid"),
            resp: ["resp_hit", "resp_allocated", "resp_evicted"].map(output),
            error_valid: output("error_valid"),
        }
    }
}

/// What the reference says is to come.
#[derive(Debug)]
struct Shadow {
    reference: Reference,
    invalidations: VecDeque<Invalidation>,
    responses: VecDeque<Response>,
}

/// A directory's circuit under simulation.
struct Rtl {
    model: Box<dyn Model>,
    words: Words,
    inputs: Vec<u64>,
    outputs: Vec<u64>,
    /// Requests that it has not taken.
    queue: VecDeque<(Request, Cause)>,
    /// Requests that it has not answered.
    under_way: VecDeque<(Request, Cause)>,
    shadow: Option<Shadow>,
    gpm: u32,
    clock: u64,
    /// Clocks since the last transfer.
    idle: u64,
    compared: u64,
    history: VecDeque<String>,
    mismatch: Option<DirectoryMismatch>,
}

impl fmt::Debug for Rtl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RTL of the directory of GPM {}", self.gpm)
    }
}

impl Rtl {
    fn reset(&mut self, self_gpm: u32, self_gpu: u32, layout: &PortLayout) {
        let mut set = |name: &str, value: u64| {
            if let Some(port) = layout.input(name) {
                self.inputs[port.offset] = value;
            }
        };
        set("self_gpm", self_gpm.into());
        set("self_gpu", self_gpu.into());
        set("rst", 1);
        self.model.clock(&self.inputs, &mut self.outputs);
        if let Some(port) = layout.input("rst") {
            self.inputs[port.offset] = 0;
        }
        let init_done = layout.output("init_done").map(|port| port.offset);
        // What a model says of the time before its reset means nothing.
        let _ = self.model.complaint();
        for _ in 0..PATIENCE {
            self.model.clock(&self.inputs, &mut self.outputs);
            if init_done.is_none_or(|at| self.outputs[at] != 0) {
                return;
            }
        }
    }

    fn differs(&mut self, what: String) {
        let (request, cause) = match self.under_way.front() {
            Some((request, cause)) => (Some(*request), *cause),
            None => (None, Cause::default()),
        };
        if self.mismatch.is_none() {
            let history = self.history.iter().cloned().collect();
            let (gpm, clock) = (self.gpm, self.clock);
            self.mismatch = Some(DirectoryMismatch { gpm, clock, request, cause, what, history });
        }
    }

    fn note(&mut self, line: String) {
        if self.history.len() == KEPT {
            self.history.pop_front();
        }
        self.history.push_back(line);
    }

    /// Compares a transfer with the one that the reference expects.
    fn compare<T: PartialEq + fmt::Display>(
        &mut self,
        channel: &str,
        found: T,
        expected: Option<T>,
    ) {
        self.compared += 1;
        match expected {
            Some(expected) if expected == found => {
                self.note(format!("clock {}: {channel} {found}", self.clock))
            }
            Some(expected) => self.differs(format!("{channel} expected {expected}, found {found}")),
            None => self.differs(format!("{channel} expected no transfer, found {found}")),
        }
    }

    fn taken(&mut self) {
        let Some((request, cause)) = self.queue.pop_front() else { return };
        self.under_way.push_back((request, cause));
        if let Some(shadow) = &mut self.shadow {
            let effect = shadow.reference.apply(&request);
            shadow.invalidations.extend(effect.invalidation);
            shadow.responses.push_back(effect.response);
            self.note(format!("clock {}: req {request}, of {cause}", self.clock));
        }
    }
}

impl Directory for Rtl {
    fn present(&mut self, request: &Request, cause: Cause, _: &mut Vec<Output>) {
        self.queue.push_back((*request, cause));
    }

    fn clock(&mut self, outputs: &mut Vec<Output>) -> bool {
        self.clock += 1;
        self.idle += 1;
        let offers = self.queue.front().copied();
        self.inputs[self.words.req_valid] = u64::from(offers.is_some());
        if let Some((request, _)) = offers {
            for (at, word) in self.words.req.into_iter().zip(request.encode()) {
                self.inputs[at] = word;
            }
        }
        self.inputs[self.words.inv_ready] = 1;
        self.inputs[self.words.resp_ready] = 1;
        let sound = self.model.clock(&self.inputs, &mut self.outputs);
        if offers.is_some() && self.outputs[self.words.req_ready] != 0 {
            self.idle = 0;
            self.taken();
        }
        if self.outputs[self.words.inv_valid] != 0 {
            self.idle = 0;
            let [address, sharers] = self.words.inv.map(|at| self.outputs[at]);
            let found = Invalidation { address, sharers };
            if let Some(shadow) = &mut self.shadow {
                let expected = shadow.invalidations.pop_front();
                self.compare("inv", found, expected);
            }
            let cause = self.under_way.front().map_or(Cause::default(), |it| it.1);
            outputs.push(Output::Invalidate(found, cause));
        }
        if self.outputs[self.words.resp_valid] != 0 {
            self.idle = 0;
            let [hit, allocated, evicted] = self.words.resp.map(|at| self.outputs[at] != 0);
            if let Some(shadow) = &mut self.shadow {
                let expected = shadow.responses.pop_front();
                self.compare("resp", Response { hit, allocated, evicted }, expected);
            }
            let answered = self.under_way.pop_front();
            if answered.is_some_and(|(request, _)| request.op == Some(Op::Release)) {
                outputs.push(Output::Released);
            }
        }
        if self.outputs[self.words.error_valid] != 0 {
            self.differs("error: the request has no meaning".into());
        }
        if !sound && let Some(complaint) = self.model.complaint() {
            self.differs(complaint);
        }
        if self.idle > PATIENCE {
            self.differs(format!("no transfer for {PATIENCE} clocks"));
        }
        self.is_busy()
    }

    fn is_busy(&self) -> bool {
        let waits = !self.queue.is_empty() || !self.under_way.is_empty();
        waits && self.mismatch.is_none()
    }

    fn compared(&self) -> u64 {
        self.compared
    }

    fn mismatch(&self) -> Option<&DirectoryMismatch> {
        self.mismatch.as_ref()
    }
}
