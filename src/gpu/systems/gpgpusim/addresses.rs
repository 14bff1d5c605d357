//! Where a byte lies: `dramid@8;...RRRR.RRRRRRRR.BBBCCCCB.CCSSSSSS` of `gpgpu_mem_addr_mapping`. Channels take 256 bytes
//! in turn; of the rest of the address, bits 16 to 27 are the row, 13 to 15 and 8 the bank, whose lowest bit
//! chooses the slice.

/// Bits that choose a byte within what a channel takes at a time.
const CHANNEL_BITS: u32 = 8;

/// Channels and slices of a machine.
#[derive(Debug, Clone, Copy)]
pub(super) struct Map {
    pub(super) channels: u32,
    pub(super) slices_per_channel: u32,
    /// Sets of a slice.
    pub(super) sets: u32,
}

/// A row of a bank.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) bank: u32,
    pub(super) row: u32,
}

impl Map {
    fn channel_and_rest(self, address: u64) -> (u32, u64) {
        let chunk = address >> CHANNEL_BITS;
        let channels = u64::from(self.channels);
        let low = address % (1 << CHANNEL_BITS);
        ((chunk % channels) as u32, (chunk / channels) << CHANNEL_BITS | low)
    }

    /// The slice of an address, among all slices.
    pub(super) fn slice(self, address: u64) -> u32 {
        let (channel, rest) = self.channel_and_rest(address);
        channel * self.slices_per_channel + bank(rest) % self.slices_per_channel
    }

    /// The set of an address in its slice: bits that choose the channel and the slice are left out.
    pub(super) fn set(self, address: u64) -> u32 {
        let (_, rest) = self.channel_and_rest(address);
        let chunk = (rest >> CHANNEL_BITS) / u64::from(self.slices_per_channel);
        let within = rest % (1 << CHANNEL_BITS);
        (((chunk << CHANNEL_BITS | within) >> 7) % u64::from(self.sets)) as u32
    }

    /// The bank and the row of an address in its channel.
    pub(super) fn row(self, address: u64) -> Row {
        let (_, rest) = self.channel_and_rest(address);
        Row { bank: bank(rest), row: (rest >> 16 & 0xfff) as u32 }
    }
}

fn bank(rest: u64) -> u32 {
    ((rest >> 13 & 7) << 1 | rest >> 8 & 1) as u32
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
