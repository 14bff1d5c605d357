//! Whether litmus tests can fail: each line that is forbidden is to be seen when an error is planted.

use super::place::Variant;
use super::run::{LitmusRunError, Settings, run};
use super::{Condition, Test};
use crate::PlantedError;

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

/// Plants errors, one at a time, and runs a test [`Settings::runs`] times with each. Then, for lines
/// that were not seen and are not excused, runs it on with one error after the other, up to
/// [`Settings::most`] times with each, until all have been seen.
///
/// # Errors
/// If the test is no PTX that the machine runs.
pub fn teeth(
    test: &Test,
    variant: Variant,
    settings: &Settings,
    errors: &[PlantedError],
) -> Result<Vec<Tooth>, LitmusRunError> {
    let tooth =
        |it: &Condition| Tooth { condition: it.clone(), planted: Vec::new(), seen: Vec::new() };
    let mut teeth: Vec<_> = test.forbidden.iter().map(tooth).collect();
    // Without a thread on a CPU those of the CPU side change nothing.
    let may_show = |error: &PlantedError| test.cpus() > 0 || !error.of_cpus;
    let errors = errors.iter().copied().filter(may_show);
    let errors = errors.filter(|error| settings.system.has(*error));
    let errors: Vec<_> = errors.collect();
    for error in errors.iter().filter(|_| settings.runs > 0) {
        plant(test, variant, settings, (*error, settings.runs), &mut teeth)?;
    }
    let mut most = settings.most / 40;
    while most <= settings.most {
        for error in &errors {
            let mut left = test.clone();
            let is_left = |it: &Tooth| {
                it.seen.is_empty()
                    && it.condition.excuse(&test.name, settings.system, variant).is_none()
            };
            left.forbidden
                .retain(|line| teeth.iter().any(|it| it.condition == *line && is_left(it)));
            if left.forbidden.is_empty() {
                return Ok(teeth);
            }
            plant(&left, variant, settings, (*error, most), &mut teeth)?;
        }
        most = (most * 6).max(1);
    }
    Ok(teeth)
}

/// Runs a test with an error up to so many times, until all that it forbids was seen.
fn plant(
    test: &Test,
    variant: Variant,
    settings: &Settings,
    (error, most): (PlantedError, u64),
    teeth: &mut [Tooth],
) -> Result<(), LitmusRunError> {
    // Other numbers of runs are other runs.
    let seed = settings.seed ^ most << 32;
    let settings = Settings { runs: 0, most, seed, planted: Some(error), ..*settings };
    let counts = run(test, variant, &settings)?;
    for (line, count) in test.forbidden.iter().zip(counts.forbidden) {
        let Some(tooth) = teeth.iter_mut().find(|it| it.condition == *line) else { continue };
        if !tooth.planted.contains(&error) {
            tooth.planted.push(error);
        }
        if count > 0 && !tooth.seen.contains(&error) {
            tooth.seen.push(error);
        }
    }
    Ok(())
}
