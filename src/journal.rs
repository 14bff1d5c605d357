//! Results as they come: a file of JSON Lines that survives a crash.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

/// The file, to which records are added.
pub struct Journal {
    path: PathBuf,
    /// Locked as long as this is there.
    file: File,
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
    /// Another run is writing to it.
    #[error("{} is in use by another run; wait for its end or choose another --out", .0.display())]
    InUse(PathBuf),
    /// A line is no record of this kind.
    #[error("{}, line {line}, is no result of such a run ({why}); remove the line or choose another --out", path.display())]
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
    /// Opens the file, or makes it; gives the records that are there. A last line that a crash cut
    /// off is dropped.
    ///
    /// # Errors
    /// See [`JournalError`].
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
        // A line is whole when its end was written.
        let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        let records = read(&path, &bytes[..whole])?;
        if whole < bytes.len() {
            file.set_len(whole as u64).map_err(failed)?;
            file.seek(SeekFrom::End(0)).map_err(failed)?;
        }
        sync_folder(&path).map_err(failed)?;
        Ok((Self { path, file }, records))
    }

    /// Writes a record, which is on the disk when this returns.
    ///
    /// # Errors
    /// [`JournalError::File`].
    pub fn append(&mut self, record: &impl Serialize) -> Result<(), JournalError> {
        let mut line = serde_json::to_string(record).expect("a record is JSON");
        line.push('\n');
        // In one piece, so that an interrupt comes before or after it.
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

/// Puts the file's name on the disk as well.
fn sync_folder(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}
