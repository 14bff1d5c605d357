//! Device functions as their callers see them, and calls.
//!
//! Parameters and the returned value lie in local memory: in the frame of the caller, where it
//! writes and reads them, and at the beginning of the frame of the function called. A call copies
//! them in, a return copies the value back.

use super::super::cursor::Cursor;
use super::super::declaration::Declaration;
use super::super::layout::{Area, Shape, Trouble};
use super::super::module::address_of_function;
use super::super::outline::{FunctionOutline, parameters};
use super::super::scope::{Symbol, Variable};
use super::super::types::Space;
use super::super::written::{Operand, Written};
use super::body::Body;
use super::operands::{Lowered, U64};
use crate::isa::{Boundary, Call, IndirectCall, Operation, ParameterCopy, Service};

/// Most bytes of local memory in a frame.
pub(super) const MOST_LOCAL: u32 = 512 << 10;

/// What a caller knows of a function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Signature {
    /// Place and size of the parameters in its frame.
    pub(super) parameters: Vec<(u32, u32)>,
    /// Place and size of the returned value.
    pub(super) returned: Option<(u32, u32)>,
    /// Bytes of its frame that these take.
    pub(super) bytes: u32,
}

impl Signature {
    /// Of a function.
    pub(super) fn of(function: &FunctionOutline) -> Result<Self, Trouble> {
        Self::new(function.returned.as_ref(), &function.parameters)
    }

    /// Of an indirect call: `(.param .b32 _) _ (.param .b64 _);`
    pub(super) fn prototype(cursor: &mut Cursor) -> Result<Self, Trouble> {
        let returned = parameters(cursor)?;
        if cursor.name() != Some("_") {
            return Err("a prototype is [(RETURNED)] _ (PARAMETERS);".into());
        }
        let given = parameters(cursor)?;
        cursor.take_name(".noreturn");
        cursor.take(b';').then_some(()).ok_or("a semicolon is missing")?;
        Self::new(returned.first(), &given)
    }

    fn new(returned: Option<&Declaration>, given: &[Declaration]) -> Result<Self, Trouble> {
        let mut area = Area::default();
        let mut place = |parameter: &Declaration| -> Result<_, Trouble> {
            if parameter.in_register {
                return Err("parameters in registers are not supported: use .param".into());
            }
            let shape = Shape::of(parameter)?;
            Ok((area.place(&shape, MOST_LOCAL)?, shape.bytes as u32))
        };
        let returned = returned.map(&mut place).transpose()?;
        let parameters = given.iter().map(place).collect::<Result<_, _>>()?;
        Ok(Self { parameters, returned, bytes: area.bytes() })
    }
}

impl Body<'_, '_> {
    /// `call (returned), function, (parameters)`
    pub(super) fn call(&mut self, written: &Written) -> Lowered {
        written.only(&["uni"])?;
        let (returned, rest) = match written.operands.split_first() {
            Some((Operand::List(returned), rest)) => (returned.first(), rest),
            _ => (None, &written.operands[..]),
        };
        let none = [];
        let (called, given, prototype) = match rest {
            [Operand::Name(called)] => (*called, &none[..], None),
            [Operand::Name(called), Operand::List(given)] => (*called, &given[..], None),
            [Operand::Name(called), Operand::Name(prototype)] => {
                (*called, &none[..], Some(*prototype))
            }
            [Operand::Name(called), Operand::List(given), Operand::Name(prototype)] => {
                (*called, &given[..], Some(*prototype))
            }
            _ => {
                return Err(
                    "a call is [(RETURNED),] FUNCTION [, (PARAMETERS)] [, PROTOTYPE]".into()
                );
            }
        };
        let given: Vec<_> = given.iter().map(|it| self.parameter(it)).collect::<Result<_, _>>()?;
        let returned = returned.map(|it| self.parameter(it)).transpose()?;
        if let Some(prototype) = prototype {
            return self.call_indirectly(called, prototype, &given, returned);
        }
        let Some((number, function)) = self.lowering.module.outline.function(called) else {
            return Err(format!("no function {called}, and no prototype for an indirect call"));
        };
        match self.lowering.functions.get(&number) {
            Some(index) => {
                let (into, back) = Signature::of(function)?.copies(&given, returned)?;
                Ok(Operation::Call(Box::new(Call { function: *index, into, back })))
            }
            None => {
                if let Some(lowered) = self.shader(called, &given, returned) {
                    return lowered;
                }
                self.lowering.program.needs_heap |= called == "malloc";
                service(called, &given, returned)
            }
        }
    }

    /// `.calltargets f, g;`: what the caller knows of functions that are alike.
    pub(super) fn call_targets(&mut self, cursor: &mut Cursor) -> Result<Signature, Trouble> {
        let mut all: Vec<(String, Signature)> = Vec::new();
        loop {
            let name = cursor.name().ok_or("a list of targets is FUNCTION, ...;")?;
            let known = self.lowering.module.outline.function(name);
            let (_, function) = known.ok_or_else(|| format!("no function {name}"))?;
            all.push((name.to_string(), Signature::of(function)?));
            if !cursor.take(b',') {
                break;
            }
        }
        cursor.take(b';').then_some(()).ok_or("a semicolon is missing")?;
        let (first, signature) = all.swap_remove(0);
        match all.iter().find(|(_, other)| *other != signature) {
            None => Ok(signature),
            Some((other, _)) => Err(format!("{other} takes other parameters than {first}")),
        }
    }

    /// `call (returned), %register, (parameters), prototype`
    fn call_indirectly(
        &mut self,
        called: &str,
        prototype: &str,
        given: &[Variable],
        returned: Option<Variable>,
    ) -> Lowered {
        let prototype = self.prototypes.get(prototype);
        let signature = prototype.cloned().ok_or("no such .callprototype in this function")?;
        let address = self.source(&Operand::Name(called), U64)?;
        let (into, back) = signature.clone().copies(given, returned)?;
        let outline = &self.lowering.module.outline.functions;
        let mut targets = Vec::new();
        for (number, index) in &self.lowering.functions {
            if Signature::of(&outline[*number])? == signature {
                targets.push((address_of_function(*number), *index));
            }
        }
        targets.sort_unstable();
        let call = Call { function: 0, into, back };
        Ok(Operation::CallIndirect(Box::new(IndirectCall { address, call, targets })))
    }

    /// The variable that a call names as parameter.
    fn parameter(&mut self, operand: &Operand) -> Result<Variable, Trouble> {
        let Operand::Name(name) = operand else {
            return Err("parameters of a call are .param variables".into());
        };
        match self.find(name)? {
            Some(Symbol::Variable(variable))
                if variable.in_frame && variable.space == Space::Local =>
            {
                Ok(variable)
            }
            _ => Err(format!("{name} is no .param variable of this function")),
        }
    }
}

impl Signature {
    fn copies(
        self,
        given: &[Variable],
        returned: Option<Variable>,
    ) -> Result<(Vec<ParameterCopy>, Option<ParameterCopy>), Trouble> {
        if given.len() != self.parameters.len() {
            let (given, wanted) = (given.len(), self.parameters.len());
            return Err(format!("{given} parameters given, {wanted} wanted"));
        }
        let copy = |outer: &Variable, inner: &(u32, u32)| -> Result<ParameterCopy, Trouble> {
            match outer.bytes == u64::from(inner.1) {
                true => {
                    Ok(ParameterCopy { outer: outer.offset as u32, inner: inner.0, bytes: inner.1 })
                }
                false => Err(format!("{} bytes given, {} wanted", outer.bytes, inner.1)),
            }
        };
        let into = given.iter().zip(&self.parameters).map(|(outer, inner)| copy(outer, inner));
        let into = into.collect::<Result<_, _>>()?;
        let back = match (returned, self.returned) {
            (Some(outer), Some(inner)) => Some(copy(&outer, &inner)?),
            (Some(_), None) => return Err("the function returns nothing".into()),
            (None, _) => None,
        };
        Ok((into, back))
    }
}

/// A function that nothing defines: perhaps one of the machine's.
fn service(name: &str, given: &[Variable], returned: Option<Variable>) -> Lowered {
    let place = |at: usize| given.get(at).map(|variable| variable.offset as u32);
    let pointers = given.iter().take_while(|variable| variable.bytes == 8).count();
    let service = match (name, place(0), place(1)) {
        ("vprintf", Some(format), Some(arguments)) if pointers == 2 => {
            if returned.is_some_and(|variable| variable.bytes != 4) {
                return Err(format!("{name} returns 4 bytes"));
            }
            let returned = returned.map(|variable| variable.offset as u32);
            Service::Print { format, arguments, returned }
        }
        ("malloc", Some(bytes), None) if pointers == 1 => match returned {
            Some(returned) if returned.bytes == 8 => {
                Service::Allocate { bytes, returned: returned.offset as u32 }
            }
            _ => return Err("malloc returns 8 bytes".into()),
        },
        ("free", Some(address), None) if pointers == 1 => Service::Free { address },
        ("__assertfail", Some(message), _) if pointers > 0 => Service::AssertFail { message },
        ("__tx_begin", None, _) => Service::Transaction(Boundary::Begin),
        ("__tx_commit", None, _) => Service::Transaction(Boundary::Commit),
        _ => return Err(format!("{name} is extern, and the machine does not provide it")),
    };
    Ok(Operation::Service(service))
}
