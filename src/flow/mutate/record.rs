//! The record of a mutation run.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use warpsmith_testbench::dut::Origin;

use super::mutation::MutationKind;
use super::planting::Mutant;
use super::replay::Difference;
use crate::flow::synth::record::ToolUsed;

/// The verdict on a mutant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub enum MutantVerdict {
    /// Co-simulation finds it.
    Killed {
        /// The mismatch.
        how: String,
        /// Requests that the mutant had accepted in that episode.
        requests: u64,
    },
    /// It breaks a property of the block; co-simulation did not find it.
    KilledByProof {
        /// The property.
        how: String,
    },
    /// Proven equivalent for every legal use.
    Equivalent,
    /// Shown to be no fault by an argument with a check, not by a proof of this circuit.
    Argued {
        /// The argument and its check.
        how: String,
    },
    /// Not found.
    Survived {
        /// A use that distinguishes it from the circuit, if one was found.
        difference: Option<Difference>,
        /// Why there is neither a difference nor a proof.
        open: Option<String>,
    },
}

impl MutantVerdict {
    /// Whether neither a use nor a proof has decided it.
    pub fn is_undecided(&self) -> bool {
        matches!(self, Self::Survived { difference: None, .. })
    }
}

/// A mutant with its verdict.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Judged {
    /// The mutant.
    #[serde(flatten)]
    pub mutant: Mutant,
    /// Its verdict.
    #[serde(flatten)]
    pub verdict: MutantVerdict,
    /// Seconds of co-simulation.
    pub simulation_seconds: f64,
    /// Seconds of proofs.
    pub proof_seconds: f64,
}

/// How many mutants have each verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Found by co-simulation.
    pub killed: u32,
    /// Found by proofs alone.
    pub killed_by_proof: u32,
    /// Proven to be no fault.
    pub equivalent: u32,
    /// Shown to be no fault by an argument with a check.
    pub argued: u32,
    /// Not found.
    pub survived: u32,
    /// Of the survivors, those for which neither a proof nor a difference was found.
    pub open: u32,
}

impl Counts {
    /// Counts the verdicts of these mutants.
    pub fn of<'a>(judged: impl IntoIterator<Item = &'a Judged>) -> Self {
        let mut counts = Self::default();
        for Judged { verdict, .. } in judged {
            match verdict {
                MutantVerdict::Killed { .. } => counts.killed += 1,
                MutantVerdict::KilledByProof { .. } => counts.killed_by_proof += 1,
                MutantVerdict::Equivalent => counts.equivalent += 1,
                MutantVerdict::Argued { .. } => counts.argued += 1,
                MutantVerdict::Survived { difference, .. } => {
                    counts.survived += 1;
                    counts.open += u32::from(difference.is_none());
                }
            }
        }
        counts
    }

    /// The counts of each kind present, in the order of [`MutationKind::ALL`].
    pub fn of_kinds(judged: &[Judged]) -> Vec<KindCounts> {
        let of_kind = |kind: MutationKind| {
            let judged = judged.iter().filter(|judged| judged.mutant.kind == kind);
            let counts = Self::of(judged);
            (counts != Self::default()).then(|| KindCounts {
                kind,
                score_percent: counts.score_percent(),
                counts,
            })
        };
        MutationKind::ALL.into_iter().filter_map(of_kind).collect()
    }

    /// Percentage of killed among killed and survived; none if every mutant is equivalent.
    pub fn score_percent(&self) -> Option<f64> {
        let killed = self.killed + self.killed_by_proof;
        let faults = killed + self.survived;
        (faults > 0).then(|| 100.0 * f64::from(killed) / f64::from(faults))
    }
}

/// The counts of one kind.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct KindCounts {
    /// The kind.
    pub kind: MutationKind,
    /// Percentage of killed among killed and survived.
    pub score_percent: Option<f64>,
    /// Number of mutants with each verdict.
    #[serde(flatten)]
    pub counts: Counts,
}

/// A run of mutation.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MutationRecord {
    /// Name of the block.
    pub block: &'static str,
    /// Preset, or `custom`.
    pub preset: String,
    /// Its parameters.
    pub params: toml::Table,
    /// Whose each module is, of a user's Verilog.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origin: Option<Origin>,
    /// Mutants requested; fewer may exist. None: all.
    pub count: Option<u32>,
    /// Seed of the draw and of co-simulation.
    pub seed: u32,
    /// Most requests for each mutant.
    pub requests: u64,
    /// Percentage of killed among killed and survived.
    pub score_percent: Option<f64>,
    /// Number of mutants with each verdict.
    #[serde(flatten)]
    pub counts: Counts,
    /// The same for each kind.
    pub kinds: Vec<KindCounts>,
    /// All mutants.
    pub mutants: Vec<Judged>,
    /// Mutants whose verdict comes from an earlier run.
    pub resumed: u32,
    /// Why no broken property was searched for, if so.
    pub properties_not_searched: Option<String>,
    /// Wall time in seconds.
    pub seconds: f64,
    /// Programs with their versions.
    pub tools: Vec<ToolUsed>,
    /// The folder of netlists, proofs and logs.
    pub folder: PathBuf,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_score_leaves_equivalent_mutants_out() {
        let counts = Counts {
            killed: 7,
            killed_by_proof: 2,
            equivalent: 80,
            argued: 10,
            survived: 1,
            open: 0,
        };
        assert_eq!(counts.score_percent(), Some(90.0));
        assert_eq!(Counts { equivalent: 5, ..Counts::default() }.score_percent(), None);
    }
}
