//! `mma.sp`: products of a matrix of which half is stored; and moves: `ldmatrix`, `stmatrix`, `movmatrix`.

mod support {
    pub mod kernel;
    pub mod matrix;
}

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use support::kernel::{Kernel, On};
use support::matrix::{Ty, module, multiply_with, pack, rng, vector};
use warpsmith::gpu::isa;

/// A matrix with places, of each chunk, that hold numbers; what is stored of it; and four bits of metadata a chunk.
struct Sparse {
    dense: Vec<f64>,
    stored: Vec<f64>,
    metadata: Vec<Vec<u32>>,
}

fn sparse(rng: &mut Xoshiro256PlusPlus, ty: Ty, columns: u32, is_ordered: bool) -> Sparse {
    let (size, each) = match ty.bits_wide() {
        32 => (2, 1),
        4 => (8, 2),
        _ => (4, 1),
    };
    let mut all = Sparse { dense: Vec::new(), stored: Vec::new(), metadata: Vec::new() };
    for _ in 0..16 {
        let mut nibbles = Vec::new();
        for _ in 0..columns / size {
            let mut chunk = vec![0.0; size as usize];
            let mut places: Vec<u32> = Vec::new();
            if size == 2 {
                let at = rng.random_range(0..2);
                nibbles.push([0b0100, 0b1110][at as usize]);
                places.push(at);
            } else {
                let first = rng.random_range(0..4);
                let second = (first + rng.random_range(1..4)) % 4;
                let pair = if is_ordered {
                    [first.min(second), first.max(second)]
                } else {
                    [first, second]
                };
                nibbles.push(pair[0] | pair[1] << 2);
                places
                    .extend(pair.iter().flat_map(|at| (0..each).map(move |part| at * each + part)));
            }
            for (at, number) in places.iter().zip(ty.random(rng, places.len() as u32)) {
                chunk[*at as usize] = number;
                all.stored.push(number);
            }
            all.dense.extend(chunk);
        }
        all.metadata.push(nibbles);
    }
    all
}

/// The word of metadata of a lane, as the figures of the PTX ISA have it; what is none of a lane is none of anything.
fn word(ty: Ty, metadata: &[Vec<u32>], lane: usize, selector: usize) -> u32 {
    let (group, member) = (lane / 4, lane % 4);
    let chunks = metadata[0].len();
    let pack = |nibbles: &[u32]| nibbles.iter().rev().fold(0, |word, nibble| word << 4 | nibble);
    let junk = 0x5555_5555;
    match (ty.bits_wide(), chunks) {
        // Four chunks of two rows each: one lane, or two side by side.
        (16 | 32, 4) if member == selector => {
            pack(&metadata[group]) | pack(&metadata[group + 8]) << 16
        }
        (16 | 32, 8) if member / 2 == selector => {
            let part = |row: usize| pack(&metadata[row][member % 2 * 4..][..4]);
            part(group) | part(group + 8) << 16
        }
        // Eight chunks of one row: the two rows are in neighbours.
        (4 | 8, 8) if member / 2 == selector => pack(&metadata[group + member % 2 * 8]),
        (4 | 8, 16) => pack(&metadata[group + member % 2 * 8][member / 2 * 8..][..8]),
        _ => junk,
    }
}

#[test]
fn sparse_matrices_are_multiplied_as_the_full_ones() {
    let mut rng = rng();
    use Ty::*;
    let cases: [([Ty; 4], &[u32]); 13] = [
        ([F32, F16, F16, F32], &[16, 32]),
        ([F16, F16, F16, F16], &[16, 32]),
        ([F32, Bf16, Bf16, F32], &[16, 32]),
        ([F32, Tf32, Tf32, F32], &[8, 16]),
        ([S32, S8, S8, S32], &[32, 64]),
        ([S32, U8, S8, S32], &[32, 64]),
        ([S32, U8, U8, S32], &[32, 64]),
        ([S32, S4, S4, S32], &[64, 128]),
        ([S32, U4, U4, S32], &[64, 128]),
        ([S32, U4, S4, S32], &[64, 128]),
        ([F32, E4m3, E4m3, F32], &[64]),
        ([F32, E5m2, E4m3, F32], &[64]),
        ([F16, E4m3, E5m2, F16], &[64]),
    ];
    for (types, k) in cases.iter().flat_map(|(types, all)| all.iter().map(move |k| (*types, *k))) {
        let chunks = k / match types[1].bits_wide() {
            32 => 2,
            4 => 8,
            _ => 4,
        };
        for (selector, is_ordered) in
            (0..16 / chunks as usize).flat_map(|at| [(at, false), (at, true)])
        {
            let a = sparse(&mut rng, types[1], k, is_ordered);
            let (b, c) = (types[2].random(&mut rng, k * 8), types[3].random(&mut rng, 128));
            // Elements of a register, and then of the next one; A as a full one of half the columns.
            let in_register = 32 / types[1].bits_wide();
            let along = |l: u32, i: u32, register: u32| {
                l % 4 * in_register + i % in_register + register * 4 * in_register
            };
            let of_a = |l: u32, i: u32| {
                let register = i / in_register;
                [(l >> 2) + 8 * (register % 2), along(l, i, register / 2)]
            };
            let of_b = |l: u32, i: u32| [along(l, i, i / in_register), l >> 2];
            let of_c = |l: u32, i: u32| [(l >> 2) + 8 * (i / 2), l % 4 * 2 + i % 2];
            let counts = [4, k / 4, k / 4, 4];
            let mut with_metadata = pack(types[3], 8, 4, |l, i| Some(of_c(l, i)), &c);
            for lane in 0..32 {
                with_metadata[lane * 16 + 15] = word(types[1], &a.metadata, lane, selector);
            }
            let [d, ta, tb, tc] = types.map(Ty::name);
            let ordered = if is_ordered { "::ordered_metadata" } else { "" };
            let instruction =
                format!("mma.sp{ordered}.sync.aligned.m16n8k{k}.row.col.{d}.{ta}.{tb}.{tc}");
            let registers = [0, 1, 2, 3].map(|at| types[at].registers(counts[at]));
            let body = multiply_with(&instruction, registers, &format!(", %r1, {selector}"));
            let found: Vec<u32> = Kernel::of_text("test.ptx", &module("sm_80", &body), "k")
                .buffer(&[0u32; 512])
                .buffer(&pack(types[1], k / 2, counts[1], |l, i| Some(of_a(l, i)), &a.stored))
                .buffer(&pack(types[2], 8, counts[2], |l, i| Some(of_b(l, i)), &b))
                .buffer(&with_metadata)
                .run(On::Functional, [1, 1], [32, 1], 0)
                .buffer(0, 512);
            let wide = types[0].bits_wide();
            for (lane, at) in (0..32).flat_map(|lane| (0..4).map(move |at| (lane, at))) {
                let [row, column] = of_c(lane, at).map(|side| side as usize);
                let products = (0..k as usize)
                    .map(|step| a.dense[row * k as usize + step] * b[step * 8 + column]);
                let wanted = c[row * 8 + column] + products.sum::<f64>();
                let bits = found[(lane * 16 + at * wide / 32) as usize] >> (at * wide % 32);
                let value = types[0].value((bits & (u32::MAX >> (32 - wide))).into());
                assert_eq!(
                    value, wanted,
                    "{instruction}, selector {selector}: row {row}, column {column}"
                );
            }
        }
    }
}

#[test]
fn wrong_metadata_and_selectors_are_told() {
    let instruction = "mma.sp::ordered_metadata.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32";
    let text = |more: &str| module("sm_80", &multiply_with(instruction, [4, 2, 2, 4], more));
    let run = |word: u32| {
        let kernel = Kernel::of_text("test.ptx", &text(", %r1, 0"), "k");
        let kernel =
            (0..3).fold(kernel, |kernel, _| kernel.buffer(&[0u32; 512])).buffer(&[word; 512]);
        kernel.try_run(On::Functional, [1, 1], [32, 1], 0)
    };
    assert!(run(0x4444_4444).is_ok());
    let message = run(0x4444_4414).err().expect("a problem").to_string();
    assert!(
        message.contains("metadata 0b0001 in bits 4 and above: two places that rise"),
        "{message}"
    );
    let message = run(0x4444_5444).err().expect("a problem").to_string();
    assert!(
        message.contains("metadata 0b0101 in bits 12 and above: two places that differ"),
        "{message}"
    );
    let message = isa::load("test.ptx", &text(", %r1, 4")).expect_err("an error").to_string();
    assert!(message.contains("the selector is a number from 0 to 3"), "{message}");
}

#[test]
fn rows_of_a_matrix_become_columns() {
    let body = "add.u64 %rd5, %rd1, %rd4; ld.global.b32 %a0, [%rd5];\n\
         movmatrix.sync.aligned.m8n8.trans.b16 %d0, %a0;\nadd.u64 %rd5, %rd0, %rd4; st.global.b32 [%rd5], %d0;";
    let mut words = vec![0u32; 512];
    for (row, column) in (0..64).map(|at| (at / 8, at % 8)) {
        words[(row * 4 + column / 2) * 16] |= ((row * 10 + column) as u32) << (column % 2 * 16);
    }
    for on in [On::Functional, On::Preset("gtx480")] {
        let kernel = Kernel::of_text("test.ptx", &module("sm_90", body), "k").buffer(&[0u32; 512]);
        let kernel = kernel.buffer(&words).buffer(&[0u32]).buffer(&[0u32]);
        let found: Vec<u32> = kernel.run(on, [1, 1], [32, 1], 0).buffer(0, 512);
        for lane in 0..32 {
            let [low, high] = [0, 1].map(|part| ((lane % 4 * 2 + part) * 10 + lane / 4) as u32);
            assert_eq!(found[lane * 16], low | high << 16, "lane {lane}");
        }
    }
}

#[test]
fn ldmatrix_hands_rows_to_the_lanes_that_mma_wants_them_in() {
    // Matrix j has the number 100 j + 8 row + column in each place; row r of all matrices is 64 bytes long.
    for (count, transposed) in [(1, false), (2, false), (4, false), (1, true), (2, true), (4, true)]
    {
        let body = format!(
            "mov.u32 %r1, tile; and.b32 %r2, %r0, 7; shr.u32 %r3, %r0, 3;\n\
             mad.lo.u32 %r2, %r2, 64, %r1; mad.lo.u32 %r2, %r3, 16, %r2;\n\
             cvta.to.global.u64 %rd5, %rd1; shl.b32 %r3, %r0, 4; cvt.u64.u32 %rd6, %r3; add.u64 %rd5, %rd5, %rd6;\n\
             add.u32 %r1, %r1, %r3; ld.global.v4.b32 {{%a0, %a1, %a2, %a3}}, [%rd5];\n\
             st.shared.v4.b32 [%r1], {{%a0, %a1, %a2, %a3}}; bar.sync 0;\n\
             ldmatrix.sync.aligned.m8n8.x{count}{}.shared.b16 {}, [%r2];\n\
             add.u64 %rd5, %rd0, %rd4; {}",
            if transposed { ".trans" } else { "" },
            vector('d', count),
            (0..count)
                .map(|at| format!("st.global.b32 [%rd5+{}], %d{at};", at * 4))
                .collect::<String>(),
        );
        let number = |matrix: u32, row: u32, column: u32| matrix * 100 + row * 8 + column;
        let mut words = vec![0u32; 128];
        for (matrix, row, column) in (0..4).flat_map(|m| (0..64).map(move |at| (m, at / 8, at % 8)))
        {
            words[(row * 16 + matrix * 4 + column / 2) as usize] |=
                number(matrix, row, column) << (column % 2 * 16);
        }
        for on in [On::Functional, On::Preset("gtx480")] {
            let kernel = Kernel::of_text("test.ptx", &module("sm_80", &body), "k")
                .buffer(&[0u32; 512])
                .buffer(&words);
            let found: Vec<u32> =
                kernel.buffer(&[0u32]).buffer(&[0u32]).run(on, [1, 1], [32, 1], 0).buffer(0, 512);
            for (lane, matrix) in
                (0..32).flat_map(|lane| (0..count as u32).map(move |matrix| (lane, matrix)))
            {
                let [first, second] = match transposed {
                    false => [0, 1].map(|part| number(matrix, lane / 4, lane % 4 * 2 + part)),
                    true => [0, 1].map(|part| number(matrix, lane % 4 * 2 + part, lane / 4)),
                };
                assert_eq!(
                    found[(lane * 16 + matrix) as usize],
                    first | second << 16,
                    "lane {lane}, matrix {matrix}"
                );
            }
        }
    }
}

#[test]
fn stmatrix_stores_what_ldmatrix_loads() {
    for (count, transposed) in
        [(1, ""), (2, ""), (4, ""), (1, ".trans"), (2, ".trans"), (4, ".trans")]
    {
        let registers = vector('a', count);
        let body = format!(
            "mov.u32 %r1, tile; shl.b32 %r2, %r0, 4; add.u32 %r2, %r2, %r1;\n\
             cvta.to.global.u64 %rd5, %rd1; shl.b32 %r3, %r0, 4; cvt.u64.u32 %rd6, %r3; add.u64 %rd5, %rd5, %rd6;\n\
             ld.global.v4.b32 {{%a0, %a1, %a2, %a3}}, [%rd5];\n\
             stmatrix.sync.aligned.m8n8.x{count}{transposed}.shared.b16 [%r2], {registers}; bar.sync 0;\n\
             ldmatrix.sync.aligned.m8n8.x{count}{transposed}.shared.b16 {}, [%r2];\n\
             add.u64 %rd5, %rd0, %rd4; {} ld.shared.b32 %a0, [%r2]; st.global.b32 [%rd5+48], %a0;",
            vector('d', count),
            (0..count)
                .map(|at| format!("st.global.b32 [%rd5+{}], %d{at};", at * 4))
                .collect::<String>(),
        );
        let words: Vec<u32> = (0..128).map(|word| (2 * word) | ((2 * word + 1) << 16)).collect();
        for on in [On::Functional, On::Preset("gtx480")] {
            let kernel = Kernel::of_text("test.ptx", &module("sm_90", &body), "k")
                .buffer(&[0u32; 512])
                .buffer(&words);
            let found: Vec<u32> =
                kernel.buffer(&[0u32]).buffer(&[0u32]).run(on, [1, 1], [32, 1], 0).buffer(0, 512);
            for lane in 0..32 {
                assert_eq!(found[lane * 16..][..count], words[lane * 4..][..count], "{body}");
            }
            // A lane's first word: two places of its row, or of its column, of the first matrix.
            let half = |lane: usize, part: usize| words[lane * 4] >> (16 * part) & 0xffff;
            for row in 0..8 {
                let wanted = match transposed {
                    "" => words[row * 4 * 4],
                    _ => half(row / 2, row % 2) | half(4 + row / 2, row % 2) << 16,
                };
                assert_eq!(found[row * 16 + 12], wanted, "{transposed} {row}");
            }
        }
    }
}
