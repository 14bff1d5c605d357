//! Opaque groups pixel by pixel: which depth functions compose, with draw numbers and without them.

use rand::RngExt;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::super::split::Rule;
use super::super::*;
use super::random;

const GPUS: usize = 4;
const TRIALS: u64 = 20_000;

/// A pixel: depth, colour, and the number of its draw.
type Pixel = [u32; 3];

fn drawn(test: DepthTest, [depth, color, number]: Pixel, draw: Pixel) -> Pixel {
    let state = State { depth: Some(test), ..State::default() };
    let (word, passes) = state.test(draw[0], depth << 8);
    let [color, number] = if passes { [draw[1], draw[2]] } else { [color, number] };
    [depth_of(word), color, number]
}

/// Deals draws of few depths to GPUs, and composes their sub-images at the first in any order; whether the pixel is
/// that of one GPU. Without a broadcast the others do not know the depth that is there.
fn is_same(
    test: DepthTest,
    numbers: bool,
    broadcast: bool,
    random: &mut Xoshiro256PlusPlus,
) -> bool {
    let before = [random.random_range(1..6), 1000, 0];
    let draws: Vec<Pixel> = (1..=random.random_range(2..9))
        .map(|number| [random.random_range(0..7), number, number])
        .collect();
    let alone = draws.iter().fold(before, |pixel, draw| drawn(test, pixel, *draw));
    let nearest = matches!(test.test, Function::Less | Function::Lequal | Function::Always);
    let far = if nearest { DEPTH_MOST } else { 0 };
    let fills = test.write && test.test != Function::Equal || !broadcast;
    let mut images = [[if fills { far } else { before[0] }, 0, 0]; GPUS];
    images[0] = before;
    for draw in &draws {
        let image = &mut images[random.random_range(0..GPUS)];
        *image = drawn(test, *image, *draw);
    }
    let rule = Rule { function: test.test, writes_depth: test.write, by_arrival: !numbers };
    let mut order: Vec<_> = (1..GPUS).collect();
    order.shuffle(random);
    let mut made = images[0];
    for [depth, color, number] in order.into_iter().map(|gpu| images[gpu]) {
        if number != 0 && rule.replaces([depth, number], [made[0], made[2]]) {
            made = [if test.write { depth } else { made[0] }, color, number];
        }
    }
    made[..2] == alone[..2]
}

#[test]
fn functions_compose_as_the_table_says() {
    use Function::*;
    let mut random = random(40);
    let mut wrong = |test, write, numbers, broadcast| {
        let test = DepthTest { test, write };
        let trials = 0..TRIALS;
        trials.filter(|_| !is_same(test, numbers, broadcast, &mut random)).count() as u64
    };
    for function in [Less, Lequal, Greater, Gequal] {
        assert_eq!(wrong(function, true, true, true), 0, "{function:?}");
        assert!(wrong(function, true, false, true) > TRIALS / 50, "{function:?}: ties");
    }
    assert_eq!(wrong(Always, true, true, true), 0);
    assert!(wrong(Always, true, false, true) > TRIALS / 4);
    for (function, write) in [Less, Lequal, Greater, Gequal, Notequal, Always]
        .map(|it| (it, false))
        .into_iter()
        .chain([(Equal, true), (Equal, false)])
    {
        assert_eq!(wrong(function, write, true, true), 0, "{function:?}, {write}");
        assert!(wrong(function, write, false, true) > TRIALS / 100, "{function:?}, {write}");
        let without_broadcast = wrong(function, write, true, false);
        let reads = function != Always;
        assert_eq!(without_broadcast > TRIALS / 50, reads, "{function:?}: {without_broadcast}");
    }
    // Never exact: such groups are duplicated.
    assert!(wrong(Notequal, true, true, true) > TRIALS / 50);
}
