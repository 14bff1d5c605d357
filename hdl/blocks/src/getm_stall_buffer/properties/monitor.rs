//! What the properties remember, and the rules that they assert at the ports.

use crate::getm_stall_buffer::channels::{
    self, Access, ERROR, PARK, PARKED, RELEASE, RETRY, RETRY_RESULT,
};
use crate::getm_stall_buffer::params::Params;
use crate::getm_stall_buffer::rules;
use crate::kit::*;

/// The ports of the stall buffer, and what is remembered of what they showed.
pub(super) struct Monitor<'p, 'm> {
    pub m: &'m ModuleBuilder,
    pub p: &'p Params,
    pub park: Watched<'m>,
    pub result: Watched<'m>,
    pub release: Watched<'m>,
    pub retry: Watched<'m>,
    pub ideal: Ideal<'m>,
    pub chosen: Chosen<'m>,
    /// The line of what parks, and whether there is room for it.
    pub parked_line: IdealLine<'m>,
    pub room: Signal<'m>,
    /// For how many clocks the chosen granule has waited for a retry that could be taken.
    pub waiting: Signal<'m>,
    /// Retries of other granules that were taken meanwhile.
    pub overtaken: Signal<'m>,
}

impl<'p, 'm> Monitor<'p, 'm> {
    /// Watches the ports and asserts the rules.
    pub fn new(m: &'m ModuleBuilder, p: &'p Params) -> Self {
        let channels = channels::channels(p);
        let [park, result, release, parked, retry, error] =
            [PARK, RETRY_RESULT, RELEASE, PARKED, RETRY, ERROR]
                .map(|index| Watched::channel(m, &channels[index]));
        let ideal = Ideal::new(m, p);

        let parked_line = ideal.of(p.granule(park.get("address")));
        let free = ideal.number(|line| line.live()).lt(p.lines);
        let room = parked_line.live().mux(parked_line.count.lt(p.entries), free).named("room");
        let event = |granule: Signal<'m>| Event {
            parks: park.valid & p.granule(park.get("address")).eq(granule) & room,
            result: result.valid & p.granule(result.get("address")).eq(granule),
            reserved: result.get("reserved"),
            released: release.valid
                & (release.get("all") | p.granule(release.get("address")).eq(granule)),
            leaves: retry.fires() & p.granule(retry.get("address")).eq(granule),
        };
        ideal.set(event);

        let chosen_granule = m.input("chosen_granule", p.granule_bits());
        let line = ideal.of(chosen_granule);
        let happens = event(chosen_granule);
        let chosen = Chosen::new(m, p, chosen_granule, line, happens, (&park, &retry));

        assert_answers(m, (&park, room), &parked);
        let no_retry = result.valid & !ideal.of(p.granule(result.get("address"))).retrying;
        let due = m.reg("error_due", 1, 0).doc("The last clock had the result of no retry.");
        due.set(no_retry);
        rules::ERROR_AS_DUE
            .assert(m, error.valid.eq(*due) & (!error.valid | error.get("code").eq(0)));
        assert_retries(m, p, &ideal, &chosen, &retry);

        let pending = line.awake & retry.ready & !happens.leaves;
        let patience = u64::from(p.lines) + 1;
        let waiting = clocks_of(m, "waiting_for", patience, pending);
        rules::NOBODY_STRANDED.assert(m, waiting.ne(patience));
        let overtaken =
            m.reg("overtaken", waiting.width(), 0).doc("Retries before the chosen granule's.");
        m.when(!line.awake | happens.leaves, || overtaken.set(0))
            .otherwise_when(retry.fires() & overtaken.ne(p.lines), || {
                overtaken.set(*overtaken + 1)
            });
        rules::FAIR.assert(m, overtaken.ne(p.lines));
        let [waiting, overtaken] = [*waiting, *overtaken];
        Self {
            m,
            p,
            park,
            result,
            release,
            retry,
            ideal,
            chosen,
            parked_line,
            room,
            waiting,
            overtaken,
        }
    }
}

/// A park is answered in the next clock, by whether there is room for it.
fn assert_answers<'m>(
    m: &'m ModuleBuilder,
    (park, room): (&Watched<'m>, Signal<'m>),
    parked: &Watched<'m>,
) {
    let due = m.reg("answer_due", 1, 0).doc("The last clock had a park.");
    let room_due = m.reg("room_due", 1, 0).doc("There was room for it.");
    due.set(park.valid);
    room_due.set(room);
    rules::ANSWER_NEXT_CLOCK.assert(m, parked.valid.eq(*due));
    let as_due = parked.get("room").eq(*room_due);
    rules::REFUSED_ONLY_IF_FULL.assert(m, !parked.valid | as_due);
}

/// What is offered on `retry` is a waiter that has been woken, the right one of its granule.
fn assert_retries<'m>(
    m: &'m ModuleBuilder,
    p: &Params,
    ideal: &Ideal<'m>,
    chosen: &Chosen<'m>,
    retry: &Watched<'m>,
) {
    let granule = p.granule(retry.get("address"));
    let place = retry.get("address").ne(p.address(granule));
    rules::WOKEN_BY_RELEASE.assert(m, !retry.valid | (ideal.of(granule).awake & !place));

    let of_granule = retry.valid & granule.eq(chosen.granule);
    let warpts = retry.get("warpts");
    let of_chosen = of_granule & warpts.eq(chosen.warpts);
    let first = chosen.waiters.oldest();
    let same = ["store", "warp"].map(|name| first.get(name).eq(retry.get(name)));
    let is_first = chosen.waiters.any() & same[0] & same[1];
    rules::LEAVES_ONCE.assert(m, !of_chosen | is_first);
    let not_later = !(of_granule & chosen.due) | warpts.le(chosen.warpts);
    rules::OLDEST_FIRST.assert(m, not_later & (!of_chosen | chosen.due));
}

// An ideal line for each granule: how many wait, and whether they are woken.

/// The ideal line of a granule.
#[derive(Clone, Copy)]
pub(super) struct IdealLine<'m> {
    /// How many wait.
    pub count: Signal<'m>,
    /// One of them is to be retried.
    pub awake: Signal<'m>,
    /// A retry has no result yet.
    pub retrying: Signal<'m>,
    /// It was released since one of them was chosen.
    pub again: Signal<'m>,
}

impl<'m> IdealLine<'m> {
    fn of([count, awake, retrying, again]: [Signal<'m>; 4]) -> Self {
        Self { count, awake, retrying, again }
    }

    /// It takes a line of the buffer.
    pub fn live(&self) -> Signal<'m> {
        self.count.any() | self.retrying
    }

    /// An access waits for a release.
    pub fn asleep(&self) -> Signal<'m> {
        self.count.any() & !self.awake & !self.retrying
    }
}

/// What happens to a granule's line at a clock.
#[derive(Clone, Copy)]
pub(super) struct Event<'m> {
    /// An access that has room parks.
    pub parks: Signal<'m>,
    /// The retry has a result.
    pub result: Signal<'m>,
    /// The granule is reserved after it.
    pub reserved: Signal<'m>,
    pub released: Signal<'m>,
    /// A retry is taken.
    pub leaves: Signal<'m>,
}

/// The ideal lines of all granules.
pub(super) struct Ideal<'m> {
    m: &'m ModuleBuilder,
    registers: Vec<[Reg<'m>; 4]>,
}

impl<'m> Ideal<'m> {
    pub fn new(m: &'m ModuleBuilder, p: &Params) -> Self {
        let line = |granule: u64| {
            let register = |name: &str, width| m.reg(&format!("granule{granule}_{name}"), width, 0);
            let count = register("count", address_bits(p.entries + 1));
            [count, register("awake", 1), register("retrying", 1), register("again", 1)]
        };
        Self { m, registers: (0..1 << p.granule_bits()).map(line).collect() }
    }

    pub fn lines(&self) -> Vec<IdealLine<'m>> {
        let line = |line: &[Reg<'m>; 4]| IdealLine::of(line.map(|register| *register));
        self.registers.iter().map(line).collect()
    }

    pub fn of(&self, granule: Signal<'m>) -> IdealLine<'m> {
        let place = one_hot::decode(granule, self.registers.len() as u32);
        IdealLine::of(std::array::from_fn(|field| {
            let values: Vec<_> = self.registers.iter().map(|line| *line[field]).collect();
            one_hot::select(place, &values)
        }))
    }

    /// For how many lines something is true.
    pub fn number(&self, of: impl Fn(&IdealLine<'m>) -> Signal<'m>) -> Signal<'m> {
        let width = address_bits(self.registers.len() as u32 + 1);
        count_of(self.lines().iter().map(of), width)
    }

    /// How many wait for all granules together.
    pub fn waiters(&self) -> Signal<'m> {
        count_of(self.lines().iter().map(|line| line.count), 8)
    }

    /// What the lines become at each edge. What parks counts first, then results, then releases.
    pub fn set(&self, event: impl Fn(Signal<'m>) -> Event<'m>) {
        for (number, registers) in (0u64..).zip(&self.registers) {
            let width = address_bits(self.registers.len() as u32);
            let Event { parks, result, reserved, released, leaves } =
                event(self.m.lit(width, number));
            let [count, awake, retrying, again] = registers;
            let ends = **retrying & result;
            let any = count.any() | parks;
            let goes_on = ends & (!reserved | **again) & any;
            let chosen = **awake | (**retrying & !ends);
            awake.set(!leaves & (**awake | goes_on | (any & !chosen & released)));
            again.set((chosen & (**again | released)) | (goes_on & released));
            retrying.set(leaves | (**retrying & !ends));
            let [more, less] = [parks, leaves].map(|bit| bit.zero_extend(count.width()));
            count.set(**count + more - less);
        }
    }
}

// The waiters of the chosen granule with the chosen timestamp.

/// The accesses of one granule with one timestamp.
pub(super) struct Chosen<'m> {
    pub granule: Signal<'m>,
    pub warpts: Signal<'m>,
    /// They wait, in the order of their coming.
    pub waiters: Queue<'m>,
    /// One of them waited when the granule was released: none with a larger timestamp may leave.
    pub due: Signal<'m>,
    /// The access that was taken from `retry` last, of that granule.
    pub retried: Record<'m>,
}

/// What is remembered of an access beside granule and timestamp.
pub(super) fn waiter_fields(p: &Params) -> Fields {
    Access::fields(p).without("address").without("warpts")
}

impl<'m> Chosen<'m> {
    /// Remembers them. `event` is what happens to the line of the granule.
    pub fn new(
        m: &'m ModuleBuilder,
        p: &Params,
        granule: Signal<'m>,
        line: IdealLine<'m>,
        event: Event<'m>,
        (park, retry): (&Watched<'m>, &Watched<'m>),
    ) -> Self {
        let warpts = m.input("chosen_warpts", p.timestamp_bits);
        let waiters = Queue::new(m, "waiter", p.entries, &waiter_fields(p));
        let is_chosen = |channel: &Watched<'m>| channel.get("warpts").eq(warpts);
        let entry = pick(&waiter_fields(p), &park.payload);
        let enters = event.parks & is_chosen(park);
        waiters.set(enters, &entry, event.leaves & is_chosen(retry));

        let due = m.reg("due", 1, 0).doc("One of the chosen waited at the release.");
        let ends = line.retrying & event.result;
        let wakes = (line.asleep() | (!line.live() & event.parks)) & event.released
            | (ends & (event.released | !event.reserved | line.again));
        m.when(event.leaves, || due.set(0))
            .otherwise_when(wakes & !line.awake, || due.set(waiters.any() | enters));

        let retried = Held::new(m, "retried", &Access::fields(p).without("address"));
        m.when(event.leaves, || retried.set(&retry.payload));
        let retried = retried.get().clone();
        Self { granule, warpts, waiters, due: *due, retried }
    }

    /// The access on `park` is the one that was retried last.
    pub fn is_retried(&self, park: &Watched<'m>) -> Signal<'m> {
        let fields = self.retried.fields().iter();
        let same = fields.map(|f| self.retried.get(&f.name).eq(park.get(&f.name)));
        same.reduce(|a, b| a & b).expect("fields")
    }
}
