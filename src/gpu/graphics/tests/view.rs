//! Pictures that show how a picture came about: the same from several GPUs, where they show the same.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::super::split::{Settings, System, Wishes, draw};
use super::super::{Frame, Picture, View};
use super::{frames, pick};

fn view(frame: &Frame, settings: &Settings, view: View) -> (Picture, u32) {
    let wishes = Wishes { view: Some(view), ..Wishes::NONE };
    let viewed = draw(frame, settings, wishes).expect("a picture").view.expect("a view");
    (viewed.picture, viewed.most)
}

#[test]
fn depth_and_groups_are_those_of_one_gpu_in_every_system() {
    for seed in 1..8 {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let frame = frames::frame(&mut random);
        for of in [View::Depth, View::Group] {
            let alone = view(&frame, &Settings::new(System::Duplication, 1), of);
            for system in System::ALL {
                let gpus = pick(&mut random, &[2, 3, 5, 8]);
                let settings =
                    Settings { threshold: 0, seed: random.random(), ..Settings::new(system, gpus) };
                let found = view(&frame, &settings, of);
                assert!(found == alone, "{seed}: {of:?}, {settings:?}");
            }
        }
    }
}

#[test]
fn duplication_writes_each_fragment_once_at_the_owner_of_its_tile() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
    let frame = frames::frame(&mut random);
    let [one, four] = [1, 4].map(|gpus| Settings::new(System::Duplication, gpus));
    let [(alone, most), found] = [&one, &four].map(|it| view(&frame, it, View::Overdraw));
    assert!(most > 2, "{most}");
    assert!(found == (alone, most));
    // Tiles of 64 x 64 in turn; a colour of a GPU is bright where it drew, and dark elsewhere.
    let (owners, most) = view(&frame, &four, View::Owner);
    assert_eq!(most, 3);
    let owner = |x: usize, y: usize| (y / 64 * 5 + x / 64) % 4;
    let mut colors = vec![std::collections::BTreeSet::new(); 4];
    for (at, pixel) in owners.pixels.iter().enumerate() {
        colors[owner(at % 264, at / 264)].insert(*pixel);
    }
    assert!(colors.iter().all(|of_one| (1..=2).contains(&of_one.len())), "{colors:?}");
    let all: std::collections::BTreeSet<_> = colors.iter().flatten().collect();
    assert_eq!(all.len(), colors.iter().map(|of_one| of_one.len()).sum::<usize>());
}

#[test]
fn composed_groups_are_drawn_outside_of_own_tiles() {
    let other = |what| {
        (1..20).any(|seed| {
            let frame = frames::frame(&mut Xoshiro256PlusPlus::seed_from_u64(seed));
            let of = |system| {
                let settings = Settings { threshold: 0, ..Settings::new(system, 3) };
                view(&frame, &settings, what).0
            };
            of(System::Duplication) != of(System::ChopinScheduled)
        })
    };
    assert!(other(View::Owner));
    // A GPU that does not know of others' nearer fragments writes more.
    assert!(other(View::Overdraw));
}
