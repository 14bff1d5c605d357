//! Checks the output of `--json` against docs/json-schema.json.

use std::sync::LazyLock;

use jsonschema::Validator;
use serde_json::{Map, Value, json};

use super::Ended;

/// The schema without additional fields: readers must accept new ones, but every printed field must be
/// described.
pub static SCHEMA: LazyLock<Value> = LazyLock::new(|| {
    let mut schema =
        serde_json::from_str(include_str!("../../docs/json-schema.json")).expect("JSON");
    close(&mut schema);
    schema
});

fn close(schema: &mut Value) {
    match schema {
        Value::Object(object) => {
            object.values_mut().for_each(close);
            if object.get("properties").is_some_and(Value::is_object) {
                object.insert("additionalProperties".to_string(), false.into());
            }
        }
        Value::Array(values) => values.iter_mut().for_each(close),
        _ => {}
    }
}

/// The single document that a command printed, which must match the command's schema.
pub fn document(ended: &Ended) -> Value {
    let document: Value = serde_json::from_str(&ended.stdout)
        .unwrap_or_else(|error| panic!("no JSON document: {error}: {ended:?}"));
    if let Err(wrong) = check(&document) {
        panic!("not as docs/json-schema.json says: {wrong}\n{document:#}");
    }
    assert_eq!(ended.code == 2, document.get("error").is_some(), "{ended:?}");
    document
}

/// The errors of a document with their locations.
pub fn check(document: &Value) -> Result<(), String> {
    let fields = document.as_object().map(Map::len);
    let kind = match (document.get("error"), &document["command"]) {
        (Some(_), _) if fields == Some(3) => "error",
        (_, Value::String(command)) => command,
        _ => return Err("it has no command".to_string()),
    };
    let schema = json!({ "$ref": format!("#/$defs/{kind}"), "$defs": SCHEMA["$defs"] });
    let validator = Validator::new(&schema).map_err(|error| error.to_string())?;
    let wrong: Vec<_> = validator
        .iter_errors(document)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}
