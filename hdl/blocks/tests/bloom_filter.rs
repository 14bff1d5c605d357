//! The Bloom filters' reference model against the sentences of the paper (GPUDet 4.3, 5.2), and against the rate of
//! false positives that such filters have.

use rand::{Rng, SeedableRng};
use warpsmith_blocks::block::Design;
use warpsmith_blocks::bloom_filter::{
    Answer, BloomFilter, ERROR, NO_SUCH_WAVEFRONT, Op, Params, REQ, RESP, Request,
};
use warpsmith_blocks::corners::Corners;
use warpsmith_blocks::parameters::Parameters;
use warpsmith_blocks::verification::{Outcome, Reference, StimulusRng};

fn paper() -> Params {
    Params::presets().pop().expect("presets").1
}

/// The filters of a compute unit.
struct Bench {
    filters: BloomFilter,
    corners: Corners,
}

impl Bench {
    fn new() -> Self {
        let paper = paper();
        let corners = Corners::new(paper.corners().len(), &paper.exercise());
        Self { filters: BloomFilter::new(&paper), corners }
    }

    fn accept(&mut self, op: Op, wavefront: u64, line: u64) -> Vec<(usize, Vec<u64>)> {
        let mut expected = Vec::new();
        let mut outcome = Outcome { sink: &mut expected, corners: &mut self.corners };
        let request = Request { op, wavefront, line };
        self.filters.accept(REQ, &request.encode(), &mut outcome);
        expected
    }

    /// Nothing is answered.
    fn silent(&mut self, op: Op, wavefront: u64, line: u64) {
        assert_eq!(self.accept(op, wavefront, line), []);
    }

    fn hits(&mut self, wavefront: u64, line: u64) -> bool {
        let answers = self.accept(Op::Query, wavefront, line);
        let [(RESP, payload)] = &answers[..] else { panic!("{answers:?}") };
        Answer::decode(payload).hit
    }
}

#[test]
fn a_line_of_the_write_log_hits_and_others_are_redirected() {
    let mut bench = Bench::new();
    assert!(!bench.hits(3, 0x1234));
    bench.silent(Op::Insert, 3, 0x1234);
    assert!(bench.hits(3, 0x1234));
    for bit in 0..25 {
        assert!(!bench.hits(3, 0x1234 ^ 1 << bit), "bit {bit} counts");
    }
}

#[test]
fn a_wavefront_has_a_store_buffer_of_its_own() {
    let mut bench = Bench::new();
    (0..48).for_each(|wavefront| bench.silent(Op::Insert, wavefront, 1000 + wavefront));
    for wavefront in 0..48 {
        let hits: Vec<_> = (0..48).filter(|other| bench.hits(wavefront, 1000 + other)).collect();
        assert_eq!(hits, [wavefront]);
    }
}

#[test]
fn a_clear_is_of_one_wavefront_and_a_clear_of_all_of_all() {
    let mut bench = Bench::new();
    (0..48).for_each(|wavefront| bench.silent(Op::Insert, wavefront, 7));
    bench.silent(Op::Clear, 5, 0);
    let hits = |bench: &mut Bench| (0..48).filter(|w| bench.hits(*w, 7)).collect::<Vec<_>>();
    assert_eq!(hits(&mut bench), (0..48).filter(|wavefront| *wavefront != 5).collect::<Vec<_>>());
    bench.silent(Op::ClearAll, 63, 0);
    assert_eq!(hits(&mut bench), []);
    bench.silent(Op::Insert, 5, 8);
    assert!(bench.hits(5, 8) && !bench.hits(5, 7), "the row begins with zeros");
}

#[test]
fn a_wavefront_that_there_is_not_is_an_error_and_its_query_misses() {
    let mut bench = Bench::new();
    let error = (ERROR, vec![NO_SUCH_WAVEFRONT]);
    for wavefront in [48, 63] {
        for op in [Op::Insert, Op::Clear] {
            assert_eq!(bench.accept(op, wavefront, 9), std::slice::from_ref(&error));
        }
        let answers = bench.accept(Op::Query, wavefront, 9);
        assert_eq!(answers, [error.clone(), (RESP, vec![0])]);
    }
    assert!(!bench.hits(0, 9) && !bench.hits(15, 9));
}

/// The share of random lines that hit although they were not inserted, after `inserted` random ones.
fn false_positives(params: &Params, inserted: usize) -> f64 {
    let mut rng = StimulusRng::seed_from_u64(1);
    let (mut hits, mut queries) = (0, 0);
    for round in 0..400 {
        let mut filters = BloomFilter::new(&Params { hash_seed: round, ..params.clone() });
        let mut line = || rng.next_u64() >> (64 - params.line_bits);
        let lines: Vec<_> = (0..inserted).map(|_| line()).collect();
        lines.iter().for_each(|line| filters.insert(0, *line));
        let others = (0..1000).map(|_| line()).filter(|line| !lines.contains(line));
        for other in others {
            hits += u32::from(filters.query(0, other));
            queries += 1;
        }
    }
    f64::from(hits) / f64::from(queries)
}

#[test]
fn false_positives_are_as_frequent_as_the_formula_says() {
    let small = Params { bits: 32, ..paper() };
    for (params, lines, percent) in
        [(paper(), 100, 1.1), (small.clone(), 10, 0.5), (small, 50, 40.0)]
    {
        let Params { sub_arrays, bits, .. } = params;
        let set = 1.0 - (1.0 - 1.0 / f64::from(bits)).powi(lines);
        let formula = set.powi(sub_arrays as i32);
        assert!((formula * 100.0 - percent).abs() < 0.1 * percent, "{formula}");
        let params = Params { wavefronts: 1, ..params };
        let measured = false_positives(&params, lines as usize);
        println!(
            "{sub_arrays} x {bits}, {lines} lines: {measured:.5}, by the formula {formula:.5}"
        );
        assert!((measured - formula).abs() < 0.1 * formula, "{measured}, by the formula {formula}");
    }
}

/// Else a fault in a bit would hide behind the other sub-arrays.
#[test]
fn at_each_preset_each_bit_of_each_filter_decides_alone() {
    for (preset, params) in Params::presets() {
        let bits = &params.exercise().tables[0];
        let all = params.wavefronts * params.row_bits();
        assert_eq!(bits.rows as u32 * bits.width, all, "{preset}");
    }
}

/// Section 4.3: 6 kB for 48 wavefronts.
#[test]
fn the_paper_s_figures_are_met_exactly() {
    let paper = paper();
    assert_eq!(paper.rows() * paper.row_bits(), 48 * 1024);
    for claim in paper.claims() {
        assert_eq!(claim.ours, claim.paper, "{}", claim.what);
    }
}
