//! One GPU's pictures against a reference that knows no batches, quads, tiles or warps: pixel by pixel, each triangle of
//! each draw in order. Coverage, tests and blending are stated in another way; the frames' triangles are flat.

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::super::*;
use super::frames;
use super::output::factor;
use super::raster::{covers, twice_area};

struct Targets {
    words: Vec<Vec<u32>>,
    attached: [usize; 2],
    viewport: Viewport,
    width: u32,
}

fn floats(frame: &Frame, draw: &Draw, vertex: u32) -> [f32; 8] {
    let address = draw.streams[0].address + 32 * u64::from(vertex);
    let bytes = frame.device.get(address, 32).expect("a vertex");
    std::array::from_fn(|at| {
        f32::from_le_bytes(bytes[4 * at..4 * at + 4].try_into().expect("a float"))
    })
}

fn passes(function: Function, new: u32, stored: u32) -> bool {
    let name = format!("{function:?}");
    let by_order = match new.cmp(&stored) {
        std::cmp::Ordering::Less => ["Less", "Lequal", "Notequal", "Always"],
        std::cmp::Ordering::Equal => ["Equal", "Lequal", "Gequal", "Always"],
        std::cmp::Ordering::Greater => ["Greater", "Gequal", "Notequal", "Always"],
    };
    by_order.contains(&name.as_str())
}

fn changed(operation: StencilOperation, old: u32, reference: u32) -> u32 {
    match format!("{operation:?}").as_str() {
        "Keep" => old,
        "Zero" => 0,
        "Replace" => reference,
        "Incr" => (old + 1).min(255),
        "Decr" => old.max(1) - 1,
        "Invert" => 255 - old,
        "IncrWrap" => (old + 1) % 256,
        _ => (old + 255) % 256,
    }
}

/// The word of D24S8 afterwards, and whether a fragment passes.
fn tested(state: &State, depth: u32, word: u32) -> (u32, bool) {
    let (stored, stencil) = (word / 256, word % 256);
    let nearer = state.depth.is_none_or(|it| passes(it.test, depth, stored));
    let (mut new, mut through) = (stencil, true);
    if let Some(it) = state.stencil {
        let reference = u32::from(it.reference);
        let [read, write] = [it.read_mask, it.write_mask].map(u32::from);
        through = passes(it.test, reference & read, stencil & read);
        let operation = if !through {
            it.fail
        } else if nearer {
            it.pass
        } else {
            it.depth_fail
        };
        new = stencil & (255 - write) | changed(operation, stencil, reference) & write;
    }
    let written = nearer && through && state.depth.is_some_and(|it| it.write);
    (if written { depth } else { stored } * 256 + new, nearer && through)
}

fn blended(state: &State, source: u32, target: u32) -> u32 {
    let [s, d] = [source, target].map(|it| it.to_le_bytes().map(i32::from));
    let channel = |at: usize| {
        if state.mask.0 >> (8 * at) & 1 == 0 {
            return d[at];
        }
        if let Some(logic) = state.logic {
            return match logic {
                Logic::Xor => s[at] ^ d[at],
                Logic::OrReverse => s[at] | (255 - d[at]),
                _ => s[at],
            };
        }
        let Some(blend) = state.blend else { return s[at] };
        let equation = if at == 3 { blend.alpha } else { blend.color };
        let c = blend.constant.map(i32::from);
        let [fs, fd] = [equation.source, equation.target].map(|it| factor(it, at, s, d, c));
        let sum = match equation.operator {
            Operator::Add => s[at] * fs + d[at] * fd,
            Operator::Subtract => s[at] * fs - d[at] * fd,
            Operator::ReverseSubtract => d[at] * fd - s[at] * fs,
            Operator::Min => return s[at].min(d[at]),
            Operator::Max => return s[at].max(d[at]),
        };
        (sum + 127).div_euclid(255).clamp(0, 255)
    };
    u32::from_le_bytes([0, 1, 2, 3].map(|at| channel(at) as u8))
}

impl Targets {
    fn draw(&mut self, frame: &Frame, draw: &Draw) {
        let strip = draw.topology == Topology::Strip;
        for at in 0..if strip { draw.count.max(2) - 2 } else { draw.count / 3 } {
            let vertices = match (strip, at % 2) {
                (false, _) => [3 * at, 3 * at + 1, 3 * at + 2],
                (true, 0) => [at, at + 1, at + 2],
                (true, _) => [at, at + 2, at + 1],
            };
            self.triangle(draw, &vertices.map(|vertex| floats(frame, draw, vertex)));
        }
    }

    fn triangle(&mut self, draw: &Draw, vertices: &[[f32; 8]; 3]) {
        let Viewport { x, y, width, height } = self.viewport;
        let placed = vertices.map(|it| {
            let [px, py, pz, w] = [it[0], it[1], it[2], it[3]].map(f64::from);
            let along = |value: f64, from: u32, size: u32| {
                let [from, half] = [f64::from(from), f64::from(size) / 2.0];
                ((value / w * half + (from + half)) * 256.0).round_ties_even() as i64
            };
            let depth = (pz / w * 16_777_215.0).round_ties_even() as u32;
            Placed { x: along(px, x, width), y: along(py, y, height), depth, inverse_w: 1.0 / w }
        });
        let area = twice_area(&placed);
        let faces = match draw.state.cull {
            Facing::None => true,
            // Against the clock, with y downwards.
            Facing::Back => area < 0,
            Facing::Front => area > 0,
            Facing::Both => false,
        };
        let Some(setup) = Setup::new(&placed).filter(|_| faces && area != 0) else { return };
        let is_flat = placed.iter().all(|it| it.depth == placed[0].depth);
        for row in y..(y + height).min(self.words[0].len() as u32 / self.width) {
            for column in x..(x + width).min(self.width) {
                let [column, row] = [column, row].map(i64::from);
                if !covers(&placed, column, row) {
                    continue;
                }
                let weights = setup.weights(column, row);
                let depth = if is_flat { placed[0].depth } else { setup.depth(weights) };
                let rgba = [0, 1, 2, 3].map(|at| {
                    let over_w =
                        [0, 1, 2].map(|it| f64::from(vertices[it][4 + at]) * setup.inverse_w[it]);
                    varying(weights.map(|it| it as f64), setup.inverse_w, over_w)
                });
                self.fragment(draw, (row * i64::from(self.width) + column) as usize, depth, rgba);
            }
        }
    }

    fn fragment(&mut self, draw: &Draw, at: usize, depth: u32, rgba: [f32; 4]) {
        // `dropping_fragment`
        if draw.shader == 1 && rgba[0] < 0.5 {
            return;
        }
        let [color, depths] = self.attached;
        let (word, passes) = tested(&draw.state, depth, self.words[depths][at]);
        self.words[depths][at] = word;
        if passes {
            let byte = |value: f32| (f64::from(value).clamp(0.0, 1.0) * 255.0).round() as u8;
            let source = u32::from_le_bytes(rgba.map(byte));
            self.words[color][at] = blended(&draw.state, source, self.words[color][at]);
        }
    }
}

fn drawn(frame: &Frame) -> Vec<u32> {
    let Target { width, height, .. } = frame.targets[0];
    let pixels = (width * height) as usize;
    let whole = Viewport { x: 0, y: 0, width, height };
    let words =
        frame.targets.iter().map(|it| vec![if it.is_depth { 0xffff_ff00 } else { 0 }; pixels]);
    let mut all = Targets { words: words.collect(), attached: [0, 1], viewport: whole, width };
    for command in &frame.commands {
        match command {
            Command::Target { color, depth } => {
                (all.attached, all.viewport) = ([*color, depth.expect("one")], whole);
            }
            Command::Viewport(viewport) => all.viewport = *viewport,
            Command::Clear { color, depth, stencil } => {
                let [colors, depths] = all.attached;
                all.words[colors].iter_mut().for_each(|it| *it = color.unwrap_or(*it));
                for word in &mut all.words[depths] {
                    let (far, mark) =
                        (depth.unwrap_or(*word / 256), stencil.map_or(*word % 256, u32::from));
                    *word = far * 256 + mark;
                }
            }
            Command::Draw(draw) => all.draw(frame, draw),
            _ => {}
        }
    }
    all.words.swap_remove(frame.picture)
}

fn agree(frames: u64, first: u64) {
    println!("seeds {first} and those that follow");
    for seed in first..first + frames {
        assert_eq!(differs(seed), None, "seed {seed}: the first pixel that differs");
    }
}

/// The first pixel of a random frame that differs.
pub(super) fn differs(seed: u64) -> Option<usize> {
    let frame = frames::frame_of(&mut Xoshiro256PlusPlus::seed_from_u64(seed), &[0, 1]);
    let found = render(&frame).expect("a picture").pixels;
    let expected = drawn(&frame);
    found.iter().zip(&expected).position(|(found, expected)| found != expected)
}

#[test]
fn pictures_are_those_of_the_reference() {
    agree(6, 1);
}

#[test]
#[ignore = "minutes"]
fn three_hundred_pictures_are_those_of_the_reference() {
    agree(300, 100);
}
