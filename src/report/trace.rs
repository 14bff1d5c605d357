//! A trace in the Chrome trace event format, which Perfetto and chrome://tracing open: a track for launches, and for
//! each core one of each place for CTAs and one of each slot for warps.

use std::collections::BTreeSet;
use std::ops::Range;

use serde_json::{Value, json};

use crate::gpu::isa::Program;
use crate::gpu::machine::profile::Trace;

/// Tracks of warps follow those of CTAs.
const FIRST_WARP: u32 = 64;

/// The trace as text. Times are microseconds at the machine's clock rate.
pub fn text(trace: &Trace, program: &Program, clock_mhz: f64) -> String {
    let span = |name: &str, [pid, tid]: [u32; 2], clocks: &Range<u64>, more: Value| {
        let [ts, dur] = [clocks.start, clocks.end - clocks.start].map(|at| at as f64 / clock_mhz);
        json!({ "name": name, "ph": "X", "pid": pid, "tid": tid, "ts": ts, "dur": dur, "args": more })
    };
    let clocks = |clocks: &Range<u64>| json!([clocks.start, clocks.end]);
    let mut text = String::from("{\"displayTimeUnit\": \"ns\", \"traceEvents\": [\n");
    text += &track("process_name", [0, 0], "launches").to_string();
    let mut event = |event: Value| {
        text += ",\n";
        text += &event.to_string();
    };
    for launch in &trace.launches {
        let more = json!({ "clocks": clocks(&launch.clocks) });
        event(span(&launch.kernel, [0, 0], &launch.clocks, more));
    }
    let mut tracks = BTreeSet::new();
    for cta in &trace.ctas {
        let track = [cta.core + 1, cta.place];
        tracks.insert(track);
        let [x, y, z] = cta.cta;
        let more = json!({ "cta": cta.cta, "clocks": clocks(&cta.clocks) });
        event(span(&format!("CTA {x}, {y}, {z}"), track, &cta.clocks, more));
    }
    for wait in &trace.waits {
        let track = [wait.core + 1, FIRST_WARP + wait.slot];
        tracks.insert(track);
        let line = program.lines.get(wait.pc as usize);
        let more = json!({ "ptx_line": line, "clocks": clocks(&wait.clocks) });
        event(span(wait.why.name(), track, &wait.clocks, more));
    }
    let cores: BTreeSet<u32> = tracks.iter().map(|[pid, _]| *pid).collect();
    for pid in cores {
        event(track("process_name", [pid, 0], &format!("core {}", pid - 1)));
    }
    for [pid, tid] in tracks {
        let name = match tid.checked_sub(FIRST_WARP) {
            None => format!("CTAs at place {tid}"),
            Some(slot) => format!("warp in slot {slot}"),
        };
        event(track("thread_name", [pid, tid], &name));
    }
    text + &format!("\n], \"waitsLeftOut\": {}}}\n", trace.waits_left_out)
}

/// The name of a track or of a group of tracks.
fn track(what: &str, [pid, tid]: [u32; 2], name: &str) -> Value {
    json!({ "name": what, "ph": "M", "pid": pid, "tid": tid, "args": { "name": name } })
}
