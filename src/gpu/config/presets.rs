//! Machines by name.

use super::{Config, ImpossibleConfig};

/// Names and texts of the presets.
pub const PRESETS: [(&str, &str); 12] = [
    ("apu", include_str!("presets/apu.toml")),
    ("getm_15", include_str!("presets/getm_15.toml")),
    ("getm_56", include_str!("presets/getm_56.toml")),
    ("gpudet_15", include_str!("presets/gpudet_15.toml")),
    ("gtx480", include_str!("presets/gtx480.toml")),
    ("gtx480_gpgpusim", include_str!("presets/gtx480_gpgpusim.toml")),
    ("hmg_4x4", include_str!("presets/hmg_4x4.toml")),
    ("relativistic_16", include_str!("presets/relativistic_16.toml")),
    ("small", include_str!("presets/small.toml")),
    ("small_apu", include_str!("presets/small_apu.toml")),
    ("small_gpudet", include_str!("presets/small_gpudet.toml")),
    ("small_relativistic", include_str!("presets/small_relativistic.toml")),
];

impl Config {
    /// The machine of that name.
    ///
    /// # Errors
    /// If there is none of that name.
    pub fn preset(name: &str) -> Result<Self, ImpossibleConfig> {
        match PRESETS.iter().find(|(known, _)| *known == name) {
            Some((_, text)) => Self::parse(text),
            None => Err(ImpossibleConfig::NoPreset {
                name: name.to_string(),
                known: PRESETS.map(|(known, _)| known).join(", "),
            }),
        }
    }

    /// Reads and checks a configuration written in TOML.
    ///
    /// # Errors
    /// If it is not one, or no machine can be built so.
    pub fn parse(text: &str) -> Result<Self, ImpossibleConfig> {
        let config: Self = toml::from_str(text)?;
        config.check()?;
        Ok(config)
    }
}
