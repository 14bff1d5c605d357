//! `mbarrier` objects. PTX leaves their contents open; ours are, from bit 0 on: 32 bits of pending
//! arrivals, 20 of arrivals that a phase expects, 11 of the number of the phase, one that is set.

use crate::isa::MbarrierOp;

/// Most arrivals of a phase.
const MOST: u64 = (1 << 20) - 1;
const EXPECTED: u32 = 32;
const PHASE: u32 = 52;
const PHASES: u64 = (1 << 11) - 1;
const IS_ONE: u64 = 1 << 63;

/// Does an operation; the new contents and what goes to the register, or what is wrong.
pub fn operate(op: MbarrierOp, old: u64, operand: u64) -> Result<[u64; 2], String> {
    let [pending, expected] = [old & u64::from(u32::MAX), old >> EXPECTED & MOST];
    let phase = old >> PHASE & PHASES;
    let made = |pending: u64, expected: u64, phase: u64| {
        IS_ONE | (phase & PHASES) << PHASE | expected << EXPECTED | pending
    };
    if op == MbarrierOp::Init {
        return match operand {
            1..=MOST => Ok([made(operand, operand, 0), 0]),
            _ => Err(format!("it is to expect {operand} arrivals: 1 to {MOST} are accepted")),
        };
    }
    if old & IS_ONE == 0 {
        return Err("it is not initialised".to_string());
    }
    match op {
        MbarrierOp::Init | MbarrierOp::Invalidate => Ok([0, 0]),
        MbarrierOp::Arrive { .. } if operand == 0 || operand > pending => {
            Err(format!("{operand} arrive, and {pending} are pending"))
        }
        MbarrierOp::Arrive { no_complete: true, .. } if operand == pending => {
            Err("an arrival with .noComplete ends the phase".to_string())
        }
        MbarrierOp::Arrive { drop, .. } => {
            let expected = if drop { expected - operand } else { expected };
            let new = match pending - operand {
                0 => made(expected, expected, phase + 1),
                left => made(left, expected, phase),
            };
            Ok([new, old])
        }
        MbarrierOp::Expect if pending == MOST => Err(format!("more than {MOST} are pending")),
        MbarrierOp::Expect => Ok([made(pending + 1, expected, phase), 0]),
        MbarrierOp::Test { parity: true } => Ok([old, u64::from(phase & 1 != operand & 1)]),
        MbarrierOp::Test { parity: false } => {
            Ok([old, u64::from(phase != operand >> PHASE & PHASES)])
        }
    }
}
