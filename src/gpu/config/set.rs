//! Changes of single values of a machine.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{Config, ImpossibleConfig};

impl Config {
    /// Changes a value, named as `section.value`.
    ///
    /// # Errors
    /// If there is none of that name, or no machine has it.
    pub fn set(&mut self, path: &str, value: toml::Value) -> Result<(), ImpossibleConfig> {
        let (section, name) = path.split_once('.').unwrap_or(("", path));
        match section {
            "machine" => set(&mut self.machine, name, value),
            "core" => set(&mut self.core, name, value),
            "l1" => set(&mut self.l1, name, value),
            "crossbar" => set(&mut self.crossbar, name, value),
            "l2" => set(&mut self.l2, name, value),
            "dram" => set(&mut self.dram, name, value),
            "perturbation" => set(&mut self.perturbation, name, value),
            "transactions" => set(&mut self.transactions, name, value),
            "quanta" => set(&mut self.quanta, name, value),
            "leases" => set(&mut self.leases, name, value),
            _ => Err(ImpossibleConfig::NoSection { path: path.to_string() }),
        }?;
        self.check()
    }

    /// Changes a value of `[transactions]`.
    ///
    /// # Errors
    /// As [`Config::set`].
    pub fn set_transactions(
        &mut self,
        name: &str,
        value: toml::Value,
    ) -> Result<(), ImpossibleConfig> {
        set(&mut self.transactions, name, value)?;
        self.transactions.check(self.machine.cores() * self.core.warps)
    }
}

fn set<T: Serialize + DeserializeOwned>(
    section: &mut T,
    name: &str,
    value: toml::Value,
) -> Result<(), ImpossibleConfig> {
    let mut values = toml::Table::try_from(&*section).unwrap_or_default();
    let found = value.to_string();
    let mut table = &mut values;
    let mut parts = name.split('.').peekable();
    while let Some(part) = parts.next() {
        let known = table.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
        table = match (table.get_mut(part), parts.peek()) {
            (Some(place), None) => {
                *place = value;
                break;
            }
            (Some(toml::Value::Table(inner)), Some(_)) => inner,
            _ => return Err(ImpossibleConfig::NoValue { name: name.to_string(), known }),
        };
    }
    *section = values.try_into().map_err(|error: toml::de::Error| {
        let message = error.message();
        let accepted = match message {
            text if text.ends_with("u32") => {
                "a whole number from 0 to 4294967295 is accepted".into()
            }
            text if text.ends_with("u64") => {
                "a whole number from 0 to 9223372036854775807 is accepted".into()
            }
            text if text.ends_with("boolean") => "true or false is accepted".into(),
            text if text.starts_with("unknown variant") => {
                let known = text.split_once("expected ").map_or(text, |(_, known)| known);
                let known = known.trim_start_matches("one of ");
                format!("{} is accepted", known.replace('`', ""))
            }
            _ => "a number is accepted".into(),
        };
        ImpossibleConfig::Type { name: name.to_string(), found, accepted }
    })?;
    Ok(())
}
