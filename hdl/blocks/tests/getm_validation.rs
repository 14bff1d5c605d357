//! The validation unit's reference model against the paper: figure 4.7 step by step, aborts, waiters,
//! roll-over, and the write skew that the paper's timestamps allow.

use warpsmith_blocks::block::Design;
use warpsmith_blocks::corners::Corners;
use warpsmith_blocks::getm_metadata::Metadata;
use warpsmith_blocks::getm_validation::{
    Access, ISSUED, Issue, Issued, Outcome, Params, RELEASE, REQ, RESP, ROLL, ROLLED, Release,
    Response, Validation,
};
use warpsmith_blocks::parameters::Parameters;
use warpsmith_blocks::verification::{Outcome as Sink, Reference};

const A: u64 = 0x100;
const B: u64 = 0x200;
const TX1: u64 = 1;
const TX2: u64 = 2;

struct Bench {
    unit: Validation,
    corners: Corners,
    /// What is expected to come out, as it comes.
    expected: Vec<(usize, Vec<u64>)>,
}

fn paper(faithful: bool) -> Params {
    let (_, paper) = Params::presets().pop().expect("presets");
    Params { faithful, ..paper }
}

fn load(address: u64, warp: u64, warpts: u64) -> Access {
    Access { address, store: false, warp, warpts }
}

fn store(address: u64, warp: u64, warpts: u64) -> Access {
    Access { address, store: true, warp, warpts }
}

impl Bench {
    fn new(params: &Params) -> Self {
        let corners = Corners::new(params.corners().len(), &params.exercise());
        Self { unit: Validation::new(params), corners, expected: Vec::new() }
    }

    fn accept(&mut self, channel: usize, payload: &[u64]) {
        let mut outcome = Sink { sink: &mut self.expected, corners: &mut self.corners };
        self.unit.accept(channel, payload, &mut outcome);
    }

    /// The unit says that it does this next. Gives the answers that follow.
    fn issue(&mut self, what: Issue, access: Access) -> Vec<Response> {
        let issued = Issued { what, access }.encode();
        self.expected.clear();
        let mut outcome = Sink { sink: &mut self.expected, corners: &mut self.corners };
        self.unit.taken(ISSUED, &issued, &mut outcome);
        let expected = &self.expected;
        assert!(expected.contains(&(ISSUED, issued.to_vec())), "{what:?} is due: {expected:?}");
        let responses = expected.iter().filter(|(channel, _)| *channel == RESP);
        responses.map(|(_, payload)| Response::decode(payload)).collect()
    }

    /// A request, at once. None: it waits.
    fn request(&mut self, access: Access) -> Option<(Outcome, u64)> {
        self.accept(REQ, &access.encode());
        let responses = self.issue(Issue::Request, access);
        responses.first().map(|response| (response.outcome, response.timestamp))
    }

    /// The waiter of an address, again.
    fn retry(&mut self, access: Access) -> Option<Outcome> {
        self.issue(Issue::Retry, access).first().map(|response| response.outcome)
    }

    fn release(&mut self, address: u64, count: u64) {
        self.accept(RELEASE, &Release { address, count }.encode());
        self.issue(Issue::Release, load(address, 0, 0));
    }

    fn metadata(&self, address: u64) -> (u64, u64, u64, u64) {
        let Metadata { wts, rts, writes, owner } = self.unit.metadata(address);
        (writes, if writes == 0 { 0 } else { owner }, wts, rts)
    }

    fn succeeds(&mut self, access: Access) {
        let outcome = self.request(access).map(|(outcome, _)| outcome);
        assert_eq!(outcome, Some(Outcome::Success), "{access}");
    }
}

#[test]
fn the_walkthrough_of_figure_4_7() {
    let mut bench = Bench::new(&paper(true));
    bench.succeeds(load(A, TX1, 20));
    assert_eq!(bench.metadata(A), (0, 0, 0, 20));
    bench.succeeds(store(A, TX1, 20));
    assert_eq!(bench.metadata(A), (1, TX1, 21, 20));
    bench.succeeds(load(B, TX2, 10));
    bench.succeeds(store(B, TX2, 10));
    // Table 1: disjoint locations.
    assert_eq!(bench.metadata(A), (1, TX1, 21, 20));
    assert_eq!(bench.metadata(B), (1, TX2, 11, 10));

    assert_eq!(bench.request(load(A, TX2, 10)), Some((Outcome::AbortWar, 21)), "abort@21");
    bench.release(B, 1);
    assert_eq!(bench.metadata(B), (0, 0, 11, 10));
    bench.succeeds(load(B, TX1, 20));
    bench.succeeds(store(B, TX1, 20));
    // Table 2: both are tx1's.
    assert_eq!(bench.metadata(A), (1, TX1, 21, 20));
    assert_eq!(bench.metadata(B), (1, TX1, 21, 20));

    assert_eq!(bench.request(load(B, TX2, 22)), None, "queue at LLC");
    bench.release(A, 1);
    bench.release(B, 1);
    // Table 3: cleaned up.
    assert_eq!(bench.metadata(A), (0, 0, 21, 20));
    assert_eq!(bench.metadata(B), (0, 0, 21, 20));

    assert_eq!(bench.retry(load(B, TX2, 22)), Some(Outcome::Success));
    assert_eq!(bench.metadata(B), (0, 0, 21, 22));
    bench.succeeds(store(B, TX2, 22));
    bench.succeeds(load(A, TX2, 22));
    bench.succeeds(store(A, TX2, 22));
    bench.release(B, 1);
    bench.release(A, 1);
    assert_eq!(bench.metadata(A), (0, 0, 23, 22));
    assert_eq!(bench.metadata(B), (0, 0, 23, 22));
}

/// Each loads what the other stores; gives what becomes of the two stores.
fn skew(params: &Params, [ts1, ts2]: [u64; 2]) -> [Outcome; 2] {
    let mut bench = Bench::new(params);
    bench.succeeds(load(A, TX1, ts1));
    bench.succeeds(load(B, TX2, ts2));
    let outcome = |found: Option<(Outcome, u64)>| found.expect("it does not wait").0;
    [outcome(bench.request(store(B, TX1, ts1))), outcome(bench.request(store(A, TX2, ts2)))]
}

#[test]
fn the_paper_s_timestamps_allow_write_skew() {
    // All warps start at 0 (4.4.1): neither sees what the other wrote, and both commit. No serial
    // order of the two does that.
    assert_eq!(skew(&paper(true), [0, 0]), [Outcome::Success, Outcome::Success]);
}

#[test]
fn timestamps_of_their_own_do_not() {
    assert_eq!(skew(&paper(false), [TX1, TX2]), [Outcome::AbortRaw, Outcome::Success]);
}

#[test]
fn each_conflict_is_reported_with_the_timestamp_that_caused_it() {
    let mut bench = Bench::new(&paper(false));
    bench.succeeds(load(A, TX1, 50));
    assert_eq!(bench.request(store(A, TX2, 40)), Some((Outcome::AbortRaw, 50)));
    bench.succeeds(store(A, TX1, 60));
    bench.release(A, 1);
    assert_eq!(bench.request(load(A, TX2, 40)), Some((Outcome::AbortWar, 61)));
    assert_eq!(bench.request(store(A, TX2, 40)), Some((Outcome::AbortWaw, 61)));
}

#[test]
fn a_warp_s_next_transaction_is_not_taken_for_the_one_before() {
    // The log of the first is still under way.
    let first = store(A, TX1, 10);
    let mut ours = Bench::new(&paper(false));
    ours.succeeds(first);
    assert_eq!(ours.request(load(A, TX1, 20)), None, "it waits for its own log");
    let mut papers = Bench::new(&paper(true));
    papers.succeeds(first);
    papers.succeeds(load(A, TX1, 20));
}

#[test]
fn a_retried_load_lets_the_next_waiter_go() {
    let mut bench = Bench::new(&paper(false));
    bench.succeeds(store(A, TX1, 10));
    let waiters = [load(A, 3, 30), load(A, 2, 20), store(A, 4, 40)];
    waiters.into_iter().for_each(|waiter| assert_eq!(bench.request(waiter), None));
    bench.release(A, 1);
    for waiter in [waiters[1], waiters[0], waiters[2]] {
        assert_eq!(bench.retry(waiter), Some(Outcome::Success), "{waiter}");
    }
}

#[test]
fn without_room_to_wait_a_transaction_aborts() {
    let mut bench = Bench::new(&paper(false));
    bench.succeeds(store(A, TX1, 10));
    (0..4).for_each(|i| assert_eq!(bench.request(load(A, 20 + i, 20 + i)), None));
    assert_eq!(bench.request(load(A, 24, 24)), Some((Outcome::AbortFull, 11)));
}

#[test]
fn a_roll_over_refuses_everybody_and_forgets_everything() {
    let params = paper(false);
    let mut bench = Bench::new(&params);
    bench.succeeds(store(A, TX1, 10));
    let waiter = load(A, TX2, 20);
    assert_eq!(bench.request(waiter), None);
    let late = load(B, 3, params.limit());
    bench.accept(REQ, &late.encode());
    bench.issue(Issue::Stop, load(0, 0, 0));
    assert_eq!(bench.expected.last(), Some(&(ROLLED, vec![0])));

    let refused = bench.issue(Issue::RefusedRetry, waiter);
    assert_eq!(refused[0].outcome, Outcome::AbortRollover);
    let refused = bench.issue(Issue::RefusedRequest, late);
    assert_eq!(refused[0].outcome, Outcome::AbortRollover);

    // Too early: a granule is reserved.
    bench.accept(ROLL, &[1]);
    bench.issue(Issue::Clear, load(0, 0, 0));
    assert!(bench.expected.iter().all(|(channel, _)| *channel != ROLLED));
    bench.release(A, 1);
    bench.accept(ROLL, &[1]);
    bench.issue(Issue::Clear, load(0, 0, 0));
    assert_eq!(bench.expected.last(), Some(&(ROLLED, vec![1])));
    assert_eq!(bench.metadata(A), (0, 0, 0, 0));
    bench.succeeds(store(A, TX2, 2));
}
