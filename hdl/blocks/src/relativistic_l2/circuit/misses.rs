//! MSHRs: which are in use, where their blocks go, and the tags of the accesses that wait for them.
//!
//! An MSHR's times, m.ver and m.rd, stand in its way's ver and exp, and its readers beside them: then they are read and
//! forwarded as all else of a way.

use super::Stage;
use super::act::Act;
use crate::kit::*;
use crate::relativistic_l2::params::Params;

/// Where an MSHR's block goes.
pub(in crate::relativistic_l2) fn place_fields(p: &Params) -> Fields {
    Fields::new().with("set", p.set_bits(), "").with("way", p.way_bits(), "")
}

/// The next fill.
pub(super) struct NextFill<'m> {
    pub enters: Signal<'m>,
    /// Its MSHR fetches nothing.
    pub bad: Signal<'m>,
    pub mshr: Signal<'m>,
    pub place: Record<'m>,
}

pub(super) struct Misses<'m> {
    m: &'m ModuleBuilder,
    p: Params,
    busy: Reg<'m>,
    asked: Reg<'m>,
    answered: Wire<'m>,
    places: MemoryHandle<'m>,
    tags: Vec<MemoryHandle<'m>>,
    /// The MSHR that a miss gets, one-hot; none if all are in use.
    pub free: Signal<'m>,
}

impl<'m> Misses<'m> {
    pub fn new(m: &'m ModuleBuilder, p: &Params) -> Self {
        let busy = m.reg("mshrs_busy", p.mshrs, 0).doc("MSHRs in use.");
        let asked = m.reg("mshrs_asked", p.mshrs, 0).doc("Those whose fetch has left, not filled.");
        let answered = m.wire("mshr_answered", p.mshrs).doc("The one that is filled, one-hot.");
        let places = m
            .memory("places", p.mshrs.max(2), place_fields(p).width(), 1, Collision::Undefined)
            .doc("Of each MSHR the set and the way of its block.");
        let tag = |core| {
            let name = format!("core{core}_tags");
            let tags = m.memory(&name, p.mshrs.max(2), p.tag_bits, 1, Collision::Undefined);
            tags.doc("Of each MSHR the tag of the core's access that waits for it.")
        };
        let free = one_hot::lowest(!*busy).named("mshr_free");
        let tags = (0..p.cores).map(tag).collect();
        Self { m, p: p.clone(), busy, asked, answered, places, tags, free }
    }

    /// A block is fetched.
    pub fn fetches(&self) -> Signal<'m> {
        self.busy.any()
    }

    /// An MSHR is free.
    pub fn any_free(&self) -> Signal<'m> {
        !self.busy.all()
    }

    /// The fill that enters stage 1 next, where `enable` lets it.
    pub fn filled(
        &self,
        channel: &Channel,
        initialised: Signal<'m>,
        enable: Signal<'m>,
    ) -> NextFill<'m> {
        let Self { m, p, .. } = self;
        let filled = Stream::input(m, channel.name, &channel.fields);
        let waits = m.reg("fill_waits", 1, 0).doc("A fill waits to enter stage 1.");
        let bad = m.reg_without_reset("fill_bad", 1).doc("Its MSHR fetches nothing.");
        let mshr = m.reg_without_reset("fill_mshr", p.mshr_bits());
        let enters = (*waits & enable).named("fill_enters");
        let room = (!*waits | enters).named("fill_room");
        filled.ready.set(room & initialised);
        let comes = filled.fires();
        let number = filled.payload.get("mshr");
        let one = one_hot::decode(number, p.mshrs);
        self.answered.set(one.and_where(comes));
        m.when(room, || {
            waits.set(comes);
            bad.set(!(one & *self.asked).any());
            mshr.set(number);
        });
        let place = Record::unpack(&place_fields(p), self.places.read("fill_place", room, number));
        NextFill { enters, bad: *bad, mshr: *mshr, place }
    }

    /// A fetch that leaves may be answered from the next clock on.
    pub fn asked(&self, fetch: &Stream<'m>) {
        let leaves = one_hot::decode(fetch.payload.get("mshr"), self.p.mshrs);
        self.asked.set((*self.asked & !*self.answered) | leaves.and_where(fetch.fires()));
    }

    /// A miss takes an MSHR, a fill frees one; a load or an atomic that waits leaves its tag.
    pub fn update(&self, act: &Act<'m>, acts: Signal<'m>, stage: &Stage<'m>) {
        let Self { m, p, busy, .. } = self;
        let takes = self.free.and_where(acts & act.misses);
        let filled = one_hot::decode(stage.get("mshr"), p.mshrs);
        let frees = filled.and_where(acts & act.fills);
        m.when(acts & (act.misses | act.fills), || busy.set((**busy | takes) & !frees));
        let values = vec![stage.set(p), one_hot::encode(act.way).zero_extend(p.way_bits())];
        let place = Record::new(&place_fields(p), values);
        self.places.write(acts & act.misses, act.mshr, place.pack());
        let core = one_hot::decode(stage.get("core"), p.cores);
        for (tags, core) in self.tags.iter().zip(core.to_bits()) {
            tags.write(acts & act.reads & core, act.mshr, stage.get("tag"));
        }
    }

    /// The tags of the accesses that wait for the fill in stage 5, for the next clock.
    pub fn tags(&self, moves: Signal<'m>, stage: &Stage<'m>) -> Vec<Signal<'m>> {
        let read = |(core, tags): (usize, &MemoryHandle<'m>)| {
            tags.read(&format!("core{core}_tag"), moves, stage.get("mshr"))
        };
        self.tags.iter().enumerate().map(read).collect()
    }
}
