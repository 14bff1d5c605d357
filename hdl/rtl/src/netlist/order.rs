//! Orders the flat graph: depth first from the roots, cone by cone.

use super::flat::{Flat, FlatNode, FlatOp, Scope};
use super::intern::Nets;
use super::{Keep, Memory, NetId, NetOp, Netlist, NetlistError, SignalInfo};

#[derive(Clone, Copy, PartialEq)]
enum State {
    New,
    Open,
    Done(NetId),
}

enum Step {
    Enter(NetId),
    Leave(NetId),
}

/// Orders and shares the kept nodes of the flat graph.
pub(super) fn order(flat: Flat, keep: Keep) -> Result<Netlist, NetlistError> {
    let mut walk = Walk {
        state: vec![State::New; flat.nodes.len()],
        nets: Nets::default(),
        found: Vec::new(),
        flat: &flat,
    };
    (0..flat.layout.inputs.len() as u32).try_for_each(|input| walk.visit(NetId(input)))?;
    for (cone, scope) in flat.scopes.iter().enumerate() {
        walk.nets.cone = cone as u32;
        let mut roots: Vec<NetId> = Vec::new();
        if keep == Keep::Named {
            roots.extend(flat.registers[scope.registers.clone()].iter().map(|r| r.next));
            roots.extend(flat.memories[scope.memories.clone()].iter().flat_map(memory_operands));
            roots.extend(scope.signals.iter().map(|(_, node)| *node));
        }
        roots.extend(flat.checks[scope.checks.clone()].iter().map(|c| c.condition));
        roots.into_iter().try_for_each(|root| walk.visit(root))?;
    }
    flat.outputs.iter().try_for_each(|&output| walk.visit(output))?;
    // The inputs of storage must be kept too, and may lead to more storage.
    while let Some(net) = walk.found.pop() {
        match walk.nets.op(net).clone() {
            NetOp::Register(index) => {
                let index = index as usize;
                walk.nets.cone = scope_of(&flat, |scope| scope.registers.end <= index);
                walk.visit(flat.registers[index].next)?;
            }
            NetOp::ReadData { memory, .. } | NetOp::Row { memory, .. } => {
                walk.nets.cone = scope_of(&flat, |scope| scope.memories.end <= memory as usize);
                let operands = memory_operands(&flat.memories[memory as usize]);
                operands.into_iter().try_for_each(|node| walk.visit(node))?;
            }
            _ => unreachable!("only storage is noted"),
        }
    }
    let (state, nets) = (walk.state, walk.nets);
    let place = |node: NetId| match state[node.index()] {
        State::Done(net) => Some(net),
        _ => None,
    };
    let mut netlist = collect(&flat, nets, place);
    compact(&mut netlist);
    Ok(netlist)
}

/// The first scope that does not satisfy `before`.
fn scope_of(flat: &Flat, before: impl Fn(&Scope) -> bool) -> u32 {
    flat.scopes.partition_point(before) as u32
}

fn memory_operands(memory: &Memory) -> Vec<NetId> {
    let writes = memory.writes.iter().flat_map(|w| {
        [Some(w.enable), Some(w.address), Some(w.data), w.lanes].into_iter().flatten()
    });
    let reads = memory.reads.iter().flat_map(|r| [r.enable, r.address]);
    writes.chain(reads).collect()
}

struct Walk<'a> {
    flat: &'a Flat,
    state: Vec<State>,
    nets: Nets,
    /// Registers and memory reads that were found and not yet followed.
    found: Vec<NetId>,
}

impl Walk<'_> {
    fn visit(&mut self, root: NetId) -> Result<(), NetlistError> {
        let mut stack = vec![Step::Enter(root)];
        while let Some(step) = stack.pop() {
            match step {
                Step::Leave(node) => self.leave(node),
                Step::Enter(node) => match self.state[node.index()] {
                    State::Done(_) => {}
                    // An open node is reached again only through itself.
                    State::Open => return Err(self.loop_through(node, &stack)),
                    State::New => {
                        self.state[node.index()] = State::Open;
                        stack.push(Step::Leave(node));
                        match &self.flat.nodes[node.index()].op {
                            FlatOp::Alias(of) => stack.push(Step::Enter(*of)),
                            FlatOp::Net(op) => {
                                let first = stack.len();
                                op.for_operands(|o| stack.push(Step::Enter(o)));
                                stack[first..].reverse();
                            }
                        }
                    }
                },
            }
        }
        Ok(())
    }

    fn leave(&mut self, node: NetId) {
        let net = match &self.flat.nodes[node.index()].op {
            FlatOp::Alias(of) => self.done(*of),
            FlatOp::Net(op) => {
                let op = op.clone().map_operands(|operand| self.done(operand));
                let stored =
                    matches!(op, NetOp::Register(_) | NetOp::ReadData { .. } | NetOp::Row { .. });
                let net = self.nets.make(op, self.flat.nodes[node.index()].width);
                if stored {
                    self.found.push(net);
                }
                net
            }
        };
        self.state[node.index()] = State::Done(net);
    }

    fn done(&self, node: NetId) -> NetId {
        match self.state[node.index()] {
            State::Done(net) => net,
            _ => unreachable!("an operand is left before its user"),
        }
    }

    /// The open nodes from `node` on form the loop, each an operand of the one before.
    fn loop_through(&self, node: NetId, stack: &[Step]) -> NetlistError {
        let open = stack.iter().filter_map(|step| match step {
            Step::Leave(node) => Some(*node),
            Step::Enter(_) => None,
        });
        let mut path: Vec<NetId> = open.skip_while(|open| *open != node).collect();
        path.reverse();
        let first = path.iter().enumerate().min_by_key(|(_, node)| **node).map_or(0, |(i, _)| i);
        path.rotate_left(first);
        let name = |node: &NetId| self.flat.nodes[node.index()].name.clone();
        NetlistError::Loop { signals: path.iter().filter_map(name).collect() }
    }
}

/// The netlist of everything reached; `place` maps flat nodes to nets.
fn collect(flat: &Flat, nets: Nets, place: impl Fn(NetId) -> Option<NetId>) -> Netlist {
    let at = |node: NetId| place(node).expect("reached, as its user was");
    let mut netlist = Netlist {
        name: flat.name.clone(),
        layout: flat.layout.clone(),
        nets: nets.nets,
        outputs: flat.outputs.iter().map(|&o| at(o)).collect(),
        registers: Vec::new(),
        memories: Vec::new(),
        checks: flat.checks.clone(),
        signals: Vec::new(),
    };
    netlist.checks.iter_mut().for_each(|check| check.condition = at(check.condition));
    for register in &flat.registers {
        let Some(present) = place(register.present) else { continue };
        netlist.nets[present.index()].op = NetOp::Register(netlist.registers.len() as u32);
        let next = at(register.next);
        netlist.registers.push(super::Register { present, next, ..register.clone() });
    }
    let mut kept = vec![None; flat.memories.len()];
    for (index, memory) in flat.memories.iter().enumerate() {
        if !memory_operands(memory).into_iter().all(|node| place(node).is_some()) {
            continue;
        }
        let mut memory = memory.clone();
        for write in &mut memory.writes {
            (write.enable, write.address) = (at(write.enable), at(write.address));
            (write.data, write.lanes) = (at(write.data), write.lanes.map(at));
        }
        for (port, read) in memory.reads.iter_mut().enumerate() {
            (read.enable, read.address) = (at(read.enable), at(read.address));
            read.data = read.data.and_then(&place);
            if let Some(data) = read.data {
                let index = netlist.memories.len() as u32;
                let op = NetOp::ReadData { memory: index, port: port as u32 };
                netlist.nets[data.index()].op = op;
            }
        }
        kept[index] = Some(netlist.memories.len() as u32);
        netlist.memories.push(memory);
    }
    for net in &mut netlist.nets {
        if let NetOp::Row { memory, .. } = &mut net.op {
            *memory = kept[*memory as usize].expect("reached, as a row of it is read");
        }
    }
    for (kind, node) in flat.scopes.iter().flat_map(|scope| &scope.signals) {
        let FlatNode { name, width, .. } = &flat.nodes[node.index()];
        if let Some(net) = place(*node) {
            let name = name.clone().expect("a signal has a name");
            netlist.signals.push(SignalInfo { name, kind: *kind, net, width: *width });
        }
    }
    netlist
}

/// Removes nets that simplification left unused.
fn compact(netlist: &mut Netlist) {
    let mut used = vec![false; netlist.nets.len()];
    netlist.for_roots(|root| used[root.index()] = true);
    for (index, net) in netlist.nets.iter().enumerate().rev() {
        used[index] |= !net.op.computes() && !matches!(net.op, NetOp::Const(_));
        if used[index] {
            net.op.for_operands(|operand| used[operand.index()] = true);
        }
    }
    let mut count = 0;
    let new: Vec<NetId> = used
        .iter()
        .map(|used| {
            count += u32::from(*used);
            NetId(count.wrapping_sub(1))
        })
        .collect();
    let mut index = 0;
    netlist.nets.retain(|_| {
        index += 1;
        used[index - 1]
    });
    for net in &mut netlist.nets {
        let op = std::mem::replace(&mut net.op, NetOp::Input(0));
        net.op = op.map_operands(|operand| new[operand.index()]);
    }
    netlist.map_roots(|root| new[root.index()]);
}

/// Calls a function on every net that a clock stores or checks.
macro_rules! for_stored {
    ($netlist:ident, $f:ident $(, $mutable:tt)?) => {
        (& $($mutable)? $netlist.outputs).into_iter().for_each(&mut $f);
        for check in & $($mutable)? $netlist.checks {
            $f(& $($mutable)? check.condition);
        }
        for register in & $($mutable)? $netlist.registers {
            $f(& $($mutable)? register.next);
        }
        for memory in & $($mutable)? $netlist.memories {
            for write in & $($mutable)? memory.writes {
                $f(& $($mutable)? write.enable);
                $f(& $($mutable)? write.address);
                $f(& $($mutable)? write.data);
                (& $($mutable)? write.lanes).into_iter().for_each(&mut $f);
            }
            for read in & $($mutable)? memory.reads {
                $f(& $($mutable)? read.enable);
                $f(& $($mutable)? read.address);
                (& $($mutable)? read.data).into_iter().for_each(&mut $f);
            }
        }
    };
}

/// Calls a function on every reference to a net from outside the nets.
macro_rules! for_roots {
    ($netlist:ident, $f:ident $(, $mutable:tt)?) => {
        for signal in & $($mutable)? $netlist.signals {
            $f(& $($mutable)? signal.net);
        }
        for register in & $($mutable)? $netlist.registers {
            $f(& $($mutable)? register.present);
        }
        for_stored!($netlist, $f $(, $mutable)?);
    };
}

impl Netlist {
    /// Calls `f` with every net that is used from outside the nets.
    pub(crate) fn for_roots(&self, mut f: impl FnMut(NetId)) {
        let mut visit = |root: &NetId| f(*root);
        for_roots!(self, visit);
    }

    /// Calls `f` with every net that a clock stores or checks; those that only have a name are left out.
    #[cfg(feature = "compiled")]
    pub(crate) fn for_stored(&self, mut f: impl FnMut(NetId)) {
        let mut visit = |root: &NetId| f(*root);
        for_stored!(self, visit);
    }

    /// The same with mutable references.
    fn map_roots(&mut self, mut f: impl FnMut(NetId) -> NetId) {
        let mut change = |root: &mut NetId| *root = f(*root);
        for_roots!(self, change, mut);
    }
}
