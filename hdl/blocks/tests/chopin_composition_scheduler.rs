//! The composition scheduler's reference model against the sentences of the paper (CHOPIN 6.4.5), and where
//! it goes beyond them.

use warpsmith_blocks::block::Design;
use warpsmith_blocks::chopin_composition_scheduler::{
    CompositionScheduler, DONE, DONE_ERROR, ERROR, FINISHED, Finished, Misuse, Params, START,
    Start, Transfer,
};
use warpsmith_blocks::corners::Corners;
use warpsmith_blocks::verification::{Outcome, Reference};

/// A scheduler and the CGID bits of the paper.
struct Bench {
    scheduler: CompositionScheduler,
    corners: Corners,
}

impl Bench {
    fn new(gpus: u32) -> Self {
        let params = Params { gpus, cgid_bits: 8 };
        let corners = Corners::new(params.corners().len(), &params.exercise());
        Self { scheduler: CompositionScheduler::new(&params), corners }
    }

    fn accept(&mut self, channel: usize, payload: &[u64]) -> Vec<(usize, Vec<u64>)> {
        let mut expected = Vec::new();
        let mut outcome = Outcome { sink: &mut expected, corners: &mut self.corners };
        self.scheduler.accept(channel, payload, &mut outcome);
        expected
    }

    /// The error that the GPU's `finished` raises, if it does.
    fn finish(&mut self, gpu: u64, transparent: bool) -> Option<u64> {
        let expected = self.accept(FINISHED, &Finished { gpu, transparent }.encode());
        expected.into_iter().next().map(|(channel, code)| {
            assert_eq!(channel, ERROR);
            code[0]
        })
    }

    /// Whether the transfer was under way.
    fn done(&mut self, src: u64, dst: u64) -> bool {
        match &self.accept(DONE, &Transfer { src, dst }.encode())[..] {
            [] => true,
            [(DONE_ERROR, code)] if code == &[0] => false,
            other => panic!("{other:?}"),
        }
    }

    /// The preferred start is taken.
    fn start(&mut self) -> Option<(u64, u64)> {
        let (channel, payload) = self.scheduler.choose()?;
        let mut expected = Vec::new();
        let mut outcome = Outcome { sink: &mut expected, corners: &mut self.corners };
        self.scheduler.taken(channel, &payload, &mut outcome);
        assert_eq!(expected, [(START, payload.clone())]);
        let Start { src, dst, .. } = Start::decode(&payload);
        Some((src, dst))
    }

    fn starts(&mut self) -> Vec<(u64, u64)> {
        std::iter::from_fn(|| self.start()).collect()
    }

    /// Composes until nothing may start, one transfer after the other; which they were.
    fn compose(&mut self) -> Vec<(u64, u64)> {
        let mut transfers = Vec::new();
        while let Some((src, dst)) = self.start() {
            assert!(self.done(src, dst));
            transfers.push((src, dst));
        }
        transfers
    }
}

#[test]
fn figure_6_10() {
    let mut bench = Bench::new(4);
    for _ in 1..=4 {
        // GPU 0 is the last, and has the last turn.
        (1..4).for_each(|gpu| assert_eq!(bench.finish(gpu, false), None));
        assert_eq!(bench.compose().len(), 6);
        bench.finish(0, false);
        assert_eq!(bench.compose().len(), 6);
    }
    bench.finish(0, false);
    bench.finish(2, false);
    let mut both = bench.compose();
    both.sort_unstable();
    assert_eq!(both, [(0, 2), (2, 0)], "GPU0 and GPU2 have composed with each other");
    // At this moment GPU1 has just finished; it can compose with GPU0, and with GPU2.
    bench.finish(1, false);
    let rows = bench.scheduler.rows();
    let table = |gpu: usize| {
        let row = &rows[gpu];
        (row.cgid(), row.ready, row.receiving, row.sending, row.received, row.sent)
    };
    assert_eq!(table(0), (5, true, None, false, 0b0100, 0b0100));
    assert_eq!(table(1), (5, true, None, false, 0, 0));
    assert_eq!(table(2), (5, true, None, false, 0b0001, 0b0001));
    assert_eq!(table(3), (4, false, None, false, 0, 0), "GPU3 is still running");
    // "At this moment, GPU1 can compose with GPU0, so we set" these flags.
    assert_eq!(bench.start(), Some((0, 1)));
    let rows = bench.scheduler.rows();
    assert_eq!((rows[1].receiving, rows[0].sending), (Some(0), true));
    assert!(!rows[1].sending && rows[0].receiving.is_none());
}

#[test]
fn all_ordered_pairs_compose_once_and_then_the_entry_is_reset() {
    for gpus in [2, 3, 8, 64] {
        let mut bench = Bench::new(gpus);
        (0..u64::from(gpus)).for_each(|gpu| assert_eq!(bench.finish(gpu, false), None));
        let mut transfers = bench.compose();
        let count = transfers.len();
        transfers.sort_unstable();
        transfers.dedup();
        assert_eq!((count, transfers.len()), ((gpus * (gpus - 1)) as usize, count));
        assert!(transfers.iter().all(|(src, dst)| src != dst), "no background in an opaque group");
        for row in bench.scheduler.rows() {
            assert_eq!((row.ready, row.received, row.sent, row.cgid()), (false, 0, 0, 1));
        }
    }
}

#[test]
fn each_receiver_prefers_the_source_just_below_it_and_receivers_take_turns() {
    let mut bench = Bench::new(4);
    (0..4).for_each(|gpu| assert_eq!(bench.finish(gpu, false), None));
    assert_eq!(bench.starts(), [(3, 0), (0, 1), (1, 2), (2, 3)]);
    bench.done(0, 1);
    bench.done(2, 3);
    // GPU 2 is not free; the turn is at 0 again, but its source two below is busy.
    assert_eq!(bench.starts(), [(2, 1), (0, 3)]);
}

#[test]
fn only_adjacent_transparent_sub_images_are_composed_and_the_background_last() {
    let mut bench = Bench::new(4);
    for gpu in [0, 1, 3] {
        bench.finish(gpu, true);
    }
    // GPU 3 has no neighbour that is ready.
    assert_eq!(bench.compose(), [(1, 0), (0, 1)]);
    bench.finish(2, true);
    let transfers = bench.compose();
    for gpu in 0..4 {
        let sources: Vec<_> =
            transfers.iter().filter(|(_, dst)| *dst == gpu).map(|(src, _)| *src).collect();
        assert_eq!(sources.last(), Some(&gpu), "the background is the last");
    }
    let to_3: Vec<_> = transfers.iter().filter(|(_, dst)| *dst == 3).collect();
    assert_eq!(to_3, [&(2, 3), &(1, 3), &(0, 3), &(3, 3)]);
}

#[test]
fn a_gpu_that_runs_ahead_waits_and_its_third_group_is_an_error() {
    let mut bench = Bench::new(2);
    assert_eq!(bench.finish(0, false), None);
    assert_eq!(bench.finish(0, true), None, "it waits until the entry resets");
    assert_eq!(bench.finish(0, true), Some(Misuse::Third as u64));
    assert_eq!(bench.finish(1, false), None);
    assert_eq!(bench.compose(), [(1, 0), (0, 1)]);
    let [ahead, behind] = [0, 1].map(|gpu| bench.scheduler.rows()[gpu].clone());
    assert_eq!((ahead.cgid(), ahead.ready, ahead.transparent), (2, true, true));
    assert_eq!((behind.cgid(), behind.ready), (1, false));
    assert_eq!(bench.scheduler.preferred(), None, "they are a group apart");
}

#[test]
fn a_kind_that_is_not_its_group_s_is_an_error_also_while_the_group_waits() {
    let mut bench = Bench::new(3);
    bench.finish(0, true);
    assert_eq!(bench.finish(1, false), Some(Misuse::OtherKind as u64));
    bench.finish(0, false);
    bench.finish(1, true);
    assert_eq!(
        bench.finish(1, true),
        Some(Misuse::OtherKind as u64),
        "GPU 0 waits with an opaque one"
    );
    assert_eq!(bench.finish(1, false), None);
    assert_eq!(bench.finish(3, false), Some(Misuse::NoSuchGpu as u64));
}

#[test]
fn a_done_that_was_never_started_is_an_error_and_changes_nothing() {
    let mut bench = Bench::new(3);
    (0..3).for_each(|gpu| assert_eq!(bench.finish(gpu, false), None));
    assert!(!bench.done(1, 0), "it is not taken yet");
    assert_eq!(bench.start(), Some((2, 0)));
    let before = bench.scheduler.rows().to_vec();
    assert!(!bench.done(1, 0), "another source");
    assert!(!bench.done(2, 1), "another receiver");
    assert!(!bench.done(3, 3), "no GPU");
    assert_eq!(bench.scheduler.rows(), before);
    assert!(bench.done(2, 0));
    assert!(!bench.done(2, 0), "it has ended");
}

#[test]
fn a_start_that_is_not_preferred_is_another_than_expected_unless_any_policy_will_do() {
    let params = Params { gpus: 4, cgid_bits: 8 };
    let other = Start { src: 1, dst: 2, cgid: 1 }.encode();
    let expected_after = |mut scheduler: CompositionScheduler, start: &[u64]| {
        let mut corners = Corners::new(params.corners().len(), &params.exercise());
        let mut expected = Vec::new();
        let mut outcome = Outcome { sink: &mut expected, corners: &mut corners };
        for gpu in 0..4 {
            scheduler.accept(
                FINISHED,
                &Finished { gpu, transparent: false }.encode(),
                &mut outcome,
            );
        }
        scheduler.taken(START, start, &mut outcome);
        expected.pop().expect("a start").1
    };
    let exact = expected_after(CompositionScheduler::new(&params), &other);
    assert_ne!(exact, other, "with 2 and 3 or 0 and 1 ready, or with all, it is another");
    assert_eq!(expected_after(CompositionScheduler::of_any_policy(&params), &other), other);
    let forbidden = Start { src: 1, dst: 1, cgid: 1 }.encode();
    let of_any = CompositionScheduler::of_any_policy(&params);
    assert_ne!(expected_after(of_any, &forbidden), forbidden, "no background here");
}
