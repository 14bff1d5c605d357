//! A queue in registers, for what a property must remember in order.

use warpsmith_rtl::library::record::{Fields, Record};
use warpsmith_rtl::{ModuleBuilder, Reg, Signal};

/// Entries in order, the oldest first. A proof reads their places more easily than pointers: entry
/// `i` is the one with `i` older ones.
pub struct Queue<'m> {
    m: &'m ModuleBuilder,
    fields: Fields,
    taken: Vec<Reg<'m>>,
    entries: Vec<Vec<Reg<'m>>>,
}

impl<'m> Queue<'m> {
    /// An empty queue with room for `capacity` entries. What follows decides what enters and leaves.
    pub fn new(m: &'m ModuleBuilder, name: &str, capacity: u32, fields: &Fields) -> Self {
        let taken = (0..capacity).map(|i| m.reg(&format!("{name}{i}_taken"), 1, 0)).collect();
        let entry = |i: u32| {
            let register =
                |field: &str, width| m.reg_without_reset(&format!("{name}{i}_{field}"), width);
            fields.iter().map(|field| register(&field.name, field.width)).collect()
        };
        let entries = (0..capacity).map(entry).collect();
        Self { m, fields: fields.clone(), taken, entries }
    }

    /// There is an entry.
    pub fn any(&self) -> Signal<'m> {
        *self.taken[0]
    }

    /// There is no room.
    pub fn full(&self) -> Signal<'m> {
        **self.taken.last().expect("room for one at least")
    }

    /// Whether there are more entries than in another queue of the same capacity.
    pub fn longer_than(&self, other: &Queue<'m>) -> Signal<'m> {
        let places = self.taken.iter().zip(&other.taken);
        places.map(|(ours, theirs)| **ours & !**theirs).reduce(|a, b| a | b).expect("a place")
    }

    /// The oldest entry, meaningful where there is one.
    pub fn oldest(&self) -> Record<'m> {
        self.entry(0)
    }

    /// The youngest entry, meaningful where there is one.
    pub fn youngest(&self) -> Record<'m> {
        let mut youngest = self.entry(0);
        for i in 1..self.entries.len() {
            youngest = self.entry(i).or_where_not(*self.taken[i], &youngest);
        }
        youngest
    }

    fn entry(&self, i: usize) -> Record<'m> {
        Record::new(&self.fields, self.entries[i].iter().map(|register| **register).collect())
    }

    /// Says what happens at each edge: `pop` takes the oldest entry away, `push` adds `entry` behind
    /// the others. An entry that finds no room is lost.
    pub fn set(&self, push: Signal<'m>, entry: &Record<'m>, pop: Signal<'m>) {
        let none = self.m.lit(1, 0);
        let mut below = self.m.lit(1, 1);
        for i in 0..self.taken.len() {
            let next = self.taken.get(i + 1).map_or(none, |taken| **taken);
            let stays = pop.mux(next, *self.taken[i]);
            let enters = push & below & !stays;
            below = stays;
            self.taken[i].set(stays | enters);
            let behind = self.entry((i + 1).min(self.taken.len() - 1));
            for (f, field) in self.fields.iter().enumerate() {
                let register = self.entries[i][f];
                let moved = pop.mux(behind.get(&field.name), *register);
                register.set(enters.mux(entry.get(&field.name), moved));
            }
        }
    }
}
