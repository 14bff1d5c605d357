//! Hand-made faults in the emitted Verilog of the blocks: `cosim --dut` finds each.

#[path = "../support/mod.rs"]
mod support;

mod bloom_filter;
mod chopin_composition_scheduler;
mod chopin_draw_scheduler;
mod getm_commit;
mod getm_metadata;
mod getm_rollover_ring;
mod getm_stall_buffer;
mod getm_validation;
mod hmg_directory;
mod qr_write_cache;
mod relativistic_l2;
mod s_fifo;
mod transactions;
mod zbuffer_commit;

use serde_json::Value;
use support::{Scratch, needs_verilator, replaced, run};

/// The emitted Verilog of a block with texts replaced in one file.
struct Fault {
    block: &'static str,
    preset: &'static str,
    file: &'static str,
    edits: &'static [(&'static str, &'static str)],
}

/// A wrong, missing or surplus transfer.
const TRANSFER: &[&str] = &["different", "unexpected", "contract"];
/// An offer that changes or is withdrawn before it is taken.
const UNSTABLE: &[&str] = &["unstable"];
/// An offer that changes, or that shows in the transfers.
const UNSTABLE_OR_WRONG: &[&str] = &["unstable", "different", "unexpected", "contract"];
/// A channel that stops.
const STUCK: &[&str] = &["stuck"];

/// A transfer that never comes, or another that comes in its place.
const MISSING: &[&str] = &["stuck", "different", "unexpected", "contract"];

/// Runs the faulty circuit; returns the mismatch.
fn found(fault: &Fault, more: &[&str]) -> Option<Value> {
    if !needs_verilator("faults") {
        return None;
    }
    let scratch = Scratch::new();
    let emitted = run(&scratch, &["emit", fault.block, "--preset", fault.preset, "--out", "out"]);
    assert_eq!(emitted.code, 0, "{}", emitted.stderr);
    // A model knows the names of its files: with the temporary folder in them, none would be in the cache.
    let dut = format!("out/{}/{}/{}", fault.block, fault.preset, fault.file);
    fault.edits.iter().for_each(|(from, to)| replaced(&scratch.path(&dut), from, to));
    let arguments =
        ["cosim", fault.block, "--preset", fault.preset, "--dut", &dut, "--ours", "all"];
    let ended = run(&scratch, &[&arguments[..], &["--json", "--seed", "1"], more].concat());
    assert_eq!(ended.code, 1, "a fault is exit code 1: {}{}", ended.stdout, ended.stderr);
    let report: Value = serde_json::from_str(&ended.stdout).expect("JSON");
    assert_eq!(report["verdict"], "mismatch");
    Some(report["mismatch"].clone())
}

/// Faults of a block, at preset `tiny` unless another is named: name, file, texts with their replacements,
/// and the kinds of divergence by which it may be found.
macro_rules! faults {
    ($block:literal; $($faults:tt)*) => {
        faults! { $block, "tiny"; $($faults)* }
    };
    ($block:literal, $preset:literal; $($name:ident: $file:expr, $($from:literal => $to:literal,)+ $kinds:ident;)*) => {$(
        #[test]
        fn $name() {
            let edits = &[$(($from, $to)),+];
            let fault = crate::Fault { block: $block, preset: $preset, file: $file, edits };
            let Some(mismatch) = crate::found(&fault, &["--no-waves"]) else { return };
            let divergence = &mismatch["first"]["divergence"];
            let kind = divergence["kind"].as_str().expect("a kind");
            assert!($kinds.contains(&kind), "{divergence}");
            assert!(!mismatch["replay"].as_str().expect("a command").is_empty());
            assert_eq!(mismatch["waves"].as_array().map(Vec::len), Some(0), "--no-waves");
        }
    )*};
}
use faults;

#[test]
fn the_report_names_the_rule_of_the_paper() {
    let edits = &[("({3{evict}} & sharers_victim)", "3'd0")];
    let fault = Fault { block: "hmg_directory", preset: "tiny", file: "hmg_directory.v", edits };
    let Some(mismatch) = found(&fault, &[]) else { return };
    let rule = &mismatch["first"]["rule"];
    let source = rule["source"].as_str().unwrap_or_default();
    assert!(source.contains("HMG IV-B"), "{rule}");
    assert!(!mismatch["registers"].as_array().expect("a list").is_empty());
    assert!(!mismatch["small"]["history"].as_array().expect("a list").is_empty());
    assert_eq!(mismatch["waves"].as_array().map(Vec::len), Some(2), "{}", mismatch["notes"]);
}
