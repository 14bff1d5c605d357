//! Textures and surfaces, beside the formulas of CUDA's programming guide.

#[path = "support/kernel.rs"]
mod kernel;

use kernel::{Ended, Kernel, On, everywhere, numbers, reals};
use warpsmith::gpu::isa::{Geometry, Type};
use warpsmith::gpu::machine::LaunchError;
use warpsmith::gpu::texture::{Filter, Object, Sampler, Wrap};

/// Threads of a run.
const THREADS: usize = 96;

/// Each thread has four words in `%r0` to `%r3`, and gives those in `%r4` to `%r7`; `%rd0` and `%rd4` are handles.
fn module(instructions: &str) -> String {
    format!(
        ".version 6.4\n.target sm_70\n.address_size 64\n\
         .entry k(.param .u64 m, .param .u64 t, .param .u64 u, .param .u64 in, .param .u64 out) {{\n\
         .reg .b32 %r<16>; .reg .b64 %rd<8>; .reg .pred %p<2>;\n\
         ld.param.u64 %rd0, [t]; ld.param.u64 %rd4, [u]; ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out];\n\
         mov.u32 %r8, %tid.x; mul.wide.u32 %rd3, %r8, 16;\n\
         add.u64 %rd1, %rd1, %rd3; add.u64 %rd2, %rd2, %rd3;\n\
         ld.global.v4.u32 {{%r0, %r1, %r2, %r3}}, [%rd1];\n{instructions}\n\
         st.global.v4.u32 [%rd2], {{%r4, %r5, %r6, %r7}};\nret; }}\n"
    )
}

fn try_run(
    instructions: &str,
    on: On,
    texels: &[u8],
    objects: [Object; 2],
    words: &[[u32; 4]],
) -> Result<Ended, LaunchError> {
    let [t, u] = objects;
    let words: Vec<u32> = words.iter().flatten().copied().collect();
    Kernel::of_text("test.ptx", &module(instructions), "k")
        .buffer(texels)
        .object(t, 0)
        .object(u, 0)
        .buffer(&words)
        .buffer(&vec![9u32; words.len()])
        .try_run(on, [1, 1], [words.len() as u32 / 4, 1], 0)
}

/// The words that each thread gives.
fn given(instructions: &str, texels: &[u8], object: &Object, words: &[[u32; 4]]) -> Vec<[u32; 4]> {
    let objects = [object.clone(), object.clone()];
    let ended = try_run(instructions, On::Functional, texels, objects, words);
    let ended = ended.unwrap_or_else(|error| panic!("{error}"));
    let words = ended.buffer::<u32>(4, 4 * words.len());
    words.chunks(4).map(|chunk| chunk.try_into().expect("four")).collect()
}

fn bytes(texels: &[f32]) -> Vec<u8> {
    texels.iter().flat_map(|texel| texel.to_le_bytes()).collect()
}

/// A texture of floats, one channel, not normalized.
fn texture(axes: u8, size: [u32; 3], filter: Filter, wrap: Wrap) -> Object {
    Object {
        name: "picture".into(),
        is_surface: false,
        geometry: Geometry { axes, is_layered: false },
        size,
        layers: 1,
        ty: Type::named("f32").expect("a type"),
        channels: 1,
        sampler: Sampler { filter, wrap },
        is_normalized: false,
        reads_shares: false,
        address: 0,
    }
}

/// The texel of the guide: T[i] beyond the edges, too.
fn texel(texture: &Object, texels: &[f32], at: [i64; 3]) -> f64 {
    let mut index = 0;
    for axis in [2, 1, 0] {
        let (at, size) = (at[axis], i64::from(texture.size[axis]));
        let period = at.rem_euclid(2 * size);
        let within = match texture.sampler.wrap {
            Wrap::Repeat => at.rem_euclid(size),
            Wrap::Mirror => period.min(2 * size - 1 - period),
            Wrap::Clamp => at.max(0).min(size - 1),
            Wrap::Border if at < 0 || at >= size => return 0.0,
            Wrap::Border => at,
        };
        index = index * size + within;
    }
    texels[index as usize].into()
}

/// The guide's fetch: the sum over all corners, each along each axis with a or 1 - a in 256ths.
fn fetched(texture: &Object, texels: &[f32], at: [f32; 3]) -> f32 {
    let scale =
        |axis: usize| if texture.is_normalized { f64::from(texture.size[axis]) } else { 1.0 };
    let axes = usize::from(texture.geometry.axes);
    let places: Vec<f64> = (0..axes).map(|axis| f64::from(at[axis]) * scale(axis)).collect();
    let mut sum = 0.0;
    for corner in 0..1 << axes {
        let (mut share, mut index) = (1.0, [0; 3]);
        for axis in 0..axes {
            let is_behind = corner >> axis & 1 == 1;
            let base = places[axis] - 0.5;
            let part = ((base - base.floor()) * 256.0).round() / 256.0;
            if texture.sampler.filter == Filter::Nearest {
                index[axis] = places[axis].floor() as i64;
                share *= if is_behind { 0.0 } else { 1.0 };
            } else {
                index[axis] = base.floor() as i64 + i64::from(is_behind);
                share *= if is_behind { part } else { 1.0 - part };
            }
        }
        sum += share * texel(texture, texels, index);
    }
    sum as f32
}

/// The instruction for a geometry.
fn tex(geometry: &str, result: &str, coordinates: &str) -> String {
    let at = match geometry {
        "1d" => "%r0",
        "2d" | "a1d" => "%r0, %r1",
        _ => "%r0, %r1, %r2, %r2",
    };
    format!("tex.{geometry}.v4.{result}.{coordinates} {{%r4, %r5, %r6, %r7}}, [%rd0, {{{at}}}];")
}

#[test]
fn filters_and_edges_are_those_of_the_guide() {
    let size = [5, 3, 4];
    for seed in 1..=6 {
        for (filter, axes) in [Filter::Nearest, Filter::Linear]
            .into_iter()
            .zip([1, 2, 3].repeat(2))
            .chain([(Filter::Linear, 1), (Filter::Nearest, 2), (Filter::Linear, 3)])
        {
            for (wrap, is_normalized) in [
                (Wrap::Clamp, false),
                (Wrap::Border, false),
                (Wrap::Clamp, true),
                (Wrap::Border, true),
                (Wrap::Repeat, true),
                (Wrap::Mirror, true),
            ] {
                let used = [0, 1, 2].map(|axis| if axis < axes { size[axis] } else { 1 });
                let texture = Object { is_normalized, ..texture(axes as u8, used, filter, wrap) };
                let texels: Vec<f32> =
                    numbers(seed, 60).iter().map(|it| (it % 1000) as f32).collect();
                let texels = &texels[..used.iter().product::<u32>() as usize];
                let range = if is_normalized { 4.0 } else { 16.0 };
                let places: Vec<f32> =
                    reals(seed, 4 * THREADS).iter().map(|it| (it - 0.4) * range).collect();
                let words: Vec<[u32; 4]> =
                    places.chunks(4).map(|it| std::array::from_fn(|at| it[at].to_bits())).collect();
                let name = format!("{axes}d");
                let found = given(&tex(&name, "f32", "f32"), &bytes(texels), &texture, &words);
                for (found, at) in found.iter().zip(&words) {
                    let at = [0, 1, 2].map(|axis| f32::from_bits(at[axis]));
                    let expected = [fetched(&texture, texels, at), 0.0, 0.0, 1.0];
                    let found = found.map(f32::from_bits);
                    assert_eq!(found, expected, "seed {seed}, {texture:?} at {at:?}");
                }
            }
        }
    }
}

#[test]
fn integers_count_texels_and_are_not_filtered() {
    let texels: Vec<f32> = (0..12).map(|it| it as f32).collect();
    let words = [
        [0, 0, 0, 0],
        [2, 1, 1, 0],
        [-1i32 as u32, 5, 0, 0],
        [i32::MAX as u32, i32::MIN as u32, 7, 0],
    ];
    for (geometry, size, layers, clamped, border) in [
        ("1d", [3, 1, 1], 1, [0, 2, 0, 2], [0, 2, 0, 0]),
        ("2d", [3, 2, 1], 1, [0, 5, 3, 2], [0, 5, 0, 0]),
        ("3d", [3, 2, 2], 1, [0, 11, 3, 8], [0, 11, 0, 0]),
        // The layer comes first, and is clamped.
        ("a1d", [3, 1, 1], 3, [0, 7, 8, 6], [0, 7, 0, 0]),
        ("a2d", [3, 2, 1], 2, [0, 10, 8, 9], [0, 10, 0, 0]),
    ] {
        let geometry_of = Geometry::named(geometry).expect("a geometry");
        for (wrap, expected) in [(Wrap::Clamp, clamped), (Wrap::Border, border)] {
            let texture = texture(geometry_of.axes, size, Filter::Linear, wrap);
            let texture = Object { geometry: geometry_of, layers, ..texture };
            let found = given(&tex(geometry, "f32", "s32"), &bytes(&texels), &texture, &words);
            let found: Vec<_> = found.iter().map(|it| f32::from_bits(it[0]) as i32).collect();
            assert_eq!(found, expected, "{geometry} {wrap:?}");
        }
    }
}

#[test]
fn texels_are_read_as_their_type_says() {
    let one = |value: f32| value.to_bits();
    let whole = texture(1, [2, 1, 1], Filter::Nearest, Wrap::Clamp);
    for (ty, channels, shares, result, texels, expected) in [
        ("u8", 4, false, "u32", &[1, 2, 3, 255][..], [1, 2, 3, 255]),
        ("s8", 2, false, "s32", &[0x80, 0x7f], [-128i32 as u32, 127, 0, 1]),
        ("u16", 1, false, "u32", &[0xff, 0xff], [65535, 0, 0, 1]),
        ("s16", 2, false, "s32", &[0xff, 0xff, 1, 0], [u32::MAX, 1, 0, 1]),
        ("u32", 1, false, "u32", &[1, 2, 3, 4], [0x0403_0201, 0, 0, 1]),
        ("s32", 1, false, "s32", &[0xff; 4], [u32::MAX, 0, 0, 1]),
        ("u8", 2, true, "f32", &[255, 51], [one(1.0), one(0.2), 0, one(1.0)]),
        ("s8", 2, true, "f32", &[0x80, 0x7f], [one(-1.0), one(1.0), 0, one(1.0)]),
        ("u16", 1, true, "f32", &[0xff, 0xff], [one(1.0), 0, 0, one(1.0)]),
        ("s16", 1, true, "f32", &[1, 0x80], [one(-1.0), 0, 0, one(1.0)]),
        ("f16", 2, false, "f32", &[0, 0x3c, 0, 0xc0], [one(1.0), one(-2.0), 0, one(1.0)]),
        // Not a number, of which all bits are kept.
        ("f32", 1, false, "f32", &[1, 2, 0xa0, 0xff], [0xffa0_0201, 0, 0, one(1.0)]),
    ] {
        let texels = texels.repeat(2);
        let ty_of = Type::named(ty).expect("a type");
        let texture = Object { ty: ty_of, channels, reads_shares: shares, ..whole.clone() };
        let found = given(&tex("1d", result, "f32"), &texels, &texture, &[[one(0.5); 4]]);
        assert_eq!(found, [expected], "{ty} {channels} {shares}");
    }
}

#[test]
fn four_texels_are_gathered_against_the_clock() {
    let texels: Vec<u8> = (0..18).collect();
    let texture = texture(2, [3, 3, 1], Filter::Nearest, Wrap::Clamp);
    let ty = Type::named("u8").expect("a type");
    let texture = Object { ty, channels: 2, ..texture };
    let gathered = |channel: &str, at: [f32; 2]| {
        let at = [at[0].to_bits(), at[1].to_bits(), 0, 0];
        let instruction =
            format!("tld4.{channel}.2d.v4.u32.f32 {{%r4, %r5, %r6, %r7}}, [%rd0, {{%r0, %r1}}];");
        given(&instruction, &texels, &texture, &[at])[0]
    };
    assert_eq!(gathered("r", [1.2, 1.2]), [6, 8, 2, 0]);
    assert_eq!(gathered("g", [1.2, 1.2]), [7, 9, 3, 1]);
    assert_eq!(gathered("r", [2.9, 2.9]), [16, 16, 16, 16]);
    assert_eq!(gathered("a", [1.0, 1.0]), [1; 4]);
}

#[test]
fn levels_and_gradients_find_the_only_level_and_queries_answer() {
    let texture = texture(2, [4, 2, 1], Filter::Nearest, Wrap::Clamp);
    let texels = bytes(&[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]);
    let at = [[2.5f32.to_bits(), 1.5f32.to_bits(), 0, 0]];
    for (name, more) in [("base.", ""), ("level.", ", %r2"), ("grad.", ", {%r2, %r2}, {%r2, %r2}")]
    {
        let instruction = format!(
            "tex.{name}2d.v4.f32.f32 {{%r4, %r5, _, _}}, [%rd0, {{%r0, %r1}}]{more}; mov.b32 %r6, 3; mov.b32 %r7, 3;"
        );
        let found = given(&instruction, &texels, &texture, &at);
        assert_eq!(found, [[6f32.to_bits(), 0, 3, 3]], "{name}");
    }
    let queries = "txq.width.b32 %r4, [%rd0]; txq.level.height.b32 %r5, [%rd0], 0;\n\
        txq.channel_data_type.b32 %r6, [%rd0]; txq.channel_order.b32 %r7, [%rd0];";
    assert_eq!(given(queries, &texels, &texture, &at), [[4, 2, 0x10de, 0x10b0]]);
}

fn surface(size: [u32; 3], axes: u8) -> Object {
    let ty = Type::named("u16").expect("a type");
    Object { is_surface: true, ty, ..texture(axes, size, Filter::Nearest, Wrap::Clamp) }
}

#[test]
fn surfaces_are_read_and_written_by_byte() {
    let texels: Vec<u8> = (0..32).collect();
    let surface = surface([4, 4, 1], 2);
    let at = |x: i32, y: i32| [x as u32, y as u32, 77, 0];
    let load = |mode: &str, at| {
        let load = format!(
            "suld.b.2d.v2.b16.{mode} {{%r4, %r5}}, [%rd0, {{%r0, %r1}}]; mov.b32 %r6, 0; mov.b32 %r7, 0;"
        );
        given(&load, &texels, &surface, &[at])[0]
    };
    assert_eq!(load("trap", at(4, 1)), [0x0d0c, 0x0f0e, 0, 0]);
    assert_eq!(load("clamp", at(100, -3)), [0x0504, 0x0706, 0, 0]);
    assert_eq!(load("zero", at(100, -3)), [0; 4]);
    let after = |instruction: &str| {
        let words = [at(4, 1), at(8, 0), at(-4, 9), at(0, 3)];
        let objects = [surface.clone(), surface.clone()];
        let ended = try_run(&format!("{instruction};"), On::Functional, &texels, objects, &words);
        ended.expect("it runs").buffer::<u32>(0, 8)
    };
    let old: Vec<u32> =
        texels.chunks(4).map(|it| u32::from_le_bytes(it.try_into().expect("four"))).collect();
    let changed = |changes: &[(usize, u32)]| {
        let mut new = old.clone();
        changes.iter().for_each(|(at, value)| new[*at] = *value);
        new
    };
    assert_eq!(after("sust.b.2d.b32.zero [%rd0, {%r0, %r1}], %r2"), changed(&[(3, 77), (6, 77)]));
    assert_eq!(
        after("sust.b.2d.b32.clamp [%rd0, {%r0, %r1}], {%r2}"),
        changed(&[(1, 77), (3, 77), (6, 77)])
    );
    assert_eq!(
        after("sured.b.add.2d.u32.zero [%rd0, {%r0, %r1}], %r2"),
        changed(&[(3, old[3] + 77), (6, old[6] + 77)])
    );
}

/// The error that stops a run.
fn stopped(instruction: &str, texture: &Object, at: [u32; 4]) -> String {
    let objects = [texture.clone(), surface([4, 4, 1], 2)];
    let error = try_run(instruction, On::Functional, &[0; 32], objects, &[at]).err();
    error.expect("it is stopped").to_string()
}

#[test]
fn wrong_uses_stop_the_kernel_with_names() {
    let texture = texture(2, [2, 2, 1], Filter::Nearest, Wrap::Clamp);
    for (instruction, words) in [
        (&*tex("1d", "f32", "f32"), &["picture is .2d, and not .1d"][..]),
        (&tex("2d", "u32", "f32"), &["picture gives .f32"]),
        (&tex("2d", "f32", "f32").replace("rd0", "rd1"), &["handle 0x1", "no texture or surface"]),
        (&tex("2d", "f32", "f32").replace("rd0", "rd4"), &["is a surface: suld"]),
        ("suld.b.2d.b32.zero %r4, [%rd0, {%r0, %r1}];", &["is a texture: tex"]),
        (
            "suld.b.2d.b32.trap %r4, [%rd4, {%r0, %r1}];",
            &["4 rows of 8 bytes", "4 bytes at [100, 0]"],
        ),
        ("suld.b.2d.b32.trap %r4, [%rd4, {%r2, %r1}];", &["not aligned to 4 bytes"]),
        ("suld.b.2d.v4.b64 {%rd5, %rd5, %rd5, %rd5}, [%rd4, {%r1, %r1}];", &["32 bytes at [0, 0]"]),
        ("txq.width.b32 %r4, [%rd1];", &["no texture or surface"]),
    ] {
        let message = stopped(instruction, &texture, [100, 0, 2, 0]);
        for word in words.iter().chain(&["test.ptx:10"]) {
            assert!(message.contains(word), "`{word}` is missing of {instruction}: {message}");
        }
    }
}

#[test]
fn every_machine_fetches_the_same() {
    let linear = texture(2, [8, 5, 1], Filter::Linear, Wrap::Border);
    let nearest = texture(2, [8, 5, 1], Filter::Nearest, Wrap::Clamp);
    let texels = bytes(&reals(1, 40));
    let words: Vec<[u32; 4]> = reals(2, 4 * THREADS)
        .chunks(4)
        .map(|it| std::array::from_fn(|at| (it[at] * 10.0 - 1.0).to_bits()))
        .collect();
    // Half of the lanes look into another texture, and one lane into none.
    let fetch = tex("2d", "f32", "f32");
    let instructions = format!(
        "setp.eq.u32 %p1, %r8, 7; @%p1 bra past; and.b32 %r9, %r8, 1; setp.eq.u32 %p0, %r9, 1;\n\
         selp.b64 %rd0, %rd4, %rd0, %p0; {fetch} mov.b32 %r10, %r4; {fetch}\n\
         add.f32 %r4, %r4, %r10; tld4.r.2d.v4.f32.f32 {{%r5, %r6, %r7, %r10}}, [%rd4, {{%r2, %r3}}];\n\
         past: bar.sync 0;"
    );
    let run = |on| {
        let ended = try_run(&instructions, on, &texels, [linear.clone(), nearest.clone()], &words);
        ended.unwrap_or_else(|error| panic!("{on:?}: {error}")).buffer::<u32>(4, 4 * THREADS)
    };
    let expected = run(On::Functional);
    assert!(expected.iter().filter(|word| **word != 0).count() > THREADS);
    everywhere(|on| assert_eq!(run(on), expected, "{on:?}"));
}

#[test]
fn every_machine_writes_surfaces_alike() {
    let surface = surface([16, 13, 1], 2);
    let words: Vec<[u32; 4]> =
        numbers(3, 4 * THREADS).chunks(4).map(|it| it.try_into().expect("four")).collect();
    // A word for each thread, counters behind them, and the word of the next thread read.
    let instructions = "and.b32 %r9, %r8, 7; shl.b32 %r9, %r9, 2; shr.u32 %r10, %r8, 3;\n\
        sust.b.2d.b32.trap [%rd0, {%r9, %r10}], %r0;\n\
        sured.b.add.2d.u32.clamp [%rd4, {%r9, 99}], %r1;\n\
        sured.b.max.2d.u32.zero [%rd4, {%r9, 99}], %r1;\n\
        bar.sync 0; xor.b32 %r9, %r9, 4;\n\
        suld.b.2d.v2.b16.zero {%r4, %r5}, [%rd4, {%r9, %r10}]; mov.b32 %r6, 0; mov.b32 %r7, 0;";
    everywhere(|on| {
        let objects = [surface.clone(), surface.clone()];
        let ended = try_run(instructions, on, &[0; 416], objects, &words);
        let ended = ended.unwrap_or_else(|error| panic!("{on:?}: {error}"));
        let mut written: Vec<u32> = words.iter().map(|words| words[0]).collect();
        let column = |at: usize| words.iter().skip(at).step_by(8).map(|words| words[1]);
        written.extend((0..8).map(|at| column(at).fold(0, u32::wrapping_add)));
        assert_eq!(ended.buffer::<u32>(0, 104), written, "{on:?}");
        for (at, halves) in ended.buffer::<u32>(4, 4 * THREADS).chunks(4).enumerate() {
            assert_eq!(halves[0] | halves[1] << 16, words[at ^ 1][0], "{on:?}");
        }
    });
}
