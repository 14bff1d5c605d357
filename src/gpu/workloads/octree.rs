//! Insertions of bodies into an octree: 30,000 bodies. Its form is that of the bodies, in whatever order they come.

use super::Argument::{Buffer, Value};
use super::{Call, Paper, Program, Size, Workload, random};

const BODIES: u32 = 30_000;
/// Levels of the tree, and cells of a thread; as in the kernel.
const LEVELS: u32 = 16;
const POOL: u32 = 16;

/// BH.
pub(super) const OCTREE: Workload = Workload {
    name: "octree",
    about: "builds an octree of 30,000 bodies",
    paper: Some(Paper { name: "BH", concurrency: [2, 2, 8, 0], aborts: [93, 86, 145, 865] }),
    module: ("octree.ptx", include_str!("kernels/octree.ptx")),
    make: insertions,
};

fn insertions(size: Size) -> Program {
    let count = match size {
        Size::Paper => BODIES,
        Size::Small => BODIES / 50,
    };
    let mut bodies: Vec<[u32; 3]> = Vec::new();
    let mut known = std::collections::HashSet::new();
    for place in random(4 * count, 1 << LEVELS, 0).as_chunks::<3>().0 {
        // Two in one place are never apart.
        if bodies.len() < count as usize && known.insert(*place) {
            bodies.push(*place);
        }
    }
    let cells = 1 + count * POOL;
    let call = Call {
        kernel: "octree",
        threads: count,
        arguments: vec![Buffer(0), Buffer(1), Value(count)],
    };
    Program {
        buffers: vec![bodies.as_flattened().to_vec(), vec![0; 8 * cells as usize]],
        calls: vec![call],
        check: Box::new(move |words| {
            let all = (0..count).collect();
            check(&words[0], &words[1], 0, 0, all)
        }),
    }
}

/// A cell at a level has these bodies.
fn check(
    bodies: &[u32],
    children: &[u32],
    cell: usize,
    level: u32,
    of: Vec<u32>,
) -> Result<(), String> {
    let mut parts = vec![Vec::new(); 8];
    for body in of {
        let shift = LEVELS - 1 - level;
        let bit = |axis: usize| (bodies[3 * body as usize + axis] >> shift & 1) << axis;
        parts[(bit(0) | bit(1) | bit(2)) as usize].push(body);
    }
    for (which, part) in parts.into_iter().enumerate() {
        let child = children[8 * cell + which] as i32;
        match (&part[..], child) {
            ([], 0) => {}
            ([body], child) if child == -(*body as i32 + 1) => {}
            ([_, _, ..], 1..) if (child as usize) < children.len() / 8 => {
                check(bodies, children, child as usize, level + 1, part)?;
            }
            _ => {
                return Err(format!(
                    "child {which} of cell {cell} at level {level} is {child}; its bodies are {part:?}"
                ));
            }
        }
    }
    Ok(())
}
