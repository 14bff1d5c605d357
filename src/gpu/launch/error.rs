//! Errors of a launch file.

/// A name of an argument, or its number from 1: arguments without a name are numbered from 0.
fn shown(name: &str) -> String {
    let number = name.parse::<usize>();
    number.map_or_else(|_| name.to_string(), |number| format!("number {}", number + 1))
}

/// Error of a launch file.
#[derive(Debug, thiserror::Error)]
pub enum LaunchFileError {
    /// No such kernel.
    #[error("no kernel {wanted}; the module has: {}", .known.join(", "))]
    NoKernel {
        /// The requested name.
        wanted: String,
        /// Accepted names.
        known: Vec<String>,
    },
    /// The kernel takes other arguments.
    #[error("{found} arguments: kernel {kernel} takes {wanted}")]
    Count {
        /// The kernel.
        kernel: String,
        /// As given.
        found: usize,
        /// As needed.
        wanted: usize,
    },
    /// Something is wrong with an argument.
    #[error("argument {}: {what}", shown(.name))]
    Argument {
        /// Name or number.
        name: String,
        /// The error, and accepted values.
        what: String,
    },
    /// No argument of this name.
    #[error("no argument {wanted}; there are: {}", .known.join(", "))]
    NoArgument {
        /// The requested name.
        wanted: String,
        /// Accepted names.
        known: Vec<String>,
    },
    /// Two arguments of one name.
    #[error("two arguments are named {name}")]
    Twice {
        /// The name.
        name: String,
    },
    /// A name that several kernels or variables have.
    #[error("{wanted} is each of: {}; one of these names is accepted", .candidates.join(", "))]
    Ambiguous {
        /// The requested name.
        wanted: String,
        /// Names that fit.
        candidates: Vec<String>,
    },
    /// No variable of this name in the module.
    #[error("no variable {wanted}; the module has: {}", .known.join(", "))]
    NoVariable {
        /// The requested name.
        wanted: String,
        /// Accepted names.
        known: Vec<String>,
    },
    /// Something is wrong with the contents of a variable.
    #[error("variable {name}: {what}")]
    Variable {
        /// Its name.
        name: String,
        /// The error, and accepted values.
        what: String,
    },
    /// Something is wrong with a texture or surface.
    #[error("texture or surface {name}: {what}")]
    Texture {
        /// Its name.
        name: String,
        /// The error, and accepted values.
        what: String,
    },
    /// Nothing would be launched.
    #[error("repeat = 0: 1 or more is accepted")]
    Repeat,
    /// More than three axes, or none.
    #[error("{field}: one to three numbers are accepted, not {found}")]
    Axes {
        /// `grid` or `block`.
        field: &'static str,
        /// Numbers given.
        found: usize,
    },
}
