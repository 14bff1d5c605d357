//! Which of the warps that are ready issues.

use crate::config::SchedulerKind;

/// A scheduler and the warps that are its own.
#[derive(Debug, Clone)]
pub(crate) struct Scheduler {
    kind: SchedulerKind,
    /// Its warps, one bit each.
    pub(crate) warps: u64,
    last: u32,
}

impl Scheduler {
    /// The scheduler of that number among so many: warps are dealt out in turn.
    pub(crate) fn new(kind: SchedulerKind, number: u32, of: u32) -> Self {
        let warps = (0..64).filter(|warp| warp % of == number).fold(0, |all, warp| all | 1 << warp);
        Self { kind, warps, last: 0 }
    }

    /// The warp that issues, of some that could; `ages` tells when each came to the core.
    #[inline]
    pub(crate) fn choose(&self, ready: u64, ages: &[u64; 64]) -> u32 {
        match self.kind {
            SchedulerKind::LooseRoundRobin => {
                let after = ready & u64::MAX.checked_shl(self.last + 1).unwrap_or(0);
                if after != 0 { after.trailing_zeros() } else { ready.trailing_zeros() }
            }
            SchedulerKind::GreedyThenOldest if ready >> self.last & 1 != 0 => self.last,
            SchedulerKind::GreedyThenOldest => {
                let mut left = ready;
                let mut best = left.trailing_zeros();
                while left != 0 {
                    let warp = left.trailing_zeros();
                    left &= left - 1;
                    if ages[warp as usize] < ages[best as usize] {
                        best = warp;
                    }
                }
                best
            }
        }
    }

    /// A warp has issued.
    #[inline]
    pub(crate) fn issued(&mut self, warp: u32) {
        self.last = warp;
    }
}

#[cfg(test)]
mod tests {
    use super::{Scheduler, SchedulerKind};

    #[test]
    fn round_robin_goes_on_and_greedy_stays_or_takes_the_oldest() {
        let mut ages = [0; 64];
        (ages[0], ages[2], ages[4]) = (9, 7, 8);
        let mut robin = Scheduler::new(SchedulerKind::LooseRoundRobin, 0, 2);
        let mut greedy = Scheduler::new(SchedulerKind::GreedyThenOldest, 0, 2);
        assert_eq!(robin.warps & 0xff, 0b0101_0101);
        let mut orders = [Vec::new(), Vec::new()];
        for (scheduler, order) in [&mut robin, &mut greedy].into_iter().zip(&mut orders) {
            for ready in [0b10100, 0b10101, 0b10101, 0b10001] {
                let warp = scheduler.choose(ready, &ages);
                scheduler.issued(warp);
                order.push(warp);
            }
        }
        assert_eq!(orders, [vec![2, 4, 0, 4], vec![2, 2, 2, 4]]);
    }
}
