//! The folder of one run: its inputs, logs and reports, kept for inspection.

use std::fs;
use std::path::{Path, PathBuf};

use super::FlowError;

/// A folder that a flow may fill.
///
/// Tools run in it and get relative paths only, because the sandbox of the `yowasp` tools hides some absolute
/// ones.
#[derive(Clone, Debug)]
pub struct Folder {
    path: PathBuf,
}

/// Marks a folder as made by a flow. No other folder is ever emptied.
const MARK: &str = ".warpsmith-flow";

impl Folder {
    /// Opens the folder at `path` and removes what an earlier run left there.
    ///
    /// # Errors
    /// [`FlowError::Input`] if no flow has made the folder, [`FlowError::File`] if it cannot be emptied.
    pub fn empty(path: &Path) -> Result<Self, FlowError> {
        Self::open(path, false)
    }

    /// Opens the folder at `path` and keeps what an earlier run left there.
    ///
    /// # Errors
    /// As [`Folder::empty`].
    pub fn kept(path: &Path) -> Result<Self, FlowError> {
        Self::open(path, true)
    }

    fn open(path: &Path, keeps: bool) -> Result<Self, FlowError> {
        let failed = |source| FlowError::File { path: path.to_owned(), source };
        if path.is_dir() && fs::read_dir(path).map_err(failed)?.next().is_some() {
            if !path.join(MARK).exists() {
                return Err(FlowError::Input(format!(
                    "{} has files that no flow of warpsmith made; choose an empty or new folder",
                    path.display()
                )));
            }
            if !keeps {
                fs::remove_dir_all(path).map_err(failed)?;
            }
        }
        fs::create_dir_all(path).map_err(failed)?;
        let path = path.canonicalize().map_err(failed)?;
        let folder = Self { path };
        folder.write(MARK, "Made by warpsmith; removed when the same run starts again.\n")?;
        Ok(folder)
    }

    /// Path of the folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Path of a file in it.
    pub fn file(&self, name: impl AsRef<Path>) -> PathBuf {
        self.path.join(name)
    }

    /// Writes a file, and creates the folders in its name.
    ///
    /// # Errors
    /// [`FlowError::File`] if the file cannot be written.
    pub fn write(&self, name: &str, text: &str) -> Result<(), FlowError> {
        let path = self.file(name);
        let folders = path.parent().map_or(Ok(()), fs::create_dir_all);
        let written = folders.and_then(|()| fs::write(&path, text));
        written.map_err(|source| FlowError::File { path, source })
    }

    /// Reads a file that a tool has written.
    ///
    /// # Errors
    /// [`FlowError::File`] if the file cannot be read.
    pub fn read(&self, name: &str) -> Result<String, FlowError> {
        let path = self.file(name);
        fs::read_to_string(&path).map_err(|source| FlowError::File { path, source })
    }

    /// Reads a JSON file that a tool has written.
    ///
    /// # Errors
    /// [`FlowError::File`] if the file cannot be read, [`FlowError::Report`] if it is not JSON.
    pub fn read_json(&self, name: &str) -> Result<serde_json::Value, FlowError> {
        let text = self.read(name)?;
        serde_json::from_str(&text).map_err(|error| FlowError::Report {
            path: self.file(name),
            what: format!("unexpected JSON: {error}"),
        })
    }
}
