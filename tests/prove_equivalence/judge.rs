//! An independent judge of two small circuits: all input sequences, until both have repeated a state.
//!
//! A step changes the clocks, or the other inputs. To change both at once, where an edge samples the values before
//! the step, is the same as to change first the clocks, then the others.

use std::collections::HashSet;

use super::circuit::{Bit, Circuit, Expression, Operator, REGISTERS, Statement, Value, WIDTH};

const UNDEFINED: Value = [None; WIDTH];

/// All that a circuit keeps: its registers, then the rows of its memory.
type State = [Value; REGISTERS + 2];

/// How an undefined value is taken.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reading {
    /// As a simulator does: an undefined condition is false.
    Simulated,
    /// It makes undefined what depends on it.
    Merged,
    /// Each is 0 or 1: the bits of this number, in the order in which they are met.
    Chosen(u32),
}

/// The inputs of a step.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Inputs {
    clocks: [bool; 2],
    a: [bool; WIDTH],
    b: bool,
}

impl Inputs {
    fn all() -> impl Iterator<Item = Self> {
        (0..32u32).map(|bits| {
            let bit = |index: u32| bits >> index & 1 == 1;
            Self { clocks: [bit(0), bit(1)], a: [bit(2), bit(3)], b: bit(4) }
        })
    }

    /// Those of the next step: whether clocks change, and the inputs.
    fn next(self, has_second: bool) -> impl Iterator<Item = (bool, Self)> {
        let all = Self::all().filter(move |next| has_second || !next.clocks[1]);
        all.filter_map(move |next| {
            let data = (next.a, next.b) == (self.a, self.b);
            match (next.clocks == self.clocks, data) {
                (true, _) => Some((false, next)),
                (false, true) => Some((true, next)),
                (false, false) => None,
            }
        })
    }

    fn a(&self) -> usize {
        usize::from(self.a[0]) + 2 * usize::from(self.a[1])
    }
}

/// What two circuits do in all steps.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Judgement {
    /// For some value of what is undefined in the second, it differs from a defined bit of the first.
    pub hardware: bool,
    /// In simulation both are defined and differ.
    pub simulated: bool,
    /// In simulation the second is undefined where the first is not.
    pub undefined: bool,
}

/// Compares two circuits, from power-up, or after a reset of one clock of each clock that they have, until the
/// judgement is `enough`.
pub fn judge(
    a: &Circuit,
    b: &Circuit,
    from_reset: bool,
    enough: fn(&Judgement) -> bool,
) -> Judgement {
    let mut judgement = Judgement::default();
    let clocks: HashSet<_> = [a, b].into_iter().flat_map(edges).collect();
    search(a, b, Reading::Simulated, false, from_reset, &clocks, &mut |a, b| {
        judgement.simulated |= a.is_some() && b.is_some() && a != b;
        judgement.undefined |= a.is_some() && b.is_none();
        enough(&judgement)
    });
    if !enough(&judgement) {
        search(a, b, Reading::Merged, true, from_reset, &clocks, &mut |a, b| {
            judgement.hardware |= a.is_some() && a != b;
            enough(&judgement)
        });
    }
    judgement
}

/// Clocks with their edges.
fn edges(circuit: &Circuit) -> Vec<(usize, bool)> {
    let of_registers = circuit.registers.iter().map(|register| (register.clock, register.rises));
    of_registers.chain(reads_memory(circuit).then_some((0, true))).collect()
}

/// Whether the memory is kept: yosys removes one that nothing reads.
fn reads_memory(circuit: &Circuit) -> bool {
    circuit.verilog().matches("m[a[").count() > 1
}

/// Visits pairs of output bits until `visit` says that it has seen enough. With `chosen`, the second circuit takes every choice of undefined values.
fn search(
    a: &Circuit,
    b: &Circuit,
    reading: Reading,
    chosen: bool,
    from_reset: bool,
    clocks: &HashSet<(usize, bool)>,
    visit: &mut dyn FnMut(Bit, Bit) -> bool,
) {
    // Both take the Verilog as text, so not at every step.
    let choices = if chosen { 1 << b.sites() } else { 1 };
    let [a_has_memory, b_has_memory] = [a, b].map(reads_memory);
    let of_b = |choice: u32| if chosen { Reading::Chosen(choice) } else { reading };
    let clocks: Vec<_> = clocks.iter().copied().collect();
    let mut seen = HashSet::new();
    let mut open = Vec::new();
    // Edges that are still to come during the reset, as bits.
    let all = if from_reset { (1u32 << clocks.len()) - 1 } else { 0 };
    let has_second = clocks.iter().any(|(clock, _)| *clock == 1);
    let first = Inputs::all().filter(|inputs| has_second || !inputs.clocks[1]);
    for inputs in first.filter(|inputs| !from_reset || inputs.b) {
        let start = |circuit: &Circuit| circuit.asynchronous(&circuit.power_up(), &inputs);
        for second in powers(&start(b), chosen) {
            let node = (inputs, start(a), b.asynchronous(&second, &inputs), all);
            if seen.insert(packed(&node)) {
                open.push(node);
            }
        }
    }
    while let Some(node) = open.pop() {
        let (inputs, first, second, waits) = node;
        if waits == 0 {
            for choice in 0..choices {
                let outputs = a.outputs(&first, &inputs, reading).into_iter();
                let mut pairs = outputs.zip(b.outputs(&second, &inputs, of_b(choice)));
                if pairs.any(|(a, b)| visit(a, b)) {
                    return;
                }
            }
        }
        for (has_edges, next) in inputs.next(has_second).filter(|(_, next)| waits == 0 || next.b) {
            let mut left = waits;
            for (index, (clock, rises)) in clocks.iter().enumerate() {
                if inputs.clocks[*clock] != next.clocks[*clock] && next.clocks[*clock] == *rises {
                    left &= !(1 << index);
                }
            }
            let after = a.step(&first, &inputs, &next, reading, a_has_memory);
            // Without an edge nothing is sampled.
            for choice in 0..if has_edges { choices } else { 1 } {
                let of_b = b.step(&second, &inputs, &next, of_b(choice), b_has_memory);
                let node = (next, after, of_b, left);
                if seen.insert(packed(&node)) {
                    open.push(node);
                }
            }
        }
    }
}

/// Inputs, the states of both circuits, and edges that are still to come.
type Node = (Inputs, State, State, u32);

/// A node as one number, which is hashed faster: two bits for each of its bits.
fn packed((inputs, first, second, waits): &Node) -> u64 {
    let Inputs { clocks, a, b } = *inputs;
    let inputs = clocks.into_iter().chain(a).chain([b]).map(Some);
    let states = first.iter().chain(second).flatten().copied();
    inputs
        .chain(states)
        .fold(u64::from(*waits), |number, bit| number << 2 | bit.map_or(2, u64::from))
}

/// All values of the undefined bits.
fn powers(state: &State, chosen: bool) -> Vec<State> {
    let mut states = vec![*state];
    if chosen {
        for place in (0..state.len()).flat_map(|row| (0..WIDTH).map(move |bit| (row, bit))) {
            if state[place.0][place.1].is_none() {
                let with = |value: bool| {
                    states.iter().map(move |state| {
                        let mut state = *state;
                        state[place.0][place.1] = Some(value);
                        state
                    })
                };
                states = with(false).chain(with(true)).collect();
            }
        }
    }
    states
}

/// An evaluation: the state, the inputs, and the number of undefined values met so far.
struct Evaluation<'a> {
    state: &'a State,
    inputs: &'a Inputs,
    reading: Reading,
    met: u32,
}

impl Circuit {
    fn power_up(&self) -> State {
        let mut state = [UNDEFINED; REGISTERS + 2];
        for (place, register) in state.iter_mut().zip(&self.registers) {
            *place = register.initial.unwrap_or(UNDEFINED);
        }
        if let Some(rows) = self.memory.filter(|_| reads_memory(self)) {
            state[REGISTERS..].copy_from_slice(&rows);
        } else if !reads_memory(self) {
            state[REGISTERS..].fill([Some(false); WIDTH]);
        }
        state
    }

    fn asynchronous(&self, state: &State, inputs: &Inputs) -> State {
        let mut after = *state;
        for (place, register) in after.iter_mut().zip(&self.registers) {
            if register.is_async && inputs.b {
                *place = [Some(false); WIDTH];
            }
        }
        after
    }

    fn step(
        &self,
        state: &State,
        before: &Inputs,
        inputs: &Inputs,
        reading: Reading,
        has_memory: bool,
    ) -> State {
        let mut at = Evaluation { state, inputs: before, reading, met: 0 };
        let mut after = *state;
        let comes = |clock: usize, rises: bool| {
            before.clocks[clock] != inputs.clocks[clock] && inputs.clocks[clock] == rises
        };
        for (index, register) in self.registers.iter().enumerate() {
            // Also what is not sampled is counted, so that each place has its own choice.
            let next = at.next(&register.next, state[index]);
            if comes(register.clock, register.rises) {
                after[index] = next;
            }
        }
        let written = at.value(&self.written);
        if has_memory && before.b && comes(0, true) {
            after[REGISTERS + usize::from(before.a[0])] = written;
        }
        self.asynchronous(&after, inputs)
    }

    fn outputs(&self, state: &State, inputs: &Inputs, reading: Reading) -> Vec<Bit> {
        let mut at = Evaluation { state, inputs, reading, met: 0 };
        [at.value(&self.output), state[0]].concat()
    }
}

impl Evaluation<'_> {
    fn undefined(&mut self) -> Bit {
        match self.reading {
            Reading::Chosen(choice) => {
                self.met += 1;
                Some(choice >> (self.met - 1) & 1 == 1)
            }
            _ => None,
        }
    }

    fn next(&mut self, statement: &Statement, kept: Value) -> Value {
        match statement {
            Statement::Keep => kept,
            Statement::Assign(value) => self.value(value),
            Statement::If(condition, branches) => {
                let condition = any(&self.value(condition));
                let [then, or] = branches.each_ref().map(|branch| self.next(branch, kept));
                self.taken(condition, then, or)
            }
            Statement::Case(subject, branches) => {
                let subject = self.value(subject);
                let [zero, one, other] = branches.each_ref().map(|branch| self.next(branch, kept));
                let is = |low: bool| equal(&subject, &[Some(low), Some(false)]);
                let or = self.taken(is(true), one, other);
                self.taken(is(false), zero, or)
            }
        }
    }

    /// What a branch of a statement gives.
    fn taken(&self, condition: Bit, then: Value, or: Value) -> Value {
        match (condition, self.reading) {
            (None, Reading::Simulated) => or,
            _ => select(condition, then, or),
        }
    }

    fn value(&mut self, expression: &Expression) -> Value {
        let low = |bit: Bit| [bit, Some(false)];
        match expression {
            Expression::Constant(value) => {
                value.map(|bit| bit.map_or_else(|| self.undefined(), Some))
            }
            Expression::A => self.inputs.a.map(Some),
            Expression::B => low(Some(self.inputs.b)),
            Expression::Register(index) => self.state[*index],
            Expression::Memory(bit) => self.state[REGISTERS + usize::from(self.inputs.a[*bit])],
            Expression::Indexed(index) => {
                let beyond = self.undefined();
                low(self.state[*index].get(self.inputs.a()).copied().unwrap_or(beyond))
            }
            Expression::Not(of) => self.value(of).map(|bit| bit.map(|bit| !bit)),
            Expression::Two(operator, a, b) => {
                let (a, b) = (self.value(a), self.value(b));
                let each = |of: fn(Bit, Bit) -> Bit| std::array::from_fn(|bit| of(a[bit], b[bit]));
                match operator {
                    Operator::And => each(and),
                    Operator::Or => each(|a, b| not(and(not(a), not(b)))),
                    Operator::Xor => each(|a, b| Some(a? != b?)),
                    Operator::Add => numbers(&a, &b).map_or(UNDEFINED, |(a, b)| {
                        std::array::from_fn(|bit| Some((a + b) >> bit & 1 == 1))
                    }),
                    Operator::Equal => low(equal(&a, &b)),
                    Operator::Less => low(numbers(&a, &b).map(|(a, b)| a < b)),
                }
            }
            Expression::Select(parts) => {
                let [condition, then, or] = parts.each_ref().map(|part| self.value(part));
                select(any(&condition), then, or)
            }
        }
    }
}

fn not(bit: Bit) -> Bit {
    bit.map(|bit| !bit)
}

fn and(a: Bit, b: Bit) -> Bit {
    match (a, b) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        _ => None,
    }
}

/// Whether a bit is 1.
fn any(value: &Value) -> Bit {
    let is_all = |value: Bit| value == Some(false);
    if value.contains(&Some(true)) {
        Some(true)
    } else {
        value.iter().copied().all(is_all).then_some(false)
    }
}

fn equal(a: &Value, b: &Value) -> Bit {
    let bits = a.iter().zip(b).map(|(a, b)| Some((*a)? == (*b)?));
    bits.fold(Some(true), and)
}

fn numbers(a: &Value, b: &Value) -> Option<(u32, u32)> {
    let number = |value: &Value| Some(u32::from(value[0]?) + 2 * u32::from(value[1]?));
    Some((number(a)?, number(b)?))
}

fn select(condition: Bit, then: Value, or: Value) -> Value {
    match condition {
        Some(true) => then,
        Some(false) => or,
        None => std::array::from_fn(|bit| then[bit].filter(|_| then[bit] == or[bit])),
    }
}
