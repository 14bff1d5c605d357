//! The FPGA families: synthesis command, devices and cells of each.

use crate::flow::nextpnr;
use crate::flow::tool::Tool;

/// FPGA family.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Lattice ECP5.
    Ecp5,
    /// Lattice iCE40.
    Ice40,
    /// AMD 7 series.
    Xc7,
}

/// What a cell counts as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counts {
    /// Look-up tables.
    Lut,
    /// Look-up tables that are used for something other than logic, as named.
    LutAs(&'static str),
    /// A flip-flop.
    Ff,
    /// Block RAMs.
    Bram,
}

/// Cell types of a family, `*` meaning any suffix, each with what it counts as and how many.
type Cells = &'static [(&'static str, Counts, u64)];

/// How a family is placed and routed.
pub struct Router {
    /// The tool.
    pub tool: &'static Tool,
    /// Devices, the smallest first.
    pub devices: &'static [Device],
    /// Default clock constraint in MHz.
    pub default_mhz: f64,
}

/// A device.
pub struct Device {
    /// Its name with package and speed grade.
    pub name: &'static str,
    /// Arguments that select it.
    pub arguments: &'static [&'static str],
}

impl Family {
    /// Name in records.
    pub fn name(self) -> &'static str {
        match self {
            Family::Ecp5 => "ecp5",
            Family::Ice40 => "ice40",
            Family::Xc7 => "xc7",
        }
    }

    /// The synthesis command of yosys. The first two flatten by default, the third needs an option.
    pub fn synthesis(self) -> &'static str {
        match self {
            Family::Ecp5 => "synth_ecp5",
            Family::Ice40 => "synth_ice40",
            Family::Xc7 => "synth_xilinx -family xc7 -flatten",
        }
    }

    /// The open place-and-route tool, if there is one.
    pub fn router(self) -> Option<&'static Router> {
        match self {
            Family::Ecp5 => Some(&ECP5),
            Family::Ice40 => Some(&ICE40),
            Family::Xc7 => None,
        }
    }

    /// What cells of that type count as, and how many each; none for wiring and multiplexers.
    pub fn counts(self, cell: &str) -> Option<(Counts, u64)> {
        let cells = match self {
            Family::Ecp5 => ECP5_CELLS,
            Family::Ice40 => ICE40_CELLS,
            Family::Xc7 => XC7_CELLS,
        };
        let is_it = |pattern: &str| match pattern.strip_suffix('*') {
            Some(start) => cell.starts_with(start),
            None => cell == pattern,
        };
        cells.iter().find(|(pattern, ..)| is_it(pattern)).map(|&(_, counts, each)| (counts, each))
    }

    /// The unit of block RAM.
    pub fn bram_unit(self) -> &'static str {
        match self {
            Family::Ecp5 => "DP16KD of 18 Kibit",
            Family::Ice40 => "SB_RAM40_4K of 4 Kibit",
            Family::Xc7 => "RAMB18E1 of 18 Kibit, a RAMB36E1 counts as two",
        }
    }
}

static ECP5: Router = Router {
    tool: &nextpnr::ECP5,
    devices: &[
        Device {
            name: "LFE5U-25F, CABGA381, speed grade 8",
            arguments: &["--25k", "--package", "CABGA381", "--speed", "8"],
        },
        Device {
            name: "LFE5U-45F, CABGA381, speed grade 8",
            arguments: &["--45k", "--package", "CABGA381", "--speed", "8"],
        },
        Device {
            name: "LFE5U-85F, CABGA381, speed grade 8",
            arguments: &["--85k", "--package", "CABGA381", "--speed", "8"],
        },
    ],
    default_mhz: 150.0,
};

static ICE40: Router = Router {
    tool: &nextpnr::ICE40,
    devices: &[Device { name: "iCE40HX8K, CT256", arguments: &["--hx8k", "--package", "ct256"] }],
    default_mhz: 60.0,
};

/// A carry cell is two LUTs; a LUT RAM takes four LUTs for its bits and two for its write port, as nextpnr
/// counts.
const ECP5_CELLS: Cells = &[
    ("LUT4", Counts::Lut, 1),
    ("CCU2C", Counts::LutAs("carry"), 2),
    ("TRELLIS_DPR16X4", Counts::LutAs("LUT RAM"), 6),
    ("TRELLIS_FF", Counts::Ff, 1),
    ("DP16KD", Counts::Bram, 1),
    ("PDPW16KD", Counts::Bram, 1),
];

/// A carry needs no LUT of its own.
const ICE40_CELLS: Cells =
    &[("SB_LUT4", Counts::Lut, 1), ("SB_DFF*", Counts::Ff, 1), ("SB_RAM40_4K*", Counts::Bram, 1)];

/// LUTs of a LUT RAM according to AMD's UG474.
const XC7_CELLS: Cells = &[
    ("LUT1", Counts::Lut, 1),
    ("LUT2", Counts::Lut, 1),
    ("LUT3", Counts::Lut, 1),
    ("LUT4", Counts::Lut, 1),
    ("LUT5", Counts::Lut, 1),
    ("LUT6", Counts::Lut, 1),
    ("INV", Counts::LutAs("inverter"), 1),
    ("SRL16E", Counts::LutAs("shift register"), 1),
    ("SRLC32E", Counts::LutAs("shift register"), 1),
    ("RAM32X1S", Counts::LutAs("LUT RAM"), 1),
    ("RAM64X1S", Counts::LutAs("LUT RAM"), 1),
    ("RAM128X1S", Counts::LutAs("LUT RAM"), 2),
    ("RAM256X1S", Counts::LutAs("LUT RAM"), 4),
    ("RAM32X1D", Counts::LutAs("LUT RAM"), 2),
    ("RAM64X1D", Counts::LutAs("LUT RAM"), 2),
    ("RAM128X1D", Counts::LutAs("LUT RAM"), 4),
    ("RAM32M", Counts::LutAs("LUT RAM"), 4),
    ("RAM64M", Counts::LutAs("LUT RAM"), 4),
    ("FD*", Counts::Ff, 1),
    ("RAMB18E1", Counts::Bram, 1),
    ("RAMB36E1", Counts::Bram, 2),
];
