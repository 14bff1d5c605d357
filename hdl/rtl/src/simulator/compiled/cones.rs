//! What depends on what: the uses of nets, and what only one multiplexer's arm needs.

use std::collections::HashMap;

use crate::netlist::{NetId, NetOp, Netlist};

/// Operators that an arm alone must need for a branch to be worth it.
const WORTH_A_BRANCH: usize = 10;

/// The number of uses of each net, where names alone are no use.
pub(super) fn uses(netlist: &Netlist) -> Vec<u32> {
    let mut uses = vec![0; netlist.nets.len()];
    netlist.for_stored(|net| uses[net.index()] += 1);
    for (index, net) in netlist.nets.iter().enumerate().rev() {
        if uses[index] > 0 {
            net.op.for_operands(|operand| uses[operand.index()] += 1);
        }
    }
    uses
}

/// Of each net, whether it is a multiplexer with an arm of many operators that nothing else needs. Each is judged
/// alone: one branch for all multiplexers of a condition must hold all their values, and was no faster.
pub(super) fn branches(netlist: &Netlist, uses: &[u32]) -> Vec<bool> {
    let worth = |net: &crate::netlist::Net| match net.op {
        NetOp::Mux { on_true, on_false, .. } => {
            [on_true, on_false].into_iter().any(|arm| is_worth_a_branch(netlist, uses, arm))
        }
        _ => false,
    };
    netlist.nets.iter().map(worth).collect()
}

/// Whether only this use needs the arm and enough of what it is computed from.
fn is_worth_a_branch(netlist: &Netlist, uses: &[u32], arm: NetId) -> bool {
    if uses[arm.index()] != 1 {
        return false;
    }
    let mut seen: HashMap<NetId, u32> = HashMap::new();
    let (mut open, mut work) = (vec![arm], 0);
    while let Some(net) = open.pop() {
        let op = &netlist.net(net).op;
        // Slices and concatenations are often looked through.
        work += usize::from(op.computes() && !matches!(op, NetOp::Slice { .. } | NetOp::Concat(_)));
        if work >= WORTH_A_BRANCH {
            return true;
        }
        op.for_operands(|operand| {
            let count = seen.entry(operand).or_default();
            *count += 1;
            if *count == uses[operand.index()] {
                open.push(operand);
            }
        });
    }
    false
}
