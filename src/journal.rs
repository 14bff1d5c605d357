//! An append-only file of results as JSON Lines, which survives a crash.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

/// An open journal.
pub struct Journal {
    path: PathBuf,
    /// Locked while open.
    file: File,
}

/// Why a journal cannot be used.
#[derive(Debug, Error)]
pub enum JournalError {
    /// The file cannot be used.
    #[error("cannot use {}: {source}", path.display())]
    File {
        /// Its path.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// Another run is writing to it.
    #[error("{} is in use by another run; wait for its end or choose another --out", .0.display())]
    InUse(PathBuf),
    /// A line is malformed.
    #[error("{}, line {line}, is not a result of such a run ({why}); remove the line or choose another --out", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// Line, counted from 1.
        line: usize,
        /// What is wrong with it.
        why: serde_json::Error,
    },
}

impl Journal {
    /// Opens or creates the file and returns its records. An incomplete last line is dropped.
    ///
    /// # Errors
    /// Returns [`JournalError`] if the file cannot be used, is in use, or has a malformed line.
    pub fn open<R: DeserializeOwned>(path: &Path) -> Result<(Self, Vec<R>), JournalError> {
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
        // A line is complete once its newline is written.
        let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        let records = read(&path, &bytes[..whole])?;
        if whole < bytes.len() {
            file.set_len(whole as u64).map_err(failed)?;
            file.seek(SeekFrom::End(0)).map_err(failed)?;
        }
        sync_folder(&path).map_err(failed)?;
        Ok((Self { path, file }, records))
    }

    /// Appends a record; it is on the disk on return.
    ///
    /// # Errors
    /// [`JournalError::File`] if it cannot be written.
    pub fn append(&mut self, record: &impl Serialize) -> Result<(), JournalError> {
        let mut line = serde_json::to_string(record).expect("a record is JSON");
        line.push('\n');
        // Written in one call, so that an interrupt cannot split it.
        let written = self.file.write_all(line.as_bytes()).and_then(|()| self.file.sync_data());
        written.map_err(|source| JournalError::File { path: self.path.clone(), source })
    }
}

fn read<R: DeserializeOwned>(path: &Path, bytes: &[u8]) -> Result<Vec<R>, JournalError> {
    let lines = bytes.split_inclusive(|byte| *byte == b'\n').enumerate();
    let record = |(index, line)| {
        let wrong = |why| JournalError::Line { path: path.to_owned(), line: index + 1, why };
        serde_json::from_slice(line).map_err(wrong)
    };
    lines.map(record).collect()
}

/// Syncs the folder, so that the file's name is on the disk too.
fn sync_folder(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}
