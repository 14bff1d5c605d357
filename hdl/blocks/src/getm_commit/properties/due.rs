//! The writes of the chosen region that are not released.

use super::reach;
use crate::getm_commit::channels::{Kind, Misuse};
use crate::getm_commit::params::Params;
use crate::kit::*;

/// Writes in order, the oldest first, each with a bit in each of these registers; what an item says,
/// the last of its writes does. Numbers of writes are unary: solvers follow them more easily than sums.
pub(super) struct Due<'m> {
    most: u32,
    pub there: Reg<'m>,
    /// It is of an item up to the last end of a log.
    pub ended: Reg<'m>,
    ends: Reg<'m>,
    /// The item writes a byte of the region.
    writes: Reg<'m>,
    /// The item writes the chosen bit.
    sets: Reg<'m>,
    /// What it writes to it.
    value: Reg<'m>,
    aborts: Reg<'m>,
}

/// Some writes that follow each other, and what they come to as those of one region.
pub(super) struct Sum<'m> {
    pub places: Signal<'m>,
    /// How many there are up to the last of them.
    pub behind: Signal<'m>,
    /// They are due, and an item ends with the last of them.
    pub whole: Signal<'m>,
    /// They are of several items.
    pub several: Signal<'m>,
    /// A byte is written.
    pub writes: Signal<'m>,
    /// The chosen bit is written.
    pub sets: Signal<'m>,
    /// What is written to it last.
    pub value: Signal<'m>,
    pub aborts: Signal<'m>,
}

impl<'m> Due<'m> {
    pub fn new(m: &'m ModuleBuilder, p: &Params) -> Self {
        let bits = |name: &str| m.reg(&format!("due_{name}"), reach(p), 0);
        Self {
            most: p.most_writes() as u32,
            there: bits("there"),
            ended: bits("ended"),
            ends: bits("ends"),
            writes: bits("writes"),
            sets: bits("sets"),
            value: bits("value"),
            aborts: bits("aborts"),
        }
    }

    /// The `count` writes that have `before` others before them.
    pub fn from(&self, before: Signal<'m>, count: Signal<'m>) -> Sum<'m> {
        let m = before.module();
        let behind = more(before, count);
        let places = behind & !before;
        let last = places & !places.shift_right(m.lit(1, 1));
        let sets = places & *self.sets;
        let later = (1..self.most).map(|i| sets.shift_right(m.lit(8, u64::from(i))));
        let last_set = later.fold(sets, |last, later| last & !later);
        Sum {
            places,
            behind,
            whole: !(places & !*self.there).any() & (last & *self.ends).any(),
            several: (places & !last & *self.ends).any(),
            writes: (places & *self.writes).any(),
            sets: sets.any(),
            value: (last_set & *self.value).any(),
            aborts: (places & *self.aborts).any(),
        }
    }

    pub fn oldest(&self, count: Signal<'m>) -> Sum<'m> {
        self.from(count.module().lit(self.there.width(), 0), count)
    }

    /// What happens at each edge: so many of the oldest are released; then an item is taken, if one is.
    /// Whether it finds room.
    pub fn set(&self, released: Signal<'m>, takes: Signal<'m>, item: &Item<'m>) -> Signal<'m> {
        let left = self.there.shift_right(released);
        let count = item.count.and_where(takes & item.here);
        let there = more(left, count);
        let last = there & !left & !there.shift_right(there.module().lit(1, 1));
        self.there.set(there);
        self.ended.set((takes & item.ends).mux(left, self.ended.shift_right(released)));
        let said = [
            (self.ends, last.module().lit(1, 1)),
            (self.writes, item.writes),
            (self.sets, item.sets),
            (self.value, item.sets & item.value),
            (self.aborts, item.aborts),
        ];
        for (register, bit) in said {
            register.set(register.shift_right(released) | last.and_where(bit));
        }
        let reach = left.width();
        !any_of((0..self.most).map(|i| count.gt(i) & left.bit(reach - 1 - i)))
    }

    /// Whether there are no gaps, and nothing is said of writes that are not due.
    pub fn is_sound(&self) -> Signal<'m> {
        let said = [self.ended, self.ends, self.writes, self.sets, self.value, self.aborts];
        let said = any_of(said.map(|bits| (*bits & !*self.there).any()));
        let is_number = !(*self.there & !one_more(*self.there)).any();
        is_number & !said
    }
}

/// A unary number, and one more.
pub(super) fn one_more(ones: Signal<'_>) -> Signal<'_> {
    let one = ones.module().lit(1, 1);
    ones.shift_left(one) | one.zero_extend(ones.width())
}

/// A unary number, and `count` more.
fn more<'m>(ones: Signal<'m>, count: Signal<'m>) -> Signal<'m> {
    let most = (1u32 << count.width()) - 1;
    let low = column(count.module(), (0..most).map(|i| count.gt(i))).zero_extend(ones.width());
    ones.shift_left(count) | low
}

// The chosen bit of memory, and what an item of a log means for it.

pub(super) struct Chosen<'m> {
    /// Number of its region.
    pub granule: Signal<'m>,
    /// Its byte in the region; none if a region is a byte.
    place: Option<Signal<'m>>,
    /// Its number in the byte.
    bit: Signal<'m>,
}

impl<'m> Chosen<'m> {
    pub fn new(m: &'m ModuleBuilder, p: &Params) -> Self {
        let address = m.input("chosen_address", p.address_bits);
        let place = (p.offset_bits() > 0).then(|| address.truncate(p.offset_bits()));
        let granule = p.granule(address);
        Self { granule, place, bit: m.input("chosen_bit", 3) }
    }

    /// Whether its byte is among those of a region.
    pub fn in_bytes(&self, bytes: Signal<'m>) -> Signal<'m> {
        self.place.map_or(bytes, |place| bytes.shift_right(place).bit(0))
    }

    pub fn in_data(&self, data: Signal<'m>) -> Signal<'m> {
        let index = self.place.map_or(self.bit, |place| place.concat(self.bit));
        data.shift_right(index).bit(0)
    }

    /// Whether its byte is in the word of that address in its region.
    fn in_word(&self, p: &Params, address: Signal<'m>) -> Signal<'m> {
        let word = |place: Signal<'m>| place.slice(p.word_bytes.ilog2()..p.offset_bits());
        match self.place {
            Some(place) if p.words() > 1 => word(address.truncate(p.offset_bits())).eq(word(place)),
            _ => address.module().lit(1, 1),
        }
    }
}

pub(super) struct Item<'m> {
    pub error: Signal<'m>,
    /// Why it is malformed.
    pub code: Signal<'m>,
    pub ends: Signal<'m>,
    pub aborts: Signal<'m>,
    /// A commit or an abort of the chosen region.
    pub here: Signal<'m>,
    /// Writes that are counted for it.
    pub count: Signal<'m>,
    /// A byte of the region is written.
    pub writes: Signal<'m>,
    /// The chosen bit is written.
    pub sets: Signal<'m>,
    /// What is written to it.
    pub value: Signal<'m>,
}

impl<'m> Item<'m> {
    /// Reads a payload of `log`.
    pub fn of(m: &'m ModuleBuilder, p: &Params, chosen: &Chosen<'m>, item: &Record<'m>) -> Self {
        let [kind, address, count] = ["kind", "address", "count"].map(|field| item.get(field));
        let is = |other: Kind| kind.eq(other as usize);
        let counts = is(Kind::Commit) | is(Kind::Abort);
        let code = |misuse: Misuse| m.lit(2, misuse as u64);

        let reserved = kind.ge(Kind::ALL.len() as u64);
        let no_writes = counts & count.eq(0);
        let misaligned = match p.word_bytes {
            1 => m.lit(1, 0),
            bytes => counts & address.truncate(bytes.ilog2()).any(),
        };
        let why = no_writes.mux(code(Misuse::NoWrites), code(Misuse::Misaligned));
        let error = reserved | no_writes | misaligned;

        let granule = p.granule(address);
        let (bytes, data) =
            (item.get("bytes").repeat(p.words()), item.get("data").repeat(p.words()));
        let sets = is(Kind::Commit) & chosen.in_word(p, address) & chosen.in_bytes(bytes);
        Self {
            error,
            code: reserved.mux(code(Misuse::ReservedKind), why),
            ends: is(Kind::End),
            aborts: is(Kind::Abort),
            here: counts & !error & granule.eq(chosen.granule),
            count,
            writes: is(Kind::Commit) & item.get("bytes").any(),
            sets,
            value: chosen.in_data(data),
        }
    }
}
