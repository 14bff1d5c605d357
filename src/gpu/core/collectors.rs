//! Operand collectors (Bakhoda et al., ISPASS 2009): an instruction waits in a collector until banks of registers have
//! given all its operands, each bank one a clock, and its unit takes it.

use super::decode::Unit;
use crate::config::CollectorsConfig;

/// Clocks from the issue to the first read, and from the last read to the unit.
const FIRST_READ: u64 = 2;
const TO_UNIT: u64 = 2;

/// A bank of registers.
#[derive(Debug, Clone, Default)]
struct Bank {
    /// When it is free for reads.
    free: u64,
    /// Clocks of writes, which go before reads.
    writes: Vec<u64>,
}

impl Bank {
    /// The clock of a read that is wanted from a clock on.
    fn read(&mut self, from: u64) -> u64 {
        self.writes.retain(|write| *write >= from);
        let mut read = from.max(self.free);
        while self.writes.contains(&read) {
            read += 1;
        }
        self.free = read + 1;
        read
    }
}

/// The collectors of a core.
#[derive(Debug)]
pub(crate) struct Collectors {
    banks: Vec<Bank>,
    /// When each collector is free, by unit.
    units: [Vec<u64>; 3],
}

impl Collectors {
    pub(crate) fn new(config: &CollectorsConfig) -> Self {
        let free = |count: u32| vec![0; count as usize];
        Self {
            banks: vec![Bank::default(); config.banks as usize],
            units: [config.arithmetic, config.special, config.memory].map(free),
        }
    }

    fn of(&mut self, unit: Unit) -> Option<&mut u64> {
        let units = match unit {
            Unit::Arithmetic => &mut self.units[0],
            Unit::Special => &mut self.units[1],
            Unit::Memory => &mut self.units[2],
            Unit::None => return None,
        };
        units.iter_mut().min()
    }

    /// When an instruction for a unit can be issued.
    pub(crate) fn free(&self, unit: Unit) -> u64 {
        let units = match unit {
            Unit::Arithmetic => &self.units[0],
            Unit::Special => &self.units[1],
            Unit::Memory => &self.units[2],
            Unit::None => return 0,
        };
        // It is in the register in front of them for a clock.
        units.iter().min().map_or(0, |free| free.saturating_sub(1))
    }

    /// An instruction of a warp reads registers, and goes to the first of some units that is free, which is
    /// busy for an interval then; gives the clocks that it waits for banks and for the unit.
    pub(crate) fn collect(
        &mut self,
        unit: Unit,
        now: u64,
        warp: u32,
        registers: &[u32],
        (units, interval): (&mut [u64], u32),
    ) -> u32 {
        let count = self.banks.len();
        let first = now + FIRST_READ;
        let mut last = first;
        for register in registers {
            last = last.max(self.banks[(register + warp) as usize % count].read(first));
        }
        let mut start = last + TO_UNIT;
        if let Some(free) = units.iter_mut().min() {
            start = start.max(*free);
            *free = start + u64::from(interval);
        }
        if let Some(collector) = self.of(unit) {
            *collector = start + 1 - TO_UNIT;
        }
        (start - first - TO_UNIT) as u32
    }

    /// Registers of a warp are written in a clock.
    pub(crate) fn write(&mut self, clock: u64, warp: u32, registers: &[u32]) {
        let count = self.banks.len();
        for register in registers {
            self.banks[(register + warp) as usize % count].writes.push(clock);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Collectors;
    use crate::config::CollectorsConfig;
    use crate::core::Unit;

    #[test]
    fn operands_of_one_bank_come_one_after_the_other() {
        let config = CollectorsConfig { banks: 16, arithmetic: 2, special: 1, memory: 1 };
        let mut collectors = Collectors::new(&config);
        let waits = [&[1, 2, 3][..], &[1, 17], &[4]]
            .map(|registers| collectors.collect(Unit::Arithmetic, 10, 0, registers, (&mut [], 1)));
        assert_eq!(waits, [0, 2, 0], "the second waits for the first, and reads twice");
        // Collectors are free in clocks 13 and 15 again.
        assert_eq!([Unit::Arithmetic, Unit::None].map(|unit| collectors.free(unit)), [12, 0]);
    }

    #[test]
    fn instructions_wait_in_collectors_for_their_unit() {
        let config = CollectorsConfig { banks: 16, arithmetic: 2, special: 1, memory: 1 };
        let mut collectors = Collectors::new(&config);
        let mut unit = [0];
        let waits = [10, 11, 12]
            .map(|now| collectors.collect(Unit::Arithmetic, now, 0, &[1], (&mut unit, 4)));
        assert_eq!(waits, [0, 3, 6], "one in four clocks");
        assert_eq!(collectors.free(Unit::Arithmetic), 16, "the second starts in clock 18");
    }

    #[test]
    fn writes_go_before_reads_of_their_bank() {
        let config = CollectorsConfig { banks: 16, arithmetic: 2, special: 1, memory: 1 };
        let mut collectors = Collectors::new(&config);
        collectors.write(12, 0, &[1]);
        collectors.write(13, 0, &[17]);
        let waits = [1, 2]
            .map(|register| collectors.collect(Unit::Arithmetic, 10, 0, &[register], (&mut [], 1)));
        assert_eq!(waits, [2, 0]);
    }
}
