//! A station as hardware: one event at a time, each input channel in its turn, so that no two events meet and
//! no ready depends on a valid.

use super::Params;
use super::channels::{
    self, DRAINED, ERROR, HALT, HALTED, LINE_IN, LINE_OUT, Misuse, RESUME, ROLL, ROLLED,
};
use super::reference::Phase;
use crate::kit::*;

/// The module `getm_rollover_ring`.
pub fn circuit(p: &Params) -> Module {
    module("getm_rollover_ring", |m| build(m, p))
}

fn build(m: &ModuleBuilder, p: &Params) {
    describe(
        m,
        "A station of the ring by which GETM's validation units roll over together. GETM, 4.5.2.\n\n\
        A stop goes round first: whoever gets it stops its unit and passes it on; of several, the\n\
        lowest number's returns. Then the cores halt, and a go follows: each station waits for\n\
        its commit unit, has its unit cleared, and passes it on.",
        p,
    );
    let channels = channels::channels(p);
    let input = |index: usize| Stream::input(m, channels[index].name, &channels[index].fields);
    let unit = m.input("unit", p.unit_bits()).doc("number of the station's validation unit");
    let [rolled, halted, line] = [ROLLED, HALTED, LINE_IN].map(input);
    let (drained, _) = valid_only_input(m, &channels[DRAINED]);

    let phase = m.reg("phase", 3, Phase::Running as u64).doc(
        "0 running, 1 stopping, 2 leading, 3 stopped, 4 halting, 5 draining, 6 clearing, 7 going",
    );
    let is = |of: Phase| phase.eq(of as u64);
    let turn = m.reg("turn", 3, 1).doc("Whose turn it is: rolled, halted, line_in.");
    turn.set(turn.slice(0..2).concat(turn.bit(2)));
    let has_place = m.wire("has_place", 1).doc("A message can leave.");
    let waits = is(Phase::Stopping) | is(Phase::Draining) | is(Phase::Clearing);
    rolled.ready.set(turn.bit(0) & *has_place);
    halted.ready.set(turn.bit(1));
    line.ready.set(turn.bit(2) & *has_place & !waits.named("waits_for_unit"));

    // Of the unit and the cores.
    let [says_stop, says_go] = {
        let go = rolled.payload.get("go");
        [(rolled.fires() & !go).named("says_stop"), rolled.fires() & go]
    };
    let stops_by_itself = (says_stop & is(Phase::Running)).named("stops_by_itself");
    let stops_as_told = (says_stop & is(Phase::Stopping)).named("stops_as_told");
    let go_order = m.wire("go_order_untaken", 1);
    let halt_request = m.wire("halt_untaken", 1);
    let cleared = (says_go & is(Phase::Clearing) & !*go_order).named("cleared");
    let cores_halted = (halted.fires() & is(Phase::Halting) & !*halt_request).named("cores_halted");

    // Of the ring.
    let origin = line.payload.get("origin");
    let on_ring = match p.units.is_power_of_two() {
        true => m.lit(1, 1),
        false => origin.lt(p.units),
    };
    let is_own = origin.eq(unit).named("is_own");
    let is_higher = origin.gt(unit).named("is_higher");
    let comes = (line.fires() & on_ring).named("message_comes");
    let [stop, go] = {
        let go = line.payload.get("go");
        [(comes & !go).named("stop_comes"), (comes & go).named("go_comes")]
    };
    let tells_stop = (stop & is(Phase::Running) & !is_own).named("tells_stop");
    let returns = (stop & is(Phase::Leading) & is_own).named("returns");
    let dropped = (stop & is(Phase::Leading) & is_higher).named("dropped");
    let may_pass = is(Phase::Stopped) | is(Phase::Leading) & !is_higher;
    let passes = (stop & may_pass & !is_own).named("passes");
    let go_waits = (go & is(Phase::Stopped) & !is_own).named("go_waits");
    let ends = (go & is(Phase::Going) & is_own).named("ends");
    let drains_now = is(Phase::Draining) | go_waits | cores_halted;
    let tells_go = (drained & drains_now).named("tells_go");

    let held = m.reg_without_reset("held_origin", p.unit_bits()).doc("Of the message that waits.");
    m.when(tells_stop | go_waits, || held.set(origin))
        .otherwise_when(cores_halted, || held.set(unit));
    let goes_round = held.eq(unit).named("goes_round");
    let to = |of: Phase| m.lit(3, of as u64);
    m.when(tells_go, || phase.set(to(Phase::Clearing)))
        .otherwise_when(go_waits | cores_halted, || phase.set(to(Phase::Draining)))
        .otherwise_when(stops_by_itself, || phase.set(to(Phase::Leading)))
        .otherwise_when(stops_as_told | passes, || phase.set(to(Phase::Stopped)))
        .otherwise_when(tells_stop, || phase.set(to(Phase::Stopping)))
        .otherwise_when(returns, || phase.set(to(Phase::Halting)))
        .otherwise_when(cleared, || {
            phase.set(goes_round.mux(to(Phase::Going), to(Phase::Running)));
        })
        .otherwise_when(ends, || phase.set(to(Phase::Running)));

    let sender = passes.mux(origin, stops_by_itself.mux(unit, *held));
    let payload = Record::new(&channels[LINE_OUT].fields, vec![cleared, sender]);
    let leaves = stops_by_itself | stops_as_told | cleared | passes;
    let out = Stream { valid: leaves.named("message_leaves"), payload, ready: has_place };
    skid_buffer::buffer(m, "out", out).output(m, channels[LINE_OUT].name);

    go_order.set(orders(m, &channels[ROLL], tells_stop, tells_go));
    halt_request.set(request(m, &channels[HALT], returns));
    request(m, &channels[RESUME], ends);

    let is_legal = [tells_stop, returns, dropped, passes, go_waits, ends];
    let wrong_message = line.fires() & !any_of(is_legal);
    let wrong_rolled = rolled.fires() & !any_of([stops_by_itself, stops_as_told, cleared]);
    let wrong_halted = halted.fires() & !cores_halted;
    let code = |of: Misuse| m.lit(2, of as u64);
    let code = turn
        .bit(0)
        .mux(code(Misuse::Rolled), turn.bit(1).mux(code(Misuse::Halted), code(Misuse::Message)));
    raise_errors(
        m,
        &channels[ERROR],
        "what came",
        &[any_of([wrong_message, wrong_rolled, wrong_halted])],
        code,
    );
}

/// Orders to the unit: an order to stop leaves before one to go on. Whether one to go on waits.
fn orders<'m>(
    m: &'m ModuleBuilder,
    channel: &Channel,
    stop: Signal<'m>,
    go: Signal<'m>,
) -> Signal<'m> {
    let stop_waits = m.reg("stop_waits", 1, 0).doc("An order to stop is not yet taken.");
    let go_waits = m.reg("go_order_waits", 1, 0).doc("An order to go on is not yet taken.");
    let ready = m.wire("roll_taken", 1);
    stop_waits.set(stop | *stop_waits & !*ready);
    go_waits.set(go | *go_waits & !(*ready & !*stop_waits));
    let payload = Record::new(&channel.fields, vec![!*stop_waits]);
    Stream { valid: *stop_waits | *go_waits, payload, ready }.output(m, channel.name);
    *go_waits
}

/// A request to the cores, offered until it is taken. Whether it waits.
fn request<'m>(m: &'m ModuleBuilder, channel: &Channel, comes: Signal<'m>) -> Signal<'m> {
    let waits = m.reg(&format!("{}_waits", channel.name), 1, 0);
    let ready = m.wire(&format!("{}_taken", channel.name), 1);
    waits.set(comes | *waits & !*ready);
    Stream { valid: *waits, payload: Record::new(&channel.fields, Vec::new()), ready }
        .output(m, channel.name);
    *waits
}
