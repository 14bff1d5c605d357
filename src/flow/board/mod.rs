//! A block on an FPGA board: its top, made with rust_hdl in hdl/prototype, to a bitstream.

mod kind;
mod simulation;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use include_dir::{Dir, include_dir};
use serde::{Deserialize, Serialize};
use warpsmith_blocks::block::Design;

pub use self::kind::{Clock, Kind};
pub use self::simulation::{BIT_CLOCKS, simulated};
use super::folder::Folder;
use super::nextpnr::{self, Resource};
use super::synth::record::ToolUsed;
use super::tool::{Program, ToolError};
use super::yosys::{YOSYS, run_script};
use super::{FlowError, Tell};
use crate::emission;

/// The preset of the tops.
pub const PRESET: &str = "fpga";

static TOPS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/rtl-out/boards");

/// What became of a block on a board.
#[derive(Clone, Debug, Serialize)]
pub struct BoardRecord {
    /// The block.
    pub block: String,
    /// Its preset.
    pub preset: &'static str,
    /// The board.
    pub board: &'static str,
    /// Its FPGA.
    pub device: &'static str,
    /// What the top with the block uses.
    pub resources: Vec<Used>,
    /// Highest frequency of the block's clock after routing, in MHz.
    pub fmax_mhz: f64,
    /// Highest frequency of the link's clock, in MHz.
    pub link_fmax_mhz: f64,
    /// The clock that the PLL makes for the block, in MHz.
    pub clock_mhz: f64,
    /// The bitstream.
    pub bitstream: PathBuf,
    /// Programs.
    pub tools: Vec<ToolUsed>,
    /// Wall time in seconds.
    pub seconds: f64,
    /// The folder of inputs, logs and reports.
    pub folder: PathBuf,
}

/// A resource of the FPGA.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Used {
    /// Nextpnr's name of it.
    pub name: String,
    /// Number used.
    pub used: u64,
    /// Number there is.
    pub available: u64,
}

impl From<Resource> for Used {
    fn from(Resource { name, used, available }: Resource) -> Self {
        Self { name, used, available }
    }
}

/// Name and text of the host's modules and of a block's top, as recorded from rust_hdl.
///
/// # Errors
/// That the block has none.
pub fn sources(block: &str) -> Result<[(&'static str, &'static str); 2], FlowError> {
    let text = |name: &str| TOPS.get_file(name).and_then(|file| file.contents_utf8());
    let (host, top) = (text("host.v"), text(&format!("{block}.v")));
    let missing = || FlowError::Input(format!("`{block}` has no top for boards"));
    host.zip(top).map(|(host, top)| [("host.v", host), ("top.v", top)]).ok_or_else(missing)
}

/// Checks that constraints give each pin of the board a site.
fn check_pins(kind: Kind, constraints: &str) -> Result<(), FlowError> {
    let is_there = |pin: &&&str| {
        let words = constraints.lines().filter(|line| !line.trim_start().starts_with('#'));
        let mut words = words.filter(|line| line.contains("LOCATE") || line.contains("set_io"));
        !words.any(|line| line.split([' ', '"']).any(|word| word == **pin))
    };
    let missing: Vec<_> = kind.pins().iter().filter(is_there).copied().collect();
    match missing.is_empty() {
        true => Ok(()),
        false => Err(FlowError::Input(format!(
            "the constraints give no site to {}; pins of {} are: {}",
            missing.join(", "),
            kind.name(),
            kind.pins().join(", ")
        ))),
    }
}

/// Makes the bitstream of a block.
///
/// # Errors
/// [`FlowError`], among these that the block does not fit.
pub fn bitstream(
    design: &dyn Design,
    kind: Kind,
    constraints: &str,
    folder: PathBuf,
    limit: Duration,
    tell: Tell<'_>,
) -> Result<BoardRecord, FlowError> {
    let started = Instant::now();
    check_pins(kind, constraints)?;
    let ours = sources(design.name())?;
    tell(
        "starting yosys and nextpnr (from PyPI they compile themselves at their first start: a minute)",
    );
    let [yosys, nextpnr, packer] = [&YOSYS, kind.router(), kind.packer()].map(|tool| tool.find());
    let (yosys, nextpnr, packer) = (yosys?, nextpnr?, packer?);
    let flow = Flow { design, kind, folder: Folder::empty(&folder)?, yosys, nextpnr, limit, tell };
    flow.map(&ours, constraints)?;
    let resources = flow.fits()?;
    let routed = flow.route()?;
    let bitstream = match kind {
        Kind::Ulx3s => "board.bit",
        Kind::Hx8k => "board.bin",
    };
    tell("packing the bitstream");
    packer.run(flow.folder.path(), &["board.config", bitstream], "bitstream.log", limit)?;
    Ok(BoardRecord {
        block: design.name().to_string(),
        preset: PRESET,
        board: kind.name(),
        device: kind.device(),
        resources: resources.into_iter().filter(|r| r.used > 0).map(Used::from).collect(),
        fmax_mhz: routed.block,
        link_fmax_mhz: routed.link,
        clock_mhz: routed.clock,
        bitstream: flow.folder.file(bitstream),
        tools: [&flow.yosys, &flow.nextpnr].map(ToolUsed::from).into(),
        seconds: started.elapsed().as_secs_f64(),
        folder: flow.folder.path().to_owned(),
    })
}

struct Flow<'a> {
    design: &'a dyn Design,
    kind: Kind,
    folder: Folder,
    yosys: Program,
    nextpnr: Program,
    limit: Duration,
    tell: Tell<'a>,
}

/// Frequencies of a routed board, in MHz.
struct Routed {
    block: f64,
    link: f64,
    clock: f64,
}

impl Flow<'_> {
    /// Writes the sources and maps them.
    fn map(&self, ours: &[(&str, &str)], constraints: &str) -> Result<(), FlowError> {
        let (kind, name) = (self.kind, self.design.name());
        (self.tell)(&format!("synthesizing {name} for {}", kind.name()));
        let emitted = emission::rtl_of_design(self.design, "".as_ref(), "")?;
        let mut read = String::new();
        let files =
            emitted.files.into_iter().map(|(path, text)| (path.display().to_string(), text));
        let files = files.filter(|(file, _)| file.ends_with(".v"));
        let ours = ours.iter().copied().chain([("board.v", kind.shell())]);
        for (file, text) in files.chain(ours.map(|(f, t)| (f.to_string(), t.to_string()))) {
            self.folder.write(&file, &text)?;
            read += &format!("read_verilog {file}\n");
        }
        self.folder.write(kind.constraints_file(), constraints)?;
        let synthesis = kind.family().synthesis();
        let script =
            format!("{read}{synthesis} -top board\ndelete t:$scopeinfo\nwrite_json mapped.json\n");
        run_script(&self.yosys, &self.folder, "map", &script, self.limit).map(drop)
    }

    /// What it uses, if that is there.
    fn fits(&self) -> Result<Vec<Resource>, FlowError> {
        (self.tell)(&format!("packing {} for {}", self.design.name(), self.kind.device()));
        let arguments = self.kind.arguments();
        let resources = nextpnr::utilisation(
            &self.nextpnr,
            &self.folder,
            arguments,
            "mapped.json",
            "pack.log",
            self.limit,
        )?;
        let over = nextpnr::over(&resources);
        match over.is_empty() {
            true => Ok(resources),
            false => Err(FlowError::DoesNotFit {
                design: format!("{} behind its link", self.design.name()),
                device: self.kind.device().to_string(),
                over,
            }),
        }
    }

    /// Routes with the fastest clock, then with the fastest that is met, until one is.
    fn route(&self) -> Result<Routed, FlowError> {
        let mut clocks = self.kind.clocks();
        while let Some(clock) = clocks.pop() {
            let routed = self.route_with(&clock)?;
            if routed.block >= clock.exact_mhz {
                return Ok(routed);
            }
            clocks.retain(|slower| slower.exact_mhz <= routed.block);
        }
        Err(FlowError::Input(format!(
            "{} does not reach {} MHz on {}",
            self.design.name(),
            self.kind.clocks()[0].mhz,
            self.kind.device()
        )))
    }

    fn route_with(&self, clock: &Clock) -> Result<Routed, FlowError> {
        let kind = self.kind;
        (self.tell)(&format!("placing and routing {} at {} MHz", self.design.name(), clock.mhz));
        let widths = |name: &str| match name {
            "DIVF" => 7,
            "DIVQ" => 3,
            _ => 32,
        };
        let pll = clock.pll.iter();
        let pll = pll.map(|(name, value)| {
            format!("setparam -set {name} {}'d{value} t:{}\n", widths(name), kind.pll_cell())
        });
        let script =
            format!("read_json mapped.json\n{}write_json clocked.json\n", pll.collect::<String>());
        run_script(&self.yosys, &self.folder, "clock", &script, self.limit)?;
        let mut arguments = kind.arguments().to_vec();
        let mhz = clock.exact_mhz.to_string();
        arguments.extend(["--json", "clocked.json", "--report", "timing.json"]);
        arguments.extend(["--timing-allow-fail", "--seed", "1", "--freq", &mhz]);
        arguments.extend([kind.configuration(), "board.config"]);
        let log = format!("route-{}.log", clock.mhz);
        let run = self.nextpnr.run(self.folder.path(), &arguments, &log, self.limit);
        run.map_err(|error| match error {
            source @ ToolError::Failed { .. } => FlowError::Unplaceable {
                design: self.design.name().to_string(),
                device: kind.device().to_string(),
                source: Box::new(source),
            },
            other => other.into(),
        })?;
        let [block, link] = self.frequencies()?;
        Ok(Routed { block, link, clock: clock.exact_mhz })
    }

    /// The frequencies of block and link.
    fn frequencies(&self) -> Result<[f64; 2], FlowError> {
        let report = self.folder.read_json("timing.json")?;
        let unusable = || FlowError::Report {
            path: self.folder.file("timing.json"),
            what: "not the timing of the clocks of link and block".to_string(),
        };
        let clocks = report["fmax"].as_object().ok_or_else(unusable)?;
        let achieved = |is_blocks: bool| {
            let mut clocks =
                clocks.iter().filter(|(name, _)| name.contains("block_clock") == is_blocks);
            let (Some((_, clock)), None) = (clocks.next(), clocks.next()) else { return None };
            clock["achieved"].as_f64().map(nextpnr::thousandths)
        };
        match (achieved(true), achieved(false)) {
            (Some(block), Some(link)) => Ok([block, link]),
            _ => Err(unusable()),
        }
    }
}
