//! Segmentation of an image by a graph cut, with pushes and raises of a preflow: 200 x 150 pixels, the first rounds.

use std::collections::VecDeque;

use super::Argument::{Buffer, Value};
use super::{Call, Paper, Program, Size, Workload, random};

/// CC.
pub(super) const GRAPH_CUT: Workload = Workload {
    name: "graph_cut",
    about: "segments an image of 200 x 150 pixels: 8 rounds of a maximum flow",
    paper: Some(Paper { name: "CC", concurrency: [0; 4], aborts: [6, 5, 1, 38] }),
    module: ("graph_cut.ptx", include_str!("kernels/graph_cut.ptx")),
    make: cut,
};

/// A graph: for each pixel what comes from the source, or negative, what goes to the sink; and the capacities to its
/// right, left, lower and upper neighbour.
#[derive(Clone)]
struct Graph {
    width: usize,
    height: usize,
    excesses: Vec<i32>,
    capacities: Vec<i32>,
}

fn cut(size: Size) -> Program {
    // The small one goes on until all flow is where it can go.
    let (width, height, rounds, ends) = match size {
        Size::Paper => (200, 150, 8, false),
        Size::Small => (10, 6, 150, true),
    };
    let pixels = width * height;
    let noise = random(pixels, 40, 0);
    let excess = |at: u32| {
        // Two quarters, across from each other, belong together.
        let is_object = (at % width < width / 2) == (at / width < height / 2);
        noise[at as usize] as i32 - if is_object { 8 } else { 30 }
    };
    let capacity = |(at, noise): (usize, &u32)| {
        let (pixel, neighbour) = (at as u32 / 4, at % 4);
        let (x, y) = (pixel % width, pixel / width);
        let there = [x + 1 < width, x > 0, y + 1 < height, y > 0][neighbour];
        if there { *noise as i32 + 1 } else { 0 }
    };
    let graph = Graph {
        width: width as usize,
        height: height as usize,
        excesses: (0..pixels).map(excess).collect(),
        capacities: random(4 * pixels, 20, 1).iter().enumerate().map(capacity).collect(),
    };
    let words = |values: &[i32]| values.iter().map(|value| *value as u32).collect::<Vec<_>>();
    let nothing = vec![0; pixels as usize];
    let buffers = vec![
        words(&graph.excesses),
        words(&graph.capacities),
        nothing.clone(),
        nothing.clone(),
        nothing,
    ];
    let mut calls = Vec::new();
    for round in 0..rounds {
        let (levels, raised) = (Buffer(2 + round % 2), Buffer(3 - round % 2));
        let size = [Value(width), Value(height)];
        let call = |kernel, with: [_; 2]| Call {
            kernel,
            threads: pixels,
            arguments: [&[Buffer(0), Buffer(1)][..], &with, &size].concat(),
        };
        calls.push(call("raise", [levels, raised]));
        calls.push(call("push", [raised, Buffer(4)]));
    }
    let check = move |words: &[Vec<u32>]| {
        let signed = |words: &[u32]| words.iter().map(|word| *word as i32).collect::<Vec<_>>();
        graph.check(&signed(&words[0]), &signed(&words[1]), ends)
    };
    Program { buffers, calls, check: Box::new(check) }
}

impl Graph {
    /// The neighbours of a pixel, with their direction.
    fn neighbours(&self, pixel: usize) -> impl Iterator<Item = (usize, usize)> + use<> {
        let (x, y, width) = (pixel % self.width, pixel / self.width, self.width);
        let right = (x + 1 < width).then_some((0, pixel + 1));
        let left = (x > 0).then(|| (1, pixel - 1));
        let down = (y + 1 < self.height).then_some((2, pixel + width));
        let up = (y > 0).then(|| (3, pixel - width));
        [right, left, down, up].into_iter().flatten()
    }

    /// Excesses and capacities are those after a flow that breaks none; if it is to have come to its end, it is the
    /// greatest.
    fn check(&self, excesses: &[i32], capacities: &[i32], ends: bool) -> Result<(), String> {
        for (pixel, excess) in self.excesses.iter().enumerate() {
            let mut must_be = *excess;
            for (direction, neighbour) in self.neighbours(pixel) {
                let (to, back) = (4 * pixel + direction, 4 * neighbour + (direction ^ 1));
                let both = |of: &[i32]| of[to] + of[back];
                if both(capacities) != both(&self.capacities) || capacities[to] < 0 {
                    return Err(format!(
                        "the capacities between pixels {pixel} and {neighbour} are {} and {}",
                        capacities[to], capacities[back]
                    ));
                }
                must_be += capacities[to] - self.capacities[to];
            }
            if excesses[pixel] != must_be {
                let found = excesses[pixel];
                return Err(format!(
                    "pixel {pixel} has the excess {found}; its flow leaves {must_be}"
                ));
            }
            if excesses[pixel] < *excess.min(&0) {
                return Err(format!("pixel {pixel} has sent on more than it got"));
            }
        }
        let to_sink = |of: &[i32]| of.iter().map(|excess| i64::from(-excess.min(&0))).sum::<i64>();
        let flow = to_sink(&self.excesses) - to_sink(excesses);
        let greatest = if ends { self.clone().greatest_flow() } else { flow };
        match flow == greatest {
            true => Ok(()),
            false => Err(format!("{flow} flow to the sink; the greatest flow is {greatest}")),
        }
    }

    /// The greatest flow from pixels with an excess to those that lack, along shortest ways (Edmonds and Karp).
    fn greatest_flow(mut self) -> i64 {
        let mut flow = 0;
        while let Some(way) = self.shortest_way() {
            let (Some(first), Some(last)) = (way.first(), way.last()) else { break };
            let (source, target) = (first.0, self.target(*last));
            let least = way.iter().map(|(pixel, direction)| self.capacities[4 * pixel + direction]);
            let most = self.excesses[source].min(-self.excesses[target]);
            let most = least.fold(most, i32::min);
            for (pixel, direction) in &way {
                let neighbour = self.target((*pixel, *direction));
                self.capacities[4 * pixel + direction] -= most;
                self.capacities[4 * neighbour + (direction ^ 1)] += most;
            }
            self.excesses[source] -= most;
            self.excesses[target] += most;
            flow += i64::from(most);
        }
        flow
    }

    fn target(&self, (pixel, direction): (usize, usize)) -> usize {
        match direction {
            0 => pixel + 1,
            1 => pixel - 1,
            2 => pixel + self.width,
            _ => pixel - self.width,
        }
    }

    /// The shortest way with room, as pixels and directions.
    fn shortest_way(&self) -> Option<Vec<(usize, usize)>> {
        let mut came: Vec<Option<(usize, usize)>> = vec![None; self.excesses.len()];
        let is_source = |pixel: &usize| self.excesses[*pixel] > 0;
        let mut next: VecDeque<_> = (0..self.excesses.len()).filter(is_source).collect();
        while let Some(pixel) = next.pop_front() {
            if self.excesses[pixel] < 0 {
                let mut way: Vec<(usize, usize)> = Vec::new();
                let mut at = pixel;
                while let Some(step) = came[at] {
                    way.push(step);
                    at = step.0;
                }
                way.reverse();
                return Some(way);
            }
            for (direction, neighbour) in self.neighbours(pixel) {
                let is_new = came[neighbour].is_none() && !is_source(&neighbour);
                if is_new && self.capacities[4 * pixel + direction] > 0 {
                    came[neighbour] = Some((pixel, direction));
                    next.push_back(neighbour);
                }
            }
        }
        None
    }
}
