//! Records: named fields of run-time widths, defined once for ports, circuits and test benches.

use crate::{Bits, ModuleBuilder, Signal};

/// One field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Name, in snake_case.
    pub name: String,
    /// Width in bits, at least 1.
    pub width: u32,
    /// Description.
    pub doc: String,
}

/// The fields of a record, in order; packed, the first is the most significant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fields(Vec<Field>);

impl Fields {
    /// No fields yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a field.
    #[must_use]
    pub fn with(mut self, name: &str, width: u32, doc: &str) -> Self {
        self.0.push(Field { name: name.to_string(), width, doc: doc.to_string() });
        self
    }

    /// Adds the fields of another record.
    #[must_use]
    pub fn and(mut self, other: Fields) -> Self {
        self.0.extend(other.0);
        self
    }

    /// All fields except the named one.
    #[must_use]
    pub fn without(mut self, name: &str) -> Self {
        self.0.retain(|field| field.name != name);
        self
    }

    /// The same fields, with another description of the named one.
    #[must_use]
    pub fn saying(mut self, name: &str, doc: &str) -> Self {
        self.0.iter_mut().filter(|field| field.name == name).for_each(|f| f.doc = doc.to_string());
        self
    }

    /// The fields in order.
    pub fn iter(&self) -> impl Iterator<Item = &Field> {
        self.0.iter()
    }

    /// Number of fields.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no field.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Sum of the widths.
    pub fn width(&self) -> u32 {
        self.0.iter().map(|field| field.width).sum()
    }

    /// Index of the named field.
    pub fn position(&self, name: &str) -> Option<usize> {
        self.0.iter().position(|field| field.name == name)
    }
}

/// Values of fields.
#[derive(Clone, Debug)]
pub struct Record<'m> {
    fields: Fields,
    values: Vec<Signal<'m>>,
}

impl<'m> Record<'m> {
    /// Assigns values to fields, in order.
    ///
    /// # Panics
    /// If a value is missing or its width is not the field's.
    #[track_caller]
    pub fn new(fields: &Fields, values: Vec<Signal<'m>>) -> Self {
        assert!(
            fields.len() == values.len(),
            "a record of {} fields is given {} values",
            fields.len(),
            values.len()
        );
        for (field, value) in fields.iter().zip(&values) {
            assert!(
                field.width == value.width(),
                "field `{}` is {} bits, {value} is {} bits",
                field.name,
                field.width,
                value.width()
            );
        }
        Self { fields: fields.clone(), values }
    }

    /// Unpacks a record.
    ///
    /// # Panics
    /// If the signal is not as wide as the fields together.
    #[track_caller]
    pub fn unpack(fields: &Fields, packed: Signal<'m>) -> Self {
        let expected = fields.width();
        assert!(
            packed.width() == expected,
            "the record is {expected} bits, {packed} is {} bits",
            packed.width()
        );
        let mut high = expected;
        let take = |field: &Field| {
            high -= field.width;
            packed.slice(high..high + field.width)
        };
        let values = fields.iter().map(take).collect();
        Self { fields: fields.clone(), values }
    }

    /// The same values on wires of their own, named `<prefix>_<field>`.
    #[track_caller]
    #[must_use]
    pub fn named(self, prefix: &str) -> Self {
        let name = |(field, value): (&Field, &Signal<'m>)| {
            value.named(&format!("{prefix}_{}", field.name))
        };
        let values = self.fields.iter().zip(&self.values).map(name).collect();
        Self { values, ..self }
    }

    /// The concatenated fields, the first the most significant.
    pub fn pack(&self) -> Signal<'m> {
        self.values[0].module().concat(&self.values)
    }

    /// The field of that name.
    ///
    /// # Panics
    /// If there is none.
    #[track_caller]
    pub fn get(&self, name: &str) -> Signal<'m> {
        let Some(position) = self.fields.position(name) else {
            let known: Vec<_> = self.fields.iter().map(|f| f.name.as_str()).collect();
            panic!("the record has no field `{name}`; it has {known:?}");
        };
        self.values[position]
    }

    /// The fields.
    pub fn fields(&self) -> &Fields {
        &self.fields
    }

    /// Field by field, `self` where `condition` is one, else `other`.
    #[track_caller]
    pub fn or_where_not(&self, condition: Signal<'m>, other: &Record<'m>) -> Record<'m> {
        let choose = |(a, b): (&Signal<'m>, &Signal<'m>)| condition.mux(*a, *b);
        Record::new(&self.fields, self.values.iter().zip(&other.values).map(choose).collect())
    }

    /// All fields zero.
    pub fn zero(m: &'m ModuleBuilder, fields: &Fields) -> Self {
        let values = fields.iter().map(|field| m.constant(Bits::zeros(field.width))).collect();
        Self { fields: fields.clone(), values }
    }
}
