//! Sub-images of 8 and 16 bits: within their bound, exact where they are, and the table of what they do otherwise.

use num_rational::Ratio;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::super::split::rounded::Rounded;
use super::super::split::{Bits, Settings, System, render};
use super::super::*;
use super::{frames, random};

const GPUS: usize = 8;

fn blend(source: Factor, target: Factor, operator: Operator) -> Blend {
    let equation = Equation { source, target, operator };
    Blend { color: equation, alpha: equation, constant: [0; 4] }
}

/// Composes neighbours in any order; a sub-image without fragments is one, too.
fn composed<T: Copy>(
    mut all: Vec<T>,
    random: &mut Xoshiro256PlusPlus,
    over: impl Fn(T, T) -> T,
) -> T {
    while all.len() > 1 {
        let at = random.random_range(0..all.len() - 1);
        let upper = all.remove(at + 1);
        all[at] = over(upper, all[at]);
    }
    all[0]
}

/// What a trial finds: pixels of a thousand that differ from one GPU's, the worst step, and pixels of a thousand that
/// two orders make differ.
fn trial(blend: Blend, bits: Bits) -> [u64; 3] {
    const PIXELS: u64 = 20_000;
    let rounded = Rounded::new(&blend, bits).expect("sub-images can say it");
    let mut random = random(50);
    let [mut differ, mut worst, mut orders] = [0; 3];
    for _ in 0..PIXELS {
        let layers = random.random_range(1..=16);
        let colors: Vec<u32> = (0..layers).map(|_| random.random()).collect();
        let below: u32 = random.random();
        let mut images = vec![rounded.empty(); GPUS];
        let mut cuts: Vec<_> = (0..layers).map(|_| random.random_range(0..GPUS)).collect();
        cuts.sort_unstable();
        for (gpu, color) in cuts.iter().zip(&colors) {
            rounded.draw(&mut images[*gpu], *color);
        }
        let alone = colors.iter().fold(below, |below, color| blend.apply(*color, below));
        let [one, other] = [0; 2].map(|_: i32| {
            let image = composed(images.clone(), &mut random, |a, b| rounded.over(&a, &b));
            rounded.onto(&image, below)
        });
        let steps = one.to_le_bytes().into_iter().zip(alone.to_le_bytes());
        let step = steps.map(|(a, b)| a.abs_diff(b)).max().unwrap_or(0);
        assert_ne!(rounded.is_within(step, layers, GPUS as u64), Some(false), "{blend:?} {step}");
        differ += u64::from(one != alone);
        worst = worst.max(step.into());
        orders += u64::from(one != other);
    }
    [1000 * differ / PIXELS, worst, 1000 * orders / PIXELS]
}

#[test]
fn rounded_sub_images_do_what_the_table_says() {
    use Bits::{Eight, Sixteen};
    use Factor::*;
    use Operator::{Add, Max, Min, ReverseSubtract};
    let plus = |source| blend(source, One, Add);
    let screen = blend(OneMinusDstColor, One, Add);
    // At least and at most: pixels of a thousand that differ, the worst step, and two orders that differ.
    for (name, blend, bits, [differ, worst, orders]) in [
        ("over", Blend::OVER, Eight, [[300, 950], [3, 7], [150, 700]]),
        ("over", Blend::OVER, Sixteen, [[130, 800], [1, 3], [0, 5]]),
        ("multiply", blend(Zero, SrcColor, Add), Eight, [[20, 400], [1, 3], [2, 100]]),
        ("multiply", blend(DstColor, Zero, Add), Eight, [[20, 400], [1, 3], [2, 100]]),
        ("screen", screen, Eight, [[20, 400], [1, 3], [2, 100]]),
        ("multiply 2x", blend(DstColor, SrcColor, Add), Eight, [[500, 1000], [200, 255], [5, 200]]),
        ("add", plus(One), Eight, [[0, 0]; 3]),
        ("add by alpha", plus(SrcAlpha), Eight, [[0, 0]; 3]),
        ("reverse subtract", blend(One, One, ReverseSubtract), Eight, [[0, 0]; 3]),
        ("by alpha", blend(SrcAlpha, One, ReverseSubtract), Eight, [[0, 0]; 3]),
        ("least", blend(One, One, Min), Eight, [[0, 0]; 3]),
        ("greatest", blend(One, One, Max), Eight, [[0, 0]; 3]),
        ("add by alpha", plus(SrcAlpha), Sixteen, [[5, 200], [1, 3], [0, 0]]),
    ] {
        let found = trial(blend, bits);
        println!("{name}, {bits:?}: {found:?}");
        for (found, [least, most]) in found.into_iter().zip([differ, worst, orders]) {
            assert!((least..=most).contains(&found), "{name}, {bits:?}: {found}");
        }
    }
}

#[test]
fn what_is_no_multiple_of_the_colour_below_has_no_sub_image() {
    use Factor::*;
    for (source, target, operator) in [
        (One, One, Operator::Subtract),
        (One, DstColor, Operator::Add),
        (SrcAlphaSaturate, One, Operator::Add),
        (OneMinusDstColor, OneMinusSrcColor, Operator::Add),
        (DstAlpha, Zero, Operator::Add),
    ] {
        assert!(Rounded::new(&blend(source, target, operator), Bits::Eight).is_none());
    }
}

/// A frame of triangles that cover the screen, each of one colour, blended by *over*.
fn layers(colors: &[u32], below: u32) -> Frame {
    let mut frame = frames::frame_of(&mut Xoshiro256PlusPlus::seed_from_u64(1), &[0]);
    let Some(draw) = frame.draws().next().cloned() else { panic!("a draw") };
    frame.commands = vec![
        Command::Target { color: 0, depth: None },
        Command::Clear { color: Some(below), depth: None, stencil: None },
    ];
    for color in colors {
        let rgba = color.to_le_bytes().map(|it| f32::from(it) / 255.0);
        let corners = [[-1.0f32, -1.0], [3.0, -1.0], [-1.0, 3.0]];
        let floats = corners.iter().flat_map(|[x, y]| [*x, *y, 0.5, 1.0].into_iter().chain(rgba));
        let bytes: Vec<u8> = floats.flat_map(f32::to_le_bytes).collect();
        let address = frame.add_buffer("vertices", &bytes);
        let streams = vec![Stream { address, floats: 8, vertices: 3 }];
        let state = State { blend: Some(Blend::OVER), ..State::default() };
        let topology = Topology::Triangles;
        let draw = Draw { streams, state, topology, count: 3, first: 0, ..draw.clone() };
        frame.commands.push(Command::Draw(Box::new(Draw { is_opaque: false, ..draw })));
    }
    frame.picture = 0;
    frame
}

/// Premultiplied colour and alpha, of 0 to `most`, by fractions.
type Layer = [Ratio<i128>; 5];

/// One colour over another: alpha is kept, not its complement, and each step is rounded to nearest.
fn over(upper: Layer, lower: Layer, most: i128) -> Layer {
    let rest = Ratio::from(most) - upper[4];
    std::array::from_fn(|at| (upper[at] + rest * lower[at] / most).round())
}

#[test]
fn the_picture_is_that_of_the_same_tree_of_exact_fractions() {
    let mut random = random(51);
    for (bits, seed) in [(Bits::Eight, 1), (Bits::Sixteen, 2), (Bits::Eight, 3)] {
        let colors: Vec<u32> = (0..21).map(|_| random.random()).collect();
        let below: u32 = random.random();
        let frame = layers(&colors, below);
        let settings = Settings {
            threshold: 0,
            seed,
            sub_images: Some(bits),
            ..Settings::new(System::ChopinScheduled, GPUS)
        };
        let (found, report) = render(&frame, &settings).expect("a picture");
        let unit = i128::from(bits.unit());
        let most = 255 * unit;
        let layer = |color: &u32| {
            let [r, g, b, a] = color.to_le_bytes().map(|it| Ratio::from(i128::from(it) * unit));
            let by_alpha = |it: Ratio<i128>| it * a / most;
            // The target's alpha is blended as colours are, so it is not the alpha that covers.
            [by_alpha(r), by_alpha(g), by_alpha(b), by_alpha(a), a]
        };
        let run = |gpu: usize| {
            let range = gpu * colors.len() / GPUS..(gpu + 1) * colors.len() / GPUS;
            let none = [Ratio::from(0); 5];
            colors[range].iter().fold(none, |below, color| over(layer(color), below, most))
        };
        let order = report.orders.first().expect("a group");
        let images: Vec<u32> = (0..GPUS)
            .map(|dst| {
                let from = order.iter().filter(|[src, to]| *to == dst && *src != dst);
                let image = from.fold(run(dst), |own, [src, _]| match *src > dst {
                    true => over(run(*src), own, most),
                    false => over(own, run(*src), most),
                });
                let target = below.to_le_bytes().map(|it| Ratio::from(i128::from(it) * unit));
                let target = [target[0], target[1], target[2], target[3], Ratio::from(0)];
                let made = over(image, target, most);
                u32::from_le_bytes([0, 1, 2, 3].map(|at| {
                    u8::try_from((made[at] / unit).round().to_integer()).expect("a channel")
                }))
            })
            .collect();
        for (at, pixel) in found.pixels.iter().enumerate() {
            let (x, y) = (at % found.width as usize, at / found.width as usize);
            let owner = (y / 64 * found.width.div_ceil(64) as usize + x / 64) % GPUS;
            assert_eq!(*pixel, images[owner], "{bits:?}: pixel {x}, {y}");
        }
        let replayed = report.sub_images.expect("a count");
        assert_eq!(replayed.beyond_bound, 0, "{replayed:?}");
        assert_eq!(replayed.bounded, found.pixels.len() as u64);
    }
}

#[test]
fn frames_from_rounded_sub_images_stay_within_the_bound() {
    let mut all = 0;
    for seed in 1..12 {
        let frame = frames::frame(&mut Xoshiro256PlusPlus::seed_from_u64(seed));
        let exact = super::super::render(&frame).expect("a picture");
        for (sub_images, gpus) in [(None, 4), (Some(Bits::Eight), 3), (Some(Bits::Sixteen), 8)] {
            let settings = Settings {
                threshold: 0,
                seed,
                sub_images,
                ..Settings::new(System::ChopinScheduled, gpus)
            };
            let (found, report) = render(&frame, &settings).expect("a picture");
            let Some(replayed) = report.sub_images else { continue };
            assert_eq!(replayed.beyond_bound, 0, "{seed}: {replayed:?}");
            assert_eq!(replayed.bits, sub_images.unwrap_or(Bits::Eight));
            let differs = found.pixels != exact.pixels;
            assert!(!differs || sub_images.is_some() && replayed.pixels > 0, "{seed}");
            all += replayed.pixels;
        }
    }
    assert!(all > 1000, "{all}");
}
