//! Registers of `mma`, and kernels with one of them.

#![allow(dead_code, reason = "each test file uses a part")]

#[path = "matrix_cases.rs"]
mod of_the_isa;

use std::fmt::Write;

#[allow(unused_imports, reason = "each test file uses a part")]
pub use of_the_isa::{Case, cases};
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
