//! The tree of scopes in the dotted names of signals.

use std::collections::HashMap;

use crate::netlist::SignalKind;
use crate::simulator::{SignalId, Simulator};

/// A line of the tree.
pub(super) enum Item<'a> {
    /// Enters a module or an instance.
    Scope(&'a str),
    /// Leaves the last scope.
    Up,
    /// A signal and its trace. Each new trace has the next number.
    Signal { name: &'a str, width: u32, kind: SignalKind, trace: usize },
}

/// The tree, and a signal for each trace but trace 0, which is `clk`.
pub(super) fn hierarchy(simulator: &Simulator) -> (Vec<Item<'_>>, Vec<SignalId>) {
    let netlist = simulator.netlist();
    let clk = Item::Signal { name: "clk", width: 1, kind: SignalKind::Input, trace: 0 };
    let mut items = vec![Item::Scope(&netlist.name), clk];
    let mut signals = Vec::new();
    let mut trace_of = HashMap::new();
    let mut open: Vec<&str> = Vec::new();
    for (id, signal) in simulator.signal_ids().zip(simulator.signals()) {
        let mut path: Vec<&str> = signal.name.split('.').collect();
        let name = path.pop().expect("a name has a last part");
        let common = open.iter().zip(&path).take_while(|(a, b)| a == b).count();
        items.extend(open.drain(common..).map(|_| Item::Up));
        items.extend(path[common..].iter().map(|scope| Item::Scope(scope)));
        open.extend(&path[common..]);
        let trace = *trace_of.entry(signal.net).or_insert_with(|| {
            signals.push(id);
            signals.len()
        });
        items.push(Item::Signal { name, width: signal.width, kind: signal.kind, trace });
    }
    items.extend(open.iter().map(|_| Item::Up));
    items.push(Item::Up);
    (items, signals)
}
