//! Builds a module: ports, registers, wires, memories, instances, conditions and checks.
//!
//! Mistakes of the author (two widths that differ, a name used twice, a wire that some path leaves without a
//! value) are bugs in Rust code. They panic where they are made, naming the operands and the caller's line.

mod control;
mod memory;
mod names;
mod operators;
mod signal;

use std::cell::RefCell;
use std::panic::Location;
use std::sync::Arc;

pub use control::{Switch, When};
pub use memory::MemoryHandle;
pub(crate) use names::is_reserved;
pub use signal::{Operand, Reg, Signal, Wire};

use crate::bits::Bits;
use crate::ir::{
    Check, CheckKind, Instance, Module, ModuleData, Node, NodeId, Op, Port, Register, address_bits,
};
use control::{assigned_on_every_path, decided};
use names::Names;

use crate::semantics;

/// A module under construction.
pub struct ModuleBuilder {
    state: RefCell<State>,
}

struct State {
    data: ModuleData,
    names: Names,
    /// Open lists of statements: the module's own, then one for each open condition.
    frames: Vec<Vec<crate::ir::Statement>>,
    /// Location of each wire's declaration, for errors.
    wires: Vec<(NodeId, &'static Location<'static>)>,
}

/// An instance made by [`ModuleBuilder::instance`].
pub struct InstanceHandle<'m> {
    module: Module,
    outputs: Vec<Signal<'m>>,
}

impl<'m> InstanceHandle<'m> {
    /// The output port of that name.
    ///
    /// # Panics
    /// If the module has none.
    #[track_caller]
    pub fn output(&self, name: &str) -> Signal<'m> {
        let index = self.module.outputs().position(|node| self.module.port_name(node) == name);
        let Some(index) = index else {
            let known: Vec<_> = self.module.outputs().map(|n| self.module.port_name(n)).collect();
            panic!("module `{}` has no output `{name}`; it has {known:?}", self.module.name);
        };
        self.outputs[index]
    }
}

impl ModuleBuilder {
    /// Starts a module.
    ///
    /// # Panics
    /// If the name is not a Verilog identifier in snake_case or is a reserved word of Verilog or
    /// SystemVerilog.
    #[track_caller]
    pub fn new(name: &str) -> Self {
        names::check(name);
        let data = ModuleData {
            name: name.to_string(),
            doc: Vec::new(),
            nodes: Vec::new(),
            ports: Vec::new(),
            registers: Vec::new(),
            memories: Vec::new(),
            instances: Vec::new(),
            checks: Vec::new(),
            statements: Vec::new(),
        };
        let state = State {
            data,
            names: Names::of_module(name),
            frames: vec![Vec::new()],
            wires: Vec::new(),
        };
        Self { state: RefCell::new(state) }
    }

    /// Adds lines to the comment at the head of the module.
    pub fn describe(&self, text: &str) {
        let mut state = self.state.borrow_mut();
        state.data.doc.extend(text.lines().map(str::to_string));
    }

    /// Adds an input port.
    #[track_caller]
    pub fn input(&self, name: &str, width: u32) -> Signal<'_> {
        let signal = self.add_named(name, Op::Input, width);
        self.state.borrow_mut().data.ports.push(Port::Input(signal.id));
        signal
    }

    /// Adds an output port that carries `value`.
    #[track_caller]
    pub fn output<'m>(&'m self, name: &str, value: Signal<'m>) -> Signal<'m> {
        let port = self.output_wire(name, value.width());
        port.set(value);
        *port
    }

    /// Adds an output port that is assigned by statements.
    #[track_caller]
    pub fn output_wire(&self, name: &str, width: u32) -> Wire<'_> {
        let wire = self.wire(name, width);
        self.state.borrow_mut().data.ports.push(Port::Output(wire.id));
        wire
    }

    /// Adds a combinational value that statements assign on every path.
    #[track_caller]
    pub fn wire(&self, name: &str, width: u32) -> Wire<'_> {
        let signal = self.add_named(name, Op::Wire, width);
        self.state.borrow_mut().wires.push((signal.id, Location::caller()));
        Wire(signal)
    }

    /// Adds a register that takes `reset` when `rst` is high. It keeps its value on paths without an
    /// assignment.
    #[track_caller]
    pub fn reg(&self, name: &str, width: u32, reset: u64) -> Reg<'_> {
        self.add_register(name, width, Some(Bits::new(width, reset)))
    }

    /// Adds a register without reset; undefined at power-up.
    #[track_caller]
    pub fn reg_without_reset(&self, name: &str, width: u32) -> Reg<'_> {
        self.add_register(name, width, None)
    }

    #[track_caller]
    fn add_register(&self, name: &str, width: u32, reset: Option<Bits>) -> Reg<'_> {
        let index = self.state.borrow().data.registers.len() as u32;
        let signal = self.add_named(name, Op::Register(index), width);
        self.state.borrow_mut().data.registers.push(Register { node: signal.id, reset });
        Reg(signal)
    }

    /// A constant.
    #[track_caller]
    pub fn lit(&self, width: u32, value: u64) -> Signal<'_> {
        self.constant(Bits::new(width, value))
    }

    /// A constant of any width.
    pub fn constant(&self, value: Bits) -> Signal<'_> {
        let width = value.width();
        self.add(Op::Const(value), width)
    }

    /// A named constant, a `localparam` in Verilog, such as a state of a state machine.
    #[track_caller]
    pub fn localparam(&self, name: &str, width: u32, value: u64) -> Signal<'_> {
        self.add_named(name, Op::Const(Bits::new(width, value)), width)
    }

    /// The states of a state machine as named constants `<prefix>_<name>`, numbered from 0.
    #[track_caller]
    pub fn states<const N: usize>(&self, prefix: &str, names: [&str; N]) -> [Signal<'_>; N] {
        let width = address_bits(N as u32);
        let mut states = [None; N];
        for (i, state) in states.iter_mut().enumerate() {
            *state = Some(self.localparam(&format!("{prefix}_{}", names[i]), width, i as u64));
        }
        states.map(|state| state.expect("every state was made"))
    }

    /// Joins signals, the first the most significant.
    #[track_caller]
    pub fn concat<'m>(&'m self, parts: &[Signal<'m>]) -> Signal<'m> {
        assert!(!parts.is_empty(), "a concatenation has at least one part");
        if let [only] = parts {
            return *only;
        }
        let values: Option<Vec<Bits>> = parts.iter().map(|part| part.value()).collect();
        if let Some(values) = values {
            return self.constant(semantics::concat(&values.iter().collect::<Vec<_>>()));
        }
        let parts = self.joined(parts);
        if let [only] = parts[..] {
            return only;
        }
        let width = parts.iter().map(|p| p.width()).sum();
        self.add(Op::Concat(parts.iter().map(|p| p.id).collect()), width)
    }

    /// The parts of a concatenation, with adjacent bits of one signal merged.
    fn joined<'m>(&'m self, parts: &[Signal<'m>]) -> Vec<Signal<'m>> {
        let bits_of = |part: &Signal<'m>| match &self.state.borrow().data.nodes[part.id.index()] {
            Node { op: Op::Slice { from, low }, name: None, .. } => Some((*from, *low)),
            _ => None,
        };
        let mut joined: Vec<Signal<'m>> = Vec::new();
        for part in parts {
            let above = joined.last().and_then(|above| Some((*above, bits_of(above)?)));
            if let (Some((above, (from, low))), Some((same, below))) = (above, bits_of(part))
                && from == same
                && below + part.width == low
            {
                let width = self.state.borrow().data.nodes[from.index()].width;
                let whole = Signal { module: self, id: from, width };
                joined.pop();
                joined.push(whole.slice(below..low + above.width));
            } else {
                joined.push(*part);
            }
        }
        joined
    }

    /// Joins signals, the first the least significant: if every part is one bit,
    /// `concat_low_first(bits).bit(i)` is `bits[i]`.
    #[track_caller]
    pub fn concat_low_first<'m>(&'m self, parts: &[Signal<'m>]) -> Signal<'m> {
        let reversed: Vec<_> = parts.iter().rev().copied().collect();
        self.concat(&reversed)
    }

    /// Instantiates a module. `inputs` are given by port name, each exactly once.
    ///
    /// # Panics
    /// If an input is missing, unknown, given twice or has another width.
    #[track_caller]
    pub fn instance<'m>(
        &'m self,
        name: &str,
        module: &Module,
        inputs: &[(&str, Signal<'m>)],
    ) -> InstanceHandle<'m> {
        // Loops, not closures: a closure would hide the caller's line.
        let mut connected = Vec::new();
        for port in module.inputs() {
            let port_name = module.port_name(port);
            let mut given = inputs.iter().filter(|(n, _)| *n == port_name);
            let (Some((_, signal)), None) = (given.next(), given.next()) else {
                panic!("instance `{name}` of `{}`: give input `{port_name}` once", module.name);
            };
            let expected = module.node(port).width;
            assert!(
                signal.width() == expected,
                "instance `{name}`: input `{port_name}` of `{}` is {expected} bits, {signal} is {} bits",
                module.name,
                signal.width()
            );
            connected.push(signal.id);
        }
        if let Some((unknown, _)) =
            inputs.iter().find(|(n, _)| !module.inputs().any(|p| module.port_name(p) == *n))
        {
            panic!("instance `{name}`: module `{}` has no input `{unknown}`", module.name);
        }
        let index = self.state.borrow().data.instances.len() as u32;
        let instance_name = self.state.borrow_mut().names.take(name);
        let mut outputs: Vec<Signal<'m>> = Vec::new();
        for (port, node) in (0u32..).zip(module.outputs()) {
            let output = format!("{name}_{}", module.port_name(node));
            let op = Op::InstanceOutput { instance: index, port };
            outputs.push(self.add_named(&output, op, module.node(node).width));
        }
        self.state.borrow_mut().data.instances.push(Instance {
            name: instance_name,
            doc: None,
            module: module.clone(),
            inputs: connected,
            outputs: outputs.iter().map(|s| s.id).collect(),
        });
        InstanceHandle { module: module.clone(), outputs }
    }

    /// Asserts that `condition` is one at every clock edge without reset.
    #[track_caller]
    pub fn assert(&self, name: &str, condition: Signal<'_>, doc: &str) {
        self.check(CheckKind::Assert, name, condition, doc);
    }

    /// Assumes that the environment keeps `condition` one at every clock edge without reset.
    #[track_caller]
    pub fn assume(&self, name: &str, condition: Signal<'_>, doc: &str) {
        self.check(CheckKind::Assume, name, condition, doc);
    }

    /// Counts the clock edges without reset at which `condition` is one.
    #[track_caller]
    pub fn cover(&self, name: &str, condition: Signal<'_>, doc: &str) {
        self.check(CheckKind::Cover, name, condition, doc);
    }

    #[track_caller]
    fn check(&self, kind: CheckKind, name: &str, condition: Signal<'_>, doc: &str) {
        condition.expect_bit("a property");
        let mut state = self.state.borrow_mut();
        let name = state.names.take(name);
        let doc = doc.to_string();
        state.data.checks.push(Check { kind, name, doc, condition: condition.id });
    }

    /// Runs `body` with `prefix_` prepended to every name.
    pub fn scope<T>(&self, prefix: &str, body: impl FnOnce() -> T) -> T {
        self.state.borrow_mut().names.enter(prefix);
        let result = body();
        self.state.borrow_mut().names.leave();
        result
    }

    /// Finishes the module.
    ///
    /// # Panics
    /// If a wire has no value on some path; the message names it and the line that declared it.
    #[track_caller]
    pub fn finish(self) -> Module {
        let mut state = self.state.into_inner();
        let statements = state.frames.pop().expect("the module's own statements");
        state.data.statements = decided(statements, &state.data.nodes);
        for (wire, declared) in &state.wires {
            assert!(
                assigned_on_every_path(&state.data.statements, *wire),
                "wire `{}` of module `{}` (declared at {declared}) has no value on some path; \
                 assign a default first",
                state.data.port_name(*wire),
                state.data.name
            );
        }
        Arc::new(state.data)
    }

    fn add(&self, op: Op, width: u32) -> Signal<'_> {
        assert!(width > 0, "a signal has at least one bit");
        let mut state = self.state.borrow_mut();
        let id = NodeId(state.data.nodes.len() as u32);
        state.data.nodes.push(Node { op, width, name: None, doc: None });
        Signal { module: self, id, width }
    }

    #[track_caller]
    fn add_named(&self, name: &str, op: Op, width: u32) -> Signal<'_> {
        let name = self.state.borrow_mut().names.take(name);
        let signal = self.add(op, width);
        self.state.borrow_mut().data.nodes[signal.id.index()].name = Some(name);
        signal
    }

    fn constant_value(&self, id: NodeId) -> Option<Bits> {
        match &self.state.borrow().data.nodes[id.index()].op {
            Op::Const(value) => Some(value.clone()),
            _ => None,
        }
    }
}
