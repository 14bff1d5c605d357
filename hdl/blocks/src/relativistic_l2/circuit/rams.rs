//! The RAMs: of each way what a roll-over keeps, and its times; the recency of each set.

use super::forward::{Row, Write};
use super::roll::Roll;
use super::{Stage, kept_fields, time_fields, way_fields};
use crate::kit::*;
use crate::relativistic_l2::params::Params;

/// The set of the event in stage 2, read while it was in stage 1, with what stage 6 wrote at that edge.
pub(super) fn rows<'m>(
    m: &'m ModuleBuilder,
    p: &Params,
    stage1: &Stage<'m>,
    write: &Write<'m>,
    roll: &Roll<'m>,
    moves: Signal<'m>,
) -> Row<'m> {
    let walking = roll.walking;
    let address = walking.mux(roll.walk_set, write.set).named("written_set");
    let clears = (walking & !*roll.initialised).named("clears");
    let data = |fields: &Fields| pick(fields, &write.fields).pack();
    let ram = |name: String, data: Signal<'m>, enable: Signal<'m>, zero: Signal<'m>| {
        let ram = m.memory(&name, p.sets, data.width(), 1, Collision::Undefined);
        ram.write(enable, address, data.and_where(!zero));
        ram.read(&format!("{name}_read"), moves, stage1.set(p))
    };
    let mut ways = Vec::new();
    for number in 0..p.ways {
        let own = write.writes & write.way.bit(number);
        let kept = data(&kept_fields(p));
        let kept = ram(format!("way{number}_kept"), kept, own | clears, clears);
        let times = data(&time_fields(p));
        let times = ram(format!("way{number}_times"), times, own | walking, walking);
        let [kept, times] = [(kept_fields(p), kept), (time_fields(p), times)]
            .map(|(fields, row)| Record::unpack(&fields, row));
        ways.push(record(&way_fields(p), |field| {
            let name = field.name.as_str();
            let of = if kept.fields().position(name).is_some() { &kept } else { &times };
            of.get(name)
        }));
    }
    let recency = write
        .recency
        .map(|recency| ram("recency".to_string(), recency, write.uses | clears, clears));
    let collides = m.reg_without_reset("stage2_was_written", 1).doc("At the edge of its read.");
    m.when(moves, || collides.set(stage1.set(p).eq(write.set)));
    write.hold(m, "before", moves).patch(&Row { ways, recency }, "read", *collides)
}
