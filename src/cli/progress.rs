//! Progress indicators of long operations.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

pub(super) fn bar(requests: u64, hidden: bool) -> ProgressBar {
    if hidden {
        return ProgressBar::hidden();
    }
    let style =
        ProgressStyle::with_template("{bar:40} {human_pos}/{human_len} requests, {eta} left")
            .expect("a template of ours");
    ProgressBar::new(requests).with_style(style)
}

/// Finished runs.
pub(super) fn runs_bar(runs: u64, hidden: bool) -> ProgressBar {
    if hidden {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:20} {pos}/{len} runs, {eta} left");
    ProgressBar::new(runs).with_style(style.expect("a template of ours"))
}

/// Triangles of a frame that are drawn.
pub(super) fn triangles_bar(triangles: u64, what: &'static str, hidden: bool) -> ProgressBar {
    if hidden {
        return ProgressBar::hidden();
    }
    let style =
        ProgressStyle::with_template("{bar:40} {percent} % of the triangles, {eta} left: {msg}");
    let bar = ProgressBar::new(triangles).with_style(style.expect("a template of ours"));
    bar.with_message(what)
}

/// Shows an operation of unknown length.
pub(super) fn while_waiting<T>(what: &'static str, hidden: bool, work: impl FnOnce() -> T) -> T {
    let spinner = if hidden { ProgressBar::hidden() } else { ProgressBar::new_spinner() };
    spinner.set_message(what);
    spinner.enable_steady_tick(Duration::from_millis(200));
    let done = work();
    spinner.finish_and_clear();
    done
}

/// As [`while_waiting`], for an operation that reports its steps.
pub(super) fn while_told<T>(hidden: bool, work: impl FnOnce(crate::flow::Tell<'_>) -> T) -> T {
    let spinner = if hidden { ProgressBar::hidden() } else { ProgressBar::new_spinner() };
    spinner.enable_steady_tick(Duration::from_millis(200));
    let done = work(&|what| spinner.set_message(what.to_string()));
    spinner.finish_and_clear();
    done
}

/// Finished and running points of a sweep.
pub(super) fn points_bar(hidden: bool) -> ProgressBar {
    if hidden {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:20} {pos}/{len} points, {eta} left: {wide_msg}")
        .expect("a template of ours");
    let bar = ProgressBar::new(0).with_style(style);
    bar.enable_steady_tick(Duration::from_millis(500));
    bar
}

/// Seconds of a soak.
pub(super) fn soak_bar(time: Duration, hidden: bool) -> ProgressBar {
    if hidden {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:20} {pos} of {len} s: {wide_msg}")
        .expect("a template of ours");
    let bar = ProgressBar::new(time.as_secs()).with_style(style);
    bar.enable_steady_tick(Duration::from_millis(500));
    bar
}
