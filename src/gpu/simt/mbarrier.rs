//! `mbarrier` objects. PTX leaves their contents open; ours are, from bit 0 on: 20 bits of pending
//! arrivals, 20 of arrivals that a phase expects, 21 of bytes that are still to arrive (signed), 2 of the
//! number of the phase, one that is set.

use crate::isa::{MBARRIER_PENDING, MbarrierOp};

/// Most arrivals of a phase, and most bytes.
const MOST: u64 = MBARRIER_PENDING as u64;
const EXPECTED: u32 = 20;
const BYTES: u32 = 40;
const BYTES_BITS: u32 = 21;
const PHASE: u32 = 61;
const PHASES: u64 = 3;
const IS_ONE: u64 = 1 << 63;

/// Contents of an `mbarrier`.
#[derive(Clone, Copy)]
struct Mbarrier {
    pending: u64,
    expected: u64,
    /// Bytes that are expected and have not arrived.
    bytes: i64,
    phase: u64,
}

impl Mbarrier {
    fn of(word: u64) -> Self {
        let bytes = (word << (u64::BITS - BYTES - BYTES_BITS)) as i64;
        Self {
            pending: word & MOST,
            expected: word >> EXPECTED & MOST,
            bytes: bytes >> (u64::BITS - BYTES_BITS),
            phase: word >> PHASE & PHASES,
        }
    }

    fn word(self) -> u64 {
        let bytes = self.bytes as u64 & ((1 << BYTES_BITS) - 1);
        let phase = self.phase & PHASES;
        IS_ONE | phase << PHASE | bytes << BYTES | self.expected << EXPECTED | self.pending
    }

    /// The next phase, if this one has no arrivals and no bytes left.
    fn ended(self) -> Result<Self, String> {
        match (self.pending, self.bytes) {
            (0, 0) => Ok(Self { pending: self.expected, phase: self.phase + 1, ..self }),
            (0, ..0) => Err(format!(
                "no arrivals are pending, and {} bytes more have arrived than expect_tx has told",
                -self.bytes
            )),
            _ => Ok(self),
        }
    }

    /// More bytes are expected, or fewer.
    fn with_bytes(self, more: i64) -> Result<Self, String> {
        let bytes = self.bytes + more;
        match bytes.unsigned_abs() > MOST {
            true => Err(format!("{bytes} bytes are to arrive: at most {MOST} can be")),
            false => Ok(Self { bytes, ..self }),
        }
    }
}

/// Does an operation; the new contents and what goes to the register, or what is wrong.
pub fn operate(op: MbarrierOp, old: u64, operand: u64) -> Result<[u64; 2], String> {
    if op == MbarrierOp::Init {
        let [pending, expected] = [operand; 2];
        return match operand {
            1..=MOST => Ok([Mbarrier { pending, expected, bytes: 0, phase: 0 }.word(), 0]),
            _ => Err(format!("it is to expect {operand} arrivals: 1 to {MOST} are accepted")),
        };
    }
    if old & IS_ONE == 0 {
        return Err("it is not initialised".to_string());
    }
    let now = Mbarrier::of(old);
    let Mbarrier { pending, expected, bytes, phase } = now;
    match op {
        MbarrierOp::Init | MbarrierOp::Invalidate => Ok([0, 0]),
        MbarrierOp::Arrive { .. } if operand == 0 || operand > pending => {
            Err(format!("{operand} arrive, and {pending} are pending"))
        }
        MbarrierOp::Arrive { no_complete: true, .. } if operand == pending && bytes == 0 => {
            Err("an arrival with .noComplete ends the phase".to_string())
        }
        MbarrierOp::Arrive { drop, .. } => {
            let expected = if drop { expected - operand } else { expected };
            let new = Mbarrier { pending: pending - operand, expected, ..now };
            Ok([new.ended()?.word(), old])
        }
        MbarrierOp::Expect if pending == MOST => Err(format!("more than {MOST} are pending")),
        MbarrierOp::Expect => Ok([Mbarrier { pending: pending + 1, ..now }.word(), 0]),
        MbarrierOp::ExpectBytes | MbarrierOp::CompleteBytes if operand > MOST => {
            Err(format!("{operand} bytes: at most {MOST} are accepted"))
        }
        MbarrierOp::ExpectBytes => Ok([now.with_bytes(operand as i64)?.word(), 0]),
        // None change nothing: a phase that has just begun does not end.
        MbarrierOp::CompleteBytes if operand == 0 => Ok([old, 0]),
        MbarrierOp::CompleteBytes => Ok([now.with_bytes(-(operand as i64))?.ended()?.word(), 0]),
        MbarrierOp::Test { parity: true } => Ok([old, u64::from(phase & 1 != operand & 1)]),
        MbarrierOp::Test { parity: false } => {
            Ok([old, u64::from(phase != operand >> PHASE & PHASES)])
        }
    }
}
