//! Counts of CHOPIN's evaluation: `cargo bench --bench chopin`, or with names of games to draw only these; with `quarter`
//! frames of a quarter of the triangles and pixels, and of the thresholds.
//!
//! Prints the counts of figures 6.14 and 6.19 and of section 6.6.1 of the thesis beside what its text says. The frames are
//! made (`warpsmith frame`), so the numbers of one game say little; the means are what is compared.

use warpsmith::gpu::graphics::make::{GAMES, Game};
use warpsmith::gpu::graphics::split::{GroupReport, Reason, Report, Settings, System, render};
use warpsmith::gpu::graphics::{Frame, load, render as render_alone};

/// GPUs of section 6.6.1, and how many more fragments the ROPs process there, in per cent.
const MORE: [(usize, f64); 3] = [(2, 3.6), (4, 6.5), (8, 8.4)];
/// Thresholds of figure 6.19, and of two of them the groups and the share of triangles in per cent.
const THRESHOLDS: [(u64, Option<[f64; 2]>); 4] =
    [(256, None), (1024, None), (4096, Some([6.5, 92.44])), (16384, Some([5.25, 89.83]))];

/// Counts of a game.
struct Counted {
    name: &'static str,
    /// Additional fragments written, in per cent of one GPU's, for each number of GPUs.
    more: Vec<f64>,
    /// Counts on 8 GPUs.
    report: Report,
    triangles: u64,
}

fn main() {
    let mut words: Vec<_> =
        std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let before = words.len();
    words.retain(|word| word != "quarter");
    let scale = if words.len() < before { 4 } else { 1 };
    let is_wanted = |game: &&Game| words.is_empty() || words.iter().any(|word| word == game.name);
    let counted: Vec<_> = GAMES.iter().filter(is_wanted).map(|game| count(game, scale)).collect();
    if counted.is_empty() {
        eprintln!("no such game; there are: {}; quarter", GAMES.map(|game| game.name).join(", "));
        std::process::exit(2);
    }
    traffic(&counted);
    fragments(&counted);
    thresholds(&counted, scale.into());
}

fn frame(game: &Game) -> Frame {
    let folder = tempfile::tempdir().expect("a folder");
    let made = game.make(1).expect("a frame");
    let mut path = folder.path().to_path_buf();
    for (name, bytes) in &made.files {
        path = folder.path().join(name);
        std::fs::write(&path, bytes).expect("written");
    }
    load(&path).expect("a frame")
}

fn count(game: &Game, scale: u32) -> Counted {
    let frame = frame(&game.scaled(scale));
    let alone = render_alone(&frame).expect("a picture");
    let mut counted = Counted {
        name: game.name,
        more: Vec::new(),
        report: Report::default(),
        triangles: frame.triangles(),
    };
    for (gpus, _) in MORE {
        let settings = Settings {
            threshold: 4096 / u64::from(scale),
            ..Settings::new(System::ChopinScheduled, gpus)
        };
        let (picture, report) = render(&frame, &settings).expect("a picture");
        assert!(picture.pixels == alone.pixels, "{}: another picture on {gpus} GPUs", game.name);
        let [found, one] = [picture.counts.written, alone.counts.written].map(|it| it as f64);
        counted.more.push(100.0 * (found / one - 1.0));
        counted.report = report;
    }
    let pixels = f64::from(alone.width * alone.height);
    let [culled, triangles] = [alone.counts.culled, alone.counts.triangles].map(|it| it as f64);
    let written = alone.counts.written as f64 / pixels;
    eprintln!(
        "{}: {:.0} % culled, {written:.1} writes a pixel",
        game.name,
        100.0 * culled / triangles
    );
    counted
}

fn mean(values: impl Iterator<Item = f64> + Clone) -> f64 {
    values.clone().sum::<f64>() / values.count() as f64
}

/// A row of a table in Markdown.
fn row(name: &str, cells: impl IntoIterator<Item = String>) {
    println!("| {name} | {} |", cells.into_iter().collect::<Vec<_>>().join(" | "));
}

fn head(counted: &[Counted]) {
    row(
        "",
        counted.iter().map(|it| it.name.to_string()).chain(["mean", "thesis"].map(String::from)),
    );
    println!("|---|{}", "--:|".repeat(counted.len() + 2));
}

fn line(name: &str, counted: &[Counted], of: impl Fn(&Counted) -> f64, thesis: &str) {
    let mut values: Vec<_> = counted.iter().map(of).collect();
    values.push(mean(values.iter().copied()));
    let cells = values.iter().map(|it| format!("{it:.1}"));
    row(name, cells.chain([thesis.to_string()]).collect::<Vec<_>>());
}

fn traffic(counted: &[Counted]) {
    println!("\nFigure 6.14: MB of sub-images on 8 GPUs (the thesis: grid 131.92)\n");
    head(counted);
    let mb = |bytes: u64| bytes as f64 / 1e6;
    line("composition", counted, |it| mb(it.report.bytes.composition), "51.66");
    line("draw numbers", counted, |it| mb(it.report.bytes.draw_numbers), "");
    line("depth before readers", counted, |it| mb(it.report.bytes.depth_broadcasts), "");
    line("reports", counted, |it| mb(it.report.bytes.reports), "1.7");
}

fn fragments(counted: &[Counted]) {
    println!("\nSection 6.6.1: more fragments written than by one GPU, per cent\n");
    head(counted);
    for (at, (gpus, thesis)) in MORE.into_iter().enumerate() {
        line(&format!("{gpus} GPUs"), counted, |it| it.more[at], &thesis.to_string());
    }
    line("imbalance on 8", counted, |it| it.report.imbalance(|it| it.written), "");
}

fn thresholds(counted: &[Counted], scale: u64) {
    println!(
        "\nFigure 6.19: groups that are composed on 8 GPUs, and their triangles in per cent\n"
    );
    head(counted);
    for (threshold, thesis) in THRESHOLDS {
        let composed = |it: &&GroupReport| {
            let can = matches!(it.duplicated, None | Some(Reason::FewTriangles));
            can && it.draws > 8 && it.triangles >= threshold / scale
        };
        let groups = |it: &Counted| it.report.groups.iter().filter(composed).count() as f64;
        let share = |it: &Counted| {
            let sum: u64 = it.report.groups.iter().filter(composed).map(|it| it.triangles).sum();
            100.0 * sum as f64 / it.triangles as f64
        };
        let told = |at: usize| thesis.map_or(String::new(), |it| it[at].to_string());
        line(&format!("{threshold}: groups"), counted, groups, &told(0));
        line(&format!("{threshold}: triangles"), counted, share, &told(1));
    }
}
