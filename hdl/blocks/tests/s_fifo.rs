//! The S-FIFO's reference model against the sentences of the paper (QuickRelease 3, 3.1).

use warpsmith_blocks::block::Design;
use warpsmith_blocks::corners::Corners;
use warpsmith_blocks::parameters::Parameters;
use warpsmith_blocks::s_fifo::{DEQUEUE, ENQUEUE, ERROR, Entry, Params, RESERVED_KIND, SFifo};
use warpsmith_blocks::verification::{Outcome, Reference};

/// The FIFO of a compute unit: 64 entries.
struct Bench {
    fifo: SFifo,
    corners: Corners,
}

impl Bench {
    fn new() -> Self {
        let (_, paper) = Params::presets().pop().expect("presets");
        let corners = Corners::new(paper.corners().len(), &paper.exercise());
        Self { fifo: SFifo::new(&paper), corners }
    }

    fn accept(&mut self, entry: Entry) -> Vec<(usize, Vec<u64>)> {
        let mut expected = Vec::new();
        let mut outcome = Outcome { sink: &mut expected, corners: &mut self.corners };
        self.fifo.accept(ENQUEUE, &entry.encode(), &mut outcome);
        expected
    }

    /// What leaves after the entry.
    fn enqueue(&mut self, entry: Entry) -> Vec<Entry> {
        let leaves = |(channel, payload): (usize, Vec<u64>)| {
            assert_eq!(channel, DEQUEUE);
            Entry::decode(&payload)
        };
        self.accept(entry).into_iter().map(leaves).collect()
    }
}

#[test]
fn a_block_stays_until_its_address_reaches_the_head_of_a_full_fifo() {
    let mut bench = Bench::new();
    (0..63).for_each(|block| assert_eq!(bench.enqueue(Entry::write(block)), []));
    assert_eq!(bench.enqueue(Entry::write(63)), [Entry::write(0)]);
    assert_eq!(bench.enqueue(Entry::write(64)), [Entry::write(1)]);
}

#[test]
fn a_release_marker_drains_all_that_came_before_it() {
    let mut bench = Bench::new();
    (0..3).for_each(|block| assert_eq!(bench.enqueue(Entry::write(block)), []));
    let [a, b, c] = [0, 1, 2].map(Entry::write);
    let release = Entry::release(7, true);
    assert_eq!(bench.enqueue(release), [a, b, c, release]);
}

#[test]
fn what_comes_after_a_release_waits_again() {
    let mut bench = Bench::new();
    bench.enqueue(Entry::release(1, true));
    assert_eq!(bench.enqueue(Entry::write(5)), []);
    let push = Entry::release(1, false);
    assert_eq!(
        bench.enqueue(push),
        [Entry::write(5), push],
        "the flag is pushed without an answer"
    );
}

#[test]
fn an_atomic_leaves_a_marker_in_its_place() {
    let mut bench = Bench::new();
    bench.enqueue(Entry::write(1));
    bench.enqueue(Entry::atomic(1));
    let release = Entry::release(0, true);
    assert_eq!(bench.enqueue(release), [Entry::write(1), Entry::atomic(1), release]);
}

#[test]
fn a_block_may_be_inside_more_than_once() {
    let mut bench = Bench::new();
    (0..2).for_each(|_| assert_eq!(bench.enqueue(Entry::write(9)), []));
    let release = Entry::release(0, false);
    assert_eq!(bench.enqueue(release), [Entry::write(9), Entry::write(9), release]);
}

#[test]
fn what_a_kind_does_not_use_leaves_as_zero() {
    let mut bench = Bench::new();
    let [write, release] = [Entry::write(3), Entry::release(2, true)];
    bench.enqueue(Entry { wavefront: 5, needs_ack: true, ..write });
    assert_eq!(bench.enqueue(Entry { block: 77, ..release }), [write, release]);
}

#[test]
fn a_reserved_kind_is_an_error_and_changes_nothing() {
    let mut bench = Bench::new();
    let reserved = Entry { kind: None, ..Entry::write(1) };
    (0..100).for_each(|_| assert_eq!(bench.accept(reserved), [(ERROR, vec![RESERVED_KIND])]));
    let release = Entry::release(0, true);
    assert_eq!(bench.enqueue(release), [release]);
}

/// A proof with the fewest rows is about the same bits.
#[test]
fn the_fewest_rows_have_the_same_ports() {
    for (preset, params) in Params::presets() {
        let few = params.fewest_rows();
        assert_eq!(few.is_some(), preset != "tiny");
        if let Some(few) = few {
            assert_eq!(few.circuit().port_layout(), params.circuit().port_layout());
        }
    }
}
