//! `wmma.load`, `wmma.store`, `ldmatrix`, `stmatrix` and `movmatrix`.

use super::super::layout::Trouble;
use super::super::types::{File, Kind, Space, Type};
use super::super::written::{Operand, Written};
use super::body::Body;
use super::convert::space;
use super::multiply::{TYPES, WMMA, register, registers, results, shape, vector};
use super::operands::{Lowered, U32, U64};
use crate::isa::{
    AccessForm, AccessKind, Element, Fragment, MatrixAddress, MatrixRows, Operation, Parts, Role,
    Source, SourceIn, Target, TargetIn,
};

impl Body<'_, '_> {
    /// `wmma.load`, `wmma.store` and `wmma.mma`
    pub(super) fn wmma(&mut self, written: &Written) -> Lowered {
        match written.modifiers.first() {
            Some(&"load") => self.move_matrix(written, 0, 1),
            Some(&"store") => self.move_matrix(written, 1, 0),
            Some(&"mma") => self.multiply(written, WMMA, true),
            _ => Err("wmma.load, wmma.store and wmma.mma are supported".into()),
        }
    }

    /// `wmma.load.a.sync.aligned.row.SHAPE.global.f16 {r, ...}, [address], stride`, and stores.
    fn move_matrix(&mut self, written: &Written, values: usize, address: usize) -> Lowered {
        let role = match written.modifiers.get(1) {
            Some(&"a") => Role::A,
            Some(&"b") => Role::B,
            Some(&"c" | &"d") => Role::C,
            _ => return Err("a, b, c or d is missing".into()),
        };
        let element = written.modifiers.iter().find_map(|name| Element::named(name));
        let element = element.ok_or(TYPES)?;
        let fits = |of: &Element| match role {
            Role::C => results(*of).contains(&element),
            _ => *of == element,
        };
        let shape = shape(written, WMMA, fits)?;
        let by_column = written.has("col");
        if element.bits() < 8 && by_column != (role == Role::B) {
            return Err("of this type A lies by rows (.row) and B by columns (.col)".into());
        }
        let fragment = Fragment { role, shape, element, by_column, is_wmma: true };
        let space = written.modifiers.iter().find_map(|name| space(name));
        let mut form = AccessForm::load(space.unwrap_or(Space::Generic), U32);
        self.address_of(written.operand(address)?, &mut form)?;
        let stride = match written.operands.get(2) {
            Some(_) => Some(self.source(written.operand(2)?, U32)?),
            None => None,
        };
        let mut pieces = Pieces { fragment, form, stride, by_column };
        let operands = registers(written, values, fragment)?;
        // Registers beyond the elements have them a second time.
        let (file, in_register) = element.in_register();
        let distinct = fragment.elements().div_ceil(in_register) as usize;
        for (at, operand) in operands.iter().enumerate() {
            match (values, at < distinct) {
                (0, true) => {
                    let d = self.target(operand, register(fragment))?;
                    self.load_register(written, &mut pieces, at as u32, d)?;
                }
                (0, false) => {
                    let a = self.source(&operands[at % distinct], register(fragment))?;
                    let d = self.target(operand, register(fragment))?;
                    self.push_guarded(written, Operation::Move { file, d, a })?;
                }
                _ => {
                    let a = self.source(operand, register(fragment))?;
                    self.store_register(written, &mut pieces, at as u32, a)?;
                }
            }
        }
        Ok(Operation::Nothing)
    }

    fn load_register(
        &mut self,
        written: &Written,
        pieces: &mut Pieces,
        register: u32,
        d: Target,
    ) -> Result<(), Trouble> {
        let (count, ty) = pieces.of_register();
        let mut parts = [Source::register(0); 4];
        for (part, at) in parts.iter_mut().zip(register * count..(register + 1) * count) {
            let to = if count == 1 { d } else { self.scopes.fresh(ty)?.target() };
            let mut form = self.piece(written, pieces, pieces.first(register, at), ty)?;
            form.targets[0] = Some(TargetIn { file: ty.file(), target: to, bytes: ty.bytes });
            self.push_guarded(written, Operation::Access(Box::new(form)))?;
            *part = Source::register(to.0);
        }
        if count > 1 {
            let parts =
                Parts { parts, count: count as u8, bits: ty.bytes * 8, whole: File::Narrow };
            self.push_guarded(written, Operation::Pack { parts, d })?;
        }
        Ok(())
    }

    fn store_register(
        &mut self,
        written: &Written,
        pieces: &mut Pieces,
        register: u32,
        a: Source,
    ) -> Result<(), Trouble> {
        let (count, ty) = pieces.of_register();
        let mut values = [Some(a); 4];
        if count > 1 {
            let mut parts = [None; 4];
            for (part, value) in parts.iter_mut().zip(&mut values).take(count as usize) {
                let fresh = self.scopes.fresh(ty)?;
                (*part, *value) = (Some(fresh.target()), Some(Source::register(fresh.index)));
            }
            let parts =
                Parts { parts, count: count as u8, bits: ty.bytes * 8, whole: File::Narrow };
            self.push_guarded(written, Operation::Unpack { parts, a })?;
        }
        for (value, at) in values.into_iter().zip(register * count..(register + 1) * count) {
            let mut form = self.piece(written, pieces, pieces.first(register, at), ty)?;
            form.kind = AccessKind::Store;
            let source = value.unwrap_or(a);
            form.sources[0] = SourceIn { file: ty.file(), source };
            self.push_guarded(written, Operation::Access(Box::new(form)))?;
        }
        Ok(())
    }

    /// An access to the piece of a fragment that begins with an element.
    fn piece(
        &mut self,
        written: &Written,
        pieces: &Pieces,
        at: u32,
        ty: Type,
    ) -> Result<AccessForm, Trouble> {
        let address = self.scopes.fresh(U64)?;
        let Pieces { fragment, form, stride, by_column } = *pieces;
        let (base, offset, d) = (form.base, form.offset, address.target());
        let place = MatrixAddress { fragment, at, base, offset, stride, by_column, d };
        self.push_guarded(written, Operation::MatrixAddress(Box::new(place)))?;
        let base = Some(Source::register(address.index));
        Ok(AccessForm { base, offset: 0, ..AccessForm { ty, ..form } })
    }

    /// `ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {r, ...}, [address]`
    pub(super) fn ldmatrix(&mut self, written: &Written) -> Lowered {
        let (mut form, rows, operands) = self.matrix_rows(written, [1, 0])?;
        for (into, operand) in form.targets.iter_mut().zip(operands) {
            let target = self.target(operand, U32)?;
            *into = Some(TargetIn { file: File::Narrow, target, bytes: 4 });
        }
        form.matrix = Some(rows);
        Ok(Operation::Access(Box::new(form)))
    }

    /// `stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [address], {r, ...}`
    pub(super) fn stmatrix(&mut self, written: &Written) -> Lowered {
        let (mut form, rows, operands) = self.matrix_rows(written, [0, 1])?;
        form.kind = AccessKind::Store;
        // A row has four words, of however many matrices it is one.
        for (into, operand) in form.sources.iter_mut().zip(operands.iter().cycle().take(4)) {
            *into = SourceIn { file: File::Narrow, source: self.source(operand, U32)? };
        }
        form.matrix = Some(rows);
        Ok(Operation::Access(Box::new(form)))
    }

    /// `movmatrix.sync.aligned.m8n8.trans.b16 d, a`
    pub(super) fn movmatrix(&mut self, written: &Written) -> Lowered {
        if written.modifiers != ["sync", "aligned", "m8n8", "trans", "b16"] {
            return Err(".sync.aligned.m8n8.trans.b16 is accepted".into());
        }
        let (d, [a]) = (self.first(written, U32)?, self.sources(written, U32)?);
        Ok(Operation::Transpose { d, a })
    }

    /// An access to rows of matrices, and the operands that hold them.
    fn matrix_rows<'w>(
        &mut self,
        written: &'w Written,
        [address, registers]: [usize; 2],
    ) -> Result<(AccessForm, MatrixRows, &'w [Operand<'w>]), Trouble> {
        let counts = [("x1", 1), ("x2", 2), ("x4", 4)];
        let known = ["sync", "aligned", "m8n8", "x1", "x2", "x4", "trans", "shared", "shared::cta"];
        written.only(&known)?;
        let matrices = counts.iter().find(|(name, _)| written.has(name));
        let matrices = matrices.ok_or("x1, x2 or x4 is missing")?.1;
        if !written.has("m8n8") || !written.has("b16") {
            return Err(".m8n8 of .b16 is supported".into());
        }
        let space = written.modifiers.iter().find_map(|name| space(name));
        let mut form = AccessForm::load(space.unwrap_or(Space::Generic), U32);
        self.address_of(written.operand(address)?, &mut form)?;
        form.elements = 4;
        let operands = vector(written.operand(registers)?);
        if operands.len() != matrices {
            return Err(format!("{} registers where {matrices} are wanted", operands.len()));
        }
        let rows = MatrixRows { matrices: matrices as u32, transposed: written.has("trans") };
        Ok((form, rows, operands))
    }
}

/// A `wmma` fragment on its way to or from memory.
struct Pieces {
    fragment: Fragment,
    form: AccessForm,
    stride: Option<Source>,
    by_column: bool,
}

impl Pieces {
    /// Accesses for a register, and the type of each: one, unless its elements lie apart.
    fn of_register(&self) -> (u32, Type) {
        let (_, in_register) = self.fragment.element.in_register();
        let count = match self.by_column && self.fragment.role == Role::C {
            true => in_register,
            false => 1,
        };
        let bytes = register(self.fragment).bytes / count as u8;
        (count, Type { kind: Kind::Bits, bytes })
    }

    /// The first element of an access.
    fn first(&self, register: u32, at: u32) -> u32 {
        match self.of_register().0 {
            1 => register * self.fragment.element.in_register().1,
            _ => at,
        }
    }
}
