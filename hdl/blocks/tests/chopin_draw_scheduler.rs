//! The draw scheduler's reference model against the sentences of the paper (CHOPIN 6.4.4), and where it
//! goes beyond them; and what its parameters accept.

use warpsmith_blocks::block::Design;
use warpsmith_blocks::chopin_draw_scheduler::{
    DRAW, Draw, DrawScheduler, ERROR, ErrorReport, GRANT, Grant, PROCESSED, Params, QUERY, Query,
    TOTALS, Totals,
};
use warpsmith_blocks::corners::Corners;
use warpsmith_blocks::parameters::Parameters;
use warpsmith_blocks::verification::{Outcome, Reference};

struct Bench {
    scheduler: DrawScheduler,
    corners: Corners,
}

impl Bench {
    /// That many GPUs, and counters as in the paper's preset.
    fn new(gpus: u32) -> Self {
        let (_, paper) = Params::presets().pop().expect("presets");
        let params = Params { gpus, ..paper };
        params.validate().expect("possible parameters");
        let corners = Corners::new(params.corners().len(), &params.exercise());
        Self { scheduler: DrawScheduler::new(&params), corners }
    }

    fn accept(&mut self, channel: usize, payload: &[u64]) -> Vec<(usize, Vec<u64>)> {
        let mut expected = Vec::new();
        let mut outcome = Outcome { sink: &mut expected, corners: &mut self.corners };
        self.scheduler.accept(channel, payload, &mut outcome);
        expected
    }

    /// The GPU that the draw goes to. Its grant is not taken.
    fn draw(&mut self, triangles: u64) -> u64 {
        match &self.accept(DRAW, &Draw { triangles }.encode())[..] {
            [(GRANT, payload)] => Grant::decode(payload).gpu,
            other => panic!("a draw has one grant, not {other:?}"),
        }
    }

    /// The grant of the oldest draw is taken.
    fn take(&mut self) {
        let mut expected = Vec::new();
        let mut outcome = Outcome { sink: &mut expected, corners: &mut self.corners };
        self.scheduler.taken(GRANT, &[0], &mut outcome);
        assert!(expected.is_empty());
    }

    /// The GPU that the draw goes to, which takes it.
    fn give(&mut self, triangles: u64) -> u64 {
        let gpu = self.draw(triangles);
        self.take();
        gpu
    }

    /// The GPUs whose reports are errors, a bit each.
    fn report(&mut self, reports: &[u64]) -> u64 {
        match &self.accept(PROCESSED, reports)[..] {
            [] => 0,
            [(ERROR, payload)] => ErrorReport::decode(payload).gpus,
            other => panic!("a report has one error at most, not {other:?}"),
        }
    }

    fn totals(&mut self, gpu: u64) -> (u64, u64) {
        match &self.accept(QUERY, &Query { gpu }.encode())[..] {
            [(TOTALS, payload)] => {
                let Totals { scheduled, processed } = Totals::decode(payload);
                (scheduled, processed)
            }
            other => panic!("a query has one answer, not {other:?}"),
        }
    }
}

#[test]
fn the_example_of_figure_6_9() {
    let mut bench = Bench::new(4);
    // GPUs 0 to 3 have 200, 180, 210 and 200 triangles scheduled, and 150, 150, 190 and 160 processed.
    assert_eq!([200, 180, 210, 200].map(|triangles| bench.give(triangles)), [0, 1, 2, 3]);
    assert_eq!(bench.report(&[150, 150, 190, 160]), 0);
    assert_eq!(bench.scheduler.remaining(), [50, 30, 20, 40]);
    // 1 to 4: a draw of 100 triangles goes to GPU 2, which has the fewest remaining.
    assert_eq!(bench.give(100), 2);
    assert_eq!(bench.totals(2), (310, 190));
    // 5: it processes 50 of them.
    assert_eq!(bench.report(&[0, 0, 50, 0]), 0);
    assert_eq!(bench.totals(2), (310, 240));
    assert_eq!([0, 1, 3].map(|gpu| bench.totals(gpu)), [(200, 150), (180, 150), (200, 160)]);
}

#[test]
fn of_equal_gpus_the_lowest_has_the_draw() {
    let mut bench = Bench::new(3);
    assert_eq!([5, 5, 5, 1, 1, 1].map(|triangles| bench.draw(triangles)), [0, 1, 2, 0, 1, 2]);
}

#[test]
fn a_draw_without_triangles_changes_nobody_s_turn() {
    let mut bench = Bench::new(2);
    assert_eq!([0, 0, 3, 0, 2, 0].map(|triangles| bench.draw(triangles)), [0, 0, 0, 1, 1, 1]);
}

#[test]
fn a_draw_counts_before_its_grant_is_taken() {
    let mut bench = Bench::new(2);
    assert_eq!(bench.draw(10), 0);
    assert_eq!(bench.draw(10), 1);
    assert_eq!(bench.totals(0), (0, 0), "it is not given yet");
    bench.take();
    assert_eq!(bench.totals(0), (10, 0));
}

#[test]
fn more_processed_than_scheduled_is_an_error_and_changes_nothing() {
    let mut bench = Bench::new(2);
    assert_eq!(bench.report(&[1, 0]), 0b01, "nothing is scheduled");
    assert_eq!(bench.draw(10), 0);
    assert_eq!(bench.report(&[1, 0]), 0b01, "the grant is not taken");
    bench.take();
    assert_eq!(bench.report(&[11, 0]), 0b01);
    assert_eq!(bench.give(7), 1);
    assert_eq!(bench.report(&[11, 7]), 0b01, "the report beside it counts");
    assert_eq!([0, 1].map(|gpu| bench.totals(gpu)), [(10, 0), (7, 7)]);
    assert_eq!(bench.report(&[10, 0]), 0, "all that it was given");
}

#[test]
fn a_gpu_that_is_not_there_has_no_totals() {
    let mut bench = Bench::new(3);
    assert_eq!(bench.give(9), 0);
    assert_eq!(bench.totals(3), (0, 0));
}

#[test]
fn totals_wrap_around() {
    let (_, tiny) = Params::presets().remove(0);
    let corners = Corners::new(tiny.corners().len(), &tiny.exercise());
    let mut bench = Bench { scheduler: DrawScheduler::new(&tiny), corners };
    for _ in 0..11 {
        while bench.give(3) != 0 {}
        assert_eq!(bench.report(&[3, 0, 0]), 0);
        let others = [1, 2].map(|gpu| bench.scheduler.remaining()[gpu].min(3));
        assert_eq!(bench.report(&[0, others[0], others[1]]), 0);
    }
    assert_eq!(bench.totals(0), (1, 1), "33 of 5 bits");
}

#[test]
fn an_impossible_parameter_is_named_with_its_value_and_its_bound() {
    let (_, paper) = Params::presets().pop().expect("presets");
    let cases = [
        (Params { gpus: 1, ..paper.clone() }, "gpus", "2 to 64"),
        (Params { gpus: 65, ..paper.clone() }, "gpus", "2 to 64"),
        (Params { triangle_bits: 0, ..paper.clone() }, "triangle_bits", "1 to 32"),
        (Params { remaining_bits: 22, ..paper.clone() }, "remaining_bits", "24 to 48"),
        (Params { counter_bits: 23, ..paper.clone() }, "counter_bits", "24 to 64"),
        (Params { counter_bits: 65, ..paper.clone() }, "counter_bits", "24 to 64"),
        (Params { segment_bits: 19, ..paper.clone() }, "segment_bits", "20 to 64"),
        (Params { report_latency: 2, ..paper.clone() }, "report_latency", "3 to 8"),
        (Params { report_latency: 9, ..paper }, "report_latency", "3 to 8"),
    ];
    for (params, field, accepted) in cases {
        let error = params.validate().expect_err("impossible").to_string();
        assert!(error.contains(field) && error.contains(accepted), "{error}");
    }
}
