//! The report of a co-simulation.

use serde::Serialize;
use warpsmith_testbench::agents::Stalls;
use warpsmith_testbench::cosim::Summary;
use warpsmith_testbench::dut::Origin;
use warpsmith_testbench::mismatch::Mismatch;

use super::{heading, table, thousands};

/// Most missed corners in the verdict.
const SHOWN_MISSED: usize = 4;
/// Most missed corners below the table of corners.
const LISTED_MISSED: usize = 24;

/// The record of a co-simulation.
#[derive(Clone, Debug, Serialize)]
pub struct CosimReport {
    /// Name of the block.
    pub block: &'static str,
    /// Name of the preset, or `custom`.
    pub preset: String,
    /// Its parameters.
    pub params: toml::Table,
    /// The simulator (`native` or `verilator`), or the files of the user's Verilog.
    pub circuit: String,
    /// Whose each module of the user's Verilog is; none of our own circuit.
    pub origin: Option<Origin>,
    /// Stream of requests.
    pub stream: String,
    /// Stalls of the environment.
    pub stalls: Stalls,
    /// Seed of everything random; none for a replay.
    pub seed: Option<u64>,
    /// `equal` if every reachable corner was met, `no_difference_found`, or `mismatch`; for the block and its
    /// parts alone.
    pub verdict: &'static str,
    /// Counts.
    #[serde(flatten)]
    pub summary: Summary,
    /// Names of reachable corners that were not met often enough.
    pub missed_corners: Vec<String>,
    /// Wall time of the run in seconds, without building.
    pub seconds: f64,
    /// Clocks per second of wall time.
    pub clocks_per_second: f64,
    /// The mismatch of the block as a whole.
    pub mismatch: Option<MismatchReport>,
    /// Parts that are blocks of their own and are defined by the user's Verilog.
    pub parts: Vec<PartReport>,
}

/// A part, tested as a block of its own.
#[derive(Clone, Debug, Serialize)]
pub struct PartReport {
    /// Its instance.
    pub instance: &'static str,
    /// The block.
    pub block: &'static str,
    /// Its report.
    pub report: Option<Box<CosimReport>>,
    /// Why it was not tested alone, if so.
    pub not_tested: Option<String>,
}

impl PartReport {
    fn text(&self) -> String {
        let title = heading(&format!("Part {}, alone as {}", self.instance, self.block));
        let found = match (&self.report, &self.not_tested) {
            (Some(report), _) => match &report.mismatch {
                Some(mismatch) => format!("{}\n\n{}", mismatch.text(), report.verdict_line()),
                None => report.verdict_line(),
            },
            (None, why) => format!("not tested: {}", why.as_deref().unwrap_or_default()),
        };
        format!("{title}\n{found}")
    }
}

/// A mismatch, its shrunk stream, and the files about it.
#[derive(Clone, Debug, Serialize)]
pub struct MismatchReport {
    /// The first occurrence.
    pub first: Mismatch,
    /// Episode of the first occurrence, from 0.
    pub episode: u64,
    /// The occurrence in the shrunk stream.
    pub small: Option<Mismatch>,
    /// Requests in the shrunk stream.
    pub small_requests: Option<usize>,
    /// Registers of our circuit at the mismatch in the shrunk stream.
    pub registers: Vec<(String, String)>,
    /// The file of the shrunk stream, for a replay.
    pub replay_file: Option<String>,
    /// Waves of the shrunk stream: of our circuit in the native simulator, and of the user's.
    pub waves: Vec<String>,
    /// The command that reproduces the mismatch.
    pub replay: String,
    /// What could not be written, and why.
    pub notes: Vec<String>,
}

impl CosimReport {
    /// The report as text.
    pub fn text(&self) -> String {
        let mut text = vec![self.header()];
        match &self.mismatch {
            Some(mismatch) => text.push(mismatch.text()),
            None if self.seed.is_none() => text.push(self.channels()),
            None => text.extend([self.channels(), self.corners()]),
        }
        text.push(String::new());
        text.push(self.verdict_line());
        text.extend(self.parts.iter().map(PartReport::text));
        text.join("\n")
    }

    /// Adds the reports of the parts.
    pub fn add_parts(&mut self, parts: Vec<PartReport>) {
        for (part, report) in parts.iter().filter_map(|part| Some((part, part.report.as_ref()?))) {
            let missed = report.missed_corners.iter();
            self.missed_corners.extend(missed.map(|corner| format!("{}: {corner}", part.instance)));
            self.verdict = match (self.verdict, report.verdict) {
                ("mismatch", _) | (_, "mismatch") => "mismatch",
                ("equal", "equal") => "equal",
                _ => "no_difference_found",
            };
        }
        self.parts = parts;
    }

    fn header(&self) -> String {
        let seed = self.seed.map_or("replay".to_string(), |seed| format!("seed {seed}"));
        let stalls = self.stalls.name();
        let params: Vec<_> =
            self.params.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let origin = self.origin.as_ref().map(|origin| format!("\n{}", modules(origin)));
        format!(
            "{} ({}) in {}: stream {}, stalls {stalls}, {seed}\n{}{}",
            self.block,
            self.preset,
            self.circuit,
            self.stream,
            params.join(" "),
            origin.unwrap_or_default()
        )
    }

    fn channels(&self) -> String {
        let rows = self.summary.channels.iter().map(|channel| {
            let judged = channel.judgement.unwrap_or("offered");
            [channel.name.to_string(), thousands(channel.transfers), judged.to_string()]
        });
        format!("{}\n{}", heading("Channels"), table(["channel", "transfers", "judged"], rows))
    }

    fn corners(&self) -> String {
        let reachable: Vec<_> = self.summary.corners.iter().filter(|c| c.reachable).collect();
        let missed: Vec<_> = self.summary.missed().map(|corner| corner.name.as_str()).collect();
        let met = reachable.len() - missed.len();
        let title = heading(&format!("Corners: {met} of {} met", reachable.len()));
        // One row for the bits of each comparison.
        let rows =
            reachable.chunk_by(|a, b| a.comparison.is_some() && a.comparison == b.comparison);
        let rows = rows.map(|corners| {
            let least = corners.iter().map(|corner| corner.count).min().unwrap_or(0);
            let name = match &corners[0].comparison {
                Some(name) => format!("{name}, each of {} corners at least", corners.len()),
                None => corners[0].name.clone(),
            };
            [thousands(least), name]
        });
        let mut text = format!("{title}\n{}", table(["times", "corner"], rows));
        if !missed.is_empty() {
            let yellow = anstyle::AnsiColor::Yellow.on_default().bold();
            let shown = missed[..missed.len().min(LISTED_MISSED)].join("; ");
            let more = missed.len().saturating_sub(LISTED_MISSED);
            let more = if more > 0 {
                format!("; and {more} more (--json has all)")
            } else {
                String::new()
            };
            text += &format!("\n{yellow}not met:{yellow:#} {shown}{more}");
        }
        text
    }

    fn verdict_line(&self) -> String {
        let Summary { requests, clocks, episodes, clocks_per_request, channels, .. } =
            &self.summary;
        let (requests, clocks) = (thousands(*requests), thousands(*clocks));
        let plural = if *episodes == 1 { "" } else { "s" };
        let strap_values = &self.summary.strap_values;
        let run = episodes.min(strap_values);
        let episodes =
            format!("{episodes} episode{plural} with {run} of {strap_values} strap values");
        let speed = format!("{:.2} million clocks/s", self.clocks_per_second / 1e6);
        if self.mismatch.is_some() {
            let red = anstyle::AnsiColor::Red.on_default().bold();
            return format!("{red}MISMATCH{red:#} after {requests} requests");
        }
        let compared: u64 =
            channels.iter().filter(|c| c.judgement.is_some()).map(|c| c.transfers).sum();
        let green = anstyle::AnsiColor::Green.on_default().bold();
        let missed: Vec<_> = self.summary.missed().map(|corner| corner.name.as_str()).collect();
        let words = match (self.seed, missed.as_slice()) {
            (None, _) => format!("{green}NO DIFFERENCE FOUND{green:#} in the replay"),
            (_, []) => format!("{green}EQUAL{green:#}"),
            (_, missed) => {
                let yellow = anstyle::AnsiColor::Yellow.on_default().bold();
                let (plural, shown) =
                    (if missed.len() == 1 { "" } else { "s" }, missed.len().min(SHOWN_MISSED));
                let more = if shown < missed.len() { "; ..." } else { "" };
                format!(
                    "{yellow}NO DIFFERENCE FOUND{yellow:#}, {} corner{plural} missed: {}{more}\nRun",
                    missed.len(),
                    missed[..shown].join("; ")
                )
            }
        };
        format!(
            "{words}: {requests} requests, {} transfers compared, contract checked on \
             {clocks} clocks\n{clocks_per_request:.2} clocks per request, {episodes}, {speed}",
            thousands(compared)
        )
    }
}

/// Whose the modules of a user's Verilog are, as a line of a report.
pub fn modules(origin: &Origin) -> String {
    let listed = |modules: &[String]| match modules {
        [] => "none".to_string(),
        modules => modules.join(", "),
    };
    format!("modules, yours: {}; ours: {}", listed(&origin.users), listed(&origin.ours))
}

impl MismatchReport {
    /// The report as text.
    pub fn text(&self) -> String {
        let shown = self.small.as_ref().unwrap_or(&self.first);
        let mut text = vec![heading("First divergent transfer")];
        text.push(format!(
            "episode {}, clock {}, after {} requests: {}",
            self.episode,
            self.first.clock,
            thousands(self.first.accepted),
            self.first.divergence
        ));
        if let (Some(small), Some(requests)) = (&self.small, self.small_requests) {
            text.push(format!(
                "made small, {requests} requests, clock {}: {}",
                small.clock, small.divergence
            ));
        }
        if let Some(rule) = shown.rule.as_ref().or(self.first.rule.as_ref()) {
            text.push(heading("Broken rule"));
            text.push(format!(
                "{}\nsource: {}\nclock {}: {}",
                rule.rule, rule.source, rule.clock, rule.detail
            ));
        }
        text.push(heading("Last transfers"));
        let rows = shown
            .history
            .iter()
            .map(|past| [past.clock.to_string(), past.channel.to_string(), past.payload.clone()]);
        text.push(table(["clock", "channel", "payload"], rows));
        text.push(heading("State of the reference"));
        text.extend(shown.reference.iter().cloned());
        if !self.registers.is_empty() {
            text.push(heading(&format!("Registers of our circuit after clock {}", shown.clock)));
            let rows = self.registers.iter().map(|(name, value)| [name.clone(), value.clone()]);
            text.push(table(["register", "value"], rows));
        }
        text.push(heading("To go on"));
        if let Some(file) = &self.replay_file {
            text.push(format!("stream  {file}"));
        }
        text.extend(self.waves.iter().map(|file| format!("waves   {file}")));
        text.extend(self.notes.iter().map(|note| format!("note    {note}")));
        text.push(format!("replay  {}", self.replay));
        text.join("\n")
    }
}
