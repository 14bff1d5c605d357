//! Breadth-first searches.

use super::workloads::{Buffer, Rounds, Size, Workload, edges, graph};
use super::{GROUP, arguments, named};

/// Flags of a search from node 0: active, visited, cost.
fn flags(workload: &mut Workload, nodes: usize) -> [Buffer; 3] {
    let first = |first: u32, others: u32| -> Vec<u32> {
        (0..nodes).map(|node| if node == 0 { first } else { others }).collect()
    };
    [first(1, 0), first(1, 0), first(0, u32::MAX)].map(|values| workload.words(&values))
}

/// The distance of each node from node 0.
fn distances(first: &[u32], ends: &[u32]) -> Vec<u32> {
    let mut distance = vec![u32::MAX; first.len() - 1];
    distance[0] = 0;
    let mut queue = std::collections::VecDeque::from([0]);
    while let Some(node) = queue.pop_front() {
        for end in &ends[edges(first, node)] {
            let end = *end as usize;
            if distance[end] == u32::MAX {
                distance[end] = distance[node] + 1;
                queue.push_back(end);
            }
        }
    }
    distance
}

/// A graph of some nodes and edges.
pub fn sparse(workload: &mut Workload, nodes: usize, edges: usize) -> (Vec<u32>, Vec<u32>) {
    let ends = workload.integers(2 * edges, nodes as u32);
    let mut beside = vec![Vec::new(); nodes];
    for [a, b] in ends.as_chunks::<2>().0 {
        beside[*a as usize].push(*b);
        beside[*b as usize].push(*a);
    }
    let mut first = vec![0];
    beside.iter().for_each(|ends| first.push(first[first.len() - 1] + ends.len() as u32));
    (first, beside.concat())
}

/// Breadth-first search with the race of section 1.1: costs may be too large.
pub fn bfs_racy(size: Size) -> Workload {
    let nodes = size.of(32_768, 600);
    bfs_racy_of(nodes, |workload| graph(workload, nodes, 6))
}

/// [`bfs_racy`] on a graph.
pub fn bfs_racy_of(
    nodes: usize,
    graph: impl FnOnce(&mut Workload) -> (Vec<u32>, Vec<u32>),
) -> Workload {
    let mut workload = named("BFSr", format!("{nodes} nodes"), "bfs");
    let (first, ends) = graph(&mut workload);
    let [of_first, of_ends] = [&first, &ends].map(|values| workload.words(values));
    let [active, visited, cost] = flags(&mut workload, nodes);
    let over = workload.zeros(1);
    let all = arguments(&[of_first, of_ends, active, visited, cost, over], &[nodes]);
    workload.launch("bfs_step", [nodes.div_ceil(GROUP), 1], [GROUP, 1], &all);
    workload.rounds(Rounds::While(over));
    let distance = distances(&first, &ends);
    workload.judge(cost, move |costs| {
        let is_wrong = |(cost, distance): (&u32, &u32)| match distance {
            &u32::MAX => *cost != u32::MAX,
            distance => cost < distance || *cost == u32::MAX,
        };
        costs.iter().zip(&distance).position(is_wrong)
    });
    workload
}

/// Breadth-first search in two kernels, without the race.
pub fn bfs_race_free(size: Size) -> Workload {
    let nodes = size.of(32_768, 600);
    let mut workload = named("BFSf", format!("{nodes} nodes"), "bfs");
    let (first, ends) = graph(&mut workload, nodes, 6);
    let [of_first, of_ends] = [&first, &ends].map(|values| workload.words(values));
    let [active, visited, cost] = flags(&mut workload, nodes);
    let (noted, over) = (workload.zeros(nodes), workload.zeros(1));
    let shape = ([nodes.div_ceil(GROUP), 1], [GROUP, 1]);
    let all = arguments(&[of_first, of_ends, active, noted, visited, cost], &[nodes]);
    workload.launch("bfs_note", shape.0, shape.1, &all);
    let all = arguments(&[active, noted, visited, over], &[nodes]);
    workload.launch("bfs_activate", shape.0, shape.1, &all);
    workload.rounds(Rounds::While(over));
    workload.expect_words(cost, &distances(&first, &ends));
    workload
}
