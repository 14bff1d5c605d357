//! The stash: a few entries in registers, all compared at once.

use warpsmith_rtl::library::one_hot;
use warpsmith_rtl::library::record::Record;
use warpsmith_rtl::{ModuleBuilder, Reg, Signal};

use super::control::Control;
use super::stage::{Stage, entry_fields, is_free};
use crate::getm_metadata::params::Params;

/// The stash, if there is one.
pub(super) struct Stash<'m> {
    slots: Vec<Slot<'m>>,
    /// The slot that has the granule of the request in stage 4, one-hot.
    pub hits: Option<Signal<'m>>,
}

struct Slot<'m> {
    registers: Vec<Reg<'m>>,
    entry: Record<'m>,
}

impl<'m> Stash<'m> {
    /// The slots, and the hits of stage 4. Which granules are there changes only while the stages
    /// stand still.
    pub fn new(
        m: &'m ModuleBuilder,
        p: &Params,
        control: &Control<'m>,
        stage3: &Stage<'m>,
    ) -> Self {
        let slot = |index: u32| {
            let fields = entry_fields(p);
            let register = |field: &warpsmith_rtl::library::record::Field| {
                let name = format!("stash{index}_{}", field.name);
                match field.name.as_str() {
                    "valid" => m.reg(&name, 1, 0),
                    _ => m.reg_without_reset(&name, field.width),
                }
            };
            let registers: Vec<_> = fields.iter().map(register).collect();
            let entry = Record::new(&fields, registers.iter().map(|r| **r).collect());
            Slot { registers, entry }
        };
        let slots: Vec<_> = (0..p.stash).map(slot).collect();
        let hits = (!slots.is_empty()).then(|| {
            let hit = |slot: &Slot<'m>| {
                slot.entry.get("valid") & slot.entry.get("granule").eq(stage3.granule(p))
            };
            let hits3 = m.concat_low_first(&slots.iter().map(hit).collect::<Vec<_>>());
            let hits4 = m.reg_without_reset("stage4_stash_hits", p.stash);
            m.when(control.moves, || hits4.set(hits3));
            *hits4
        });
        Self { slots, hits }
    }

    /// The entries, some of them not valid.
    pub fn entries(&self) -> impl Iterator<Item = &Record<'m>> {
        self.slots.iter().map(|slot| &slot.entry)
    }

    /// Where an entry that leaves the banks goes: the lowest empty slot, else the lowest that nobody
    /// reserves. Gives that slot one-hot (zero: none), and the entry that nobody reserves which has
    /// to go for it, if it is valid.
    pub fn room(&self, m: &'m ModuleBuilder, p: &Params) -> Option<(Signal<'m>, Record<'m>)> {
        if self.slots.is_empty() {
            return None;
        }
        let column = |bit: &dyn Fn(&Slot<'m>) -> Signal<'m>, name: &str| {
            m.concat_low_first(&self.slots.iter().map(bit).collect::<Vec<_>>()).named(name)
        };
        let empty = column(&|slot| !slot.entry.get("valid"), "stash_empty");
        let free = column(&|slot| is_free(&slot.entry), "stash_free");
        let slot = empty.any().mux(one_hot::lowest(empty), one_hot::lowest(free));
        let slot = slot.named("stash_room");
        let entries: Vec<_> = self.slots.iter().map(|slot| slot.entry.pack()).collect();
        let victim = Record::unpack(&entry_fields(p), one_hot::select(slot, &entries));
        Some((slot, victim.named("stash_victim")))
    }

    /// Writes an entry to the slots whose bit in `to` is one; `clears` empties all.
    pub fn write(
        &self,
        m: &'m ModuleBuilder,
        to: Signal<'m>,
        entry: &Record<'m>,
        clears: Signal<'m>,
    ) {
        for (slot, written) in self.slots.iter().zip(to.to_bits()) {
            m.when(written, || {
                for (register, field) in slot.registers.iter().zip(entry.fields().iter()) {
                    register.set(entry.get(&field.name));
                }
            });
            m.when(clears, || slot.registers[0].set(0));
        }
    }
}
