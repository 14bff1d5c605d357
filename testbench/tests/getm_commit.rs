//! The commit unit's circuit: full rate, the latency stated on its page, and unusual parameters. `blocks.rs`
//! tests that it is equal to its reference.

mod support {
    pub mod equal;
}

use rand::{RngExt, SeedableRng};
use warpsmith_blocks::getm_commit::{Item, Kind};
use warpsmith_blocks::verification::StimulusRng;
use warpsmith_rtl::{Bits, Simulator};
use warpsmith_testbench::agents::Stalls;
use warpsmith_testbench::backend::Backend;
use warpsmith_testbench::cosim::Plan;

use support::equal::{design, equal};

#[test]
fn one_item_is_taken_per_clock_when_nothing_stalls() {
    for preset in ["tiny", "fpga", "paper"] {
        let design = design("getm_commit", preset);
        for stream in 0..design.streams().len() {
            let plan =
                Plan { requests: 20_000, seed: 3, stream, stalls: Stalls::None, episodes: None };
            let rate = equal(&*design, Backend::Native, &plan).clocks_per_request;
            assert_eq!(rate, 1.0, "{preset}, stream {stream}: {rate} clocks per item");
        }
    }
}

/// On `tiny`, a region is two words of a byte. They come in clocks 0 and 1.
#[test]
fn a_region_leaves_five_clocks_after_the_word_that_covers_it() {
    let design = design("getm_commit", "tiny");
    let mut circuit = Simulator::new(&design.circuit()).expect("a circuit");
    circuit.set("rst", Bits::new(1, 1));
    circuit.clock();
    circuit.set("rst", Bits::new(1, 0));
    circuit.set("write_ready", Bits::new(1, 1));
    circuit.set("release_ready", Bits::new(1, 1));
    let (mut written, mut released) = (None, None);
    for clock in 0..12 {
        let kind = Some(Kind::Commit);
        let item = Item { kind, address: clock & 1, data: 0x55, bytes: 1, count: 1 };
        circuit.set("log_valid", Bits::new(1, u64::from(clock < 2)));
        let widths = [("kind", 2), ("address", 4), ("data", 8), ("bytes", 1)];
        for ((field, width), value) in widths.into_iter().zip(item.encode()) {
            circuit.set(&format!("log_{field}"), Bits::new(width, value));
        }
        circuit.set("log_count", Bits::new(2, 1));
        circuit.clock();
        let shows = |port: &str| circuit.get(port) == Bits::new(1, 1);
        if shows("write_valid") && written.is_none() {
            assert_eq!(circuit.get("write_data"), Bits::new(16, 0x5555));
            written = Some(clock);
        }
        if shows("release_valid") && released.is_none() {
            assert_eq!(circuit.get("release_count"), Bits::new(2, 2));
            released = Some(clock);
        }
    }
    assert_eq!((written, released), (Some(1 + 5), Some(1 + 6)));
}

/// Each parameter is drawn from its accepted values, including the least.
#[test]
fn odd_parameters_are_equal_too() {
    let mut rng = StimulusRng::seed_from_u64(7);
    for draw in 0..24 {
        let mut settings = Vec::new();
        let mut set = |field: &str, choices: &[i64]| {
            let value = choices[rng.random_range(0..choices.len())];
            settings.push((field.to_string(), toml::Value::from(value)));
            value
        };
        let window = set("window", &[2, 4, 16]);
        set("ring", &[2 * window, 8 * window]);
        let granule = set("granule_bytes", &[1, 2, 8, 128]);
        set("word_bytes", if granule == 1 { &[1] } else { &[1, 2] });
        set("address_bits", &[8, 13, 64]);
        set("write_count_bits", &[1, 2, 7]);
        set("max_wait", &[1, 2, 3, 100, 65535]);
        let block = warpsmith_blocks::find("getm_commit").expect("the block");
        let design = block.configure("tiny", &settings).expect("possible parameters");
        println!("{}", design.params());
        let plan =
            Plan { requests: 4000, seed: draw, stream: 0, stalls: Stalls::Random, episodes: None };
        equal(&*design, Backend::Native, &plan);
    }
}
