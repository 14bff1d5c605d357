//! What a kernel reaches: the functions that it may call, and through them the shared variables.

use std::collections::{BTreeSet, HashSet};

use super::module::Module;
use super::outline::FunctionOutline;
use super::token::TokenKind;
use super::types::Space;

/// What a kernel reaches.
#[derive(Debug, Default)]
pub(super) struct Reach<'a> {
    /// Functions that are defined, by their number in the module.
    pub(super) functions: BTreeSet<usize>,
    /// Shared variables of the module.
    pub(super) shared: HashSet<&'a str>,
    /// Whether there are indirect calls.
    calls_indirectly: bool,
}

impl<'a> Reach<'a> {
    /// What a kernel reaches. Functions and variables that its text names count, called or not.
    pub(super) fn of(module: &'a Module, kernel: &FunctionOutline) -> Self {
        let shared = module.outline.variables.iter();
        let shared = shared.filter(|variable| variable.space == Space::Shared);
        let shared: HashSet<_> = shared.map(|it| it.declaration.name.as_str()).collect();
        let mut reach = Self::default();
        let mut left = reach.look_at(module, &shared, kernel);
        while let Some(number) = left.pop() {
            let function = &module.outline.functions[number];
            if function.body.is_some() && reach.functions.insert(number) {
                left.extend(reach.look_at(module, &shared, function));
            }
        }
        reach
    }

    /// Takes what a body names; gives the functions among that.
    fn look_at(
        &mut self,
        module: &'a Module,
        shared: &HashSet<&'a str>,
        function: &FunctionOutline,
    ) -> Vec<usize> {
        let mut named = Vec::new();
        let tokens = function.body.clone().unwrap_or_default();
        for token in &module.source.tokens()[tokens] {
            if token.kind != TokenKind::Name {
                continue;
            }
            let name = module.source.token(*token);
            if let Some((number, found)) = module.outline.function(name) {
                // Kernels cannot be called: one of such a name is an opcode, as in `add.s32`.
                if !found.is_kernel {
                    named.push(number);
                }
            } else if let Some(name) = shared.get(name) {
                self.shared.insert(name);
            } else if name == "callprototype" && !self.calls_indirectly {
                self.calls_indirectly = true;
                named.extend(&module.addressed);
            }
        }
        named
    }
}
