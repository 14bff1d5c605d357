//! Programs as in the paper's table 4.3, as transactions of one thread; and the update of a list.

use std::collections::HashMap;

use rand::RngExt;
use warpsmith_blocks::verification::StimulusRng;

use super::plan::Source;
use super::program::{Operation, Program, WORD_BYTES};

/// Bytes between words that are not to share a granule.
const APART: u64 = 32;
/// Bytes of a node: the next one, and a key.
const NODE_BYTES: u64 = 2 * WORD_BYTES;
/// Where the nodes of the hash table begin.
const NODES: u64 = 1 << 20;
/// Warps that have nodes of their own at most.
pub const MOST_WARPS: u64 = 1 << 10;
/// Transactions of a warp that have nodes of their own at most.
pub const MOST_TRANSACTIONS: u64 = 1 << 16;
/// What an account holds at first, more than is ever taken.
const BALANCE: u32 = 1 << 20;

/// A kind of transaction, with how much its instances are in each other's way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Workload {
    /// Inserts a node, of a link and a key, into the chain of one of so many buckets (HT-H, HT-M,
    /// HT-L).
    HashTable {
        /// Buckets; few are in each other's way.
        buckets: u32,
    },
    /// Moves an amount from one of so many accounts to another (ATM).
    Bank {
        /// Accounts.
        accounts: u32,
    },
    /// Reads a list from its head to one of so many nodes, and adds 1 to that one.
    List {
        /// Nodes.
        nodes: u32,
    },
}

/// A workload with a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Named {
    /// The name.
    pub name: &'static str,
    /// What the paper calls it, and its aborts for 1,000 commits (table 4.4), if the paper has it.
    pub paper: Option<(&'static str, u32)>,
    /// The workload.
    pub workload: Workload,
}

/// The workloads of the size in which `warpsmith transactions` runs them.
///
/// In the paper a warp runs 32 transactions at once, here one: so a table or bank has a 32nd of the
/// places of table 4.3, and as many for each transaction under way.
pub const NAMED: [Named; 5] = [
    Named {
        name: "hash_high",
        paper: Some(("HT-H", 460)),
        workload: Workload::HashTable { buckets: 250 },
    },
    Named {
        name: "hash_medium",
        paper: Some(("HT-M", 172)),
        workload: Workload::HashTable { buckets: 2500 },
    },
    Named {
        name: "hash_low",
        paper: Some(("HT-L", 207)),
        workload: Workload::HashTable { buckets: 25_000 },
    },
    Named {
        name: "bank",
        paper: Some(("ATM", 114)),
        workload: Workload::Bank { accounts: 31_250 },
    },
    Named { name: "list", paper: None, workload: Workload::List { nodes: 8 } },
];

impl Source for Workload {
    fn program(&self, rng: &mut StimulusRng, number: u64) -> Box<dyn Program> {
        match *self {
            Workload::HashTable { buckets } => {
                let bucket = word(rng.random_range(0..buckets));
                let node = node(number);
                let key = rng.random();
                Box::new(move |step: usize, loaded: &[u32]| match step {
                    0 => Operation::Load(bucket),
                    1 => Operation::Store(node, loaded[0]),
                    2 => Operation::Store(node + WORD_BYTES, key),
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
                    _ if step <= last => Operation::Load(word(step as u32)),
                    _ if step == last + 1 => Operation::Store(word(last as u32), loaded[last] + 1),
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
    /// The largest byte address that is used, if each of so many warps commits so many transactions.
    pub fn last_address(self, transactions: u64) -> u64 {
        match self {
            Workload::HashTable { .. } => node(transactions - 1),
            Workload::Bank { accounts: words } | Workload::List { nodes: words } => word(words - 1),
        }
    }

    /// Whether memory is as it must be after so many transactions, in whatever order.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn check(self, memory: &HashMap<u64, u32>, committed: u64) -> Result<(), String> {
        let at = |address: u64| memory.get(&address).copied().unwrap_or(self.initial(address));
        let sum = |words: u32| (0..words).map(|index| u64::from(at(word(index)))).sum::<u64>();
        let (what, is, must_be) = match self {
            Workload::HashTable { buckets } => {
                let length = |bucket: u32| {
                    let mut node = at(word(bucket));
                    // A chain that comes back to itself is longer than there are nodes.
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
                ("the sum of all accounts", sum(accounts), u64::from(BALANCE) * u64::from(accounts))
            }
            Workload::List { nodes } => ("the sum of all nodes", sum(nodes), committed),
        };
        match is == must_be {
            true => Ok(()),
            false => Err(format!("{what}: {is} instead of {must_be}")),
        }
    }
}

/// The node that the transaction of that number inserts.
fn node(number: u64) -> u64 {
    NODES + number * NODE_BYTES
}

fn word(index: u32) -> u64 {
    APART + u64::from(index) * APART
}
