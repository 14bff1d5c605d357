//! Kernels compiled by clang give the same results as plain Rust: on the functional machine, and on a small
//! timed one with every memory system, unperturbed and perturbed.

#[path = "support/kernel.rs"]
mod kernel;

use kernel::{Kernel, On, assert_close, integers, numbers, reals};
use warpsmith::gpu::systems::gpudet::GPUDET;
use warpsmith::gpu::systems::relativistic::SEQUENTIAL;

/// Runs a check on every machine; in quanta, beside their oracle; and with relativistic coherence, which is judged.
fn everywhere(check: impl Fn(On)) {
    kernel::everywhere(&check);
    for seed in [None, Some(1)] {
        println!("{}, perturbation {seed:?}", GPUDET.name);
        check(On::Timed(GPUDET, seed));
        check(On::Timed(SEQUENTIAL, seed));
    }
}

#[test]
fn vector_add_adds_and_leaves_what_is_beyond_the_end() {
    everywhere(|on| {
        let (a, b) = (reals(1, 1000), reals(2, 1000));
        let kernel = Kernel::new("vector_add", "vector_add").buffer(&a).buffer(&b);
        let ended = kernel.buffer(&[7f32; 1010]).scalar(1000).run(on, [8, 1], [128, 1], 0);
        let mut expected: Vec<f32> = a.iter().zip(&b).map(|(a, b)| a + b).collect();
        expected.extend([7.0; 10]);
        assert_eq!(ended.buffer::<f32>(2, 1010), expected);
    });
}

#[test]
fn reduction_sums_in_shuffles_shared_memory_and_atomics() {
    everywhere(|on| {
        // Multiples of 1/256, whose sum is exact in any order.
        let values: Vec<f32> =
            integers(3, 5000, 256).iter().map(|value| *value as f32 / 256.0).collect();
        let kernel = Kernel::new("reduction", "reduction").buffer(&values).buffer(&[0f32]);
        let ended = kernel.scalar(5000).run(on, [5, 1], [256, 1], 0);
        assert_eq!(ended.buffer::<f32>(1, 1), [values.iter().sum::<f32>()]);
    });
}

#[test]
fn matmul_in_tiles_is_the_product_to_the_bit() {
    everywhere(|on| {
        let n = 64;
        let (a, b) = (reals(4, n * n), reals(5, n * n));
        let kernel = Kernel::new("matmul", "matmul").buffer(&a).buffer(&b);
        let ended = kernel.buffer(&vec![0f32; n * n]).scalar(n as i32).run(on, [4, 4], [16, 16], 0);
        // The kernel adds with fused multiplications, in this order.
        let element = |at: usize| {
            (0..n).fold(0f32, |sum, k| a[at / n * n + k].mul_add(b[k * n + at % n], sum))
        };
        let expected: Vec<f32> = (0..n * n).map(element).collect();
        assert_eq!(ended.buffer::<f32>(2, n * n), expected);
    });
}

#[test]
fn histogram_counts_with_atomics_in_both_memories() {
    everywhere(|on| {
        let bytes: Vec<u8> = numbers(6, 10_000).iter().map(|number| (number % 200) as u8).collect();
        let kernel = Kernel::new("histogram", "histogram").buffer(&bytes).buffer(&[0i32; 256]);
        let ended = kernel.scalar(10_000).run(on, [6, 1], [128, 1], 0);
        let mut expected = vec![0i32; 256];
        bytes.iter().for_each(|byte| expected[usize::from(*byte)] += 1);
        assert_eq!(ended.buffer::<i32>(1, 256), expected);
    });
}

/// A graph of nodes with a few edges each.
fn graph(nodes: usize) -> (Vec<i32>, Vec<i32>) {
    let degrees = integers(28, nodes, 6);
    let mut first = vec![0];
    degrees.iter().for_each(|degree| first.push(first[first.len() - 1] + degree));
    let edges = integers(8, first[nodes] as usize, nodes as u32);
    (first, edges)
}

fn levels(first: &[i32], edges: &[i32], nodes: usize) -> Vec<i32> {
    let mut level = vec![-1; nodes];
    level[0] = 0;
    let mut queue = std::collections::VecDeque::from([0]);
    while let Some(node) = queue.pop_front() {
        for edge in &edges[first[node] as usize..first[node + 1] as usize] {
            let next = *edge as usize;
            if level[next] < 0 {
                level[next] = level[node] + 1;
                queue.push_back(next);
            }
        }
    }
    level
}

fn breadth_first(on: On, name: &'static str) {
    let nodes = 600;
    let (first, edges) = graph(nodes);
    let mut level = vec![-1; nodes];
    level[0] = 0;
    for depth in 0.. {
        let kernel = Kernel::new("bfs", name).buffer(&first).buffer(&edges).buffer(&level);
        let kernel = kernel.buffer(&[0i32]).scalar(nodes as i32).scalar(depth);
        let ended = kernel.run(on, [nodes.div_ceil(256) as u32, 1], [256, 1], 0);
        level = ended.buffer(2, nodes);
        if ended.buffer::<i32>(3, 1) == [0] {
            assert!(depth > 3, "the graph has some depth");
            break;
        }
    }
    assert_eq!(level, levels(&first, &edges, nodes));
}

#[test]
fn bfs_finds_the_levels_with_benign_races() {
    everywhere(|on| {
        breadth_first(on, "bfs_racy");
    });
}

#[test]
fn bfs_finds_the_levels_without_races() {
    everywhere(|on| {
        breadth_first(on, "bfs_race_free");
    });
}

/// A field after one step of the five-point stencil.
fn after_a_step(now: &[f32], width: usize, height: usize) -> Vec<f32> {
    let value = |at: usize| {
        let (x, y) = (at % width, at / width);
        match x > 0 && y > 0 && x < width - 1 && y < height - 1 {
            true => {
                let sum = now[at] + now[at - 1] + now[at + 1] + now[at - width];
                0.2 * (sum + now[at + width])
            }
            false => now[at],
        }
    };
    (0..now.len()).map(value).collect()
}

#[test]
fn stencil_steps_are_separated_by_a_barrier_of_all_ctas() {
    everywhere(|on| {
        let (width, height, steps) = (50, 30, 5);
        let size = width * height;
        let mut now = reals(9, size);
        let kernel = Kernel::new("stencil", "stencil").buffer(&now).buffer(&vec![0f32; size]);
        let kernel = kernel.buffer(&[0i32]).scalar(width as i32).scalar(height as i32);
        let ended = kernel.scalar(steps).run(on, [6, 1], [64, 1], 0);
        for _ in 0..steps {
            now = after_a_step(&now, width, height);
        }
        assert_eq!(ended.buffer::<f32>(1, size), now);
    });
}

#[test]
fn a_stencil_step_takes_each_cell_from_its_neighbours() {
    everywhere(|on| {
        let (width, height) = (50, 30);
        let size = width * height;
        let now = reals(22, size);
        let kernel = Kernel::new("stencil", "stencil_step").buffer(&now).buffer(&vec![0f32; size]);
        let kernel = kernel.scalar(width as i32).scalar(height as i32);
        let ended = kernel.run(on, [24, 1], [64, 1], 0);
        assert_eq!(ended.buffer::<f32>(1, size), after_a_step(&now, width, height));
    });
}

#[test]
fn hash_insert_loses_no_key_under_its_locks() {
    everywhere(|on| {
        let (buckets, count) = (64usize, 300);
        let keys = integers(10, count, 1_000_000);
        let kernel = Kernel::new("hash_insert", "hash_insert").buffer(&keys).buffer(&[0i32; 64]);
        let kernel = kernel.buffer(&[0i32; 64]).buffer(&[0i32; 64 * 16]).scalar(buckets as i32);
        let ended = kernel.scalar(count as i32).run(on, [3, 1], [128, 1], 0);
        let bucket = |key: i32| (key as u32).wrapping_mul(2_654_435_761) as usize % buckets;
        let counts = ended.buffer::<i32>(2, buckets);
        let slots = ended.buffer::<i32>(3, buckets * 16);
        for at in 0..buckets {
            let mut wanted: Vec<_> =
                keys.iter().copied().filter(|key| bucket(*key) == at).collect();
            assert!(wanted.len() <= 16, "the test's keys fit");
            let mut found = slots[at * 16..at * 16 + counts[at] as usize].to_vec();
            wanted.sort_unstable();
            found.sort_unstable();
            assert_eq!(found, wanted, "bucket {at}");
        }
        assert_eq!(ended.buffer::<i32>(1, buckets), [0; 64], "all locks are free");
    });
}

#[test]
fn bank_transfers_keep_every_unit_of_money() {
    everywhere(|on| {
        let (accounts, count) = (40, 600);
        let (from, to) = (integers(11, count, accounts), integers(12, count, accounts));
        let amount = integers(13, count, 100);
        let start = vec![1000; accounts as usize];
        let kernel = Kernel::new("bank_transfer", "bank_transfer").buffer(&from).buffer(&to);
        let kernel = kernel.buffer(&amount).buffer(&vec![0i32; accounts as usize]).buffer(&start);
        let ended = kernel.scalar(count as i32).run(on, [5, 1], [128, 1], 0);
        let mut expected = start;
        for at in 0..count {
            expected[from[at] as usize] -= amount[at];
            expected[to[at] as usize] += amount[at];
        }
        assert_eq!(ended.buffer::<i32>(4, accounts as usize), expected);
    });
}

#[test]
fn nbody_steps_through_tiles_of_dynamic_shared_memory() {
    everywhere(|on| {
        let n = 128;
        let (now, speed) = (reals(14, 4 * n), reals(15, 4 * n));
        let kernel = Kernel::new("nbody", "nbody").buffer(&now).buffer(&speed);
        let kernel = kernel.buffer(&vec![0f32; 4 * n]).scalar(n as i32).scalar(0.01f32);
        let ended = kernel.run(on, [2, 1], [64, 1], 64 * 16);
        let mut expected = Vec::new();
        for own in now.chunks(4) {
            let mut pull = [0f64; 3];
            for other in now.chunks(4) {
                let apart: Vec<f64> =
                    (0..3).map(|axis| f64::from(other[axis] - own[axis])).collect();
                let square: f64 = apart.iter().map(|side| side * side).sum::<f64>() + 0.01;
                let factor = f64::from(other[3]) / square.powf(1.5);
                (0..3).for_each(|axis| pull[axis] += apart[axis] * factor);
            }
            let at = expected.len();
            let place = |axis: usize| {
                let speed = f64::from(speed[at + axis]) + pull[axis] * 0.01;
                (f64::from(own[axis]) + speed * 0.01) as f32
            };
            expected.extend([place(0), place(1), place(2), own[3]]);
        }
        assert_close(&ended.buffer::<f32>(2, 4 * n), &expected, 1e-5);
    });
}

#[test]
fn rnn_takes_each_row_of_the_weights_times_the_state() {
    everywhere(|on| {
        let n = 256;
        let (weights, input, now) = (reals(23, n * n), reals(24, n), reals(25, n));
        let kernel = Kernel::new("rnn", "rnn").buffer(&weights).buffer(&input).buffer(&now);
        let kernel = kernel.buffer(&vec![0f32; n]).scalar(n as i32);
        let ended = kernel.run(on, [32, 1], [256, 1], 0);
        let row = |row: usize| {
            let products =
                weights[row * n..][..n].iter().zip(&now).map(|(weight, now)| weight * now);
            let sum = input[row] + products.sum::<f32>();
            sum / (1.0 + sum.abs())
        };
        assert_close(&ended.buffer(3, n), &(0..n).map(row).collect::<Vec<_>>(), 1e-5);
    });
}

#[test]
fn pagerank_sums_the_shares_of_the_sources() {
    everywhere(|on| {
        let nodes = 200;
        let (first, sources) = graph(nodes);
        let (degree, now) = (integers(26, nodes, 9), reals(27, nodes));
        let degree: Vec<i32> = degree.iter().map(|degree| degree + 1).collect();
        let kernel = Kernel::new("pagerank", "pagerank").buffer(&first).buffer(&sources);
        let kernel = kernel.buffer(&degree).buffer(&now).buffer(&vec![0f32; nodes]);
        let ended = kernel.scalar(nodes as i32).run(on, [4, 1], [64, 1], 0);
        let rank = |node: usize| {
            let sources = &sources[first[node] as usize..first[node + 1] as usize];
            let share = |source: &i32| now[*source as usize] / degree[*source as usize] as f32;
            0.15 / nodes as f32 + 0.85 * sources.iter().map(share).sum::<f32>()
        };
        assert_close(&ended.buffer(4, nodes), &(0..nodes).map(rank).collect::<Vec<_>>(), 1e-5);
    });
}

#[test]
fn pagerank_starts_with_equal_shares() {
    everywhere(|on| {
        let kernel = Kernel::new("pagerank", "pagerank_start").buffer(&[9f32; 70]);
        let ended = kernel.buffer(&[9f32; 70]).scalar(64).run(on, [3, 1], [32, 1], 0);
        for buffer in [0, 1] {
            let expected = [&[1.0 / 64.0; 64][..], &[9.0; 6]].concat();
            assert_eq!(ended.buffer::<f32>(buffer, 70), expected);
        }
    });
}

#[test]
fn scan_gives_the_sums_before_within_each_cta() {
    everywhere(|on| {
        let values = integers(16, 1024, 1000);
        let kernel = Kernel::new("scan", "scan").buffer(&values).buffer(&[0i32; 1024]);
        let ended = kernel.buffer(&[0i32; 4]).run(on, [4, 1], [256, 1], 0);
        let mut expected = Vec::new();
        let mut totals = Vec::new();
        for part in values.chunks(256) {
            let mut sum = 0;
            for value in part {
                expected.push(sum);
                sum += value;
            }
            totals.push(sum);
        }
        assert_eq!(ended.buffer::<i32>(1, 1024), expected);
        assert_eq!(ended.buffer::<i32>(2, 4), totals);
    });
}

#[test]
fn radix_sort_sorts_by_ballots_and_counting() {
    everywhere(|on| {
        let values = numbers(17, 512);
        let ended =
            Kernel::new("radix_sort", "radix_sort").buffer(&values).run(on, [2, 1], [256, 1], 0);
        let mut expected = values;
        expected.chunks_mut(256).for_each(<[u32]>::sort_unstable);
        assert_eq!(ended.buffer::<u32>(0, 512), expected);
    });
}

#[test]
fn needleman_wunsch_fills_the_score_matrix() {
    everywhere(|on| {
        let n = 100;
        let letters =
            |seed| -> Vec<u8> { integers(seed, n, 4).iter().map(|letter| *letter as u8).collect() };
        let (a, b) = (letters(18), letters(19));
        let pitch = n + 1;
        let kernel = Kernel::new("needleman_wunsch", "needleman_wunsch").buffer(&a).buffer(&b);
        let kernel = kernel.buffer(&vec![0i32; pitch * pitch]).scalar(n as i32).scalar(2);
        let ended = kernel.run(on, [1, 1], [128, 1], 0);
        let mut score = vec![0i32; pitch * pitch];
        for i in 0..=n {
            score[i] = -(i as i32) * 2;
            score[i * pitch] = -(i as i32) * 2;
        }
        for row in 1..=n {
            for column in 1..=n {
                let at = row * pitch + column;
                let same = if a[row - 1] == b[column - 1] { 3 } else { -1 };
                let gap = score[at - 1].max(score[at - pitch]) - 2;
                score[at] = gap.max(score[at - pitch - 1] + same);
            }
        }
        assert_eq!(ended.buffer::<i32>(2, pitch * pitch), score);
    });
}

#[test]
fn life_goes_on_in_divergent_branches() {
    everywhere(|on| {
        let (width, height) = (70, 45);
        let cells: Vec<u8> =
            integers(20, width * height, 2).iter().map(|cell| *cell as u8).collect();
        let kernel = Kernel::new("life", "life").buffer(&cells).buffer(&vec![9u8; width * height]);
        let kernel = kernel.scalar(width as i32).scalar(height as i32);
        let ended = kernel.run(on, [5, 6], [16, 8], 0);
        let cell = |at: usize| {
            let (x, y) = (at % width, at / width);
            let around = (0..9).filter(|around| *around != 4).map(|around| {
                let (x, y) = (x + width + around % 3 - 1, y + height + around / 3 - 1);
                cells[y % height * width + x % width]
            });
            let alive: u8 = around.sum();
            u8::from(alive == 3 || alive == 2 && cells[at] == 1)
        };
        let expected: Vec<u8> = (0..width * height).map(cell).collect();
        assert_eq!(ended.buffer::<u8>(1, width * height), expected);
    });
}

#[test]
fn calls_recurse_pass_structures_and_print_in_thread_order() {
    everywhere(|on| {
        let values = integers(21, 100, 1_000_000);
        let kernel = Kernel::new("calls", "calls").buffer(&values).buffer(&[0i32; 400]);
        let ended = kernel.scalar(100).run(on, [2, 1], [64, 1], 0);
        let fibonacci = [0, 1, 1, 2, 3, 5, 8, 13];
        let mut expected = Vec::new();
        for (at, value) in values.iter().enumerate() {
            let by = at as i32 + 1;
            let digits = value.to_string().bytes().map(|digit| i32::from(digit - b'0')).sum();
            expected.push(fibonacci[*value as usize % 8]);
            expected.push(digits);
            expected.push((value / by).wrapping_mul(1000).wrapping_add(value % by));
            expected.push(2 * value);
        }
        assert_eq!(ended.buffer::<i32>(1, 400), expected);
        let line = |at: usize| {
            let value = values[at];
            format!("thread {at}: {value}, half {:.1}\n", f64::from(value) / 2.0)
        };
        assert_eq!(ended.outcome.printed, [0, 40, 80].map(line).concat());
    });
}
