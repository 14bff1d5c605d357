//! What is counted as exercised: keys that differ in one bit, in each place, and rows of tables.

use std::collections::BTreeSet;

use rand::SeedableRng;
use warpsmith_blocks::corners::Corners;
use warpsmith_blocks::exercise::{Compared, Exercise, Neighbours, Table};
use warpsmith_blocks::verification::StimulusRng;

#[test]
fn a_bit_counts_once_it_was_the_only_difference_in_every_place() {
    let compared = vec![Compared::bits("keys", 3).in_places(2)];
    let mut corners = Corners::new(0, &Exercise { compared, tables: Vec::new() });
    corners.compare_at(0, 0, 0b101, 0b100);
    corners.compare_at(0, 0, 0b111, 0b100);
    assert_eq!(corners.compared().collect::<Vec<_>>(), [0, 0, 0, 0, 0], "one place, then two bits");
    corners.compare_at(0, 1, 0b000, 0b001);
    corners.compare_at(0, 0, 0b111, 0b111);
    corners.compare_at(0, 1, 0b111, 0b111);
    corners.compare_at(0, 1, 0b110, 0b110);
    assert_eq!(corners.compared().collect::<Vec<_>>(), [1, 0, 0, 0, 1]);
}

#[test]
fn a_row_counts_once_each_bit_was_read_as_0_and_as_1() {
    let tables = vec![
        Table { name: "left out", rows: 0, width: 1 },
        Table { name: "rows", rows: 2, width: 2 },
    ];
    let mut corners = Corners::new(0, &Exercise { compared: Vec::new(), tables });
    corners.read(0, 0, 1);
    corners.read(1, 0, 0b01);
    corners.read_bits(1, 0, 0b10, 0b10);
    assert_eq!(corners.rows_read().collect::<Vec<_>>(), [0], "the low bit was read as 1 only");
    corners.read(1, 0, 0b00);
    assert_eq!(corners.rows_read().collect::<Vec<_>>(), [1]);
}

#[test]
fn pools_give_each_difference_its_turn() {
    let seed = 1;
    let mut rng = StimulusRng::seed_from_u64(seed);
    let mut neighbours = Neighbours::new(&Compared::bits("keys", 48));
    let mut differences = BTreeSet::new();
    for _ in 0..12 {
        let pool = neighbours.pool(&mut rng, 5);
        differences.extend(pool[1..].iter().map(|key| key ^ pool[0]));
    }
    assert_eq!(differences, (0..48).map(|bit| 1 << bit).collect(), "seed {seed}");
}
