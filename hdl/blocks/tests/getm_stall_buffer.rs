//! The stall buffer's reference model against the sentences of the paper (GETM 4.5.2), and where it
//! goes beyond them.

use warpsmith_blocks::block::Design;
use warpsmith_blocks::corners::Corners;
use warpsmith_blocks::getm_stall_buffer::{
    Access, ERROR, PARK, PARKED, Params, RELEASE, RETRY, RETRY_RESULT, Release, RetryResult,
    StallBuffer,
};
use warpsmith_blocks::parameters::Parameters;
use warpsmith_blocks::verification::{Outcome, Reference};

const A: u64 = 0x40;
const B: u64 = 0x80;

/// A buffer of 4 lines of 4 entries, with granules of 32 bytes.
struct Bench {
    buffer: StallBuffer,
    corners: Corners,
}

fn load(address: u64, warp: u64, warpts: u64) -> Access {
    Access { address, store: false, warp, warpts }
}

impl Bench {
    fn new() -> Self {
        let (_, paper) = Params::presets().pop().expect("presets");
        let corners = Corners::new(paper.corners().len(), &paper.exercise());
        Self { buffer: StallBuffer::new(&paper), corners }
    }

    fn accept(&mut self, channel: usize, payload: &[u64]) -> Vec<(usize, Vec<u64>)> {
        let mut expected = Vec::new();
        let mut outcome = Outcome { sink: &mut expected, corners: &mut self.corners };
        self.buffer.accept(channel, payload, &mut outcome);
        expected
    }

    /// Whether the access found room.
    fn park(&mut self, access: Access) -> bool {
        match &self.accept(PARK, &access.encode())[..] {
            [(PARKED, room)] => room[0] == 1,
            other => panic!("a park has one answer, not {other:?}"),
        }
    }

    /// Warps of the accesses that are to be retried.
    fn retried(expected: Vec<(usize, Vec<u64>)>) -> Vec<u64> {
        let warp = |(channel, payload): (usize, Vec<u64>)| {
            assert_eq!(channel, RETRY);
            Access::decode(&payload).warp
        };
        expected.into_iter().map(warp).collect()
    }

    fn release(&mut self, address: u64) -> Vec<u64> {
        Self::retried(self.accept(RELEASE, &Release { address, all: false }.encode()))
    }

    fn release_all(&mut self) -> Vec<u64> {
        Self::retried(self.accept(RELEASE, &Release { address: 0, all: true }.encode()))
    }

    fn result(&mut self, address: u64, reserved: bool) -> Vec<u64> {
        Self::retried(self.accept(RETRY_RESULT, &RetryResult { address, reserved }.encode()))
    }

    /// The retry of that address is taken.
    fn taken(&mut self, address: u64) {
        let mut expected = Vec::new();
        let mut outcome = Outcome { sink: &mut expected, corners: &mut self.corners };
        self.buffer.taken(RETRY, &load(address, 0, 0).encode(), &mut outcome);
        assert!(expected.is_empty());
    }
}

#[test]
fn the_request_with_the_smallest_warpts_re_enters() {
    let mut bench = Bench::new();
    for (warp, warpts) in [(1, 30), (2, 10), (3, 20)] {
        assert!(bench.park(load(A, warp, warpts)));
    }
    assert_eq!(bench.release(A), [2]);
}

#[test]
fn of_equal_warpts_the_oldest_re_enters() {
    let mut bench = Bench::new();
    [5, 4, 6].into_iter().for_each(|warp| assert!(bench.park(load(A, warp, 10))));
    assert_eq!(bench.release(A), [5]);
    bench.taken(A);
    assert_eq!(bench.result(A, false), [4]);
}

#[test]
fn a_retry_that_leaves_its_address_unreserved_wakes_the_next_waiter() {
    let mut bench = Bench::new();
    [1, 2].into_iter().for_each(|warp| assert!(bench.park(load(A, warp, warp))));
    assert_eq!(bench.release(A), [1]);
    bench.taken(A);
    assert_eq!(bench.result(A, false), [2], "a load reserves nothing: the paper's rule stops here");
}

#[test]
fn a_retry_that_leaves_its_address_reserved_wakes_nobody_until_the_release() {
    let mut bench = Bench::new();
    [1, 2].into_iter().for_each(|warp| assert!(bench.park(load(A, warp, warp))));
    bench.release(A);
    bench.taken(A);
    assert_eq!(bench.result(A, true), []);
    assert_eq!(bench.release(A), [2]);
}

#[test]
fn a_release_while_a_retry_is_under_way_is_not_lost() {
    // Another transaction may have reserved the address meanwhile, one that is later than a waiter.
    let mut bench = Bench::new();
    [1, 2].into_iter().for_each(|warp| assert!(bench.park(load(A, warp, warp))));
    assert_eq!(bench.release(A), [1]);
    assert_eq!(bench.release(A), []);
    bench.taken(A);
    assert_eq!(bench.result(A, true), [2], "released since it was chosen");
    bench.taken(A);
    assert_eq!(bench.result(A, true), []);
}

#[test]
fn a_release_that_nobody_waits_for_is_forgotten() {
    let mut bench = Bench::new();
    assert_eq!(bench.release(A), []);
    assert!(bench.park(load(A, 1, 1)));
    assert_eq!(bench.release(B), []);
    assert_eq!(bench.release(A), [1]);
}

#[test]
fn all_bytes_of_a_granule_are_one_address() {
    let mut bench = Bench::new();
    assert!(bench.park(load(A + 31, 1, 7)));
    assert_eq!(bench.release(A + 32), []);
    let expected = bench.accept(RELEASE, &Release { address: A + 4, all: false }.encode());
    assert_eq!(expected, [(RETRY, load(A, 1, 7).encode().to_vec())], "the granule's address");
}

#[test]
fn a_line_has_room_for_four_and_the_buffer_for_four_addresses() {
    let mut bench = Bench::new();
    (0..4).for_each(|warp| assert!(bench.park(load(A, warp, warp))));
    assert!(!bench.park(load(A, 4, 4)));
    (1..4).for_each(|line| assert!(bench.park(load(A + 32 * line, 5, 5))));
    assert!(!bench.park(load(A + 32 * 4, 6, 6)));
    assert!(bench.park(load(A + 32, 7, 7)), "another line still has room");
}

#[test]
fn a_waiter_gives_up_its_entry_when_its_retry_is_taken_and_the_line_with_the_last_result() {
    let mut bench = Bench::new();
    (0..4).for_each(|line| assert!(bench.park(load(A + 32 * line, line, 0))));
    assert_eq!(bench.release(A), [0]);
    assert!(!bench.park(load(A + 32 * 4, 5, 5)), "the retry has not been taken");
    bench.taken(A);
    assert!(bench.park(load(A, 6, 6)), "it parks again");
    assert!(!bench.park(load(A + 32 * 4, 5, 5)), "the line is still that address's");
    assert_eq!(bench.result(A, false), [6]);
    bench.taken(A);
    assert_eq!(bench.result(A, false), []);
    assert!(bench.park(load(A + 32 * 4, 5, 5)));
}

#[test]
fn nobody_goes_before_a_waiter_that_was_chosen() {
    let mut bench = Bench::new();
    assert!(bench.park(load(A, 1, 50)));
    assert_eq!(bench.release(A), [1]);
    assert!(bench.park(load(A, 2, 10)));
    assert!(bench.park(load(A, 3, 5)));
    bench.taken(A);
    assert_eq!(bench.result(A, false), [3]);
}

#[test]
fn a_roll_over_releases_every_address() {
    let mut bench = Bench::new();
    assert!(bench.park(load(A, 1, 1)));
    assert!(bench.park(load(B, 2, 2)));
    assert!(bench.park(load(B, 3, 3)));
    assert_eq!(bench.release_all(), [1, 2]);
    bench.taken(B);
    assert_eq!(bench.result(B, false), [3]);
}

#[test]
fn a_result_without_its_retry_is_an_error_and_changes_nothing() {
    let mut bench = Bench::new();
    let result = RetryResult { address: A, reserved: false }.encode();
    assert_eq!(bench.accept(RETRY_RESULT, &result), [(ERROR, vec![0])], "nobody waits");
    assert!(bench.park(load(A, 1, 1)));
    assert_eq!(bench.accept(RETRY_RESULT, &result), [(ERROR, vec![0])], "nobody is retried");
    assert_eq!(bench.release(A), [1]);
    assert_eq!(bench.accept(RETRY_RESULT, &result), [(ERROR, vec![0])], "it is not taken yet");
    bench.taken(A);
    assert_eq!(bench.result(A, true), []);
}
