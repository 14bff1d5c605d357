//! `mma` and `wmma.mma`: shapes, types and registers.

use super::super::layout::Trouble;
use super::super::literal::Literal;
use super::super::types::{File, Type};
use super::super::written::{Operand, Written};
use super::body::Body;
use super::float::mode;
use super::operands::{Lowered, U32, U64};
use crate::isa::{Element, Fragment, Logic, MatrixForm, Operation, Role, Sparsity};

use Element::{B1, Bf16, E4m3, E5m2, F16, F32, F64, S4, S8, S32, Tf32, U4, U8};

/// Shapes, and the types of `A` that go with each.
pub(super) type Shapes<'a> = &'a [(&'a str, &'a [Element])];

/// Shapes of `mma`.
const MMA: Shapes = &[
    ("m8n8k4", &[F16, F64]),
    ("m16n8k4", &[Tf32, F64]),
    ("m16n8k8", &[F16, Bf16, Tf32, F64]),
    ("m16n8k16", &[F16, Bf16, S8, U8, F64, E4m3, E5m2]),
    ("m8n8k16", &[S8, U8]),
    ("m16n8k32", &[S8, U8, S4, U4, E4m3, E5m2]),
    ("m8n8k32", &[S4, U4]),
    ("m16n8k64", &[S4, U4]),
    ("m8n8k128", &[B1]),
    ("m16n8k128", &[B1]),
    ("m16n8k256", &[B1]),
];
/// Shapes and types of `mma.sp`.
const SPARSE: Shapes = &[
    ("m16n8k8", &[Tf32]),
    ("m16n8k16", &[F16, Bf16, Tf32]),
    ("m16n8k32", &[F16, Bf16, S8, U8]),
    ("m16n8k64", &[S8, U8, S4, U4, E4m3, E5m2]),
    ("m16n8k128", &[S4, U4]),
];
/// Shapes and types of `wmma`.
pub(super) const WMMA: Shapes = &[
    ("m16n16k16", &[F16, Bf16, S8, U8]),
    ("m8n32k16", &[F16, Bf16, S8, U8]),
    ("m32n8k16", &[F16, Bf16, S8, U8]),
    ("m16n16k8", &[Tf32]),
    ("m8n8k4", &[F64]),
    ("m8n8k32", &[S4, U4]),
    ("m8n8k128", &[B1]),
];
pub(super) const TYPES: &str = "the types of D, A, B and C are \
    f16, bf16, tf32, f64, e4m3, e5m2, s8, u8, s4, u4 or b1 with f16, f32, f64 or s32";

/// `m16n8k16`
fn numbers(shape: &str) -> Option<[u32; 3]> {
    let (m, rest) = shape.strip_prefix('m')?.split_once('n')?;
    let (n, k) = rest.split_once('k')?;
    Some([m.parse().ok()?, n.parse().ok()?, k.parse().ok()?])
}

/// The shape of an instruction, which must have it for a type.
pub(super) fn shape(
    written: &Written,
    known: Shapes,
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
    /// `mma.sync.aligned.SHAPE.row.col.D.A.B.C d, a, b, c`, and with `.sp` `metadata, selector`
    pub(super) fn mma(&mut self, written: &Written) -> Lowered {
        match sparse(written) {
            Some(_) => self.multiply(written, SPARSE, false),
            None => self.multiply(written, MMA, false),
        }
    }

    pub(super) fn multiply(&mut self, written: &Written, known: Shapes, is_wmma: bool) -> Lowered {
        let fragments = fragments(written, known, is_wmma)?;
        let sparsity = self.sparsity(written, fragments[1])?;
        let mut form = MatrixForm {
            fragments,
            sources: [const { Vec::new() }; 3],
            targets: Vec::new(),
            saturate: written.has("satfinite"),
            rounding: mode(written).rounding,
            logic: if written.has("and") { Logic::And } else { Logic::Xor },
            sparsity,
        };
        if form.sparsity.is_some() {
            form.fragments[0].shape[2] /= 2;
        }
        let fragments = form.fragments;
        for (at, into) in form.sources.iter_mut().enumerate() {
            for operand in registers(written, at + 1, fragments[at])? {
                into.push(self.source(operand, register(fragments[at]))?);
            }
        }
        for operand in registers(written, 0, fragments[3])? {
            form.targets.push(self.target(operand, register(fragments[3]))?);
        }
        Ok(Operation::Matrix(Box::new(form)))
    }

    /// Metadata and selector of `mma.sp`.
    fn sparsity(&mut self, written: &Written, b: Fragment) -> Result<Option<Sparsity>, Trouble> {
        let Some(is_ordered) = sparse(written) else { return Ok(None) };
        let columns = b.shape[2];
        let metadata = self.source(written.operand(4)?, U32)?;
        let selectors = 4 / Sparsity::lanes(b.element, columns);
        match written.operand(5)? {
            Operand::Literal(Literal::Integer(selector))
                if (0..selectors.into()).contains(selector) =>
            {
                let selector = *selector as u32;
                Ok(Some(Sparsity { metadata, selector, is_ordered, columns }))
            }
            _ => Err(format!("the selector is a number from 0 to {}", selectors - 1)),
        }
    }
}

/// Whether the metadata is ordered, of `mma.sp`.
fn sparse(written: &Written) -> Option<bool> {
    let is_ordered = written.has("sp::ordered_metadata");
    (is_ordered || written.has("sp")).then_some(is_ordered)
}

/// Types of `C` and `D` for a type of `A`.
pub(super) fn results(a: Element) -> &'static [Element] {
    match a {
        F16 | E4m3 | E5m2 => &[F16, F32],
        Bf16 | Tf32 => &[F32],
        F64 => &[F64],
        _ => &[S32],
    }
}

/// The registers of a fragment have this type.
pub(super) fn register(fragment: Fragment) -> Type {
    match fragment.element.in_register().0 {
        File::Wide => U64,
        _ => U32,
    }
}

/// The fragments of `A`, `B`, `C` and `D`.
fn fragments(written: &Written, known: Shapes, is_wmma: bool) -> Result<[Fragment; 4], Trouble> {
    let words = [
        "mma",
        "sync",
        "aligned",
        "row",
        "col",
        "satfinite",
        "xor",
        "and",
        "popc",
        "rn",
        "rz",
        "rm",
        "rp",
    ];
    let is_known = |name: &str| {
        words.contains(&name) || Element::named(name).is_some() || numbers(name).is_some()
    };
    let mut others = written.modifiers.iter().filter(|name| !name.starts_with("sp"));
    if let Some(name) = others.find(|name| !is_known(name)) {
        return Err(format!(".{name} is not supported here"));
    }
    let types = written.modifiers.iter().filter_map(|name| Element::named(name));
    // wmma of .f16 names the types of D and C only.
    let [d, a, b, c] = match types.collect::<Vec<_>>()[..] {
        [d, a, b, c] => [d, a, b, c],
        [d, c] if is_wmma => [d, F16, F16, c],
        _ => return Err(TYPES.into()),
    };
    let shape = shape(written, known, |element| *element == a)?;
    let is_alike = a.bits() == b.bits() && a.bits() <= 8 && a.is_integer() == b.is_integer();
    let results = results(a);
    if !(a == b || is_alike) || !results.contains(&c) || !results.contains(&d) {
        return Err(format!("with A of {a:?}, B is the same, and C and D are of {results:?}")
            .to_lowercase());
    }
    if a == B1 && !(written.has("popc") && (written.has("xor") || written.has("and"))) {
        return Err(".xor.popc or .and.popc is missing".into());
    }
    let mut layouts = written.modifiers.iter().filter(|name| matches!(**name, "row" | "col"));
    let [Some(of_a), Some(of_b)] = [layouts.next(), layouts.next()] else {
        return Err("the layouts of A and B are missing".into());
    };
    let fragment = |role, element, by_column| Fragment { role, shape, element, by_column, is_wmma };
    let fragments = [
        fragment(Role::A, a, *of_a == "col"),
        fragment(Role::B, b, *of_b == "col"),
        fragment(Role::C, c, false),
        fragment(Role::C, d, false),
    ];
    let is_free = is_wmma && a.bits() >= 8 || fragments[0].matrices() == 4;
    if !is_free && (*of_a, *of_b) != ("row", "col") {
        return Err(".row.col is accepted for this shape".into());
    }
    Ok(fragments)
}

/// Registers in braces, or one alone.
pub(super) fn vector<'a>(operand: &'a Operand<'a>) -> &'a [Operand<'a>] {
    match operand {
        Operand::Vector(operands) => operands,
        operand => std::slice::from_ref(operand),
    }
}

/// The registers of a fragment.
pub(super) fn registers<'a>(
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
