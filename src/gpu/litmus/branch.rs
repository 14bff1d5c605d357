//! Branches and barriers of a litmus test.

use super::instruction::{Check, FORMS, Kind, Value, number, value};

/// Most threads for which a barrier waits.
const THREADS: u32 = 32;

/// An arrival at a barrier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Barrier {
    /// Its number; none is `bar`, for all threads of the CTA.
    pub id: Option<Value>,
    /// Arrivals that end a phase; none is one of each thread of the CTA that names the barrier.
    pub count: Option<u32>,
    /// `sync`, and not `arrive`.
    pub waits: bool,
}

impl Barrier {
    /// The barrier for which all threads of a CTA wait.
    pub const ALL: Self = Self { id: None, count: None, waits: true };
}

/// A comparison of two values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BranchCondition {
    /// Which.
    pub op: Comparator,
    /// Left and right.
    pub operands: [Value; 2],
}

/// Which values a comparison takes; without sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "as in PTX")]
pub enum Comparator {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl Comparator {
    /// Names in branches, and in PTX.
    const ALL: [(Self, &'static str, &'static str); 6] = [
        (Self::Equal, "beq", "eq"),
        (Self::NotEqual, "bne", "ne"),
        (Self::Less, "blt", "lo"),
        (Self::LessOrEqual, "ble", "ls"),
        (Self::Greater, "bgt", "hi"),
        (Self::GreaterOrEqual, "bge", "hs"),
    ];

    /// Its name in PTX.
    pub(super) fn in_ptx(self) -> &'static str {
        Self::ALL.iter().find(|it| it.0 == self).map_or("eq", |it| it.2)
    }
}

impl BranchCondition {
    /// Always holds.
    pub(super) const ALWAYS: Self =
        Self { op: Comparator::Equal, operands: [Value::Number(0), Value::Number(0)] };

    /// Compares two numbers.
    pub(super) fn holds(self, [left, right]: [u32; 2]) -> bool {
        match self.op {
            Comparator::Equal => left == right,
            Comparator::NotEqual => left != right,
            Comparator::Less => left < right,
            Comparator::LessOrEqual => left <= right,
            Comparator::Greater => left > right,
            Comparator::GreaterOrEqual => left >= right,
        }
    }
}

impl From<Check> for BranchCondition {
    fn from(check: Check) -> Self {
        let op = if check.is_equal { Comparator::Equal } else { Comparator::NotEqual };
        Self { op, operands: [Value::Register(check.register), Value::Number(check.value)] }
    }
}

/// Reads a label or a branch, if it is one.
pub(super) fn branch(words: &[&str]) -> Result<Option<Kind>, String> {
    let named = |name: &str| Comparator::ALL.iter().find(|it| it.1 == name).map(|it| it.0);
    Ok(Some(match *words {
        [label] if label.ends_with(':') => Kind::Label(name(label.trim_end_matches(':'))?),
        ["goto", label] => Kind::Branch(BranchCondition::ALWAYS, name(label)?),
        [branch, left, right, label] => {
            let Some(op) = named(branch) else { return Ok(None) };
            let operands = [value(left)?, value(right)?];
            Kind::Branch(BranchCondition { op, operands }, name(label)?)
        }
        _ => return Ok(None),
    }))
}

/// The name of a label.
fn name(text: &str) -> Result<String, String> {
    let is_name = text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    is_name.then(|| text.to_string()).ok_or(format!("`{text}` is no label: names like LC00 are"))
}

/// `bar`, `bar.sync 1`, `bar.arrive 1 2`
pub(super) fn barrier(name: &str, rest: &[&str]) -> Result<Barrier, String> {
    let waits = match (name, rest.len()) {
        ("bar", 0) => return Ok(Barrier::ALL),
        ("bar.sync", 1..=2) => true,
        ("bar.arrive", 1..=2) => false,
        _ => return Err(format!("`{name}`: accepted are {FORMS}")),
    };
    let id = value(rest[0])?;
    if matches!(id, Value::Number(16..)) {
        return Err(format!("barrier {}: 0 to 15 are accepted", rest[0]));
    }
    let count = rest.get(1).map(|text| match number(text)? {
        count @ 1..=THREADS => Ok(count),
        _ => Err(format!("a barrier of {text} threads: 1 to {THREADS} are accepted")),
    });
    Ok(Barrier { id: Some(id), count: count.transpose()?, waits })
}
