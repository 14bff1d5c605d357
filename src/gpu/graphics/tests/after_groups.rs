//! After each group the owners' tiles are what one GPU has then: colour and depth.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::super::split::{Settings, System, Wishes, draw, render};
use super::super::{Command, Frame, View};
use super::{frames, pick};

/// Commands after which a group ends.
fn ends(frame: &Frame) -> Vec<usize> {
    let (_, report) = render(frame, &Settings::new(System::Duplication, 1)).expect("a picture");
    let draws: Vec<_> = (0..frame.commands.len())
        .filter(|at| matches!(frame.commands[*at], Command::Draw(_)))
        .collect();
    let mut sum = 0;
    let last = |group: &super::super::split::GroupReport| {
        sum += group.draws;
        draws[sum - 1]
    };
    report.groups.iter().map(last).collect()
}

#[test]
fn owners_have_after_each_group_what_one_gpu_has() {
    let mut groups = 0;
    for seed in [3, 5, 8] {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut frame = frames::frame(&mut random);
        for end in ends(&frame).into_iter().rev() {
            frame.commands.truncate(end + 1);
            // The picture is what is drawn to.
            let target = |command: &Command| match command {
                Command::Target { color, .. } => Some(*color),
                _ => None,
            };
            frame.picture = frame.commands.iter().rev().find_map(target).expect("a target");
            let of = |settings: &Settings| {
                let wishes = Wishes { view: Some(View::Depth), ..Wishes::NONE };
                let drawn = draw(&frame, settings, wishes).expect("a picture");
                (drawn.picture.pixels, drawn.view.expect("a view").picture.pixels)
            };
            let alone = of(&Settings::new(System::Duplication, 1));
            for system in [System::Gpupd, System::Chopin, System::ChopinScheduled] {
                let gpus = pick(&mut random, &[2, 3, 4, 8]);
                let chosen = Settings::new(system, gpus);
                let settings = Settings { threshold: 0, seed: random.random(), ..chosen };
                assert!(of(&settings) == alone, "{seed}: after command {end}: {settings:?}");
            }
            groups += 1;
        }
    }
    assert!(groups > 12, "{groups}");
}
