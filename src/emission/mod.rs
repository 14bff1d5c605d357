//! Files that are written together, all or none; and the emitted files of a block.

mod design;
mod manifest;

use std::io::Write;
use std::path::{Path, PathBuf};

use thiserror::Error;

pub use design::{commented, hash, header, of_design, rtl_of_design, sdc, variant};
pub use manifest::{FolderError, Folders, MANIFEST};

/// Files with their text.
#[derive(Clone, Debug, Default)]
pub struct Emission {
    /// Path and text of each.
    pub files: Vec<(PathBuf, String)>,
}

/// A folder or file that cannot be written.
#[derive(Debug, Error)]
#[error("cannot write {}: {source}; nothing was changed. Choose a writable folder", path.display())]
pub struct WriteError {
    /// Its path.
    pub path: PathBuf,
    /// The cause.
    pub source: std::io::Error,
}

impl Emission {
    /// Writes every file under a temporary name, then renames them all.
    ///
    /// # Errors
    /// Returns the first file that cannot be written; then no file has changed.
    pub fn write(&self) -> Result<(), WriteError> {
        let mut written = Vec::new();
        for (path, text) in &self.files {
            let failed = |source| WriteError { path: path.clone(), source };
            let folder = path.parent().unwrap_or(Path::new("."));
            std::fs::create_dir_all(folder).map_err(failed)?;
            if path.is_dir() {
                return Err(failed(std::io::ErrorKind::IsADirectory.into()));
            }
            let mut file = tempfile::NamedTempFile::new_in(folder).map_err(failed)?;
            file.write_all(text.as_bytes()).map_err(failed)?;
            file.as_file().sync_all().map_err(failed)?;
            set_readable(file.path()).map_err(failed)?;
            written.push((path, file));
        }
        for (path, file) in written {
            file.persist(path)
                .map_err(|error| WriteError { path: path.clone(), source: error.error })?;
        }
        Ok(())
    }

    /// Paths whose file is missing or differs.
    pub fn stale(&self) -> Vec<PathBuf> {
        let differs = |(path, text): &&(PathBuf, String)| {
            std::fs::read(path).map_or(true, |found| found != text.as_bytes())
        };
        self.files.iter().filter(differs).map(|(path, _)| path.clone()).collect()
    }
}

/// Temporary files are readable by their owner only; emitted files are for everybody.
#[cfg(unix)]
fn set_readable(path: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn set_readable(_: &Path) -> std::io::Result<()> {
    Ok(())
}
