//! Slices of the L2 and sets of the caches, by address. The lowest bit of the bank chooses the slice.

use crate::memory::{CHANNEL_BITS, Row, channel_and_rest};

/// Channels and slices of a machine.
#[derive(Debug, Clone, Copy)]
pub(super) struct Map {
    pub(super) channels: u32,
    pub(super) slices_per_channel: u32,
    /// Sets of a slice.
    pub(super) sets: u32,
}

impl Map {
    /// The slice of an address, among all slices.
    pub(super) fn slice(self, address: u64) -> u32 {
        let (channel, rest) = channel_and_rest(self.channels, address);
        channel * self.slices_per_channel + Row::of(rest).bank % self.slices_per_channel
    }

    /// The set of an address in its slice: bits that choose the channel and the slice are left out.
    pub(super) fn set(self, address: u64) -> u32 {
        let (_, rest) = channel_and_rest(self.channels, address);
        let chunk = (rest >> CHANNEL_BITS) / u64::from(self.slices_per_channel);
        let within = rest % (1 << CHANNEL_BITS);
        (((chunk << CHANNEL_BITS | within) >> 7) % u64::from(self.sets)) as u32
    }

    /// The bank and the row of an address in its channel.
    pub(super) fn row(self, address: u64) -> Row {
        let (_, rest) = channel_and_rest(self.channels, address);
        Row::of(rest)
    }
}

/// The set of a line in an L1 of 32 sets, as measured on Fermi (Nugteren et al., HPCA 2014); caches of another number of
/// sets take them in turn.
pub(super) fn l1_set(line: u32, sets: u32) -> u32 {
    let bits = |from: u32, count: u32| line >> (from - 7) & ((1 << count) - 1);
    match sets {
        32 => bits(7, 5) ^ (bits(13, 3) | bits(17, 1) << 3 | bits(19, 1) << 4),
        64 => (bits(7, 5) ^ (bits(13, 3) | bits(17, 1) << 3 | bits(19, 1) << 4)) | bits(12, 1) << 5,
        _ => line % sets,
    }
}

#[cfg(test)]
mod tests {
    use super::{Map, Row};

    #[test]
    fn channels_take_256_bytes_in_turn_and_slices_the_next_round() {
        let map = Map { channels: 6, slices_per_channel: 2, sets: 64 };
        let slices = [0, 128, 256, 5 * 256, 6 * 256, 12 * 256].map(|at| map.slice(at));
        assert_eq!(slices, [0, 0, 2, 10, 1, 0]);
        assert_eq!([0, 128, 12 * 256, 6 * 256].map(|at| map.set(at)), [0, 1, 2, 0]);
        let last_of_row = map.row(6 * (0x1_0000 - 256));
        assert_eq!(last_of_row, Row { bank: 15, row: 0 });
        assert_eq!(map.row(6 * 0x1_0000), Row { bank: 0, row: 1 });
    }
}
