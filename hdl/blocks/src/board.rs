//! Where a block's channels are behind the host link of an FPGA board: what the tops of hdl/prototype and the
//! host have in common. docs/boards.md describes it.

use crate::block::Design;
use crate::channel::Direction;

/// Bits of region 0 before the ends of the queues: run, restart and clear; stalls of inputs and of outputs; seed.
const FIRST_END: u32 = 40;
/// Region of the log.
pub const LOG: u8 = 128;
/// Bits of the clock's number at the start of a row of the log.
pub const STAMP: u32 = 24;
/// Payloads that a queue holds.
pub const QUEUE_ROWS: usize = 512;

/// An input channel's queue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueuePlace {
    /// Index of the channel.
    pub channel: usize,
    /// Region of its rows.
    pub region: u8,
    /// Width of a payload in bits.
    pub width: u32,
    /// Lowest bit of the end pointer in region 0; it has ten bits.
    pub end: u32,
}

impl QueuePlace {
    /// Bytes of a row.
    pub fn row_bytes(&self) -> u32 {
        self.width.div_ceil(8).max(2)
    }
}

/// The places of a block's channels and straps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardLayout {
    /// The input channels' queues.
    pub queues: Vec<QueuePlace>,
    /// Lowest bit and width of each strap in region 0.
    pub straps: Vec<(u32, u32)>,
    /// Bits written to region 0, whole bytes.
    pub control_bits: u32,
    /// Of each channel that is an output its index and the lowest bit of its payload in an event; an event has
    /// before these a bit for each channel, one where it has a transfer.
    pub payloads: Vec<(usize, u32)>,
    /// Bits of an event.
    pub event_bits: u32,
    /// Stands for the block with its parameters and ports.
    pub identification: u64,
}

impl BoardLayout {
    /// The places for a design.
    pub fn new(design: &dyn Design) -> Self {
        let channels = design.channels();
        let (mut queues, mut payloads) = (Vec::new(), Vec::new());
        let (mut control_bits, mut event_bits) = (FIRST_END, channels.len() as u32);
        for (index, channel) in channels.iter().enumerate() {
            let width = channel.fields.iter().map(|field| field.width).sum();
            match channel.direction {
                Direction::Input => {
                    let region = queues.len() as u8 + 1;
                    queues.push(QueuePlace { channel: index, region, width, end: control_bits });
                    control_bits += 16;
                }
                Direction::Output => {
                    payloads.push((index, event_bits));
                    event_bits += width;
                }
            }
        }
        let mut straps = Vec::new();
        for strap in design.straps() {
            straps.push((control_bits, strap.width));
            control_bits += strap.width.next_multiple_of(8);
        }
        let identification = identification(design);
        Self { queues, straps, control_bits, payloads, event_bits, identification }
    }

    /// Bytes of a row of the log.
    pub fn row_bytes(&self) -> u32 {
        (STAMP + self.event_bits).div_ceil(8)
    }
}

/// FNV-1a of the block's name, its parameters, and the names and widths of its ports.
fn identification(design: &dyn Design) -> u64 {
    let mut text = format!("{}\n{}", design.name(), design.params());
    for channel in design.channels() {
        for field in channel.fields.iter() {
            text += &format!("{}_{} {}\n", channel.name, field.name, field.width);
        }
    }
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
