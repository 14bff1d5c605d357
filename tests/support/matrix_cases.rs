//! Shapes and types of `mma`, with the fragments of the PTX ISA.

use super::Ty;

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
