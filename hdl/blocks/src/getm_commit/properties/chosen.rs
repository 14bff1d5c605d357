//! The chosen bit of memory, and what an item of a log means for it.

use warpsmith_rtl::library::record::Record;
use warpsmith_rtl::{ModuleBuilder, Signal};

use crate::getm_commit::channels::{Kind, Misuse};
use crate::getm_commit::params::Params;

/// One bit of memory.
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
        let granule = address.slice(p.offset_bits()..p.address_bits);
        Self { granule, place, bit: m.input("chosen_bit", 3) }
    }

    /// Whether its byte is among those of a region.
    pub fn in_bytes(&self, bytes: Signal<'m>) -> Signal<'m> {
        self.place.map_or(bytes, |place| bytes.shift_right(place).bit(0))
    }

    /// Its value in the data of a region.
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

/// What an item means.
pub(super) struct Item<'m> {
    /// It has no meaning.
    pub error: Signal<'m>,
    /// Why it has none.
    pub code: Signal<'m>,
    /// The end of a log.
    pub ends: Signal<'m>,
    /// Writes of a thread that has aborted.
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

        let granule = address.slice(p.offset_bits()..p.address_bits);
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
