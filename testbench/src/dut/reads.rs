//! Files that a user's Verilog reads when it begins, by `$readmem` or `$fopen`.
//!
//! A name is relative to the current folder or, where nothing is there, to the folder of the file that has the
//! statement, as yosys takes it. A found file stands in the source by its whole path, so that every tool reads
//! the same one.

use std::fs;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::file::is_regular;
use crate::verilator::Read;

/// A file that a user's Verilog reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadFile {
    /// The name in the Verilog.
    pub name: String,
    /// The file, as an absolute path.
    pub path: PathBuf,
}

/// Why a file that a user's Verilog reads is refused.
#[derive(Debug, Error)]
pub enum ReadError {
    /// It is not there.
    #[error("{place}: {task} reads `{name}`, which is not there; looked for: {looked}")]
    Missing {
        /// Where the statement stands, `file:line`.
        place: String,
        /// `$readmem` or `$fopen`.
        task: &'static str,
        /// The name.
        name: String,
        /// The paths at which it was looked for.
        looked: String,
    },
    /// It is not a file.
    #[error("{place}: {task} reads `{name}`, which is not a regular file")]
    NoFile {
        /// Where the statement stands, `file:line`.
        place: String,
        /// `$readmem` or `$fopen`.
        task: &'static str,
        /// The name.
        name: String,
    },
    /// It can be found only beside the source, and no string is its name.
    #[error(
        "{place}: {task} reads `{name}`, whose name is put together; it must lie relative to the current folder, \
         and not only to that of the source"
    )]
    PutTogether {
        /// Where the statement stands, `file:line`.
        place: String,
        /// `$readmem` or `$fopen`.
        task: &'static str,
        /// The name.
        name: String,
    },
    /// Two statements mean different files by one name.
    #[error("`{name}` is {} for one statement and {} for another; give them different names", one.display(), other.display())]
    Ambiguous {
        /// The name.
        name: String,
        /// The first file.
        one: PathBuf,
        /// The second.
        other: PathBuf,
    },
}

/// Finds the files, each name once.
pub(super) fn found(reads: &[Read]) -> Result<Vec<ReadFile>, ReadError> {
    let mut files: Vec<ReadFile> = Vec::new();
    for read in reads {
        let Read { name, task, place, is_certain } = read;
        let folder = place.rsplit_once(':').map_or(Path::new(""), |(file, _)| Path::new(file));
        let beside = folder.parent().unwrap_or(Path::new("")).join(name);
        let places = [PathBuf::from(name), beside];
        let Some(path) = places.iter().find(|path| path.exists()) else {
            // A statement under a condition may never run; if it does, the run ends.
            if !is_certain {
                continue;
            }
            let mut looked = places.map(|path| path.display().to_string()).to_vec();
            looked.dedup();
            let looked = looked.join(", ");
            let (place, name) = (place.clone(), name.clone());
            return Err(ReadError::Missing { place, task, name, looked });
        };
        if !is_regular(path) {
            let (place, name) = (place.clone(), name.clone());
            return Err(ReadError::NoFile { place, task, name });
        }
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.clone());
        match files.iter().find(|file| file.name == *name) {
            Some(file) if file.path != path => {
                let (one, other) = (file.path.clone(), path);
                return Err(ReadError::Ambiguous { name: name.clone(), one, other });
            }
            Some(_) => {}
            None => files.push(ReadFile { name: name.clone(), path }),
        }
    }
    Ok(files)
}

/// Puts the whole paths into the texts in which the names stand as strings.
pub(super) fn placed<'t>(
    reads: &[Read],
    files: &[ReadFile],
    texts: impl Iterator<Item = &'t mut String>,
) -> Result<(), ReadError> {
    let mut texts: Vec<_> = texts.collect();
    for ReadFile { name, path } in files {
        let whole = path.to_string_lossy();
        let quoted = format!("\"{name}\"");
        let stands = texts.iter().any(|text| text.contains(&quoted));
        if stands && !whole.contains(['"', '\\']) {
            for text in &mut texts {
                **text = text.replace(&quoted, &format!("\"{whole}\""));
            }
        } else if !Path::new(name).exists()
            && let Some(Read { task, place, .. }) = reads.iter().find(|read| read.name == *name)
        {
            let (place, name) = (place.clone(), name.clone());
            return Err(ReadError::PutTogether { place, task, name });
        }
    }
    Ok(())
}
