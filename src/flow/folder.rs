//! The folder of one run: its inputs, logs and reports, kept for whoever wants to look.

use std::fs;
use std::path::{Path, PathBuf};

use super::FlowError;

/// A folder that a flow may fill. What an earlier run left there is removed.
///
/// Tools run with it as their current folder and see relative paths only: the sandbox of the
/// `yowasp` tools does not show them every absolute one.
#[derive(Clone, Debug)]
pub struct Folder {
    path: PathBuf,
}

/// Marks a folder as made by a flow, so that nothing else is ever emptied.
const MARK: &str = ".warpsmith-flow";

impl Folder {
    /// The folder at `path`, empty.
    ///
    /// # Errors
    /// [`FlowError::Input`] if there is a folder that no flow has made; [`FlowError::File`].
    pub fn empty(path: &Path) -> Result<Self, FlowError> {
        Self::open(path, false)
    }

    /// The folder at `path`, with what an earlier run left there.
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

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A file in it.
    pub fn file(&self, name: impl AsRef<Path>) -> PathBuf {
        self.path.join(name)
    }

    /// Writes a file, and the folders in this one that its name has before it.
    ///
    /// # Errors
    /// [`FlowError::File`].
    pub fn write(&self, name: &str, text: &str) -> Result<(), FlowError> {
        let path = self.file(name);
        let folders = path.parent().map_or(Ok(()), fs::create_dir_all);
        let written = folders.and_then(|()| fs::write(&path, text));
        written.map_err(|source| FlowError::File { path, source })
    }

    /// Reads a file that a tool has written.
    ///
    /// # Errors
    /// [`FlowError::File`].
    pub fn read(&self, name: &str) -> Result<String, FlowError> {
        let path = self.file(name);
        fs::read_to_string(&path).map_err(|source| FlowError::File { path, source })
    }

    /// Reads a JSON file that a tool has written.
    ///
    /// # Errors
    /// [`FlowError::File`], or [`FlowError::Report`] if it is no JSON.
    pub fn read_json(&self, name: &str) -> Result<serde_json::Value, FlowError> {
        let text = self.read(name)?;
        serde_json::from_str(&text).map_err(|error| FlowError::Report {
            path: self.file(name),
            what: format!("not the JSON that was expected: {error}"),
        })
    }
}
