//! The hierarchy in Verilator's JSON, which versions since 5.022 write.

use serde::Deserialize;
use serde_json::Value;

use super::{Hierarchy, Opened, Told};
use crate::verilator::header::verilog_name;

/// Nodes whose contents do not run in every simulation.
const UNSURE: [&str; 6] = ["IF", "CASE", "LOOP", "FUNC", "TASK", "ALWAYS"];

pub(super) fn read(tree: &[u8], meta: &[u8]) -> Result<Hierarchy, String> {
    let (tree, meta) = (parsed(tree)?, parsed(meta)?);
    let mut told = Told::default();
    for (letter, file) in meta["files"].as_object().into_iter().flatten() {
        told.files.insert(letter.clone(), text(&file["filename"]));
    }
    for module in tree["modulesp"].as_array().into_iter().flatten() {
        if module["type"] == "MODULE" {
            let name = verilog_name(&text(&module["origName"]));
            told.modules.push((text(&module["addr"]), name.clone()));
            told.node(module, &name, module["level"] == 1, true);
        }
    }
    told.node(&tree["miscsp"], "", false, false);
    Ok(told.resolved())
}

/// Expressions may be nested deeply; the caller has the stack for it.
fn parsed(text: &[u8]) -> Result<Value, String> {
    let mut reader = serde_json::Deserializer::from_slice(text);
    reader.disable_recursion_limit();
    Value::deserialize(&mut reader).map_err(|error| error.to_string())
}

impl Told {
    /// Takes what is told of a node and those below it, within the module of that name.
    fn node(&mut self, node: &Value, within: &str, is_top: bool, is_certain: bool) {
        if let Some(nodes) = node.as_array() {
            return nodes.iter().for_each(|node| self.node(node, within, is_top, is_certain));
        }
        let Some(fields) = node.as_object() else { return };
        let constant = |field: &str| {
            let value = node[field].get(0).filter(|value| value["type"] == "CONST");
            value.map(|value| text(&value["name"]))
        };
        let kind = node["type"].as_str().unwrap_or_default();
        match kind {
            "CELL" => {
                self.instances.push((within.to_owned(), text(&node["modp"]), text(&node["loc"])));
            }
            "VAR" if is_top && node["isPrimaryIO"] == true => {
                self.ports.push((verilog_name(&text(&node["name"])), text(&node["dtypep"])));
            }
            "BASICDTYPE" => {
                let range = text(&node["range"]);
                let (left, right) = range.split_once(':').unwrap_or_default();
                self.range(text(&node["addr"]), left, right);
            }
            "READMEM" | "FOPEN" => self.opened.push(Opened {
                is_open: kind == "FOPEN",
                place: text(&node["loc"]),
                is_certain,
                words: [constant("filenamep"), constant("modep")],
            }),
            _ => {}
        }
        let is_certain = is_certain && !UNSURE.contains(&kind);
        fields.values().for_each(|node| self.node(node, within, is_top, is_certain));
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
