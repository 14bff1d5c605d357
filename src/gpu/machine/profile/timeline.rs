//! What cores and warps did over time, in columns that widen as the run gets longer.

use std::ops::Range;

use serde::Serialize;

use super::{Stall, Stalls};

/// Most columns.
const COLUMNS: usize = 256;

/// Counts in columns of so many clocks each.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Timeline {
    /// Clocks of a column.
    pub clocks_per_column: u64,
    /// For each core the warp instructions that it issued, by column.
    pub issued: Vec<Vec<u64>>,
    /// Clocks of all warps that waited, by column.
    pub stalls: Vec<Stalls>,
    /// For each core its logical time at the end of each column, if the memory system has one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub logical_time: Vec<Vec<u64>>,
}

impl Timeline {
    /// A timeline of so many cores.
    pub(super) fn new(cores: usize) -> Self {
        Self { clocks_per_column: 1, issued: vec![Vec::new(); cores], ..Self::default() }
    }

    /// A core issues an instruction.
    pub(super) fn issues(&mut self, core: u32, now: u64) {
        self.widen(now);
        let column = (now / self.clocks_per_column) as usize;
        let issued = &mut self.issued[core as usize];
        issued.resize(issued.len().max(column + 1), 0);
        issued[column] += 1;
    }

    /// A core is at a logical time, which it keeps until told otherwise.
    pub(in crate::machine) fn is_at(&mut self, core: u32, now: u64, time: u64) {
        self.widen(now);
        self.logical_time.resize(self.issued.len(), Vec::new());
        let times = &mut self.logical_time[core as usize];
        let column = (now / self.clocks_per_column) as usize;
        times.resize(times.len().max(column + 1), times.last().copied().unwrap_or(0));
        times[column] = time;
    }

    /// A warp waits for some clocks.
    pub(super) fn stalls(&mut self, clocks: Range<u64>, why: Stall) {
        self.widen(clocks.end - 1);
        let width = self.clocks_per_column;
        let last = ((clocks.end - 1) / width) as usize;
        self.stalls.resize(self.stalls.len().max(last + 1), Stalls::default());
        let mut from = clocks.start;
        while from < clocks.end {
            let to = clocks.end.min((from / width + 1) * width);
            self.stalls[(from / width) as usize][why] += to - from;
            from = to;
        }
    }

    /// Joins columns until a clock has one.
    fn widen(&mut self, clock: u64) {
        while clock / self.clocks_per_column >= COLUMNS as u64 {
            self.clocks_per_column *= 2;
            for issued in &mut self.issued {
                *issued = issued.chunks(2).map(|pair| pair.iter().sum()).collect();
            }
            for times in &mut self.logical_time {
                *times = times.chunks(2).filter_map(|pair| pair.last().copied()).collect();
            }
            let both = |pair: &[Stalls]| {
                let mut sum = pair[0];
                pair[1..].iter().for_each(|more| sum.add(more));
                sum
            };
            self.stalls = self.stalls.chunks(2).map(both).collect();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{COLUMNS, Stall, Timeline};

    #[test]
    fn columns_are_joined_and_nothing_is_lost() {
        let mut timeline = Timeline::new(2);
        for clock in 0..1000 {
            timeline.issues((clock % 2) as u32, clock);
            timeline.stalls(clock..clock + 300, Stall::Memory);
        }
        assert_eq!(timeline.clocks_per_column, 8);
        assert!(timeline.stalls.len() <= COLUMNS);
        let issued: Vec<u64> = timeline.issued.iter().map(|core| core.iter().sum()).collect();
        assert_eq!(issued, [500, 500]);
        assert_eq!(timeline.issued[0][..3], [4, 4, 4]);
        let stalled: u64 = timeline.stalls.iter().map(|column| column[Stall::Memory]).sum();
        assert_eq!(stalled, 300_000);
        assert!(timeline.logical_time.is_empty());
        assert_eq!(timeline.stalls[0][Stall::Memory], (1..=8).sum::<u64>());
    }

    #[test]
    fn a_logical_time_is_that_of_the_end_of_a_column() {
        let mut timeline = Timeline::new(2);
        for (clock, time) in [(0, 3), (5, 4), (6, 7), (511, 9)] {
            timeline.is_at(1, clock, time);
        }
        assert_eq!(timeline.clocks_per_column, 2);
        assert!(timeline.logical_time[0].is_empty());
        assert_eq!(timeline.logical_time[1][..5], [3, 3, 4, 7, 7]);
        assert_eq!(timeline.logical_time[1][255], 9);
    }
}
