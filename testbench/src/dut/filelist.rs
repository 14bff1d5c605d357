//! File lists in the format of other tools' `-f`.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

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
        let text = fs::read_to_string(list)
            .map_err(|source| ListError::Read { list: list.to_path_buf(), source })?;
        let text = without_comments(&text);
        for (index, line) in text.lines().enumerate() {
            let at = At { list, line: index + 1 };
            let mut words = line.split_whitespace().map(|word| at.expanded(word));
            while let Some(word) = words.next().transpose()? {
                let mut argument = |attached: &str| match attached {
                    "" => words.next().transpose()?.ok_or_else(|| at.unknown(&word)),
                    attached => Ok(attached.to_string()),
                };
                if let Some(folders) = word.strip_prefix("+incdir+") {
                    for folder in folders.split('+').filter(|folder| !folder.is_empty()) {
                        self.include.push(at.found(folder)?);
                    }
                } else if let Some(macros) = word.strip_prefix("+define+") {
                    self.defines.extend(macros.split('+').map(str::to_string));
                } else if word == "-f" || word == "-F" {
                    let path = at.found(&argument("")?)?;
                    self.read(&path, depth + 1)?;
                } else if let Some(folder) = word.strip_prefix("-I") {
                    self.include.push(at.found(&argument(folder)?)?);
                } else if let Some(name) = word.strip_prefix("-D") {
                    self.defines.push(argument(name)?);
                } else if let Some(folder) = word.strip_prefix("-y") {
                    self.libraries.push(at.found(&argument(folder)?)?);
                } else if let Some(endings) = word.strip_prefix("+libext+") {
                    self.endings.extend(endings.split('+').map(str::to_string));
                } else if word == "-v" {
                    self.files.push(at.found(&argument("")?)?);
                } else if word.starts_with(['-', '+']) {
                    return Err(at.unknown(&word));
                } else {
                    self.files.push(at.found(&word)?);
                }
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
    /// tools do.
    fn found(&self, path: &str) -> Result<PathBuf, ListError> {
        let folder = self.list.parent().unwrap_or(Path::new(""));
        let places = [folder.join(path), PathBuf::from(path)];
        let found = places.into_iter().find(|place| place.exists());
        found.map(|path| plain(&path)).ok_or_else(|| ListError::Missing {
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

/// Blanks out comments of `//`, `#` and `/* */` and keeps line numbers.
fn without_comments(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(start) = rest.find("/*") {
        let end = rest[start..].find("*/").map_or(rest.len(), |end| start + end + 2);
        out.push_str(&rest[..start]);
        out.extend(rest[start..end].chars().filter(|c| *c == '\n'));
        rest = &rest[end..];
    }
    out.push_str(rest);
    let line = |line: &str| {
        let end = line.find("//").unwrap_or(line.len());
        let line = &line[..end];
        let end = if line.trim_start().starts_with('#') { 0 } else { line.len() };
        line[..end].to_string() + "\n"
    };
    out.lines().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_blank_and_lines_stay() {
        let text = "a.v // b.v\n/* c.v\nd.v */ e.v\n# f.v\ng.v";
        let lines = without_comments(text);
        let lines: Vec<_> = lines.lines().map(str::trim).collect();
        assert_eq!(lines, ["a.v", "", "e.v", "", "g.v"]);
    }

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
            ("a.v -I", "`-I` is not known"),
        ] {
            fs::write(path("rtl/refused.f"), text).unwrap();
            let refused = Gathered::of(&dut("rtl/refused.f")).unwrap_err().to_string();
            assert!(refused.contains(words), "{text}: {refused}");
        }
    }
}
