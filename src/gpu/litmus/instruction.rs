//! Instructions of a litmus test, and how they are written.

use super::REGISTERS;
use super::branch::{Barrier, BranchCondition, barrier, branch};
use super::proxy::{ProxyFence, Via, proxy_fence, without_proxy};
use crate::isa::{AtomicOp, Order, Scope};

/// Most turns of a loop.
const TURNS: u32 = 64;

/// An instruction of a thread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instruction {
    /// The line of the file.
    pub line: usize,
    /// As it was written.
    pub text: String,
    /// What it does.
    pub kind: Kind,
}

/// What an instruction does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// `ld`: into a register.
    Load(Strength, usize, Address),
    /// `st`
    Store(Strength, Address, Value),
    /// `atom`, and without a register `red`. The values are the operand, and the new value of a
    /// compare-and-swap.
    Atomic(Strength, AtomicOp, Option<usize>, Address, Vec<Value>),
    /// `fence`
    Fence(Strength),
    /// `fence.proxy`
    ProxyFence(ProxyFence),
    /// A barrier of the CTA.
    Barrier(Barrier),
    /// Arithmetic on registers, into a register.
    Compute(Compute, usize, [Value; 2]),
    /// Instructions that run where the check holds.
    If(Check, Vec<Instruction>),
    /// Instructions that run so many times, or until the check holds after them.
    Loop(u32, Option<Check>, Vec<Instruction>),
    /// A place to branch to.
    Label(String),
    /// A branch to a label, where the comparison holds.
    Branch(BranchCondition, String),
}

/// Order and scope of an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Strength {
    /// The order.
    pub order: Order,
    /// The scope; none is that of the variant, written `$`. A weak access has none that matters.
    pub scope: Option<Scope>,
}

/// The location of an access.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Address {
    /// Index of the location.
    pub location: usize,
    /// The way to it.
    pub via: Via,
    /// A register that the address is computed from, although it makes no difference.
    pub from: Option<usize>,
}

/// A number, or what a register holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Value {
    /// A number.
    Number(u32),
    /// A register.
    Register(usize),
}

/// Arithmetic on 32 bits, which wraps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compute {
    /// The first operand.
    Move,
    /// Sum.
    Add,
    /// Difference.
    Subtract,
    /// Bitwise.
    And,
    /// Bitwise.
    Or,
    /// Bitwise.
    Xor,
}

/// Whether a register holds a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Check {
    /// The register.
    pub register: usize,
    /// The value.
    pub value: u32,
    /// Whether it must hold it, or must not.
    pub is_equal: bool,
}

/// Every form that is accepted.
pub(super) const FORMS: &str = "`ld.ORDER REGISTER LOCATION`, `st.ORDER LOCATION VALUE`, \
     `atom.ORDER.OP REGISTER LOCATION VALUE...`, `red.ORDER.OP LOCATION VALUE`, `fence.ORDER`, \
     `ld.surface` (or .texture, .constant), `st.surface`, `fence.proxy.surface` (or .texture, .constant, .alias), \
     `bar`, `bar.sync NUMBER`, `bar.sync NUMBER THREADS`, `bar.arrive` likewise, `mov REGISTER VALUE`, `add`, `sub`, `and`, `or` or `xor REGISTER VALUE VALUE`, \
     `if REGISTER=VALUE`, `if REGISTER!=VALUE`, `loop TURNS`, `loop TURNS until REGISTER=VALUE`, \
     `end`, `LABEL:`, `goto LABEL`, `beq VALUE VALUE LABEL` (or bne, blt, ble, bgt, bge), `litmus NAME`, `init LOCATION=VALUE...`, `alias NAME LOCATION`, `thread`, `forbidden CONDITION`, \
     `allowed CONDITION`, `exists CONDITION`";

/// Reads an instruction; `location` gives the index of a name. A block has no body yet.
pub(super) fn instruction(
    words: &[&str],
    mut location: impl FnMut(&str) -> Result<(usize, usize), String>,
) -> Result<Kind, String> {
    if let (Some(fence), [_]) = (proxy_fence(words[0]), words) {
        return Ok(Kind::ProxyFence(fence?));
    }
    let (mnemonic, proxy) = without_proxy(words[0])?;
    let mut modifiers = mnemonic.split('.');
    let kind = modifiers.next().unwrap_or_default();
    if kind == "bar" {
        return Ok(Kind::Barrier(barrier(words[0], &words[1..])?));
    }
    let modifiers = Modifiers::new(words[0], modifiers)?;
    let mut address = |text: &str| -> Result<Address, String> {
        let (name, from) = match text.strip_suffix(']').and_then(|text| text.split_once('[')) {
            Some((name, from)) => (name, Some(register(from)?)),
            None => (text, None),
        };
        let (location, alias) = location(name)?;
        Ok(Address { location, via: Via { proxy, alias }, from })
    };
    use Order::{
        Acquire, AcquireRelease, Relaxed, Release, SequentiallyConsistent, Volatile, Weak,
    };
    Ok(match (kind, &words[1..]) {
        ("ld", [to, from]) => {
            let strength = modifiers.strength(&[Weak, Volatile, Relaxed, Acquire])?;
            modifiers.without_operation()?;
            Kind::Load(strength, register(to)?, address(from)?)
        }
        ("st", [to, from]) => {
            let strength = modifiers.strength(&[Weak, Volatile, Relaxed, Release])?;
            modifiers.without_operation()?;
            Kind::Store(strength, address(to)?, value(from)?)
        }
        ("atom", [to, at, values @ ..]) if (1..=2).contains(&values.len()) => {
            let strength = modifiers.strength(&[Relaxed, Acquire, Release, AcquireRelease])?;
            let values = values.iter().map(|it| value(it)).collect::<Result<Vec<_>, _>>()?;
            let operation = modifiers.operation(values.len())?;
            Kind::Atomic(strength, operation, Some(register(to)?), address(at)?, values)
        }
        ("red", [at, from]) => {
            let strength = modifiers.strength(&[Relaxed, Release])?;
            let operation = modifiers.operation(1)?;
            if operation == AtomicOp::Exchange {
                return Err(format!("{}: PTX has no reduction `exch`", words[0]));
            }
            Kind::Atomic(strength, operation, None, address(at)?, vec![value(from)?])
        }
        ("fence", []) => {
            modifiers.without_operation()?;
            Kind::Fence(modifiers.strength(&[AcquireRelease, SequentiallyConsistent])?)
        }
        ("mov", [to, from]) => {
            Kind::Compute(Compute::Move, register(to)?, [value(from)?, Value::Number(0)])
        }
        ("add" | "sub" | "and" | "or" | "xor", [to, left, right]) => {
            let operation = match kind {
                "add" => Compute::Add,
                "sub" => Compute::Subtract,
                "and" => Compute::And,
                "or" => Compute::Or,
                _ => Compute::Xor,
            };
            Kind::Compute(operation, register(to)?, [value(left)?, value(right)?])
        }
        ("if", [holds]) => Kind::If(check(holds)?, Vec::new()),
        ("loop", [times]) => Kind::Loop(turns(times)?, None, Vec::new()),
        ("loop", [times, "until", holds]) => {
            Kind::Loop(turns(times)?, Some(check(holds)?), Vec::new())
        }
        _ => match branch(words)? {
            Some(kind) => kind,
            None => return Err(format!("`{}`: accepted are {FORMS}", words.join(" "))),
        },
    })
}

/// What stands behind the dots of an instruction.
struct Modifiers<'a> {
    name: &'a str,
    order: Option<Order>,
    /// Inside it, none is `$`.
    scope: Option<Option<Scope>>,
    operation: Option<AtomicOp>,
}

impl<'a> Modifiers<'a> {
    fn new(name: &'a str, words: impl Iterator<Item = &'a str>) -> Result<Self, String> {
        let mut all = Self { name, order: None, scope: None, operation: None };
        for word in words {
            let is_new = if let Some(order) = order(word) {
                all.order.replace(order).is_none()
            } else if let Some(scope) = scope(word) {
                all.scope.replace(scope).is_none()
            } else if let Some(operation) = AtomicOp::named(word).filter(|op| is_offered(*op)) {
                all.operation.replace(operation).is_none()
            } else {
                let known = "weak, volatile, relaxed, acquire, release, acq_rel, sc; cta, gpu, sys, \
                             $; add, min, max, and, or, xor, exch, cas";
                return Err(format!("{name}: `{word}` is not one of {known}"));
            };
            if !is_new {
                return Err(format!("{name}: `{word}` is the second word of its kind"));
            }
        }
        Ok(all)
    }

    /// Order and scope, of those orders that the instruction takes.
    fn strength(&self, orders: &[Order]) -> Result<Strength, String> {
        let name = self.name;
        let order = match self.order {
            None if orders.contains(&Order::Weak) => Order::Weak,
            Some(order) if orders.contains(&order) => order,
            _ => {
                let words: Vec<_> = orders.iter().map(|order| order_name(*order)).collect();
                return Err(format!("{name}: the order must be one of {}", words.join(", ")));
            }
        };
        let scope = match (order, self.scope) {
            (Order::Weak | Order::Volatile, Some(_)) => {
                return Err(format!("{name}: {} takes no scope", order_name(order)));
            }
            (Order::Weak | Order::Volatile, None) => Some(Scope::Sys),
            (_, Some(scope)) => scope,
            (_, None) => {
                return Err(format!("{name}: a scope is missing: one of cta, gpu, sys, $"));
            }
        };
        Ok(Strength { order, scope })
    }

    fn operation(&self, values: usize) -> Result<AtomicOp, String> {
        let name = self.name;
        let wrong = || format!("{name}: one of add, min, max, and, or, xor, exch, cas is missing");
        let operation = self.operation.ok_or_else(wrong)?;
        match (operation == AtomicOp::CompareAndSwap, values) {
            (true, 2) | (false, 1) => Ok(operation),
            (true, _) => Err(format!("{name}: `cas` takes an expected and a new value, in `atom`")),
            (false, _) => Err(format!("{name}: one value is taken")),
        }
    }

    fn without_operation(&self) -> Result<(), String> {
        match self.operation {
            Some(_) => Err(format!("{}: only `atom` and `red` have an operation", self.name)),
            None => Ok(()),
        }
    }
}

/// Orders in PTX.
const ORDERS: [(Order, &str); 7] = [
    (Order::Weak, "weak"),
    (Order::Volatile, "volatile"),
    (Order::Relaxed, "relaxed"),
    (Order::Acquire, "acquire"),
    (Order::Release, "release"),
    (Order::AcquireRelease, "acq_rel"),
    (Order::SequentiallyConsistent, "sc"),
];

fn order(word: &str) -> Option<Order> {
    ORDERS.iter().find(|(_, name)| *name == word).map(|(order, _)| *order)
}

/// An order in PTX.
pub(super) fn order_name(order: Order) -> &'static str {
    ORDERS.iter().find(|(known, _)| *known == order).map_or("", |(_, name)| name)
}

#[expect(clippy::option_option, reason = "no scope, and the scope that is left open, are two")]
fn scope(word: &str) -> Option<Option<Scope>> {
    Some(match word {
        "cta" => Some(Scope::Cta),
        "gpu" => Some(Scope::Gpu),
        "sys" => Some(Scope::Sys),
        "$" => None,
        _ => return None,
    })
}

/// The others wrap at an operand.
fn is_offered(operation: AtomicOp) -> bool {
    !matches!(operation, AtomicOp::Increment | AtomicOp::Decrement)
}

pub(super) fn register(word: &str) -> Result<usize, String> {
    let number = word.strip_prefix('r').and_then(|number| number.parse::<usize>().ok());
    let number = number.filter(|number| *number < REGISTERS);
    number.ok_or(format!("{word} is no register: r0 to r{} are", REGISTERS - 1))
}

pub(super) fn value(word: &str) -> Result<Value, String> {
    if word.starts_with('r') {
        return Ok(Value::Register(register(word)?));
    }
    Ok(Value::Number(number(word)?))
}

pub(super) fn number(word: &str) -> Result<u32, String> {
    word.parse().map_err(|_| format!("{word} is no number up to 4294967295, and no register"))
}

fn turns(word: &str) -> Result<u32, String> {
    let turns = word.parse().ok().filter(|turns| (1..=TURNS).contains(turns));
    turns.ok_or(format!("{word} is no number of turns: 1 to {TURNS} are"))
}

fn check(text: &str) -> Result<Check, String> {
    let wrong = || format!("{text}: accepted are REGISTER=VALUE and REGISTER!=VALUE");
    let (left, right) = text.split_once('=').ok_or_else(wrong)?;
    let (left, is_equal) = match left.strip_suffix('!') {
        Some(left) => (left, false),
        None => (left, true),
    };
    Ok(Check { register: register(left)?, value: number(right)?, is_equal })
}

impl Kind {
    /// The register that it sets.
    pub fn target(&self) -> Option<usize> {
        match self {
            Self::Load(_, register, _) | Self::Compute(_, register, _) => Some(*register),
            Self::Atomic(_, _, register, ..) => *register,
            _ => None,
        }
    }

    /// The registers that it reads.
    pub fn sources(&self) -> Vec<usize> {
        let (address, values, check) = match self {
            Self::Load(_, _, address) => (Some(address), &[][..], None),
            Self::Store(_, address, value) => (Some(address), std::slice::from_ref(value), None),
            Self::Atomic(_, _, _, address, values) => (Some(address), &values[..], None),
            Self::Fence(_) | Self::ProxyFence(_) | Self::Label(_) => (None, &[][..], None),
            Self::Barrier(barrier) => (None, barrier.id.as_slice(), None),
            Self::Branch(comparison, _) => (None, &comparison.operands[..], None),
            Self::Compute(_, _, values) => (None, &values[..], None),
            Self::If(check, _) => (None, &[][..], Some(check)),
            Self::Loop(_, check, _) => (None, &[][..], check.as_ref()),
        };
        let values = values.iter().filter_map(|value| match value {
            Value::Register(register) => Some(*register),
            Value::Number(_) => None,
        });
        let address = address.and_then(|address| address.from);
        values.chain(address).chain(check.map(|check| check.register)).collect()
    }

    /// Its order and scope, if it has one.
    pub fn strength(&self) -> Option<Strength> {
        match self {
            Self::Load(strength, ..)
            | Self::Store(strength, ..)
            | Self::Atomic(strength, ..)
            | Self::Fence(strength) => Some(*strength),
            _ => None,
        }
    }

    /// What stands in a block.
    pub fn body(&self) -> &[Instruction] {
        match self {
            Self::If(_, body) | Self::Loop(_, _, body) => body,
            _ => &[],
        }
    }
}

/// Instructions and those in their blocks, in the order of the file.
pub(super) fn flattened<'a>(instructions: &'a [Instruction]) -> Vec<&'a Instruction> {
    let with_body = |it: &'a Instruction| std::iter::once(it).chain(flattened(it.kind.body()));
    instructions.iter().flat_map(with_body).collect()
}
