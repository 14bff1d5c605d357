//! Speed of drawing. By hand, optimised:
//!
//!     cargo test --release -p warpsmith-gpu --lib graphics::tests::speed -- --ignored --nocapture

use std::time::Instant;

use rand::RngExt;

use super::super::split::{Settings, System, render as render_split};
use super::super::*;
use super::frames::shaders;
use super::{pick, random};

/// A frame as large as Call of Duty 2's in table 6.3: 640 x 480, 1005 draws, 219,950 triangles. The draws are pieces of
/// surface: median 28 triangles, the largest tenth has two thirds of all.
fn large() -> Frame {
    let mut random = random(20);
    let mut frame = Frame { name: "large".to_string(), ..Frame::default() };
    let target = |name: &str, is_depth| Target {
        name: name.to_string(),
        width: 640,
        height: 480,
        is_depth,
        sampler: Sampler::default(),
    };
    frame.targets = vec![target("screen", false), target("depth", true)];
    frame.shaders = vec![shaders("colored_fragment", 4)];
    frame.commands = vec![
        Command::Target { color: 0, depth: Some(1) },
        Command::Clear { color: Some(0), depth: Some(DEPTH_MOST), stencil: Some(0) },
    ];
    let depth = Some(DepthTest { test: Function::Lequal, write: true });
    let state = State { depth, cull: Facing::Back, ..State::default() };
    for number in 0..1005u32 {
        // Pieces of side x side cells, two triangles each.
        let side = if number % 10 == 0 { 27 } else { pick(&mut random, &[2, 3, 4, 5, 8, 12]) };
        let [x, y]: [f32; 2] = [0; 2].map(|_: i32| random.random_range(-1.2f32..1.0));
        let width = random.random_range(0.01f32..0.03) * side as f32;
        let z = random.random_range(0.1f32..0.8);
        let mut floats: Vec<f32> = Vec::new();
        for at in 0..(side + 1) * (side + 1) {
            let [u, v] = [at % (side + 1), at / (side + 1)].map(|at| at as f32 / side as f32);
            let w = 1.0 + 0.2 * u;
            floats.extend([(x + u * width) * w, (y + v * width) * w, (z + 0.1 * u * v) * w, w]);
            floats.extend([u, v, 1.0 - u, 1.0]);
        }
        let mut indices: Vec<u32> = Vec::new();
        for cell in 0..side * side {
            let at = cell / side * (side + 1) + cell % side;
            let below = at + side + 1;
            let [a, b, c] = if random.random_bool(0.4) { [0, 1, 2] } else { [0, 2, 1] };
            for triangle in [[at, at + 1, below], [below, at + 1, below + 1]] {
                indices.extend([a, b, c].map(|it| triangle[it]));
            }
        }
        let bytes: Vec<u8> = floats.iter().flat_map(|it| it.to_le_bytes()).collect();
        let address = frame.add_buffer("vertices", &bytes);
        let bytes: Vec<u8> = indices.iter().flat_map(|it| it.to_le_bytes()).collect();
        let indices_at = frame.add_buffer("indices", &bytes);
        let draw = Draw {
            line: 0,
            shader: 0,
            state,
            topology: Topology::Triangles,
            streams: vec![Stream { address, floats: 8, vertices: (side + 1) * (side + 1) }],
            indices: Some(indices_at),
            first: 0,
            count: indices.len() as u32,
            parameters: [Vec::new(), Vec::new()],
            textures: Vec::new(),
            is_opaque: false,
        };
        draw.check(&frame.device).expect("indices within their buffer");
        frame.commands.push(Command::Draw(Box::new(draw)));
    }
    frame
}

#[test]
#[ignore = "a measurement, for optimised builds"]
fn frames_are_drawn_in_seconds() {
    let frame = large();
    let told = |what: &str, start: Instant, counts: &Counts| {
        let seconds = start.elapsed().as_secs_f64();
        let rate = counts.fragments as f64 / seconds / 1e6;
        println!("{what}: {seconds:.2} s, {rate:.2} M fragments/s, {counts:?}");
        seconds
    };
    let start = Instant::now();
    let alone = render(&frame).expect("a picture");
    println!("{} triangles", frame.triangles());
    told("one GPU", start, &alone.counts);
    for system in System::ALL {
        let start = Instant::now();
        let (found, _) = render_split(&frame, &Settings::new(system, 8)).expect("a picture");
        let seconds = told(system.name(), start, &found.counts);
        assert!(found.pixels == alone.pixels, "{}", system.name());
        assert!(seconds < 20.0, "{}: {seconds} s", system.name());
    }
    // Large triangles: how fast fragments are.
    let mut filled = large();
    filled.commands.truncate(2);
    let corners: Vec<f32> = [[-1.0, -1.0], [3.0, -1.0], [-1.0, 3.0]]
        .iter()
        .flat_map(|[x, y]| [*x, *y, 0.5, 1.0, *x, *y, 0.5, 1.0])
        .collect();
    let bytes: Vec<u8> = corners.iter().flat_map(|it| it.to_le_bytes()).collect();
    let address = filled.add_buffer("vertices", &bytes);
    let Some(draw) = frame.draws().next() else { panic!("a draw") };
    let stream = Stream { address, floats: 8, vertices: 3 };
    let state = State { cull: Facing::None, ..draw.state };
    let draw = Draw { streams: vec![stream], indices: None, count: 3, state, ..draw.clone() };
    filled.commands.extend(vec![Command::Draw(Box::new(draw)); 20]);
    let start = Instant::now();
    let picture = render(&filled).expect("a picture");
    assert_eq!(picture.counts.fragments, 20 * 640 * 480);
    told("filled", start, &picture.counts);
}
