//! `warpsmith frame` from the outside: frames of games and of models.

mod support;

use std::fs;

use serde_json::{Value, json};
use support::schema::document;
use support::{Scratch, refused, run};

#[test]
fn a_game_has_the_draws_and_triangles_of_the_table_and_the_same_picture_on_several_gpus() {
    let scratch = Scratch::new();
    for (game, size, draws, triangles) in
        [("cod2", [640, 480], 1005, 219_950), ("grid", [1280, 1024], 2623, 466_806)]
    {
        let ended = run(&scratch, &["frame", game, "--out", "made", "--json"]);
        assert_eq!(ended.code, 0, "{ended:?}");
        let report = document(&ended);
        assert_eq!([&report["width"], &report["height"]], size);
        assert_eq!([&report["draws"], &report["triangles"]], [draws, triangles]);
    }
    let ended = run(&scratch, &["frame", "wolf", "--scale", "16", "--out", "made", "--json"]);
    let frame = document(&ended)["frame"].as_str().expect("a path").to_string();
    let begin = ["render", &frame, "--gpus", "3", "--threshold", "256", "--compare", "--json"];
    let report = document(&run(&scratch, &begin));
    assert_eq!(report["compared"]["pixels"], 0);
    let groups = report["split"]["groups"].as_array().expect("groups");
    let composed = groups.iter().filter(|it| it["duplicated"] == Value::Null);
    let composed: u64 = composed.map(|it| it["triangles"].as_u64().expect("a count")).sum();
    // The large groups have 89.8 %; the middle one has too few draws at this scale.
    assert!(composed > 243_052 / 16 * 89 / 100, "{composed}");
    let counts = &report["counts"];
    let count = |name: &str| counts[name].as_u64().expect("a count") as f64;
    let culled = count("culled") / count("triangles");
    assert!((0.25..0.5).contains(&culled), "{culled}");
    let other = run(&scratch, &["frame", "wolf", "--scale", "16", "--seed", "2", "--out", "other"]);
    assert_eq!(other.code, 0, "{other:?}");
    let bytes = |folder: &str| fs::read(scratch.path(folder).join("wolf.bin")).expect("written");
    assert_ne!(bytes("made"), bytes("other"));
}

/// A quad of two triangles, red, and a triangle of glass before it, as parts of a glTF model: its JSON, and the bytes.
fn parts() -> (Value, Vec<u8>) {
    let quad = [[-1.0f32, -1.0, 0.0], [1.0, -1.0, 0.0], [1.0, 1.0, 0.0], [-1.0, 1.0, 0.0]];
    let glass = [[-1.0f32, -1.0, 0.5], [1.0, -1.0, 0.5], [0.0, 1.0, 0.5]];
    let mut bytes: Vec<u8> =
        quad.iter().chain(&glass).flatten().flat_map(|it| it.to_le_bytes()).collect();
    bytes.extend([0u16, 1, 2, 0, 2, 3].iter().flat_map(|it| it.to_le_bytes()));
    let accessor = |view: u32, offset: u32, count: u32, ty: &str, component: u32| {
        json!({"bufferView": view, "byteOffset": offset, "count": count, "type": ty,
            "componentType": component, "min": [-1, -1, 0], "max": [1, 1, 1]})
    };
    let mut indices = accessor(1, 0, 6, "SCALAR", 5123);
    for bound in ["min", "max"] {
        indices.as_object_mut().expect("an object").remove(bound);
    }
    let color = |color: [f32; 4]| json!({"baseColorFactor": color});
    let model = json!({
        "asset": {"version": "2.0"},
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0, "translation": [0, 0, -4]}],
        "meshes": [{"primitives": [
            {"attributes": {"POSITION": 2}, "material": 1},
            {"attributes": {"POSITION": 0}, "indices": 1, "material": 0}
        ]}],
        "materials": [
            {"pbrMetallicRoughness": color([1.0, 0.0, 0.0, 1.0])},
            {"pbrMetallicRoughness": color([0.0, 0.0, 1.0, 0.5]), "alphaMode": "BLEND"}
        ],
        "buffers": [{"byteLength": bytes.len()}],
        "bufferViews": [
            {"buffer": 0, "byteOffset": 0, "byteLength": 84},
            {"buffer": 0, "byteOffset": 84, "byteLength": 12}
        ],
        "accessors": [
            accessor(0, 0, 4, "VEC3", 5126),
            indices,
            accessor(0, 48, 3, "VEC3", 5126)
        ]
    });
    (model, bytes)
}

/// A model in one file: a header, and two chunks of whole words.
fn glb(model: &Value, bytes: &[u8]) -> Vec<u8> {
    let mut text = model.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    let mut file = b"glTF".to_vec();
    let length = 12 + 8 + text.len() + 8 + bytes.len();
    file.extend([2, length as u32].iter().flat_map(|it| it.to_le_bytes()));
    for (name, chunk) in [(b"JSON", &text[..]), (b"BIN\0", bytes)] {
        file.extend((chunk.len() as u32).to_le_bytes());
        file.extend(name);
        file.extend(chunk);
    }
    file
}

/// The RGBA of a picture.
fn pixels(scratch: &Scratch, name: &str) -> Vec<u8> {
    let file = fs::File::open(scratch.path(name)).expect("a picture");
    let mut reader = png::Decoder::new(std::io::BufReader::new(file)).read_info().expect("PNG");
    let mut pixels = vec![0; reader.output_buffer_size().expect("a size")];
    reader.next_frame(&mut pixels).expect("pixels");
    pixels
}

#[test]
fn a_model_is_drawn_with_its_colours_glass_over_what_is_behind() {
    let scratch = Scratch::new();
    let (model, bytes) = parts();
    fs::write(scratch.path("model.glb"), glb(&model, &bytes)).expect("written");
    let ended =
        run(&scratch, &["frame", "model.glb", "--out", "made", "--size", "64x64", "--json"]);
    assert_eq!(ended.code, 0, "{ended:?}");
    let report = document(&ended);
    assert_eq!([&report["draws"], &report["triangles"]], [2, 3]);
    assert_eq!(report["left_out"], json!([]));
    let rendered = run(&scratch, &["render", "made/model.frame.toml", "--out", "model.png"]);
    assert_eq!(rendered.code, 0, "{rendered:?}");
    let pixels = pixels(&scratch, "model.png");
    let count = |is: fn(&[u8]) -> bool| pixels.chunks(4).filter(|it| is(it)).count();
    let red = count(|it| it[0] > 60 && it[2] == 0);
    let glass = count(|it| it[0] > 30 && it[2] > 30 && it[1] == 0);
    assert!(red > 100 && glass > 100, "{red} {glass}");
    assert_eq!(pixels[..4], [60, 70, 90, 255], "the background");
}

#[test]
fn faults_are_named_and_nothing_is_written() {
    let scratch = Scratch::new();
    let make = |source: &str, rest: &[&str], words: &[&str]| {
        refused(&run(&scratch, &[&["frame", source, "--out", "made"], rest].concat()), words);
        assert!(!scratch.path("made").exists(), "{source}");
    };
    make("doom", &[], &["no game doom", "cod2, cry, grid", ".gltf or .glb"]);
    make("cod2", &["--scale", "0"], &["0 is not in 1..=64"]);
    make("none.glb", &[], &["none.glb: No such file"]);
    make("none.glb", &["--size", "0x7"], &["width x height, each of 1 to 8192"]);
    let wrong = |change: &dyn Fn(&mut Value), expected: &str| {
        let (mut model, bytes) = parts();
        change(&mut model);
        fs::write(scratch.path("wrong.glb"), glb(&model, &bytes)).expect("written");
        make("wrong.glb", &[], &["wrong.glb: ", expected]);
    };
    let primitive = |model: &mut Value, name: &str, value: Value| {
        model["meshes"][0]["primitives"][1][name] = value;
    };
    wrong(&|it| primitive(it, "mode", json!(1)), "mesh 0, primitive 1: Lines: Triangles");
    wrong(&|it| primitive(it, "indices", json!(9)), "no glTF 2.0 model");
    wrong(&|it| primitive(it, "attributes", json!({})), "no glTF 2.0 model");
    wrong(&|it| it["accessors"][0]["count"] = json!(400), "accessor 0 is beyond the end");
    wrong(&|it| it["accessors"][0]["count"] = json!(2), "index 2: there are 2 vertices");
    wrong(&|it| it["accessors"][0]["count"] = json!(0), "accessor 0");
    wrong(&|it| it["accessors"][0]["type"] = json!("VEC2"), "accessor 0");
    wrong(&|it| it["accessors"][1]["componentType"] = json!(5122), "accessor 1");
    wrong(&|it| it["bufferViews"][1]["byteLength"] = json!(99), "buffer view 1 is beyond");
    wrong(&|it| it["nodes"][0]["children"] = json!([0]), "node 0");
    wrong(&|it| it["buffers"][0]["uri"] = json!("none.bin"), "none.bin: No such file");
    wrong(&|it| it["scenes"][0]["nodes"] = json!([]), "the scene has no triangles");
    fs::write(scratch.path("cut.glb"), b"glTF\x02\0\0\0").expect("written");
    make("cut.glb", &[], &["no glTF 2.0 model"]);
}

/// Calls as `apitrace dump --blobs` writes them: a frame that only clears, and one with two triangles.
const CALLS: &str = r#"
glXMakeCurrent(dpy = 0x5578f2a67b50, drawable = 2097449, ctx = 0x5578f2aa6ec0) = True
glViewport(x = 0, y = 0, width = 8, height = 8) // fake
glClearColor(red = 1, green = 1, blue = 1, alpha = 1)
glClear(mask = GL_DEPTH_BUFFER_BIT | GL_COLOR_BUFFER_BIT)
glDrawArrays(mode = GL_LINES, first = 0, count = 2)
glXSwapBuffers(dpy = 0x5578f2a67b50, drawable = 2097449)
glClearColor(red = 0.2, green = 0.4, blue = 0.6, alpha = 1)
glClear(mask = GL_DEPTH_BUFFER_BIT | GL_COLOR_BUFFER_BIT)
glBindTexture(target = GL_TEXTURE_2D, texture = 1)
glTexParameteri(target = GL_TEXTURE_2D, pname = GL_TEXTURE_MIN_FILTER, param = GL_NEAREST)
glTexParameteri(target = GL_TEXTURE_2D, pname = GL_TEXTURE_MAG_FILTER, param = GL_NEAREST)
glTexImage2D(target = GL_TEXTURE_2D, level = 0, internalformat = GL_RGBA, width = 2, height = 1, border = 0, format = GL_BGRA, type = GL_UNSIGNED_INT_8_8_8_8_REV, pixels = blob("texels.bin"))
glEnable(cap = GL_TEXTURE_2D)
glEnable(cap = GL_DEPTH_TEST)
glEnable(cap = GL_ALPHA_TEST)
glAlphaFunc(func = GL_GREATER, ref = 0.5)
glEnable(cap = GL_FOG)
glFogf(pname = GL_FOG_MODE, param = GL_LINEAR)
glFogf(pname = GL_FOG_START, param = 0)
glFogf(pname = GL_FOG_END, param = 1)
glFogfv(pname = GL_FOG_COLOR, params = {0, 0, 1, 1})
glMatrixMode(mode = GL_PROJECTION)
glOrtho(left = 0, right = 8, bottom = 0, top = 8, zNear = -1, zFar = 1)
glMatrixMode(mode = GL_MODELVIEW)
glLoadMatrixf(m = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 2, -0.5, 1})
glEnableClientState(array = GL_VERTEX_ARRAY)
glEnableClientState(array = GL_TEXTURE_COORD_ARRAY)
glEnableClientState(array = GL_COLOR_ARRAY)
glVertexPointer(size = 2, type = GL_FLOAT, stride = 20, pointer = blob("vertices.bin")) // fake
glTexCoordPointer(size = 2, type = GL_FLOAT, stride = 20, pointer = blob("places.bin")) // fake
glColorPointer(size = GL_BGRA, type = GL_UNSIGNED_BYTE, stride = 20, pointer = blob("colors.bin")) // fake
glDrawElements(mode = GL_TRIANGLES, count = 6, type = GL_UNSIGNED_SHORT, indices = blob("indices.bin"))
glXSwapBuffers(dpy = 0x5578f2a67b50, drawable = 2097449)
glXSwapBuffers(dpy = 0x5578f2a67b50, drawable = 2097449) // incomplete
"#;

/// Writes a dump and its data: a rectangle, 8 wide and 6 high, with one opaque texel and one that is not.
fn dump(scratch: &Scratch, calls: &str) {
    let lines = (1..).zip(calls.trim().lines()).map(|(at, line)| format!("{at} {line}\n"));
    let text = format!("// process.name = \"test\"\n{}", lines.collect::<String>());
    fs::write(scratch.path("dump.txt"), text).expect("written");
    let corners =
        [[0.0f32, 0.0, 0.0, 0.0], [8.0, 0.0, 1.0, 0.0], [8.0, 6.0, 1.0, 1.0], [0.0, 6.0, 0.0, 1.0]];
    let mut bytes = Vec::new();
    for corner in corners {
        bytes.extend(corner.iter().flat_map(|it| it.to_le_bytes()));
        bytes.extend([255, 255, 51, 255]);
    }
    let indices: Vec<u8> = [0u16, 1, 2, 0, 2, 3].iter().flat_map(|it| it.to_le_bytes()).collect();
    let files = [
        ("vertices.bin", &bytes[..]),
        ("places.bin", &bytes[8..]),
        ("colors.bin", &bytes[16..]),
        ("indices.bin", &indices),
        ("texels.bin", &[0, 100, 200, 255, 0, 255, 0, 127]),
    ];
    for (name, bytes) in files {
        fs::write(scratch.path(name), bytes).expect("written");
    }
}

#[test]
fn a_recorded_frame_is_drawn_with_its_matrices_texture_fog_and_alpha_test() {
    let scratch = Scratch::new();
    let draw = |calls: &str, options: &[&str]| {
        dump(&scratch, calls);
        let ended =
            run(&scratch, &[&["frame", "dump.txt", "--out", "made", "--json"], options].concat());
        assert_eq!(ended.code, 0, "{ended:?}");
        let rendered = run(&scratch, &["render", "made/dump.frame.toml", "--out", "dump.png"]);
        assert_eq!(rendered.code, 0, "{rendered:?}");
        (document(&ended), pixels(&scratch, "dump.png"))
    };
    let picture = |is_drawn: fn(usize, usize) -> bool| {
        let pixel = |at: usize| match is_drawn(at % 8, at / 8) {
            // Half of red 200 * 51 / 255 and green 100, half of the blue fog.
            true => [20, 50, 128, 255],
            false => [51, 102, 153, 255],
        };
        (0..64).flat_map(pixel).collect::<Vec<u8>>()
    };
    let (report, found) = draw(CALLS, &["--frame", "1"]);
    assert_eq!([&report["draws"], &report["triangles"]], [1, 2]);
    assert_eq!(report["left_out"], json!([]));
    assert_eq!(found, picture(|x, y| x < 4 && y < 6));
    let scissors =
        "glEnable(cap = GL_SCISSOR_TEST)\nglScissor(x = 1, y = 3, width = 2, height = 9)\nglDrawE";
    let (_, found) = draw(&CALLS.replace("glDrawE", scissors), &["--frame", "1"]);
    assert_eq!(found, picture(|x, y| (1..3).contains(&x) && y < 5));
    let (report, found) = draw(CALLS, &["--frame", "0", "--skip"]);
    assert_eq!(report["left_out"], json!(["1 of glDrawArrays: GL_LINES, from call 5 on"]));
    assert_eq!(found, [255; 256]);
}

#[test]
fn calls_that_cannot_be_drawn_are_named_and_nothing_is_written() {
    let scratch = Scratch::new();
    let wrong = |from: &str, to: &str, words: &[&str]| {
        assert!(CALLS.contains(from), "{from}");
        dump(&scratch, &CALLS.replace(from, to));
        let begin = ["frame", "dump.txt", "--frame", "1", "--out", "made"];
        refused(&run(&scratch, &begin), &[&["dump.txt: "], words].concat());
        assert!(!scratch.path("made").exists(), "{to}");
    };
    let enables = "glEnable(cap = GL_FOG)";
    wrong(enables, "glBegin(mode = GL_QUADS)", &["call 17, glBegin: a call that is not known"]);
    wrong(enables, "glActiveTexture(texture = GL_TEXTURE1)", &["call 17", "one texture"]);
    wrong(enables, "glEnable(cap = GL_STENCIL_TEST)", &["call 32", "GL_STENCIL_TEST is enabled"]);
    wrong(enables, "glEnable(cap", &["line 18: no call"]);
    wrong(enables, "glEnable()", &["call 17, glEnable: no argument cap"]);
    let draw = "call 32, glDrawElements: ";
    wrong("MIN_FILTER, param = GL_NEAREST", "MIN_FILTER, param = GL_LINEAR", &[draw, "GL_LINEAR"]);
    wrong(
        "pname = GL_TEXTURE_MAG_FILTER, param = GL_NEAREST",
        "pname = GL_TEXTURE_WRAP_T, param = GL_CLAMP",
        &[draw],
    );
    wrong("mode = GL_TRIANGLES", "mode = GL_LINES", &[draw, "GL_LINES"]);
    wrong("count = 6", "count = 7", &[draw, "fewer indices than counted"]);
    wrong("count = 6", "count = 99999999", &[draw, "at most 16777216"]);
    wrong("size = 2, type = GL_FLOAT", "size = 4, type = GL_FLOAT", &[draw]);
    wrong("stride = 20", "stride = 24", &[draw, "vertex 3 is beyond the end of its array"]);
    wrong("colors.bin", "none.bin", &[draw, "none.bin: No such file"]);
    wrong("blob(\"places.bin\")", "blob(80)", &["apitrace dump --blobs"]);
    wrong(
        "width = 2, height = 1",
        "width = 2, height = 2",
        &["call 12, glTexImage2D: too few bytes"],
    );
    wrong("params = {0, 0, 1, 1}", "params = {0, 0, 1}", &[draw, "4 numbers are expected"]);
    wrong("width = 8, height = 8", "width = 8, height = 0", &["no viewport of 1 to 8192 pixels"]);
    dump(&scratch, CALLS);
    refused(
        &run(&scratch, &["frame", "dump.txt", "--frame", "3", "--out", "made"]),
        &["no frame 3: there are 3"],
    );
}

#[test]
#[ignore = "nightly: installs and records a program"]
fn a_frame_of_a_real_program_looks_as_mesa_draws_it() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/frames/minetest.sh");
    let status = std::process::Command::new(script).status().expect("started");
    assert!(status.success(), "{status}");
}
