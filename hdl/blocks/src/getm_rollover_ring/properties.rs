//! The contract: facts about unit, cores and ring, from which it follows what must be said.

use super::Params;
use super::channels::{HALT, LINE_IN, LINE_OUT, Message, Misuse, RESUME, ROLL};
use super::corners::*;
use super::reference::Phase;
use crate::kit::*;

rules! {
    ROUND_AS_DUE "round_as_due":
        "a stop leaves once the unit has stopped, a go once it is cleared; a stop of a higher number goes no \
         further than a unit whose own is out",
        "GETM 4.5.2: timestamp roll-over";
    ORDERS_AS_DUE "orders_as_due":
        "the unit is told to stop by a stop, and to go on by a go after its commit unit is drained",
        "GETM 4.5.2: timestamp roll-over";
    CORES_AS_DUE "cores_as_due":
        "the cores halt when the unit's own stop has returned, and resume when its own go has",
        "GETM 4.5.2: timestamp roll-over";
    TAKES_IN_TIME "takes_in_time":
        "what is offered is taken within three clocks, unless it must wait for the unit or for line_out",
        "README: Timing";
    ERROR_AS_DUE "error_as_due":
        "what cannot come now, and only that, raises error with its code",
        "README: Ports";
}

/// The module `getm_rollover_ring_properties`.
pub(super) fn properties(p: &Params, inside: bool) -> Result<Properties, NoProperties> {
    let doc = "The contract of getm_rollover_ring on its ports.";
    Ok(Properties::new(&super::BLOCK, doc, inside, |m, probes| {
        let facts = Facts::new(m, p);
        if let Some(probes) = probes {
            facts.assert_invariants(m, p, probes);
        }
    }))
}

/// What is known of unit, cores and ring.
struct Facts<'m> {
    /// The unit has stopped.
    stopped: Reg<'m>,
    /// Its own stop is out and has met none of a lower number.
    leads: Reg<'m>,
    /// Its own stop has returned, and the cores have not halted yet.
    asked: Reg<'m>,
    /// A message waits for the unit: whether it is a go, and who sent it.
    held: Reg<'m>,
    held_go: Reg<'m>,
    held_origin: Reg<'m>,
    /// The commit unit has drained since the go came.
    drained: Reg<'m>,
    /// Its own go is out.
    going: Reg<'m>,
    /// Messages that must leave, and orders that must be given.
    messages: Queue<'m>,
    orders: [Reg<'m>; 2],
    /// The cores must be asked to halt, and may resume.
    requests: [Reg<'m>; 2],
    /// For how long `rolled`, `halted` and `line_in` have waited.
    waits: [Reg<'m>; 3],
}

impl<'m> Facts<'m> {
    /// Watches the ports and asserts the rules.
    fn new(m: &'m ModuleBuilder, p: &Params) -> Self {
        let [rolled, halted, line, drained, roll, line_out, halt, resume, error] =
            Watched::all(m, p);
        let flag = |name: &str| m.reg(name, 1, 0);
        let messages = Queue::new(m, "message", 2, &Message::fields(p));
        let held = flag("held");
        let has_room = !messages.full();
        let waits = |name: &str, may: Signal<'m>| clocks_of(m, name, 3, may);
        let facts = Self {
            stopped: flag("stopped"),
            leads: flag("leads"),
            asked: flag("asked"),
            held,
            held_go: flag("held_go"),
            held_origin: m.reg("held_origin", p.unit_bits(), 0),
            drained: flag("drained"),
            going: flag("going"),
            messages,
            orders: [flag("stop_due"), flag("go_due")],
            requests: [flag("halt_due"), flag("resume_due")],
            waits: [
                waits("rolled_waits", rolled.waits() & has_room),
                waits("halted_waits", halted.waits()),
                waits("line_waits", line.waits() & has_room & !*held),
            ],
        };
        let Self { stopped, leads, asked, held, held_go, held_origin, going, .. } = &facts;
        let unit = m.input("unit", p.unit_bits());
        let [stop_due, go_due] = &facts.orders;
        let [halt_due, resume_due] = &facts.requests;

        // What the unit and the cores say.
        let [stops, goes_on] = {
            let go = rolled.get("go");
            let stops = rolled.fires() & !go & !**stopped & !**going;
            let goes_on = rolled.fires() & go & **held & **held_go & *facts.drained & !**go_due;
            [stops, goes_on]
        };
        let halts = halted.fires() & **asked & !**halt_due;
        // What comes on the ring.
        let origin = line.get("origin");
        let on_ring = match p.units.is_power_of_two() {
            true => m.lit(1, 1),
            false => origin.lt(p.units),
        };
        let own = origin.eq(unit);
        let [stop, go] = {
            let go = line.get("go");
            [line.fires() & on_ring & !go, line.fires() & on_ring & go]
        };
        let returns = stop & own & **leads;
        let foreign_stop = stop & !own & !**asked & !**going;
        let drops = foreign_stop & **leads & origin.gt(unit);
        let tells = foreign_stop & !**stopped;
        let passes = foreign_stop & **stopped & !drops;
        let go_comes = go & !own & **stopped & !**leads & !**asked;
        let ends = go & own & **going;
        let go_waits = go_comes | halts;
        let told_go = drained.valid & !*facts.drained & (go_waits | **held & **held_go);

        stopped.set(stops | **stopped & !goes_on);
        leads.set(stops & !**held | **leads & !(returns | passes));
        asked.set(returns | **asked & !halts);
        held.set(tells | go_waits | **held & !(stops | goes_on));
        m.when(tells | go_waits, || held_go.set(go_waits));
        m.when(tells | go_comes, || held_origin.set(origin))
            .otherwise_when(halts, || held_origin.set(unit));
        facts.drained.set(told_go | *facts.drained & !goes_on);
        going.set(goes_on & held_origin.eq(unit) | **going & !ends);

        let sender = passes.mux(origin, held.mux(**held_origin, unit));
        let leaving = Record::new(&Message::fields(p), vec![goes_on, sender]);
        let as_due = facts.messages.oldest().pack().eq(line_out.payload.pack());
        facts.messages.set(stops | goes_on | passes, &leaving, line_out.fires());
        let is_due = line_out.valid.eq(facts.messages.any());
        ROUND_AS_DUE.assert(m, is_due & (!line_out.valid | as_due));
        stop_due.set(tells | **stop_due & !roll.fires());
        go_due.set(told_go | **go_due & !(roll.fires() & !**stop_due));
        let order = !roll.valid | roll.get("go").eq(!**stop_due);
        ORDERS_AS_DUE.assert(m, roll.valid.eq(**stop_due | **go_due) & order);
        halt_due.set(returns | **halt_due & !halt.ready);
        resume_due.set(ends | **resume_due & !resume.ready);
        CORES_AS_DUE.assert(m, halt.valid.eq(**halt_due) & resume.valid.eq(**resume_due));

        let wrong_rolled = rolled.fires() & !stops & !goes_on;
        let wrong_halted = halted.fires() & !halts;
        let wrong_message = line.fires() & !(returns | drops | tells | passes | go_comes | ends);
        let wrong = wrong_rolled | wrong_halted | wrong_message;
        let code = |of: Misuse| m.lit(2, of as u64);
        let due = last_clock(m, "error_due", wrong);
        let code_due = m.reg("code_due", 2, 0);
        let others = wrong_halted.mux(code(Misuse::Halted), code(Misuse::Message));
        code_due.set(wrong_rolled.mux(code(Misuse::Rolled), others));
        let as_due = !error.valid | error.get("code").eq(*code_due);
        ERROR_AS_DUE.assert(m, error.valid.eq(due) & as_due);

        let late = any_of(facts.waits.iter().map(|clocks| clocks.eq(3)));
        let waits_for_unit = !(line.fires() & **held);
        TAKES_IN_TIME.assert(m, !late & waits_for_unit);

        let seen = [
            (BY_ITSELF, stops & !**held),
            (TOLD, tells),
            (BEFORE_ORDER, stops & **stop_due),
            (RETURNS, returns),
            (LOWER, passes & **leads),
            (HIGHER, drops),
            (SECOND, passes & !**leads),
            (DRAINED_EARLY, drained.valid & !go_waits & !(**held & **held_go)),
            (DRAINED_WITH, drained.valid & go_waits),
            (TWO_OUT, facts.messages.full()),
            (FOREIGN, line.fires() & !on_ring),
            (EXCLUDED, wrong_message & on_ring),
            (NOT_ROLLED, wrong_rolled),
            (NOT_HALTED, wrong_halted),
        ];
        seen.into_iter().for_each(|(corner, met)| cover(m, p, corner, met));
        let stalled = [
            (LINE_IN, &line),
            (LINE_OUT, &line_out),
            (ROLL, &roll),
            (HALT, &halt),
            (RESUME, &resume),
        ];
        stalled.into_iter().for_each(|channel| cover_stalls(m, p, STALLED, channel));
        facts
    }

    /// The circuit's registers say the same.
    fn assert_invariants(&self, m: &'m ModuleBuilder, p: &Params, probes: &Probes) {
        let Self { stopped, leads, asked, held, held_go, held_origin, drained, going, .. } = self;
        let phase = probes.signal(m, "phase", 3);
        let is = |of: Phase| phase.eq(of as u64);
        let waits = **held & **held_go;
        let idle = !**held & !**leads & !**asked & !**going;
        let same = [
            is(Phase::Running).eq(!**stopped & idle),
            is(Phase::Stopping).eq(**held & !**held_go),
            is(Phase::Leading).eq(**leads),
            is(Phase::Stopped).eq(**stopped & idle),
            is(Phase::Halting).eq(**asked),
            is(Phase::Draining).eq(waits & !**drained),
            is(Phase::Clearing).eq(waits & **drained),
            is(Phase::Going).eq(**going),
            !(**leads | **asked | waits) | **stopped,
            !(**going | **held & !**held_go) | !**stopped,
            !**drained | waits,
            !*self.orders[1] | **drained,
            !*self.requests[0] | **asked,
        ];
        invariant(m, "phase", all_of(m, &same), "The phase says what is known.");
        let origin = probes.signal(m, "held_origin", p.unit_bits());
        let known = !**held | origin.eq(**held_origin);
        invariant(m, "origin", known, "Who sent the message that waits.");
        let turn = probes.signal(m, "turn", 3);
        let once = any_of([1u64, 2, 4].map(|one| turn.eq(one)));
        // Since its last turn.
        let waited = (0u32..).zip(&self.waits).map(|(channel, clocks)| {
            let most = |turns: u32, most: u64| !turn.bit((channel + turns) % 3) | clocks.le(most);
            most(0, 2) & most(1, 0) & most(2, 1)
        });
        let waited: Vec<_> = waited.chain([once]).collect();
        invariant(m, "turn", all_of(m, &waited), "One channel has its turn, and the others soon.");
        let names = ["stop_waits", "go_order_waits", "halt_waits", "resume_waits"];
        let due = self.orders.iter().chain(&self.requests);
        let same: Vec<_> =
            names.iter().zip(due).map(|(name, due)| probes.signal(m, name, 1).eq(**due)).collect();
        invariant(m, "requests", all_of(m, &same), "Orders and requests wait that are due.");
        let out = SkidBuffer::new(m, probes, "out", &Message::fields(p));
        let pairs = out.valid.into_iter().zip(&out.data).zip(self.messages.entries());
        let same: Vec<_> = pairs
            .map(|((valid, data), (due, message))| {
                valid.eq(due) & (!due | data.pack().eq(message.pack()))
            })
            .collect();
        invariant(m, "out", all_of(m, &same), "Messages wait that are due.");
    }
}
