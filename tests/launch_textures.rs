//! Textures and surfaces of launch files.

mod support;

use std::path::Path;

use support::{Ended, Scratch, run};

const EXAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/texture");

const MACHINES: [&[&str]; 3] =
    [&[], &["--timing", "off"], &["--preset", "small", "--system", "software"]];

fn launched(module: &str, launch: &str, more: &[&str]) -> (Scratch, Ended) {
    let scratch = Scratch::new();
    std::fs::write(scratch.path("k.ptx"), module).expect("writable");
    std::fs::write(scratch.path("launch.toml"), launch).expect("writable");
    let ended = run(&scratch, &[&["run", "k.ptx", "--launch", "launch.toml"], more].concat());
    (scratch, ended)
}

fn example(name: &str) -> String {
    std::fs::read_to_string(Path::new(EXAMPLE).join(name)).expect("an example")
}

#[test]
fn the_example_magnifies_on_every_machine() {
    let (module, launch) = (example("magnify.ptx"), example("magnify.toml"));
    for machine in MACHINES {
        let save = [machine, &["--save", "larger=larger.bin"]].concat();
        let (scratch, ended) = launched(&module, &launch, &save);
        assert_eq!(ended.code, 0, "{machine:?}: {ended:?}");
        let saved = std::fs::read(scratch.path("larger.bin")).expect("saved");
        assert_eq!((saved.len(), &saved[60..]), (64, &12f32.to_le_bytes()[..]));
        let (_, ended) = launched(&module, &launch.replace("linear", "nearest"), machine);
        assert!(ended.code == 1 && ended.stdout.contains("larger"), "{machine:?}: {ended:?}");
    }
}

#[test]
fn wrong_textures_are_exit_code_2() {
    let (module, launch) = (example("magnify.ptx"), example("magnify.toml"));
    for (from, to, words) in [
        ("size = [2, 2]", "size = []", &["texture or surface picture", "size", "one to three"][..]),
        ("size = [2, 2]", "size = [2, 0]", &["picture", "1 or more"]),
        ("size = [2, 2]", "size = [4294967295, 4294967295]", &["picture", "size: more than"]),
        ("size = [2, 2]", "size = [2, 2]\nlayers = 0", &["layers", "1 or more"]),
        ("size = [2, 2]", "size = [2, 2, 2]\nlayers = 2", &["with layers one or two"]),
        ("type = \"f32\"", "type = \"f64\"", &["type = \"f64\"", "u8, s8, u16"]),
        ("size = [2, 2]", "size = [2, 2]\nchannels = 3", &["channels = 3", "1, 2 and 4"]),
        ("type = \"f32\"", "type = \"u32\"", &["filter = \"linear\"", "f16 and f32"]),
        ("\"clamp\"", "\"mirror\"", &["address", "normalized = true"]),
        ("\"clamp\"", "\"edge\"", &["launch.toml", "edge", "clamp"]),
        ("\"clamp\"", "\"clamp\"\nread = \"normalized\"", &["read", "u8, s8, u16 and s16"]),
        ("ramp = [0, 4]", "values = [1]", &["texels: 1 elements, but count is 4"]),
        ("ramp = [0, 4]", "ramp = [0, 4], name = \"a\"", &["texels", "name, type"]),
        ("texels = { ramp = [0, 4] }", "of = \"nothing\"", &["of = \"nothing\"", "a buffer"]),
        ("size = [4, 4]", "size = [4, 4]\naddress = \"clamp\"", &["larger", "a surface has no"]),
        ("name = \"larger\"", "name = \"picture\"", &["two", "are named picture"]),
        ("value = \"larger\"", "value = \"large\"", &["no buffer or variable large"]),
        ("value = \"larger\"", "value = \"picture\"", &["is a texture: tex is accepted"]),
        ("size = [2, 2]", "size = [2]", &["picture is .1d, and not .2d"]),
        ("size = [4, 4]", "size = [4, 3]", &["larger", "16 expected elements for a buffer of 12"]),
        ("filter = ", "filters = ", &["launch.toml", "filters", "expected"]),
    ] {
        assert!(launch.contains(from), "{from}");
        let (_, ended) = launched(&module, &launch.replacen(from, to, 1), &["--timing", "off"]);
        assert_eq!((ended.code, &ended.stdout[..]), (2, ""), "{to}: {ended:?}");
        assert!(words.iter().all(|word| ended.stderr.contains(word)), "{words:?}: {ended:?}");
    }
}

const REFERENCES: &str = ".version 6.4\n.target sm_70\n.address_size 64\n\
    .global .texref picture;\n.global .surfref larger;\n\
    .visible .entry k(.param .u64 of_larger) {\n\
    .reg .b32 %r<8>; .reg .b64 %rd<2>;\n\
    mov.u32 %r0, %tid.x; shl.b32 %r1, %r0, 2; mov.u64 %rd0, picture;\n\
    tex.1d.v4.u32.s32 {%r4, %r5, %r6, %r7}, [picture, {%r0}];\n\
    txq.width.b32 %r2, [%rd0]; add.u32 %r4, %r4, %r2;\n\
    sust.b.1d.b32.trap [larger, %r1], %r4;\nret; }\n";

const OF_REFERENCES: &str = "grid = [1]\nblock = [4]\n\
    [[arguments]]\nname = \"a\"\ntype = \"u32\"\nvalues = [1, 2, 3, 4]\nexpected = [5, 6, 7, 8]\n\
    [[textures]]\nname = \"picture\"\nsize = [4]\ntype = \"u32\"\nof = \"a\"\n\
    [[surfaces]]\nname = \"larger\"\nsize = [4]\ntype = \"u32\"\nof = \"a\"\n";

#[test]
fn references_of_the_module_are_given_by_name_and_lie_in_buffers() {
    for machine in MACHINES {
        let (_, ended) = launched(REFERENCES, OF_REFERENCES, machine);
        assert_eq!(ended.code, 0, "{machine:?}: {ended:?}");
    }
    for (from, to, word) in [
        ("name = \"picture\"", "name = \"pictures\"", "picture is no texture or surface"),
        ("[[textures]]", "[[surfaces]]", "the module declares it as a .texref"),
        ("size = [4]", "size = [5]", "of = \"a\": that has 16 bytes, and 20 are needed"),
        ("of = \"a\"", "of = \"larger\"", "without `of`"),
    ] {
        let (_, ended) = launched(REFERENCES, &OF_REFERENCES.replacen(from, to, 1), &[]);
        assert!(ended.code == 2 && ended.stderr.contains(word), "{word}: {ended:?}");
    }
}
