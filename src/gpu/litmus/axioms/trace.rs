//! What a thread may do, if its loads may return any of some values.

use super::Limit;
use super::values::Values;
use crate::isa::{AtomicOp, Kind as NumberKind, Order, Scope, Type};
use crate::litmus::branch::BranchCondition;
use crate::litmus::{
    Address, Check, Compute, Instruction, Kind, ProxyFence, REGISTERS, Strength, Value, Via,
};
use crate::simt;

/// Most events of a thread.
const EVENTS: usize = 64;
/// Most instructions of a thread, with its loops unrolled.
const UNROLLED: usize = 4096;
/// Most paths through a thread.
const WAYS: usize = 1 << 14;

/// An event of a thread.
#[derive(Debug, Clone)]
pub(super) struct Event {
    /// The line of the file.
    pub(super) line: usize,
    /// The instruction of the thread, with its loops unrolled.
    pub(super) step: usize,
    pub(super) what: What,
    pub(super) order: Order,
    pub(super) scope: Scope,
    pub(super) via: Via,
    /// Earlier events of the thread that it depends on, by address, data or control.
    pub(super) depends: u64,
    /// Whether it is the write of the read-modify-write whose read is the event before.
    pub(super) is_update: bool,
}

/// What an event does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum What {
    /// Location and value.
    Read(usize, u32),
    /// Location and value.
    Write(usize, u32),
    Fence,
    ProxyFence(ProxyFence),
    Barrier(BarrierEvent),
}

/// An arrival at a barrier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct BarrierEvent {
    /// Its number; none is the one of all threads of the CTA.
    pub(super) id: Option<u32>,
    /// Arrivals of a phase, if the test says how many.
    pub(super) count: Option<u32>,
    pub(super) waits: bool,
}

/// A path through a thread.
#[derive(Debug, Clone)]
pub(super) struct Trace {
    pub(super) events: Vec<Event>,
    /// What the registers hold at the end.
    pub(super) registers: [u32; REGISTERS],
}

/// An instruction of a thread whose loops are unrolled: jumps go forward only.
enum Step<'a> {
    Do(&'a Instruction),
    /// Goes to a step if the comparison holds.
    Jump(BranchCondition, usize),
}

/// Targets behind all steps: where a thread ends, and branches that are not followed.
const END: usize = usize::MAX;
const BEYOND: usize = END - 1;

/// Paths through a thread whose loads return any of the values of their location.
pub(super) fn traces(
    thread: &[Instruction],
    scope: Scope,
    values: &[Values],
    copies: usize,
) -> Result<Vec<Trace>, Limit> {
    let steps = unrolled(thread, copies)?;
    let mut found = Vec::new();
    Walk { steps, scope, values }.from(State::default(), &mut found)?;
    Ok(found)
}

/// Instructions of a thread, with its loops unrolled.
pub(super) fn steps(thread: &[Instruction], copies: usize) -> Result<usize, Limit> {
    Ok(unrolled(thread, copies)?.len())
}

/// A thread as steps that jump forward only. A branch backwards goes to the next copy of the thread.
fn unrolled(thread: &[Instruction], copies: usize) -> Result<Vec<Step<'_>>, Limit> {
    let label = |wanted: &str| {
        let is_it = |it: &Instruction| matches!(&it.kind, Kind::Label(name) if name == wanted);
        thread.iter().position(is_it).unwrap_or(thread.len())
    };
    let is_backwards = |(at, it): (usize, &Instruction)| matches!(&it.kind, Kind::Branch(_, to) if label(to) <= at);
    let copies = if thread.iter().enumerate().any(is_backwards) { copies } else { 1 };
    let (mut steps, mut starts, mut branches) = (Vec::new(), Vec::new(), Vec::new());
    for copy in 0..copies {
        for (at, instruction) in thread.iter().enumerate() {
            starts.push(steps.len());
            match &instruction.kind {
                Kind::Label(_) => {}
                Kind::Branch(comparison, to) => {
                    let to = label(to);
                    let target = (copy + usize::from(to <= at)) * thread.len() + to;
                    branches.push((steps.len(), *comparison, target));
                    steps.push(Step::Jump(*comparison, END));
                }
                _ => unroll(std::slice::from_ref(instruction), &mut steps)?,
            }
        }
        if copies > 1 {
            branches.push((steps.len(), BranchCondition::ALWAYS, END));
            steps.push(Step::Jump(BranchCondition::ALWAYS, END));
        }
    }
    let end = steps.len();
    for (step, comparison, target) in branches {
        let to = match starts.get(target) {
            Some(start) => *start,
            None if target == END => end,
            // A branch out of the last copy is not followed.
            None => BEYOND,
        };
        steps[step] = Step::Jump(comparison, to);
    }
    Ok(steps)
}

fn unroll<'a>(instructions: &'a [Instruction], steps: &mut Vec<Step<'a>>) -> Result<(), Limit> {
    for instruction in instructions {
        if steps.len() > UNROLLED {
            return Err(Limit::Instructions(UNROLLED));
        }
        match &instruction.kind {
            Kind::If(check, body) => {
                let jump = steps.len();
                let past = BranchCondition::from(Check { is_equal: !check.is_equal, ..*check });
                steps.push(Step::Jump(past, 0));
                unroll(body, steps)?;
                let end = steps.len();
                steps[jump] = Step::Jump(past, end);
            }
            Kind::Loop(turns, until, body) => {
                let mut jumps = Vec::new();
                for _ in 0..*turns {
                    unroll(body, steps)?;
                    if let Some(check) = until {
                        let check = BranchCondition::from(*check);
                        jumps.push((steps.len(), check));
                        steps.push(Step::Jump(check, 0));
                    }
                }
                let end = steps.len();
                for (jump, check) in jumps {
                    steps[jump] = Step::Jump(check, end);
                }
            }
            _ => steps.push(Step::Do(instruction)),
        }
    }
    Ok(())
}

/// A thread on its way.
#[derive(Clone, Default)]
struct State {
    at: usize,
    events: Vec<Event>,
    registers: [u32; REGISTERS],
    /// Reads that each register has its value from.
    sources: [u64; REGISTERS],
    /// Reads that a branch so far has depended on.
    branches: u64,
}

struct Walk<'a> {
    steps: Vec<Step<'a>>,
    scope: Scope,
    values: &'a [Values],
}

impl Walk<'_> {
    fn from(&self, mut state: State, found: &mut Vec<Trace>) -> Result<(), Limit> {
        while let Some(step) = self.steps.get(state.at) {
            if state.events.len() + 2 > EVENTS {
                return Err(Limit::Events(EVENTS));
            }
            state.at += 1;
            match step {
                Step::Jump(comparison, to) => {
                    let compared = comparison.operands.map(|operand| state.value(operand));
                    // What comes after a branch depends on it, on both of its ways.
                    state.branches |= compared[0].1 | compared[1].1;
                    if comparison.holds(compared.map(|it| it.0)) {
                        state.at = *to;
                    }
                }
                Step::Do(instruction) => match &instruction.kind {
                    Kind::Load(_, _, address) | Kind::Atomic(_, _, _, address, _) => {
                        for value in self.values[address.location].keys() {
                            let mut next = state.clone();
                            next.read(instruction, *value, self.scope);
                            self.from(next, found)?;
                        }
                        return Ok(());
                    }
                    _ => state.step(instruction, self.scope),
                },
            }
        }
        if state.at == BEYOND {
            return Ok(());
        }
        if found.len() == WAYS {
            return Err(Limit::Ways(WAYS));
        }
        found.push(Trace { events: state.events, registers: state.registers });
        Ok(())
    }
}

impl State {
    /// What a value is, and the reads that it comes from.
    fn value(&self, value: Value) -> (u32, u64) {
        match value {
            Value::Number(number) => (number, 0),
            Value::Register(register) => (self.registers[register], self.sources[register]),
        }
    }

    fn push(&mut self, line: usize, what: What, strength: Strength, scope: Scope, on: u64) {
        let depends = on | self.branches;
        let scope = strength.scope.unwrap_or(scope);
        let order = strength.order;
        let step = self.at - 1;
        let (via, is_update) = (Via::default(), false);
        self.events.push(Event { line, step, what, order, scope, via, depends, is_update });
    }

    fn access(
        &mut self,
        instruction: &Instruction,
        what: What,
        address: &Address,
        (strength, scope): (Strength, Scope),
        on: u64,
    ) {
        let on = on | address.from.map_or(0, |from| self.sources[from]);
        self.push(instruction.line, what, strength, scope, on);
        if let Some(event) = self.events.last_mut() {
            event.via = address.via;
        }
    }

    fn set(&mut self, register: usize, (value, sources): (u32, u64)) {
        self.registers[register] = value;
        self.sources[register] = sources;
    }

    /// A load, or an atomic, that finds a value.
    fn read(&mut self, instruction: &Instruction, old: u32, scope: Scope) {
        let at = self.events.len();
        match &instruction.kind {
            Kind::Load(strength, register, address) => {
                let what = What::Read(address.location, old);
                self.access(instruction, what, address, (*strength, scope), 0);
                self.set(*register, (old, 1 << at));
            }
            Kind::Atomic(strength, op, register, address, values) => {
                let operands: Vec<_> = values.iter().map(|value| self.value(*value)).collect();
                let what = What::Read(address.location, old);
                self.access(instruction, what, address, (*strength, scope), 0);
                let data = operands.iter().fold(1 << at, |all, (_, sources)| all | sources);
                let operands = [operands[0].0, operands.get(1).map_or(0, |value| value.0)];
                // A compare-and-swap that fails does not write.
                if let Some(new) = update(*op, old, operands) {
                    let write = What::Write(address.location, new);
                    self.access(instruction, write, address, (*strength, scope), data);
                    self.events[at + 1].is_update = true;
                }
                if let Some(register) = register {
                    self.set(*register, (old, 1 << at));
                }
            }
            _ => {}
        }
    }

    /// An instruction that reads no memory.
    fn step(&mut self, instruction: &Instruction, scope: Scope) {
        match &instruction.kind {
            Kind::Store(strength, address, value) => {
                let (value, data) = self.value(*value);
                let what = What::Write(address.location, value);
                self.access(instruction, what, address, (*strength, scope), data);
            }
            Kind::ProxyFence(fence) => {
                let strength = Strength { order: Order::Weak, scope: Some(Scope::Cta) };
                self.push(instruction.line, What::ProxyFence(*fence), strength, scope, 0);
            }
            Kind::Fence(strength) => self.push(instruction.line, What::Fence, *strength, scope, 0),
            Kind::Barrier(barrier) => {
                let strength = Strength { order: Order::Weak, scope: Some(Scope::Cta) };
                let (id, on) = barrier.id.map(|id| self.value(id)).unzip();
                let what = BarrierEvent { id, count: barrier.count, waits: barrier.waits };
                self.push(instruction.line, What::Barrier(what), strength, scope, on.unwrap_or(0));
            }
            Kind::Compute(compute, register, [left, right]) => {
                let ((left, one), (right, other)) = (self.value(*left), self.value(*right));
                let value = match compute {
                    Compute::Move => left,
                    Compute::Add => left.wrapping_add(right),
                    Compute::Subtract => left.wrapping_sub(right),
                    Compute::And => left & right,
                    Compute::Or => left | right,
                    Compute::Xor => left ^ right,
                };
                self.set(*register, (value, one | other));
            }
            _ => {}
        }
    }
}

/// What an atomic writes; a compare-and-swap that fails writes nothing.
fn update(op: AtomicOp, old: u32, operands: [u32; 2]) -> Option<u32> {
    let ty = Type { kind: NumberKind::Unsigned, bytes: 4 };
    let writes = op != AtomicOp::CompareAndSwap || old == operands[0];
    writes.then(|| simt::update(op, ty, old.into(), operands.map(u64::from)) as u32)
}
