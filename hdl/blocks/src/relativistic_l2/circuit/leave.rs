//! The output: what an event does leaves in one clock or more. First a write-back or a fill of the array, then an
//! answer for each core that gets one, with its access to the array.

use super::act::Act;
use crate::kit::*;
use crate::relativistic_l2::channels::{ARRAY, ArrayOp, Command, RESP, Response, channels};
use crate::relativistic_l2::params::Params;

/// Outputs of an event.
pub(in crate::relativistic_l2) fn effect_fields(p: &Params) -> Fields {
    Fields::new()
        .with("write_back", 1, "a write-back comes first")
        .with("fill", 1, "a fill comes first; the tags are those of the MSHR")
        .with("cores", p.cores, "those that get an answer")
        .with("accesses", 1, "with an access to the array")
        .with("op", 3, "that access")
        .with("kind", 2, "of the answer")
        .with("block", p.block_bits(), "")
        .with("way", p.way_bits(), "")
        .with("exp", p.timestamp_bits, "")
        .with("ver", p.timestamp_bits, "")
        .with("tag", p.tag_bits, "of a request")
}

/// `free`: the output takes an effect; `idle`: no answer is under way.
pub(super) fn leave<'m>(
    m: &'m ModuleBuilder,
    p: &Params,
    (acts, free, idle): (Signal<'m>, Wire<'m>, Wire<'m>),
    act: &Act<'m>,
    tags: Vec<Signal<'m>>,
) {
    let held = Held::new(m, "leave", &effect_fields(p).without("cores"));
    let leaving = m.reg("leaving", 1, 0).doc("An effect leaves.");
    let first = m.reg("leave_first", 1, 0).doc("Its write-back or fill has not left.");
    let effect = held.get();
    let get = |name: &str| effect.get(name);
    let cores = m.reg("leave_cores_left", p.cores, 0).doc("Cores whose answers have not left.");

    let channels = channels(p);
    let [array_room, resp_room] = ["array_room", "resp_room"].map(|name| m.wire(name, 1));
    let room = (*array_room & *resp_room).named("leave_room");
    let steps = (*leaving & room).named("leave_steps");
    let core = one_hot::lowest(*cores).named("leave_core");
    let left = *cores & !core;
    let is_last = first.mux(!cores.any(), !left.any()).named("leave_is_last");
    free.set(!*leaving | (room & is_last));

    m.when(*free, || {
        let effect = &act.effect;
        let [write_back, fill] = ["write_back", "fill"].map(|name| effect.get(name));
        leaving.set(acts & (write_back | fill | effect.get("cores").any()));
        first.set(write_back | fill);
        cores.set(effect.get("cores"));
        held.set(effect);
    })
    .otherwise_when(steps, || {
        first.set(0);
        m.when(!*first, || cores.set(left));
    });

    let number = one_hot::encode(core).zero_extend(p.core_bits());
    let tag = get("fill").mux(one_hot::select(core, &tags), get("tag")).named("answered_tag");
    let answers = (steps & !*first).named("leave_answers");
    let code = |op: ArrayOp| m.lit(3, op as u64);
    let before = get("fill").mux(code(ArrayOp::Fill), code(ArrayOp::WriteBack));
    let values = vec![
        first.mux(before, get("op")),
        get("block").truncate(p.set_bits()),
        get("way"),
        number.and_where(!*first),
        tag.and_where(!*first),
    ];
    let payload = Record::new(&Command::fields(p), values);
    let valid = steps & (*first | get("accesses"));
    let command = Stream { valid, payload, ready: array_room };
    skid_buffer::buffer(m, "command", command).output(m, channels[ARRAY].name);
    let values = vec![get("kind"), number, p.address(get("block")), get("exp"), get("ver"), tag];
    let payload = Record::new(&Response::fields(p), values);
    let answer = Stream { valid: answers, payload, ready: resp_room };
    let answer = skid_buffer::buffer(m, "answer", answer);
    idle.set(!*leaving & !answer.valid);
    answer.output(m, channels[RESP].name);
}
