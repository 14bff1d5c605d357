//! Depth, stencil and blending against tables and other formulas.

use num_rational::Ratio;
use rand::RngExt;

use super::super::*;
use super::{pick, random};

#[test]
fn functions_are_those_of_their_names() {
    let table = [
        (Function::Never, [false, false, false]),
        (Function::Less, [true, false, false]),
        (Function::Equal, [false, true, false]),
        (Function::Lequal, [true, true, false]),
        (Function::Greater, [false, false, true]),
        (Function::Notequal, [true, false, true]),
        (Function::Gequal, [false, true, true]),
        (Function::Always, [true, true, true]),
    ];
    for (function, expected) in table {
        assert_eq!([1, 2, 3].map(|new| function.passes(new, 2)), expected, "{function:?}");
    }
}

#[test]
fn stencil_changes_by_where_the_tests_end() {
    let change = |operation| {
        let [fail, depth_fail, pass] = [operation, StencilOperation::Keep, StencilOperation::Zero];
        let stencil = StencilTest {
            test: Function::Equal,
            reference: 0x1f,
            read_mask: 0xf0,
            write_mask: 0x3f,
            fail,
            depth_fail,
            pass,
        };
        let state = State {
            depth: Some(DepthTest { test: Function::Less, write: true }),
            stencil: Some(stencil),
            ..State::default()
        };
        // Fails against 0xff, passes against 0x10; depth 5 fails against 5, passes against 6.
        [(5, 6 << 8 | 0xff), (5, 5 << 8 | 0x10), (5, 6 << 8 | 0x10)]
            .map(|(depth, stored)| state.test(depth, stored))
    };
    for (operation, stencil) in [
        (StencilOperation::Keep, 0xff),
        (StencilOperation::Zero, 0xc0),
        (StencilOperation::Replace, 0xc0 | 0x1f),
        (StencilOperation::Incr, 0xff),
        (StencilOperation::Decr, 0xc0 | 0x3e),
        (StencilOperation::Invert, 0xc0),
        (StencilOperation::IncrWrap, 0xc0),
        (StencilOperation::DecrWrap, 0xc0 | 0x3e),
    ] {
        let expected = [(6 << 8 | stencil, false), (5 << 8 | 0x10, false), (5 << 8, true)];
        assert_eq!(change(operation), expected, "{operation:?}");
    }
}

#[test]
fn depth_is_written_where_both_tests_pass() {
    let state = |write| State {
        depth: Some(DepthTest { test: Function::Lequal, write }),
        ..State::default()
    };
    assert_eq!(state(true).test(3, 4 << 8 | 9), (3 << 8 | 9, true));
    assert_eq!(state(false).test(3, 4 << 8 | 9), (4 << 8 | 9, true));
    assert_eq!(state(true).test(5, 4 << 8 | 9), (4 << 8 | 9, false));
    assert_eq!(State::default().test(5, 4 << 8 | 9), (4 << 8 | 9, true));
}

/// A factor as a fraction of 255, by its name in GL's table.
pub(super) fn factor(factor: Factor, at: usize, s: [i32; 4], d: [i32; 4], c: [i32; 4]) -> i32 {
    let alpha_too = |color: i32, alpha: i32| if at == 3 { alpha } else { color };
    match format!("{factor:?}").as_str() {
        "Zero" => 0,
        "One" => 255,
        "SrcAlphaSaturate" => alpha_too(s[3].min(255 - d[3]), 255),
        name => {
            let of = match name.trim_start_matches("OneMinus") {
                "SrcColor" => s[at],
                "DstColor" => d[at],
                "ConstantColor" => c[at],
                "SrcAlpha" => s[3],
                "DstAlpha" => d[3],
                _ => c[3],
            };
            if name.starts_with("OneMinus") { 255 - of } else { of }
        }
    }
}

#[test]
fn blending_is_the_exact_sum_with_its_rounding() {
    let mut random = random(7);
    for _ in 0..50_000 {
        let mut equation = || Equation {
            source: pick(&mut random, &Factor::ALL),
            target: pick(&mut random, &Factor::ALL),
            operator: pick(&mut random, &Operator::ALL),
        };
        let [color, alpha] = [equation(), equation()];
        let [source, target, constant]: [u32; 3] = random.random();
        let blend = Blend { color, alpha, constant: constant.to_le_bytes() };
        let found = blend.apply(source, target).to_le_bytes();
        let [s, d, c] = [source, target, constant].map(|it| it.to_le_bytes().map(i32::from));
        for at in 0..4 {
            let equation = if at == 3 { alpha } else { color };
            let [fs, fd] = [equation.source, equation.target].map(|it| factor(it, at, s, d, c));
            let (source, target) = (s[at] * fs, d[at] * fd);
            let sum = match equation.operator {
                Operator::Add => source + target,
                Operator::Subtract => source - target,
                Operator::ReverseSubtract => target - source,
                Operator::Min => 255 * s[at].min(d[at]),
                Operator::Max => 255 * s[at].max(d[at]),
            };
            let rounded = (Ratio::new(sum, 255) + Ratio::new(127, 255)).floor().to_integer();
            assert_eq!(i32::from(found[at]), rounded.clamp(0, 255), "{blend:?} {source} {target}");
        }
        if !blend.reads_target() {
            assert_eq!(blend.apply(source, !target), u32::from_le_bytes(found), "{blend:?}");
        }
    }
}

#[test]
fn colours_round_half_up_and_are_clamped() {
    let color = |value: f32| to_color([value, 0.0, 0.0, 0.0]);
    assert_eq!(to_color([0.0, 0.25, 0.5, 1.0]), u32::from_le_bytes([0, 64, 128, 255]));
    for (value, expected) in [(f32::NAN, 0), (-1.0, 0), (f32::INFINITY, 255), (0.5, 128)] {
        assert_eq!(color(value), expected, "{value}");
    }
    for byte in 0..255u32 {
        let middle = (byte as f32 + 0.5) / 255.0;
        let [below, above] =
            [-2i32, 2].map(|by| f32::from_bits(middle.to_bits().wrapping_add_signed(by)));
        assert_eq!([color(below), color(above)], [byte, byte + 1]);
    }
}

#[test]
fn masks_and_logic_work_on_channels() {
    assert_eq!(Mask::named("rgba"), Some(Mask::ALL));
    assert_eq!(Mask::named(""), Some(Mask(0)));
    assert_eq!([Mask::named("rr"), Mask::named("x")], [None, None]);
    let state = State { mask: Mask::named("ga").expect("a mask"), ..State::default() };
    assert_eq!(state.color(0x1122_3344, 0xaabb_ccdd), 0x11bb_33dd);
    let state =
        State { logic: Some(Logic::AndReverse), blend: Some(Blend::OVER), ..State::default() };
    assert_eq!(state.color(0b1100, 0b1010), 0b0100);
    assert!(!state.is_transparent());
}

#[test]
fn transparent_is_what_reads_the_target() {
    let over = State { blend: Some(Blend::OVER), ..State::default() };
    assert!(over.is_transparent());
    let equation = |source, target| Equation { source, target, operator: Operator::Add };
    let of = |color, alpha| State {
        blend: Some(Blend { color, alpha, constant: [0; 4] }),
        ..State::default()
    };
    let copies = equation(Factor::SrcAlpha, Factor::Zero);
    assert!(!of(copies, copies).is_transparent());
    assert!(of(copies, equation(Factor::One, Factor::One)).is_transparent());
    // Colours are multiplied although the destination factor is zero.
    assert!(of(equation(Factor::DstColor, Factor::Zero), copies).is_transparent());
}

#[test]
fn culling_goes_by_the_direction_on_the_screen() {
    let at = |x, y| Placed { x, y, depth: 0, inverse_w: 1.0 };
    // y points downwards: these go with the clock.
    let clockwise = [at(0, 0), at(512, 0), at(0, 512)];
    let all = [Facing::Back, Facing::Front, Facing::None, Facing::Both];
    let culls = |front| all.map(|facing| facing.culls(&clockwise, front));
    assert_eq!(culls(Winding::Ccw), [true, false, false, true]);
    assert_eq!(culls(Winding::Cw), [false, true, false, true]);
}
