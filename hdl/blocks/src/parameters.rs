//! Parameters: presets, files and single settings, checked before anything is built.

use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

/// One parameter for the reader of `warpsmith show`.
#[derive(Clone, Debug, Serialize)]
pub struct ParameterInfo {
    /// Name of the field.
    pub name: &'static str,
    /// What it means, with its unit.
    pub meaning: &'static str,
    /// What is accepted.
    pub accepted: &'static str,
}

/// A parameter set that is possible field by field and as a whole.
pub trait Parameters: Clone + Serialize + DeserializeOwned + Send + Sync + 'static {
    /// The fields, in order, with what each accepts.
    fn describe() -> &'static [ParameterInfo];

    /// Named sets, the smallest first. There are `tiny`, `fpga` and `paper` at least.
    fn presets() -> Vec<(&'static str, Self)>;

    /// Checks what one field cannot say alone.
    ///
    /// # Errors
    /// The first field that is impossible, with its value and what would be accepted.
    fn validate(&self) -> Result<(), ImpossibleParameter>;
}

/// A value that no circuit can be made for.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("parameter `{field}` is {value}; accepted: {accepted}")]
pub struct ImpossibleParameter {
    /// Name of the field.
    pub field: &'static str,
    /// Its value.
    pub value: String,
    /// What would be accepted, beside the other fields' values.
    pub accepted: String,
}

/// A number that must lie between two others, both allowed.
///
/// # Errors
/// If it does not.
pub fn in_range(
    field: &'static str,
    value: u32,
    low: u32,
    high: u32,
) -> Result<(), ImpossibleParameter> {
    match (low..=high).contains(&value) {
        true => Ok(()),
        false => Err(ImpossibleParameter {
            field,
            value: value.to_string(),
            accepted: format!("{low} to {high}"),
        }),
    }
}

/// As [`in_range`], for a number that must be a power of two.
///
/// # Errors
/// If it is not.
pub fn power_of_two(
    field: &'static str,
    value: u32,
    low: u32,
    high: u32,
) -> Result<(), ImpossibleParameter> {
    match value.is_power_of_two() && (low..=high).contains(&value) {
        true => Ok(()),
        false => Err(ImpossibleParameter {
            field,
            value: value.to_string(),
            accepted: format!("a power of two, {low} to {high}"),
        }),
    }
}

/// Why there is no parameter set.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ParameterError {
    /// The preset does not exist.
    #[error("{block} has no preset `{preset}`; it has: {}", .known.join(", "))]
    UnknownPreset {
        /// Name of the block.
        block: &'static str,
        /// What was asked for.
        preset: String,
        /// What there is.
        known: Vec<&'static str>,
    },
    /// The field does not exist.
    #[error("{block} has no parameter `{field}`; it has: {}", .known.join(", "))]
    UnknownField {
        /// Name of the block.
        block: &'static str,
        /// What was set.
        field: String,
        /// What there is.
        known: Vec<&'static str>,
    },
    /// The field has a value of the wrong kind.
    #[error("{block}: parameter `{field}` is {value}; accepted: {accepted}")]
    WrongKind {
        /// Name of the block.
        block: &'static str,
        /// Name of the field.
        field: String,
        /// Its value.
        value: String,
        /// What would be accepted.
        accepted: String,
    },
    /// The fields do not make a circuit.
    #[error("{block}: {source}")]
    Impossible {
        /// Name of the block.
        block: &'static str,
        /// Which field, and what would be accepted.
        source: ImpossibleParameter,
    },
}

/// The preset of that name with `settings` put over it, in order, checked.
///
/// # Errors
/// See [`ParameterError`].
pub fn resolve<P: Parameters>(
    block: &'static str,
    preset: &str,
    settings: &[(String, toml::Value)],
) -> Result<P, ParameterError> {
    let presets = P::presets();
    let Some((_, base)) = presets.iter().find(|(name, _)| *name == preset) else {
        let known = presets.iter().map(|(name, _)| *name).collect();
        return Err(ParameterError::UnknownPreset { block, preset: preset.to_string(), known });
    };
    let mut params = base.clone();
    let mut table = toml::Table::try_from(base).expect("parameters are a flat table");
    for (field, value) in settings {
        let Some(info) = P::describe().iter().find(|info| info.name == field) else {
            let known = P::describe().iter().map(|info| info.name).collect();
            return Err(ParameterError::UnknownField { block, field: field.clone(), known });
        };
        // One field at a time, so that the message can name it.
        table.insert(field.clone(), value.clone());
        params = table.clone().try_into().map_err(|_| ParameterError::WrongKind {
            block,
            field: field.clone(),
            value: value.to_string(),
            accepted: info.accepted.to_string(),
        })?;
    }
    params.validate().map_err(|source| ParameterError::Impossible { block, source })?;
    Ok(params)
}
