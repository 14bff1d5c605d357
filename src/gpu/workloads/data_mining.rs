//! Data mining: how many of 4,000 records have each of 32 sets of items.

use super::Argument::{Buffer, Value};
use super::{Call, Paper, Program, Size, Workload, compare, random};

const RECORDS: u32 = 4_000;
const SETS: u32 = 32;

/// AP.
pub(super) const APRIORI: Workload = Workload {
    name: "apriori",
    about: "counts sets of items in 4,000 records",
    paper: Some(Paper { name: "AP", concurrency: [1, 1, 1, 1], aborts: [231, 237, 204, 9188] }),
    module: ("apriori.ptx", include_str!("kernels/apriori.ptx")),
    make: supports,
};

fn supports(size: Size) -> Program {
    let count = match size {
        Size::Paper => RECORDS,
        Size::Small => RECORDS / 20,
    };
    // A record has a quarter of 32 items, a set two.
    let masks = random(2 * count, u32::MAX, 0);
    let records: Vec<u32> = masks.as_chunks().0.iter().map(|[one, other]| one & other).collect();
    let items = random(2 * SETS, 16, 1);
    let sets = items.as_chunks().0.iter();
    let sets: Vec<u32> = sets.map(|[one, other]| 1 << one | 1 << (16 + other)).collect();
    let has = |set: &u32| records.iter().filter(|record| *record & set == *set).count() as u32;
    let expected: Vec<u32> = sets.iter().map(has).collect();
    let call = Call {
        kernel: "apriori",
        threads: count,
        arguments: vec![Buffer(0), Buffer(1), Buffer(2), Buffer(3), Value(SETS), Value(count)],
    };
    Program {
        buffers: vec![records, sets, vec![0; SETS as usize], vec![0; SETS as usize]],
        calls: vec![call],
        check: Box::new(move |words| compare("supports", &words[2], &expected)),
    }
}
