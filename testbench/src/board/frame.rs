//! Frames: a start byte, kind, length, contents, and CRC-16/CCITT of kind, length and contents.

const START: u8 = 0xA5;

/// A frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// 1 write, 2 read; with 0x80 the answer.
    pub kind: u8,
    /// Up to 255 bytes.
    pub contents: Vec<u8>,
}

impl Frame {
    /// The bytes on the line.
    pub fn bytes(&self) -> Vec<u8> {
        let length = u8::try_from(self.contents.len()).expect("at most 255 bytes");
        let mut bytes = vec![START, self.kind, length];
        bytes.extend(&self.contents);
        bytes.extend(crc(&bytes[1..]).to_be_bytes());
        bytes
    }
}

/// CRC-16/CCITT-FALSE: polynomial 0x1021, beginning with 0xffff, highest bit first.
pub fn crc(bytes: &[u8]) -> u16 {
    bytes.iter().fold(0xFFFF, |crc, byte| {
        (0..8).fold(crc ^ (u16::from(*byte) << 8), |crc, _| {
            (crc << 1) ^ if crc & 0x8000 == 0 { 0 } else { 0x1021 }
        })
    })
}

/// Finds frames in bytes.
#[derive(Debug, Default)]
pub struct Decoder {
    bytes: Vec<u8>,
}

impl Decoder {
    /// The frame that ends with this byte, if it is whole and right.
    pub fn push(&mut self, byte: u8) -> Option<Frame> {
        if self.bytes.is_empty() && byte != START {
            return None;
        }
        self.bytes.push(byte);
        let length = usize::from(*self.bytes.get(2)?);
        if self.bytes.len() < length + 5 {
            return None;
        }
        let bytes = std::mem::take(&mut self.bytes);
        // The CRC of bytes with their CRC is 0.
        (crc(&bytes[1..]) == 0)
            .then(|| Frame { kind: bytes[1], contents: bytes[3..length + 3].to_vec() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_crc_is_the_catalogue_s() {
        assert_eq!(crc(b"123456789"), 0x29B1);
    }

    #[test]
    fn a_frame_is_found_behind_noise_and_not_with_a_wrong_bit() {
        let frame = Frame { kind: 0x82, contents: vec![0xA5, 1, 2] };
        let decode = |bytes: &[u8]| {
            let mut decoder = Decoder::default();
            bytes.iter().find_map(|&byte| decoder.push(byte))
        };
        assert_eq!(decode(&[&[1, 2], &*frame.bytes()].concat()), Some(frame.clone()));
        for bit in 0..frame.bytes().len() * 8 {
            let mut bytes = frame.bytes();
            bytes[bit / 8] ^= 1 << (bit % 8);
            assert_ne!(decode(&bytes), Some(frame.clone()), "bit {bit}");
        }
    }
}
