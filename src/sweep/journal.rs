//! The results of a sweep as they come.

use std::collections::HashMap;
use std::path::Path;

use super::record::{Outcome, PointRecord};
use crate::journal::{self, JournalError};

/// The file, and the figures that it holds already.
pub struct Journal {
    file: journal::Journal,
    measured: HashMap<String, PointRecord>,
}

impl Journal {
    /// Opens the file, or makes it.
    ///
    /// # Errors
    /// See [`JournalError`].
    pub fn open(path: &Path) -> Result<Self, JournalError> {
        let (file, records) = journal::Journal::open(path)?;
        let mut measured = HashMap::new();
        records.into_iter().for_each(|record| keep(&mut measured, record));
        Ok(Self { file, measured })
    }

    /// The figures of an earlier run. What failed is not kept: it is to be tried again.
    pub fn measured(&self, key: &str) -> Option<&PointRecord> {
        self.measured.get(key)
    }

    /// Writes a record, which is on the disk when this returns.
    ///
    /// # Errors
    /// [`JournalError::File`].
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
