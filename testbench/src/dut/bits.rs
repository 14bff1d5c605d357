//! Ranges of a port's bits on the command line.

use thiserror::Error;

use crate::verilator::Direction;

/// Neighbouring bits of a port by their positions, 0 the lowest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bits {
    pub low: u32,
    pub high: u32,
}

impl Bits {
    pub fn whole(width: u32) -> Self {
        Self { low: 0, high: width.saturating_sub(1) }
    }

    pub fn width(self) -> u32 {
        self.high - self.low + 1
    }

    pub fn overlap(self, other: Self) -> bool {
        self.low <= other.high && other.low <= self.high
    }

    /// What is left of these bits without others, from the lowest on.
    pub fn without(self, others: &[Self]) -> Vec<Self> {
        let mut others = others.to_vec();
        others.sort_by_key(|bits| bits.low);
        let (mut left, mut next) = (Vec::new(), self.low);
        for other in others {
            if other.low > next {
                left.push(Self { low: next, high: other.low - 1 });
            }
            next = next.max(other.high + 1);
        }
        if next <= self.high {
            left.push(Self { low: next, high: self.high });
        }
        left
    }

    /// The range in Verilog.
    pub fn as_range(self) -> String {
        match self.low == self.high {
            true => format!("[{}]", self.low),
            false => format!("[{}:{}]", self.high, self.low),
        }
    }
}

/// An end of a connection as written: a port, and a range of its bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct End {
    pub name: String,
    pub range: Option<(u32, u32)>,
}

impl End {
    pub fn parse(option: &'static str, text: &str) -> Result<Self, MapError> {
        let malformed = || MapError::Range { option, text: text.to_string() };
        let Some((name, range)) = text.split_once('[') else {
            return Ok(Self { name: text.to_string(), range: None });
        };
        let range = range.strip_suffix(']').ok_or_else(malformed)?;
        let (left, right) = range.split_once(':').unwrap_or((range, range));
        let number = |text: &str| text.trim().parse().map_err(|_| malformed());
        Ok(Self { name: name.to_string(), range: Some((number(left)?, number(right)?)) })
    }

    /// The positions of the bits in a port of `width` bits that are declared from number `lowest` on.
    pub fn bits(
        &self,
        option: &'static str,
        width: u32,
        lowest: u32,
        is_ascending: bool,
    ) -> Result<Bits, MapError> {
        let Some((left, right)) = self.range else { return Ok(Bits::whole(width)) };
        let highest = lowest + (width - 1);
        let position = |bit: u32| match (lowest..=highest).contains(&bit) {
            true if is_ascending => Some(highest - bit),
            true => Some(bit - lowest),
            false => None,
        };
        match (position(left), position(right)) {
            (Some(high), Some(low)) if low <= high => Ok(Bits { low, high }),
            _ => {
                let (first, last) =
                    if is_ascending { (lowest, highest) } else { (highest, lowest) };
                let text = format!("{}[{left}:{right}]", self.name);
                Err(MapError::OutOfRange { option, text, first, last })
            }
        }
    }
}

/// Why a port cannot be mapped or tied.
#[derive(Debug, Error)]
pub enum MapError {
    /// The port does not exist.
    #[error("{option} {port}: the module has no port of that name; it has: {found}")]
    NoPort {
        /// `--map` or `--tie`.
        option: &'static str,
        /// The port.
        port: String,
        /// The existing ports.
        found: String,
    },
    /// The circuit has no such port.
    #[error("--map {port}={ours}: the circuit has no port of that name; it has: {known}")]
    NotOurs {
        /// The user's port.
        port: String,
        /// The name.
        ours: String,
        /// The circuit's ports.
        known: String,
    },
    /// A range is malformed.
    #[error("{option} {text}: bits are written like p[3] or p[7:4]")]
    Range {
        /// `--map` or `--tie`.
        option: &'static str,
        /// The port and its bits.
        text: String,
    },
    /// The port has not these bits.
    #[error(
        "{option} {text}: the port's bits are [{first}:{last}], and a range goes in that direction"
    )]
    OutOfRange {
        /// `--map` or `--tie`.
        option: &'static str,
        /// The port and its bits.
        text: String,
        /// First bit in the port's declaration.
        first: u32,
        /// Last bit in the port's declaration.
        last: u32,
    },
    /// The two ends have different widths.
    #[error("--map {map}: {theirs} bits on the left and {ours} on the right")]
    Widths {
        /// Both ends.
        map: String,
        /// Bits of the user's.
        theirs: u32,
        /// Bits of the circuit's.
        ours: u32,
    },
    /// Bits are named more than once.
    #[error("{option} {port}: that port, or one of these bits, is named twice")]
    Twice {
        /// `--map` or `--tie`.
        option: &'static str,
        /// The port and its bits.
        port: String,
    },
    /// One of the circuit's outputs has several drivers, or an input and an output have its name.
    #[error(
        "{port} is connected to {ours}, and so is another port: only inputs of yours may share one of ours"
    )]
    Driven {
        /// The user's port.
        port: String,
        /// The circuit's port.
        ours: String,
    },
    /// Bits of an input are not connected.
    #[error(
        "nothing drives {bits}, since other bits of that port are mapped; --map or --tie them too"
    )]
    Unconnected {
        /// The port and its lowest bits that are not.
        bits: String,
    },
    /// Bits of one of the circuit's ports are not connected.
    #[error("no {direction} of the module is {ours}, though other bits of it are mapped")]
    Lacks {
        /// The port and its lowest bits that are not.
        ours: String,
        /// Direction of the port.
        direction: Direction,
    },
    /// The port is not an input.
    #[error("--tie {port}: it is an {direction}; only an input can be held at a value")]
    NoInput {
        /// The port.
        port: String,
        /// Its direction.
        direction: Direction,
    },
    /// The value is too wide.
    #[error("--tie {port}={value}: the value does not fit the port's width, {width}")]
    TooWide {
        /// The port.
        port: String,
        /// The value.
        value: u64,
        /// Bits of the port.
        width: u32,
    },
    /// No port is the reset.
    #[error(
        "--reset active-low: no port of the module is our `rst`; say which one is, like --map rst_n=rst"
    )]
    NoReset,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_those_of_the_declaration() {
        let bits = |text: &str, width, lowest, is_ascending| {
            let end = End::parse("--map", text).ok()?;
            let Bits { low, high } = end.bits("--map", width, lowest, is_ascending).ok()?;
            Some((low, high))
        };
        assert_eq!(bits("p", 6, 0, false), Some((0, 5)));
        assert_eq!(bits("p[5:4]", 6, 0, false), Some((4, 5)));
        assert_eq!(bits("p[6:5]", 6, 1, false), Some((4, 5)));
        assert_eq!(bits("p[0:1]", 6, 0, true), Some((4, 5)));
        assert_eq!(bits("p[3]", 6, 0, false), Some((3, 3)));
        for wrong in ["p[4:5]", "p[6]", "p[", "p[1:]", "p[-1]", "p[a]", "p]", "p[1][0]"] {
            assert_eq!(bits(wrong, 6, 0, false).filter(|_| wrong != "p]"), None, "{wrong}");
        }
        assert_eq!(bits("p[1:0]", 6, 0, true), None, "the port is declared [0:5]");
    }

    #[test]
    fn what_is_left_are_the_bits_that_nobody_named() {
        let left = |named: &[(u32, u32)]| {
            let named: Vec<_> = named.iter().map(|&(low, high)| Bits { low, high }).collect();
            let left = Bits::whole(8).without(&named);
            left.into_iter().map(|bits| (bits.low, bits.high)).collect::<Vec<_>>()
        };
        assert_eq!(left(&[]), [(0, 7)]);
        assert_eq!(left(&[(6, 7), (0, 1), (3, 3)]), [(2, 2), (4, 5)]);
        assert_eq!(left(&[(4, 7), (0, 3)]), []);
    }
}
