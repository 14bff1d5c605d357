//! Logical timestamps of transactions.

/// How a warp's timestamp advances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timestamps {
    /// As in the paper (4.4.1): one later than the latest observed. Two warps can have the same time, and
    /// each may then overwrite what the other has read.
    Faithful,
    /// The low bits are the warp's number, so that no two transactions have the same time.
    Unique {
        /// Bits of a warp's number.
        warp_bits: u32,
    },
}

impl Timestamps {
    /// The first timestamp of a warp.
    pub fn first(self, warp: u64) -> u64 {
        match self {
            Timestamps::Faithful => 0,
            Timestamps::Unique { .. } => warp,
        }
    }

    /// The earliest timestamp of a warp after `time`.
    pub fn after(self, time: u64, warp: u64) -> u64 {
        match self {
            Timestamps::Faithful => time + 1,
            Timestamps::Unique { warp_bits } => {
                let same = (time >> warp_bits << warp_bits) | warp;
                if same > time { same } else { same + (1 << warp_bits) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_timestamp_is_the_smallest_later_one_of_the_warp() {
        let unique = Timestamps::Unique { warp_bits: 2 };
        for warp in 0..4 {
            assert_eq!(unique.first(warp), warp);
            for time in 0..40 {
                let next = unique.after(time, warp);
                let smallest = (time + 1..).find(|later| later % 4 == warp);
                assert_eq!(Some(next), smallest);
            }
        }
        assert_eq!(Timestamps::Faithful.after(7, 3), 8);
    }
}
