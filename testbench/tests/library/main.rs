//! Library parts against naive models, native and Verilated, under random stimulus with random stalls.

mod buffers;
mod memories;
#[path = "../support"]
mod support {
    pub mod duel;
    pub mod random;
    pub mod tools;
}

use std::collections::VecDeque;

use rand::RngExt;
use std::fs;
use std::path::Path;

use support::duel::Duel;
use support::random;
use support::tools;
use warpsmith_rtl::library::h3::H3;
use warpsmith_rtl::library::record::{Fields, Record};
use warpsmith_rtl::library::stream::Stream;
use warpsmith_rtl::library::{arbiter, fifo, min_tree, one_hot, skid_buffer};
use warpsmith_rtl::{Bits, ModuleBuilder, address_bits, semantics};
use warpsmith_testbench::verilator::{VerilogFile, VerilogSource};

/// A module of `tests/handwritten`, with which our area and speed are compared.
fn handwritten(name: &str) -> VerilogSource {
    let file = format!("{name}.v");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/handwritten");
    let text = fs::read_to_string(folder.join(&file)).expect("it is in the repository");
    VerilogSource { top: name.to_string(), files: vec![VerilogFile { name: file, text }] }
}

fn packet() -> Fields {
    Fields::new().with("kind", 3, "What it is.").with("last", 1, "The last of several.").with(
        "body",
        70,
        "The rest.",
    )
}

#[test]
fn a_stream_passes_through_buffers_in_order_field_by_field() {
    if !tools::verilator() {
        return;
    }
    let m = ModuleBuilder::new("relay");
    let input = Stream::input(&m, "from", &packet());
    m.output("came", input.fires());
    let buffered = skid_buffer::buffer(&m, "first", input);
    let buffered = fifo::buffer(&m, "second", buffered, 3);
    m.output("went", buffered.fires());
    buffered.output(&m, "to");
    let mut duel = Duel::new(&m.finish());
    let mut rng = random::generator(31);
    duel.reset();
    let mut held = VecDeque::new();
    let mut offered: Option<[Bits; 3]> = None;
    let (mut sent, mut received) = (0, 0);
    for clock in 0..3000 {
        let busy = clock / 300 % 3 * 4 + 4;
        if offered.is_none() && rng.random_range(0..16) < busy {
            offered = Some([3, 1, 70].map(|width| random::value(&mut rng, width)));
        }
        duel.set("from_valid", offered.is_some().into());
        if let Some(fields) = &offered {
            for (name, value) in ["from_kind", "from_last", "from_body"].iter().zip(fields) {
                duel.set_bits(name, value);
            }
        }
        let take = rng.random_range(0..16) < 16 - busy;
        duel.set("to_ready", take.into());
        duel.clock();
        let (came, went) = (duel.get("came") == 1, duel.get("went") == 1);
        assert_eq!(came, offered.is_some() && duel.get("from_ready") == 1);
        assert_eq!(went, take && duel.get("to_valid") == 1);
        if duel.get("to_valid") == 1 {
            let fields = ["to_kind", "to_last", "to_body"].map(|name| duel.get_bits(name));
            assert_eq!(Some(&fields), held.front());
        }
        if went {
            held.pop_front();
            received += 1;
        }
        if came {
            held.extend(offered.take());
            sent += 1;
        }
        assert!(held.len() <= 5);
    }
    assert_eq!(sent, received + held.len());
    assert!(received > 500, "{received} received");
}

#[test]
fn a_record_is_packed_first_field_highest_and_unpacked_again() {
    if !tools::verilator() {
        return;
    }
    let m = ModuleBuilder::new("records");
    let fields = packet();
    let values: Vec<_> =
        fields.iter().map(|f| m.input(&format!("a_{}", f.name), f.width)).collect();
    let (record, choice) = (Record::new(&fields, values), m.input("choice", 1));
    let packed = m.output("whole", record.pack());
    let other = Record::unpack(&fields, !packed);
    let chosen = record.or_where_not(choice, &other);
    for field in fields.iter() {
        m.output(&format!("chosen_{}", field.name), chosen.get(&field.name));
    }
    m.output("zero", Record::zero(&m, &fields).pack());
    let mut duel = Duel::new(&m.finish());
    let mut rng = random::generator(32);
    for _ in 0..500 {
        let values = [3, 1, 70].map(|width| random::value(&mut rng, width));
        let choice = rng.random_range(0..2);
        duel.set("choice", choice);
        for (name, value) in ["a_kind", "a_last", "a_body"].iter().zip(&values) {
            duel.set_bits(name, value);
        }
        duel.clock();
        let parts: Vec<_> = values.iter().collect();
        assert_eq!(duel.get_bits("whole"), semantics::concat(&parts));
        assert!(duel.get_bits("zero").is_zero());
        for (name, value) in ["chosen_kind", "chosen_last", "chosen_body"].iter().zip(&values) {
            let complement = Bits::from_fn(value.width(), |i| !value.bit(i));
            assert_eq!(duel.get_bits(name), if choice == 1 { value.clone() } else { complement });
        }
    }
}

#[test]
fn round_robin_grants_the_next_requester_above_the_last() {
    if !tools::verilator() {
        return;
    }
    for requesters in [1, 2, 3, 5, 8, 64, 65] {
        check_round_robin(Duel::new(&arbiter::round_robin(requesters)), requesters);
    }
}

#[test]
fn the_arbiter_written_by_hand_is_the_same_arbiter() {
    if !tools::verilator() {
        return;
    }
    check_round_robin(Duel::against(&arbiter::round_robin(8), &handwritten("round_robin")), 8);
}

fn check_round_robin(mut duel: Duel, requesters: u32) {
    let mut rng = random::generator(40 + u64::from(requesters));
    duel.set_bits("requests", &Bits::zeros(requesters));
    duel.set("advance", 0);
    duel.reset();
    // The requester at which the search starts.
    let mut first = 0;
    // Grants to others while each requester waited.
    let mut waited = vec![0; requesters as usize];
    let mut requests = Bits::zeros(requesters);
    for clock in 0..1500 {
        let busy = [1, 8, 15][clock / 100 % 3];
        let grants_are_used = rng.random_range(0..4) > 0;
        // Requesters keep requesting until granted.
        requests = Bits::from_fn(requesters, |i| requests.bit(i) || rng.random_range(0..16) < busy);
        duel.set_bits("requests", &requests);
        duel.set("advance", grants_are_used.into());
        duel.clock();
        let expected = (0..requesters).map(|k| (first + k) % requesters).find(|&i| requests.bit(i));
        let grant = duel.get_bits("grant");
        assert_eq!(grant, Bits::from_fn(requesters, |i| Some(i) == expected), "clock {clock}");
        let (Some(granted), true) = (expected, grants_are_used) else { continue };
        for i in (0..requesters).filter(|&i| requests.bit(i) && i != granted) {
            waited[i as usize] += 1;
            assert!(waited[i as usize] < requesters, "{i} waits for more than all others");
        }
        waited[granted as usize] = 0;
        requests = Bits::from_fn(requesters, |i| requests.bit(i) && i != granted);
        first = (granted + 1) % requesters;
    }
}

#[test]
fn one_hot_codes_mean_their_bits() {
    if !tools::verilator() {
        return;
    }
    for count in [1, 2, 3, 5, 8, 13, 66] {
        let m = ModuleBuilder::new(&format!("one_hot_{count}"));
        let index = m.input("index", address_bits(count));
        let (narrow, wide) = (m.input("narrow", 2), m.input("wide", 40));
        let requests = m.input("requests", count);
        let values: Vec<_> = (0..count).map(|i| m.input(&format!("value_{i}"), 7)).collect();
        let decoded = m.output("decoded", one_hot::decode(index, count));
        m.output("decoded_narrow", one_hot::decode(narrow, count));
        m.output("decoded_wide", one_hot::decode(wide, count));
        m.output("encoded", one_hot::encode(decoded));
        m.output("selected", one_hot::select(decoded, &values));
        m.output("lowest", one_hot::lowest(requests));
        m.output("granted", arbiter::priority(requests));
        m.output("above", one_hot::above_lowest(requests));
        m.output("any", one_hot::any_of(&m, requests.to_bits()));
        m.output("none", one_hot::any_of(&m, Vec::new()));
        let mut duel = Duel::new(&m.finish());
        let mut rng = random::generator(50 + u64::from(count));
        for _ in 0..400 {
            let index = rng.random_range(0..1 << address_bits(count));
            let narrow = rng.random_range(0..4);
            let wide = rng.random_range(0..u64::from(count) + 2) << [0, 0, 0, 30][narrow as usize];
            let requests = random::value(&mut rng, count);
            duel.set("index", index);
            duel.set("narrow", narrow);
            duel.set("wide", wide);
            duel.set_bits("requests", &requests);
            let values: Vec<u64> = (0..count).map(|_| rng.random_range(0..128)).collect();
            for (i, value) in values.iter().enumerate() {
                duel.set(&format!("value_{i}"), *value);
            }
            duel.clock();
            let bit = |place: u64| Bits::from_fn(count, |i| u64::from(i) == place);
            assert_eq!(duel.get_bits("decoded"), bit(index));
            assert_eq!(duel.get_bits("decoded_narrow"), bit(narrow));
            assert_eq!(duel.get_bits("decoded_wide"), bit(wide));
            let there = index < u64::from(count);
            assert_eq!(duel.get("encoded"), if there { index } else { 0 });
            let expected = values.get(index as usize).copied().unwrap_or(0);
            assert_eq!(duel.get("selected"), expected);
            let lowest = (0..count).find(|&i| requests.bit(i));
            let lowest = Bits::from_fn(count, |i| Some(i) == lowest);
            assert_eq!(duel.get_bits("lowest"), lowest);
            assert_eq!(duel.get_bits("granted"), lowest);
            let first = (0..count).find(|&i| requests.bit(i));
            let above = Bits::from_fn(count, |i| first.is_some_and(|first| i > first));
            assert_eq!(duel.get_bits("above"), above);
            assert_eq!(duel.get("any"), u64::from(!requests.is_zero()));
            assert_eq!(duel.get("none"), 0);
        }
    }
}

#[test]
fn the_minimum_is_the_first_of_the_smallest() {
    if !tools::verilator() {
        return;
    }
    let sizes = [(1_u32, 4), (2, 1), (3, 2), (4, 65), (5, 3), (6, 2), (7, 8), (12, 4), (17, 3)];
    for (count, width) in sizes {
        let m = ModuleBuilder::new(&format!("smallest_of_{count}"));
        let values: Vec<_> = (0..count).map(|i| m.input(&format!("value_{i}"), width)).collect();
        let (value, index) = min_tree::minimum(&values);
        m.output("value", value);
        m.output("index", index);
        let mut duel = Duel::new(&m.finish());
        let mut rng = random::generator(60 + u64::from(count));
        for _ in 0..1000 {
            let spread = rng.random_range(0..4);
            let values: Vec<Bits> = (0..count)
                .map(|_| match spread {
                    // Few different values, so that ties occur.
                    0 => Bits::from_words(width, &[rng.random_range(0..2)]),
                    1 => Bits::from_fn(width, |bit| bit > 0 || rng.random()),
                    _ => random::value(&mut rng, width),
                })
                .collect();
            for (i, value) in values.iter().enumerate() {
                duel.set_bits(&format!("value_{i}"), value);
            }
            duel.clock();
            let from_the_top =
                |value: &Bits| value.words().iter().rev().copied().collect::<Vec<_>>();
            let (first, smallest) =
                values.iter().enumerate().min_by_key(|(_, v)| from_the_top(v)).expect("a value");
            assert_eq!(duel.get_bits("value"), *smallest);
            assert_eq!(duel.get("index"), first as u64, "of {values:?}");
        }
    }
}

#[test]
fn h3_in_hardware_is_h3_in_software() {
    if !tools::verilator() {
        return;
    }
    let m = ModuleBuilder::new("hashes");
    let sizes = [(1, 1), (12, 4), (48, 10), (64, 64), (65, 7), (130, 20)];
    let hashes: Vec<H3> =
        (0..).zip(sizes).map(|(seed, (key, hash))| H3::new(key, hash, seed)).collect();
    for (hash, (width, _)) in hashes.iter().zip(sizes) {
        let key = m.input(&format!("key_{width}"), width);
        m.output(&format!("hash_{width}"), hash.circuit(key));
    }
    let mut duel = Duel::new(&m.finish());
    let mut rng = random::generator(70);
    for _ in 0..500 {
        let keys = sizes.map(|(width, _)| random::value(&mut rng, width));
        for key in &keys {
            duel.set_bits(&format!("key_{}", key.width()), key);
        }
        duel.clock();
        for (hash, key) in hashes.iter().zip(&keys) {
            let width = key.width();
            assert_eq!(duel.get(&format!("hash_{width}")), hash.hash(key.words()), "{width} bits");
        }
    }
    // The hash of zero is zero, and the hash is linear, as H3 must be.
    let (hash, x, y) = (&hashes[3], 0x0123_4567_89ab_cdef_u64, 0xfeed_f00d_dead_beef);
    assert_eq!(hash.hash(&[0]), 0);
    assert_eq!(hash.hash(&[x ^ y]), hash.hash(&[x]) ^ hash.hash(&[y]));
    assert_ne!(H3::new(64, 64, 0).hash(&[x]), H3::new(64, 64, 1).hash(&[x]));
}
