//! A queue in registers, for what properties must remember in order.

use warpsmith_rtl::library::one_hot;
use warpsmith_rtl::library::record::{Fields, Record};
use warpsmith_rtl::{ModuleBuilder, Reg, Signal, address_bits};

use super::{all_of, count_of};
use crate::circuit::{Held, record};

/// Entries in order: entry `i` is the one with `i` older ones. Solvers follow places more easily than pointers.
pub struct Queue<'m> {
    m: &'m ModuleBuilder,
    fields: Fields,
    taken: Vec<Reg<'m>>,
    entries: Vec<Held<'m>>,
}

impl<'m> Queue<'m> {
    /// An empty queue with room for `capacity` entries. [`Queue::set`] says what enters and leaves.
    #[track_caller]
    pub fn new(m: &'m ModuleBuilder, name: &str, capacity: u32, fields: &Fields) -> Self {
        assert!(capacity > 0, "the queue {name} has room for one entry at least");
        let mut taken = Vec::new();
        let mut entries = Vec::new();
        for i in 0..capacity {
            taken.push(m.reg(&format!("{name}{i}_taken"), 1, 0));
            entries.push(Held::new(m, &format!("{name}{i}"), fields));
        }
        Self { m, fields: fields.clone(), taken, entries }
    }

    /// Number of entries that there is room for.
    pub fn capacity(&self) -> u32 {
        self.taken.len() as u32
    }

    /// There is an entry.
    pub fn any(&self) -> Signal<'m> {
        *self.taken[0]
    }

    /// There is no room.
    pub fn full(&self) -> Signal<'m> {
        *self.taken[self.taken.len() - 1]
    }

    /// The number of entries.
    pub fn count(&self) -> Signal<'m> {
        let width = address_bits(self.taken.len() as u32 + 1);
        count_of(self.taken.iter().map(|taken| **taken), width)
    }

    /// Whether entries have no gaps between them, as they never have.
    pub fn in_order(&self) -> Signal<'m> {
        let pairs = self.taken.iter().zip(&self.taken[1..]);
        let kept: Vec<_> = pairs.map(|(older, younger)| **older | !**younger).collect();
        all_of(self.m, &kept)
    }

    /// The oldest entry, meaningful where there is one.
    pub fn oldest(&self) -> Record<'m> {
        self.entry(0)
    }

    /// The youngest entry, meaningful where there is one.
    pub fn youngest(&self) -> Record<'m> {
        let later = 1..self.entries.len();
        later.fold(self.entry(0), |older, i| self.entry(i).or_where_not(*self.taken[i], &older))
    }

    /// The entry with that many older ones, meaningful where there is one.
    pub fn at(&self, older: Signal<'m>) -> Record<'m> {
        self.select(one_hot::decode(older, self.capacity()))
    }

    /// The entry whose bit is one, meaningful where there is one; bit 0 is that of the oldest.
    pub fn select(&self, place: Signal<'m>) -> Record<'m> {
        record(&self.fields, |field| {
            let of_entries: Vec<_> =
                self.entries.iter().map(|e| e.get().get(&field.name)).collect();
            one_hot::select(place, &of_entries)
        })
    }

    /// All places from the oldest on: whether there is an entry, and the entry.
    pub fn entries(&self) -> impl Iterator<Item = (Signal<'m>, Record<'m>)> {
        self.taken.iter().enumerate().map(|(i, taken)| (**taken, self.entry(i)))
    }

    fn entry(&self, i: usize) -> Record<'m> {
        self.entries[i].get().clone()
    }

    /// What happens at each edge: `pop` takes the oldest entry away, `push` adds one behind the
    /// others. An entry that finds no room is lost.
    pub fn set(&self, push: Signal<'m>, entry: &Record<'m>, pop: Signal<'m>) {
        for (i, (taken, entry)) in self.after(push, entry, pop).into_iter().enumerate() {
            self.taken[i].set(taken);
            self.entries[i].set(&entry);
        }
    }

    /// What all places hold after an edge at which that happens.
    pub fn after(
        &self,
        push: Signal<'m>,
        entry: &Record<'m>,
        pop: Signal<'m>,
    ) -> Vec<(Signal<'m>, Record<'m>)> {
        let mut below = self.m.lit(1, 1);
        let place = |i: usize| {
            let behind = self.taken.get(i + 1).map_or(self.m.lit(1, 0), |next| **next);
            let stays = pop.mux(behind, *self.taken[i]);
            let enters = push & below & !stays;
            below = stays;
            let behind = self.entry((i + 1).min(self.entries.len() - 1));
            let moved = behind.or_where_not(pop, &self.entry(i));
            (stays | enters, entry.or_where_not(enters, &moved))
        };
        (0..self.taken.len()).map(place).collect()
    }
}
