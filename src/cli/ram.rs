//! `warpsmith ram`

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use serde::Serialize;

use super::progress::while_waiting;
use super::{Outcome, say, say_json};
use crate::flow::cacti::{Cacti, Estimate, Shape};
use crate::flow::folder::Folder;
use crate::report;

#[derive(Debug, Args)]
pub(super) struct RamArgs {
    /// Rows and bits per row, such as 1024x498
    #[arg(value_name = "ROWSxBITS", value_parser = rows_and_bits)]
    size: (u64, u64),
    /// Ports that read (r), write (w) or both (rw), such as 1r1w or 1rw
    #[arg(long, default_value = "1r1w", value_parser = ports)]
    ports: (u32, u32, u32),
    /// Feature size in nanometres
    #[arg(long, value_name = "NM", default_value_t = 32, value_parser = clap::value_parser!(u32).range(22..=90))]
    nm: u32,
    /// Clock for the power, in MHz; every port is used at every clock
    #[arg(long, value_name = "MHZ", default_value_t = 1000.0, value_parser = super::target::megahertz)]
    clock: f64,
    /// Folder for CACTI's input and output. Default: flow-out/ram/SIZE-PORTS-NM
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Time limit
    #[arg(long, value_name = "SECONDS", default_value_t = 600, value_parser = clap::value_parser!(u64).range(1..))]
    timeout: u64,
}

/// CACTI's estimate, for the record.
#[derive(Serialize)]
struct Said {
    asked: Shape,
    #[serde(flatten)]
    estimate: Estimate,
    clock_mhz: f64,
    power_mw: f64,
    source: String,
    folder: PathBuf,
}

pub(super) fn run(args: &RamArgs, json: bool) -> Outcome {
    let ((rows, width), (read_ports, write_ports, read_write_ports)) = (args.size, args.ports);
    let asked = Shape { rows, width, read_ports, write_ports, read_write_ports };
    let limit = Duration::from_secs(args.timeout);
    let said = while_waiting("CACTI", json, || {
        let cacti = Cacti::find()?;
        // One folder per shape, so that no run empties another's.
        let default =
            format!("{rows}x{width}-{read_ports}r{write_ports}w{read_write_ports}rw-{}", args.nm);
        let out = args.out.clone().unwrap_or_else(|| PathBuf::from("flow-out/ram").join(default));
        let folder = Folder::empty(&out)?;
        let estimate = cacti.estimate(&folder, "ram", &asked, args.nm, limit)?;
        Ok::<_, crate::flow::FlowError>(Said {
            asked,
            clock_mhz: args.clock,
            power_mw: estimate.power_mw(args.clock),
            estimate,
            source: cacti.program.version_text,
            folder: folder.path().to_owned(),
        })
    })?;
    match json {
        true => say_json(&said)?,
        false => {
            say(report::ram::text(&said.asked, &said.estimate, said.clock_mhz, &said.source));
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// No real RAM is larger, and CACTI would compute for hours.
const MOST_BITS: u64 = 1 << 33;
const MOST_PORTS: u32 = 16;

fn rows_and_bits(text: &str) -> Result<(u64, u64), String> {
    let parsed = text
        .split_once('x')
        .and_then(|(rows, bits)| Some((rows.parse::<u64>().ok()?, bits.parse::<u64>().ok()?)));
    match parsed {
        Some((rows, bits)) if rows > 0 && bits > 0 && rows.saturating_mul(bits) <= MOST_BITS => {
            Ok((rows, bits))
        }
        _ => Err("rows x bits, like 1024x498, are accepted, up to a gibibyte".to_string()),
    }
}

fn ports(text: &str) -> Result<(u32, u32, u32), String> {
    let mut counts = (0, 0, 0);
    let mut rest = text;
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let count = rest[..digits].parse().unwrap_or(0);
        rest = &rest[digits..];
        let (kind, slot) = match rest {
            _ if rest.starts_with("rw") => ("rw", &mut counts.2),
            _ if rest.starts_with('r') => ("r", &mut counts.0),
            _ if rest.starts_with('w') => ("w", &mut counts.1),
            _ => return Err(ACCEPTED.to_string()),
        };
        if !(1..=MOST_PORTS).contains(&count) || *slot != 0 {
            return Err(ACCEPTED.to_string());
        }
        *slot = count;
        rest = &rest[kind.len()..];
    }
    if counts == (0, 0, 0) { Err(ACCEPTED.to_string()) } else { Ok(counts) }
}

const ACCEPTED: &str =
    "numbers of ports from 1 to 16, each with r, w or rw, like 1r1w, are accepted";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_ports_are_read() {
        assert_eq!(rows_and_bits("1024x498"), Ok((1024, 498)));
        for text in ["", "x", "0x8", "8x0", "8", "-1x8", "9999999999x9999999999"] {
            assert!(rows_and_bits(text).is_err(), "{text}");
        }
        assert_eq!(ports("1r1w"), Ok((1, 1, 0)));
        assert_eq!(ports("2rw"), Ok((0, 0, 2)));
        assert_eq!(ports("1rw2r"), Ok((2, 0, 1)));
        for text in ["", "r", "1x", "1r1r", "17w", "0r", "1"] {
            assert!(ports(text).is_err(), "{text}");
        }
    }
}
