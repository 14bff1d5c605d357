//! Mutations: their kinds, yosys's `mutate` commands, and descriptions.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The kind of fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MutationKind {
    /// Drawn by yosys.
    Yosys,
    /// One bit of a comparison of two variables is ignored.
    Comparator,
    /// A constant that is compared, added or subtracted is one more or one less.
    Limit,
    /// A bit of a memory is stuck, in one row or in all.
    Ram,
    /// A bit of a memory's address is ignored: two rows are one.
    Address,
    /// Two operands, or the two inputs of a multiplexer, are exchanged.
    Swap,
    /// A bit of a reset value is inverted.
    Reset,
}

impl MutationKind {
    /// All kinds.
    pub const ALL: [MutationKind; 7] = [
        MutationKind::Yosys,
        MutationKind::Comparator,
        MutationKind::Limit,
        MutationKind::Ram,
        MutationKind::Address,
        MutationKind::Swap,
        MutationKind::Reset,
    ];
    /// The kinds that yosys lacks.
    pub const OWN: [MutationKind; 6] = [
        MutationKind::Comparator,
        MutationKind::Limit,
        MutationKind::Ram,
        MutationKind::Address,
        MutationKind::Swap,
        MutationKind::Reset,
    ];

    /// Name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            MutationKind::Yosys => "yosys",
            MutationKind::Comparator => "comparator",
            MutationKind::Limit => "limit",
            MutationKind::Ram => "ram",
            MutationKind::Address => "address",
            MutationKind::Swap => "swap",
            MutationKind::Reset => "reset",
        }
    }

    /// Reads names separated by commas: kinds, `own` for [`MutationKind::OWN`], or `all`.
    ///
    /// # Errors
    /// The accepted names.
    pub fn read_list(text: &str) -> Result<Vec<MutationKind>, String> {
        let mut kinds = Vec::new();
        for name in text.split(',').map(str::trim) {
            match name {
                "all" => kinds.extend(MutationKind::ALL),
                "own" => kinds.extend(MutationKind::OWN),
                _ => kinds.push(
                    MutationKind::ALL.into_iter().find(|kind| kind.name() == name).ok_or_else(
                        || {
                            let names = MutationKind::ALL.map(MutationKind::name).join(", ");
                            format!("there is no kind `{name}`; the kinds are: {names}; own, all")
                        },
                    )?,
                ),
            }
        }
        kinds.sort_unstable();
        kinds.dedup();
        Ok(kinds)
    }
}

/// The change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
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
    /// The bit is left out of a comparison.
    Ignored,
    /// The constant is one more.
    OneMore,
    /// The constant is one less.
    OneLess,
    /// A memory reads 0 there: in the row `control`, or in all.
    Reads0,
    /// A memory reads 1 there: in the row `control`, or in all.
    Reads1,
    /// The bit of all addresses of a memory is 0.
    Aliased,
    /// The port is exchanged with port `B`.
    Swapped,
    /// The bit of a reset value is inverted.
    ResetInverted,
}

impl Mode {
    /// The modes of yosys.
    const YOSYS: [(&str, Mode); 5] = [
        ("inv", Mode::Inv),
        ("const0", Mode::Const0),
        ("const1", Mode::Const1),
        ("cnot0", Mode::Cnot0),
        ("cnot1", Mode::Cnot1),
    ];

    /// Yosys's name of the mode, if it has one.
    pub fn name(self) -> Option<&'static str> {
        Some(Mode::YOSYS.into_iter().find(|(_, mode)| *mode == self)?.0)
    }

    /// The kind of fault.
    pub fn kind(self) -> MutationKind {
        match self {
            Mode::Inv | Mode::Const0 | Mode::Const1 | Mode::Cnot0 | Mode::Cnot1 => {
                MutationKind::Yosys
            }
            Mode::Ignored => MutationKind::Comparator,
            Mode::OneMore | Mode::OneLess => MutationKind::Limit,
            Mode::Reads0 | Mode::Reads1 => MutationKind::Ram,
            Mode::Aliased => MutationKind::Address,
            Mode::Swapped => MutationKind::Swap,
            Mode::ResetInverted => MutationKind::Reset,
        }
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
    /// The bit of the port, or the row of the memory, that the change depends on, if any.
    pub control: Option<u32>,
}

impl Mutation {
    /// Reads a line of `mutate -list`; none if it is malformed.
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
            mode: Mode::YOSYS.into_iter().find(|(name, _)| *name == mode)?.1,
            cell: value("-cell")?.to_string(),
            port: value("-port")?.to_string(),
            bit: value("-portbit")?.parse().ok()?,
            control: value("-ctrlbit").map(str::parse).transpose().ok()?,
        })
    }

    /// The yosys command that applies it to a module, active where the input `chooser` has the value
    /// `choice`; none if yosys has no such mode.
    pub fn command(&self, module: &str, chooser: &str, width: u32, choice: u32) -> Option<String> {
        let Self { mode, cell, port, bit, control } = self;
        let mode = mode.name()?;
        let control = control.map(|bit| format!(" -ctrlbit {bit}")).unwrap_or_default();
        Some(format!(
            "mutate -ctrl {chooser} {width} {choice} -mode {mode} -module {module} -cell {cell} -port {port} \
             -portbit {bit}{control}"
        ))
    }

    /// Whether it is a fault of logic. Faults in the clocking of a register or memory are not, and simulators
    /// order them differently; the ports that initialise a clocked read have no meaning for an asynchronous
    /// read.
    pub fn is_of_logic(&self) -> bool {
        let port = self.port.as_str();
        !port.ends_with("CLK") && !matches!(port, "RD_EN" | "RD_ARST" | "RD_SRST")
    }
}

impl fmt::Display for Mutation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { mode, port, bit, control, .. } = self;
        let control = control.map(|control| control.to_string());
        let row = control.as_ref().map_or("all rows".to_string(), |row| format!("row {row}"));
        let control = control.unwrap_or_default();
        match mode {
            Mode::Inv => write!(f, "{port}[{bit}] inverted"),
            Mode::Const0 => write!(f, "{port}[{bit}] stuck at 0"),
            Mode::Const1 => write!(f, "{port}[{bit}] stuck at 1"),
            Mode::Cnot0 => write!(f, "{port}[{bit}] inverted while {port}[{control}] is 0"),
            Mode::Cnot1 => write!(f, "{port}[{bit}] inverted while {port}[{control}] is 1"),
            Mode::Ignored => write!(f, "bit {bit} ignored"),
            Mode::OneMore => write!(f, "constant one more"),
            Mode::OneLess => write!(f, "constant one less"),
            Mode::Reads0 => write!(f, "bit {bit} of {row} stuck at 0"),
            Mode::Reads1 => write!(f, "bit {bit} of {row} stuck at 1"),
            Mode::Aliased => write!(f, "bit {bit} of its addresses ignored"),
            Mode::Swapped => write!(f, "operands exchanged"),
            Mode::ResetInverted => write!(f, "bit {bit} of the reset value inverted"),
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
            mutation.command("top", "choose", 8, 17).unwrap(),
            "mutate -ctrl choose 8 17 -mode cnot1 -module top -cell $flatten\\a.$or$b.v:19$228 -port Y \
             -portbit 3 -ctrlbit 0"
        );
        assert_eq!(mutation.to_string(), "Y[3] inverted while Y[0] is 1");
    }

    #[test]
    fn kinds_are_read_once_each_and_others_are_refused() {
        assert_eq!(MutationKind::read_list("reset,own,reset"), Ok(MutationKind::OWN.to_vec()));
        assert_eq!(MutationKind::read_list("all"), Ok(MutationKind::ALL.to_vec()));
        assert!(MutationKind::read_list("reset,").unwrap_err().contains("swap, reset; own, all"));
    }

    #[test]
    fn what_is_no_mutation_is_not_read() {
        for line in ["", "mutate", "mutate -mode inv", "mutate -mode none", "stat -cell a"] {
            assert_eq!(Mutation::read(line), None, "{line}");
        }
    }
}
