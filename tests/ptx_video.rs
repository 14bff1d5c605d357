//! Results of video instructions, beside a model that works on numbers as they are written in PTX.

#[path = "support/ptx.rs"]
mod ptx;

use ptx::{narrow, refused};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// A part of a word, as a number.
fn part(word: u32, name: &str, signed: bool) -> i128 {
    let bytes = word.to_le_bytes();
    let at = usize::from(name.as_bytes().last().map_or(0, |digit| digit.wrapping_sub(b'0')));
    match (name.as_bytes().first(), signed) {
        (Some(b'b'), true) => (bytes[at] as i8).into(),
        (Some(b'b'), false) => bytes[at].into(),
        (Some(_), true) => i16::from_le_bytes([bytes[2 * at], bytes[2 * at + 1]]).into(),
        (Some(_), false) => u16::from_le_bytes([bytes[2 * at], bytes[2 * at + 1]]).into(),
        (None, true) => (word as i32).into(),
        (None, false) => word.into(),
    }
}

fn clamp(value: i128, bits: u32, signed: bool) -> i128 {
    let count = 1i128 << bits;
    if signed { value.max(-count / 2).min(count / 2 - 1) } else { value.max(0).min(count - 1) }
}

const PARTS: [&str; 7] = ["", "b0", "b1", "b2", "b3", "h0", "h1"];

#[test]
fn parts_of_words_are_worked_on_saturated_and_merged() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
    for turn in 0..400 {
        let mut pick = |count: usize| rng.random_range(0..count);
        let op = ["vadd", "vsub", "vabsdiff", "vmin", "vmax", "vshl", "vshr", "vset"][pick(8)];
        let [d_signed, a_signed, b_signed] = [0; 3].map(|_| pick(2) == 1);
        let b_signed = b_signed && !matches!(op, "vshl" | "vshr");
        let d_signed = d_signed && op != "vset";
        let [of_a, of_b, of_d] = [0; 3].map(|_| PARTS[pick(7)]);
        let second = ["", ".add", ".min", ".max"][pick(4)];
        let (of_d, second) = if pick(2) == 0 { (of_d, "") } else { ("", second) };
        let saturate = pick(2) == 1 && op != "vset";
        let wrap = pick(2) == 1;
        let comparison = ["eq", "ne", "lt", "le", "gt", "ge"][pick(6)];
        let edges =
            [0, 1, 0x7f, 0x80, 0xff, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, 0x8080_7f7f, 0xff7f];
        let [a, b, c] = [0; 3].map(|_| match rng.random_range(0..2) {
            0 => edges[rng.random_range(0..edges.len())],
            _ => rng.random_range(0..=u32::MAX),
        });
        let (x, y) = (part(a, of_a, a_signed), part(b, of_b, b_signed));
        let amount = if wrap { y as u32 % 32 } else { (y as u32).min(32) };
        let mut wanted = match op {
            "vadd" => x + y,
            "vsub" => x - y,
            "vabsdiff" => (x - y).abs(),
            "vmin" => x.min(y),
            "vmax" => x.max(y),
            "vshl" => x * (1 << amount),
            "vshr" => x.div_euclid(1 << amount),
            _ => i128::from(match comparison {
                "eq" => x == y,
                "ne" => x != y,
                "lt" => x < y,
                "le" => x <= y,
                "gt" => x > y,
                _ => x >= y,
            }),
        };
        let bits: usize = match of_d.as_bytes().first() {
            Some(b'b') => 8,
            Some(_) => 16,
            None => 32,
        };
        if saturate {
            wanted = clamp(wanted, bits as u32, d_signed);
        }
        let third = part(c, "", d_signed);
        let word = match second {
            ".add" => (wanted + third) as u32,
            ".min" => wanted.min(third) as u32,
            ".max" => wanted.max(third) as u32,
            _ if bits == 32 => wanted as u32,
            _ => {
                let mut bytes = c.to_le_bytes();
                let at = usize::from(of_d.as_bytes()[1] - b'0') * bits / 8;
                bytes[at..at + bits / 8]
                    .copy_from_slice(&(wanted as u32).to_le_bytes()[..bits / 8]);
                u32::from_le_bytes(bytes)
            }
        };
        let ty = |signed| if signed { ".s32" } else { ".u32" };
        let dotted = |name: &str| if name.is_empty() { String::new() } else { format!(".{name}") };
        let middle = match op {
            "vset" => format!(".{comparison}"),
            _ if saturate => ".sat".to_string(),
            _ => String::new(),
        };
        let mode = match (op, wrap) {
            ("vshl" | "vshr", true) => ".wrap",
            ("vshl" | "vshr", false) => ".clamp",
            _ => "",
        };
        let of_result = if op == "vset" { "" } else { ty(d_signed) };
        let has_c = !second.is_empty() || !of_d.is_empty();
        let body = format!(
            "{op}{of_result}{}{}{middle}{mode}{second} %r7{}, %r0{}, %r1{}{};",
            ty(a_signed),
            ty(b_signed),
            dotted(of_d),
            dotted(of_a),
            dotted(of_b),
            if has_c { ", %r2" } else { "" },
        );
        if turn < 3 {
            println!("{body}");
        }
        narrow(&body, &[a, b, c], word);
    }
}

#[test]
fn products_are_added_scaled_and_saturated() {
    let [minus, big] = [-7i32 as u32, 0x7fff_0000];
    narrow("vmad.s32.s32.s32 %r7, %r0.b0, %r1.h1, %r2;", &[0xff, 0x0005_0000, 100], 95);
    narrow("vmad.u32.u32.u32 %r7, %r0.b0, %r1.h1, %r2;", &[0xff, 0x0005_0000, 100], 255 * 5 + 100);
    narrow("vmad.s32.s32.s32 %r7, -%r0, %r1, %r2;", &[6, 5, 100], 70);
    narrow("vmad.s32.s32.s32 %r7, %r0, -%r1, %r2;", &[6, 5, 100], 70);
    narrow("vmad.s32.s32.s32 %r7, %r0, %r1, -%r2;", &[6, 5, 100], -70i32 as u32);
    narrow("vmad.u32.u32.u32.po %r7, %r0, %r1, %r2;", &[6, 5, 100], 131);
    narrow("vmad.s32.s32.s32.shr7 %r7, %r0, %r1, %r2;", &[minus, 128, 1], minus);
    narrow(
        "vmad.u32.u32.u32.po.shr15 %r7, %r0, %r1, %r2;",
        &[1 << 20, 1 << 15, 0x7fff],
        (1 << 20) + 1,
    );
    narrow("vmad.s32.s32.s32.sat %r7, %r0, %r1, %r2;", &[big, big, 0], i32::MAX as u32);
    narrow("vmad.s32.s32.s32.sat %r7, %r0, %r1, %r2;", &[big, minus, 0], i32::MIN as u32);
    narrow("vmad.u32.u32.u32.sat %r7, %r0, %r1, %r2;", &[big, big, 0], u32::MAX);
    let message = refused(&ptx::module("vmad.s32.s32.s32 %r7, -%r0, %r1, -%r2;"));
    assert!(message.contains("the product or c may be negative"), "{message}");
}

#[test]
fn all_parts_are_compared_picked_and_masked() {
    let words = [0x0001_fffe, 0x0002_0003, 0x1234_5678];
    narrow("vset2.u32.u32.lt %r7, %r0, %r1, %r2;", &words, 0x0001_0000);
    narrow("vset2.s32.s32.lt %r7, %r0, %r1, %r2;", &words, 0x0001_0001);
    narrow("vset2.s32.s32.lt.add %r7, %r0, %r1, %r2;", &words, 0x1234_567a);
    narrow("vset2.u32.u32.ge %r7.h0, %r0, %r1, %r2;", &words, 0x1234_0001);
    narrow(
        "vset4.u32.u32.ne %r7, %r0, %r1, %r2;",
        &[0x01_02_03_04, 0x01_ff_03_05, 0],
        0x00_01_00_01,
    );
    narrow("vset4.u32.u32.eq.add %r7, %r0, %r1, %r2;", &[0x01_02_03_04, 0x01_ff_03_05, 5], 7);
    // Halves 3 and 0 (of b and of a) and those of a the other way round.
    narrow(
        "vadd2.u32.u32.u32 %r7, %r0.h30, %r1.h01, %r2;",
        &[0x0001_0002, 0x0030_0040, 0],
        0x0032_0003,
    );
    narrow(
        "vadd4.u32.u32.u32 %r7.b20, %r0, %r1, %r2;",
        &[0x01_02_03_04, 0x10_20_30_40, 0xaa_bb_cc_dd],
        0xaa_22_cc_44,
    );
    narrow(
        "vsub4.s32.u32.u32.sat %r7, %r0.b4444, %r1.b7654, %r2;",
        &[9, 0x80_05_07_01, 0],
        0x81_fc_fa_00,
    );
    for (body, wanted) in [
        ("vadd2.u32.u32.u32 %r7, %r0.h40, %r1, %r2;", "h and numbers below 4 are accepted"),
        ("vadd.u32.u32.u32 %r7, %r0.b4, %r1;", "b0 to b3, h0 and h1 are accepted"),
        ("vshl.u32.u32.u32 %r7, %r0, %r1;", ".clamp or .wrap is missing"),
    ] {
        let message = refused(&ptx::module(body));
        assert!(message.contains(wanted), "{body}: {message}");
    }
}
