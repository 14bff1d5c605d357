//! Copies of a user's files in the folder of a run.
//!
//! The tools from PyPI see that folder only. Below [`ROOT`] each file keeps its absolute path, so that names in
//! `` `include `` and `$readmemh` that are relative to a file still lead to the same files.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

use crate::flow::FlowError;
use crate::flow::folder::Folder;

/// Folder of the copies within the folder of a run.
const ROOT: &str = "users";

/// The copies of a user's files.
#[derive(Clone, Debug)]
pub struct Mirror {
    /// Folders of included files.
    include: Vec<PathBuf>,
    copied: BTreeSet<PathBuf>,
}

impl Mirror {
    /// Copies the files, and every file that a string in them names.
    ///
    /// # Errors
    /// [`FlowError::File`] if a file cannot be copied.
    pub fn new(folder: &Folder, files: &[PathBuf], include: &[PathBuf]) -> Result<Self, FlowError> {
        let mut mirror = Self { include: include.to_vec(), copied: BTreeSet::new() };
        for path in include {
            let place = folder.file(mirror.place(path));
            fs::create_dir_all(&place).map_err(|source| FlowError::File { path: place, source })?;
        }
        files.iter().try_for_each(|path| mirror.copy(folder, path))?;
        Ok(mirror)
    }

    /// The copy's path in the folder of the run.
    pub fn place(&self, path: &Path) -> String {
        let absolute = absolute(path);
        let parts = absolute.components().filter_map(|part| match part {
            Component::Normal(name) => Some(name.to_string_lossy()),
            _ => None,
        });
        std::iter::once(ROOT.into()).chain(parts).collect::<Vec<_>>().join("/")
    }

    /// A text with paths of copies replaced by those of the user's files.
    pub fn original(&self, text: &str) -> String {
        let current = absolute(Path::new("."));
        let here = format!("{ROOT}{}/", current.display());
        text.replace(&here, "").replace(&format!("{ROOT}/"), "/")
    }

    fn copy(&mut self, folder: &Folder, path: &Path) -> Result<(), FlowError> {
        if !self.copied.insert(absolute(path)) {
            return Ok(());
        }
        let failed = |source| FlowError::File { path: path.to_owned(), source };
        let bytes = fs::read(path).map_err(failed)?;
        let place = folder.file(self.place(path));
        place.parent().map_or(Ok(()), fs::create_dir_all).map_err(failed)?;
        fs::write(&place, &bytes).map_err(failed)?;
        let text = String::from_utf8_lossy(&bytes);
        let beside = path.parent().unwrap_or(Path::new(""));
        for name in strings(&text) {
            let include = self.include.iter().map(PathBuf::as_path);
            let places = std::iter::once(beside).chain(include).map(|place| place.join(name));
            if let Some(named) = places.into_iter().find(|place| place.is_file()) {
                self.copy(folder, &named)?;
            }
            // Relative to the current folder, which is the folder of the run for the tools.
            if Path::new(name).is_file() && is_below(Path::new(name)) {
                let bytes = fs::read(name).map_err(failed)?;
                let place = folder.file(name);
                place.parent().map_or(Ok(()), fs::create_dir_all).map_err(failed)?;
                fs::write(&place, bytes).map_err(failed)?;
                self.copy(folder, Path::new(name))?;
            }
        }
        Ok(())
    }
}

/// Whether a path stays within the folder that it is relative to.
fn is_below(path: &Path) -> bool {
    path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
}

/// An absolute path without `.` and `..`; links are kept.
fn absolute(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(plain.pop()),
            Component::CurDir => {}
            part => plain.push(part),
        }
    }
    plain
}

/// The strings of a Verilog text.
fn strings(text: &str) -> impl Iterator<Item = &str> {
    text.lines().flat_map(|line| line.split('"').skip(1).step_by(2)).filter(|name| !name.is_empty())
}
