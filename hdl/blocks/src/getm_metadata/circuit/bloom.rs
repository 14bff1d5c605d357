//! The recency Bloom filter, twice: one copy is read by lookups, the other by insertions.
//!
//! A victim goes through two stages: 5, with the request that makes it go, reads what its rows hold, 6
//! writes the larger of that and its own timestamps to both copies. A request whose rows were read too early
//! takes the larger itself: as rows only rise, it does no harm to take it twice.

use super::banks::{self, Read, Write};
use super::control::Control;
use super::stage::Stage;
use crate::getm_metadata::params::Params;
use crate::kit::*;

fn times_fields(p: &Params) -> Fields {
    let time = |fields: Fields, name, doc| fields.with(name, p.timestamp_bits, doc);
    let fields = time(Fields::new(), "wts", "the largest wts of what maps to the row");
    time(fields, "rts", "the largest rts of what maps to the row")
}

/// An entry on its way into the filter.
pub(super) struct Victim<'m> {
    pub valid: Signal<'m>,
    /// Its row in each way.
    pub rows: Vec<Signal<'m>>,
    pub times: Record<'m>,
}

impl<'m> Victim<'m> {
    /// The entry whose timestamps are those of `entry`, if there is one.
    pub fn of(p: &Params, valid: Signal<'m>, rows: Vec<Signal<'m>>, entry: &Record<'m>) -> Self {
        Self { valid, rows, times: pick(&times_fields(p), entry) }
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
        let times = record(self.times.fields(), |f| register(&f.name, self.times.get(&f.name)));
        Self { valid: *valid, rows, times }
    }

    pub fn maps_to(&self, way: usize, row: Signal<'m>) -> Signal<'m> {
        self.valid & self.rows[way].eq(row)
    }

    /// What a row holds with this entry in it, if it is the entry's row.
    fn raise(&self, way: usize, row: Signal<'m>, held: Signal<'m>) -> Signal<'m> {
        let maps = self.maps_to(way, row);
        let larger = larger(&Record::unpack(self.times.fields(), held), &self.times);
        maps.mux(larger.pack(), held)
    }
}

/// The larger `wts` and the larger `rts`.
fn larger<'m>(a: &Record<'m>, b: &Record<'m>) -> Record<'m> {
    let larger = |a: Signal<'m>, b: Signal<'m>| a.lt(b).mux(b, a);
    record(a.fields(), |field| larger(a.get(&field.name), b.get(&field.name)))
}

pub(super) struct Rows<'m> {
    /// For each way, what was read for the request in stage 3.
    pub stage3: Vec<Held<'m>>,
    /// As for stage 3, for the request in stage 4.
    pub stage4: Vec<Held<'m>>,
    /// The timestamps of the entry in stage 5, which the rows do not hold yet.
    pub victim: Record<'m>,
}

pub(super) struct Held<'m> {
    pub times: Record<'m>,
    /// The entry in stage 5 maps to it, and would raise it.
    pub victim_maps: Signal<'m>,
}

/// The filter. `victim5` is what the request in stage 5 makes go. Gives the
/// rows of the requests in stages 3 and 4.
pub(super) fn filter<'m>(
    m: &'m ModuleBuilder,
    p: &Params,
    control: &Control<'m>,
    stages: &[Stage<'m>; 5],
    victim5: &Victim<'m>,
) -> Rows<'m> {
    let [stage1, stage2, stage3, stage4, _] = stages;
    let victim6 = victim5.next(m, "stage6_victim", control.victims_advance);
    let zero = m.constant(Bits::zeros(times_fields(p).width()));

    let (mut rows3, mut rows4) = (Vec::new(), Vec::new());
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
        let read_by_lookup = Read { enable: control.moves, row: stage1.bloom_rows[way] };
        let copy = |name: &str, what: &str, read| {
            let doc = format!("Way {way} of the recency Bloom filter, as read by {what}.");
            banks::write_first(m, &format!("bloom{way}_{name}"), &doc, p.bloom_rows, write, read)
        };
        held6.set(copy("insertion", "insertions", read_by_insertion));
        let read2 = copy("lookup", "lookups", read_by_lookup);

        let held3 = m.reg_without_reset(&format!("stage3_bloom{way}"), zero.width());
        let held4 = m.reg_without_reset(&format!("stage4_bloom{way}"), zero.width());
        m.when(control.moves, || {
            let row = stage2.bloom_rows[way];
            held3.set(raise_by_both(victim5, &victim6, way, row, read2));
            held4.set(victim5.raise(way, stage3.bloom_rows[way], *held3));
        });
        let held = |packed: Signal<'m>, stage: &Stage<'m>, number: u32| Held {
            times: Record::unpack(&times_fields(p), packed)
                .named(&format!("stage{number}_bloom{way}")),
            victim_maps: victim5
                .maps_to(way, stage.bloom_rows[way])
                .named(&format!("stage{number}_bloom{way}_victim_maps")),
        };
        rows3.push(held(*held3, stage3, 3));
        rows4.push(held(*held4, stage4, 4));
    }
    Rows { stage3: rows3, stage4: rows4, victim: victim5.times.clone() }
}

/// What a row holds with both entries in it. All is compared at once, while it becomes known to which
/// rows the younger one maps.
fn raise_by_both<'m>(
    younger: &Victim<'m>,
    older: &Victim<'m>,
    way: usize,
    row: Signal<'m>,
    held: Signal<'m>,
) -> Signal<'m> {
    let maps = younger.maps_to(way, row).named(&format!("stage2_bloom{way}_victim_maps"));
    let older_maps = older.maps_to(way, row).named(&format!("stage2_bloom{way}_older_victim_maps"));
    let held = Record::unpack(younger.times.fields(), held);
    let raised = |name: &str| {
        let [younger, older, held] = [&younger.times, &older.times, &held].map(|t| t.get(name));
        let older_is_later = younger.lt(older);
        let named = |takes: Signal<'m>, which: &str| {
            takes.named(&format!("stage2_bloom{way}_{name}_takes_{which}"))
        };
        let takes_younger =
            named(maps & held.lt(younger) & !(older_maps & older_is_later), "younger");
        let takes_older = named(older_maps & held.lt(older), "older");
        takes_younger.mux(younger, takes_older.mux(older, held))
    };
    record(held.fields(), |field| raised(&field.name)).pack()
}

// The estimate for the request in stage 4: of what its rows in the Bloom filter hold, the least.
//
// No comparison waits for the result of another: the rows are compared with each other in stage 3,
// with the request's time in stage 4, and in both with the entry in stage 5, which raises them.

pub(super) struct Estimate<'m> {
    pub time: Signal<'m>,
    /// It is later than the request's.
    pub is_later: Signal<'m>,
}

/// How the rows of a request stand to the entry that is about to raise some of them.
struct Standing<'m> {
    /// What the rows hold.
    held: Vec<Signal<'m>>,
    /// It is below the entry's.
    below: Vec<Signal<'m>>,
    raised: Vec<Signal<'m>>,
}

impl<'m> Standing<'m> {
    fn new(rows: &[Held<'m>], name: &str, victim: Signal<'m>) -> Self {
        let held: Vec<_> = rows.iter().map(|row| row.times.get(name)).collect();
        let below: Vec<_> = held.iter().map(|time| time.lt(victim)).collect();
        let raised = below.iter().zip(rows).map(|(&below, row)| below & row.victim_maps).collect();
        Self { held, below, raised }
    }

    /// Whether row `i` holds no more than row `j` once they are raised, if that is so before. Two that
    /// are raised hold the same; one that is raised holds no more than one that is not below the entry.
    fn no_more_than(&self, i: usize, j: usize, before: Signal<'m>) -> Signal<'m> {
        let Self { below, raised, .. } = self;
        raised[i].mux(raised[j] | !below[j], raised[j].mux(below[i], before))
    }
}

/// The estimate of the timestamp of that name, against `warpts`.
pub(super) fn estimate<'m>(
    m: &'m ModuleBuilder,
    control: &Control<'m>,
    rows: &Rows<'m>,
    name: &str,
    warpts: Signal<'m>,
) -> Estimate<'m> {
    let ways = rows.stage4.len();
    let victim = rows.victim.get(name);
    let stage3 = Standing::new(&rows.stage3, name, victim);
    let stage4 = Standing::new(&rows.stage4, name, victim);

    // For each pair of ways, whether the first holds no more than the second.
    let mut no_more = vec![vec![m.lit(1, 1); ways]; ways];
    for (first, second) in (0..ways).flat_map(|i| (i + 1..ways).map(move |j| (i, j))) {
        let above = m.reg_without_reset(&format!("stage4_{name}{first}_above{second}"), 1);
        let no_more3 = stage3.held[first].le(stage3.held[second]);
        m.when(control.moves, || above.set(!stage3.no_more_than(first, second, no_more3)));
        for (i, j, before) in [(first, second, !*above), (second, first, *above)] {
            let no_more_now = stage4.no_more_than(i, j, before);
            no_more[i][j] = no_more_now.named(&format!("{name}{i}_no_more_than{j}"));
        }
    }
    let least = |way: usize| m.concat_low_first(&no_more[way]).all();
    // If there are several, they hold the same: that is selected, one or more times.
    let least = column(m, (0..ways).map(least)).named(&format!("least_{name}_ways"));

    let later_than_victim = warpts.lt(victim);
    let of_row = |way: usize| {
        let time = stage4.raised[way].mux(victim, stage4.held[way]);
        let later = stage4.raised[way].mux(later_than_victim, warpts.lt(stage4.held[way]));
        (time, later.named(&format!("raised_{name}{way}_is_later")))
    };
    let (times, later): (Vec<_>, Vec<_>) = (0..ways).map(of_row).unzip();
    Estimate {
        time: one_hot::select(least, &times).named(&format!("estimated_{name}")),
        is_later: one_hot::select(least, &later).named(&format!("estimated_{name}_is_later")),
    }
}
