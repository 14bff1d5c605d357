//! Forwarding: writes of stage 5 to a set, for the stages behind it.
//!
//! Whether two stages have one set or one block is compared a stage before it is needed.

use super::act::Act;
use super::{Stage, lru, state, way_fields};
use crate::kit::*;
use crate::relativistic_l2::channels::Action;
use crate::relativistic_l2::params::Params;

/// All ways of a set.
pub(super) struct Row<'m> {
    pub ways: Vec<Record<'m>>,
    /// None if there is only one way.
    pub recency: Option<Signal<'m>>,
}

impl<'m> Row<'m> {
    /// A field of each way.
    pub fn field(&self, name: &str) -> Vec<Signal<'m>> {
        self.ways.iter().map(|way| way.get(name)).collect()
    }

    /// The ways whose state is that.
    pub fn in_state(&self, state: u64) -> Signal<'m> {
        let states = self.field("state");
        column(states[0].module(), states.iter().map(|way| way.eq(state)))
    }
}

/// Writes of stage 5.
pub(super) struct Written<'m> {
    /// It writes.
    pub writes: Wire<'m>,
    /// It does so for a request.
    pub uses: Wire<'m>,
    /// The same, if the stages move on: what a fill writes is not forwarded.
    pub forwards: Wire<'m>,
    /// The way, one-hot.
    pub way: Wire<'m>,
    /// The way that has its block before, one-hot.
    hits: Wire<'m>,
    wires: Vec<Wire<'m>>,
    pub fields: Record<'m>,
    pub recency: Option<Wire<'m>>,
    /// A lease is renewed; a block in V is stored to; its ver then is now, or stays.
    pub renews: Wire<'m>,
    pub stores: Wire<'m>,
    pub at_now: Wire<'m>,
    pub at_ver: Wire<'m>,
}

impl<'m> Written<'m> {
    pub fn new(m: &'m ModuleBuilder, p: &Params) -> Self {
        let bit = |name: &str| m.wire(name, 1);
        let fields = way_fields(p);
        let wire = |field: &Field| m.wire(&format!("written_{}", field.name), field.width);
        let wires: Vec<_> = fields.iter().map(wire).collect();
        let record = Record::new(&fields, wires.iter().map(|wire| **wire).collect());
        let recency = (p.ways > 1).then(|| m.wire("written_recency", lru::bits(p.ways)));
        Self {
            writes: bit("writes"),
            uses: bit("uses"),
            forwards: bit("forwards"),
            way: m.wire("written_way", p.ways),
            hits: m.wire("acted_hits", p.ways),
            wires,
            fields: record,
            recency,
            renews: bit("renews_lease"),
            stores: bit("stores_in_v"),
            at_now: bit("stores_at_now"),
            at_ver: bit("stores_at_ver"),
        }
    }

    pub fn set(&self, act: &Act<'m>, found: &Found<'m>, (valid, acts): (Signal<'m>, Signal<'m>)) {
        self.writes.set(acts & act.writes);
        self.uses.set(acts & act.writes & !act.fills);
        self.forwards.set(valid & !act.waits & act.writes & !act.fills);
        self.way.set(act.way);
        self.hits.set(found.hits);
        for (wire, field) in self.wires.iter().zip(act.fields.fields().iter()) {
            wire.set(act.fields.get(&field.name));
        }
        if let (Some(wire), Some(recency)) = (&self.recency, act.recency) {
            wire.set(recency);
        }
        self.renews.set(valid & act.renews);
        self.stores.set(valid & act.stores);
        self.at_now.set(act.at_now);
        self.at_ver.set(act.at_ver);
    }

    /// A row after what stage 5 writes, where its set is that of the row.
    pub fn patch(&self, row: &Row<'m>, same: Signal<'m>) -> Row<'m> {
        let same = same & *self.forwards;
        let way = |(number, way): (u32, &Record<'m>)| {
            let newer = same & self.way.bit(number);
            record(way.fields(), |field| {
                newer.mux(self.fields.get(&field.name), way.get(&field.name))
            })
        };
        let ways = (0..).zip(&row.ways).map(way).collect();
        let newer = |recency| same.mux(**self.recency.as_ref().expect("it has one"), recency);
        Row { ways, recency: row.recency.map(newer) }
    }
}

/// Which stages have the set, or the block, of stage 5.
pub(super) struct Same<'m> {
    pub stage1_set: Signal<'m>,
    pub stage2_set: Signal<'m>,
    pub stage3_set: Signal<'m>,
    pub stage4_set: Signal<'m>,
    /// Both are requests.
    pub stage3_block: Signal<'m>,
    pub stage4_block: Signal<'m>,
}

impl<'m> Same<'m> {
    pub fn new(
        m: &'m ModuleBuilder,
        p: &Params,
        stages: [&Stage<'m>; 5],
        moves: Signal<'m>,
    ) -> Self {
        let [stage1, stage2, stage3, stage4, stage5] = stages;
        let register = |name: &str, value: Signal<'m>| {
            let register = m.reg_without_reset(name, 1);
            m.when(moves, || register.set(value));
            *register
        };
        let set = |name: &str, behind: &Stage<'m>| register(name, behind.set(p).eq(stage4.set(p)));
        let block = |name: &str, behind: &Stage<'m>| {
            let both = behind.is(Action::Request) & stage4.is(Action::Request);
            register(name, both & behind.get("block").eq(stage4.get("block")))
        };
        Self {
            stage1_set: stage1.set(p).eq(stage5.set(p)).named("stage1_set_in_stage5"),
            stage2_set: set("stage2_set_in_stage5", stage1),
            stage3_set: set("stage3_set_in_stage5", stage2),
            stage4_set: set("stage4_set_in_stage5", stage3),
            stage3_block: block("stage3_block_in_stage5", stage2),
            stage4_block: block("stage4_block_in_stage5", stage3),
        }
    }

    /// Whether a request behind stage 5 has its set.
    pub fn requests_behind(&self, stages: &[&Stage<'m>; 5]) -> Signal<'m> {
        let same = [self.stage1_set, self.stage2_set, self.stage3_set, self.stage4_set];
        let behind = same
            .into_iter()
            .zip(stages)
            .map(|(same, stage)| same & stage.valid & stage.is(Action::Request));
        any_of(behind).named("request_behind_in_set")
    }
}

/// The row in the registers of the next stage.
pub(super) fn hold<'m>(
    m: &'m ModuleBuilder,
    name: &str,
    row: &Row<'m>,
    written: &Written<'m>,
    same: Signal<'m>,
    moves: Signal<'m>,
) -> Row<'m> {
    let patched = written.patch(row, same);
    let way = |(number, way): (usize, &Record<'m>)| {
        let held = Held::new(m, &format!("{name}_way{number}"), way.fields());
        m.when(moves, || held.set(way));
        held.get().clone()
    };
    let recency = patched.recency.map(|recency| {
        let held = m.reg_without_reset(&format!("{name}_recency"), recency.width());
        m.when(moves, || held.set(recency));
        *held
    });
    Row { ways: patched.ways.iter().enumerate().map(way).collect(), recency }
}

/// The way that has an event's block.
pub(super) struct Found<'m> {
    /// One-hot; none if no way has it.
    pub hits: Signal<'m>,
    /// Its fields; anything if no way has it.
    pub fields: Record<'m>,
}

impl<'m> Found<'m> {
    /// After what stage 5 writes.
    fn patch(
        &self,
        stage: &Stage<'m>,
        written: &Written<'m>,
        (set, block): (Signal<'m>, Signal<'m>),
    ) -> Self {
        let m = set.module();
        let is_request = stage.is(Action::Request);
        let newer = set & *written.forwards;
        let hit =
            |way: u32| (newer & is_request & written.way.bit(way)).mux(block, self.hits.bit(way));
        // A fill's block is fetched, and so is not written but by a request that joins it.
        let joined = set & (*written.hits & self.hits).any();
        let own = is_request.mux(block, joined) & *written.forwards;
        let fields = record(self.fields.fields(), |field| {
            own.mux(written.fields.get(&field.name), self.fields.get(&field.name))
        });
        Self { hits: column(m, (0..self.hits.width()).map(hit)), fields }
    }

    /// In the registers of the next stage.
    fn hold(&self, m: &'m ModuleBuilder, name: &str, moves: Signal<'m>) -> Self {
        let hits = m.reg_without_reset(&format!("{name}_hits"), self.hits.width());
        let held = Held::new(m, &format!("{name}_found"), self.fields.fields());
        m.when(moves, || {
            hits.set(self.hits);
            held.set(&self.fields);
        });
        Self { hits: *hits, fields: held.get().clone() }
    }
}

/// Stage 3: the way that has the block; that of a fill is known.
pub(super) fn compare<'m>(
    m: &'m ModuleBuilder,
    p: &Params,
    stage: &Stage<'m>,
    row: &Row<'m>,
    same: &Same<'m>,
    written: &Written<'m>,
    moves: Signal<'m>,
) -> Found<'m> {
    let holds = |way: &Record<'m>| way.get("tag").eq(stage.tag(p)) & way.get("state").ne(state::I);
    let holds = column(m, row.ways.iter().map(holds));
    let of_fill = one_hot::decode(stage.get("way"), p.ways);
    let hits = stage.is(Action::Request).mux(holds, of_fill).named("stage3_hits");
    let fields = record(&way_fields(p), |field| one_hot::select(hits, &row.field(&field.name)));
    let found = Found { hits, fields };
    found.patch(stage, written, (same.stage3_set, same.stage3_block)).hold(m, "stage4", moves)
}

/// Stage 4: the same, a stage later.
pub(super) fn pass<'m>(
    m: &'m ModuleBuilder,
    stage: &Stage<'m>,
    found: &Found<'m>,
    same: &Same<'m>,
    written: &Written<'m>,
    moves: Signal<'m>,
) -> Found<'m> {
    found.patch(stage, written, (same.stage4_set, same.stage4_block)).hold(m, "stage5", moves)
}
