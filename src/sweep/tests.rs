//! Sweeps with a fake measurement: what is run, kept and repeated.

use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use warpsmith_blocks::block::Design;

use super::grid::{Axis, Point, points};
use super::journal::Journal;
use super::record::{Outcome, PointRecord};
use super::run::{Finished, Measure, Sweep};
use crate::flow::FlowError;
use crate::journal::JournalError;
use crate::measure::throughput::{Throughput, ThroughputError};
use crate::measure::{Figures, MeasureError};

/// Reports the number of ways as figure; fails on request.
#[derive(Default)]
struct Fake {
    tools: &'static str,
    fails_at: Option<i64>,
    all_the_same: bool,
    measured: Mutex<Vec<i64>>,
}

impl Fake {
    fn measured(&self) -> Vec<i64> {
        let mut measured = self.measured.lock().unwrap().clone();
        measured.sort_unstable();
        measured
    }
}

fn ways(design: &dyn Design) -> i64 {
    design.params()["ways"].as_integer().unwrap()
}

impl Measure for Fake {
    fn key(&self, _: &Point, design: &dyn Design) -> Result<String, FlowError> {
        let ways = if self.all_the_same { 0 } else { ways(design) };
        Ok(format!("{} {ways}", self.tools))
    }

    fn measure(&self, _: &Point, design: &dyn Design, _: &str) -> Outcome {
        let ways = ways(design);
        self.measured.lock().unwrap().push(ways);
        if self.fails_at == Some(ways) {
            return Outcome::Failed { message: "out of wires".to_string(), log: None };
        }
        Outcome::Measured(Box::new(figures(ways)))
    }
}

fn figures(ways: i64) -> Figures {
    let stream = "mixed".to_string();
    let cosim = Throughput { stream, requests: 1, clocks_per_request: ways as f64 };
    Figures { synth: None, cosim: Some(cosim) }
}

fn grid(ways: impl IntoIterator<Item = i64>) -> Vec<Point> {
    let values = ways.into_iter().map(toml::Value::Integer).collect();
    let axis = Axis { name: "ways".to_string(), values };
    points(warpsmith_blocks::find("hmg_directory").unwrap(), "tiny", &[], &[axis]).unwrap()
}

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn results(&self) -> PathBuf {
        self.0.path().join("new/results.jsonl")
    }

    fn sweep(&self, fake: &dyn Measure, points: &[Point], jobs: usize) -> Finished {
        let mut journal = Journal::open(&self.results()).unwrap();
        let jobs = NonZeroUsize::new(jobs).unwrap();
        let sweep = Sweep { block: "hmg_directory", preset: "tiny", points, jobs };
        sweep.run(fake, &mut journal, &mut |_| ()).unwrap()
    }
}

fn lines(path: &Path) -> Vec<PointRecord> {
    let text = fs::read_to_string(path).unwrap();
    assert!(text.is_empty() || text.ends_with('\n'), "only whole lines");
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn clocks(record: &PointRecord) -> Option<f64> {
    Some(record.figures()?.cosim.as_ref()?.clocks_per_request)
}

#[test]
fn a_sweep_with_more_values_measures_only_what_is_missing() {
    let (folder, fake) = (Folder::new(), Fake::default());
    assert_eq!(folder.sweep(&fake, &grid([1, 2, 3]), 2).reused, 0);
    let more = folder.sweep(&fake, &grid([4, 3, 2]), 2);
    assert_eq!((more.reused, fake.measured()), (2, vec![1, 2, 3, 4]));
    let figures: Vec<_> = more.records.iter().map(clocks).collect();
    assert_eq!(figures, [Some(4.0), Some(3.0), Some(2.0)], "in the order of the grid");
    assert_eq!(lines(&folder.results()).len(), 4);
}

#[test]
fn a_line_that_a_crash_cut_off_is_dropped_and_its_point_measured_again() {
    let (folder, fake) = (Folder::new(), Fake::default());
    folder.sweep(&fake, &grid([1, 2, 3]), 1);
    let whole = fs::read(folder.results()).unwrap();
    // Wherever the crash happened, up to the end of the line.
    for cut in [1, 2, 40, 150] {
        fs::write(folder.results(), &whole[..whole.len() - cut]).unwrap();
        let fake = Fake::default();
        let again = folder.sweep(&fake, &grid([1, 2, 3]), 1);
        assert_eq!((again.reused, fake.measured()), (2, vec![3]), "{cut} bytes are missing");
        assert_eq!(fs::read(folder.results()).unwrap(), whole);
    }
}

#[test]
fn a_point_that_fails_is_kept_as_such_and_tried_again() {
    let folder = Folder::new();
    let points = grid([1, 2, 3]);
    let fake = Fake { fails_at: Some(2), ..Fake::default() };
    let finished = folder.sweep(&fake, &points, 1);
    let states: Vec<_> = finished.records.iter().map(|record| clocks(record).is_some()).collect();
    assert_eq!(states, [true, false, true], "the others go on");
    let kept = lines(&folder.results());
    let failed = |record: &&PointRecord| matches!(record.outcome, Outcome::Failed { .. });
    assert_eq!(kept.iter().filter(failed).count(), 1);

    let mended = Fake::default();
    let finished = folder.sweep(&mended, &points, 1);
    assert_eq!((finished.reused, mended.measured()), (2, vec![2]));
    assert_eq!(clocks(&finished.records[1]), Some(2.0));
}

#[test]
fn a_wrong_circuit_is_no_failing_tool() {
    let wrong = ThroughputError::Mismatch { divergence: "a load was not answered".to_string() };
    let Outcome::Mismatch { message } = Outcome::from(Err(MeasureError::from(wrong))) else {
        panic!("a mismatch");
    };
    assert!(message.ends_with("reference: a load was not answered"), "{message}");
}

#[test]
fn an_impossible_point_is_told_and_not_measured() {
    let (folder, fake) = (Folder::new(), Fake::default());
    let finished = folder.sweep(&fake, &grid([1, 65]), 1);
    let Outcome::Impossible { message } = &finished.records[1].outcome else {
        panic!("{finished:?}");
    };
    assert!(message.contains("1 to 64"), "{message}");
    assert_eq!(fake.measured(), [1]);
}

#[test]
fn another_tool_version_reuses_nothing() {
    let folder = Folder::new();
    folder.sweep(&Fake { tools: "yosys 0.69", ..Fake::default() }, &grid([1, 2]), 1);
    let newer = Fake { tools: "yosys 0.70", ..Fake::default() };
    assert_eq!(folder.sweep(&newer, &grid([1, 2]), 1).reused, 0);
    assert_eq!(newer.measured(), [1, 2]);
}

#[test]
fn points_of_the_same_circuit_are_measured_once() {
    let (folder, fake) = (Folder::new(), Fake { all_the_same: true, ..Fake::default() });
    let finished = folder.sweep(&fake, &grid([5, 6]), 2);
    assert_eq!(fake.measured(), [5]);
    let varied: Vec<_> = finished.records.iter().map(|r| r.varied["ways"].as_integer()).collect();
    assert_eq!(varied, [Some(5), Some(6)], "each under its own name");
}

#[test]
fn jobs_run_at_the_same_time() {
    /// Ends only when enough others have started, or after a while.
    struct Meet(Fake, AtomicUsize);
    impl Measure for Meet {
        fn key(&self, point: &Point, design: &dyn Design) -> Result<String, FlowError> {
            self.0.key(point, design)
        }
        fn measure(&self, point: &Point, design: &dyn Design, key: &str) -> Outcome {
            self.1.fetch_add(1, Ordering::SeqCst);
            let end = Instant::now() + Duration::from_secs(20);
            while self.1.load(Ordering::SeqCst) < 2 && Instant::now() < end {
                thread::sleep(Duration::from_millis(1));
            }
            assert_eq!(self.1.load(Ordering::SeqCst), 2, "the other one runs too");
            self.0.measure(point, design, key)
        }
    }
    let meet = Meet(Fake::default(), AtomicUsize::new(0));
    Folder::new().sweep(&meet, &grid([1, 2]), 2);
    assert_eq!(meet.0.measured(), [1, 2]);
}

#[test]
fn a_file_that_is_no_journal_is_refused_with_the_line() {
    let (folder, fake) = (Folder::new(), Fake::default());
    folder.sweep(&fake, &grid([1, 2]), 1);
    let text = fs::read_to_string(folder.results()).unwrap();
    fs::write(folder.results(), text.replacen('\n', "\n{\"key\": 1}\n", 1)).unwrap();
    let error = Journal::open(&folder.results()).err().unwrap();
    assert!(matches!(error, JournalError::Line { line: 2, .. }), "{error}");
}

#[test]
fn two_sweeps_do_not_write_to_the_same_file() {
    let folder = Folder::new();
    let first = Journal::open(&folder.results()).unwrap();
    assert!(matches!(Journal::open(&folder.results()), Err(JournalError::InUse(_))));
    drop(first);
    Journal::open(&folder.results()).unwrap();
}
