//! Banks of shared memory.

use crate::simt::Access;

/// Turns that an access to shared memory takes: lanes that want different words of one bank take
/// turns; lanes that want the same word share one.
pub(crate) fn turns(access: &Access, banks: u32) -> u32 {
    let words = access.bytes().div_ceil(4);
    let mut last = [u64::MAX; 64];
    let mut counts = [0u32; 64];
    let banks = u64::from(banks.min(64));
    for lane in access.lanes() {
        let word = access.addresses[lane] / 4;
        let bank = (word % banks) as usize;
        if last[bank] != word {
            last[bank] = word;
            counts[bank] += 1;
        }
    }
    counts.into_iter().max().unwrap_or(1).max(words.min(4)).max(1)
}

#[cfg(test)]
mod tests {
    use super::turns;
    use crate::simt::Access;

    #[test]
    fn lanes_take_turns_at_a_bank_unless_they_want_the_same_word() {
        let with_stride = |stride: usize| {
            let addresses = std::array::from_fn(|lane| (lane * stride * 4) as u64);
            let mut access = Access::default();
            (access.mask, access.addresses) = (u32::MAX, addresses);
            turns(&access, 32)
        };
        assert_eq!([0, 1, 2, 8, 32, 33].map(with_stride), [1, 1, 2, 8, 32, 1]);
    }
}
