//! The state of the properties, and the rules that they assert at the ports.

use crate::kit::*;
use crate::relativistic_l2::channels::{Action, Kind, Misuse, Op, RollOver};
use crate::relativistic_l2::params::Params;
use crate::relativistic_l2::rules;

/// Requests that are taken and not shown on `issued`. Our circuit has eight in its queue, and one that is shown.
pub(super) const INSIDE: u32 = 9;

/// The ports, and their history.
pub(super) struct Monitor<'p, 'm> {
    pub m: &'m ModuleBuilder,
    pub p: &'p Params,
    pub init_done: Signal<'m>,
    pub req: Watched<'m>,
    pub filled: Watched<'m>,
    pub roll: Watched<'m>,
    pub issued: Watched<'m>,
    pub resp: Watched<'m>,
    pub dram: Watched<'m>,
    pub array: Watched<'m>,
    pub rolled: Watched<'m>,
    pub error: Watched<'m>,
    /// Requests that are taken and not shown.
    pub requests: Queue<'m>,
    /// A roll-over is taken, and not shown.
    pub rolling: Reg<'m>,
    /// Malformed roll-overs that are taken, and not shown.
    pub bad_rolls: Reg<'m>,
    /// A roll-over was wanted, and its end not told.
    pub wanted: Reg<'m>,
    /// The block that the rules of times and of fetches are about.
    pub chosen: Signal<'m>,
    /// Its fetch has left, and its fill was not shown; the MSHR of that fetch.
    pub fetched: Reg<'m>,
    pub fetched_mshr: Reg<'m>,
    /// The ver of its last store, and its last lease, since the last roll-over.
    pub told_ver: Reg<'m>,
    pub told_exp: Reg<'m>,
}

/// Fields of a remembered request, as it is decoded at the port.
pub(super) fn remembered_fields(p: &Params) -> Fields {
    let fields = Fields::new().with("gets", 1, "").with("write", 1, "").with("atomic", 1, "");
    let fields = fields.with("bad", 1, "malformed").with("code", 3, "why");
    let fields = fields.with("core", p.core_bits(), "").with("block", p.block_bits(), "");
    let times = fields.with("now", p.timestamp_bits, "").with("exp", p.timestamp_bits, "");
    times.with("tag", p.tag_bits, "")
}

fn remembered<'m>(m: &'m ModuleBuilder, p: &Params, req: &Watched<'m>) -> Record<'m> {
    let is = |op: Op| req.get("op").eq(op as u64);
    let reserved = !Op::ALL.map(is).into_iter().fold(m.lit(1, 0), |any, one| any | one);
    let nobody = req.get("core").ge(p.cores);
    let late = is(Op::Gets) & req.get("exp").gt(p.limit());
    let bad = reserved | nobody | late;
    let code = |misuse: Misuse| m.lit(3, misuse as u64);
    let other = nobody.mux(code(Misuse::CoreOutOfRange), code(Misuse::LeaseTooLate));
    record(&remembered_fields(p), |field| match field.name.as_str() {
        "gets" => is(Op::Gets) & !bad,
        "write" => is(Op::Write) & !bad,
        "atomic" => is(Op::Atomic) & !bad,
        "bad" => bad,
        "code" => reserved.mux(code(Misuse::ReservedOp), other),
        "block" => req.get("address").slice(p.offset_bits()..p.address_bits),
        name => req.get(name),
    })
}

impl<'p, 'm> Monitor<'p, 'm> {
    /// Watches the ports and asserts the rules.
    pub fn new(m: &'m ModuleBuilder, p: &'p Params) -> Self {
        let chosen = m.input("chosen_block", p.block_bits());
        let init_done = m.input("init_done", 1);
        let [req, filled, roll, issued, resp, dram, array, rolled, error] = Watched::all(m, p);
        let requests = Queue::new(m, "request", INSIDE, &remembered_fields(p));
        let shows = |action: Action| issued.valid & issued.get("action").eq(action as u64);
        requests.set(req.fires(), &remembered(m, p, &req), shows(Action::Request));

        let rolling = m.reg("rolling", 1, 0).doc("A roll-over is taken, and not shown.");
        let inside = requests.any() | req.fires();
        let rolls = shows(Action::Roll) & !error.valid;
        m.when(roll.fires() & !inside, || rolling.set(1)).otherwise_when(rolls, || rolling.set(0));
        let bad_rolls = m.reg("bad_rolls", 4, 0).doc("Malformed roll-overs that are not shown.");
        let more = (roll.fires() & inside).zero_extend(4);
        let fewer = (shows(Action::Roll) & error.valid).zero_extend(4);
        bad_rolls.set(*bad_rolls + more - fewer);
        let wanted = m.reg("wanted", 1, 0).doc("A roll-over was wanted, and its end not told.");
        let wants = rolled.get("kind").eq(RollOver::Wanted as u64);
        m.when(rolled.fires(), || wanted.set(wants));
        let told_ver = m.reg("told_ver", p.timestamp_bits, 0).doc("Ver of the last store.");
        let told_exp = m.reg("told_exp", p.timestamp_bits, 0).doc("The last lease.");
        let fetched = m.reg("fetched", 1, 0).doc("chosen_block is fetched.");
        let fetched_mshr = m.reg("fetched_mshr", p.mshr_bits(), 0).doc("The MSHR of its fetch.");
        let monitor = Self {
            m,
            p,
            init_done,
            req,
            filled,
            roll,
            issued,
            resp,
            dram,
            array,
            rolled,
            error,
            requests,
            rolling,
            bad_rolls,
            wanted,
            chosen,
            fetched,
            fetched_mshr,
            told_ver,
            told_exp,
        };
        monitor.order(monitor.shows(Action::Request));
        rules::WANTED_ONCE.assert(m, !(monitor.rolled.fires() & wants & *monitor.wanted));
        monitor.times(rolls);
        monitor.fetches();
        monitor
    }

    /// An address is that of the chosen block.
    pub fn is_chosen(&self, address: Signal<'m>) -> Signal<'m> {
        self.p.block(address).eq(self.chosen)
    }

    /// The fill of the chosen block is shown.
    pub fn is_filled(&self) -> Signal<'m> {
        let fill = self.shows(Action::Fill) & !self.error.valid;
        fill & self.is_chosen(self.issued.get("address"))
    }

    /// The fetches of the chosen block.
    fn fetches(&self) {
        let Self { m, dram, fetched, fetched_mshr, .. } = self;
        let filled = self.is_filled();
        let fetches = dram.fires() & self.is_chosen(dram.get("address"));
        let waits = **fetched & !filled;
        let again = fetches | (dram.fires() & dram.get("mshr").eq(**fetched_mshr));
        rules::ONE_FETCH.assert(m, !(waits & again));
        let evicts = dram.fires() & dram.get("evict") & self.is_chosen(dram.get("victim"));
        rules::FETCHED_STAYS.assert(m, !(waits & evicts));
        rules::FILLED_ONCE.assert(m, !filled | **fetched);
        fetched.set(fetches | waits);
        m.when(fetches, || fetched_mshr.set(dram.get("mshr")));
    }

    pub fn shows(&self, action: Action) -> Signal<'m> {
        self.issued.valid & self.issued.get("action").eq(action as u64)
    }

    /// Requests are shown in their order, with the errors that they are due.
    fn order(&self, shown: Signal<'m>) {
        let Self { m, p, requests, issued, error, .. } = self;
        let oldest = requests.oldest();
        let address = oldest.get("block").concat(m.lit(p.offset_bits(), 0));
        let as_taken = requests.any() & issued.get("address").eq(address);
        rules::ISSUED_IN_ORDER.assert(m, !shown | as_taken);
        let code = |misuse: Misuse| error.get("code").eq(misuse as u64);
        let bad = error.valid & error.get("code").eq(oldest.get("code"));
        let good = !error.valid | (oldest.get("gets") & code(Misuse::SecondGets));
        let of_request = oldest.get("bad").mux(bad, good);
        let of_fill = !error.valid | code(Misuse::NothingFetched);
        let of_roll = !error.valid | code(Misuse::RequestInside);
        let as_due = (!shown | of_request)
            & (!self.shows(Action::Fill) | of_fill)
            & (!self.shows(Action::Roll) | of_roll)
            & !(self.shows(Action::Roll) & error.valid & self.bad_rolls.eq(0))
            & (!error.valid | issued.valid);
        rules::ERROR_AS_DUE.assert(m, as_due);
        let roll = self.shows(Action::Roll);
        rules::ROLLED_AT_REST
            .assert(m, !(shown & *self.rolling) & (!roll | error.valid | *self.rolling));
    }

    /// The stores and leases of the chosen block.
    fn times(&self, rolls: Signal<'m>) {
        let Self { m, p, resp, told_ver, told_exp, .. } = self;
        let chosen = resp.fires() & self.is_chosen(resp.get("address"));
        let answer = judge(p, &resp.payload, (**told_ver, **told_exp));
        rules::STORES_RISE.assert(m, !chosen | answer.rises);
        rules::STORES_AFTER_LEASES.assert(m, !chosen | answer.is_after);
        rules::LEASE_COVERS.assert(m, !chosen | answer.covers);
        m.when(rolls, || {
            told_ver.set(0);
            told_exp.set(0);
        })
        .otherwise_when(chosen, || {
            told_ver.set(answer.ver);
            told_exp.set(answer.exp);
        });
    }
}

/// Verdicts on an answer of the chosen block.
pub(super) struct Judged<'m> {
    pub rises: Signal<'m>,
    pub is_after: Signal<'m>,
    pub covers: Signal<'m>,
    /// The ver of the last store, and the last lease, after it.
    pub ver: Signal<'m>,
    pub exp: Signal<'m>,
}

impl<'m> Judged<'m> {
    pub fn kept(&self) -> Signal<'m> {
        self.rises & self.is_after & self.covers
    }
}

/// Judges an answer, a response's kind, exp and ver, by the ver and the lease that were told before.
pub(super) fn judge<'m>(
    p: &Params,
    answer: &Record<'m>,
    (told_ver, told_exp): (Signal<'m>, Signal<'m>),
) -> Judged<'m> {
    let is = |kind: Kind| answer.get("kind").eq(kind as u64);
    let (ver, exp) = (answer.get("ver"), answer.get("exp"));
    let store = is(Kind::Ack) | is(Kind::Result);
    let used_once = is(Kind::Data) & exp.eq(0);
    let reaches = exp.le(p.limit()) & (is(Kind::Renew) | exp.ge(ver)) & exp.any();
    let later = exp.gt(told_exp).mux(exp, told_exp);
    Judged {
        rises: is(Kind::Renew) | ver.ge(told_ver),
        is_after: !store | ver.gt(told_exp),
        covers: store | used_once | reaches,
        ver: store.mux(ver, told_ver),
        exp: store.mux(told_exp, later),
    }
}
