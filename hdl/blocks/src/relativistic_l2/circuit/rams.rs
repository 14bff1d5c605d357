//! The RAMs: of each way what a roll-over keeps, and its times; the recency of each set.

use super::forward::{Row, Same, Written};
use super::roll::Roll;
use super::{Stage, kept_fields, time_fields, way_fields};
use crate::kit::*;
use crate::relativistic_l2::params::Params;

/// The set of the event in stage 2, read while it was in stage 1, with what stage 5 wrote at that edge.
pub(super) fn rows<'m>(
    m: &'m ModuleBuilder,
    p: &Params,
    [stage1, stage5]: [&Stage<'m>; 2],
    same: &Same<'m>,
    moves: Signal<'m>,
    roll: &Roll<'m>,
    written: &Written<'m>,
) -> Row<'m> {
    let walking = roll.walking;
    let address = walking.mux(roll.walk_set, stage5.set(p)).named("written_set");
    let clears = (walking & !*roll.initialised).named("clears");
    let collides = m.reg_without_reset("stage2_was_written", 1).doc("At the edge of its read.");
    m.when(moves, || collides.set(same.stage1_set & *written.forwards));
    let before = Before::new(m, p, written, moves);

    let data = |fields: &Fields| pick(fields, &written.fields).pack();
    let ram = |name: String, data: Signal<'m>, enable: Signal<'m>, zero: Signal<'m>| {
        let ram = m.memory(&name, p.sets, data.width(), 1, Collision::Undefined);
        ram.write(enable, address, data.and_where(!zero));
        ram.read(&format!("{name}_read"), moves, stage1.set(p))
    };
    let mut ways = Vec::new();
    for number in 0..p.ways {
        let own = *written.writes & written.way.bit(number);
        let kept = data(&kept_fields(p));
        let kept = ram(format!("way{number}_kept"), kept, own | clears, clears);
        let times = data(&time_fields(p));
        let times = ram(format!("way{number}_times"), times, own | walking, walking);
        let [kept, times] = [(kept_fields(p), kept), (time_fields(p), times)]
            .map(|(fields, row)| Record::unpack(&fields, row));
        let newer = *collides & before.way.bit(number);
        ways.push(record(&way_fields(p), |field| {
            let name = field.name.as_str();
            let of = if kept.fields().position(name).is_some() { &kept } else { &times };
            newer.mux(before.fields.get(name), of.get(name))
        }));
    }
    let recency = written.recency.as_ref().zip(before.recency).map(|(recency, before)| {
        let read = ram("recency".to_string(), **recency, *written.uses | clears, clears);
        collides.mux(before, read)
    });
    Row { ways, recency }
}

/// What stage 5 wrote last.
struct Before<'m> {
    way: Signal<'m>,
    fields: Record<'m>,
    recency: Option<Signal<'m>>,
}

impl<'m> Before<'m> {
    fn new(m: &'m ModuleBuilder, p: &Params, written: &Written<'m>, moves: Signal<'m>) -> Self {
        let way = m.reg_without_reset("before_way", p.ways);
        let fields = Held::new(m, "before", &way_fields(p));
        let recency = written.recency.as_ref().map(|recency| {
            let held = m.reg_without_reset("before_recency", recency.width());
            m.when(moves, || held.set(**recency));
            *held
        });
        m.when(moves, || {
            way.set(*written.way);
            fields.set(&written.fields);
        });
        Self { way: *way, fields: fields.get().clone(), recency }
    }
}
