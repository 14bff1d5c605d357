//! Memories against a naive model, native and Verilated, under random reads and writes.

use rand::RngExt;
use warpsmith_rtl::{Bits, Collision, Module, ModuleBuilder, address_bits};

use crate::support::duel::Duel;
use crate::support::{random, tools};

/// Memories for the tests: several write ports, every other one with lanes, and two read ports.
#[derive(Clone, Copy, Debug)]
struct Shape {
    rows: u32,
    width: u32,
    lanes: u32,
    writers: u32,
}

const POLICIES: [(&str, Collision); 3] = [
    ("read_first", Collision::ReadFirst),
    ("write_first", Collision::WriteFirst),
    ("undefined", Collision::Undefined),
];

impl Shape {
    fn has_lanes(self, writer: u32) -> bool {
        self.lanes > 1 && writer.is_multiple_of(2)
    }

    /// A memory with each collision policy, all with the same ports.
    fn module(self) -> Module {
        let m = ModuleBuilder::new("memories_under_test");
        let address = address_bits(self.rows);
        let writes: Vec<_> = (0..self.writers)
            .map(|i| {
                let enable = m.input(&format!("w{i}_enable"), 1);
                let row = m.input(&format!("w{i}_row"), address);
                let data = m.input(&format!("w{i}_data"), self.width);
                let lanes = |i| m.input(&format!("w{i}_lanes"), self.lanes);
                (enable, row, data, self.has_lanes(i).then(|| lanes(i)))
            })
            .collect();
        let reads = [0, 1]
            .map(|i| (m.input(&format!("r{i}_enable"), 1), m.input(&format!("r{i}_row"), address)));
        for (policy, collision) in POLICIES {
            let memory = m.memory(policy, self.rows, self.width, self.lanes, collision);
            for (enable, row, data, lanes) in &writes {
                match lanes {
                    Some(lanes) => memory.write_lanes(*enable, *row, *data, *lanes),
                    None => memory.write(*enable, *row, *data),
                }
            }
            for (i, (enable, row)) in reads.into_iter().enumerate() {
                let data = memory.read(&format!("{policy}_{i}"), enable, row);
                m.output(&format!("{policy}_out_{i}"), data);
            }
            let now = memory.read_without_clock(&format!("{policy}_now"), reads[0].1);
            m.output(&format!("{policy}_row"), now);
        }
        m.finish()
    }
}

#[test]
fn memories_read_what_was_written_and_collide_as_they_say() {
    if !tools::verilator() {
        return;
    }
    let shapes =
        [(2, 1, 1, 1), (5, 12, 3, 2), (8, 70, 7, 1), (13, 66, 66, 2), (4, 8, 1, 3), (7, 130, 2, 3)];
    for (rows, width, lanes, writers) in shapes {
        check_memories(Shape { rows, width, lanes, writers });
    }
}

fn check_memories(shape: Shape) {
    let mut rng = random::generator(80 + u64::from(shape.rows));
    let mut duel = Duel::new(&shape.module());
    // None where a value is unknown, because of a missing write or a collision.
    let mut rows: Vec<Option<Bits>> = vec![None; shape.rows as usize];
    let mut data: [[Option<Bits>; 2]; 3] = Default::default();
    let lane_bits = shape.width / shape.lanes;
    let (mut collisions, mut compared) = (0, 0);
    for clock in 0..2000 {
        let start = clock < shape.rows;
        let mut writes = Vec::new();
        for i in 0..shape.writers {
            // First every row is written; later also rows that do not exist.
            let enable = if start { i == 0 } else { rng.random_range(0..3) > 0 };
            let row = match start {
                true => u64::from(clock),
                false => rng.random_range(0..1 << address_bits(shape.rows)),
            };
            let value = random::value(&mut rng, shape.width);
            let lanes = match (shape.has_lanes(i), start) {
                (true, false) => random::value(&mut rng, shape.lanes),
                _ => Bits::ones(shape.lanes),
            };
            duel.set(&format!("w{i}_enable"), enable.into());
            duel.set(&format!("w{i}_row"), row);
            duel.set_bits(&format!("w{i}_data"), &value);
            if shape.has_lanes(i) {
                duel.set_bits(&format!("w{i}_lanes"), &lanes);
            }
            if enable && row < u64::from(shape.rows) {
                writes.push((row as usize, value, lanes));
            }
        }
        let reads: [(bool, usize); 2] = std::array::from_fn(|i| {
            let read = (rng.random_range(0..3) > 0, rng.random_range(0..shape.rows) as usize);
            duel.set(&format!("r{i}_enable"), read.0.into());
            duel.set(&format!("r{i}_row"), read.1 as u64);
            read
        });
        duel.clock();
        for ((policy, _), data) in POLICIES.iter().zip(&data) {
            for (i, expected) in data.iter().enumerate() {
                if let Some(expected) = expected {
                    let got = duel.get_bits(&format!("{policy}_out_{i}"));
                    assert_eq!(got, *expected, "{shape:?}, {policy}, port {i}, clock {clock}");
                    compared += 1;
                }
            }
        }
        if let Some(expected) = &rows[reads[0].1] {
            for (policy, _) in POLICIES {
                assert_eq!(duel.get_bits(&format!("{policy}_row")), *expected, "clock {clock}");
            }
        }
        let before = rows.clone();
        for (row, value, lanes) in &writes {
            let old = rows[*row].clone().unwrap_or(Bits::zeros(shape.width));
            let merged = |bit: u32| {
                if lanes.bit(bit / lane_bits) { value.bit(bit) } else { old.bit(bit) }
            };
            rows[*row] = Some(Bits::from_fn(shape.width, merged));
        }
        for (i, (enable, row)) in reads.into_iter().enumerate().filter(|(_, (enable, _))| *enable) {
            let hit = writes.iter().any(|(written, ..)| *written == row);
            collisions += u32::from(hit && enable);
            for ((_, collision), data) in POLICIES.iter().zip(&mut data) {
                data[i] = match collision {
                    Collision::ReadFirst => before[row].clone(),
                    Collision::WriteFirst => rows[row].clone(),
                    Collision::Undefined if hit => None,
                    Collision::Undefined => before[row].clone(),
                };
            }
        }
    }
    assert!(collisions > 100 && compared > 3000, "{collisions} collisions, {compared} compared");
}
