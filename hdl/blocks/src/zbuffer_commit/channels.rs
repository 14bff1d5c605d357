//! The unit's channels, and their payloads as Rust values.

use std::fmt;

use super::params::{Granularity, Params};
use crate::kit::*;

codes! {
    /// Why a request is malformed: codes of `error_code`, the first that applies.
    pub enum Misuse {
        /// The address is not that of a block.
        Misaligned,
        /// At the granularity of words, only some bytes of a word are in the mask.
        PartOfWord,
    }
}

channels! { |p|
    REQ = Channel::input("req", request_fields(p), "entries of store buffers: color update requests");
    ACK = Channel::output("ack", Fields::new().with("id", p.id_bits, "of the request"), "requests whose effect is visible")
        .any_order();
    ZREAD = Channel::output("zread", entry(p.comparator_bits(), "comparator entry").and(address(p)), "depths to be read from the L2");
    ZDATA = Channel::input(
        "zdata",
        entry(p.comparator_bits(), "comparator entry of the zread").and(depths(p)),
        "the depths that were read, in any order",
    )
    .valid_only();
    ZWRITE = Channel::output(
        "zwrite",
        entry(p.comparator_bits(), "comparator entry").and(address(p)).and(depths(p)),
        "depths of evicted blocks, to be written to the L2",
    );
    ZWRITE_ACK = Channel::input("zwrite_ack", entry(p.comparator_bits(), "comparator entry of the zwrite"), "its depths are written, in any order")
        .valid_only();
    COLOR = Channel::output(
        "color",
        entry(p.entry_bits(), "request entry").and(address(p)).and(colors(p)),
        "bytes whose request has won, to be written to the L2",
    );
    COLOR_ACK = Channel::input("color_ack", entry(p.entry_bits(), "request entry of the color"), "its bytes are written, in any order")
        .valid_only();
    RESET = Channel::input("reset", Fields::new(), "the quantum's number rolls over: reset the Z-buffer");
    ZCLEAR = Channel::output("zclear", Fields::new(), "the L2 is to set every depth to the largest");
    ZCLEAR_ACK = Channel::input("zclear_ack", Fields::new(), "every depth in the L2 is the largest").valid_only();
    RESET_DONE = Channel::output("reset_done", Fields::new(), "the Z-buffer is reset");
    ERROR = Channel::error(
        1,
        "0 the address is not that of a block, 1 only a part of a word is in the mask",
        "malformed requests; they change nothing, and are not acknowledged",
    );
}

fn entry(bits: u32, doc: &str) -> Fields {
    Fields::new().with("entry", bits, doc)
}

fn address(p: &Params) -> Fields {
    Fields::new().with("address", p.address_bits, "byte address of the block's colors")
}

pub(super) fn depths(p: &Params) -> Fields {
    Fields::new().with("depths", p.depths() * p.depth_bits, "depths of the block, lane 0 lowest")
}

fn colors(p: &Params) -> Fields {
    let fields = Fields::new().with("mask", p.bytes(), "the bytes that are written");
    fields.with("data", 32 * p.lanes, "the words, lane 0 lowest")
}

pub(super) fn request_fields(p: &Params) -> Fields {
    let depth = p.request_depths() * p.depth_bits;
    let fields = Fields::new().with("id", p.id_bits, "comes back with ack").and(address(p));
    fields.with("depth", depth, "wavefront - quantum x 2^m, two's complement").and(colors(p))
}

/// Values of `width` bits beside each other, the first the lowest.
fn pack(width: u32, values: &[u64]) -> Vec<u64> {
    let mut words = vec![0; (width as usize * values.len()).div_ceil(64)];
    for (i, value) in values.iter().enumerate() {
        let (word, bit) = (i * width as usize / 64, i * width as usize % 64);
        words[word] |= value << bit;
        if bit + width as usize > 64 {
            words[word + 1] |= value >> (64 - bit);
        }
    }
    words
}

/// Takes `count` values of `width` bits from the front of a payload.
fn unpack(width: u32, count: u32, payload: &mut &[u64]) -> Vec<u64> {
    let (words, rest) = payload.split_at((width * count).div_ceil(64) as usize);
    *payload = rest;
    let value = |i: u32| {
        let (word, bit) = ((i * width / 64) as usize, i * width % 64);
        let low = words[word] >> bit;
        let high = if bit + width > 64 { words[word + 1] << (64 - bit) } else { 0 };
        (low | high) & (u64::MAX >> (64 - width))
    };
    (0..count).map(value).collect()
}

/// An entry of a store buffer: a payload of `req`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// Comes back with the acknowledgement.
    pub id: u64,
    /// Byte address of the block.
    pub address: u64,
    /// One depth, or one a lane.
    pub depth: Vec<u64>,
    /// Of each byte 1 if it is written.
    pub mask: Vec<u64>,
    /// The words, one a lane.
    pub data: Vec<u64>,
}

impl Request {
    /// Reads a payload.
    pub fn decode(p: &Params, payload: &[u64]) -> Self {
        let mut rest = &payload[2..];
        let depth = unpack(p.depth_bits, p.request_depths(), &mut rest);
        let mask = unpack(1, p.bytes(), &mut rest);
        let data = unpack(32, p.lanes, &mut rest);
        Self { id: payload[0], address: payload[1], depth, mask, data }
    }

    /// The payload.
    pub fn encode(&self, p: &Params) -> Vec<u64> {
        let head = [self.id, self.address];
        let depth = pack(p.depth_bits, &self.depth);
        [&head[..], &depth, &pack(1, &self.mask), &pack(32, &self.data)].concat()
    }

    /// Whether the request is well formed.
    ///
    /// # Errors
    /// Why it is malformed.
    pub fn check(&self, p: &Params) -> Result<(), Misuse> {
        let is_part = |word: &[u64]| word.iter().any(|&byte| byte != word[0]);
        if !self.address.is_multiple_of(u64::from(p.bytes())) {
            return Err(Misuse::Misaligned);
        }
        match p.granularity == Granularity::Word && self.mask.chunks(4).any(is_part) {
            true => Err(Misuse::PartOfWord),
            false => Ok(()),
        }
    }
}

impl fmt::Display for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Request { id, address, depth, mask, data } = self;
        let mask: String =
            mask.iter().rev().map(|&byte| if byte == 1 { '1' } else { '0' }).collect();
        write!(f, "request {id}: {data:x?} to 0x{address:x}, bytes 0b{mask}, depth {depth:x?}")
    }
}

/// Bytes to be written: a payload of `color`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Color {
    /// Request entry.
    pub entry: u64,
    /// Byte address of the block.
    pub address: u64,
    /// Of each byte 1 if it is written.
    pub mask: Vec<u64>,
    /// The words, one a lane.
    pub data: Vec<u64>,
}

impl Color {
    /// Reads a payload.
    pub fn decode(p: &Params, payload: &[u64]) -> Self {
        let mut rest = &payload[2..];
        let mask = unpack(1, p.bytes(), &mut rest);
        Self { entry: payload[0], address: payload[1], mask, data: unpack(32, p.lanes, &mut rest) }
    }

    /// The payload.
    pub fn encode(&self) -> Vec<u64> {
        [&[self.entry, self.address][..], &pack(1, &self.mask), &pack(32, &self.data)].concat()
    }
}

/// Depths of a block: a payload of `zwrite`, or with address 0, which it does not have, of `zdata`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Depths {
    /// Comparator entry.
    pub entry: u64,
    /// Byte address of the block.
    pub address: u64,
    /// The depths.
    pub depths: Vec<u64>,
}

impl Depths {
    /// Reads a payload of `zwrite`.
    pub fn decode(p: &Params, payload: &[u64]) -> Self {
        let depths = unpack(p.depth_bits, p.depths(), &mut &payload[2..]);
        Self { entry: payload[0], address: payload[1], depths }
    }

    /// The payload of `zwrite`.
    pub fn encode(&self, p: &Params) -> Vec<u64> {
        [&[self.entry, self.address][..], &pack(p.depth_bits, &self.depths)].concat()
    }

    /// The payload of `zdata`.
    pub fn encode_data(&self, p: &Params) -> Vec<u64> {
        [&[self.entry][..], &pack(p.depth_bits, &self.depths)].concat()
    }
}
