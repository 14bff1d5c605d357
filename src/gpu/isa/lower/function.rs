//! Lowering of kernels and device functions.

use std::ops::Range;

use super::super::cursor::Cursor;
use super::super::declaration::{Declaration, declarations};
use super::super::error::PtxError;
use super::super::layout::{Area, Shape, Trouble, scalar};
use super::super::outline::{FunctionOutline, skip};
use super::super::postdominators;
use super::super::program::{Function, Kernel, Location, Parameter};
use super::super::scope::{Symbol, Variable};
use super::super::token::TokenKind;
use super::super::types::Space;
use super::super::written::Written;
use super::body::{Body, Forward};
use super::call::{MOST_LOCAL, Signature};
use super::quad::QUAD;
use super::{Lowering, at};
use crate::isa::{Condition, Operation};

/// Most bytes of parameters of a kernel.
const MOST_PARAMETERS: u32 = 32 << 10;

impl Lowering<'_> {
    /// Lowers a device function that the kernel reaches.
    pub(super) fn function(&mut self, number: usize) -> Result<(), PtxError> {
        let source = self.source;
        let outline = &self.module.outline.functions[number];
        let wrong = |what| at(source, &outline.head, what);
        let signature = Signature::of(outline).map_err(wrong)?;
        let mut lowered = Body::new(self, Area::after(signature.bytes), false);
        let places = signature.parameters.iter().copied().map(Some).chain([signature.returned]);
        let declared = outline.parameters.iter().map(Some).chain([outline.returned.as_ref()]);
        for (parameter, place) in declared.zip(places) {
            if let (Some(parameter), Some((offset, bytes))) = (parameter, place) {
                let (offset, bytes) = (offset.into(), bytes.into());
                let variable = Variable { space: Space::Local, offset, in_frame: true, bytes };
                lowered.declare(&parameter.name, variable).map_err(wrong)?;
            }
        }
        let function = lowered.finish(outline)?;
        if let Some(index) = self.functions.get(&number) {
            self.program.functions[*index as usize] = function;
        }
        Ok(())
    }

    /// Lowers the kernel itself.
    pub(super) fn kernel(
        &mut self,
        outline: &FunctionOutline,
        shared_bytes: u32,
    ) -> Result<(), PtxError> {
        let source = self.source;
        let wrong = |what| at(source, &outline.head, what);
        let mut area = Area::default();
        let parameters = outline.parameters.iter().map(|parameter| {
            let shape = Shape::of(parameter)?;
            let offset = area.place(&shape, MOST_PARAMETERS)?;
            let (name, bytes) = (parameter.name.clone(), shape.bytes as u32);
            let is_array = !parameter.dimensions.is_empty();
            Ok(Parameter { name, ty: shape.ty, offset, bytes, is_array })
        });
        let parameters = parameters.collect::<Result<Vec<_>, Trouble>>().map_err(wrong)?;
        let mut lowered = Body::new(self, Area::default(), true);
        for Parameter { name, offset, bytes, .. } in &parameters {
            let (offset, bytes) = ((*offset).into(), (*bytes).into());
            let variable = Variable { space: Space::Param, offset, in_frame: false, bytes };
            lowered.declare(name, variable).map_err(wrong)?;
        }
        let function = lowered.finish(outline)?;
        self.program.functions.push(function);
        let most = |[x, y, z]: [u32; 3]| x.saturating_mul(y).saturating_mul(z);
        self.program.kernels.push(Kernel {
            function: self.program.functions.len() as u32 - 1,
            parameters,
            parameter_bytes: area.bytes(),
            shared_bytes,
            dynamic_shared_base: self.dynamic_shared_base,
            shared_variables: std::mem::take(&mut self.shared_variables),
            max_threads: outline.limits.max_threads.map(most),
            required_threads: outline.limits.required_threads,
            required_cluster: outline.limits.required_cluster,
            max_cluster: outline.limits.max_cluster,
            explicit_cluster: outline.limits.explicit_cluster,
            min_ctas: outline.limits.min_ctas,
            max_registers: outline.limits.max_registers,
            registers: 0,
        });
        Ok(())
    }
}

impl Body<'_, '_> {
    /// Lowers the statements and ends the function.
    fn finish(mut self, outline: &FunctionOutline) -> Result<Function, PtxError> {
        let body = outline.body.clone().unwrap_or_default();
        self.statements(body.clone())?;
        let source = self.lowering.source;
        // What a function without an end runs into.
        let end = if self.is_kernel { Operation::Exit } else { Operation::Return };
        self.push(source.line_of(body.end), None, end);
        let entry = self.entry;
        for Forward { at, label, blocks, token } in std::mem::take(&mut self.branches) {
            let place = |block: &usize| self.labels.get(&(*block, label.clone()));
            let Some(place) = blocks.iter().rev().find_map(place) else {
                let what = format!("no label {label} in this function");
                return Err(source.error(source.statement(token), what));
            };
            let code = &mut self.lowering.program.code[at];
            if let Operation::Branch { target, .. } = &mut code.operation {
                *target = *place;
            }
        }
        postdominators::fill_in(&mut self.lowering.program.code[entry as usize..], entry);
        Ok(Function {
            name: outline.name.clone(),
            entry,
            registers: self.scopes.registers(),
            frame_bytes: self.frame.bytes().next_multiple_of(16),
        })
    }

    fn statements(&mut self, body: Range<usize>) -> Result<(), PtxError> {
        let source = self.lowering.source;
        let mut cursor = Cursor::new(source, body);
        self.scopes.enter();
        while !cursor.is_done() {
            let start = cursor.at();
            let wrong = |what| source.error(source.statement(start), what);
            if cursor.take(b'{') {
                self.scopes.enter();
            } else if cursor.take(b'}') {
                self.scopes.leave();
            } else if cursor.take(b';') {
                // Nothing is a statement, too.
            } else if cursor.kind(1) == Some(TokenKind::Mark(b':')) {
                self.label(&mut cursor).map_err(wrong)?;
            } else if cursor.take(b'.') {
                self.directive(&mut cursor).map_err(wrong)?;
            } else {
                self.instruction(&mut cursor)?;
            }
        }
        self.scopes.leave();
        Ok(())
    }

    /// A label, or the prototype of calls that it names.
    fn label(&mut self, cursor: &mut Cursor) -> Result<(), Trouble> {
        let label = cursor.name().ok_or("a label is a name")?.to_string();
        cursor.take(b':');
        let here = cursor.at();
        if cursor.take(b'.') && cursor.take_name("callprototype") {
            let prototype = Signature::prototype(cursor)?;
            self.prototypes.insert(label, prototype);
            return Ok(());
        }
        cursor.go_to(here);
        if cursor.take(b'.') && cursor.take_name("calltargets") {
            let targets = self.call_targets(cursor)?;
            self.prototypes.insert(label, targets);
            return Ok(());
        }
        cursor.go_to(here);
        if cursor.take(b'.') && cursor.take_name("branchtargets") {
            let mut labels = Vec::new();
            while !cursor.take(b';') {
                labels.push(cursor.name().ok_or(".branchtargets takes labels")?.to_string());
                cursor.take(b',');
            }
            self.targets.insert(label, labels);
            return Ok(());
        }
        cursor.go_to(here);
        let place = self.next();
        match self.labels.insert((self.scopes.innermost_number(), label.clone()), place) {
            Some(_) => Err(format!("label {label} stands twice in these braces")),
            None => Ok(()),
        }
    }

    fn directive(&mut self, cursor: &mut Cursor) -> Result<(), Trouble> {
        let name = cursor.word().ok_or("not a directive of PTX")?;
        let declare = match name {
            "reg" => Self::declare_register,
            // What a call takes and returns lies in the frame, too.
            "local" | "param" => Self::declare_local,
            "shared" => Self::declare_shared,
            "loc" => {
                let mut ahead = cursor.clone();
                let place = (ahead.number(), ahead.number());
                if let (Some(file), Some(line)) = place {
                    let (file, line) = (file as u32, line as u32);
                    self.location = Some(Location { file, line }).filter(|_| line > 0);
                }
                return skip(cursor, name);
            }
            "branchtargets" | "calltargets" => {
                return Err("a list of targets has a label".into());
            }
            _ => return skip(cursor, name),
        };
        for declaration in declarations(cursor)? {
            declare(self, &declaration)?;
        }
        cursor.take(b';').then_some(()).ok_or_else(|| "a semicolon is missing".into())
    }

    fn declare_register(&mut self, register: &Declaration) -> Result<(), Trouble> {
        let ty = if register.ty == "b128" { QUAD } else { scalar(&register.ty)? };
        if register.vector > 1 {
            return Err("vector registers are not supported".into());
        }
        let count = register.range.map(|count| u32::try_from(count).unwrap_or(u32::MAX));
        self.scopes.declare_register(&register.name, count, ty)
    }

    fn declare_local(&mut self, variable: &Declaration) -> Result<(), Trouble> {
        let shape = Shape::of(variable)?;
        let offset = self.frame.place(&shape, MOST_LOCAL)?.into();
        let bytes = shape.bytes;
        let placed = Variable { space: Space::Local, offset, in_frame: true, bytes };
        self.declare(&variable.name, placed)
    }

    fn declare_shared(&mut self, variable: &Declaration) -> Result<(), Trouble> {
        let placed = self.lowering.shared_variable(variable)?;
        self.declare(&variable.name, placed)
    }

    fn declare(&mut self, name: &str, variable: Variable) -> Result<(), Trouble> {
        self.scopes.declare(name, Symbol::Variable(variable))
    }

    fn instruction(&mut self, cursor: &mut Cursor) -> Result<(), PtxError> {
        let source = self.lowering.source;
        let start = cursor.at();
        let tokens = &source.tokens()[start..];
        let end = tokens.iter().position(|token| token.kind == TokenKind::Mark(b';'));
        let statement = start..start + end.map_or(tokens.len(), |end| end + 1);
        let wrong = |what| at(source, &statement, what);
        cursor.go_to(statement.end);
        let written = Written::read(Cursor::new(source, start..cursor.at()));
        let written = written.ok_or_else(|| {
            wrong(
                "not an instruction of PTX: [@PREDICATE] NAME[.MODIFIER]... [OPERAND, ...];".into(),
            )
        })?;
        self.line = source.line_of(written.at);
        let guard = written.guard.as_ref().map(|guard| self.condition(guard)).transpose();
        let guard: Option<Condition> = guard.map_err(wrong)?;
        let operation = self.operation(&written).map_err(wrong)?;
        if !self.is_result(&operation) {
            self.push(self.line, guard, operation);
        }
        Ok(())
    }
}
