//! Where diverging lanes meet again: the immediate post-dominator of each branch.

use petgraph::algo::dominators::simple_fast;
use petgraph::graph::DiGraph;
use petgraph::visit::Reversed;

use super::operation::{Instruction, Operation};
use super::program::NOWHERE;

/// Fills in [`Operation::Branch::reconverge`] in the code of one function, whose first
/// instruction has the index `base`.
pub(super) fn fill_in(code: &mut [Instruction], base: u32) {
    let mut graph = DiGraph::<(), ()>::with_capacity(code.len() + 1, code.len() * 2);
    let nodes: Vec<_> = (0..=code.len()).map(|_| graph.add_node(())).collect();
    let end = nodes[code.len()];
    for (at, instruction) in code.iter().enumerate() {
        let falls_through = match &instruction.operation {
            Operation::Branch { target, .. } => {
                graph.add_edge(nodes[at], nodes[(target - base) as usize], ());
                instruction.guard.is_some()
            }
            Operation::Return | Operation::Exit | Operation::Trap => {
                graph.add_edge(nodes[at], end, ());
                instruction.guard.is_some()
            }
            _ => true,
        };
        if falls_through {
            graph.add_edge(nodes[at], nodes[at + 1], ());
        }
    }
    let dominators = simple_fast(Reversed(&graph), end);
    for (at, instruction) in code.iter_mut().enumerate() {
        if let Operation::Branch { reconverge, .. } = &mut instruction.operation {
            // A branch within an endless loop has none.
            let meets = dominators.immediate_dominator(nodes[at]);
            *reconverge = meets
                .filter(|node| *node != end)
                .map_or(NOWHERE, |node| base + node.index() as u32);
        }
    }
}
