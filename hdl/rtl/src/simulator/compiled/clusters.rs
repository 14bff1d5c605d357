//! Parts of a design that are skipped while nothing changes that they read.
//!
//! A cluster is the state of an instance of the top module. While nothing changes that its next state is computed
//! from, its state does not change either, and the clock skips it. Its combinational values that others use are kept
//! in memory for these clocks.

use std::collections::BTreeMap;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value};

use super::lower::Lower;
use super::plan::Step;
use crate::netlist::{NetId, NetOp, Netlist};
use crate::ports::words;

/// Clusters have one bit each in a word; what is more belongs to none.
const MOST: usize = 64;
/// An instance of fewer registers and memories is no cluster.
const FEWEST: usize = 4;
/// Values of fewer operators are computed anew rather than kept.
const WORTH_KEEPING: u32 = 3;

/// Among the users of a value: what belongs to no cluster. The bits below are clusters.
const OTHERS: u128 = 1 << MOST;

/// The clusters of a design.
#[derive(Default)]
pub(super) struct Clusters {
    /// By register and by memory.
    registers: Vec<Option<usize>>,
    memories: Vec<Option<usize>>,
    /// By net that a clock or the environment changes: the clusters that read it, a bit each.
    readers: Vec<u64>,
    /// By memory: those that read its content.
    content_readers: Vec<u64>,
    /// Of each cluster the values that are kept.
    kept: Vec<Vec<NetId>>,
    /// By net.
    is_kept: Vec<bool>,
}

impl Clusters {
    /// The instances of the top module that are worth it.
    pub fn of_instances(netlist: &Netlist) -> Self {
        let instance =
            |name: &'_ str| name.split_once('.').map(|(instance, _)| instance.to_string());
        let registers: Vec<_> = netlist.registers.iter().map(|r| instance(&r.name)).collect();
        let memories: Vec<_> = netlist.memories.iter().map(|m| instance(&m.name)).collect();
        let mut sizes: BTreeMap<&str, usize> = BTreeMap::new();
        for name in registers.iter().chain(&memories).flatten() {
            *sizes.entry(name).or_default() += 1;
        }
        let large = sizes.into_iter().filter(|(_, size)| *size >= FEWEST);
        let numbers: BTreeMap<&str, usize> =
            large.map(|(name, _)| name).take(MOST).zip(0..).collect();
        let number = |name: &Option<String>| numbers.get(name.as_deref()?).copied();
        let (registers, memories) =
            [&registers, &memories].map(|names| names.iter().map(number).collect()).into();
        let mut clusters = Self { registers, memories, ..Self::default() };
        if numbers.is_empty() || !clusters.read_in_order(netlist) {
            return Self::default();
        }
        clusters.kept.resize(numbers.len(), Vec::new());
        let users = clusters.users(netlist);
        clusters.readers = users.iter().map(|users| *users as u64).collect();
        clusters.content_readers = clusters.content_readers(netlist);
        clusters.keep(netlist);
        clusters
    }

    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// Whether a clock without clusters reads the memories in the same order, in which reads draw noise.
    fn read_in_order(&self, netlist: &Netlist) -> bool {
        let read = netlist.memories.iter().zip(&self.memories);
        let mut order: Vec<_> =
            read.filter(|(memory, _)| !memory.reads.is_empty()).map(|(_, of)| of).collect();
        order.dedup();
        let mut seen: Vec<_> = order.into_iter().flatten().collect();
        seen.sort_unstable();
        seen.windows(2).all(|pair| pair[0] != pair[1])
    }

    /// Whether a cluster reads the net.
    pub fn read(&self, net: NetId) -> bool {
        self.readers.get(net.index()).is_some_and(|readers| *readers != 0)
    }

    /// The cluster of what a step changes.
    pub fn of(&self, netlist: &Netlist, step: Step) -> Option<usize> {
        match step {
            Step::Register { present, .. } => self.of_leaf(netlist, present),
            Step::Read { memory, .. } | Step::Write { memory, .. } => *self.memories.get(memory)?,
        }
    }

    /// The cluster that a stored value belongs to.
    fn of_leaf(&self, netlist: &Netlist, net: NetId) -> Option<usize> {
        match netlist.net(net).op {
            NetOp::Register(index) => *self.registers.get(index as usize)?,
            NetOp::ReadData { memory, .. } | NetOp::Row { memory, .. } => {
                *self.memories.get(memory as usize)?
            }
            _ => None,
        }
    }

    /// Whether the net's value is kept, so that it depends on nothing within a clock.
    pub fn keeps(&self, net: usize) -> bool {
        self.is_kept.get(net).copied().unwrap_or(false)
    }

    /// What a clock computes for each cluster and for what belongs to none.
    fn roots(&self, netlist: &Netlist) -> Vec<(NetId, u128)> {
        let bit = |cluster: Option<usize>| cluster.map_or(OTHERS, |cluster| 1 << cluster);
        let mut roots: Vec<(NetId, u128)> = Vec::new();
        roots.extend(netlist.outputs.iter().map(|net| (*net, OTHERS)));
        roots.extend(netlist.checks.iter().map(|check| (check.condition, OTHERS)));
        for (register, cluster) in netlist.registers.iter().zip(&self.registers) {
            roots.push((register.next, bit(*cluster)));
        }
        for (memory, cluster) in netlist.memories.iter().zip(&self.memories) {
            let reads = memory.reads.iter().flat_map(|read| [read.enable, read.address]);
            let writes = memory.writes.iter();
            let writes =
                writes.flat_map(|w| [w.enable, w.address, w.data].into_iter().chain(w.lanes));
            roots.extend(reads.chain(writes).map(|net| (net, bit(*cluster))));
        }
        roots
    }

    /// What uses each net.
    fn users(&self, netlist: &Netlist) -> Vec<u128> {
        let mut users = vec![0; netlist.nets.len()];
        self.roots(netlist).into_iter().for_each(|(net, user)| users[net.index()] |= user);
        for (index, net) in netlist.nets.iter().enumerate().rev() {
            net.op.for_operands(|operand| users[operand.index()] |= users[index]);
        }
        users
    }

    fn content_readers(&self, netlist: &Netlist) -> Vec<u64> {
        let own = |cluster: &Option<usize>| cluster.map_or(0, |cluster| 1 << cluster);
        let mut readers: Vec<u64> = self.memories.iter().map(own).collect();
        for (net, users) in netlist.nets.iter().zip(&self.readers) {
            if let NetOp::Row { memory, .. } = net.op {
                readers[memory as usize] |= users;
            }
        }
        readers
    }

    /// Chooses the values to keep: those that change only if a cluster is awake, some of whose state they depend on,
    /// and that others use.
    fn keep(&mut self, netlist: &Netlist) {
        // Of each net the clusters that are awake after whatever may change it, those whose state it depends
        // on, and the operators that it takes.
        let mut facts: Vec<(u64, u64, u32)> = Vec::with_capacity(netlist.nets.len());
        for (index, net) in netlist.nets.iter().enumerate() {
            let mut fact: (u64, u64, u32) = match &net.op {
                NetOp::Const(_) => (u64::MAX, 0, 0),
                NetOp::Row { memory, .. } => (self.content_readers[*memory as usize], 0, 1),
                op if op.computes() => (u64::MAX, 0, 1),
                _ => (self.readers[index], 0, 0),
            };
            fact.1 = self.of_leaf(netlist, NetId(index as u32)).map_or(0, |cluster| 1 << cluster);
            net.op.for_operands(|operand| {
                let (awake, state, work) = facts[operand.index()];
                fact = (fact.0 & awake, fact.1 | state, fact.2.saturating_add(work));
            });
            facts.push(fact);
        }
        self.is_kept = vec![false; netlist.nets.len()];
        let mut users = vec![0; netlist.nets.len()];
        self.roots(netlist).into_iter().for_each(|(net, user)| users[net.index()] |= user);
        for (index, net) in netlist.nets.iter().enumerate().rev() {
            let (awake, state, work) = facts[index];
            let cluster = (awake & state).trailing_zeros() as usize;
            // Users look through these.
            let seen_through = match net.op {
                NetOp::Slice { .. } | NetOp::Concat(_) => true,
                NetOp::Unary(op, _) => op == crate::ir::UnaryOp::Not,
                _ => false,
            };
            if cluster < MOST
                && users[index] & !(1 << cluster) != 0
                && work >= WORTH_KEEPING
                && net.op.computes()
                && !seen_through
            {
                self.is_kept[index] = true;
                self.kept[cluster].push(NetId(index as u32));
                users[index] = 1 << cluster;
            }
            net.op.for_operands(|operand| users[operand.index()] |= users[index]);
        }
        self.kept.iter_mut().for_each(|nets| nets.reverse());
    }
}

/// What a clock notes for the next one: a word whose bits are the clusters that are awake, then the inputs
/// that clusters read, then kept values.
pub(super) struct Notes {
    /// The address of the words.
    pub address: Value,
    /// How many there are.
    pub words: usize,
    /// By net, the word from which on its value is kept, once that is known.
    kept: Vec<Option<usize>>,
    /// The word of the clusters that are awake in this clock.
    awake: Option<Value>,
    /// What the current block has changed: words that are not zero if so, by the clusters that read it.
    changes: BTreeMap<u64, Value>,
}

impl Notes {
    pub fn new(address: Value, netlist: &Netlist) -> Self {
        let kept = vec![None; netlist.nets.len()];
        Self { address, words: 0, kept, awake: None, changes: BTreeMap::new() }
    }

    pub fn keeps(&self, net: NetId) -> bool {
        self.kept[net.index()].is_some()
    }
}

impl Lower<'_> {
    fn note(&mut self, value: Value, word: usize) {
        self.store_at(value, self.notes.address, word);
    }

    /// The words of a kept value.
    pub fn kept_value(&mut self, net: NetId) -> Vec<Value> {
        let first = self.notes.kept[net.index()].expect("the value is kept");
        let words = first..first + words(self.width(net));
        words.map(|word| self.load_at(self.notes.address, word)).collect()
    }

    /// Finds the clusters that are awake, and has them compute what they keep.
    pub fn wake_clusters(&mut self) {
        if self.clusters.is_empty() {
            return;
        }
        let mut awake = self.load_at(self.notes.address, 0);
        self.notes.words = 1;
        let netlist = self.netlist;
        for (index, net) in netlist.nets.iter().enumerate() {
            let (net, id) = (&net.op, NetId(index as u32));
            if !matches!(net, NetOp::Input(1..)) || self.clusters.readers[index] == 0 {
                continue;
            }
            for new in self.value(id) {
                let old = self.load_at(self.notes.address, self.notes.words);
                self.note(new, self.notes.words);
                self.notes.words += 1;
                let changed = self.b.ins().icmp(IntCC::NotEqual, old, new);
                awake = self.with_readers(awake, changed, self.clusters.readers[index]);
            }
        }
        self.notes.awake = Some(awake);
        for (cluster, kept) in self.clusters.kept.iter().enumerate() {
            let first = self.notes.words;
            self.while_awake(cluster, |this| {
                for word in kept.iter().flat_map(|net| this.value(*net)).collect::<Vec<_>>() {
                    this.note(word, this.notes.words);
                    this.notes.words += 1;
                }
            });
            let mut place = first;
            for net in kept {
                self.notes.kept[net.index()] = Some(place);
                place += words(self.width(*net));
            }
        }
    }

    /// The word of awake clusters with those that read what has changed, if it has.
    fn with_readers(&mut self, awake: Value, changed: Value, readers: u64) -> Value {
        let (readers, none) = (self.constant(readers), self.constant(0));
        let woken = self.b.ins().select(changed, readers, none);
        self.b.ins().bor(awake, woken)
    }

    /// Forgets what was awake; from here on the clock changes the state.
    pub fn begin_changes(&mut self) {
        if !self.clusters.is_empty() {
            let none = self.constant(0);
            self.note(none, 0);
        }
    }

    /// Runs `body` in clocks in which the cluster is awake.
    pub fn while_awake(&mut self, cluster: usize, body: impl FnOnce(&mut Self)) {
        let awake = self.notes.awake.expect("a cluster is asleep or awake");
        let bit = self.b.ins().band_imm(awake, (1u64 << cluster) as i64);
        self.guarded_by(bit, true, body);
    }

    /// Notes that the net gets another value if the word `change` is not zero.
    pub fn changes(&mut self, net: NetId, change: Value) {
        let readers = self.clusters.readers.get(net.index()).copied().unwrap_or(0);
        self.change(readers, change);
    }

    /// The same of a row of a memory.
    pub fn changes_row(&mut self, memory: usize, change: Value) {
        let readers = self.clusters.content_readers.get(memory).copied().unwrap_or(0);
        self.change(readers, change);
    }

    fn change(&mut self, readers: u64, change: Value) {
        if readers != 0 {
            let all = match self.notes.changes.get(&readers) {
                Some(others) => self.b.ins().bor(*others, change),
                None => change,
            };
            self.notes.changes.insert(readers, all);
        }
    }

    /// Runs `body` and wakes who reads what it changes, since its values are unknown where it does not run.
    pub fn waking(&mut self, body: impl FnOnce(&mut Self)) {
        let outside = std::mem::take(&mut self.notes.changes);
        body(self);
        self.wake_readers();
        self.notes.changes = outside;
    }

    /// Wakes in the next clock who reads what has changed.
    pub fn wake_readers(&mut self) {
        let changes = std::mem::take(&mut self.notes.changes);
        if changes.is_empty() {
            return;
        }
        let mut awake = self.load_at(self.notes.address, 0);
        for (readers, change) in changes {
            awake = self.with_readers(awake, change, readers);
        }
        self.note(awake, 0);
    }
}
