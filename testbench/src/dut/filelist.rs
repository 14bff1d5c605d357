//! File lists in the format of other tools' `-f`.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::file::is_regular;
use super::words::{Word, words};
use super::{Dut, modules, plain};

/// Deepest nesting of lists; deeper ones are taken to be circular.
const DEEPEST: usize = 32;

/// Accepted words in a list.
const ACCEPTED: &str = "a file, +incdir+DIR, +define+NAME=VALUE, -I DIR, -D NAME=VALUE, -v FILE, -y DIR, +libext+.EXT, or -f and -F LIST";

/// All files, folders and macros in the order given.
#[derive(Debug, Default)]
pub(super) struct Gathered {
    pub files: Vec<PathBuf>,
    pub include: Vec<PathBuf>,
    pub defines: Vec<String>,
    /// Folders that are searched for undefined modules, by file name.
    libraries: Vec<PathBuf>,
    /// File extensions in those folders.
    endings: Vec<String>,
}

/// Why a file list is rejected.
#[derive(Debug, Error)]
pub enum ListError {
    /// It cannot be read.
    #[error("cannot read file list {}: {source}", list.display())]
    Read {
        /// The list.
        list: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// It is a folder, a pipe or a device.
    #[error("file list {} is not a regular file", list.display())]
    NoFile {
        /// The list.
        list: PathBuf,
    },
    /// A quote or a comment is not closed.
    #[error("{}:{line}: a quote or a comment that begins here does not end", list.display())]
    Open {
        /// The list.
        list: PathBuf,
        /// Line, counted from 1.
        line: usize,
    },
    /// A folder is none.
    #[error("-I {}: it is not a folder", path.display())]
    NoFolder {
        /// The path.
        path: PathBuf,
    },
    /// An unknown word.
    #[error("{}:{line}: `{word}` is not known in a file list; it takes {ACCEPTED}", list.display())]
    Word {
        /// The list.
        list: PathBuf,
        /// Line, counted from 1.
        line: usize,
        /// The word.
        word: String,
    },
    /// A file is neither in the list's folder nor in the current one.
    #[error(
        "{}:{line}: `{path}` is neither in the folder of the list nor in the current folder",
        list.display()
    )]
    Missing {
        /// The list.
        list: PathBuf,
        /// Line, counted from 1.
        line: usize,
        /// The file or folder.
        path: String,
    },
    /// An environment variable is not set.
    #[error("{}:{line}: the environment variable `{name}` is not set", list.display())]
    Variable {
        /// The list.
        list: PathBuf,
        /// Line, counted from 1.
        line: usize,
        /// The variable.
        name: String,
    },
    /// Lists include each other in a circle.
    #[error("file list {}: lists are nested more than {DEEPEST} deep; does it name itself?", list.display())]
    Circle {
        /// The list.
        list: PathBuf,
    },
    /// A file is given twice.
    #[error("{} is given twice", path.display())]
    Twice {
        /// The file.
        path: PathBuf,
    },
}

impl Gathered {
    /// Gathers the contents of the lists, then the files given by name.
    pub fn of(dut: &Dut) -> Result<Self, ListError> {
        let mut gathered = Self::default();
        for list in &dut.lists {
            gathered.read(list, 0)?;
        }
        if let Some(path) = dut.include.iter().find(|path| !path.is_dir()) {
            return Err(ListError::NoFolder { path: path.clone() });
        }
        gathered.files.extend(dut.files.iter().map(|path| plain(path)));
        gathered.include.extend(dut.include.iter().map(|path| plain(path)));
        gathered.defines.extend(dut.defines.iter().cloned());
        let mut seen = Vec::new();
        for path in &gathered.files {
            let whole = path.canonicalize().unwrap_or_else(|_| path.clone());
            if seen.contains(&whole) {
                return Err(ListError::Twice { path: path.clone() });
            }
            seen.push(whole);
        }
        // A header is found when it is included.
        let is_header = |path: &PathBuf| path.extension().is_some_and(|e| e == "vh" || e == "svh");
        let headers: Vec<_> = gathered.files.extract_if(.., |path| is_header(path)).collect();
        gathered.include.extend(headers.iter().filter_map(|path| path.parent()).map(|folder| {
            match folder.as_os_str().is_empty() {
                true => PathBuf::from("."),
                false => folder.to_path_buf(),
            }
        }));
        Ok(gathered)
    }

    /// Files of the library folders whose name is a word in the text but not one of its modules. These may be
    /// more than needed, which does no harm.
    pub fn library_files(&self, text: &str) -> Vec<PathBuf> {
        if self.libraries.is_empty() {
            return Vec::new();
        }
        let defined = modules::defined(text);
        let words: BTreeSet<_> = modules::words(text).collect();
        let missing = words.into_iter().filter(|word| !defined.iter().any(|name| name == word));
        let endings = match self.endings.is_empty() {
            true => vec![".v".to_string(), ".sv".to_string()],
            false => self.endings.clone(),
        };
        let file = |word: &str| {
            let places = self.libraries.iter().flat_map(|folder| {
                endings.iter().map(move |ending| folder.join(format!("{word}{ending}")))
            });
            places.into_iter().find(|path| path.is_file() && !self.files.contains(path))
        };
        missing.filter_map(file).collect()
    }

    fn read(&mut self, list: &Path, depth: usize) -> Result<(), ListError> {
        if depth > DEEPEST {
            return Err(ListError::Circle { list: list.to_path_buf() });
        }
        // Reading a pipe would wait for its writer.
        if list.exists() && !is_regular(list) {
            return Err(ListError::NoFile { list: list.to_path_buf() });
        }
        let text = fs::read_to_string(list)
            .map_err(|source| ListError::Read { list: list.to_path_buf(), source })?;
        let open = |line| ListError::Open { list: list.to_path_buf(), line };
        let mut words = words(&text).map_err(open)?.into_iter();
        while let Some(Word { text: word, line }) = words.next() {
            let at = At { list, line };
            let word = at.expanded(&word)?;
            let mut argument = |attached: &str| match attached {
                "" => {
                    let next = words.next().ok_or_else(|| at.unknown(&word))?;
                    at.expanded(&next.text)
                }
                attached => Ok(attached.to_string()),
            };
            if let Some(folders) = word.strip_prefix("+incdir+") {
                for folder in folders.split('+').filter(|folder| !folder.is_empty()) {
                    self.include.extend(at.found(folder)?);
                }
            } else if let Some(macros) = word.strip_prefix("+define+") {
                self.defines.extend(macros.split('+').map(str::to_string));
            } else if word == "-f" || word == "-F" {
                for path in at.found(&argument("")?)? {
                    self.read(&path, depth + 1)?;
                }
            } else if let Some(folder) = word.strip_prefix("-I") {
                self.include.extend(at.found(&argument(folder)?)?);
            } else if let Some(name) = word.strip_prefix("-D") {
                self.defines.push(argument(name)?);
            } else if let Some(folder) = word.strip_prefix("-y") {
                self.libraries.extend(at.found(&argument(folder)?)?);
            } else if let Some(endings) = word.strip_prefix("+libext+") {
                self.endings.extend(endings.split('+').map(str::to_string));
            } else if word == "-v" {
                self.files.extend(at.found(&argument("")?)?);
            } else if word.starts_with(['-', '+']) {
                return Err(at.unknown(&word));
            } else {
                self.files.extend(at.found(&word)?);
            }
        }
        Ok(())
    }
}

/// A position in a list.
struct At<'l> {
    list: &'l Path,
    line: usize,
}

impl At<'_> {
    fn unknown(&self, word: &str) -> ListError {
        let word = word.to_string();
        ListError::Word { list: self.list.to_path_buf(), line: self.line, word }
    }

    /// Resolves a path relative to the folder of the list, or else relative to the current folder, as other
    /// tools do. A pattern such as `rtl/*.v` stands for what it matches, in the order of the names.
    fn found(&self, path: &str) -> Result<Vec<PathBuf>, ListError> {
        let folder = self.list.parent().unwrap_or(Path::new(""));
        let places = [folder.join(path), PathBuf::from(path)];
        if let Some(found) = places.iter().find(|place| place.exists()) {
            return Ok(vec![plain(found)]);
        }
        if path.contains(['*', '?', '[']) {
            for folder in [folder, Path::new("")] {
                let folder = glob::Pattern::escape(&folder.to_string_lossy());
                let pattern = Path::new(&folder).join(path);
                // Hidden files are those of editors.
                let options = glob::MatchOptions {
                    require_literal_leading_dot: true,
                    ..glob::MatchOptions::default()
                };
                let matches = glob::glob_with(&pattern.to_string_lossy(), options);
                let found: Vec<_> = matches.into_iter().flatten().flatten().collect();
                if !found.is_empty() {
                    return Ok(found.iter().map(|path| plain(path)).collect());
                }
            }
        }
        Err(ListError::Missing {
            list: self.list.to_path_buf(),
            line: self.line,
            path: path.to_string(),
        })
    }

    /// Expands `$NAME` and `${NAME}` in a word.
    fn expanded(&self, word: &str) -> Result<String, ListError> {
        let Some((before, after)) = word.split_once('$') else { return Ok(word.to_string()) };
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let braced = after.strip_prefix(['{', '(']).and_then(|rest| rest.split_once(['}', ')']));
        let (name, rest) = braced
            .unwrap_or_else(|| after.split_at(after.find(|c| !is_name(c)).unwrap_or(after.len())));
        let value = env::var(name).map_err(|_| ListError::Variable {
            list: self.list.to_path_buf(),
            line: self.line,
            name: name.to_string(),
        })?;
        Ok(format!("{before}{value}{}", self.expanded(rest)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_read_from_its_own_folder() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::create_dir_all(path("rtl/inc")).unwrap();
        for name in ["rtl/a.v", "rtl/p.sv", "rtl/inc/d.vh"] {
            fs::write(path(name), "\n").unwrap();
        }
        fs::write(path("rtl/files.f"), "p.sv\n+incdir+inc +define+N=4+M\n-f more.f").unwrap();
        fs::write(path("rtl/more.f"), "a.v // the rest\n").unwrap();
        fs::write(path("rtl/libs.f"), "a.v -y . +libext+.sv").unwrap();
        let dut = |list: &str| Dut { lists: vec![path(list)], ..Dut::default() };
        let gathered = Gathered::of(&dut("rtl/files.f")).unwrap();
        assert_eq!(gathered.files, [path("rtl/p.sv"), path("rtl/a.v")]);
        assert_eq!(gathered.include, [path("rtl/inc")]);
        assert_eq!(gathered.defines, ["N=4", "M"]);

        fs::write(path("rtl/all.f"), "*.*v +incdir+i?c").unwrap();
        let all = Gathered::of(&dut("rtl/all.f")).unwrap();
        assert_eq!(all.files, [path("rtl/a.v"), path("rtl/p.sv")]);
        assert_eq!(all.include, [path("rtl/inc")]);

        let libraries = Gathered::of(&dut("rtl/libs.f")).unwrap();
        let found = libraries.library_files("module a; p x(); gone y(); endmodule");
        assert_eq!(found, [path("rtl/./p.sv")]);
        assert!(libraries.library_files("module p; endmodule").is_empty(), "it is defined");

        for (text, words) in [
            ("a.v\ngone.v", "refused.f:2: `gone.v`"),
            ("-sverilog a.v", "`-sverilog` is not known"),
            ("-f refused.f", "name itself"),
            ("$NO_SUCH_VARIABLE/a.v", "`NO_SUCH_VARIABLE` is not set"),
            ("a.v a.v", "given twice"),
            ("a.v\n*.vhd", "refused.f:2: `*.vhd` is neither"),
            ("a.v\n'p.sv", "refused.f:2: a quote"),
            ("a.v -I", "`-I` is not known"),
        ] {
            fs::write(path("rtl/refused.f"), text).unwrap();
            let refused = Gathered::of(&dut("rtl/refused.f")).unwrap_err().to_string();
            assert!(refused.contains(words), "{text}: {refused}");
        }
    }
}
