//! Warps that will be ready at a known clock. They cost nothing until then.

/// Clocks that are kept apart; a warp that sleeps longer is looked at in between.
const AHEAD: u64 = 128;

/// Warps by the clock at which they will be ready, one bit a warp.
#[derive(Debug)]
pub(crate) struct Sleepers {
    /// The clock of the last look.
    now: u64,
    slots: [u64; AHEAD as usize],
    occupied: u128,
    until: [u64; 64],
}

impl Default for Sleepers {
    fn default() -> Self {
        Self { now: 0, slots: [0; AHEAD as usize], occupied: 0, until: [0; 64] }
    }
}

impl Sleepers {
    /// A warp sleeps until a clock, which is not over.
    #[inline]
    pub(crate) fn add(&mut self, warp: u32, now: u64, until: u64) {
        self.until[warp as usize] = until;
        let slot = (until.min(now + AHEAD - 1) % AHEAD) as usize;
        self.slots[slot] |= 1 << warp;
        self.occupied |= 1 << slot;
    }

    /// The warps that wake up to this clock.
    #[inline]
    pub(crate) fn wake(&mut self, now: u64) -> u64 {
        let mut woken = 0;
        if self.occupied != 0 {
            // All clocks since the last look, the oldest first.
            let span = (now - self.now).min(AHEAD - 1) as u32;
            let seen = (self.occupied.rotate_right((now - u64::from(span)) as u32 % 128))
                & (u128::MAX >> (127 - span));
            let mut seen = seen.rotate_left((now - u64::from(span)) as u32 % 128);
            self.occupied &= !seen;
            while seen != 0 {
                let slot = seen.trailing_zeros() as usize;
                seen &= seen - 1;
                woken |= std::mem::take(&mut self.slots[slot]);
            }
        }
        self.now = now;
        let mut early = woken;
        while early != 0 {
            let warp = early.trailing_zeros();
            early &= early - 1;
            let until = self.until[warp as usize];
            if until > now {
                woken &= !(1 << warp);
                self.add(warp, now, until);
            }
        }
        woken
    }

    /// The next clock at which to look.
    #[inline]
    pub(crate) fn next(&self, now: u64) -> Option<u64> {
        let ahead = self.occupied.rotate_right((now + 1) as u32 % 128);
        (ahead != 0).then(|| now + 1 + u64::from(ahead.trailing_zeros()))
    }
}

#[cfg(test)]
mod tests {
    use super::Sleepers;

    #[test]
    fn warps_wake_at_their_clock_however_far() {
        let mut sleepers = Sleepers::default();
        for (warp, until) in [(0, 3), (1, 3), (2, 130), (3, 1000)] {
            sleepers.add(warp, 0, until);
        }
        let (mut now, mut woken) = (0, Vec::new());
        while let Some(next) = sleepers.next(now) {
            now = next;
            let warps = sleepers.wake(now);
            if warps != 0 {
                woken.push((now, warps));
            }
        }
        assert_eq!(woken, [(3, 0b11), (130, 0b100), (1000, 0b1000)]);
    }
}
