//! Elaborates a hierarchy of modules to one graph of nodes, without order or sharing.

use std::collections::HashMap;

use super::flat::{Flat, FlatOp, Scope};
use super::statements::Lowering;
use super::{Check, Memory, NetId, NetOp, Read, Register, SignalKind, Write};
use crate::ir::{self, Module, NodeId, Op, Port};

/// Flattens the hierarchy under `module`.
pub(super) fn elaborate(module: &Module) -> Flat {
    let mut flat = Flat {
        name: module.name.clone(),
        layout: module.port_layout(),
        nodes: Vec::new(),
        outputs: Vec::new(),
        registers: Vec::new(),
        memories: Vec::new(),
        checks: Vec::new(),
        scopes: Vec::new(),
    };
    let inputs: Vec<NetId> = (0u32..)
        .zip(flat.layout.inputs.clone())
        .map(|(i, port)| flat.push(FlatOp::Net(NetOp::Input(i)), port.width, Some(port.name)))
        .collect();
    flat.outputs = place(&mut flat, module, "", &inputs[1..]);
    flat.scopes[0].signals.insert(0, (SignalKind::Input, inputs[0]));
    flat
}

/// Adds one module under `prefix`, whose inputs are `inputs`; returns the nodes of its outputs.
fn place(flat: &mut Flat, module: &Module, prefix: &str, inputs: &[NetId]) -> Vec<NetId> {
    let base = flat.nodes.len() as u32;
    let at = |node: NodeId| NetId(base + node.0);
    let full = |name: &str| format!("{prefix}{name}");
    let first = (flat.registers.len(), flat.memories.len(), flat.checks.len(), flat.scopes.len());
    for node in &module.nodes {
        let op = translate(&node.op, module, base, first.0, first.1);
        flat.push(op, node.width, node.name.as_deref().map(full));
    }
    for (port, &driver) in module.inputs().zip(inputs) {
        flat.nodes[at(port).index()].op = FlatOp::Alias(driver);
    }
    drive(flat, module, base, prefix);
    for memory in &module.memories {
        flat.memories.push(Memory {
            name: full(&memory.name),
            rows: memory.rows,
            width: memory.width,
            lanes: memory.lanes,
            collision: memory.collision,
            writes: memory.write_ports.iter().map(|w| write_port(w, at)).collect(),
            reads: memory.read_ports.iter().filter_map(|r| read_port(r, at)).collect(),
        });
    }
    for check in &module.checks {
        flat.checks.push(Check {
            kind: check.kind,
            name: full(&check.name),
            doc: check.doc.clone(),
            condition: at(check.condition),
        });
    }
    flat.scopes.push(Scope {
        signals: signals(module).map(|(kind, node)| (kind, at(node))).collect(),
        registers: first.0..flat.registers.len(),
        memories: first.1..flat.memories.len(),
        checks: first.2..flat.checks.len(),
    });
    for instance in &module.instances {
        let inputs: Vec<NetId> = instance.inputs.iter().map(|&i| at(i)).collect();
        let inner = format!("{prefix}{}.", instance.name);
        let outputs = place(flat, &instance.module, &inner, &inputs);
        for (&node, output) in instance.outputs.iter().zip(outputs) {
            flat.nodes[at(node).index()].op = FlatOp::Alias(output);
        }
    }
    module.outputs().map(at).collect()
}

/// Assigns values to the module's wires and registers.
fn drive(flat: &mut Flat, module: &Module, base: u32, prefix: &str) {
    let at = |node: NodeId| NetId(base + node.0);
    let holds = module.registers.iter().map(|r| (r.node, at(r.node)));
    let mut values: HashMap<NodeId, NetId> = holds.collect();
    Lowering { flat, module, base }.run(&module.statements, &mut values);
    for register in &module.registers {
        flat.registers.push(Register {
            name: format!("{prefix}{}", module.port_name(register.node)),
            present: at(register.node),
            next: values[&register.node],
            reset: register.reset.clone(),
        });
    }
    for (index, node) in module.nodes.iter().enumerate() {
        if matches!(node.op, Op::Wire) {
            let id = NodeId(index as u32);
            let value = values.get(&id).expect("the builder has seen a value on every path");
            flat.nodes[at(id).index()].op = FlatOp::Alias(*value);
        }
    }
}

/// The node's operator on flat ids. A node driven by statements or instances is an alias of itself for now.
fn translate(
    op: &Op,
    module: &Module,
    base: u32,
    first_register: usize,
    first_memory: usize,
) -> FlatOp {
    let at = |node: &NodeId| NetId(base + node.0);
    FlatOp::Net(match op {
        Op::Const(value) => NetOp::Const(value.clone()),
        Op::Input | Op::Wire | Op::InstanceOutput { .. } => return FlatOp::Alias(NetId(u32::MAX)),
        Op::Register(index) => NetOp::Register(first_register as u32 + index),
        Op::ReadData { memory, port } => {
            let (ports, port) = (&module.memories[*memory as usize].read_ports, *port as usize);
            let memory = first_memory as u32 + memory;
            let clocked = ports[..port].iter().filter(|port| port.enable.is_some()).count();
            match ports[port].enable {
                Some(_) => NetOp::ReadData { memory, port: clocked as u32 },
                None => NetOp::Row { memory, address: at(&ports[port].address) },
            }
        }
        Op::Unary(op, a) => NetOp::Unary(*op, at(a)),
        Op::Binary(op, a, b) => NetOp::Binary(*op, at(a), at(b)),
        Op::Mux { condition, on_true, on_false } => {
            NetOp::Mux { condition: at(condition), on_true: at(on_true), on_false: at(on_false) }
        }
        Op::Slice { from, low } => NetOp::Slice { from: at(from), low: *low },
        Op::Concat(parts) => NetOp::Concat(parts.iter().map(at).collect()),
    })
}

fn write_port(port: &ir::WritePort, at: impl Fn(NodeId) -> NetId) -> Write {
    Write {
        enable: at(port.enable),
        address: at(port.address),
        data: at(port.data),
        lanes: port.lanes.map(at),
    }
}

fn read_port(port: &ir::ReadPort, at: impl Fn(NodeId) -> NetId) -> Option<Read> {
    let enable = at(port.enable?);
    Some(Read { enable, address: at(port.address), data: Some(at(port.data)) })
}

/// The module's own named signals, without named constants.
fn signals(module: &Module) -> impl Iterator<Item = (SignalKind, NodeId)> {
    let named = |(index, node): (usize, &ir::Node)| {
        let id = NodeId(index as u32);
        let kind = match node.op {
            Op::Const(_) => return None,
            _ if module.ports.contains(&Port::Output(id)) => SignalKind::Output,
            Op::Input => SignalKind::Input,
            Op::Register(_) => SignalKind::Register,
            _ => SignalKind::Wire,
        };
        node.name.as_ref().map(|_| (kind, id))
    };
    module.nodes.iter().enumerate().filter_map(named)
}
