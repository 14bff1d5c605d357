//! The Z-buffer commit unit's reference model against the sentences of the paper (GPUDet 4.4).

use warpsmith_blocks::parameters::Parameters;
use warpsmith_blocks::zbuffer_commit::{Effect, Granularity, Misuse, Params, Request, ZBuffer};

fn paper() -> Params {
    Params::presets().pop().expect("presets").1
}

/// A store of a wavefront in a quantum to the first words of block 0.
fn store(p: &Params, wavefront: u64, quantum: u64, words: usize) -> Request {
    let mask = (0..p.bytes() as usize).map(|byte| u64::from(byte < 4 * words)).collect();
    let depth = vec![p.depth_of(wavefront, quantum); p.request_depths() as usize];
    Request { id: 0, address: 0, depth, mask, data: vec![wavefront; p.lanes as usize] }
}

fn words_won(effect: &Effect) -> usize {
    effect.wins.iter().filter(|&&won| won).count()
}

/// 4.4.2: "Depth value = wavefront id - (quantum id x 2^m)".
#[test]
fn a_later_quantum_is_in_front_of_an_earlier_one_and_a_smaller_number_of_a_larger() {
    let p = paper();
    let depth = |wavefront, quantum| p.signed(p.depth_of(wavefront, quantum));
    assert_eq!((depth(5, 0), depth(5, 1), depth(0, 3)), (5, 5 - 1024, -3 * 1024));
    assert!(depth(719, 1) < depth(0, 0));
    assert!(
        depth(1023, (1 << 21) - 1) < depth(0, (1 << 21) - 2),
        "no overflow to the last quantum"
    );
    assert!(depth(1023, 0) <= p.signed(p.largest_depth()), "the first store always wins");
}

/// 4.4.3, figure 4.7: "only the first two depth and color values are valid".
#[test]
fn only_words_in_the_mask_are_compared_and_written() {
    let p = paper();
    let mut unit = ZBuffer::new(&p);
    let effect = unit.apply(&store(&p, 7, 0, 2));
    assert_eq!((words_won(&effect), effect.wins[0], effect.wins[1]), (2, true, true));
    assert_eq!(words_won(&unit.apply(&store(&p, 9, 0, 3))), 1, "the third word alone");
}

/// 4.4.3: "less than or equal the current depth".
#[test]
fn of_two_stores_of_one_wavefront_in_a_quantum_the_later_wins() {
    let p = paper();
    let mut unit = ZBuffer::new(&p);
    for _ in 0..3 {
        assert_eq!(words_won(&unit.apply(&store(&p, 4, 1, 32))), 32);
    }
    assert_eq!(words_won(&unit.apply(&store(&p, 5, 1, 32))), 0);
    assert_eq!(words_won(&unit.apply(&store(&p, 3, 1, 32))), 32);
    assert_eq!(words_won(&unit.apply(&store(&p, 0, 0, 32))), 0, "an earlier quantum");
}

/// 4.6: "binds each 32-bit color pixel in memory with a depth value"; bytes are ours.
#[test]
fn a_part_of_a_word_needs_byte_granularity() {
    let mut p = paper();
    let mut request = store(&p, 1, 0, 1);
    request.mask[2] = 0;
    assert_eq!(ZBuffer::new(&p).apply(&request).error, Some(Misuse::PartOfWord));
    request.address = 4;
    assert_eq!(ZBuffer::new(&p).apply(&request).error, Some(Misuse::Misaligned), "the first");
    request.address = 0;
    p.granularity = Granularity::Byte;
    let effect = ZBuffer::new(&p).apply(&request);
    assert_eq!((effect.error, words_won(&effect)), (None, 3), "three bytes");
}

#[test]
fn a_malformed_request_changes_nothing() {
    let p = paper();
    let mut unit = ZBuffer::new(&p);
    let malformed = Request { address: 1, ..store(&p, 0, 5, 32) };
    assert!(unit.apply(&malformed).error.is_some());
    assert_eq!(words_won(&unit.apply(&store(&p, 9, 0, 32))), 32);
}

#[test]
fn a_depth_too_narrow_for_its_numbers_is_refused() {
    let narrow = Params { depth_bits: 31, ..paper() };
    let text = narrow.validate().expect_err("too narrow").to_string();
    assert!(text.contains("depth_bits") && text.contains("31") && text.contains("32"), "{text}");
    let none = Params { lanes: 0, ..paper() };
    let text = none.validate().expect_err("no lanes").to_string();
    assert!(text.contains("lanes") && text.contains('0'), "{text}");
}
