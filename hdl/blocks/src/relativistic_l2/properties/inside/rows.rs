//! Rows of the RAMs, and their copies in the stages.

use super::{Inside, Stage};
use crate::kit::*;
use crate::relativistic_l2::channels::Action;
use crate::relativistic_l2::circuit::{kept_fields, lru, state, time_fields, way_fields};
use crate::relativistic_l2::params::Params;

/// A set: its ways and its recency.
#[derive(Clone)]
pub(super) struct Row<'m> {
    pub ways: Vec<Record<'m>>,
    pub recency: Option<Signal<'m>>,
}

impl<'m> Row<'m> {
    /// One of the rows.
    fn select(number: Signal<'m>, rows: &[Row<'m>]) -> Self {
        let chosen = one_hot::decode(number, rows.len() as u32);
        let of = |value: &dyn Fn(&Row<'m>) -> Signal<'m>| {
            one_hot::select(chosen, &rows.iter().map(value).collect::<Vec<_>>())
        };
        let way = |way: usize| {
            record(rows[0].ways[way].fields(), |field| of(&|row| row.ways[way].get(&field.name)))
        };
        let recency = rows[0].recency.map(|_| of(&|row| row.recency.expect("all have one")));
        Self { ways: (0..rows[0].ways.len()).map(way).collect(), recency }
    }

    /// The fields of one way, one-hot.
    pub fn way(&self, way: Signal<'m>) -> Record<'m> {
        record(self.ways[0].fields(), |field| {
            let of = self.ways.iter().map(|way| way.get(&field.name)).collect::<Vec<_>>();
            one_hot::select(way, &of)
        })
    }

    /// The ways that hold, or are to hold, the block of that tag.
    pub fn hits(&self, tag: Signal<'m>) -> Signal<'m> {
        let holds = |way: &Record<'m>| way.get("state").ne(state::I) & way.get("tag").eq(tag);
        column(tag.module(), self.ways.iter().map(holds))
    }
}

/// A write to the RAMs, in a stage.
pub(super) struct Write<'m> {
    pub writes: Signal<'m>,
    pub uses: Signal<'m>,
    way: Signal<'m>,
    fields: Record<'m>,
    recency: Option<Signal<'m>>,
}

impl<'m> Write<'m> {
    pub fn new(m: &'m ModuleBuilder, p: &Params, probes: &Probes, name: &str) -> Self {
        let signal = |field: &str, width| probes.signal(m, &format!("{name}_{field}"), width);
        Self {
            writes: signal("writes", 1),
            uses: signal("uses", 1),
            way: signal("way", p.ways),
            fields: probes.record(m, &format!("{name}_"), &way_fields(p)),
            recency: (p.ways > 1).then(|| signal("recency", lru::bits(p.ways))),
        }
    }

    /// A row after the write, where it is `same`.
    fn patch(&self, row: &Row<'m>, same: Signal<'m>) -> Row<'m> {
        let way = |(number, way): (u32, &Record<'m>)| {
            let newer = same & self.writes & self.way.bit(number);
            pick(way.fields(), &self.fields).or_where_not(newer, way)
        };
        let recency = row.recency.zip(self.recency);
        Row {
            ways: (0..).zip(&row.ways).map(way).collect(),
            recency: recency.map(|(row, written)| (same & self.uses).mux(written, row)),
        }
    }
}

/// The RAMs, after what stage 6 writes.
pub(super) struct Rams<'m>(pub Vec<Row<'m>>);

impl<'m> Rams<'m> {
    pub fn new(
        m: &'m ModuleBuilder,
        p: &Params,
        probes: &Probes,
        write: &Write<'m>,
        written: Signal<'m>,
    ) -> Self {
        let way = |way: u32, set| {
            let part = |name: &str, fields: &Fields| {
                let row = probes.row(m, &format!("way{way}_{name}"), set, fields.width());
                Record::unpack(fields, row)
            };
            let kept = part("kept", &kept_fields(p));
            let times = part("times", &time_fields(p));
            both(p, &kept, &times)
        };
        let row = |set| Row {
            ways: (0..p.ways).map(|number| way(number, set)).collect(),
            recency: (p.ways > 1).then(|| probes.row(m, "recency", set, lru::bits(p.ways))),
        };
        let patched = |set: u32| write.patch(&row(set), written.eq(set));
        Self((0..p.sets).map(patched).collect())
    }

    pub fn of(&self, set: Signal<'m>) -> Row<'m> {
        Row::select(set, &self.0)
    }
}

fn both<'m>(p: &Params, kept: &Record<'m>, times: &Record<'m>) -> Record<'m> {
    record(&way_fields(p), |field| match kept.fields().position(&field.name) {
        Some(_) => kept.get(&field.name),
        None => times.get(&field.name),
    })
}

impl<'m> Inside<'_, 'm> {
    /// The row that a stage has, after what stage 6 writes.
    fn row_in(&self, stage: u32) -> Row<'m> {
        let same = self.written[stage as usize - 2];
        let row = if stage == 2 { self.row_read() } else { self.row_held(stage) };
        let mut patched = self.write.patch(&row, same);
        if stage == 5 {
            // States and recency have come from stage 5.
            patched.recency = row.recency;
            for (patched, way) in patched.ways.iter_mut().zip(&row.ways) {
                *patched = record(way.fields(), |field| match field.name.as_str() {
                    "state" => way.get("state"),
                    name => patched.get(name),
                });
            }
        }
        patched
    }

    /// The row in the registers of a stage from 3 on.
    fn row_held(&self, stage: u32) -> Row<'m> {
        let (m, p) = (self.m, self.p);
        // From stage 4 on, what only a block that is found needs stands apart.
        let fields = match stage {
            3 => way_fields(p),
            _ => way_fields(p).without("k").without("readers"),
        };
        let way = |way: u32| self.probes.record(m, &format!("stage{stage}_way{way}_"), &fields);
        let recency = || {
            let name = format!("stage{stage}_recency");
            self.probes.signal(m, &name, lru::bits(p.ways))
        };
        Row { ways: (0..p.ways).map(way).collect(), recency: (p.ways > 1).then(recency) }
    }

    /// The row in stage 2.
    fn row_read(&self) -> Row<'m> {
        let (m, p) = (self.m, self.p);
        let way = |way: u32| {
            let part = |name: &str, fields: &Fields| {
                let name = format!("way{way}_{name}_read");
                Record::unpack(fields, self.probes.signal(m, &name, fields.width()))
            };
            both(p, &part("kept", &kept_fields(p)), &part("times", &time_fields(p)))
        };
        let recency = || self.probes.signal(m, "recency_read", lru::bits(p.ways));
        let read =
            Row { ways: (0..p.ways).map(way).collect(), recency: (p.ways > 1).then(recency) };
        Write::new(m, p, self.probes, "before").patch(&read, self.bit("stage2_was_written"))
    }

    /// A stage that has read a set has what the RAMs hold by now: a request all of it, a fill its own way.
    pub(super) fn rows_are_forwarded(&self) {
        let p = self.p;
        for number in 2..=5 {
            let stage = &self.stages[number as usize - 1];
            let (row, ram) = (self.row_in(number), self.rams.of(stage.set(p)));
            let own = self.way_of(stage);
            let is_fill = stage.is_fill();
            let same_ways = row.ways.iter().zip(&ram.ways).enumerate().map(|(way, (row, ram))| {
                let needed = stage.is(Action::Request) | (is_fill & own.bit(way as u32));
                !needed | row.pack().eq(pick(row.fields(), ram).pack())
            });
            let mut kept: Vec<_> = same_ways.collect();
            let recency = row.recency.zip(ram.recency);
            kept.extend(recency.map(|(row, ram)| !stage.is(Action::Request) | row.eq(ram)));
            let doc = format!("Stage {number} has its set as the RAMs hold it.");
            self.invariant(&format!("stage{number}_row"), &kept, &doc);
        }
        self.comparisons();
        self.sets_are_sound();
    }

    /// Comparisons made a stage before.
    fn comparisons(&self) {
        let p = self.p;
        let last = &self.stages[4];
        let mut kept = Vec::new();
        for (number, stage) in (2..=4).zip(&self.stages[1..4]) {
            let flag = self.bit(&format!("stage{number}_set_in_stage5"));
            let both = stage.valid & last.valid;
            kept.push(!both | flag.eq(stage.set(p).eq(last.set(p))));
            let flag = self.bit(&format!("stage{number}_block_in_stage5"));
            let requests = stage.is(Action::Request) & last.is(Action::Request);
            kept.push(!both | flag.eq(requests & stage.get("block").eq(last.get("block"))));
        }
        let (Write { writes, uses, .. }, set) = (&self.write, self.written_set);
        let fills = *writes & !*uses;
        for (stage, flag) in self.stages[1..].iter().zip(&self.written) {
            kept.push(!(stage.valid & *writes) | flag.eq(stage.set(p).eq(set)));
            // Requests behind a fill enter again.
            kept.push(!(stage.is(Action::Request) & fills) | stage.set(p).ne(set));
        }
        kept.push(!fills | self.write.fields.get("state").eq(state::V));
        let hits = self.rams.of(set).hits(self.write.fields.get("tag"));
        kept.push(!*uses | hits.eq(self.write.way));
        let stage3 = &self.stages[2];
        let same = stage3.is(Action::Request)
            & stage3.set(p).eq(set)
            & stage3.tag(p).eq(self.write.fields.get("tag"));
        kept.push(!(stage3.valid & *uses) | self.bit("stage3_block_in_stage6").eq(same));
        kept.push(*writes | !*uses);
        self.invariant("compared", &kept, "What was compared one stage before.");
    }

    /// A set has each block once, leases below the last time, and a recency that is an order.
    fn sets_are_sound(&self) {
        let (m, p) = (self.m, self.p);
        let mut kept = Vec::new();
        for (set, row) in (0u64..).zip(&self.rams.0) {
            let cleared = self.initialised | self.walk.gt(set);
            for (number, way) in row.ways.iter().enumerate() {
                let is = |code: u64| way.get("state").eq(code);
                kept.push(!cleared | !is(state::V) | way.get("exp").le(p.limit()));
                kept.push(!cleared | !is(state::V) | way.get("k").le(p.lease_doublings));
                kept.push(!cleared | self.initialised | is(state::I));
                let readers = way.get("readers");
                kept.push(!cleared | !is(state::IV) | way.get("dirty") | readers.any());
                kept.push(!cleared | !is(state::IAV) | (readers.any() & !way.get("dirty")));
                let twice = |other: &Record<'m>| {
                    let both = other.get("state").ne(state::I) & !is(state::I);
                    both & other.get("tag").eq(way.get("tag"))
                };
                kept.extend(row.ways[..number].iter().map(|other| !cleared | !twice(other)));
            }
            if let Some(recency) = row.recency {
                kept.push(!cleared | is_order(m, p, recency));
            }
        }
        self.invariant("sets", &kept, "Sets are sound.");
    }
}

/// No three ways form a cycle.
fn is_order<'m>(m: &'m ModuleBuilder, p: &Params, recency: Signal<'m>) -> Signal<'m> {
    let later = |a: u32, b: u32| lru::later(recency, a, b);
    let ways = 0..p.ways;
    let triples =
        ways.clone().flat_map(|a| (0..a).flat_map(move |b| (0..b).map(move |c| (a, b, c))));
    let is_cycle = |(a, b, c): (u32, u32, u32)| {
        (later(a, b) & later(b, c) & later(c, a)) | (later(b, a) & later(c, b) & later(a, c))
    };
    triples.fold(m.lit(1, 1), |sound, triple| sound & !is_cycle(triple))
}

impl<'m> Inside<'_, 'm> {
    /// The ways in which an event finds its block.
    pub(super) fn hits(&self, stage: &Stage<'m>, ram: &Row<'m>) -> Signal<'m> {
        let of_request = ram.hits(stage.tag(self.p));
        stage.get("action").eq(Action::Request as u64).mux(of_request, self.way_of(stage))
    }
}
