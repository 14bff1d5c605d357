//! Area in the family's own cells.

use std::collections::BTreeMap;

use super::family::{Counts, Family};
use crate::flow::synth::record::FpgaArea;

/// The area of these cells, and notes on LUTs used for other things than logic.
pub fn area(family: Family, cells: &BTreeMap<String, u64>) -> (FpgaArea, Vec<String>) {
    let mut area = FpgaArea { lut: 0, ff: 0, bram: 0 };
    let mut parts = Vec::new();
    for (cell, count) in cells {
        let Some((counts, each)) = family.counts(cell) else { continue };
        let sum = count * each;
        match counts {
            Counts::Lut => area.lut += sum,
            Counts::LutAs(use_) => {
                area.lut += sum;
                parts.push(format!("{sum} in {count} {cell} ({use_})"));
            }
            Counts::Ff => area.ff += sum,
            Counts::Bram => area.bram += sum,
        }
    }
    let mut notes = Vec::new();
    if !parts.is_empty() {
        notes.push(format!("of the LUTs are {}", parts.join(", ")));
    }
    if area.bram > 0 {
        notes.push(format!("a block RAM is a {}", family.bram_unit()));
    }
    (area, notes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(family: Family, cells: &[(&str, u64)]) -> (FpgaArea, Vec<String>) {
        area(family, &cells.iter().map(|&(name, count)| (name.to_string(), count)).collect())
    }

    #[test]
    fn carry_cells_and_lut_rams_are_luts_and_named() {
        let cells = [("LUT4", 100), ("CCU2C", 3), ("TRELLIS_DPR16X4", 4), ("PFUMX", 9)];
        let (area, notes) = of(Family::Ecp5, &cells);
        assert_eq!(area, FpgaArea { lut: 130, ff: 0, bram: 0 });
        assert_eq!(
            notes,
            ["of the LUTs are 6 in 3 CCU2C (carry), 24 in 4 TRELLIS_DPR16X4 (LUT RAM)"]
        );
    }

    #[test]
    fn flip_flops_of_every_kind_are_counted() {
        let cells = [("SB_DFF", 1), ("SB_DFFESR", 2), ("SB_CARRY", 5), ("SB_RAM40_4KNW", 1)];
        assert_eq!(of(Family::Ice40, &cells).0, FpgaArea { lut: 0, ff: 3, bram: 1 });
    }

    #[test]
    fn block_rams_of_7_series_are_counted_in_halves() {
        let cells = [("RAMB36E1", 2), ("RAMB18E1", 1), ("LUT6", 4), ("FDRE", 7), ("CARRY4", 3)];
        let (area, notes) = of(Family::Xc7, &cells);
        assert_eq!(area, FpgaArea { lut: 4, ff: 7, bram: 5 });
        assert_eq!(notes, ["a block RAM is a RAMB18E1 of 18 Kibit, a RAMB36E1 counts as two"]);
    }
}
