//! The profile of a run: a table of source lines, in the manner of Nsight Compute.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{number, section, thousands};
use crate::gpu::isa::Program;
use crate::gpu::machine::profile::{Counts, Profile, Stall, Stalls, Timeline};

/// Lines in the table; JSON has all.
const MOST_SHOWN: usize = 24;
/// Longest piece of a line's text in the table, in characters.
const MOST_TEXT: usize = 44;

/// What the launches of a run spent their clocks on.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ProfileReport {
    /// Clocks of warps from their beginnings to their ends: each is the issue of an instruction or a stall.
    pub warp_clocks: u64,
    /// Clocks in which a warp issued.
    pub issued: u64,
    /// Clocks in which a warp waited, by reason.
    pub stalls: Stalls,
    /// Lines with instructions that were issued, in the order of the source.
    pub lines: Vec<LineProfile>,
    /// What cores and warps did over time.
    pub timeline: Timeline,
}

/// Counts of a line of the source.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct LineProfile {
    /// Source file (`.loc`), or the module.
    pub file: String,
    /// Line in it.
    pub line: u32,
    /// Its text, if the file can be read.
    pub text: String,
    /// The counts of its instructions.
    #[serde(flatten)]
    pub counts: Counts,
}

impl LineProfile {
    /// Clocks of warps that the line took.
    fn clocks(&self) -> u64 {
        self.counts.warp_instructions + self.counts.stalls.total()
    }

    fn row(&self, all: u64) -> [String; 9] {
        let per = |count: u64, of: u64| match of {
            0 => String::new(),
            of => number(count as f64 / of as f64),
        };
        let counts = &self.counts;
        let file = self.file.rsplit('/').next().unwrap_or_default();
        [
            format!("{file}:{}", self.line),
            self.text.chars().take(MOST_TEXT).collect(),
            thousands(counts.warp_instructions),
            per(counts.thread_instructions, counts.warp_instructions),
            thousands(counts.divergent_branches),
            per(counts.transactions, counts.accesses),
            per(counts.bank_conflicts, counts.shared_accesses),
            format!("{}%", number(self.clocks() as f64 * 100.0 / all.max(1) as f64)),
            reasons(&counts.stalls, self.clocks(), 2),
        ]
    }
}

/// The greatest reasons, each with its share of some clocks.
fn reasons(stalls: &Stalls, of: u64, most: usize) -> String {
    let mut sorted = Stall::ALL.to_vec();
    sorted.sort_by_key(|why| std::cmp::Reverse(stalls[*why]));
    let shown = sorted.into_iter().filter(|why| stalls[*why] > 0).take(most);
    let share = |why: Stall| stalls[why] as f64 * 100.0 / of.max(1) as f64;
    let shown = shown.map(|why| format!("{} {}%", why.name(), number(share(why))));
    shown.collect::<Vec<_>>().join(", ")
}

impl ProfileReport {
    /// Sums the counts of instructions by lines: those of `.loc` where there are some, else those of the module.
    /// `text` gives the lines of a file.
    pub fn new(
        profile: &Profile,
        program: &Program,
        mut text: impl FnMut(&str) -> Option<String>,
    ) -> Self {
        let mut lines: BTreeMap<(u32, u32), Counts> = BTreeMap::new();
        let mut sum = Counts::default();
        for (pc, counts) in profile.counts.iter().enumerate() {
            if counts.warp_instructions > 0 {
                let key = program.locations[pc]
                    .map_or((0, program.lines[pc]), |location| (location.file, location.line));
                lines.entry(key).or_default().add(counts);
                sum.add(counts);
            }
        }
        let mut texts: BTreeMap<u32, Vec<String>> = BTreeMap::new();
        let mut line_of = |((file, line), counts): ((u32, u32), Counts)| {
            let name = match file {
                0 => program.file.as_str(),
                file => program.source_files.get(&file).map_or("?", String::as_str),
            };
            let known = texts.entry(file).or_insert_with(|| {
                text(name).unwrap_or_default().lines().map(|line| line.trim().to_string()).collect()
            });
            let shown = known.get(line as usize - 1).cloned().unwrap_or_default();
            LineProfile { file: name.to_string(), line, text: shown.replace('\t', " "), counts }
        };
        Self {
            warp_clocks: profile.warp_clocks,
            issued: sum.warp_instructions,
            stalls: sum.stalls,
            lines: lines.into_iter().map(&mut line_of).collect(),
            timeline: profile.timeline.clone(),
        }
    }

    /// The tables of stalls and of lines.
    pub fn text(&self) -> String {
        let share = |clocks: u64| {
            let share = clocks as f64 * 100.0 / self.warp_clocks.max(1) as f64;
            [thousands(clocks), format!("{}%", number(share))]
        };
        let row = |name: &str, clocks: u64| {
            let [clocks, share] = share(clocks);
            [name.to_string(), clocks, share]
        };
        let stalls = Stall::ALL.into_iter().filter(|why| self.stalls[*why] > 0);
        let rows = std::iter::once(row("issued", self.issued))
            .chain(stalls.map(|why| row(why.name(), self.stalls[why])));
        let mut text = section("Clocks of warps", ["", "clocks", "of all"], rows);
        let mut order: Vec<_> = (0..self.lines.len()).collect();
        order.sort_by_key(|at| std::cmp::Reverse(self.lines[*at].clocks()));
        let mut shown: Vec<_> = order.into_iter().take(MOST_SHOWN).collect();
        shown.sort_unstable();
        let title = match self.lines.len() {
            all if all > shown.len() => {
                format!("Lines: the {} that took most, of {all}", shown.len())
            }
            _ => "Lines".to_string(),
        };
        let header = [
            "line",
            "",
            "warp instructions",
            "lanes",
            "divergent",
            "lines/access",
            "conflicts/access",
            "clocks",
            "stalls",
        ];
        let rows = shown.into_iter().map(|at| self.lines[at].row(self.warp_clocks));
        text += &section(&title, header, rows);
        text
    }
}
