//! Proofs: the properties of a block, its channels and its circuit, for every legal use.
//!
//! Three searches complement each other. *Unbounded*: assertions are proven for all time, or left open.
//! *Bounded*: no run of bounded length violates any assertion, or a trace shows one that does. *Cover*: every
//! cover is met by some run, which shows that the assumptions do not exclude too much.

pub mod bounded;
pub mod equivalence;
pub mod induction;
mod parts;
pub mod record;
pub mod reuse;
pub mod top;
pub mod unbounded;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use warpsmith_blocks::properties::corner_label;
use warpsmith_rtl::Module;
use warpsmith_rtl::verilog::{EmitOptions, VerilogFile, emit};

use self::bounded::{Found, Mode, SBY, YICES};
use self::record::{Assertion, AssertionVerdict, Cover, ProveRecord, Task};
use self::top::Top;
use self::unbounded::Outcome;
use super::folder::Folder;
use super::synth::Subject;
use super::synth::record::ToolUsed;
use super::tool::{Program, ToolError, Version};
use super::users::{self, Verilog};
use super::yosys::YOSYS;
use super::{FlowError, Tell};

/// What to prove, with limits.
#[derive(Clone, Debug)]
pub struct ProveOptions {
    /// Clocks of bounded proofs, the reset included.
    pub depth: u32,
    /// Clocks within which covers must be met; the block's own default if absent.
    pub cover_depth: Option<u32>,
    /// Time limit of the bounded search and of the cover search.
    pub limit: Duration,
    /// Time limit of the unbounded proof of each assertion.
    pub each: Duration,
    /// The searches to run.
    pub searches: Searches,
    /// The user's Verilog that replaces the circuit.
    pub source: Option<Verilog>,
    /// The document of an earlier run, printed instead of a run of the same key.
    pub reuse: Option<ProveRecord>,
    /// The folder to work in.
    pub folder: PathBuf,
}

/// Which searches to run.
#[derive(Clone, Copy, Debug)]
pub struct Searches {
    /// Proofs for all time.
    pub unbounded: bool,
    /// Search of bounded runs.
    pub bounded: bool,
    /// Covers.
    pub cover: bool,
}

/// The programs that proofs need.
#[derive(Clone, Debug)]
pub struct Programs {
    yosys: Program,
    sby: Program,
    yices: Program,
}

impl Programs {
    /// Finds the programs.
    ///
    /// # Errors
    /// Returns [`ToolError`] if one is missing or too old.
    pub fn find() -> Result<Self, ToolError> {
        let yosys = YOSYS.find()?;
        yosys.need(Version(0, 33), " for proofs", YOSYS.packages)?;
        Ok(Self { yosys, sby: SBY.find()?, yices: YICES.find()? })
    }

    /// The programs and versions for the record.
    pub fn used(&self) -> Vec<ToolUsed> {
        [&self.yosys, &self.sby, &self.yices].map(ToolUsed::from).into()
    }
}

/// The input of every search.
#[derive(Clone)]
pub struct Job<'a> {
    folder: &'a Folder,
    files: Vec<String>,
    /// Script lines that read and flatten the design.
    read: String,
    programs: &'a Programs,
    limit: Duration,
    tell: Tell<'a>,
}

/// Proves a design's properties.
///
/// # Errors
/// Returns [`FlowError`] if a tool is missing or fails.
pub fn prove(
    subject: &Subject<'_>,
    options: &ProveOptions,
    tell: Tell<'_>,
) -> Result<ProveRecord, FlowError> {
    let started = Instant::now();
    tell("starting yosys (from PyPI it compiles itself at its first start: a minute)");
    let programs = Programs::find()?;
    let folder = Folder::empty(&options.folder)?;
    let circuit = subject.design.circuit();
    let top = top::top(subject.design, &circuit, options.source.is_none(), "");
    let files = write(&circuit, &top, options, &folder)?;
    let read = read_script(&files, &top, &parts::asserted(&top));
    let key = reuse::key(&folder, &files, &read, options, &programs)?;
    if let Some(earlier) = options.reuse.as_ref().filter(|earlier| earlier.key == key) {
        return Ok(ProveRecord { folder: folder.path().to_owned(), ..earlier.clone() });
    }
    let limit = options.limit;
    let job = Job { folder: &folder, files, read, programs: &programs, limit, tell };

    let mut tasks = Vec::new();
    let names = unbounded::netlist(&job).map_err(clocked_otherwise)?;
    let outcomes = unbounded(&job, names, &top, options, &mut tasks)?;
    let mut search = |wanted: bool, mode, depth, what: &str| {
        if !wanted {
            return Ok(None);
        }
        tell(what);
        let found = bounded::run(&job, mode, depth, limit)?;
        tasks.push(found.task.clone());
        Ok::<_, FlowError>(Some(found))
    };
    // Assertions proven for all time need no bounded search.
    let is_open = outcomes.iter().any(|(_, outcome)| !matches!(outcome, Outcome::Proven(_)));
    let bounded =
        search(options.searches.bounded && is_open, Mode::Bounded, options.depth, "bounded proof")?;
    let clocks = options.cover_depth.unwrap_or(top.cover_depth);
    let covered = search(options.searches.cover, Mode::Cover, clocks, "covers")?;

    let covers = covered.as_ref().map(|found| covers(&job, found)).transpose()?.unwrap_or_default();
    Ok(ProveRecord {
        block: subject.design.name().to_string(),
        preset: subject.preset.to_string(),
        params: subject.design.params(),
        circuit: if options.source.is_some() { "your Verilog" } else { "emitted" }.to_string(),
        origin: options.source.as_ref().and_then(|source| source.origin.clone()),
        assumptions: assumptions(&folder, options)?,
        assertions: verdicts(outcomes, bounded.as_ref()),
        corners_without_cover: corners_without(subject, &top, &covers, covered.is_some()),
        covers,
        tasks,
        without_properties: top.without,
        tools: programs.used(),
        key,
        seconds: started.elapsed().as_secs_f64(),
        folder: folder.path().to_owned(),
    })
}

/// Tries to prove assertions for all time: with invariants by induction over the largest inductive set, else
/// each on its own.
fn unbounded(
    job: &Job<'_>,
    names: Vec<String>,
    top: &Top,
    options: &ProveOptions,
    tasks: &mut Vec<Task>,
) -> Result<Vec<(String, Outcome)>, FlowError> {
    if !options.searches.unbounded {
        let open = || Outcome::Open("no proof for all time was requested".to_string());
        return Ok(names.into_iter().map(|name| (name, open())).collect());
    }
    if top.probes.is_empty() {
        let (outcomes, task) = unbounded::run(job, &names, options.each)?;
        tasks.push(task);
        return Ok(outcomes);
    }
    let (mut outcomes, ran) = induction::run(&parts::take_out(job, top)?)?;
    tasks.extend(ran);
    let outcome = |name: &String| parts::outcome(top, outcomes.remove(name));
    Ok(names.iter().cloned().zip(names.iter().map(outcome)).collect())
}

/// Writes all Verilog and returns the file names.
fn write(
    circuit: &Module,
    top: &Top,
    options: &ProveOptions,
    folder: &Folder,
) -> Result<Vec<String>, FlowError> {
    let mut files = vec![(format!("{}.v", top.name), top.verilog.clone())];
    let emitted = |module| emit(module, &EmitOptions::default());
    match &options.source {
        Some(source) if source.is_users() => {
            source.read(folder, true)?;
            files.push((users::DESIGN.to_string(), folder.read(users::DESIGN)?));
        }
        Some(source) => {
            files.extend(source.files.iter().map(|file| (file.name.clone(), file.text.clone())));
        }
        None => files.extend(emitted(circuit)?.into_iter().map(named)),
    }
    for module in &top.properties {
        files.extend(emitted(module)?.into_iter().map(named));
    }
    // Several instances may share a module.
    let mut known = BTreeSet::new();
    files.retain(|(name, _)| known.insert(name.clone()));
    for (name, text) in &files {
        folder.write(name, text)?;
    }
    Ok(files.into_iter().map(|(name, _)| name).collect())
}

fn named(file: VerilogFile) -> (String, String) {
    (file.file_name(), file.text)
}

/// The refusal of a circuit with more than one clock.
fn clocked_otherwise(error: FlowError) -> FlowError {
    match &error {
        FlowError::Tool(ToolError::Failed { tail, .. }) if tail.contains("clk2fflogic") => {
            let cause = tail.lines().last().unwrap_or_default().replacen("ERROR: ", "", 1);
            FlowError::Input(format!(
                "proofs take circuits whose registers all have the rising or all the falling edge of clk; a gated, \
                 divided or second clock is not taken, but cosim takes it: {}",
                users::original(&cause)
            ))
        }
        _ => error,
    }
}

/// File that lists the assumptions of a user's circuit.
const ASSUMED: &str = "assumptions.txt";

/// The assumptions of a user's circuit, each with its place.
fn assumptions(folder: &Folder, options: &ProveOptions) -> Result<Vec<String>, FlowError> {
    if !options.source.as_ref().is_some_and(Verilog::is_users) {
        return Ok(Vec::new());
    }
    let listed = folder.read(ASSUMED)?;
    let names = listed.lines().filter_map(|line| line.split_once("dut.")).map(|(_, name)| name);
    // A name that yosys made has the place; one of ours is not that of a copy.
    let of_users =
        names.filter(|name| !name.contains("$assume$") || name.contains("$assume$users/"));
    let place = |name: &str| {
        let (_, place) = name.rsplit_once("$assume$").unwrap_or(("", name));
        users::original(place.rsplit_once('$').map_or(place, |(place, _)| place))
    };
    let mut found: Vec<_> = of_users.map(place).collect();
    found.sort();
    Ok(found)
}

/// Lines of a yosys script that read and flatten the design; `of_parts` are about the contracts of parts.
pub fn read_script(files: &[String], top: &Top, of_parts: &str) -> String {
    // Kept until they are connected, even without fan-out.
    let kept =
        top.probes.iter().map(|(wire, path)| format!("setattr -set keep 1 w:{wire} w:{path}\n"));
    let probes = top.probes.iter().map(|(wire, path)| format!("connect -set {wire} {path}\n"));
    let (users, files): (Vec<_>, Vec<_>) = files.iter().partition(|file| file.ends_with(".il"));
    let users: String = users.iter().map(|file| format!("read_rtlil {file}\n")).collect();
    let files: Vec<_> = files.iter().map(|file| file.as_str()).collect();
    // An index out of range gives any value.
    let of_users = match users.is_empty() {
        true => String::new(),
        false => format!(
            "techmap t:$shiftx\nsetundef -anyseq\n\
             tee -q -o {ASSUMED} select -list t:$assume t:$check r:FLAVOR=assume %i %u\n"
        ),
    };
    format!(
        "{users}read_verilog -formal -sv {}\nhierarchy -check -top {top}\nproc\nsetundef -anyseq\nflatten\n\
         {of_users}cd {top}\n{}cd ..\nmemory -nomap\nmemory_map -formal\ncd {top}\n{}{of_parts}cd ..\n\
         chformal -early\nopt -fast\nsetundef -undriven -anyseq\nopt -fast\nopt_clean\n",
        files.join(" "),
        kept.collect::<String>(),
        probes.collect::<String>(),
        top = top.name,
    )
}

fn verdicts(outcomes: Vec<(String, Outcome)>, bounded: Option<&Found>) -> Vec<Assertion> {
    let verdict = |name: &str, outcome| {
        let violated = bounded.and_then(|found| found.met.get(name));
        match (violated, outcome, bounded) {
            (Some((clock, trace)), _, _) => {
                AssertionVerdict::Fails { clock: Some(*clock), trace: trace.clone() }
            }
            (None, Outcome::Fails(clock), _) => {
                AssertionVerdict::Fails { clock: Some(clock), trace: None }
            }
            (None, Outcome::Proven(by), _) => AssertionVerdict::Proven { by },
            (None, Outcome::Open(_), Some(found)) if found.clocks > 0 => {
                AssertionVerdict::Bounded { clocks: found.clocks }
            }
            (None, Outcome::Open(why), _) => AssertionVerdict::NotProven { why },
        }
    };
    let assertion =
        |(name, outcome): (String, Outcome)| Assertion { verdict: verdict(&name, outcome), name };
    outcomes.into_iter().map(assertion).collect()
}

/// All covers: those met, and the others that sby lists.
fn covers(job: &Job<'_>, found: &Found) -> Result<Vec<Cover>, FlowError> {
    let report = job.folder.read("cover/cover.xml")?;
    let mut names: BTreeSet<String> = found.met.keys().cloned().collect();
    for line in report.lines().filter(|line| line.contains("type=\"COVER\"")) {
        let id = line.split_once("id=\"").and_then(|(_, rest)| rest.split('"').next());
        names.extend(id.map(str::to_string));
    }
    let clock = |name: &str| found.met.get(name).map(|(clock, _)| *clock);
    Ok(names.into_iter().map(|name| Cover { clock: clock(&name), name }).collect())
}

/// Corners of co-simulation, reachable with these parameters, that have no cover.
fn corners_without(subject: &Subject<'_>, top: &Top, covers: &[Cover], asked: bool) -> Vec<String> {
    let corners = subject.design.corners().iter().enumerate();
    let reachable = corners.filter(|(index, _)| asked && subject.design.reachable(*index));
    let label = |name: &str| format!("properties.{}", corner_label(name));
    let why = |index| top.unseen.iter().find(|(unseen, _)| *unseen == index).map(|(_, why)| why);
    reachable
        .filter(|(_, corner)| !covers.iter().any(|cover| cover.name == label(corner.name)))
        .map(|(index, corner)| match why(index) {
            Some(why) => format!("{}: {why}", corner.name),
            None => corner.name.to_string(),
        })
        .collect()
}
