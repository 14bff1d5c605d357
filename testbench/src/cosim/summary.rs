//! What a co-simulation counts.

use serde::Serialize;
use warpsmith_blocks::channel::Direction;
use warpsmith_blocks::corners::Corners;

use crate::bench::Bench;
use crate::episode::EpisodeStats;

/// Counts of a run.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// Requests accepted.
    pub requests: u64,
    /// Clocks, without resets.
    pub clocks: u64,
    /// Clocks from the first to the last accepted request of each episode, divided by requests.
    pub clocks_per_request: f64,
    /// Episodes, each after a reset and with other straps.
    pub episodes: u64,
    /// Combinations of strap values; each episode takes the next in random order.
    pub strap_values: u64,
    /// Transfers on each channel and how they were judged.
    pub channels: Vec<ChannelSummary>,
    /// How often each corner was met.
    pub corners: Vec<CornerSummary>,
    /// Counts of each episode.
    #[serde(skip)]
    pub each: Vec<EpisodeStats>,
}

/// Transfers on a channel.
#[derive(Clone, Debug, Serialize)]
pub struct ChannelSummary {
    /// Name.
    pub name: &'static str,
    /// Transfers.
    pub transfers: u64,
    /// Their judgement; none for an input.
    pub judgement: Option<&'static str>,
}

/// A corner.
#[derive(Clone, Debug, Serialize)]
pub struct CornerSummary {
    /// Name.
    pub name: String,
    /// For a bit of a comparison: the comparison.
    pub comparison: Option<String>,
    /// How often it was met; for a table, the exercised rows.
    pub count: u64,
    /// The count at which it counts as met.
    pub needed: u64,
    /// Whether the parameters allow it.
    pub reachable: bool,
}

impl Summary {
    /// Reachable corners that were not met.
    pub fn missed(&self) -> impl Iterator<Item = &CornerSummary> {
        self.corners.iter().filter(|corner| corner.reachable && corner.count < corner.needed)
    }
}

fn add(total: &mut EpisodeStats, stats: &EpisodeStats) {
    total.accepted += stats.accepted;
    total.clocks += stats.clocks;
    total.busy_clocks += stats.busy_clocks;
    total.transfers.iter_mut().zip(&stats.transfers).for_each(|(sum, n)| *sum += n);
}

pub(super) fn summarise(bench: &Bench<'_>, each: Vec<EpisodeStats>, corners: &Corners) -> Summary {
    let design = bench.design();
    let mut stats =
        EpisodeStats { transfers: vec![0; bench.channels().len()], ..Default::default() };
    each.iter().for_each(|episode| add(&mut stats, episode));
    let channels = bench.channels().iter().zip(&stats.transfers);
    let exercise = design.exercise();
    let own = design
        .corners()
        .iter()
        .enumerate()
        .map(|(index, corner)| (corner.name.to_string(), None, 1, design.reachable(index)));
    let compared = exercise.compared.iter().flat_map(|compared| {
        compared.corners().map(|name| (name, Some(compared.name.to_string()), 1, true))
    });
    let tables = exercise.tables.iter().filter(|table| table.rows > 0);
    let tables = tables.map(|table| (table.corner(), None, table.rows as u64, true));
    let rows_read = corners.rows_read().map(|rows| rows as u64);
    let counts = corners.counts().iter().copied().chain(corners.compared()).chain(rows_read);
    Summary {
        requests: stats.accepted,
        clocks: stats.clocks,
        clocks_per_request: stats.busy_clocks as f64 / stats.accepted.max(1) as f64,
        episodes: each.len() as u64,
        strap_values: bench.straps().iter().map(|strap| strap.values).product(),
        channels: channels
            .map(|(channel, &transfers)| ChannelSummary {
                name: channel.name,
                transfers,
                judgement: (channel.direction == Direction::Output)
                    .then(|| channel.judgement.name()),
            })
            .collect(),
        corners: own
            .chain(compared)
            .chain(tables)
            .zip(counts)
            .map(|((name, comparison, needed, reachable), count)| CornerSummary {
                name,
                comparison,
                count,
                needed,
                reachable,
            })
            .collect(),
        each,
    }
}
