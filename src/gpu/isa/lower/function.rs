//! Lowering of kernels and device functions.

use ptx_syntax::r#type::{
    EntryFunctionDirective, EntryFunctionHeaderDirective, FuncFunctionDirective, FunctionBody,
    FunctionDim, FunctionStatement, Instruction, ParameterDirective, StatementDirective,
};

use super::super::error::PtxError;
use super::super::layout::{Area, Shape, Trouble, scalar};
use super::super::postdominators;
use super::super::program::{Function, Kernel, Parameter};
use super::super::scope::{Symbol, Variable};
use super::super::types::Space;
use super::super::written::Written;
use super::body::Body;
use super::call::MOST_LOCAL;
use super::{Lowering, at};
use crate::gpu::isa::{Condition, Operation};

/// Most bytes of parameters of a kernel.
const MOST_PARAMETERS: u32 = 32 << 10;

impl<'a> Lowering<'a> {
    /// Lowers a device function, if this is its definition.
    pub(super) fn function(&mut self, directive: &FuncFunctionDirective) -> Result<(), PtxError> {
        let Some(body) = &directive.body else { return Ok(()) };
        let source = self.source;
        let wrong = |what| at(source, &directive.span, what);
        let signature = self.signatures.get(&directive.name.val).cloned();
        let Some((signature, index)) = signature.and_then(|it| it.index.map(|index| (it, index)))
        else {
            return Err(wrong("not declared".into()));
        };
        let mut lowered = Body::new(self, Area::after(signature.bytes), false);
        let places = signature.parameters.iter().copied().map(Some).chain([signature.returned]);
        let declared = directive.params.iter().map(Some).chain([directive.return_param.as_ref()]);
        for (parameter, place) in declared.zip(places) {
            if let (Some(parameter), Some((offset, bytes))) = (parameter, place) {
                let (offset, bytes) = (offset.into(), bytes.into());
                let variable = Variable { space: Space::Local, offset, in_frame: true, bytes };
                lowered.declare(name(parameter), variable).map_err(wrong)?;
            }
        }
        for directive in &directive.pre_body_declarations {
            lowered.directive(directive).map_err(wrong)?;
        }
        let function = lowered.finish(&directive.name.val, body)?;
        self.program.functions[index as usize] = function;
        Ok(())
    }

    /// Lowers a kernel.
    pub(super) fn kernel(&mut self, directive: &EntryFunctionDirective) -> Result<(), PtxError> {
        let source = self.source;
        let wrong = |what| at(source, &directive.span, what);
        let name_of_kernel = &directive.name.val;
        if self.program.kernel(name_of_kernel).is_some() {
            return Err(wrong(format!("{name_of_kernel} is defined twice")));
        }
        let body = directive.body.as_ref();
        let body = body.ok_or_else(|| wrong("a kernel without a body".into()))?;
        let mut area = Area::default();
        let parameters = directive.params.iter().map(|parameter| {
            let shape = Shape::of_parameter(parameter)?;
            let offset = area.place(&shape, MOST_PARAMETERS)?;
            let (name, bytes) = (name(parameter).to_string(), shape.bytes as u32);
            Ok(Parameter { name, ty: shape.ty, offset, bytes })
        });
        let parameters = parameters.collect::<Result<Vec<_>, Trouble>>().map_err(wrong)?;
        let mut lowered = Body::new(self, Area::default(), true);
        for Parameter { name, offset, bytes, .. } in &parameters {
            let (offset, bytes) = ((*offset).into(), (*bytes).into());
            let variable = Variable { space: Space::Param, offset, in_frame: false, bytes };
            lowered.declare(name, variable).map_err(wrong)?;
        }
        let function = lowered.finish(name_of_kernel, body)?;
        self.program.functions.push(function);
        let shared = self.shared_bytes.get(&directive.span.start);
        let mut kernel = Kernel {
            function: self.program.functions.len() as u32 - 1,
            parameters,
            parameter_bytes: area.bytes(),
            shared_bytes: shared.copied().unwrap_or_default(),
            max_threads: None,
            required_threads: None,
        };
        directive.directives.iter().for_each(|directive| limit(&mut kernel, directive));
        self.program.kernels.push(kernel);
        Ok(())
    }
}

fn name(parameter: &ParameterDirective) -> &str {
    match parameter {
        ParameterDirective::Register { name, .. } | ParameterDirective::Parameter { name, .. } => {
            &name.val
        }
    }
}

/// Takes over what a kernel says about its launch.
fn limit(kernel: &mut Kernel, directive: &EntryFunctionHeaderDirective) {
    match directive {
        EntryFunctionHeaderDirective::MaxNTid { dim, .. } => {
            let [x, y, z] = axes(dim);
            kernel.max_threads = Some(x.saturating_mul(y).saturating_mul(z));
        }
        EntryFunctionHeaderDirective::ReqNTid { dim, .. } => {
            kernel.required_threads = Some(axes(dim));
        }
        _ => {}
    }
}

fn axes(dim: &FunctionDim) -> [u32; 3] {
    match dim {
        FunctionDim::X { x, .. } => [*x, 1, 1],
        FunctionDim::XY { x, y, .. } => [*x, *y, 1],
        FunctionDim::XYZ { x, y, z, .. } => [*x, *y, *z],
    }
}

impl Body<'_, '_> {
    /// Lowers the statements and ends the function.
    fn finish(mut self, name: &str, body: &FunctionBody) -> Result<Function, PtxError> {
        self.statements(&body.statements)?;
        let source = self.lowering.source;
        // What a function without an end runs into.
        let end = if self.is_kernel { Operation::Exit } else { Operation::Return };
        self.push(source.line(body.span.end.saturating_sub(1)), None, end);
        let entry = self.entry;
        for (at_code, label, at_text) in std::mem::take(&mut self.branches) {
            let Some(place) = self.labels.get(&label) else {
                return Err(source.error(at_text, format!("no label {label} in this function")));
            };
            let code = &mut self.lowering.program.code[at_code];
            if let Operation::Branch { target, .. } = &mut code.operation {
                *target = *place;
            }
        }
        postdominators::fill_in(&mut self.lowering.program.code[entry as usize..], entry);
        Ok(Function {
            name: name.to_string(),
            entry,
            registers: self.scopes.registers(),
            frame_bytes: self.frame.bytes().next_multiple_of(16),
        })
    }

    fn statements(&mut self, statements: &[FunctionStatement]) -> Result<(), PtxError> {
        let source = self.lowering.source;
        self.scopes.enter();
        for statement in statements {
            match statement {
                FunctionStatement::Label { label, span } => {
                    let here = self.next();
                    if self.labels.insert(label.val.clone(), here).is_some() {
                        let what = format!("label {} stands twice in this function", label.val);
                        return Err(at(source, span, what));
                    }
                }
                FunctionStatement::Block { statements, .. } => self.statements(statements)?,
                FunctionStatement::Directive { directive, span } => {
                    self.directive(directive).map_err(|what| at(source, span, what))?;
                }
                FunctionStatement::Instruction { instruction, .. } => {
                    self.instruction(instruction)?;
                }
            }
        }
        self.scopes.leave();
        Ok(())
    }

    fn directive(&mut self, directive: &StatementDirective) -> Result<(), Trouble> {
        match directive {
            StatementDirective::Reg { directive, .. } => {
                let ty = scalar(&directive.ty)?;
                if directive.vector.is_some() {
                    return Err("vector registers are not supported".into());
                }
                for register in &directive.registers {
                    self.scopes.declare_register(&register.name.val, register.range, ty)?;
                }
                Ok(())
            }
            // What a call takes and returns lies in the frame, too.
            StatementDirective::Local { directive, .. }
            | StatementDirective::Param { directive, .. } => {
                let shape = Shape::of(directive)?;
                let offset = self.frame.place(&shape, MOST_LOCAL)?.into();
                let bytes = shape.bytes;
                let variable = Variable { space: Space::Local, offset, in_frame: true, bytes };
                self.declare(&directive.name.val, variable)
            }
            StatementDirective::Shared { directive, .. } => {
                let variable = self.lowering.shared_variable(directive)?;
                self.declare(&directive.name.val, variable)
            }
            StatementDirective::BranchTargets { .. }
            | StatementDirective::CallTargets { .. }
            | StatementDirective::CallPrototype { .. } => {
                Err("indirect branches and calls are not supported".into())
            }
            StatementDirective::Loc { .. }
            | StatementDirective::Pragma { .. }
            | StatementDirective::Section { .. }
            | StatementDirective::Dwarf { .. } => Ok(()),
        }
    }

    fn declare(&mut self, name: &str, variable: Variable) -> Result<(), Trouble> {
        self.scopes.declare(name, Symbol::Variable(variable))
    }

    fn instruction(&mut self, instruction: &Instruction) -> Result<(), PtxError> {
        let source = self.lowering.source;
        let wrong = |what| at(source, &instruction.span, what);
        let written = Written::read(source, &instruction.span);
        let written = written.ok_or_else(|| wrong("operands in an unknown form".into()))?;
        self.line = source.line(written.at);
        let guard = written.guard.as_ref().map(|guard| self.condition(guard)).transpose();
        let guard: Option<Condition> = guard.map_err(wrong)?;
        let operation = self.operation(&written).map_err(wrong)?;
        self.push(self.line, guard, operation);
        Ok(())
    }
}
