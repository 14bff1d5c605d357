//! Stages 1 to 5: a request on its way, with its rows in the banks and in the Bloom filter.

use crate::getm_metadata::access::Metadata;
use crate::getm_metadata::channels::Op;
use crate::getm_metadata::params::Params;
use crate::kit::*;

pub(super) struct Stage<'m> {
    pub valid: Signal<'m>,
    /// Its fields as they came.
    pub request: Record<'m>,
    /// Its row in each bank.
    pub rows: Vec<Signal<'m>>,
    /// Its row in each way of the Bloom filter.
    pub bloom_rows: Vec<Signal<'m>>,
    /// The registers of `valid` and `rows`; none where the request comes from.
    valid_register: Option<Reg<'m>>,
    row_registers: Vec<Reg<'m>>,
}

impl<'m> Stage<'m> {
    /// A request as it comes.
    pub fn incoming(
        valid: Signal<'m>,
        request: Record<'m>,
        rows: Vec<Signal<'m>>,
        bloom_rows: Vec<Signal<'m>>,
    ) -> Self {
        let (valid_register, row_registers) = (None, Vec::new());
        Self { valid, request, rows, bloom_rows, valid_register, row_registers }
    }

    pub fn pack(&self) -> Signal<'m> {
        let request = self.request.pack();
        let all = [&[self.valid, request][..], &self.rows, &self.bloom_rows].concat();
        self.valid.module().concat_low_first(&all)
    }

    /// This one, but where `other` is one what `packed` holds.
    pub fn or_where(self, other: Signal<'m>, packed: Signal<'m>) -> Self {
        let mut low = 0;
        let mut next = |own: Signal<'m>| {
            let range = low..low + own.width();
            low = range.end;
            other.mux(packed.slice(range), own)
        };
        let valid = next(self.valid);
        let request = Record::unpack(self.request.fields(), next(self.request.pack()));
        let rows = self.rows.into_iter().map(&mut next).collect();
        let bloom_rows = self.bloom_rows.into_iter().map(&mut next).collect();
        Self::incoming(valid, request, rows, bloom_rows)
    }

    /// The same without rows in the Bloom filter.
    pub fn without_bloom_rows(&self) -> Self {
        Self::incoming(self.valid, self.request.clone(), self.rows.clone(), Vec::new())
    }

    /// Loses its request where `leaves` is one, as it does not take over another at that edge.
    pub fn lose(&self, m: &'m ModuleBuilder, leaves: Signal<'m>) {
        m.when(leaves, || self.valid_register.iter().for_each(|valid| valid.set(0)));
    }

    /// Takes other rows in the banks, for an entry that looks for a place, where `takes` is one.
    pub fn take_rows(&self, m: &'m ModuleBuilder, takes: Signal<'m>, rows: &[Signal<'m>]) {
        m.when(takes, || {
            self.row_registers.iter().zip(rows).for_each(|(register, row)| register.set(*row));
        });
    }

    pub fn get(&self, name: &str) -> Signal<'m> {
        self.request.get(name)
    }

    pub fn granule(&self, p: &Params) -> Signal<'m> {
        p.granule(self.get("address"))
    }

    /// Says nothing if there is no request.
    pub fn is(&self, op: Op) -> Signal<'m> {
        self.get("op").eq(op as usize)
    }

    /// The stage behind this one: it takes over when `advance` is one.
    pub fn next(&self, m: &'m ModuleBuilder, name: &str, advance: Signal<'m>) -> Stage<'m> {
        let register = |field: &str, value: Signal<'m>| {
            let register = m.reg_without_reset(&format!("{name}_{field}"), value.width());
            m.when(advance, || register.set(value));
            register
        };
        let valid = m.reg(&format!("{name}_valid"), 1, 0);
        m.when(advance, || valid.set(self.valid));
        let rows = |kind: &str, rows: &[Signal<'m>]| {
            let row = |(i, row): (usize, &Signal<'m>)| register(&format!("{kind}{i}"), *row);
            rows.iter().enumerate().map(row).collect::<Vec<_>>()
        };
        let signals = |registers: &[Reg<'m>]| registers.iter().map(|r| **r).collect::<Vec<_>>();
        let request =
            record(self.request.fields(), |f| *register(&f.name, self.request.get(&f.name)));
        let row_registers = rows("row", &self.rows);
        let bloom_rows = signals(&rows("bloom_row", &self.bloom_rows));
        let rows = signals(&row_registers);
        let valid_register = Some(valid);
        Stage { valid: *valid, request, rows, bloom_rows, valid_register, row_registers }
    }
}

/// An entry as it is kept in a bank.
pub(in crate::getm_metadata) fn entry_fields(p: &Params) -> Fields {
    Fields::new().with("valid", 1, "there is an entry").and(content_fields(p))
}

/// What an entry says if it is one.
pub(in crate::getm_metadata) fn content_fields(p: &Params) -> Fields {
    let doc = "address without the place in the granule";
    Fields::new().with("granule", p.granule_bits(), doc).and(Metadata::fields(p))
}

/// What goes to the Bloom filter: an entry that is not reserved.
pub(in crate::getm_metadata) fn free_fields(p: &Params) -> Fields {
    content_fields(p).without("writes").without("owner")
}

pub(super) fn metadata_of<'m>(p: &Params, entry: &Record<'m>) -> Record<'m> {
    pick(&Metadata::fields(p), entry)
}

pub(super) fn entry_of<'m>(p: &Params, granule: Signal<'m>, metadata: &Record<'m>) -> Record<'m> {
    let values = metadata.fields().iter().map(|field| metadata.get(&field.name));
    let valid = granule.module().lit(1, 1);
    Record::new(&entry_fields(p), [valid, granule].into_iter().chain(values).collect())
}

/// The entry with that content.
pub(super) fn valid_entry<'m>(p: &Params, content: &Record<'m>) -> Record<'m> {
    entry_of(p, content.get("granule"), &metadata_of(p, content))
}

/// Whether an entry is there and is not reserved.
pub(super) fn is_free<'m>(entry: &Record<'m>) -> Signal<'m> {
    entry.get("valid") & entry.get("writes").eq(0)
}

// Rows of granules, by the H3 hashes.

pub(super) fn rows<'m>(hashes: &[H3], granule: Signal<'m>, name: &str) -> Vec<Signal<'m>> {
    let row = |(i, hash): (usize, &H3)| hash.circuit(granule).named(&format!("{name}{i}"));
    hashes.iter().enumerate().map(row).collect()
}
