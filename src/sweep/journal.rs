//! The results of a sweep as they come: a file of JSON Lines that survives a crash.

use std::collections::HashMap;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::record::{Outcome, PointRecord};

/// The file, and what it holds already.
pub struct Journal {
    path: PathBuf,
    /// Locked as long as this is there.
    file: File,
    measured: HashMap<String, PointRecord>,
}

/// Why there is no journal.
#[derive(Debug, Error)]
pub enum JournalError {
    /// The file cannot be used.
    #[error("cannot use {}: {source}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Another sweep is writing to it.
    #[error("{} is in use by another sweep; wait for its end or choose another --out", .0.display())]
    InUse(PathBuf),
    /// A line is no record.
    #[error("{}, line {line}, is no result of a sweep ({why}); remove the line or choose another --out", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        why: serde_json::Error,
    },
}

impl Journal {
    /// Opens the file, or makes it. A last line that a crash cut off is dropped.
    ///
    /// # Errors
    /// See [`JournalError`].
    pub fn open(path: &Path) -> Result<Self, JournalError> {
        let path = path.to_owned();
        let failed = |source| JournalError::File { path: path.clone(), source };
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(failed)?;
        }
        let mut options = OpenOptions::new();
        let mut file = options.read(true).append(true).create(true).open(&path).map_err(failed)?;
        file.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => JournalError::InUse(path.clone()),
            TryLockError::Error(source) => failed(source),
        })?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(failed)?;
        // A line is whole when its end was written.
        let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        let measured = read(&path, &bytes[..whole])?;
        if whole < bytes.len() {
            file.set_len(whole as u64).map_err(failed)?;
            file.seek(SeekFrom::End(0)).map_err(failed)?;
        }
        sync_folder(&path).map_err(failed)?;
        Ok(Self { path, file, measured })
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
        let mut line = serde_json::to_string(record).expect("a record is JSON");
        line.push('\n');
        // In one piece, so that an interrupt comes before or after it.
        let written = self.file.write_all(line.as_bytes()).and_then(|()| self.file.sync_data());
        written.map_err(|source| JournalError::File { path: self.path.clone(), source })?;
        keep(&mut self.measured, record.clone());
        Ok(())
    }
}

fn read(path: &Path, bytes: &[u8]) -> Result<HashMap<String, PointRecord>, JournalError> {
    let mut measured = HashMap::new();
    for (index, line) in bytes.split_inclusive(|byte| *byte == b'\n').enumerate() {
        let record = serde_json::from_slice(line).map_err(|why| JournalError::Line {
            path: path.to_owned(),
            line: index + 1,
            why,
        })?;
        keep(&mut measured, record);
    }
    Ok(measured)
}

fn keep(measured: &mut HashMap<String, PointRecord>, record: PointRecord) {
    if let (Some(key), Outcome::Measured(_)) = (&record.key, &record.outcome) {
        measured.insert(key.clone(), record);
    }
}

/// Puts the file's name on the disk as well.
fn sync_folder(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}
