//! The write cache's reference model against the sentences of the paper (QuickRelease 3.1).

use warpsmith_blocks::block::Design;
use warpsmith_blocks::corners::Corners;
use warpsmith_blocks::parameters::Parameters;
use warpsmith_blocks::qr_write_cache::{
    ACK, DOWN, ERROR, Error, HIT, INV, MARK_WRITTEN, Op, Params, RELEASED, REQ, Request, WriteCache,
};
use warpsmith_blocks::verification::{Outcome, Reference};

/// The write cache of a compute unit, of which nothing is stalled.
struct Bench {
    cache: WriteCache,
    corners: Corners,
}

fn store(block: u64, bytes: u64, value: u64) -> Request {
    Request::store(block, bytes, [value; 8], 0)
}

impl Bench {
    fn new() -> Self {
        let (_, paper) = Params::presets().pop().expect("presets");
        let corners = Corners::new(paper.corners().len(), &paper.exercise());
        Self { cache: WriteCache::new(&paper), corners }
    }

    /// Everything that comes of a transfer, in order. Releases end when the test says so.
    fn accept(&mut self, channel: usize, payload: &[u64]) -> Vec<(usize, Vec<u64>)> {
        let (mut seen, mut expected) = (Vec::new(), Vec::new());
        let corners = &mut self.corners;
        self.cache.accept(channel, payload, &mut Outcome { sink: &mut expected, corners });
        for (channel, payload) in expected.drain(..) {
            let mut outcome = Outcome { sink: &mut seen, corners: &mut self.corners };
            self.cache.taken(channel, &payload, &mut outcome);
            seen.push((channel, payload));
        }
        while let Some((channel, payload)) = self.cache.choose().filter(|(c, _)| *c != ACK) {
            let mut outcome = Outcome { sink: &mut seen, corners: &mut self.corners };
            self.cache.taken(channel, &payload, &mut outcome);
            assert!(seen.len() < 1000, "it comes to rest");
        }
        seen
    }

    fn request(&mut self, request: Request) -> Vec<(usize, Vec<u64>)> {
        let (_, paper) = Params::presets().pop().expect("presets");
        self.accept(REQ, &request.encode(&paper))
    }

    /// The requests that go down.
    fn down(seen: &[(usize, Vec<u64>)]) -> Vec<Request> {
        let down = seen.iter().filter(|(channel, _)| *channel == DOWN);
        down.map(|(_, payload)| Request::decode(payload)).collect()
    }
}

#[test]
fn a_store_stays_and_marks_its_block_as_written() {
    let mut bench = Bench::new();
    assert_eq!(bench.request(store(5, 1, 7)), [(MARK_WRITTEN, vec![5])]);
}

#[test]
fn stores_to_a_block_go_down_as_one_write_of_the_last_values() {
    let mut bench = Bench::new();
    bench.request(store(5, 0b011, 0x1111));
    bench.request(store(5, 0b110, 0x222222));
    let seen = bench.request(Request::release(0, true));
    assert_eq!(seen[0], (INV, vec![5]), "the read cache drops it first");
    let down = Bench::down(&seen);
    assert_eq!((down[0].op, down[0].bytes, down[0].data[0]), (Op::Store, 0b111, 0x222211));
    assert_eq!((down.len(), down[1].op), (2, Op::Release));
}

#[test]
fn a_release_goes_down_behind_the_writes_and_its_end_is_told() {
    let mut bench = Bench::new();
    bench.request(store(5, 1, 7));
    let down = Bench::down(&bench.request(Request::release(3, true)));
    assert_eq!((down[0].block, down[1]), (5, Request::release(3, true)));
    assert_eq!(bench.accept(RELEASED, &[3]), [(ACK, vec![3])]);
}

#[test]
fn a_flag_before_the_end_of_its_release_is_an_error() {
    let mut bench = Bench::new();
    bench.request(Request::release(0, true));
    assert_eq!(bench.request(store(9, 1, 1)), [(ERROR, vec![Error::EarlyFlag as u64])]);
    bench.accept(RELEASED, &[0]);
    assert_eq!(bench.request(store(9, 1, 1)), [(MARK_WRITTEN, vec![9])]);
}

#[test]
fn a_block_that_is_evicted_is_written_through_and_invalidated() {
    let mut bench = Bench::new();
    for way in 0..4 {
        bench.request(store(16 * way, 1, way));
    }
    let seen = bench.request(store(16 * 4, 1, 4));
    assert_eq!(Bench::down(&seen).len(), 1, "one of five blocks has no place");
    assert!(seen.iter().any(|(channel, _)| *channel == INV));
}

#[test]
fn a_read_hits_if_all_its_bytes_are_dirty_else_they_go_down_ahead_of_it() {
    let mut bench = Bench::new();
    bench.request(store(5, 0b11, 0x1234));
    let hit = bench.request(Request::read(5, 0b01, 2));
    assert_eq!(hit.len(), 1);
    assert_eq!((hit[0].0, hit[0].1[3]), (HIT, 0x34));
    let down = Bench::down(&bench.request(Request::read(5, 0b101, 2)));
    assert_eq!([down[0].op, down[1].op], [Op::Store, Op::Read]);
}

#[test]
fn an_atomic_goes_down_at_once_behind_what_is_dirty_of_its_block() {
    let mut bench = Bench::new();
    bench.request(store(5, 1, 7));
    bench.request(store(6, 1, 7));
    let atomic = Request { op: Op::Atomic, ..store(5, 1, 9) };
    let down = Bench::down(&bench.request(atomic));
    assert_eq!(
        down.iter().map(|r| (r.op, r.block)).collect::<Vec<_>>(),
        [(Op::Store, 5), (Op::Atomic, 5)]
    );
}

#[test]
fn a_store_of_no_byte_is_an_error_and_changes_nothing() {
    let mut bench = Bench::new();
    assert_eq!(bench.request(store(5, 0, 1)), [(ERROR, vec![Error::NoBytes as u64])]);
    let down = Bench::down(&bench.request(Request::release(0, true)));
    assert_eq!(down, [Request::release(0, true)]);
}
