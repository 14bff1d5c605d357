//! Verdicts on disk, so that an interrupted run can resume.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::sync::Mutex;

use serde::{Deserialize, Serialize};

use super::mutation::Mutation;
use super::record::Judged;
use crate::flow::FlowError;
use crate::flow::folder::Folder;

const NAME: &str = "verdicts.jsonl";

/// Verdicts of this run and of earlier ones.
pub struct Verdicts {
    known: HashMap<Mutation, Judged>,
    file: Mutex<File>,
    folder: Folder,
}

/// Everything but the mutation that determines a verdict.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Identity {
    identity: String,
}

impl Verdicts {
    /// Reads the verdicts in a folder; none if their identity differs.
    ///
    /// # Errors
    /// [`FlowError::File`] if they cannot be read or written.
    pub fn open(folder: &Folder, identity: &str) -> Result<Self, FlowError> {
        let text = folder.read(NAME).unwrap_or_default();
        let mut lines = text.lines();
        let found: Option<Identity> = lines.next().and_then(|line| serde_json::from_str(line).ok());
        let is_same = found.is_some_and(|found| found.identity == identity);
        // The last line may be incomplete.
        let judged = lines.filter_map(|line| serde_json::from_str::<Judged>(line).ok());
        let known: HashMap<_, _> = match is_same {
            true => judged.map(|judged| (judged.mutant.mutation.clone(), judged)).collect(),
            false => HashMap::new(),
        };
        let identity = serde_json::to_string(&Identity { identity: identity.to_string() });
        let known_lines = known.values().map(serde_json::to_string);
        let lines: Result<Vec<_>, _> = [identity].into_iter().chain(known_lines).collect();
        folder.write(NAME, &(lines.expect("plain records").join("\n") + "\n"))?;
        let path = folder.file(NAME);
        let file = OpenOptions::new().append(true).open(&path);
        let file = file.map_err(|source| FlowError::File { path, source })?;
        Ok(Self { known, file: Mutex::new(file), folder: folder.clone() })
    }

    /// The verdict of an earlier run.
    pub fn known(&self, mutation: &Mutation) -> Option<&Judged> {
        self.known.get(mutation)
    }

    /// Appends a verdict.
    ///
    /// # Errors
    /// [`FlowError::File`] if it cannot be written.
    pub fn keep(&self, judged: &Judged) -> Result<(), FlowError> {
        let line = serde_json::to_string(judged).expect("a plain record") + "\n";
        let mut file = self.file.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        file.write_all(line.as_bytes())
            .map_err(|source| FlowError::File { path: self.folder.file(NAME), source })
    }
}
