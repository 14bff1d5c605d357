//! Device functions as their callers see them, and calls.
//!
//! Parameters and the returned value lie in local memory: in the frame of the caller, where it
//! writes and reads them, and at the beginning of the frame of the function called. A call copies
//! them in, a return copies the value back.

use ptx_syntax::r#type::FuncFunctionDirective;

use super::super::layout::{Area, Shape, Trouble};
use super::super::scope::{Symbol, Variable};
use super::super::types::Space;
use super::super::written::{Operand, Written};
use super::Lowering;
use super::body::Body;
use super::operands::Lowered;
use crate::gpu::isa::{Boundary, Call, Operation, ParameterCopy, Service};

/// Most bytes of local memory in a frame.
pub(super) const MOST_LOCAL: u32 = 512 << 10;

/// What a caller knows of a function.
#[derive(Debug, Clone)]
pub(super) struct Signature {
    /// Its index, if the module defines it.
    pub(super) index: Option<u32>,
    /// Place and size of the parameters in its frame.
    pub(super) parameters: Vec<(u32, u32)>,
    /// Place and size of the returned value.
    pub(super) returned: Option<(u32, u32)>,
    /// Bytes of its frame that these take.
    pub(super) bytes: u32,
}

impl Lowering<'_> {
    /// Learns the signature of a function, from its prototype or definition.
    pub(super) fn declare_function(
        &mut self,
        function: &FuncFunctionDirective,
    ) -> Result<(), Trouble> {
        let mut area = Area::default();
        let mut place = |parameter| -> Result<_, Trouble> {
            let shape = Shape::of_parameter(parameter)?;
            Ok((area.place(&shape, MOST_LOCAL)?, shape.bytes as u32))
        };
        let returned = function.return_param.as_ref().map(&mut place).transpose()?;
        let parameters = function.params.iter().map(place).collect::<Result<_, _>>()?;
        let name = function.name.val.clone();
        let known = self.signatures.get(&name).and_then(|signature| signature.index);
        let index = match (known, &function.body) {
            (Some(_), Some(_)) => return Err(format!("{name} is defined twice")),
            (None, Some(_)) => {
                self.program.functions.push(super::super::program::Function {
                    name: name.clone(),
                    entry: 0,
                    registers: Default::default(),
                    frame_bytes: 0,
                });
                Some(self.program.functions.len() as u32 - 1)
            }
            (known, None) => known,
        };
        let signature = Signature { index, parameters, returned, bytes: area.bytes() };
        self.signatures.insert(name, signature);
        Ok(())
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
        let (name, given) = match rest {
            [Operand::Name(name)] => (*name, &[][..]),
            [Operand::Name(name), Operand::List(given)] => (*name, &given[..]),
            _ => return Err("indirect calls are not supported".into()),
        };
        let given: Vec<_> = given.iter().map(|it| self.parameter(it)).collect::<Result<_, _>>()?;
        let returned = returned.map(|it| self.parameter(it)).transpose()?;
        let Some(signature) = self.lowering.signatures.get(name) else {
            return Err(format!("no function {name}; indirect calls are not supported"));
        };
        match signature.index {
            Some(function) => {
                let (into, back) = signature.clone().copies(&given, returned)?;
                Ok(Operation::Call(Box::new(Call { function, into, back })))
            }
            None => service(name, &given, returned),
        }
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
        ("__assertfail", Some(message), _) if pointers > 0 => Service::AssertFail { message },
        ("__tx_begin", None, _) => Service::Transaction(Boundary::Begin),
        ("__tx_commit", None, _) => Service::Transaction(Boundary::Commit),
        _ => return Err(format!("{name} is extern, and the machine does not provide it")),
    };
    Ok(Operation::Service(service))
}
