//! The block and its parameters on the command line.

use std::path::{Path, PathBuf};

use clap::Args;
use warpsmith_blocks::block::{Block, Design};

use super::UserError;
use crate::emission::hash;

/// A block and its parameters: a preset, then a file, then single settings.
#[derive(Clone, Debug, Args)]
pub(super) struct DesignArgs {
    /// Name of the block; `warpsmith list` shows them
    pub block: String,
    /// Preset to start from
    #[arg(long, default_value = "tiny")]
    pub preset: String,
    /// File of parameters that override the preset: TOML, or JSON if it ends in .json
    #[arg(long, value_name = "FILE")]
    pub params: Option<PathBuf>,
    /// Single parameter that overrides both
    #[arg(long = "set", value_name = "NAME=VALUE")]
    pub settings: Vec<String>,
}

impl DesignArgs {
    /// The same arguments for another block.
    pub fn of_block(&self, block: &str) -> Self {
        let (block, preset) = (block.to_string(), self.preset.clone());
        Self { block, preset, params: None, settings: Vec::new() }
    }

    /// The block.
    pub fn block(&self) -> Result<&'static Block, UserError> {
        find(&self.block)
    }

    /// The block with its parameters.
    pub fn design(&self) -> Result<Box<dyn Design>, UserError> {
        Ok(self.block()?.configure(&self.preset, &self.over_preset()?)?)
    }

    /// The overrides from the file and the single settings, in order.
    pub fn over_preset(&self) -> Result<Vec<(String, toml::Value)>, UserError> {
        let mut settings = match &self.params {
            Some(path) => from_file(path)?,
            None => Vec::new(),
        };
        for setting in &self.settings {
            settings.push(from_setting(setting)?);
        }
        Ok(settings)
    }

    /// The preset's name, or `custom` with any override.
    pub fn name(&self) -> &str {
        match self.params.is_none() && self.settings.is_empty() {
            true => &self.preset,
            false => "custom",
        }
    }

    /// A folder name that differs for other parameters.
    pub fn folder_name(&self, params: &toml::Table) -> String {
        let mut name = format!("{}-{}", self.block, self.name());
        if self.name() == "custom" {
            name += &format!("-{}", hash(params));
        }
        name
    }

    /// The same choice as arguments for a repeated command.
    pub fn as_arguments(&self) -> String {
        let mut text = format!("{} --preset {}", self.block, self.preset);
        if let Some(path) = &self.params {
            text += &format!(" --params {}", quoted(&path.display().to_string()));
        }
        for setting in &self.settings {
            text += &format!(" --set {}", quoted(setting));
        }
        text
    }
}

/// Quotes a word for the shell.
pub(super) fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "_-./=+,:@%".contains(c);
    match !word.is_empty() && word.chars().all(plain) {
        true => word.to_string(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

/// The block of that name.
pub(super) fn find(name: &str) -> Result<&'static Block, UserError> {
    warpsmith_blocks::find(name).ok_or_else(|| UserError::new(no_block(name)))
}

/// The message for an unknown block, with the known names.
pub(super) fn no_block(name: &str) -> String {
    let known: Vec<_> = warpsmith_blocks::all().iter().map(|block| block.name).collect();
    format!("there is no block `{name}`; blocks are: {}", known.join(", "))
}

fn from_file(path: &Path) -> Result<Vec<(String, toml::Value)>, UserError> {
    let name = path.display();
    let text = std::fs::read_to_string(path)
        .map_err(|error| UserError::new(format!("cannot read parameter file {name}: {error}")))?;
    let is_json = path.extension().is_some_and(|extension| extension == "json");
    let table: toml::Table = match is_json {
        true => serde_json::from_str(&text).map_err(|error| {
            UserError::new(format!(
                "parameter file {name} is not a JSON object of parameters: {error}"
            ))
        })?,
        false => toml::from_str(&text).map_err(|error| {
            UserError::new(format!("parameter file {name} is not TOML: {error}"))
        })?,
    };
    Ok(table.into_iter().collect())
}

/// A setting's name and value.
pub(super) fn from_setting(setting: &str) -> Result<(String, toml::Value), UserError> {
    let Some((name, value)) = setting.split_once('=') else {
        return Err(UserError::new(format!("`--set {setting}` is not NAME=VALUE, like ways=4")));
    };
    Ok((name.trim().to_string(), parse_value(value)))
}

/// Parses a parameter's value.
pub(super) fn parse_value(text: &str) -> toml::Value {
    let text = text.trim();
    match (text.parse::<i64>(), text.parse::<f64>(), text.parse::<bool>()) {
        (Ok(number), ..) => toml::Value::Integer(number),
        (_, Ok(number), _) if text.contains('.') => toml::Value::Float(number),
        (_, _, Ok(truth)) => toml::Value::Boolean(truth),
        _ => toml::Value::String(text.trim_matches('"').to_string()),
    }
}
