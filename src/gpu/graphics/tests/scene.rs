//! Frames from files.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::super::{Command, Frame, FrameError, load, render};

fn folder() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/frames"))
}

fn scene() -> Frame {
    load(&folder().join("scene.frame.toml")).expect("a frame")
}

#[test]
fn the_scene_is_the_recorded_picture() {
    let picture = render(&scene()).expect("a picture");
    let path = folder().join("scene.png");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, picture.png()).expect("written");
    }
    let decoder =
        png::Decoder::new(std::io::BufReader::new(std::fs::File::open(path).expect("a file")));
    let mut reader = decoder.read_info().expect("PNG");
    let mut pixels = vec![0; reader.output_buffer_size().expect("a size")];
    reader.next_frame(&mut pixels).expect("pixels");
    let found: Vec<u8> = picture.pixels.iter().flat_map(|pixel| pixel.to_le_bytes()).collect();
    let differ = found.chunks(4).zip(pixels.chunks(4)).filter(|(a, b)| a != b).count();
    assert_eq!((found.len(), differ), (pixels.len(), 0));
    let counts = picture.counts;
    assert_eq!(counts.triangles, 2 * 2304 + 2 + 18 + 6);
    let rest =
        [counts.not_finite, counts.outside, counts.degenerate, counts.culled, counts.dropped];
    assert_eq!(counts.rasterized, counts.triangles - rest.iter().sum::<u64>());
    assert_eq!(counts.written, counts.fragments - counts.failed - counts.discarded);
    assert!(counts.discarded > 0 && counts.culled > 2000 && counts.failed > 0, "{counts:?}");
}

#[test]
fn parts_of_the_scene_have_the_colours_that_are_expected() {
    let mut frame = scene();
    // Without its last command there is no glass; nothing else changes beside it.
    let whole = render(&frame).expect("a picture");
    frame.commands.pop();
    let bare = render(&frame).expect("a picture");
    let at = |x: usize, y: usize| y * 320 + x;
    assert_eq!(whole.pixels[at(5, 5)].to_le_bytes(), [120, 170, 220, 255]);
    assert_eq!(whole.pixels[at(160, 100)], bare.pixels[at(160, 100)]);
    // The blue pane before the sky: 0.4 of (51, 77, 255) and 0.6 of the sky.
    assert_eq!(bare.pixels[at(310, 60)].to_le_bytes(), [120, 170, 220, 255]);
    assert_eq!(whole.pixels[at(310, 60)].to_le_bytes(), [92, 133, 234, 255]);
}

/// Loads the scene's text with a part replaced; the line and the message.
fn refused(from: &str, to: &str) -> (usize, String) {
    let text = std::fs::read_to_string(folder().join("scene.frame.toml")).expect("the scene");
    assert!(text.contains(from), "{from}");
    let name = format!(
        ".refused-{:x}.frame.toml",
        from.len() * 31 + to.len() * 7 + to.bytes().map(usize::from).sum::<usize>()
    );
    let path = folder().join(name);
    std::fs::write(&path, text.replacen(from, to, 1)).expect("written");
    let found = load(&path);
    std::fs::remove_file(&path).expect("removed");
    let FrameError { file, line, what } = found.expect_err("a fault");
    assert_eq!(PathBuf::from(file), path);
    (line, what)
}

#[test]
fn faults_are_told_with_their_line_and_what_is_accepted() {
    let mut wrong = Vec::new();
    for (from, to, line, expected) in [
        ("width = 256", "width = 0", 4, "0x192: sides of 1 to 8192 are accepted"),
        ("width = 256", "width = 9000", 4, "9000x192: sides of 1 to 8192"),
        ("width = 256", "witdh = 256", 6, "unknown field `witdh`"),
        ("format = \"d24s8\"", "format = \"d32\"", 15, "expected `rgba8` or `d24s8`"),
        (
            "offset = 69128",
            "offset = 76000",
            28,
            "has 76296 bytes: 3072 from 76000 on are beyond its end",
        ),
        ("file = \"scene.bin\"", "file = \"none.bin\"", 28, "No such file"),
        (
            "file = \"scene.bin\"\noffset = 69128",
            "values = [1, 2]",
            28,
            "2 bytes of texels: 3072 are accepted",
        ),
        ("count = 9800", "count = 8000", 168, "the buffers have 1000 vertices"),
        ("count = 6912", "count = 7912", 168, "the buffers have 1225 vertices"),
        (
            "vertex = \"floor_vertex\"",
            "vertex = \"nothing\"",
            130,
            "no kernel nothing; there are: floor_vertex, floor_fragment",
        ),
        (
            "file = \"floor.ptx\"",
            "file = \"../kernels/stencil.ptx\"",
            130,
            "no kernel floor_vertex",
        ),
        (
            "shader = \"cut\"",
            "shader = \"cat\"",
            183,
            "no shader is named `cat`; there are: lit, cut, floor, glass",
        ),
        ("state = \"solid\"", "state = \"sold\"", 180, "there are: cut, glass, mirrored, solid"),
        ("test = \"less\", write", "test = \"least\", write", 146, "unknown variant `least`"),
        ("\"src_alpha\"", "\"alpha\"", 159, "unknown variant `alpha`"),
        (
            "textures = [\"leaf\"]",
            "textures = [\"loaf\"]",
            183,
            "no texture or target is named `loaf`",
        ),
        (
            "[\"checks\", \"reflection\"]",
            "[\"checks\", \"screen\"]",
            177,
            "`screen` is drawn to or a depth buffer",
        ),
        ("uniforms = [\"of_model\"]", "uniforms = []", 180, "0 uniforms: lit_vertex takes 1"),
        (
            "depth = \"reflection_depth\"",
            "depth = \"depth\"",
            162,
            "`depth` has another size than `reflection`",
        ),
        (
            "color = \"screen\", depth = \"depth\"",
            "color = \"screen\"",
            174,
            "no depth buffer to clear",
        ),
        ("depth = 1.0, stencil = 0 }", "depth = 1.5 }", 165, "depth 1.5: 0 to 1 is accepted"),
        (
            "topology = \"strip\"",
            "topology = \"lines\"",
            178,
            "expected one of `triangles`, `strip`, `fan`",
        ),
        ("cull = \"back\"", "mask = \"rgbx\"", 145, "letters of `rgba` are accepted"),
        ("cull = \"back\"", "samples = 4", 145, "unknown field `samples`"),
        (
            "clear = { color = [0, 0, 0, 0]",
            "group_end = true\nclear = { color = [0, 0, 0, 0]",
            165,
            "a command is one of",
        ),
        ("varyings = 4", "varyings = 29", 137, "29 varyings: 0 to 28 are accepted"),
        ("name = \"cut\"", "name = \"lit\"", 123, "two of them are named `lit`"),
        (
            "type = \"f32\"\nstride = 8",
            "type = \"u32\"\nstride = 8",
            168,
            "vertices are in buffers of type f32 with a stride",
        ),
    ] {
        let (found, what) = refused(from, to);
        if !what.contains(expected) || found != line {
            wrong.push(format!("{to}: line {found}, not {line}: {what}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Shaders in PTX: a kernel with one line more.
fn shader(line: &str) -> String {
    format!(
        ".version 6.4\n.target sm_70\n.address_size 64\n\
         .extern .func __discard();\n.shared .align 4 .b32 common;\n\
         .extern .func (.param .b32 r) __input(.param .b32 p);\n\
         .visible .entry vertex(.param .u64 v) {{ ret; }}\n\
         .visible .entry fragment(.param .u64 f) {{\n\
         .reg .b32 %r<8>;\n.reg .b64 %d<4>;\n.reg .pred %p<2>;\n{line}\nret;\n}}\n"
    )
}

#[test]
fn shaders_may_depend_on_nothing_else() {
    for (line, expected) in [
        ("st.global.u32 [%d1], %r1;", "a store"),
        ("st.u32 [%d1], %r1;", "a store"),
        ("atom.global.add.u32 %r1, [%d1], 1;", "an atomic"),
        ("red.global.add.u32 [%d1], 1;", "an atomic"),
        ("mov.u32 %r1, %clock;", "a clock"),
        ("mov.u64 %d1, %globaltimer;", "a clock"),
        ("mov.u32 %r1, %tid.x;", "a register that names a place"),
        ("mov.u32 %r1, %laneid;", "a register that names a place"),
        ("mov.u32 %r1, %smid;", "a register that names a place"),
        ("ld.shared.u32 %r1, [common];", "shared memory"),
        ("bar.sync 0;", "a barrier"),
        ("activemask.b32 %r1;", "an instruction of the whole warp"),
        ("vote.sync.ballot.b32 %r1, %p1, -1;", "an instruction of the whole warp"),
        ("shfl.sync.idx.b32 %r1, %r2, 0, 31, -1;", "a shuffle that is not within the quad"),
        ("shfl.sync.bfly.b32 %r1, %r2, 4, 7199, -1;", "a shuffle that is not within the quad"),
    ] {
        let module = crate::isa::Module::parse("here.ptx", &shader(line)).expect("a module");
        let error = super::super::Shader::new(&module, "fragment").expect_err(line);
        assert!(error.starts_with(&format!("here.ptx:12: {expected}")), "{error}");
    }
    for line in [
        "ld.global.u32 %r1, [%d1];",
        "shfl.sync.bfly.b32 %r1, %r2, 3, 7199, -1;",
        "shfl.sync.idx.b32 %r1, %r2, 0, 7199, -1;",
        ".local .b32 mine; st.local.u32 [mine], %r1;",
    ] {
        let module = crate::isa::Module::parse("here.ptx", &shader(line)).expect("a module");
        super::super::Shader::new(&module, "fragment").expect(line);
    }
}

#[test]
fn faults_of_shaders_are_told_with_both_lines() {
    let mut frame = scene();
    let last = |frame: &mut Frame, change: &dyn Fn(&mut super::super::Draw)| {
        let Some(Command::Draw(draw)) = frame
            .commands
            .iter_mut()
            .rev()
            .find(|it| matches!(it, Command::Draw(draw) if !draw.textures.is_empty()))
        else {
            panic!("a draw with a texture")
        };
        change(draw);
    };
    last(&mut frame, &|draw| draw.textures.clear());
    let error = render(&frame).expect_err("a unit without a texture");
    assert!(error.contains("scene.frame.toml:18"), "{error}");
    assert!(error.contains("lit.ptx:"), "{error}");
    assert!(error.contains("texture unit 0 without a texture: the draw has 0"), "{error}");
    let mut frame = scene();
    last(&mut frame, &|draw| draw.parameters[0].fill(0));
    let error = render(&frame).expect_err("a pointer to nothing");
    assert!(error.contains("lit_vertex") && error.contains("outside of every buffer"), "{error}");
    let mut frame = scene();
    frame.shaders[1].varyings = 4;
    let error = render(&frame).expect_err("too few outputs");
    assert!(error.contains("__output(8): there are 8, from 0 on"), "{error}");
}

#[test]
fn the_same_draw_is_the_same_in_other_warps() {
    // Triangles of the torus in strides give other vertex warps and other quads in a warp.
    let frame = scene();
    let expected = render(&frame).expect("a picture");
    let mut split = scene();
    let mut commands = Vec::new();
    for command in std::mem::take(&mut split.commands) {
        match command {
            Command::Draw(draw) if draw.indices.is_some() => {
                for at in (0..draw.count).step_by(21) {
                    let mut part = draw.clone();
                    (part.first, part.count) = (at, 21.min(draw.count - at));
                    commands.push(Command::Draw(part));
                }
            }
            other => commands.push(other),
        }
    }
    split.commands = commands;
    let found = render(&split).expect("a picture");
    assert!(found.pixels == expected.pixels, "the pictures differ");
    let of = |counts: super::super::Counts| {
        HashMap::from([("written", counts.written), ("failed", counts.failed)])
    };
    assert_eq!(of(found.counts), of(expected.counts));
    assert!(found.counts.fragment_warps > expected.counts.fragment_warps);
}
