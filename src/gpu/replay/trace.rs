//! The text of a trace: a line for each operation.

use std::str::FromStr;

use thiserror::Error;

use crate::isa::Scope;

/// Addresses of a trace are below this.
const END: u64 = 1 << 36;

/// A list of operations of cores.
#[derive(Debug, Clone)]
pub struct Trace {
    /// Its file.
    pub file: String,
    /// The operations; those of a core in the order in which it takes them.
    pub steps: Vec<Step>,
}

/// An operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// The line of the file.
    pub line: usize,
    /// The clock before which it does not begin.
    pub clock: u64,
    /// The core.
    pub core: u32,
    /// Its action.
    pub action: Action,
}

/// Action of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// An access to consecutive bytes.
    Access {
        /// Its kind.
        kind: Kind,
        /// The first byte.
        address: u64,
        /// Number of bytes.
        bytes: u32,
    },
    /// All earlier stores of the core become visible to a scope.
    Release(Scope),
    /// Later loads of the core see the stores of a scope.
    Acquire(Scope),
}

/// The kind of an access.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A load.
    Load,
    /// A store.
    Store,
    /// An addition.
    Atomic,
}

/// A trace that cannot be replayed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TraceError {
    /// A line is malformed.
    #[error(
        "{file}:{line}: {why}; accepted: `CLOCK CORE load|store|atomic ADDRESS BYTES`, \
         `CLOCK CORE release|acquire cta|gpu|sys`, and comments from `#` on"
    )]
    Line {
        /// The file.
        file: String,
        /// The line.
        line: usize,
        /// The error.
        why: String,
    },
    /// The memory system does not end an operation.
    #[error(
        "{file}:{line}: the memory system does not end this operation, or one before it of the same core"
    )]
    Stuck {
        /// The file.
        file: String,
        /// The last line that the core has begun.
        line: usize,
    },
}

impl Trace {
    /// Reads a trace.
    ///
    /// # Errors
    /// [`TraceError`] with the first line that is malformed.
    pub fn parse(file: &str, text: &str) -> Result<Self, TraceError> {
        let mut steps = Vec::new();
        for (line, text) in (1..).zip(text.lines()) {
            let words: Vec<_> = text.split('#').next().unwrap_or("").split_whitespace().collect();
            if words.is_empty() {
                continue;
            }
            let step = step(&words);
            let wrong = |why| TraceError::Line { file: file.to_string(), line, why };
            let (clock, core, action) = step.map_err(wrong)?;
            steps.push(Step { line, clock, core, action });
        }
        if steps.is_empty() {
            let why = "there is no operation".to_string();
            return Err(TraceError::Line { file: file.to_string(), line: 1, why });
        }
        Ok(Self { file: file.to_string(), steps })
    }

    /// Requires that a machine has so many cores.
    pub(super) fn check(&self, cores: u32) -> Result<(), TraceError> {
        match self.steps.iter().find(|step| step.core >= cores) {
            None => Ok(()),
            Some(Step { line, core, .. }) => {
                let why = format!("no core {core}: this machine has {cores}");
                Err(TraceError::Line { file: self.file.clone(), line: *line, why })
            }
        }
    }
}

/// Clock, core and operation of a line.
fn step(words: &[&str]) -> Result<(u64, u32, Action), String> {
    match *words {
        [clock, core, what @ ("load" | "store" | "atomic"), address, bytes] => {
            let kind = match what {
                "load" => Kind::Load,
                "store" => Kind::Store,
                _ => Kind::Atomic,
            };
            let (address, bytes) = (number(address, "address")?, number(bytes, "bytes")?);
            let access = Action::Access { kind, address, bytes: access(kind, address, bytes)? };
            Ok((number(clock, "clock")?, number::<u32>(core, "core")?, access))
        }
        [clock, core, what @ ("release" | "acquire"), scope] => {
            let scope = match scope {
                "cta" => Scope::Cta,
                "gpu" => Scope::Gpu,
                "sys" => Scope::Sys,
                other => return Err(format!("no scope {other}")),
            };
            let what =
                if what == "release" { Action::Release(scope) } else { Action::Acquire(scope) };
            Ok((number(clock, "clock")?, number::<u32>(core, "core")?, what))
        }
        [_, _, what, ..] => Err(format!("`{what}` with {} words after it", words.len() - 3)),
        _ => Err(format!("{} words", words.len())),
    }
}

/// The bytes of an access, if it is one.
fn access(kind: Kind, address: u64, bytes: u32) -> Result<u32, String> {
    let is_lanes = bytes > 8 && bytes <= 128 && bytes.is_multiple_of(4);
    let most = match kind {
        Kind::Atomic => [4, 8].contains(&bytes),
        _ => [1, 2, 4, 8].contains(&bytes) || is_lanes,
    };
    if !most {
        let accepted = match kind {
            Kind::Atomic => "4 or 8 are accepted",
            _ => "1, 2, 4, 8 and multiples of 4 up to 128 are accepted",
        };
        return Err(format!("{bytes} bytes: {accepted}"));
    }
    let natural = if is_lanes { 4 } else { bytes };
    if !address.is_multiple_of(natural.into()) {
        return Err(format!("address {address:#x} is no multiple of {natural}"));
    }
    match address.checked_add(bytes.into()).is_some_and(|end| end <= END) {
        true => Ok(bytes),
        false => Err(format!("address {address:#x}: addresses below {END:#x} are accepted")),
    }
}

/// A decimal or hexadecimal number.
fn number<T: TryFrom<u64> + FromStr>(word: &str, what: &str) -> Result<T, String> {
    let value = match word.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => word.parse().ok(),
    };
    let value = value.and_then(|value| T::try_from(value).ok());
    value.ok_or_else(|| format!("{what} `{word}` is no number that fits"))
}
