//! Random circuits with two descriptions: as hardware, and as the author's meaning, computed with the
//! definitions in `semantics` and without the builder.

use warpsmith_rtl::ir::{BinaryOp, UnaryOp};
use warpsmith_rtl::{Bits, Module, ModuleBuilder, Signal, semantics};

use super::trees::Writer;

/// Numbers that determine an expression: an operator, three operands, a parameter.
pub type Gene = (u8, u16, u16, u16, u16);

/// Largest width.
const WIDEST: u32 = 200;

#[derive(Clone, Debug)]
pub enum Op {
    Input,
    /// A register with this value after reset.
    Register(Bits),
    /// A wire, with its value in the tree with that number.
    Wire(usize),
    Constant(Bits),
    Unary(UnaryOp, usize),
    Binary(BinaryOp, usize, usize),
    Greater(usize, usize),
    GreaterOrEqual(usize, usize),
    AddWithCarry(usize, usize),
    Mux(usize, usize, usize),
    Slice(usize, u32),
    Concat(Vec<usize>),
    ConcatLowFirst(Vec<usize>),
    ZeroExtend(usize),
    SignExtend(usize),
    Repeat(usize, u32),
    AndWhere(usize, usize),
}

impl Op {
    pub fn operands(&self) -> Vec<usize> {
        match self {
            Op::Input | Op::Register(_) | Op::Wire(_) | Op::Constant(_) => vec![],
            Op::Unary(_, a) | Op::Slice(a, _) | Op::Repeat(a, _) => vec![*a],
            Op::ZeroExtend(a) | Op::SignExtend(a) => vec![*a],
            Op::Binary(_, a, b) | Op::AddWithCarry(a, b) | Op::AndWhere(a, b) => vec![*a, *b],
            Op::Greater(a, b) | Op::GreaterOrEqual(a, b) => vec![*a, *b],
            Op::Mux(a, b, c) => vec![*a, *b, *c],
            Op::Concat(parts) | Op::ConcatLowFirst(parts) => parts.clone(),
        }
    }
}

#[derive(Clone, Debug)]
pub struct Step {
    pub op: Op,
    pub width: u32,
    named: bool,
    uses: u32,
}

/// A statement on numbered steps.
#[derive(Clone, Debug)]
pub enum Act {
    Set(usize, usize),
    When(Vec<(usize, Vec<Act>)>, Option<Vec<Act>>),
    Switch(usize, Vec<(Bits, Vec<Act>)>, Option<Vec<Act>>),
}

/// A circuit: expressions in order, and the statements that drive wires and registers.
#[derive(Clone, Debug, Default)]
pub struct Recipe {
    pub steps: Vec<Step>,
    pub trees: Vec<Vec<Act>>,
    pub outputs: Vec<usize>,
}

/// A width from a random number, often a multiple of a word.
pub fn width_from(number: u16) -> u32 {
    const EDGES: [u32; 16] = [1, 1, 2, 3, 8, 31, 32, 33, 63, 64, 65, 127, 128, 129, 192, WIDEST];
    match number % 3 {
        0 => 1 + u32::from(number / 3) % WIDEST,
        _ => EDGES[usize::from(number / 3) % EDGES.len()],
    }
}

impl Recipe {
    /// Inputs and registers of these widths.
    pub fn new(inputs: &[u16], registers: &[u16]) -> Self {
        let mut recipe = Self::default();
        for &number in inputs {
            recipe.add(Op::Input, width_from(number));
        }
        for &number in registers {
            let width = width_from(number);
            let reset = Bits::from_words(width, &[u64::from(number % 7)]);
            recipe.add(Op::Register(reset), width);
        }
        recipe
    }

    pub fn add(&mut self, op: Op, width: u32) -> usize {
        for operand in op.operands() {
            self.steps[operand].uses += 1;
        }
        self.steps.push(Step { op, width, named: false, uses: 0 });
        self.steps.len() - 1
    }

    pub fn pick(&self, number: u16) -> usize {
        self.steps.len() - 1 - usize::from(number) % self.steps.len()
    }

    fn width(&self, step: usize) -> u32 {
        self.steps[step].width
    }

    /// Fits the step to a width, in one of several ways.
    pub fn fit(&mut self, step: usize, width: u32, way: u16) -> usize {
        let have = self.width(step);
        let op = match (have.cmp(&width), way % 2) {
            (std::cmp::Ordering::Equal, _) => return step,
            (std::cmp::Ordering::Greater, _) => {
                Op::Slice(step, u32::from(way) % (have - width + 1))
            }
            (_, 0) => Op::ZeroExtend(step),
            _ => Op::SignExtend(step),
        };
        self.add(op, width)
    }

    /// The step, or one of its bits.
    pub fn bit(&mut self, number: u16, way: u16) -> usize {
        let step = self.pick(number);
        let low = u32::from(way) % self.width(step);
        if self.width(step) == 1 { step } else { self.add(Op::Slice(step, low), 1) }
    }

    /// Adds an expression.
    pub fn grow(&mut self, (kind, a, b, c, parameter): Gene) {
        let (first, second) = (self.pick(a), self.pick(b));
        // Comparisons leave many single bits; a wider value is mostly more interesting.
        let wider = parameter % 4 > 0 && self.width(second) > self.width(first);
        let a = if wider { second } else { first };
        let width = self.width(a);
        let binary = |op| (op, if is_comparison(op) { 1 } else { width });
        let step = match kind % 34 {
            0 => self.add(Op::Unary(UnaryOp::Not, a), width),
            1 => self.add(Op::Unary(UnaryOp::ReduceAnd, a), 1),
            2 => self.add(Op::Unary(UnaryOp::ReduceOr, a), 1),
            3 => self.add(Op::Unary(UnaryOp::ReduceXor, a), 1),
            kind @ 4..=17 => {
                use BinaryOp::*;
                let op =
                    [And, Or, Xor, Add, Sub, Mul, Eq, Ne, Lt, Le, LtSigned, LeSigned, Add, Sub]
                        [usize::from(kind) - 4];
                let (op, result) = binary(op);
                let other = self.pick(c);
                let other = self.fit(other, width, parameter);
                self.add(Op::Binary(op, a, other), result)
            }
            kind @ 18..=23 => {
                use BinaryOp::*;
                let op = [ShiftLeft, ShiftRight, ShiftRightSigned][usize::from(kind) % 3];
                let mut by = self.pick(c);
                if kind < 21 {
                    // An amount that mostly shifts by less than the width.
                    by = self.fit(by, (width.ilog2() + 1 + u32::from(parameter % 2)).max(1), b);
                }
                self.add(Op::Binary(op, a, by), width)
            }
            24 | 25 => {
                let other = self.pick(c);
                let other = self.fit(other, width, parameter);
                let condition = self.bit(b, parameter);
                self.add(Op::Mux(condition, a, other), width)
            }
            26 => {
                let low = u32::from(parameter) % width;
                let count = 1 + u32::from(b) % (width - low);
                self.add(Op::Slice(a, low), count)
            }
            kind @ 27..=28 => {
                let mut parts = vec![a, self.pick(b), self.pick(c), self.pick(parameter)];
                while parts.iter().map(|&p| self.width(p)).sum::<u32>() > WIDEST {
                    parts.pop();
                }
                let width = parts.iter().map(|&p| self.width(p)).sum();
                let low_first = kind == 27;
                self.add(
                    if low_first { Op::ConcatLowFirst(parts) } else { Op::Concat(parts) },
                    width,
                )
            }
            29 => {
                let count = 1 + u32::from(parameter) % (WIDEST / width).min(9);
                self.add(Op::Repeat(a, count), width * count)
            }
            30 => {
                let to = width + u32::from(b) % (WIDEST + 1 - width);
                let op = if parameter & 1 == 0 { Op::ZeroExtend(a) } else { Op::SignExtend(a) };
                self.add(op, to)
            }
            31 => {
                let other = self.pick(c);
                let other = self.fit(other, width, parameter);
                match parameter % 4 {
                    0 => self.add(Op::Greater(a, other), 1),
                    1 => self.add(Op::GreaterOrEqual(a, other), 1),
                    _ if width < WIDEST => self.add(Op::AddWithCarry(a, other), width + 1),
                    _ => self.add(Op::Greater(a, other), 1),
                }
            }
            32 => {
                let condition = self.bit(c, parameter);
                self.add(Op::AndWhere(a, condition), width)
            }
            _ => {
                let width = width_from(b);
                let value = match parameter % 5 {
                    0 => Bits::zeros(width),
                    1 => Bits::ones(width),
                    2 => Bits::from_words(width, &[u64::from(c % 2)]),
                    3 => Bits::from_fn(width, |i| i != u32::from(c) % width),
                    _ => Bits::from_fn(width, |i| (u32::from(c) * (2 * i + 3)) & 16 != 0),
                };
                self.add(Op::Constant(value), width)
            }
        };
        self.steps[step].named = parameter % 5 == 2;
    }

    /// Makes every unused step an output, and some of the others.
    pub fn expose(&mut self) {
        self.outputs =
            (0..self.steps.len()).filter(|&i| self.steps[i].uses == 0 || i % 11 == 0).collect();
    }

    pub fn inputs(&self) -> impl Iterator<Item = (usize, u32)> {
        let steps = self.steps.iter().enumerate();
        steps.filter(|(_, s)| matches!(s.op, Op::Input)).map(|(i, s)| (i, s.width))
    }

    pub fn reset_values(&self) -> Vec<(usize, Bits)> {
        let steps = self.steps.iter().enumerate();
        let registers = steps.filter_map(|(i, s)| match &s.op {
            Op::Register(reset) => Some((i, reset.clone())),
            _ => None,
        });
        registers.collect()
    }

    /// The values of all steps, given those of inputs and registers.
    pub fn values(&self, given: &[(usize, Bits)]) -> Vec<Bits> {
        let mut values: Vec<Bits> = Vec::new();
        for (i, step) in self.steps.iter().enumerate() {
            let v = |i: usize| values[i].clone();
            let concat = |parts: &mut dyn Iterator<Item = &usize>| {
                semantics::concat(&parts.map(|&p| &values[p]).collect::<Vec<_>>())
            };
            let extend = |a: usize, sign: bool| {
                let fill = sign && v(a).bit(v(a).width() - 1);
                Bits::from_fn(step.width, |k| if k < v(a).width() { v(a).bit(k) } else { fill })
            };
            let value = match &step.op {
                Op::Input | Op::Register(_) => {
                    let (_, value) = given.iter().find(|(j, _)| *j == i).expect("a given value");
                    value.clone()
                }
                Op::Wire(tree) => v(chosen(&self.trees[*tree], i, &values).expect("a value")),
                Op::Constant(value) => value.clone(),
                Op::Unary(op, a) => semantics::unary(*op, &v(*a)),
                Op::Binary(op, a, b) => semantics::binary(*op, &v(*a), &v(*b)),
                Op::Greater(a, b) => semantics::binary(BinaryOp::Lt, &v(*b), &v(*a)),
                Op::GreaterOrEqual(a, b) => semantics::binary(BinaryOp::Le, &v(*b), &v(*a)),
                Op::AddWithCarry(a, b) => {
                    semantics::binary(BinaryOp::Add, &extend(*a, false), &extend(*b, false))
                }
                Op::Mux(c, a, b) => semantics::mux(&v(*c), &v(*a), &v(*b)),
                Op::Slice(a, low) => semantics::slice(&v(*a), *low, step.width),
                Op::Concat(parts) => concat(&mut parts.iter()),
                Op::ConcatLowFirst(parts) => concat(&mut parts.iter().rev()),
                Op::ZeroExtend(a) => extend(*a, false),
                Op::SignExtend(a) => extend(*a, true),
                Op::Repeat(a, count) => concat(&mut std::iter::repeat_n(a, *count as usize)),
                Op::AndWhere(a, condition) => match v(*condition).is_zero() {
                    true => Bits::zeros(step.width),
                    false => v(*a),
                },
            };
            assert_eq!(value.width(), step.width, "step {i}: {step:?}");
            values.push(value);
        }
        values
    }

    /// The registers after an edge without reset, given the values of all steps.
    pub fn next(&self, values: &[Bits]) -> Vec<(usize, Bits)> {
        let next = |i: usize| {
            let last = self.trees.iter().rev().find_map(|tree| chosen(tree, i, values));
            values[last.unwrap_or(i)].clone()
        };
        self.reset_values().into_iter().map(|(i, _)| (i, next(i))).collect()
    }

    /// The circuit: inputs `in_<step>`, outputs `out_<step>`.
    pub fn module(&self, name: &str) -> Module {
        let m = ModuleBuilder::new(name);
        let mut signals: Vec<Signal> = Vec::new();
        let (mut registers, mut wires) = (Vec::new(), Vec::new());
        for (i, step) in self.steps.iter().enumerate() {
            let s = |i: &usize| signals[*i];
            let all = |parts: &[usize]| parts.iter().map(s).collect::<Vec<_>>();
            let signal = match &step.op {
                Op::Input => m.input(&format!("in_{i}"), step.width),
                Op::Register(reset) => {
                    let reset = reset.to_u64().expect("a small number");
                    let register = m.reg(&format!("register_{i}"), step.width, reset);
                    registers.push((i, register));
                    *register
                }
                Op::Wire(_) => {
                    let wire = m.wire(&format!("wire_{i}"), step.width);
                    wires.push((i, wire));
                    *wire
                }
                Op::Constant(value) => m.constant(value.clone()),
                Op::Unary(op, a) => match op {
                    UnaryOp::Not => !s(a),
                    UnaryOp::ReduceAnd => s(a).all(),
                    UnaryOp::ReduceOr => s(a).any(),
                    UnaryOp::ReduceXor => s(a).parity(),
                },
                Op::Binary(op, a, b) => match op {
                    BinaryOp::And => s(a) & s(b),
                    BinaryOp::Or => s(a) | s(b),
                    BinaryOp::Xor => s(a) ^ s(b),
                    BinaryOp::Add => s(a) + s(b),
                    BinaryOp::Sub => s(a) - s(b),
                    BinaryOp::Mul => s(a) * s(b),
                    BinaryOp::Eq => s(a).eq(s(b)),
                    BinaryOp::Ne => s(a).ne(s(b)),
                    BinaryOp::Lt => s(a).lt(s(b)),
                    BinaryOp::Le => s(a).le(s(b)),
                    BinaryOp::LtSigned => s(a).lt_signed(s(b)),
                    BinaryOp::LeSigned => s(a).le_signed(s(b)),
                    BinaryOp::ShiftLeft => s(a).shift_left(s(b)),
                    BinaryOp::ShiftRight => s(a).shift_right(s(b)),
                    BinaryOp::ShiftRightSigned => s(a).shift_right_signed(s(b)),
                },
                Op::Greater(a, b) => s(a).gt(s(b)),
                Op::GreaterOrEqual(a, b) => s(a).ge(s(b)),
                Op::AddWithCarry(a, b) => s(a).add_with_carry(s(b)),
                Op::Mux(c, a, b) => s(c).mux(s(a), s(b)),
                Op::Slice(a, low) => s(a).slice(*low..low + step.width),
                Op::Concat(parts) => m.concat(&all(parts)),
                Op::ConcatLowFirst(parts) => m.concat_low_first(&all(parts)),
                Op::ZeroExtend(a) => s(a).zero_extend(step.width),
                Op::SignExtend(a) => s(a).sign_extend(step.width),
                Op::Repeat(a, count) => s(a).repeat(*count),
                Op::AndWhere(a, condition) => s(a).and_where(s(condition)),
            };
            assert_eq!(signal.width(), step.width, "step {i}: {step:?}");
            signals.push(if step.named { signal.named(&format!("named_{i}")) } else { signal });
        }
        let writer = Writer { m: &m, signals: &signals, registers: &registers, wires: &wires };
        self.trees.iter().for_each(|tree| writer.write(tree));
        for &i in &self.outputs {
            m.output(&format!("out_{i}"), signals[i]);
        }
        m.finish()
    }
}

fn is_comparison(op: BinaryOp) -> bool {
    use BinaryOp::*;
    matches!(op, Eq | Ne | Lt | Le | LtSigned | LeSigned)
}

/// The number of the value that the statements assign to `target`.
fn chosen(acts: &[Act], target: usize, values: &[Bits]) -> Option<usize> {
    let inner = |acts: &Vec<Act>| chosen(acts, target, values);
    acts.iter().rev().find_map(|act| match act {
        Act::Set(t, value) => (*t == target).then_some(*value),
        Act::When(arms, otherwise) => {
            let arm = arms.iter().find(|(condition, _)| !values[*condition].is_zero());
            arm.map(|(_, acts)| acts).or(otherwise.as_ref()).and_then(inner)
        }
        Act::Switch(subject, arms, default) => {
            let arm = arms.iter().find(|(value, _)| *value == values[*subject]);
            arm.map(|(_, acts)| acts).or(default.as_ref()).and_then(inner)
        }
    })
}
