//! Transfers between accounts: one of each of 23,040 threads.

use super::Argument::{Buffer, Value};
use super::{Call, Paper, Program, Size, Workload, compare, random};

const THREADS: u32 = 23_040;
const ACCOUNTS: u32 = 1_000_000;
const BALANCE: u32 = 1 << 20;

/// ATM.
pub(super) const BANK: Workload = Workload {
    name: "bank",
    about: "transfers funds between 1,000,000 accounts",
    paper: Some(Paper { name: "ATM", concurrency: [4, 4, 4, 4], aborts: [27, 26, 25, 114] }),
    module: ("bank.ptx", include_str!("kernels/bank.ptx")),
    make: transfers,
};

fn transfers(size: Size) -> Program {
    let (threads, accounts) = match size {
        Size::Paper => (THREADS, ACCOUNTS),
        Size::Small => (THREADS / 30, ACCOUNTS / 5_000),
    };
    let from = random(threads, accounts, 0);
    let apart = random(threads, accounts - 1, 1);
    let to: Vec<_> = from.iter().zip(apart).map(|(from, by)| (from + 1 + by) % accounts).collect();
    let amounts = random(threads, 100, 2);
    let balances: Vec<u32> = (0..accounts).flat_map(|_| [BALANCE, 0]).collect();
    let mut expected = balances.clone();
    for ((from, to), amount) in from.iter().zip(&to).zip(&amounts) {
        expected[2 * *from as usize] -= amount;
        expected[2 * *to as usize] += amount;
    }
    let call = Call {
        kernel: "bank",
        threads,
        arguments: vec![Buffer(0), Buffer(1), Buffer(2), Buffer(3), Buffer(4), Value(threads)],
    };
    Program {
        buffers: vec![from, to, amounts, balances, vec![0; accounts as usize]],
        calls: vec![call],
        check: Box::new(move |words| compare("accounts", &words[3], &expected)),
    }
}
