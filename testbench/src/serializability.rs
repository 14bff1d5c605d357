//! Whether the committed transactions of a run are equivalent to some serial execution.
//!
//! A run is recorded as a [`History`]: which store each load read from, the order in which stores reached
//! memory, and which transactions committed. From it follow the *conflicts*: pairs of committed transactions
//! with a required order. The run is serializable if these orders form no cycle (Bernstein, Hadzilacos and
//! Goodman, "Concurrency Control and Recovery in Database Systems", 5.2), and in timestamp order if none goes
//! back in time.

mod violation;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::fmt;

use petgraph::Direction;
use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};

pub use self::violation::{Conflict, ConflictKind, Cycle, Summary, Violation};

/// A transaction of a history: its number in the order of beginning, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Transaction(pub u32);

/// A store of a history: its number in the order of execution, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Store(pub u32);

impl fmt::Display for Transaction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "T{}", self.0)
    }
}

/// The accepted serial executions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// In the order of the timestamps; transactions of one time have no conflicts.
    Timestamps,
    /// In the order of the timestamps; transactions of one time in any.
    SharedTimestamps,
    /// Any.
    Any,
}

/// The events of a run, in order.
#[derive(Clone, Debug, Default)]
pub struct History {
    transactions: Vec<Told>,
    stores: Vec<Made>,
    /// The stores that reached memory at each address, in order.
    memory: BTreeMap<u64, Vec<Store>>,
    /// The time at which each store reached memory.
    written: HashMap<Store, u64>,
    now: u64,
}

#[derive(Clone, Debug)]
struct Told {
    timestamp: u64,
    committed: bool,
    loads: Vec<Load>,
    /// The latest store to each address.
    stored: BTreeMap<u64, Store>,
}

#[derive(Clone, Copy, Debug)]
struct Load {
    address: u64,
    from: Option<Store>,
    /// The transaction's own latest store to the address at that time.
    own: Option<Store>,
    at: u64,
}

#[derive(Clone, Copy, Debug)]
struct Made {
    by: Transaction,
    address: u64,
}

impl History {
    /// A transaction begins at a logical time. A restart after an abort is a new transaction.
    pub fn begin(&mut self, timestamp: u64) -> Transaction {
        let told = Told { timestamp, committed: false, loads: Vec::new(), stored: BTreeMap::new() };
        self.transactions.push(told);
        Transaction(self.transactions.len() as u32 - 1)
    }

    /// A transaction loads the value of the store `from`, or the initial value.
    pub fn load(&mut self, transaction: Transaction, address: u64, from: Option<Store>) {
        self.now += 1;
        let at = self.now;
        let told = &mut self.transactions[transaction.0 as usize];
        told.loads.push(Load { address, from, own: told.stored.get(&address).copied(), at });
    }

    /// A transaction stores; the store is invisible to others until it is written.
    pub fn store(&mut self, transaction: Transaction, address: u64) -> Store {
        let store = Store(self.stores.len() as u32);
        self.stores.push(Made { by: transaction, address });
        self.transactions[transaction.0 as usize].stored.insert(address, store);
        store
    }

    /// The address of a store, if it exists.
    pub fn target(&self, store: Store) -> Option<u64> {
        self.stores.get(store.0 as usize).map(|made| made.address)
    }

    /// Whether a store has reached memory.
    pub fn is_written(&self, store: Store) -> bool {
        self.written.contains_key(&store)
    }

    /// A store reaches memory.
    pub fn write(&mut self, store: Store) {
        self.now += 1;
        self.memory.entry(self.stores[store.0 as usize].address).or_default().push(store);
        self.written.insert(store, self.now);
    }

    /// A transaction commits. One that never commits counts as aborted.
    pub fn commit(&mut self, transaction: Transaction) {
        self.transactions[transaction.0 as usize].committed = true;
    }

    /// Drops all that was done at some addresses.
    pub fn forget(&mut self, addresses: &HashSet<u64>) {
        self.memory.retain(|address, _| !addresses.contains(address));
        for told in &mut self.transactions {
            told.loads.retain(|load| !addresses.contains(&load.address));
            told.stored.retain(|address, _| !addresses.contains(address));
        }
    }

    /// Judges the run.
    ///
    /// # Errors
    /// Returns the first [`Violation`] in the order of its variants.
    pub fn check(&self, order: Order) -> Result<Summary, Violation> {
        self.check_loads()?;
        self.check_memory()?;
        let conflicts = self.conflicts();
        if let Some(cycle) = smallest_cycle(&conflicts) {
            return Err(Violation::Cycle(Cycle(cycle)));
        }
        if order != Order::Any {
            let back = |conflict: &&Conflict| {
                let [first, second] =
                    [conflict.first, conflict.second].map(|t| self.told(t).timestamp);
                first > second || first == second && order == Order::Timestamps
            };
            if let Some(&conflict) = conflicts.iter().find(back) {
                let [first, second] =
                    [conflict.first, conflict.second].map(|t| self.told(t).timestamp);
                return Err(Violation::AgainstTime { conflict, first, second });
            }
        }
        let committed = self.transactions.iter().filter(|told| told.committed).count();
        let aborted = self.transactions.len() - committed;
        let serial = self.serial(&conflicts);
        Ok(Summary { committed, aborted, conflicts: conflicts.len(), serial })
    }

    /// The committed transactions in an order that all conflicts permit, the earliest first.
    fn serial(&self, conflicts: &[Conflict]) -> Vec<Transaction> {
        let mut before = HashMap::<Transaction, u32>::new();
        let mut behind = HashMap::<Transaction, Vec<Transaction>>::new();
        for &Conflict { first, second, .. } in conflicts {
            *before.entry(second).or_default() += 1;
            behind.entry(first).or_default().push(second);
        }
        let at = |transaction: Transaction| (self.told(transaction).timestamp, transaction);
        let first = self.committed().map(|(transaction, _)| transaction);
        let first = first.filter(|transaction| !before.contains_key(transaction));
        let mut ready: BTreeSet<_> = first.map(at).collect();
        let mut serial = Vec::new();
        while let Some((_, next)) = ready.pop_first() {
            serial.push(next);
            for transaction in behind.remove(&next).unwrap_or_default() {
                let left = before.get_mut(&transaction).expect("it is behind one");
                *left -= 1;
                if *left == 0 {
                    ready.insert(at(transaction));
                }
            }
        }
        serial
    }

    fn told(&self, transaction: Transaction) -> &Told {
        &self.transactions[transaction.0 as usize]
    }

    fn made(&self, store: Store) -> Made {
        self.stores[store.0 as usize]
    }

    fn committed(&self) -> impl Iterator<Item = (Transaction, &Told)> {
        (0..).map(Transaction).zip(&self.transactions).filter(|(_, told)| told.committed)
    }

    /// Every load of a committed transaction reads its own latest store, or a written store of another,
    /// committed transaction.
    fn check_loads(&self) -> Result<(), Violation> {
        for (reader, told) in self.committed() {
            for &Load { address, from, own, at } in &told.loads {
                let Some(store) = from else {
                    match own {
                        None => continue,
                        Some(_) => return Err(Violation::OwnStoreMissed { reader, address }),
                    }
                };
                let Made { by: writer, address: stored } = self.made(store);
                let is_last = self.told(writer).stored.get(&address) == Some(&store);
                let was_written = self.written.get(&store).is_some_and(|&written| written < at);
                if stored != address {
                    return Err(Violation::WrongAddress { reader, address, stored });
                } else if own.is_some() && own != from {
                    return Err(Violation::OwnStoreMissed { reader, address });
                } else if writer != reader
                    && !(self.told(writer).committed && is_last && was_written)
                {
                    return Err(Violation::DirtyRead { reader, writer, address });
                }
            }
        }
        Ok(())
    }

    /// Memory has the final stores of committed transactions, and no others.
    fn check_memory(&self) -> Result<(), Violation> {
        for (&address, stores) in &self.memory {
            let by = stores.iter().map(|&store| self.made(store).by);
            if let Some(writer) = by.clone().find(|&writer| !self.told(writer).committed) {
                return Err(Violation::AbortedEffect { writer, address });
            }
        }
        for (writer, told) in self.committed() {
            let lost = |(_, store): &(&u64, &Store)| !self.written.contains_key(store);
            if let Some((&address, _)) = told.stored.iter().find(lost) {
                return Err(Violation::LostStore { writer, address });
            }
        }
        Ok(())
    }

    /// Required orders of committed transactions, with reasons.
    fn conflicts(&self) -> Vec<Conflict> {
        let mut conflicts = Vec::new();
        let mut seen = HashSet::new();
        let mut add = |first, second, kind, address| {
            if first != second && seen.insert((first, second)) {
                conflicts.push(Conflict { first, second, kind, address });
            }
        };
        for (&address, stores) in &self.memory {
            for pair in stores.windows(2) {
                let [first, second] = [self.made(pair[0]).by, self.made(pair[1]).by];
                add(first, second, ConflictKind::WriteWrite, address);
            }
        }
        // The position of each store in the order of its address.
        let places = self.memory.values().flat_map(|stores| stores.iter().copied().zip(1..));
        let places: HashMap<Store, usize> = places.collect();
        for (reader, told) in self.committed() {
            for &Load { address, from, own, .. } in &told.loads {
                if own.is_some() {
                    continue;
                }
                if let Some(store) = from {
                    add(self.made(store).by, reader, ConflictKind::WriteRead, address);
                }
                let place = from.map_or(0, |store| places[&store]);
                let later = self.memory.get(&address).map_or(&[][..], |stores| &stores[place..]);
                let writers = later.iter().map(|&store| self.made(store).by);
                // If it writes next itself, the order of writes suffices.
                if let Some(writer) = writers.into_iter().next() {
                    add(reader, writer, ConflictKind::ReadWrite, address);
                }
            }
        }
        conflicts
    }
}

/// A cycle with the fewest transactions.
fn smallest_cycle(conflicts: &[Conflict]) -> Option<Vec<Conflict>> {
    let mut graph = DiGraph::<Transaction, Conflict>::new();
    let mut nodes = HashMap::new();
    for &conflict in conflicts {
        let [first, second] = [conflict.first, conflict.second].map(|transaction| {
            *nodes.entry(transaction).or_insert_with(|| graph.add_node(transaction))
        });
        graph.add_edge(first, second, conflict);
    }
    let components = tarjan_scc(&graph).into_iter().filter(|component| component.len() > 1);
    let starts: Vec<_> = components.flatten().collect();
    let cycles = starts.into_iter().filter_map(|start| shortest_way_back(&graph, start));
    cycles.min_by_key(Vec::len)
}

/// The shortest cycle through a node.
fn shortest_way_back(
    graph: &DiGraph<Transaction, Conflict>,
    start: NodeIndex,
) -> Option<Vec<Conflict>> {
    let mut came_by = HashMap::new();
    let mut next = VecDeque::from([start]);
    while let Some(node) = next.pop_front() {
        let mut edges = graph.neighbors_directed(node, Direction::Outgoing).detach();
        while let Some((edge, to)) = edges.next(graph) {
            if came_by.contains_key(&to) {
                continue;
            }
            came_by.insert(to, (node, graph[edge]));
            if to == start {
                return Some(way(&came_by, start));
            }
            next.push_back(to);
        }
    }
    None
}

fn way(came_by: &HashMap<NodeIndex, (NodeIndex, Conflict)>, start: NodeIndex) -> Vec<Conflict> {
    let mut way = Vec::new();
    let mut node = start;
    loop {
        let (from, conflict) = came_by[&node];
        way.push(conflict);
        node = from;
        if node == start {
            way.reverse();
            return way;
        }
    }
}
