//! Stage 5: the state table of the README, on the set as it is.

use super::forward::{Found, Row};
use super::lease::{End, Leases, longer};
use super::leave::effect_fields;
use super::misses::Misses;
use super::{Stage, lru, state, way_fields};
use crate::kit::*;
use crate::relativistic_l2::channels::{Action, ArrayOp, Fetch, Kind, Misuse};
use crate::relativistic_l2::params::Params;

/// The event in stage 5, and what the stages before it have found.
pub(super) struct Input<'a, 'm> {
    pub stage: &'a Stage<'m>,
    pub row: &'a Row<'m>,
    pub found: &'a Found<'m>,
    pub leases: &'a Leases<'m>,
}

/// Actions of the event.
pub(super) struct Act<'m> {
    /// A request must wait.
    pub waits: Signal<'m>,
    /// A fill is in its first clock.
    pub fill_waits: Signal<'m>,
    pub fills: Signal<'m>,
    pub error: Signal<'m>,
    pub code: Signal<'m>,
    pub misses: Signal<'m>,
    /// A load or an atomic begins to wait for its block.
    pub reads: Signal<'m>,
    pub evicts: Signal<'m>,
    pub mnow: Signal<'m>,
    /// A lease is clipped or refused, or a ver is the last.
    pub time_ends: Signal<'m>,
    /// The MSHR of the block.
    pub mshr: Signal<'m>,
    pub block: Signal<'m>,
    pub fetch: Record<'m>,
    pub writes: Signal<'m>,
    /// One-hot.
    pub way: Signal<'m>,
    pub fields: Record<'m>,
    pub recency: Option<Signal<'m>>,
    pub renews: Signal<'m>,
    pub stores: Signal<'m>,
    pub at_now: Signal<'m>,
    pub at_ver: Signal<'m>,
    pub effect: Record<'m>,
}

/// Row of the state table.
struct Case<'m> {
    fill: Signal<'m>,
    /// A fill of a block in IAV.
    performs: Signal<'m>,
    hit_load: Signal<'m>,
    hit_store: Signal<'m>,
    joins: Signal<'m>,
    merges: Signal<'m>,
    misses: Signal<'m>,
    second: Signal<'m>,
    waits: Signal<'m>,
}

/// The way that makes room.
struct Victim<'m> {
    way: Signal<'m>,
    exists: Signal<'m>,
    valid: Signal<'m>,
    dirty: Signal<'m>,
    tag: Signal<'m>,
    mnow: Signal<'m>,
}

fn victim<'m>(row: &Row<'m>, mnow: Signal<'m>) -> Victim<'m> {
    let [empty, valid] = [state::I, state::V].map(|code| row.in_state(code));
    let oldest = lru::oldest(row.recency, valid).named("oldest");
    let way = empty.any().mux(one_hot::lowest(empty), oldest).named("victim");
    let get = |name: &str| one_hot::select(oldest, &row.field(name));
    let [ver, exp] = ["ver", "exp"].map(|name| get(name).named(&format!("victim_{name}")));
    let latest = ver.ge(exp).mux(ver.ge(mnow).mux(ver, mnow), exp.ge(mnow).mux(exp, mnow));
    let valid = !empty.any() & valid.any();
    Victim {
        way,
        exists: empty.any() | valid,
        valid,
        dirty: valid & get("dirty"),
        tag: get("tag"),
        mnow: latest.named("mnow_after"),
    }
}

fn case<'m>(input: &Input<'_, 'm>, core: Signal<'m>, room: Signal<'m>) -> Case<'m> {
    let Input { stage, found, .. } = input;
    let get = |name: &str| stage.get(name);
    let hit = found.hits.any().named("hit");
    let is = |code: u64| hit & found.fields.get("state").eq(code);
    let [valid, iv, iav] = [state::V, state::IV, state::IAV].map(is);
    let fill = (stage.is(Action::Fill) & !get("bad")).named("fills");
    let second = get("gets") & iv & (found.fields.get("readers") & core).any();
    let any = get("gets") | get("write") | get("atomic");
    let misses = any & !hit;
    let waits = (any & iav) | (get("atomic") & iv) | (misses & !room);
    Case {
        fill,
        performs: fill & found.fields.get("state").eq(state::IAV),
        hit_load: (get("gets") & valid).named("hit_load"),
        hit_store: ((get("write") | get("atomic")) & valid).named("hit_store"),
        joins: (get("gets") & iv & !second).named("joins"),
        merges: (get("write") & iv).named("merges"),
        misses: misses.named("misses"),
        second: second.named("second_gets"),
        waits: waits.named("waits"),
    }
}

/// The ver after a store, and where it comes from.
struct Ver<'m> {
    ver: Signal<'m>,
    at_now: Signal<'m>,
    at_ver: Signal<'m>,
}

/// Now, or after what the row of the table says: in V ver and every lease; in IV m.ver, the first time mnow as it
/// was; in I mnow. The thesis does not come after mnow, but at it.
fn ver<'m>(p: &Params, input: &Input<'_, 'm>, case: &Case<'m>, mnow: Signal<'m>) -> Ver<'m> {
    let now = input.stage.get("now");
    let get = |name: &str| input.found.fields.get(name);
    let (ver, exp) = (get("ver"), get("exp"));
    let after = |time: Signal<'m>| if p.faithful { time } else { time.all().mux(time, time + 1) };
    let at_now = (now.ge(ver) & now.gt(exp)).named("is_at_now");
    let at_ver = (ver.gt(now) & ver.gt(exp)).named("is_at_ver");
    let of_hit = at_now.mux(now, at_ver.mux(ver, exp + 1));
    let of_merge = now.gt(ver).mux(now, get("dirty").mux(ver, after(ver)));
    let of_miss = now.gt(mnow).mux(now, after(mnow));
    let of_store = case.misses.mux(of_miss, case.merges.mux(of_merge, of_hit));
    Ver { ver: of_store.named("store_ver"), at_now, at_ver }
}

/// Grants of a fill to its readers, in its second clock.
struct FillLease<'m> {
    waits: Signal<'m>,
    end: End<'m>,
    refused: Signal<'m>,
}

fn fill_lease<'m>(
    m: &'m ModuleBuilder,
    p: &Params,
    input: &Input<'_, 'm>,
    fill: Signal<'m>,
    moves: Signal<'m>,
) -> FillLease<'m> {
    let get = |name: &str| input.found.fields.get(name);
    let (ver, rd) = (get("ver"), get("exp"));
    let time = m.reg_without_reset("fill_time", p.timestamp_bits).doc("Of its latest reader.");
    time.set(if p.faithful { ver } else { ver.ge(rd).mux(ver, rd) });
    let timed = m.reg("fill_timed", 1, 0).doc("It is known: the second clock of a fill.");
    let waits = (input.stage.valid & fill & !*timed).named("fill_is_first");
    m.when(moves, || timed.set(0)).otherwise_when(waits, || timed.set(1));
    let lease = |k| m.lit(p.timestamp_bits, p.lease(k));
    let lease = get("dirty").mux(lease(0), lease(p.lease_doublings));
    FillLease { waits, end: End::new(p, "fill", *time, lease), refused: time.all() }
}

pub(super) fn act<'m>(
    m: &'m ModuleBuilder,
    p: &Params,
    input: &Input<'_, 'm>,
    misses: &Misses<'m>,
    (dram, mnow): (Signal<'m>, Signal<'m>),
    moves: Signal<'m>,
) -> Act<'m> {
    let Input { stage, row, found, leases } = input;
    let get = |name: &str| stage.get(name);
    let of = |name: &str| found.fields.get(name);
    let core = one_hot::decode(get("core"), p.cores);
    let victim = victim(row, mnow);
    let room = victim.exists & misses.any_free() & dram;
    let case = case(input, core, room);
    let evicts = (case.misses & victim.valid).named("evicts");
    let ver = ver(p, input, &case, mnow);
    let fill = fill_lease(m, p, input, case.fill, moves);

    let (now, exp) = (get("now"), of("exp"));
    let refused = (now.all() | of("ver").all()).named("is_refused");
    let [by_now, by_ver] = [leases.now.time, leases.ver.time];
    let kept = exp.ge(by_now) & exp.ge(by_ver);
    let lease = kept.mux(exp, by_now.ge(by_ver).mux(by_now, by_ver)).named("lease_end");
    let renews = (case.hit_load & !refused & get("exp").gt(of("ver"))).named("renews");
    let stores = case.hit_store | case.merges | (case.misses & !get("gets"));
    let has_readers = (case.fill & !case.performs & of("readers").any()).named("grants_at_fill");
    let clipped = leases.now.clipped | leases.ver.clipped;
    let time_ends =
        (case.hit_load & clipped) | (stores & ver.ver.all()) | (has_readers & fill.end.clipped);

    let mshr = one_hot::encode(misses.free).zero_extend(p.mshr_bits()).named("taken_mshr");
    let k = Exponent { p, case: &case, renews, of: of("k"), mshr }.after(of("dirty"));
    let ver_after = stores.mux(ver.ver, case.misses.mux(mnow, of("ver")));
    let joined = now.gt(exp).mux(now, exp);
    let rest = case.joins.mux(joined, case.hit_load.mux(lease, exp));
    let missed = now.and_where(get("gets"));
    let exp_after =
        case.fill.mux(fill.end.time.and_where(has_readers), case.misses.mux(missed, rest));
    let fetched = get("atomic").mux(m.lit(2, state::IAV), m.lit(2, state::IV));
    let state_after = case.misses.mux(fetched, case.fill.mux(m.lit(2, state::V), of("state")));
    let readers = of("readers").and_where(!case.misses & !case.fill);
    let reads = (case.joins | (case.misses & !get("write"))).named("reads");
    let way = case.misses.mux(victim.way, found.hits).named("acted_way");
    let values = vec![
        state_after,
        stores.mux(!get("atomic") | case.hit_store, of("dirty") & !case.misses) | case.performs,
        k,
        readers | core.and_where(reads),
        case.misses.mux(stage.tag(p), of("tag")),
        ver_after,
        exp_after,
    ];
    let refused_now = case.fill.mux(fill.refused, refused);
    let grant = case.fill.mux(fill.end.time, lease).and_where(!refused_now).named("grant");
    let block_tag = stage.is(Action::Request).mux(stage.tag(p), of("tag"));
    let block = block_tag.concat(stage.set(p)).named("acted_block");
    let effect = Effect { p, input, case: &case, block, way, core, grant, has_readers, renews };
    let second = m.lit(3, Misuse::SecondGets as u64);
    Act {
        waits: case.waits,
        fill_waits: fill.waits,
        fills: case.fill,
        error: get("bad") | case.second,
        code: get("bad").mux(get("code"), second),
        misses: case.misses,
        reads,
        evicts,
        mnow: victim.mnow,
        time_ends: time_ends.named("time_ends"),
        mshr: case.misses.mux(mshr, of("k").truncate(p.mshr_bits())),
        block,
        fetch: fetch(p, (block, mshr), &victim, stage.set(p)),
        writes: case.fill | case.hit_load | case.joins | stores | case.misses,
        way,
        fields: Record::new(&way_fields(p), values),
        recency: row.recency.map(|recency| lru::used(recency, way).named("recency_after")),
        renews,
        stores: case.hit_store,
        at_now: ver.at_now,
        at_ver: ver.at_ver,
        effect: effect.record(m, (ver.ver, victim.dirty)),
    }
}

fn fetch<'m>(
    p: &Params,
    (block, mshr): (Signal<'m>, Signal<'m>),
    victim: &Victim<'m>,
    set: Signal<'m>,
) -> Record<'m> {
    let address = p.address(victim.tag.concat(set).and_where(victim.dirty));
    Record::new(&Fetch::fields(p), vec![p.address(block), mshr, victim.dirty, address])
}

/// A way's exponent, or its MSHR while its block is fetched.
struct Exponent<'a, 'm> {
    p: &'a Params,
    case: &'a Case<'m>,
    renews: Signal<'m>,
    of: Signal<'m>,
    mshr: Signal<'m>,
}

impl<'m> Exponent<'_, 'm> {
    /// The field afterwards; `written` says that a store was merged.
    fn after(self, written: Signal<'m>) -> Signal<'m> {
        let Self { p, case, renews, of, mshr } = self;
        let m = of.module();
        let (bits, width) = (p.exponent_bits(), p.k_bits());
        let longer = longer(p, of.truncate(bits)).zero_extend(width);
        let largest = m.lit(width, p.lease_doublings.into());
        let filled = largest.and_where(!written & !case.performs);
        let hit = renews.mux(longer, of).and_where(!case.hit_store);
        case.misses.mux(mshr.zero_extend(width), case.fill.mux(filled, hit))
    }
}

/// Outputs of an event.
struct Effect<'a, 'i, 'm> {
    p: &'a Params,
    input: &'a Input<'i, 'm>,
    case: &'a Case<'m>,
    block: Signal<'m>,
    way: Signal<'m>,
    core: Signal<'m>,
    grant: Signal<'m>,
    has_readers: Signal<'m>,
    renews: Signal<'m>,
}

impl<'m> Effect<'_, '_, 'm> {
    fn record(&self, m: &'m ModuleBuilder, (ver, dirty): (Signal<'m>, Signal<'m>)) -> Record<'m> {
        let Self { p, input, case, block, way, core, grant, has_readers, renews } = *self;
        let get = |name: &str| input.stage.get(name);
        let of = |name: &str| input.found.fields.get(name);
        let writes = (case.merges | (case.misses | case.hit_store) & get("write")).named("acks");
        let performs = case.performs | (case.hit_store & get("atomic"));
        let loads = case.hit_load | case.fill & !case.performs;
        let answered = core.and_where(case.hit_load | case.hit_store | writes);
        let cores = case.fill.mux(of("readers"), answered);
        let op = |op: ArrayOp| m.lit(3, op as u64);
        let kind = |kind: Kind| m.lit(2, kind as u64);
        let access =
            performs.mux(op(ArrayOp::Atomic), writes.mux(op(ArrayOp::Write), op(ArrayOp::Read)));
        let answer =
            performs.mux(kind(Kind::Result), writes.mux(kind(Kind::Ack), kind(Kind::Data)));
        let stored = case.fill.mux(of("ver"), ver);
        let known = loads.mux(of("ver"), stored);
        let values = vec![
            case.misses & dirty,
            case.fill,
            cores,
            !renews,
            access,
            renews.mux(kind(Kind::Renew), answer),
            block,
            one_hot::encode(way).zero_extend(p.way_bits()),
            grant.and_where(case.hit_load | has_readers),
            known.and_where(!renews),
            get("tag"),
        ];
        Record::new(&effect_fields(p), values)
    }
}
