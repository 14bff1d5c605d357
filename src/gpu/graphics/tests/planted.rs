//! Errors that are planted in the pipeline, each found by the reference or by what neighbours must agree on.

use rand::RngExt;

use super::super::planted::{Fault, with};
use super::super::{Clipped, Setup, Vertex, Viewport, clip};
use super::{random, raster, reference};

const VIEWPORT: Viewport = Viewport { x: 0, y: 0, width: 640, height: 480 };

/// The vertices that clipping adds to a triangle.
fn added(triangle: &[Vertex; 3]) -> Vec<Vertex> {
    let mut polygon = Vec::new();
    match clip(triangle, 1, &VIEWPORT, &mut polygon) {
        Clipped::Part => polygon.retain(|it| !triangle.contains(it)),
        _ => polygon.clear(),
    }
    polygon
}

/// Neighbours whose common edge is clipped get the same point on it, bit for bit.
fn neighbours_agree() -> bool {
    let mut random = random(60);
    (0..2_000).all(|_| {
        let mut vertex = |z: f64| {
            let [x, y] = [0; 2].map(|_: i32| random.random_range(-1.0..1.0));
            let mut vertex = Vertex { position: [x, y, z, 1.5], ..Vertex::default() };
            vertex.varyings[0] = random.random();
            vertex
        };
        let [a, b] = [vertex(0.7), vertex(-0.3)];
        let [c, d] = [vertex(0.5), vertex(0.2)];
        let (one, other) = (added(&[a, b, c]), added(&[b, a, d]));
        one.len() == 2 && one.iter().any(|it| other.contains(it))
    })
}

/// Pixels of triangles, many of whose edges go through centres of pixels.
fn coverage_is_exact() -> bool {
    let mut random = random(61);
    (0..2_000).all(|_| {
        let vertices = raster::triangle(&mut random);
        let Some(setup) = Setup::new(&vertices) else { return true };
        let found = raster::drawn(&setup, &raster::WINDOW);
        let all = (0..raster::SIDE).flat_map(|y| (0..raster::SIDE).map(move |x| (x, y)));
        let expected = all.filter(|(x, y)| raster::covers(&vertices, *x, *y)).count();
        found.len() == expected && found.iter().all(|(x, y)| raster::covers(&vertices, *x, *y))
    })
}

#[test]
fn errors_of_the_pipeline_are_found() {
    assert!(neighbours_agree());
    assert!(!with(Fault::ClipsInOrder, neighbours_agree), "in the order of the vertices");
    assert!(coverage_is_exact());
    assert!(!with(Fault::AllEdges, coverage_is_exact), "all edges are covered");
    for fault in [Fault::DepthBeforeDiscard, Fault::HelpersWrite] {
        let found = (1..40).find(|seed| with(fault, || reference::differs(*seed)).is_some());
        println!("{fault:?}: seed {found:?}");
        assert!(found.is_some(), "{fault:?} is not found");
    }
}
