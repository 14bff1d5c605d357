//! Names of kernels and variables in a launch file: as in PTX, or as in C++.

use cpp_demangle::{DemangleOptions, Symbol};

use super::error::LaunchFileError;
use super::file::LaunchFile;

impl LaunchFile {
    /// The kernels of a module that the file launches, by the names that they have in PTX.
    ///
    /// # Errors
    /// If a name is none of a kernel or of several, or none is given where there are several kernels.
    pub fn kernels(&self, known: &[String]) -> Result<Vec<String>, LaunchFileError> {
        let file = self.kernel.as_ref();
        if self.launches.is_empty() {
            return Ok(vec![name_of_kernel(known, file)?]);
        }
        let entries = self.launches.iter();
        entries.map(|entry| name_of_kernel(known, entry.kernel.as_ref().or(file))).collect()
    }
}

/// The kernel of a name, or the only kernel where there is no name.
pub(super) fn name_of_kernel(
    known: &[String],
    name: Option<&String>,
) -> Result<String, LaunchFileError> {
    let no_kernel = |wanted: &str| {
        let known = known.iter().map(|name| told(name)).collect();
        LaunchFileError::NoKernel { wanted: wanted.into(), known }
    };
    match (name, known) {
        (None, [only]) => Ok(only.clone()),
        (None, _) => Err(no_kernel("named")),
        (Some(name), _) => find(name, known.iter().map(String::as_str))?
            .map(String::from)
            .ok_or_else(|| no_kernel(name)),
    }
}

/// The one that a name means: as in PTX, or in C++ with its parameters, with its template arguments, or
/// alone, whichever is the first to fit any.
pub(super) fn find<'a>(
    wanted: &str,
    known: impl Iterator<Item = &'a str> + Clone,
) -> Result<Option<&'a str>, LaunchFileError> {
    if let Some(exact) = known.clone().find(|name| *name == wanted) {
        return Ok(Some(exact));
    }
    let squeezed = |text: &str| text.split_whitespace().collect::<String>();
    for form in [with_parameters, with_result, without_parameters, alone] {
        let fits = |name: &&str| form(name).is_some_and(|it| squeezed(&it) == squeezed(wanted));
        let found: Vec<_> = known.clone().filter(fits).collect();
        match found[..] {
            [] => {}
            [only] => return Ok(Some(only)),
            _ => {
                let candidates = found.into_iter().map(told).collect();
                return Err(LaunchFileError::Ambiguous { wanted: wanted.into(), candidates });
            }
        }
    }
    Ok(None)
}

/// A name of PTX, and what it is in C++.
fn told(name: &str) -> String {
    match with_parameters(name) {
        Some(demangled) => format!("{name} ({demangled})"),
        None => name.to_string(),
    }
}

/// In C++, without what it returns.
fn with_parameters(name: &str) -> Option<String> {
    let options = DemangleOptions::new().no_return_type();
    Symbol::new(name).ok()?.demangle_with_options(&options).ok()
}

/// In C++, as `c++filt` and profilers write it: what it returns stands first.
fn with_result(name: &str) -> Option<String> {
    Symbol::new(name).ok()?.demangle().ok()
}

fn without_parameters(name: &str) -> Option<String> {
    let options = DemangleOptions::new().no_return_type().no_params();
    Symbol::new(name).ok()?.demangle_with_options(&options).ok()
}

/// Without namespaces and template arguments.
fn alone(name: &str) -> Option<String> {
    let whole = without_parameters(name)?;
    let end = whole.find('<').unwrap_or(whole.len());
    Some(whole[..end].rsplit("::").next()?.to_string())
}
