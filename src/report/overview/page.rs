//! The overview as a page: sections of tables and pictures, in HTML and in Markdown.

use std::collections::BTreeMap;

use warpsmith_blocks::block::Block;

use super::{BlockOverview, Cell, Overview, ScoreCell};
use crate::measure::metric::METRICS;
use crate::records::{Cosim, Document, Hits, KernelRun, Prove, Sweep, Synth};
use crate::report::sweep::SweepReport;
use crate::report::{html, number, thousands};
use crate::scores::State;

/// A part of a page.
enum Item {
    Heading(u8, String),
    Text(String),
    Commands(Vec<String>),
    Table(Vec<String>, Vec<Vec<String>>),
    /// Its caption and its SVG.
    Picture(String, String),
}

/// Pictures of the blocks, in their order: a title and SVG each.
pub type Pictures = Vec<Vec<(String, String)>>;

/// The page as one HTML file that needs no network.
pub fn html(overview: &Overview, pictures: &Pictures) -> String {
    let body: String = items(overview, pictures).into_iter().map(html_of).collect();
    html::page(TITLE, &body)
}

/// The page as Markdown, without its pictures.
pub fn markdown(overview: &Overview) -> String {
    let body: String = items(overview, &Pictures::new()).into_iter().map(markdown_of).collect();
    format!("# {TITLE}\n\n{body}")
}

const TITLE: &str = "Warpsmith: blocks and memory systems";

fn html_of(item: Item) -> String {
    match item {
        Item::Heading(level, text) => {
            let id = text.to_lowercase().replace(' ', "-");
            format!("<h{level} id=\"{id}\">{}</h{level}>\n", html::escaped(&text))
        }
        Item::Text(text) => format!("<p>{}</p>\n", html::escaped(&text)),
        Item::Commands(commands) => format!("<pre>{}</pre>\n", html::escaped(&commands.join("\n"))),
        Item::Table(header, rows) => {
            format!("<div class=\"wide\">{}</div>\n", html::table(&header, &rows))
        }
        Item::Picture(caption, svg) => format!(
            "<figure><div class=\"wide\">{svg}</div><figcaption>{}</figcaption></figure>\n",
            html::escaped(&caption)
        ),
    }
}

fn markdown_of(item: Item) -> String {
    let row = |cells: &[String]| {
        let cells: Vec<_> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
        format!("| {} |\n", cells.join(" | "))
    };
    match item {
        Item::Heading(level, text) => format!("{} {text}\n\n", "#".repeat(level.into())),
        Item::Text(text) => format!("{text}\n\n"),
        Item::Commands(commands) => {
            commands.iter().map(|command| format!("    {command}\n")).collect::<String>() + "\n"
        }
        Item::Table(header, rows) => {
            let rule = format!("|{}\n", "---|".repeat(header.len()));
            let rows: String = rows.iter().map(|cells| row(cells)).collect();
            format!("{}{rule}{rows}\n", row(&header))
        }
        Item::Picture(..) => String::new(),
    }
}

fn items(overview: &Overview, pictures: &Pictures) -> Vec<Item> {
    let mut items = vec![Item::Heading(2, "Overview".to_string()), summary(overview)];
    let none = Vec::new();
    for (index, block) in overview.blocks.iter().enumerate() {
        items.extend(of_block(block, pictures.get(index).unwrap_or(&none)));
    }
    items.push(Item::Heading(2, "Kernels and memory systems".to_string()));
    items.extend(kernels(&overview.kernels));
    if !overview.given.is_empty() {
        items.push(Item::Heading(2, "Given kernels".to_string()));
        let rows = overview.given.iter().filter_map(|given| match &given.found {
            Document::Run(run) => {
                Some([vec![given.file.display().to_string()], kernel_row(run)].concat())
            }
            _ => None,
        });
        items.push(Item::Table(
            [vec!["file".to_string()], strings(&KERNEL)].concat(),
            rows.collect(),
        ));
    }
    if !overview.missing.is_empty() {
        items.push(Item::Heading(2, "Not recorded".to_string()));
        items.push(Item::Text(
            "Missing, or recorded of earlier inputs. `warpsmith report --record` runs those of \
             cosim, prove, synth and run; the others run as they stand."
                .to_string(),
        ));
        let mut commands = overview.missing.clone();
        commands.dedup();
        items.push(Item::Commands(commands));
    }
    items
}

fn strings<const N: usize>(cells: &[&str; N]) -> Vec<String> {
    cells.iter().map(|cell| (*cell).to_string()).collect()
}

/// A figure of a cell, marked if it is not of the present inputs.
fn shown<T>(cell: &Cell<T>, of: impl FnOnce(&T) -> String) -> String {
    match (&cell.found, cell.state) {
        (Some(found), State::Recorded) => of(found),
        (Some(found), _) => format!("{} (stale)", of(found)),
        (None, _) => "missing".to_string(),
    }
}

/// One row a block.
fn summary(overview: &Overview) -> Item {
    let header = ["block", "corners met", "proven", "mutation score", "ECP5", "osu018", "from"];
    let rows = overview.blocks.iter().map(|block| {
        let found = |wanted: &str, of: fn(&Document) -> Option<String>| {
            let cell = block.runs.iter().find(|cell| cell.command.contains(wanted));
            cell.map_or(String::new(), |cell| {
                shown(cell, |document| of(document).unwrap_or_default())
            })
        };
        let percents: Vec<_> = block.scores.iter().filter_map(|score| score.percent).collect();
        let lowest = percents.iter().copied().reduce(f64::min);
        let scores = lowest.map_or("missing".to_string(), |lowest| {
            format!("{lowest:.1} % or more, {} of {} runs", percents.len(), block.scores.len())
        });
        vec![
            block.block.name.to_string(),
            found("cosim", |document| match document {
                Document::Cosim(cosim) => Some(corners(cosim)),
                _ => None,
            }),
            found("prove", |document| match document {
                Document::Prove(prove) => Some(proven(prove)),
                _ => None,
            }),
            scores,
            shown(&block.baseline, |metrics| {
                let of = |name| number(metrics.get(name).copied().unwrap_or_default());
                format!("{} LUT, {} MHz", of("lut"), of("fmax"))
            }),
            found("--target asic", |document| match document {
                Document::Synth(synth) => Some(area(synth)),
                _ => None,
            }),
            block.block.paper.to_string(),
        ]
    });
    Item::Table(strings(&header), rows.collect())
}

fn corners(cosim: &Cosim) -> String {
    format!(
        "{} of {}",
        cosim.corners - cosim.missed_corners.len().min(cosim.corners),
        cosim.corners
    )
}

fn proven(prove: &Prove) -> String {
    let of = prove.assertions;
    format!("{} of {}", of.proven, of.proven + of.bounded + of.fails + of.not_proven)
}

fn area(synth: &Synth) -> String {
    let asic = synth.asic.as_ref().map(|asic| format!("{} kGE", number(asic.kge)));
    let fpga = synth.fpga.as_ref().map(|fpga| {
        format!("{} LUT, {} FF, {} RAM", thousands(fpga.lut), thousands(fpga.ff), fpga.bram)
    });
    asic.or(fpga).unwrap_or_default()
}

fn of_block(overview: &BlockOverview, pictures: &[(String, String)]) -> Vec<Item> {
    let Block { name, summary, paper, .. } = overview.block;
    let mut items =
        vec![Item::Heading(2, (*name).to_string()), Item::Text(format!("{summary}. {paper}."))];
    items.extend(pictures.iter().map(|(caption, svg)| Item::Picture(caption.clone(), svg.clone())));
    let mut rows: Vec<_> = overview
        .runs
        .iter()
        .map(|cell| vec![cell.command.clone(), shown(cell, in_words)])
        .collect();
    let Cell { command, .. } = &overview.baseline;
    rows.push(vec![command.clone(), shown(&overview.baseline, routed)]);
    let given = overview.given.iter();
    rows.extend(given.map(|given| vec![given.file.display().to_string(), in_words(&given.found)]));
    items.push(Item::Table(strings(&["run", "found"]), rows));
    items.extend(overview.given.iter().filter_map(|given| match &given.found {
        Document::Sweep(sweep) => Some(swept(name, sweep)),
        _ => None,
    }));
    let header = ["faults", "preset", "killed", "no fault", "survive", "score"];
    let rows = overview.scores.iter().map(score_row);
    items.push(Item::Table(strings(&header), rows.collect()));
    if !overview.claims.is_empty() {
        let header = ["figure", "paper", "ours", "difference", "source", "how ours is counted"];
        let rows = overview.claims.iter().map(|judged| {
            let claim = &judged.claim;
            let delta = judged.delta_percent;
            vec![
                claim.what.clone(),
                format!("{} {}", number(claim.paper), claim.unit),
                format!("{} {}", number(claim.ours), claim.unit),
                if delta.is_finite() { format!("{delta:+.1} %") } else { "-".to_string() },
                claim.source.to_string(),
                claim.how.clone(),
            ]
        });
        items.push(Item::Table(strings(&header), rows.collect()));
    }
    items
}

fn in_words(document: &Document) -> String {
    match document {
        Document::Cosim(cosim) => {
            let missed = match cosim.missed_corners.is_empty() {
                true => String::new(),
                false => format!("; not met: {}", cosim.missed_corners.join("; ")),
            };
            format!(
                "{}, {} requests, {} clocks each, {} corners met{missed}",
                cosim.verdict.replace('_', " "),
                thousands(cosim.requests),
                number(cosim.clocks_per_request),
                corners(cosim),
            )
        }
        Document::Prove(prove) => {
            let (met, covers) = prove.covers;
            format!(
                "{} assertions proven for all time, {} for the bounded depth, {} fail; {met} of {covers} \
                 covers met, {} corners without a cover",
                proven(prove),
                prove.assertions.bounded,
                prove.assertions.fails,
                prove.corners_without_cover,
            )
        }
        Document::Synth(synth) => {
            let fmax = synth.fmax.as_ref().map(|fmax| {
                format!(", {} MHz ({} asked)", number(fmax.median_mhz), number(fmax.asked_mhz))
            });
            format!("{}{}; {}", area(synth), fmax.unwrap_or_default(), synth.target)
        }
        Document::Sweep(sweep) => {
            let measured = sweep.points.iter().filter(|point| point.figures().is_some()).count();
            format!("{measured} of {} points with figures", sweep.points.len())
        }
        Document::Run(run) => kernel_row(run).join(", "),
    }
}

/// The points of a sweep.
fn swept(block: &str, sweep: &Sweep) -> Item {
    let (varied, records) = (&sweep.varied()[..], &sweep.points[..]);
    let (header, rows) = SweepReport { block, preset: "", varied, records }.table();
    Item::Table(header, rows)
}

/// The figures of a baseline.
fn routed(metrics: &BTreeMap<String, f64>) -> String {
    let figures = METRICS.iter().filter_map(|metric| {
        let value = metrics.get(metric.name)?;
        Some(format!("{} {}", number(*value), metric.head()))
    });
    figures.collect::<Vec<_>>().join(", ")
}

fn score_row(score: &ScoreCell) -> Vec<String> {
    let counts = score.cell.found.as_ref().map(|found| found.counts);
    let count = |of: fn(crate::flow::mutate::record::Counts) -> u32| {
        counts.map_or("-".to_string(), |counts| of(counts).to_string())
    };
    let how_many = score.run.count.map(|count| format!(" {count}")).unwrap_or_default();
    vec![
        format!("{}{how_many}, seed {}", score.run.faults.name(), score.run.seed),
        score.run.preset.clone(),
        count(|counts| counts.killed + counts.killed_by_proof),
        count(|counts| counts.equivalent + counts.argued),
        count(|counts| counts.survived),
        shown(&score.cell, |_| {
            score.percent.map_or("-".to_string(), |percent| format!("{percent:.1} %"))
        }),
    ]
}

const KERNEL: [&str; 10] = [
    "kernel",
    "system",
    "machine",
    "clocks",
    "warp instructions",
    "L1 hits",
    "L2 hits",
    "DRAM lines",
    "kB between GPMs",
    "kB between GPUs",
];

fn kernels(cells: &[Cell<KernelRun>]) -> Vec<Item> {
    let rows = cells.iter().map(|cell| match &cell.found {
        Some(run) => {
            let mut row = kernel_row(run);
            if cell.state == State::Stale {
                row[0].push_str(" (stale)");
            }
            row
        }
        None => vec![cell.command.clone(), "missing".to_string()],
    });
    vec![Item::Table(strings(&KERNEL), rows.collect())]
}

fn kernel_row(run: &KernelRun) -> Vec<String> {
    let name = run.file.rsplit('/').next().unwrap_or_default().trim_end_matches(".ptx");
    let wrong = if run.as_expected { "" } else { " (wrong result)" };
    let mut row = vec![format!("{name}{wrong}")];
    let Some(timing) = &run.timing else {
        row.extend([
            "functional".to_string(),
            String::new(),
            String::new(),
            thousands(run.warp_instructions),
        ]);
        return row;
    };
    let of = &timing.statistics;
    let l2 = Hits {
        hits: of.l2_remote.hits + of.l2_home.hits,
        misses: of.l2_remote.misses + of.l2_home.misses,
    };
    row.extend([
        timing.system.clone(),
        timing.machine.clone(),
        thousands(timing.cycles),
        thousands(run.warp_instructions),
        percent(of.l1),
        percent(l2),
        thousands(of.dram.reads + of.dram.writes),
        thousands(of.traffic.between_gpms / 1000),
        thousands(of.traffic.between_gpus / 1000),
    ]);
    row
}

fn percent(Hits { hits, misses }: Hits) -> String {
    match hits + misses {
        0 => "-".to_string(),
        all => format!("{:.1} %", 100.0 * hits as f64 / all as f64),
    }
}
