//! Workloads on lists and graphs.

use super::workload::Argument::{At, Real, Round, Word};
use super::workload::{Buffer, Rounds, Size, Workload, read};

const FOLDER: &str = "benches/quick_release/kernels";

/// Of each node, its first edge; and the other ends of all edges.
pub fn graph(workload: &mut Workload, nodes: usize, most: u32) -> (Vec<u32>, Vec<u32>) {
    let mut first = vec![0];
    for degree in workload.integers(nodes, most + 1) {
        first.push(first[first.len() - 1] + degree);
    }
    let ends = workload.integers(first[nodes] as usize, nodes as u32);
    (first, ends)
}

pub fn edges(first: &[u32], node: usize) -> std::ops::Range<usize> {
    first[node] as usize..first[node + 1] as usize
}

pub fn apsp(size: Size) -> Workload {
    const FAR: u32 = 1 << 28;
    let nodes = size.of(128, 32);
    let about = format!("{nodes} nodes, distances of {} kB", nodes * nodes / 256);
    let mut workload = Workload::new("apsp", about, &format!("{FOLDER}/apsp.ptx"));
    let (first, from) = graph(&mut workload, nodes, 8);
    let weight = workload.integers(from.len(), 100);
    let is_own = |at: usize| at / nodes == at % nodes;
    let mut distance: Vec<u32> =
        (0..nodes * nodes).map(|at| if is_own(at) { 0 } else { FAR }).collect();
    let [of_first, of_from, of_weight, of_distance] =
        [&first, &from, &weight, &distance].map(|values| workload.words(values));
    let changed = workload.zeros(1);
    let buffers = [of_first, of_from, of_weight, of_distance, changed].map(At);
    let arguments = [&buffers[..], &[Word(nodes as u32)]].concat();
    workload.launch("apsp", [(nodes * nodes).div_ceil(256), 1], [256, 1], &arguments);
    workload.rounds(Rounds::While(changed));
    for row in distance.chunks_mut(nodes) {
        let mut changes = true;
        while std::mem::take(&mut changes) {
            for node in 0..nodes {
                for edge in edges(&first, node) {
                    let through = row[from[edge] as usize] + weight[edge];
                    changes |= through < row[node];
                    row[node] = row[node].min(through);
                }
            }
        }
    }
    workload.expect_words(of_distance, &distance);
    workload
}

pub fn bfs(size: Size) -> Workload {
    let nodes = size.of(16_384, 500);
    let about = format!("{nodes} nodes of up to 12 edges, about {} kB", nodes / 32);
    let mut workload = Workload::new("bfs", about, "tests/kernels/bfs.ptx");
    let (first, ends) = graph(&mut workload, nodes, 12);
    let mut level = vec![u32::MAX; nodes];
    level[0] = 0;
    let [of_first, of_ends, of_level] =
        [&first, &ends, &level].map(|values| workload.words(values));
    let changed = workload.zeros(1);
    let buffers = [of_first, of_ends, of_level, changed].map(At);
    let arguments = [&buffers[..], &[Word(nodes as u32), Round]].concat();
    workload.launch("bfs_racy", [nodes.div_ceil(256), 1], [256, 1], &arguments);
    workload.rounds(Rounds::While(changed));
    let mut queue = std::collections::VecDeque::from([0]);
    while let Some(node) = queue.pop_front() {
        for end in &ends[edges(&first, node)] {
            let next = *end as usize;
            if level[next] == u32::MAX {
                level[next] = level[node] + 1;
                queue.push_back(next);
            }
        }
    }
    workload.expect_words(of_level, &level);
    workload
}

pub fn sort(size: Size) -> Workload {
    let n = size.of(2048, 256);
    let about = format!("{n} keys, lists of {} kB", n / 256);
    let mut workload = Workload::new("sort", about, &format!("{FOLDER}/sort.ptx"));
    let mut keys = workload.integers(n, u32::MAX);
    let (a, b) = (workload.words(&keys), workload.zeros(n));
    let (counts, position) = (workload.zeros(256), workload.zeros(n));
    let shape = ([n / 256, 1], [256, 1]);
    for (byte, (from, to)) in [(a, b), (b, a), (a, b), (b, a)].into_iter().enumerate() {
        let [n, shift] = [n, 8 * byte].map(|number| Word(number as u32));
        workload.launch("sort_count", shape.0, shape.1, &[At(from), At(counts), n, shift]);
        let arguments = [At(from), At(counts), At(position), n, shift];
        workload.launch("sort_find", shape.0, shape.1, &arguments);
        let arguments = [At(from), At(to), At(position), At(counts), n];
        workload.launch("sort_move", shape.0, shape.1, &arguments);
    }
    keys.sort_unstable();
    workload.expect_words(a, &keys);
    workload
}

pub fn backprop(size: Size) -> Workload {
    const HIDDEN: usize = 16;
    const PITCH: usize = HIDDEN + 1;
    let inputs = size.of(8192, 64);
    let about = format!("{inputs} inputs, two lists of {} kB", inputs * PITCH / 256);
    let mut workload = Workload::new("backprop", about, &format!("{FOLDER}/backprop.ptx"));
    let (input, delta) = (workload.reals(inputs), workload.reals(HIDDEN));
    let mut weights = workload.reals(inputs * PITCH);
    let mut last = workload.reals(inputs * PITCH);
    let [of_input, of_delta, of_weights, of_last] =
        [&input, &delta, &weights, &last].map(|values| workload.words(values));
    let partial = workload.zeros(inputs);
    let shape = ([inputs / HIDDEN, 1], [HIDDEN; 2]);
    let arguments = [of_input, of_weights, partial].map(At);
    workload.launch("backprop_forward", shape.0, shape.1, &arguments);
    let arguments = [of_input, of_delta, of_weights, of_last].map(At);
    workload.launch("backprop_adjust", shape.0, shape.1, &arguments);
    let sum = |at: usize| {
        let rows = at / HIDDEN * HIDDEN..at / HIDDEN * HIDDEN + HIDDEN;
        rows.map(|row| input[row] * weights[row * PITCH + at % HIDDEN + 1]).sum()
    };
    workload.expect_reals(partial, (0..inputs).map(sum).collect());
    for (row, input) in input.iter().enumerate() {
        for (x, delta) in delta.iter().enumerate() {
            let at = row * PITCH + x + 1;
            let change = 0.3 * delta * input + 0.3 * last[at];
            weights[at] += change;
            last[at] = change;
        }
    }
    workload.expect_reals(of_weights, weights);
    workload.expect_reals(of_last, last);
    workload
}

/// Whole numbers, so that all sums are exact.
pub fn kmeans(size: Size) -> Workload {
    const DIMENSIONS: usize = 8;
    const CLUSTERS: usize = 5;
    let (points, rounds) = (size.of(8192, 256), size.of(4, 2) as u32);
    let about = format!("{points} points of 8, {} kB, {rounds} launches", points * 8 / 256);
    let mut workload = Workload::new("kmeans", about, &format!("{FOLDER}/kmeans.ptx"));
    let values = workload.integers(points * DIMENSIONS, 32);
    let features: Vec<f32> = values.iter().map(|value| *value as f32).collect();
    let feature = |point: usize, dimension: usize| values[dimension * points + point] as i32;
    let point = |point: usize| (0..DIMENSIONS).map(move |dimension| feature(point, dimension));
    let mut centres: Vec<i32> = (0..CLUSTERS).flat_map(point).collect();
    let of_features = workload.words(&features);
    let of_centres = workload.words(&as_reals(&centres));
    let nearest = workload.zeros(points);
    let numbers = [points, DIMENSIONS, CLUSTERS].map(|number| Word(number as u32));
    let arguments = [&[of_features, of_centres, nearest].map(At)[..], &numbers].concat();
    workload.launch("kmeans", [points.div_ceil(256), 1], [256, 1], &arguments);
    let of_cpu = values.clone();
    workload.cpu(move |machine| {
        let moved = as_reals(&means(&of_cpu, &read(machine, nearest), CLUSTERS));
        let bytes: Vec<u8> = moved.iter().flat_map(|value| value.to_le_bytes()).collect();
        machine.write(of_centres.address, &bytes);
    });
    workload.rounds(Rounds::Of(rounds));
    let mut found = Vec::new();
    for _ in 0..rounds {
        let distance = |at: usize, cluster: usize| -> i32 {
            let own = &centres[cluster * DIMENSIONS..][..DIMENSIONS];
            point(at).zip(own).map(|(value, centre)| (value - centre).pow(2)).sum()
        };
        let nearest = |at| (0..CLUSTERS).min_by_key(|cluster| distance(at, *cluster));
        found = (0..points).map(|at| nearest(at).unwrap_or(0) as u32).collect();
        centres = means(&values, &found, CLUSTERS);
    }
    workload.expect_words(nearest, &found);
    workload
}

fn as_reals(values: &[i32]) -> Vec<f32> {
    values.iter().map(|value| *value as f32).collect()
}

/// The mean of the points of each cluster, rounded down.
fn means(features: &[u32], cluster: &[u32], clusters: usize) -> Vec<i32> {
    let of = |number: usize, values: &[u32]| {
        let of_cluster = || cluster.iter().zip(values).filter(|(own, _)| **own == number as u32);
        of_cluster().map(|(_, value)| value).sum::<u32>() / of_cluster().count().max(1) as u32
    };
    let of_all =
        |number| features.chunks(cluster.len()).map(move |values| of(number, values) as i32);
    (0..clusters).flat_map(of_all).collect()
}

pub fn histogram(size: Size) -> Workload {
    let n = size.of(262_144, 4096);
    let about = format!("{n} bytes, {} kB", n / 1024);
    let mut workload = Workload::new("histogram", about, "tests/kernels/histogram.ptx");
    let words = workload.integers(n / 4, u32::MAX);
    let (bytes, bins) = (workload.words(&words), workload.zeros(256));
    let arguments = [At(bytes), At(bins), Word(n as u32)];
    workload.launch("histogram", [size.of(64, 4), 1], [256, 1], &arguments);
    let mut expected = vec![0u32; 256];
    words.iter().flat_map(|word| word.to_le_bytes()).for_each(|byte| expected[byte as usize] += 1);
    workload.expect_words(bins, &expected);
    workload
}

pub fn nn(records: usize) -> Workload {
    let about = format!("{records} records, {} kB in, {} kB out", records / 128, records / 256);
    let mut workload = Workload::new("nn", about, &format!("{FOLDER}/nn.ptx"));
    let places = workload.reals(2 * records);
    let (from, to) = (workload.words(&places), workload.zeros(records));
    let arguments = [At(from), At(to), Word(records as u32), Real(0.25), Real(0.75)];
    workload.launch("nn", [records.div_ceil(256), 1], [256, 1], &arguments);
    let distance = |place: &[f32]| (place[0] - 0.25).hypot(place[1] - 0.75);
    workload.expect_reals(to, places.chunks(2).map(distance).collect());
    workload
}

pub fn reduction(values: usize) -> Workload {
    let about = format!("{values} values, {} kB", values / 256);
    let mut workload = Workload::new("reduction", about, "tests/kernels/reduction.ptx");
    // Whole numbers, whose sum is exact in any order.
    let numbers: Vec<f32> =
        workload.integers(values, 16).into_iter().map(|value| value as f32).collect();
    let (from, sum) = (workload.words(&numbers), workload.zeros(1));
    let arguments = [At(from), At(sum), Word(values as u32)];
    workload.launch("reduction", [values.div_ceil(1024), 1], [256, 1], &arguments);
    workload.expect_words(sum, &[numbers.iter().sum::<f32>()]);
    workload
}

pub fn spmv(size: Size) -> Workload {
    let rows = size.of(4096, 200);
    let rounds = size.of(2, 1) as u32;
    let about = format!("{rows} rows of up to 32, about {} kB, {} launches", rows / 8, 2 * rounds);
    let mut workload = Workload::new("spmv", about, &format!("{FOLDER}/spmv.ptx"));
    let (first, column) = graph(&mut workload, rows, 32);
    let scaled = |value: f32| value / 16.0;
    let value: Vec<f32> = workload.reals(column.len()).into_iter().map(scaled).collect();
    let mut x = workload.reals(rows);
    let [of_first, of_column] = [&first, &column].map(|values| workload.words(values));
    let [of_value, a] = [&value, &x].map(|values| workload.words(values));
    let b: Buffer = workload.zeros(rows);
    for (from, to) in [(a, b), (b, a)] {
        let buffers = [of_first, of_column, of_value, from, to].map(At);
        let arguments = [&buffers[..], &[Word(rows as u32)]].concat();
        workload.launch("spmv", [rows.div_ceil(256), 1], [256, 1], &arguments);
    }
    workload.rounds(Rounds::Of(rounds));
    for _ in 0..2 * rounds {
        let product = |row| edges(&first, row).map(|at| value[at] * x[column[at] as usize]).sum();
        x = (0..rows).map(product).collect();
    }
    workload.expect_reals(a, x);
    workload
}
