//! The directory's reference model against the sentences of the paper: Table I cell by cell, the
//! hierarchy, replacement, and malformed requests.

use warpsmith_blocks::hmg_directory::{
    Directory, Invalidation, Misuse, Nodes, Op, Params, Replacement, Request, Response, Source,
};
use warpsmith_blocks::parameters::Parameters;

const A: u64 = 0x00;
/// Another block of the same set as A.
const B: u64 = 0x10;
const C: u64 = 0x20;
const SAME_ENTRY: u64 = A + 4;

/// Three GPMs in each of two GPUs, two sets of two ways, two lines of four bytes an entry. This is
/// GPM 0 of GPU 0: sharers are GPM 1, GPM 2 and GPU 1, from bit 0 up.
fn tiny() -> Params {
    Params::presets().remove(0).1
}

struct Bench(Directory);

impl Bench {
    fn new() -> Self {
        Self(Directory::new(&tiny(), 0, 0))
    }

    fn with(params: Params) -> Self {
        params.validate().expect("possible parameters");
        Self(Directory::new(&params, 0, 0))
    }

    /// The answer's flags as letters, and the invalidation.
    fn apply(&mut self, op: Op, source: Source, address: u64) -> (String, Option<(u64, u64)>) {
        let effect = self.0.apply(&Request { op: Some(op), source, address });
        assert_eq!(effect.error, None, "{op:?} by {source:?} is well formed");
        let Response { hit, allocated, evicted } = effect.response;
        let flags = [(hit, 'h'), (allocated, 'a'), (evicted, 'e')];
        let flags = flags.iter().filter(|(set, _)| *set).map(|(_, letter)| letter).collect();
        let told = effect.invalidation.map(|Invalidation { address, sharers }| (address, sharers));
        (flags, told)
    }

    fn load(&mut self, source: Source, address: u64) {
        self.apply(Op::Load, source, address);
    }

    fn loads(&mut self, sources: &[Source], address: u64) {
        sources.iter().for_each(|source| self.load(*source, address));
    }

    /// Who would be told if this GPM stored: the sharers of the block.
    fn sharers(&self, address: u64) -> u64 {
        let mut copy = Bench(self.0.clone());
        copy.apply(Op::Store, Source::Local, address).1.map_or(0, |(_, sharers)| sharers)
    }
}

const GPM1: Source = Source::Gpm(1);
const GPM2: Source = Source::Gpm(2);
const GPU1: Source = Source::Gpu(1);
const NOTHING: (&str, Option<(u64, u64)>) = ("", None);

fn is(found: (String, Option<(u64, u64)>), flags: &str, told: Option<(u64, u64)>) {
    assert_eq!((found.0.as_str(), found.1), (flags, told));
}

#[test]
fn local_requests_to_an_untracked_block_do_nothing() {
    for op in [Op::Load, Op::Store, Op::Atomic] {
        let mut bench = Bench::new();
        is(bench.apply(op, Source::Local, A), NOTHING.0, NOTHING.1);
        assert_eq!(bench.sharers(A), 0);
    }
}

#[test]
fn remote_requests_to_an_untracked_block_begin_its_entry() {
    for op in [Op::Load, Op::Store, Op::Atomic] {
        for (source, bit) in [(GPM1, 0b001), (GPM2, 0b010), (GPU1, 0b100)] {
            let mut bench = Bench::new();
            is(bench.apply(op, source, A), "a", None);
            assert_eq!(bench.sharers(A), bit);
        }
    }
}

#[test]
fn a_local_load_of_a_tracked_block_changes_nothing() {
    let mut bench = Bench::new();
    bench.load(GPM1, A);
    is(bench.apply(Op::Load, Source::Local, A), "h", None);
    assert_eq!(bench.sharers(A), 0b001);
}

#[test]
fn a_local_store_or_atomic_invalidates_all_sharers_and_ends_the_entry() {
    for op in [Op::Store, Op::Atomic] {
        let mut bench = Bench::new();
        bench.loads(&[GPM1, GPM2, GPU1], A);
        is(bench.apply(op, Source::Local, A), "h", Some((A, 0b111)));
        is(bench.apply(op, Source::Local, A), NOTHING.0, NOTHING.1);
    }
}

#[test]
fn a_remote_load_adds_its_source_to_the_sharers() {
    let mut bench = Bench::new();
    bench.load(GPM1, A);
    is(bench.apply(Op::Load, GPU1, A), "h", None);
    assert_eq!(bench.sharers(A), 0b101);
}

#[test]
fn a_remote_store_or_atomic_invalidates_the_others_and_leaves_its_source() {
    for op in [Op::Store, Op::Atomic] {
        let mut bench = Bench::new();
        bench.loads(&[GPM1, GPM2, GPU1], A);
        is(bench.apply(op, GPM2, A), "h", Some((A, 0b101)));
        assert_eq!(bench.sharers(A), 0b010);
        is(bench.apply(op, GPM2, A), "h", None);
    }
}

#[test]
fn a_replaced_entry_invalidates_all_its_sharers() {
    let mut bench = Bench::new();
    bench.loads(&[GPM1, GPU1], A);
    bench.load(GPM1, B);
    is(bench.apply(Op::Load, GPM1, C), "ae", Some((A, 0b101)));
    assert_eq!((bench.sharers(A), bench.sharers(B), bench.sharers(C)), (0, 1, 1));
}

#[test]
fn a_forwarded_invalidation_reaches_the_gpm_sharers_and_ends_the_entry() {
    let mut bench = Bench::new();
    bench.loads(&[GPM1, GPM2], A);
    is(bench.apply(Op::Invalidate, GPU1, A), "h", Some((A, 0b011)));
    is(bench.apply(Op::Invalidate, GPU1, A), NOTHING.0, NOTHING.1);
}

#[test]
fn a_release_changes_nothing() {
    let mut bench = Bench::new();
    bench.load(GPM1, A);
    is(bench.apply(Op::Release, GPU1, A), NOTHING.0, NOTHING.1);
    assert_eq!(bench.sharers(A), 1);
}

#[test]
fn a_downgrade_takes_its_source_away_and_the_last_one_ends_the_entry() {
    let mut bench = Bench::new();
    bench.loads(&[GPM1, GPU1], A);
    is(bench.apply(Op::Downgrade, GPM1, A), "h", None);
    assert_eq!(bench.sharers(A), 0b100);
    is(bench.apply(Op::Downgrade, GPU1, A), "h", None);
    is(bench.apply(Op::Load, GPM1, A), "a", None);
}

#[test]
fn one_entry_covers_neighbouring_lines() {
    let mut bench = Bench::new();
    bench.load(GPM1, A);
    is(bench.apply(Op::Store, GPM2, SAME_ENTRY), "h", Some((A, 0b001)));
}

#[test]
fn the_lowest_invalid_way_is_taken_before_any_entry_is_replaced() {
    let mut bench = Bench::new();
    bench.load(GPM1, A);
    bench.load(GPM1, B);
    bench.apply(Op::Store, Source::Local, B);
    is(bench.apply(Op::Load, GPM1, C), "a", None);
}

#[test]
fn lru_replaces_the_entry_whose_use_is_longest_ago() {
    let mut bench = Bench::new();
    bench.load(GPM1, A);
    bench.load(GPM1, B);
    bench.apply(Op::Load, Source::Local, A);
    is(bench.apply(Op::Load, GPM1, C), "ae", Some((B, 1)));
}

#[test]
fn tree_plru_replaces_what_its_bits_point_to() {
    let four = Params { ways: 4, address_bits: 8, replacement: Replacement::TreePlru, ..tiny() };
    let mut bench = Bench::with(four);
    let block = |n: u64| n * 0x10;
    (0..4).for_each(|n| bench.load(GPM1, block(n)));
    // The last use was way 3: the root points low, and there the last use was way 1.
    is(bench.apply(Op::Load, GPM1, block(4)), "ae", Some((block(0), 1)));
    is(bench.apply(Op::Load, GPM1, block(5)), "ae", Some((block(2), 1)));
}

#[test]
fn round_robin_replaces_one_way_after_the_other_whatever_was_used() {
    let three = Params { ways: 3, address_bits: 8, replacement: Replacement::RoundRobin, ..tiny() };
    let mut bench = Bench::with(three);
    let block = |n: u64| n * 0x10;
    (0..3).for_each(|n| bench.load(GPM1, block(n)));
    for (newcomer, victim) in [(3, 0), (4, 1), (5, 2), (6, 3)] {
        bench.load(GPM2, block(victim));
        let (flags, told) = bench.apply(Op::Load, GPM1, block(newcomer));
        assert_eq!((flags.as_str(), told.map(|(address, _)| address)), ("ae", Some(block(victim))));
    }
}

#[test]
fn sharers_are_numbered_without_oneself_ascending() {
    let paper = Params::presets().remove(2).1;
    let nodes = Nodes::new(&paper, 2, 1);
    let bits = |sources: [Source; 6]| sources.map(|s| nodes.sharer_bit(s));
    let gpms = [0, 1, 3].map(Source::Gpm);
    let gpus = [0, 2, 3].map(Source::Gpu);
    let all = [gpms[0], gpms[1], gpms[2], gpus[0], gpus[1], gpus[2]];
    assert_eq!(bits(all), [Ok(1), Ok(2), Ok(4), Ok(8), Ok(16), Ok(32)]);

    let flat = Params { hierarchical: false, ..paper };
    let nodes = Nodes::new(&flat, 2, 1);
    // Oneself is number 1 * 4 + 2.
    let found: Vec<_> = (0..16).map(|i| nodes.sharer_bit(Source::Gpm(i))).collect();
    for (number, bit) in found.into_iter().enumerate() {
        match number {
            0..6 => assert_eq!(bit, Ok(1 << number)),
            6 => assert_eq!(bit, Err(Misuse::SourceIsSelf)),
            _ => assert_eq!(bit, Ok(1 << (number - 1))),
        }
    }
}

#[test]
fn malformed_requests_name_why_and_change_nothing() {
    let flat = Params { hierarchical: false, ..tiny() };
    let cases = [
        (tiny(), None, GPM1, Misuse::ReservedOp),
        (tiny(), Some(Op::Load), Source::Reserved, Misuse::ReservedSource),
        (flat.clone(), Some(Op::Load), GPU1, Misuse::GpuSourceInFlat),
        (tiny(), Some(Op::Load), Source::Gpm(3), Misuse::SourceOutOfRange),
        (tiny(), Some(Op::Load), Source::Gpu(2), Misuse::SourceOutOfRange),
        (flat.clone(), Some(Op::Load), Source::Gpm(6), Misuse::SourceOutOfRange),
        (tiny(), Some(Op::Load), Source::Gpm(0), Misuse::SourceIsSelf),
        (tiny(), Some(Op::Release), Source::Gpu(0), Misuse::SourceIsSelf),
        (tiny(), Some(Op::Invalidate), GPM1, Misuse::IllegalInvalidate),
        (tiny(), Some(Op::Invalidate), Source::Local, Misuse::IllegalInvalidate),
        (flat, Some(Op::Invalidate), GPM1, Misuse::IllegalInvalidate),
    ];
    for (params, op, source, misuse) in cases {
        let mut bench = Bench::with(params);
        bench.load(GPM1, A);
        let effect = bench.0.apply(&Request { op, source, address: A });
        assert_eq!(effect.error, Some(misuse), "{op:?} by {source:?}");
        assert_eq!(effect.response, Response::default());
        assert_eq!(effect.invalidation, None);
        assert_eq!(bench.sharers(A), 1);
    }
}
