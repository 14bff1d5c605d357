//! Operand collectors (Bakhoda et al., ISPASS 2009): an instruction waits in a collector until banks of registers have
//! given all its operands, each bank one a clock.

use super::decode::Unit;
use crate::gpu::config::CollectorsConfig;

/// Clocks from the issue to the first read.
const FIRST_READ: u64 = 2;

/// The collectors of a core.
#[derive(Debug)]
pub(in crate::gpu) struct Collectors {
    /// When each bank is free.
    banks: Vec<u64>,
    /// When each collector is free, by unit.
    units: [Vec<u64>; 3],
}

impl Collectors {
    pub(in crate::gpu) fn new(config: &CollectorsConfig) -> Self {
        let free = |count: u32| vec![0; count as usize];
        Self {
            banks: free(config.banks),
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
    pub(in crate::gpu) fn free(&self, unit: Unit) -> u64 {
        let units = match unit {
            Unit::Arithmetic => &self.units[0],
            Unit::Special => &self.units[1],
            Unit::Memory => &self.units[2],
            Unit::None => return 0,
        };
        // It is in the register in front of them for a clock.
        units.iter().min().map_or(0, |free| free.saturating_sub(1))
    }

    /// An instruction of a warp reads registers; gives the clocks that it waits for banks.
    pub(in crate::gpu) fn collect(
        &mut self,
        unit: Unit,
        now: u64,
        warp: u32,
        registers: &[u32],
    ) -> u32 {
        let count = self.banks.len();
        let first = now + FIRST_READ;
        let mut last = first;
        for register in registers {
            let bank = &mut self.banks[(register + warp) as usize % count];
            let read = first.max(*bank);
            *bank = read + 1;
            last = last.max(read);
        }
        if let Some(collector) = self.of(unit) {
            *collector = last + 1;
        }
        (last - first) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::Collectors;
    use crate::gpu::config::CollectorsConfig;
    use crate::gpu::core::Unit;

    #[test]
    fn operands_of_one_bank_come_one_after_the_other() {
        let config = CollectorsConfig { banks: 16, arithmetic: 2, special: 1, memory: 1 };
        let mut collectors = Collectors::new(&config);
        let waits = [&[1, 2, 3][..], &[1, 17], &[4]]
            .map(|registers| collectors.collect(Unit::Arithmetic, 10, 0, registers));
        assert_eq!(waits, [0, 2, 0], "the second waits for the first, and reads twice");
        // Collectors are free in clocks 13 and 15 again.
        assert_eq!([Unit::Arithmetic, Unit::None].map(|unit| collectors.free(unit)), [12, 0]);
    }
}
