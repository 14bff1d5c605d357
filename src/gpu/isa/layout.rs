//! Where variables lie, and their first contents.

use super::cursor::Cursor;
use super::declaration::{Declaration, Initial, initials};
use super::literal::Literal;
use super::types::Type;

/// What is wrong with a declaration or instruction; the caller adds its place.
pub(super) type Trouble = String;

/// A state space that is being filled.
#[derive(Debug, Clone, Default)]
pub(super) struct Area {
    end: u64,
    /// Least bytes between two variables.
    gap: u32,
}

impl Area {
    /// An area that begins after what another one holds.
    pub(super) fn after(bytes: u32) -> Self {
        Self { end: bytes.into(), gap: 0 }
    }

    /// An empty area that leaves gaps between variables.
    pub(super) fn with_gaps(gap: u32) -> Self {
        Self { end: 0, gap }
    }

    /// Bytes used so far.
    pub(super) fn bytes(&self) -> u32 {
        // `place` keeps it below its limit, which fits.
        self.end as u32
    }

    /// Finds room; the offset.
    pub(super) fn place(&mut self, shape: &Shape, limit: u32) -> Result<u32, Trouble> {
        let gap = if self.end == 0 { 0 } else { u64::from(self.gap) };
        let offset = (self.end + gap).next_multiple_of(shape.align.into());
        let end = offset.saturating_add(shape.bytes);
        if end > limit.into() {
            return Err(format!("more than {limit} bytes of variables in this space"));
        }
        self.end = end;
        Ok(offset as u32)
    }
}

/// Size and alignment of a variable.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shape {
    pub(super) ty: Type,
    pub(super) bytes: u64,
    pub(super) align: u32,
    /// Declared without a size, as dynamic shared memory is.
    pub(super) unsized_array: bool,
}

impl Shape {
    /// Of a variable or parameter.
    pub(super) fn of(declaration: &Declaration) -> Result<Self, Trouble> {
        let ty = scalar(&declaration.ty)?;
        if ty.bytes == 0 {
            return Err("predicates are not kept in memory".into());
        }
        let vector = u32::from(declaration.vector);
        let mut bytes = u64::from(ty.bytes).saturating_mul(vector.into());
        for dimension in &declaration.dimensions {
            bytes = bytes.saturating_mul(dimension.unwrap_or(0));
        }
        let align = declaration.align.unwrap_or(u64::from(u32::from(ty.bytes) * vector));
        if !align.is_power_of_two() || align > 4096 {
            return Err(format!("alignment {align}: a power of two up to 4096 is accepted"));
        }
        let unsized_array = declaration.dimensions.contains(&None);
        Ok(Self { ty, bytes, align: align as u32, unsized_array })
    }
}

/// The type of a declaration.
pub(super) fn scalar(name: &str) -> Result<Type, Trouble> {
    match name {
        "texref" | "surfref" => {
            Err("texture references are variables of the module: use .u64 for a handle".into())
        }
        "samplerref" => Err("samplers are those of textures: leave .samplerref out".into()),
        _ => Type::named(name).ok_or_else(|| format!("type {name} is not supported")),
    }
}

/// Writes an initialiser. `address` gives the address of a name, generic or in its space.
pub(super) fn initialise(
    into: &mut [u8],
    shape: &Shape,
    mut values: Cursor,
    address: &impl Fn(&str, bool) -> Option<u64>,
) -> Result<(), Trouble> {
    let accepted = "first contents are numbers and addresses, in braces";
    let values = initials(&mut values).ok_or(accepted)?;
    let size = usize::from(shape.ty.bytes);
    if values.len().saturating_mul(size) > into.len() {
        return Err(format!("{} values for {} bytes", values.len(), into.len()));
    }
    for (place, value) in into.chunks_exact_mut(size).zip(values) {
        let bits = match value {
            Initial::Literal(literal) => bits(literal, shape.ty),
            Initial::Address(name, offset, is_generic) => {
                let known = address(name, is_generic);
                let known = known.ok_or_else(|| format!("no variable or function {name}"))?;
                known.wrapping_add(offset as u64)
            }
        };
        place.copy_from_slice(&bits.to_le_bytes()[..size]);
    }
    Ok(())
}

/// A literal as bits of a type, converted as PTX does where it is used.
pub(super) fn bits(literal: Literal, ty: Type) -> u64 {
    match (literal, ty.is_float(), ty.bytes) {
        // PTX writes numbers of 16 bits as their bits.
        (Literal::Integer(value), true, 2) => value as u64,
        (Literal::Double(bits), true, 2) => ty.bits_of(f64::from_bits(bits)),
        (Literal::Single(bits), true, 2) => ty.bits_of(f32::from_bits(bits).into()),
        (literal, true, 4) if ty.half().is_some() => match literal {
            Literal::Integer(value) => value as u64,
            Literal::Single(bits) => bits.into(),
            Literal::Double(bits) => bits,
        },
        (Literal::Integer(value), false, _) => value as u64,
        (Literal::Integer(value), true, 4) => (value as f32).to_bits().into(),
        (Literal::Integer(value), true, _) => (value as f64).to_bits(),
        (Literal::Double(bits), true, 4) => (f64::from_bits(bits) as f32).to_bits().into(),
        (Literal::Single(bits), true, 8) => f64::from(f32::from_bits(bits)).to_bits(),
        (Literal::Double(bits), ..) => bits,
        (Literal::Single(bits), ..) => bits.into(),
    }
}
