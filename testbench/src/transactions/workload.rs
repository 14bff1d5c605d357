//! The programs of the paper's table 4.3 that a partition sees most of, as transactions of one thread.

use std::collections::HashMap;

use rand::RngExt;
use warpsmith_blocks::verification::StimulusRng;

use super::program::{Operation, Program, WORD_BYTES};
use super::plan::Source;

/// Bytes between words that are not to share a granule.
const APART: u64 = 32;
/// Where the nodes of the hash table begin.
const NODES: u64 = 1 << 20;
/// What an account holds at first, more than is ever taken.
const BALANCE: u32 = 1 << 20;

/// A kind of transaction, with how much its instances are in each other's way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Workload {
    /// Inserts a node into the chain of one of so many buckets (HT-H, HT-M, HT-L).
    HashTable {
        /// Buckets; few are in each other's way.
        buckets: u32,
    },
    /// Moves an amount from one of so many accounts to another (ATM).
    Bank {
        /// Accounts.
        accounts: u32,
    },
    /// Reads a list from its head to one of so many nodes, and adds 1 to that one (CL).
    List {
        /// Nodes.
        nodes: u32,
    },
}

impl Source for Workload {
    fn program(&self, rng: &mut StimulusRng, warp: u64, number: u64) -> Box<dyn Program> {
        match *self {
            Workload::HashTable { buckets } => {
                let bucket = word(rng.random_range(0..buckets));
                let node = NODES + (number << 10 | warp) * WORD_BYTES;
                Box::new(move |step: usize, loaded: &[u32]| match step {
                    0 => Operation::Load(bucket),
                    1 => Operation::Store(node, loaded[0]),
                    2 => Operation::Store(bucket, node as u32),
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

fn word(index: u32) -> u64 {
    APART + u64::from(index) * APART
}
