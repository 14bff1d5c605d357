//! Stages: registers that move together.

use warpsmith_rtl::library::record::Record;
use warpsmith_rtl::{ModuleBuilder, Signal};

use crate::hmg_directory::params::Params;

/// What a request carries in a stage. One of its fields is `block`, the address without the place
/// in the block.
pub(super) struct Stage<'m> {
    /// There is a request.
    pub valid: Signal<'m>,
    /// Its fields.
    pub fields: Record<'m>,
}

impl<'m> Stage<'m> {
    /// The field of that name.
    pub fn get(&self, name: &str) -> Signal<'m> {
        self.fields.get(name)
    }

    /// The set of the request's block.
    pub fn index(&self, p: &Params) -> Signal<'m> {
        self.get("block").truncate(p.index_bits())
    }

    /// The rest of its block.
    pub fn tag(&self, p: &Params) -> Signal<'m> {
        self.get("block").slice(p.index_bits()..p.index_bits() + p.tag_bits())
    }
}

/// What all stages have in common.
pub(super) struct Pipeline<'m, 'p> {
    /// The module.
    pub m: &'m ModuleBuilder,
    /// The parameters.
    pub p: &'p Params,
    /// The stages move at the edge.
    pub advance: Signal<'m>,
}

impl<'m> Pipeline<'m, '_> {
    /// A register that takes `value` when the stages move.
    pub fn register(&self, name: &str, value: Signal<'m>) -> Signal<'m> {
        let register = self.m.reg_without_reset(name, value.width());
        self.m.when(self.advance, || register.set(value));
        *register
    }

    /// A stage behind `valid` and `fields`.
    pub fn stage(&self, name: &str, valid: Signal<'m>, fields: &Record<'m>) -> Stage<'m> {
        let valid_register = self.m.reg(&format!("{name}_valid"), 1, 0);
        self.m.when(self.advance, || valid_register.set(valid));
        let registers = fields
            .fields()
            .iter()
            .map(|field| self.register(&format!("{name}_{}", field.name), fields.get(&field.name)));
        let fields = Record::new(fields.fields(), registers.collect());
        Stage { valid: *valid_register, fields }
    }

    /// Whether the next stage after `behind` holds a request to the set of the one after `ahead`:
    /// compared here, one stage before it is needed.
    pub fn same_set(&self, name: &str, behind: &Stage<'m>, ahead: &Stage<'m>) -> Signal<'m> {
        let same = behind.valid & ahead.valid & behind.index(self.p).eq(ahead.index(self.p));
        self.register(name, same)
    }

    /// As [`Pipeline::same_set`], of the tags.
    pub fn same_tag(&self, name: &str, behind: &Stage<'m>, ahead: &Stage<'m>) -> Signal<'m> {
        self.register(name, behind.tag(self.p).eq(ahead.tag(self.p)))
    }
}
