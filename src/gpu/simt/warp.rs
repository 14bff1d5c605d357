//! A warp: 32 lanes that execute one instruction a step.

use super::access::{Access, Accessed, lanes_of};
use super::alu::Alu;
use super::copies::Copies;
use super::fetch::Fetches;
use super::identity::Identity;
use super::local::Local;
use super::problem::Problem;
use super::registers::{Image, LANES, Lanes, Registers, Word};
use super::stack::{Frame, Path, Stack};
use super::stage::Stage;
use super::step::Step;
use super::transaction::Checkpoint;
use super::warnings::Warnings;
use crate::isa::{Call, IndirectCall, Instruction, Kernel, Logic, Operation, Source, Target};
use crate::texture::Objects;

/// Deepest nesting of calls.
pub const MOST_CALLS: u32 = 1024;
/// Most local memory of a thread.
pub const MOST_LOCAL_BYTES: u32 = 512 << 10;

/// What a step needs besides the warp.
#[derive(Debug, Clone, Copy)]
pub struct Surroundings<'a> {
    /// The program.
    pub image: &'a Image,
    /// Parameters of the kernel.
    pub parameters: &'a [u8],
    /// Textures and surfaces.
    pub objects: &'a Objects,
    /// What `%clock` reads.
    pub clock: u64,
    /// Takes what a lenient run goes past; none in a strict one.
    pub warnings: Option<&'a Warnings>,
}

impl Surroundings<'_> {
    /// The same, and nothing is gone past.
    fn strict(self) -> Self {
        Self { warnings: None, ..self }
    }
}

/// Where a barrier with a result puts it.
#[derive(Debug, Clone, Copy)]
pub(super) enum Waiting {
    Nothing,
    Count(Target),
    Logic(Logic, Target),
}

/// A warp.
#[derive(Debug)]
pub struct Warp {
    /// Which threads it is.
    pub identity: Identity,
    pub(super) registers: Registers,
    pub(super) stack: Stack,
    pub(super) local: Local,
    pub(super) carry: u32,
    pub(super) waiting: Waiting,
    /// Lanes for which the instruction is still to be done: their addresses lie in another space.
    pub(super) left: u32,
    pub(super) copies: Copies,
    pub(super) fetches: Fetches,
    /// Where the transaction that is running began.
    pub(super) checkpoint: Option<Box<Checkpoint>>,
    pub(super) stage: Option<Box<Stage>>,
    pub(super) executed: u64,
    pub(super) lanes_executed: u64,
    /// Lanes that could not go on where all wait, and how many instructions had been executed then.
    pub(super) tried: (u32, u64),
    /// Branches backwards since the lanes diverged, or since some gave way. One of a loop that polls counts as many.
    pub(super) turns: u32,
    /// Memory that was accessed since the last branch backwards.
    pub(super) accessed: Accessed,
}

impl Warp {
    /// A warp at the beginning of a kernel.
    pub fn new(image: &Image, kernel: &Kernel, identity: Identity) -> Self {
        let body = image.program.body(kernel);
        let mut registers = Registers::default();
        let mut local = Local::default();
        let frame = Frame::of_kernel(body, &mut registers, &mut local);
        Self {
            identity,
            registers,
            stack: Stack::new(body.entry, identity.lanes(), frame),
            local,
            carry: 0,
            waiting: Waiting::Nothing,
            left: 0,
            copies: Copies::default(),
            fetches: Fetches::default(),
            checkpoint: None,
            stage: None,
            executed: 0,
            lanes_executed: 0,
            tried: (0, 0),
            turns: 0,
            accessed: Accessed::default(),
        }
    }

    /// Begins a kernel again, as a new warp would, with the memory of this one.
    pub fn restart(&mut self, image: &Image, kernel: &Kernel, identity: Identity) {
        let body = image.program.body(kernel);
        self.identity = identity;
        self.registers.clear();
        self.local.resize(u32::MAX, 0);
        let frame = Frame::of_kernel(body, &mut self.registers, &mut self.local);
        self.stack = Stack::new(body.entry, identity.lanes(), frame);
        (self.carry, self.left, self.waiting) = (0, 0, Waiting::Nothing);
        (self.copies, self.fetches) = (Copies::default(), Fetches::default());
        self.checkpoint = None;
        (self.executed, self.lanes_executed, self.turns, self.tried) = (0, 0, 0, (0, 0));
    }

    /// Instructions executed so far.
    pub fn executed(&self) -> u64 {
        self.executed
    }

    /// The same, counted for each lane.
    pub fn lanes_executed(&self) -> u64 {
        self.lanes_executed
    }

    /// Visits the bytes of all registers of its threads.
    pub fn for_each_register(&self, visit: impl FnMut(&[u8])) {
        self.registers.for_each(self.stack.frame().end, self.identity.lanes(), visit);
    }

    /// The paths of the warp, the one that runs first.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.stack.paths()
    }

    /// The lanes that run.
    pub fn running(&self) -> u32 {
        self.stack.top().map_or(0, |path| path.mask)
    }

    /// The next instruction and the lanes that will execute it.
    pub fn next<'a>(&self, image: &'a Image) -> Option<(&'a Instruction, u32)> {
        let path = self.stack.top()?;
        let instruction = image.program.code.get(path.pc as usize)?;
        let mask = match instruction.guard {
            Some(guard) => path.mask & self.registers.condition(image, guard),
            None => path.mask,
        };
        Some((instruction, if self.left == 0 { mask } else { self.left }))
    }

    /// Executes one instruction. On a problem, the lane it is in, if it is in one.
    pub fn step(
        &mut self,
        around: Surroundings,
        access: &mut Access,
    ) -> Result<Step, (Option<usize>, Problem)> {
        let Some((instruction, mask)) = self.next(around.image) else { return Ok(Step::Exited) };
        self.executed += 1;
        self.lanes_executed += u64::from(mask.count_ones());
        match &instruction.operation {
            Operation::Branch { target, reconverge } => {
                self.branch(mask, *target, *reconverge);
                Ok(Step::Done)
            }
            _ if mask == 0 => {
                self.advance();
                Ok(Step::Done)
            }
            Operation::Access(form) => self.access(form, mask, around, access),
            Operation::Copy(form) => self.copy(form, mask, around, access),
            Operation::CopyCommit | Operation::CopyWait { .. } | Operation::CopyArrive { .. } => {
                self.copy_group(&instruction.operation, mask, around)
            }
            Operation::Bulk(_) | Operation::BulkCommit | Operation::BulkWait { .. } => {
                self.bulk(&instruction.operation, mask, around)
            }
            Operation::ClusterBarrier(kind) => Ok(self.cluster_barrier(*kind, mask)),
            Operation::Exit => {
                let refused = self.refuse_in_transaction("the end of the kernel");
                refused.map_err(|problem| (None, problem))?;
                self.stack.leave_kernel(mask);
                self.select_window();
                Ok(if self.stack.top().is_none() { Step::Exited } else { Step::Done })
            }
            Operation::Call(call) => {
                self.call(call, mask, around.image).map_err(|problem| (None, problem))?;
                Ok(Step::Done)
            }
            Operation::CallIndirect(form) => {
                let called = self.call_indirectly(form, mask, around.image);
                called.map_err(|(lane, problem)| (Some(lane), problem))?;
                Ok(Step::Done)
            }
            Operation::Return => {
                if self.checkpoint.as_ref().is_some_and(|it| it.depth == self.depth()) {
                    return Err((None, Problem::InTransaction("the end of its function")));
                }
                self.leave(mask, around.image);
                Ok(Step::Done)
            }
            Operation::Trap => Err((None, Problem::Trap)),
            Operation::Sleep => {
                self.advance();
                self.give_way();
                Ok(Step::Done)
            }
            Operation::Barrier { .. }
                if self.checkpoint.is_none()
                    && mask != self.stack.live()
                    && self.set_aside(mask) =>
            {
                Ok(Step::Done)
            }
            barrier @ Operation::Barrier { .. } => {
                let refused = self.refuse_in_transaction("a barrier");
                refused.map_err(|problem| (None, problem))?;
                let arrival = self.arrive(around.image, mask, barrier);
                let arrival = arrival.map_err(|problem| (None, problem))?;
                self.advance();
                Ok(Step::Barrier(arrival))
            }
            Operation::Fence { order, scope } => {
                self.advance();
                Ok(Step::Fence(*order, self.scope(*scope)))
            }
            Operation::Shader(call) => {
                let step = self.shader(call, mask, around.image);
                let step = step.map_err(|(lane, problem)| (Some(lane), problem))?;
                self.advance();
                Ok(step)
            }
            Operation::Service(service) => {
                let step = self.service(*service, mask).map_err(|problem| (None, problem))?;
                self.advance();
                Ok(step)
            }
            operation => match self.compute(operation, mask, around.strict()) {
                Ok(()) => {
                    self.advance();
                    Ok(Step::Done)
                }
                Err(problem @ Problem::LanesElsewhere { .. }) => {
                    self.meet_or_wait(operation, mask, around, problem)
                }
                Err(problem) => Err((None, problem)),
            },
        }
    }

    pub(super) fn alu<'a>(&'a mut self, image: &'a Image, mask: u32) -> Alu<'a> {
        Alu { registers: &mut self.registers, image, mask, carry: &mut self.carry }
    }

    pub(super) fn row<'a, W: Word>(&'a self, image: &'a Image, source: Source) -> &'a Lanes<W> {
        W::row(&self.registers, image, source)
    }

    /// Calls that the lanes which run are in.
    pub(super) fn depth(&self) -> u32 {
        self.stack.top().map_or(0, |path| path.depth)
    }

    /// Where the frame that runs begins in local memory.
    pub(super) fn local_base(&self) -> u32 {
        self.stack.frame().local
    }

    fn call(&mut self, call: &Call, mask: u32, image: &Image) -> Result<(), Problem> {
        if let Some((entry, frame)) = self.enter(call.function, call, mask, image)? {
            self.stack.call(entry, mask, frame);
        }
        Ok(())
    }

    /// The lanes that call the same function as the first call it; the others follow.
    fn call_indirectly(
        &mut self,
        form: &IndirectCall,
        mask: u32,
        image: &Image,
    ) -> Result<(), (usize, Problem)> {
        let addresses = self.row::<u64>(image, form.address);
        let first = mask.trailing_zeros() as usize % LANES;
        let address = addresses[first];
        let same = lanes_of(mask).filter(|lane| addresses[*lane] == address);
        let group = same.fold(0, |group, lane| group | 1 << lane);
        let target = form.targets.binary_search_by_key(&address, |(address, _)| *address);
        let target = target.map_err(|_| (first, Problem::NoFunction { address }))?;
        let (_, function) = form.targets[target];
        let entry = self.enter(function, &form.call, group, image);
        if let Some((entry, frame)) = entry.map_err(|problem| (first, problem))? {
            self.stack.call_in_turn(entry, group, mask & !group, frame);
        }
        Ok(())
    }

    /// Makes the frame of a function and copies its parameters; where it begins.
    fn enter(
        &mut self,
        callee: u32,
        call: &Call,
        mask: u32,
        image: &Image,
    ) -> Result<Option<(u32, Frame)>, Problem> {
        let Some(function) = image.program.functions.get(callee as usize) else {
            return Ok(None);
        };
        let outer = *self.stack.frame();
        let depth = self.depth() + 1;
        // Lanes may have allocated different amounts.
        let taken = lanes_of(mask).map(|lane| self.local.bytes(lane)).max();
        let local = taken.unwrap_or_default().next_multiple_of(16);
        let bytes = local + function.frame_bytes;
        if depth > MOST_CALLS || bytes > MOST_LOCAL_BYTES {
            let (most_depth, most_bytes) = (MOST_CALLS, MOST_LOCAL_BYTES);
            return Err(Problem::TooDeep { depth, bytes, most_depth, most_bytes });
        }
        self.local.resize(mask, bytes);
        for copy in &call.into {
            let (from, to) = (outer.local + copy.outer, local + copy.inner);
            self.local.copy(mask, from, to, copy.bytes);
        }
        let call = self.stack.top().map_or(0, |path| path.pc);
        let end = self.registers.enter(outer.end, function.registers, mask);
        Ok(Some((function.entry, Frame { window: outer.end, end, local, fixed: bytes, call })))
    }

    /// Lanes return from a function: what they return goes to the frame of the caller.
    fn leave(&mut self, mask: u32, image: &Image) {
        let [outer, inner] = self.stack.last_frames();
        let back = match image.program.code.get(inner.call as usize).map(|it| &it.operation) {
            Some(Operation::Call(call)) => call.back,
            Some(Operation::CallIndirect(form)) => form.call.back,
            _ => None,
        };
        if let Some(copy) = back {
            self.local.copy(mask, inner.local + copy.inner, outer.local + copy.outer, copy.bytes);
        }
        self.local.resize(mask, inner.local);
        self.stack.leave_function(mask);
        self.select_window();
    }
}
