//! Small sequential circuits: random ones, random changes of them, and their Verilog.

use std::fmt::Write as _;

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus as Rng;

/// Bits of a register, a constant, the input `a` and the output `y`; the input `b` has one.
pub const WIDTH: usize = 2;
/// Registers of a circuit.
pub const REGISTERS: usize = 2;

/// A bit: 0, 1, or x.
pub type Bit = Option<bool>;
/// The lowest bit first.
pub type Value = [Bit; WIDTH];

#[derive(Clone, Debug)]
pub enum Expression {
    Constant(Value),
    A,
    B,
    Register(usize),
    /// A row of the memory; its address is a bit of `a`.
    Memory(usize),
    /// The bit of a register that `a` selects; x where it has none.
    Indexed(usize),
    Not(Box<Expression>),
    Two(Operator, Box<Expression>, Box<Expression>),
    /// Condition, then, else.
    Select(Box<[Expression; 3]>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    And,
    Or,
    Xor,
    Add,
    Equal,
    Less,
}

pub const OPERATORS: [(Operator, &str); 6] = [
    (Operator::And, "&"),
    (Operator::Or, "|"),
    (Operator::Xor, "^"),
    (Operator::Add, "+"),
    (Operator::Equal, "=="),
    (Operator::Less, "<"),
];

#[derive(Clone, Debug)]
pub enum Statement {
    Keep,
    Assign(Expression),
    If(Expression, Box<[Statement; 2]>),
    /// Subject; the statement for each of the constants 0 and 1; the default.
    Case(Expression, Box<[Statement; 3]>),
}

#[derive(Clone, Debug)]
pub struct Register {
    pub initial: Option<Value>,
    /// 0: `clk`, 1: `clk2`.
    pub clock: usize,
    pub rises: bool,
    /// Reset asynchronously to 0 while `b` is high.
    pub is_async: bool,
    pub next: Statement,
}

#[derive(Clone, Debug)]
pub struct Circuit {
    /// Name of the input `b`: a reset, if it is `rst`.
    pub b: &'static str,
    pub registers: Vec<Register>,
    /// Contents of the memory at power-up; it is written at the rising edge of `clk` if `b` is high.
    pub memory: Option<[Value; 2]>,
    pub written: Expression,
    pub output: Expression,
}

impl Circuit {
    pub fn random(rng: &mut Rng) -> Self {
        let depth = rng.random_range(0..3);
        let registers = (0..REGISTERS).map(|_| {
            let undefined = rng.random_bool(0.4);
            Register {
                initial: (!undefined).then(|| defined(rng)),
                clock: usize::from(rng.random_bool(0.15)),
                rises: rng.random_bool(0.9),
                is_async: rng.random_bool(0.15),
                next: statement(rng, 2),
            }
        });
        let registers = registers.collect();
        let contents = rng.random_bool(0.7);
        Self {
            b: if rng.random_bool(0.25) { "rst" } else { "b" },
            registers,
            memory: contents.then(|| [defined(rng), defined(rng)]),
            written: expression(rng, 1),
            output: expression(rng, depth),
        }
    }

    /// A circuit with up to two changes.
    pub fn changed(&self, rng: &mut Rng) -> Self {
        let mut changed = self.clone();
        for _ in 0..rng.random_range(0..3) {
            changed.change(rng);
        }
        changed
    }

    fn change(&mut self, rng: &mut Rng) {
        let index = rng.random_range(0..REGISTERS);
        let register = &mut self.registers[index];
        match rng.random_range(0..12) {
            0 => register.rises = !register.rises,
            1 => register.clock = 1 - register.clock,
            2 => register.initial = rng.random_bool(0.7).then(|| defined(rng)),
            3 => register.is_async = !register.is_async,
            4 => self.memory = rng.random_bool(0.7).then(|| [defined(rng), defined(rng)]),
            5 => change_expression(&mut self.written, rng),
            6 | 7 => change_expression(&mut self.output, rng),
            _ => change_statement(&mut register.next, rng),
        }
    }

    /// Bits that may be undefined in one step, at most.
    pub fn sites(&self) -> u32 {
        let text = self.verilog();
        let lines = text.lines().filter(|line| !line.contains("initial"));
        let constants = lines.map(|line| line.matches('x').count());
        (constants.sum::<usize>() + text.matches("[a]").count()) as u32
    }

    pub fn verilog(&self) -> String {
        let b = self.b;
        let mut text = format!(
            "module m(input clk, input clk2, input [1:0] a, input {b}, output [1:0] y, output [1:0] z);\n  \
             reg [1:0] m [0:1];\n"
        );
        if let Some(rows) = &self.memory {
            let _ = writeln!(
                text,
                "  initial begin m[0] = {}; m[1] = {}; end",
                constant(&rows[0]),
                constant(&rows[1])
            );
        }
        let _ = writeln!(
            text,
            "  always @(posedge clk) if ({b}) m[a[0]] <= {};",
            self.text(&self.written)
        );
        for (index, register) in self.registers.iter().enumerate() {
            let initial = register.initial.as_ref().map(|value| format!(" = {}", constant(value)));
            let _ = writeln!(text, "  reg [1:0] r{index}{};", initial.unwrap_or_default());
            let edge = if register.rises { "posedge" } else { "negedge" };
            let clock = ["clk", "clk2"][register.clock];
            let next = self.statement(&register.next, index);
            let _ = match register.is_async {
                true => writeln!(
                    text,
                    "  always @({edge} {clock} or posedge {b}) if ({b}) r{index} <= 2'b00; else begin {next} end"
                ),
                false => writeln!(text, "  always @({edge} {clock}) begin {next} end"),
            };
        }
        let _ = writeln!(
            text,
            "  assign y = {};\n  assign z = r0;\nendmodule",
            self.text(&self.output)
        );
        text
    }

    fn statement(&self, statement: &Statement, register: usize) -> String {
        match statement {
            Statement::Keep => "begin end".to_string(),
            Statement::Assign(value) => format!("r{register} <= {};", self.text(value)),
            Statement::If(condition, branches) => {
                let [then, or] = branches.each_ref().map(|branch| self.statement(branch, register));
                format!("if ({}) begin {then} end else begin {or} end", self.text(condition))
            }
            Statement::Case(subject, branches) => {
                let [zero, one, other] =
                    branches.each_ref().map(|branch| self.statement(branch, register));
                format!(
                    "case ({}) 2'd0: begin {zero} end 2'd1: begin {one} end default: begin {other} end endcase",
                    self.text(subject)
                )
            }
        }
    }

    fn text(&self, expression: &Expression) -> String {
        match expression {
            Expression::Constant(value) => constant(value),
            Expression::A => "a".to_string(),
            Expression::B => format!("{{1'b0, {}}}", self.b),
            Expression::Register(index) => format!("r{index}"),
            Expression::Memory(bit) => format!("m[a[{bit}]]"),
            Expression::Indexed(index) => format!("{{1'b0, r{index}[a]}}"),
            Expression::Not(of) => format!("(~{})", self.text(of)),
            Expression::Two(operator, a, b) => {
                let (_, sign) =
                    OPERATORS.iter().find(|(other, _)| other == operator).expect("an operator");
                let text = format!("({} {sign} {})", self.text(a), self.text(b));
                match operator {
                    Operator::Equal | Operator::Less => format!("{{1'b0, {text}}}"),
                    _ => text,
                }
            }
            Expression::Select(parts) => {
                let [condition, then, or] = parts.each_ref().map(|part| self.text(part));
                format!("({condition} ? {then} : {or})")
            }
        }
    }
}

fn constant(value: &Value) -> String {
    let digit = |bit: &Bit| match bit {
        None => 'x',
        Some(false) => '0',
        Some(true) => '1',
    };
    format!("2'b{}", value.iter().rev().map(digit).collect::<String>())
}

fn defined(rng: &mut Rng) -> Value {
    std::array::from_fn(|_| Some(rng.random_bool(0.5)))
}

fn expression(rng: &mut Rng, depth: u32) -> Expression {
    let inner = |rng: &mut Rng| Box::new(expression(rng, depth - 1));
    match rng.random_range(0..if depth == 0 { 7 } else { 14 }) {
        0 => Expression::Constant(std::array::from_fn(|_| {
            (!rng.random_bool(0.15)).then(|| rng.random_bool(0.5))
        })),
        1 => Expression::A,
        2 => Expression::B,
        3 | 4 => Expression::Register(rng.random_range(0..REGISTERS)),
        5 => Expression::Memory(rng.random_range(0..WIDTH)),
        6 => Expression::Indexed(rng.random_range(0..REGISTERS)),
        7 => Expression::Not(inner(rng)),
        8 | 9 => Expression::Select(Box::new([*inner(rng), *inner(rng), *inner(rng)])),
        _ => {
            let (operator, _) = OPERATORS[rng.random_range(0..OPERATORS.len())];
            Expression::Two(operator, inner(rng), inner(rng))
        }
    }
}

fn statement(rng: &mut Rng, depth: u32) -> Statement {
    let inner = |rng: &mut Rng| statement(rng, depth - 1);
    match rng.random_range(0..if depth == 0 { 6 } else { 12 }) {
        0 => Statement::Keep,
        1..=5 => Statement::Assign(expression(rng, 2)),
        6..=9 => Statement::If(expression(rng, 1), Box::new([inner(rng), inner(rng)])),
        _ => Statement::Case(expression(rng, 1), Box::new([inner(rng), inner(rng), inner(rng)])),
    }
}

fn change_statement(statement: &mut Statement, rng: &mut Rng) {
    match statement {
        Statement::Keep => *statement = Statement::Assign(expression(rng, 1)),
        Statement::Assign(value) => change_expression(value, rng),
        Statement::If(condition, branches) => match rng.random_range(0..5) {
            0 => branches.swap(0, 1),
            1 => change_expression(condition, rng),
            2 => change_statement(&mut branches[0], rng),
            3 => change_statement(&mut branches[1], rng),
            // The same in hardware, but not for an undefined condition.
            _ => {
                if let [Statement::Assign(then), Statement::Assign(or)] = &**branches {
                    let parts = [condition.clone(), then.clone(), or.clone()];
                    *statement = Statement::Assign(Expression::Select(Box::new(parts)));
                }
            }
        },
        Statement::Case(subject, branches) => match rng.random_range(0..4) {
            0 => change_expression(subject, rng),
            branch => change_statement(&mut branches[branch - 1], rng),
        },
    }
}

fn change_expression(expression: &mut Expression, rng: &mut Rng) {
    let old = expression.clone();
    let not = |of: &Expression| Box::new(Expression::Not(Box::new(of.clone())));
    match (rng.random_range(0..4), expression) {
        // The same, written otherwise.
        (0, expression) => {
            *expression = match &old {
                Expression::Two(Operator::And, a, b) => {
                    Expression::Not(Box::new(Expression::Two(Operator::Or, not(a), not(b))))
                }
                Expression::Two(operator, a, b) if *operator != Operator::Less => {
                    Expression::Two(*operator, b.clone(), a.clone())
                }
                _ => Expression::Not(not(&old)),
            }
        }
        (1, Expression::Constant(value)) => {
            let bit = rng.random_range(0..WIDTH);
            value[bit] = (!rng.random_bool(0.3)).then(|| rng.random_bool(0.5));
        }
        (1, Expression::Two(operator, ..)) => {
            (*operator, _) = OPERATORS[rng.random_range(0..OPERATORS.len())];
        }
        (2, Expression::Two(_, part, _) | Expression::Not(part)) => change_expression(part, rng),
        (2, Expression::Select(parts)) => {
            change_expression(&mut parts[rng.random_range(0..3)], rng)
        }
        (2, expression) => *expression = self::expression(rng, 0),
        (_, Expression::Select(parts)) => parts.swap(1, 2),
        (_, Expression::Register(index)) => *index = 1 - *index,
        (_, expression) => *expression = Expression::Not(Box::new(old)),
    }
}
