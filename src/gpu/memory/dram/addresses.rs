//! Where a byte lies in chips: `dramid@8;...RRRR.RRRRRRRR.BBBCCCCB.CCSSSSSS` of GPGPU-Sim's `gpgpu_mem_addr_mapping` for
//! `SM2_GTX480`. Channels take 256 bytes in turn; of the rest of the address, bits 16 to 27 are the row, 13 to 15 and 8
//! the bank.

/// Bits that choose a byte within what a channel takes at a time.
pub const CHANNEL_BITS: u32 = 8;

/// A row of a bank.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row {
    /// The bank.
    pub bank: u32,
    /// The row.
    pub row: u32,
}

impl Row {
    /// That of an address without the bits that choose the channel.
    pub fn of(rest: u64) -> Self {
        let bank = (rest >> 13 & 7) << 1 | rest >> 8 & 1;
        Self { bank: bank as u32, row: (rest >> 16 & 0xfff) as u32 }
    }
}

/// The channel of an address, and the address without the bits that choose it.
pub fn channel_and_rest(channels: u32, address: u64) -> (u32, u64) {
    let (chunk, channels) = (address >> CHANNEL_BITS, u64::from(channels));
    let low = address % (1 << CHANNEL_BITS);
    ((chunk % channels) as u32, (chunk / channels) << CHANNEL_BITS | low)
}
