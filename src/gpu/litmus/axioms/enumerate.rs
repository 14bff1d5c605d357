//! Candidate executions, one after the other.

use std::collections::BTreeSet;

use super::barriers::meetings;
use super::execution::{Events, Fenced, Sources};
use super::relation::{EVENTS, Relation};
use super::trace::{Trace, What};
use super::values::ways;
use super::{Axiom, Judgement, Limit, MOST, Seats, Verdict};
use crate::config::MachineConfig;
use crate::litmus::instruction::flattened;
use crate::litmus::{Condition, Kind, Term, Test, Variant};

/// Copies of a thread that branches backwards.
const LEAST_COPIES: usize = 2;
const MOST_COPIES: usize = 3;

/// Judges every candidate execution of a variant of a test.
///
/// # Errors
/// If there are too many.
pub fn judge(test: &Test, variant: Variant, machine: &MachineConfig) -> Result<Judgement, Limit> {
    let jumps = test.threads.iter().flatten().any(|it| matches!(it.kind, Kind::Branch(..)));
    // What a thread that waits reads before the last time makes the most executions, and seldom others.
    for copies in (LEAST_COPIES + 1..=MOST_COPIES).rev().filter(|_| jumps) {
        if let Ok(judgement) = judge_with(test, variant, machine, copies) {
            return Ok(judgement);
        }
    }
    judge_with(test, variant, machine, LEAST_COPIES)
}

/// Judges with threads that branch backwards so often, less one.
fn judge_with(
    test: &Test,
    variant: Variant,
    machine: &MachineConfig,
    copies: usize,
) -> Result<Judgement, Limit> {
    let threads = ways(test, variant, copies)?;
    let conditions: Vec<_> =
        test.forbidden.iter().chain(&test.allowed).chain(&test.asked).collect();
    let mut search = Search {
        test,
        conditions: conditions
            .iter()
            .map(|it| (*it, Verdict::Forbidden(BTreeSet::new())))
            .collect(),
        seats: Seats::new(test, variant, machine),
        candidates: 0,
        outcomes: BTreeSet::new(),
    };
    search.threads(&threads, &mut Vec::new())?;
    let mut verdicts: Vec<_> = search.conditions.into_iter().map(|(_, verdict)| verdict).collect();
    let mut allowed = verdicts.split_off(test.forbidden.len());
    let asked = allowed.split_off(test.allowed.len());
    let Search { candidates, outcomes, .. } = search;
    Ok(Judgement { candidates, forbidden: verdicts, allowed, asked, outcomes })
}

struct Search<'a> {
    test: &'a Test,
    conditions: Vec<(&'a Condition, Verdict)>,
    seats: Seats,
    candidates: u64,
    outcomes: BTreeSet<String>,
}

impl Search<'_> {
    /// Takes a path through each thread.
    fn threads<'t>(
        &mut self,
        all: &'t [Vec<Trace>],
        taken: &mut Vec<&'t Trace>,
    ) -> Result<(), Limit> {
        if let Some(ways) = all.get(taken.len()) {
            for trace in ways {
                taken.push(trace);
                self.threads(all, taken)?;
                taken.pop();
            }
            return Ok(());
        }
        let events: usize = taken.iter().map(|trace| trace.events.len()).sum();
        if events + self.test.initial.len() > EVENTS {
            return Err(Limit::Events(EVENTS));
        }
        // A read of a value that nobody writes on these ways ends them.
        let is_written = |what: What| match what {
            What::Read(location, value) => {
                let writes = taken.iter().flat_map(|trace| &trace.events).map(|event| event.what);
                self.test.initial[location] == value
                    || writes.into_iter().any(|it| it == What::Write(location, value))
            }
            _ => true,
        };
        if taken.iter().flat_map(|trace| &trace.events).all(|event| is_written(event.what)) {
            for meetings in meetings(taken, &self.seats)? {
                let events = Events::new(taken, &self.test.initial, &self.seats, &meetings);
                self.sources(&events, taken, &events.reads(), &mut Vec::new())?;
            }
            return Ok(());
        }
        self.count()
    }

    fn count(&mut self) -> Result<(), Limit> {
        self.candidates += 1;
        match self.candidates > MOST {
            true => Err(Limit::Executions(MOST)),
            false => Ok(()),
        }
    }

    /// Takes a write for each read.
    fn sources(
        &mut self,
        events: &Events,
        traces: &[&Trace],
        reads: &[usize],
        taken: &mut Vec<(usize, usize)>,
    ) -> Result<(), Limit> {
        if let Some(read) = reads.get(taken.len()) {
            for write in events.sources(*read) {
                taken.push((*read, write));
                self.sources(events, traces, reads, taken)?;
                taken.pop();
            }
            return Ok(());
        }
        let ending = Ending { events, traces, sources: taken };
        match events.with_sources(taken) {
            Err(axiom) => {
                self.count()?;
                self.broken(axiom, &ending, None);
                Ok(())
            }
            Ok(sources) => {
                let (mut sc, pairs) = events.fences();
                self.fences(&sources, &ending, &pairs, &mut sc)
            }
        }
    }

    /// Takes an order of the fences.
    fn fences(
        &mut self,
        sources: &Sources<'_>,
        ending: &Ending<'_>,
        pairs: &[(usize, usize)],
        sc: &mut Relation,
    ) -> Result<(), Limit> {
        let Some(((one, other), rest)) = pairs.split_first() else {
            return match sources.with_fences(sc) {
                Err(axiom) => {
                    self.count()?;
                    self.broken(axiom, ending, None);
                    Ok(())
                }
                Ok(fenced) => {
                    let mut chosen = Relation::empty(ending.events.all.len());
                    self.writes(&fenced, ending, &ending.events.write_pairs(), &mut chosen)
                }
            };
        };
        for (first, second) in [(*one, *other), (*other, *one)] {
            sc.add(first, second);
            if sc.is_acyclic() {
                self.fences(sources, ending, rest, sc)?;
            }
            sc.remove(first, second);
        }
        Ok(())
    }

    /// Takes an order of the writes.
    fn writes(
        &mut self,
        fenced: &Fenced<'_>,
        ending: &Ending<'_>,
        pairs: &[(usize, usize)],
        chosen: &mut Relation,
    ) -> Result<(), Limit> {
        let Some(((one, other), rest)) = pairs.split_first() else {
            self.count()?;
            match fenced.with_writes(chosen) {
                Err(axiom) => self.broken(axiom, ending, Some(&ending.events.coherence(chosen))),
                Ok(coherence) => {
                    self.fine(ending, &coherence);
                    // What it would end with if writes that race had no order.
                    let racing = ending.events.coherence(chosen);
                    if racing != coherence {
                        self.broken(Axiom::Coherence, ending, Some(&racing));
                    }
                }
            }
            return Ok(());
        };
        for (first, second) in [(*one, *other), (*other, *one)] {
            chosen.add(first, second);
            if chosen.is_acyclic() {
                self.writes(fenced, ending, rest, chosen)?;
            }
            chosen.remove(first, second);
        }
        Ok(())
    }

    /// An axiom forbids a candidate; where its writes have no order yet, it may end with any.
    fn broken(&mut self, axiom: Axiom, ending: &Ending<'_>, coherence: Option<&Relation>) {
        let last = coherence.map(|coherence| ending.events.last(coherence));
        for (condition, verdict) in &mut self.conditions {
            if let Verdict::Forbidden(axioms) = verdict
                && !axioms.contains(&axiom)
                && ending.holds(condition, last.as_deref())
            {
                axioms.insert(axiom);
            }
        }
    }

    /// All axioms allow a candidate.
    fn fine(&mut self, ending: &Ending<'_>, coherence: &Relation) {
        let last = ending.events.last(coherence);
        for (condition, verdict) in &mut self.conditions {
            if !verdict.is_allowed() && ending.holds(condition, Some(&last)) {
                *verdict = Verdict::Allowed(ending.told(self.test, &last));
            }
        }
        ending.outcomes(self.test, &last, &mut self.outcomes);
    }
}

/// How a candidate ends.
struct Ending<'a> {
    events: &'a Events,
    traces: &'a [&'a Trace],
    sources: &'a [(usize, usize)],
}

impl Ending<'_> {
    fn written(&self, write: usize) -> u32 {
        match self.events.all[write].1.what {
            What::Write(_, value) => value,
            _ => 0,
        }
    }

    fn holds(&self, condition: &Condition, last: Option<&[Vec<usize>]>) -> bool {
        let held = |thread: usize, register: usize| self.traces[thread].registers[register];
        let registers = condition.terms.iter().all(|compared| match compared.term {
            Term::Register(thread, register) => compared.holds(held(thread, register), held),
            Term::Location(_) => true,
        });
        // Of writes that race any may be the last, but one is.
        let ends = |(at, writes): (usize, &Vec<usize>)| {
            let terms = condition.terms.iter().filter(|it| it.term == Term::Location(at));
            let is_last = |write: &usize| {
                let value = self.written(*write);
                terms.clone().all(|compared| compared.holds(value, held))
            };
            terms.clone().next().is_none() || writes.iter().any(is_last)
        };
        registers && last.is_none_or(|last| last.iter().enumerate().all(ends))
    }

    /// The execution in words: which line each load has its value from, and which store is the last.
    fn told(&self, test: &Test, last: &[Vec<usize>]) -> String {
        let by = |write: usize| match self.events.all[write] {
            (None, _) => "at the beginning".to_string(),
            (Some(_), ref event) => format!("of line {}", event.line),
        };
        let read = |(read, write): &(usize, usize)| {
            let line = self.events.all[*read].1.line;
            format!("line {line} reads {} {}", self.written(*write), by(*write))
        };
        let end = |(location, writes): (usize, &Vec<usize>)| {
            let writes: Vec<_> = writes
                .iter()
                .map(|write| format!("{} {}", self.written(*write), by(*write)))
                .collect();
            format!("{} ends with {}", test.locations[location], writes.join(" or "))
        };
        let reads = self.sources.iter().map(read);
        reads.chain(last.iter().enumerate().map(end)).collect::<Vec<_>>().join("; ")
    }

    /// Each that the test may end with: of writes that race, any may be the last.
    fn outcomes(&self, test: &Test, last: &[Vec<usize>], all: &mut BTreeSet<String>) {
        let mut registers = Vec::new();
        for (thread, (instructions, trace)) in test.threads.iter().zip(self.traces).enumerate() {
            let set = flattened(instructions).into_iter().filter_map(|it| match it.kind {
                Kind::Load(..) | Kind::Atomic(..) => it.kind.target(),
                _ => None,
            });
            for register in set.collect::<BTreeSet<_>>() {
                registers.push(format!("{thread}:r{register}={}", trace.registers[register]));
            }
        }
        let mut endings = vec![registers.join(" ")];
        for (name, writes) in test.locations.iter().zip(last) {
            let values: BTreeSet<_> = writes.iter().map(|write| self.written(*write)).collect();
            let with = |ending: &String| {
                let ending = ending.clone();
                values
                    .iter()
                    .map(move |value| format!("{ending} {name}={value}"))
                    .collect::<Vec<_>>()
            };
            endings = endings.iter().flat_map(with).collect();
        }
        all.extend(endings.into_iter().map(|ending| ending.trim_start().to_string()));
    }
}
