//! Parameters: presets, files and single settings, checked before anything is built.

use std::fmt;

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
    pub accepted: String,
}

/// A parameter set whose fields are declared by `parameters!`.
pub trait Declared: Sized {
    /// The fields, in order.
    fn fields() -> Vec<Field<Self>>;
}

/// A parameter set that is possible field by field and as a whole.
pub trait Parameters:
    Declared + Clone + Serialize + DeserializeOwned + Send + Sync + 'static
{
    /// Named sets, the smallest first. There are `tiny`, `fpga` and `paper` at least.
    fn presets() -> Vec<(&'static str, Self)>;

    /// Checks what no field can say alone; each is in its range.
    ///
    /// # Errors
    /// The first field that is impossible, with its value and what would be accepted.
    fn check(&self) -> Result<(), ImpossibleParameter> {
        Ok(())
    }

    /// The fields, in order, with what each accepts.
    fn describe() -> Vec<ParameterInfo> {
        let info = |field: Field<Self>| {
            let Field { name, meaning, accepted } = field;
            ParameterInfo { name, meaning, accepted: accepted.to_string() }
        };
        Self::fields().into_iter().map(info).collect()
    }

    /// Checks each field and then the whole.
    ///
    /// # Errors
    /// As [`Parameters::check`].
    fn validate(&self) -> Result<(), ImpossibleParameter> {
        let table = self.params();
        // Limits that other fields set come last: those fields are possible then.
        let (alone, others): (Vec<_>, Vec<_>) =
            Self::fields().into_iter().partition(|field| field.accepted.is_alone());
        for Field { name, accepted, .. } in alone.into_iter().chain(others) {
            let value = table.get(name).and_then(toml::Value::as_integer).unwrap_or(0) as u32;
            match accepted {
                Accepted::Range(low, high) => in_range(name, value, low.of(self), high.of(self))?,
                Accepted::PowerOfTwo(low, high) => {
                    power_of_two(name, value, low.of(self), high.of(self))?;
                }
                Accepted::Words(_) => {}
            }
        }
        self.check()
    }
}

/// The fields of a parameter set as a flat table, without their type.
pub trait Settings {
    /// The table.
    fn params(&self) -> toml::Table;
}

impl<P: Parameters> Settings for P {
    fn params(&self) -> toml::Table {
        toml::Table::try_from(self).expect("parameters are a flat table")
    }
}

/// The parameters of a part of a block, from a table that has all of its fields, and others.
pub(crate) fn part<P: Parameters>(mut table: toml::Table) -> P {
    table.retain(|name, _| P::fields().iter().any(|field| field.name == name));
    table.try_into().expect("a block has the parameters of its parts")
}

/// One field of the parameter set `P`.
pub struct Field<P> {
    /// Its name.
    pub name: &'static str,
    /// What it means, with its unit.
    pub meaning: &'static str,
    /// What it accepts.
    pub accepted: Accepted<P>,
}

/// What a field accepts.
pub enum Accepted<P> {
    /// A number from the first limit to the second.
    Range(Limit<P>, Limit<P>),
    /// A power of two from the first limit to the second.
    PowerOfTwo(Limit<P>, Limit<P>),
    /// What its type, or [`Parameters::check`], says.
    Words(&'static str),
}

/// A number, or one that other fields set, in words and as a function of them.
pub enum Limit<P> {
    /// The number.
    Number(u32),
    /// The words and the function.
    Of(&'static str, fn(&P) -> u32),
}

impl<P> From<u32> for Limit<P> {
    fn from(number: u32) -> Self {
        Self::Number(number)
    }
}

/// A limit that other fields set: how it is told, and what it is.
pub fn of<P>(words: &'static str, limit: fn(&P) -> u32) -> Limit<P> {
    Limit::Of(words, limit)
}

/// Numbers from `low` to `high`.
pub fn range<P>(low: impl Into<Limit<P>>, high: impl Into<Limit<P>>) -> Accepted<P> {
    Accepted::Range(low.into(), high.into())
}

/// Powers of two from `low` to `high`.
pub fn power<P>(low: impl Into<Limit<P>>, high: impl Into<Limit<P>>) -> Accepted<P> {
    Accepted::PowerOfTwo(low.into(), high.into())
}

impl<P> Accepted<P> {
    fn is_alone(&self) -> bool {
        match self {
            Self::Range(low, high) | Self::PowerOfTwo(low, high) => {
                matches!((low, high), (Limit::Number(_), Limit::Number(_)))
            }
            Self::Words(_) => true,
        }
    }
}

impl<P> fmt::Display for Accepted<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Range(low, high) => write!(f, "{low} to {high}"),
            Self::PowerOfTwo(low, high) => write!(f, "a power of two, {low} to {high}"),
            Self::Words(words) => f.write_str(words),
        }
    }
}

impl<P> Limit<P> {
    fn of(&self, params: &P) -> u32 {
        match self {
            Self::Number(number) => *number,
            Self::Of(_, limit) => limit(params),
        }
    }
}

impl<P> fmt::Display for Limit<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Of(words, _) => f.write_str(words),
        }
    }
}

/// Declares a parameter set: of each field its name and type, what it means, and what is accepted.
/// A set without [`Parameters::check`] can name its presets here too, behind the fields:
/// `presets: tiny { lines: 2 }, fpga { lines: 16 }, paper { lines: 64 }`.
///
/// ```text
/// parameters! {
///     /// Parameters of the stall buffer.
///     pub struct Params {
///         lines: u32, "addresses that requests can wait for at once", range(1, 64);
///         granule_bytes: u32, "bytes that are reserved together", power(1, 4096);
///         address_bits: u32, "bits of a byte address",
///             range(of("offset + 2", |p: &Self| p.offset_bits() + 2), 64);
///     }
/// }
/// ```
#[macro_export]
macro_rules! parameters {
    ($(#[$doc:meta])* pub struct Params {
        $($field:ident: $type:ty, $meaning:literal, $accepted:expr;)*
    } $(presets: $($preset:ident { $($value:tt)* }),+ $(,)?)?) => {
        // By this name, since an attribute cannot name `$crate`.
        use $crate::serde as serde_of_parameters;

        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[derive($crate::serde::Serialize, $crate::serde::Deserialize)]
        #[serde(crate = "serde_of_parameters", deny_unknown_fields)]
        pub struct Params {
            $(#[doc = $meaning] pub $field: $type,)*
        }

        impl Default for Params {
            /// The smallest preset.
            fn default() -> Self {
                <Self as $crate::parameters::Parameters>::presets().swap_remove(0).1
            }
        }

        impl $crate::parameters::Declared for Params {
            fn fields() -> Vec<$crate::parameters::Field<Self>> {
                #[allow(unused_imports, reason = "each set uses some")]
                use $crate::parameters::{Accepted::Words, of, power, range};
                vec![$($crate::parameters::Field {
                    name: stringify!($field),
                    meaning: $meaning,
                    accepted: $accepted,
                }),*]
            }
        }

        $(impl $crate::parameters::Parameters for Params {
            fn presets() -> Vec<(&'static str, Self)> {
                vec![$((stringify!($preset), Params { $($value)* })),+]
            }
        })?
    };
}
pub use parameters;

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

impl ImpossibleParameter {
    /// That field with that value.
    pub fn new(field: &'static str, value: impl ToString, accepted: String) -> Self {
        Self { field, value: value.to_string(), accepted }
    }
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
        false => Err(ImpossibleParameter::new(field, value, format!("{low} to {high}"))),
    }
}

fn power_of_two(
    field: &'static str,
    value: u32,
    low: u32,
    high: u32,
) -> Result<(), ImpossibleParameter> {
    match value.is_power_of_two() && (low..=high).contains(&value) {
        true => Ok(()),
        false => {
            let accepted = format!("a power of two, {low} to {high}");
            Err(ImpossibleParameter::new(field, value, accepted))
        }
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
        /// What was requested.
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
    let mut table = base.params();
    for (field, value) in settings {
        let Some(known) = P::fields().into_iter().find(|known| known.name == field) else {
            let known = P::fields().iter().map(|known| known.name).collect();
            return Err(ParameterError::UnknownField { block, field: field.clone(), known });
        };
        // One field at a time, so that the message can name it.
        table.insert(field.clone(), value.clone());
        params = table.clone().try_into().map_err(|_| ParameterError::WrongKind {
            block,
            field: field.clone(),
            value: value.to_string(),
            accepted: known.accepted.to_string(),
        })?;
    }
    params.validate().map_err(|source| ParameterError::Impossible { block, source })?;
    Ok(params)
}
