//! `mma`, `wmma`, `ldmatrix` and `stmatrix`.

use super::super::layout::Trouble;
use super::super::types::{File, Kind, Space, Type};
use super::super::written::{Operand, Written};
use super::body::Body;
use super::convert::space;
use super::operands::{Lowered, U32, U64};
use crate::isa::{
    AccessForm, AccessKind, Element, Fragment, MatrixAddress, MatrixForm, MatrixRows, Operation,
    Parts, Role, Source, SourceIn, Target, TargetIn,
};

/// Shapes and types that `mma` takes.
const MMA: [(&str, &[Element]); 6] = [
    ("m8n8k4", &[Element::F16]),
    ("m16n8k8", &[Element::F16, Element::Bf16, Element::Tf32]),
    ("m16n8k16", &[Element::F16, Element::Bf16, Element::S8, Element::U8]),
    ("m16n8k4", &[Element::Tf32]),
    ("m8n8k16", &[Element::S8, Element::U8]),
    ("m16n8k32", &[Element::S8, Element::U8]),
];
/// The same of `wmma`.
const WMMA: [(&str, &[Element]); 4] = [
    ("m16n16k16", &[Element::F16, Element::Bf16, Element::S8, Element::U8]),
    ("m8n32k16", &[Element::F16, Element::Bf16, Element::S8, Element::U8]),
    ("m32n8k16", &[Element::F16, Element::Bf16, Element::S8, Element::U8]),
    ("m16n16k8", &[Element::Tf32]),
];

/// `m16n8k16`
fn numbers(shape: &str) -> Option<[u32; 3]> {
    let (m, rest) = shape.strip_prefix('m')?.split_once('n')?;
    let (n, k) = rest.split_once('k')?;
    Some([m.parse().ok()?, n.parse().ok()?, k.parse().ok()?])
}

/// The shape of an instruction, which must have it for a type.
fn shape(
    written: &Written,
    known: &[(&str, &[Element])],
    fits: impl Fn(&Element) -> bool,
) -> Result<[u32; 3], Trouble> {
    let named = written.modifiers.iter().find_map(|name| Some((*name, numbers(name)?)));
    let (name, shape) = named.ok_or("a shape is missing")?;
    match known.iter().find(|(other, _)| *other == name) {
        Some((_, elements)) if elements.iter().any(fits) => Ok(shape),
        _ => {
            let known: Vec<_> = known
                .iter()
                .map(|(name, elements)| format!("{name} of {elements:?}").to_lowercase())
                .collect();
            Err(format!("{name} is not supported for this type: {} are", known.join(", ")))
        }
    }
}

impl Body<'_, '_> {
    /// `mma.sync.aligned.SHAPE.row.col.D.A.B.C d, a, b, c`
    pub(super) fn mma(&mut self, written: &Written) -> Lowered {
        self.multiply(written, &MMA, false)
    }

    /// `wmma.load`, `wmma.store` and `wmma.mma`
    pub(super) fn wmma(&mut self, written: &Written) -> Lowered {
        match written.modifiers.first() {
            Some(&"load") => self.move_matrix(written, 0, 1),
            Some(&"store") => self.move_matrix(written, 1, 0),
            Some(&"mma") => self.multiply(written, &WMMA, true),
            _ => Err("wmma.load, wmma.store and wmma.mma are supported".into()),
        }
    }

    fn multiply(
        &mut self,
        written: &Written,
        known: &[(&str, &[Element])],
        is_wmma: bool,
    ) -> Lowered {
        let types = written.modifiers.iter().filter_map(|name| Element::named(name));
        let types: Vec<_> = types.collect();
        // wmma of .f16 names the types of D and C only.
        let [d, a, b, c] =
            match types[..] {
                [d, a, b, c] => [d, a, b, c],
                [d, c] if is_wmma => [d, Element::F16, Element::F16, c],
                _ => return Err(
                    "the types of D, A, B and C are f16, bf16, tf32, s8, u8 with f16, f32 or s32"
                        .into(),
                ),
            };
        let shape = shape(written, known, |element| *element == a)?;
        let is_same = a == b || a.is_integer() && b.is_integer() && b != Element::S32;
        let results: &[Element] = match a {
            Element::F16 => &[Element::F16, Element::F32],
            Element::Bf16 | Element::Tf32 => &[Element::F32],
            _ => &[Element::S32],
        };
        if !is_same || !results.contains(&c) || !results.contains(&d) {
            return Err(format!("with A of {a:?}, B is the same, and C and D are of {results:?}")
                .to_lowercase());
        }
        let mut layouts = written.modifiers.iter().filter(|name| matches!(**name, "row" | "col"));
        let [Some(of_a), Some(of_b)] = [layouts.next(), layouts.next()] else {
            return Err("the layouts of A and B are missing".into());
        };
        if !is_wmma && shape != [8, 8, 4] && (*of_a, *of_b) != ("row", "col") {
            return Err(".row.col is accepted for this shape".into());
        }
        let fragment =
            |role, element, by_column| Fragment { role, shape, element, by_column, is_wmma };
        let fragments = [
            fragment(Role::A, a, *of_a == "col"),
            fragment(Role::B, b, *of_b == "col"),
            fragment(Role::C, c, false),
            fragment(Role::C, d, false),
        ];
        let mut sources = [const { Vec::new() }; 3];
        for (at, into) in sources.iter_mut().enumerate() {
            for operand in registers(written, at + 1, fragments[at])? {
                into.push(self.source(operand, U32)?);
            }
        }
        let mut targets = Vec::new();
        for operand in registers(written, 0, fragments[3])? {
            targets.push(self.target(operand, U32)?);
        }
        let saturate = written.has("satfinite");
        Ok(Operation::Matrix(Box::new(MatrixForm { fragments, sources, targets, saturate })))
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
        let element = element.ok_or("f16, bf16, tf32, f32, s8, u8 and s32 are supported")?;
        let is_result = |of: &Element| match element {
            Element::F16 => *of == Element::F16,
            Element::S32 => of.is_integer(),
            _ => !of.is_integer(),
        };
        let shape =
            shape(
                written,
                &WMMA,
                |of| if role == Role::C { is_result(of) } else { *of == element },
            )?;
        let by_column = written.has("col");
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
        let distinct = (fragment.elements() * element.bytes() / 4) as usize;
        for (at, operand) in operands.iter().enumerate() {
            match (values, at < distinct) {
                (0, true) => {
                    let d = self.target(operand, U32)?;
                    self.load_register(written, &mut pieces, at as u32, d)?;
                }
                (0, false) => {
                    let a = self.source(&operands[at % distinct], U32)?;
                    let d = self.target(operand, U32)?;
                    self.push_guarded(written, Operation::Move { file: File::Narrow, d, a })?;
                }
                _ => {
                    let a = self.source(operand, U32)?;
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
            form.targets[0] = Some(TargetIn { file: File::Narrow, target: to, bytes: ty.bytes });
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
            form.sources[0] = SourceIn { file: File::Narrow, source };
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
        let is_apart = self.by_column && self.fragment.role == Role::C;
        let bytes = if is_apart { self.fragment.element.bytes() } else { 4 };
        (4 / bytes, Type { kind: Kind::Bits, bytes: bytes as u8 })
    }

    /// The first element of an access.
    fn first(&self, register: u32, at: u32) -> u32 {
        match self.of_register().0 {
            1 => register * (4 / self.fragment.element.bytes()),
            _ => at,
        }
    }
}

/// Registers in braces, or one alone.
fn vector<'a>(operand: &'a Operand<'a>) -> &'a [Operand<'a>] {
    match operand {
        Operand::Vector(operands) => operands,
        operand => std::slice::from_ref(operand),
    }
}

/// The registers of a fragment.
fn registers<'a>(
    written: &'a Written,
    at: usize,
    fragment: Fragment,
) -> Result<&'a [Operand<'a>], Trouble> {
    let given = vector(written.operand(at)?);
    match (given.len(), fragment.registers()) {
        (given, wanted) if given != wanted => {
            Err(format!("operand {} has {given} registers, {wanted} are wanted", at + 1))
        }
        _ => Ok(given),
    }
}
