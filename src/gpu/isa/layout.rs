//! Where variables lie, and their first contents.

use ptx_syntax::r#type::{
    DataType, GlobalInitializer, InitializerValue, ParameterDirective, VariableDirective,
    VariableModifier,
};

use super::types::Type;
use super::written::Literal;

/// What is wrong with a declaration or instruction; the caller adds its place.
pub(super) type Trouble = String;

/// A state space that is being filled.
#[derive(Debug, Clone, Default)]
pub(super) struct Area {
    end: u64,
}

impl Area {
    /// An area that begins after what another one holds.
    pub(super) fn after(bytes: u32) -> Self {
        Self { end: bytes.into() }
    }

    /// Bytes used so far.
    pub(super) fn bytes(&self) -> u32 {
        // `place` keeps it below its limit, which fits.
        self.end as u32
    }

    /// Finds room; the offset.
    pub(super) fn place(&mut self, shape: &Shape, limit: u32) -> Result<u32, Trouble> {
        let offset = self.end.next_multiple_of(shape.align.into());
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
    /// Of a variable.
    pub(super) fn of(variable: &VariableDirective) -> Result<Self, Trouble> {
        let mut align = None;
        let mut vector = 1;
        for modifier in &variable.modifiers {
            match modifier {
                VariableModifier::Alignment { value, .. } => align = Some(*value),
                VariableModifier::Vector { value, .. } => vector = *value,
                VariableModifier::Ptr { .. } => {}
            }
        }
        Self::new(&variable.ty, align, &variable.array_dims, vector)
    }

    /// Of a parameter.
    pub(super) fn of_parameter(parameter: &ParameterDirective) -> Result<Self, Trouble> {
        match parameter {
            ParameterDirective::Parameter { align, ty, array, .. } => {
                Self::new(ty, *align, array, 1)
            }
            ParameterDirective::Register { .. } => {
                Err("parameters in registers are not supported: use .param".into())
            }
        }
    }

    fn new(
        ty: &DataType,
        align: Option<u32>,
        dimensions: &[Option<u64>],
        vector: u32,
    ) -> Result<Self, Trouble> {
        let ty = scalar(ty)?;
        let mut bytes = u64::from(ty.bytes).saturating_mul(vector.into());
        for dimension in dimensions {
            bytes = bytes.saturating_mul(dimension.unwrap_or(0));
        }
        let align = align.unwrap_or(u32::from(ty.bytes).saturating_mul(vector));
        if !align.is_power_of_two() || align > 4096 {
            return Err(format!("alignment {align}: a power of two up to 4096 is accepted"));
        }
        Ok(Self { ty, bytes, align, unsized_array: dimensions.contains(&None) })
    }
}

/// The type of a declaration.
pub(super) fn scalar(ty: &DataType) -> Result<Type, Trouble> {
    let name = match ty {
        DataType::U8 { .. } => "u8",
        DataType::U16 { .. } => "u16",
        DataType::U32 { .. } => "u32",
        DataType::U64 { .. } => "u64",
        DataType::S8 { .. } => "s8",
        DataType::S16 { .. } => "s16",
        DataType::S32 { .. } => "s32",
        DataType::S64 { .. } => "s64",
        DataType::F32 { .. } => "f32",
        DataType::F64 { .. } => "f64",
        DataType::B8 { .. } => "b8",
        DataType::B16 { .. } => "b16",
        DataType::B32 { .. } => "b32",
        DataType::B64 { .. } => "b64",
        DataType::Pred { .. } => "pred",
        DataType::F16 { .. } | DataType::F16x2 { .. } | DataType::B128 { .. } => {
            return Err("types f16, f16x2 and b128 are not supported".into());
        }
        DataType::TexRef { .. } | DataType::SamplerRef { .. } | DataType::SurfRef { .. } => {
            return Err("textures and surfaces are not supported".into());
        }
    };
    Type::named(name).ok_or_else(|| format!("type {name} is not supported"))
}

/// Writes an initialiser. `address` gives the generic address of a variable.
pub(super) fn initialise(
    into: &mut [u8],
    shape: &Shape,
    initializer: &GlobalInitializer,
    address: &impl Fn(&str) -> Option<u64>,
) -> Result<(), Trouble> {
    let mut values = Vec::new();
    flatten(initializer, &mut values);
    let size = usize::from(shape.ty.bytes);
    if values.len() * size > into.len() {
        return Err(format!("{} values for {} bytes", values.len(), into.len()));
    }
    for (place, value) in into.chunks_exact_mut(size).zip(values) {
        let bits = match value {
            InitializerValue::NumericLiteral { value, .. } => {
                let literal = Literal::parse(&value.value);
                let literal = literal.ok_or_else(|| format!("no number: {}", value.value))?;
                bits(literal, shape.ty)
            }
            InitializerValue::FunctionSymbol { name, .. } => {
                let known = address(&name.val);
                known.ok_or_else(|| format!("no variable declared before: {}", name.val))?
            }
            InitializerValue::StringLiteral { .. } => {
                return Err("strings as initialisers are not supported".into());
            }
        };
        place.copy_from_slice(&bits.to_le_bytes()[..size]);
    }
    Ok(())
}

/// The values of nested braces in order. The nesting is limited where the text is read.
fn flatten<'a>(initializer: &'a GlobalInitializer, into: &mut Vec<&'a InitializerValue>) {
    match initializer {
        GlobalInitializer::Scalar { value, .. } => into.push(value),
        GlobalInitializer::Aggregate { values, .. } => {
            values.iter().for_each(|value| flatten(value, into));
        }
    }
}

/// A literal as bits of a type, converted as PTX does where it is used.
pub(super) fn bits(literal: Literal, ty: Type) -> u64 {
    match (literal, ty.is_float(), ty.bytes) {
        (Literal::Integer(value), false, _) => value as u64,
        (Literal::Integer(value), true, 4) => (value as f32).to_bits().into(),
        (Literal::Integer(value), true, _) => (value as f64).to_bits(),
        (Literal::Double(bits), true, 4) => (f64::from_bits(bits) as f32).to_bits().into(),
        (Literal::Single(bits), true, 8) => f64::from(f32::from_bits(bits)).to_bits(),
        (Literal::Double(bits), ..) => bits,
        (Literal::Single(bits), ..) => bits.into(),
    }
}
