//! Verdicts of the axioms of PTX's memory model on litmus tests.

use std::collections::BTreeSet;

use serde::Serialize;

use super::{heading, table, thousands};
use crate::gpu::litmus::axioms::{Judgement, Verdict};
use crate::gpu::litmus::{Condition, Test, Variant};

/// A `forbidden` or `allowed` line, with the axioms' verdicts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AxiomLine {
    /// The file.
    pub file: String,
    /// Line number in the file.
    pub line: usize,
    /// The test.
    pub test: String,
    /// The claim, `forbidden` or `allowed`, or `exists` for a question.
    pub claim: String,
    /// The condition.
    pub condition: String,
    /// The axioms' verdicts, by scope and place.
    pub verdicts: Vec<(String, Verdict)>,
}

/// The axioms' verdicts on the lines of all tests.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct AxiomReport {
    /// Candidate executions that were judged.
    pub candidates: u64,
    /// Every line.
    pub lines: Vec<AxiomLine>,
    /// Whether every line agrees with the axioms.
    pub agrees: bool,
}

/// All outcomes of a test in a scope and place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Outcomes {
    /// The test.
    pub test: String,
    /// Scope and place.
    pub variant: String,
    /// Candidate executions that were judged.
    pub candidates: u64,
    /// Possible final values of the loaded registers and the locations.
    pub outcomes: BTreeSet<String>,
}

impl AxiomLine {
    /// The verdicts that contradict the line.
    pub fn against(&self) -> impl Iterator<Item = &(String, Verdict)> {
        self.verdicts.iter().filter(|(_, verdict)| match &self.claim[..] {
            "exists" => false,
            claim => verdict.is_allowed() != (claim == "allowed"),
        })
    }
}

impl AxiomReport {
    /// Adds the lines of a test.
    pub fn add(&mut self, test: &Test, judged: &[(Variant, Judgement)]) {
        type Verdicts = fn(&Judgement) -> &Vec<Verdict>;
        let mut add = |claim: &str, conditions: &[Condition], verdicts: Verdicts| {
            for (at, condition) in conditions.iter().enumerate() {
                self.lines.push(AxiomLine {
                    file: test.file.clone(),
                    line: condition.line,
                    test: test.name.clone(),
                    claim: claim.to_string(),
                    condition: condition.text.clone(),
                    verdicts: judged
                        .iter()
                        .map(|(variant, judgement)| {
                            (variant.to_string(), verdicts(judgement)[at].clone())
                        })
                        .collect(),
                });
            }
        };
        add("forbidden", &test.forbidden, |judgement| &judgement.forbidden);
        add("allowed", &test.allowed, |judgement| &judgement.allowed);
        add("exists", &test.asked, |judgement| &judgement.asked);
        self.candidates += judged.iter().map(|(_, judgement)| judgement.candidates).sum::<u64>();
        self.agrees = self.lines.iter().all(|line| line.against().next().is_none());
    }

    /// The report as text.
    pub fn text(&self) -> String {
        let verdicts = |line: &AxiomLine| {
            let mut verdicts: Vec<(String, Vec<&str>)> = Vec::new();
            for (variant, verdict) in &line.verdicts {
                match verdicts.iter_mut().find(|(known, _)| *known == verdict.to_string()) {
                    Some((_, variants)) => variants.push(variant),
                    None => verdicts.push((verdict.to_string(), vec![variant])),
                }
            }
            match &verdicts[..] {
                [(all, _)] => all.clone(),
                _ => {
                    let each = |(verdict, variants): &(String, Vec<&str>)| {
                        format!("{verdict} ({})", variants.join("; "))
                    };
                    verdicts.iter().map(each).collect::<Vec<_>>().join("; ")
                }
            }
        };
        let row = |line: &AxiomLine| {
            let at = line.line.to_string();
            [line.test.clone(), at, line.claim.clone(), line.condition.clone(), verdicts(line)]
        };
        let header = ["test", "line", "the file says", "condition", "the axioms of PTX say"];
        let mut text = table(header, self.lines.iter().map(row));
        let against =
            self.lines.iter().flat_map(|line| line.against().map(move |against| (line, against)));
        let against: Vec<_> = against.collect();
        if !against.is_empty() {
            text += &format!("\n{}\n", heading("Against the axioms"));
        }
        for (line, (variant, verdict)) in against {
            let AxiomLine { file, line, claim, condition, .. } = line;
            text += &match verdict {
                Verdict::Allowed(execution) => format!(
                    "\n{file}:{line}: {claim} {condition}: allowed in {variant}, in this execution: \
                     {execution}"
                ),
                Verdict::Forbidden(_) => {
                    format!("\n{file}:{line}: {claim} {condition}: in {variant}, {verdict}")
                }
            };
        }
        let count = thousands(self.candidates);
        text + &match self.agrees {
            true => format!("\n\n{count} candidate executions: every line agrees with the axioms"),
            false => format!("\n\n{count} candidate executions: LINES AGAINST THE AXIOMS"),
        }
    }
}

impl Outcomes {
    /// The outcomes of a test.
    pub fn new(test: &Test, variant: Variant, judgement: Judgement) -> Self {
        let Judgement { candidates, outcomes, .. } = judgement;
        Self { test: test.name.clone(), variant: variant.to_string(), candidates, outcomes }
    }

    /// The outcomes as text, one per line.
    pub fn text(&self) -> String {
        let title = format!("{}, {}: {} outcomes", self.test, self.variant, self.outcomes.len());
        let outcomes: Vec<_> = self.outcomes.iter().map(String::as_str).collect();
        format!("{}\n{}", heading(&title), outcomes.join("\n"))
    }
}
