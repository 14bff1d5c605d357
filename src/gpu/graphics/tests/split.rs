//! What several GPUs draw is bit for bit what one draws; and planted errors are found.

use std::collections::BTreeMap;

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::super::split::{Planted, Reason, Report, Settings, System, render};
use super::super::{Frame, Picture, render as render_alone};
use super::{frames, pick};

fn seeded(seed: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

fn first_seed(default: u64) -> u64 {
    let given = std::env::var("GRAPHICS_SEED").ok().and_then(|seed| seed.parse().ok());
    let seed = given.unwrap_or(default);
    println!("GRAPHICS_SEED={seed} and those that follow");
    seed
}

/// Checks of a report alone.
fn check(
    seed: u64,
    frame: &Frame,
    alone: &Picture,
    found: &Picture,
    settings: &Settings,
    report: &Report,
) {
    let gpus = settings.gpus as u64;
    let (counts, expected) = (found.counts, alone.counts);
    let name = settings.system.name();
    assert_eq!(counts.fragments, expected.fragments, "{seed}: {name}: each fragment once");
    let groups = &report.groups;
    assert_eq!(
        groups.iter().map(|group| group.triangles).sum::<u64>(),
        frame.triangles(),
        "{seed}"
    );
    if settings.system == System::Gpupd {
        let projected: u64 = report.projection.iter().map(|counts| counts.triangles).sum();
        assert_eq!(projected, frame.triangles(), "{seed}: each primitive is projected once");
        assert_eq!(counts.dropped, 0, "{seed}: none comes to a GPU without need");
        return;
    }
    let times = |composed: bool| if composed { 1 } else { gpus };
    let set_up = groups.iter().map(|it| it.triangles * times(it.duplicated.is_none()));
    assert_eq!(counts.triangles, set_up.sum::<u64>(), "{seed}: {name}: triangles that were set up");
    let composed = groups.iter().filter(|it| it.duplicated.is_none());
    let transfers = composed.map(|it| gpus * (gpus - u64::from(!it.transparent)));
    assert_eq!(report.transfers, transfers.sum::<u64>(), "{seed}: {name}");
}

/// Groups that were composed, and the others by their reasons.
type Groups = (u64, BTreeMap<Reason, u64>);

fn sum(mut all: Groups, (composed, reasons): Groups) -> Groups {
    all.0 += composed;
    reasons.into_iter().for_each(|(reason, count)| *all.1.entry(reason).or_insert(0) += count);
    all
}

/// Draws a frame in every system.
fn same_frame(seed: u64) -> Groups {
    let mut random = seeded(seed);
    let frame = frames::frame(&mut random);
    let alone = render_alone(&frame).expect("a picture");
    let mut groups = Groups::default();
    for system in System::ALL {
        let gpus = pick(&mut random, &[2, 3, 4, 5, 8, 16]);
        let threshold = pick(&mut random, &[0, 20, 60]);
        let settings = Settings { threshold, seed: random.random(), ..Settings::new(system, gpus) };
        let (found, report) = render(&frame, &settings).expect("a picture");
        let differ = found.pixels.iter().zip(&alone.pixels).filter(|(a, b)| a != b).count();
        assert_eq!(differ, 0, "GRAPHICS_SEED={seed}: {settings:?}: pixels that differ");
        check(seed, &frame, &alone, &found, &settings, &report);
        groups = sum(groups, (report.composed()[0], report.reasons()));
    }
    groups
}

/// Draws frames in every system, on all cores.
fn same(frames: u64, default: u64) {
    let first = first_seed(default);
    let workers = std::thread::available_parallelism().map_or(1, |it| it.get() as u64);
    let (composed, reasons) = std::thread::scope(|scope| {
        let work = |worker: u64| {
            move || {
                let seeds = (first + worker..first + frames).step_by(workers as usize);
                seeds.map(same_frame).fold(Groups::default(), sum)
            }
        };
        let threads: Vec<_> = (0..workers).map(|worker| scope.spawn(work(worker))).collect();
        let joined = threads.into_iter().map(|it| match it.join() {
            Ok(groups) => groups,
            Err(failed) => std::panic::resume_unwind(failed),
        });
        joined.fold(Groups::default(), sum)
    });
    println!("{frames} frames, {composed} groups composed, others: {reasons:?}");
    assert!(composed >= 4 * frames, "{composed}");
    assert!(reasons.len() >= 6, "{reasons:?}");
}

#[test]
fn random_frames_are_the_same_on_several_gpus() {
    same(40, 1);
}

#[test]
#[ignore = "minutes"]
fn a_thousand_random_frames_are_the_same() {
    same(1_000, 1_000);
}

/// The first frame in which an error shows, in its picture or its counts.
fn found(planted: Planted) -> Option<(u64, bool)> {
    let systems: &[System] = match planted {
        Planted::PrimitivesByArrival => &[System::Gpupd],
        Planted::OneTargetBroadcastMissing => &System::ALL,
        _ => &[System::ChopinRoundRobin, System::Chopin, System::ChopinScheduled],
    };
    for seed in 1..200 {
        let mut random = seeded(seed);
        let frame = frames::frame(&mut random);
        let alone = render_alone(&frame).expect("a picture");
        for system in systems {
            let planted = Some(planted);
            let settings = Settings { threshold: 0, seed, planted, ..Settings::new(*system, 4) };
            let (found, report) = render(&frame, &settings).expect("a picture");
            let triangles: u64 = report
                .groups
                .iter()
                .map(|it| it.triangles * if it.duplicated.is_some() { 4 } else { 1 })
                .sum();
            let is_twice = *system != System::Gpupd && found.counts.triangles != triangles;
            let differs = found.pixels != alone.pixels;
            if differs || is_twice {
                return Some((seed, differs));
            }
        }
    }
    None
}

#[test]
fn planted_errors_are_found() {
    for planted in Planted::ALL {
        let found = found(planted);
        println!("{planted:?}: {found:?}");
        assert!(found.is_some(), "{planted:?} is not found");
    }
}
