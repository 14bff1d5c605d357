//! The recency Bloom filter, twice: one copy is read by lookups, the other by insertions.
//!
//! A victim goes through two stages: 5 reads what its rows hold, 6 writes the larger of that and its
//! own timestamps to both copies. A request whose rows were read too early takes the larger itself:
//! as rows only rise, it does no harm to take it twice.

use warpsmith_rtl::library::record::{Fields, Record};
use warpsmith_rtl::{Bits, ModuleBuilder, Signal};

use super::control::Control;
use super::ram::{self, Read, Write};
use super::stage::Stage;
use crate::getm_metadata::params::Params;

/// The timestamps of a row.
fn times_fields(p: &Params) -> Fields {
    Fields::new().with("wts", p.timestamp_bits, "the largest wts of what maps to the row").with(
        "rts",
        p.timestamp_bits,
        "the largest rts of what maps to the row",
    )
}

/// An entry on its way into the filter.
pub(super) struct Victim<'m> {
    /// There is one.
    pub valid: Signal<'m>,
    /// Its row in each way.
    pub rows: Vec<Signal<'m>>,
    /// Its timestamps.
    pub times: Record<'m>,
}

impl<'m> Victim<'m> {
    /// The entry whose timestamps are those of `entry`.
    pub fn of(p: &Params, valid: Signal<'m>, rows: Vec<Signal<'m>>, entry: &Record<'m>) -> Self {
        let times = vec![entry.get("wts"), entry.get("rts")];
        Self { valid, rows, times: Record::new(&times_fields(p), times) }
    }

    fn next(&self, m: &'m ModuleBuilder, name: &str, advance: Signal<'m>) -> Self {
        let register = |field: &str, value: Signal<'m>| {
            let register = m.reg_without_reset(&format!("{name}_{field}"), value.width());
            m.when(advance, || register.set(value));
            *register
        };
        let valid = m.reg(&format!("{name}_valid"), 1, 0);
        m.when(advance, || valid.set(self.valid));
        let row = |(way, row): (usize, &Signal<'m>)| register(&format!("row{way}"), *row);
        let rows = self.rows.iter().enumerate().map(row).collect();
        let fields = self.times.fields();
        let times = fields.iter().map(|f| register(&f.name, self.times.get(&f.name)));
        Self { valid: *valid, rows, times: Record::new(fields, times.collect()) }
    }

    /// What a row holds with this entry in it, if it is the entry's row.
    fn raise(&self, way: usize, row: Signal<'m>, held: Signal<'m>) -> Signal<'m> {
        let maps = self.valid & self.rows[way].eq(row);
        let larger = larger(&Record::unpack(self.times.fields(), held), &self.times);
        maps.mux(larger.pack(), held)
    }
}

/// The larger `wts` and the larger `rts`.
fn larger<'m>(a: &Record<'m>, b: &Record<'m>) -> Record<'m> {
    choose(a, b, |a, b| a.lt(b).mux(b, a))
}

fn choose<'m>(
    a: &Record<'m>,
    b: &Record<'m>,
    of: impl Fn(Signal<'m>, Signal<'m>) -> Signal<'m>,
) -> Record<'m> {
    let values = a.fields().iter().map(|field| of(a.get(&field.name), b.get(&field.name)));
    Record::new(a.fields(), values.collect())
}

/// The filter. `stages` are stages 1 to 4; `victim` is what leaves stage 4. Gives the estimate for
/// the request in stage 4.
pub(super) fn filter<'m>(
    m: &'m ModuleBuilder,
    p: &Params,
    control: &Control<'m>,
    stages: [&Stage<'m>; 4],
    victim: &Victim<'m>,
) -> Record<'m> {
    let [stage1, stage2, stage3, stage4] = stages;
    let victim5 = victim.next(m, "stage5_victim", control.victims_advance);
    let victim6 = victim5.next(m, "stage6_victim", control.victims_advance);
    let reads = (control.advance | control.refetch3 | control.refetch2).named("bloom_is_read");
    let zero = m.constant(Bits::zeros(times_fields(p).width()));

    let mut estimate: Option<Record<'m>> = None;
    for way in 0..p.bloom_ways as usize {
        let held6 = m.wire(&format!("stage6_bloom{way}"), zero.width());
        let written = Record::unpack(&times_fields(p), *held6);
        let written = larger(&written, &victim6.times).pack();
        let clear_row = control.clear_row.truncate(p.bloom_row_bits());
        let write = Write {
            enable: control.clear | (victim6.valid & control.victims_advance),
            row: control.clear.mux(clear_row, victim6.rows[way]),
            data: control.clear.mux(zero, written).named(&format!("bloom{way}_raised")),
        };
        let read_by_insertion = Read { enable: control.victims_advance, row: victim5.rows[way] };
        let row = control.refetch3.mux(
            stage3.bloom_rows[way],
            control.refetch2.mux(stage2.bloom_rows[way], stage1.bloom_rows[way]),
        );
        let read_by_lookup = Read { enable: reads, row };
        let copy = |name: &str, what: &str, read| {
            let doc = format!("Way {way} of the recency Bloom filter, as read by {what}.");
            ram::write_first(m, &format!("bloom{way}_{name}"), &doc, p.bloom_rows, write, read)
        };
        held6.set(copy("insertion", "insertions", read_by_insertion));
        let read2 = copy("lookup", "lookups", read_by_lookup);

        let held3 = m.reg_without_reset(&format!("stage3_bloom{way}"), zero.width());
        let held4 = m.reg_without_reset(&format!("stage4_bloom{way}"), zero.width());
        m.when(control.advance | control.refetch2, || {
            let raised = victim6.raise(way, stage2.bloom_rows[way], read2);
            held3.set(victim5.raise(way, stage2.bloom_rows[way], raised));
        });
        m.when(control.advance, || {
            held4.set(victim5.raise(way, stage3.bloom_rows[way], *held3));
        });
        let held = victim5.raise(way, stage4.bloom_rows[way], *held4);
        let held = Record::unpack(&times_fields(p), held).named(&format!("stage4_bloom{way}"));
        estimate = Some(match estimate {
            None => held,
            Some(least) => choose(&least, &held, |a, b| a.lt(b).mux(a, b)),
        });
    }
    estimate.expect("there is a way").named("estimate")
}
