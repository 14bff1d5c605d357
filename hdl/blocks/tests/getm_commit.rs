//! The commit unit's reference model against the sentences of the paper (GETM 4.4.1, 4.5.3, figure
//! 4.6), and against what its page says of coalescing.

use warpsmith_blocks::getm_commit::{
    Effect, Item, Kind, Misuse, Params, Ring, decode_write, encode_write,
};
use warpsmith_blocks::parameters::{Parameters, resolve};

/// Regions of 32 bytes, words of 4, a window of 16.
fn paper() -> Params {
    Params::presets().remove(2).1
}

struct Bench {
    ring: Ring,
}

impl Bench {
    fn new(params: &Params) -> Self {
        params.validate().expect("possible parameters");
        Self { ring: Ring::new(params) }
    }

    fn item(&mut self, kind: Kind, address: u64, data: u64, bytes: u64, count: u64) -> Effect {
        let effect = self.ring.apply(&Item { kind: Some(kind), address, data, bytes, count });
        assert_eq!(effect.error, None);
        effect
    }

    fn commit(&mut self, address: u64, data: u64) -> Effect {
        self.item(Kind::Commit, address, data, 0b1111, 1)
    }

    fn end(&mut self) -> Effect {
        self.item(Kind::End, 0, 0, 0, 0)
    }
}

/// A region that leaves: its number, the written bytes as (place, value), and its count.
type Left = (u64, Vec<(usize, u8)>, u64);

fn left(effect: &Effect) -> Vec<Left> {
    let bytes = |region: &Vec<Option<u8>>| {
        region.iter().enumerate().filter_map(|(i, byte)| Some((i, (*byte)?))).collect()
    };
    effect.leaves.iter().map(|e| (e.granule, bytes(&e.region), e.count)).collect()
}

#[test]
fn writes_to_one_region_leave_together_and_the_last_write_of_a_byte_wins() {
    let mut bench = Bench::new(&paper());
    bench.item(Kind::Commit, 0x44, 0x0403_0201, 0b1111, 2);
    bench.item(Kind::Commit, 0x44, 0xaabb_ccdd, 0b0010, 1);
    let left = left(&bench.end());
    assert_eq!(left, [(2, vec![(4, 1), (5, 0xcc), (6, 3), (7, 4)], 3)]);
}

#[test]
fn aborted_writes_are_released_and_not_written() {
    let mut bench = Bench::new(&paper());
    bench.item(Kind::Abort, 0x40, 0x1111_1111, 0b1111, 3);
    bench.item(Kind::Abort, 0x80, 0, 0, 1);
    bench.item(Kind::Commit, 0x84, 0x0000_00ff, 0b0001, 2);
    assert_eq!(left(&bench.end()), [(2, vec![], 3), (4, vec![(4, 0xff)], 3)]);
}

#[test]
fn a_region_that_is_wholly_written_leaves_at_once() {
    let mut bench = Bench::new(&paper());
    for word in 0..7 {
        assert!(bench.commit(0x40 + 4 * word, 0).leaves.is_empty());
    }
    assert_eq!(left(&bench.commit(0x5c, 0))[0].2, 8);
    assert!(bench.end().leaves.is_empty());
}

#[test]
fn closed_regions_leave_in_the_order_in_which_they_were_begun() {
    let mut bench = Bench::new(&paper());
    bench.commit(0x100, 1);
    for word in 0..8 {
        assert!(bench.commit(0x40 + 4 * word, 0).leaves.is_empty(), "an older one is open");
    }
    let granules: Vec<_> = bench.end().leaves.iter().map(|entry| entry.granule).collect();
    assert_eq!(granules, [8, 2]);
}

#[test]
fn a_full_window_sends_its_oldest_region_away() {
    let params = paper();
    let mut bench = Bench::new(&params);
    for region in 0..u64::from(params.window) {
        assert!(bench.commit(0x20 * region, 1).leaves.is_empty());
    }
    assert_eq!(left(&bench.commit(0x1000, 1))[0].0, 0);
}

#[test]
fn a_region_waits_for_so_many_items_and_no_longer() {
    let params = paper();
    let mut bench = Bench::new(&params);
    bench.commit(0x40, 1);
    for _ in 1..params.max_wait {
        assert!(bench.item(Kind::Abort, 0x80, 0, 0, 1).leaves.is_empty());
    }
    assert_eq!(left(&bench.commit(0x44, 1))[0], (2, vec![(0, 1), (1, 0), (2, 0), (3, 0)], 1));
}

#[test]
fn a_count_that_would_overflow_splits_the_region() {
    let params = paper();
    let mut bench = Bench::new(&params);
    bench.item(Kind::Commit, 0x40, 5, 0b0001, params.most_writes());
    assert_eq!(left(&bench.item(Kind::Commit, 0x40, 6, 0b0001, 1)), [(2, vec![(0, 5)], 1023)]);
    assert_eq!(left(&bench.end()), [(2, vec![(0, 6)], 1)]);
}

#[test]
fn an_empty_log_does_nothing() {
    let mut bench = Bench::new(&paper());
    assert!(bench.end().leaves.is_empty());
}

#[test]
fn malformed_items_name_why_and_change_nothing() {
    let mut bench = Bench::new(&paper());
    bench.commit(0x40, 1);
    let good = Item { kind: Some(Kind::Commit), address: 0x44, data: 1, bytes: 1, count: 1 };
    for (item, misuse) in [
        (Item { kind: None, count: 0, address: 1, ..good }, Misuse::ReservedKind),
        (Item { count: 0, address: 0x45, ..good }, Misuse::NoWrites),
        (Item { address: 0x46, ..good }, Misuse::Misaligned),
    ] {
        let effect = bench.ring.apply(&item);
        assert_eq!(effect.error, Some(misuse), "{item}");
        assert!(effect.leaves.is_empty());
    }
    assert_eq!(left(&bench.end())[0].2, 1, "only the good one counts");
}

#[test]
fn a_write_s_payload_is_read_as_it_was_written() {
    for (_, params) in Params::presets() {
        let region = (0..params.granule_bytes).map(|i| (i % 3 != 0).then_some(i as u8)).collect();
        let payload = encode_write(&params, 1, &region);
        assert_eq!(decode_write(&params, &payload), (1, region));
    }
}

#[test]
fn impossible_parameters_are_named_with_what_is_accepted() {
    let with = |field: &str, value: i64| {
        let settings = [(field.to_string(), toml::Value::from(value))];
        resolve::<Params>("getm_commit", "paper", &settings)
    };
    for (field, value, accepted) in [
        ("ring", 16, "a power of two, 32 to 65536"),
        ("window", 3, "a power of two, 2 to 64"),
        ("word_bytes", 16, "a power of two, 1 to 8"),
        ("address_bits", 5, "6 to 64"),
        ("max_wait", 0, "1 to 65535"),
    ] {
        let message = with(field, value).expect_err(field).to_string();
        assert!(message.contains(field) && message.contains(accepted), "{message}");
    }
}
