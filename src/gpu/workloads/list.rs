//! A queue of transactions: loads from the head of a list to one of its 8 nodes, which is incremented.

use super::Argument::{Buffer, Value};
use super::{Call, Program, Size, Workload, compare, random};

const NODES: u32 = 8;
/// Words from one node to the next, so that they share no granule.
const APART: usize = 8;

/// Not of the paper.
pub(super) const LIST: Workload = Workload {
    name: "list",
    about: "increments a node of a list behind loads of all before it",
    paper: None,
    module: ("list.ptx", include_str!("kernels/list.ptx")),
    make: increments,
};

fn increments(size: Size) -> Program {
    let threads = match size {
        Size::Paper => 480,
        Size::Small => 64,
    };
    let lasts = random(threads, NODES, 0);
    let mut expected = vec![0; APART * NODES as usize];
    lasts.iter().for_each(|last| expected[APART * *last as usize] += 1);
    let call = Call {
        kernel: "list",
        threads,
        arguments: vec![Buffer(0), Buffer(1), Buffer(2), Value(threads)],
    };
    Program {
        buffers: vec![lasts, vec![0; expected.len()], vec![0]],
        calls: vec![call],
        check: Box::new(move |words| compare("nodes", &words[1], &expected)),
    }
}
