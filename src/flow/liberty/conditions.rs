//! What a library is characterised for: voltage, temperature and units, stated or assumed.

use std::collections::BTreeMap;

use super::syntax::Group;

/// Process, voltage and temperature of all figures.
#[derive(Clone, Debug, PartialEq)]
pub struct Conditions {
    /// Name of the library's operating conditions, if these are used.
    pub name: Option<String>,
    /// Process, as written.
    pub process: Option<String>,
    /// Volts; none if the library states no voltage, so that no tool can give a power.
    pub voltage: Option<f64>,
    /// Degrees Celsius, as written.
    pub temperature: Option<String>,
    /// Source of the voltage, or why there is none.
    pub source: String,
}

/// An attribute or group of the text and what is wrong with it.
pub type Wrong<'a> = (&'a str, String);

impl Conditions {
    /// The default operating conditions; without such the nominal values, or the only operating conditions.
    ///
    /// # Errors
    /// The attribute that is no voltage.
    pub fn of<'a>(root: &Group<'a>) -> Result<Self, Wrong<'a>> {
        let has_voltage = |group: &&Group<'_>| group.attribute("voltage").is_some();
        let all: Vec<_> = root.of_kind("operating_conditions").filter(has_voltage).collect();
        let default = root.attribute("default_operating_conditions");
        let named = default.and_then(|name| all.iter().find(|group| group.name() == Some(name)));
        let is_nominal = |group: &&&Group<'_>| match root.number("nom_voltage") {
            Some(nominal) => group.number("voltage") == Some(nominal),
            None => true,
        };
        let only = all.first().filter(|_| all.len() == 1).filter(is_nominal);
        let chosen = named.or(only).copied();
        let stated = |what: &str| {
            let own = chosen.and_then(|group| group.attribute(what));
            own.or_else(|| root.attribute(&format!("nom_{what}")))
        };
        let number = |text: &str| text.parse::<f64>().ok().filter(|v| v.is_finite() && *v > 0.0);
        let voltage = match stated("voltage") {
            Some(text) => Some(number(text).ok_or_else(|| {
                (text, format!("`{text}` is not a voltage; a positive number of volts is accepted"))
            })?),
            None => None,
        };
        let supplied = match voltage {
            None => only_supply(root),
            Some(_) => None,
        };
        let source = match (chosen.and_then(Group::name), default) {
            _ if supplied.is_some() => "`voltage_map`".to_string(),
            _ if voltage.is_none() => {
                "no `nom_voltage`, operating conditions or `voltage_map` state it".to_string()
            }
            (Some(name), Some(_)) if named.is_some() => format!("operating conditions `{name}`"),
            (Some(name), None) => format!("`{name}`, its only operating conditions"),
            (_, Some(name)) => format!(
                "`nom_voltage`, since its default operating conditions `{name}` are not in it or \
                 have no voltage"
            ),
            _ => "`nom_voltage`, since no operating conditions are its default".to_string(),
        };
        let voltage = voltage.or(supplied);
        let dead = supplies_of_cells(root).into_iter().find(|(_, volts)| *volts <= 0.0);
        let (voltage, source) = match dead {
            None => (voltage, source),
            Some((name, volts)) => {
                (None, format!("`voltage_map` has the supply {name} of cells at {volts} V"))
            }
        };
        Ok(Self {
            name: chosen.and_then(Group::name).map(str::to_string),
            process: stated("process").map(str::to_string),
            voltage,
            temperature: stated("temperature").map(str::to_string),
            source,
        })
    }
}

/// Voltages of the supplies of `voltage_map`, by name.
fn supplies<'a>(root: &Group<'a>) -> BTreeMap<&'a str, f64> {
    let maps = root.complex.iter().filter(|(name, _)| *name == "voltage_map");
    let maps = maps.map(|(_, values)| super::syntax::list(values));
    maps.filter_map(|map| Some((*map.first()?, map.get(1)?.parse().ok()?))).collect()
}

/// The only voltage of all supplies but ground.
fn only_supply(root: &Group<'_>) -> Option<f64> {
    let mut voltages = supplies(root).into_values().filter(|voltage| *voltage > 0.0);
    let first = voltages.next()?;
    voltages.all(|voltage| voltage == first).then_some(first)
}

/// Supplies in `voltage_map` to which output pins of cells are related, with their voltages: for OpenSTA these
/// go before the voltage of the conditions.
pub fn supplies_of_cells(root: &Group<'_>) -> BTreeMap<String, f64> {
    let map = supplies(root);
    let of_cell = |cell: &Group<'_>| -> Vec<(String, f64)> {
        let outputs = cell.groups.iter().filter_map(|pin| pin.attribute("related_power_pin"));
        let supply = |name: &str| {
            let pin = cell.of_kind("pg_pin").find(|pin| pin.name() == Some(name))?;
            let supply = pin.attribute("voltage_name")?;
            Some((supply.to_string(), *map.get(supply)?))
        };
        outputs.filter_map(supply).collect()
    };
    match map.is_empty() {
        true => BTreeMap::new(),
        false => root.of_kind("cell").flat_map(of_cell).collect(),
    }
}

/// Units of a library.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Units {
    /// Seconds.
    pub time: f64,
    /// Farads.
    pub capacitance: f64,
    /// Watts, of leakage; none if not stated.
    pub leakage: Option<f64>,
}

impl Units {
    /// Reads the units.
    ///
    /// # Errors
    /// The attribute, empty if it is missing, and what is wrong with it.
    pub fn of<'a>(root: &Group<'a>) -> Result<Self, Wrong<'a>> {
        let time = root.attribute("time_unit");
        let seconds = time.and_then(|text| scaled_number(text, 's'));
        let usual = [1e-12, 1e-11, 1e-10, 1e-9];
        let time_unit = seconds.and_then(|s| usual.into_iter().find(|unit| is_near(*unit, s)));
        let time =
            time_unit.ok_or_else(|| unusable(time, "time_unit", "1ps, 10ps, 100ps or 1ns"))?;
        let load = root.complex.iter().rfind(|(name, _)| *name == "capacitive_load_unit");
        let load = load.map(|(_, values)| *values);
        let capacitance = load.and_then(farads).ok_or_else(|| {
            unusable(load, "capacitive_load_unit", "a number with ff or pf, such as (1, pf),")
        })?;
        let volts = root.attribute("voltage_unit");
        if volts.is_some_and(|text| scaled_number(text, 'v') != Some(1.0)) {
            return Err(unusable(volts, "voltage_unit", "1V"));
        }
        let leakage = match root.attribute("leakage_power_unit") {
            None => None,
            Some(text) => Some(watts(text).filter(is_power_of_ten).ok_or_else(|| {
                unusable(Some(text), "leakage_power_unit", "a power such as 1nW or 100pW")
            })?),
        };
        Ok(Self { time, capacitance, leakage })
    }
}

fn unusable<'a>(stated: Option<&'a str>, attribute: &str, accepted: &str) -> Wrong<'a> {
    match stated {
        None => ("", format!("the library has no `{attribute}`; {accepted} is accepted")),
        Some(text) => (text, format!("`{attribute}` is `{text}`; {accepted} is accepted")),
    }
}

/// The only units that OpenSTA reads.
fn is_power_of_ten(value: &f64) -> bool {
    let exponent = value.log10();
    (exponent - exponent.round()).abs() < 1e-6
}

fn is_near(a: f64, b: f64) -> bool {
    (a / b - 1.0).abs() < 1e-6
}

/// Parses a capacitance such as `1, pf`.
fn farads(text: &str) -> Option<f64> {
    let values = super::syntax::list(text);
    let [number, unit] = values[..] else { return None };
    let unit = match unit.to_ascii_lowercase().as_str() {
        "ff" => 1e-15,
        "pf" => 1e-12,
        _ => return None,
    };
    positive(number.parse::<f64>().ok()? * unit)
}

/// Parses a power such as `1nW`.
pub fn watts(text: &str) -> Option<f64> {
    scaled_number(text, 'w')
}

fn scaled_number(text: &str, base: char) -> Option<f64> {
    let (number, unit) = text.split_at(text.find(char::is_alphabetic)?);
    let scale = match unit.trim().to_ascii_lowercase().strip_suffix(base)? {
        "" => 1.0,
        "m" => 1e-3,
        "u" => 1e-6,
        "n" => 1e-9,
        "p" => 1e-12,
        "f" => 1e-15,
        _ => return None,
    };
    let number = number.trim();
    positive(if number.is_empty() { 1.0 } else { number.parse::<f64>().ok()? } * scale)
}

fn positive(value: f64) -> Option<f64> {
    (value.is_finite() && value > 0.0).then_some(value)
}
