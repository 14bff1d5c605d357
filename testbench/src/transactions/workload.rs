//! The programs of the paper's table 4.3 as single-thread transactions, and list updates.

use std::collections::HashMap;

use rand::RngExt;
use warpsmith_blocks::verification::StimulusRng;

use super::plan::Source;
use super::program::{Operation, Program, WORD_BYTES};

/// Bytes from one list node to the next, so that they do not share a granule.
const APART: u64 = 32;
/// Bytes of a node: the next one, and a key.
const NODE_BYTES: u64 = 2 * WORD_BYTES;
/// Address of the hash table's first node, behind a million buckets.
const NODES: u64 = 1 << 23;
/// Initial balance of an account, more than is ever withdrawn.
const BALANCE: u32 = 1 << 20;

/// A kind of transaction, with its contention.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Workload {
    /// Inserts a node, with link and key, into the chain of a bucket (HT-H, HT-M, HT-L).
    HashTable {
        /// Number of buckets; fewer mean more contention.
        buckets: u32,
    },
    /// Moves an amount from one account to another (ATM).
    Bank {
        /// Number of accounts.
        accounts: u32,
    },
    /// Reads a list from its head to one of its nodes, and increments that one.
    List {
        /// Number of nodes.
        nodes: u32,
    },
}

/// A workload with a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Named {
    /// The name.
    pub name: &'static str,
    /// Its name in the paper, with the aborts per 1,000 commits (table 4.4), if the paper has it.
    pub paper: Option<(&'static str, u32)>,
    /// Best number of concurrent warps per core for GETM (table 4.4).
    pub concurrency: u64,
    /// The workload.
    pub workload: Workload,
}

/// The workloads of `warpsmith transactions`, in the size of table 4.3.
pub const NAMED: [Named; 5] = [
    Named {
        name: "hash_high",
        paper: Some(("HT-H", 460)),
        concurrency: 8,
        workload: Workload::HashTable { buckets: 8000 },
    },
    Named {
        name: "hash_medium",
        paper: Some(("HT-M", 172)),
        concurrency: 8,
        workload: Workload::HashTable { buckets: 80_000 },
    },
    Named {
        name: "hash_low",
        paper: Some(("HT-L", 207)),
        concurrency: 8,
        workload: Workload::HashTable { buckets: 800_000 },
    },
    Named {
        name: "bank",
        paper: Some(("ATM", 114)),
        concurrency: 4,
        workload: Workload::Bank { accounts: 1_000_000 },
    },
    Named { name: "list", paper: None, concurrency: 1, workload: Workload::List { nodes: 8 } },
];

impl Source for Workload {
    fn program(&self, rng: &mut StimulusRng, number: u64) -> Box<dyn Program> {
        match *self {
            Workload::HashTable { buckets } => {
                let bucket = word(rng.random_range(0..buckets));
                let node = node(number);
                let key = rng.random();
                Box::new(move |step: usize, loaded: &[u32]| match step {
                    0 => Operation::Store(node + WORD_BYTES, key),
                    1 => Operation::Load(bucket),
                    2 => Operation::Store(node, loaded[0]),
                    3 => Operation::Store(bucket, node as u32),
                    _ => Operation::Commit,
                })
            }
            Workload::Bank { accounts } => {
                let from = rng.random_range(0..accounts);
                let to = (from + rng.random_range(1..accounts)) % accounts;
                let (from, to) = (word(from), word(to));
                let amount = rng.random_range(1..100);
                Box::new(move |step: usize, loaded: &[u32]| match step {
                    0 => Operation::Load(from),
                    1 => Operation::Store(from, loaded[0] - amount),
                    2 => Operation::Load(to),
                    3 => Operation::Store(to, loaded[1] + amount),
                    _ => Operation::Commit,
                })
            }
            Workload::List { nodes } => {
                let last = rng.random_range(0..nodes) as usize;
                Box::new(move |step: usize, loaded: &[u32]| match step {
                    _ if step <= last => Operation::Load(list_node(step as u32)),
                    _ if step == last + 1 => {
                        Operation::Store(list_node(last as u32), loaded[last] + 1)
                    }
                    _ => Operation::Commit,
                })
            }
        }
    }

    fn initial(&self, _address: u64) -> u32 {
        match self {
            Workload::Bank { .. } => BALANCE,
            Workload::HashTable { .. } | Workload::List { .. } => 0,
        }
    }
}

impl Workload {
    /// The largest byte address used by `transactions` transactions.
    pub fn last_address(self, transactions: u64) -> u64 {
        match self {
            Workload::HashTable { .. } => node(transactions - 1),
            Workload::Bank { accounts } => word(accounts - 1),
            Workload::List { nodes } => list_node(nodes - 1),
        }
    }

    /// Whether memory is correct after `committed` transactions in any order.
    ///
    /// # Errors
    /// The error in words.
    pub fn check(self, memory: &HashMap<u64, u32>, committed: u64) -> Result<(), String> {
        let at = |address: u64| memory.get(&address).copied().unwrap_or(self.initial(address));
        let sum = |words: u32, word: fn(u32) -> u64| {
            (0..words).map(|index| u64::from(at(word(index)))).sum::<u64>()
        };
        let (what, is, must_be) = match self {
            Workload::HashTable { buckets } => {
                let length = |bucket: u32| {
                    let mut node = at(word(bucket));
                    // A circular chain is longer than the number of nodes.
                    let links = (0..=committed).take_while(|_| {
                        let is_node = node != 0;
                        node = if is_node { at(node.into()) } else { 0 };
                        is_node
                    });
                    links.count() as u64
                };
                ("nodes in the chains", (0..buckets).map(length).sum(), committed)
            }
            Workload::Bank { accounts } => {
                let must_be = u64::from(BALANCE) * u64::from(accounts);
                ("the sum of all accounts", sum(accounts, word), must_be)
            }
            Workload::List { nodes } => ("the sum of all nodes", sum(nodes, list_node), committed),
        };
        match is == must_be {
            true => Ok(()),
            false => Err(format!("{what}: {is} instead of {must_be}")),
        }
    }
}

/// The node that a transaction inserts.
fn node(number: u64) -> u64 {
    NODES + number * NODE_BYTES
}

/// The word of a bucket or account: as in the programs of Kilo TM, four share a granule of 32 bytes.
fn word(index: u32) -> u64 {
    APART + u64::from(index) * WORD_BYTES
}

/// The word of a list node.
fn list_node(index: u32) -> u64 {
    APART + u64::from(index) * APART
}
