//! Forwarding of writes to the stages behind stage 5: of its own block at once, of other ways from stage 6.
//!
//! Sets and blocks of two stages are compared a stage before it is needed.

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

/// Writes of stage 5, if the stages move on.
pub(super) struct Written<'m> {
    pub writes: Wire<'m>,
    /// A request writes: only then recency changes, and the block is forwarded.
    pub uses: Wire<'m>,
    /// The way, one-hot.
    way: Wire<'m>,
    /// The way that has its block before, one-hot.
    hits: Wire<'m>,
    wires: Vec<Wire<'m>>,
    fields: Record<'m>,
    recency: Option<Wire<'m>>,
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

    /// A row with the states and the recency that stage 5 leaves: what decides on a victim comes at once.
    pub fn patch_states(&self, row: &Row<'m>, same: Signal<'m>) -> Row<'m> {
        let same = same & *self.uses;
        let way = |(number, way): (u32, &Record<'m>)| {
            let newer = same & self.way.bit(number);
            record(way.fields(), |field| match field.name.as_str() {
                "state" => newer.mux(self.fields.get("state"), way.get("state")),
                name => way.get(name),
            })
        };
        let recency = row.recency.zip(self.recency.as_ref());
        Row {
            ways: (0..).zip(&row.ways).map(way).collect(),
            recency: recency.map(|(row, written)| same.mux(**written, row)),
        }
    }

    pub fn set(&self, act: &Act<'m>, found: &Found<'m>, valid: Signal<'m>) {
        let writes = valid & !act.waits & act.writes;
        self.writes.set(writes);
        self.uses.set(writes & !act.fills);
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
}

/// A write to the RAMs.
#[derive(Clone)]
pub(super) struct Write<'m> {
    pub writes: Signal<'m>,
    /// Recency is written.
    pub uses: Signal<'m>,
    pub set: Signal<'m>,
    /// The way, one-hot.
    pub way: Signal<'m>,
    pub fields: Record<'m>,
    pub recency: Option<Signal<'m>>,
}

impl<'m> Write<'m> {
    /// Stage 6: the last write of stage 5.
    pub fn stage6(
        m: &'m ModuleBuilder,
        p: &Params,
        written: &Written<'m>,
        stage5: &Stage<'m>,
        moves: Signal<'m>,
    ) -> Self {
        let now = Self {
            writes: *written.writes,
            uses: *written.uses,
            set: stage5.set(p),
            way: *written.way,
            fields: written.fields.clone(),
            recency: written.recency.as_ref().map(|recency| **recency),
        };
        now.hold(m, "stage6", moves)
    }

    /// The write in the registers of the next stage.
    pub fn hold(&self, m: &'m ModuleBuilder, name: &str, moves: Signal<'m>) -> Self {
        let bit = |field: &str, value: Signal<'m>| {
            let register = m.reg(&format!("{name}_{field}"), 1, 0);
            m.when(moves, || register.set(value));
            *register
        };
        let register = |field: &str, value: Signal<'m>| {
            let register = m.reg_without_reset(&format!("{name}_{field}"), value.width());
            m.when(moves, || register.set(value));
            *register
        };
        let fields = Held::new(m, name, self.fields.fields());
        m.when(moves, || fields.set(&self.fields));
        Self {
            writes: bit("writes", self.writes),
            uses: bit("uses", self.uses),
            set: register("set", self.set),
            way: register("way", self.way),
            fields: fields.get().clone(),
            recency: self.recency.map(|recency| register("recency", recency)),
        }
    }

    /// A row after the write, with its states and recency as they are, where its set is that of the row.
    pub fn patch_rest(&self, row: &Row<'m>, stage: &str, same: Signal<'m>) -> Row<'m> {
        let patched = self.patch(row, stage, same);
        let way = |(patched, way): (&Record<'m>, &Record<'m>)| {
            record(way.fields(), |field| match field.name.as_str() {
                "state" => way.get("state"),
                name => patched.get(name),
            })
        };
        Row { ways: patched.ways.iter().zip(&row.ways).map(way).collect(), recency: row.recency }
    }

    /// A row in a stage after the write, where its set is that of the row.
    pub fn patch(&self, row: &Row<'m>, stage: &str, same: Signal<'m>) -> Row<'m> {
        let way = |(number, way): (u32, &Record<'m>)| {
            let newer = same & self.writes & self.way.bit(number);
            self.fields.or_where_not(newer.named(&format!("{stage}_way{number}_written")), way)
        };
        let newer = same & self.uses;
        let recency = row.recency.zip(self.recency);
        Row {
            ways: (0..).zip(&row.ways).map(way).collect(),
            recency: recency.map(|(row, written)| newer.mux(written, row)),
        }
    }
}

/// Stages that have the set, or the block, of stage 5 or 6.
pub(super) struct Same<'m> {
    /// Stages 1 to 4 have the set of stage 5.
    sets: [Signal<'m>; 4],
    /// Stages 2 to 5 have the set of stage 6.
    written: [Signal<'m>; 4],
    /// Stages 3 and 4 have the block of stage 5; both are requests.
    pub stage3_block: Signal<'m>,
    pub stage4_block: Signal<'m>,
    /// Stage 3 has the block of stage 6; both are requests.
    pub stage3_block_written: Signal<'m>,
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
        let sets = [
            stage1.set(p).eq(stage5.set(p)).named("stage1_set_in_stage5"),
            set("stage2_set_in_stage5", stage1),
            set("stage3_set_in_stage5", stage2),
            set("stage4_set_in_stage5", stage3),
        ];
        let written = |at: usize| register(&format!("stage{}_set_in_stage6", at + 2), sets[at]);
        Self {
            sets,
            written: [0, 1, 2, 3].map(written),
            stage3_block: block("stage3_block_in_stage5", stage2),
            stage3_block_written: register(
                "stage3_block_in_stage6",
                block("stage2_block_in_stage5", stage1),
            ),
            stage4_block: block("stage4_block_in_stage5", stage3),
        }
    }

    /// A stage from 1 to 4 has the set of stage 5.
    pub fn set(&self, stage: usize) -> Signal<'m> {
        self.sets[stage - 1]
    }

    /// A stage from 2 to 5 has the set of stage 6.
    pub fn written(&self, stage: usize) -> Signal<'m> {
        self.written[stage - 2]
    }

    /// A request behind stage 5 has its set.
    pub fn requests_behind(&self, stages: &[&Stage<'m>; 5]) -> Signal<'m> {
        let behind = self
            .sets
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
    moves: Signal<'m>,
) -> Row<'m> {
    let way = |(number, way): (usize, &Record<'m>)| {
        let held = Held::new(m, &format!("{name}_way{number}"), way.fields());
        m.when(moves, || held.set(way));
        held.get().clone()
    };
    let recency = row.recency.map(|recency| {
        let held = m.reg_without_reset(&format!("{name}_recency"), recency.width());
        m.when(moves, || held.set(recency));
        *held
    });
    Row { ways: row.ways.iter().enumerate().map(way).collect(), recency }
}

/// The way that has an event's block.
pub(super) struct Found<'m> {
    /// One-hot; none if no way has it.
    pub hits: Signal<'m>,
    /// Its fields; anything if no way has it.
    pub fields: Record<'m>,
}

impl<'m> Found<'m> {
    /// After the write of stage 5.
    fn forward(
        &self,
        stage: &Stage<'m>,
        written: &Written<'m>,
        (set, block): (Signal<'m>, Signal<'m>),
    ) -> Self {
        let uses = *written.uses;
        // A fill's block is fetched, and so is not written but by a request that joins it.
        let joined = set & (*written.hits & self.hits).any();
        let own = stage.is(Action::Request).mux(block, joined) & uses;
        self.patch(stage, (*written.way, set & uses, block), own, &written.fields)
    }

    /// After the write of stage 6.
    fn after(&self, stage: &Stage<'m>, write: &Write<'m>, same: &Same<'m>) -> Self {
        let (set, block) = (same.written(3) & write.uses, same.stage3_block_written);
        let joined = set & (write.way & self.hits).any();
        let own = stage.is(Action::Request).mux(block & write.uses, joined);
        self.patch(stage, (write.way, set, block), own, &write.fields)
    }

    /// After a write: to a way of the set, which then has the block or not; `own`: to the way that has been found.
    fn patch(
        &self,
        stage: &Stage<'m>,
        (way, set, block): (Signal<'m>, Signal<'m>, Signal<'m>),
        own: Signal<'m>,
        fields: &Record<'m>,
    ) -> Self {
        let newer = set & stage.is(Action::Request);
        let hit = |number: u32| (newer & way.bit(number)).mux(block, self.hits.bit(number));
        let hits = column(set.module(), (0..self.hits.width()).map(hit));
        Self { hits, fields: fields.or_where_not(own, &self.fields) }
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

/// Stage 3: the way that has the block; that of a fill is known. `row` is the set before the write of stage 6.
pub(super) fn compare<'m>(
    m: &'m ModuleBuilder,
    p: &Params,
    (stage, row): (&Stage<'m>, &Row<'m>),
    same: &Same<'m>,
    write: &Write<'m>,
    written: &Written<'m>,
    moves: Signal<'m>,
) -> Found<'m> {
    let holds = |way: &Record<'m>| way.get("tag").eq(stage.tag(p)) & way.get("state").ne(state::I);
    let overwritten = write.way.and_where(same.written(3) & write.uses);
    let holds = column(m, row.ways.iter().map(holds)) & !overwritten;
    let of_fill = one_hot::decode(stage.get("way"), p.ways);
    let hits = stage.is(Action::Request).mux(holds, of_fill).named("stage3_hits");
    let fields = record(&way_fields(p), |field| one_hot::select(hits, &row.field(&field.name)));
    let found = Found { hits, fields }.after(stage, write, same);
    found.forward(stage, written, (same.set(3), same.stage3_block)).hold(m, "stage4", moves)
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
    found.forward(stage, written, (same.set(4), same.stage4_block)).hold(m, "stage5", moves)
}
