//! Mutations: what yosys `mutate` writes about one, and in words.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What is changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// The bit is inverted.
    Inv,
    /// The bit is 0.
    Const0,
    /// The bit is 1.
    Const1,
    /// The bit is inverted where another of the same port is 0.
    Cnot0,
    /// The bit is inverted where another of the same port is 1.
    Cnot1,
}

impl Mode {
    const ALL: [(&str, Mode); 5] = [
        ("inv", Mode::Inv),
        ("const0", Mode::Const0),
        ("const1", Mode::Const1),
        ("cnot0", Mode::Cnot0),
        ("cnot1", Mode::Cnot1),
    ];

    /// As yosys writes it.
    pub fn name(self) -> &'static str {
        Mode::ALL.into_iter().find(|(_, mode)| *mode == self).expect("all are listed").0
    }
}

/// One change of one bit at one port of one cell.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Mutation {
    /// What is changed.
    pub mode: Mode,
    /// Name of the cell in the flattened netlist.
    pub cell: String,
    /// Port of the cell.
    pub port: String,
    /// Bit of the port.
    pub bit: u32,
    /// The bit of the port on which it depends, if it does.
    pub control: Option<u32>,
}

impl Mutation {
    /// Reads a line of `mutate -list`; none if it is not understood.
    pub fn read(line: &str) -> Option<Self> {
        let mut words = line.split_whitespace();
        let ("mutate", mut fields) = (words.next()?, Vec::new()) else { return None };
        while let Some(option) = words.next() {
            fields.push((option, words.next()?));
        }
        let value = |wanted: &str| {
            fields.iter().find(|(option, _)| *option == wanted).map(|(_, value)| *value)
        };
        let mode = value("-mode")?;
        Some(Self {
            mode: Mode::ALL.into_iter().find(|(name, _)| *name == mode)?.1,
            cell: value("-cell")?.to_string(),
            port: value("-port")?.to_string(),
            bit: value("-portbit")?.parse().ok()?,
            control: value("-ctrlbit").map(str::parse).transpose().ok()?,
        })
    }

    /// The command that makes it in a module, to be in force where the input `chooser` of that width
    /// has the value `choice`.
    pub fn command(&self, module: &str, chooser: &str, width: u32, choice: u32) -> String {
        let Self { mode, cell, port, bit, control } = self;
        let control = control.map(|bit| format!(" -ctrlbit {bit}")).unwrap_or_default();
        format!(
            "mutate -ctrl {chooser} {width} {choice} -mode {} -module {module} -cell {cell} -port {port} \
             -portbit {bit}{control}",
            mode.name()
        )
    }

    /// Whether it is a fault of logic. When a register or memory is clocked is none, and simulators
    /// order such faults differently; the ports of a memory that say how a clocked read starts have
    /// no meaning for a read that is not clocked.
    pub fn is_of_logic(&self) -> bool {
        let port = self.port.as_str();
        !port.ends_with("CLK") && !matches!(port, "RD_EN" | "RD_ARST" | "RD_SRST")
    }
}

impl fmt::Display for Mutation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{}] ", self.port, self.bit)?;
        let control = self.control.unwrap_or_default();
        match self.mode {
            Mode::Inv => write!(f, "inverted"),
            Mode::Const0 => write!(f, "stuck at 0"),
            Mode::Const1 => write!(f, "stuck at 1"),
            Mode::Cnot0 => write!(f, "inverted while {}[{control}] is 0", self.port),
            Mode::Cnot1 => write!(f, "inverted while {}[{control}] is 1", self.port),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_read_and_written_back_without_what_is_only_told() {
        let line = "mutate -mode cnot1 -module top -cell $flatten\\a.$or$b.v:19$228 -port Y -portbit 3 \
                    -ctrlbit 0 -wire a.x -wirebit 3 -src t.v:312.20-321.6 -src b.v:19.19-19.37";
        let mutation = Mutation::read(line).unwrap();
        assert_eq!(
            mutation.command("top", "choose", 8, 17),
            "mutate -ctrl choose 8 17 -mode cnot1 -module top -cell $flatten\\a.$or$b.v:19$228 -port Y \
             -portbit 3 -ctrlbit 0"
        );
        assert_eq!(mutation.to_string(), "Y[3] inverted while Y[0] is 1");
    }

    #[test]
    fn what_is_no_mutation_is_not_read() {
        for line in ["", "mutate", "mutate -mode inv", "mutate -mode none", "stat -cell a"] {
            assert_eq!(Mutation::read(line), None, "{line}");
        }
    }
}
