//! Copies of a user's files in the folder of a run.
//!
//! The tools from PyPI see that folder only. Below [`ROOT`] each file keeps its absolute path, so that names in
//! `` `include `` and `$readmemh` that are relative to a file still lead to the same files.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Component, Path, PathBuf};

use crate::flow::FlowError;
use crate::flow::folder::Folder;

/// Folder of the copies within the folder of a run.
const ROOT: &str = "users";

/// The contents of a user's files, and of every file that a string in them names.
#[derive(Clone, Debug, Default)]
pub(super) struct Mirror {
    /// Contents by the copy's path.
    pub copies: BTreeMap<String, Vec<u8>>,
    /// Folders of included files, which may be empty.
    folders: Vec<String>,
}

impl Mirror {
    /// Reads the files.
    pub fn new(files: &[PathBuf], include: &[PathBuf]) -> Result<Self, FlowError> {
        let folders = include.iter().map(|path| place(path)).collect();
        let mut mirror = Self { copies: BTreeMap::new(), folders };
        files.iter().try_for_each(|path| mirror.add(path, include))?;
        Ok(mirror)
    }

    /// Writes the copies.
    pub fn write(&self, folder: &Folder) -> Result<(), FlowError> {
        let failed = |path: PathBuf| |source| FlowError::File { path, source };
        for name in &self.folders {
            let path = folder.file(name);
            fs::create_dir_all(&path).map_err(failed(path.clone()))?;
        }
        for (name, bytes) in &self.copies {
            let path = folder.file(name);
            path.parent().map_or(Ok(()), fs::create_dir_all).map_err(failed(path.clone()))?;
            fs::write(&path, bytes).map_err(failed(path.clone()))?;
        }
        Ok(())
    }

    fn add(&mut self, path: &Path, include: &[PathBuf]) -> Result<(), FlowError> {
        if self.copies.contains_key(&place(path)) {
            return Ok(());
        }
        let bytes =
            fs::read(path).map_err(|source| FlowError::File { path: path.to_owned(), source })?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        self.copies.insert(place(path), bytes.clone());
        let beside = path.parent().unwrap_or(Path::new(""));
        for name in strings(&text) {
            // A name that is relative to the current folder is so to the folder of the run for the tools.
            if is_below(Path::new(name)) && Path::new(name).is_file() {
                self.add(Path::new(name), include)?;
                let bytes = self.copies[&place(Path::new(name))].clone();
                self.copies.insert(name.to_string(), bytes);
            }
            let places = std::iter::once(beside).chain(include.iter().map(PathBuf::as_path));
            if let Some(named) = places.map(|place| place.join(name)).find(|path| path.is_file()) {
                self.add(&named, include)?;
            }
        }
        Ok(())
    }
}

/// The copy's path in the folder of the run.
pub(super) fn place(path: &Path) -> String {
    let absolute = absolute(path);
    let parts = absolute.components().filter_map(|part| match part {
        Component::Normal(name) => Some(name.to_string_lossy().replace(is_special, "_")),
        _ => None,
    });
    std::iter::once(ROOT.to_string()).chain(parts).collect::<Vec<_>>().join("/")
}

/// A text with paths of copies replaced by those of the user's files.
pub fn original(text: &str) -> String {
    let here = format!("{ROOT}{}/", absolute(Path::new(".")).display());
    text.replace(&here, "").replace(&format!("{ROOT}/"), "/")
}

/// Whether a script of yosys cannot have the character in a name.
fn is_special(c: char) -> bool {
    c.is_whitespace() || "\"';#\\".contains(c)
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
