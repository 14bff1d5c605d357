//! The thesis's rules that are unsound, one by one, each with the least messages that show it: with these rules
//! (`faithful`) a load gets what no sequentially consistent machine gives, and the oracle names it. With ours the same
//! messages are harmless.

use super::by_hand::{ByHand, OLD, Warp, machine};
use warpsmith::gpu::isa::AccessKind;

/// Words.
const X: usize = 0;
const Y: usize = 1;
const Z: usize = 2;

/// Compares what the oracle tells with what a flaw must make it tell.
fn judge(room: ByHand, faithful: bool, expected: &[&str]) {
    let told = room.judged();
    println!("faithful {faithful}: {told:?}");
    match told {
        None => assert!(!faithful, "the oracle finds nothing"),
        Some(told) => {
            assert!(faithful, "{told}");
            assert!(told.contains("not sequentially consistent"), "{told}");
            expected.iter().for_each(|words| assert!(told.contains(words), "{words}: {told}"));
        }
    }
}

/// Changes a word for a warp, and gives the logical time of its core then.
type Change = fn(&mut ByHand, Warp, usize, u32) -> u64;

/// A core has a copy of a line that the L2 evicts, and changes the word after.
fn changes_what_was_evicted(change: Change, kind: &str) {
    for faithful in [false, true] {
        let mut config = machine(1, faithful);
        // Two sets of one way in each of two banks: lines 0 and 4 are in one set.
        (config.l2.bytes, config.l2.ways, config.leases.mshrs) = (512, 1, 2);
        let mut room = ByHand::new(&config);
        let core: Warp = [1, 0];
        assert_eq!(room.load(core, X), OLD);
        assert_eq!(room.load([0, 0], X + 4), OLD);
        // The lease of the copy ends at 1, and so the memory time is 1.
        assert_eq!(change(&mut room, core, X, 1), if faithful { 1 } else { 2 });
        assert_eq!(room.load(core, X), if faithful { OLD } else { 1 });
        let reads = "warp 0 of core 1 reads at logical time 1";
        judge(room, faithful, &["a load of words word 0 gets 0x9, not 0x1", reads, kind]);
    }
}

/// Flaw 1 (figure 3.5b): a write miss takes effect at the memory time, at which old copies may still be read.
#[test]
fn a_store_of_an_evicted_line_comes_before_the_end_of_its_lease() {
    changes_what_was_evicted(ByHand::store, "core 1 stores at logical time 1");
}

/// Flaw 2 (figure 3.5b): so does an atomic miss.
#[test]
fn a_swap_of_an_evicted_line_comes_before_the_end_of_its_lease() {
    // What a swap has read is told of it, too.
    changes_what_was_evicted(ByHand::swap, "core 1 reads at logical time 1");
}

/// Flaw 3 (figure 3.5a): DATA answers every load that waits, also one behind a newer store of its own warp.
#[test]
fn a_load_behind_a_store_gets_data_from_before_it() {
    for faithful in [false, true] {
        let mut room = ByHand::new(&machine(1, faithful));
        let [a, b]: [Warp; 2] = [[0, 0], [0, 1]];
        let of_a = room.send(a, AccessKind::Load, X, 0);
        room.settle_but(1);
        assert_eq!(room.store(b, X, 1), 2, "behind the lease of the data under way");
        let of_b = room.send(b, AccessKind::Load, X, 0);
        room.let_go();
        assert_eq!(room.value(of_a), OLD);
        assert_eq!(room.value(of_b), if faithful { OLD } else { 1 });
        let named =
            ["the order is not that of the warp", "warp 1 of core 0 stores at logical time 2"];
        judge(
            room,
            faithful,
            &[&named[..], &["warp 1 of core 0 reads at logical time 0"]].concat(),
        );
    }
}

/// Flaw 4 (3.4.4): without lastrd a lease ends before the load for which it is granted, and a store comes between.
#[test]
fn a_load_is_later_than_its_lease_and_two_threads_miss_each_others_stores() {
    for faithful in [false, true] {
        let mut room = ByHand::new(&machine(4, faithful));
        // Core 2 takes a lease of X at 5, until 9, and core 1, which is at 0, gets the same.
        [X, Z].iter().for_each(|word| _ = room.load([3, 0], *word));
        assert_eq!(room.store([2, 0], Z, 1), 5);
        room.load([2, 0], X);
        let (one, other): (Warp, Warp) = ([1, 0], [0, 0]);
        assert_eq!((room.load(one, X), room.now(1)), (OLD, 0));
        assert_eq!(room.store(other, X, 1), 10);
        assert_eq!((room.load(other, Y), room.now(0)), (OLD, 10));
        assert_eq!(room.store(one, Y, 1), if faithful { 5 } else { 15 });
        assert_eq!(room.load(one, X), if faithful { OLD } else { 1 });
        let reads = "warp 0 of core 0 reads at logical time 10";
        judge(room, faithful, &["a load of words word 32 gets 0x9, not 0x1", reads]);
    }
}

/// Flaw 5 (3.4.4): a roll-over while an answer is in flight, which has a time of the past.
#[test]
fn an_answer_from_before_a_roll_over_is_a_copy_that_outlives_a_store() {
    for faithful in [false, true] {
        let mut room = ByHand::new(&machine(2, faithful));
        let core: Warp = [1, 0];
        room.load([2, 0], Y);
        assert_eq!(room.store([0, 0], Y, 7), 3);
        let first = room.send(core, AccessKind::Load, Y, 0);
        room.settle_but(1);
        room.use_up_time(2, Z);
        assert_eq!(room.roll_overs(), if faithful { 2 } else { 1 }, "ours waits for the answer");
        room.let_go();
        assert_eq!((room.roll_overs(), room.value(first)), (2, 7));
        assert_eq!(room.now(1), if faithful { 3 } else { 0 });
        assert_eq!(room.store(core, Y, 1), if faithful { 3 } else { 1 });
        assert_eq!(room.load(core, Y), if faithful { 7 } else { 1 });
        let reads = "warp 0 of core 1 reads at logical time 3 after 2 roll-overs";
        judge(room, faithful, &["a load of words word 32 gets 0x7, not 0x1", reads]);
    }
}

/// Flaw 6 (3.4.4): a roll-over while a request is in flight, whose lease seems newer than every store.
#[test]
fn a_request_from_before_a_roll_over_renews_a_copy_that_is_old() {
    for faithful in [false, true] {
        let mut room = ByHand::new(&machine(2, faithful));
        let (reader, writer): (Warp, Warp) = ([0, 0], [1, 0]);
        assert_eq!(room.load(reader, Y), OLD);
        assert_eq!(room.store(writer, Y, 1), 3);
        room.store(writer, X, 1);
        assert_eq!((room.load(reader, X), room.now(0)), (1, 3), "it has seen the flag");
        let data = room.send(reader, AccessKind::Load, Y, 0);
        room.settle_but(0);
        room.use_up_time(2, Z);
        assert_eq!(room.roll_overs(), if faithful { 2 } else { 1 }, "ours waits for the request");
        room.let_go();
        assert_eq!((room.roll_overs(), room.value(data)), (2, if faithful { OLD } else { 1 }));
        let reads = "warp 0 of core 0 reads at logical time 3 after 2 roll-overs";
        judge(room, faithful, &["a load of words word 32 gets 0x9, not 0x1", reads]);
    }
}
