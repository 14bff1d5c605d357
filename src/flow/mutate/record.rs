//! What a run of mutation comes to.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::mutation::Kind;
use super::planting::Mutant;
use super::replay::Difference;
use crate::flow::synth::record::ToolUsed;

/// What became of a mutant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub enum Verdict {
    /// Co-simulation finds it.
    Killed {
        /// What it found.
        how: String,
        /// Requests that the mutant had accepted in that episode.
        requests: u64,
    },
    /// A proof of the block's properties fails on it; co-simulation did not find it.
    KilledByProof {
        /// What fails.
        how: String,
    },
    /// Proven: no legal use tells it from the circuit.
    Equivalent,
    /// Shown to be no fault by an argument whose check was run, not by a proof of this circuit.
    Argued {
        /// The argument and its check.
        how: String,
    },
    /// Nothing finds it.
    Survived {
        /// A use that tells it from the circuit; absent if neither that nor a proof was found.
        difference: Option<Difference>,
        /// Why there is neither.
        open: Option<String>,
    },
}

/// A mutant with its verdict.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Judged {
    /// The mutant.
    #[serde(flatten)]
    pub mutant: Mutant,
    /// What became of it.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// Seconds of co-simulation.
    pub simulation_seconds: f64,
    /// Seconds of proofs.
    pub proof_seconds: f64,
}

/// How many mutants came to what.
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
    /// Of these mutants.
    pub fn of<'a>(judged: impl IntoIterator<Item = &'a Judged>) -> Self {
        let mut counts = Self::default();
        for Judged { verdict, .. } in judged {
            match verdict {
                Verdict::Killed { .. } => counts.killed += 1,
                Verdict::KilledByProof { .. } => counts.killed_by_proof += 1,
                Verdict::Equivalent => counts.equivalent += 1,
                Verdict::Argued { .. } => counts.argued += 1,
                Verdict::Survived { difference, .. } => {
                    counts.survived += 1;
                    counts.open += u32::from(difference.is_none());
                }
            }
        }
        counts
    }

    /// Of each kind that there is, in the order of [`Kind::ALL`].
    pub fn of_kinds(judged: &[Judged]) -> Vec<KindCounts> {
        let of_kind = |kind: Kind| {
            let judged = judged.iter().filter(|judged| judged.mutant.kind == kind);
            let counts = Self::of(judged);
            (counts != Self::default()).then(|| KindCounts {
                kind,
                score_percent: counts.score_percent(),
                counts,
            })
        };
        Kind::ALL.into_iter().filter_map(of_kind).collect()
    }

    /// Killed in percent of killed and survived; none if every mutant is equivalent.
    pub fn score_percent(&self) -> Option<f64> {
        let killed = self.killed + self.killed_by_proof;
        let faults = killed + self.survived;
        (faults > 0).then(|| 100.0 * f64::from(killed) / f64::from(faults))
    }
}

/// What became of the mutants of one kind.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct KindCounts {
    /// The kind.
    pub kind: Kind,
    /// Killed in percent of killed and survived.
    pub score_percent: Option<f64>,
    /// How many mutants came to what.
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
    /// Mutants asked for; there may be fewer. None: all there are.
    pub count: Option<u32>,
    /// Seed of the choice of mutations and of co-simulation.
    pub seed: u32,
    /// Requests that each mutant is given at most.
    pub requests: u64,
    /// Killed in percent of killed and survived.
    pub score_percent: Option<f64>,
    /// How many mutants came to what.
    #[serde(flatten)]
    pub counts: Counts,
    /// The same for each kind.
    pub kinds: Vec<KindCounts>,
    /// All mutants.
    pub mutants: Vec<Judged>,
    /// Mutants whose verdict is that of an earlier run.
    pub resumed: u32,
    /// Why no property was searched for mutants that break it, if so.
    pub properties_not_searched: Option<String>,
    /// Wall time in seconds.
    pub seconds: f64,
    /// The programs that took part.
    pub tools: Vec<ToolUsed>,
    /// Netlists, proofs and logs.
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
