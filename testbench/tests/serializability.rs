//! The serializability oracle: what it accepts, what it rejects and how, and its agreement with trying every
//! serial execution.

use std::collections::HashSet;

use proptest::collection::vec;
use proptest::prelude::*;
use warpsmith_testbench::serializability::{
    ConflictKind, History, Order, Store, Transaction, Violation,
};

const X: u64 = 0x10;
const Y: u64 = 0x20;

/// Stores and writes at once.
fn put(history: &mut History, transaction: Transaction, address: u64) -> Store {
    let store = history.store(transaction, address);
    history.write(store);
    store
}

#[test]
fn a_serial_run_is_accepted_and_counted() {
    let mut run = History::default();
    let first = run.begin(1);
    let store = put(&mut run, first, X);
    run.commit(first);
    let second = run.begin(2);
    run.load(second, X, Some(store));
    let store = put(&mut run, second, Y);
    run.load(second, Y, Some(store));
    run.commit(second);
    let third = run.begin(3);
    run.load(third, Y, None);
    let summary = run.check(Order::Timestamps).expect("serial");
    assert_eq!((summary.committed, summary.aborted, summary.conflicts), (2, 1, 1));
}

#[test]
fn write_skew_is_a_cycle_of_two() {
    let mut run = History::default();
    let [a, b] = [run.begin(0), run.begin(0)];
    run.load(a, X, None);
    run.load(b, Y, None);
    put(&mut run, a, Y);
    put(&mut run, b, X);
    run.commit(a);
    run.commit(b);
    let Err(Violation::Cycle(cycle)) = run.check(Order::Any) else { panic!("write skew") };
    assert_eq!(cycle.0.len(), 2);
    assert!(cycle.0.iter().all(|conflict| conflict.kind == ConflictKind::ReadWrite));
    let text = cycle.to_string();
    assert!(text.contains("T0 before T1: T0 read 0x10, T1 wrote over it"), "{text}");
}

#[test]
fn a_lost_update_is_a_cycle() {
    let mut run = History::default();
    let [a, b] = [run.begin(1), run.begin(2)];
    run.load(a, X, None);
    run.load(b, X, None);
    put(&mut run, a, X);
    put(&mut run, b, X);
    run.commit(a);
    run.commit(b);
    assert!(matches!(run.check(Order::Any), Err(Violation::Cycle(_))));
}

#[test]
fn the_smallest_of_several_cycles_is_told() {
    let mut run = History::default();
    let ids: Vec<_> = (0..5).map(|time| run.begin(time)).collect();
    // Each of three overwrites what the previous one has read; so do the last two mutually.
    for (reader, writer, address) in [(0, 1, 1), (1, 2, 2), (2, 0, 3), (3, 4, 4), (4, 3, 5)] {
        run.load(ids[reader], address, None);
        put(&mut run, ids[writer], address);
    }
    ids.iter().for_each(|&id| run.commit(id));
    let Err(Violation::Cycle(cycle)) = run.check(Order::Any) else { panic!("two cycles") };
    let mut who: Vec<_> = cycle.0.iter().map(|conflict| conflict.first).collect();
    who.sort();
    assert_eq!(who, [ids[3], ids[4]]);
}

#[test]
fn a_serial_execution_against_time_is_told() {
    let mut run = History::default();
    let [late, early] = [run.begin(8), run.begin(3)];
    let store = put(&mut run, late, X);
    run.commit(late);
    run.load(early, X, Some(store));
    run.commit(early);
    run.check(Order::Any).expect("late, then early");
    let against = run.check(Order::Timestamps).expect_err("early is not after late");
    let Violation::AgainstTime { first, second, .. } = against else { panic!("{against}") };
    assert_eq!((first, second), (8, 3));
}

#[test]
fn transactions_of_one_time_may_conflict_only_where_times_are_shared() {
    let mut run = History::default();
    let [a, b] = [run.begin(5), run.begin(5)];
    put(&mut run, a, X);
    put(&mut run, b, X);
    run.commit(a);
    run.commit(b);
    assert_eq!(run.check(Order::Any).expect("a, then b").serial, [a, b]);
    assert!(matches!(run.check(Order::Timestamps), Err(Violation::AgainstTime { .. })));
    run.check(Order::SharedTimestamps).expect("a, then b");
}

#[test]
fn what_is_forgotten_is_not_judged() {
    let mut run = History::default();
    let [a, b] = [run.begin(0), run.begin(0)];
    let lost = run.store(a, Y);
    run.load(b, Y, Some(lost));
    put(&mut run, b, X);
    run.load(a, X, None);
    run.commit(a);
    run.commit(b);
    assert_eq!(
        run.check(Order::Any),
        Err(Violation::DirtyRead { reader: b, writer: a, address: Y })
    );
    run.forget(&HashSet::from([Y]));
    assert_eq!(run.check(Order::Any).expect("only X is judged").serial, [a, b]);
}

#[test]
fn values_of_others_are_seen_only_once_they_are_committed_and_written() {
    type Tell = fn(&mut History, Transaction, Transaction);
    let dirty: [(&str, Tell); 3] = [
        ("the writer aborts", |run, writer, reader| {
            let store = put(run, writer, X);
            run.load(reader, X, Some(store));
        }),
        ("before it is written", |run, writer, reader| {
            let store = run.store(writer, X);
            run.load(reader, X, Some(store));
            run.write(store);
            run.commit(writer);
        }),
        ("of two stores the first", |run, writer, reader| {
            let store = put(run, writer, X);
            put(run, writer, X);
            run.load(reader, X, Some(store));
            run.commit(writer);
        }),
    ];
    for (what, tell) in dirty {
        let mut run = History::default();
        let [writer, reader] = [run.begin(1), run.begin(2)];
        tell(&mut run, writer, reader);
        run.commit(reader);
        let found = run.check(Order::Any);
        assert_eq!(found, Err(Violation::DirtyRead { reader, writer, address: X }), "{what}");
    }
}

#[test]
fn a_transaction_sees_its_own_stores() {
    let mut run = History::default();
    let id = run.begin(1);
    put(&mut run, id, X);
    run.load(id, X, None);
    run.commit(id);
    assert_eq!(run.check(Order::Any), Err(Violation::OwnStoreMissed { reader: id, address: X }));
}

#[test]
fn a_load_of_one_address_cannot_get_what_was_stored_to_another() {
    let mut run = History::default();
    let [writer, reader] = [run.begin(1), run.begin(2)];
    let store = put(&mut run, writer, X);
    run.commit(writer);
    run.load(reader, Y, Some(store));
    run.commit(reader);
    let wrong = Violation::WrongAddress { reader, address: Y, stored: X };
    assert_eq!(run.check(Order::Any), Err(wrong));
}

#[test]
fn memory_holds_what_was_committed_and_nothing_else() {
    let mut run = History::default();
    let id = run.begin(1);
    put(&mut run, id, X);
    assert_eq!(run.check(Order::Any), Err(Violation::AbortedEffect { writer: id, address: X }));

    let mut run = History::default();
    let id = run.begin(1);
    run.store(id, Y);
    run.commit(id);
    assert_eq!(run.check(Order::Any), Err(Violation::LostStore { writer: id, address: Y }));
}

/// A step of a random run: one of few transactions loads or stores at one of few addresses. A load reads one
/// of the earlier stores.
#[derive(Clone, Copy, Debug)]
struct Step {
    transaction: usize,
    address: u64,
    stores: bool,
    pick: usize,
}

/// A run in which every transaction commits and every store, at most one per transaction and address, is
/// written at once; and the source of each load.
fn told(steps: &[Step], transactions: u32) -> (History, Vec<Vec<Access>>) {
    let mut run = History::default();
    let ids: Vec<_> = (0..transactions).map(|time| run.begin(time.into())).collect();
    let mut accesses = vec![Vec::new(); ids.len()];
    let mut written: Vec<(usize, u64, Store)> = Vec::new();
    for &Step { transaction: who, address, stores, pick } in steps {
        if written.iter().any(|&(by, at, _)| (by, at) == (who, address)) {
            continue;
        }
        if stores {
            let store = put(&mut run, ids[who], address);
            written.push((who, address, store));
            accesses[who].push(Access::Store(address));
        } else {
            let there: Vec<_> = written.iter().filter(|&&(_, at, _)| at == address).collect();
            let from = pick.checked_rem(there.len() + 1).and_then(|pick| there.get(pick));
            run.load(ids[who], address, from.map(|&&(_, _, store)| store));
            accesses[who].push(Access::Load(address, from.map(|&&(by, _, _)| by)));
        }
    }
    ids.iter().for_each(|&id| run.commit(id));
    (run, accesses)
}

/// An access of a transaction, and for a load the transaction it read from.
#[derive(Clone, Copy, Debug)]
enum Access {
    Load(u64, Option<usize>),
    Store(u64),
}

/// Whether a serial execution in that order gives the same loads and the same order of writers at every
/// address.
fn is_same_serially(order: &[usize], accesses: &[Vec<Access>], writers: &[Vec<usize>]) -> bool {
    let mut memory = vec![Vec::new(); writers.len()];
    for &who in order {
        for &access in &accesses[who] {
            match access {
                Access::Store(address) => memory[address as usize].push(who),
                Access::Load(address, from) if memory[address as usize].last().copied() != from => {
                    return false;
                }
                Access::Load(..) => {}
            }
        }
    }
    memory == writers
}

fn permutations(of: &[usize]) -> Vec<Vec<usize>> {
    if of.is_empty() {
        return vec![Vec::new()];
    }
    let with = |index: usize| {
        let mut rest = of.to_vec();
        let first = rest.remove(index);
        permutations(&rest).into_iter().map(move |rest| [&[first], rest.as_slice()].concat())
    };
    (0..of.len()).flat_map(with).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn the_oracle_agrees_with_trying_every_serial_execution(
        steps in vec(
            (0..4usize, 0..3u64, any::<bool>(), any::<usize>())
                .prop_map(|(transaction, address, stores, pick)| Step { transaction, address, stores, pick }),
            1..14,
        ),
    ) {
        let (run, accesses) = told(&steps, 4);
        let mut writers = vec![Vec::new(); 3];
        for step in &steps {
            // As in `told`: the first store of each transaction to an address.
            let at: &mut Vec<usize> = &mut writers[step.address as usize];
            if step.stores && !at.contains(&step.transaction) {
                at.push(step.transaction);
            }
        }
        let all = permutations(&[0, 1, 2, 3]);
        let any = all.iter().any(|order| is_same_serially(order, &accesses, &writers));
        let judged = run.check(Order::Any);
        prop_assert_eq!(judged.is_ok(), any);
        if let Ok(summary) = judged {
            let order: Vec<_> = summary.serial.iter().map(|transaction| transaction.0 as usize).collect();
            prop_assert!(is_same_serially(&order, &accesses, &writers));
        }
        // The timestamps require the order of the numbers.
        let in_time = is_same_serially(&[0, 1, 2, 3], &accesses, &writers);
        prop_assert_eq!(run.check(Order::Timestamps).is_ok(), in_time);
    }
}
