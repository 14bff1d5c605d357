//! Kernels of one instruction, again and again, for its latency and its rate.

use std::fmt::Write;

use super::launches::{buffer, head, scalar};

/// A loop of instructions: its name, one of them as PTX, how many there are, and what is done before the loop.
/// `{t}` stands for the eight registers of results in turn, and `{i}` for the number of the instruction.
type Chain = (&'static str, &'static str, u32, &'static str);

const CHAINS: [Chain; 21] = [
    ("loop", "", 0, ""),
    ("add", "add.s32 %r2, %r2, %r3;", 32, ""),
    ("add_long", "add.s64 %rd3, %rd3, 1;", 32, ""),
    ("add_float", "add.f32 %f1, %f1, %f2;", 32, ""),
    ("add_free", "add.s32 %r{t}, %r2, %r3;", 32, ""),
    ("multiply", "mul.lo.s32 %r2, %r2, %r3;", 32, ""),
    ("multiply_add", "mad.lo.s32 %r2, %r2, %r3, %r3;", 32, ""),
    ("fused", "fma.rn.f32 %f1, %f1, %f2, %f2;", 32, ""),
    ("fused_free", "fma.rn.f32 %f{t}, %f1, %f2, %f2;", 32, ""),
    ("maximum", "max.s32 %r2, %r2, %r3;", 32, ""),
    ("shift", "shl.b32 %r2, %r2, 1;", 32, ""),
    ("compare_and_select", "setp.ne.s32 %p2, %r2, 0; selp.s32 %r2, 1, 2, %p2;", 16, ""),
    ("convert_and_back", "cvt.s64.s32 %rd3, %r2; cvt.u32.u64 %r2, %rd3;", 16, ""),
    ("root", "rsqrt.approx.f32 %f2, %f2;", 32, ""),
    ("divide", "div.rn.f32 %f2, %f2, %f2;", 8, ""),
    ("remainder", "rem.s32 %r2, %r2, %r3;", 8, ""),
    (
        "load_shared",
        "ld.shared.u64 %rd3, [%rd3];",
        32,
        "mov.u64 %rd4, s; mov.u64 %rd3, s; st.shared.u64 [%rd3], %rd4;",
    ),
    ("load_shared_free", "ld.shared.u32 %r{t}, [%rd3];", 32, "mov.u64 %rd3, s;"),
    ("shuffle", "shfl.sync.down.b32 %r2, %r2, 0, 31, -1;", 32, ""),
    ("atomic_and_add", "atom.global.add.u32 %r5, [%rd2], %r2; add.s32 %r2, %r5, 0;", 8, ""),
    ("barrier", "bar.sync 0;", 16, ""),
];
const BRANCH: Chain = ("branch", "bra.uni M{i}; M{i}:", 16, "");

fn chains() -> impl Iterator<Item = Chain> {
    CHAINS.into_iter().chain([BRANCH])
}

/// Instructions in a turn of a loop.
pub fn count(name: &str) -> u32 {
    chains().find(|chain| chain.0 == name).map_or(1, |chain| chain.2).max(1)
}

/// A module of all loops.
pub fn module() -> String {
    let mut text = ".version 6.4\n.target sm_70\n.address_size 64\n".to_string();
    for (name, instruction, count, setup) in chains() {
        let _ = write!(
            text,
            ".visible .entry {name}(.param .u64 out, .param .u32 turns)\n{{\n.reg .pred %p<3>;\n\
             .reg .b32 %r<40>;\n.reg .f32 %f<40>;\n.reg .b64 %rd<10>;\n.shared .align 8 .b8 s[1024];\n\
             ld.param.u64 %rd1, [out];\nld.param.u32 %r1, [turns];\ncvta.to.global.u64 %rd2, %rd1;\n\
             mov.u32 %r2, 0;\nmov.u32 %r3, 1;\nmov.f32 %f1, 0f00000000;\nmov.f32 %f2, 0f3F800000;\n\
             mov.f32 %f3, 0f3F800000;\nmov.u32 %r30, %tid.x;\n{setup}\nL:\n"
        );
        for at in 0..count {
            let numbered = instruction.replace("{t}", &(6 + at % 8).to_string());
            let _ = writeln!(text, "{}", numbered.replace("{i}", &at.to_string()));
        }
        text += "add.s32 %r1, %r1, -1;\nsetp.ne.s32 %p1, %r1, 0;\n@%p1 bra L;\n\
                 cvt.rzi.s32.f32 %r4, %f1;\nadd.s32 %r2, %r2, %r4;\nst.global.u32 [%rd2], %r2;\nret;\n}\n";
    }
    text
}

/// Launches of loops, each with two numbers of turns, by so many warps of every core (or one warp of one).
pub fn launch<'n>(names: impl Iterator<Item = &'n str>, warps: u32, turns: [u32; 2]) -> String {
    let threads = warps.min(16) * 32;
    let ctas = if warps == 1 { 1 } else { 15 * warps * 32 / threads };
    let mut text = head("loop", [ctas, 1], [threads, 1], 20)
        + &buffer("out", "s32", 4, "")
        + &scalar("turns", 1);
    for name in names {
        for turns in turns {
            let _ =
                write!(text, "[[launches]]\nkernel = \"{name}\"\nset = {{ turns = {turns} }}\n");
        }
    }
    text
}
