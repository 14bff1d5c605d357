//! The grid of a sweep: every combination of the values of its parameters.

use std::collections::BTreeSet;

use thiserror::Error;
use warpsmith_blocks::block::{Block, Design};
use warpsmith_blocks::parameters::ParameterError;

/// Most points that a grid may have.
const LIMIT: usize = 100_000;

/// A parameter and its values.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// Name of the parameter.
    pub name: String,
    /// Its values, in order.
    pub values: Vec<toml::Value>,
}

/// One combination.
pub struct Point {
    /// The varied parameters, in the order of the axes.
    pub varied: Vec<(String, toml::Value)>,
    /// The design, or why there is none.
    pub design: Result<Box<dyn Design>, String>,
}

/// Why a grid is malformed.
#[derive(Debug, Error)]
pub enum GridError {
    /// A parameter is varied twice.
    #[error("parameter `{0}` is varied twice; put all its values into one list")]
    TwoAxes(String),
    /// A value is listed twice.
    #[error("parameter `{name}` has the value {value} twice")]
    Twice {
        /// Name of the parameter.
        name: String,
        /// The value.
        value: String,
    },
    /// Too many points.
    #[error("the grid has more than {LIMIT} points; vary fewer parameters or over fewer values")]
    TooLarge,
    /// A parameter's name is unknown, or a value has the wrong kind.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
}

impl Point {
    /// The varied parameters as text: `ways=4 replacement=lru`.
    pub fn name(&self) -> String {
        let each = self.varied.iter().map(|(name, value)| format!("{name}={}", plain(value)));
        each.collect::<Vec<_>>().join(" ")
    }

    /// The same as a file name: `ways=4.replacement=lru`.
    pub fn file_name(&self) -> String {
        let plain = |c: char| c.is_ascii_alphanumeric() || "_=-".contains(c);
        let letter = |c: char| match c {
            ' ' => '.',
            c if plain(c) => c,
            _ => '-',
        };
        self.name().chars().map(letter).collect()
    }
}

/// A value as on the command line.
pub fn plain(value: &toml::Value) -> String {
    match value {
        toml::Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// The points of the grid over a preset with settings, the last axis fastest.
///
/// # Errors
/// Returns [`GridError`] for a malformed grid. Values that exclude each other make a point without a design.
pub fn points(
    block: &Block,
    preset: &str,
    settings: &[(String, toml::Value)],
    axes: &[Axis],
) -> Result<Vec<Point>, GridError> {
    check(axes)?;
    let mut combinations = vec![Vec::new()];
    for axis in axes {
        let with = |one: &Vec<(String, toml::Value)>, value: &toml::Value| {
            let mut one = one.clone();
            one.push((axis.name.clone(), value.clone()));
            one
        };
        combinations = combinations
            .iter()
            .flat_map(|one| axis.values.iter().map(move |value| with(one, value)))
            .collect();
    }
    let design = |varied: &[(String, toml::Value)]| match block
        .configure(preset, &[settings, varied].concat())
    {
        Ok(design) => Ok(Ok(design)),
        Err(ParameterError::Impossible { source, .. }) => Ok(Err(source.to_string())),
        Err(error) => Err(error),
    };
    let point = |varied: Vec<_>| Ok(Point { design: design(&varied)?, varied });
    combinations.into_iter().map(point).collect()
}

fn check(axes: &[Axis]) -> Result<(), GridError> {
    let mut names = BTreeSet::new();
    let mut count = 1usize;
    for Axis { name, values } in axes {
        if !names.insert(name) {
            return Err(GridError::TwoAxes(name.clone()));
        }
        let mut seen = BTreeSet::new();
        for value in values.iter().map(plain) {
            if !seen.insert(value.clone()) {
                return Err(GridError::Twice { name: name.clone(), value });
            }
        }
        count = count.saturating_mul(values.len());
    }
    if count > LIMIT { Err(GridError::TooLarge) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(name: &str, values: &[&str]) -> Axis {
        let value = |text: &&str| match text.parse() {
            Ok(number) => toml::Value::Integer(number),
            Err(_) => toml::Value::String(text.to_string()),
        };
        Axis { name: name.to_string(), values: values.iter().map(value).collect() }
    }

    fn directory(axes: &[Axis]) -> Result<Vec<Point>, GridError> {
        points(warpsmith_blocks::find("hmg_directory").unwrap(), "tiny", &[], axes)
    }

    #[test]
    fn the_last_axis_is_the_fastest() {
        let axes = [axis("ways", &["2", "4"]), axis("replacement", &["lru", "tree_plru"])];
        let names: Vec<_> = directory(&axes).unwrap().iter().map(Point::name).collect();
        let expected = ["lru", "tree_plru"].map(|r| format!("ways=2 replacement={r}"));
        assert_eq!(names[..2], expected);
        assert_eq!(names[3], "ways=4 replacement=tree_plru");
        assert_eq!(names.len(), 4);
    }

    #[test]
    fn values_that_exclude_each_other_are_a_point_with_its_message() {
        let axes = [axis("ways", &["2", "3"]), axis("replacement", &["lru", "tree_plru"])];
        let points = directory(&axes).unwrap();
        let impossible: Vec<_> =
            points.iter().filter_map(|p| Some((p.name(), p.design.as_ref().err()?))).collect();
        assert_eq!(impossible.len(), 1);
        assert_eq!(impossible[0].0, "ways=3 replacement=tree_plru");
        assert!(impossible[0].1.contains("with ways a power of two"), "{impossible:?}");
    }

    #[test]
    fn what_can_be_no_point_at_all_is_refused() {
        let message = |axes: &[Axis]| directory(axes).err().unwrap().to_string();
        assert!(message(&[axis("way", &["2"])]).contains("no parameter `way`"));
        assert!(message(&[axis("ways", &["2", "many"])]).contains("accepted: 1 to 64"));
        assert!(message(&[axis("ways", &["2", "2"])]).contains("value 2 twice"));
        assert!(message(&[axis("ways", &["2"]), axis("ways", &["4"])]).contains("varied twice"));
        let many: Vec<_> = (0..400).map(|n| n.to_string()).collect();
        let many: Vec<_> = many.iter().map(String::as_str).collect();
        assert!(message(&[axis("ways", &many), axis("sets", &many)]).contains("more than 100000"));
    }
}
