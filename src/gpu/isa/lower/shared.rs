//! Shared memory: variables of the module and of device functions first, then those of each
//! kernel, then what the launch adds, which begins at one address for all kernels.

use ptx_syntax::r#type::{
    FunctionStatement, Module, ModuleDirective, ModuleVariableDirective, StatementDirective,
    VariableDirective,
};

use super::super::error::PtxError;
use super::super::layout::{Area, Shape, Trouble};
use super::super::scope::Variable;
use super::super::types::Space;
use super::{Lowering, at};

/// Most bytes of `.shared` variables; the machine decides what a CTA really has.
const MOST_SHARED: u32 = 1 << 20;

impl Lowering<'_> {
    /// Gives every shared variable of the module its place.
    pub(super) fn place_shared(&mut self, module: &Module) -> Result<(), PtxError> {
        let mut common = Area::default();
        for directive in &module.directives {
            match directive {
                ModuleDirective::ModuleVariable {
                    directive: ModuleVariableDirective::Shared { directive, .. },
                    ..
                } => self.place(directive, &mut common)?,
                ModuleDirective::FuncFunction { directive, .. } => {
                    if let Some(body) = &directive.body {
                        self.place_all(&body.statements, &mut common)?;
                    }
                }
                _ => {}
            }
        }
        let mut end = common.bytes();
        for directive in &module.directives {
            if let ModuleDirective::EntryFunction { directive, .. } = directive {
                let mut area = common.clone();
                if let Some(body) = &directive.body {
                    self.place_all(&body.statements, &mut area)?;
                }
                self.shared_bytes.insert(directive.span.start, area.bytes());
                end = end.max(area.bytes());
            }
        }
        self.program.dynamic_shared_base = end.next_multiple_of(16);
        self.name_shared(module)
    }

    fn place_all(
        &mut self,
        statements: &[FunctionStatement],
        area: &mut Area,
    ) -> Result<(), PtxError> {
        for statement in statements {
            match statement {
                FunctionStatement::Block { statements, .. } => self.place_all(statements, area)?,
                FunctionStatement::Directive {
                    directive: StatementDirective::Shared { directive, .. },
                    ..
                } => self.place(directive, area)?,
                _ => {}
            }
        }
        Ok(())
    }

    fn place(&mut self, variable: &VariableDirective, area: &mut Area) -> Result<(), PtxError> {
        let place = Shape::of(variable).and_then(|shape| area.place(&shape, MOST_SHARED));
        let offset = place.map_err(|what| at(self.source, &variable.span, what))?;
        self.shared.insert(variable.span.start, offset);
        Ok(())
    }

    /// The shared variables of the module get their names.
    fn name_shared(&mut self, module: &Module) -> Result<(), PtxError> {
        for directive in &module.directives {
            if let ModuleDirective::ModuleVariable {
                directive: ModuleVariableDirective::Shared { directive, span },
                ..
            } = directive
            {
                let named = self
                    .shared_variable(directive)
                    .and_then(|placed| self.name_variable(&directive.name.val, placed));
                named.map_err(|what| at(self.source, span, what))?;
            }
        }
        Ok(())
    }

    /// A shared variable that has its place.
    pub(super) fn shared_variable(
        &self,
        variable: &VariableDirective,
    ) -> Result<Variable, Trouble> {
        let shape = Shape::of(variable)?;
        if variable.initializer.is_some() {
            return Err("shared variables have no initial value".into());
        }
        let offset = match shape.unsized_array {
            true => self.program.dynamic_shared_base,
            false => self.shared.get(&variable.span.start).copied().unwrap_or_default(),
        };
        let (offset, bytes) = (offset.into(), shape.bytes);
        Ok(Variable { space: Space::Shared, offset, in_frame: false, bytes })
    }
}
