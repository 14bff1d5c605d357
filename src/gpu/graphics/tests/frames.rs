//! Random frames: few depths, every operator, function, mask and stencil operation, targets that are sampled later.

use std::path::Path;
use std::sync::OnceLock;

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::super::*;
use super::pick;
use crate::isa::Module;

/// Wide enough for tiles of all GPUs.
const SIDES: [u32; 2] = [264, 200];

/// Shaders of `colored.cu`.
pub(super) fn shaders(fragment: &str, varyings: usize) -> Shaders {
    static TEXT: OnceLock<String> = OnceLock::new();
    let text = TEXT.get_or_init(|| {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/frames/colored.ptx");
        std::fs::read_to_string(Path::new(path)).expect("a module")
    });
    let module = Module::parse("colored.ptx", text).expect("PTX");
    Shaders {
        name: fragment.to_string(),
        vertex: Shader::new(&module, "clip_vertex").expect("a vertex shader"),
        fragment: Shader::new(&module, fragment).expect("a fragment shader"),
        varyings,
    }
}

fn depth_test(random: &mut Xoshiro256PlusPlus) -> Option<DepthTest> {
    let test = pick(random, &Function::ALL);
    let write = random.random_range(0..3) > 0;
    random.random_bool(0.85).then_some(DepthTest { test, write })
}

fn stencil_test(random: &mut Xoshiro256PlusPlus) -> StencilTest {
    let reads = random.random_bool(0.5);
    let mut change =
        || if reads { StencilOperation::Keep } else { pick(random, &StencilOperation::ALL) };
    let [fail, depth_fail, pass] = [change(), change(), change()];
    StencilTest {
        test: pick(random, &Function::ALL),
        reference: random.random_range(0..4),
        read_mask: pick(random, &[255, 3, 1]),
        write_mask: pick(random, &[255, 3, 2]),
        fail,
        depth_fail,
        pass,
    }
}

fn blend(random: &mut Xoshiro256PlusPlus) -> Blend {
    if random.random_bool(0.4) {
        return Blend::OVER;
    }
    let mut equation = || Equation {
        source: pick(random, &Factor::ALL),
        target: pick(random, &Factor::ALL),
        operator: pick(random, &Operator::ALL),
    };
    let [color, alpha] = [equation(), equation()];
    Blend { color, alpha, constant: random.random() }
}

fn state(random: &mut Xoshiro256PlusPlus) -> State {
    let mut state = State {
        depth: depth_test(random),
        cull: pick(random, &[Facing::None, Facing::None, Facing::Back, Facing::Front]),
        ..State::default()
    };
    if random.random_bool(0.45) {
        state.blend = Some(blend(random));
        if let Some(depth) = &mut state.depth {
            depth.write = random.random_bool(0.15);
        }
    } else if random.random_bool(0.05) {
        state.logic = Some(pick(random, &[Logic::Xor, Logic::OrReverse, Logic::Copy]));
    }
    if random.random_bool(0.2) {
        state.stencil = Some(stencil_test(random));
    }
    if random.random_bool(0.15) {
        state.mask = Mask::named(pick(random, &["rgb", "ga", "a", ""])).expect("a mask");
    }
    state
}

/// Vertices of a draw: positions in clip space and colours. Triangles are flat, at one of few depths.
fn vertices(random: &mut Xoshiro256PlusPlus, triangles: u32, opaque: bool) -> Vec<f32> {
    let mut floats = Vec::new();
    for _ in 0..triangles {
        let z = pick(random, &[0.25, 0.375, 0.5, 0.5, 0.625]);
        let size = pick(random, &[0.05, 0.2, 0.8]);
        let centre: [f32; 2] = [0; 2].map(|_: i32| random.random_range(-1.1..1.1));
        let w = pick(random, &[1.0, 1.0, 2.0]);
        for _ in 0..3 {
            let position = centre.map(|at| (at + random.random_range(-size..size)) * w);
            floats.extend(position);
            floats.extend([z * w, w]);
            floats.extend([0; 3].map(|_: i32| random.random_range(0.0f32..1.1)));
            floats.push(if opaque { 1.0 } else { random.random_range(0.0..1.0) });
        }
    }
    floats
}

/// A frame; each seed gives another.
pub(super) fn frame(random: &mut Xoshiro256PlusPlus) -> Frame {
    frame_of(random, &[0, 0, 1, 2])
}

/// A frame whose draws have some of the shaders: plain, dropping, textured.
pub(super) fn frame_of(random: &mut Xoshiro256PlusPlus, of: &[usize]) -> Frame {
    let mut frame = Frame { name: "random".to_string(), ..Frame::default() };
    let target = |name: &str, is_depth| Target {
        name: name.to_string(),
        width: SIDES[0],
        height: SIDES[1],
        is_depth,
        sampler: Sampler { filter: Filter::Linear, wrap: Wrap::Clamp },
    };
    frame.targets = vec![
        target("screen", false),
        target("depth", true),
        target("other", false),
        target("other_depth", true),
    ];
    let texels: Vec<u8> = (0..64).map(|_| random.random()).collect();
    let sampler = Sampler { filter: Filter::Linear, wrap: Wrap::Repeat };
    frame.textures =
        Texture::new([4, 4], Format::Rgba8, &texels, true, sampler).into_iter().collect();
    frame.shaders = ["colored_fragment", "dropping_fragment", "textured_fragment"]
        .map(|name| shaders(name, 4))
        .into();
    let mut attached = 0;
    frame.commands.push(Command::Target { color: 0, depth: Some(1) });
    let depth = pick(random, &[DEPTH_MOST, DEPTH_MOST, DEPTH_MOST / 2, 0]);
    let color = Some(random.random());
    frame.commands.push(Command::Clear { color, depth: Some(depth), stencil: Some(1) });
    for _ in 0..random.random_range(3..8) {
        match random.random_range(0..10) {
            0 | 1 => {
                attached = 2 - attached;
                let (color, depth) = (attached, Some(attached + 1));
                frame.commands.push(Command::Target { color, depth });
            }
            2 => {
                let depth = random.random_bool(0.7).then_some(DEPTH_MOST);
                let color = random.random_bool(0.5).then(|| random.random());
                let stencil = random.random_bool(0.5).then_some(2);
                frame.commands.push(Command::Clear { color, depth, stencil });
            }
            3 => {
                let [width, height] = SIDES.map(|side| side - random.random_range(0..60));
                frame.commands.push(Command::Viewport(Viewport {
                    x: 9,
                    y: 30,
                    width,
                    height: height - 30,
                }));
            }
            _ => {}
        }
        draws(random, &mut frame, attached, of);
    }
    frame.picture = attached;
    frame
}

/// Some draws, mostly with one state.
fn draws(random: &mut Xoshiro256PlusPlus, frame: &mut Frame, attached: usize, of: &[usize]) {
    let mut state = state(random);
    let shader = pick(random, of);
    for _ in 0..random.random_range(2..24) {
        let over = state.blend == Some(Blend::OVER);
        let is_opaque = over && shader == 0 && random.random_bool(0.1);
        let triangles = random.random_range(0..12);
        let floats = vertices(random, triangles, is_opaque);
        let bytes: Vec<u8> = floats.iter().flat_map(|float| float.to_le_bytes()).collect();
        let address = frame.add_buffer("vertices", &bytes);
        let texture = match random.random() {
            true => Binding::Texture(0),
            false => Binding::Target(2 - attached),
        };
        frame.commands.push(Command::Draw(Box::new(Draw {
            line: frame.commands.len(),
            shader,
            state,
            topology: pick(random, &[Topology::Triangles, Topology::Triangles, Topology::Strip]),
            streams: vec![Stream { address, floats: 8, vertices: 3 * triangles }],
            indices: None,
            first: 0,
            count: 3 * triangles,
            parameters: [Vec::new(), Vec::new()],
            textures: vec![texture],
            is_opaque,
        })));
        // Changes that groups must notice, one at a time.
        match random.random_range(0..40) {
            0 => state.blend = Some(blend(random)).filter(|_| state.logic.is_none()),
            1 => state.depth = state.depth.map(|it| DepthTest { write: !it.write, ..it }),
            2 => state.stencil = Some(stencil_test(random)),
            3 => state.mask = Mask(state.mask.0 ^ 0xff),
            _ => {}
        }
    }
}
