//! The metadata table's reference model against the sentences of the paper: figure 4.6 case by case,
//! the walkthrough of figure 4.7, insertion, the overflow space, and malformed requests.

use std::collections::HashMap;

use rand::{RngExt, SeedableRng};
use warpsmith_blocks::getm_metadata::{
    Answer, Metadata, Misuse, Op, OverflowOp, Params, Request, Table, Verdict,
};
use warpsmith_blocks::parameters::{Parameters, resolve};
use warpsmith_blocks::verification::StimulusRng;

/// Two banks of two rows, a stash of one, granules of two bytes, two displacements at most.
fn tiny() -> Params {
    Params::presets().remove(0).1
}

/// The paper's table; its numbers of warps and timestamps are small enough for the text's examples.
fn paper(faithful: bool) -> Params {
    Params { faithful, ..Params::presets().remove(2).1 }
}

struct Bench(Table);

impl Bench {
    fn new(params: &Params) -> Self {
        params.validate().expect("possible parameters");
        Self(Table::new(params))
    }

    fn answer(&mut self, op: Op, address: u64, warp: u64, warpts: u64, count: u64) -> Answer {
        let effect = self.0.apply(&Request { op, address, warp, warpts, count, tag: 0 });
        assert_eq!(effect.error, None, "{op:?} of 0x{address:x} is well formed");
        effect.answer
    }

    fn load(&mut self, address: u64, warp: u64, warpts: u64) -> Verdict {
        self.answer(Op::Load, address, warp, warpts, 0).verdict
    }

    fn store(&mut self, address: u64, warp: u64, warpts: u64) -> Verdict {
        self.answer(Op::Store, address, warp, warpts, 0).verdict
    }

    /// Whether the granule is still reserved.
    fn release(&mut self, address: u64, count: u64) -> bool {
        self.answer(Op::Release, address, 0, 0, count).reserved
    }

    fn misuse(&mut self, op: Op, address: u64, warpts: u64, count: u64) -> Option<Misuse> {
        let before = self.0.metadata(address);
        let effect = self.0.apply(&Request { op, address, warp: 0, warpts, count, tag: 0 });
        assert_eq!(effect.answer.verdict, Verdict::Error);
        assert_eq!((effect.answer.wts, effect.answer.rts), (0, 0));
        assert_eq!(self.0.metadata(address), before, "a malformed request changes nothing");
        effect.error
    }

    fn is(&self, address: u64, wts: u64, rts: u64, writes: u64, owner: u64) {
        let metadata = self.0.metadata(address);
        assert_eq!(metadata, Metadata { wts, rts, writes, owner }, "0x{address:x}");
    }
}

const A: u64 = 0x40;
const B: u64 = 0x80;

#[test]
fn a_load_raises_rts_and_a_store_sets_wts_and_reserves() {
    let mut bench = Bench::new(&paper(false));
    assert_eq!(bench.load(A, 1, 20), Verdict::Success);
    bench.is(A, 0, 20, 0, 0);
    assert_eq!(bench.load(A, 2, 5), Verdict::Success, "any rts may be read");
    bench.is(A, 0, 20, 0, 0);
    assert_eq!(bench.store(A, 1, 20), Verdict::Success);
    bench.is(A, 21, 20, 1, 1);
}

#[test]
fn the_owner_bypasses_the_timestamp_checks_and_its_stores_are_counted() {
    let mut bench = Bench::new(&paper(false));
    bench.store(A, 1, 20);
    assert_eq!(bench.store(A, 1, 20), Verdict::Success);
    assert_eq!(bench.load(A, 1, 20), Verdict::Success);
    bench.is(A, 21, 20, 2, 1);
}

#[test]
fn a_logically_earlier_access_aborts_and_reports_the_timestamp_it_met() {
    let mut bench = Bench::new(&paper(false));
    bench.load(A, 1, 30);
    bench.store(A, 1, 30);
    let load = bench.answer(Op::Load, A, 2, 10, 0);
    assert_eq!((load.verdict, load.wts), (Verdict::AbortWar, 31));
    assert_eq!(bench.store(A, 2, 10), Verdict::AbortWaw);
    bench.load(B, 1, 30);
    let store = bench.answer(Op::Store, B, 2, 10, 0);
    assert_eq!((store.verdict, store.wts, store.rts), (Verdict::AbortRaw, 0, 30));
    bench.is(A, 31, 30, 1, 1);
}

#[test]
fn a_logically_later_access_to_a_reserved_granule_waits() {
    let mut bench = Bench::new(&paper(false));
    bench.store(A, 1, 20);
    assert_eq!(bench.load(A, 2, 22), Verdict::Park);
    assert_eq!(bench.store(A, 2, 22), Verdict::Park);
    bench.is(A, 21, 0, 1, 1);
    assert!(!bench.release(A, 1));
    assert_eq!(bench.load(A, 2, 22), Verdict::Success);
}

#[test]
fn a_warp_s_next_transaction_does_not_pass_for_the_one_before() {
    for (faithful, verdict) in [(true, Verdict::Success), (false, Verdict::Park)] {
        let mut bench = Bench::new(&paper(faithful));
        bench.store(A, 1, 20);
        assert_eq!(bench.store(A, 1, 22), verdict, "faithful: {faithful}");
    }
}

#[test]
fn a_count_does_not_wrap() {
    let params = paper(false);
    let mut bench = Bench::new(&params);
    for _ in 0..params.most_writes() {
        assert_eq!(bench.store(A, 1, 20), Verdict::Success);
    }
    assert_eq!(bench.store(A, 1, 20), Verdict::AbortCount);
    bench.is(A, 21, 0, params.most_writes(), 1);
    assert!(!bench.release(A, params.most_writes()));
}

/// Figure 4.7, as far as the metadata shows it; warp 1 runs tx1, warp 2 tx2.
#[test]
fn the_walkthrough_of_figure_4_7() {
    let mut bench = Bench::new(&paper(true));
    assert_eq!(bench.load(A, 1, 20), Verdict::Success);
    assert_eq!(bench.store(A, 1, 20), Verdict::Success);
    assert_eq!(bench.load(B, 2, 10), Verdict::Success);
    assert_eq!(bench.store(B, 2, 10), Verdict::Success);
    bench.is(A, 21, 20, 1, 1);
    bench.is(B, 11, 10, 1, 2);
    let aborted = bench.answer(Op::Load, A, 2, 10, 0);
    assert_eq!((aborted.verdict, aborted.wts), (Verdict::AbortWar, 21));
    assert!(!bench.release(B, 1), "tx2 cleans up");
    assert_eq!(bench.load(B, 1, 20), Verdict::Success);
    assert_eq!(bench.store(B, 1, 20), Verdict::Success);
    bench.is(A, 21, 20, 1, 1);
    bench.is(B, 21, 20, 1, 1);
    assert_eq!(bench.load(B, 2, 22), Verdict::Park);
    assert!(!bench.release(A, 1), "tx1 commits");
    assert!(!bench.release(B, 1));
    assert_eq!(bench.load(B, 2, 22), Verdict::Success);
    assert_eq!(bench.store(B, 2, 22), Verdict::Success);
    bench.is(B, 23, 22, 1, 2);
}

#[test]
fn malformed_requests_change_nothing() {
    let params = paper(false);
    let mut bench = Bench::new(&params);
    assert_eq!(bench.misuse(Op::Release, A, 0, 1), Some(Misuse::NotReserved));
    bench.store(A, 1, 20);
    assert_eq!(bench.misuse(Op::Release, A, 0, 2), Some(Misuse::WrongCount));
    assert_eq!(bench.misuse(Op::Release, A, 0, 0), Some(Misuse::WrongCount));
    let last = params.last_timestamp();
    assert_eq!(bench.misuse(Op::Load, A, last, 0), Some(Misuse::LastTimestamp));
    assert_eq!(bench.misuse(Op::Store, B, last, 0), Some(Misuse::LastTimestamp));
    assert_eq!(bench.misuse(Op::Clear, A, 0, 0), Some(Misuse::ClearWhileReserved));
    assert!(!bench.release(A, 1));
    bench.answer(Op::Clear, 0, 0, 0, 0);
    bench.is(A, 0, 0, 0, 0);
}

/// Reserves granule after granule until the overflow space is used.
fn overflowing() -> (Bench, Vec<u64>) {
    let mut bench = Bench::new(&tiny());
    let mut reserved = Vec::new();
    for address in (0..32).step_by(2) {
        let store = Request { op: Op::Store, address, warp: 1, warpts: 3, count: 0, tag: 0 };
        let effect = bench.0.apply(&store);
        if effect.answer.verdict == Verdict::Success {
            reserved.push(address);
        }
        if effect.overflow.iter().any(|asked| asked.op == OverflowOp::Insert) {
            return (bench, reserved);
        }
    }
    panic!("sixteen granules fit in four rows and a stash");
}

#[test]
fn more_reserved_granules_than_places_are_kept_in_the_overflow_space() {
    let (mut bench, reserved) = overflowing();
    assert!(reserved.len() <= 6, "{} granules are reserved", reserved.len());
    for &address in &reserved {
        bench.is(address, 4, 0, 1, 1);
    }
    for &address in &reserved {
        assert!(!bench.release(address, 1));
        let metadata = bench.0.metadata(address);
        assert!(metadata.wts >= 4 && metadata.writes == 0, "{metadata:?}");
    }
}

#[test]
fn an_overflow_entry_that_is_released_goes_to_the_bloom_filter() {
    let (mut bench, reserved) = overflowing();
    let asked = |op, address: u64, bench: &mut Bench| {
        let request = Request { op, address, warp: 1, warpts: 3, count: 1, tag: 0 };
        let overflow = bench.0.apply(&request).overflow;
        overflow.iter().map(|asked| asked.op).collect::<Vec<_>>()
    };
    let (lookup, update, remove) = (OverflowOp::Lookup, OverflowOp::Update, OverflowOp::Remove);
    let in_overflow =
        |address: &&u64| !asked(Op::Load, **address, &mut Bench(bench.0.clone())).is_empty();
    let address = *reserved.iter().find(in_overflow).expect("one is there");
    assert_eq!(asked(Op::Store, address, &mut bench), [lookup, update]);
    assert_eq!(asked(Op::Release, address, &mut bench), [lookup, update]);
    assert_eq!(asked(Op::Release, address, &mut bench), [lookup, remove]);
    assert_eq!(asked(Op::Load, 0, &mut bench), [], "nothing is there any more");
}

/// The table is compared with one that has no limits, over random requests.
#[test]
fn reserved_granules_are_exact_and_others_never_too_early() {
    for (_, params) in Params::presets() {
        for seed in 0..8 {
            compare_with_ideal(&params, seed);
        }
    }
}

fn compare_with_ideal(params: &Params, seed: u64) {
    let mut rng = StimulusRng::seed_from_u64(seed);
    let mut table = Table::new(params);
    let mut ideal: HashMap<u64, Metadata> = HashMap::new();
    let granules = 1 << params.granule_bits().min(11);
    for step in 0..4000 {
        let granule = rng.random_range(0..granules);
        let truth = ideal.entry(granule).or_default();
        let known = table.metadata(granule << params.offset_bits());
        let what = format!("seed {seed}, step {step}: {known:?} of {truth:?}");
        assert!(known.wts >= truth.wts && known.rts >= truth.rts, "{what}");
        assert_eq!(known.writes, truth.writes, "{what}");
        if truth.writes > 0 {
            assert_eq!((known.wts, known.owner), (truth.wts, truth.owner), "{what}");
        }
        let releases = truth.writes > 0 && rng.random_range(0..8) == 0;
        let op = match releases {
            true => Op::Release,
            false => [Op::Load, Op::Store][rng.random_range(0..2)],
        };
        let warp = rng.random_range(0..1u64 << params.owner_bits.min(4));
        let latest = params.last_timestamp().min(step / 4 + 1);
        let warpts = rng.random_range(0..latest);
        let address = granule << params.offset_bits();
        let request = Request { op, address, warp, warpts, count: truth.writes, tag: 0 };
        let effect = table.apply(&request);
        match (op, effect.answer.verdict) {
            (Op::Release, _) => truth.writes = 0,
            (Op::Load, Verdict::Success) => truth.rts = truth.rts.max(warpts),
            (Op::Store, Verdict::Success) if truth.writes > 0 => truth.writes += 1,
            (Op::Store, Verdict::Success) => {
                *truth = Metadata { wts: warpts + 1, writes: 1, owner: warp, ..*truth };
            }
            _ => {}
        }
        assert_eq!(effect.answer.reserved, truth.writes > 0, "{what}");
    }
}

/// Two transactions, which load two granules each and store to one of them, and share none; but the table has
/// a place for one granule only, and its Bloom filter does not tell them apart.
///
/// Each that starts again is later than the other, and what it loads is put out of the table before the
/// other stores: the Bloom filter then has the latest time for all four.
#[test]
fn two_transactions_that_share_no_granule_may_abort_each_other_for_ever() {
    let small = Params { rows_per_way: 2, ways: 1, stash: 0, bloom_rows: 2, ..paper(false) };
    let shares_rows = |other: &u64| {
        let mut bench = Bench::new(&small);
        for (address, warpts) in [(A, 20), (*other, 30), (A, 20), (*other, 30)] {
            bench.load(address, 1, warpts);
        }
        bench.0.metadata(A).rts == 30
    };
    let others: Vec<_> = (1..1000).map(|n| A + 32 * n).filter(shares_rows).take(3).collect();
    let [first, second] = [[A, others[0]], [others[1], others[2]]];

    let mut bench = Bench::new(&small);
    let loads = |bench: &mut Bench, granules: [u64; 2], warp, warpts| {
        let verdicts = granules.map(|address| bench.load(address, warp, warpts));
        assert_eq!(verdicts, [Verdict::Success; 2]);
    };
    let mut transactions = [(first, 1, 20), (second, 2, 30)];
    loads(&mut bench, first, 1, 20);
    for _ in 0..1000 {
        let [(granules, warp, warpts), later] = transactions;
        loads(&mut bench, later.0, later.1, later.2);
        let answer = bench.answer(Op::Store, granules[0], warp, warpts, 0);
        assert_eq!((answer.verdict, answer.rts), (Verdict::AbortRaw, later.2));
        transactions = [later, (granules, warp, answer.rts + 1)];
    }

    // If the one that has aborted waits, the other is not overtaken.
    let (granules, warp, warpts) = transactions[0];
    assert_eq!(bench.store(granules[0], warp, warpts), Verdict::Success);

    // Where all granules have a place, neither transaction knows of the other.
    let mut bench = Bench::new(&paper(false));
    for (granules, warp, warpts) in [(first, 1, 20), (second, 2, 30)] {
        loads(&mut bench, granules, warp, warpts);
    }
    for (granules, warp, warpts) in [(first, 1, 20), (second, 2, 30)] {
        assert_eq!(bench.store(granules[0], warp, warpts), Verdict::Success);
    }
}

#[test]
fn impossible_parameters_are_named_with_what_is_accepted() {
    let with = |field: &str, value: i64| {
        let settings = [(field.to_string(), toml::Value::from(value))];
        resolve::<Params>("getm_metadata", "paper", &settings)
    };
    assert!(with("stash", 0).is_ok(), "a table without a stash is possible");
    for (field, value, accepted) in [
        ("rows_per_way", 100, "a power of two, 2 to 65536"),
        ("ways", 0, "1 to 8"),
        ("owner_bits", 17, "1 to 16"),
        ("timestamp_bits", 10, "11 to 63"),
        ("address_bits", 6, "7 to 64"),
    ] {
        let message = with(field, value).expect_err(field).to_string();
        assert!(message.contains(field) && message.contains(accepted), "{message}");
    }
}
