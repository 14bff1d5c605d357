//! Replacement, naively: what the reference remembers about the use of one set.

use super::params::Replacement;

/// What is remembered about one set.
#[derive(Clone, Debug)]
pub(super) enum Recency {
    /// For each way, when it was last used.
    Lru { last_used: Vec<u64>, now: u64 },
    /// Node 0 is the root, nodes 2i+1 and 2i+2 are below node i; false points to the lower ways.
    TreePlru { points_up: Vec<bool> },
    /// The way that makes room next.
    RoundRobin { next: usize, ways: usize },
}

impl Recency {
    pub(super) fn new(replacement: Replacement, ways: usize) -> Self {
        match replacement {
            Replacement::Lru => Recency::Lru { last_used: vec![0; ways], now: 0 },
            Replacement::TreePlru => Recency::TreePlru { points_up: vec![false; ways - 1] },
            Replacement::RoundRobin => Recency::RoundRobin { next: 0, ways },
        }
    }

    /// A load, store or atomic used the way.
    pub(super) fn touch(&mut self, way: usize) {
        match self {
            Recency::Lru { last_used, now } => {
                *now += 1;
                last_used[way] = *now;
            }
            Recency::TreePlru { points_up } => {
                // From the leaf up, every node on the way points to the other side.
                let mut node = way + points_up.len();
                while node > 0 {
                    let came_from_low = node % 2 == 1;
                    node = (node - 1) / 2;
                    points_up[node] = came_from_low;
                }
            }
            Recency::RoundRobin { .. } => {}
        }
    }

    /// The way that makes room in a full set, which is taken at its word.
    pub(super) fn evict(&mut self) -> usize {
        match self {
            Recency::Lru { last_used, .. } => {
                (0..last_used.len()).min_by_key(|&way| last_used[way]).expect("a way")
            }
            Recency::TreePlru { points_up } => {
                let mut node = 0;
                while node < points_up.len() {
                    node = 2 * node + 1 + usize::from(points_up[node]);
                }
                node - points_up.len()
            }
            Recency::RoundRobin { next, ways } => {
                let way = *next;
                *next = (way + 1) % *ways;
                way
            }
        }
    }
}
