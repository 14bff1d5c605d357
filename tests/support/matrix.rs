//! Registers of `mma`, and kernels with one of them.

#![allow(dead_code, reason = "each test file uses a part")]

use std::fmt::Write;

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rustc_apfloat::ieee::{Double, Float8E4M3FN, Float8E5M2};
use rustc_apfloat::{Float, FloatConvert};
use warpsmith::gpu::isa::{self, Half, Rounding};

/// A module with one kernel of one warp; `%rd0` to `%rd3` are its parameters `d`, `a`, `b` and `c`.
pub fn module(target: &str, body: &str) -> String {
    let parameter = |at: usize| format!("ld.param.u64 %rd{at}, [p{at}];");
    let parameters: String = (0..4).map(parameter).collect();
    format!(
        ".version 8.0\n.target {target}\n.address_size 64\n.visible .entry k(.param .u64 p0, .param .u64 p1, \
         .param .u64 p2, .param .u64 p3) {{\n.reg .b32 %d<16>, %a<16>, %b<16>, %c<16>, %r<4>;\n\
         .reg .b64 %rd<8>, %D<16>, %A<16>, %B<16>, %C<16>; .reg .pred %p<2>; .shared .align 128 .b8 tile[4096];\n{parameters}\n\
         mov.u32 %r0, %laneid; mul.wide.u32 %rd4, %r0, 64;\n{body}\nret;\n}}\n"
    )
}

pub fn vector(name: char, count: usize) -> String {
    let names: Vec<_> = (0..count).map(|at| format!("%{name}{at}")).collect();
    format!("{{{}}}", names.join(", "))
}

/// One `mma` on registers that each lane finds in memory, 16 words for each matrix.
pub fn multiply_registers(instruction: &str, counts: [usize; 4]) -> String {
    multiply_with(instruction, counts, "")
}

/// The same with more operands; `%r1` is word 15 of each lane beside `c`.
pub fn multiply_with(instruction: &str, counts: [usize; 4], more: &str) -> String {
    let is_double = instruction.contains(".f64");
    let (bytes, names) =
        if is_double { (8, ['D', 'A', 'B', 'C']) } else { (4, ['d', 'a', 'b', 'c']) };
    let ty = 8 * bytes;
    let mut body = String::new();
    for (matrix, name) in names.into_iter().enumerate().skip(1) {
        write!(body, "add.u64 %rd5, %rd{matrix}, %rd4;").expect("a text");
        for at in 0..counts[matrix] {
            write!(body, "ld.global.b{ty} %{name}{at}, [%rd5+{}];", at * bytes).expect("a text");
        }
    }
    if !more.is_empty() {
        write!(body, "ld.global.b32 %r1, [%rd5+60];").expect("a text");
    }
    let [d, a, b, c] = [0, 1, 2, 3].map(|at| vector(names[at], counts[at]));
    write!(body, "\n{instruction} {d}, {a}, {b}, {c}{more};\nadd.u64 %rd5, %rd0, %rd4;")
        .expect("a text");
    for at in 0..counts[0] {
        write!(body, "st.global.b{ty} [%rd5+{}], %{}{at};", at * bytes, names[0]).expect("a text");
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
    F64,
    E4m3,
    E5m2,
    S8,
    U8,
    S4,
    U4,
    B1,
    S32,
}

impl Ty {
    pub fn name(self) -> String {
        format!("{self:?}").to_lowercase()
    }

    pub fn bits_wide(self) -> u32 {
        match self {
            Self::F64 => 64,
            Self::F16 | Self::Bf16 => 16,
            Self::S8 | Self::U8 | Self::E4m3 | Self::E5m2 => 8,
            Self::S4 | Self::U4 => 4,
            Self::B1 => 1,
            _ => 32,
        }
    }

    pub fn bits(self, value: f64) -> u64 {
        match self {
            Self::F16 => Half::of(value, Rounding::Nearest).0.into(),
            Self::Bf16 => u64::from((value as f32).to_bits() >> 16),
            Self::Tf32 | Self::F32 => (value as f32).to_bits().into(),
            Self::F64 => value.to_bits(),
            Self::E4m3 => soft::<Float8E4M3FN>(value),
            Self::E5m2 => soft::<Float8E5M2>(value),
            Self::S8 => (value as i8 as u8).into(),
            Self::U8 => (value as u8).into(),
            Self::S4 => (value as i8 as u8 & 15).into(),
            Self::U4 | Self::B1 => (value as u8).into(),
            Self::S32 => (value as i32 as u32).into(),
        }
    }

    /// Registers for so many elements.
    pub fn registers(self, count: u32) -> usize {
        (count * self.bits_wide()).div_ceil(self.bits_wide().max(32)) as usize
    }

    /// Of a result.
    pub fn value(self, bits: u64) -> f64 {
        match self {
            Self::F16 => Half::value(isa::Small(bits as u16)),
            Self::Bf16 => f32::from_bits((bits as u32) << 16).into(),
            Self::Tf32 | Self::F32 => f32::from_bits(bits as u32).into(),
            Self::F64 => f64::from_bits(bits),
            Self::S8 => (bits as u8 as i8).into(),
            Self::S32 => (bits as i32).into(),
            _ => bits as u32 as f64,
        }
    }

    /// Whole numbers: sums of their products are exact in every type.
    pub fn random(self, rng: &mut Xoshiro256PlusPlus, count: u32) -> Vec<f64> {
        let numbers = match self {
            Self::U8 | Self::U4 => 0..8,
            Self::B1 => 0..2,
            Self::E4m3 | Self::E5m2 => -2..3,
            _ => -4..5,
        };
        (0..count).map(|_| rng.random_range(numbers.clone()).into()).collect()
    }
}

/// A number of 8 bits.
fn soft<F: Float>(value: f64) -> u64
where
    Double: FloatConvert<F>,
{
    let small: F = Double::from_bits(value.to_bits().into()).convert(&mut false).value;
    small.to_bits() as u64
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
            let word = (lane * 16 + at * wide / 32) as usize;
            let bits = bits << (at * wide % 32);
            words[word] |= bits as u32;
            if wide == 64 {
                words[word + 1] = (bits >> 32) as u32;
            }
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
    more_cases(&mut case, c16);
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

/// Doubles, and integers and floats of fewer than 16 bits.
fn more_cases(case: &mut impl FnMut(&'static str, [u32; 3], &[[Ty; 4]], [Layout; 3]), c16: Layout) {
    use Ty::*;
    let doubles = [[F64; 4]];
    case(
        "m8n8k4.row.col",
        [8, 8, 4],
        &doubles,
        [|l, _| [l >> 2, l % 4], |l, _| [l % 4, l >> 2], |l, i| [l >> 2, l % 4 * 2 + (i & 1)]],
    );
    case(
        "m16n8k4.row.col",
        [16, 8, 4],
        &doubles,
        [|l, i| [if i == 0 { l >> 2 } else { (l >> 2) + 8 }, l % 4], |l, _| [l % 4, l >> 2], c16],
    );
    case(
        "m16n8k8.row.col",
        [16, 8, 8],
        &doubles,
        [
            |l, i| {
                let row = if i == 0 || i == 2 { l >> 2 } else { (l >> 2) + 8 };
                [row, if i < 2 { l % 4 } else { l % 4 + 4 }]
            },
            |l, i| [l % 4 + i * 4, l >> 2],
            c16,
        ],
    );
    case(
        "m16n8k16.row.col",
        [16, 8, 16],
        &doubles,
        [
            |l, i| match i % 2 {
                0 => [l >> 2, i * 2 + l % 4],
                _ => [(l >> 2) + 8, i * 2 - 2 + l % 4],
            },
            |l, i| [l % 4 + i * 4, l >> 2],
            c16,
        ],
    );
    let nibbles = [[S32, S4, S4, S32], [S32, U4, U4, S32], [S32, S4, U4, S32], [S32, U4, S4, S32]];
    case(
        "m8n8k32.row.col",
        [8, 8, 32],
        &nibbles,
        [
            |l, i| [l >> 2, l % 4 * 8 + i],
            |l, i| [l % 4 * 8 + i, l >> 2],
            |l, i| [l >> 2, l % 4 * 2 + i],
        ],
    );
    case(
        "m16n8k32.row.col",
        [16, 8, 32],
        &nibbles,
        [
            |l, i| [if i < 8 { l >> 2 } else { (l >> 2) + 8 }, l % 4 * 8 + (i & 7)],
            |l, i| [l % 4 * 8 + (i & 7), l >> 2],
            c16,
        ],
    );
    case(
        "m16n8k64.row.col",
        [16, 8, 64],
        &nibbles,
        [
            |l, i| {
                let upper = i < 8 || (16..24).contains(&i);
                let row = if upper { l >> 2 } else { (l >> 2) + 8 };
                [row, l % 4 * 8 + (i & 7) + if i < 16 { 0 } else { 32 }]
            },
            |l, i| [l % 4 * 8 + (i & 7) + if i < 8 { 0 } else { 32 }, l >> 2],
            c16,
        ],
    );
    let small =
        |c| [[c, E4m3, E4m3, c], [c, E5m2, E4m3, c], [c, E4m3, E5m2, c], [c, E5m2, E5m2, c]];
    for types in [small(F32), small(F16)] {
        case(
            "m16n8k16.row.col",
            [16, 8, 16],
            &types,
            [
                |l, i| [if i < 4 { l >> 2 } else { (l >> 2) + 8 }, l % 4 * 4 + (i & 3)],
                |l, i| [l % 4 * 4 + (i & 3), l >> 2],
                c16,
            ],
        );
        case(
            "m16n8k32.row.col",
            [16, 8, 32],
            &types,
            [
                |l, i| {
                    let upper = i < 4 || (8..12).contains(&i);
                    let row = if upper { l >> 2 } else { (l >> 2) + 8 };
                    [row, l % 4 * 4 + (i & 3) + if i < 8 { 0 } else { 16 }]
                },
                |l, i| [l % 4 * 4 + (i & 3) + if i < 4 { 0 } else { 16 }, l >> 2],
                c16,
            ],
        );
    }
    let bits = [[S32, B1, B1, S32]];
    case(
        "m8n8k128.row.col",
        [8, 8, 128],
        &bits,
        [
            |l, i| [l >> 2, l % 4 * 32 + i],
            |l, i| [l % 4 * 32 + i, l >> 2],
            |l, i| [l >> 2, l % 4 * 2 + i],
        ],
    );
    case(
        "m16n8k128.row.col",
        [16, 8, 128],
        &bits,
        [
            |l, i| [if i < 32 { l >> 2 } else { (l >> 2) + 8 }, l % 4 * 32 + (i & 31)],
            |l, i| [l % 4 * 32 + i, l >> 2],
            c16,
        ],
    );
    case(
        "m16n8k256.row.col",
        [16, 8, 256],
        &bits,
        [
            |l, i| {
                let upper = i < 32 || (64..96).contains(&i);
                let row = if upper { l >> 2 } else { (l >> 2) + 8 };
                [row, l % 4 * 32 + (i & 31) + if i < 64 { 0 } else { 128 }]
            },
            |l, i| [l % 4 * 32 + (i & 31) + if i < 32 { 0 } else { 128 }, l >> 2],
            c16,
        ],
    );
}
