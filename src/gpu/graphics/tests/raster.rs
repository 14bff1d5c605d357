//! Coverage, depth and varyings against a reference in exact arithmetic, pixel by pixel.
//!
//! Coverage is stated in another way: a pixel is covered if its centre, moved by (e, e * e) with e infinitesimal, lies
//! within the triangle. Depth is that of the plane through the vertices, as a fraction.

use num_bigint::BigInt;
use num_rational::Ratio;
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::super::{
    Bounds, Clipped, DEPTH_MOST, Placed, Quad, Setup, Vertex, Viewport, clip, varying,
};
use super::{pick, random};

pub(super) const SIDE: i64 = 24;
pub(super) const WINDOW: Bounds = Bounds { x: [0, SIDE], y: [0, SIDE] };

type Point = [i128; 2];

/// Twice the signed area of a triangle whose last point is moved: constant, e and e * e.
fn orientation(a: Point, b: Point, p: Point) -> [i128; 3] {
    let [dx, dy] = [b[0] - a[0], b[1] - a[1]];
    [dx * (p[1] - a[1]) - dy * (p[0] - a[0]), -dy, dx]
}

/// The sign of the first that is not zero.
fn sign(terms: [i128; 3]) -> i128 {
    terms.into_iter().find(|it| *it != 0).unwrap_or(0).signum()
}

/// Twice the area, positive if the vertices go with the clock.
pub(super) fn twice_area(vertices: &[Placed; 3]) -> i128 {
    let [a, b, c] = vertices.map(|it| [i128::from(it.x), i128::from(it.y)]);
    orientation(a, b, c)[0]
}

pub(super) fn covers(vertices: &[Placed; 3], x: i64, y: i64) -> bool {
    let [a, b, c] = vertices.map(|it| [i128::from(it.x), i128::from(it.y)]);
    let p = [x, y].map(|at| i128::from(at * 256 + 128));
    let whole = orientation(a, b, c)[0].signum();
    whole != 0
        && [(a, b), (b, c), (c, a)]
            .iter()
            .all(|(from, to)| sign(orientation(*from, *to, p)) == whole)
}

fn fraction(of: i64) -> Ratio<BigInt> {
    Ratio::from_integer(of.into())
}

/// Depth at the centre of a pixel by Cramer's rule, rounded half up.
fn depth(vertices: &[Placed; 3], x: i64, y: i64) -> BigInt {
    let [a, b, c] = vertices.map(|it| [it.x, it.y, it.depth.into()].map(fraction));
    let minus = |p: &[Ratio<BigInt>; 3], at: usize| &p[at] - &a[at];
    let determinant = minus(&b, 0) * minus(&c, 1) - minus(&c, 0) * minus(&b, 1);
    let across = (minus(&b, 2) * minus(&c, 1) - minus(&c, 2) * minus(&b, 1)) / &determinant;
    let down = (minus(&b, 0) * minus(&c, 2) - minus(&c, 0) * minus(&b, 2)) / &determinant;
    let [x, y] = [x, y].map(|at| fraction(at * 256 + 128));
    let exact = &a[2] + across * (x - &a[0]) + down * (y - &a[1]);
    (exact + Ratio::new(1.into(), 2.into())).floor().to_integer()
}

pub(super) fn drawn(setup: &Setup, bounds: &Bounds) -> Vec<(i64, i64)> {
    let mut found = Vec::new();
    setup.quads(
        bounds,
        |_, _| true,
        |Quad { x, y, mask }| {
            let pixels = (0..4).filter(|at| mask >> at & 1 != 0);
            found.extend(pixels.map(|at| (i64::from(x) + at % 2, i64::from(y) + at / 2)));
        },
    );
    found
}

/// Triangles of many kinds: of the window's size, enormous, smaller than a pixel, with vertices on pixels' centres
/// and edges along rows and columns, without area.
pub(super) fn triangle(random: &mut Xoshiro256PlusPlus) -> [Placed; 3] {
    let kind = random.random_range(0..6);
    let centre = [0; 2].map(|_: i32| random.random_range(-2 * 256..(SIDE + 2) * 256));
    let mut point = || {
        let [x, y] = centre.map(|at| match kind {
            0 => random.random_range(-8 * 256..(SIDE + 8) * 256),
            1 => random.random_range(-(1 << 22)..=1 << 22),
            2 => at + random.random_range(-256..256),
            3 => at + random.random_range(-20..20),
            4 => random.random_range(-2..=SIDE) * 256 + 128,
            _ => pick(random, &[-(1 << 22), -256, 0, 128, 256, 3200, 1 << 22]),
        });
        let depth =
            pick(random, &[0, 1, DEPTH_MOST]).max(random.random_range(0..=DEPTH_MOST) / 3 * 2);
        Placed { x, y, depth, inverse_w: f64::from(random.random_range(0.01f32..4.0)) }
    };
    let [a, b, c] = [point(), point(), point()];
    match random.random_range(0..20) {
        0 => [a, b, b],
        1 => [a, b, Placed { x: b.x, ..c }],
        2 => [a, b, Placed { y: a.y, ..c }],
        _ => [a, b, c],
    }
}

fn agree(triangles: u32, default: u64) {
    let mut random = random(default);
    let (mut covered, mut flat) = (0u64, 0);
    for number in 0..triangles {
        let vertices = triangle(&mut random);
        let Some(setup) = Setup::new(&vertices) else {
            flat += 1;
            let [a, b, c] = vertices.map(|it| [i128::from(it.x), i128::from(it.y)]);
            assert_eq!(orientation(a, b, c)[0], 0, "{number}: {vertices:?}");
            continue;
        };
        let mut found = drawn(&setup, &WINDOW);
        let count = found.len();
        found.sort_unstable();
        found.dedup();
        assert_eq!(found.len(), count, "{number}: a pixel twice: {vertices:?}");
        let all = (0..SIDE).flat_map(|x| (0..SIDE).map(move |y| (x, y)));
        let expected: Vec<_> = all.filter(|(x, y)| covers(&vertices, *x, *y)).collect();
        assert_eq!(found, expected, "{number}: {vertices:?}");
        covered += count as u64;
        for _ in 0..count.min(2) {
            let (x, y) = pick(&mut random, &found);
            let weights = setup.weights(x, y);
            assert_eq!(weights.iter().sum::<i64>(), setup.area, "{number}");
            let exact = depth(&vertices, x, y);
            assert_eq!(
                BigInt::from(setup.depth(weights)),
                exact,
                "{number}: {x}, {y}: {vertices:?}"
            );
        }
    }
    println!("{triangles} triangles, {covered} pixels, {flat} without area");
    assert!(covered > u64::from(triangles) && flat > 0);
}

#[test]
fn pixels_and_depths_are_those_of_exact_arithmetic() {
    agree(20_000, 1);
}

#[test]
#[ignore = "minutes"]
fn pixels_and_depths_of_a_million_triangles() {
    agree(1_000_000, 2);
}

#[test]
fn neighbours_leave_no_gap_and_draw_nothing_twice() {
    let mut random = random(3);
    for number in 0..300 {
        // A grid that covers the window, its inner vertices anywhere within their cells, some on pixels' centres.
        let side = random.random_range(2..8i64);
        let cell = (SIDE + 2) * 256 / side;
        let mut vertex = |column: i64, row: i64| {
            let mut along = |at: i64| match at {
                0 => -256,
                at if at == side => (SIDE + 1) * 256,
                at => {
                    let moved = -256 + at * cell + random.random_range(-cell / 2 + 1..cell / 2);
                    if random.random() { moved } else { (moved & !255) + 128 }
                }
            };
            Placed { x: along(column), y: along(row), depth: 0, inverse_w: 1.0 }
        };
        let grid: Vec<Vec<_>> =
            (0..=side).map(|row| (0..=side).map(|column| vertex(column, row)).collect()).collect();
        let mut counts = vec![0i32; (SIDE * SIDE) as usize];
        for (row, column) in
            (0..side as usize).flat_map(|row| (0..side as usize).map(move |c| (row, c)))
        {
            let [a, b] = [grid[row][column], grid[row][column + 1]];
            let [c, d] = [grid[row + 1][column], grid[row + 1][column + 1]];
            // A cell may be folded: what is drawn the other way round is taken away.
            for vertices in [[a, b, d], [a, d, c]] {
                let Some(setup) = Setup::new(&vertices) else { continue };
                let is_with_clock = (vertices[1].x - a.x) * (vertices[2].y - a.y)
                    > (vertices[2].x - a.x) * (vertices[1].y - a.y);
                for (x, y) in drawn(&setup, &WINDOW) {
                    counts[(y * SIDE + x) as usize] += if is_with_clock { 1 } else { -1 };
                }
            }
        }
        assert!(counts.iter().all(|count| *count == 1), "{number}: {counts:?}");
    }
}

#[test]
fn inclusive_edges_are_found() {
    let mut random = random(8);
    let is_found = |_| {
        let vertices = triangle(&mut random);
        let Some(setup) = Setup::new(&vertices) else { return false };
        let all = (0..SIDE).flat_map(|x| (0..SIDE).map(move |y| (x, y)));
        let inclusive = |(x, y): &(i64, i64)| setup.weights(*x, *y).iter().all(|it| *it >= 0);
        all.filter(inclusive).count() != drawn(&setup, &WINDOW).len()
    };
    assert!((0..500).any(is_found), "the top-left rule makes no difference");
}

#[test]
fn varyings_are_within_two_steps_of_the_fraction() {
    let mut random = random(4);
    let mut checked = 0;
    for _ in 0..2_000 {
        let vertices = triangle(&mut random);
        let Some(setup) = Setup::new(&vertices) else { continue };
        let values: [f64; 3] = [0; 3].map(|_: i32| f64::from(random.random_range(0.5f32..2.0)));
        let ws: [f64; 3] = setup.inverse_w.map(|it| 1.0 / it);
        let over_w = [0, 1, 2].map(|at| values[at] * setup.inverse_w[at]);
        for (x, y) in drawn(&setup, &WINDOW).into_iter().take(2) {
            let weights = setup.weights(x, y);
            let found = varying(weights.map(|it| it as f64), setup.inverse_w, over_w);
            let exact = |it: f64| Ratio::from_float(it).expect("a number");
            let sum = |of: [f64; 3]| -> Ratio<BigInt> {
                (0..3).map(|at| fraction(weights[at]) * exact(of[at]) / exact(ws[at])).sum()
            };
            let expected = sum(values) / sum([1.0; 3]);
            let step = f64::from(f32::from_bits(found.to_bits() + 1) - found);
            let error = exact(f64::from(found)) - expected;
            let most = exact(2.0 * step);
            assert!(error <= most && error >= -most.clone(), "{found}: {vertices:?}");
            checked += 1;
        }
    }
    assert!(checked > 500, "{checked}");
}

/// Clips, places and draws a triangle; pixels and how often each is drawn.
fn pixels_of(triangle: &[Vertex; 3], viewport: &Viewport) -> Vec<(i64, i64)> {
    let mut polygon = Vec::new();
    clip(triangle, 0, viewport, &mut polygon);
    let placed: Vec<_> = polygon.iter().filter_map(|it| viewport.place(it.position)).collect();
    let fan = (2..placed.len()).map(|at| [placed[0], placed[at - 1], placed[at]]);
    fan.filter_map(|it| Setup::new(&it)).flat_map(|setup| drawn(&setup, &WINDOW)).collect()
}

#[test]
fn clipped_neighbours_meet_without_a_gap() {
    let mut random = random(5);
    let viewport = Viewport { x: 0, y: 0, width: SIDE as u32, height: SIDE as u32 };
    let mut parts = 0;
    for number in 0..2_000 {
        // A quadrilateral around the view, its halves beyond the near plane or the eye.
        let mut corner = |x: f64, y: f64| {
            let w = random.random_range(0.2..3.0);
            let far = random.random_range(1.0..1e5);
            let position = [x * far * w, y * far * w, random.random_range(0.0..w), w];
            Vertex { position, ..Vertex::default() }
        };
        let [a, b, c, mut d] =
            [corner(-2.0, -2.0), corner(2.0, -2.0), corner(2.0, 2.0), corner(-2.0, 2.0)];
        if random.random() {
            d.position[2] = -0.5;
        }
        let halves = [[a, b, c], [a, c, d]];
        let mut polygon = Vec::new();
        parts += halves
            .iter()
            .filter(|it| clip(it, 0, &viewport, &mut polygon) == Clipped::Part)
            .count();
        let mut found = pixels_of(&halves[0], &viewport);
        let first = found.len();
        found.extend(pixels_of(&halves[1], &viewport));
        let total = found.len();
        found.sort_unstable();
        found.dedup();
        assert_eq!(found.len(), total, "{number}: the halves share {} pixels", total - found.len());
        // The same edge, the other way round in the other triangle, is the same edge.
        let turned = pixels_of(&[c, a, b], &viewport).len();
        assert_eq!(first, turned, "{number}");
    }
    assert!(parts > 1_000, "{parts}");
}
