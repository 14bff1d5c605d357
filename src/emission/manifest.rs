//! Folders of emitted files. Each has a manifest, which tells the next emission which files are obsolete,
//! which were edited, and which are not its own.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use thiserror::Error;

use super::{Emission, WriteError};

/// Name of the manifest in its folder; `sha256sum -c` reads it.
pub const MANIFEST: &str = "manifest.sha256";

/// Most names in a message; the others are only counted.
const NAMES_TOLD: usize = 5;

/// Files in folders that contain nothing else.
#[derive(Clone, Debug)]
pub struct Folders {
    /// The command that writes them.
    pub command: &'static str,
    /// Path and text of each file, manifests left out.
    pub files: Vec<(PathBuf, String)>,
    /// Replace files that were edited, or that were emitted without a manifest.
    pub force: bool,
}

/// Why nothing was emitted.
#[derive(Debug, Error)]
pub enum FolderError {
    /// A file cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// A folder or a file in it cannot be read.
    #[error("cannot read {}: {source}; nothing was changed. Choose another folder", path.display())]
    Read {
        /// Its path.
        path: PathBuf,
        /// The cause.
        source: std::io::Error,
    },
    /// A manifest that this program did not write.
    #[error(
        "{}, line {line}: not a SHA-256 sum, two spaces and the name of a file in this folder; nothing \
         was changed. Choose another folder",
        path.display()
    )]
    Manifest {
        /// Its path.
        path: PathBuf,
        /// Line, counted from 1.
        line: usize,
    },
    /// The folder holds files that its manifest does not name.
    #[error(
        "{} has files that `{command}` did not write: {}; nothing was changed. Choose another folder, or move \
         it away{}",
        folder.display(), listed(files), replacing(command, *replaceable)
    )]
    Foreign {
        /// The command that would have written it.
        command: &'static str,
        /// Its path.
        folder: PathBuf,
        /// Names of those files.
        files: Vec<String>,
        /// Whether each has the name of an emitted file.
        replaceable: bool,
    },
    /// Files were edited since they were emitted.
    #[error(
        "edited since `{command}` wrote it in {}: {}; nothing was changed. Choose another folder, or \
         replace it with `{command} --force`",
        folder.display(), listed(files)
    )]
    Edited {
        /// The command that would have written them.
        command: &'static str,
        /// The folder.
        folder: PathBuf,
        /// Names of those files.
        files: Vec<String>,
    },
    /// An obsolete file cannot be removed.
    #[error("cannot remove {}, which is no longer emitted: {source}; the other files are written", path.display())]
    Remove {
        /// Its path.
        path: PathBuf,
        /// The cause.
        source: std::io::Error,
    },
}

impl Default for Folders {
    fn default() -> Self {
        Self { command: "emit", files: Vec::new(), force: false }
    }
}

impl Folders {
    /// Adds a file.
    pub fn push(&mut self, folder: &Path, name: &str, text: String) {
        self.files.push((folder.join(name), text));
    }

    /// Writes all files and manifests, removes obsolete files of the old manifests, and returns their paths.
    ///
    /// # Errors
    /// Returns [`FolderError`]; only after [`FolderError::Remove`] has anything changed.
    pub fn write(&self) -> Result<Vec<PathBuf>, FolderError> {
        let folders = self.by_folder();
        let mut left = Vec::new();
        for (folder, files) in &folders {
            left.extend(self.left_over(folder, files)?);
        }
        Emission { files: self.files.clone() }.write()?;
        for path in &left {
            match std::fs::remove_file(path) {
                Err(source) if source.kind() != ErrorKind::NotFound => {
                    return Err(FolderError::Remove { path: path.clone(), source });
                }
                _ => {}
            }
        }
        // Manifests come last: after an interrupted run, each file is either as emitted or as before.
        Emission { files: self.manifests(&folders) }.write()?;
        Ok(left)
    }

    /// Paths that are missing or differ, including manifests, and obsolete files.
    ///
    /// # Errors
    /// Fails if a folder or manifest cannot be read.
    pub fn stale(&self) -> Result<Vec<PathBuf>, FolderError> {
        let folders = self.by_folder();
        let files = self.files.iter().cloned().chain(self.manifests(&folders)).collect();
        let mut stale = Emission { files }.stale();
        for (folder, files) in &folders {
            let others = present(folder)?.into_iter().filter(|name| !files.contains_key(&name[..]));
            stale.extend(others.map(|name| folder.join(name)));
        }
        Ok(stale)
    }

    /// Name and text of the files in each folder.
    fn by_folder(&self) -> BTreeMap<&Path, BTreeMap<&str, &str>> {
        let mut folders: BTreeMap<_, BTreeMap<_, _>> = BTreeMap::new();
        for (path, text) in &self.files {
            let folder = path.parent().expect("a file in a folder");
            let name = path.file_name().and_then(|name| name.to_str()).expect("a name of ours");
            folders.entry(folder).or_default().insert(name, &text[..]);
        }
        folders
    }

    fn manifests(&self, folders: &BTreeMap<&Path, BTreeMap<&str, &str>>) -> Vec<(PathBuf, String)> {
        let command = self.command;
        let manifest = |files: &BTreeMap<&str, &str>| {
            let line =
                |(name, text): (&&str, &&str)| format!("{}  {name}\n", sum_of(text.as_bytes()));
            let lines: String = files.iter().map(line).collect();
            format!(
                "# What `warpsmith {command}` wrote here; it replaces or removes no other file.\n{lines}"
            )
        };
        folders.iter().map(|(folder, files)| (folder.join(MANIFEST), manifest(files))).collect()
    }

    /// Previously emitted files that are obsolete; rejects a folder with other files.
    fn left_over(
        &self,
        folder: &Path,
        files: &BTreeMap<&str, &str>,
    ) -> Result<Vec<PathBuf>, FolderError> {
        let known = read_manifest(&folder.join(MANIFEST))?;
        let (mut foreign, mut edited, mut left) = (Vec::new(), Vec::new(), Vec::new());
        let mut replaceable = true;
        for name in present(folder)? {
            let path = folder.join(&name);
            let text = files.get(&name[..]);
            let found = match path.is_file() {
                true => std::fs::read(&path)
                    .map_err(|source| FolderError::Read { path: path.clone(), source })?,
                false => {
                    // No command writes such a file, whatever the manifest says.
                    replaceable = false;
                    foreign.push(name);
                    continue;
                }
            };
            let as_emitted = text.is_some_and(|text| text.as_bytes() == found);
            match known.get(&name) {
                _ if as_emitted => {}
                None if self.force && text.is_some() => {}
                None => {
                    replaceable &= text.is_some();
                    foreign.push(name);
                }
                Some(sum) if *sum != sum_of(&found) && !self.force => edited.push(name),
                Some(_) if text.is_none() => left.push(path),
                Some(_) => {}
            }
        }
        let (command, folder) = (self.command, folder.to_path_buf());
        match (foreign.is_empty(), edited.is_empty()) {
            (false, _) => {
                Err(FolderError::Foreign { command, folder, files: foreign, replaceable })
            }
            (_, false) => Err(FolderError::Edited { command, folder, files: edited }),
            _ => Ok(left),
        }
    }
}

/// The names in the folder, sorted, without its manifest, hidden files and editors' backups.
fn present(folder: &Path) -> Result<Vec<String>, FolderError> {
    let failed = |source| FolderError::Read { path: folder.to_path_buf(), source };
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        // The folder does not exist yet; anything in its way is reported on writing.
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Ok(Vec::new());
        }
        Err(error) => return Err(failed(error)),
    };
    let mut names = Vec::new();
    for entry in entries {
        let name = entry.map_err(failed)?.file_name().to_string_lossy().into_owned();
        if name != MANIFEST && !name.starts_with('.') && !name.ends_with('~') {
            names.push(name);
        }
    }
    names.sort();
    Ok(names)
}

/// The checksum of each file in the manifest; empty if there is no manifest.
fn read_manifest(path: &Path) -> Result<BTreeMap<String, String>, FolderError> {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Ok(BTreeMap::new());
        }
        Err(source) => return Err(FolderError::Read { path: path.to_path_buf(), source }),
    };
    let mut known = BTreeMap::new();
    for (line, text) in text.lines().enumerate().filter(|(_, text)| !text.starts_with('#')) {
        let Some((sum, name)) = text.split_once("  ") else {
            return Err(FolderError::Manifest { path: path.to_path_buf(), line: line + 1 });
        };
        let is_sum = sum.len() == 64 && sum.bytes().all(|c| c.is_ascii_hexdigit());
        // A name with a folder in it would remove files elsewhere.
        if !is_sum || name.is_empty() || name.contains(['/', '\\']) || name == ".." {
            return Err(FolderError::Manifest { path: path.to_path_buf(), line: line + 1 });
        }
        known.insert(name.to_string(), sum.to_string());
    }
    Ok(known)
}

fn replacing(command: &str, possible: bool) -> String {
    match possible {
        true => format!(", or replace it with `{command} --force`"),
        false => String::new(),
    }
}

fn sum_of(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn listed(files: &[String]) -> String {
    let told = files[..files.len().min(NAMES_TOLD)].join(", ");
    match files.len() - files.len().min(NAMES_TOLD) {
        0 => told,
        more => format!("{told} and {more} more"),
    }
}
