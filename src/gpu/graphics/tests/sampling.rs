//! Textures and the viewport, by hand.

use super::super::*;

fn texture(size: [u32; 2], bytes: &[u8], format: Format, filter: Filter, wrap: Wrap) -> Texture {
    Texture::new(size, format, bytes, true, Sampler { filter, wrap }).expect("enough bytes")
}

#[test]
fn formats_fill_in_what_they_lack() {
    let texel = |format, bytes: &[u8]| {
        texture([1, 1], bytes, format, Filter::Nearest, Wrap::Clamp).level(0).texels[0]
    };
    assert_eq!(texel(Format::Rgba8, &[1, 2, 3, 4]), 0x0403_0201);
    assert_eq!(texel(Format::Rgb8, &[1, 2, 3]), 0xff03_0201);
    assert_eq!(texel(Format::A8, &[4]), 0x04ff_ffff);
    let sampler = Sampler::default();
    assert_eq!(Texture::new([2, 1], Format::A8, &[1], false, sampler), None);
    assert_eq!(Texture::new([0, 1], Format::A8, &[1], false, sampler), None);
}

#[test]
fn nearest_repeats_or_clamps() {
    let alpha = |wrap, u| {
        let texture = texture([4, 1], &[10, 20, 30, 40], Format::A8, Filter::Nearest, wrap);
        texture.level(0).sample(texture.sampler, u, 0.5) >> 24
    };
    for (u, repeated, clamped) in [
        (0.0, 10, 10),
        (0.2499, 10, 10),
        (0.25, 20, 20),
        (1.0, 10, 40),
        (-0.1, 40, 10),
        (7.6, 30, 40),
        (1e30, 10, 40),
        (f32::NAN, 10, 10),
        (f32::INFINITY, 10, 10),
    ] {
        assert_eq!([alpha(Wrap::Repeat, u), alpha(Wrap::Clamp, u)], [repeated, clamped], "{u}");
    }
}

#[test]
fn mirrors_go_back_and_borders_are_zero() {
    let alpha = |filter, wrap, u| {
        let texture = texture([4, 1], &[10, 20, 30, 40], Format::A8, filter, wrap);
        texture.level(0).sample(texture.sampler, u, 0.5) >> 24
    };
    for (u, mirrored, beyond) in
        [(0.3, 20, 20), (0.9, 40, 40), (1.1, 40, 0), (1.9, 10, 0), (2.3, 20, 0), (-0.1, 10, 0)]
    {
        let found = [Wrap::Mirror, Wrap::Border].map(|wrap| alpha(Filter::Nearest, wrap, u));
        assert_eq!(found, [mirrored, beyond], "{u}");
    }
    assert_eq!(alpha(Filter::Linear, Wrap::Border, 0.0), 5);
    assert_eq!(alpha(Filter::Linear, Wrap::Mirror, 1.0), 40);
}

#[test]
fn bilinear_weighs_with_eight_bits() {
    let alpha = |wrap, u: f32, v: f32| {
        let bytes = [0, 255, 100, 200];
        let texture = texture([2, 2], &bytes, Format::A8, Filter::Linear, wrap);
        texture.level(0).sample(texture.sampler, u, v) >> 24
    };
    // At a texel's centre, half-way between two, at the middle of four, and beyond the edge.
    assert_eq!(alpha(Wrap::Clamp, 0.75, 0.25), 255);
    assert_eq!(alpha(Wrap::Clamp, 0.5, 0.25), 128);
    assert_eq!(alpha(Wrap::Clamp, 0.5, 0.5), 139);
    assert_eq!(alpha(Wrap::Clamp, 0.0, 0.25), 0);
    assert_eq!(alpha(Wrap::Repeat, 0.0, 0.25), 128);
    // A weight is a multiple of 1 / 256: 0.25 + 1 / 1024 rounds to one of them, up.
    let step = (255 * 256 + (1 << 15)) >> 16;
    assert_eq!(alpha(Wrap::Clamp, 0.25 + 1.0 / 1024.0, 0.25), step);
}

#[test]
fn levels_are_means_and_chosen_by_the_longer_derivative() {
    let bytes = [0, 4, 8, 12, 1, 5, 9, 13, 100, 100, 0, 1];
    let texture = texture([4, 3], &bytes, Format::A8, Filter::Nearest, Wrap::Repeat);
    let alphas = |number| {
        let level = texture.level(number);
        (level.width, level.height, level.texels.iter().map(|it| it >> 24).collect::<Vec<_>>())
    };
    // (0 + 4 + 1 + 5 + 2) / 4 and (8 + 12 + 9 + 13 + 2) / 4; the third row of an odd height is left out.
    assert_eq!(alphas(1), (2, 1, vec![3, 11]));
    assert_eq!(alphas(2), (1, 1, vec![7]));
    assert_eq!(alphas(9), alphas(2));
    let root = |rho: f64| level([0.0, rho], [0.1, 0.0], 0.0);
    // The border between levels 0 and 1 is at the root of two.
    assert_eq!(
        [root(0.01), root(1.0), root(1.414), root(1.415), root(2.82), root(2.83)],
        [0, 0, 0, 1, 1, 2]
    );
    assert_eq!(level([4.0, 0.0], [0.0, 0.0], -1.0), 1);
    assert_eq!(level([f64::NAN, 0.0], [0.0; 2], 0.0), 0);
    assert_eq!(level([0.0; 2], [0.0; 2], f32::INFINITY), 31);
}

#[test]
fn vertices_snap_to_256ths_of_a_pixel() {
    let viewport = Viewport { x: 10, y: 20, width: 100, height: 50 };
    let placed = |position| viewport.place(position).map(|it| (it.x, it.y, it.depth));
    assert_eq!(placed([-1.0, -1.0, 0.0, 1.0]), Some((2560, 5120, 0)));
    // The lower right corner, at twice the distance.
    assert_eq!(placed([2.0, 2.0, 2.0, 2.0]), Some((28160, 17920, DEPTH_MOST)));
    // A half of a 256th goes to the even one.
    let half = 1.0 / 512.0 / 50.0;
    assert_eq!(placed([half, 0.0, 0.5, 1.0]), Some((15360, 11520, 8_388_608)));
    assert_eq!(placed([0.0; 4]), None);
}

#[test]
fn positions_that_are_no_numbers_are_told() {
    let viewport = Viewport { x: 0, y: 0, width: 8, height: 8 };
    let vertex = |x, z| Vertex { position: [x, 0.0, z, 1.0], ..Vertex::default() };
    let mut polygon = Vec::new();
    let mut clipped = |a, b, c| clip(&[a, b, c], 0, &viewport, &mut polygon);
    let good = vertex(0.0, 0.5);
    assert_eq!(clipped(good, good, vertex(f64::NAN, 0.5)), Clipped::NotFinite);
    assert_eq!(clipped(good, vertex(f64::INFINITY, 0.5), good), Clipped::NotFinite);
    assert_eq!(clipped(good, good, vertex(1e4, 0.5)), Clipped::Part);
    assert_eq!(clipped(good, good, vertex(1e3, 0.5)), Clipped::Whole);
    assert_eq!(clipped(vertex(2.0, 0.5), vertex(1.5, 0.5), vertex(1e4, 0.5)), Clipped::Outside);
    assert_eq!(clipped(vertex(0.0, -1.0), vertex(1.0, -1.0), vertex(0.0, -0.1)), Clipped::Outside);
}
