//! Rules: what a block's contract and its proofs hold it to, by the same names.

use warpsmith_rtl::{ModuleBuilder, Signal};

use crate::verification::Violation;

/// A rule, the same at run time and in proofs.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// Name: the label of its assertion.
    pub name: &'static str,
    /// The rule in words.
    pub rule: &'static str,
    /// Where it comes from: paper and section, or the block's page.
    pub source: &'static str,
}

impl Rule {
    /// What is told when the rule is broken.
    pub fn broken(&self, detail: String) -> Violation {
        Violation { rule: self.rule, source: self.source, detail }
    }

    /// An error unless the rule is kept.
    ///
    /// # Errors
    /// What happened, told by `detail`.
    pub fn require(&self, kept: bool, detail: impl FnOnce() -> String) -> Result<(), Violation> {
        if kept { Ok(()) } else { Err(self.broken(detail())) }
    }

    /// Asserts the rule in a module of properties.
    #[track_caller]
    pub fn assert<'m>(&self, m: &'m ModuleBuilder, kept: Signal<'m>) {
        m.assert(self.name, kept, &format!("{}\nsource: {}", self.rule, self.source));
    }
}

/// Rules as constants: `CONSTANT "name": "the rule in words", "its source";`.
#[macro_export]
macro_rules! rules {
    ($($constant:ident $name:literal: $rule:literal, $source:literal;)*) => {
        $(pub(crate) const $constant: $crate::rule::Rule =
            $crate::rule::Rule { name: $name, rule: $rule, source: $source };)*
    };
}
pub use rules;
