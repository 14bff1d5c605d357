//! The bank of a relativistic L2 against the sentences of the thesis (3.4.1 to 3.4.5), row after row of its state
//! table, and against what the block's page adds.

use warpsmith_blocks::block::Design;
use warpsmith_blocks::parameters::Parameters;
use warpsmith_blocks::relativistic_l2::{
    ArrayOp, Bank, Effect, Kind, Misuse, Op, Params, Request, RollOver, State,
};

fn preset(name: &str) -> Params {
    Params::presets().into_iter().find(|(preset, _)| *preset == name).expect("a preset").1
}

fn request(op: Op, core: u64, address: u64, now: u64) -> Request {
    Request { op: Some(op), core, address, now, exp: 0, tag: 5 }
}

/// A request that does not wait.
fn act(bank: &mut Bank, op: Op, core: u64, address: u64, now: u64) -> Effect {
    bank.request(&request(op, core, address, now)).expect("it does not wait")
}

/// Kind, exp and ver of the only answer.
fn answer(effect: &Effect) -> (Kind, u64, u64) {
    let [response] = &effect.responses[..] else { panic!("one answer: {effect:?}") };
    (response.kind, response.exp, response.ver)
}

fn commands(effect: &Effect) -> Vec<ArrayOp> {
    effect.array.iter().map(|command| command.op).collect()
}

/// A bank in which core 1 has read a block at time 0, and the lease that it got.
fn with_block(params: &Params, address: u64) -> (Bank, u64) {
    let mut bank = Bank::new(params);
    let fetch = act(&mut bank, Op::Gets, 1, address, 0).fetch.expect("a miss");
    let (kind, exp, ver) = answer(&bank.fill(fetch.mshr));
    assert_eq!((kind, ver), (Kind::Data, 0));
    (bank, exp)
}

#[test]
fn figure_3_3() {
    let (a, b) = (0x1000, 0x2000);
    let params = Params { lease_min: 10, lease_doublings: 0, ..preset("paper") };
    let (mut bank, exp) = with_block(&params, a);
    assert_eq!(exp, 10, "A.exp");
    // B was read by C1 and then written by a third core at 30.
    let fetch = act(&mut bank, Op::Gets, 1, b, 0).fetch.expect("a miss");
    bank.fill(fetch.mshr);
    assert_eq!(answer(&act(&mut bank, Op::Write, 2, b, 30)), (Kind::Ack, 0, 30), "B.ver");

    assert_eq!(answer(&act(&mut bank, Op::Write, 0, a, 20)), (Kind::Ack, 0, 20), "C0: ST A");
    assert_eq!(answer(&act(&mut bank, Op::Gets, 0, b, 20)), (Kind::Data, 40, 30), "C0: LD B");
    assert_eq!(answer(&act(&mut bank, Op::Write, 1, b, 0)), (Kind::Ack, 0, 41), "C1: ST B");
    let load = Request { exp: 10, ..request(Op::Gets, 1, a, 41) };
    let load = bank.request(&load).expect("a hit");
    assert_eq!(answer(&load), (Kind::Data, 51, 20), "C1: LD A, the value of C0's store");
    assert_eq!(answer(&act(&mut bank, Op::Write, 0, b, 30)), (Kind::Ack, 0, 41), "C0: ST B");
    assert_eq!(answer(&act(&mut bank, Op::Write, 0, a, 41)), (Kind::Ack, 0, 52), "C0: ST A");
    // C1 is at 41, and its copy of A is good until 51: LD A hits the value of C0's first store.
}

#[test]
fn a_gets_in_i_fetches_and_is_answered_with_a_lease() {
    let mut bank = Bank::new(&preset("paper"));
    let effect = act(&mut bank, Op::Gets, 3, 0x12345, 100);
    let fetch = effect.fetch.expect("a miss");
    assert_eq!((fetch.address, fetch.mshr, fetch.evict, fetch.victim), (0x12300, 0, false, 0));
    assert!(effect.array.is_empty() && effect.responses.is_empty());
    let mshr = bank.mshr(0).expect("in use");
    assert_eq!((mshr.ver, mshr.rd, &mshr.readers[..]), (0, 100, &[(3, 5)][..]));

    let effect = bank.fill(0);
    // The prediction begins at the largest lease (3.4.5).
    assert_eq!(answer(&effect), (Kind::Data, 100 + 2048, 0));
    assert_eq!((effect.responses[0].core, effect.responses[0].tag), (3, 5));
    assert_eq!(effect.responses[0].address, 0x12300);
    assert_eq!(commands(&effect), [ArrayOp::Fill, ArrayOp::Read]);
    let way = bank.find(0x12345 >> 7).expect("it is there");
    assert_eq!((way.state, way.k, way.dirty), (State::V, 8, false));
}

#[test]
fn a_write_in_i_is_acknowledged_at_once_after_mnow() {
    let mut bank = Bank::new(&preset("paper"));
    let effect = act(&mut bank, Op::Write, 0, 0x80, 7);
    assert_eq!(answer(&effect), (Kind::Ack, 0, 7));
    assert_eq!(commands(&effect), [ArrayOp::Write]);
    assert!(effect.fetch.is_some());
    // mnow is 0, and a copy may be read at 0.
    let effect = act(&mut bank, Op::Write, 0, 0x100, 0);
    assert_eq!(answer(&effect), (Kind::Ack, 0, 1));
    let effect = bank.fill(1);
    assert_eq!(commands(&effect), [ArrayOp::Fill]);
    assert!(effect.responses.is_empty());
    let way = bank.find(2).expect("it is there");
    assert_eq!((way.ver, way.exp, way.k, way.dirty), (1, 0, 0, true));
}

#[test]
fn an_atomic_in_i_holds_all_until_it_is_done() {
    let mut bank = Bank::new(&preset("paper"));
    let effect = act(&mut bank, Op::Atomic, 9, 0x80, 0);
    assert!(effect.responses.is_empty() && effect.array.is_empty());
    for op in Op::ALL {
        assert_eq!(bank.request(&request(op, 1, 0x80, 0)), None, "{op:?} waits");
    }
    let effect = bank.fill(0);
    assert_eq!(answer(&effect), (Kind::Result, 0, 1));
    assert_eq!(commands(&effect), [ArrayOp::Fill, ArrayOp::Atomic]);
    assert_eq!(effect.array[1].core, 9);
}

#[test]
fn a_store_in_v_is_after_now_ver_and_every_lease() {
    for (now, expected) in [(0, 2049), (2049, 2049), (2050, 2050)] {
        let (mut bank, exp) = with_block(&preset("paper"), 0);
        assert_eq!(exp, 2048);
        let effect = act(&mut bank, Op::Write, 0, 0, now);
        assert_eq!(answer(&effect), (Kind::Ack, 0, expected));
        assert_eq!(commands(&effect), [ArrayOp::Write]);
        // No lease between: stores may share a ver (footnote 2).
        let effect = act(&mut bank, Op::Atomic, 2, 0, 0);
        assert_eq!(answer(&effect), (Kind::Result, 0, expected));
        assert_eq!(commands(&effect), [ArrayOp::Atomic]);
    }
}

#[test]
fn a_lease_is_renewed_if_the_copy_is_newer_than_the_last_store() {
    let (mut bank, _) = with_block(&preset("paper"), 0);
    act(&mut bank, Op::Write, 0, 0, 5000);
    for (exp, kind) in
        [(0, Kind::Data), (4999, Kind::Data), (5000, Kind::Data), (5001, Kind::Renew)]
    {
        let gets = Request { exp, ..request(Op::Gets, 1, 0, 6000) };
        let effect = bank.clone().request(&gets).expect("a hit");
        assert_eq!(answer(&effect).0, kind, "exp {exp}");
        assert_eq!(commands(&effect).is_empty(), kind == Kind::Renew);
    }
}

#[test]
fn the_lease_doubles_with_each_renewal_and_falls_with_a_store() {
    let (mut bank, mut exp) = with_block(&preset("paper"), 0);
    let mut lease = |bank: &mut Bank, now| {
        let gets = Request { exp, ..request(Op::Gets, 1, 0, now) };
        exp = answer(&bank.request(&gets).expect("a hit")).1;
        exp - now
    };
    assert_eq!(lease(&mut bank, 10_000), 2048, "the largest, renewed");
    act(&mut bank, Op::Write, 0, 0, 20_000);
    // The first answer is DATA: the copy is older than the store.
    let leases: Vec<_> = (3..14).map(|i| lease(&mut bank, 10_000 * i)).collect();
    assert_eq!(leases, [8, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 2048]);
}

#[test]
fn loads_and_stores_join_a_fetch() {
    let mut bank = Bank::new(&preset("paper"));
    act(&mut bank, Op::Gets, 7, 0, 50);
    let store = act(&mut bank, Op::Write, 2, 0, 0);
    assert_eq!(answer(&store), (Kind::Ack, 0, 1), "the first of this miss is after mnow");
    assert_eq!(answer(&act(&mut bank, Op::Write, 3, 0, 0)).2, 1, "the next may share its ver");
    assert_eq!(answer(&act(&mut bank, Op::Write, 3, 0, 30)).2, 30);
    assert_eq!(answer(&act(&mut bank, Op::Write, 4, 0, 20)).2, 30);
    assert_eq!(act(&mut bank, Op::Gets, 1, 0, 60).responses, []);
    assert_eq!(bank.request(&request(Op::Atomic, 5, 0, 0)), None, "an atomic waits");
    let effect = bank.fill(0);
    let answers = effect.responses.iter().map(|r| (r.core, r.exp, r.ver)).collect::<Vec<_>>();
    // The lease covers the latest reader (3.4.4: lastrd), the lowest core comes first.
    assert_eq!(answers, [(1, 68, 30), (7, 68, 30)]);
    assert_eq!(commands(&effect), [ArrayOp::Fill, ArrayOp::Read, ArrayOp::Read]);
}

#[test]
fn an_eviction_raises_mnow_and_later_misses_come_after_it() {
    let params = preset("tiny");
    let (mut bank, exp) = with_block(&params, 0);
    assert_eq!((exp, bank.mnow()), (2, 0));
    act(&mut bank, Op::Write, 0, 8, 0);
    bank.fill(0);
    // Blocks 0, 2, 4, 6 have set 0; the first was used longest ago.
    let effect = act(&mut bank, Op::Write, 0, 16, 0);
    let fetch = effect.fetch.expect("a miss");
    assert!(!fetch.evict, "what was never written is not written back");
    assert_eq!(answer(&effect).2, 1, "the ver is from before the eviction");
    assert_eq!(bank.mnow(), 2);
    bank.fill(fetch.mshr);
    let effect = act(&mut bank, Op::Gets, 0, 0, 0);
    let fetch = effect.fetch.expect("it was evicted");
    assert_eq!((fetch.evict, fetch.victim), (true, 8));
    assert_eq!(commands(&effect), [ArrayOp::WriteBack]);
    assert_eq!(answer(&bank.fill(fetch.mshr)), (Kind::Data, 4, 2), "read after all old leases");
    // And a store of a block that was evicted comes after them.
    assert_eq!(answer(&act(&mut bank, Op::Write, 1, 8, 0)).2, 3);
}

#[test]
fn what_is_fetched_is_no_victim_and_a_miss_waits() {
    let mut bank = Bank::new(&preset("tiny"));
    act(&mut bank, Op::Gets, 0, 0, 0);
    act(&mut bank, Op::Gets, 0, 8, 0);
    assert_eq!(bank.request(&request(Op::Gets, 0, 16, 0)), None, "every way of its set is IV");
    assert_eq!(bank.request(&request(Op::Gets, 0, 4, 0)), None, "no MSHR");
    bank.fill(1);
    let effect = act(&mut bank, Op::Gets, 0, 16, 0);
    assert_eq!(bank.ways(0)[0].state, State::Iv, "the older one is still fetched");
    assert_eq!(effect.fetch.expect("a miss").mshr, 1, "the lowest free MSHR");
}

#[test]
fn at_the_ceiling_leases_are_clipped_and_refused() {
    let params = preset("tiny");
    let (last, limit) = (params.last(), params.limit());
    assert_eq!((last, limit), (15, 14));
    let (mut bank, _) = with_block(&params, 0);
    let effect = act(&mut bank, Op::Gets, 0, 0, 12);
    assert_eq!((answer(&effect).1, effect.rolled), (14, None), "it ends at the limit by itself");
    let effect = act(&mut bank, Op::Gets, 0, 0, 13);
    assert_eq!((answer(&effect).1, effect.rolled), (14, Some(RollOver::Wanted)), "clipped");
    let effect = act(&mut bank, Op::Gets, 0, 0, 14);
    assert_eq!((answer(&effect).1, effect.rolled), (14, None), "wanted once");
    let effect = act(&mut bank, Op::Write, 0, 0, 0);
    assert_eq!(answer(&effect), (Kind::Ack, 0, last));
    // At the last time data are used once, and no lease is renewed.
    let gets = Request { exp: limit, ..request(Op::Gets, 1, 0, 0) };
    assert_eq!(answer(&bank.request(&gets).expect("a hit")), (Kind::Data, 0, last));
    assert_eq!(answer(&act(&mut bank, Op::Write, 0, 0, 0)), (Kind::Ack, 0, last));
}

#[test]
fn a_refused_lease_moves_later_stores_to_the_last_time() {
    let (mut bank, _) = with_block(&preset("tiny"), 0);
    let effect = act(&mut bank, Op::Gets, 0, 0, 15);
    assert_eq!((answer(&effect).1, effect.rolled), (0, Some(RollOver::Wanted)));
    assert_eq!(answer(&act(&mut bank, Op::Write, 1, 0, 3)).2, 15);
    // At a fill too.
    let mut bank = Bank::new(&preset("tiny"));
    act(&mut bank, Op::Gets, 0, 0, 15);
    assert_eq!(answer(&bank.fill(0)), (Kind::Data, 0, 0));
    assert_eq!(answer(&act(&mut bank, Op::Write, 1, 0, 3)).2, 15);
}

#[test]
fn a_store_at_the_last_time_wants_a_roll_over() {
    let mut bank = Bank::new(&preset("tiny"));
    assert_eq!(act(&mut bank, Op::Write, 0, 0, 14).rolled, None);
    assert_eq!(act(&mut bank, Op::Write, 0, 0, 15).rolled, Some(RollOver::Wanted));
    assert_eq!(act(&mut bank, Op::Write, 0, 4, 15).rolled, None, "once");
    bank.fill(0);
    bank.fill(1);
    assert_eq!(bank.roll().expect("at rest").rolled, Some(RollOver::Cleared));
    assert_eq!(act(&mut bank, Op::Atomic, 0, 0, 15).rolled, Some(RollOver::Wanted), "again");
}

#[test]
fn a_roll_over_waits_for_fetches_and_sets_all_times_to_0() {
    let params = preset("tiny");
    let (mut bank, _) = with_block(&params, 0);
    act(&mut bank, Op::Gets, 0, 8, 3);
    bank.fill(0);
    act(&mut bank, Op::Gets, 0, 16, 3);
    assert_eq!(bank.mnow(), 2);
    assert_eq!(bank.roll(), None, "a block is in IV");
    bank.fill(0);
    assert!(bank.roll().is_some());
    assert_eq!(bank.mnow(), 0);
    let ways = bank.ways(0);
    assert!(ways.iter().all(|way| (way.state, way.ver, way.exp) == (State::V, 0, 0)));
}

#[test]
fn malformed_requests_change_nothing() {
    let (mut bank, _) = with_block(&preset("tiny"), 0);
    act(&mut bank, Op::Gets, 0, 8, 3);
    let gets = request(Op::Gets, 0, 8, 9);
    let cases = [
        (Request { op: None, ..gets }, Misuse::ReservedOp),
        (Request { core: 2, ..gets }, Misuse::CoreOutOfRange),
        (gets, Misuse::SecondGets),
        (Request { exp: 15, ..gets }, Misuse::LeaseTooLate),
    ];
    for (request, misuse) in cases {
        let before = (bank.ways(0).to_vec(), bank.mshr(0).cloned());
        let effect = bank.request(&request).expect("it does not wait");
        assert_eq!(effect, Effect { error: Some(misuse), address: 8, ..Effect::default() });
        assert_eq!((bank.ways(0).to_vec(), bank.mshr(0).cloned()), before);
    }
    let effect = bank.fill(1);
    assert_eq!(effect, Effect { error: Some(Misuse::NothingFetched), ..Effect::default() });
    assert_eq!(bank.request(&Request { core: 1, ..gets }).expect("joins").error, None);
}

#[test]
fn the_thesis_rules_store_where_an_old_copy_may_be_read() {
    for (faithful, ver) in [(true, 2), (false, 3)] {
        for op in [Op::Write, Op::Atomic] {
            let params = Params { faithful, ..preset("tiny") };
            // Core 1 has a copy of block 0 until 2; the bank evicts it.
            let (mut bank, exp) = with_block(&params, 0);
            for address in [8, 16] {
                let fetch = act(&mut bank, Op::Write, 0, address, 0).fetch.expect("a miss");
                bank.fill(fetch.mshr);
            }
            assert_eq!((exp, bank.mnow()), (2, 2));
            let effect = act(&mut bank, op, 1, 0, 0);
            let filled = bank.fill(effect.fetch.expect("a miss").mshr);
            let stored = [effect.responses, filled.responses].concat();
            assert_eq!(stored[0].ver, ver, "{op:?}, faithful {faithful}");
        }
    }
}

#[test]
fn the_thesis_lets_lastrd_be_left_out_and_a_load_is_later_than_its_lease() {
    for (faithful, exp) in [(true, 2), (false, 7)] {
        let mut bank = Bank::new(&Params { faithful, ..preset("tiny") });
        act(&mut bank, Op::Gets, 0, 0, 5);
        assert_eq!(answer(&bank.fill(0)), (Kind::Data, exp, 0));
    }
}

#[test]
fn the_thesis_rolls_over_with_messages_in_flight() {
    let mut bank = Bank::new(&Params { faithful: true, ..preset("tiny") });
    act(&mut bank, Op::Write, 0, 0, 5);
    assert!(bank.roll().is_some(), "a block is in IV");
    let mshr = bank.mshr(0).expect("the fetch goes on");
    assert_eq!((mshr.ver, mshr.rd), (0, 0));
    bank.fill(0);
    // The request was sent before the flush, and the copy with it is gone: it is renewed all the same.
    let gets = Request { exp: 1, ..request(Op::Gets, 1, 0, 0) };
    assert_eq!(answer(&bank.request(&gets).expect("a hit")).0, Kind::Renew);
}

#[test]
fn the_largest_lease_ends_before_the_limit() {
    let params = Params { lease_min: 7, lease_doublings: 1, ..preset("tiny") };
    let error = params.validate().expect_err("14 is the limit").to_string();
    assert!(error.contains("lease_doublings") && error.contains("14"), "{error}");
    assert!(Params { lease_min: 13, lease_doublings: 0, ..params }.validate().is_ok());
}

#[test]
fn the_times_of_a_bank_take_what_the_thesis_says() {
    let claims = preset("paper").claims();
    let ours = |what: &str| claims.iter().find(|claim| claim.what == what).expect("a claim").ours;
    // 3.6.4: 8 KB a partition, 6 %.
    assert_eq!(ours("ver and exp of a bank"), 8192.0);
    assert_eq!(ours("share of a block").round(), 6.0);
}
