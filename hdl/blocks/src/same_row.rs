//! Comparisons of keys that share a row of a hashed table, and the bits of them that cannot matter.
//!
//! An H3 hash is linear: two keys have the same row if and only if the hash of their exclusive or is
//! zero. Keys that differ in one bit only have rows that differ by the hash's column of that bit. So where
//! a comparison is looked at only if both keys have the same row, a bit with a column that is not
//! zero can be left out of it, and nothing changes.

use warpsmith_rtl::library::h3::H3;

/// What is known of a circuit's hashed tables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hashing {
    /// Comparisons that are looked at only where both keys have the same row.
    pub same_rows: Vec<SameRow>,
    /// The signals with the rows of keys, each the only source of rows of its table, beside a counter that visits
    /// all of them: nothing depends on the number of a row, so that rows may be exchanged.
    pub rows: Vec<String>,
}

/// A comparison that is looked at only where both keys have the same row in a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SameRow {
    /// The signals of the circuit that hold the keys, each with the place of the key's lowest bit.
    pub keys: [(String, u32); 2],
    /// Of each table in which they may share a row: its hash's columns, one for each bit of a key.
    pub columns: Vec<Vec<u64>>,
    /// Why both keys then have the same row.
    pub because: &'static str,
}

impl SameRow {
    /// Width of a key in bits.
    pub fn width(&self) -> u32 {
        self.columns.first().map_or(0, Vec::len) as u32
    }

    /// Whether no two keys that are compared differ in this bit only.
    pub fn is_decided_by_others(&self, bit: u32) -> bool {
        let of_bit =
            |columns: &Vec<u64>| columns.get(bit as usize).is_some_and(|column| *column != 0);
        !self.columns.is_empty() && self.columns.iter().all(of_bit)
    }
}

/// The columns of a hash of keys of that width, at most 64: what each bit of a key adds to its row.
pub fn columns(hash: &H3, width: u32) -> Vec<u64> {
    (0..width).map(|bit| hash.hash(&[1 << bit]) ^ hash.hash(&[0])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bit_matters_where_its_column_is_zero_in_a_table() {
        let keys = [("a".to_string(), 0), ("b".to_string(), 5)];
        let same = SameRow { keys, columns: vec![vec![1, 2, 3], vec![1, 0, 2]], because: "" };
        assert_eq!(
            [0, 1, 2, 3].map(|bit| same.is_decided_by_others(bit)),
            [true, false, true, false]
        );
    }

    #[test]
    fn keys_of_one_row_never_differ_in_one_bit_with_a_column() {
        let hash = H3::new(10, 3, 7);
        let columns = columns(&hash, 10);
        for key in 0..1 << 10 {
            for (bit, column) in columns.iter().enumerate() {
                let moves = hash.hash(&[key]) != hash.hash(&[key ^ 1 << bit]);
                assert_eq!(moves, *column != 0, "key {key}, bit {bit}");
            }
        }
    }
}
