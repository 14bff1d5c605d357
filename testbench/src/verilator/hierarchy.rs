//! Which modules a source instantiates, from Verilator's own elaboration: generate blocks that are not taken and
//! modules below nothing do not count.
//!
//! Verilator tells its hierarchy in XML, and since 5.022 in JSON, which has replaced XML by 5.040.

use std::collections::HashMap;
use std::fs;

use quick_xml::Reader;
use quick_xml::XmlVersion;
use quick_xml::events::{BytesStart, Event};
use serde_json::Value;

use super::build::{Step, translate};
use super::error::VerilatorError;
use super::header::verilog_name;
use super::inspect::scratch_error;
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

/// The modules at and below the top, and their instances.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hierarchy {
    /// Names of the modules, each once, by name. Variants by parameters are one module.
    pub modules: Vec<String>,
    /// The instances; those of a module's variants are listed for each.
    pub instances: Vec<Instance>,
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
    let read = || -> Result<Hierarchy, Step> {
        match translate(folder.path(), source, options, XML, &arguments) {
            Ok(_) => Ok(of_xml(&fs::read(folder.path().join("hierarchy"))?)),
            Err(Step::Failed(VerilatorError::Verilate { log })) if log.contains("--xml-only") => {
                translate(folder.path(), source, options, JSON, &arguments)?;
                let file = |name: &str| fs::read(folder.path().join(name));
                Ok(of_json(&file("hierarchy")?, &file("files")?))
            }
            Err(step) => Err(step),
        }
    };
    read().map_err(|step| match step {
        Step::Failed(error) => error,
        Step::File(source) => scratch_error(source),
    })
}

/// What is told of modules and instances, before names are resolved.
#[derive(Default)]
struct Told {
    /// Each module's name in instances, and its name in Verilog.
    modules: Vec<(String, String)>,
    /// The module that has it, by its name in Verilog; the name of its module; the file's letter and the line.
    instances: Vec<(String, String, String)>,
    files: HashMap<String, String>,
}

impl Told {
    fn resolved(self) -> Hierarchy {
        let Self { modules: told, instances, files } = self;
        let by_name: HashMap<_, _> = told.iter().cloned().collect();
        let mut modules: Vec<_> = told.into_iter().map(|(_, name)| name).collect();
        modules.sort();
        modules.dedup();
        let instances = instances.into_iter().filter_map(|(within, module, place)| {
            // An interface is no module.
            let module = by_name.get(&module)?.clone();
            let mut place = place.split([',', ':']);
            let (file, line) = (place.next()?, place.next()?);
            let file = files.get(file).map_or("?", String::as_str);
            Some(Instance { within, module, place: format!("{file}:{line}") })
        });
        Hierarchy { modules, instances: instances.collect() }
    }
}

fn of_xml(text: &[u8]) -> Hierarchy {
    let mut told = Told::default();
    let mut within = None;
    let mut reader = Reader::from_reader(text);
    let attribute = |element: &BytesStart<'_>, name: &str| {
        let attribute = element.try_get_attribute(name).ok().flatten();
        let value = attribute
            .and_then(|a| Some(a.normalized_value(XmlVersion::Implicit1_0).ok()?.into_owned()));
        value.unwrap_or_default()
    };
    loop {
        match reader.read_event() {
            Ok(Event::Start(element) | Event::Empty(element)) => match element.name().as_ref() {
                b"file" => {
                    told.files.insert(attribute(&element, "id"), attribute(&element, "filename"));
                }
                b"module" => {
                    let name = verilog_name(&attribute(&element, "origName"));
                    told.modules.push((attribute(&element, "name"), name.clone()));
                    within = Some(name);
                }
                b"instance" => {
                    let module = verilog_name(&attribute(&element, "defName"));
                    let place = attribute(&element, "loc");
                    told.instances.extend(within.clone().map(|within| (within, module, place)));
                }
                _ => {}
            },
            Ok(Event::End(element)) if element.name().as_ref() == b"module" => within = None,
            Ok(Event::Eof) | Err(_) => return told.resolved(),
            Ok(_) => {}
        }
    }
}

fn of_json(tree: &[u8], meta: &[u8]) -> Hierarchy {
    let parsed = |text| serde_json::from_slice::<Value>(text).unwrap_or_default();
    let (tree, meta) = (parsed(tree), parsed(meta));
    let mut told = Told::default();
    for (letter, file) in meta["files"].as_object().into_iter().flatten() {
        told.files.insert(letter.clone(), text(&file["filename"]));
    }
    for module in tree["modulesp"].as_array().into_iter().flatten() {
        if module["type"] == "MODULE" && module["origName"] != "@CONST-POOL@" {
            let name = verilog_name(&text(&module["origName"]));
            told.modules.push((text(&module["addr"]), name.clone()));
            cells(module, &name, &mut told.instances);
        }
    }
    told.resolved()
}

/// The cells below a node, within the module of that name.
fn cells(node: &Value, within: &str, found: &mut Vec<(String, String, String)>) {
    if node["type"] == "CELL" {
        found.push((within.to_owned(), text(&node["modp"]), text(&node["loc"])));
    }
    let below = node.as_object().into_iter().flat_map(|fields| fields.values());
    for node in below.filter_map(Value::as_array).flatten() {
        cells(node, within, found);
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
