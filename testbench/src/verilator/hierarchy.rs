//! Which modules a source has below its top, and which files it reads, from Verilator's own elaboration: what
//! generate blocks and constant conditions leave out does not count.
//!
//! Verilator tells this in XML, and since 5.022 in JSON, which has replaced XML by 5.040.

mod json;
mod xml;

use std::collections::HashMap;
use std::fs;
use std::io;

use super::build::{Step, translate};
use super::error::VerilatorError;
use super::inspect::scratch_error;
use super::log::with_blanks;
use super::{BuildOptions, VerilogSource};

const XML: &str = "--xml-only --xml-output ../hierarchy -Wno-fatal --no-timing";
const JSON: &str = "--json-only --json-only-output ../hierarchy --json-only-meta-output ../files \
                    -Wno-fatal --no-timing";

/// An instance of a module within another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance {
    /// The module that has it.
    pub within: String,
    /// The module it is of.
    pub module: String,
    /// Where it stands, `file:line`.
    pub place: String,
}

/// A file that the source reads, by a name that is constant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Read {
    /// The name.
    pub name: String,
    /// The system task that opens it.
    pub task: &'static str,
    /// Where that stands, `file:line`.
    pub place: String,
    /// Whether every simulation reads it: no condition stands before.
    pub is_certain: bool,
}

/// What is at and below the top of a source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hierarchy {
    /// Names of the modules, each once, by name. Variants by parameters are one module.
    pub modules: Vec<String>,
    /// The instances; those of a module's variants are listed for each.
    pub instances: Vec<Instance>,
    /// The files that are read.
    pub reads: Vec<Read>,
    /// Ports of the top module whose range is declared from its lowest bit on, like `[0:5]`.
    pub ascending: Vec<String>,
}

/// Elaborates a source with parameter values of its top module.
///
/// # Errors
/// Fails if Verilator is missing or rejects the source.
pub fn hierarchy(
    source: &VerilogSource,
    parameters: &[(String, String)],
    options: &BuildOptions,
) -> Result<Hierarchy, VerilatorError> {
    let folder = tempfile::tempdir().map_err(scratch_error)?;
    let arguments: Vec<String> =
        parameters.iter().map(|(name, value)| format!("-G{name}={value}")).collect();
    let file = |name: &str| fs::read(folder.path().join(name));
    let read = || -> Result<Hierarchy, Step> {
        let read = match translate(folder.path(), source, options, XML, &arguments) {
            Ok(_) => xml::read(&file("hierarchy")?),
            Err(Step::Failed(VerilatorError::Verilate { log })) if log.contains("--xml-only") => {
                translate(folder.path(), source, options, JSON, &arguments)?;
                json::read(&file("hierarchy")?, &file("files")?)
            }
            Err(step) => return Err(step),
        };
        let read = read.and_then(|read| match read.modules.contains(&source.top) {
            true => Ok(read),
            false => Err(format!("{} is not in it", source.top)),
        });
        Ok(read.map_err(|why| VerilatorError::Tool {
            tool: options.verilator.display().to_string(),
            source: io::Error::other(format!("the hierarchy it tells cannot be read: {why}")),
        })?)
    };
    read().map_err(|step| match step {
        Step::Failed(error) => error,
        Step::File(source) => scratch_error(source),
    })
}

/// What Verilator tells, before names are resolved.
#[derive(Default)]
struct Told {
    /// Each module's name in instances, and its name in Verilog.
    modules: Vec<(String, String)>,
    /// The module that has it, by its name in Verilog; the name of its module; its place.
    instances: Vec<(String, String, String)>,
    files: HashMap<String, String>,
    opened: Vec<Opened>,
    /// Ports of the top module with the names of their types.
    ports: Vec<(String, String)>,
    /// Types whose range ascends.
    ascending: Vec<String>,
}

/// A system task that opens a file.
struct Opened {
    /// Whether it is `$fopen`.
    is_open: bool,
    place: String,
    is_certain: bool,
    /// The name and, of `$fopen`, the mode; none if it is not constant.
    words: [Option<String>; 2],
}

impl Told {
    fn range(&mut self, name: String, left: &str, right: &str) {
        let is_ascending = matches!((left.parse::<i64>(), right.parse()), (Ok(l), Ok(r)) if l < r);
        self.ascending.extend(is_ascending.then_some(name));
    }

    fn resolved(self) -> Hierarchy {
        let Self { modules: told, instances, files, opened, ports, ascending } = self;
        let by_name: HashMap<_, _> = told.iter().cloned().collect();
        let mut modules: Vec<_> = told.into_iter().map(|(_, name)| name).collect();
        modules.sort();
        modules.dedup();
        let place = |place: &str| {
            let mut place = place.split([',', ':']);
            let file =
                place.next().and_then(|letter| files.get(letter)).map_or("?", String::as_str);
            format!("{}:{}", with_blanks(file), place.next().unwrap_or_default())
        };
        let instances = instances.into_iter().filter_map(|(within, module, at)| {
            // An interface is no module.
            let module = by_name.get(&module)?.clone();
            Some(Instance { within, module, place: place(&at) })
        });
        let reads = opened.into_iter().filter_map(|opened| {
            let Opened { is_open, place: at, is_certain, words: [name, mode] } = opened;
            let mode = mode.as_deref().and_then(string);
            let is_read = !is_open || mode.is_some_and(|mode| mode.starts_with('r'));
            let name =
                name.as_deref().and_then(string).filter(|name| is_read && !name.is_empty())?;
            let task = if is_open { "$fopen" } else { "$readmem" };
            Some(Read { name, task, place: place(&at), is_certain })
        });
        let ports = ports.into_iter().filter(|(_, type_name)| ascending.contains(type_name));
        Hierarchy {
            modules,
            instances: instances.collect(),
            reads: reads.collect(),
            ascending: ports.map(|(name, _)| name).collect(),
        }
    }
}

/// The string of a constant: `"rom.hex"`, `\"rom.hex\"`, or its characters as in `56'h726f6d2e686578`.
fn string(constant: &str) -> Option<String> {
    let plain = constant.trim_matches(['\\', '"']);
    if plain.len() != constant.len() {
        return Some(plain.to_owned());
    }
    let digits = constant.split_once("'h")?.1;
    // A leading zero is not written.
    let digits = if digits.len() % 2 == 0 { digits.to_owned() } else { format!("0{digits}") };
    let byte = |at: usize| u8::from_str_radix(digits.get(at..at + 2)?, 16).ok();
    let bytes: Option<Vec<u8>> = (0..digits.len()).step_by(2).map(byte).collect();
    let text = String::from_utf8(bytes?).ok()?;
    Some(text.trim_matches('\0').to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_strings_or_their_characters() {
        for constant in ["\"a.hex\"", "\\\"a.hex\\\"", "40'h612e686578"] {
            assert_eq!(string(constant).as_deref(), Some("a.hex"), "{constant}");
        }
        assert_eq!(string("8'h0").as_deref(), Some(""));
        assert_eq!(string("32'sh0"), None);
    }

    /// What both forms tell of `module t (input [0:3] a, ...); m m1(...); initial $readmemh("a.hex", ...);`.
    fn expected() -> Hierarchy {
        let instance = |within: &str, module: &str, line| Instance {
            within: within.to_owned(),
            module: module.to_owned(),
            place: format!("x.v:{line}"),
        };
        let read = |name: &str, line, is_certain| Read {
            name: name.to_owned(),
            task: "$readmem",
            place: format!("x.v:{line}"),
            is_certain,
        };
        Hierarchy {
            modules: vec!["m".to_owned(), "t".to_owned()],
            instances: vec![instance("t", "m", 2)],
            reads: vec![read("a.hex", 3, true), read("b.hex", 4, false)],
            ascending: vec!["a".to_owned()],
        }
    }

    #[test]
    fn xml_is_read() {
        let text = r#"<?xml version="1.0" ?><verilator_xml><files><file id="c" filename="x.v"/></files><netlist>
            <module loc="c,1,8,1,9" name="t" origName="t" topModule="1">
              <var loc="c,1,22,1,25" name="a" dtype_id="1" dir="input"/>
              <begin><instance loc="c,2,1,2,3" name="m1" defName="m__W3"/></begin>
            </module>
            <iface loc="c,9,1,9,9" name="bus" origName="bus"/>
            <module loc="c,3,8,3,9" name="m__W3" origName="m">
              <var loc="c,3,22,3,25" name="b" dtype_id="1" dir="input"/>
              <instance loc="c,2,1,2,3" name="s" defName="bus"/>
              <initial><readmem loc="c,3,1,3,9"><const name="40'h612e686578"/><varref name="m"/></readmem></initial>
              <initial><if><cond/><readmem loc="c,4,1,4,9"><const name="&quot;b.hex&quot;"/></readmem></if>
                <readmem loc="c,5,1,5,9"><varref name="s"/><varref name="m"/><const name="8'h31"/></readmem>
                <fopen loc="c,6,1,6,9"><varref name="f"/><const name="8'h61"/><const name="8'h77"/></fopen>
              </initial>
            </module>
            <typetable><basicdtype id="1" name="logic" left="0" right="3"/></typetable>
            </netlist></verilator_xml>"#;
        assert_eq!(xml::read(text.as_bytes()), Ok(expected()));
    }

    #[test]
    fn json_is_read() {
        let tree = r#"{"type": "NETLIST", "modulesp": [
            {"type": "MODULE", "name": "t", "addr": "(E)", "origName": "t", "level": 1, "stmtsp": [
              {"type": "VAR", "name": "a", "dtypep": "(I)", "isPrimaryIO": true, "direction": "INPUT"},
              {"type": "GENBLOCK", "itemsp": [{"type": "CELL", "loc": "e,2:1,2:3", "modp": "(M)"}]}]},
            {"type": "IFACE", "name": "bus", "addr": "(B)", "origName": "bus"},
            {"type": "MODULE", "name": "m__W3", "addr": "(M)", "origName": "m", "level": 2, "stmtsp": [
              {"type": "CELL", "loc": "e,2:1,2:3", "modp": "(B)"},
              {"type": "INITIAL", "stmtsp": [{"type": "READMEM", "loc": "e,3:1,3:9",
                "filenamep": [{"type": "CONST", "name": "\\\"a.hex\\\""}]}]},
              {"type": "INITIAL", "stmtsp": [{"type": "IF", "thensp": [{"type": "READMEM", "loc": "e,4:1,4:9",
                "filenamep": [{"type": "CONST", "name": "\\\"b.hex\\\""}]}]}]},
              {"type": "INITIAL", "stmtsp": [{"type": "FOPEN", "loc": "e,6:1,6:9",
                "filenamep": [{"type": "CONST", "name": "\\\"a\\\""}],
                "modep": [{"type": "CONST", "name": "\\\"w\\\""}]}]}]}],
            "miscsp": [{"type": "TYPETABLE", "typesp": [{"type": "BASICDTYPE", "addr": "(I)", "range": "0:3"}]},
              {"type": "CONSTPOOL", "modulep": [{"type": "MODULE", "origName": "@CONST-POOL@", "addr": "(Q)"}]}]}"#;
        let meta = r#"{"files": {"e": {"filename": "x.v"}}}"#;
        assert_eq!(json::read(tree.as_bytes(), meta.as_bytes()), Ok(expected()));
    }
}
