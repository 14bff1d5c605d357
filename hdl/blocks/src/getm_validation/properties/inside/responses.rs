//! The answers between their verdicts and `resp`.

use warpsmith_rtl::library::record::Record;
use warpsmith_rtl::{Signal, address_bits};

use super::super::monitor::Monitor;
use super::parts::Stall;
use crate::getm_validation::channels::{Outcome, response_fields};
use crate::getm_validation::circuit::RESPONSES;
use crate::properties::Probes;

/// The response buffer, and the register before it.
pub(super) struct Responses<'m> {
    /// In the buffer, by rows.
    pub rows: Vec<Answer<'m>>,
    /// Those in the buffer that are older than that in a row, if there is one.
    pub older: Vec<Signal<'m>>,
    /// In the register.
    pub last: Answer<'m>,
    /// The register has an answer, or what waits.
    pub last_valid: Signal<'m>,
    /// That was to wait.
    pub last_parked: Signal<'m>,
    pub write: Signal<'m>,
    pub read: Signal<'m>,
    pub words: Signal<'m>,
}

/// A place of an answer.
pub(super) struct Answer<'m> {
    /// There is one.
    pub held: Signal<'m>,
    pub payload: Record<'m>,
    /// It is one that found no room to wait.
    pub full: Signal<'m>,
    /// It is of an access to the chosen granule.
    pub here: Signal<'m>,
    /// It is of the chosen transaction's access to that.
    pub chosen: Signal<'m>,
}

impl<'m> Answer<'m> {
    fn new(monitor: &Monitor<'_, 'm>, held: Signal<'m>, payload: Record<'m>) -> Self {
        let Monitor { p, chosen, .. } = monitor;
        let granule = payload.get("address").slice(p.offset_bits()..p.address_bits);
        let here = held & granule.eq(chosen.granule);
        let full = held & payload.get("outcome").eq(Outcome::AbortFull as usize);
        Self { held, full, here, chosen: here & chosen.is_by(&payload), payload }
    }

    /// It is counted: it has its place in the order of the verdicts.
    pub fn counted(&self) -> Signal<'m> {
        self.held & !self.full
    }
}

impl<'m> Responses<'m> {
    pub fn new(monitor: &Monitor<'_, 'm>, probes: &Probes, stall: &Stall<'m>) -> Self {
        let Monitor { m, p, .. } = *monitor;
        let bits = address_bits(RESPONSES);
        let signal = |name: &str, width| probes.signal(m, name, width);
        let [write, read] = ["write_pointer", "read_pointer"]
            .map(|name| signal(&format!("responses.{name}"), bits));
        let words = signal("responses.words_held", bits + 1);
        let fields = response_fields(p);
        let older: Vec<_> = (0..RESPONSES).map(|row| m.lit(bits, row.into()) - read).collect();
        let row = |(row, older): (u32, &Signal<'m>)| {
            let payload = probes.row(m, "responses.rows", row, fields.width());
            let held = older.zero_extend(bits + 1).lt(words);
            Answer::new(monitor, held, Record::unpack(&fields, payload))
        };
        let rows = (0..).zip(&older).map(row).collect();

        let last_valid = signal("answer_valid", 1);
        let last_parked = signal("answer_parked", 1);
        let waits = last_parked & stall.had_room;
        let field = |name: &str, width| signal(&format!("answer_{name}"), width);
        let payload = fields.iter().map(|f| field(&f.name, f.width)).collect();
        let payload = Record::new(&fields, payload);
        let last = Answer::new(monitor, last_valid & !waits, payload);
        Self { rows, older, last, last_valid, last_parked, write, read, words }
    }
}
