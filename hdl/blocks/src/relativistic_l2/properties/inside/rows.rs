//! What the RAMs hold, and what of it the stages have.

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

/// The RAMs.
pub(super) struct Rams<'m>(pub Vec<Row<'m>>);

impl<'m> Rams<'m> {
    pub fn new(m: &'m ModuleBuilder, p: &Params, probes: &Probes) -> Self {
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
        Self((0..p.sets).map(row).collect())
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
    /// The row that a stage has.
    fn row_in(&self, stage: u32) -> Row<'m> {
        let (m, p) = (self.m, self.p);
        let recency =
            |name: &str| (p.ways > 1).then(|| self.probes.signal(m, name, lru::bits(p.ways)));
        if stage > 2 {
            // From stage 4 on, what only a block that is found needs stands apart.
            let fields = match stage {
                3 => way_fields(p),
                _ => way_fields(p).without("k").without("readers"),
            };
            let way = |way: u32| self.probes.record(m, &format!("stage{stage}_way{way}_"), &fields);
            let ways = (0..p.ways).map(way).collect();
            return Row { ways, recency: recency(&format!("stage{stage}_recency")) };
        }
        let collides = self.bit("stage2_was_written");
        let before = self.probes.record(m, "before_", &way_fields(p));
        let written = self.probes.signal(m, "before_way", p.ways);
        let way = |way: u32| {
            let part = |name: &str, fields: &Fields| {
                let name = format!("way{way}_{name}_read");
                Record::unpack(fields, self.probes.signal(m, &name, fields.width()))
            };
            let (kept, times) = (part("kept", &kept_fields(p)), part("times", &time_fields(p)));
            let newer = collides & written.bit(way);
            before.or_where_not(newer, &both(p, &kept, &times))
        };
        let ways = (0..p.ways).map(way).collect();
        let newer = recency("before_recency").zip(recency("recency_read"));
        Row { ways, recency: newer.map(|(before, read)| collides.mux(before, read)) }
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

    /// What was compared a stage before.
    fn comparisons(&self) {
        let p = self.p;
        let last = &self.stages[4];
        let mut kept = Vec::new();
        for (number, stage) in (2..=4).zip(&self.stages[1..4]) {
            let flag = self.bit(&format!("stage{number}_set_in_stage5"));
            let both = stage.valid & last.valid;
            kept.push(!both | flag.eq(stage.set(p).eq(last.set(p))));
            if number > 2 {
                let flag = self.bit(&format!("stage{number}_block_in_stage5"));
                let requests = stage.is(Action::Request) & last.is(Action::Request);
                kept.push(!both | flag.eq(requests & stage.get("block").eq(last.get("block"))));
            }
        }
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

/// Of three ways the last used is not used before the first.
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
