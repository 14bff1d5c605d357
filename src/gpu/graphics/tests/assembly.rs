//! Topologies and reuse.

use rand::RngExt;

use super::super::{Assembler, Topology};
use super::random;

#[test]
fn strips_and_fans_turn_all_their_triangles_the_same_way() {
    let [list, strip, fan] = [Topology::Triangles, Topology::Strip, Topology::Fan];
    let all = |topology: Topology, vertices| -> Vec<_> {
        (0..topology.triangles(vertices)).map(|it| topology.vertices(it)).collect()
    };
    assert_eq!(all(list, 7), [[0, 1, 2], [3, 4, 5]]);
    assert_eq!(all(strip, 5), [[0, 1, 2], [1, 3, 2], [2, 3, 4]]);
    assert_eq!(all(fan, 5), [[1, 2, 0], [2, 3, 0], [3, 4, 0]]);
    assert_eq!(all(strip, 2), [[0; 3]; 0]);
}

/// Reuse by a queue of 32 indices.
#[test]
fn vertices_are_reused_from_a_queue_of_32() {
    let mut random = random(6);
    for _ in 0..200 {
        let spread = random.random_range(4..200);
        let triangles: Vec<[u32; 3]> =
            (0..200).map(|_| [0; 3].map(|_: i32| random.random_range(0..spread))).collect();
        let mut queue = std::collections::VecDeque::new();
        let mut expected = Vec::new();
        for index in triangles.iter().flatten() {
            if !queue.contains(index) {
                queue.push_back(*index);
                expected.push(*index);
                if queue.len() > 32 {
                    queue.pop_front();
                }
            }
        }
        let (mut assembler, mut shaded) = (Assembler::default(), Vec::new());
        for (number, indices) in (0..).zip(&triangles) {
            if assembler.is_full() {
                shaded.append(&mut assembler.indices);
                assembler.clear();
            }
            assembler.push(number, *indices);
            let (_, serials) = assembler.triangles.last().expect("the triangle");
            let known: Vec<_> = shaded.iter().chain(&assembler.indices).copied().collect();
            assert_eq!(serials.map(|serial| known[serial as usize]), *indices);
            let oldest = assembler.first().saturating_sub(32);
            assert!(serials.iter().all(|serial| *serial >= oldest), "{serials:?}");
            assert!(assembler.indices.len() <= 32);
        }
        shaded.append(&mut assembler.indices);
        assert_eq!(shaded, expected);
    }
}
