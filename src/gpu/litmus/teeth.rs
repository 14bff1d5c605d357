//! Whether litmus tests can fail: each line that is forbidden is to be seen when an error is planted.

use super::place::Variant;
use super::run::{LitmusRunError, Settings, run};
use super::{Condition, Test};
use crate::gpu::PlantedError;

/// A forbidden line of a test in a scope and place of a memory system.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tooth {
    /// The line.
    pub condition: Condition,
    /// Errors that were planted.
    pub planted: Vec<PlantedError>,
    /// Errors with which it was seen.
    pub seen: Vec<PlantedError>,
}

/// Plants errors, one at a time, and runs a test with each until all that it forbids was seen, or
/// [`Settings::most`] times. If one is enough, stops with the error with which nothing is left that
/// is not excused.
///
/// # Errors
/// If the test is no PTX that the machine runs.
pub fn teeth(
    test: &Test,
    variant: Variant,
    settings: &Settings,
    errors: &[PlantedError],
    one_is_enough: bool,
) -> Result<Vec<Tooth>, LitmusRunError> {
    let tooth =
        |it: &Condition| Tooth { condition: it.clone(), planted: Vec::new(), seen: Vec::new() };
    let mut teeth: Vec<_> = test.forbidden.iter().map(tooth).collect();
    for error in errors.iter().filter(|error| error.concerns(settings.system)) {
        let counts = run(test, variant, &Settings { planted: Some(*error), ..*settings })?;
        for (tooth, count) in teeth.iter_mut().zip(counts.forbidden) {
            tooth.planted.push(*error);
            tooth.seen.extend((count > 0).then_some(*error));
        }
        let is_done = |it: &Tooth| {
            !it.seen.is_empty() || it.condition.excuse(settings.system, variant).is_some()
        };
        if one_is_enough && teeth.iter().all(is_done) {
            break;
        }
    }
    Ok(teeth)
}
