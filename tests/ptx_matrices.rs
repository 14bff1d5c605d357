//! Matrices that a warp holds together: `mma` and `wmma`.

mod support {
    pub mod kernel;
    pub mod matrix;
}

use rand::RngExt;
use rustc_apfloat::Float;
use rustc_apfloat::ieee::Double;
use support::kernel::{Kernel, On};
use support::matrix::{
    Case, Ty, cases, module, multiply_registers, multiply_with, pack, rng, vector,
};
use warpsmith::gpu::isa;

/// A plain product by rows.
fn product(shape: [u32; 3], a: &[f64], b: &[f64], c: &[f64]) -> Vec<f64> {
    folded(shape, a, b, c, |sum, a, b| sum + a * b)
}

/// Each element of `c` with the factors of its place, one pair after the other.
fn folded(
    [m, n, k]: [u32; 3],
    a: &[f64],
    b: &[f64],
    c: &[f64],
    add: impl Fn(f64, f64, f64) -> f64,
) -> Vec<f64> {
    let at = |row: u32, column: u32| {
        let pairs =
            (0..k).map(|step| (a[(row * k + step) as usize], b[(step * n + column) as usize]));
        pairs.fold(c[(row * n + column) as usize], |sum, (a, b)| add(sum, a, b))
    };
    (0..m * n).map(|place| at(place / n, place % n)).collect()
}

/// Runs one `mma`; the elements of D are compared with those wanted.
fn check(
    instruction: &str,
    types: [Ty; 4],
    counts: [u32; 4],
    registers: [Vec<u32>; 3],
    wanted: impl Fn(u32, u32) -> Option<f64>,
) {
    check_with(instruction, "", types, counts, registers, wanted);
}

/// The same with more operands.
fn check_with(
    instruction: &str,
    more: &str,
    types: [Ty; 4],
    counts: [u32; 4],
    registers: [Vec<u32>; 3],
    wanted: impl Fn(u32, u32) -> Option<f64>,
) {
    let counts_of_registers = [0, 1, 2, 3].map(|at| types[at].registers(counts[at]));
    let text = module("sm_80", &multiply_with(instruction, counts_of_registers, more));
    let [a, b, c] = registers;
    let kernel = Kernel::of_text("test.ptx", &text, "k")
        .buffer(&[0u32; 512])
        .buffer(&a)
        .buffer(&b)
        .buffer(&c);
    let found: Vec<u32> = kernel.run(On::Functional, [1, 1], [32, 1], 0).buffer(0, 512);
    let (ty, wide) = (types[0], types[0].bits_wide());
    for (lane, at) in (0..32).flat_map(|lane| (0..counts[0]).map(move |at| (lane, at))) {
        let first = (lane * 16 + at * wide / 32) as usize;
        let upper = if wide == 64 { u64::from(found[first + 1]) << 32 } else { 0 };
        let word = (upper | u64::from(found[first])) >> (at * wide % 32);
        let value = ty.value(word & (u64::MAX >> (64 - wide)));
        let wanted = wanted(lane, at);
        assert!(
            wanted.is_none_or(|wanted| wanted == value),
            "{instruction}: lane {lane}, d{at}: {value}, not {wanted:?}"
        );
    }
}

#[test]
fn every_fragment_of_mma_lies_as_the_isa_says() {
    let mut rng = rng();
    for Case { instruction, shape, types, layouts } in cases() {
        let [m, n, k] = shape;
        let sizes = [m * k, k * n, m * n];
        let [a, b, c] = [0, 1, 2].map(|at| types[at + 1].random(&mut rng, sizes[at]));
        let counts = [sizes[2], sizes[0], sizes[1], sizes[2]].map(|size| size / 32);
        let [la, lb, lc] = layouts;
        let registers = [
            pack(types[1], k, counts[1], |lane, at| Some(la(lane, at)), &a),
            pack(types[2], n, counts[2], |lane, at| Some(lb(lane, at)), &b),
            pack(types[3], n, counts[3], |lane, at| Some(lc(lane, at)), &c),
        ];
        let [d, ta, tb, tc] = types.map(Ty::name);
        let ends = if types[1] == Ty::B1 { &[".and.popc", ".xor.popc"][..] } else { &[""] };
        for end in ends {
            let wanted = match *end {
                ".xor.popc" => folded(shape, &a, &b, &c, |sum, a, b| sum + f64::from(a != b)),
                _ => product(shape, &a, &b, &c),
            };
            let instruction = format!("mma.sync.aligned.{instruction}.{d}.{ta}.{tb}.{tc}{end}");
            check(&instruction, types, counts, registers.clone(), |lane, at| {
                let [row, column] = lc(lane, at);
                Some(wanted[(row * n + column) as usize])
            });
        }
    }
}

#[test]
fn doubles_are_fused_in_the_order_of_columns() {
    let mut rng = rng();
    let cases = cases().into_iter().filter(|case| case.types[0] == Ty::F64);
    for Case { instruction, shape, types, layouts } in cases {
        let [m, n, k] = shape;
        let mut numbers = |count: u32| -> Vec<f64> {
            (0..count)
                .map(|_| rng.random_range(-1.0..1.0) * 2f64.powi(rng.random_range(-30..30)))
                .collect()
        };
        let [a, b, c] = [m * k, k * n, m * n].map(&mut numbers);
        let counts = [m * n, m * k, k * n, m * n].map(|size| size / 32);
        let registers = [
            pack(Ty::F64, k, counts[1], |lane, at| Some(layouts[0](lane, at)), &a),
            pack(Ty::F64, n, counts[2], |lane, at| Some(layouts[1](lane, at)), &b),
            pack(Ty::F64, n, counts[3], |lane, at| Some(layouts[2](lane, at)), &c),
        ];
        let soft = |value: f64| Double::from_bits(value.to_bits().into());
        let wanted = folded(shape, &a, &b, &c, |sum, a, b| {
            f64::from_bits(soft(a).mul_add(soft(b), soft(sum)).value.to_bits() as u64)
        });
        let plain = product(shape, &a, &b, &c);
        assert_ne!(wanted, plain, "rounded once, not twice");
        let instruction = format!("mma.sync.aligned.{instruction}.f64.f64.f64.f64");
        check(&instruction, types, counts, registers, |lane, at| {
            let [row, column] = layouts[2](lane, at);
            Some(wanted[(row * n + column) as usize])
        });
    }
}

#[test]
fn the_four_matrices_of_m8n8k4_lie_as_the_isa_says() {
    let mut rng = rng();
    // Lanes 4q to 4q+3 and 16+4q to 16+4q+3 have matrix q.
    let upper = |l: u32| if l < 16 { 0 } else { 4 };
    let a_of = [|l, i, u| [l % 4 + u, i], |l: u32, i: u32, u: u32| [i % 4 + u, l % 4]];
    let b_of = [|l, i, u| [l % 4, i + u], |l: u32, i: u32, u: u32| [i, l % 4 + u]];
    let c_half = |l: u32, i: u32| [l % 4 + upper(l), i];
    let c_single = |l: u32, i: u32| [(l & 1) + (i & 2) + upper(l), (i & 4) + (l & 2) + (i & 1)];
    for (la, lb, d, c) in
        [(0, 0, 16, 16), (0, 1, 32, 32), (1, 0, 32, 16), (1, 1, 16, 32), (0, 1, 16, 32)]
    {
        let result = |bits| if bits == 16 { Ty::F16 } else { Ty::F32 };
        let types = [result(d), Ty::F16, Ty::F16, result(c)];
        let place =
            |ty: Ty, l: u32, i: u32| if ty == Ty::F16 { c_half(l, i) } else { c_single(l, i) };
        let matrices: Vec<_> =
            (0..4).map(|_| [32, 32, 64].map(|size| Ty::F16.random(&mut rng, size))).collect();
        let mut registers = [const { Vec::new() }; 3];
        for (q, [a, b, c]) in (0..).zip(&matrices) {
            let own = |l: u32| l % 16 / 4 == q;
            let packed = [
                pack(Ty::F16, 4, 4, |l, i| own(l).then(|| a_of[la](l, i, upper(l))), a),
                pack(Ty::F16, 8, 4, |l, i| own(l).then(|| b_of[lb](l, i, upper(l))), b),
                pack(types[3], 8, 8, |l, i| own(l).then(|| place(types[3], l, i)), c),
            ];
            for (all, part) in registers.iter_mut().zip(packed) {
                all.resize(512, 0);
                all.iter_mut().zip(part).for_each(|(word, part)| *word |= part);
            }
        }
        let wanted: Vec<_> = matrices.iter().map(|[a, b, c]| product([8, 8, 4], a, b, c)).collect();
        let [la, lb] = [la, lb].map(|at| ["row", "col"][at]);
        let instruction = format!("mma.sync.aligned.m8n8k4.{la}.{lb}.f{d}.f16.f16.f{c}");
        check(&instruction, types, [8, 4, 4, 8], registers, |l, i| {
            let [row, column] = place(types[0], l, i);
            Some(wanted[(l % 16 / 4) as usize][(row * 8 + column) as usize])
        });
    }
}

/// Contents of a matrix in memory, with room between its rows or columns; words.
fn in_memory(
    ty: Ty,
    [rows, columns]: [u32; 2],
    by_column: bool,
    stride: u32,
    all: &[f64],
) -> Vec<u32> {
    let lines = if by_column { columns } else { rows };
    let mut words = vec![0; (lines * stride * ty.bits_wide() / 32) as usize];
    for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))) {
        let at =
            if by_column { column * stride + row } else { row * stride + column } * ty.bits_wide();
        let bits = ty.bits(all[(row * columns + column) as usize]) << (at % 32);
        words[(at / 32) as usize] |= bits as u32;
        if ty == Ty::F64 {
            words[(at / 32) as usize + 1] = (bits >> 32) as u32;
        }
    }
    words
}

#[test]
fn wmma_gives_the_product_in_every_shape_type_and_layout() {
    let mut rng = rng();
    use Ty::*;
    let wide = [[16, 16, 16], [8, 32, 16], [32, 8, 16]];
    let kinds: [(&[[u32; 3]], [Ty; 4]); 10] = [
        (&wide, [F32, F16, F16, F32]),
        (&wide, [F16, F16, F16, F16]),
        (&wide, [F32, Bf16, Bf16, F32]),
        (&wide, [S32, S8, S8, S32]),
        (&wide, [S32, U8, U8, S32]),
        (&[[16, 16, 8]], [F32, Tf32, Tf32, F32]),
        (&[[8, 8, 4]], [F64; 4]),
        (&[[8, 8, 32]], [S32, S4, S4, S32]),
        (&[[8, 8, 32]], [S32, U4, U4, S32]),
        (&[[8, 8, 128]], [S32, B1, B1, S32]),
    ];
    let shapes =
        kinds.iter().flat_map(|(shapes, types)| shapes.iter().map(move |shape| (*shape, *types)));
    for ((shape, types), layouts) in
        shapes.flat_map(|case| (0..16).map(move |layouts| (case, layouts)))
    {
        let [m, n, k] = shape;
        let is_small = types[1].bits_wide() < 8;
        if is_small && layouts & 6 != 4 {
            continue;
        }
        let sizes = [[m, n], [m, k], [k, n], [m, n]];
        let is_column = |at: usize| layouts >> at & 1 != 0;
        let layout = |at: usize| if is_column(at) { "col" } else { "row" };
        let stride =
            |at: usize| sizes[at][usize::from(!is_column(at))] + if is_small { 128 } else { 16 };
        let [a, b, c] = [1, 2, 3].map(|at| types[at].random(&mut rng, sizes[at][0] * sizes[at][1]));
        let of = |at: usize| match (at, types[at]) {
            (1 | 2, F16) => 8,
            _ => types[at].registers(sizes[at][0] * sizes[at][1] / 32),
        };
        let name_of = |at: usize| if types[0] == F64 { b"DABC"[at] } else { b"dabc"[at] } as char;
        let dims = format!("m{m}n{n}k{k}");
        let load = |at: usize, name: char| {
            let (registers, ty) = (vector(name_of(at), of(at)), types[at].name());
            format!(
                "wmma.load.{name}.sync.aligned.{}.{dims}.global.{ty} {registers}, [%rd{at}], {};\n",
                layout(at),
                stride(at)
            )
        };
        let [td, ta, tb, tc] = types.map(Ty::name);
        let named =
            if types[1] == F16 { format!("{td}.{tc}") } else { format!("{td}.{ta}.{tb}.{tc}") };
        let [rd, ra, rb, rc] = [0, 1, 2, 3].map(|at| vector(name_of(at), of(at)));
        let bits = if types[1] == B1 { ".and.popc" } else { "" };
        let body = format!(
            "{}{}{}wmma.mma{bits}.sync.aligned.{}.{}.{dims}.{named} {rd}, {ra}, {rb}, {rc};\n\
             wmma.store.d.sync.aligned.{}.{dims}.global.{td} [%rd0], {rd}, {};",
            load(1, 'a'),
            load(2, 'b'),
            load(3, 'c'),
            layout(1),
            layout(2),
            layout(0),
            stride(0)
        );
        let kernel =
            Kernel::of_text("test.ptx", &module("sm_80", &body), "k").buffer(&[0u32; 2048]);
        let memory = |at: usize, all: &[f64]| {
            in_memory(types[at], sizes[at], is_column(at), stride(at), all)
        };
        let kernel = kernel.buffer(&memory(1, &a)).buffer(&memory(2, &b)).buffer(&memory(3, &c));
        let wanted = memory(0, &product(shape, &a, &b, &c));
        let found: Vec<u32> =
            kernel.run(On::Functional, [1, 1], [32, 1], 0).buffer(0, wanted.len());
        assert_eq!(found, wanted, "{body}");
    }
}

const MMA: &str = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32";

#[test]
fn a_machine_without_tensor_cores_says_what_to_use() {
    let text = module("sm_80", &multiply_registers(MMA, [4, 4, 2, 4]));
    let kernel = || {
        let kernel = Kernel::of_text("test.ptx", &text, "k");
        (0..4).fold(kernel, |kernel, _| kernel.buffer(&[0u32; 512]))
    };
    let ended = kernel().try_run(On::Preset("gtx480"), [1, 1], [32, 1], 0);
    let message = ended.err().expect("a problem").to_string();
    assert!(
        message.starts_with("test.ptx:10: this machine has no tensor cores: use --timing off"),
        "{message}"
    );
    let clocks = |text: &str| {
        let kernel = (0..4)
            .fold(Kernel::of_text("test.ptx", text, "k"), |kernel, _| kernel.buffer(&[0u32; 512]));
        kernel.run(On::Preset("hmg_4x4"), [1, 1], [32, 1], 0).cycles
    };
    // Each of ten more that wait for each other takes 54 - 32 + 16 clocks and two of the pipeline.
    let chain =
        format!("{MMA} {0}, {1}, {2}, {0};\n", vector('d', 4), vector('a', 4), vector('b', 2));
    let longer = text.replacen(
        "\nadd.u64 %rd5, %rd0",
        &format!("\n{}add.u64 %rd5, %rd0", chain.repeat(10)),
        1,
    );
    assert_eq!(clocks(&longer) - clocks(&text), 10 * (54 - 32 + 16 + 2));
}

#[test]
fn what_is_wrong_with_a_matrix_is_told() {
    let text = module("sm_80", &multiply_registers(MMA, [4, 4, 2, 4]));
    let kernel = (0..4)
        .fold(Kernel::of_text("test.ptx", &text, "k"), |kernel, _| kernel.buffer(&[0u32; 512]));
    let message =
        kernel.try_run(On::Functional, [1, 1], [24, 1], 0).err().expect("a problem").to_string();
    assert!(message.contains("names the lanes 0xffffffff, but 0x00ffffff execute it"), "{message}");
    for (instruction, counts, wanted) in [
        ("mma.sync.aligned.m16n8k16.row.row.f32.f16.f16.f32", [4, 4, 2, 4], ".row.col is accepted"),
        (
            "mma.sync.aligned.m16n8k16.row.col.f32.f16.bf16.f32",
            [4, 4, 2, 4],
            "with a of f16, b is the same",
        ),
        (
            "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32",
            [4, 4, 4, 4],
            "operand 3 has 4 registers, 2 are wanted",
        ),
        (
            "mma.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32",
            [4, 4, 2, 4],
            "m16n8k16 of [f16, bf16, s8, u8, f64, e4m3, e5m2]",
        ),
        (
            "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.e2m1",
            [2, 1, 1, 2],
            ".e2m1 is not supported here",
        ),
        (
            "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64",
            [2, 1, 1, 2],
            "the types of D, A, B and C are",
        ),
        (
            "mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32",
            [4, 4, 2, 4],
            ".xor.popc or .and.popc is missing",
        ),
    ] {
        let text = module("sm_80", &multiply_registers(instruction, counts));
        let message = isa::load("test.ptx", &text).expect_err("an error").to_string();
        assert!(message.contains(wanted), "{instruction}: {message}");
    }
}
