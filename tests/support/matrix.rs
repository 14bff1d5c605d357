//! Registers of `mma`, and kernels with one of them.

#![allow(dead_code, reason = "each test file uses a part")]

use std::fmt::Write;

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use warpsmith::gpu::isa::{self, Half, Rounding};

/// A module with one kernel of one warp; `%rd0` to `%rd3` are its parameters `d`, `a`, `b` and `c`.
pub fn module(target: &str, body: &str) -> String {
    let parameter = |at: usize| format!("ld.param.u64 %rd{at}, [p{at}];");
    let parameters: String = (0..4).map(parameter).collect();
    format!(
        ".version 8.0\n.target {target}\n.address_size 64\n.visible .entry k(.param .u64 p0, .param .u64 p1, \
         .param .u64 p2, .param .u64 p3) {{\n.reg .b32 %d<16>, %a<16>, %b<16>, %c<16>, %r<4>;\n\
         .reg .b64 %rd<8>; .reg .pred %p<2>; .shared .align 128 .b8 tile[4096];\n{parameters}\n\
         mov.u32 %r0, %laneid; mul.wide.u32 %rd4, %r0, 64;\n{body}\nret;\n}}\n"
    )
}

pub fn vector(name: char, count: usize) -> String {
    let names: Vec<_> = (0..count).map(|at| format!("%{name}{at}")).collect();
    format!("{{{}}}", names.join(", "))
}

/// One `mma` on registers that each lane finds in memory, 16 words for each matrix.
pub fn multiply_registers(instruction: &str, counts: [usize; 4]) -> String {
    let mut body = String::new();
    for (matrix, name) in [(1, 'a'), (2, 'b'), (3, 'c')] {
        write!(body, "add.u64 %rd5, %rd{matrix}, %rd4;").expect("a text");
        for at in 0..counts[matrix] {
            write!(body, "ld.global.b32 %{name}{at}, [%rd5+{}];", at * 4).expect("a text");
        }
    }
    let [d, a, b, c] =
        [('d', 0), ('a', 1), ('b', 2), ('c', 3)].map(|(name, at)| vector(name, counts[at]));
    write!(body, "\n{instruction} {d}, {a}, {b}, {c};\nadd.u64 %rd5, %rd0, %rd4;").expect("a text");
    for at in 0..counts[0] {
        write!(body, "st.global.b32 [%rd5+{}], %d{at};", at * 4).expect("a text");
    }
    body
}

/// Types of elements: how they are packed, and small numbers of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ty {
    F16,
    Bf16,
    Tf32,
    F32,
    S8,
    U8,
    S32,
}

impl Ty {
    pub fn name(self) -> String {
        format!("{self:?}").to_lowercase()
    }

    pub fn bits_wide(self) -> u32 {
        match self {
            Self::F16 | Self::Bf16 => 16,
            Self::S8 | Self::U8 => 8,
            _ => 32,
        }
    }

    pub fn bits(self, value: f64) -> u32 {
        match self {
            Self::F16 => Half::of(value, Rounding::Nearest).0.into(),
            Self::Bf16 => (value as f32).to_bits() >> 16,
            Self::Tf32 | Self::F32 => (value as f32).to_bits(),
            Self::S8 => (value as i8 as u8).into(),
            Self::U8 => (value as u8).into(),
            Self::S32 => value as i32 as u32,
        }
    }

    pub fn value(self, bits: u32) -> f64 {
        match self {
            Self::F16 => Half::value(isa::Small(bits as u16)),
            Self::Bf16 => f32::from_bits(bits << 16).into(),
            Self::Tf32 | Self::F32 => f32::from_bits(bits).into(),
            Self::S8 => (bits as u8 as i8).into(),
            Self::U8 => (bits as u8).into(),
            Self::S32 => (bits as i32).into(),
        }
    }

    /// Whole numbers: sums of their products are exact in every type.
    pub fn random(self, rng: &mut Xoshiro256PlusPlus, count: u32) -> Vec<f64> {
        let numbers = if self == Self::U8 { 0..8 } else { -4..5 };
        (0..count).map(|_| rng.random_range(numbers.clone()).into()).collect()
    }
}

pub fn rng() -> Xoshiro256PlusPlus {
    let seed = std::env::var("SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1);
    println!("SEED={seed}");
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

/// Registers of all lanes, 16 words each.
pub fn pack(
    ty: Ty,
    columns: u32,
    count: u32,
    layout: impl Fn(u32, u32) -> Option<[u32; 2]>,
    all: &[f64],
) -> Vec<u32> {
    let mut words = vec![0; 32 * 16];
    let wide = ty.bits_wide();
    for (lane, at) in (0..32).flat_map(|lane| (0..count).map(move |at| (lane, at))) {
        if let Some([row, column]) = layout(lane, at) {
            let bits = ty.bits(all[(row * columns + column) as usize]);
            words[(lane * 16 + at * wide / 32) as usize] |= bits << (at * wide % 32);
        }
    }
    words
}

/// Lane and element to row and column, as tables of the PTX ISA write it.
pub type Layout = fn(u32, u32) -> [u32; 2];

/// A shape with its types and the layouts of A, B and C.
pub struct Case {
    pub instruction: &'static str,
    pub shape: [u32; 3],
    pub types: [Ty; 4],
    pub layouts: [Layout; 3],
}

pub fn cases() -> Vec<Case> {
    let mut all = Vec::new();
    let mut case = |instruction, shape, types: &[[Ty; 4]], layouts| {
        all.extend(types.iter().map(|types| Case { instruction, shape, types: *types, layouts }));
    };
    // "Matrix Fragments for mma" of the PTX ISA, one after the other.
    let c16: Layout = |l, i| [if i < 2 { l >> 2 } else { (l >> 2) + 8 }, l % 4 * 2 + (i & 1)];
    use Ty::*;
    let halves = [[F32, F16, F16, F32], [F16, F16, F16, F16]];
    let brains = [[F32, Bf16, Bf16, F32]];
    let bytes = [[S32, S8, S8, S32], [S32, U8, U8, S32], [S32, S8, U8, S32], [S32, U8, S8, S32]];
    for types in [&halves[..], &brains] {
        case(
            "m16n8k8.row.col",
            [16, 8, 8],
            types,
            [
                |l, i| [if i < 2 { l >> 2 } else { (l >> 2) + 8 }, l % 4 * 2 + (i & 1)],
                |l, i| [l % 4 * 2 + i, l >> 2],
                c16,
            ],
        );
        case(
            "m16n8k16.row.col",
            [16, 8, 16],
            types,
            [
                |l, i| {
                    let upper = i < 2 || (4..6).contains(&i);
                    [
                        if upper { l >> 2 } else { (l >> 2) + 8 },
                        l % 4 * 2 + (i & 1) + if i < 4 { 0 } else { 8 },
                    ]
                },
                |l, i| [l % 4 * 2 + (i & 1) + if i < 2 { 0 } else { 8 }, l >> 2],
                c16,
            ],
        );
    }
    case(
        "m16n8k4.row.col",
        [16, 8, 4],
        &[[F32, Tf32, Tf32, F32]],
        [|l, i| [if i == 0 { l >> 2 } else { (l >> 2) + 8 }, l % 4], |l, _| [l % 4, l >> 2], c16],
    );
    case(
        "m16n8k8.row.col",
        [16, 8, 8],
        &[[F32, Tf32, Tf32, F32]],
        [
            |l, i| {
                [
                    if i == 0 || i == 2 { l >> 2 } else { (l >> 2) + 8 },
                    if i < 2 { l % 4 } else { l % 4 + 4 },
                ]
            },
            |l, i| [if i == 0 { l % 4 } else { l % 4 + 4 }, l >> 2],
            c16,
        ],
    );
    case(
        "m8n8k16.row.col",
        [8, 8, 16],
        &bytes,
        [
            |l, i| [l >> 2, l % 4 * 4 + i],
            |l, i| [l % 4 * 4 + i, l >> 2],
            |l, i| [l >> 2, l % 4 * 2 + i],
        ],
    );
    case(
        "m16n8k16.row.col",
        [16, 8, 16],
        &bytes,
        [
            |l, i| [if i < 4 { l >> 2 } else { (l >> 2) + 8 }, l % 4 * 4 + (i & 3)],
            |l, i| [l % 4 * 4 + (i & 3), l >> 2],
            c16,
        ],
    );
    case(
        "m16n8k32.row.col",
        [16, 8, 32],
        &bytes,
        [
            |l, i| {
                let upper = i < 4 || (8..12).contains(&i);
                [
                    if upper { l >> 2 } else { (l >> 2) + 8 },
                    l % 4 * 4 + (i & 3) + if i < 8 { 0 } else { 16 },
                ]
            },
            |l, i| [l % 4 * 4 + (i & 3) + if i < 4 { 0 } else { 16 }, l >> 2],
            c16,
        ],
    );
    all
}
