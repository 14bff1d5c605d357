//! Functions of shaders, which are recognised by their names.
//!
//! What they take and return is in registers, as on real GPUs: the stores of their parameters, which clang puts right
//! before the call, and the load of their result right behind it are no instructions.

use super::super::scope::Variable;
use super::super::types::Space;
use super::body::Body;
use super::operands::Lowered;
use crate::isa::{AccessForm, AccessKind, Instruction, Operation, ShaderCall, Source};

impl Body<'_, '_> {
    /// Lowers a call; none if the name is that of no function of shaders.
    pub(super) fn shader(
        &mut self,
        name: &str,
        given: &[Variable],
        returned: Option<Variable>,
    ) -> Option<Lowered> {
        let (parameters, returns) = match name {
            "__input" => (1, true),
            "__output" => (2, false),
            "__discard" => (0, false),
            "__texture" => (4, true),
            _ => return None,
        };
        let words = given.iter().chain(&returned).all(|variable| variable.bytes == 4);
        if given.len() != parameters || returns != returned.is_some() || !words {
            let returns = usize::from(returns);
            return Some(Err(format!("{name} takes {parameters} words and returns {returns}")));
        }
        let mut sources = [Source::register(0); 4];
        for (source, variable) in sources.iter_mut().zip(given).rev() {
            let Some(stored) = self.stored(variable) else {
                return Some(Err(format!(
                    "{name}: its parameters are to be stored right before it"
                )));
            };
            *source = stored;
        }
        self.result = returned.map(|variable| (self.next(), variable.offset));
        let [a, b, c, d] = sources;
        Some(Ok(Operation::Shader(match name {
            "__input" => ShaderCall::Input { number: a, d: None },
            "__output" => ShaderCall::Output { number: a, value: b },
            "__discard" => ShaderCall::Discard,
            _ => ShaderCall::Texture { unit: a, u: b, v: c, bias: d, d: None },
        })))
    }

    /// Takes back the last instruction, which stores a parameter; what it stores.
    fn stored(&mut self, variable: &Variable) -> Option<Source> {
        let Instruction { guard: None, operation: Operation::Access(form) } =
            self.lowering.program.code.last()?
        else {
            return None;
        };
        if form.kind != AccessKind::Store || !is_word(form, variable.offset) || self.is_labelled() {
            return None;
        }
        let source = form.sources[0].source;
        self.lowering.program.code.pop();
        self.lowering.program.lines.pop();
        self.lowering.program.locations.pop();
        Some(source)
    }

    /// A branch goes to the next instruction.
    fn is_labelled(&self) -> bool {
        self.labels.values().any(|label| *label == self.next())
    }

    /// An instruction loads the result of the call before it, which then writes the register itself.
    pub(super) fn is_result(&mut self, operation: &Operation) -> bool {
        let (Some((call, offset)), Operation::Access(form)) = (self.result, operation) else {
            return false;
        };
        let follows = call + 1 == self.next() && !self.is_labelled();
        let target = form.targets[0].filter(|it| it.bytes == 4);
        if !follows || form.kind != AccessKind::Load || !is_word(form, offset) || target.is_none() {
            return false;
        }
        let Some(Instruction { operation: Operation::Shader(called), .. }) =
            self.lowering.program.code.last_mut()
        else {
            return false;
        };
        if let ShaderCall::Input { d, .. } | ShaderCall::Texture { d, .. } = called {
            *d = target.map(|it| it.target);
        }
        true
    }
}

/// An access is to a word of the frame.
fn is_word(form: &AccessForm, offset: u64) -> bool {
    let is_local = form.space == Space::Local && form.in_frame && form.base.is_none();
    is_local && form.elements == 1 && form.ty.bytes == 4 && form.offset == offset
}
