//! Insertions into a hash table: 23,040 threads, as in the program of Kilo TM's authors.

use super::Argument::{Buffer, Value};
use super::{Call, Paper, Program, Size, Workload, random};

const THREADS: u32 = 23_040;
/// Words of a node: next (2), key, unused.
const NODE: usize = 4;
const MODULE: (&str, &str) = ("hash_table.ptx", include_str!("kernels/hash_table.ptx"));

/// HT-H.
pub(super) const HIGH: Workload = Workload {
    name: "hash_high",
    about: "populates a hash table of 8,000 entries",
    paper: Some(Paper { name: "HT-H", concurrency: [2, 2, 8, 8], aborts: [119, 113, 122, 460] }),
    module: MODULE,
    make: |size| insertions(size, 8_000),
};

/// HT-M.
pub(super) const MEDIUM: Workload = Workload {
    name: "hash_medium",
    about: "populates a hash table of 80,000 entries",
    paper: Some(Paper { name: "HT-M", concurrency: [8, 4, 8, 8], aborts: [98, 84, 83, 172] }),
    module: MODULE,
    make: |size| insertions(size, 80_000),
};

/// HT-L.
pub(super) const LOW: Workload = Workload {
    name: "hash_low",
    about: "populates a hash table of 800,000 entries",
    paper: Some(Paper { name: "HT-L", concurrency: [8, 4, 8, 8], aborts: [80, 78, 78, 207] }),
    module: MODULE,
    make: |size| insertions(size, 800_000),
};

fn insertions(size: Size, buckets: u32) -> Program {
    let (threads, buckets) = match size {
        Size::Paper => (THREADS, buckets),
        Size::Small => (THREADS / 30, buckets / 30),
    };
    let keys = random(threads, 1 << 31, 0);
    let heads = vec![0; 2 * buckets as usize];
    let nodes = vec![0; NODE * (threads as usize + 1)];
    let call = Call {
        kernel: "hash_table",
        threads,
        arguments: vec![Buffer(0), Buffer(1), Buffer(2), Buffer(3), Value(buckets), Value(threads)],
    };
    Program {
        buffers: vec![keys, heads, nodes, vec![0; buckets as usize]],
        calls: vec![call],
        check: Box::new(move |words| chains(words, buckets)),
    }
}

/// Each chain has the nodes of the keys that belong there, and no others.
fn chains(words: &[Vec<u32>], buckets: u32) -> Result<(), String> {
    let [keys, heads, nodes, _] = words else { return Err("four buffers".into()) };
    let mut expected = vec![Vec::new(); buckets as usize];
    for (node, key) in (1..).zip(keys) {
        expected[(key % buckets) as usize].push(node);
    }
    for (bucket, expected) in expected.iter().enumerate() {
        let mut found = Vec::new();
        let mut node = heads[2 * bucket] as usize;
        while node != 0 && found.len() <= keys.len() {
            let Some(&[next, _, key, _]) = nodes.as_chunks::<NODE>().0.get(node) else {
                return Err(format!("bucket {bucket} has the node {node}, which there is not"));
            };
            if key != keys[node - 1] {
                return Err(format!("node {node} has the key {key}, not {}", keys[node - 1]));
            }
            found.push(node);
            node = next as usize;
        }
        found.sort_unstable();
        if found != *expected {
            return Err(format!("bucket {bucket} has the nodes {found:?}, not {expected:?}"));
        }
    }
    Ok(())
}
