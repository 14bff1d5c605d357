//! What is wrong with a module, and where.

/// A module that is malformed, or beyond what the machine covers.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}: {what}{}", quoted(.instruction))]
pub struct PtxError {
    /// File.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// What is wrong.
    pub what: String,
    /// The instruction or declaration, where there is one.
    pub instruction: Option<String>,
}

fn quoted(instruction: &Option<String>) -> String {
    instruction.as_ref().map(|text| format!(": `{text}`")).unwrap_or_default()
}
