//! Timing diagrams of a block's first transfers, from its simulation.

use warpsmith_blocks::block::Design;
use warpsmith_blocks::channel::Channel;
use warpsmith_blocks::verification::ChannelPlace;
use warpsmith_testbench::agents::Stalls;
use warpsmith_testbench::backend::{Backend, Models};
use warpsmith_testbench::bench::Bench;
use warpsmith_testbench::cosim::CosimError;
use warpsmith_testbench::episode::{Episode, Source};
use warpsmith_testbench::lockstep::ports_of;
use wavedrom::{Figure, Signal};

/// Clocks in a diagram.
const CLOCKS: usize = 16;
/// Clocks that are searched for the busiest window.
const SEARCHED: usize = 4_000;
/// Digits of a payload that fit in the width of a clock.
const DIGITS: usize = 4;

/// The window with the most transfers among the first clocks of a block's first stream, as SVG.
///
/// # Errors
/// Fails if the circuit cannot be simulated.
pub fn svg(design: &dyn Design) -> Result<String, CosimError> {
    let circuit = design.circuit();
    let bench = Bench::new(design, &circuit);
    let models = Models::of_circuit(&circuit, Backend::Native, false)?;
    let straps: Vec<_> = bench.straps().iter().map(|strap| strap.values.min(2) - 1).collect();
    let episode = Episode {
        straps: &straps,
        stalls: Stalls::Random,
        stall_seed: 1,
        warm: false,
        source: Source::Stream { stream: 0, seed: 1, requests: SEARCHED as u64 },
    };
    let clocks = ports_of(&bench, &mut *models.instance()?, &episode, SEARCHED);
    let first = busiest(&bench, &clocks);
    let window = &clocks[first..clocks.len().min(first + CLOCKS)];
    let clock = Signal::with_cycle_str("p".repeat(window.len())).name("clk");
    let channels = bench.channels().iter().zip(bench.places());
    let rows = channels.flat_map(|(channel, place)| rows(channel, place, window));
    let figure =
        Figure::new().top_cycle_marker(first as u32, 2).add_signal(clock).add_signals(rows);
    let mut svg = Vec::new();
    figure.assemble().write_svg(&mut svg).expect("a vector takes every byte");
    Ok(String::from_utf8(svg).expect("SVG is text"))
}

/// The clock from which a diagram has the fewest errors, the most channels with transfers, then the most
/// transfers.
fn busiest(bench: &Bench<'_>, clocks: &[Vec<u64>]) -> usize {
    let busy = |first: usize| {
        let window = &clocks[first..(first + CLOCKS).min(clocks.len())];
        let (mut errors, mut channels, mut transfers) = (0, 0, 0);
        for (channel, place) in bench.channels().iter().zip(bench.places()) {
            let count = window.iter().filter(|ports| place.fires(ports)).count();
            match channel.name.ends_with("error") {
                true => errors += count,
                false => {
                    (channels, transfers) = (channels + usize::from(count > 0), transfers + count)
                }
            }
        }
        (std::cmp::Reverse(errors), channels, transfers)
    };
    let last = clocks.len().saturating_sub(CLOCKS);
    // The first of those with as many.
    (0..=last).rev().max_by_key(|first| busy(*first)).unwrap_or(0)
}

/// The rows of a channel, below an empty one.
fn rows(channel: &Channel, place: &ChannelPlace, clocks: &[Vec<u64>]) -> Vec<Signal> {
    let level = |role: &str, word: usize| {
        let bits = clocks.iter().map(|ports| if ports[word] & 1 == 1 { '1' } else { '0' });
        Signal::with_cycle_str(changes(bits)).name(format!("{}_{role}", channel.name))
    };
    let mut rows = vec![Signal::new(), level("valid", place.valid)];
    if channel.handshake.has_ready() {
        rows.push(level("ready", place.ready));
    }
    let mut offset = place.payload.start;
    for field in channel.fields.iter() {
        let words = offset..offset + warpsmith_rtl::words(field.width);
        offset = words.end;
        let valid = clocks.iter().map(|ports| ports[place.valid] & 1 == 1);
        let values = clocks.iter().map(|ports| hexadecimal(&ports[words.clone()]));
        rows.push(bus(valid.zip(values)).name(format!("{}_{}", channel.name, field.name)));
    }
    rows
}

/// Repeated states as WaveDrom's `.`.
fn changes(states: impl Iterator<Item = char>) -> String {
    let mut before = None;
    states.map(|state| if before.replace(state) == Some(state) { '.' } else { state }).collect()
}

/// A row of values, each shown while it is valid.
fn bus(values: impl Iterator<Item = (bool, String)>) -> Signal {
    let (mut states, mut labels) = (String::new(), Vec::new());
    let mut before = None;
    for (valid, value) in values {
        let shown = valid.then_some(value);
        let is_new = before.as_ref() != Some(&shown);
        states.push(match (is_new, valid) {
            (false, _) => '.',
            (true, true) => '=',
            (true, false) => 'x',
        });
        labels.extend(shown.clone().filter(|_| is_new));
        before = Some(shown);
    }
    Signal::with_cycle_str(states).add_data_fields(labels)
}

/// A payload field in hexadecimal, its high digits left out if it is long.
fn hexadecimal(words: &[u64]) -> String {
    let digits: String = words.iter().rev().map(|word| format!("{word:016x}")).collect();
    let digits = digits.trim_start_matches('0');
    match digits.len() {
        0 => "0".to_string(),
        n if n <= DIGITS => digits.to_string(),
        n => format!("..{}", &digits[n - DIGITS + 1..]),
    }
}
