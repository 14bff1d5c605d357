//! The order in which a clock overwrites its state.
//!
//! What is stored early frees its operands early. But a value that is overwritten before its last use must
//! be loaded before, and occupies a machine register or the stack until then. So what fewest others still
//! read is overwritten next. The steps of a cluster stay together.

use std::collections::BTreeMap;

use super::clusters::Clusters;
use crate::ir::Collision;
use crate::netlist::{NetId, NetOp, Netlist};

/// A bit that says whether a step does anything: the net, and its value if so.
pub(super) type Guard = (NetId, bool);

/// What overwrites a part of the state.
#[derive(Clone, Copy)]
pub(super) enum Step {
    /// A register gets this value.
    Register { present: NetId, next: NetId },
    /// The read port of a memory loads its data.
    Read { memory: usize, port: usize },
    /// The write port of a memory changes rows.
    Write { memory: usize, port: usize },
}

/// Steps under one guard, with the state that later steps read and these overwrite.
pub(super) struct Group {
    pub guard: Option<Guard>,
    /// Each step with the values to load before it, for later steps of the group.
    pub steps: Vec<(Step, Vec<NetId>)>,
    /// The values to load before the group, for later groups.
    pub before: Vec<NetId>,
}

/// The groups of a cluster, or some that belong to none.
pub(super) struct Part {
    pub cluster: Option<usize>,
    pub groups: Vec<Group>,
    /// The values to load before a cluster, for later parts.
    pub before: Vec<NetId>,
}

/// Fewer registers are not worth a branch.
const FEWEST_GUARDED: usize = 3;

/// A set of state values, by their index among all.
type Set = Vec<u64>;

/// Steps under one guard, or the items of a cluster.
struct Item {
    cluster: Option<usize>,
    guard: Option<Guard>,
    steps: Vec<Step>,
    items: Vec<Item>,
    reads: Set,
    overwrites: Set,
    /// Items that come first.
    after: Vec<usize>,
}

/// The nets whose values the edge overwrites, and where each is read.
struct Sources<'a> {
    netlist: &'a Netlist,
    clusters: &'a Clusters,
    nets: Vec<NetId>,
    /// By net.
    reads: Vec<Set>,
}

impl<'a> Sources<'a> {
    fn new(netlist: &'a Netlist, clusters: &'a Clusters) -> Self {
        let stored = |op: &NetOp| {
            matches!(op, NetOp::Register(_) | NetOp::ReadData { .. } | NetOp::Row { .. })
        };
        let ids = (0..netlist.nets.len() as u32).map(NetId);
        let nets: Vec<NetId> = ids.filter(|net| stored(&netlist.net(*net).op)).collect();
        let mut reads: Vec<Set> = Vec::with_capacity(netlist.nets.len());
        let mut number = 0;
        for (index, net) in netlist.nets.iter().enumerate() {
            let mut set = vec![0; nets.len().div_ceil(64)];
            if !clusters.keeps(index) {
                net.op.for_operands(|operand| unite(&mut set, &reads[operand.index()]));
            }
            if stored(&net.op) {
                set[number / 64] |= 1 << (number % 64);
                number += 1;
            }
            reads.push(set);
        }
        Self { netlist, clusters, nets, reads }
    }

    fn those(&self, mut wanted: impl FnMut(&NetOp, NetId) -> bool) -> Set {
        let mut set = vec![0; self.nets.len().div_ceil(64)];
        for (index, net) in self.nets.iter().enumerate() {
            if wanted(&self.netlist.net(*net).op, *net) {
                set[index / 64] |= 1 << (index % 64);
            }
        }
        set
    }

    /// What is in both sets.
    fn in_both(&self, a: &Set, b: &Set) -> Vec<NetId> {
        let common = |index: &usize| (a[index / 64] & b[index / 64]) >> (index % 64) & 1 != 0;
        (0..self.nets.len()).filter(common).map(|index| self.nets[index]).collect()
    }

    fn item(&self, step: Step, guard: Option<Guard>) -> Item {
        let cluster = self.clusters.of(self.netlist, step);
        let (operands, overwrites) = match step {
            Step::Register { present, next } => (vec![next], self.those(|_, net| net == present)),
            Step::Read { memory, port } => {
                let memory = &self.netlist.memories[memory];
                let read = memory.reads[port];
                let mut operands = vec![read.enable, read.address];
                if memory.collision == Collision::Undefined {
                    operands.extend(memory.writes.iter().flat_map(|w| [w.enable, w.address]));
                }
                (operands, self.those(|_, net| Some(net) == read.data))
            }
            Step::Write { memory, port } => {
                let write = self.netlist.memories[memory].writes[port];
                let operands = [write.enable, write.address, write.data];
                let rows = |op: &NetOp, _| matches!(op, NetOp::Row { memory: of, .. } if *of as usize == memory);
                (operands.into_iter().chain(write.lanes).collect(), self.those(rows))
            }
        };
        let mut reads = vec![0; self.nets.len().div_ceil(64)];
        for net in operands.into_iter().chain(guard.map(|(bit, _)| bit)) {
            unite(&mut reads, &self.reads[net.index()]);
        }
        let (steps, items, after) = (vec![step], Vec::new(), Vec::new());
        Item { cluster, guard, steps, items, reads, overwrites, after }
    }
}

fn unite(set: &mut Set, other: &Set) {
    set.iter_mut().zip(other).for_each(|(a, b)| *a |= b);
}

/// The steps of a clock, in order.
pub(super) fn plan(netlist: &Netlist, clusters: &Clusters) -> Vec<Part> {
    let sources = Sources::new(netlist, clusters);
    let mut items = registers(netlist, &sources);
    ports(netlist, &sources, &mut items);
    let items = in_order(gather(items));
    let mut later: Set = vec![0; sources.nets.len().div_ceil(64)];
    let mut parts = Vec::new();
    for part in items.chunk_by(|a, b| a.cluster == b.cluster).rev() {
        let cluster = part[0].cluster;
        parts.push(if cluster.is_some() {
            let before = sources.in_both(&part[0].overwrites, &later);
            let groups = groups(&sources, &part[0].items, &mut vec![0; later.len()]);
            unite(&mut later, &part[0].reads);
            Part { cluster, groups, before }
        } else {
            Part { cluster, groups: groups(&sources, part, &mut later), before: Vec::new() }
        });
    }
    parts.reverse();
    parts
}

/// Makes one item of those of each cluster.
fn gather(items: Vec<Item>) -> Vec<Item> {
    // Of each item, its place or its cluster's, and that within the cluster.
    let mut places: Vec<(usize, usize)> = Vec::new();
    let mut gathered: Vec<Item> = Vec::new();
    for mut item in items {
        let of_cluster = |other: &Item| item.cluster.is_some() && other.cluster == item.cluster;
        let place = gathered.iter().position(of_cluster).unwrap_or_else(|| {
            let (cluster, none) = (item.cluster, vec![0; item.reads.len()]);
            let (reads, overwrites) = (none.clone(), none);
            let (steps, items, after) = (Vec::new(), Vec::new(), Vec::new());
            gathered.push(Item { cluster, guard: None, steps, items, reads, overwrites, after });
            gathered.len() - 1
        });
        let unit = &mut gathered[place];
        places.push((place, unit.items.len()));
        let (inside, outside): (Vec<_>, Vec<_>) =
            item.after.iter().map(|first| places[*first]).partition(|first| first.0 == place);
        unit.after.extend(outside.into_iter().map(|(unit, _)| unit));
        if item.cluster.is_none() {
            item.after.clone_from(&unit.after);
            *unit = item;
            continue;
        }
        item.after = inside.into_iter().map(|(_, within)| within).collect();
        unite(&mut unit.reads, &item.reads);
        unite(&mut unit.overwrites, &item.overwrites);
        unit.items.push(item);
    }
    for unit in gathered.iter_mut().filter(|unit| unit.cluster.is_some()) {
        unit.items = in_order(std::mem::take(&mut unit.items));
    }
    gathered
}

/// The groups of items that are in order. `later` is what later groups read.
fn groups(sources: &Sources, items: &[Item], later: &mut Set) -> Vec<Group> {
    let same = |a: &Item, b: &Item| a.guard.is_some() && a.guard == b.guard;
    let mut groups: Vec<Group> = Vec::new();
    for group in items.chunk_by(same).rev() {
        let steps = group.iter().flat_map(|item| item.steps.iter().map(|step| (*step, item.guard)));
        let steps = steps.map(|(step, guard)| sources.item(step, guard)).collect();
        groups.push(finish(sources, steps, later));
    }
    groups.reverse();
    groups
}

/// The group of these steps, in the best order if they are all registers. `later` is what later groups read.
fn finish(sources: &Sources, mut steps: Vec<Item>, later: &mut Set) -> Group {
    if steps.iter().all(|item| matches!(item.steps[0], Step::Register { .. })) {
        steps = in_order(steps);
    }
    let guard = steps[0].guard;
    let mut overwritten: Set = vec![0; later.len()];
    steps.iter().for_each(|item| unite(&mut overwritten, &item.overwrites));
    let before = sources.in_both(&overwritten, later);
    let mut inside: Set = vec![0; later.len()];
    let mut ordered = Vec::new();
    for item in steps.iter().rev() {
        ordered.push((item.steps[0], sources.in_both(&item.overwrites, &inside)));
        unite(&mut inside, &item.reads);
    }
    ordered.reverse();
    unite(later, &inside);
    Group { guard, steps: ordered, before }
}

/// Registers, together where one bit keeps them all.
fn registers(netlist: &Netlist, sources: &Sources) -> Vec<Item> {
    let mut held: BTreeMap<(Option<usize>, Guard), Vec<Step>> = BTreeMap::new();
    let mut items = Vec::new();
    for register in &netlist.registers {
        let (present, next) = (register.present, register.next);
        let cluster = sources.clusters.of(netlist, Step::Register { present, next });
        match netlist.net(next).op {
            _ if present == next => {}
            NetOp::Mux { condition, on_true, on_false } if on_true == present => {
                let step = Step::Register { present, next: on_false };
                held.entry((cluster, (condition, false))).or_default().push(step);
            }
            NetOp::Mux { condition, on_true, on_false } if on_false == present => {
                let step = Step::Register { present, next: on_true };
                held.entry((cluster, (condition, true))).or_default().push(step);
            }
            _ => items.push(sources.item(Step::Register { present, next }, None)),
        }
    }
    for ((_, guard), steps) in held {
        if steps.len() < FEWEST_GUARDED {
            for step in steps {
                let Step::Register { present, .. } = step else { continue };
                let register = netlist.registers.iter().find(|r| r.present == present);
                let next = register.expect("it is one of them").next;
                items.push(sources.item(Step::Register { present, next }, None));
            }
            continue;
        }
        let mut steps = steps.into_iter().map(|step| sources.item(step, Some(guard)));
        let mut first = steps.next().expect("a guard has steps");
        for item in steps {
            unite(&mut first.reads, &item.reads);
            unite(&mut first.overwrites, &item.overwrites);
            first.steps.extend(item.steps);
        }
        items.push(first);
    }
    items
}

/// The ports of memories. Reads stay in their order, in which they draw noise.
fn ports(netlist: &Netlist, sources: &Sources, items: &mut Vec<Item>) {
    let mut last_read = None;
    for (number, memory) in netlist.memories.iter().enumerate() {
        let write_first = memory.collision == Collision::WriteFirst;
        let mut ports: Vec<Step> = (0..memory.reads.len())
            .filter(|port| memory.reads[*port].data.is_some())
            .map(|port| Step::Read { memory: number, port })
            .collect();
        let writes = (0..memory.writes.len()).map(|port| Step::Write { memory: number, port });
        let at = if write_first { 0 } else { ports.len() };
        ports.splice(at..at, writes);
        let mut last_port = None;
        for step in ports {
            let enable = match step {
                Step::Read { port, .. } => memory.reads[port].enable,
                Step::Write { port, .. } => memory.writes[port].enable,
                Step::Register { .. } => unreachable!("a port is no register"),
            };
            let mut item = sources.item(step, Some(guard(netlist, enable)));
            item.after.extend(last_port);
            let place = items.len();
            if let Step::Read { .. } = step {
                item.after.extend(last_read);
                last_read = Some(place);
            }
            last_port = Some(place);
            items.push(item);
        }
    }
}

/// An enable as a guard, without inversions.
fn guard(netlist: &Netlist, enable: NetId) -> Guard {
    match netlist.net(enable).op {
        NetOp::Unary(crate::ir::UnaryOp::Not, inner) => (inner, false),
        _ => (enable, true),
    }
}

/// The items in the order in which fewest values are overwritten before their last use, and those of one
/// guard side by side where that costs nothing.
fn in_order(items: Vec<Item>) -> Vec<Item> {
    let bits = items.first().map_or(0, |item| 64 * item.reads.len());
    let has = |set: &Set, bit: usize| set[bit / 64] >> (bit % 64) & 1 != 0;
    let mut readers: Vec<u32> = vec![0; bits];
    let members = |set: &Set| (0..bits).filter(|bit| has(set, *bit)).collect::<Vec<_>>();
    let reads: Vec<Vec<usize>> = items.iter().map(|item| members(&item.reads)).collect();
    let overwrites: Vec<Vec<usize>> = items.iter().map(|item| members(&item.overwrites)).collect();
    reads.iter().flatten().for_each(|bit| readers[*bit] += 1);
    let mut open: Vec<usize> = (0..items.len()).collect();
    let mut done = vec![false; items.len()];
    let mut result: Vec<usize> = Vec::new();
    while !open.is_empty() {
        let last = result.last().and_then(|last: &usize| items[*last].guard);
        let cost = |item: usize| {
            let own = |bit: usize| u32::from(has(&items[item].reads, bit));
            let early = overwrites[item].iter().filter(|bit| readers[**bit] > own(**bit)).count();
            (early, items[item].guard.is_none() || items[item].guard != last)
        };
        let ready = open.iter().enumerate();
        let ready = ready.filter(|(_, item)| items[**item].after.iter().all(|first| done[*first]));
        let next = ready.min_by_key(|(_, item)| cost(**item)).map(|(place, _)| place);
        let item = open.remove(next.expect("the first of the ports that are left is ready"));
        reads[item].iter().for_each(|bit| readers[*bit] -= 1);
        done[item] = true;
        result.push(item);
    }
    let mut places: Vec<Option<Item>> = items.into_iter().map(Some).collect();
    result.into_iter().filter_map(|place| places[place].take()).collect()
}
