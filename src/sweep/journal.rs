//! The journal of a sweep's results.

use std::collections::HashMap;
use std::path::Path;

use super::record::{Outcome, PointRecord};
use crate::journal::{self, JournalError};

/// The journal with its earlier figures.
pub struct Journal {
    file: journal::Journal,
    measured: HashMap<String, PointRecord>,
}

impl Journal {
    /// Opens or creates the file.
    ///
    /// # Errors
    /// Returns [`JournalError`] if the file cannot be used.
    pub fn open(path: &Path) -> Result<Self, JournalError> {
        let (file, records) = journal::Journal::open(path)?;
        let mut measured = HashMap::new();
        records.into_iter().for_each(|record| keep(&mut measured, record));
        Ok(Self { file, measured })
    }

    /// The figures of an earlier run. Failures are not kept, so they are tried again.
    pub fn measured(&self, key: &str) -> Option<&PointRecord> {
        self.measured.get(key)
    }

    /// Appends a record; it is on the disk on return.
    ///
    /// # Errors
    /// [`JournalError::File`] if it cannot be written.
    pub fn append(&mut self, record: &PointRecord) -> Result<(), JournalError> {
        self.file.append(record)?;
        keep(&mut self.measured, record.clone());
        Ok(())
    }
}

fn keep(measured: &mut HashMap<String, PointRecord>, record: PointRecord) {
    if let (Some(key), Outcome::Measured(_)) = (&record.key, &record.outcome) {
        measured.insert(key.clone(), record);
    }
}
