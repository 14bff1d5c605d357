//! A feature: a piece of Verilog in the FIFO of `base.v`, and what the commands say.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::cell::Flow;

const BASE: &str = include_str!("base.v");
/// The file that `$readmemh` and `` `include `` name.
pub const DATA: &str = "next.hex";

/// A feature; the fields are described in `features.toml`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Feature {
    pub name: String,
    #[serde(default = "dut")]
    pub file: String,
    #[serde(default)]
    pub options: String,
    #[serde(default)]
    pub wrong: Option<[String; 2]>,
    #[serde(default)]
    pub against_itself: bool,
    #[serde(default)]
    pub unseen: Vec<Flow>,
    #[serde(default)]
    pub refused: BTreeMap<Flow, Vec<String>>,
    #[serde(default)]
    pub wrong_refused: BTreeMap<Flow, Vec<String>>,
    /// Table entries of commands that do not read the text of the feature.
    #[serde(default)]
    pub shown: BTreeMap<Flow, String>,
    /// Flip-flops, if not those of `base.v`.
    #[serde(default)]
    pub flip_flops: Option<u64>,
    #[serde(default)]
    head: String,
    #[serde(default)]
    ports: Option<String>,
    #[serde(default)]
    content: Option<String>,
    #[serde(default)]
    write: Option<String>,
    #[serde(default)]
    tail: Option<String>,
    #[serde(default)]
    items: Option<String>,
    #[serde(default)]
    after: String,
    #[serde(default)]
    data: String,
}

#[derive(Deserialize)]
struct Table {
    feature: Vec<Feature>,
}

fn dut() -> String {
    "dut.sv".to_string()
}

pub fn features() -> Vec<Feature> {
    let table: Table = toml::from_str(include_str!("features.toml")).expect("a table");
    table.feature
}

/// `base.v` with its marked lines replaced.
fn filled(replaced: impl Fn(&str) -> Option<String>) -> String {
    let line = |line: &str| match line.split_once("//@") {
        Some((text, mark)) => replaced(mark).unwrap_or_else(|| text.to_string()),
        None => line.to_string(),
    };
    BASE.lines().map(line).collect::<Vec<_>>().join("\n") + "\n"
}

/// `base.v` itself.
pub fn base() -> String {
    filled(|_| None)
}

impl Feature {
    /// The text of the circuit and that of its data file, right or with the error.
    pub fn text(&self, wrong: bool) -> (String, String) {
        let edited = |text: &String| match &self.wrong {
            Some([from, to]) if wrong => text.replace(from, to),
            _ => text.clone(),
        };
        let circuit = filled(|mark| match mark {
            "ports" => self.ports.as_ref().map(edited),
            "content" => self.content.as_ref().map(edited),
            "write" => self.write.as_ref().map(edited),
            "tail" => self.tail.as_ref().map(edited),
            "items" => self.items.as_ref().map(edited),
            mark => panic!("no mark {mark}"),
        });
        let [head, after] = [&self.head, &self.after].map(edited);
        (format!("{head}\n{circuit}{after}\n"), edited(&self.data))
    }
}
