//! Rejects files that are not Verilog, with a clearer message than Verilator's.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

/// Why a file is rejected.
#[derive(Debug, Error)]
pub enum FileError {
    /// It cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// Its path.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// An included file is none.
    #[error("{place}: {} is included and is not a regular file", path.display())]
    Included {
        /// Where it is included, `file:line`.
        place: String,
        /// Its path.
        path: PathBuf,
    },
    /// It is not Verilog.
    #[error("{} {what}", path.display())]
    NoVerilog {
        /// Its path.
        path: PathBuf,
        /// What it seems to be.
        what: &'static str,
    },
}

const VHDL: &str = "is VHDL; Verilog and SystemVerilog are read, .v or .sv";

/// Whether it is a file or a link to one: a pipe or a device may never end.
pub(super) fn is_regular(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| found.is_file())
}

/// Checks a file's name and first bytes.
pub(super) fn check(path: &Path) -> Result<(), FileError> {
    let refused = |what| Err(FileError::NoVerilog { path: path.to_path_buf(), what });
    if path.is_dir() {
        return refused("is a folder; name the files in it, or a file list with -f");
    }
    if path.exists() && !is_regular(path) {
        return refused("is not a regular file");
    }
    let text =
        fs::read(path).map_err(|source| FileError::Read { path: path.to_path_buf(), source })?;
    match path.extension().and_then(|extension| extension.to_str()).unwrap_or_default() {
        "v" | "sv" | "vh" | "svh" => {}
        "vhd" | "vhdl" => return refused(VHDL),
        "f" | "fl" | "flist" => return refused("looks like a file list; give it with -f"),
        _ => return refused("does not end in .v, .sv, .vh or .svh"),
    }
    if text.iter().all(u8::is_ascii_whitespace) {
        return refused("is empty");
    }
    if text.starts_with(&[0xff, 0xfe]) || text.starts_with(&[0xfe, 0xff]) {
        return refused("is UTF-16; Verilog is ASCII or UTF-8");
    }
    if text.contains(&0) {
        return refused("is binary: it has a zero byte");
    }
    if is_vhdl(&String::from_utf8_lossy(&text)) {
        return refused(VHDL);
    }
    Ok(())
}

/// Recognises VHDL by its content: an entity.
fn is_vhdl(text: &str) -> bool {
    let begins = |keyword: &str| {
        text.lines().any(|line| {
            let mut words = line.split_whitespace();
            words.next().is_some_and(|word| word.eq_ignore_ascii_case(keyword))
        })
    };
    begins("entity") && !begins("module")
}

/// Checks that what a file includes are files, since Verilator would wait for a pipe. Names that are macros are
/// not checked.
pub(super) fn check_included(
    path: &Path,
    folders: &[PathBuf],
    seen: &mut BTreeSet<PathBuf>,
) -> Result<(), FileError> {
    if !is_regular(path) || !seen.insert(path.to_path_buf()) {
        return Ok(());
    }
    let text = fs::read(path).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let own = path.parent().unwrap_or(Path::new(""));
    for (index, line) in text.lines().enumerate() {
        let Some((_, rest)) = line.split_once("`include") else { continue };
        let rest = rest.trim_start();
        let name = rest.strip_prefix('"').and_then(|rest| rest.split_once('"'));
        let name = name.or_else(|| rest.strip_prefix('<').and_then(|rest| rest.split_once('>')));
        let Some((name, _)) = name else { continue };
        let places =
            [own].into_iter().chain(folders.iter().map(PathBuf::as_path)).chain([Path::new("")]);
        let Some(included) = places.map(|folder| folder.join(name)).find(|path| path.exists())
        else {
            continue;
        };
        if !is_regular(&included) {
            let place = format!("{}:{}", path.display(), index + 1);
            return Err(FileError::Included { place, path: included });
        }
        check_included(&included, folders, seen)?;
    }
    Ok(())
}
